"""How fast replies are read: `python -m bench.reading [--seconds S]`, or `--hostile`.

Replies of 20 items on one core: short ones (lists, JSON) and long ones (thinking, prose, a table, a remark for
each item). The floor is `json.loads` of the same values, and one regular expression over the same reply.

`--hostile` reads replies of a million characters that repeat what makes a reader slow.
"""

from __future__ import annotations

import json
import random
import re
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence

from runtime.reading import read
from runtime.reading.read import LONGEST
from schemas.plan import Option
from schemas.render import Shown, ShownItem

ANCHORS = ("not at all", "a little", "somewhat", "quite a bit", "extremely")
NAMES = (
    *("amazed", "bored", "calm", "daring", "eager", "furious", "gentle", "hurt", "idle", "jealous"),
    *("keen", "lonely", "merry", "nosy", "open", "placid", "quiet", "restless", "shy", "tired"),
)
OPTIONS = tuple(Option(float(code), anchor) for code, anchor in enumerate(ANCHORS, 1))
SCALE = Shown("bench", tuple(ShownItem(n, n, name, OPTIONS) for n, name in enumerate(NAMES, 1)))
LONE = Shown("lone", SCALE.items[:1])
PROSE = "The evening was long, and 3 of the guests had left before anyone said what it was about. " * 30
PIECES = (
    *(
        "<think>",
        "</think>",
        "<|im_start|>",
        "\nuser:",
        "user:\n\n\n\n\n",
        "1. 3\n",
        "3\n",
        "1. 2) ",
        "1. 3\nCalm: 4\n",
    ),
    *(
        "7 ",
        "1,",
        "from 1 to 3\n",
        "from 1 to 3 ",
        "3 or ",
        "three\n",
        "[",
        '{"a":',
        '{"1": 3}\n',
        "{}",
        "(",
        "~~",
    ),
    *(
        "$",
        "_",
        "\n",
        "a\t",
        "|Calm|3",
        "| Calm | 3 |\n",
        "1|2\n",
        "Calm: 3 ",
        "Calm\n",
        "Calm\n3\n",
        "Calm (",
        "Calm: 3 (",
    ),
    *(
        "Calm, Tense: ",
        "final:\nCalm: 3\n",
        "answer: a little ",
        "answer: 3 ",
        "actually, item 3 a 4\n",
        "not at ",
    ),
    *("i can't ", "“", '"', "\u200b", "a\u0301"),
)
HOSTILE = {
    **{repr(piece): piece for piece in PIECES},
    "objects in lists that never close": "[" * 49 + "{}," * (LONGEST // 3),
    "one word": "a" * LONGEST,
    "one number": "3" * LONGEST,
    "a remark of numbers": "Calm: 3 (a " + "9 " * (LONGEST // 2),
}
"""What a hostile reply repeats."""
LINE = re.compile(r"^\D*(?:\d+[.)] *)?([^\d\n]*?)\W*(\d)", re.MULTILINE)


def replies(form: str, codes: Sequence[int]) -> str:
    """A reply of a form that gives `codes`."""
    pairs = list(zip(NAMES, codes, strict=True))
    match form:
        case "list":
            return "\n".join(f"{n}. {code}" for n, code in enumerate(codes, 1))
        case "bold list":
            return "\n".join(f"- **{name.title()}** — {code}" for name, code in pairs)
        case "json":
            return json.dumps(dict(pairs))
        case "remarks":
            return "\n".join(
                f"{n}. {name}: {code} ({ANCHORS[code - 1]}) - 2 guests had left by then, and I saw it"
                for n, (name, code) in enumerate(pairs, 1)
            )
        case "long":
            rows = "\n".join(f"| {name} | {code} |" for name, code in pairs)
            return f"<think>{PROSE}</think>\n{PROSE}\n\n| Mood | Score |\n|---|---|\n{rows}\n\n{PROSE}"
        case _:
            raise ValueError(form)


def rate(work: Callable[[str], object], texts: Sequence[str], seconds: float) -> float:
    """How many texts a second `work` gets through."""
    began, done = time.process_time(), 0
    while (passed := time.process_time() - began) < seconds:
        for text in texts:
            work(text)
        done += len(texts)
    return done / passed


def main() -> None:
    """Replies a second, or the time of the worst."""
    parser = ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument(
        "--hostile", action="store_true", help="seconds for a reply of 1 MB, by what it repeats"
    )
    options = parser.parse_args()
    if options.hostile:
        hostile()
    else:
        forms(options.seconds)


def hostile() -> None:
    """Prints a line a kind of reply of a million characters, the slowest first."""
    texts = {name: (piece * (LONGEST // len(piece) + 1))[:LONGEST] for name, piece in HOSTILE.items()}
    draw = random.Random(1)
    lines = (f"{draw.randint(1, 20)}. {draw.randint(1, 5)}" for _ in range(LONGEST // 4))
    texts["lines of numbers, drawn"] = "\n".join(lines)[:LONGEST]
    texts["prose"] = (PROSE * (LONGEST // len(PROSE) + 1))[:LONGEST]
    took: dict[str, list[float]] = {}
    for name, text in texts.items():
        for shown in (SCALE, LONE):
            began = time.process_time()
            read(text, shown)
            took.setdefault(name, []).append(time.process_time() - began)
    print("20 items  one item")
    for name, (many, lone) in sorted(took.items(), key=lambda one: -max(one[1])):
        print(f"{many:6.2f} s  {lone:6.2f} s  {name}")


def forms(seconds: float) -> None:
    """Prints a line a form of reply."""
    draw = random.Random(1)
    answers = [[draw.randint(1, 5) for _ in NAMES] for _ in range(50)]
    as_json = [json.dumps(dict(zip(NAMES, codes, strict=True))) for codes in answers]
    loads = rate(json.loads, as_json, seconds)
    for form in ("list", "bold list", "json", "remarks", "long"):
        texts = [replies(form, codes) for codes in answers]
        for text, codes in zip(texts, answers, strict=True):
            assert [value.value for value in read(text, SCALE).values] == codes, text
        reader, one = rate(lambda text: read(text, SCALE), texts, seconds), rate(LINE.findall, texts, seconds)
        floor = f"json.loads {loads / reader:.0f} times, one regex {one / reader:.0f} times as many"
        print(f"{form} ({len(texts[0]):,} characters): {reader:,.0f} replies a second; {floor}")


if __name__ == "__main__":
    main()
