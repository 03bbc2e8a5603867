"""What a `questionnaires.json` says."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from ebc.errors import UserError

Read = TypeVar("Read")

FILE = "questionnaires.json"


class Crowd(msgspec.Struct, frozen=True):
    """A norm: the scores of a subscale in a group of `n` people. `std` is their standard deviation."""

    crowd_name: str
    mean: int | float
    std: int | float
    n: int


class Category(msgspec.Struct, frozen=True):
    """A subscale: its title, its items' numbers, its norms."""

    cat_name: str
    cat_questions: tuple[int, ...]
    crowd: tuple[Crowd, ...] = ()


class Questionnaire(msgspec.Struct, frozen=True):
    """`scale` is the smallest code plus the largest. `prompt` may say SCENARIO, where a situation then goes."""

    name: str
    questions: dict[int, str]
    compute_mode: Literal["SUM", "SUM*2", "AVG"]
    prompt: str
    inner_setting: str
    scale: int
    reverse: tuple[int, ...]
    categories: tuple[Category, ...]


def read_json(path: Path, kind: type[Read], benchmark: str, hint: str) -> Read:
    """A benchmark's JSON file. Raises UserError, which ends with the hint, where it is missing or otherwise."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError as error:
        raise UserError(f"there is no {path}. {hint}") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{path} is not as {benchmark} has it: {error}. {hint}") from error
