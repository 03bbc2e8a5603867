"""Random specs as lists of tokens: what the grammar allows, in any mixture; ways to write and break them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Tokens = list[str]
Maker = SearchStrategy[Tokens]

# Names that no place of the grammar takes for a keyword, and some that are keywords elsewhere.
_NAMES = ("anger", "PANAS", "x1", "gpt_4", "größe", "reply", "seed", "kind", "study", "scale", "model", "n")

_prose = st.text(
    alphabet=st.one_of(
        st.sampled_from(list('aZ ."\\\n\t#{}né“’ntr')), st.characters(exclude_categories=["Cs"])
    ),
    max_size=30,
)
names = st.sampled_from(_NAMES).map(lambda name: [name])
whole_numbers = st.one_of(st.integers(0, 12), st.integers(0, 2**53)).map(lambda number: [str(number)])
numbers = st.one_of(
    whole_numbers,
    st.floats(0, 1e15, allow_nan=False).map(lambda number: [repr(number)]),
    st.sampled_from(["0.50", "1e3", "2E-2", "007"]).map(lambda written: [written]),
)


def _escaped(text: str) -> str:
    for char, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(char, escape)
    return f'"{text}"'


def _block(text: str) -> str:
    return '"""\n    ' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\n    ") + '\n  """'


strings = st.one_of(
    _prose.map(lambda text: [_escaped(text)]),
    _prose.map(lambda text: [_block(text)]),
    st.sampled_from([['""'], ['"a b"'], [r'"\d \q"'], ['"""x"""'], [r'"not"']]),
)
signed_numbers = st.one_of(numbers, numbers.map(lambda number: ["-", *number]))


def seq(*parts: str | Maker) -> Maker:
    """One after the other; words stand for themselves."""
    makers = [st.just(part.split()) if isinstance(part, str) else part for part in parts]
    return st.tuples(*makers).map(lambda found: [token for tokens in found for token in tokens])


def maybe(*parts: str | Maker) -> Maker:
    return st.one_of(st.just([]), seq(*parts))


def many(part: Maker, least: int = 0, most: int = 4) -> Maker:
    return st.lists(part, min_size=least, max_size=most).map(
        lambda found: [token for tokens in found for token in tokens]
    )


def commas(part: Maker, between: str = ",", most: int = 4) -> Maker:
    return seq(part, many(seq(between, part), most=most))


def block(part: Maker) -> Maker:
    return seq("{", many(part), "}")


# --- words

dotted = seq(names, maybe(".", names))
quotable = st.one_of(names, strings)
file_part = seq("from", strings, maybe("sheet", strings))
data_file = seq(file_part, maybe("column", st.one_of(strings, numbers)))
place = seq(st.sampled_from([["row"], ["column"]]), st.one_of(numbers, strings))
source = st.one_of(place, seq("constant", strings), strings)
_setting_value = commas(st.one_of(quotable, signed_numbers))
settings = st.recursive(
    block(seq(dotted, _setting_value)),
    lambda inner: block(seq(dotted, st.one_of(_setting_value, inner))),
    max_leaves=4,
)

# --- scales

number_range = seq(whole_numbers, maybe("..", whole_numbers))
item_reference = seq(maybe("raw"), st.one_of(number_range, names))
call = seq(names, "(", commas(item_reference, most=12), ")")
_atom = st.one_of(
    numbers, call, seq(maybe("raw"), "item", number_range), seq(maybe("raw"), names), seq("-", numbers)
)


def _larger(expression: Maker) -> Maker:
    operator = st.sampled_from([["+"], ["-"], ["*"], ["/"]])
    return st.one_of(
        seq("(", expression, ")"), seq("-", "(", expression, ")"), seq(expression, operator, expression)
    )


score = st.recursive(_atom, _larger, max_leaves=12)
anchors = block(seq(numbers, strings))
options = st.one_of(anchors, seq(numbers, "..", numbers, maybe("step", numbers), maybe(anchors)))
item = seq(st.one_of(st.just([]), numbers, st.just(["cause"])), strings, maybe("options", options))
keyed = commas(st.one_of(number_range, names))
scale_statement = st.one_of(
    seq("cite", strings, maybe("doi", strings)),
    seq("options", options),
    seq("items", "{", maybe("options", options), many(item), "}"),
    seq("items", data_file),
    seq("subscale", names, maybe(strings), "=", score),
    seq("reverse", keyed),
    seq("filler", keyed),
    seq("missing up to", numbers),
    seq("norm", names, "in", strings, "mean", numbers, "sd", numbers, "n", numbers),
    seq("language", strings),
)

# --- stimuli, prompts, protocols, models

situation = seq(strings, maybe(block(seq(names, strings))))
factor = seq("factor", names, maybe(strings), st.one_of(block(situation), data_file))
message = seq(st.sampled_from([["system"], ["user"], ["assistant"]]), strings)
variant = seq("variant", names, block(st.one_of(message, seq("append", message))))
argument = seq(names, "=", st.one_of(names, strings))
reference = seq(dotted, maybe("(", commas(argument), ")"))
step = st.one_of(seq("present", reference), seq("measure", maybe(names), "with", reference))
condition = seq(
    "condition", names, maybe("each", st.sampled_from([["situation"], ["stimulus"]])), maybe(block(step))
)

# --- recorded answers, and stimuli from data files

at = st.one_of(numbers, strings)
signed_range = seq(signed_numbers, "..", signed_numbers)
recode_pair = seq(st.one_of(strings, signed_numbers, signed_range), "->", st.one_of(quotable, signed_numbers))
recode = seq("recode", names, block(recode_pair))
match = seq("match", place, strings, maybe("counting from", numbers))
in_order = maybe("in order", place)
labels = seq("as labels")
cells = st.one_of(
    seq(place, "as list", maybe("of labels"), in_order),
    seq(place, labels, in_order),
    seq(place, "in order", place),
    seq(st.sampled_from([["rows"], ["columns"]]), commas(seq(at, maybe("..", at))), maybe(labels), in_order),
)
assign = seq(names, "=", st.one_of(source, seq("counted"), cells))
covariate = seq("covariate", names, "=", st.one_of(source, cells, seq(numbers, "-", place)))
said = st.one_of(match, recode, covariate, assign, seq("condition", names, block(st.one_of(match, assign))))
level = seq(names, maybe("=", strings))
block_statement = st.recursive(
    said,
    lambda inner: seq("vary", names, "over", commas(level), block(inner)),
    max_leaves=4,
)
mapping = st.one_of(seq("kind", names), seq("headers", numbers), block_statement)
stimuli = seq(
    "stimuli",
    names,
    maybe(strings),
    file_part,
    block(st.one_of(seq(names, "=", st.one_of(source, seq("counted"))), recode)),
)

# --- studies

predicate = seq(names, "is", maybe("not"), commas(st.one_of(names, strings, numbers), "or"))
where = seq("where", commas(predicate, "and"))
clause = st.one_of(
    seq("of", commas(dotted)),
    where,
    seq("by", commas(commas(names, "*"))),
    seq("per", names),
    seq("paired by", names),
    settings,
)
side = st.one_of(seq(dotted, maybe("in", quotable)), seq("in", quotable), seq("norm", strings))
sides = st.one_of(seq(side, "-", side), seq(side, many(seq(",", side), least=1)))
expected = st.one_of(
    seq(names, "=", source, maybe("rounded", numbers), maybe("within", numbers)),
    seq("where", place, "is", commas(strings, "or")),
    recode,
    seq("erratum", strings, where),
)
study_statement = st.one_of(
    seq("protocol", names),
    seq("scales", commas(seq(names, maybe("for", commas(names, "and"))))),
    seq("stimuli", commas(st.one_of(dotted, st.just(["*"])))),
    seq("panels", commas(quotable, most=12)),
    seq("sampling", settings),
    seq(st.sampled_from([["repeats"], ["seed"]]), numbers),
    seq("orders", numbers, maybe("shuffled")),
    seq("split", quotable, "into", commas(seq(names, numbers))),
    seq("between", commas(names)),
    seq("contrast", names, maybe(strings), "=", sides, many(clause)),
    seq("correlate", names, maybe(strings), "=", side, "with", side, many(clause)),
    seq("agreement", names, maybe(strings), "=", side, maybe("with", side), many(clause)),
    seq("reliability", names, maybe(strings), many(clause)),
    seq(
        "expect", dotted, "of", dotted, "=", signed_numbers, "within", numbers, maybe(where), "source", strings
    ),
    seq("expect", names, file_part, "source", strings, block(expected)),
)
declaration = st.one_of(
    seq("use", strings),
    seq("scale", names, maybe(strings), block(scale_statement)),
    seq("emotion", names, maybe(strings), block(factor)),
    seq("prompt", names, st.one_of(strings, block(st.one_of(message, variant)))),
    stimuli,
    seq("protocol", names, maybe(strings), block(st.one_of(condition, seq("then", block(step))))),
    seq("model", quotable, maybe(strings), settings),
    seq("responses", names, maybe(strings), file_part, maybe("transposed"), block(mapping)),
    seq("study", names, maybe(strings), block(study_statement)),
)
specs = many(declaration)

_comment = st.text(alphabet="ab \"#{}'“é", max_size=8).map(lambda text: f"  #{text}\n")
_gap = st.one_of(
    st.sampled_from([" ", " ", " ", "\n", "\n\n", "\n \n\n", "\r\n"]),
    _comment,
    st.tuples(st.just("\n"), _comment).map("".join),
)


@st.composite
def written(draw: DrawFn) -> str:
    """A random spec with random spacing and comments."""
    tokens = draw(specs)
    gaps = (
        draw(st.lists(_gap, min_size=len(tokens) + 1, max_size=len(tokens) + 1)) if draw(st.booleans()) else []
    )
    if not gaps:
        return " ".join(tokens)
    return gaps[0] + "".join(token + gap for token, gap in zip(tokens, gaps[1:], strict=True))


_ODD = (
    "{",
    "}",
    "(",
    '"',
    '"""',
    "\\",
    "#",
    "\t",
    "“",
    "’",
    "｛",
    "\x00",
    "é",
    "..",
    "-",
    "\n",
    "not",
    "1e999",
)


@st.composite
def broken(draw: DrawFn, texts: SearchStrategy[str]) -> str:
    """A text with slices taken out, doubled or swapped, and odd characters put in."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 3))):
        a, b, c = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 3)))
        odd = draw(st.sampled_from(_ODD))
        changed = (
            text[:a] + text[b:],
            text[:b] + text[a:b] + text[b:],
            text[:a] + text[b:c] + text[a:b] + text[c:],
            text[:a] + odd + text[a:],
        )
        text = changed[draw(st.integers(0, len(changed) - 1))]
    return text
