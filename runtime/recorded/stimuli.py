"""From the texts in a file to the study's situations: spellings, titles, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from runtime.recorded.faults import Fault
from runtime.recorded.pattern import Fields, Found
from schemas.plan import Recode, Stimulus

Key = TypeVar("Key", str, int)


class LeaveOut(Exception):
    """An observation that the mapping sets aside; the text says why."""


class Recodes:
    """The mapping's recodes, by field. A field may have several; the first that knows a spelling counts."""

    def __init__(self, recodes: Iterable[Recode]) -> None:
        self._fields: dict[str, dict[str, str | None]] = {}
        for recode in recodes:
            known = self._fields.setdefault(recode.field, {})
            for spelling, meaning in recode.to.items():
                known.setdefault(spelling, meaning)

    def of(self, *fields: str) -> Mapping[str, str | None]:
        """All spellings of some fields."""
        merged: dict[str, str | None] = {}
        for field in fields:
            for spelling, meaning in self._fields.get(field, {}).items():
                merged.setdefault(spelling, meaning)
        return merged

    def text(self, field: str, spelling: str) -> str | None:
        """What a spelling means: itself if nothing is said of it, None where it is a missing value."""
        return self._fields.get(field, {}).get(spelling, spelling)


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
                f'{self._what} "{spelling}" could mean {" or ".join(meant.values())}: say which with {said}.'
            )
        return next(iter(meant), None)

    def known(self) -> list[str]:
        """All spellings."""
        return list(dict.fromkeys([*self._names, *self._titles]))


class Stimuli:
    """The study's situations, found by what a file says of them."""

    def __init__(self, stimuli: Iterable[Stimulus], recodes: Recodes) -> None:
        self._recodes = recodes
        self._tree: dict[str, dict[int, dict[int, Stimulus]]] = {}
        self._emotions: Spellings[str] = Spellings("emotion")
        self._factors: dict[str, Spellings[int]] = {}
        for stimulus in stimuli:
            factors = self._tree.setdefault(stimulus.emotion, {})
            factors.setdefault(stimulus.factor_index, {})[stimulus.situation] = stimulus
            self._emotions.add(stimulus.emotion, stimulus.emotion, stimulus.emotion_title)
            names = self._factors.setdefault(stimulus.emotion, Spellings("factor"))
            names.add(stimulus.factor_index, stimulus.factor, stimulus.factor_title)
        self._known: dict[tuple[Found | None, ...], Stimulus] = {}

    def find(self, fields: Fields) -> Stimulus:
        """The situation at a place. Raises Fault where there is none, LeaveOut where a recode says so."""
        key = (fields.get("emotion"), fields.get("factor"), fields.get("situation"))
        known = self._known.get(key)
        if known is None:
            emotion = self._emotion(key[0])
            factor = self._factor(emotion, key[1])
            known = self._known[key] = self._situation(emotion, factor, key[2])
        return known

    def _emotion(self, found: Found | None) -> str:
        if found is None:
            return _only("emotion", list(self._tree))
        name = self._meaning("emotion", found)
        emotion = self._emotions.find(name)
        if emotion is None:
            raise Fault(_unknown("emotion", found.text, self._emotions.known(), "of this study"))
        return emotion

    def _factor(self, emotion: str, found: Found | None) -> int:
        if found is None:
            return _only("factor", list(self._tree[emotion]))
        name = self._meaning("factor", found)
        names = self._factors[emotion]
        named = names.find(name)
        if named is not None:
            return named
        if not (name.isascii() and name.isdigit()):
            raise Fault(_unknown("factor", found.text, names.known(), f"of {emotion}"))
        index = int(name) - found.counting_from
        if index not in self._tree[emotion]:
            raise Fault(
                f"{emotion} has no factor number {name}, counted from {found.counting_from}: this study has "
                f"{len(self._tree[emotion])} of its factors."
            )
        return index

    def _situation(self, emotion: str, factor: int, found: Found | None) -> Stimulus:
        situations = self._tree[emotion][factor]
        if found is None:
            return situations[_only("situation", list(situations))]
        index = position(found, "situation", self._meaning("situation", found))
        if index not in situations:
            title = next(iter(situations.values())).factor_title
            raise Fault(
                f'{emotion}, factor "{title}" has no situation number {found.text}, counted from '
                f"{found.counting_from}: this study has {len(situations)} there."
            )
        return situations[index]

    def _meaning(self, field: str, found: Found) -> str:
        meaning = self._recodes.text(field, found.text)
        if meaning is None:
            raise LeaveOut(f'its {field} "{found.text}" is recoded as missing')
        return meaning


def position(found: Found, field: str, meaning: str) -> int:
    """A number in a hole as an index from 0. Raises Fault."""
    if not (meaning.isascii() and meaning.isdigit()):
        raise Fault(f'"{meaning}" is no {field} number.')
    index = int(meaning) - found.counting_from
    if index < 0:
        raise Fault(
            f"{field} {meaning}, but counting begins at {found.counting_from}: say `counting from {meaning}`?"
        )
    return index


def _only(field: str, there: list[Key]) -> Key:
    if len(there) != 1:
        raise Fault(f"nothing says which {field}: the match pattern needs a {{{field}}}.")
    return there[0]


def _unknown(field: str, text: str, names: list[str], whose: str) -> str:
    import difflib

    near = difflib.get_close_matches(text.casefold(), names, n=1)
    hint = f"did the file mean {near[0]}? " if near else f"there are {', '.join(names[:8])}. "
    return (
        f'no {field} "{text}" {whose}; {hint}Say `recode {field} {{ "{text}" -> ... }}`, '
        "with `missing` to leave it out."
    )
