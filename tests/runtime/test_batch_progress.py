"""What a user sees of a run by way of batches."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from runtime.progress import Form, Reporter
from schemas.plan import Price
from tests.runtime.asking_batches import Study, at_a_server, quick
from tests.runtime.server_batches import Course


@pytest.mark.parametrize("form", ["plain", "json"])
def test_a_run_tells_how_far_the_provider_is(
    tmp_path: Path, form: Form, golden: Callable[[str, str], None]
) -> None:
    stream = io.StringIO()
    now = itertools.count(0, 10)

    async def main(study: Study) -> None:
        told = Reporter(stream, form, lambda: float(next(now)))
        assert (await study.run(quick(requests=6), told=told)).state == "finished"

    courses = (Course(looks=4), Course(looks=2, status="expired", answers=3), Course())
    at_a_server(tmp_path, main, *courses, price=Price(2.0, 8.0), situations=4)
    text = "\n".join(
        line for line in stream.getvalue().splitlines() if not re.search(r"m [1-9]|\"done\":[1-9]", line)
    )
    golden(
        f"progress/batch.{form}.txt", re.sub(r'(rate|seconds|seconds_left)":[^,}]+', r'\1":"*"', text) + "\n"
    )
