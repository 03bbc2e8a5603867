"""What a plan names, as rows: the study, its scales with items and subscales, its stimuli."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from schemas.plan import Plan, Scale, Subscale
from schemas.rows import TABLES, ItemRow, Row, ScaleRow, StimulusRow, StudyRow, SubscaleRow
from warehouse.errors import WarehouseError
from warehouse.formulas import formula_text
from warehouse.layout import part
from warehouse.parquet import prepare, write_rows
from warehouse.scoring import expression_text, items_used, option_range, terms


def register_plan(results: Path, plan: Plan) -> None:
    """Replaces the rows of the plan's study, the study's own last. Raises StorageError; WarehouseError where a
    score names what its scale lacks."""
    rows = plan_rows(plan)
    for table, its_rows in rows.items():
        write_rows(part(results, table, plan.study.id), TABLES[table], its_rows)
    prepare(results)


def plan_rows(plan: Plan) -> dict[str, list[Row]]:
    """What a plan names, by table. Raises WarehouseError where a score names what its scale lacks."""
    study = plan.study
    return {
        "scales": [_scale_row(study.id, scale) for scale in plan.scales],
        "items": [row for scale in plan.scales for row in _item_rows(study.id, scale)],
        "subscales": [row for scale in plan.scales for row in _subscale_rows(study.id, scale)],
        "stimuli": list(_stimulus_rows(plan)),
        "studies": [StudyRow(study.id, study.title, plan.plan_id)],
    }


def _scale_row(study: str, scale: Scale) -> ScaleRow:
    ranges = [option_range(scale, item) for item in scale.items]
    return ScaleRow(
        study=study,
        scale=scale.id,
        title=scale.title,
        n_items=len(scale.items),
        min=min(low for low, _ in ranges),
        max=max(high for _, high in ranges),
        citation=scale.citation,
        doi=scale.doi,
    )


def _item_rows(study: str, scale: Scale) -> Iterator[ItemRow]:
    for item in scale.items:
        low, high = option_range(scale, item)
        yield ItemRow(
            study=study,
            scale=scale.id,
            item=item.number,
            name=item.name,
            text=item.text,
            reverse=item.reverse,
            filler=item.filler,
            min=low,
            max=high,
        )


def _subscale_rows(study: str, scale: Scale) -> Iterator[SubscaleRow]:
    for subscale in scale.subscales:
        _check_items(scale, subscale)
        linear = terms(scale, subscale)
        items = items_used(subscale.score) if linear is None else linear.items
        yield SubscaleRow(
            study=study,
            scale=scale.id,
            subscale=subscale.id,
            title=subscale.title,
            score=expression_text(subscale.score),
            n_items=len(items),
            missing_allowed=scale.missing_allowed or 0,
            constant=None if linear is None else linear.constant,
            items=items,
            weights=() if linear is None else linear.weights,
            offsets=() if linear is None else linear.offsets,
            calls=() if linear is None else linear.calls,
            formula=formula_text(scale, subscale) if linear is None else None,
        )


def _check_items(scale: Scale, subscale: Subscale) -> None:
    unknown = set(items_used(subscale.score)) - {item.number for item in scale.items}
    if unknown:
        raise WarehouseError(
            f"{scale.id}.{subscale.id} uses item {min(unknown)}, which {scale.id} does not have. "
            "Compile the study again."
        )


def _stimulus_rows(plan: Plan) -> Iterator[StimulusRow]:
    emotions = list(dict.fromkeys(s.emotion for s in plan.stimuli if s.emotion is not None))
    for stimulus in plan.stimuli:
        yield StimulusRow(
            study=plan.study.id,
            stimulus=stimulus.id,
            name=stimulus.name,
            emotion=stimulus.emotion,
            emotion_title=stimulus.emotion_title,
            emotion_index=None if stimulus.emotion is None else emotions.index(stimulus.emotion),
            factor=stimulus.factor,
            factor_title=stimulus.factor_title,
            factor_index=stimulus.factor_index,
            situation=stimulus.situation,
            text=stimulus.fields.get("situation", next(iter(stimulus.fields.values()), "")),
            fields=stimulus.fields,
        )
