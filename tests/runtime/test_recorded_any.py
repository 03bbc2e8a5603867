"""Whatever a data file holds: rows, or a message."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from runtime.recorded import RecordedError
from schemas.plan import Block, Covariate, Difference, Field, Recode
from schemas.table import Cell
from tests.runtime.recorded_plans import answers, column, match
from tests.runtime.test_recorded_forms import Case, arm, fields, judged, one

LABELS = ("who", "story", "item", "answer", "r", "all", "born", "rater_a", "rating_a", "list_a", "o 1")
CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        ("d0", "d1", "9" * 5_000, "x", "y", "1", "i2", "[1, 2, 3]", "1;2", "[", "{'a': 1}", "Good", " ", "2.5")
    ),
    st.text(max_size=4),
)
CASES = (
    Case([Block(fields=fields(), conditions=judged(one("r")))]),
    Case([Block(fields=fields(), conditions=judged(one("r", labels=True)))], [Recode("R", {"x": "Good"})]),
    Case([Block(fields=fields(), conditions=judged(one("all", "S", form="list", order=column("o 1"))))]),
    Case(
        [
            Block(
                fields=(*fields(), Field("item", column("item"))),
                conditions=judged(one("answer", "S", form="long")),
                covariates=(Covariate("age", Difference(2020, column("born"))),),
            )
        ]
    ),
    Case([arm("a")], headers=2),
    Case([Block(matches=(match(column("who"), "{respondent}-{stimulus}"),), conditions=judged(one("r")))]),
)


@given(
    st.sampled_from(CASES),
    st.lists(st.lists(CELLS, max_size=len(LABELS) + 1), max_size=5),
    st.permutations(LABELS),
    st.integers(0, len(LABELS)),
)
def test_any_table_ends_in_rows_or_in_a_message(
    case: Case, rows: Sequence[Sequence[Cell]], labels: Sequence[str], labelled: int
) -> None:
    try:
        panel = case.read([labels[:labelled] or ["who"], *rows])
    except RecordedError:
        return
    assert len(answers(panel)) == panel.planned == len({trial.trial for trial in panel.trials()})
