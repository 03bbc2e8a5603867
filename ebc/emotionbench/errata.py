"""Where the paper's print departs from the answers that were published with it: which rows, and why."""

from __future__ import annotations

_LLAMA_7B = (
    "The recorded answers give another change than the print; thirteen of this model's columns are missing."
)
_LLAMA_13B_MEAN = "The print is 5.0, the recorded answers give 5.2."
_LLAMA_13B_ARROW = "The print has the arrow down with a positive change; the recorded answers rise."
_MIXTRAL = "The print does not follow from the recorded answers of this model."
_MIXTRAL_GUILT = (
    "The print would put this model's positive affect below the least that the scale allows; it does not "
    "follow from the recorded answers."
)
_MIXTRAL_OVERALL = "The overall mean takes in rows whose print does not follow from the recorded answers."

MODELS: tuple[tuple[str, str], ...] = (
    (
        'panel is "llama2-7b" and subscale is positive and emotion is anxiety or fear and factor_index is 1',
        _LLAMA_7B,
    ),
    (
        'panel is "llama2-13b" and subscale is negative and emotion is frustration and factor_index is missing',
        _LLAMA_13B_MEAN,
    ),
    (
        'panel is "llama2-13b" and subscale is negative and emotion is embarrassment '
        "and factor_index is missing",
        _LLAMA_13B_ARROW,
    ),
    ('panel is "mixtral-8x22b" and emotion is guilt', _MIXTRAL_GUILT),
    (
        'panel is "mixtral-8x22b" and emotion is depression and factor_index is 4 or 5',
        _MIXTRAL,
    ),
    (
        'panel is "mixtral-8x22b" and subscale is negative and emotion is depression '
        "and factor_index is 3 or missing",
        _MIXTRAL,
    ),
    (
        'panel is "mixtral-8x22b" and subscale is negative and emotion is missing',
        _MIXTRAL_OVERALL,
    ),
)
"""Tables 9 to 11: rows, as a `where` line says them, and what is wrong there."""

PEOPLE: tuple[tuple[str, str], ...] = (
    (
        "factor_index is 0",
        "This row prints the emotion's average again; its own change stands in the next row.",
    ),
    (
        "factor_index is 1",
        "This row prints the change of the factor before; its own change is printed nowhere.",
    ),
    (
        "emotion is guilt and factor_index is missing",
        "The average does not follow from the recorded answers.",
    ),
    ("emotion is guilt and factor_index is 3", "The print does not follow from the recorded answers."),
    (
        "subscale is negative and emotion is depression and factor_index is 4",
        "The print does not follow from the recorded answers.",
    ),
)
"""Table 8."""

CHALLENGING: dict[str, str] = {
    "BDI": "The printed change is about half of what the recorded answers give.",
    "MJS": "The print has the change's sign turned round.",
}
"""Table 5, by questionnaire."""
