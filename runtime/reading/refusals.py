"""Whether a reply declines, in the languages that models decline in.

Only a reply without scores is a refusal, so these patterns may be wide: a disclaimer that is followed by scores
does no harm.
"""

from __future__ import annotations

import re

from runtime.reading.text import UNSEEN

NOT = (
    r"(?:can't|cannot|can not|won't|will not|couldn't|could not|wouldn't|don't think i can|do not think i can)"
)
INNER = (
    r"(?:feelings?|emotions?|opinions?|beliefs?|views?|experiences?|body|bodies|preferences?|moods?|consciousness"
    r"|inner (?:states?|life)|subjective \w+|stance|self|personality)"
)
WORDS = (
    r"(?:i'm|i am|we're|we are) (?:really |very |so |truly |deeply )?sorry",
    rf"i (?:really |simply |just |truly |also |thus |therefore )?{NOT}\b",
    rf"(?:we|this|that|it) {NOT}\b.{{0,40}}\b(?:answer|rate|rated|answered|scored?|help|assist)",
    r"(?:sorry|apologi[sz]e|apologies|unfortunately)\b.{0,60}\b(?:can't|cannot|can not|unable|won't)\b",
    r"(?:i'm|i am|we're|we are) (?:\w+ )?"
    r"(?:not (?:able|comfortable|willing|in a position|allowed|permitted|designed)|unable)\b",
    r"i (?:must|have to|need to|will|would)?(?: \w+ly)? ?(?:decline|refuse|abstain|pass on)\b",
    r"i(?:'d| would)? (?:rather|prefer)(?: to)? not\b|(?:don't|do not) (?:want|wish) to\b",
    r"(?:i'm|i am|as|being|since i'm) (?:just |only |merely |simply )?an? "
    r"(?:\w+ )?(?:ai|artificial|(?:large )?language model|machine|computer|bot|chatbot|program|assistant)\b",
    rf"i (?:do not|don't|have no|lack|hold no|possess no|am without)\b.{{0,50}}\b{INNER}\b",
    r"i (?:do not|don't) (?:feel|experience)\b",
    r"(?:not|n't) be (?:appropriate|right|possible|suitable|responsible|ethical)\b.{0,40}"
    r"\b(?:me|rate|answer|assign)",
    r"not (?:possible|appropriate|feasible) (?:for me )?to\b|not something (?:that )?i\b",
    r"against my (?:guidelines|programming|policy|policies|principles)",
    # Spanish, Portuguese, Italian, French, Romanian
    r"lo siento\b|no puedo\b|no me es posible|no soy capaz|no tengo (?:emociones|sentimientos|opinion)",
    r"como (?:una? )?(?:ia|inteligencia|inteligência|modelo|asistente|assistente)\b|lamento\b|prefiero no\b",
    r"desculpe\b|sinto muito\b|não (?:posso|consigo|tenho (?:emoções|sentimentos|opini))\b",
    r"mi dispiace\b|non (?:posso|sono in grado|provo|ho (?:emozioni|sentimenti|opinioni))\b",
    r"in quanto (?:ia|ai|modello)\b",
    r"désolée?\b|je ne (?:peux|puis|suis pas|ressens)\b|en tant qu(?:'|e )(?:ia|intelligence|assistant|modèle)"
    r"|je n'ai pas d(?:'|e )(?:émotions|sentiments|opinions)",
    r"îmi pare rău|ne pare rău|nu pot\b",
    # German, Dutch, Swedish, Danish, Norwegian
    r"es tut mir leid\b|tut mir leid\b|als (?:ki|künstliche|sprachmodell|ai)\b|leider\b.{0,60}\bnicht\b",
    r"ich (?:kann|möchte|werde|darf|will)\b.{0,80}\bnicht\b|(?:kann|möchte|darf) ich\b.{0,60}\bnicht\b",
    r"ich habe keine (?:gefühle|emotionen|meinung)|habe ich keine (?:gefühle|emotionen|meinung)",
    r"het spijt me\b|ik kan\b.{0,60}\bniet\b|als (?:ai|taalmodel)\b|geen (?:gevoelens|emoties)\b",
    r"jag (?:kan|vill) inte\b|ledsen\b|tyvärr\b|beklager\b|jeg kan (?:ikke|desværre)\b|kan jeg .{0,20}\bikke\b",
    # Polish, Czech, Hungarian, Finnish, Turkish, Indonesian, Vietnamese
    r"przepraszam\b|przykro mi|nie (?:mogę|mam (?:emocji|uczuć|opinii))\b|jako (?:model|ai|sztuczna)\b",
    r"omlouvám se|nemohu\b|nemůžu\b|je mi líto",
    r"sajnálom\b|nem (?:tudok|tudom|áll módomban)\b",
    r"valitettavasti\b|(?:en|emme) voi\b|pahoittelen\b",
    r"üzgünüm\b|özür dilerim|(?:yapamam|veremem|olamam|cevaplayamam)\b|yapay zeka olarak",
    r"maaf\b|tidak (?:bisa|dapat|mampu|memiliki (?:emosi|perasaan))\b",
    r"xin lỗi\b|không thể\b|rất tiếc",
)
ANYWHERE = (
    "抱歉|对不起|對不起|很遗憾|很遺憾|无法|無法|不能(?:提供|回答|评|評|满足|滿足|给|給)",
    "没有(?:情感|感情|情绪|个人)|沒有(?:情感|感情|情緒)",
    "申し訳|できません|できかねます|感情を持|感情は(?:あり|ござい)ません|感情がない|控え(?:ます|させ)|すみません|致しかね",
    "죄송|할 수 없|드릴 수 없|감정이 없|감정을 (?:느끼|가지)|어렵습니다",
    "извините|простите|к сожалению|не могу|не способ|не испытываю|как ии",
    "у меня нет (?:чувств|эмоций|мнени|настроени)",
    "вибачте|перепрошую|на жаль|не можу",
    "عذر|آسف|لا أستطيع|لا يمكنني|ليس لدي|متأسفم|متاسفم|ببخشید|نمیتوانم|معذرت",
    "क्षमा करें|माफ़|माफ करें|खेद है|नहीं कर सकत|नहीं दे सकत",
    "λυπάμαι|δεν μπορώ|συγγνώμη",
    "מצטער|איני יכול|אינני יכול|לא יכול",
    "ขออภัย|ขอโทษ|ไม่สามารถ",
)
REFUSING = re.compile(rf"\b(?:{'|'.join(WORDS)})|{'|'.join(ANYWHERE)}")
EXAMPLE = re.compile(
    r"\b(?:example|template|formats?|sample|for instance|fill (?:it|this) in|e\. ?g\.|could look like"
    r"|might look like|could write|beispiel|ejemplo|exemple|exemplo|esempio|voorbeeld|przykład|пример|contoh"
    r"|örnek)\b|例|예시|مثال"
)
LONGEST = 20_000


def declines(text: str) -> bool:
    """Whether a plain text declines to answer."""
    return REFUSING.search(text[:LONGEST].replace(UNSEEN, "")) is not None


def gives_an_example(text: str) -> bool:
    """Whether what follows a plain text is announced as an example."""
    return EXAMPLE.search(text[-LONGEST:]) is not None
