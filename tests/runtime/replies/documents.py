"""Tables, JSON and other notations."""

from tests.runtime.replies.case import CHINESE, DIGITS, MOODS, TENS, TRAITS, Case

V = "3 4 1 5 2"
NAMES = ("Curious", "Troubled", "Thrilled", "Bitter", "Sturdy")
PAIRS = list(zip(range(1, 6), NAMES, V.split(), strict=True))


def rows(template: str, head: str = "", between: str = "\n") -> str:
    """A table: `head`, then each mood in a template with {n}, {name}, {v}."""
    return head + between.join(template.format(n=n, name=name, v=v) for n, name, v in PAIRS)


def obj(template: str, opened: str = "{", closed: str = "}", between: str = ", ") -> str:
    """An object or an array: a template with {n}, {z} (from 0), {name}, {small}, {v} each."""
    parts = (template.format(n=n, z=n - 1, name=name, small=name.lower(), v=v) for n, name, v in PAIRS)
    return opened + between.join(parts) + closed


JSON = (
    obj('"{name}": {v}'),
    obj('"{small}": {v}'),
    obj('"{name}": "{v}"'),
    obj('"{name}": {v}.0'),
    obj('"{name}": "{v}/5"'),
    obj('"{name}": "{v} out of 5"'),
    obj('"{n}": {v}'),
    obj('"{n}": "{v}"'),
    obj('"q{n}": {v}'),
    obj('"Q{n}": {v}'),
    obj('"item_{n}": {v}'),
    obj('"item{n}": {v}'),
    obj('"Item {n}": {v}'),
    obj('"question_{n}": {v}'),
    obj('"{n}. {name}": {v}'),
    obj('"{name}": {{"score": {v}}}'),
    obj('"{name}": {{"rating": {v}, "reason": "2 buses came late"}}'),
    obj('"{n}": {{"score": {v}, "reason": "2 buses came late"}}'),
    obj('"{name}": [{v}]'),
    obj('"{name}": {v}', "```json\n{\n  ", "\n}\n```", ",\n  "),
    obj('"{name}": {v}', "Here you are:\n```\n{", "}\n```\nTell me if you need 3 more."),
    obj('"{name}": {v}', '{"ratings": {', "}}"),
    obj('"{name}": {v}', '{"ratings": {', '}, "total": 15, "max": 5}'),
    obj('"{name}": {v}', "[{", "}]"),
    obj('"{name}": {v}', "{", ",}"),
    obj("'{name}': {v}"),
    obj("'{name}': {v}", "{", ",}"),
    obj("{name}: {v}"),
    obj("{name}: {v}", "{\n", "\n}", ",\n"),
    obj('"{name}": {v}', "{", "}", ",\n  // next\n  "),
    obj('"{name}": {v}  // felt 2 times', "{\n", "\n}", ",\n"),
    obj('"{name}": {v}, // felt 2 times', "{\n", "\n}", "\n"),
    obj('"{name}": {v} # felt', "{\n", "\n}", ",\n"),
    obj('{{"item": {n}, "score": {v}}}', "[", "]"),
    obj('{{"item": "{name}", "score": {v}}}', "[", "]"),
    obj('{{"item": "{n}", "score": "{v}"}}', "[", "]"),
    obj('{{"emotion": "{name}", "rating": {v}}}', "[", "]"),
    obj('{{"id": {n}, "text": "{name}", "answer": {v}}}', "[", "]"),
    obj('{{"question": "{name}", "response": {v}, "confidence": 0.9}}', "[", "]"),
    obj('{{"name": "{name}", "value": {v}}}', '{"answers": [', "]}"),
    obj('{{"number": {n}, "statement": "{n}. {name}", "score": {v}}}', "[", "]"),
    obj('{{"item": {n}, "emotion": "{name}", "score": {v}, "explanation": "4 of 5 would say so"}}', "[", "]"),
    obj('{{"score": {v}, "item": {n}}}', "[", "]"),
    obj('{{"{name}": {v}}}', "[", "]"),
    obj('{{"{name}": {v}}}', "", "", "\n"),
    obj('{{"item": {n}, "score": {v}}}', "", "", "\n"),
    obj("{v}", "[", "]"),
    obj("{v}", '{"answers": [', "]}"),
    obj("{v}", '{"scores": [', '], "scale": [1, 5]}'),
    obj('"{v}"', "[", "]"),
    obj('["{name}", {v}]', "[", "]"),
    obj("[{n}, {v}]", "[", "]"),
    obj("('{name}', {v})", "[", "]"),
    obj('"{name}": {v}', "scores = {", "}"),
    obj('"{name}": {v}', "<answer>{", "}</answer>"),
    obj('"{name}": {v}', "{", "}\n\nCurious is 3 because of the rain."),
    obj('"{name}": {v}', "{", "}{") + obj('"{name}": {v}', "", "}"),
    obj("“{name}”: {v}"),
    obj('"{name}"：{v}'),
    obj('"{name}": {v}', "{", ""),
    obj("{name}: {v}", "ratings:\n  ", "", "\n  "),
    obj("- {name}: {v}", "---\n", "\n...", "\n"),
    obj("- item: {name}\n  score: {v}", "", "", "\n"),
    obj("- item: {n}\n  score: {v}", "", "", "\n"),
    obj("{name} = {v}", "[ratings]\n", "", "\n"),
    obj('"{name}" => {v}', "{", "}"),
    obj('<item name="{name}">{v}</item>', "", "", "\n"),
    obj('<item id="{n}">{v}</item>', "", "", "\n"),
    obj("<{name}>{v}</{name}>", "<answer>", "</answer>", "\n"),
    obj("<{small}>{v}</{small}>", "", "", ""),
    obj("<tr><td>{n}</td><td>{name}</td><td>{v}</td></tr>", "<table>", "</table>", "\n"),
    obj("<tr><td>{name}</td><td>{v}</td></tr>", "<table><tr><th>Mood</th><th>Score</th></tr>", "</table>", ""),
    obj("{n}. \\textbf{{{name}}}: {v}", "", "", "\n"),
    obj("{name} & {v} \\\\", "\\begin{tabular}{lr}\n", "\n\\end{tabular}", "\n"),
    obj("\\item {name}: {v}", "\\begin{enumerate}\n", "\n\\end{enumerate}", "\n"),
)
CLEAR = frozenset((*range(10), 12, *range(14, 18), *range(19, 27), *range(33, 44), 46, 54, 55))
BAR = "|---|---|\n"
TABLES = (
    rows("| {name} | {v} |", "| Mood | Score |\n" + BAR),
    rows("| {name} | {v} |", BAR),
    rows("| {name} | {v} |"),
    rows("{name} | {v}", "Mood | Score\n--- | ---\n"),
    rows("| {n} | {name} | {v} |", "| # | Mood | Score |\n|:-:|:--|--:|\n"),
    rows("| {n} | {v} |", "| Item | Score |\n" + BAR),
    rows("| {n}. {name} | {v} |", "| Mood | Score |\n" + BAR),
    rows("| {name} | {v}/5 |", "| Mood | Score |\n" + BAR),
    rows("| **{name}** | **{v}** |", "| **Mood** | **Score** |\n" + BAR),
    rows("| {name} | {v} | 2 buses came late |", "| Mood | Rating | Why |\n|---|---|---|\n"),
    rows("| {name} | 2 buses came late | {v} |", "| Mood | Why | Rating |\n|---|---|---|\n"),
    rows("| {v} | {name} |", "| Score | Mood |\n" + BAR),
    rows("| {n} | {name} | 80 | {v} |", "| # | Mood | Sure | Score |\n|---|---|---|---|\n"),
    rows("| {name} | {v} |\n|---|---|", "| Mood | Score |\n" + BAR),
    rows("+----------+---+\n| {name} | {v} |", "", "\n"),
    rows("{name}\t{v}", "Mood\tScore\n"),
    rows("{n}\t{name}\t{v}", "No\tMood\tScore\n"),
    rows("{name},{v}", "mood,score\n"),
    rows("{n},{name},{v}", "item,mood,score\n"),
    rows('"{name}","{v}"', '"mood","score"\n'),
    rows("{name};{v}", "mood;score\n"),
    rows("{n},{v}", "item,score\n"),
    rows("{n};{v}", "item;score\n"),
    rows("{n}\t{v}", "Item\tScore\n"),
    rows("{name:<12}{v}", "Mood        Score\n"),
    rows("{n:<4}{name:<12}{v}", "No  Mood        Score\n"),
    rows("{name:.<20}{v}", ""),
    rows("│ {name} │ {v} │", "│ Mood │ Score │\n"),
    "| Curious | Troubled | Thrilled | Bitter | Sturdy |\n|---|---|---|---|---|\n| 3 | 4 | 1 | 5 | 2 |",
    "| 1 | 2 | 3 | 4 | 5 |\n|---|---|---|---|---|\n| 3 | 4 | 1 | 5 | 2 |",
    "Curious,Troubled,Thrilled,Bitter,Sturdy\n3,4,1,5,2",
    "Curious\tTroubled\tThrilled\tBitter\tSturdy\n3\t4\t1\t5\t2",
    "| Mood | Score | Mood | Score |\n|---|---|---|---|\n| Curious | 3 | Troubled | 4 |\n| Thrilled | 1 | Bitter | 5 |\n| Sturdy | 2 | | |",
    "| Mood | Score | Label |\n|---|---|---|\n| Curious | 3 | fairly |\n| Troubled | 4 | rather much |\n| Thrilled | 1 | hardly or not at all |\n| Bitter | 5 | utterly |\n| Sturdy | 2 | a bit |",
    "| Mood | 1 | 2 | 3 | 4 | 5 |\n|---|---|---|---|---|---|\n| Curious | | | X | | |\n| Troubled | | | | X | |\n| Thrilled | X | | | | |\n| Bitter | | | | | X |\n| Sturdy | | X | | | |",
)
UNCLEAR_TABLES = frozenset((5, 11, 12, 14, 21, 22, 23, 29, 30, 31, 34))

