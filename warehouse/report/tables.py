"""The numbers of a report as tables of strings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

import msgspec

from schemas.plan import Association, Contrast, Outcome
from schemas.report import ReportRow
from warehouse.groups import label
from warehouse.report.structure import Block, Column
from warehouse.report.titles import Titles
from warehouse.report.words import (
    COEFFICIENTS,
    EFFECT_SYMBOLS,
    STATISTICS,
    change,
    coefficient,
    effect,
    interval,
    level,
    p_value,
    refusals,
)

NESTED = ("overall", "emotion", "factor")
VERDICTS = {
    "equivalent": "yes",
    "not inferior": "yes",
    "not shown equivalent": "not shown",
    "not shown not inferior": "not shown",
    None: "n/a",
}
OVERALL = ("overall", None, None, ())


class _Line(msgspec.Struct, frozen=True):
    """A group's place in the table, apart from its numbers. `depth`: how far its label stands in."""

    label: str
    depth: int
    key: tuple[object, ...]


def contrast_block(
    contrast: Contrast, rows: Sequence[ReportRow], outcomes: Sequence[Outcome], mark: str, titles: Titles
) -> Block:
    """The sides as a whole, then a line a group; columns for each outcome, which `mark` precedes in labels."""
    rows = [row for row in rows if not row.post_hoc]
    found = {(_key(row), Outcome(row.scale, row.subscale)): row for row in rows}
    overall = [found.get((OVERALL, outcome)) for outcome in outcomes]
    names = _column_names(contrast)
    lines: list[tuple[str, ...]] = []
    refused = _refused(rows)
    first = next((row for row in overall if row is not None), None)
    if first is not None:
        lines += [
            (
                mark + name,
                *(
                    cell
                    for row, outcome in zip(overall, outcomes, strict=True)
                    for cell in _level_cells(row, name, side, len(names), titles.decimals(outcome))
                ),
                *([refusals(first, name)] if refused else []),
            )
            for name, side in _levels(contrast)
        ]

    def cells(key: tuple[object, ...], outcome: Outcome) -> list[str]:
        row = found.get((key, outcome))
        return [""] * len(names) if row is None else _cells(row, contrast, titles.decimals(outcome))

    body = _body(_lines(rows, titles), outcomes, cells, mark, refused)
    return Block(_columns(outcomes, names, titles, refused), (*lines, *body))


def association_block(
    association: Association, rows: Sequence[ReportRow], outcome: Outcome, mark: str, titles: Titles
) -> Block:
    """A line a group, a column a coefficient (with its p, where it has one), the units and the raters."""
    found = {(_key(row), row.test): row for row in rows}
    tested = {row.test for row in rows if row.p is not None}
    raters = any(row.b_n != row.a_n for row in rows)

    def cells(key: tuple[object, ...], _: Outcome) -> list[str]:
        shown: list[str] = []
        of_group = [found.get((key, name)) for name in association.coefficients]
        for name, row in zip(association.coefficients, of_group, strict=True):
            shown.append("" if row is None else coefficient(row))
            shown += ["" if row is None else p_value(row)] if name in tested else []
        row = next((row for row in of_group if row is not None), None)
        sizes = ["", ""] if row is None else [f"{row.a_n}", f"{row.b_n}"]
        return [*shown, *sizes[: 1 + raters]]

    names: list[str] = []
    for name in association.coefficients:
        names += [COEFFICIENTS[name][0], *(["p"] if name in tested else [])]
    names += ["n", *(["items" if association.kind == "reliability" else "raters"] if raters else [])]
    refused = _refused(rows)
    body = _body(_lines(rows, titles), [outcome], cells, mark, refused)
    return Block(_columns([outcome], names, titles, refused), tuple(body))


def pairs_block(rows: Sequence[ReportRow], outcome: Outcome, mark: str, titles: Titles) -> Block | None:
    """Each pair of the sides of an omnibus contrast, group by group; None where there is none."""
    own = [row for row in rows if row.post_hoc and Outcome(row.scale, row.subscale) == outcome]
    if not own:
        return None
    decimals = titles.decimals(outcome)
    lines = [
        (
            f"{mark}{titles.group(row)}: {row.a_label} - {row.b_label}",
            change(row, decimals),
            interval(row, decimals),
            effect(row),
            p_value(row),
            f"{row.a_n}, {row.b_n}",
        )
        for row in own
    ]
    names = ("difference", "95 % interval", EFFECT_SYMBOLS["hedges_g"], "p, all pairs", "n")
    return Block(_columns([outcome], names, titles, {}), tuple(lines))


