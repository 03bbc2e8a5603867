"""One study a questionnaire: its protocol, its recorded answers, the paper's comparisons and numbers."""

from __future__ import annotations

from collections.abc import Iterable

from ebc.emotionbench.errata import CHALLENGING, MODELS, PEOPLE
from ebc.emotionbench.published import BY_FACTOR, CHANGES, Published
from ebc.emotionbench.upstream import Emotion, Recordings
from ebc.questionnaires.records import Questionnaire
from ebc.questionnaires.scales import AS_GIVEN, keyed, prompt_name
from ebc.questionnaires.words import quoted, scale_name, slug

DEFAULT = "General_test-{repeat}_order-{order}"
EVOKED = "{emotion}-{factor}_scenario-{situation}_test-{repeat}_order-{order}"
FIRST_ITEM = 3
"""The row of a recording's first item: the label and the prompt stand above."""

PEOPLE_SPELLINGS = {"Angry": "anger", "Jealous": "jealousy"}
COVARIATES = {
    "gender": "Gender:",
    "birth_year": "Year of Birth: - Year - Please Select:",
    "country": "Which country are you from?",
    "employment": "Employment Status:",
    "education": "Education attainment",
}
BIRTH_YEAR = COVARIATES["birth_year"]
SURVEY_YEAR = 2023
AGES = ((18, 24), (25, 34), (35, 44), (45, 54), (55, 64))
PARTS = {"train": 866, "test": 400}
"""The halves of the people: the paper fine-tunes on the first, and compares with the second."""

PEOPLE_DEFAULT, PEOPLE_EVOKED = 7, 27
"""The rows of the people's first item, before and after imagining the situation."""

PRINTED_NAMES = {
    "text-davinci-003": "davinci-003",
    "llama-2-7b-chat": "llama2-7b",
    "llama-2-13b-chat": "llama2-13b",
    "llama-3.1-8b-instruct": "llama3.1-8b",
    "mixtral-8x22b-instruct": "mixtral-8x22b",
}


def study_name(questionnaire: Questionnaire) -> str:
    """The study's name, and its file's."""
    return f"emotionbench_{slug(questionnaire.name)}"


def study_text(
    questionnaire: Questionnaire,
    recordings: Recordings,
    emotions: Iterable[Emotion],
    published: Published,
) -> str:
    """The study's file. What is `published` stands in the folder `published/` beside it."""
    every = [one.name for one in emotions]
    everywhere = list(recordings.emotions) == every
    lines = [f"use {quoted(f'scales/{slug(questionnaire.name)}')}"]
    lines += (
        ['use "emotions/*"']
        if everywhere
        else [f"use {quoted(f'emotions/{slug(e)}')}" for e in recordings.emotions]
    )
    lines += ['use "prompts"', "", _protocol(questionnaire), ""]
    lines += [_models(questionnaire, recordings), ""]
    if recordings.people is not None:
        lines += [_people(questionnaire, recordings.people), ""]
    lines += [f"study {study_name(questionnaire)} {quoted(f'EmotionBench: {questionnaire.name}')} {{"]
    lines += [f"protocol {protocol_name(questionnaire)}", f"scales {scale_name(questionnaire.name)}"]
    lines += [f"stimuli {'*' if everywhere else ', '.join(slug(one) for one in recordings.emotions)}"]
    lines += ["panels recorded" + (", crowd" if recordings.people is not None else "")]
    if recordings.people is not None:
        lines += ["split crowd into " + ", ".join(f"{name} {count}" for name, count in PARTS.items())]
    lines += ["sampling { temperature 0 }", "repeats 1", "seed 42", "orders 10", ""]
    lines += _contrasts(recordings)
    lines += _expectations(questionnaire, recordings, published)
    return "\n".join([*lines, "}"])


def protocol_name(questionnaire: Questionnaire) -> str:
    """The protocol's name."""
    return f"{slug(questionnaire.name)}_before_and_after"


def _protocol(questionnaire: Questionnaire) -> str:
    return f"""protocol {protocol_name(questionnaire)} {{
condition default
condition evoked each situation {{ present imagine }}
then {{ measure with {prompt_name(questionnaire)} }}
}}"""


def _models(questionnaire: Questionnaire, recordings: Recordings) -> str:
    scale = scale_name(questionnaire.name)
    rows = f"rows {FIRST_ITEM}..{FIRST_ITEM + len(questionnaire.questions) - 1}"
    cells = f'{scale} = {rows} in order column "order-{{order}}"'
    return f"""responses recorded "Recorded answers of models" from {quoted(recordings.path)} transposed {{
kind model
condition default {{
match row 1 {quoted(DEFAULT)} counting from 0
{cells}
}}
condition evoked {{
match row 1 {quoted(EVOKED)} counting from 0
{cells}
}}
}}"""


