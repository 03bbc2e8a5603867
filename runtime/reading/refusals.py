"""Whether a reply declines, in the languages that models decline in."""

from __future__ import annotations

import re

WORDS = (
    r"(?:i'm|i am|we're|we are) (?:really |very |so |truly )?sorry",
    r"i (?:really |simply |just )?(?:can't|cannot|can not|won't|will not)\b",
    r"i am (?:not able|unable|not comfortable)\b",
    r"i'm (?:not able|unable|not comfortable)\b",
    r"i (?:must|have to|need to|respectfully)? ?(?:decline|refuse)\b",
    r"(?:i'm|i am|as) (?:just |only )?an? (?:ai|artificial intelligence|(?:large )?language model)\b",
    r"i (?:do not|don't) (?:have|possess|experience|feel)\b.{0,40}"
    r"\b(?:feelings?|emotions?|opinions?|beliefs?|experiences?|body|preferences)\b",
    r"apologi[sz]e\b.{0,60}\b(?:can't|cannot|unable)\b",
    r"lo siento\b|no puedo\b|como (?:una? )?(?:ia|inteligencia artificial|modelo)\b",
    r"je suis désolée?\b|je ne peux pas\b|en tant qu'(?:ia|intelligence|assistant)",
    r"es tut mir leid\b|ich kann\b.{0,60}\bnicht\b|als ki\b|kann ich\b.{0,40}\bnicht\b",
    r"desculpe\b|sinto muito\b|não posso\b|não consigo\b",
    r"mi dispiace\b|non posso\b|non sono in grado\b",
    r"het spijt me\b|ik kan\b.{0,60}\bniet\b",
    r"przepraszam\b|nie mogę\b",
    r"maaf\b|tidak (?:bisa|dapat)\b",
)
ANYWHERE = (
    "抱歉|对不起|對不起|无法|無法|不能(?:提供|回答|评|評)|没有(?:情感|感情|情绪)|沒有(?:情感|感情)",
    "申し訳|できません|できかねます|感情を持た|感情はありません",
    "죄송|할 수 없|감정이 없",
    "извините|к сожалению|не могу|у меня нет (?:чувств|эмоций)",
    "عذر|آسف|لا أستطيع|لا يمكنني|ليس لدي مشاعر",
    "क्षमा करें|माफ़|नहीं कर सकत",
    "üzgünüm|yapamam|veremem",
    "xin lỗi|không thể",
)
REFUSING = re.compile(rf"\b(?:{'|'.join(WORDS)})|{'|'.join(ANYWHERE)}")
EXAMPLE = re.compile(r"\b(?:example|template|format|sample|for instance|fill (?:it|this) in)\b")
LONGEST = 20_000


def declines(text: str) -> bool:
    """Whether a plain text declines to answer."""
    return REFUSING.search(text[:LONGEST]) is not None


def gives_an_example(text: str) -> bool:
    """Whether what follows a plain text is announced as an example."""
    return EXAMPLE.search(text[-LONGEST:]) is not None
