"""Contrasts: that test, effect size and what they need go with the sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from compiler import ast
from compiler.check.scores import with_values
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.associations import unit_said
from compiler.model.designs import (
    OF_ANSWERS,
    OF_CLUSTERS,
    OF_INDEPENDENT,
    OF_MARGINS,
    OF_PAIRS,
    OF_SEVERAL,
    OF_VARIANCES,
    TESTS,
    Design,
)
from compiler.model.outcomes import is_rate, norm_of, outcomes_of
from compiler.model.study import clauses, setting_of, word_said
from compiler.resolve import Program
from compiler.settings import DEFAULT_ALPHA
from schemas.plan import Effect, Test

FOR_RATES = ("lift", "odds_ratio")


def check_comparison(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl, where: str
) -> Iterator[Diagnostic]:
    """Whether the settings of a contrast go with its sides and with one another."""
    test = _known(word_said(contrast, "test"))
    effect = word_said(contrast, "effect")
    if test is not None:
        yield from _test(contrast, test, TESTS[cast(Test, test.text)], where)
    if effect is not None:
        yield from _effect(contrast, effect, "" if test is None else test.text, where)
    name = "" if test is None else test.text
    yield from _margin(contrast, name, where)
    yield from _cluster(contrast, name, where)
    yield from _rest(contrast, name, where)
    yield from _rates(program, study, contrast, name, where)


def _known(test: ast.Name | None) -> ast.Name | None:
    return test if test is not None and test.text in TESTS else None


def _test(contrast: ast.ContrastDecl, test: ast.Name, design: Design, where: str) -> Iterator[Diagnostic]:
    name, paired = contrast.name.text, bool(clauses(contrast, ast.PairedClause))
    if design.paired and not paired:
        help = "add `paired by respondent` before the block"
        yield diagnostic(Code.TEST_UNPAIRED, test.span, test=test.text, contrast=name, help=help)
    elif contrast.omnibus and not design.several:
        help = "take `test kruskal`, `test anova`, `test welch_anova` or `test chi_squared`"
        yield _unfit(test, f"test {test.text}", where, "it compares two sides", help)
    elif design.paired is False and paired:
        help = "take `test paired_t` or `test wilcoxon`, or take `paired by` out"
        yield diagnostic(Code.TEST_PAIRED, test.span, test=test.text, contrast=name, help=help)
    elif norm_of(contrast) is not None and not design.norms and not design.paired:
        why = "a norm is a mean, its standard deviation and a number of people"
        yield _unfit(test, f"test {test.text}", where, why, "take `test welch` or `test student`")
    unit = unit_said(contrast)
    if test.text in OF_CLUSTERS and unit not in (None, "response"):
        why = "its observations are single answers, and it heeds what they nest in"
        help = f"write `cluster {unit}` in the block in place of `per {unit}`"
        yield _unfit(test, f"test {test.text}", where, why, help)


def _effect(contrast: ast.ContrastDecl, effect: ast.Name, test: str, where: str) -> Iterator[Diagnostic]:
    what, paired = f"effect {effect.text}", bool(clauses(contrast, ast.PairedClause))
    size = cast(Effect, effect.text)
    if size in OF_PAIRS and not paired:
        help = "add `paired by respondent` before the block"
        name = contrast.name.text
        yield diagnostic(Code.TEST_UNPAIRED, effect.span, test=effect.text, contrast=name, help=help)
    elif size == "cramers_v" and test != "chi_squared":
        yield _unfit(effect, what, where, "it belongs to `test chi_squared`", "choose another effect size")
    elif contrast.omnibus and size not in OF_SEVERAL:
        yield _unfit(effect, what, where, "it is of two sides", "take `effect eta_squared` or `effect none`")
    elif paired and size in OF_INDEPENDENT:
        why = "it is of independent groups, and the contrast is paired"
        yield _unfit(effect, what, where, why, "take `effect paired_d`")
    elif norm_of(contrast) is not None and size in OF_ANSWERS:
        yield _unfit(effect, what, where, "a norm has no single answers", "take `effect hedges_g`")


def _margin(contrast: ast.ContrastDecl, test: str, where: str) -> Iterator[Diagnostic]:
    """What a test against a margin needs, and nothing else has."""
    margin, worse = setting_of(contrast, "margin"), word_said(contrast, "worse")
    span = contrast.name.span
    if test in OF_MARGINS and margin is None:
        help = "say what difference, in points of the subscale, is too small to matter: `margin 2`"
        yield diagnostic(Code.LACKS, span, where=f"`test {test}`", what="margin", help=help)
    elif margin is not None and test not in OF_MARGINS:
        help = "add `test equivalence` or `test non_inferiority`, or take it out"
        yield _unfit(margin, "margin", where, "it is of a test against a margin", help)
    elif margin is not None and isinstance(margin.value, ast.Num) and margin.value.value == 0:
        yield _unfit(margin, "margin 0", where, "no difference is below it", "take a margin above 0")
    if test == "non_inferiority" and worse is None:
        help = "say which scores are the worse ones: `worse lower` or `worse higher`"
        yield diagnostic(Code.LACKS, span, where="`test non_inferiority`", what="worse", help=help)
    elif worse is not None and test != "non_inferiority":
        help = "add `test non_inferiority`, or take it out"
        yield _unfit(worse, f"worse {worse.text}", where, "it is of a test of non-inferiority", help)
    alpha = setting_of(contrast, "alpha")
    value = alpha.value.value if alpha is not None and isinstance(alpha.value, ast.Num) else DEFAULT_ALPHA
    if alpha is not None and test in OF_MARGINS and value >= 0.5:
        why = "its interval is that of 1 - 2 alpha"
        yield _unfit(alpha, f"alpha {value:g}", where, why, "take an alpha below 0.5")


def _cluster(contrast: ast.ContrastDecl, test: str, where: str) -> Iterator[Diagnostic]:
    cluster = setting_of(contrast, "cluster")
    if cluster is None:
        if test in ("clustered", "mixed"):
            help = "say what answers nest in: `cluster stimulus`, or `cluster respondent`"
            yield diagnostic(Code.LACKS, contrast.name.span, where=f"`test {test}`", what="cluster", help=help)
        return
    named = len(cluster.value.values) if isinstance(cluster.value, ast.Several) else 1
    if test not in OF_CLUSTERS:
        help = "add `test clustered`, `test mixed` or `test ordinal`, or take it out"
        yield _unfit(cluster, "cluster", where, "it is of a test that heeds what answers nest in", help)
    elif named > (1 if test == "mixed" else 2):
        why = "a mixed model has one random intercept" if test == "mixed" else "two are the most there can be"
        yield _unfit(cluster, "cluster", where, why, "name fewer")


def _rest(contrast: ast.ContrastDecl, test: str, where: str) -> Iterator[Diagnostic]:
    yates, post_hoc = word_said(contrast, "yates"), word_said(contrast, "post_hoc")
    if yates is not None and test not in ("chi_squared", "mcnemar"):
        why = "the correction is one of chi-squared"
        yield _unfit(yates, f"yates {yates.text}", where, why, "add `test chi_squared`, or take it out")
    if post_hoc is not None and not (contrast.omnibus and test in OF_VARIANCES):
        why = "it is of the means of several sides"
        help = "write the sides with commas between them, and `test anova` or `test welch_anova`"
        yield _unfit(post_hoc, f"post_hoc {post_hoc.text}", where, why, help)
    interval = word_said(contrast, "interval")
    if interval is not None and interval.text == "bootstrap":
        why = ""
        if contrast.omnibus:
            why = "it is of the difference of two sides"
        elif norm_of(contrast) is not None:
            why = "a norm has no single answers to draw from"
        elif test in OF_CLUSTERS:
            why = "it would take answers of one cluster as independent"
        if why:
            yield _unfit(interval, "interval bootstrap", where, why, "take it out")


def _rates(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl, test: str, where: str
) -> Iterator[Diagnostic]:
    """What is only for yes or no: a table of two rows and two columns, a lift, an odds ratio."""
    said, effect = word_said(contrast, "test"), word_said(contrast, "effect")
    asked: list[tuple[ast.Name, str]] = []
    if said is not None and test and TESTS[cast(Test, test)].rates and not contrast.omnibus:
        asked.append((said, "test"))
    if effect is not None and effect.text in FOR_RATES and not contrast.omnibus and test != "ordinal":
        asked.append((effect, "effect"))
    for word, key in asked:
        for name, subscale in with_values(program, outcomes_of(program, study, contrast)):
            if not is_rate(program, program.scales[name], subscale):
                why = f"`{name}.{subscale}` is not yes or no"
                help = "name an outcome whose score is a comparison, such as `quality is 3`"
                yield _unfit(word, f"{key} {word.text}", where, why, help)
                break


def _unfit(node: ast.Name | ast.Setting, what: str, where: str, why: str, help: str) -> Diagnostic:
    return diagnostic(Code.UNFIT, node.span, what=what, analysis=where, why=why, help=help)
