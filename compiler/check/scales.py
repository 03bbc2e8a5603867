"""Scales: items, options, scoring keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compiler import ast
from compiler.check.wording import twice, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.items import (
    MAX_OPTIONS,
    ResolvedItem,
    column_index,
    item_numbers,
    items_of,
    options_of,
    parts,
    references,
    scale_options,
)
from compiler.resolve import Program

FUNCTIONS = ("sum", "mean")


def check_scales(program: Program) -> Iterator[Diagnostic]:
    for decl in program.scales.values():
        items = items_of(program, decl)
        yield from _statements(program, decl)
        yield from _numbering(decl, items)
        yield from _options(decl, items)
        yield from _keyed(decl, items)
        for subscale in parts(decl, ast.SubscaleDecl):
            yield from _score(decl, items, subscale.score)
            yield from _counted_twice(decl, items, subscale)
        yield from _unused(decl, items)


def _statements(program: Program, decl: ast.ScaleDecl) -> Iterator[Diagnostic]:
    where = f"scale `{decl.name.text}`"
    yield from twice([(s.span, "options") for s in parts(decl, ast.Options)], where)
    yield from twice([(s.span, "missing") for s in parts(decl, ast.Missing)], where)
    yield from twice([(s.span, "language") for s in parts(decl, ast.Language)], where)
    yield from twice([(s.span, "cite") for s in parts(decl, ast.Cite)], where)
    yield from twice([(s.name.span, s.name.text) for s in parts(decl, ast.SubscaleDecl)], where)
    for missing in parts(decl, ast.Missing):
        yield from whole(missing.up_to, "missing up to", 0)
    for statement in parts(decl, ast.ItemsFrom):
        yield from data_file(program, statement.data)
    known = [s.name.text for s in parts(decl, ast.SubscaleDecl)]
    for norm in parts(decl, ast.NormDecl):
        yield from whole(norm.n, "n", 1)
        if norm.subscale.text not in known:
            help = nearest(norm.subscale.text, known)
            yield diagnostic(
                Code.UNKNOWN,
                norm.subscale.span,
                kind="subscale",
                name=norm.subscale.text,
                where=f" in {where}",
                help=help,
            )


def data_file(program: Program, data: ast.DataFile) -> Iterator[Diagnostic]:
    """A data file that a declaration takes a column of."""
    table = program.table(data.path, data.sheet)
    if isinstance(table, str):
        yield diagnostic(Code.DATA_FILE, data.path.span, message=table)
        return
    index = column_index(table, data.column)
    header = [str(cell) for cell in (table.rows[0] if table.rows else ()) if cell is not None]
    if index is None:
        span = data.path.span if data.column is None else data.column.span
        named = "that could be meant: name one" if data.column is None else _column_name(data.column)
        written = data.column.text if isinstance(data.column, ast.Str) else ""
        help = nearest(written, header) or f"its columns are {', '.join(header[:8])}"
        yield diagnostic(Code.NO_COLUMN, span, path=data.path.text, column=named, help=help)
        return
    for row, cells in enumerate(table.rows[1:], start=2):
        if any(cell not in (None, "") for cell in cells) and (
            index >= len(cells) or cells[index] in (None, "")
        ):
            yield diagnostic(
                Code.EMPTY_CELL,
                data.span,
                path=data.path.text,
                row=row,
                column=index + 1,
                help="fill it in, or take the row out",
            )


def _column_name(column: ast.Str | ast.Num) -> str:
    return f'"{column.text}"' if isinstance(column, ast.Str) else f"{column.value:g}"


def _numbering(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    if not items:
        yield diagnostic(Code.NO_ITEMS, decl.name.span, scale=decl.name.text, help="add an `items` block")
        return
    for key in ("number", "name"):
        counted = Counter(getattr(item, key) for item in items)
        for item in items:
            if counted[getattr(item, key)] > 1:
                yield diagnostic(Code.ITEM_TWICE, item.span, number=getattr(item, key), scale=decl.name.text)
                return
        if key == "number" and max(counted) != len(items):
            gap = min(set(range(1, len(items) + 1)) - set(counted), default=len(items) + 1)
            yield diagnostic(Code.ITEM_GAP, items[min(gap, len(items)) - 1].span, number=gap)
            return


def _options(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    own = scale_options(decl)
    groups = [group.options for group in parts(decl, ast.ItemGroup) if group.options is not None]
    singles = [i.options for group in parts(decl, ast.ItemGroup) for i in group.items if i.options is not None]
    for options in [*([own] if own else []), *groups, *singles]:
        yield from _one_options(options)
    if own is None:
        bare = next((item for item in items if item.options is None), None)
        if bare is not None:
            yield diagnostic(
                Code.NO_OPTIONS,
                bare.span,
                what=f"item {bare.name} of scale `{decl.name.text}`",
                help='add a line such as `options 1..5 { 1 "never"  5 "always" }` to the scale',
            )
    elif not own.anchors:
        yield diagnostic(
            Code.NO_ANCHORS, own.span, scale=decl.name.text, help='say what the ends mean: `{ 1 "never" }`'
        )


def _one_options(options: ast.Options) -> Iterator[Diagnostic]:
    counted = Counter(anchor.code.value for anchor in options.anchors)
    for anchor in options.anchors:
        if counted[anchor.code.value] > 1:
            counted[anchor.code.value] = 1
            yield diagnostic(Code.OPTION_TWICE, anchor.span, option=f"{anchor.code.value:g}")
    if options.first is None or options.last is None:
        if not options.anchors:
            yield diagnostic(Code.NO_OPTIONS, options.span, what="this block")
        return
    first, last = options.first.value, options.last.value
    if options.step is not None and options.step.value <= 0:
        yield diagnostic(
            Code.OUT_OF_RANGE, options.step.span, what="step", found=f"{options.step.value:g}", wanted="above 0"
        )
        return
    codes = {option.code for option in options_of(options)}
    if len(codes) >= MAX_OPTIONS:
        wanted = f"at most {MAX_OPTIONS - 1}"
        yield diagnostic(
            Code.OUT_OF_RANGE, options.span, what="options", found="too many to list", wanted=wanted
        )
    elif not codes:
        yield diagnostic(Code.EMPTY_RANGE, options.span, first=f"{first:g}", last=f"{last:g}")
    else:
        for anchor in options.anchors:
            if anchor.code.value not in codes:
                yield diagnostic(
                    Code.ANCHOR_OUTSIDE,
                    anchor.span,
                    option=f"{anchor.code.value:g}",
                    first=f"{first:g}",
                    last=f"{last:g}",
                )


def _keyed(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    by_number = {item.number: item for item in items}
    for keyed in parts(decl, ast.Keyed):
        for reference in keyed.items:
            for number in _existing(decl, items, reference, keyed.what):
                if isinstance(number, Diagnostic):
                    yield number
                elif keyed.what == "reverse":
                    item = by_number[number]
                    if len(options_of(item.options or scale_options(decl))) == 1:
                        yield diagnostic(Code.REVERSE_NO_NUMBERS, reference.span, number=number)


def _existing(
    decl: ast.ScaleDecl, items: list[ResolvedItem], reference: ast.NumberRange | ast.Name, what: str
) -> Iterator[int | Diagnostic]:
    """The numbers of the items that exist, and a diagnostic for each that does not."""
    numbers = {item.number for item in items}
    if isinstance(reference, ast.Name):
        named = item_numbers(reference, items)
        if not named:
            names = [item.name for item in items if not item.name.isdigit()]
            yield diagnostic(
                Code.UNKNOWN,
                reference.span,
                kind="item",
                name=reference.text,
                where=f" in scale `{decl.name.text}`",
                help=nearest(reference.text, names),
            )
        yield from named
        return
    if (
        not (reference.first.is_whole and reference.last.is_whole)
        or reference.last.value < reference.first.value
    ):
        first, last = reference.first.value, reference.last.value
        yield diagnostic(Code.EMPTY_RANGE, reference.span, first=f"{first:g}", last=f"{last:g}")
        return
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


def _score(decl: ast.ScaleDecl, items: list[ResolvedItem], score: ast.Expr) -> Iterator[Diagnostic]:
    for reference in references(score):
        found = _existing(decl, items, reference.item, "score")
        yield from (one for one in found if isinstance(one, Diagnostic))
    yield from _arithmetic(score)


def _arithmetic(score: ast.Expr) -> Iterator[Diagnostic]:
    match score:
        case ast.CallExpr():
            if score.function.text not in FUNCTIONS:
                help = nearest(score.function.text, FUNCTIONS)
                name = score.function.text
                yield diagnostic(
                    Code.UNKNOWN, score.function.span, kind="function", name=name, where="", help=help
                )
        case ast.BinaryExpr(operator="*") if _has_items(score.left) and _has_items(score.right):
            yield diagnostic(Code.NOT_LINEAR, score.span, what="multiply items with one another")
        case ast.BinaryExpr(operator="/") if _has_items(score.right):
            yield diagnostic(Code.NOT_LINEAR, score.right.span, what="divide by items")
        case ast.BinaryExpr(operator="/") if constant(score.right) == 0:
            yield diagnostic(Code.NOT_LINEAR, score.right.span, what="divide by zero")
        case ast.BinaryExpr():
            yield from _arithmetic(score.left)
            yield from _arithmetic(score.right)
        case ast.ItemRef() | ast.Num():
            pass


def _has_items(score: ast.Expr) -> bool:
    return any(True for _ in references(score))


def constant(score: ast.Expr) -> float | None:
    """The value of an expression without items; None where it has some, or none exists."""
    match score:
        case ast.Num():
            return score.value
        case ast.BinaryExpr():
            left, right = constant(score.left), constant(score.right)
            if left is None or right is None or (score.operator == "/" and right == 0):
                return None
            values = {"+": left + right, "-": left - right, "*": left * right}
            return values[score.operator] if score.operator in values else left / right
        case ast.CallExpr() | ast.ItemRef():
            return None


def _counted_twice(
    decl: ast.ScaleDecl, items: list[ResolvedItem], subscale: ast.SubscaleDecl
) -> Iterator[Diagnostic]:
    seen: set[int] = set()
    for reference in references(subscale.score):
        for number in item_numbers(reference.item, items):
            if number in seen:
                yield diagnostic(
                    Code.ITEM_IN_SUM_TWICE,
                    reference.span,
                    number=number,
                    subscale=subscale.name.text,
                    help="weights are written out: `2 * item 3 + sum(4..6)`",
                )
            seen.add(number)
    if not seen:
        yield diagnostic(Code.NO_ITEMS, subscale.score.span, scale=f"{decl.name.text}.{subscale.name.text}")


def _unused(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    used = {
        number
        for subscale in parts(decl, ast.SubscaleDecl)
        for reference in references(subscale.score)
        for number in item_numbers(reference.item, items)
    }
    fillers = {
        number
        for keyed in parts(decl, ast.Keyed)
        if keyed.what == "filler"
        for reference in keyed.items
        for number in item_numbers(reference, items)
    }
    left = [item.name for item in items if item.number not in used | fillers]
    if left:
        listed = (
            ("item " if len(left) == 1 else "items ")
            + ", ".join(left[:12])
            + (", ..." if len(left) > 12 else "")
        )
        verb = "is" if len(left) == 1 else "are"
        help = "name them in a subscale, or in a `filler` line"
        yield diagnostic(
            Code.ITEM_UNUSED, decl.name.span, items=listed, scale=decl.name.text, verb=verb, help=help
        )
