"""Calls on datasets, with pipelines and with recorded predictions."""

from functools import partial
from types import SimpleNamespace

import datasets
from datasets import ClassLabel, Dataset, DatasetDict, Features, IterableDataset, Value

from answers.answer import Call
from answers.answer_data import mapped, sequences, tags
from answers.calls_of_modules import POINTS, REALS, THREE
from answers.package import hf

NAMES = ["neg", "neu", "pos"]
SENTENCES, TAGS = sequences(30), tags(30)
FEATURE = ClassLabel(names=NAMES)
LIST = getattr(datasets, "List", datasets.Sequence)  # as newer ones call it


def stored(columns, **features):
    """A dataset; columns of integers or texts where no feature is named."""
    kinds = {
        name: Value("string" if isinstance(column[0], str) else "int64")
        for name, column in columns.items()
    }
    return Dataset.from_dict(columns, features=Features(kinds | features))


NAMED = {**THREE, "predictions1": [NAMES[x] for x in THREE["predictions1"]]}
NUMBERED = {**THREE, "predictions2": [f"LABEL_{x}" for x in THREE["predictions2"]]}
MEANING = {f"LABEL_{k}": name for k, name in enumerate(NAMES)}
IDS = stored(THREE, references=FEATURE)
OTHER_NUMBERS = stored(NAMED, predictions1=ClassLabel(names=NAMES[::-1]), references=FEATURE)
SOME = [k for k, label in enumerate(THREE["references"]) if label != 1]
SPLITS = DatasetDict({"dev": IDS.select(range(20)), "test": IDS.select(range(20, 60))})


def rows_of(columns):
    names = list(columns)
    for row in zip(*columns.values(), strict=True):
        yield dict(zip(names, row, strict=True))


ITERABLE = IterableDataset.from_generator(partial(rows_of, THREE))
UNNAMED = stored(NUMBERED, references=FEATURE)
RARE = {"LABEL_0": "0", "LABEL_1": "7", "LABEL_2": "2"}
DECIMALS = Dataset.from_dict(POINTS)
DATASETS = [
    ("names and ids", stored(NAMED, references=FEATURE), {}),
    ("other numbers", OTHER_NUMBERS, {"metric": "f1", "pos_label": "pos"}),
    ("mapped labels", UNNAMED, {"label_mapping": (None, MEANING)}),
    ("labels that nothing maps", UNNAMED, {}),
    ("some rows of a dataset", IDS.select(SOME), {}),
    ("sequences", Dataset.from_dict(SENTENCES), {"metric": "exact_match"}),
    ("splits", SPLITS, {}),
    ("a stream", ITERABLE, {}),
    ("real scores", Dataset.from_dict(REALS), {"references": None}),
    ("tags", Dataset.from_dict(TAGS), {"metric": "span_f1", "test": "bootstrap", "rng": 1}),
    ("a mapping to no label", UNNAMED, {"label_mapping": {"LABEL_0": "x"}}),
    ("a mapping to a rare label", stored(mapped(NUMBERED, str)), {"label_mapping": RARE}),
    ("a mapping that is none", IDS, {"label_mapping": 7}),
    ("a mapping of scores", DECIMALS, {"references": None, "label_mapping": {}}),
    ("a metric of scores", DECIMALS, {"references": None, "metric": "f1"}),
    ("splits, one bad", DatasetDict({"dev": IDS, "test": IDS.remove_columns("predictions1")}), {}),
    ("no splits", DatasetDict(), {}),
    ("a column that is no name", IDS, {"predictions1": 1}),
    ("no such column", IDS, {"predictions1": "large"}),
    ("no rows", IDS.select([]), {}),
    ("no dataset", THREE, {}),
    ("a missing label", Dataset.from_dict({**THREE, "predictions1": [None] * 60}), {}),
]
CALLS = [
    Call(f"compare dataset of {name}", partial(hf.compare_dataset, dataset, **options))
    for name, dataset, options in DATASETS
]

# pipelines


class Told:
    """A pipeline that gives what it is told."""

    def __init__(self, task, outputs, names):
        self.task, self.outputs = task, outputs
        self.model = SimpleNamespace(config=SimpleNamespace(id2label=dict(enumerate(names))))

    def __call__(self, inputs, **options):
        for _, output in zip(inputs, self.outputs, strict=True):
            yield output


def classifier(column, names=NAMES):
    return Told("text-classification", [{"label": names[x]} for x in column], names)


