"""The one layout of .eb files: from a syntax tree, with its comments, to text."""

from __future__ import annotations

from compiler import ast
from compiler.format.declarations import statement_line
from compiler.format.layout import Printer

__all__ = ["format_file"]


def format_file(file: ast.File) -> str:
    """The canonical text of a file: parsing it gives an equal tree, and formatting that gives the same text.

    Every comment stays, in its order. The file must have been read without an error: what a syntax error left
    out of the tree would be left out of the text too.
    """
    return Printer(file.text, file.comments).file([statement_line(statement) for statement in file.statements])
