"""Replies as models write them, in own words, and what a careful coder records for each."""

from tests.runtime.replies.case import Case
from tests.runtime.replies.documents import DOCUMENTS
from tests.runtime.replies.doubts import DOUBTS
from tests.runtime.replies.lists import LISTS
from tests.runtime.replies.numbers import NUMBERS
from tests.runtime.replies.refusals import REFUSALS
from tests.runtime.replies.singles import SINGLES
from tests.runtime.replies.turns import TURNS

KINDS: dict[str, tuple[Case, ...]] = {
    "lists": LISTS,
    "numbers": NUMBERS,
    "documents": DOCUMENTS,
    "doubts": DOUBTS,
    "turns": TURNS,
    "refusals": REFUSALS,
    "singles": SINGLES,
}
