"""Replies to one item."""

from tests.runtime.replies.case import SEVEN, STANCE, VIEW, Case, parts

OPTIONS = ("1", "Fully disagree"), ("2", "Disagree"), ("3", "Agree"), ("4", "Fully agree")
KEY = "\n".join(f"{code}) {label}" for code, label in OPTIONS)
ONE_LINE_KEY = " ".join(f"{code}. {label}" for code, label in OPTIONS)
BEHIND_THE_KEY = (f"{KEY}\n\nMy answer: 3", f"{KEY}\n\n3) Agree", f"{ONE_LINE_KEY}\n\nAnswer: 3")
BESIDE_THE_KEY = (f"My answer: 3\n\n{KEY}", f"{KEY}\n\nI choose Agree.", f"3\n\n({ONE_LINE_KEY})")

THREE = parts(
    '3¦ 3 ¦3.¦3\n¦(3)¦[3]¦**3**¦3)¦3!¦"3"¦`3`¦```\n3\n```¦３¦٣¦3.0¦3/4¦3 / 4¦3 out of 4¦3 of 4¦# 3¦- 3¦* 3¦'
    "> 3¦3️⃣¦$\\boxed{3}$¦\\boxed{3}¦<answer>3</answer>¦Answer: 3¦Answer: **3**¦**Answer: 3**¦"
    "**Answer:** 3¦My answer: 3¦My answer is 3.¦My answer is: 3¦The answer is 3¦Rating: 3¦Score: 3¦"
    "Score = 3¦Response: 3¦My rating: 3¦I choose 3.¦I would choose 3.¦I'd choose option 3.¦I pick 3¦"
    "Option 3¦option 3¦Option 3: Agree¦I select 3¦I'd give it a 3.¦I would rate this a 3.¦I would say 3.¦"
    "3 - Agree¦3 – Agree¦3: Agree¦3) Agree¦3. Agree¦3 = Agree¦3 (Agree)¦(3) Agree¦3, Agree¦**3. Agree**¦"
    "3 Agree¦Agree (3)¦Agree - 3¦Agree¦agree¦AGREE¦Agree.¦**Agree**¦Answer: Agree¦My answer: Agree.¦"
    "I would choose: Agree¦I choose 3 (Agree).¦I would pick 3) Agree.¦My verdict: 3) Agree¦"
    "3\n\nLibraries help 2 of 3 children.¦3 - Agree\n\nBooks are 4 everyone.¦"
    "3\nReason: in 1900 few could read.¦Agree\n\nBooks matter.¦Libraries should be free of charge: 3¦1. 3¦"
    '1. Libraries should be free of charge: 3¦1: 3¦Libraries should be free of charge\n3¦{"answer": 3}¦'
    '{"score": 3}¦{"rating": "3"}¦{"response": "Agree"}¦{"Libraries should be free of charge": 3}¦[3]¦'
    '{"answer": 3, "reason": "2 of 3 children"}¦```json\n{"answer": 3}\n```¦Item 1: 3¦Q1: 3¦'
    "Let me think. There are 2 sides.\n\nFinal answer: 3¦3\n3¦Final answer: 3¦答案：3¦回答：3¦Ответ: 3¦"
    "Antwort: 3¦Respuesta: 3¦Réponse : 3¦3分"
)
MAYBE_THREE = parts(
    "I'd say 3¦Agree: 3¦\"Agree\"¦I'd go with 3.¦I lean towards 3.¦3 because books matter.¦"
    "3. Books matter.¦3; books matter¦3 - because books matter¦Agree. Books matter.¦"
    "Agree, because books matter.¦1. Agree¦1. 3 (Agree)¦1. Libraries should be free of charge - 3. Agree¦"
    'Libraries should be free of charge. 3¦{"1": 3}¦[{"item": 1, "score": 3}]¦{\'answer\': 3}¦'
    '{"item": 1, "score": 3}¦| Item | Score |\n|---|---|\n| Libraries should be free of charge | 3 |¦'
    "| Item | Score |\n|---|---|\n| 1 | 3 |¦Reasons for:\n1. Books.\n2. Peace.\n\nAnswer: 3) Agree¦"
    "After some thought, 3.¦3 3¦On a scale from 1 to 4, I would say 3.¦On a scale of 1-4: 3¦"
    "I'd give this a 3 out of 4.¦I rate it 3/4.¦3/4 - Agree¦~~2~~ 3¦First 2, but my final answer is 3.¦"
    "Initial answer: 2\nFinal answer: 3¦选择：3¦我的答案是3。¦我选择3¦답변: 3¦Meine Antwort ist 3.¦Mi respuesta es 3.¦"
    "Ma réponse est 3.¦Risposta: 3¦الإجابة: 3¦उत्तर: 3¦3 points¦3点¦Number 3¦No. 3¦three¦Three.¦3 (three)¦"
    "I agree with this statement.¦I agree.¦A 3 from me."
)
NONE = parts(
    "2 or 3¦2-3¦2 to 3¦between 2 and 3¦2.5¦2,5¦3/10¦8/10¦75%¦1-4¦(1-4)¦1 to 4¦1 2 3 4¦1/2/3/4¦1, 2, 3, 4¦"
    "1 = Fully disagree, 4 = Fully agree¦Please choose 1, 2, 3 or 4.¦[1-4]¦[your answer]¦Answer:¦"
    "Answer: ___¦___¦Disagree / Agree¦Agree or Disagree?¦Do you agree or disagree?¦Agree, Disagree¦"
    "3) Disagree¦3 - Disagree¦3 (Disagree)¦Agree (2)¦In 2023, 3 million people read.¦"
    "There are 3 reasons to read.¦I have 2 children who read 4 books.¦Chapter 3¦3 libraries closed.¦"
    "Page 3 of 4¦Some people agree with it.¦Many disagree.¦It is hard to agree or to disagree.¦"
    "Three libraries closed.¦It depends on 2 things.¦1. Books. 2. Peace.¦"
    "1. Books matter.\n2. Peace matters.\n3. Money matters.¦Libraries should be free of charge.¦"
    "Libraries should be free of charge: 1-4¦2\n3¦2 3¦Answer: 2\nAnswer: 3¦Question 3¦Step 3¦a¦-¦?¦N/A¦"
    "not 3¦anything but 3¦more than 3¦at least 3¦3+¦≥3¦<3¦3rd¦☐ 1 ☐ 2 ☐ 3 ☐ 4¦☐ Agree ☐ Disagree¦<score>¦"
    "{answer}¦[Insert number]¦Your answer (1-4):¦Select one: 1 2 3 4¦the 3 of us¦1. Yes¦4 x 1¦1 + 2¦3:30¦"
    "3%¦3 out of 10¦3 of 10¦3/5¦$3¦3 €¦3 years ago I read a book.¦Not Agree¦print(3 + 1)¦for 3 in range(4)¦"
    "https://books.example/3¦3 a.m.¦v3¦3D¦x=3y¦H2O 3¦I do not agree with 3 of these.¦"
    "I disagree with people who agree.¦Neither 2 nor 3¦no 3¦Either 2 or 3.¦Agree and disagree"
)
OUT = parts('0¦5¦7¦-1¦−2¦10¦Answer: 5¦My rating: 0¦5 - Agree¦**9**¦33¦I choose 5.¦Option 7¦{"answer": 5}')