def per_table(contrast: Contrast) -> int:
    """How many outcomes have room beside one another."""
    return 2 if len(_column_names(contrast)) < 5 else 1


def _refused(rows: Sequence[ReportRow]) -> dict[tuple[object, ...], str]:
    """The refusals of each group, where there is any at all."""
    if not any(sum(row.refused.values()) for row in rows):
        return {}
    return {_key(row): refusals(row) for row in rows}


def _columns(
    outcomes: Sequence[Outcome], names: Sequence[str], titles: Titles, refused: Mapping[tuple[object, ...], str]
) -> tuple[Column, ...]:
    shown = [Column("", "")]
    for outcome in outcomes:
        title = titles.subscale(outcome.subscale, outcome.scale)
        shown += [Column(title, name) for name in names]
    return (*shown, *([Column("", "refused")] if refused else []))


def _body(
    lines: Sequence[_Line],
    outcomes: Sequence[Outcome],
    cells: Callable[[tuple[object, ...], Outcome], list[str]],
    mark: str,
    refused: Mapping[tuple[object, ...], str],
) -> list[tuple[str, ...]]:
    return [
        (
            "  " * line.depth + mark + line.label,
            *(cell for outcome in outcomes for cell in cells(line.key, outcome)),
            *([refused.get(line.key, "")] if refused else []),
        )
        for line in lines
    ]


def _column_names(contrast: Contrast) -> list[str]:
    symbol, statistic = EFFECT_SYMBOLS[contrast.effect], STATISTICS.get(contrast.test)
    first = "mean" if contrast.omnibus else "change"
    p = "p" if contrast.adjust == "none" else "p corr."
    verdict = [] if contrast.margin is None else ["within" if contrast.worse is None else "not worse"]
    return [first, *([symbol] if symbol else []), *([statistic] if statistic else []), p, *verdict, "n"]


def _cells(row: ReportRow, contrast: Contrast, decimals: int) -> list[str]:
    first = level(row, row.a_mean, None, decimals) if contrast.omnibus else change(row, decimals)
    sizes = [effect(row)] if contrast.effect != "none" else []
    if contrast.test in STATISTICS:
        sizes.append("n/a" if row.statistic is None else f"{row.statistic:.2f}")
    verdict = [] if contrast.margin is None else [VERDICTS[row.verdict]]
    return [first, *sizes, p_value(row), *verdict, f"{row.a_n}"]


def _levels(contrast: Contrast) -> list[tuple[str, str]]:
    """The sides that have a line of their own: what each is called, and which it is."""
    names = [label(side) for side in contrast.sides]
    if contrast.omnibus:
        return [(name, "") for name in names]
    return list(zip(reversed(names), ("b", "a"), strict=True))


def _level_cells(row: ReportRow | None, name: str, side: str, width: int, decimals: int) -> list[str]:
    if row is None:
        return [""] * width
    match side:
        case "a":
            mean, n = level(row, row.a_mean, row.a_sd, decimals), f"{row.a_n}"
        case "b":
            mean, n = level(row, row.b_mean, row.b_sd, decimals), f"{row.b_n}"
        case _:
            mean, n = level(row, row.means.get(name), None, decimals), ""
    return [mean, *([""] * (width - 2)), n]


def _key(row: ReportRow) -> tuple[object, ...]:
    return (row.group_kind, row.emotion, row.factor_index, tuple(row.groups.items()))


def _lines(rows: Sequence[ReportRow], titles: Titles) -> list[_Line]:
    """Overall, then each emotion with its factors under it, then the groups of every other kind."""
    distinct = {_key(row): row for row in rows}
    nested = [row for row in distinct.values() if row.group_kind in NESTED]
    emotions = list(dict.fromkeys(row.emotion for row in nested))
    nested.sort(key=lambda row: (emotions.index(row.emotion), row.factor_index is not None))
    lines: list[_Line] = []
    headed = {row.emotion for row in nested if row.group_kind != "factor"}
    for row in nested:
        if row.emotion is not None and row.emotion not in headed:
            headed.add(row.emotion)
            lines.append(_Line(titles.emotion(row.emotion), 0, ("heading", row.emotion)))
        lines.append(_Line(titles.group(row), int(row.group_kind == "factor"), _key(row)))
    other = [row for row in distinct.values() if row.group_kind not in NESTED]
    for kind, of_kind in groupby(other, key=lambda row: row.group_kind):
        lines.append(_Line(f"by {kind}", 0, ("heading", kind)))
        lines += [_Line(titles.group(row), 1, _key(row)) for row in of_kind]
    return lines
