"""From files to one program: follows `use`, gathers names, and reads the data files that a spec takes in.

Nothing here judges what a declaration says: that is what checks are for.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, Note, diagnostic
from compiler.parse import parse
from compiler.source import Source, Span
from schemas.table import Files, Table, TableError

MAX_CHAIN = 50

LIBRARY = "ebc:"
"""Paths that begin so are in the shipped library."""

Declared = TypeVar("Declared", bound=ast.Declaration)


@dataclass(frozen=True, eq=False)
class Program:
    """All files in use, and what they declare, by name. `tables` holds every data file that a declaration
    takes in, by path and sheet: a grid, or the message of what is wrong with it."""

    main: str
    files: Mapping[str, ast.File]
    scales: Mapping[str, ast.ScaleDecl]
    emotions: Mapping[str, ast.EmotionDecl]
    stimuli: Mapping[str, ast.StimuliDecl]
    prompts: Mapping[str, ast.PromptDecl]
    protocols: Mapping[str, ast.ProtocolDecl]
    models: Mapping[str, ast.ModelDecl]
    responses: Mapping[str, ast.ResponsesDecl]
    studies: Mapping[str, ast.StudyDecl]
    tables: Mapping[tuple[str, str | None], Table | str] = field(repr=False)

    def table(self, path: ast.Str, sheet: ast.Str | None) -> Table | str:
        """The data file that a declaration names."""
        return self.tables[_data_path(path), None if sheet is None else sheet.text]

    def own_studies(self) -> list[ast.StudyDecl]:
        """The studies that the main file itself declares."""
        return [study for study in self.studies.values() if study.span.path == self.main]


@dataclass
class Loader:
    """Reads files, each once, in the order in which they are used."""

    files: Files
    library: Files
    sources: dict[str, Source] = field(default_factory=dict)
    parsed: dict[str, ast.File] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)

    def load(self, path: str) -> Program:
        """The program whose main file is `path`."""
        self._read(path, Span(path, 0, 0), ())
        names = Names(self.found)
        return Program(
            main=path,
            files=self.parsed,
            scales=names.gather(self.parsed, ast.ScaleDecl, "scale"),
            emotions=names.gather(self.parsed, ast.EmotionDecl, "emotion"),
            stimuli=names.gather(self.parsed, ast.StimuliDecl, "stimuli"),
            prompts=names.gather(self.parsed, ast.PromptDecl, "prompt"),
            protocols=names.gather(self.parsed, ast.ProtocolDecl, "protocol"),
            models=names.gather(self.parsed, ast.ModelDecl, "model"),
            responses=names.gather(self.parsed, ast.ResponsesDecl, "responses"),
            studies=names.gather(self.parsed, ast.StudyDecl, "study"),
            tables=self._tables(),
        )

    def _read(self, path: str, used_at: Span, way: tuple[str, ...]) -> None:
        if path in way:
            steps = " and ".join(f"`{step}`" for step in (*way[way.index(path) + 1 :], path))
            self.found.append(
                diagnostic(
                    Code.IMPORT_CYCLE, used_at, path=path, way=steps, help="take one of the `use` lines out"
                )
            )
            return
        if path in self.parsed:
            return
        if len(way) >= MAX_CHAIN:
            what = "files that use one another in a row"
            self.found.append(diagnostic(Code.TOO_DEEP, used_at, limit=MAX_CHAIN, what=what))
            return
        text = self._text(path, used_at)
        if text is None:
            return
        self.sources[path] = Source(path, text)
        file, found = parse(path, text)
        self.found += found
        self.parsed[path] = file
        for use in file.uses:
            self._follow(use, path, (*way, path))

    def _text(self, path: str, used_at: Span) -> str | None:
        files, name = self._where(path)
        try:
            return files.read_text(name)
        except FileNotFoundError:
            self.found.append(diagnostic(Code.NO_FILE, used_at, path=path))
        except UnicodeDecodeError as error:
            where = Span(path, 0, 0)
            self.found.append(
                diagnostic(Code.NOT_UTF8, where, path=path, byte=error.start + 1, help="save the file as UTF-8")
            )
        except (TableError, OSError) as error:
            self.found.append(diagnostic(Code.DATA_FILE, used_at, message=str(error)))
        return None

    def _where(self, path: str) -> tuple[Files, str]:
        if path.startswith(LIBRARY):
            return self.library, path.removeprefix(LIBRARY)
        return self.files, path

    def _follow(self, use: ast.Use, path: str, way: tuple[str, ...]) -> None:
        wanted = use.path.text if use.path.text.endswith(".eb") else f"{use.path.text}.eb"
        beside = _join(path, wanted)
        shipped = LIBRARY + posixpath.normpath(wanted)
        for candidate in (beside, shipped):
            files, name = self._where(candidate)
            prefix = candidate.removesuffix(name)
            hits = [prefix + hit for hit in files.glob(_pattern(name, wanted))]
            if hits:
                for hit in hits:
                    if hit != path or "*" not in wanted:
                        self._read(hit, use.span, way)
                return
        self.found.append(
            diagnostic(
                Code.NO_FILE,
                use.path.span,
                path=f"`{beside}`",
                help="`use` looks beside the file that says it, then in the library that comes with ebc",
            )
        )

    def _tables(self) -> dict[tuple[str, str | None], Table | str]:
        tables: dict[tuple[str, str | None], Table | str] = {}
        for file in self.parsed.values():
            for path, sheet in _data_files(file):
                key = (_data_path(path), None if sheet is None else sheet.text)
                if key not in tables:
                    files, name = self._where(key[0])
                    tables[key] = _table(files, name, key[1])
        return tables


class Names:
    """Gathers declarations by name, and reports the names that are declared twice."""

    def __init__(self, found: list[Diagnostic]) -> None:
        self._found = found

    def gather(self, files: Mapping[str, ast.File], kind: type[Declared], word: str) -> dict[str, Declared]:
        named: dict[str, Declared] = {}
        for file in files.values():
            for declaration in file.declarations:
                if not isinstance(declaration, kind):
                    continue
                first = named.setdefault(declaration.name.text, declaration)
                if first is not declaration:
                    self._twice(word, first.name, declaration.name)
        return named

    def _twice(self, word: str, first: ast.Name, second: ast.Name) -> None:
        note = Note(first.span, "first declared here")
        self._found.append(
            diagnostic(
                Code.DUPLICATE,
                second.span,
                kind=word,
                name=second.text,
                notes=(note,),
                help="rename one of them",
            )
        )


def _pattern(name: str, wanted: str) -> str:
    """A path for `glob` in which nothing is a wild card but the stars that the user wrote."""
    escaped = re.sub(r"([*?[])", r"[\1]", name)
    return escaped.replace("[*]", "*") if "*" in wanted else escaped


def _join(path: str, other: str) -> str:
    prefix = LIBRARY if path.startswith(LIBRARY) else ""
    return prefix + posixpath.normpath(posixpath.join(posixpath.dirname(path.removeprefix(LIBRARY)), other))


def _data_path(path: ast.Str) -> str:
    """Data files stand beside the file that names them."""
    return _join(path.span.path, path.text)


def _table(files: Files, path: str, sheet: str | None) -> Table | str:
    try:
        return files.read_table(path, sheet)
    except FileNotFoundError:
        return f"there is no file `{path}`"
    except (TableError, OSError) as error:
        return str(error)


def _data_files(file: ast.File) -> Iterator[tuple[ast.Str, ast.Str | None]]:
    for declaration in file.declarations:
        match declaration:
            case ast.ScaleDecl():
                for statement in declaration.body:
                    if isinstance(statement, ast.ItemsFrom):
                        yield statement.data.path, statement.data.sheet
            case ast.EmotionDecl():
                for factor in declaration.factors:
                    if factor.data is not None:
                        yield factor.data.path, factor.data.sheet
            case ast.StimuliDecl():
                yield declaration.path, declaration.sheet
            case ast.StudyDecl():
                for part in declaration.body:
                    if isinstance(part, ast.ExpectTable):
                        yield part.path, part.sheet
            case ast.PromptDecl() | ast.ProtocolDecl() | ast.ModelDecl() | ast.ResponsesDecl():
                pass
