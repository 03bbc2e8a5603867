"""Whether a reply declines, in the languages that models decline in."""

from __future__ import annotations

import re

REFUSING = re.compile(
    "|".join(
        (
            r"\b(?:i'm|i am|we're|we are) (?:really |very |so |truly )?sorry",
            r"\bi (?:really |simply |just )?(?:can't|cannot|can not|won't|will not)\b",
            r"\bi am (?:not able|unable|not comfortable)\b",
            r"\bi'm (?:not able|unable|not comfortable)\b",
            r"\bi (?:must|have to|need to|respectfully)? ?(?:decline|refuse)\b",
            r"\b(?:i'm|i am|as) (?:just |only )?an? (?:ai|artificial intelligence|(?:large )?language model)\b",
            r"\bi (?:do not|don't) (?:have|possess|experience|feel)\b.{0,40}"
            r"\b(?:feelings?|emotions?|opinions?|beliefs?|experiences?|body|preferences)\b",
            r"\bapologi[sz]e\b.{0,60}\b(?:can't|cannot|unable)\b",
            "抱歉|对不起|對不起|无法|無法|不能(?:提供|回答|评|評)|没有(?:情感|感情|情绪)|沒有(?:情感|感情)",
            "申し訳|できません|できかねます|感情を持た|感情はありません",
            "죄송|할 수 없|감정이 없",
            r"\blo siento\b|\bno puedo\b|\bcomo (?:una? )?(?:ia|inteligencia artificial|modelo)\b",
            r"\bje suis désolée?\b|\bje ne peux pas\b|\ben tant qu'(?:ia|intelligence|assistant)",
            r"\bes tut mir leid\b|\bich kann\b.{0,60}\bnicht\b|\bals ki\b|\bkann ich\b.{0,40}\bnicht\b",
            r"\bdesculpe\b|\bsinto muito\b|\bnão posso\b|\bnão consigo\b",
            r"\bmi dispiace\b|\bnon posso\b|\bnon sono in grado\b",
            "извините|к сожалению|не могу|у меня нет (?:чувств|эмоций)",
            "عذر|آسف|لا أستطيع|لا يمكنني|ليس لدي مشاعر",
            "क्षमा करें|माफ़|नहीं कर सकत",
            r"üzgünüm|yapamam|veremem",
            r"\bhet spijt me\b|\bik kan\b.{0,60}\bniet\b",
            r"\bprzepraszam\b|\bnie mogę\b",
            r"xin lỗi|không thể",
            r"\bmaaf\b|\btidak (?:bisa|dapat)\b",
        )
    )
)
EXAMPLE = re.compile(r"\b(?:example|template|format|sample|for instance|fill (?:it|this) in)\b")
LONGEST = 20_000


def declines(text: str) -> bool:
    """Whether a plain text declines to answer."""
    return REFUSING.search(text[:LONGEST]) is not None


def gives_an_example(text: str) -> bool:
    """Whether what follows a plain text is announced as an example."""
    return EXAMPLE.search(text[-LONGEST:]) is not None
