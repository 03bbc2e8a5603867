"""From the parser's tree to the syntax tree: one method a grammar rule, of the same name."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any, Literal, cast

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.source import Span

_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}

# Up to here every whole number is kept as it is written.
MAX_NUMBER = 2.0**53

Children = Sequence[Any]


def string_value(written: str) -> str:
    """The text that a string literal stands for. A text block loses its common indentation."""
    if written.startswith('"""'):
        body = textwrap.dedent(written[3:-3].replace("\r\n", "\n")).strip("\n").rstrip()
    else:
        body = written[1:-1]
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), body, flags=re.DOTALL)


def _of(children: Children, *kinds: type) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kinds))


class Builder:
    """Makes syntax tree nodes. `children` are built nodes, tokens, or None for what is optional and absent.
    What is wrong with a single word is `found` on the way."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    def start(self, span: Span, children: Children) -> ast.File:
        return ast.File(
            span=span,
            uses=_of(children, ast.Use),
            declarations=tuple(child for child in children if not isinstance(child, ast.Use)),
            statements=tuple(children),
        )

    # --- words

    def name(self, span: Span, children: Children) -> ast.Name:
        return ast.Name(span=span, text=str(children[0]))

    def string(self, span: Span, children: Children) -> ast.Str:
        written = str(children[0])
        return ast.Str(span=span, text=string_value(written), written=written)

    def number(self, span: Span, children: Children) -> ast.Num:
        value = float(children[0])
        if max(value, int(children[0]) if children[0].isdigit() else 0) > MAX_NUMBER:
            written = str(children[0])[:40]
            wanted = f"at most {MAX_NUMBER:.0f}"
            self.found.append(
                diagnostic(Code.OUT_OF_RANGE, span, what=written, found="too large", wanted=wanted)
            )
            value = MAX_NUMBER
        return ast.Num(span=span, value=value)

    def signed(self, span: Span, children: Children) -> ast.Num:
        return ast.Num(span=span, value=-children[0].value)

    def quotable(self, span: Span, children: Children) -> ast.Name:
        word = children[0]
        return word if isinstance(word, ast.Name) else ast.Name(span=span, text=word.text, quoted=True)

    def dotted(self, span: Span, children: Children) -> ast.Dotted:
        return ast.Dotted(span=span, head=children[0], tail=children[1])

    def everything(self, span: Span, children: Children) -> ast.Everything:
        return ast.Everything(span=span)

    def setting_value(self, span: Span, children: Children) -> ast.Setting:
        return ast.Setting(span=span, key=children[0], value=children[1])

    def setting_block(self, span: Span, children: Children) -> ast.Setting:
        return ast.Setting(span=span, key=children[0], value=tuple(children[1:]))

    def use(self, span: Span, children: Children) -> ast.Use:
        return ast.Use(span=span, path=children[0])

    # --- scales

    def scale(self, span: Span, children: Children) -> ast.ScaleDecl:
        return ast.ScaleDecl(span=span, name=children[0], title=children[1], body=tuple(children[2:]))

    def cite(self, span: Span, children: Children) -> ast.Cite:
        return ast.Cite(span=span, text=children[0], doi=children[1])

    def options_statement(self, span: Span, children: Children) -> ast.Options:
        return cast(ast.Options, children[0])

    def options_range(self, span: Span, children: Children) -> ast.Options:
        first, last, step, anchors = children
        return ast.Options(span=span, first=first, last=last, step=step, anchors=anchors or ())

    def options_coded(self, span: Span, children: Children) -> ast.Options:
        return ast.Options(span=span, first=None, last=None, step=None, anchors=children[0])

    def anchors(self, span: Span, children: Children) -> tuple[ast.Anchor, ...]:
        return tuple(children)

    def anchor(self, span: Span, children: Children) -> ast.Anchor:
        return ast.Anchor(span=span, code=children[0], label=children[1])

    def item_group(self, span: Span, children: Children) -> ast.ItemGroup:
        return ast.ItemGroup(span=span, options=children[0], items=tuple(children[1:]))

    def items_from(self, span: Span, children: Children) -> ast.ItemsFrom:
        return ast.ItemsFrom(span=span, data=children[0])

    def item(self, span: Span, children: Children) -> ast.ItemDecl:
        return ast.ItemDecl(span=span, label=children[0], text=children[1], options=children[2])

    def data_file(self, span: Span, children: Children) -> ast.DataFile:
        return ast.DataFile(span=span, path=children[0], sheet=children[1], column=children[2])

    def subscale(self, span: Span, children: Children) -> ast.SubscaleDecl:
        return ast.SubscaleDecl(span=span, name=children[0], title=children[1], score=children[2])

    def sum(self, span: Span, children: Children) -> ast.Expr:
        left = children[0]
        for operator, right in zip(children[1::2], children[2::2], strict=True):
            left = ast.BinaryExpr(span=left.span.to(right.span), operator=operator, left=left, right=right)
        return cast(ast.Expr, left)

    product = sum

    def plus_minus(self, span: Span, children: Children) -> str:
        return str(children[0])

    times_over = plus_minus
    role = plus_minus
    axis = plus_minus
    count = plus_minus

    def axes(self, span: Span, children: Children) -> str:
        return str(children[0]).removesuffix("s")

    def negative(self, span: Span, children: Children) -> ast.Expr:
        inner = children[0]
        if isinstance(inner, ast.Num):
            return ast.Num(span=span, value=-inner.value)
        minus_one = ast.Num(span=span, value=-1.0)
        return ast.BinaryExpr(span=span, operator="*", left=minus_one, right=inner)

    def item_ref(self, span: Span, children: Children) -> ast.ItemRef:
        return ast.ItemRef(span=span, item=children[1], raw=children[0] is not None)

    item_number = item_ref
    item_name = item_ref

    def raw(self, span: Span, children: Children) -> Literal["raw"]:
        return "raw"

    def call(self, span: Span, children: Children) -> ast.CallExpr:
        return ast.CallExpr(span=span, function=children[0], arguments=tuple(children[1:]))

    def number_range(self, span: Span, children: Children) -> ast.NumberRange:
        first, last = children
        return ast.NumberRange(span=span, first=first, last=last or first)

    def reverse(self, span: Span, children: Children) -> ast.Keyed:
        return ast.Keyed(span=span, what="reverse", items=tuple(children))

    def filler(self, span: Span, children: Children) -> ast.Keyed:
        return ast.Keyed(span=span, what="filler", items=tuple(children))

    def missing(self, span: Span, children: Children) -> ast.Missing:
        return ast.Missing(span=span, up_to=children[0])

    def norm(self, span: Span, children: Children) -> ast.NormDecl:
        subscale, group, mean, sd, n = children
        return ast.NormDecl(span=span, subscale=subscale, group=group, mean=mean, sd=sd, n=n)

    def language(self, span: Span, children: Children) -> ast.Language:
        return ast.Language(span=span, code=children[0])

    # --- stimuli, prompts, protocols

    def emotion(self, span: Span, children: Children) -> ast.EmotionDecl:
        return ast.EmotionDecl(span=span, name=children[0], title=children[1], factors=tuple(children[2:]))

    def factor_here(self, span: Span, children: Children) -> ast.FactorDecl:
        name, title, *situations = children
        return ast.FactorDecl(span=span, name=name, title=title, situations=tuple(situations), data=None)

    def factor_from(self, span: Span, children: Children) -> ast.FactorDecl:
        name, title, data = children
        return ast.FactorDecl(span=span, name=name, title=title, situations=(), data=data)

    def situation(self, span: Span, children: Children) -> ast.Situation:
        return ast.Situation(span=span, text=children[0], fields=_of(children[1:], ast.FieldDecl))

    def field(self, span: Span, children: Children) -> ast.FieldDecl:
        return ast.FieldDecl(span=span, name=children[0], text=children[1])

    def prompt_short(self, span: Span, children: Children) -> ast.PromptDecl:
        message = ast.MessageDecl(span=children[1].span, role="user", text=children[1])
        return ast.PromptDecl(span=span, name=children[0], messages=(message,), variants=(), short=True)

    def prompt_long(self, span: Span, children: Children) -> ast.PromptDecl:
        messages, variants = _of(children, ast.MessageDecl), _of(children, ast.VariantDecl)
        return ast.PromptDecl(span=span, name=children[0], messages=messages, variants=variants, short=False)

    def message(self, span: Span, children: Children) -> ast.MessageDecl:
        return ast.MessageDecl(span=span, role=children[0], text=children[1])

    def variant(self, span: Span, children: Children) -> ast.VariantDecl:
        return ast.VariantDecl(span=span, name=children[0], changes=tuple(children[1:]))

    def append(self, span: Span, children: Children) -> ast.Append:
        return ast.Append(span=span, message=children[0])

    def protocol(self, span: Span, children: Children) -> ast.ProtocolDecl:
        return ast.ProtocolDecl(span=span, name=children[0], title=children[1], body=tuple(children[2:]))

    def condition(self, span: Span, children: Children) -> ast.ConditionDecl:
        name, each, *steps = children
        steps = [step for step in steps if step is not None]
        return ast.ConditionDecl(span=span, name=name, each=each is not None, steps=tuple(steps))

    def each(self, span: Span, children: Children) -> Literal["each"]:
        return "each"

    def then(self, span: Span, children: Children) -> ast.Then:
        return ast.Then(span=span, steps=tuple(children))

    def present(self, span: Span, children: Children) -> ast.PresentStep:
        return ast.PresentStep(span=span, prompt=children[0])

    def measure(self, span: Span, children: Children) -> ast.MeasureStep:
        return ast.MeasureStep(span=span, scale=children[0], prompt=children[1])

    def prompt_ref(self, span: Span, children: Children) -> ast.PromptRef:
        return ast.PromptRef(span=span, prompt=children[0], arguments=_of(children[1:], ast.Argument))

    def argument(self, span: Span, children: Children) -> ast.Argument:
        return ast.Argument(span=span, name=children[0], value=children[1])

    # --- who answers

    def model(self, span: Span, children: Children) -> ast.ModelDecl:
        return ast.ModelDecl(span=span, name=children[0], title=children[1], settings=tuple(children[2:]))

    def responses(self, span: Span, children: Children) -> ast.ResponsesDecl:
        name, title, path, sheet, transposed, *body = children
        return ast.ResponsesDecl(
            span=span,
            name=name,
            title=title,
            path=path,
            sheet=sheet,
            transposed=transposed is not None,
            body=tuple(body),
        )

    def transposed(self, span: Span, children: Children) -> Literal["transposed"]:
        return "transposed"

    def kind(self, span: Span, children: Children) -> ast.KindDecl:
        return ast.KindDecl(span=span, kind=children[0])

    def respondent_counted(self, span: Span, children: Children) -> ast.RespondentDecl:
        return ast.RespondentDecl(span=span, source=None)

    def respondent_placed(self, span: Span, children: Children) -> ast.RespondentDecl:
        return ast.RespondentDecl(span=span, source=children[0])

    def match(self, span: Span, children: Children) -> ast.MatchDecl:
        return ast.MatchDecl(span=span, place=children[0], pattern=children[1], counting_from=children[2])

    def recode(self, span: Span, children: Children) -> ast.RecodeDecl:
        return ast.RecodeDecl(span=span, field=children[0], pairs=tuple(children[1:]))

    def recode_pair(self, span: Span, children: Children) -> ast.RecodePair:
        return ast.RecodePair(span=span, spelling=children[0], meaning=children[1])

    def signed_text(self, span: Span, children: Children) -> ast.Str:
        return ast.Str(span=span, text=_plain(children[0]))

    def recode_number(self, span: Span, children: Children) -> ast.Name:
        return ast.Name(span=span, text=_plain(children[0]))

    def covariate(self, span: Span, children: Children) -> ast.CovariateDecl:
        return ast.CovariateDecl(span=span, name=children[0], source=children[1])

    def constant(self, span: Span, children: Children) -> ast.ConstantNode:
        return ast.ConstantNode(span=span, value=children[0])

    def place(self, span: Span, children: Children) -> ast.PlaceNode:
        return ast.PlaceNode(span=span, axis=children[0], at=children[1])

    def condition_cells(self, span: Span, children: Children) -> ast.ConditionCellsDecl:
        return ast.ConditionCellsDecl(span=span, condition=children[0], body=tuple(children[1:]))

    def cells(self, span: Span, children: Children) -> ast.CellsDecl:
        scale, axis, first, last, order = children
        return ast.CellsDecl(span=span, scale=scale, axis=axis, first=first, last=last or first, order=order)

    # --- studies

    def study(self, span: Span, children: Children) -> ast.StudyDecl:
        return ast.StudyDecl(span=span, name=children[0], title=children[1], body=tuple(children[2:]))

    def protocol_of(self, span: Span, children: Children) -> ast.ProtocolOf:
        return ast.ProtocolOf(span=span, name=children[0])

    def scales_of(self, span: Span, children: Children) -> ast.ScalesOf:
        return ast.ScalesOf(span=span, scales=tuple(children))

    def scale_use(self, span: Span, children: Children) -> ast.ScaleUse:
        return ast.ScaleUse(span=span, scale=children[0], stimuli=_of(children[1:], ast.Name))

    def stimuli_of(self, span: Span, children: Children) -> ast.StimuliOf:
        return ast.StimuliOf(span=span, stimuli=tuple(children))

    def panels_of(self, span: Span, children: Children) -> ast.PanelsOf:
        return ast.PanelsOf(span=span, panels=tuple(children))

    def sampling_of(self, span: Span, children: Children) -> ast.SamplingOf:
        return ast.SamplingOf(span=span, settings=tuple(children))

    def counted(self, span: Span, children: Children) -> ast.Counted:
        return ast.Counted(span=span, what=children[0], value=children[1])

    def orders(self, span: Span, children: Children) -> ast.Counted:
        return ast.Counted(span=span, what="orders", value=children[0], shuffled=children[1] is not None)

    def shuffled(self, span: Span, children: Children) -> Literal["shuffled"]:
        return "shuffled"

    def contrast(self, span: Span, children: Children) -> ast.ContrastDecl:
        name, title, a, b, *clauses = children
        return ast.ContrastDecl(span=span, name=name, title=title, a=a, b=b, clauses=tuple(clauses))

    def of_clause(self, span: Span, children: Children) -> ast.OfClause:
        return ast.OfClause(span=span, outcomes=tuple(children))

    def where_clause(self, span: Span, children: Children) -> ast.WhereClause:
        return ast.WhereClause(span=span, predicates=tuple(children))

    def predicate(self, span: Span, children: Children) -> ast.PredicateNode:
        field, negated, *values = children
        return ast.PredicateNode(span=span, field=field, values=tuple(values), negated=negated is not None)

    def not_(self, span: Span, children: Children) -> Literal["not"]:
        return "not"

    def by_clause(self, span: Span, children: Children) -> ast.ByClause:
        return ast.ByClause(span=span, groups=tuple(children))

    def group(self, span: Span, children: Children) -> ast.Group:
        return ast.Group(span=span, fields=tuple(children))

    def paired_clause(self, span: Span, children: Children) -> ast.PairedClause:
        return ast.PairedClause(span=span, field=children[0])

    def settings_clause(self, span: Span, children: Children) -> ast.SettingsClause:
        return ast.SettingsClause(span=span, settings=tuple(children))

    def expect_value(self, span: Span, children: Children) -> ast.ExpectValue:
        target, outcome, value, within, where, source = children
        return ast.ExpectValue(
            span=span, target=target, outcome=outcome, value=value, within=within, where=where, source=source
        )

    def expect_table(self, span: Span, children: Children) -> ast.ExpectTable:
        contrast, path, sheet, source, *body = children
        return ast.ExpectTable(
            span=span, contrast=contrast, path=path, sheet=sheet, source=source, body=tuple(body)
        )

    def expect_column(self, span: Span, children: Children) -> ast.ExpectColumn:
        column, source, rounded, within = children
        return ast.ExpectColumn(span=span, column=column, source=source, rounded=rounded, within=within)

    def rows_where(self, span: Span, children: Children) -> ast.RowsWhere:
        return ast.RowsWhere(span=span, place=children[0], values=tuple(children[1:]))

    def erratum(self, span: Span, children: Children) -> ast.Erratum:
        return ast.Erratum(span=span, text=children[0], where=children[1])


def _plain(number: ast.Num) -> str:
    return str(number.whole) if number.is_whole else repr(number.value)
