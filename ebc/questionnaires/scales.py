"""A questionnaire as a scale, and as the prompt that asks it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from ebc.errors import UserError
from ebc.questionnaires.records import FILE, Questionnaire
from ebc.questionnaires.words import numbers, plain, quoted, scale_name, slug, subscale_names

SAYS = r"(?<![\w.])'?(?P<code>\d+)'?\s*"
ANCHORS = tuple(
    re.compile(pattern)
    for pattern in (
        SAYS + r'(?:denotes|means|to indicate|=|:)\s*"(?P<anchor>[^"]+)"',
        SAYS + r"(?:denotes|means|to indicate|=|:)\s*'(?P<anchor>.+?)'(?=[\s,.;]|$)",
        SAYS + r"(?:denotes|means)\s+(?P<anchor>[^\s\"',.;][^\"',.;]*)",
        SAYS + r"\((?P<anchor>[^()]+)\)",
        r"[Ii]f (?P<anchor>[^,;.]+), score (?P<code>\d+) points?",
    )
)
"""How prompts say what a code means: `1 denotes "never"`, `1 (never)`, `if it never happens, score 1 point`."""
FOR_ITEMS = re.compile(
    r"for questions? \d+ to (?:questions? )?\d+(?:,? and (?:questions? )?\d+ to (?:questions? )?\d+)*"
)
AS_GIVEN = "as_given"
"""The subscale of answers as they were given."""
OWN_OPTION = re.compile(r"(?:^|(?<=\s))(\d)\. ")


@dataclass(frozen=True)
class Answers:
    """What can be answered: codes from `low` to `high`, and their anchors, by the items that they hold for."""

    low: int
    high: int
    groups: tuple[tuple[frozenset[int], Mapping[int, str]], ...]


def scale_text(questionnaire: Questionnaire, total: str | None = None, printed: str | None = None) -> str:
    """The scale, with its norms; an item in no subscale is a filler. `total` titles one more subscale, the sum
    of all items, where no subscale has them all; `printed` another, the sum of the answers as given, where the
    scale's own key makes another number of them."""
    answers = _answers(questionnaire)
    name = scale_name(questionnaire.name)
    lines = [f"scale {name} {quoted(questionnaire.name)} {{"]
    own = {number: _own_options(text) for number, text in questionnaire.questions.items()}
    if all(own.values()):
        lines.append("items {")
        lines += [f'{number} "Statements {number}" options {_coded(codes)}' for number, codes in own.items()]
        lines.append("}")
    elif len(answers.groups) == 1:
        lines.append(f"options {answers.low}..{answers.high} {_coded(answers.groups[0][1])}")
        lines.append(_items(questionnaire, questionnaire.questions))
    else:
        lines += _grouped(questionnaire, answers)
    if questionnaire.reverse:
        lines.append(f"reverse {numbers(sorted(questionnaire.reverse))}")
    lines += _fillers(questionnaire, total)
    lines += _subscales(questionnaire, total)
    if printed is not None and keyed(questionnaire):
        lines.append(f"subscale {AS_GIVEN} {quoted(printed)} = sum(raw {numbers(questionnaire.questions)})")
    lines += _norms(questionnaire)
    return "\n".join([*lines, "}"])


def _answers(questionnaire: Questionnaire) -> Answers:
    ends = re.search(r"numbers from (\d+) to (\d+)", questionnaire.prompt)
    if ends is None or int(ends[1]) + int(ends[2]) != questionnaire.scale:
        raise UserError(
            f"{FILE}, {questionnaire.name}: its prompt must say `numbers from A to B`, "
            "and its `scale` must be A + B."
        )
    return Answers(int(ends[1]), int(ends[2]), tuple(_groups(questionnaire)))


def _groups(questionnaire: Questionnaire) -> Iterable[tuple[frozenset[int], dict[int, str]]]:
    """The anchors with the items that they are said to be for: all of them, if nothing is said."""
    rest = questionnaire.prompt
    everything = frozenset(questionnaire.questions)
    grouped = False
    while (said := FOR_ITEMS.search(rest)) is not None:
        ends = [int(number) for number in re.findall(r"\d+", said[0])]
        pairs = zip(ends[::2], ends[1::2], strict=True)
        items = frozenset(n for first, last in pairs for n in range(first, last + 1))
        yield items & everything, _anchors(rest[: said.start()])
        rest, grouped = rest[said.end() :], True
    if not grouped:
        yield everything, _anchors(rest)