def _people(questionnaire: Questionnaire, path: str) -> str:
    scale, count = scale_name(questionnaire.name), len(questionnaire.questions)
    recode = "  ".join(f"{quoted(spelling)} -> {meaning}" for spelling, meaning in PEOPLE_SPELLINGS.items())
    covariates = "\n".join(f"covariate {name} = row {quoted(label)}" for name, label in COVARIATES.items())
    ages = "  ".join(f"{first}..{last} -> {quoted(f'{first} to {last}')}" for first, last in AGES)
    oldest = AGES[-1][1] + 1
    default = f"rows {PEOPLE_DEFAULT}..{PEOPLE_DEFAULT + count - 1}"
    evoked = f"rows {PEOPLE_EVOKED}..{PEOPLE_EVOKED + count - 1}"
    return f"""responses crowd "People" from {quoted(path)} sheet "Raw" transposed {{
kind human
respondent = counted
match row 1 "{{emotion}}_F{{factor}}S{{situation}}"
recode emotion {{ {recode} }}
{covariates}
covariate age = {SURVEY_YEAR} - row {quoted(BIRTH_YEAR)} # the year of the survey
recode age {{ {ages}  {oldest}..120 -> {quoted(f"{oldest} and over")} }}
condition default {{ {scale} = {default} }}
condition evoked {{ {scale} = {evoked} }}
}}"""


def _contrasts(recordings: Recordings) -> list[str]:
    rules = "alpha 0.01  adjust none"
    groups = "by overall, emotion, factor"
    models = (
        f"contrast shift = evoked - default where kind is model {groups} per response "
        f"{{ test f_then_t  {rules} }}"
    )
    by_situation = (
        'contrast shift_by_situation "The same, each situation counted once" = evoked - default '
        f"where kind is model {groups} {{ test welch  alpha 0.01  adjust holm }}"
    )
    people = (
        f"contrast people = evoked - default where panel is crowd {groups} paired by respondent "
        f"{{ test paired_t  {rules} }}"
    )
    by_whom = (
        'contrast people_by "People, by who they are" = evoked - default where panel is crowd '
        f"by gender, age, country, split paired by respondent {{ test paired_t  {rules} }}"
    )
    close = (
        'contrast as_people "Models as people, within 3 points" = evoked - evoked in crowd where kind is model '
        "by overall, emotion paired by stimulus { test equivalence  margin 3 }"
    )
    of_people = [people, "", by_whom, "", close, ""] if recordings.people is not None else []
    return [models, "", by_situation, "", *of_people]


def _expectations(questionnaire: Questionnaire, recordings: Recordings, published: Published) -> list[str]:
    if recordings.people is not None:
        if BY_FACTOR not in published.files:
            return []
        return [
            _by_factor("shift", "Tables 9 to 11", ("T9", "T10", "T11"), PRINTED_NAMES, MODELS),
            "",
            _by_factor("people", "Table 8", ("T8",), {}, PEOPLE),
        ]
    arrow = published.arrows.get(recordings.emotions[0]) if len(recordings.emotions) == 1 else None
    return [] if arrow is None else [_changes(questionnaire, recordings.emotions[0], arrow)]


def _by_factor(
    contrast: str,
    source: str,
    tables: tuple[str, ...],
    names: dict[str, str],
    errata: tuple[tuple[str, str], ...],
) -> str:
    printed = "  ".join(f"{quoted(print)} -> {quoted(name)}" for print, name in names.items())
    told = " or ".join(quoted(table) for table in tables)
    return "\n".join(
        [
            f"expect {contrast} from {quoted(f'published/{BY_FACTOR}')} source {quoted(source)} {{",
            f'where column "table" is {told}',
            'panel = column "model"',
            *([f"recode panel {{ {printed} }}"] if names else []),
            'subscale = column "affect"',
            'recode subscale { "P" -> positive  "N" -> negative }',
            'emotion = column "emotion"',
            'recode emotion { "Overall" -> missing }',
            'factor_index = column "factor_index"',
            'recode factor_index { "avg" -> missing }',
            'estimate = column "change" rounded 1 within 0.1',
            'direction = column "arrow"',
            'recode direction { "ns" -> none }',
            *(f"erratum {quoted(text)} where {where}" for where, text in errata),
            "}",
        ]
    )


def _changes(questionnaire: Questionnaire, emotion: str, arrow: str) -> str:
    everything = set(questionnaire.questions)
    whole = any(set(one.cat_questions) == everything for one in questionnaire.categories)
    erratum = CHALLENGING.get(questionnaire.name)
    subscale = AS_GIVEN if keyed(questionnaire) else "overall" if whole else "total"
    return "\n".join(
        [
            f'expect shift from {quoted(f"published/{CHANGES}")} source "Table 5" {{',
            f'where column "emotion" is {quoted(emotion)}',
            'panel = constant "gpt-3.5-turbo"',
            f"subscale = constant {quoted(subscale)}",
            'b_mean = column "default_mean" rounded 1 within 0.1',
            'b_sd = column "default_sd" rounded 1 within 0.1',
            'estimate = column "change" rounded 1 within 0.1',
            'direction = column "arrow"',
            *(['recode direction { "ns" -> none }'] if arrow == "ns" else []),
            *([f"erratum {quoted(erratum)} where subscale is {subscale}"] if erratum else []),
            "}",
        ]
    )
