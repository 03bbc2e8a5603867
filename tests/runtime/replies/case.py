"""A reply with its coding, and the questionnaires that the replies answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from schemas.plan import Option
from schemas.render import Shown, ShownItem
from schemas.rows import Status


class Form(NamedTuple):
    """A questionnaire as it was shown."""

    shown: Shown
    marks: tuple[str, ...] = ()
    letters: Mapping[str, float] = {}


class Case(NamedTuple):
    """`values`: a code an item, "." where it has none; "" for none at all. `loose`: a reader may leave values
    out, and may not give others. Without `status` it follows from the values."""

    form: Form
    reply: str
    values: str = ""
    status: Status | None = None
    loose: bool = False

    @property
    def expected(self) -> tuple[float | None, ...]:
        """A value or None for each item."""
        if not self.values:
            return (None,) * len(self.form.shown.items)
        return tuple(None if one == "." else float(one) for one in self.values.split())

    @property
    def statuses(self) -> tuple[Status, ...]:
        """What the status may be."""
        expected = self.expected
        filled = sum(value is not None for value in expected)
        own: Status = "complete" if filled == len(expected) else "partial" if filled else "unparseable"
        return (self.status or own, "partial", "unparseable") if self.loose else (self.status or own,)


def parts(text: str) -> tuple[str, ...]:
    """What stands between broken bars: replies, or parts of some."""
    return tuple(text.split("¦"))


def form(items: str, low: int, labels: str | int, marks: str = "", letters: str = "") -> Form:
    """A form with items and labels set apart by "/", codes from `low` on; `labels` may be the highest code."""
    if isinstance(labels, int):
        options = tuple(Option(float(code)) for code in range(low, labels + 1))
    else:
        options = tuple(Option(float(code), label) for code, label in enumerate(labels.split("/"), low))
    shown = tuple(ShownItem(n, n, text, options) for n, text in enumerate(items.split("/"), 1))
    codes = {letter: float(code) for code, letter in enumerate(letters, low)}
    return Form(Shown("form", shown), tuple(marks), codes)


MOOD_ITEMS = "Curious/Troubled/Thrilled/Bitter/Sturdy"
MOOD_LABELS = "hardly or not at all/a bit/fairly/rather much/utterly"
MOODS = form(MOOD_ITEMS, 1, MOOD_LABELS)
LETTERS = form(MOOD_ITEMS, 1, MOOD_LABELS, letters="ABCDE")
MARKED = form(MOOD_ITEMS, 1, MOOD_LABELS, marks="abcde")
THREE = form("Curious/Troubled/Thrilled", 1, MOOD_LABELS)
TENS = form("Relief/Envy/Pride/Grief", 0, 10)
ZERO = form(
    "I slept badly/I lost my temper/I felt empty/I shook/I saw no way out",
    0,
    "never/now and then/often/nearly always",
)
TRAITS = form(
    "I enjoy loud gatherings./I forget where I put things./I plan my week ahead./"
    "I worry about small matters./I like strange ideas./I do not trust strangers.",
    1,
    "Very wrong/Rather wrong/Neither right nor wrong/Rather right/Very right",
)
DIGITS = form("Waiting 40 minutes for a bus/Paying 3 bills at once/Sharing a room with 2 strangers", 1, 5)
NAMES = (
    "Amazed Bored Calm Daring Eager Furious Gentle Hurt Idle Jealous Keen Lonely Merry Nosy Open Placid Quiet"
)
TWENTY = form("/".join([*NAMES.split(), "Restless", "Shy", "Tired"]), 1, MOOD_LABELS)
SIGNED = form("Warm/Loud/Fair", -3, 3)
DEGREES = form("Warm/Loud/Fair", -2, "quite untrue/rather untrue/undecided/rather true/quite true")
VIEW = form("Libraries should be free of charge", 1, "Fully disagree/Disagree/Agree/Fully agree")
SEVEN = form("Libraries should be free of charge", 1, 7)
HALVES = Form(
    Shown(
        "halves",
        tuple(
            ShownItem(n, n, t, tuple(Option(c / 2) for c in range(-4, 5)))
            for n, t in ((1, "Warm"), (2, "Loud"))
        ),
    )
)
STANCE = form("Libraries should be free of charge", -3, 3)
CHINESE = form("好奇的/烦恼的/激动的", 1, "完全没有/有一点/一般/相当/非常")
JAPANESE = form("楽しい/つらい/眠い", 1, 5)
KOREAN = form("즐거운/괴로운/졸린", 1, 5)
SPANISH = form("Curioso/Preocupado/Contento", 1, "nada/un poco/bastante/mucho")
GERMAN = form("neugierig/besorgt/müde", 1, "gar nicht/ein wenig/ziemlich/sehr")
ARABIC = form("فضولي/قلق/سعيد", 1, 5)
HINDI = form("जिज्ञासु/चिंतित/खुश", 1, 5)
RUSSIAN = form("любопытно/тревожно/радостно", 1, 5)
