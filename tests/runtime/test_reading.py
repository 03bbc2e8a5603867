"""The reader's rules, one at a time, and what must hold for any text."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from runtime.reading import Reading, cut_off, read
from runtime.reading.read import LONGEST
from runtime.reading.text import plain
from schemas.plan import Option
from schemas.render import Shown, ShownItem, shown
from tests.runtime.plans import scale

FORWARDS, BACKWARDS = shown(scale(), 0), shown(scale(), 1)
AGREE = (Option(1.0, "Disagree"), Option(2.0, "Neutral"), Option(3.0, "Agree"), Option(4.0, "Strongly agree"))
ONE = Shown("one", (ShownItem(1, 1, "Taxes are too high.", AGREE),))


def values(reading: Reading) -> dict[int, float]:
    """The values that were read, by item number."""
    return {value.number: value.value for value in reading.values if value.value is not None}


def at_positions(shown_as: Shown, codes: list[int]) -> dict[int, float]:
    return {item.number: float(code) for item, code in zip(shown_as.items, codes, strict=True)}


def five(codes: list[int], shape: str, shown_as: Shown) -> str:
    """A reply that gives `codes` in the order shown."""
    rows = list(zip(shown_as.items, codes, strict=True))
    anchors = {option.code: option.anchor for option in shown_as.items[0].options}
    match shape:
        case "numbered":
            return "\n".join(f"{item.position}. {code}" for item, code in rows)
        case "labelled":
            return "\n".join(f"{item.text}: {code}" for item, code in rows)
        case "both":
            return "Here you are:\n\n" + "\n".join(f"{i.position}. **{i.text}** - {code}" for i, code in rows)
        case "anchored":
            return "\n".join(f"{item.text}: {code} ({anchors[code]})" for item, code in rows)
        case "anchors":
            return "\n".join(f"- {item.text}: {anchors[code]}" for item, code in rows)
        case "fraction":
            return "\n".join(f"{item.position}) {item.text} = {code}/5" for item, code in rows)
        case "reversed lines":
            return "\n".join(f"{item.text}: {code}" for item, code in reversed(rows))
        case "json":
            return "```json\n" + json.dumps({item.text: code for item, code in rows}) + "\n```"
        case "json list":
            return json.dumps([{"item": i.position, "name": i.text, "score": code} for i, code in rows])
        case "json objects":
            return json.dumps({i.text: {"reason": "4 walls", "score": code} for i, code in rows})
        case "table":
            body = "".join(f"| {i.position} | {i.text} | {code} |\n" for i, code in rows)
            return f"| # | Mood | Score |\n|---|---|---|\n{body}"
        case "one line":
            return ", ".join(f"{item.text}: {code}" for item, code in rows)
        case "thought":
            return "<think>Calm: 1? 2? No.</think>\n" + five(codes, "labelled", shown_as)
        case "below":
            return "\n".join(f"{i.position}. {i.text}\n   - {code} = {anchors[code]}" for i, code in rows)
        case "revised":
            return (
                f"{five([1] * 5, 'labelled', shown_as)}\n\nRevised scores:\n{five(codes, 'labelled', shown_as)}"
            )
        case _:
            raise AssertionError(shape)


SHAPES = (
    *("numbered", "labelled", "both", "anchored", "anchors", "fraction", "reversed lines", "json", "json list"),
    *("json objects", "table", "one line", "thought", "below", "revised"),
)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.integers(1, 5), min_size=5, max_size=5), st.sampled_from(SHAPES), st.booleans())
def test_rendered_replies_are_read_back_in_every_order(codes: list[int], shape: str, backwards: bool) -> None:
    shown_as = BACKWARDS if backwards else FORWARDS
    reading = read(five(codes, shape, shown_as), shown_as)
    assert values(reading) == at_positions(shown_as, codes)
    assert reading.status == "complete"


@settings(deadline=None, max_examples=200)
@given(st.lists(st.integers(1, 5), min_size=5, max_size=5), st.sampled_from(["\n", ", ", " ", "; "]))
def test_bare_numbers_count_if_there_are_as_many_as_items(codes: list[int], between: str) -> None:
    got = values(read(between.join(map(str, codes)), BACKWARDS))
    counted_up = codes == [1, 2, 3, 4, 5]
    assert got == ({} if counted_up else at_positions(BACKWARDS, codes))
    assert values(read(between.join(map(str, codes[:4])), BACKWARDS)) == {}
    assert values(read(between.join(map(str, [*codes, 3])), BACKWARDS)) == {}


MARKS = ("1", "2.", "3)", "(4)", ":", "- ", "\n", "|", "{", "}", "[", "]", '"', "/5", "%", "½", "３", "٣", "~~")
WORDS = ("Calm", "Tense", "a little", "extremely", "<think>", "</think>", "Final:", "null", "\\boxed{", "\r\n")
PIECES = st.sampled_from(MARKS + WORDS)


@settings(deadline=None, max_examples=400)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map(" ".join)))
@example("İ" * 50)
@example("\ud800")
def test_any_text_is_read_without_an_error(text: str) -> None:
    for shown_as in (FORWARDS, ONE):
        reading = read(text, shown_as)
        assert len(reading.values) == len(shown_as.items)
        for value, item in zip(reading.values, shown_as.items, strict=True):
            assert value.number == item.number
            assert (value.value is None) == (value.reason is not None)
            assert value.value is None or value.value in {option.code for option in item.options}
    assert len(plain(text)) == len(text)


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 5), st.integers(0, 5))
def test_a_list_in_the_middle_of_prose_keeps_its_values(before: int, behind: int) -> None:
    prose = "That week was long, and nobody asked how it had been."
    text = "\n".join([prose] * before + [five([2, 4, 1, 5, 3], "labelled", FORWARDS)] + [prose] * behind)
    assert values(read(text, FORWARDS)) == {1: 2, 2: 4, 3: 1, 4: 5, 5: 3}


def test_digits_of_an_items_text_are_never_values() -> None:
    texts = ("Waiting 3 hours", "Losing 2 of 5 games", "Room 101")
    options = tuple(Option(float(code)) for code in range(1, 6))
    asked = Shown("digits", tuple(ShownItem(n, n, text, options) for n, text in enumerate(texts, 1)))
    assert values(read("\n".join(texts), asked)) == {}
    assert values(read("\n".join(f"{n}. {text}" for n, text in enumerate(texts, 1)), asked)) == {}
    reply = "1. Waiting 3 hours: 4\n2. Losing 2 of 5 games: 1\n3. Room 101: 5"
    assert values(read(reply, asked)) == {1: 4, 2: 1, 3: 5}


@pytest.mark.parametrize(
    ("line", "value", "status"),
    [
        ("Calm: 3", 3.0, "partial"),
        ("Calm: 3.0", 3.0, "partial"),
        ("Calm: 3/5", 3.0, "partial"),
        ("Calm: 3 out of 5", 3.0, "partial"),
        ("Calm: 3 (1-5)", 3.0, "partial"),
        ("Calm: 3 points", 3.0, "partial"),
        ("Calm: ３", 3.0, "partial"),
        ("Calm: quite a bit", 4.0, "partial"),
        ("Calm: 3.5", None, "unparseable"),
        ("Calm: 3,5", None, "unparseable"),
        ("Calm: 3/10", None, "unparseable"),
        ("Calm: 3-4", None, "unparseable"),
        ("Calm: 3 or 4", None, "unparseable"),
        ("Calm: 3 to 4", None, "unparseable"),
        ("Calm: 60%", None, "unparseable"),
        ("Calm: 3 (a little)", None, "unparseable"),
        ("Calm: a little, extremely", None, "unparseable"),
        ("Calm: 3rd", None, "unparseable"),
        ("Calm (1-5)", None, "unparseable"),
        ("Calm: ___", None, "unparseable"),
        ("Calm: N/A", None, "unparseable"),
        ("Calm: 3\nCalm: 4", None, "unparseable"),
        ("Not calm: 3", None, "unparseable"),
        ("Calm people would say 3", None, "unparseable"),
        ("Calm: 9", None, "out_of_range"),
        ("Calm: 0", None, "out_of_range"),
        ("Calm: -1", None, "out_of_range"),
        ("Calm: 33", None, "out_of_range"),
    ],
)
def test_one_line(line: str, value: float | None, status: str) -> None:
    reading = read(line, FORWARDS)
    assert (reading.values[0].value, reading.status) == (value, status)


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ('{"1": 1, "2": 2, "3": 3, "4": 4, "5": 5}', {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}),
        ("1. 1\n2. 2\n3. 3\n4. 4\n5. 5", {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}),
        ('{"1": 1, "2": 2, "3": 3}', {}),  # less than there are items: it may count something else
        ("[1, 2, 3, 4, 5]", {}),
    ],
)
def test_items_that_are_given_their_own_numbers(reply: str, right: dict[int, float]) -> None:
    assert values(read(reply, FORWARDS)) == right


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ("I'm sorry, but I can't help with that.", "refused"),
        ("Es tut mir leid, ich kann das nicht bewerten.", "refused"),
        ("Lo siento, no puedo responder.", "refused"),
        ("Je suis désolé, je ne peux pas répondre.", "refused"),
        ("申し訳ありませんが、お答えできません。", "refused"),
        ("抱歉，我无法回答。", "refused"),
        ("I can't rate these. Use this format:\n1. Calm: 3\n2. Tense: 2", "refused"),
        ("What situation do you mean?", "unparseable"),
        ("", "unparseable"),
        ("1. Calm\n2. Tense\n3. Cheerful\n4. Gloomy\n5. Alert", "unparseable"),
        ("1\n2\n3\n4\n5", "unparseable"),
        ("1. not at all\n2. a little\n3. moderately\n4. quite a bit\n5. extremely", "unparseable"),
        ('{"0": 2, "1": 4, "2": 1, "3": 5, "4": 3}', "unparseable"),
        ('{"Calm": 2, "Calm": 4}', "unparseable"),
        ("0. 3\n1. 4\n2. 1\n3. 5\n4. 2", "unparseable"),
        ("1. 3\n2. 4\n3. 1\n4. 5\n5. 2\n6. 3", "unparseable"),
        ("<think>Calm: 3, Tense: 2", "unparseable"),
        ("1) Calm 2) Tense 3) Cheerful 4) Gloomy 5) Alert", "unparseable"),
        ("1. Calm: 2. Tense: 3. Cheerful: 4. Gloomy: 5. Alert:", "unparseable"),
        ("1 = not at all\n5 = extremely", "unparseable"),
        ("1 = not at all, 5 = extremely", "unparseable"),
        ("3 Calm\n2 Tense\n1 Cheerful\n5 Gloomy\n4 Alert", "unparseable"),
        ("1. One\n2. Two\n3. Three\n4. Four\n5. Five", "unparseable"),
        ("Calm: 1 2 3 [4] 5", "unparseable"),
        ("1\nCalm\n2\nTense\n3\nCheerful", "unparseable"),
    ],
)
def test_replies_without_values(reply: str, status: str) -> None:
    reading = read(reply, FORWARDS)
    assert values(reading) == {}
    assert reading.status == status


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("3", 3.0),
        ("3) Agree", 3.0),
        ("1. 3", 3.0),
        ("1: 3", 3.0),
        ("1) 1", 1.0),
        ("2. 3", None),
        ("1: 3\nBecause taxes pay for roads.", 3.0),
        ("1. 1\n2. 2\n3. 3\n4. 4", None),
        ("1. 3\n2. 4", None),
        ("Agree", 3.0),
        ("**Strongly agree**", 4.0),
        ("Answer: 2", 2.0),
        ("I would choose option 2, Neutral.", 2.0),
        ("1) Disagree\n2) Neutral\n3) Agree\n4) Strongly agree\n\nMy answer is: 3) Agree", 3.0),
        ("1) Disagree 2) Neutral 3) Agree 4) Strongly agree", None),
        ("3) Disagree", None),
        ("1 2 3 4", None),
        ("Somewhere between 2 and 3", None),
        ("In 2024, 3 of 4 people agreed.", None),
        ("1. I think that this cannot be said.", None),
        ("On a scale from 1 (Disagree) to 4 (Strongly agree) that is hard to say.", None),
    ],
)
def test_a_single_item(reply: str, value: float | None) -> None:
    assert read(reply, ONE).values[0].value == value


def test_marks_and_letters_of_the_form() -> None:
    reading = read("(a) 2\n(b) 5", FORWARDS, marks=["a", "b", "c", "d", "e"])
    assert values(reading) == {1: 2, 2: 5}
    lettered = read("1. C\n2. A", FORWARDS, letters={"A": 1, "B": 2, "C": 3})
    assert values(lettered) == {1: 3, 2: 1}


def test_what_reaches_the_cut_is_missing() -> None:
    text = "Calm: 3\nTense: 1"
    reading = cut_off(read(text, FORWARDS), len(text))
    assert reading.status == "truncated"
    assert values(reading) == {1: 3}


def test_a_reply_beyond_all_measure_is_not_read() -> None:
    reading = read("Calm: 3\n" * LONGEST, FORWARDS)
    assert reading.status == "unparseable"
    assert "longer" in (reading.values[0].reason or "")
