"""A loaded model that answers many requests at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Event
from typing import Any

import msgspec

from runtime.transport import Rejected, Reply, Request, TransportError
from runtime.transports.completion import apart
from runtime.transports.local import libraries
from runtime.transports.local.chat import Chat, Prompt
from runtime.transports.local.loading import Loaded
from runtime.transports.local.options import Answered, Options, Questionnaire
from runtime.transports.local.scoring import Asked, Scoring
from runtime.transports.local.tree import Said, grown
from runtime.transports.local.writing import Writer
from schemas.plan import Model
from schemas.render import ChatMessage

BATCH = 16
"""How many requests are answered at once, where the spec does not say."""

UNPACKED = "does not let a mask say what each token sees: its items take a pass each, which is slower"

Answer = Reply | TransportError


class Engine:
    """Answers with one loaded model. `batch`: how many requests at once; it shrinks where memory does not
    suffice. `dropped`: set when nobody waits for answers any more. `version`: the hashes of its files."""

    def __init__(self, model: Model, loaded: Loaded, version: str) -> None:
        self.batch = int(str(model.settings.get("batch", BATCH)))
        self.dropped = Event()
        self.chat = Chat(loaded.tokenizer)
        self.options = Options(self.chat)
        self.scoring = Scoring(loaded.model, self._trial(), loaded.dtype)
        self._model = model
        self.loaded = loaded
        self.version = version
        self._context = int(getattr(loaded.model.config.get_text_config(), "max_position_embeddings", 1 << 30))
        self._writer = Writer(loaded.model, self.chat.stops, self._context, self.dropped.is_set)
        self._notes = [] if self.scoring.packs else [UNPACKED]
        self._told = 0

    @property
    def alone(self) -> bool:
        """Whether each questionnaire has a pass of its own. On a processor one keeps a pass busy, and its last
        digits then depend on no other."""
        return self.loaded.device == "cpu"

    def answers(self, requests: Sequence[Request]) -> list[Answer]:
        """An answer to each request."""
        found: dict[int, Answer] = {}
        prompts: dict[int, Prompt] = {}
        for at, request in enumerate(requests):
            try:
                prompts[at] = self._prompt(request)
            except Rejected as rejected:
                found[at] = rejected
        order = sorted(prompts, key=lambda at: -len(prompts[at].tokens))
        readout = self._weighed if self._model.readout == "options" else self._written
        for at, answer in self._in_halves(
            order, lambda some: readout([requests[at] for at in some], [prompts[at] for at in some])
        ):
            found[at] = answer
        return self._with_notes([found[at] for at in range(len(requests))])

    def prompt(self, messages: Sequence[ChatMessage]) -> Prompt:
        """What the model reads before it answers. Raises Rejected."""
        return self.chat.prompt(messages, thinking=self._model.readout == "text")

    def _prompt(self, request: Request) -> Prompt:
        prompt = self.prompt(request.messages)
        if len(prompt.tokens) + 8 * len(request.shown.items) > self._context:
            raise Rejected(
                f"the question takes {len(prompt.tokens)} tokens; with its answer it may be {self._context}"
            )
        return prompt

    def _in_halves(
        self, order: Sequence[int], work: Callable[[Sequence[int]], list[Reply]]
    ) -> Iterable[tuple[int, Answer]]:
        """What `work` makes of `order`, in batches; where memory does not suffice, of halves of them."""
        at = 0
        while at < len(order) and not self.dropped.is_set():
            some = order[at : at + self.batch]
            try:
                yield from zip(some, work(some), strict=True)
            except RuntimeError as error:
                if not libraries.out_of_memory(error):
                    raise
                if len(some) > 1:
                    self._halve(len(some))
                    continue
                yield some[0], Rejected("one request alone takes more memory than there is")
            at += len(some)
        yield from ((one, Rejected("the run was ended before it was answered")) for one in order[at:])

    def _halve(self, tried: int) -> None:
        self.batch = tried // 2
        self._notes.append(f"has no memory for {tried} requests at once: {self.batch} from now on")
        self._free()

    def _free(self) -> None:
        if self.loaded.device.startswith("cuda"):
            libraries.torch().cuda.empty_cache()

    def _weighed(self, requests: Sequence[Request], prompts: Sequence[Prompt]) -> list[Reply]:
        ones = [Questionnaire(prompt, request.shown) for request, prompt in zip(requests, prompts, strict=True)]
        if self._model.settings.get("items") == "in_turn":
            answered = [self.options.in_turn(one, self.scoring) for one in ones]
        else:
            answered = self.together(ones)
        sent = self._sent({"items": self._model.settings.get("items", "independent")})
        return [
            Reply(
                text=one.text,
                finish_reason="stop",
                tokens_in=len(prompt.tokens),
                tokens_out=0,
                model_version=self.version,
                request_sent=sent,
                weights=one.weights,
            )
            for one, prompt in zip(answered, prompts, strict=True)
        ]

    def together(self, ones: Sequence[Questionnaire], rows: int | None = None) -> list[Answered]:
        """Answers to questionnaires, `rows` of them in a pass."""
        rows = rows or (1 if self.alone else len(ones))
        asked = [self.options.asked(one) for one in ones]
        logs = [logs for at in range(0, len(asked), rows) for logs in self.scoring.logs(asked[at : at + rows])]
        return [self.options.told(one, each) for one, each in zip(ones, logs, strict=True)]

    def _written(self, requests: Sequence[Request], prompts: Sequence[Prompt]) -> list[Reply]:
        sampling = requests[0].sampling
        written = self._writer.written(
            [prompt.tokens for prompt in prompts], sampling, [request.trial_key for request in requests]
        )
        stated = {name: value for name, value in msgspec.structs.asdict(sampling).items() if value is not None}
        sent, replies = self._sent(stated), []
        for prompt, one in zip(prompts, written, strict=True):
            text, reasoning = apart(self.chat.said(one.tokens))
            replies.append(
                Reply(
                    text=text,
                    reasoning=reasoning,
                    finish_reason=one.finish_reason,
                    tokens_in=len(prompt.tokens),
                    tokens_out=len(one.tokens),
                    model_version=self.version,
                    request_sent=sent,
                )
            )
        return replies

    def _sent(self, more: dict[str, Any]) -> str:
        """What an answer depends on besides the messages, as JSON."""
        said = {
            "model": self._model.name,
            "readout": self._model.readout,
            "dtype": self.loaded.dtype,
            "device": self.loaded.device,
            "torch": str(libraries.torch().__version__),
            "transformers": libraries.transformers().__version__,
            **more,
        }
        return msgspec.json.encode(said).decode()

    def _with_notes(self, answers: list[Answer]) -> list[Answer]:
        """The answers, the first of which says what has not been said yet."""
        notes = [*self.chat.notes, *self._notes]
        new, self._told = notes[self._told :], len(notes)
        for at, answer in enumerate(answers):
            if isinstance(answer, Reply) and new:
                said = tuple(f"Model {self._model.id} {note}." for note in new)
                return [*answers[:at], msgspec.structs.replace(answer, notes=said), *answers[at + 1 :]]
        return answers

    def _trial(self) -> Asked:
        """A short question with answers of several tokens, to try what the model bears."""
        prompt = self.chat.prompt([ChatMessage("user", "How calm are you, from 1 to 10?")], thinking=False)
        lines = [self.chat.continuation(prompt.tail, text) for text in ("1. 1", "1. 10", "2. 3", "2. 12")]
        found = grown([Said(1, (lines[0], lines[1])), Said(1, (lines[2], lines[3]))])
        shared = min(3, len(prompt.tokens) - 1)
        return Asked(prompt.tokens, shared, found.tree, found.steps())
