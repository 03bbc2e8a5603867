"""What a user did wrong, or what the machine refused: one message, and an exit status."""

from __future__ import annotations


class UserError(Exception):
    """A mistake of the user's: the message says what, where, why and what to do. Exit status 2."""


class Failure(Exception):
    """Something failed or stayed incomplete through no fault of the input. Exit status 1."""