DOCUMENTS: tuple[Case, ...] = (
    *(Case(MOODS, text, V, loose=at not in CLEAR) for at, text in enumerate(JSON)),
    *(Case(MOODS, text, V, loose=at in UNCLEAR_TABLES) for at, text in enumerate(TABLES)),
    Case(
        MOODS, '{"Curious": 3, "Troubled": null, "Thrilled": "N/A", "Bitter": "", "Sturdy": true}', "3 . . . ."
    ),
    Case(
        MOODS,
        '{"Curious": 3, "Troubled": 4.5, "Thrilled": "3-4", "Bitter": "4/10", "Sturdy": [1, 2]}',
        "3 . . . .",
    ),
    Case(
        MOODS,
        '{"Curious": 6, "Troubled": 0, "Thrilled": -1, "Bitter": 5, "Sturdy": 2}',
        ". . . 5 2",
        "out_of_range",
    ),
    Case(MOODS, '{"Curious": 3, "Curious": 4, "Troubled": 4}', ". 4 . . ."),
    Case(
        MOODS,
        '{"Curious": "3 (a bit)", "Troubled": "4 - rather much", "Thrilled": "hardly or not at all"}',
        ". 4 1 . .",
    ),
    Case(
        MOODS,
        '{"Curious": {"value": 3, "label": "a bit"}, "Troubled": {"value": 4, "label": "rather much"}}',
        ". 4 . . .",
        loose=True,
    ),
    Case(MOODS, '{"Curious": {"min": 1, "max": 5}}', ""),
    Case(MOODS, '{"1": 3, "2": 4}', "3 4 . . .", loose=True),
    Case(MOODS, '{"0": 3, "1": 4, "2": 1, "3": 5, "4": 2}', V, loose=True),
    Case(MOODS, '{"scale": {"1": "hardly or not at all", "5": "utterly"}, "Curious": 3}', "3 . . . ."),
    Case(
        MOODS,
        '{"1": "hardly or not at all", "2": "a bit", "3": "fairly", "4": "rather much", "5": "utterly"}',
        "",
        loose=True,
    ),
    Case(MOODS, "[3, 4, 1, 5]", ""),
    Case(MOODS, "[3, 4, 1, 5, 2, 2]", ""),
    Case(MOODS, "[1, 2, 3, 4, 5]", ""),
    Case(MOODS, '{"Curious": "<rating>", "Troubled": "<rating>"}', ""),
    Case(MOODS, '{"Curious": 1-5, "Troubled": 1-5}', ""),
    Case(MOODS, '{"error": "cannot rate", "code": 3}', ""),
    Case(
        MOODS,
        '{"type": "object", "properties": {"Curious": {"type": "integer", "minimum": 1, "maximum": 5}}}',
        "",
    ),
    Case(
        MOODS,
        '{"type": "object", "properties": {"Curious": {"enum": [1, 2, 3, 4, 5]}}}\n{"Curious": 3}',
        "3 . . . .",
        loose=True,
    ),
    Case(
        MOODS,
        '{"positive": {"Curious": 3, "Thrilled": 1, "Sturdy": 2}, "negative": {"Troubled": 4, "Bitter": 5}}',
        V,
    ),
    Case(
        MOODS, '{"before": {"Curious": 3, "Troubled": 4}, "after": {"Curious": 2, "Troubled": 4}}', ". 4 . . ."
    ),
    Case(MOODS, '[{"item": 1, "score": 3}, {"item": 2, "score": 4}, {"item": 2, "score": 5}]', "3 . . . ."),
    Case(
        MOODS,
        '[{"item": 0, "score": 3}, {"item": 1, "score": 4}, {"item": 2, "score": 1}, {"item": 3, "score": 5}, {"item": 4, "score": 2}]',
        V,
        loose=True,
    ),
    Case(MOODS, '[{"item": 1, "score": 3}, {"item": 6, "score": 4}]', "3 . . . .", loose=True),
    Case(MOODS, '[{"item": 5, "emotion": "Curious", "score": 3}]', "3 . . . .", loose=True),
    Case(MOODS, '<think>{"Curious": 5}</think>{"Curious": 3}', "3 . . . ."),
    Case(MOODS, '{"reasoning": "Curious: 5, Troubled: 1", "Curious": 3, "Troubled": 4}', "3 4 . . ."),
    Case(
        MOODS, '{"thinking": {"Curious": 5}, "answer": {"Curious": 3, "Troubled": 4}}', "3 4 . . .", loose=True
    ),
    Case(MOODS, '{"Curious": 3, "Troubled": 4, "Thrilled": 1, "Bit', "3 4 1 . .", loose=True),
    Case(
        MOODS,
        "| Mood | Before | After |\n|---|---|---|\n| Curious | 2 | 3 |\n| Troubled | 4 | 4 |",
        ". 4 . . .",
        loose=True,
    ),
    Case(
        MOODS,
        "| Mood | Score |\n|---|---|\n| Curious | 3.5 |\n| Troubled | 4 |\n| Thrilled | N/A |\n| Bitter | 6 |\n| Sturdy | 2 |",
        ". 4 . . 2",
        "out_of_range",
    ),
    Case(MOODS, "| Mood | Score |\n|---|---|\n| Curious | |\n| Troubled | |", ""),
    Case(
        MOODS,
        "| Score | Meaning |\n|---|---|\n| 1 | hardly or not at all |\n| 2 | a bit |\n| 3 | fairly |\n| 4 | rather much |\n| 5 | utterly |",
        "",
    ),
    Case(
        MOODS,
        "| 1 | hardly or not at all |\n| 2 | a bit |\n| 3 | fairly |\n| 4 | rather much |\n| 5 | utterly |",
        "",
        loose=True,
    ),
    Case(
        MOODS,
        "| # | Mood | Score |\n|---|---|---|\n| 1 | Curious | |\n| 2 | Troubled | |\n| 3 | Thrilled | |",
        "",
    ),
    Case(MOODS, "| # | Mood |\n|---|---|\n| 3 | Curious |\n| 4 | Troubled |", "", loose=True),
    Case(
        MOODS, "| Mood | Score |\n|---|---|\n| Curious | 3 |\n| Troubled | 4 |\n| **Total** | 7 |", "3 4 . . ."
    ),
    Case(TENS, '{"Relief": 10, "Envy": 0, "Pride": 7, "Grief": 1}', "10 0 7 1"),
    Case(TENS, '{"Relief": "10/10", "Envy": "0/10", "Pride": "7 / 10", "Grief": 1}', "10 0 7 1"),
    Case(
        DIGITS,
        '{"Waiting 40 minutes for a bus": 2, "Paying 3 bills at once": 4, "Sharing a room with 2 strangers": 3}',
        "2 4 3",
    ),
    Case(
        DIGITS,
        "| Waiting 40 minutes for a bus | 2 |\n| Paying 3 bills at once | 4 |\n| Sharing a room with 2 strangers | 3 |",
        "2 4 3",
    ),
    Case(TRAITS, '{"I enjoy loud gatherings.": 2, "I forget where I put things": 5}', "2 5 . . . ."),
    Case(
        TRAITS,
        '{"1": "Rather wrong", "2": "Very right", "3": "Very right", "4": "Very right", "5": "Very right", "6": "Rather wrong"}',
        "2 5 5 5 5 2",
    ),
    Case(
        TRAITS,
        "| 1 | I enjoy loud gatherings. | Rather wrong |\n| 2 | I forget where I put things. | Very right |",
        "2 5 . . . .",
    ),
    Case(CHINESE, '{"好奇的": 3, "烦恼的": 4, "激动的": 1}', "3 4 1"),
    Case(CHINESE, "| 情绪 | 评分 |\n|---|---|\n| 好奇的 | 3 |\n| 烦恼的 | 4 |\n| 激动的 | 1 |", "3 4 1"),
)