OF_OTHERS = parts(
    "I cannot choose option 3.¦I would not choose 3.¦Most people would answer 3.¦They say 3¦If you rate 3"
    "¦Many would rate this 3.¦I would never pick 3.¦Some would select 3."
)

SINGLES: tuple[Case, ...] = (
    *(Case(VIEW, text, "3") for text in (*THREE, *BEHIND_THE_KEY)),
    *(Case(VIEW, text, "3", loose=True) for text in (*MAYBE_THREE, *BESIDE_THE_KEY)),
    *(Case(VIEW, text) for text in (*NONE, KEY, ONE_LINE_KEY)),
    *(Case(VIEW, text, "", "refused" if "cannot" in text else None) for text in OF_OTHERS),
    *(Case(VIEW, text, "", "out_of_range") for text in OUT),
    Case(STANCE, "My answer is −2.", "-2"),
    Case(SEVEN, "7", "7"),
    Case(SEVEN, "7 (strongly agree)", "7"),
    Case(SEVEN, "7 - Strongly agree", "7"),
    Case(SEVEN, "6/7", "6"),
    Case(SEVEN, "6/10", ""),
    Case(SEVEN, "8", "", "out_of_range"),
    Case(SEVEN, "I'd put it at 6, leaning towards agreement.", "6", loose=True),
    Case(SEVEN, "On a 7-point scale: 5", "5", loose=True),
    Case(SEVEN, "On a 7-point scale I cannot say.", "", "refused"),
    Case(SEVEN, "The 7-point scale runs from 1 to 7.", ""),
    Case(SEVEN, "My answer would be 5 on the 7-point scale.", "5", loose=True),
    Case(SEVEN, "1. Strongly disagree 2. Disagree 3. Neutral 4. Agree 5. Strongly agree", ""),
    Case(SEVEN, "5  The statement is one that many would share.", "5"),
    Case(SEVEN, "5 The statement is one that many would share.", "5", loose=True),
    Case(SEVEN, "5  ```  In this code 7 stands for all. ", "5"),
    Case(SEVEN, "4 - Neutral\n\nThere were 6 surveys in 3 countries.", "4"),
    Case(SEVEN, "Response: 4", "4"),
    Case(SEVEN, "The mean was 4.2 and the SD 1.1 (N = 7).", ""),
    Case(SEVEN, "Table 3. Results", ""),
    Case(SEVEN, "5 out of 7 people agree.", "", loose=True),
    Case(SEVEN, "5\n6", ""),
    Case(SEVEN, "5\n\n5", "5"),
    Case(SEVEN, "Neutral (4)", "4", loose=True),
)
