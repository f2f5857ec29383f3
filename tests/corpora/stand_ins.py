"""Small datasets for pipelines, and stand-ins for awkward pipelines."""

import random
from types import SimpleNamespace

from datasets import ClassLabel, Dataset, Sequence

GOOD, BAD = ["good", "fine", "great"], ["bad", "dull", "poor"]
OTHER = ["the", "film", "was", "a", "plot"]
NAMES = ["neg", "pos"]


def sentences():
    """Words, and for each whether it praises: O, or B-GOOD."""
    rng = random.Random(1)
    rows = []
    for _ in range(60):
        words = [rng.choice(GOOD + BAD + OTHER) for _ in range(rng.randrange(1, 9))]
        rows.append({"tokens": words, "tags": [int(word in GOOD) for word in words]})
    feature = Sequence(ClassLabel(names=["O", "B-GOOD"]))
    return Dataset.from_list(rows).cast_column("tags", feature)


LABELS, SENTENCES = [0, 1], sentences()
REVIEWS = Dataset.from_dict({"text": ["a", "b"], "label": LABELS})
REVIEWS = REVIEWS.cast_column("label", ClassLabel(names=NAMES))
IN_WORDS = {"input_column": "tokens", "label_column": "tags"}


class StandIn:
    """A pipeline that gives what it is told; it keeps what it got."""

    def __init__(self, task, outputs, labels=("neg", "pos"), **config):
        self.task = task
        self.outputs = outputs
        self.model = SimpleNamespace(
            config=SimpleNamespace(id2label=dict(enumerate(labels)), **config)
        )

    def __call__(self, inputs, **options):
        self.options = options
        self.inputs = []
        for text, output in zip(inputs, self.outputs, strict=True):
            self.inputs.append(text)
            yield output


def classifier(*labels, **options):
    return StandIn("text-classification", [{"label": label} for label in labels], **options)


PAIRS = Dataset.from_dict({"text": ["a", "b"], "other": ["c", "d"], "label": ["neg", "pos"]})


def token(entity, start, end):
    return {"entity": entity, "start": start, "end": end}


def tagger(*outputs, labels=("X", "Y")):
    return StandIn("token-classification", outputs, labels=labels)


class Unused(StandIn):
    """What can be checked is checked before."""

    def __call__(self, inputs, **options):
        raise AssertionError("a model ran before the arguments were checked")


def never(task="text-classification", **options):
    return Unused(task, [], **options)


NUMBERED = ("LABEL_0", "LABEL_1")
