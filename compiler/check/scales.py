"""Scales: items, options, scoring keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compiler import ast
from compiler.check.datafiles import check_data_file
from compiler.check.scorenames import existing_items
from compiler.check.scores import check_scores
from compiler.check.wording import twice, unknown, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.grids import text
from compiler.model.items import (
    MAX_OPTIONS,
    ResolvedItem,
    items_of,
    keyed,
    options_of,
    parts,
    scale_options,
)
from compiler.model.scores import RAW, Scoring, uses
from compiler.resolve import Program


def check_scales(program: Program) -> Iterator[Diagnostic]:
    for decl in program.scales.values():
        items = items_of(program, decl)
        yield from _statements(program, decl)
        yield from _texts(decl)
        yield from _options(decl, items)
        labels = list(_labels(decl))
        yield from labels or _keys(decl, items)


def _keys(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    """What numbers items, and names them by their number."""
    yield from _numbering(decl, items)
    yield from _keyed(decl, items)
    yield from check_scores(decl, items)
    yield from _unused(decl, items)


def _statements(program: Program, decl: ast.ScaleDecl) -> Iterator[Diagnostic]:
    where = f"scale `{decl.name.text}`"
    yield from twice([(s.span, "options") for s in parts(decl, ast.Options)], where)
    yield from twice([(s.span, "missing") for s in parts(decl, ast.Missing)], where)
    yield from twice([(s.span, "language") for s in parts(decl, ast.Language)], where)
    yield from twice([(s.span, "cite") for s in parts(decl, ast.Cite)], where)
    yield from twice([(s.name.span, s.name.text) for s in parts(decl, ast.SubscaleDecl)], where)
    yield from twice([(s.name.span, s.name.text) for s in parts(decl, ast.DeriveDecl)], where)
    for missing in parts(decl, ast.Missing):
        yield from whole(missing.up_to, "missing up to", 0)
    for statement in parts(decl, ast.ItemsFrom):
        yield from check_data_file(program, statement.data)
    known = [s.name.text for s in parts(decl, ast.SubscaleDecl)]
    for norm in parts(decl, ast.NormDecl):
        yield from whole(norm.n, "n", 1)
        if norm.subscale.text not in known:
            yield unknown(norm.subscale, "subscale", known, f" in {where}")


def _texts(decl: ast.ScaleDecl) -> Iterator[Diagnostic]:
    for group in parts(decl, ast.ItemGroup):
        for item in group.items:
            if not item.text.text.strip():
                yield diagnostic(Code.EMPTY_FACTOR, item.span, what="this item", kind="text")
            codes = [one.code for one in options_of(item.options or group.options or scale_options(decl))]
            key = item.key
            if isinstance(key, ast.Num) and codes and not min(codes) <= key.value <= max(codes):
                wanted = f"from {text(min(codes))} to {text(max(codes))}, as the options are"
                yield diagnostic(Code.OUT_OF_RANGE, key.span, what="key", found=text(key.value), wanted=wanted)


def _labels(decl: ast.ScaleDecl) -> Iterator[Diagnostic]:
    for group in parts(decl, ast.ItemGroup):
        for item in group.items:
            if isinstance(item.label, ast.Num):
                yield from whole(item.label, "item", 1)


def _numbering(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    if not items:
        yield diagnostic(Code.NO_ITEMS, decl.name.span, scale=decl.name.text, help="add an `items` block")
        return
    for key in ("number", "name"):
        counted = Counter(getattr(item, key) for item in items)
        for item in items:
            if counted[getattr(item, key)] > 1:
                yield diagnostic(Code.ITEM_TWICE, item.span, number=getattr(item, key), scale=decl.name.text)
                return
        if key == "number" and max(counted) != len(items):
            gap = min(set(range(1, len(items) + 1)) - set(counted), default=len(items) + 1)
            yield diagnostic(Code.ITEM_GAP, items[min(gap, len(items)) - 1].span, number=gap)
            return


def _options(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    own = scale_options(decl)
    groups = [group.options for group in parts(decl, ast.ItemGroup) if group.options is not None]
    singles = [i.options for group in parts(decl, ast.ItemGroup) for i in group.items if i.options is not None]
    for options in [*([own] if own else []), *groups, *singles]:
        yield from _one_options(options)
    if own is None:
        bare = next((item for item in items if item.options is None), None)
        if bare is not None:
            yield diagnostic(
                Code.NO_OPTIONS,
                bare.span,
                what=f"item {bare.name} of scale `{decl.name.text}`",
                help='add a line such as `options 1..5 { 1 "never"  5 "always" }` to the scale',
            )
    elif not own.anchors:
        yield diagnostic(
            Code.NO_ANCHORS, own.span, scale=decl.name.text, help='say what the ends mean: `{ 1 "never" }`'
        )


def _one_options(options: ast.Options) -> Iterator[Diagnostic]:
    counted = Counter(anchor.code.value for anchor in options.anchors)
    for anchor in options.anchors:
        if counted[anchor.code.value] > 1:
            counted[anchor.code.value] = 1
            yield diagnostic(Code.OPTION_TWICE, anchor.span, option=text(anchor.code.value))
    if options.first is None or options.last is None:
        if not options.anchors:
            yield diagnostic(Code.NO_OPTIONS, options.span, what="this block")
        return
    first, last = options.first.value, options.last.value
    if options.step is not None and options.step.value <= 0:
        yield diagnostic(
            Code.OUT_OF_RANGE, options.step.span, what="step", found=text(options.step.value), wanted="above 0"
        )
        return
    codes = [option.code for option in options_of(options)]
    if len(codes) >= MAX_OPTIONS:
        wanted = f"at most {MAX_OPTIONS - 1}"
        yield diagnostic(
            Code.OUT_OF_RANGE, options.span, what="options", found="too many to list", wanted=wanted
        )
    elif not codes:
        yield diagnostic(Code.EMPTY_RANGE, options.span, first=text(first), last=text(last))
    elif codes[-1] != round(last, 9):
        wanted = f"{text(first)} and a whole number of steps"
        yield diagnostic(
            Code.OUT_OF_RANGE, options.last.span, what="the last option", found=text(last), wanted=wanted
        )
    else:
        for anchor in options.anchors:
            if anchor.code.value not in codes:
                yield diagnostic(
                    Code.ANCHOR_OUTSIDE,
                    anchor.span,
                    option=text(anchor.code.value),
                    first=text(first),
                    last=text(last),
                )


def _keyed(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    by_number = {item.number: item for item in items}
    for line in parts(decl, ast.Keyed):
        for reference in line.items:
            for number in existing_items(decl, items, reference, line.what):
                if isinstance(number, Diagnostic):
                    yield number
                elif line.what == "reverse":
                    item = by_number[number]
                    if len(options_of(item.options or scale_options(decl))) == 1:
                        yield diagnostic(Code.REVERSE_NO_NUMBERS, reference.span, number=number)


def _unused(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    scores = [subscale.score for subscale in parts(decl, ast.SubscaleDecl)]
    counted = uses(Scoring(decl, items), scores).get(RAW, set()) | keyed(decl, items, "filler")
    left = [item.name for item in items if item.number not in counted]
    if left:
        listed = (
            ("item " if len(left) == 1 else "items ")
            + ", ".join(left[:12])
            + (", ..." if len(left) > 12 else "")
        )
        verb = "is" if len(left) == 1 else "are"
        help = "name them in a subscale, or in a `filler` line"
        yield diagnostic(
            Code.ITEM_UNUSED, decl.name.span, items=listed, scale=decl.name.text, verb=verb, help=help
        )
