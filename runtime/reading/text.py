"""A reply made plain: same length, so that places in it stay places in the reply.

Digits of every script become ASCII, typographic marks their plain forms, letters small. What is no answer
(thinking, text after the end of the turn, struck-out words, markup) becomes blanks.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

THINKING = re.compile(r"<(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>")
END_OF_TURN = re.compile(
    r"<\|(?:im_end|endoftext|eot_id|end|end_of_text|eom_id)\|>|</s>|<end_of_turn>|\[/?inst\]"
    r"|(?<=\s)(?:user|human)(?: ?\d{1,3})?:|(?<=\n)### ?(?:instruction|question|input)"
)
STRUCK = re.compile(r"~~[^~\n]{0,200}~~|<(?:s|del|strike)>[^<\n]{0,200}</(?:s|del|strike)>")
MARKUP = re.compile(
    r"</?[a-z|][^<>\n]{0,60}>|\\(?:boxed|text|textbf|mathrm|mathbf)\b|\\[()\[\]]|[`$\\]|\*+(?=\S)|(?<=\S)\*+|__"
)
LATEX_BRACES = re.compile(r"\\(?:boxed|text|textbf|mathrm|mathbf)\s?(\{)")

SAME = {
    **dict.fromkeys("‘’ʼ＇", "'"),
    **dict.fromkeys("“”„«»＂「」『』", '"'),
    **dict.fromkeys("–—―‒−﹣－", "-"),
    **dict.fromkeys("：﹕", ":"),
    **dict.fromkeys("；", ";"),
    **dict.fromkeys("，、،", ","),
    **dict.fromkeys("（【〔", "("),
    **dict.fromkeys("）】〕", ")"),
    **dict.fromkeys("｜", "|"),
    **dict.fromkeys("＝", "="),
    **dict.fromkeys("／⁄", "/"),
    **dict.fromkeys("％٪", "%"),
    **dict.fromkeys("．", ")"),  # a full-width stop behind a number marks an item, never a decimal
    **dict.fromkeys("→⇒➜➔⟶", ">"),
    **dict.fromkeys("\u00a0\u3000\u2009\u202f\ufeff\u200e\u200f\u200b", " "),
    **dict.fromkeys("\r\u2028\u2029\x0b\x0c\x85", "\n"),
}


def plain(reply: str) -> str:
    """The reply made plain, character by character."""
    text = "".join(map(_plain_character, reply))
    text = _without_thinking(text)
    ended = next((m.start() for m in END_OF_TURN.finditer(text) if text[: m.start()].strip(" \n<>|*#")), None)
    if ended is not None and not _only_opens(text[:ended]):
        text = text[:ended] + " " * (len(text) - ended)
    text = STRUCK.sub(_blank, text)
    text = LATEX_BRACES.sub(_blank, text)
    return MARKUP.sub(_blank, text)


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    if character in SAME:
        return SAME[character]
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    small = character.lower()
    return small if len(small) == 1 else character


def _only_opens(text: str) -> bool:
    """Whether `text` holds nothing but the token that opens a turn."""
    return not re.sub(r"<\|[a-z_]{1,20}\|>|assistant|\s", "", text)


def _without_thinking(text: str) -> str:
    """Blanks thinking: from its tag to the end of it, or of the text; and what stands before a lone
    closing tag."""
    out: list[str] = []
    kept_to, opened = 0, None
    for tag in THINKING.finditer(text):
        if not tag[1]:
            if opened is None:
                opened = tag.start()
                out.append(text[kept_to:opened])
            continue
        begin = opened if opened is not None else 0
        if opened is None:
            out = [" " * kept_to] if kept_to else []
            begin = kept_to
        out.append(" " * (tag.end() - begin))
        kept_to, opened = tag.end(), None
    if opened is not None:
        out.append(" " * (len(text) - opened))
        kept_to = len(text)
    out.append(text[kept_to:])
    return "".join(out)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
