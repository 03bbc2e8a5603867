"""What a model has taught about what it takes, and the bodies that follow from it.

A provider that refuses a parameter says so in a 400. What it refuses is renamed or left out from then on, told
once, and recorded with every reply.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from runtime.transport import Form, Lessons, Reply, Request
from runtime.transports.problems import Problem
from runtime.transports.readouts import FORMS, TYPES, instruction, parameters, recorded
from schemas.plan import Model, Sampling
from schemas.render import ChatMessage

OPTIONAL = tuple(name for name in Sampling.__struct_fields__ if name != "max_tokens")
NEWER = {"max_tokens": "max_completion_tokens"}
CHOICES = re.compile(
    r"\bbody\.n\b|['\"`]n['\"`]|\bn (?:must|should|is|>|to be)|completion choice|best_of|multiple choices"
)
AT_MOST = "gives at most {} replies to one request (n): no more are asked for at once"
FORMAT = re.compile(r"response.?format|json.?(?:schema|object|mode)|structured|guided|grammar|schema")
FORM_NOTES: dict[Form, str] = {
    "object": "takes no JSON Schema: any JSON object is asked for, and the schema stands in the last message",
    "prompt": "cannot be held to JSON: the schema stands in the last message alone",
}
ALTERNATE = "roles must alternate"
INSTRUCTION = "developer instruction"
ONLY_ONE_OF = re.compile(r"\bboth\b|\bonly one of\b")


NOTHING = Lessons()


class Taught:
    """What one model takes."""

    def __init__(self, model: Model, lessons: Lessons = NOTHING) -> None:
        self._notes: list[str] = []
        self._without_chances = False
        self._model = model
        self._renamed = dict(lessons.renamed)
        self._refused = set(lessons.refused)
        self._no_system = lessons.no_system
        self._most_choices = lessons.most_choices
        self._form: Form = lessons.form
        self._alternatives = lessons.alternatives

    @property
    def lessons(self) -> Lessons:
        """What it has taught so far."""
        return Lessons(
            dict(self._renamed),
            frozenset(self._refused),
            self._no_system,
            self._most_choices,
            self._form,
            self._alternatives,
        )

    @property
    def most_choices(self) -> int:
        """How many replies it gives to one request, as far as is known."""
        return 1 if "n" in self._refused else self._most_choices

    def gave(self, choices: int, asked: int) -> None:
        """Takes in that it gave so many replies where so many were asked for."""
        if choices >= min(asked, self._most_choices) or "n" in self._refused:
            return
        if choices == 1:
            self._refused.add("n")
            text = "gives one reply where several are asked for (n): the repeats are asked one by one"
        else:
            self._most_choices = choices
            text = AT_MOST.format(choices)
        self._notes.append(f"Model {self._model.id} {text}.")

    def body(self, request: Request, choices: int = 1) -> dict[str, Any]:
        """What is sent: `choices` replies are asked for where there may be more than one."""
        body: dict[str, Any] = {"model": request.model.name}
        for name, value in msgspec.structs.asdict(request.sampling).items():
            if value is not None and name not in self._refused:
                body[self._renamed.get(name, name)] = value
        if min(choices, self.most_choices) > 1:
            body["n"] = min(choices, self._most_choices)
        readout, shown = request.model.readout, request.shown
        body |= parameters(readout, shown, self._form, self._alternatives)
        messages = _without_system(request.messages) if self._no_system else list(request.messages)
        said = instruction(readout, shown, self._form)
        if said is not None:
            messages[-1] = ChatMessage(messages[-1].role, f"{messages[-1].content}\n\n{said}")
        body["messages"] = [{"role": message.role, "content": message.content} for message in messages]
        return body

    def sent(self, body: dict[str, Any], request: Request) -> str:
        """The body's parameters as JSON, without messages; `adapted` says what differs from what was asked."""
        shown = recorded({name: value for name, value in body.items() if name != "messages"})
        stated = msgspec.structs.asdict(request.sampling)
        left_out = {name: stated[name] for name in self._refused if stated.get(name) is not None}
        renamed = {name: new for name, new in self._renamed.items() if stated.get(name) is not None}
        readout = request.model.readout
        system = self._no_system and any(message.role == "system" for message in request.messages)
        adapted = {
            **({"left_out": left_out} if left_out else {}),
            **({"renamed": renamed} if renamed else {}),
            **({"system": "on top of the first user message"} if system else {}),
            **({"json_schema": "in the last message"} if readout == "json" and self._form != "schema" else {}),
            **({"logprobs": "left out"} if readout == "options" and not self._alternatives else {}),
        }
        return msgspec.json.encode({**shown, "adapted": adapted} if adapted else shown).decode()

    def learn(self, problem: Problem, body: dict[str, Any]) -> None:
        """Takes in what a complaint about `body` says of the model; nothing, where it is about something
        else."""
        if "n" in body and (problem.param == "n" or CHOICES.search(problem.message)):
            if body["n"] <= self.most_choices:
                self._learn_choices(problem, body["n"])
            return
        if "response_format" in body and FORMAT.search(f"{problem.said} {problem.param}"):
            if body["response_format"]["type"] == TYPES[self._form]:  # not learned from another reply meanwhile
                self._learn_form(problem)
            return
        if "logprobs" in body and problem.words & {"logprobs", "toplogprobs"}:
            if body["top_logprobs"] == self._alternatives:
                self._learn_alternatives(problem)
            return
        newer = NEWER["max_tokens"]
        if "max_tokens" in body and newer in problem.message and "max_tokens" not in self._renamed:
            self._renamed["max_tokens"] = newer
            self._note(
                f"takes {newer} in place of max_tokens, which is sent under that name from now on", problem
            )
            return
        named = [name for name in OPTIONAL if name in body and _names(problem, name)]
        if named and problem.about_support and not ONLY_ONE_OF.search(problem.said):
            for name in named:
                self._refuse(name, "it is left out, and the provider's own value holds", problem)
        elif not named and _has_system(body) and _about_system(problem) and not self._no_system:
            self._no_system = True
            self._note("takes no system message: its text is sent on top of the first user message", problem)

    def _learn_choices(self, problem: Problem, asked: int) -> None:
        """Takes in that so many are too many: one is not, nor is a number that the complaint names."""
        most = _most(problem, asked)
        if most is not None:
            self._most_choices = most
            self._note(AT_MOST.format(most), problem)
        else:
            self._refuse("n", "the repeats are asked one by one", problem)

    def _learn_form(self, problem: Problem) -> None:
        self._form = FORMS[FORMS.index(self._form) + 1]
        self._note(FORM_NOTES[self._form], problem)

    def _learn_alternatives(self, problem: Problem) -> None:
        most = _most(problem, self._alternatives)
        self._alternatives = most or 0
        if most is not None:
            text = f"gives the probabilities of {most} tokens at most: no more are asked for"
        else:
            text = "gives no probabilities of tokens: its answers are read from the text"
        self._note(text, problem)

    def weighed(self, reply: Reply) -> None:
        """Takes in a reply that ought to hold probabilities."""
        if reply.text and reply.chances is None and not self._without_chances:
            self._without_chances = True
            text = "sends no probabilities of tokens: its answers are read from the text"
            self._notes.append(f"Model {self._model.id} {text}.")

    def take_notes(self) -> tuple[str, ...]:
        """What was learned and has not been told yet."""
        notes, self._notes = tuple(self._notes), []
        return notes

    def _refuse(self, name: str, what_follows: str, problem: Problem) -> None:
        if name not in self._refused:
            self._refused.add(name)
            self._note(f"refuses {name}: {what_follows}", problem)

    def _note(self, text: str, problem: Problem) -> None:
        self._notes.append(f"Model {self._model.id} {text}. (It said: {problem.message})")


