"""Numbers that are no plain answers: ranges, decimals, fractions, signs, other scales."""

from tests.runtime.replies.case import (
    DEGREES,
    HALVES,
    MOODS,
    SEVEN,
    SIGNED,
    STANCE,
    TENS,
    THREE,
    ZERO,
    Case,
    parts,
)

DOUBTFUL = parts(
    "3-4¦3–4¦3 - 4¦3 to 4¦3 or 4¦3/4¦3, 4¦between 3 and 4¦from 3 to 4¦somewhere between 3 and 4¦3.5¦3,5¦3½¦"
    "3 1/2¦3.25¦3..4¦3~4¦3 and 4¦either 3 or 4¦3 / 10¦8/10¦3/7¦60%¦60 %¦60 percent¦3x¦3rd¦x¦?¦-¦—¦N/A¦n/a¦"
    "none¦null¦skip¦[rating]¦<score>¦___¦...¦1-5¦(1-5)¦[1-5]¦1 2 3 4 5¦1 / 2 / 3 / 4 / 5¦1|2|3|4|5¦"
    "not sure¦unknown¦3 (a bit)¦3 - a bit¦a bit (3)¦a bit, fairly¦a bit to fairly¦between a bit and fairly¦"
    "2 - 3 (a bit)¦it depends¦3 -> 4 or 5¦not a bit¦not utterly¦more than 3¦less than 3¦at least 3¦3+¦"
    "3 or more¦<3¦>3¦≥ 3¦≤3¦3 of 10¦3 out of 10¦3 out of 4¦12:30¦3 am¦3 hours¦$3¦3€¦3e0¦0x3¦3 million¦"
    "maybe 3, maybe 4¦3, but 4 at night¦3 (or 4)¦3 (maybe 4)¦3 at first, later 5¦not 3¦III¦no number"
)
OUTSIDE = parts("0¦6¦7¦10¦33¦-1¦−3¦–2¦-3¦100¦0/5¦6/5¦0 (hardly or not at all)¦**0**¦2024")
PLAIN = parts(
    "4.0¦4,0¦4.00¦4/5¦4 / 5¦4 out of 5¦4 of 5¦04¦+4¦4!¦4,¦4.¦(4)¦[4]¦{4}¦'4'¦\"4\"¦**4**¦*4*¦_4_¦`4`¦"
    "~~3~~ 4¦~~3~~ **4**¦<b>4</b>¦$4$¦\\(4\\)¦４¦٤¦४¦4️⃣¦𝟒¦4 (rather much)¦4 = rather much¦4 - rather much¦"
    "rather much¦Rather Much¦rather much (4)¦4: rather much¦4 points¦4 stars¦4 / 5 stars¦4/5 ⭐¦Score: 4¦"
    "Rating: 4/5¦4 (1-5)¦4 (scale 1-5)¦4 — sure¦=4¦a 4¦I'd say 4¦I would rate this 4¦probably 4¦"
    "my rating is 4¦4 because of the rain¦4 (I am sure)¦4 (up from 3)¦4 (changed from 3)¦4 (was 3)¦4 #rain¦"
    "4 // rain¦4 -- rain¦4 [rather much]¦4 (2 buses were late)"
)
LOOSE = parts("~4¦≈4¦about 4¦approximately 4¦around 4¦four¦4-ish¦4 (four)¦4 rather much¦the answer is four¦IV")


def alone(values: tuple[str, ...], code: str, status: str | None = None, *, loose: bool = False) -> list[Case]:
    """Each of `values` as an item's answer, between others: with a label, numbered, and numbered with a label."""
    shapes = (
        "Curious: 2\nTroubled: {}\nThrilled: 1",
        "1. 2\n2. {}\n3. 1",
        "1. Curious: 2\n2. Troubled: {}\n3. Thrilled: 1",
    )
    expected = f"2 {code} 1"
    return [Case(THREE, shape.format(value), expected, status, loose) for value in values for shape in shapes]  # type: ignore[arg-type]


