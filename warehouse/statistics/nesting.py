"""Tests of answers that nest in clusters: of one situation, one prompt, one rater."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from warehouse.statistics.results import LEVEL, NEGLIGIBLE, Comparison, Nested, Size, counted, finite, letter

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Design(msgspec.Struct, frozen=True):
    """Every answer: its value (shape: n), its side as dummies of all sides but the last (shape: n,
    sides - 1), and its cluster by number, for each way of clustering (shape: n, ways)."""

    values: npt.NDArray[np.float64]
    sides: npt.NDArray[np.float64]
    clusters: npt.NDArray[np.int64]

    @property
    def fewest(self) -> int:
        """The number of clusters; of several ways of clustering, of the one with the fewest."""
        return min(len(set(column.tolist())) for column in self.clusters.T)

    def with_constant(self) -> npt.NDArray[np.float64]:
        import numpy as np

        return np.column_stack([np.ones(len(self.values)), self.sides])


def clustered(its: Sequence[Nested], estimate: float | None = None) -> Comparison:
    """The difference of means with standard errors that heed clusters (Liang and Zeger 1986, with the
    correction for few clusters that is known as CR1; two ways of clustering: Cameron, Gelbach and Miller 2011).
    t, or of several sides F, with as many degrees of freedom as clusters, minus 1."""
    design = _design(its)
    if isinstance(design, str):
        return Comparison("clustered", estimate, note=f"no test: {design}")
    from statsmodels.api import OLS

    ways = design.clusters[:, 0] if design.clusters.shape[1] == 1 else design.clusters
    with _quiet():
        fit: Any = OLS(design.values, design.with_constant()).fit(
            cov_type="cluster", cov_kwds={"groups": ways}, use_t=True
        )
        return _of_fit("clustered", fit, design, float(design.fewest - 1), estimate)


def mixed(its: Sequence[Nested], estimate: float | None = None) -> Comparison:
    """The difference of means in a linear model with a random intercept for each cluster, fitted by restricted
    maximum likelihood (Laird and Ware 1982); z, or of several sides Wald's chi-squared. The estimate is the
    model's, which is not the difference of the means where clusters are of different sizes."""
    design = _design(its)
    if isinstance(design, str):
        return Comparison("mixed", estimate, note=f"no test: {design}")
    from statsmodels.regression.mixed_linear_model import MixedLM

    if len(set(design.clusters[:, 0].tolist())) == len(design.values):
        return Comparison("mixed", estimate, note="no test: each cluster has a single answer")
    with _quiet():
        try:
            fit: Any = MixedLM(design.values, design.with_constant(), design.clusters[:, 0]).fit(reml=True)
        except (ValueError, FloatingPointError, ArithmeticError) as error:
            return Comparison("mixed", estimate, note=f"no test: the model has no fit ({error})")
        if not fit.converged:
            return Comparison("mixed", estimate, note="no test: the fit of the model did not converge")
        found = _of_fit("mixed", fit, design, None, estimate)
    spread = float(fit.cov_re[0, 0]) if hasattr(fit.cov_re, "shape") else 0.0
    if spread <= 1e-8 * float(fit.scale):
        note = "the clusters do not differ: the result is that of a test without them"
        return msgspec.structs.replace(found, note=found.note or note)
    return found


def ordinal(its: Sequence[Nested], estimate: float | None = None) -> tuple[Comparison, Size]:
    """A regression with proportional odds (McCullagh 1980) of the values, as ordered classes, on the side; and
    the odds ratio: how much higher the odds of a higher value are on side a. Where there are clusters, the
    standard errors heed them. z, or of several sides Wald's chi-squared."""
    design = _design(its, clusters=False)
    if isinstance(design, str):
        return Comparison("ordinal", estimate, note=f"no test: {design}"), Size()
    import numpy as np
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    apart = "no test: the sides share too few values for a model of odds"
    codes = np.unique(design.values, return_inverse=True)[1]
    ways = design.clusters
    told: dict[str, Any] = {}
    if ways.shape[1]:
        told = {"cov_type": "cluster", "cov_kwds": {"groups": ways[:, 0] if ways.shape[1] == 1 else ways}}
    with _quiet():
        try:
            fit: Any = OrderedModel(codes, design.sides, distr="logit").fit(method="bfgs", disp=False, **told)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            return Comparison("ordinal", estimate, note=apart), Size()
        if not fit.mle_retvals["converged"] or not np.all(np.isfinite(fit.bse)) or abs(fit.params[0]) > 20:
            return Comparison("ordinal", estimate, note=apart), Size()
        several = design.sides.shape[1]
        found = _wald("ordinal", fit, several, range(several), estimate)
    if several > 1:
        return found, Size()
    from scipy.special import ndtri

    half = float(ndtri((1 + LEVEL) / 2)) * float(fit.bse[0])
    beta = float(fit.params[0])
    leaning = msgspec.structs.replace(found, leans=beta)
    return leaning, Size(math.exp(beta), finite(math.exp(beta - half)), finite(math.exp(beta + half)))


