"""What a file declares, as lines: scales, stimuli, prompts, protocols and models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from compiler import ast
from compiler.format import answers, studies
from compiler.format.layout import Block, Line, Part, Prose
from compiler.format.scores import score
from compiler.format.settings import settings_block
from compiler.format.words import (
    data_file,
    listed,
    name,
    number,
    number_range,
    quoted,
    reference,
    titled,
    value,
)


def statement_line(statement: ast.Use | ast.Declaration) -> Line:
    match statement:
        case ast.Use():
            return Line(statement.span, (f"use {quoted(statement.path.text)}",), group="use")
        case ast.ScaleDecl(body=body):
            return _headed("scale", statement, [_scale_statement(part) for part in body])
        case ast.EmotionDecl(factors=factors):
            return _headed("emotion", statement, [_factor(factor) for factor in factors])
        case ast.StimuliDecl():
            return answers.stimuli(statement)
        case ast.PromptDecl():
            return _prompt(statement)
        case ast.ProtocolDecl(body=body):
            return _headed("protocol", statement, [_condition(part) for part in body])
        case ast.ModelDecl(settings=settings):
            head = titled("model", statement.name, statement.title)
            start = (statement.title or statement.name).span.end
            return _line(statement, head, settings_block(settings, start, statement.span.end))
        case ast.ResponsesDecl():
            return answers.responses(statement)
        case ast.StudyDecl(body=body):
            return _headed("study", statement, [studies.study_statement(part) for part in body])
        case _:
            assert_never(statement)


def _line(node: ast.Node, *parts: Part) -> Line:
    return Line(node.span, parts)


Headed = ast.ScaleDecl | ast.EmotionDecl | ast.ProtocolDecl | ast.StudyDecl


def _headed(keyword: str, node: Headed, lines: Iterable[Line]) -> Line:
    start = (node.title or node.name).span.end
    return _line(node, titled(keyword, node.name, node.title), Block(start, node.span.end, tuple(lines)))


# --- scales


def _scale_statement(statement: ast.ScaleStatement) -> Line:
    match statement:
        case ast.Cite(text=text, doi=doi):
            words = [] if doi is None else [f"doi {quoted(doi.text)}"]
            return _line(statement, Prose("cite", text.text), *words)
        case ast.Options():
            return _line(statement, *_options(statement))
        case ast.ItemGroup(options=options, items=items):
            lines = [] if options is None else [_line(options, *_options(options))]
            lines += [_item(item) for item in items]
            span = statement.span
            return _line(statement, "items", Block(span.start + len("items"), span.end, tuple(lines)))
        case ast.ItemsFrom(data=data):
            return _line(statement, "items", *data_file(data))
        case ast.SubscaleDecl(name=word, title=title, score=expression):
            first, *rest = score(expression)
            return _line(statement, f"{titled('subscale', word, title)} = {first}", *rest)
        case ast.DeriveDecl(name=word, value=expression):
            first, *rest = score(expression)
            return _line(statement, f"derive {name(word)} = {first}", *rest)
        case ast.Keyed(what=what, items=items):
            return _line(statement, *listed(what, map(number_range, items)))
        case ast.Missing(up_to=up_to):
            return _line(statement, f"missing up to {number(up_to)}")
        case ast.NormDecl():
            return _line(
                statement,
                f"norm {name(statement.subscale)} in {quoted(statement.group.text)}",
                f"mean {number(statement.mean)} sd {number(statement.sd)} n {number(statement.n)}",
            )
        case ast.Language(code=code):
            return _line(statement, f"language {quoted(code.text)}")
        case _:
            assert_never(statement)


def _options(options: ast.Options) -> list[Part]:
    head, start = "options", options.span.start
    if options.first is not None and options.last is not None:
        head += f" {number(options.first)}..{number(options.last)}"
        head += "" if options.step is None else f" step {number(options.step)}"
        start = (options.step or options.last).span.end
        if not options.anchors:
            return [head]
    anchors = [_line(anchor, Prose(number(anchor.code), anchor.label.text)) for anchor in options.anchors]
    return [head, Block(start, options.span.end, tuple(anchors))]


def _item(item: ast.ItemDecl) -> Line:
    match item.label:
        case None:
            label = ""
        case ast.Num():
            label = number(item.label)
        case ast.Name():
            label = name(item.label)
        case _:
            assert_never(item.label)
    own = [] if item.options is None else _options(item.options)
    key = [] if item.key is None else [f"key {value(item.key)}"]
    return _line(item, Prose(label, item.text.text), *own, *key)


# --- stimuli, prompts, protocols


def _factor(factor: ast.FactorDecl) -> Line:
    head = titled("factor", factor.name, factor.title)
    if factor.data is not None:
        return _line(factor, head, *data_file(factor.data))
    start = (factor.title or factor.name).span.end
    situations = tuple(_situation(situation) for situation in factor.situations)
    return _line(factor, head, Block(start, factor.span.end, situations))


def _situation(situation: ast.Situation) -> Line:
    text = Prose("", situation.text.text)
    if not situation.fields:
        return _line(situation, text)
    fields = tuple(_line(field, Prose(name(field.name), field.text.text)) for field in situation.fields)
    return _line(situation, text, Block(situation.text.span.end, situation.span.end, fields))


def _prompt(prompt: ast.PromptDecl) -> Line:
    head = f"prompt {name(prompt.name)}"
    if prompt.short:
        return _line(prompt, Prose(head, prompt.messages[0].text.text))
    parts: list[ast.MessageDecl | ast.VariantDecl] = [*prompt.messages, *prompt.variants]
    parts.sort(key=lambda part: part.span.start)
    lines = tuple(_prompt_part(part) for part in parts)
    return _line(prompt, head, Block(prompt.name.span.end, prompt.span.end, lines))


def _prompt_part(part: ast.MessageDecl | ast.Append | ast.VariantDecl) -> Line:
    match part:
        case ast.MessageDecl(role=role, text=text):
            return _line(part, Prose(role, text.text))
        case ast.Append(message=message):
            return _line(part, Prose(f"append {message.role}", message.text.text))
        case ast.VariantDecl(name=word, changes=changes):
            lines = tuple(_prompt_part(change) for change in changes)
            return _line(part, f"variant {name(word)}", Block(word.span.end, part.span.end, lines))
        case _:
            assert_never(part)


def _condition(part: ast.ConditionDecl | ast.Then) -> Line:
    match part:
        case ast.ConditionDecl(name=word, each=each, steps=steps):
            head, start = f"condition {name(word)}" + (f" each {each}" if each else ""), word.span.end
            if not steps:
                return _line(part, head)
        case ast.Then(steps=steps):
            head, start = "then", part.span.start + len("then")
        case _:
            assert_never(part)
    return _line(part, head, Block(start, part.span.end, tuple(_step(step) for step in steps)))


def _again(again: ast.Again | None) -> str:
    if again is None:
        return ""
    return f" on {', '.join(name(status) for status in again.statuses)} ask again {number(again.times)}"


def _step(step: ast.StepNode) -> Line:
    match step:
        case ast.PresentStep(prompt=prompt):
            return _line(step, f"present {reference(prompt)}")
        case ast.MeasureStep(scale=scale, prompt=prompt, again=again):
            measured = "measure" if scale is None else f"measure {name(scale)}"
            return _line(step, f"{measured} with {reference(prompt)}{_again(again)}")
        case _:
            assert_never(step)