NUMBERS: tuple[Case, ...] = (
    *alone(DOUBTFUL, "."),
    *alone(OUTSIDE, ".", "out_of_range"),
    *alone(PLAIN, "4"),
    *alone(LOOSE, "4", loose=True),
    Case(MOODS, "Curious: 2\nTroubled: 3\nThrilled: 0\nBitter: 4\nSturdy: 1", "2 3 . 4 1", "out_of_range"),
    Case(MOODS, "1. 0\n2. 4\n3. 3\n4. 2\n5. 1", ". 4 3 2 1", "out_of_range"),
    Case(MOODS, "0\n4\n3\n2\n1", ". 4 3 2 1", "out_of_range"),
    Case(MOODS, "7, 4, 1, 5, 2", ". 4 1 5 2", "out_of_range"),
    Case(MOODS, "-1, 4, 1, 5, 2", ". 4 1 5 2", "out_of_range", loose=True),
    Case(MOODS, "-1\n4\n1\n5\n2", ". 4 1 5 2", "out_of_range", loose=True),
    Case(MOODS, "Curious: 60%\nTroubled: 80%\nThrilled: 20%\nBitter: 100%\nSturdy: 40%", ""),
    Case(MOODS, "Curious: 6/10\nTroubled: 8/10\nThrilled: 2/10\nBitter: 10/10\nSturdy: 4/10", ""),
    Case(MOODS, "Curious: 60\nTroubled: 80\nThrilled: 20\nBitter: 100\nSturdy: 40", "", "out_of_range"),
    Case(
        MOODS, "Curious: 0.6\nTroubled: 0.8\nThrilled: 0.2\nBitter: 1.0\nSturdy: 0.4", ". . . 1 .", loose=True
    ),
    Case(ZERO, "1. 4\n2. 0\n3. 1\n4. 2\n5. 3", ". 0 1 2 3", "out_of_range"),
    Case(ZERO, "1. -1\n2. 0\n3. 1\n4. 2\n5. 3", ". 0 1 2 3", "out_of_range"),
    Case(TENS, "Relief: 11\nEnvy: 0\nPride: 10\nGrief: 7.5", ". 0 10 .", "out_of_range"),
    Case(TENS, "Relief: 8/100\nEnvy: 0\nPride: 10\nGrief: 7", ". 0 10 7"),
    Case(TENS, "Relief: 100%\nEnvy: 0%\nPride: 10\nGrief: 7", ". . 10 7"),
    Case(SIGNED, "Warm: -2\nLoud: 3\nFair: 0", "-2 3 0"),
    Case(SIGNED, "Warm: −2\nLoud: +3\nFair: 0", "-2 3 0"),
    Case(SIGNED, "Warm: –2\nLoud: + 3\nFair: 0", "-2 3 0", loose=True),
    Case(SIGNED, "1. -2\n2. 3\n3. 0", "-2 3 0"),
    Case(SIGNED, "1. −2\n2. +3\n3. -1", "-2 3 -1"),
    Case(SIGNED, "1: -2, 2: 3, 3: -1", "-2 3 -1"),
    Case(SIGNED, "1) -2 2) 3 3) -1", "-2 3 -1"),
    Case(SIGNED, "-2\n3\n-1", "-2 3 -1"),
    Case(SIGNED, "-2, 3, -1", "-2 3 -1"),
    Case(SIGNED, "[-2, 3, -1]", "-2 3 -1"),
    Case(SIGNED, "-2 3 -1", "-2 3 -1", loose=True),
    Case(SIGNED, "- 2\n- 3\n- 1", "2 3 1", loose=True),
    Case(SIGNED, "Warm -2\nLoud 3\nFair -1", "-2 3 -1", loose=True),
    Case(SIGNED, "Warm - 2\nLoud - 3\nFair - 1", "2 3 1", loose=True),
    Case(SIGNED, "Warm-2\nLoud-3\nFair-1", "", loose=True),
    Case(SIGNED, "- Warm: -2\n- Loud: 3\n- Fair: -1", "-2 3 -1"),
    Case(SIGNED, "1. Warm: -2\n2. Loud: 3\n3. Fair: -1", "-2 3 -1"),
    Case(SIGNED, "Warm (-2)\nLoud (3)\nFair (-1)", "-2 3 -1"),
    Case(SIGNED, "Warm: **-2**\nLoud: **+3**\nFair: **-1**", "-2 3 -1"),
    Case(SIGNED, '{"Warm": -2, "Loud": 3, "Fair": -1}', "-2 3 -1"),
    Case(SIGNED, '{"Warm": "-2", "Loud": "+3", "Fair": "−1"}', "-2 3 -1"),
    Case(SIGNED, '{"1": -2, "2": 3, "3": -1}', "-2 3 -1"),
    Case(SIGNED, "| Item | Score |\n|---|---|\n| Warm | -2 |\n| Loud | 3 |\n| Fair | -1 |", "-2 3 -1"),
    Case(SIGNED, "Warm,-2\nLoud,3\nFair,-1", "-2 3 -1"),
    Case(SIGNED, "Warm\t-2\nLoud\t3\nFair\t-1", "-2 3 -1"),
    Case(SIGNED, "Warm = -2; Loud = +3; Fair = -1", "-2 3 -1"),
    Case(SIGNED, "Warm: -4\nLoud: 3\nFair: 0", ". 3 0", "out_of_range"),
    Case(SIGNED, "Warm: -2 to -1\nLoud: 3\nFair: 0", ". 3 0"),
    Case(SIGNED, "Warm: -2/-1\nLoud: 3\nFair: 0", ". 3 0"),
    Case(SIGNED, "Warm: 1-2\nLoud: 3\nFair: 0", ". 3 0"),
    Case(SIGNED, "Warm: -1-2\nLoud: 3\nFair: 0", ". 3 0"),
    Case(SIGNED, "Warm: -1 or 1\nLoud: 3\nFair: 0", ". 3 0"),
    Case(SIGNED, "Warm: ±2\nLoud: 3\nFair: 0", ". 3 0"),
    Case(SIGNED, "Warm: -2.5\nLoud: 3\nFair: -1.0", ". 3 -1"),
    Case(SIGNED, "Warm: --2\nLoud: 3\nFair: 0", ". 3 0"),
    Case(SIGNED, "Warm: -2 (-3 to 3)\nLoud: 3\nFair: 0", "-2 3 0", loose=True),
    Case(SIGNED, "Warm (-3 to +3): -2\nLoud (-3 to +3): 3\nFair (-3 to +3): 0", "-2 3 0"),
    Case(SIGNED, "Warm (-3 to +3)\nLoud (-3 to +3)\nFair (-3 to +3)", ""),
    Case(SIGNED, "Warm: -2/3\nLoud: 3/3\nFair: 0/3", "-2 3 0", loose=True),
    Case(SIGNED, "Warm: minus 2\nLoud: plus 3\nFair: 0", "-2 3 0", loose=True),
    Case(SIGNED, "Warm: negative 2\nLoud: 3\nFair: 0", "-2 3 0", loose=True),
    Case(DEGREES, "Warm: -2 (quite untrue)\nLoud: 2 (quite true)\nFair: 0 (undecided)", "-2 2 0"),
    Case(DEGREES, "Warm: quite untrue\nLoud: quite true\nFair: undecided", "-2 2 0"),
    Case(DEGREES, "Warm: 2 (quite untrue)\nLoud: 2 (quite true)\nFair: 0 (undecided)", ". 2 0"),
    Case(DEGREES, "Warm: -1 - rather untrue\nLoud: +1 = rather true\nFair: 0, undecided", "-1 1 0"),
    Case(DEGREES, "-2 = quite untrue, -1 = rather untrue, 0 = undecided, 1 = rather true, 2 = quite true", ""),
    Case(DEGREES, "-2: quite untrue\n-1: rather untrue\n0: undecided\n1: rather true\n2: quite true", ""),
    Case(DEGREES, "Warm: rather untrue (-1)\nLoud: rather true (+1)\nFair: undecided (0)", "-1 1 0"),
    Case(HALVES, "Warm: -0.5\nLoud: 1,5", "-0.5 1.5"),
    Case(HALVES, "1. 2\n2. 0.25", "2 ."),
    Case(HALVES, '{"Warm": 0.5, "Loud": -1.0}', "0.5 -1"),
    Case(HALVES, "Warm: 2.5\nLoud: 0.0", ". 0", "out_of_range", loose=True),
    Case(STANCE, "-2", "-2"),
    Case(STANCE, "−3", "-3"),
    Case(STANCE, "+3", "3"),
    Case(STANCE, "**-1**", "-1"),
    Case(STANCE, "Answer: -2", "-2"),
    Case(STANCE, "- 2", "2", loose=True),
    Case(STANCE, "I would give it a -2.", "-2", loose=True),
    Case(STANCE, "My rating is -2", "-2", loose=True),
    Case(STANCE, "-4", "", "out_of_range"),
    Case(STANCE, "-3 to 3", ""),
    Case(SEVEN, "-3", "", "out_of_range"),
    Case(SEVEN, "−3", "", "out_of_range"),
    Case(SEVEN, "- 3", "3", loose=True),
)
