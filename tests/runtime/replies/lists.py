"""Lists of answers: every mark, order and ornament."""

from tests.runtime.replies.case import (
    ARABIC,
    CHINESE,
    DIGITS,
    GERMAN,
    HINDI,
    JAPANESE,
    KOREAN,
    LETTERS,
    MARKED,
    MOODS,
    RUSSIAN,
    SPANISH,
    TENS,
    THREE,
    TRAITS,
    TWENTY,
    ZERO,
    Case,
    parts,
)

V = "3 4 1 5 2"
PAIRS = list(zip(("Curious", "Troubled", "Thrilled", "Bitter", "Sturdy"), V.split(), strict=True))


def lines(template: str, between: str = "\n", order: tuple[int, ...] = (0, 1, 2, 3, 4)) -> str:
    """The five moods in a template with {n}, {z} (counted from 0), {name}, {small}, {v}."""
    return between.join(
        template.format(n=at + 1, z=at, name=PAIRS[at][0], small=PAIRS[at][0].lower(), v=PAIRS[at][1])
        for at in order
    )


TEMPLATES = parts(
    "{n}. {v}¦{n}) {v}¦({n}) {v}¦{n}: {v}¦[{n}] {v}¦{n} - {v}¦{n} – {v}¦{n} = {v}¦Q{n}: {v}¦Q{n}. {v}¦"
    "#{n}: {v}¦Item {n}: {v}¦Item {n} - {v}¦item #{n}: {v}¦No. {n}: {v}¦Question {n}: {v}¦"
    "Statement {n} = {v}¦{n}.) {v}¦{n}.: {v}¦{n}\t{v}¦{n} | {v}¦{n} -> {v}¦{n} → {v}¦{n}. **{v}**¦"
    "**{n}.** {v}¦**{n}. {v}**¦{n}\\. {v}¦{n}. [{v}]¦{n}. ({v})¦{name}: {v}¦{name} - {v}¦{name} – {v}¦"
    "{name} = {v}¦{name} {v}¦{name}, {v}¦{name};{v}¦{name} ({v})¦{name} [{v}]¦{name} → {v}¦{name}\t{v}¦"
    "{name} .... {v}¦{name} is {v}¦{small}: {v}¦{name}: **{v}**¦**{name}:** {v}¦**{name}: {v}**¦"
    "__{name}__: {v}¦*{name}*: {v}¦`{name}`: `{v}`¦\"{name}\": {v}¦'{name}': '{v}'¦{name} : {v}¦"
    "{name}：{v}¦{name}: {v}.¦{name}: {v};¦- {name}: {v}¦* {name}: {v}¦• {name}: {v}¦+ {name}: {v}¦"
    "> {name}: {v}¦{n}. {name}: {v}¦{n}) {name} - {v}¦({n}) {name}: {v}¦{n}. {name} = {v}¦"
    "{n}. {name} ({v})¦{n}. {name} {v}¦{n}. **{name}**: {v}¦{n}. **{name}:** {v}¦### {n}. {name}: {v}¦"
    "Q{n} {name}: {v}¦Item {n} ({name}): {v}¦{n}: {name}: {v}¦{z}. {name}: {v}¦{name}: score {v}¦"
    "{name}: Rating = {v}¦{name}: I would say {v}¦{name}: I'd give it a {v}¦{name}: {v} points¦"
    "{name}: {v} out of 5¦{name}: {v}/5¦{name}: {v} / 5¦{name}: {v} of 5¦{name} ({v}/5)¦{name}: ({v}/5)¦"
    "{name}: {v}.0¦{name}: {v} (on a scale of 1-5)¦{name} (1-5): {v}¦{n}. {name} (1-5): {v}¦"
    "{name} (1 to 5): {v}¦{name}:\xa0{v}¦{name}:\u200b{v}¦\u200b{name}: {v}¦{name}:\u3000{v}¦"
    "  {name}:   {v}  ¦<li>{name}: {v}</li>¦<b>{name}</b>: {v}<br>¦<td>{name}</td><td>{v}</td>¦"
    "$\\text{{{name}}} = {v}$¦{name}: $\\boxed{{{v}}}$¦{name} & {v} \\\\¦{name} = {v};¦"
    "{small} = {v}  # felt¦{name}: \ufeff{v}¦{name}: {v} because of the noise¦"
    "{name}: {v} - the bus was late¦{name}: {v} (the bus was late)¦{name}: {v} — I waited for 2 hours¦"
    "{name}: {v}, since 3 days passed¦{n}. {v} - {name}¦{n}. {name}:\n{v}¦{n}. {name}\n   {v}¦"
    "{name}\n- Score: {v}¦{name}\nRating: {v}\n¦{name}:\n  - {v}¦{n}. {name}\n\n   **Answer: {v}**\n¦"
    "**{name}**\nScore: {v}\nReason: the bus was late.\n¦## {name}\n\nScore: {v}/5\n¦"
    "Emotion: {name}, Score: {v}¦Item: {name} | Rating: {v}¦{name}:{v}¦{n}. Emotion: {name}; rating: {v}¦"
    "Emotion: {name}\nRating: {v}\n¦{n}: {v}\r¦{name}: {v}\r¦| {name}: {v} |¦{name}: {v} ✅¦😀 {name}: {v}¦"
    "{name}: {v}️⃣¦{n}️⃣ {v}¦{name} [1-5]: {v}"
)
ORDERS = ((4, 3, 2, 1, 0), (2, 0, 4, 1, 3))
NAMED = tuple(template for template in TEMPLATES if "name" in template and "{n}" not in template)
INLINE = (
    *(
        ("{name}: {v}", ", "),
        ("{name}: {v}", "; "),
        ("{name}: {v}", " "),
        ("{name} - {v}", ", "),
        ("{name} {v}", ", "),
    ),
    *(("{name} ({v})", ", "), ("{name}={v}", "&"), ("{n}. {v}", " "), ("{n}) {v}", ", "), ("{n}: {v}", ", ")),
    *(
        ("{n}={v}", " "),
        ("Q{n}: {v}", "; "),
        ("{n}. {name}: {v}", " "),
        ("{n}. {name}: {v}", "; "),
        ("({n}) {v}", " "),
    ),
    *(
        ("{name}: {v}", " | "),
        ("{name}: {v}", " / "),
        ("{name}:{v}", ","),
        ("{n}:{v}", ","),
        ("{n}. {v}", ", "),
    ),
    *(("{name}: {v}/5", ", "), ("{name}: {v}", ". "), ("**{name}**: {v}", ", "), ("{n}) {name} {v}", " ")),
)

