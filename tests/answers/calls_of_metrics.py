"""Calls of `compare`: every metric with its options, every method."""

from functools import partial

from answers.answer import Call
from answers.answer_data import (
    answers,
    as_squad,
    labels,
    mapped,
    sequences,
    sets,
    transcripts,
)
from answers.package import compare

YES_NO = {"names": ["no", "yes"]}
TWO, THREE = labels(60), labels(40, 3, seed=11)
NAMED = labels(60, seed=12, **YES_NO)
SENTENCES = sequences(30)
RARE = labels(40, 4, seed=13, right=(90, 80))
RARE["references"] = [x % 3 for x in RARE["references"]]  # no class 3
SETS = sets(30)
CUT = {**SENTENCES, "predictions1": [x[:3] for x in SENTENCES["predictions1"]]}
MALFORMED = {
    "predictions1": [["I-PER", "B-PER", "I-LOC"], ["B-LOC", "O", "I-LOC"], ["O"], []],
    "predictions2": [["B-PER", "I-PER", "I-PER"], ["I-LOC", "O", "O"], ["E-LOC"], []],
    "references": [["B-PER", "I-PER", "I-LOC"], ["B-LOC", "O", "O"], ["S-LOC"], []],
}
OF_LABELS = ("precision", "recall", "jaccard")

# words, columns, metric, options
PLAIN = [
    ("exact_match of sequences", SENTENCES, "exact_match", {}),
    ("exact_match of other lengths", CUT, "exact_match", {}),
    ("balanced_accuracy of two classes", TWO, "balanced_accuracy", {}),
    ("balanced_accuracy of sequences", SENTENCES, "balanced_accuracy", {}),
    ("balanced_accuracy without a class", RARE, "balanced_accuracy", {}),
    ("matthews_correlation of three classes", THREE, "matthews_correlation", {}),
    ("matthews_correlation of sequences", sequences(14, 3, 21), "matthews_correlation", {}),
    ("span_f1 of malformed tags", MALFORMED, "span_f1", {}),
    ("span_f1, an absent type", MALFORMED, "span_f1", {"labels": ["X"], "zero_division": 1}),
    ("squad_f1 of dicts with ids", as_squad(answers(30)), "squad_f1", {}),
]
CHOICES = [
    ("binary", TWO, {}),
    ("of a name", NAMED, {"pos_label": "yes", "average": "binary"}),
    ("of an absent label", THREE, {"pos_label": 7, "zero_division": 0.5}),
    ("of a label in sequences", SENTENCES, {"pos_label": 2}),
    ("micro", THREE, {"average": "micro"}),
    ("micro of two of three", THREE, {"average": "micro", "labels": [2, 0]}),
    ("macro, two classes", TWO, {"average": "macro"}),
    ("macro, three classes", THREE, {"average": "macro"}),
    ("macro of two of three", THREE, {"average": "macro", "labels": [0, 2]}),
    ("macro without a class", RARE, {"average": "macro", "zero_division": 1.0}),
    ("of sets, one label", SETS, {"pos_label": 3, "multilabel": True}),
    ("of sets, micro", SETS, {"average": "micro", "multilabel": True}),
    ("of sets, macro", sets(10), {"average": "macro", "multilabel": True}),
]
BETAS = [
    ("binary, beta 0", TWO, {"beta": 0}),
    ("beta 1/3 of a name", NAMED, {"beta": 1 / 3, "pos_label": "no"}),
    ("micro, beta 2", SENTENCES, {"beta": 2, "average": "micro", "labels": [0, 1]}),
    ("macro, three classes, beta 3/2", THREE, {"beta": 1.5, "average": "macro"}),
]
CASES = [
    *PLAIN,
    *(
        (f"{metric} {words}", x, metric, options)
        for k, (words, x, options) in enumerate(CHOICES)
        for metric in ("f1", OF_LABELS[k % 3])
    ),
    *((f"fbeta {words}", columns, "fbeta", options) for words, columns, options in BETAS),
]
SMALL, SMALL3 = labels(16, seed=14, right=(90, 40)), labels(14, 3, seed=15, right=(90, 40))
SHORT = sequences(12, seed=16, right=(90, 40))
METHODS = ("dp", "fft", "enumeration", "monte_carlo")
OTHERS = ("f1", "macro f1 of two", "macro f1 of three", "matthews_correlation of three")
BY_METHOD = [
    ("accuracy", SHORT, "accuracy", {}),
    ("f1", SHORT, "f1", {"pos_label": 1}),
    ("macro f1 of two", SMALL, "f1", {"average": "macro"}),
    ("macro f1 of three", SMALL3, "f1", {"average": "macro"}),
    ("balanced_accuracy of three", SMALL3, "balanced_accuracy", {}),
    ("matthews_correlation of three", SMALL3, "matthews_correlation", {}),
    ("squad_f1", answers(12, seed=18), "squad_f1", {}),
]


def called(name, columns, metric, **options):
    function = partial(compare, **columns, metric=metric, **options)
    return Call(f"compare {name}", function)


CALLS = [
    *(called(name, columns, metric, **options) for name, columns, metric, options in CASES),
    Call(
        "compare word_error_rate of tokens",
        partial(compare, **mapped(transcripts(20), str.split), metric="word_error_rate"),
        needs="rapidfuzz",
    ),
    *(
        called(f"{name}, {method}", columns, metric, **options, method=method, rng=3)
        for name, columns, metric, options in BY_METHOD
        for method in (METHODS if name in OTHERS else (*METHODS, "bracket"))
    ),
]