def _most(problem: Problem, asked: int) -> int | None:
    """The one number that a complaint about `asked` names as fewer."""
    named = {int(number) for number in re.findall(r"\b\d{1,3}\b", problem.message)}
    fewer = [number for number in named if 1 < number < asked]
    return fewer[0] if len(fewer) == 1 else None


def _names(problem: Problem, parameter: str) -> bool:
    words = problem.words
    return parameter.replace("_", "") in words or (parameter.endswith("_penalty") and "penalty" in words)


def _about_system(problem: Problem) -> bool:
    if ALTERNATE in problem.said or INSTRUCTION in problem.said:
        return True
    return problem.about_support and "system" in problem.words


def _has_system(body: dict[str, Any]) -> bool:
    return any(message["role"] == "system" for message in body["messages"])


def _without_system(messages: tuple[ChatMessage, ...]) -> list[ChatMessage]:
    """The messages, the system's text put on top of the first user message; a conversation without one
    begins with it."""
    system = "\n\n".join(message.content for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    at = next((place for place, message in enumerate(rest) if message.role == "user"), None)
    if not system:
        return rest
    if at is None:
        return [ChatMessage("user", system), *rest]
    return [*rest[:at], ChatMessage("user", f"{system}\n\n{rest[at].content}"), *rest[at + 1 :]]
