"""Echoes, placeholders, corrections, doubles, blanket statements and prose."""

from tests.runtime.replies.case import DIGITS, MOODS, TENS, THREE, TRAITS, TWENTY, ZERO, Case

LIST = "Curious: 3\nTroubled: 4\nThrilled: 1\nBitter: 5\nSturdy: 2"
OTHER = "Curious: 2\nTroubled: 4\nThrilled: 1\nBitter: 4\nSturdy: 2"
NUMBERED = "1. 3\n2. 4\n3. 1\n4. 5\n5. 2"
NUMBERED_OTHER = "1. 2\n2. 4\n3. 1\n4. 4\n5. 2"
V, W, BOTH = "3 4 1 5 2", "2 4 1 4 2", ". 4 1 . 2"
KEY = ("hardly or not at all", "a bit", "fairly", "rather much", "utterly")

DOUBTS: tuple[Case, ...] = (
    *(
        Case(MOODS, "\n".join(shape.format(n, name) for n, name in enumerate(KEY, 1)))
        for shape in (
            "{} = {}",
            "{}. {}",
            "{}: {}",
            "{}) {}",
            "{} - {}",
            "({}) {}",
            "- {}: {}",
            "**{}** {}",
            "{}\t{}",
        )
    ),
    *(
        Case(MOODS, between.join(f"{n} = {name}" for n, name in enumerate(KEY, 1)))
        for between in (", ", "; ", " ", " | ")
    ),
    *(Case(MOODS, "Scale: 1 = hardly or not at all, 5 = utterly\n\n" + text, V) for text in (LIST, NUMBERED)),
    *(
        Case(MOODS, "\n".join(f"{n} = {name}" for n, name in enumerate(KEY, 1)) + "\n\n" + text, V)
        for text in (LIST, NUMBERED)
    ),
    *(
        Case(MOODS, "\n".join(f"{n}. {name}" for n, name in enumerate(KEY, 1)) + "\n\n" + text, V)
        for text in (LIST, NUMBERED)
    ),
    *(
        Case(MOODS, text + "\n\n" + "\n".join(f"{n} = {name}" for n, name in enumerate(KEY, 1)), V)
        for text in (LIST, NUMBERED)
    ),
    *(
        Case(
            MOODS,
            "\n".join(
                shape.format(n=n, name=name)
                for n, name in enumerate(("Curious", "Troubled", "Thrilled", "Bitter", "Sturdy"), 1)
            ),
        )
        for shape in (
            *(
                "{n}. {name}",
                "{n}. {name}:",
                "{n}. {name}: ",
                "{n}. {name}: ___",
                "{n}. {name}: [ ]",
                "{n}. {name} (1-5)",
                "{n}. {name}: (1-5)",
            ),
            *(
                "{n}. {name}: [1-5]",
                "{n}. {name}: <score>",
                "{n}. {name}: [score]",
                "{n}. {name}: {{score}}",
                "{n}. {name}: X",
                "{n}. {name}: ?",
            ),
            *(
                "{n}. {name} 1 2 3 4 5",
                "{n}. {name}: 1 2 3 4 5",
                "{n}. [rating]",
                "{n}. [Your rating here]",
                "{n}. ____",
                "{n}.",
                "{n}. {name} - ",
                "{n} {name}",
            ),
            *(
                "{n}) {name}",
                "({n}) {name}",
                "{name}",
                "{name}:",
                "- {name}",
                "{n}. {name}: [insert number from 1 to 5]",
                "{n}. {name}: number",
                "{n}. {name}…",
            ),
            *(
                "{n}. {name}: ☐1 ☐2 ☐3 ☐4 ☐5",
                "{n}. {name}\n   1 = hardly or not at all\n   5 = utterly",
                "{n}: {name}",
                "Item {n}: {name}",
                "Q{n}. {name}",
            ),
            *(
                "{n}. {name}: hardly or not at all / a bit / fairly / rather much / utterly",
                "{n}. {name}: {{1,2,3,4,5}}",
                "{n} - {name}",
                "{n}\t{name}",
            ),
        )
    ),
    Case(MOODS, "Curious, Troubled, Thrilled, Bitter, Sturdy"),
    Case(MOODS, "1, 2, 3, 4, 5"),
    Case(MOODS, "1\n2\n3\n4\n5"),
    Case(MOODS, "0\n1\n2\n3\n4", "", loose=True),
    Case(MOODS, "5\n4\n3\n2\n1", "5 4 3 2 1", loose=True),
    Case(MOODS, "1: 1\n2: 2\n3: 3\n4: 4\n5: 5", "1 2 3 4 5", loose=True),
    Case(MOODS, "1. Curious: 1\n2. Troubled: 2\n3. Thrilled: 3\n4. Bitter: 4\n5. Sturdy: 5", "1 2 3 4 5"),
    Case(MOODS, "Please rate each of the 5 words from 1 to 5."),
    Case(MOODS, "Sure! Rate each word from 1 (hardly or not at all) to 5 (utterly)."),
    Case(MOODS, LIST + "\n\n" + LIST, V),
    Case(MOODS, LIST + "\n\n" + OTHER, BOTH),
    Case(MOODS, NUMBERED + "\n\n" + NUMBERED, V),
    Case(MOODS, NUMBERED + "\n\n" + NUMBERED_OTHER, BOTH),
    Case(MOODS, LIST + "\n\n" + NUMBERED, V),
    Case(MOODS, LIST + "\n\n" + NUMBERED_OTHER, BOTH),
    Case(MOODS, NUMBERED + "\n\n" + OTHER, BOTH),
    Case(MOODS, f"In the morning:\n{LIST}\n\nAt night:\n{OTHER}", BOTH),
    Case(MOODS, f"Answer 1:\n{LIST}\n\nAnswer 2:\n{OTHER}", BOTH),
    *(
        Case(MOODS, f"{LIST}\n\n{heading}\n{OTHER}", W)
        for heading in (
            *(
                "Revised ratings:",
                "Revised:",
                "Final answer:",
                "**Final ratings:**",
                "## Final ratings",
                "Final scores",
                "FINAL ANSWERS:",
            ),
            *(
                "Corrected list:",
                "Updated scores:",
                "My final answers are:",
                "So my final ratings would be:",
                "Adjusted ratings:",
                "*Revised scores*",
            ),
            *(
                "Let me revise that:",
                "Correction:",
                "On reflection, my final answers:",
                "Here are my final scores:",
                "**Revised ratings**",
            ),
            *(
                "After reconsidering:",
                "Final:",
                "---\n**Final Answer**",
                "Here is my corrected answer:",
                "最终评分：",
                "Endgültige Werte:",
                "Puntuaciones finales:",
                "Scores finaux :",
                "修正後：",
            ),
        )
    ),
    *(
        Case(MOODS, f"{NUMBERED}\n\n{heading}\n{NUMBERED_OTHER}", W)
        for heading in ("Revised ratings:", "**Final answer:**", "Final scores")
    ),
    *(
        Case(MOODS, f"{heading}\n{LIST}\n\n{second}\n{OTHER}", BOTH, loose=True)
        for heading, second in (
            ("Final scores:", "Old scores:"),
            ("Final:", "Before:"),
            ("Version A", "Version B"),
        )
    ),
    Case(MOODS, f"First draft:\n{LIST}\n\nFinal:\nCurious: 2", "2 . . . .", loose=True),
    Case(
        MOODS,
        f"First draft:\n{LIST}\n\nFinal:\nCurious: 3.5\nTroubled: 4\nThrilled: 1\nBitter: 5\nSturdy: 2",
        ". 4 1 5 2",
    ),
    Case(
        MOODS,
        f"First draft:\n{LIST}\n\nFinal:\nCurious: 6\nTroubled: 4\nThrilled: 1\nBitter: 5\nSturdy: 2",
        ". 4 1 5 2",
        "out_of_range",
    ),
    Case(MOODS, f"{LIST}\n\nFinal thoughts: a long day.", V),
    Case(MOODS, f"{LIST}\n\nFinal thoughts:\nThe new bus came at 3.", V),
    Case(MOODS, f"{LIST}\n\nActually, make Curious a 2.", ". 4 1 5 2", loose=True),
    Case(MOODS, f"{LIST}\n\nCorrection: Curious: 2", "2 4 1 5 2", loose=True),
    Case(MOODS, f"{LIST}\n\nEdit: Bitter should be 4, not 5.", "3 4 1 . 2", loose=True),
    Case(MOODS, f"{NUMBERED}\n\nActually, make item 4 a 4.", "3 4 1 . 2", loose=True),
    Case(MOODS, LIST.replace("3", "~~4~~ 3"), V),
    Case(MOODS, LIST.replace("3", "<del>4</del> 3"), V),
    Case(MOODS, LIST.replace("Curious: 3", "Curious: 4 3"), ". 4 1 5 2"),
    Case(MOODS, LIST.replace("Curious: 3", "Curious: 4 → 3"), ". 4 1 5 2", loose=True),
    Case(MOODS, LIST.replace("Curious: 3", "Curious: 4... no, 3"), ". 4 1 5 2", loose=True),
    Case(MOODS, LIST.replace("Curious: 3", "~~Curious: 4~~\nCurious: 3"), V),
    Case(MOODS, LIST + "\nCurious: 3", V),
    Case(MOODS, LIST + "\nCurious: 4", ". 4 1 5 2"),
    Case(MOODS, NUMBERED + "\n1. 4", ". 4 1 5 2"),
    Case(MOODS, "Curious and Troubled: 3", "3 3 . . .", loose=True),
    Case(MOODS, "All items: 3", "3 3 3 3 3", loose=True),
    Case(MOODS, "I would rate them all 3.", "3 3 3 3 3", loose=True),
    Case(MOODS, "1-5: 3", "3 3 3 3 3", loose=True),
    Case(MOODS, "1-3: 4\n4-5: 2", "4 4 4 2 2", loose=True),
    Case(MOODS, "Items 1 to 3: 4", "4 4 4 . .", loose=True),
    Case(MOODS, "Items 2 and 4: 5", ". 5 . 5 .", loose=True),
    Case(MOODS, "Curious: 3\nEverything else: 1", "3 1 1 1 1", loose=True),
    Case(MOODS, "Curious: 3\nThe rest: 1", "3 1 1 1 1", loose=True),
    Case(MOODS, "All ones, except Bitter: 5", "1 1 1 5 1", loose=True),
    Case(TWENTY, "1-20: 3", " ".join(["3"] * 20), loose=True),
    Case(MOODS, "I would rate Curious at 3 and Troubled at 4.", "3 4 . . .", loose=True),
    Case(
        MOODS,
        "I feel fairly Curious (3), rather Troubled (4), not Thrilled (1), utterly Bitter (5) and a bit Sturdy (2).",
        V,
        loose=True,
    ),
    Case(MOODS, "I am Curious, say 3, though Troubled is nearer 4.", "3 4 . . .", loose=True),
    Case(MOODS, "Curious gets a 3, Troubled a 4, Thrilled a 1, Bitter a 5, and Sturdy a 2.", V, loose=True),
    Case(MOODS, "For Curious I choose 3. For Troubled I choose 4.", "3 4 . . .", loose=True),
    Case(MOODS, "A Curious boy of 3 met a Bitter man of 5."),
    Case(MOODS, "Curious how 3 buses came at once."),
    Case(MOODS, "Curious as I am, 4 of my friends are not."),
    Case(MOODS, "I was Troubled for 3 days. Then 2 friends came."),
    Case(MOODS, "Being Bitter: 5 ways to stop", "", loose=True),
    Case(MOODS, "Troubled since 2 weeks.\nThrilled by 3 films."),
    Case(MOODS, "Chapter 3: Bitter 4 life", "", loose=True),
    Case(MOODS, "The 5 moods are Curious, Troubled, Thrilled, Bitter and Sturdy."),
    Case(MOODS, "Here are 5 moods:\n" + LIST, V),
    Case(MOODS, LIST + "\nTotal: 15", V),
    Case(MOODS, LIST + "\nMean: 3\nSum: 15/25", V),
    Case(MOODS, LIST + "\n\nI hope these 5 scores help. Reach me at 555-0100.", V),
    Case(MOODS, LIST + "\n\nCurious got 3 since the talk was good.", V),
    Case(
        MOODS,
        LIST + "\n\n* Curious (3): the talk was good.\n* Bitter (5): 2 of us were left out.",
        V,
        loose=True,
    ),
    Case(MOODS, LIST + "\n\nNote: 1 = hardly or not at all, 5 = utterly", V),
    Case(MOODS, NUMBERED + "\n\nNotes:\n1. The talk was good.\n2. The bus was late by 3 hours.", V, loose=True),
    Case(MOODS, NUMBERED + "\n\nItem 4 is 5 because 2 of us were left out.", V, loose=True),
    Case(MOODS, "1. The talk was good: I had 3 cups of tea.\n2. The bus was late.", "", loose=True),
    Case(MOODS, "1. First, I read the list.\n2. Then I chose a number.\n3. Last, I wrote it down."),
    Case(MOODS, "Step 1: read. Step 2: choose. Step 3: write.\n\n" + LIST, V),
    Case(MOODS, "Steps:\n1. Read.\n2. Choose.\n\n" + NUMBERED, V, loose=True),
    Case(MOODS, "[x] 3 Curious\n[ ] 4 Troubled", "3 . . . .", loose=True),
    Case(MOODS, "Curious: ☐1 ☐2 ☑3 ☐4 ☐5", "3 . . . .", loose=True),
    Case(MOODS, "Curious: 1 2 [3] 4 5", "3 . . . .", loose=True),
    Case(MOODS, "Curious: ★★★☆☆\nTroubled: ★★★★☆", "3 4 . . .", loose=True),
    Case(MOODS, "Curious: ⭐⭐⭐", "3 . . . .", loose=True),
    Case(MOODS, "Curious: 3\nTroubled: 4\n...\n", "3 4 . . ."),
    Case(MOODS, "Curious: 3\nTroubled: 4\n(and so on)", "3 4 . . ."),
    Case(MOODS, "1. 3\n2. 4\n...\n5. 2", "3 4 . . 2"),
    Case(MOODS, "1. 3\n2.\n3. 1\n4. -\n5. 2", "3 . 1 . 2"),
    Case(MOODS, "1. 3\n2. 4\n3. 1\n4. 5\n5. 2\n6. 3", V, loose=True),
    Case(MOODS, "0. 3\n1. 4\n2. 1\n3. 5\n4. 2", "", loose=True),
    Case(MOODS, "2. 3\n3. 4\n4. 1\n5. 5\n6. 2", "", loose=True),
    Case(MOODS, "34152", V, loose=True),
    Case(MOODS, "3-4-1-5-2", V, loose=True),
    Case(MOODS, "1-3, 2-4, 3-1, 4-5, 5-2", V, loose=True),
    Case(MOODS, "1. Troubled: 4\n2. Curious: 3", "3 4 . . ."),
    Case(MOODS, "4. Curious: 3\n1. Bitter: 5", "3 . . 5 ."),
    Case(TENS, "Relief: 8\nEnvy: 3\nConfidence: 9/10\nPride: 4\nGrief: 0", "8 3 4 0"),
    Case(TENS, "Relief: 8 (5 of 10 people would say so)", "8 . . .", loose=True),
    Case(TENS, "Relief: 10\nEnvy: 1 0\nPride: 1\nGrief: 0", "10 . 1 0"),
    Case(TENS, "Relief: 8\nRelief: 8\nEnvy: 2", "8 2 . ."),
    Case(ZERO, "1. I slept badly\n0 never\n2. I lost my temper\n3 nearly always", "0 3 . . .", loose=True),
    Case(ZERO, "1. I slept badly 3 nights a week.\n2. I lost my temper 2 times.", "", loose=True),
    Case(DIGITS, "Waiting 40 minutes for a bus is worse than paying 3 bills."),
    Case(
        TRAITS,
        "1. I enjoy loud gatherings.\n* 2. Rather wrong (the noise!)\n2. I forget where I put things.\n* 5. Very wrong",
        "2 . . . . .",
    ),
    Case(
        TRAITS,
        "1. Very wrong\n2. Rather wrong\n3. Neither right nor wrong\n4. Rather right\n5. Very right\n\n1. 2\n2. 5\n3. 4\n4. 4\n5. 3\n6. 1",
        "2 5 4 4 3 1",
    ),
    Case(
        TRAITS,
        "1. Very wrong\n2. Rather wrong\n3. Neither right nor wrong\n4. Rather right\n5. Very right\n6. Very right",
        "1 2 3 4 5 5",
        loose=True,
    ),
    Case(TRAITS, "I enjoy loud gatherings. I forget where I put things. 3 of these are true of me."),
    Case(THREE, "I'd say 3, 4 and 1.", "3 4 1", loose=True),
    Case(THREE, "On day 1, 2 and 3 it rained."),
    Case(THREE, "3 - 4 - 1", "3 4 1", loose=True),
    Case(THREE, "2024, 3, 4"),
    Case(THREE, "1\n2\n3"),
    Case(THREE, "1.5, 2, 3", ". 2 3", loose=True),
)
