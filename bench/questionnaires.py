"""What `bench.local` asks, and a model of random weights to be asked where no other is named."""

from __future__ import annotations

import random
from pathlib import Path

from bench.reading import ANCHORS, NAMES, OPTIONS
from runtime.transport import Request
from schemas.plan import Model, Sampling, Scale
from schemas.render import ChatMessage, Shown, ShownItem

SYSTEM = (
    "You take part in a study of moods. Put yourself into the situation that is told to you, as if it happened "
    "to you just now, and say how you would feel. There are no right answers and no wrong ones. "
    f"Rate every mood of the list with a whole number from 1 to {len(ANCHORS)}: "
    + ", ".join(f"{code} is {anchor}" for code, anchor in enumerate(ANCHORS, 1))
    + ". Write a line for each, the number of the mood and your rating, and nothing else."
)
WHO = ("A neighbour", "Your cousin", "The baker", "A former teacher")
DID = ("borrowed your ladder", "sang below your window", "forgot your name", "repaired your bicycle")
WHEN = ("on a wet morning in March", "an hour before the train left", "while the soup boiled over", "at noon")
AFTER = (
    "Everyone on the stairs has stopped to look at the two of you, and a dog that nobody knows sits down "
    "between you as if it had been waiting all day for somebody to explain the matter to it. You still hold "
    "the basket with the pears, two of which have begun to roll to the door, and it is your turn to speak."
)
CHATML = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n{{ message['content'] }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
VOCABULARY = 8192


def requests(count: int, model: Model, sampling: Sampling) -> list[Request]:
    """Questionnaires of 20 items, each of a situation and an order of its own."""
    draw = random.Random(7)
    return [_request(at, draw.sample(NAMES, len(NAMES)), model, sampling) for at in range(count)]


def _request(at: int, names: list[str], model: Model, sampling: Sampling) -> Request:
    items = tuple(ShownItem(n, NAMES.index(name) + 1, name, OPTIONS) for n, name in enumerate(names, 1))
    situation = f"{WHO[at % 4]} {DID[at // 4 % 4]} {WHEN[at // 16 % 4]}. {AFTER}"
    asked = "How strongly would you feel each of these moods, at this very moment?"
    moods = "\n".join(f"{item.position}. {item.text}" for item in items)
    return Request(
        trial_key=f"trial {at}",
        request_key=f"request {at}",
        messages=(ChatMessage("system", SYSTEM), ChatMessage("user", f"{situation}\n\n{asked}\n\n{moods}")),
        model=model,
        sampling=sampling,
        shown=Shown("moods", items),
        stimulus=None,
        condition="default",
        item_order=at,
        repeat=0,
        scale=Scale("moods", "Moods", OPTIONS, (), ()),
    )


def random_llama(folder: Path) -> Path:
    """Writes a Llama of 23 million random parameters. Its tokenizer, trained on the questionnaires, takes a
    digit for a token and has fewer tokens than the model has rows for."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    _tokenizer().save_pretrained(folder)
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=384,
        intermediate_size=1024,
        num_hidden_layers=11,
        num_attention_heads=6,
        num_key_value_heads=6,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        bos_token_id=0,
        eos_token_id=2,
        initializer_range=0.05,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def _tokenizer():  # type: ignore[no-untyped-def]
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    plain = Tokenizer(models.BPE())
    plain.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    plain.decoder = decoders.ByteLevel()
    texts = [SYSTEM, AFTER, *WHO, *DID, *WHEN, *(f" {name}\n{name}" for name in NAMES)]
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<|begin|>", "<|start|>", "<|end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    plain.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain, bos_token="<|begin|>", eos_token="<|end|>", pad_token="<|end|>"
    )
    tokenizer.chat_template = CHATML
    return tokenizer
