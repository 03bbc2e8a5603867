"""Scores that are no weighted sums, through the view `scores`."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import duckdb
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.plan import (
    Arithmetic,
    Call,
    Comparison,
    Expression,
    Item,
    ItemValue,
    KeyValue,
    Number,
    Option,
    Plan,
    Scale,
    Stimulus,
    Subscale,
)
from tests.warehouse.builder import Seen, plan, store
from tests.warehouse.scored import Answered
from warehouse import catalog
from warehouse.errors import WarehouseError
from warehouse.layout import part
from warehouse.parquet import prepare
from warehouse.register import register_plan

GOLD = {"both": {"gold": "3", 'it\'s "gold"': "-1.5"}, "one": {"gold": "inf", 'it\'s "gold"': "2"}, "none": {}}
TURNED = {2: 6.0, 4: 10.0}
QUERY = "SELECT subscale, score FROM scores ORDER BY subscale, trial"
ANSWERS = [*product((None, 1.0, 4.0), repeat=4), (0.1, 0.2, 0.3, 10.0), (2.0, 5.0, 5.0, 0.0)]


def scale(*scores: Expression, allowed: int | None = None) -> Scale:
    """Four items from 1 to 5; 2 is reverse-keyed, and so is 4, which has options of its own. 3 has a key that
    is a number, 1 and 2 have keys in fields of the stimulus."""
    items = (
        Item(1, "1", "a", key="gold"),
        Item(2, "2", "b", reverse=True, key='it\'s "gold"'),
        Item(3, "3", "c", key=4.0),
        Item(4, "4", "d", options=(Option(0), Option(4), Option(10)), reverse=True),
    )
    subscales = tuple(Subscale(f"s{number}", "", score) for number, score in enumerate(scores))
    return Scale("S", "S", tuple(map(Option, range(1, 6))), items, subscales, missing_allowed=allowed)


def study(its: Scale) -> Plan:
    return plan(scale=its, shown=tuple(Stimulus(name, index, GOLD[name]) for index, name in enumerate(GOLD)))


def item(number: int, raw: bool = False) -> ItemValue:
    return ItemValue(number, raw)


def missed(number: int) -> Expression:
    """1 / (1 + exp(-(abs(value - key) - 5))) of one item."""
    distance = Call("abs", (Arithmetic("-", item(number), KeyValue(number)),))
    exponent = Arithmetic("-", Number(0), Arithmetic("-", distance, Number(5)))
    return Arithmetic("/", Number(1), Arithmetic("+", Number(1), Call("exp", (exponent,))))


def scores_of(results: Path, its: Scale, seen: list[Seen]) -> dict[str, list[float | None]]:
    register_plan(results, study(its))
    store(results, study(its).study, "m", seen)
    return read(results)


def read(results: Path, its: Plan | None = None) -> dict[str, list[float | None]]:
    found: dict[str, list[float | None]] = {}
    with catalog.connect(results, plan=its) as connection:
        for subscale, score in catalog.fetch(connection, results, QUERY):
            found.setdefault(subscale, []).append(score)
    return found


def test_distances_from_gold_answers(tmp_path: Path) -> None:
    score = Arithmetic("-", Number(10), Arithmetic("*", Number(0.75), Call("sum", (missed(1), missed(2)))))
    seen = [
        Seen("default", [5.0, 2.0, None, None], stimulus="both"),
        Seen("default", [5.0, 2.0, None, None], stimulus="none"),
        Seen("default", [5.0, None, None, None], stimulus="both"),
        Seen("default", None, stimulus="both", status="refused"),
        Seen("default", [5.0, 2.0, None, None]),
    ]
    expected = 10 - 0.75 * (1 / (1 + math.exp(3)) + 1 / (1 + math.exp(-(5.5 - 5))))
    found = scores_of(tmp_path, scale(score), seen)
    assert found == {"s0": [pytest.approx(expected), None, None, None, None]}


def test_right_only_where_all_is_right(tmp_path: Path) -> None:
    right = [Comparison("is", item(number), KeyValue(number)) for number in (1, 3)]
    good = Comparison("is", item(1), Number(3))
    seen = [Seen("default", [a, 1.0, c, 0.0], stimulus="both") for a, c in ((3.0, 4.0), (3.0, 2.0), (1.0, 4.0))]
    seen.append(Seen("default", [None, 1.0, 4.0, 0.0], stimulus="both"))
    found = scores_of(tmp_path, scale(Call("min", tuple(right)), good), seen)
    assert found == {"s0": [1.0, 0.0, 0.0, None], "s1": [1.0, 1.0, 0.0, None]}


@pytest.mark.parametrize(
    "score",
    [
        Arithmetic("/", item(1), Arithmetic("-", item(3), item(3))),
        Call("log", (Arithmetic("-", item(1), item(1)),)),
        Call("log", (Arithmetic("-", Number(0), item(1)),)),
        Call("sqrt", (Arithmetic("-", Number(0), item(1)),)),
        Call("exp", (Arithmetic("*", Number(1000), item(1)),)),
        Arithmetic("/", Number(1), Call("exp", (Arithmetic("*", Number(1000), item(1)),))),
        Call("min", (item(1), Call("log", (Number(0),)))),
        Comparison("is", Call("sqrt", (Number(-1),)), item(1)),
        Call("max", (item(1), KeyValue(1))),
    ],
)
def test_what_does_not_exist_is_null(tmp_path: Path, score: Expression) -> None:
    seen = [Seen("default", [1.0, 2.0, 3.0, 4.0], stimulus="one")]
    assert scores_of(tmp_path, scale(score), seen) == {"s0": [None]}


def test_halves_are_rounded_away_from_zero(tmp_path: Path) -> None:
    half = Arithmetic("/", item(1), Number(2))
    rounded = (Call("round", (half,)), Call("round", (Arithmetic("-", Number(0), half),)))
    seen = [Seen("default", [value, 1.0, 1.0, 0.0]) for value in (1.0, 3.0, 5.0)]
    assert scores_of(tmp_path, scale(*rounded), seen) == {"s0": [1.0, 2.0, 3.0], "s1": [-1.0, -2.0, -3.0]}


def test_a_score_lacks_no_answers_but_a_key(tmp_path: Path) -> None:
    its = scale(Call("sum", (missed(1), missed(3))), allowed=1)
    scores_of(
        tmp_path, its, [Seen("default", [1.0, 1.0, None, 4.0], stimulus=name) for name in ("none", "both")]
    )
    with catalog.connect(tmp_path) as connection:
        found = catalog.fetch(
            connection, tmp_path, "SELECT score, n_items, n_missing FROM scores ORDER BY trial"
        )
        rows = catalog.fetch(
            connection, tmp_path, "SELECT score, constant, items, weights, formula IS NULL FROM subscales"
        )
    assert found == [(None, 2, 1), (pytest.approx(2 / (1 + math.exp(3))), 2, 1)]
    (text, *rest) = rows[0]
    assert text.startswith("sum(1 / (1 + exp(0 - (abs(item 1 - key item 1) - 5))), ")
    assert rest == [None, [1, 3], [], False]


def test_sums_inside_of_sums_are_made_up_for_first(tmp_path: Path) -> None:
    nested = Call("sum", (Call("sum", (item(1), item(3))), Call("mean", (item(2), Number(2)))))
    seen = [Seen("default", [None, 2.0, 3.0, 0.0]), Seen("default", [1.0, None, 3.0, 0.0])]
    assert scores_of(tmp_path, scale(nested, allowed=1), seen) == {"s0": [2 * 3.0 + (4.0 + 2) / 2, 2 * 4.0]}


def test_what_does_not_exist_is_not_made_up_for(tmp_path: Path) -> None:
    lost = Call("log", (Arithmetic("-", item(1), Number(1)),))
    seen = [Seen("default", [value, 2.0, None, 0.0]) for value in (1.0, 2.0)]
    found = scores_of(tmp_path, scale(Call("sum", (lost, item(2, raw=True), item(3))), allowed=1), seen)
    assert found == {"s0": [None, 3.0]}


def test_long_scores(tmp_path: Path) -> None:
    wide = Call("sum", tuple(Call("abs", (Arithmetic("-", item(1), Number(n)),)) for n in range(1200)))
    deep: Expression = item(1)
    for _ in range(79):
        deep = Call("max", (Arithmetic("/", deep, Number(1)), item(3)))
    found = scores_of(tmp_path, scale(wide, deep, allowed=1), [Seen("default", [1.0, 1.0, 3.0, 0.0])])
    assert found == {"s0": [1.0 + sum(range(1199))], "s1": [3.0]}


def test_a_score_too_long_for_duckdb_is_told(tmp_path: Path) -> None:
    deep: Expression = item(1)
    for _ in range(110):
        deep = Call("sum", (deep, Call("abs", (item(3),))))
    with pytest.raises(WarehouseError, match=r"cannot be calculated: .*depth.* Shorten the longest score"):
        scores_of(tmp_path, scale(deep), [Seen("default", [1.0, 1.0, 3.0, 0.0])])


numbers = st.builds(Number, st.sampled_from([-2.0, 0.0, 0.1, 1.0, 3.0, 1e22, 800.0]))
leaves = st.one_of(
    numbers, st.builds(ItemValue, st.integers(1, 4), st.booleans()), st.builds(KeyValue, st.integers(1, 3))
)


def larger(smaller: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(smaller, min_size=1, max_size=4).map(tuple)
    one = smaller.map(lambda argument: (argument,))
    return st.one_of(
        st.builds(Call, st.sampled_from(["sum", "mean", "min", "max"]), several),
        st.builds(Call, st.sampled_from(["abs", "exp", "log", "sqrt", "round", "floor", "ceil"]), one),
        st.builds(Arithmetic, st.sampled_from(["+", "-", "*", "/"]), smaller, smaller),
        st.builds(Comparison, st.sampled_from(["is", "is not", "<", "<=", ">", ">="]), smaller, smaller),
    )


expressions = st.recursive(leaves, larger, max_leaves=10)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Seen]]:
    """A warehouse with every pattern of missing answers, asked about stimuli with and without keys."""
    results = tmp_path_factory.mktemp("asked")
    names = list(GOLD)
    seen = [Seen("default", values, stimulus=names[i % 3]) for i, values in enumerate(ANSWERS)]
    seen.sort(key=lambda one: str(one.stimulus))
    register_plan(results, study(scale(item(1))))
    store(results, study(scale(item(1))).study, "m", seen)
    return results, seen


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(expressions, min_size=1, max_size=4), st.sampled_from([None, 1, 3]))
def test_sql_scores_as_the_definition_does(
    asked: tuple[Path, list[Seen]], scores: list[Expression], allowed: int | None
) -> None:
    results, seen = asked
    found = read(results, study(scale(*scores, allowed=allowed)))
    order = sorted(range(len(seen)), key=lambda number: f"run-m.{number}")
    for number, score in enumerate(scores):
        for place, got in zip(order, found[f"s{number}"], strict=True):
            answers = dict(enumerate(seen[place].values or (), start=1))
            fields = GOLD[str(seen[place].stimulus)]
            keys = {1: key(fields, "gold"), 2: key(fields, 'it\'s "gold"'), 3: 4.0}
            expected = Answered(answers, keys, TURNED).score(score, allowed or 0)
            assert got == (expected if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-9))


def key(fields: dict[str, str], name: str) -> float | None:
    text = fields.get(name)
    return None if text in (None, "inf") else float(text)


def test_formulas_of_several_studies_in_the_plain_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, score in (("a", missed(1)), ("b", missed(3))):
        its = study(scale(score, Call("sum", (item(1), item(2)))))
        its = msgspec.structs.replace(its, study=msgspec.structs.replace(its.study, id=name))
        register_plan(tmp_path, its)
        store(tmp_path, its.study, name, [Seen("default", [1.0, 1.0, 1.0, 0.0], stimulus="both")])
    expected = [pytest.approx(1 / (1 + math.exp(3))), pytest.approx(1 / (1 + math.exp(2)))]
    assert read(tmp_path) == {"s0": expected, "s1": [6.0, 6.0]}
    monkeypatch.chdir(tmp_path)
    with duckdb.connect(":memory:") as plain:
        plain.execute(Path("warehouse.sql").read_text(encoding="utf-8"))
        scores = [score for _, score in plain.execute(QUERY).fetchall()]
    assert scores == [*expected, 6.0, 6.0]


def test_a_formula_that_cannot_be_read(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    register_plan(tmp_path, study(scale(missed(1))))
    prepare(tmp_path)
    (tmp_path / "runs").mkdir(exist_ok=True)
    path = part(tmp_path, "subscales", "small")
    table = pq.read_table(path)
    hostile = pa.array(['{"score": {"type": "number", "value": "1); DROP"}}'])
    pq.write_table(table.set_column(table.schema.get_field_index("formula"), "formula", hostile), path)
    with pytest.raises(WarehouseError, match="a score that cannot be read"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (Call("abs", (KeyValue(4),)), r"S\.s0 uses the key of item 4, which has none"),
        (item(9), r"S\.s0 uses item 9, which S does not have"),
    ],
)
def test_a_plan_that_names_what_is_not_there(tmp_path: Path, score: Expression, message: str) -> None:
    with pytest.raises(WarehouseError, match=message):
        register_plan(tmp_path, study(scale(score)))
