"""A small model with random weights and a tokenizer of its own, as a folder that transformers loads."""

from __future__ import annotations

from pathlib import Path

TEXTS = (
    "Rate every item with a whole number from 1 to 10, and with nothing else: 1. 2 3. 4 5. 6 7. 8 9. 10",
    "How calm, proud, tired or cheerful are you at this moment? The kettle sings and the cat is asleep.",
)
CHATML = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n{{ message['content'] }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
NO_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}" + CHATML
)
TWO_MARKS = "{{ bos_token }}{{ bos_token }}" + CHATML


def tiny_llama(folder: Path, template: str | None = CHATML, hidden: int = 64, layers: int = 2) -> Path:
    """Writes a Llama."""
    return tiny(
        folder,
        "llama",
        template,
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=1024,
        initializer_range=0.2,
    )


def tiny(folder: Path, kind: str, template: str | None = CHATML, **settings: object) -> Path:
    """Writes a model of an architecture, as transformers calls it; digits are tokens of their own, so that 10
    takes two."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedTokenizerFast

    plain = Tokenizer(models.BPE())
    plain.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    plain.decoder = decoders.ByteLevel()
    marks = ["<|begin|>", "<|start|>", "<|end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    plain.train_from_iterator(
        TEXTS,
        trainers.BpeTrainer(
            vocab_size=400, special_tokens=marks, initial_alphabet=alphabet, show_progress=False
        ),
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain, bos_token="<|begin|>", eos_token="<|end|>", pad_token="<|end|>"
    )
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    torch.manual_seed(3)
    config = AutoConfig.for_model(
        kind, vocab_size=len(tokenizer), bos_token_id=0, eos_token_id=2, pad_token_id=2, **settings
    )
    AutoModelForCausalLM.from_config(config).save_pretrained(folder)
    return folder
