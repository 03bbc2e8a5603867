"""Other programs that ask models, as clients of the bench's server; each where it is installed.

`inspect` evaluates a task of Inspect AI, `lm-eval` has the chat model of the LM Evaluation Harness generate.
Both do what they do by default, apart from the number of connections.
"""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any

PEERS = {"inspect": "inspect_ai", "lm-eval": "lm_eval"}
"""The peers, and the package of each."""

Messages = list[dict[str, str]]


def inspect(url: str, messages: Messages, requests: int, connections: int) -> None:
    """Inspect AI, with its log in a folder that is thrown away."""
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.solver import generate

    question = messages[0]["content"]
    task = inspect_ai.Task(
        dataset=[Sample(input=f"{number}: {question}") for number in range(requests)], solver=generate()
    )
    os.environ["SERVED_API_KEY"] = "none"
    with tempfile.TemporaryDirectory() as folder:
        inspect_ai.eval(
            task,
            model="openai-api/served/served",
            model_base_url=url,
            max_connections=connections,
            max_samples=connections,
            display="none",
            log_dir=folder,
        )


def lm_eval(url: str, messages: Messages, requests: int, connections: int) -> None:
    """The LM Evaluation Harness; nothing is stored."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.api_models import JsonChatStr
    from lm_eval.models.openai_completions import LocalChatCompletion

    model = LocalChatCompletion(
        base_url=f"{url}/chat/completions", model="served", num_concurrent=connections, tokenizer_backend=None
    )
    asked: list[Any] = [
        Instance("generate_until", {}, (JsonChatStr(json.dumps(messages)), {"until": ["\n\n\n"]}), number)
        for number in range(requests)
    ]
    model.generate_until(asked, disable_tqdm=True)