def _design(its: Sequence[Nested], clusters: bool = True) -> Design | str:
    """Or why there is no test."""
    import numpy as np

    sizes = [sum(side.values.values()) for side in its]
    empty = " and ".join(
        f"{counted(0, 'score')} on side {letter(i)}" for i, size in enumerate(sizes) if not size
    )
    if empty:
        return empty
    rows = [(i, of, value, n) for i, side in enumerate(its) for (of, value), n in side.values.items()]
    again = [n for *_, n in rows]
    values = np.repeat(np.array([value for _, _, value, _ in rows]), again)
    side_of = np.repeat(np.array([i for i, *_ in rows]), again)
    ways = len(rows[0][1])
    names: list[dict[str, int]] = [{} for _ in range(ways)]
    numbers = np.array(
        [[names[w].setdefault(of[w], len(names[w])) for w in range(ways)] for _, of, _, _ in rows]
    )
    design = Design(
        values,
        np.column_stack([(side_of == i).astype(float) for i in range(len(its) - 1)]),
        np.repeat(numbers.reshape(len(rows), ways).astype(np.int64), again, axis=0),
    )
    still = NEGLIGIBLE * max(1.0, float(abs(values).max()))
    parts = [values[side_of == i] for i in range(len(its))] if clusters else [values]
    if all(float(np.ptp(part)) <= still for part in parts):
        return "neither side varies" if len(its) == 2 else "no side varies"
    if clusters and design.fewest < 2:
        return "there is a single cluster"
    return design


def _of_fit(name: str, fit: Any, design: Design, df: float | None, estimate: float | None) -> Comparison:
    several = design.sides.shape[1]
    return _wald(name, fit, several, range(1, several + 1), estimate, df)


def _wald(
    name: str, fit: Any, several: int, at: range, estimate: float | None, df: float | None = None
) -> Comparison:
    """Whether the coefficients `at` are all 0; of one, with its interval where it is in points."""
    import numpy as np

    cov = np.asarray(fit.cov_params())[np.ix_(list(at), list(at))]
    betas = np.asarray(fit.params)[list(at)]
    if not np.all(np.isfinite(cov)) or not np.all(np.diag(cov) > 0):
        return Comparison(name, estimate, note="no test: the answers within clusters do not vary")
    if several == 1:
        from scipy.special import ndtr, ndtri, stdtr, stdtrit

        beta, error = float(betas[0]), math.sqrt(float(cov[0, 0]))
        t = beta / error
        p = 2 * float(ndtr(-abs(t)) if df is None else stdtr(df, -abs(t)))
        half = error * float(ndtri((1 + LEVEL) / 2) if df is None else stdtrit(df, (1 + LEVEL) / 2))
        if name == "ordinal":
            return Comparison(name, estimate, t, df, p)
        return Comparison(name, beta, t, df, p, beta - half, beta + half)
    from scipy.special import chdtrc, fdtrc

    try:
        wald = float(betas @ np.linalg.solve(cov, betas))
    except np.linalg.LinAlgError:
        return Comparison(name, estimate, note="no test: there are fewer clusters than sides")
    if df is None:
        return Comparison(name, estimate, wald, float(several), float(chdtrc(several, wald)))
    f = wald / several
    return Comparison(name, estimate, f, float(several), float(fdtrc(several, df, f)), df_error=df)


@contextmanager
def _quiet() -> Iterator[None]:
    """Warnings of a fit are no messages to a user: what they tell is looked for in the result."""
    import numpy as np

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
