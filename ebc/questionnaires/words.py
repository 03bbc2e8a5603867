"""Names and texts as specs write them."""

from __future__ import annotations

import re
from collections.abc import Iterable


def slug(title: str) -> str:
    """A name made of a title's words."""
    word = re.sub(r"\W+", "_", title.casefold()).strip("_")
    return word if re.match(r"[^\W\d]", word) else f"n_{word}".rstrip("_")


def scale_name(name: str) -> str:
    """A questionnaire's name as a scale's."""
    return re.sub(r"\W+", "_", name)


def subscale_names(titles: list[str]) -> list[str]:
    """A name for each title, without what stands in parentheses and without words that all the titles share."""
    words = [re.sub(r"\([^)]*\)", " ", title).split() for title in titles]
    shared = (
        set.intersection(*({word.casefold() for word in one} for one in words)) if len(words) > 1 else set()
    )
    return unique(
        slug(" ".join(own if (own := [w for w in one if w.casefold() not in shared]) else one)) for one in words
    )


def unique(names: Iterable[str]) -> list[str]:
    """The names, with a number behind one that came before."""
    given: list[str] = []
    for name in names:
        same = sum(other == name or other.startswith(f"{name}_") for other in given) if name in given else 0
        given.append(f"{name}_{same + 1}" if same else name)
    return given


def quoted(text: str) -> str:
    """A text as a string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def plain(text: str) -> str:
    """A text in which no brace makes a placeholder."""
    return text.replace("{", "{{").replace("}", "}}")


def numbers(items: Iterable[int]) -> str:
    """1..3, 7."""
    runs: list[list[int]] = []
    for item in items:
        if runs and item == runs[-1][-1] + 1:
            runs[-1].append(item)
        else:
            runs.append([item])
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
