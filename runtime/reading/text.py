"""A reply made plain: same length, so that places in it stay places in the reply.

Digits of every script become ASCII, typographic marks their plain forms, letters small. What is no answer
(thinking, text after the end of the turn, struck-out words, markup) becomes blanks. Where markup sets lines or
cells apart, so does what it becomes.
"""

from __future__ import annotations

import re
import unicodedata

_INNER = (
    r"think|thinking|thoughts?|reasoning|reasons?|rationale|reflection|scratchpad|analysis|deliberation|plan"
    r"|(?:inner|internal)[_ ]?(?:monologue|thoughts?)|chain[_ ]of[_ ]thought|cot|antml:thinking"
)
THINKING = re.compile(
    rf"[<\[◁](/?)(?:{_INNER})(?: [^<>\n]{{0,80}})?[>\]▷]"
    r"|<\|channel\|>(?:analysis|commentary)(?:<\|message\|>)?|(<\|channel\|>final(?:<\|message\|>)?)"
)
END_OF_TURN = re.compile(
    r"<\|[a-z▁_ ]{1,30}\|>|</s>|<eos>|<(?:end|start)_of_turn>|\[/?inst\]"
    r"|(?<=[\s*])(?:user|human)(?: ?\d{1,3})?:|(?<=\n)### ?(?:instruction|question|input|user|human|system)\b"
)
OPENING = re.compile(r"<\|[a-z▁_]{1,30}\|>|<start_of_turn>|\b(?:assistant|model|user)\b|[\s<>|*#:]")
OPENS = 500
"""Characters within which a turn opens."""
STRUCK = re.compile(r"~~[^~\n]{0,200}~~|<(?:s|del|strike)>[^<\n]{0,200}</(?:s|del|strike)>")
LINES = re.compile(r"<(?:br ?/?|/p|/?li|/?tr|/h[1-6]|/?item|/?table|/?[uo]l)>")
CELLS = re.compile(r"</t[dh]>")
MATHS = re.compile(r"\$\$?(?=([^$\n]{0,200}))\1(?<=[^$\s])\$\$?")
MARKUP = re.compile(
    r"</?[a-z|][^<>\n]{0,60}>|\\(?:boxed|text|textbf|mathrm|mathbf|item|hline)\b|\\[()\[\]]|[`\\]|&nbsp;"
    r"|\*+(?=\S)|(?<=\S)\*+|__|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)"
)
LATEX_BRACES = re.compile(r"\\(?:boxed|text|textbf|mathrm|mathbf)\s?(\{)")
WORDS = re.compile(r"[A-Za-z0-9 ]*")
"""Holds nothing but what stays as it is, small."""
ARROWS = re.compile(r"[-=]>")
TABS = re.compile(r"(?<=\S)[ ]*\t[ ]*(?=\S)")

UNSEEN = "\u200d"
"""Stands for all characters that are not seen; a word is the same with and without it."""

SAME = {
    **dict.fromkeys("‘’ʼ＇\x91\x92", "'"),
    **dict.fromkeys("“”„«»＂「」『』\x93\x94", '"'),
    **dict.fromkeys("–—―‒−﹣－‐‑\x96\x97", "-"),
    **dict.fromkeys("＋﹢", "+"),
    **dict.fromkeys("：﹕", ":"),
    **dict.fromkeys("；؛", ";"),
    **dict.fromkeys("，、،", ","),
    **dict.fromkeys("（【〔", "("),
    **dict.fromkeys("）】〕", ")"),
    **dict.fromkeys("｜│┃║¦", "|"),
    **dict.fromkeys("＝", "="),
    **dict.fromkeys("／⁄", "/"),
    **dict.fromkeys("％٪", "%"),
    **dict.fromkeys("．\u20e3", ")"),  # a full-width stop or a key's frame marks an item, never a decimal
    **dict.fromkeys("→⇒➜➔⟶⇨", "="),
    **dict.fromkeys("\x95●▪◦‣", "•"),
    **dict.fromkeys(
        "\u00a0\u3000\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\x00", " "
    ),
    **dict.fromkeys("\u00ad\u200b\u200c\u2060\ufeff\ufe0f\u200e\u200f\u061c", UNSEEN),
    **dict.fromkeys("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", UNSEEN),
    **dict.fromkeys("\r\u2028\u2029\x0b\x0c\x85", "\n"),
    **{chr(circled + at): str(at + 1) for circled in (0x2460, 0x2776, 0x2780, 0x278A) for at in range(9)},
}


class _Plain(dict[int, str]):
    """The plain form of each character, by its number; worked out when first met."""

    def __missing__(self, number: int) -> str:
        character = chr(number)
        if character in SAME:
            found = SAME[character]
        elif character.isdecimal():
            found = str(unicodedata.decimal(character))
        else:
            small = character.lower()
            found = small if len(small) == 1 else character
        self[number] = found
        return found


_PLAIN = _Plain()


def plain(reply: str) -> str:
    """The reply made plain, character by character."""
    if WORDS.fullmatch(reply):
        return reply.lower()
    text = _without_thinking(reply.translate(_PLAIN))
    ended = _end_of_turn(text)
    if ended is not None:
        text = text[:ended] + " " * (len(text) - ended)
    if "~" in text or "<" in text:
        text = STRUCK.sub(_blank, text)
        text = LINES.sub(lambda found: "\n" + " " * (len(found[0]) - 1), text)
        text = CELLS.sub(lambda found: "|" + " " * (len(found[0]) - 1), text)
    if "\\" in text:
        text = LATEX_BRACES.sub(_blank, text).replace("\\.", ". ")
    text = MARKUP.sub(_blank, MATHS.sub(_without_dollars, text))
    return TABS.sub(lambda found: "|" + " " * (len(found[0]) - 1), ARROWS.sub("= ", text))


def _without_dollars(found: re.Match[str]) -> str:
    return found[0].replace("$", " ")


def _end_of_turn(text: str) -> int | None:
    """Where the model's turn ends: not before something stands in it that does not open a turn."""
    for found in END_OF_TURN.finditer(text):
        if OPENING.sub("", text[: min(found.start(), OPENS)]).strip():
            return found.start()
        if found.start() >= OPENS:
            return None
    return None


def _without_thinking(text: str) -> str:
    """Blanks thinking: from its tag to the end of it, or of the text; and what stands before a lone
    closing tag."""
    out: list[str] = []
    kept_to, opened, blank_to = 0, None, 0
    for tag in THINKING.finditer(text):
        if not tag[1] and not tag[2]:
            if opened is None:
                opened = tag.start()
                out.append(text[kept_to:opened])
            continue
        if opened is None:
            out, blank_to = [], tag.end()
        else:
            out.append(" " * (tag.end() - opened))
        kept_to, opened = tag.end(), None
    if opened is not None:
        out.append(" " * (len(text) - opened))
        kept_to = len(text)
    out.append(text[kept_to:])
    return " " * blank_to + "".join(out)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
