"""What scoring keys name: that it exists, and may stand where it stands."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from compiler import ast
from compiler.check.wording import unknown, whole
from compiler.diagnostics import Code, Diagnostic, Note, diagnostic, nearest
from compiler.model.items import ResolvedItem, item_numbers
from compiler.model.scores import FUNCTIONS, KEY, OF_SEVERAL, RAW, VALUE, Scoring, children, references
from compiler.source import Span


def check_name(scoring: Scoring, derive: ast.DeriveDecl) -> Iterator[Diagnostic]:
    """A derived value's name that already means something else. Two of one name are said elsewhere."""
    name = derive.name.text
    taken = {VALUE: "the answer at hand", KEY: "an item's key", RAW: "an answer as it was given"}
    taken.update(dict.fromkeys(FUNCTIONS, "a function"))
    taken.update({item.name: "an item" for item in scoring.items})
    if name in taken:
        second = "this derived value"
        yield diagnostic(
            Code.AMBIGUOUS, derive.name.span, name=name, first=taken[name], second=second, help="rename it"
        )


class NameCheck:
    """Checks one expression: of a derived value (`inside`), which sees the `earlier` ones, or of a subscale,
    which sees all."""

    def __init__(
        self,
        decl: ast.ScaleDecl,
        scoring: Scoring,
        earlier: list[ast.DeriveDecl],
        inside: ast.DeriveDecl | None,
    ) -> None:
        self._decl = decl
        self._scoring = scoring
        self._seen = {derive.name.text for derive in earlier}
        self._inside = inside

    def check(self, score: ast.Expr, several: bool = False) -> Iterator[Diagnostic]:
        """`several`: whether more than one item may be named at once."""
        match score:
            case ast.Num():
                return
            case ast.ItemRef():
                yield from self._reference(score, several)
            case ast.CallExpr():
                yield from self._call(score)
            case ast.BinaryExpr() | ast.CompareExpr():
                yield from self.check(score.left)
                yield from self.check(score.right)
                yield from _order(score)

    def _call(self, call: ast.CallExpr) -> Iterator[Diagnostic]:
        name = call.function.text
        of_several = name in OF_SEVERAL
        if name not in FUNCTIONS:
            yield diagnostic(
                Code.UNKNOWN,
                call.function.span,
                kind="function",
                name=name,
                where="",
                help=nearest(name, FUNCTIONS) or f"the functions are {', '.join(FUNCTIONS)}",
            )
        elif not of_several and len(call.arguments) != 1:
            found = str(len(call.arguments))
            yield diagnostic(Code.WRONG_TYPE, call.span, what=name, wanted="a single argument", found=found)
        elif name in ("min", "max") and all(isinstance(one, ast.Num) for one in call.arguments):
            help = f"a number in `{name}` is a number; items are written `item 1`, or `1..3`"
            yield diagnostic(Code.BAD_SCORE, call.span, what=f"take the {name} of numbers alone", help=help)
        for argument in call.arguments:
            yield from self.check(argument, several=of_several or name not in FUNCTIONS)
            if name in ("sum", "mean") and not any(references(argument)):
                help = "a range is written with two dots, `1..3`; a weight is written `2 * item 1`"
                what = f"put a number that is no item into a {name}"
                yield diagnostic(Code.BAD_SCORE, argument.span, what=what, help=help)

    def _reference(self, reference: ast.ItemRef, several: bool) -> Iterator[Diagnostic]:
        item = reference.item
        if reference.prefix is not None and not (yield from self._prefix(reference.prefix)):
            return
        if isinstance(item, ast.Name) and not item_numbers(item, self._scoring.items):
            yield from self._word(reference, item)
            return
        found = list(existing_items(self._decl, self._scoring.items, item, "score"))
        problems = [one for one in found if isinstance(one, Diagnostic)]
        yield from problems
        numbers = [one for one in found if not isinstance(one, Diagnostic)]
        if len(numbers) > 1 and not several and not problems:
            what = f"name several items outside of {', '.join(OF_SEVERAL[:-1])} and {OF_SEVERAL[-1]}"
            yield diagnostic(Code.BAD_SCORE, reference.span, what=what)
        if not problems:
            yield from self._keys(reference, numbers)

    def _prefix(self, prefix: ast.Name) -> Generator[Diagnostic, None, bool]:
        """Says what is wrong with what stands before an item; whether nothing is, is returned."""
        if prefix.text in (RAW, KEY):
            return True
        return (yield from self._derived(prefix))

    def _derived(self, name: ast.Name) -> Generator[Diagnostic, None, bool]:
        """Whether a derived value of this name can be used here is returned, and said where not."""
        if name.text in self._seen:
            return True
        if name.text in self._scoring.derives:
            help = f"put `derive {name.text} = ...` above"
            if self._inside is not None and name.text == self._inside.name.text:
                help = "a derived value cannot be made of itself"
            what = f"use `{name.text}` before it is derived"
            yield diagnostic(Code.BAD_SCORE, name.span, what=what, help=help)
        else:
            yield unknown(name, "derived value", [RAW, KEY, *self._scoring.derives], self._where)
        return False

    @property
    def _where(self) -> str:
        return f" in scale `{self._scoring.scale}`"

    def _word(self, reference: ast.ItemRef, word: ast.Name) -> Iterator[Diagnostic]:
        """A name that is no item's: in a derived value, of the item at hand."""
        known = word.text in (VALUE, KEY) or word.text in self._scoring.derives
        if not known:
            names = [item.name for item in self._scoring.items if not item.name.isdecimal()]
            yield unknown(word, "item", [*names, *self._scoring.derives], self._where)
        elif self._inside is None:
            help = f"`{word.text} item 3` is that of item 3, `sum({word.text} 1..3)` a sum"
            if word.text == VALUE:
                help = "an item is its value: `item 3`"
            yield diagnostic(
                Code.BAD_SCORE, word.span, what=f"use `{word.text}` without saying of which item", help=help
            )
        elif word.text in self._scoring.derives:
            yield from self._derived(word)
        if known and self._inside is not None and reference.prefix is not None:
            allowed = word.text == VALUE and reference.prefix.text == RAW
            what = f"put `{reference.prefix.text}` before `{word.text}`"
            if not allowed:
                help = "in a derived value, each stands alone; `raw value` is the answer as it was given"
                yield diagnostic(Code.BAD_SCORE, reference.span, what=what, help=help)

    def _keys(self, reference: ast.ItemRef, numbers: list[int]) -> Iterator[Diagnostic]:
        """The first item whose key is used and which has none."""
        meaning = self._scoring.meaning(reference) or RAW
        keyless = [item.number for item in self._scoring.items if item.key is None and item.number in numbers]
        used_at = reference.span if meaning == KEY else _key_behind(self._scoring, meaning)
        if keyless and used_at is not None:
            yield diagnostic(
                Code.NO_KEY,
                reference.span,
                number=keyless[0],
                scale=self._scoring.scale,
                notes=() if meaning == KEY else (Note(used_at, "its key is used here"),),
                help="write the key after the item's text: `key 3`, or `key gold` for a field of the stimuli",
            )


