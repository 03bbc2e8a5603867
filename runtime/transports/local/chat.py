"""Messages as the tokens that a model reads: its chat template applied once, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.transport import Rejected
from runtime.transports.local import libraries
from schemas.render import ChatMessage

NO_SYSTEM = "takes no system message: its text is sent on top of the first user message"
NO_TEMPLATE = "has no chat template: it reads the messages' texts, one below the other"
THINKING = ("<think>", "<thinking>")


class Prompt(NamedTuple):
    """A rendered conversation up to where the reply begins. `tail`: its end, behind the last message's text;
    `shared`: how many of the first tokens its system message comes to, which others share."""

    text: str
    tail: str
    tokens: tuple[int, ...]
    shared: int


class Chat:
    """Renders for one tokenizer. `notes`: what the user should know of it, as it becomes known."""

    def __init__(self, tokenizer: Any) -> None:
        self.notes: list[str] = []
        self.stops: frozenset[int] = frozenset()
        self._tokenizer = tokenizer
        self._without_system = False
        self._has_template = tokenizer.chat_template is not None
        self._bos: int | None = tokenizer.bos_token_id
        self.adds_bos = self._bos is not None and tokenizer("a").input_ids[:1] == [self._bos]
        self._continued: dict[tuple[str, str], tuple[int, ...]] = {}
        if not self._has_template:
            self.notes.append(NO_TEMPLATE)
        self.stops = frozenset(self._endings())

    def prompt(self, messages: Sequence[ChatMessage], *, thinking: bool) -> Prompt:
        """The conversation, as tokens; without `thinking`, a template that lets the model think first is told
        not to. Raises Rejected."""
        messages = self._taken(messages, thinking)
        text = self._rendered(messages, True, thinking)
        before = self._rendered(messages, False, thinking)
        if not thinking and text.rstrip().endswith(THINKING):
            text = f"{text.rstrip()}\n\n</{text.rstrip().rpartition('<')[2]}\n\n"
        tokens = self.tokens(text)
        tail = text[len(before) :] if text.startswith(before) else ""
        return Prompt(text, tail or text, tokens, self._shared(messages, text, tokens))

    def tokens(self, text: str) -> tuple[int, ...]:
        """Rendered text as tokens, with one mark of its beginning where the tokenizer sets one: it may stand in
        the template, too."""
        tokens = self._plain(text)
        if self._bos is None:
            return tokens
        marks = next((at for at, token in enumerate(tokens) if token != self._bos), len(tokens))
        if marks > 1:
            return tokens[marks - 1 :]
        return (self._bos, *tokens) if self.adds_bos and not marks else tokens

    def begins(self, tokens: Sequence[int]) -> int:
        """How many marks of a beginning stand at the beginning."""
        return next((at for at, token in enumerate(tokens) if token != self._bos), len(tokens))

    def continuation(self, before: str, text: str) -> tuple[int, ...]:
        """The tokens of `text` where it stands behind `before`."""
        key = (before, text)
        if key not in self._continued:
            stem, whole = self._plain(before), self._plain(before + text)
            parts = whole[: len(stem)] == stem
            self._continued[key] = whole[len(stem) :] if parts else self._plain(text)
        return self._continued[key]

    def said(self, tokens: Sequence[int]) -> str:
        """Generated tokens as text, without those that end it."""
        text: str = self._tokenizer.decode(
            [token for token in tokens if token not in self.stops], skip_special_tokens=False
        )
        return text.strip()

    def _plain(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer(text, add_special_tokens=False).input_ids)

    def _taken(self, messages: Sequence[ChatMessage], thinking: bool) -> Sequence[ChatMessage]:
        """The messages as the template takes them: it may refuse a system message, or drop it in silence."""
        system = [message.content.strip() for message in messages if message.role == "system"]
        if not system or not self._has_template:
            return messages
        if not self._without_system:
            try:
                text = self._applied(messages, True, thinking)
            except libraries.jinja().TemplateError:
                text = ""
            if all(content in text for content in system):
                return messages
            self._without_system = True
            self.notes.append(NO_SYSTEM)
        return system_on_top(messages)

    def _rendered(self, messages: Sequence[ChatMessage], reply: bool, thinking: bool) -> str:
        if not self._has_template:
            return "\n\n".join(message.content for message in messages) + ("\n\n" if reply else "")
        try:
            return self._applied(messages, reply, thinking)
        except libraries.jinja().TemplateError as error:
            raise Rejected(f"the model's chat template takes no such messages: {error}") from error

    def _applied(self, messages: Sequence[ChatMessage], reply: bool, thinking: bool) -> str:
        text: str = self._tokenizer.apply_chat_template(
            [{"role": message.role, "content": message.content} for message in messages],
            tokenize=False,
            add_generation_prompt=reply,
            **({} if thinking else {"enable_thinking": False}),
        )
        return text

    def _shared(self, messages: Sequence[ChatMessage], text: str, tokens: tuple[int, ...]) -> int:
        """How many tokens stand for the system message alone, whatever comes behind it."""
        first = messages[0]
        if first.role != "system":
            return 0
        end = text.find(first.content.strip()) + len(first.content.strip())
        before = self.tokens(text[:end])
        same = (at for at, (one, other) in enumerate(zip(before, tokens, strict=False)) if one != other)
        return min(next(same, len(before)), len(tokens) - 1)

    def _endings(self) -> list[int]:
        """The tokens that end a reply: the tokenizer's, and that which the template sets behind one."""
        ends = [] if self._tokenizer.eos_token_id is None else [int(self._tokenizer.eos_token_id)]
        if not self._has_template:
            return ends
        said = [ChatMessage("user", "Question?"), ChatMessage("assistant", "Answer.")]
        try:
            text = self._applied(said, False, False)
        except libraries.jinja().TemplateError:
            return ends
        behind = self._plain(text[text.rfind("Answer.") + len("Answer.") :].lstrip())
        special = {*self._tokenizer.all_special_ids, *self._tokenizer.added_tokens_decoder}
        return [*ends, *(token for token in behind[:1] if token in special)]


def system_on_top(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The messages, the system's text on top of the first user message."""
    system = [message.content for message in messages if message.role == "system"]
    rest = [message for message in messages if message.role != "system"]
    if not system:
        return rest
    if not rest or rest[0].role != "user":
        return [ChatMessage("user", "\n\n".join(system)), *rest]
    return [ChatMessage("user", "\n\n".join([*system, rest[0].content])), *rest[1:]]
