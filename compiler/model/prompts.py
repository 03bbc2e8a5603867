"""What prompts and the steps that use them come to."""

from __future__ import annotations

from dataclasses import dataclass

from compiler import ast
from compiler.resolve import Program
from compiler.source import Span
from compiler.template import hole_span, holes, template
from schemas.plan import Hole, Message, Prompt, Template, Text


def variant_of(prompt: ast.PromptDecl, name: str) -> ast.VariantDecl | None:
    """The prompt's variant of this name."""
    return next((variant for variant in prompt.variants if variant.name.text == name), None)


def conditions_of(
    protocol: ast.ProtocolDecl,
) -> list[tuple[ast.ConditionDecl, tuple[ast.StepNode, ...]]]:
    """Each condition with its steps, those that all share at the end."""
    shared = tuple(step for part in protocol.body if isinstance(part, ast.Then) for step in part.steps)
    own = [part for part in protocol.body if isinstance(part, ast.ConditionDecl)]
    return [(condition, condition.steps + shared) for condition in own]


@dataclass(frozen=True)
class Asked:
    """A prompt as a step uses it: its messages, written where, and what the step's arguments put in."""

    id: str
    variant: str | None
    written: tuple[ast.MessageDecl, ...]
    arguments: dict[str, ast.Name | ast.Str]

    def holes(self) -> list[tuple[str, Span]]:
        """The placeholders that a stimulus, a scale or what was presented must fill."""
        found: list[tuple[str, Span]] = []
        for message in self.written:
            for name in holes(message.text.text):
                argument = self.arguments.get(name)
                if argument is None:
                    found.append((name, hole_span(message.text, name)))
                elif isinstance(argument, ast.Name):
                    found.append((argument.text, argument.span))
        return found

    def prompt(self) -> Prompt:
        """The prompt as a plan holds it."""
        return Prompt(self.id, tuple(Message(m.role, self._filled(m.text.text)) for m in self.written))

    def _filled(self, text: str) -> Template:
        return tuple(self._part(part) for part in template(text))

    def _part(self, part: Text | Hole) -> Text | Hole:
        if isinstance(part, Text) or part.name not in self.arguments:
            return part
        argument = self.arguments[part.name]
        return Hole(argument.text) if isinstance(argument, ast.Name) else Text(argument.text)


def asked(program: Program, reference: ast.PromptRef) -> Asked | None:
    """The prompt that a step names; None where there is none (a check says so)."""
    prompt = program.prompts.get(reference.prompt.head.text)
    if prompt is None:
        return None
    tail = reference.prompt.tail
    variant = None if tail is None else variant_of(prompt, tail.text)
    arguments = {argument.name.text: argument.value for argument in reference.arguments}
    said = ", ".join(
        f"{name} = {value.text}" if isinstance(value, ast.Name) else f'{name} = "{value.text}"'
        for name, value in sorted(arguments.items())
    )
    id = reference.prompt.text + (f"({said})" if said else "")
    name = None if variant is None else variant.name.text
    return Asked(id, name, _messages(prompt, variant), arguments)


def _messages(prompt: ast.PromptDecl, variant: ast.VariantDecl | None) -> tuple[ast.MessageDecl, ...]:
    """The prompt's messages with a variant's changes: a message of a role takes the place of that role's,
    an appended text goes on a new line at the end of that role's last."""
    messages = list(prompt.messages)
    for change in variant.changes if variant is not None else ():
        new = change.message if isinstance(change, ast.Append) else change
        at = next((i for i in reversed(range(len(messages))) if messages[i].role == new.role), None)
        if at is None:
            messages.insert(0 if new.role == "system" else len(messages), new)
        elif isinstance(change, ast.Append):
            joined = f"{messages[at].text.text}\n{new.text.text}"
            text = ast.Str(span=new.text.span, text=joined)
            messages[at] = ast.MessageDecl(span=new.span, role=new.role, text=text)
        else:
            messages[at] = new
    return tuple(messages)