def _order(score: ast.BinaryExpr | ast.CompareExpr) -> Iterator[Diagnostic]:
    """A comparison whose yes or no is said to be more or less than something."""
    if score.operator in ("<", "<=", ">", ">=") and any(
        isinstance(part, ast.CompareExpr) for part in children(score)
    ):
        help = "it is 1 where it holds, else 0: compare with `is`, or add comparisons up"
        what = f"compare by `{score.operator}` what is a comparison itself"
        yield diagnostic(Code.BAD_SCORE, score.span, what=what, help=help)


def _key_behind(scoring: Scoring, derived: str) -> Span | None:
    """Where a derived value, or one that it is made of, uses the key of the item at hand."""
    pending, seen = [derived], set[str]()
    while pending:
        name = pending.pop()
        if name in seen or name not in scoring.derives:
            continue
        seen.add(name)
        for reference in references(scoring.derives[name].value):
            meaning = scoring.meaning(reference)
            if reference.prefix is None and meaning == KEY:
                return reference.span
            if reference.prefix is None and meaning is not None:
                pending.append(meaning)
    return None


def existing_items(
    decl: ast.ScaleDecl, items: list[ResolvedItem], reference: ast.NumberRange | ast.Name, what: str
) -> Iterator[int | Diagnostic]:
    """The numbers of the items that exist, and a diagnostic for each that does not."""
    if isinstance(reference, ast.Name):
        named = item_numbers(reference, items)
        if not named:
            names = [item.name for item in items if not item.name.isdecimal()]
            yield unknown(reference, "item", names, f" in scale `{decl.name.text}`")
        yield from named
        return
    problems = [*whole(reference.first, "item", 1), *whole(reference.last, "item", 1)]
    if problems:
        yield problems[0]
    elif reference.last.value < reference.first.value:
        first, last = reference.first.whole, reference.last.whole
        yield diagnostic(Code.EMPTY_RANGE, reference.span, first=first, last=last)
    else:
        yield from _numbered(decl, items, reference, what)


def _numbered(
    decl: ast.ScaleDecl, items: list[ResolvedItem], reference: ast.NumberRange, what: str
) -> Iterator[int | Diagnostic]:
    numbers = {item.number for item in items}
    code = Code.REVERSE_UNKNOWN if what == "reverse" else Code.NO_ITEM
    for number in item_numbers(reference, items):
        if number in numbers:
            yield number
        elif numbers:
            help = f"the items are 1 to {max(numbers)}"
            yield diagnostic(
                code, reference.span, what=f"this {what}", number=number, scale=decl.name.text, help=help
            )
            return
