"""A small study of raters, to be changed in one place: replies by several authors, varied between raters."""

from __future__ import annotations

RATING = """
scale VERDICT "Verdict" {
  options { 1 "poor"  2 "fair"  3 "good" }
  items { fit "How well does the reply fit?" }
  subscale grade "Grade" = fit
  subscale good "Good" = fit is 3
  subscale centred = fit - 2
  norm grade in "editors" mean 2.1 sd 0.6 n 40
  norm grade in "readers" mean 2.4 sd 0.5 n 90
}
scale WARMTH "Warmth" {
  options 0..4 { 0 "no"  4 "yes" }
  items { "I feel with others."  "I keep out of it." }
  reverse 2
  subscale warmth = mean(1, 2)
}
stimuli letters "Letters" from "letters.csv" {
  name = column "id"
  mood = column "mood"
  gold = column "gold"
}
protocol rating {
  condition judged each stimulus
}
responses raters "Raters" from "raters.csv" {
  kind human
  covariate city = column "city"
  vary author over person, robot, coached = "robot_coached" {
    respondent = column "rater_{author}"
    stimulus = column "id"
    covariate WARMTH = column "warmth_{author}" as list
    VERDICT = column "grade_{author}"
  }
}
responses lab "The lab" from "lab.csv" {
  kind human
  respondent = column "who"
  stimulus = column "id"
  VERDICT = column "grade"
}
study judging "Judging" {
  protocol rating
  scales VERDICT
  stimuli letters
  panels raters, lab
}
"""

LETTERS = "id,mood,gold\na,glad,2.5\nb,sad,1\nc,glad,3\n"


def rating(*lines: str, spec: str = RATING) -> str:
    """The study with more lines."""
    return spec.rstrip().removesuffix("}") + "".join(f"  {line}\n" for line in lines) + "}\n"
