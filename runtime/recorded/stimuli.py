"""From the texts in a file to the study's stimuli: names, or places with their spellings, titles and
numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from runtime.recorded.faults import Fault
from runtime.recorded.pattern import Fields, Found
from runtime.recorded.recodes import Recodes, whole
from schemas.plan import Stimulus

Key = TypeVar("Key", str, int)


class Spellings(Generic[Key]):
    """What things are called, whatever the case: their names, and their titles where no name is like it."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._names: dict[str, dict[Key, str]] = {}
        self._titles: dict[str, dict[Key, str]] = {}

    def add(self, key: Key, name: str, title: str) -> None:
        self._names.setdefault(name.casefold(), {})[key] = name
        self._titles.setdefault(title.casefold(), {})[key] = name

    def find(self, spelling: str) -> Key | None:
        """What a spelling means, or None. Raises Fault where it could be two things."""
        folded = spelling.casefold()
        meant = self._names.get(folded) or self._titles.get(folded) or {}
        if len(meant) > 1:
            said = f'`recode {self._what} {{ "{spelling}" -> ... }}`'
            raise Fault(
                f'{self._what} "{spelling}" could mean {" or ".join(meant.values())}: say which with {said}.',
                self._what,
            )
        return next(iter(meant), None)

    def known(self) -> list[str]:
        """All spellings."""
        return list(dict.fromkeys([*self._names, *self._titles]))


class Stimuli:
    """The study's stimuli, found by what a file says of them."""

    def __init__(self, stimuli: Iterable[Stimulus], recodes: Recodes) -> None:
        self._recodes = recodes
        self._named: dict[str, list[Stimulus]] = {}
        self._tree: dict[str, dict[int, dict[int, Stimulus]]] = {}
        self._emotions: Spellings[str] = Spellings("emotion")
        self._factors: dict[str, Spellings[int]] = {}
        for stimulus in stimuli:
            if stimulus.name is not None:
                self._named.setdefault(stimulus.name, []).append(stimulus)
            else:
                self._plant(stimulus)
        self._known: dict[tuple[Found | None, ...], Stimulus] = {}

    def _plant(self, stimulus: Stimulus) -> None:
        emotion, factor, index = stimulus.emotion, stimulus.factor, stimulus.factor_index
        if emotion is None or factor is None or index is None:
            return
        self._tree.setdefault(emotion, {}).setdefault(index, {})[stimulus.situation] = stimulus
        self._emotions.add(emotion, emotion, stimulus.emotion_title or emotion)
        self._factors.setdefault(emotion, Spellings("factor")).add(
            index, factor, stimulus.factor_title or factor
        )

    def find(self, fields: Fields) -> Stimulus:
        """The stimulus of a name, or the situation at a place. Raises Fault where there is none, LeaveOut where
        a recode says so."""
        key = tuple(fields.get(name) for name in ("stimulus", "emotion", "factor", "situation"))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._find(*key)
        return known

    def _find(
        self, name: Found | None, emotion: Found | None, factor: Found | None, situation: Found | None
    ) -> Stimulus:
        if name is not None:
            return self._by_name(name.text)
        if not self._tree:
            stimuli = [one for named in self._named.values() for one in named]
            if len(stimuli) == 1:
                return stimuli[0]
            raise Fault(
                "nothing says which stimulus: say `stimulus = column ...`, or give a pattern a {stimulus}."
            )
        of = self._emotion(emotion)
        return self._situation(of, self._factor(of, factor), situation)

    def _by_name(self, written: str) -> Stimulus:
        name = self._recodes.required("stimulus", written)
        found = self._named.get(name, [])
        if not found:
            raise Fault(_unknown("stimulus", name, list(self._named), "of this study"), "stimulus")
        if len(found) > 1:
            told = " or ".join(one.id for one in found[:3])
            raise Fault(f'stimulus "{name}" could mean {told}: give them names that differ.', "stimulus")
        return found[0]

    def _emotion(self, found: Found | None) -> str:
        if found is None:
            return _only("emotion", list(self._tree))
        name = self._recodes.required("emotion", found.text)
        emotion = self._emotions.find(name)
        if emotion is None:
            raise Fault(_unknown("emotion", found.text, self._emotions.known(), "of this study"), "emotion")
        return emotion

    def _factor(self, emotion: str, found: Found | None) -> int:
        if found is None:
            return _only("factor", list(self._tree[emotion]))
        name = self._recodes.required("factor", found.text)
        names = self._factors[emotion]
        named = names.find(name)
        if named is not None:
            return named
        number = whole(name)
        if number is None:
            raise Fault(_unknown("factor", found.text, names.known(), f"of {emotion}"), "factor")
        index = number - found.counting_from
        if index not in self._tree[emotion]:
            raise Fault(
                f"{emotion} has no factor number {name}, counted from {found.counting_from}: this study has "
                f"{len(self._tree[emotion])} of its factors.",
                "factor",
            )
        return index

    def _situation(self, emotion: str, factor: int, found: Found | None) -> Stimulus:
        situations = self._tree[emotion][factor]
        if found is None:
            return situations[_only("situation", list(situations))]
        index = position(found, "situation", self._recodes.required("situation", found.text))
        if index not in situations:
            title = next(iter(situations.values())).factor_title
            raise Fault(
                f'{emotion}, factor "{title}" has no situation number {found.text}, counted from '
                f"{found.counting_from}: this study has {len(situations)} there.",
                "situation",
            )
        return situations[index]


def position(found: Found, field: str, meaning: str) -> int:
    """A number in a hole as an index from 0. Raises Fault."""
    number = whole(meaning)
    if number is None:
        raise Fault(f'"{meaning[:60]}" is no {field} number.', field)
    index = number - found.counting_from
    if index < 0:
        raise Fault(
            f"{field} {meaning}, but counting begins at {found.counting_from}: say `counting from {meaning}`?",
            field,
        )
    return index


def _only(field: str, there: list[Key]) -> Key:
    if len(there) != 1:
        raise Fault(f"nothing says which {field}: the match pattern needs a {{{field}}}.", field)
    return there[0]


def _unknown(field: str, text: str, names: list[str], whose: str) -> str:
    import difflib

    near = difflib.get_close_matches(text, names, n=1) or difflib.get_close_matches(text.casefold(), names, n=1)
    told = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "") or "none"
    hint = f"did the file mean {near[0]}? " if near else f"there are {told}. "
    return (
        f'no {field} "{text}" {whose}; {hint}Say `recode {field} {{ "{text}" -> ... }}`, '
        "with `missing` to leave it out."
    )