def _anchors(text: str) -> dict[int, str]:
    found = {int(said["code"]): said["anchor"].strip() for said in _said(text)}
    return dict(sorted(found.items()))


def _said(text: str) -> Iterable[re.Match[str]]:
    return (said for pattern in ANCHORS for said in pattern.finditer(text))


def _own_options(text: str) -> dict[int, str]:
    """The options of an item whose text is nothing but its options, "0. ... 1. ... 2. ..."; else none."""
    starts: list[re.Match[str]] = []
    for found in OWN_OPTION.finditer(text):
        if int(found[1]) == len(starts):
            starts.append(found)
    if len(starts) < 2 or starts[0].start() != 0:
        return {}
    ends = [*(one.start() for one in starts[1:]), len(text)]
    return {int(one[1]): text[one.end() : end].strip() for one, end in zip(starts, ends, strict=True)}


def _coded(anchors: Mapping[int, str]) -> str:
    return (
        "{ " + "  ".join(f"{code} {quoted(anchor)}" for code, anchor in anchors.items()) + " }"
        if anchors
        else ""
    )


def _items(questionnaire: Questionnaire, items: Iterable[int], options: str = "") -> str:
    texts = questionnaire.questions
    return "\n".join([f"items {{ {options}", *(f"{n} {quoted(texts[n])}" for n in items), "}"])


def _grouped(questionnaire: Questionnaire, answers: Answers) -> Iterable[str]:
    """The items in their order, a block for each run of items with the same anchors."""
    anchors_of = {number: anchors for items, anchors in answers.groups for number in items}
    run: list[int] = []
    for number in [*questionnaire.questions, None]:
        if run and (number is None or anchors_of.get(number) != anchors_of.get(run[0])):
            options = f"options {answers.low}..{answers.high} {_coded(anchors_of.get(run[0], {}))}\n"
            yield _items(questionnaire, run, options)
            run = []
        if number is not None:
            run.append(number)


def _fillers(questionnaire: Questionnaire, total: str | None) -> Iterable[str]:
    counted = {item for category in questionnaire.categories for item in category.cat_questions}
    rest = [item for item in questionnaire.questions if item not in counted]
    if rest and total is None:
        yield f"filler {numbers(rest)}"


def _subscales(questionnaire: Questionnaire, total: str | None) -> Iterable[str]:
    score = {"SUM": "sum({})", "SUM*2": "2 * sum({})", "AVG": "mean({})"}[questionnaire.compute_mode]
    everything = set(questionnaire.questions)
    for name, category in zip(_names(questionnaire), questionnaire.categories, strict=True):
        items = numbers(sorted(category.cat_questions))
        yield f"subscale {name} {quoted(category.cat_name)} = {score.format(items)}"
    if total is not None and all(set(one.cat_questions) != everything for one in questionnaire.categories):
        yield f"subscale total {quoted(total)} = {score.format(numbers(questionnaire.questions))}"


def _norms(questionnaire: Questionnaire) -> Iterable[str]:
    for name, category in zip(_names(questionnaire), questionnaire.categories, strict=True):
        for crowd in category.crowd:
            mean, sd = _digits(crowd.mean), _digits(crowd.std)
            yield f"norm {name} in {quoted(crowd.crowd_name)} mean {mean} sd {sd} n {crowd.n}"


def keyed(questionnaire: Questionnaire) -> bool:
    """Whether its key makes another number of the answers than their plain sum."""
    return bool(questionnaire.reverse) or questionnaire.compute_mode != "SUM"


def _digits(number: float) -> str:
    """The number without an exponent, and without a fraction where it has none."""
    return format(Decimal(repr(number)), "f").removesuffix(".0")


def _names(questionnaire: Questionnaire) -> list[str]:
    return subscale_names([category.cat_name for category in questionnaire.categories])


def prompt_text(questionnaire: Questionnaire) -> str:
    """The prompt, which takes what was presented where the questionnaire's own text says SCENARIO."""
    user = "{presented}".join(plain(part) for part in questionnaire.prompt.split("SCENARIO"))
    return "\n".join(
        [
            f"prompt {prompt_name(questionnaire)} {{",
            f"system {quoted(plain(questionnaire.inner_setting))}",
            f"user {quoted(user + chr(10) + '{scale.items}')}",
            "}",
        ]
    )


def prompt_name(questionnaire: Questionnaire) -> str:
    """The prompt that asks a questionnaire."""
    return f"ask_{slug(questionnaire.name)}"