def predicted(first, second, dataset, **options):
    result, found = hf.predict_and_compare(first, second, dataset, **options)
    return [result, found.column_names, found["predictions1"][:9], found["predictions2"][:9]]


REVIEWS = stored({"text": ["so so"] * 60, "label": THREE["references"]}, label=FEATURE)
CLASSIFIERS = classifier(THREE["predictions1"]), classifier(THREE["predictions2"])
BY_NUMBER = classifier(THREE["predictions2"], list(MEANING))


CALLS += [
    Call("pipelines", partial(predicted, *CLASSIFIERS, REVIEWS)),
    Call(
        "pipelines, mapped",
        partial(
            predicted,
            CLASSIFIERS[0],
            BY_NUMBER,
            REVIEWS,
            label_mapping=(None, MEANING),
            metric="f1",
            average="macro",
        ),
    ),
    Call(
        "pipelines, labels that nothing maps",
        partial(predicted, CLASSIFIERS[0], BY_NUMBER, REVIEWS),
    ),
    Call("pipelines, none", partial(predicted, print, CLASSIFIERS[0], REVIEWS)),
    Call("recorder", lambda: hf.PredictionRecorder()),
]

# token classification, and what pipelines are refused for

WORDY = {
    "tokens": [[f"w{k}" for k in range(len(x))] for x in SENTENCES["references"]],
    "tags": SENTENCES["references"],
}
FEATURES = Features({"tokens": LIST(Value("string")), "tags": LIST(FEATURE)})
TOKENS = Dataset.from_dict(WORDY, features=FEATURES)
IN_WORDS = {"input_column": "tokens", "label_column": "tags"}


def tagger(column):
    """Of each word two tokens, the second of which says something else."""
    outputs = []
    for words, labels in zip(WORDY["tokens"], column, strict=True):
        output, begin = [], 0
        for word, label in zip(words, labels, strict=True):
            middle, end = begin + 1, begin + len(word)
            output.append({"entity": NAMES[label], "start": begin, "end": middle})
            output.append({"entity": NAMES[0], "start": middle, "end": end})
            begin = end + 1
        outputs.append(output)
    return Told("token-classification", outputs, NAMES)


def ranked(label):
    """All labels, the right one with the highest score."""
    return [{"label": name, "score": float(k == label)} for k, name in enumerate(NAMES)]


TAGGERS = tagger(SENTENCES["predictions1"]), tagger(SENTENCES["predictions2"])
SHORT = Told("token-classification", [[]] * len(TOKENS), NAMES)
RANKED = Told("text-classification", [ranked(x) for x in THREE["references"]], NAMES)
PAIRS = stored({**REVIEWS.to_dict(), "other": ["or not"] * 60}, label=FEATURE)
OF_IDS = {"input_column": "references", "label_column": "references"}
PIPELINES = [
    ("words", (*TAGGERS, TOKENS), IN_WORDS),
    ("words without tokens", (SHORT, TAGGERS[0], TOKENS), IN_WORDS),
    ("a ranking", (RANKED, CLASSIFIERS[0], REVIEWS), {"batch_size": 4}),
    ("pairs of texts", (*CLASSIFIERS, PAIRS), {"second_input_column": "other"}),
    ("two tasks", (TAGGERS[0], CLASSIFIERS[0], REVIEWS), {}),
    ("no dataset", (*CLASSIFIERS, [1]), {}),
    ("splits", (*CLASSIFIERS, SPLITS), {}),
    ("a stream", (*CLASSIFIERS, ITERABLE), OF_IDS),
    ("columns of the new names", (*CLASSIFIERS, IDS), OF_IDS),
    ("numbers for texts", (*CLASSIFIERS, REVIEWS), {"input_column": "label"}),
    ("labels for words", (*TAGGERS, REVIEWS), {"input_column": "text"}),
    ("spans of texts", (*CLASSIFIERS, REVIEWS), {"metric": "span_f1"}),
    ("a metric of texts", (*CLASSIFIERS, REVIEWS), {"metric": "squad_f1"}),
    ("f1 of no label", (*CLASSIFIERS, REVIEWS), {"metric": "f1"}),
    ("f1 of an unknown label", (*CLASSIFIERS, REVIEWS), {"metric": "f1", "pos_label": "x"}),
]
CALLS += [
    Call(f"pipelines on {name}", partial(predicted, *arguments, **options))
    for name, arguments, options in PIPELINES
]
