"""What a report is made of: rows, and how far they agree with published values."""

from __future__ import annotations

from typing import Literal

import msgspec

from schemas.rows import Kind

Direction = Literal["up", "down", "none"]
Verdict = Literal["equivalent", "not shown equivalent", "not inferior", "not shown not inferior"]


class ReportRow(msgspec.Struct, frozen=True):
    """One comparison in one group. For a change, a is the contrast's first condition and b its second;
    `estimate` is a minus b, in points of the subscale (of a yes/no outcome: a difference of rates). Of an
    association, `estimate` is the coefficient that `test` names, a_n the number of units, b_n that of the
    respondents who agree. Of all sides at once, a is all of them together, b is nobody, and `means` holds the
    mean of each. `post_hoc`: whether the row is of one pair of these, whose p_adjusted and interval are
    simultaneous. `df_error`: of an F test, the second degrees of freedom. `effect_low` and `effect_high`: the
    effect size's 95 % interval. `verdict`: of a test of equivalence or non-inferiority, what it says. A number
    that does not exist is null, and `note` says why; it also says what to mind. `n_missing`: responses of the
    group without this score; `coverage`: those with it, of those planned. `expected`: how many units of
    observation the group should have, `found`: how many of them are in the numbers; `left_out`: why the others
    are not, and how many. `respondents`: of each side on which people count more than once (in several
    conditions, in repeats), how many people these are; `partial`: units without answers in some of the
    conditions and levels in which others have them. `replies`: of each side that the group cuts, how many
    responses came (failures are none); `refused`: how many of these decline to answer. `stimuli` and
    `stimuli_answered`: how many of the study's stimuli belong to the group, and how many of them were
    answered."""

    contrast: str
    kind: Literal["change", "difference", "rate", "correlation", "agreement", "reliability"]
    panel: str
    panel_kind: Kind
    scale: str
    subscale: str
    subscale_title: str
    group_kind: str
    emotion: str | None
    factor_index: int | None
    factor: str | None
    groups: dict[str, str]
    a_label: str
    a_n: int
    a_mean: float | None
    a_sd: float | None
    b_label: str
    b_n: int
    b_mean: float | None
    b_sd: float | None
    estimate: float | None
    unit: str
    paired: bool
    test: str
    statistic: float | None
    df: float | None
    p: float | None
    p_adjusted: float | None
    family: int
    effect: str
    effect_size: float | None
    ci_low: float | None
    ci_high: float | None
    direction: Direction
    n_missing: int
    coverage: float | None
    expected: int = 0
    found: int = 0
    left_out: dict[str, int] = {}
    respondents: dict[str, int] = {}
    partial: int = 0
    replies: dict[str, int] = {}
    refused: dict[str, int] = {}
    stimuli: int | None = None
    stimuli_answered: int | None = None
    means: dict[str, float] = {}
    note: str | None = None
    effect_low: float | None = None
    effect_high: float | None = None
    df_error: float | None = None
    verdict: Verdict | None = None
    post_hoc: bool = False


class ExpectationCell(msgspec.Struct, frozen=True):
    """A published value beside ours. `agrees`: every number within its tolerance, and the direction equal."""

    contrast: str
    source: str
    row: dict[str, str | int | None]
    published: dict[str, float | str]
    observed: dict[str, float | str | None]
    agrees: bool
    erratum: str | None


class Expectations(msgspec.Struct, frozen=True):
    within: int
    outside: int
    cells: tuple[ExpectationCell, ...]


class Report(msgspec.Struct, frozen=True):
    study: str
    rows: tuple[ReportRow, ...]
    expectations: Expectations