LISTS: tuple[Case, ...] = (
    *(Case(MOODS, lines(template), V) for template in TEMPLATES),
    *(Case(MOODS, lines(template, order=order), V) for template in NAMED for order in ORDERS),
    *(Case(MOODS, "My answers are " + lines(template, between), V, loose=True) for template, between in INLINE),
    *(Case(MOODS, lines(template, between), V) for template, between in INLINE),
    *(
        Case(MOODS, between.join(V.split()), V)
        for between in ("\n", ", ", " ", ";", "\t", " | ", "\n\n", "\r\n", "，", "、")
    ),
    Case(MOODS, "[3, 4, 1, 5, 2]", V),
    Case(MOODS, "(3, 4, 1, 5, 2)", V),
    Case(MOODS, "3 4 1 5 2.", V),
    Case(MOODS, "- 3\n- 4\n- 1\n- 5\n- 2", V),
    Case(MOODS, "**3**\n**4**\n**1**\n**5**\n**2**", V),
    Case(MOODS, "３\n４\n１\n５\n２", V),
    Case(MOODS, "Here are my ratings:\n\n3\n4\n1\n5\n2", V),
    Case(MOODS, "Answers: 3, 4, 1, 5, 2", V, loose=True),
    Case(MOODS, "fairly\nrather much\nhardly or not at all\nutterly\na bit", V),
    Case(MOODS, "fairly, rather much, hardly or not at all, utterly, a bit", V, loose=True),
    Case(MOODS, "3 - fairly\n4 - rather much\n1 - hardly or not at all\n5 - utterly\n2 - a bit", V),
    Case(MOODS, "1. fairly\n2. rather much\n3. hardly or not at all\n4. utterly\n5. a bit", V),
    Case(MOODS, "first: 3\nsecond: 4\nthird: 1\nfourth: 5\nfifth: 2", V, loose=True),
    Case(
        MOODS,
        "Curious: Fairly\nTroubled: Rather much\nThrilled: Hardly or not at all\nBitter: Utterly\nSturdy: A bit",
        V,
    ),
    Case(MOODS, "3 = fairly Curious\n4 = rather much Troubled", "3 4 . . .", loose=True),
    Case(
        MOODS,
        "Curious: 3 (fairly)\nTroubled: 4 (rather much)\nThrilled: 1\nBitter: 5, utterly\nSturdy: 2 = a bit",
        V,
    ),
    Case(
        MOODS,
        "Curious: fairly (3)\nTroubled: rather much - 4\nThrilled: hardly or not at all, 1\nBitter: utterly: 5\nSturdy: a bit [2]",
        V,
    ),
    Case(MOODS, "CURIOUS: 3\nTROUBLED: 4\nTHRILLED: 1\nBITTER: 5\nSTURDY: 2", V),
    Case(MOODS, "curious 3 troubled 4 thrilled 1 bitter 5 sturdy 2", V),
    Case(MOODS, "Curious: three\nTroubled: four\nThrilled: one\nBitter: five\nSturdy: two", V, loose=True),
    Case(
        MOODS, "Curious: 3 (three)\nTroubled: 4 (four)\nThrilled: 1 (one)\nBitter: 5 (five)\nSturdy: 2 (two)", V
    ),
    Case(MOODS, "Curious: ③\nTroubled: ④\nThrilled: ①\nBitter: ⑤\nSturdy: ②", V, loose=True),
    Case(MOODS, "①: 3\n②: 4\n③: 1\n④: 5\n⑤: 2", V, loose=True),
    Case(
        MOODS, "1. Curious → 3/5 😀\n2. Troubled → 4/5\n3. Thrilled → 1/5\n4. Bitter → 5/5\n5. Sturdy → 2/5", V
    ),
    Case(MOODS, "Curious:3Troubled:4Thrilled:1Bitter:5Sturdy:2", V),
    Case(MOODS, "1. Curious: 3 2. Troubled: 4 3. Thrilled: 1 4. Bitter: 5 5. Sturdy: 2", V),
    Case(MOODS, "1.3\n2.4\n3.1\n4.5\n5.2", V, loose=True),
    Case(MOODS, "1,3\n2,4\n3,1\n4,5\n5,2", V, loose=True),
    Case(MOODS, "1 3\n2 4\n3 1\n4 5\n5 2", V, loose=True),
    Case(MOODS, "Curiuos: 3\nTroubled: 4\nThrilled: 1\nBitter: 5\nSturdy: 2", "3 4 1 5 2", loose=True),
    Case(MOODS, "1. 3 (Curious)\n2. 4 (Troubled)\n3. 1 (Thrilled)\n4. 5 (Bitter)\n5. 2 (Sturdy)", V),
    Case(MOODS, "3 - Curious\n4 - Troubled\n1 - Thrilled\n5 - Bitter\n2 - Sturdy", V, loose=True),
    Case(MOODS, "3: Curious\n4: Troubled\n1: Thrilled\n5: Bitter\n2: Sturdy", V, loose=True),
    Case(LETTERS, "1. C\n2. D\n3. A\n4. E\n5. B", V),
    Case(LETTERS, "Curious: C\nTroubled: D\nThrilled: A\nBitter: E\nSturdy: B", V),
    Case(LETTERS, "Curious: (C)\nTroubled: D.\nThrilled: A)\nBitter: [E]\nSturdy: **B**", V),
    Case(LETTERS, "1. C) fairly\n2. D) rather much\n3. A) hardly or not at all\n4. E) utterly\n5. B) a bit", V),
    Case(LETTERS, "1) C, 2) D, 3) A, 4) E, 5) B", V),
    Case(LETTERS, "1C 2D 3A 4E 5B", V, loose=True),
    Case(LETTERS, "C\nD\nA\nE\nB", V, loose=True),
    Case(LETTERS, "C, D, A, E, B", V, loose=True),
    Case(LETTERS, "Curious: A bit", "2 . . . ."),
    Case(LETTERS, "Curious: C (a bit)\nTroubled: D", ". 4 . . ."),
    Case(LETTERS, "Curious: C/D\nTroubled: D", ". 4 . . ."),
    Case(LETTERS, "Curious: F\nTroubled: D", ". 4 . . ."),
    Case(LETTERS, "Curious: 3\nTroubled: 4\nThrilled: 1\nBitter: 5\nSturdy: 2", V),
    Case(LETTERS, "I would answer A for all the ones that matter.", ""),
    Case(MARKED, "(a) 3\n(b) 4\n(c) 1\n(d) 5\n(e) 2", V),
    Case(MARKED, "a) 3\nb) 4\nc) 1\nd) 5\ne) 2", V),
    Case(MARKED, "a. 3\nb. 4\nc. 1\nd. 5\ne. 2", V),
    Case(MARKED, "a: 3, b: 4, c: 1, d: 5, e: 2", V),
    Case(MARKED, "a 3\nb 4\nc 1\nd 5\ne 2", V, loose=True),
    Case(MARKED, "(e) 2\n(d) 5\n(c) 1\n(b) 4\n(a) 3", V),
    Case(MARKED, "(a) Curious: 3\n(b) Troubled: 4\n(c) Thrilled: 1\n(d) Bitter: 5\n(e) Sturdy: 2", V),
    Case(MARKED, '{"a": 3, "b": 4, "c": 1, "d": 5, "e": 2}', V),
    Case(MARKED, "(a) fairly\n(b) rather much\n(c) hardly or not at all\n(d) utterly\n(e) a bit", V),
    Case(MARKED, "(a) Five days passed.\n(b) Four came.", ""),
    Case(TENS, "Relief: 8/10\nEnvy: 0/10\nPride: 10/10\nGrief: 1/10", "8 0 10 1"),
    Case(TENS, "1. 8\n2. 0\n3. 10\n4. 1", "8 0 10 1"),
    Case(TENS, "8, 0, 10, 1", "8 0 10 1"),
    Case(TENS, "8\n0\n10\n1", "8 0 10 1"),
    Case(TENS, "Relief: 08\nEnvy: 00\nPride: 10\nGrief: 01", "8 0 10 1"),
    Case(TENS, "Relief: 8Envy: 0Pride: 10Grief: 1", "8 0 10 1"),
    Case(ZERO, "1. 0\n2. 3\n3. 1\n4. 0\n5. 2", "0 3 1 0 2"),
    Case(ZERO, "1. never\n2. nearly always\n3. now and then\n4. never\n5. often", "0 3 1 0 2"),
    Case(ZERO, "0\n3\n1\n0\n2", "0 3 1 0 2"),
    Case(
        ZERO,
        "1. I slept badly: 0\n2. I lost my temper: 3\n3. I felt empty: 1\n4. I shook: 0\n5. I saw no way out: 2",
        "0 3 1 0 2",
    ),
    Case(ZERO, '1. "I slept badly" - 0 (never)\n2. "I lost my temper" - 3 (nearly always)', "0 3 . . ."),
    Case(
        TRAITS,
        "1. Rather wrong\n2. Very right\n3. Neither right nor wrong\n4. Very wrong\n5. Rather right\n6. Rather right",
        "2 5 3 1 4 4",
    ),
    Case(
        TRAITS,
        "1. I enjoy loud gatherings. - 2. Rather wrong\n2. I forget where I put things. - 5. Very right",
        "2 5 . . . .",
    ),
    Case(TRAITS, "1. I enjoy loud gatherings: 2\n3. I plan my week ahead: 4", "2 . 4 . . ."),
    Case(
        TRAITS,
        "1. Loud gatherings: 2\n2. Forgetting where things are: 5\n3. Planning the week: 3\n4. Worries: 1\n5. Ideas: 4\n6. Strangers: 4",
        "2 5 3 1 4 4",
    ),
    Case(
        TRAITS,
        "1. I like loud parties. 2\n2. I lose things. 5\n3. I plan. 3\n4. I worry. 1\n5. Ideas. 4\n6. Trust. 4",
        "2 5 3 1 4 4",
        loose=True,
    ),
    Case(TRAITS, "1. 2: I am a program and go to no gatherings.\n2. 1: I forget nothing.", "2 1 . . . ."),
    Case(
        TRAITS,
        "1. I enjoy loud gatherings.\n2 (Rather wrong)\n2. I forget where I put things.\n5 (Very right)",
        "2 5 . . . .",
    ),
    Case(
        TRAITS,
        "**1. I enjoy loud gatherings.**\nAnswer: 2\n\n**2. I forget where I put things.**\nAnswer: 5",
        "2 5 . . . .",
    ),
    Case(TRAITS, "1. I do not enjoy loud gatherings. 4", "", loose=True),
    Case(DIGITS, "1. 2\n2. 4\n3. 3", "2 4 3"),
    Case(
        DIGITS,
        "Waiting 40 minutes for a bus: 2\nPaying 3 bills at once: 4\nSharing a room with 2 strangers: 3",
        "2 4 3",
    ),
    Case(
        DIGITS,
        "1. Waiting 40 minutes for a bus\n2. Paying 3 bills at once\n3. Sharing a room with 2 strangers",
        "",
    ),
    Case(
        DIGITS,
        "1. Waiting 40 minutes: 2\n2. Paying 3 bills: 4\n3. Sharing a room with 2 strangers: 3",
        "2 4 3",
        loose=True,
    ),
    Case(
        DIGITS,
        "Sharing a room with 2 strangers - 3\nPaying 3 bills at once - 4\nWaiting 40 minutes for a bus - 2",
        "2 4 3",
    ),
    Case(DIGITS, "Waiting 40 minutes for a bus\nPaying 3 bills at once", ""),
    Case(
        TWENTY,
        "\n".join(f"{n}. {n % 5 + 1}" for n in range(1, 21)),
        " ".join(str(n % 5 + 1) for n in range(1, 21)),
    ),
    Case(TWENTY, "\n".join(str(n) for n in range(1, 21)), ""),
    Case(TWENTY, "\n".join(f"{n}." for n in range(1, 21)), ""),
    Case(TWENTY, " ".join(["2"] * 19), ""),
    Case(TWENTY, " ".join(["2"] * 20), " ".join(["2"] * 20)),
    Case(TWENTY, "\n".join(f"{n}. 2" for n in range(1, 22)), " ".join(["2"] * 20), loose=True),
    Case(TWENTY, "\n".join(f"{n}. 2" for n in range(1, 16)), " ".join(["2"] * 15 + ["."] * 5)),
    Case(TWENTY, "\n".join(f"{n}. 2" for n in range(1, 16)) + "\n16.", " ".join(["2"] * 15 + ["."] * 5)),
    Case(THREE, "Curious: 3\nTroubled: 4\nThrilled: 1\nAngry: 5\nTired: 2", "3 4 1"),
    Case(THREE, "1. 3\n2. 4\n3. 1\nTotal: 8", "3 4 1"),
    Case(CHINESE, "1. 好奇的：3\n2. 烦恼的：4\n3. 激动的：1", "3 4 1"),
    Case(CHINESE, "好奇的: 3分，烦恼的: 4分，激动的: 1分", "3 4 1"),
    Case(CHINESE, "好奇的：一般\n烦恼的：相当\n激动的：完全没有", "3 4 1"),
    Case(CHINESE, "好奇的：３\n烦恼的：４\n激动的：１", "3 4 1"),
    Case(CHINESE, "1、3\n2、4\n3、1", "3 4 1", loose=True),
    Case(CHINESE, "第1题：3\n第2题：4\n第3题：1", "3 4 1", loose=True),
    Case(CHINESE, "1. 好奇的（1-5）：3\n2. 烦恼的（1-5）：4\n3. 激动的（1-5）：1", "3 4 1"),
    Case(CHINESE, "根据情境，我的评分如下：\n1. 好奇的 - 3\n2. 烦恼的 - 4\n3. 激动的 - 1", "3 4 1"),
    Case(CHINESE, "好奇的：三\n烦恼的：四\n激动的：一", "3 4 1", loose=True),
    Case(JAPANESE, "1．楽しい：３\n2．つらい：４\n3．眠い：１", "3 4 1"),
    Case(JAPANESE, "楽しい：3点\nつらい：4点\n眠い：1点", "3 4 1"),
    Case(JAPANESE, "・楽しい　3\n・つらい　4\n・眠い　1", "3 4 1"),
    Case(JAPANESE, "【楽しい】3\n【つらい】4\n【眠い】1", "3 4 1"),
    Case(KOREAN, "1. 즐거운: 3점\n2. 괴로운: 4점\n3. 졸린: 1점", "3 4 1"),
    Case(SPANISH, "Curioso: 3 (bastante)\nPreocupado: 4 (mucho)\nContento: 1 (nada)", "3 4 1"),
    Case(SPANISH, "1. Curioso: bastante\n2. Preocupado: mucho\n3. Contento: nada", "3 4 1"),
    Case(SPANISH, "Curioso: 3 puntos\nPreocupado: 4 puntos\nContento: 1 punto", "3 4 1"),
    Case(GERMAN, "neugierig: 3\nbesorgt: 4\nmüde: 1", "3 4 1"),
    Case(GERMAN, "1. ziemlich\n2. sehr\n3. gar nicht", "3 4 1"),
    Case(GERMAN, "Frage 1: 3\nFrage 2: 4\nFrage 3: 1", "3 4 1"),
    Case(GERMAN, "Neugierig: 3 von 4\nBesorgt: 4 von 4\nMüde: 1 von 4", "3 4 1"),
    Case(ARABIC, "١. فضولي: ٣\n٢. قلق: ٤\n٣. سعيد: ١", "3 4 1"),
    Case(ARABIC, "\u200fفضولي: ٣\u200f\n\u200fقلق: ٤\n\u200fسعيد: ١", "3 4 1"),
    Case(ARABIC, "فضولي: 3، قلق: 4، سعيد: 1", "3 4 1"),
    Case(HINDI, "१. जिज्ञासु: ३\n२. चिंतित: ४\n३. खुश: १", "3 4 1"),
    Case(RUSSIAN, "1. Любопытно: 3\n2. Тревожно: 4\n3. Радостно: 1", "3 4 1"),
    Case(RUSSIAN, "Любопытно — 3 балла\nТревожно — 4 балла\nРадостно — 1 балл", "3 4 1"),
)
