"""Calls with bad input: the error's type and its whole message, one of every kind of sentence.

What is refused is asked in the rooms' tables; these show how the sentences read.
"""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import (
    answers,
    as_squad,
    f1_rows,
    labels,
    reals,
    rows,
    scores,
    tags,
)
from answers.calls_of_modules import loaded
from answers.package import (
    PairedCounts,
    Ratio,
    compare,
    paired_bootstrap_test,
    paired_permutation_test,
    structured_permutation_test,
)

TWO = labels(10)
P1, P2, GOLD = TWO.values()
PAIR = scores(10, 4)
TEN = {"score": lambda sums: sums.max(axis=-1)}


def changed(name, value, columns=TWO, **options):
    return partial(compare, **{**columns, name: value}, **options)


def of_metric(metric, columns=TWO, **options):
    return partial(compare, **columns, metric=metric, **options)


def tested(*columns, **options):
    return partial(paired_permutation_test, *columns, **options)


def other_ids():
    columns = as_squad(answers(3))
    first = columns["predictions1"]
    return {**columns, "predictions1": [*first[:2], {**first[2], "id": "other"}]}


OF_LABELS = {
    "other lengths": changed("predictions2", P2[:-1]),
    "a text": changed("predictions1", "yes"),
    "floats": changed("predictions1", [0.5] * 10),
    "NaN": changed("references", [float("nan"), *GOLD[1:]]),
    "texts and integers": changed("predictions1", list(map(str, P1))),
    "an empty row": changed("predictions1", [[]] * 10),
    "a set": changed("predictions1", [{1}] * 10),
    "an array of tables": changed("predictions1", np.zeros((2, 2, 2), dtype=int)),
    "a large label": changed("predictions1", [2**70, *P1[1:]]),
    "answers with other ids": of_metric("squad_f1", other_ids()),
    "groups of other lengths": changed("predictions1", P1, groups=[1, 2]),
    "a group that is missing": changed("predictions1", P1, groups=[None, *range(9)]),
    "an unknown metric": of_metric("f1_macro"),
    "an option of another metric": of_metric("accuracy", pos_label=1),
    "labels that are a text": of_metric("f1", average="micro", labels="ab"),
    "no pos_label": of_metric("f1", labels(10, 3)),
    "pos_label of an average": of_metric("f1", average="micro", pos_label=1),
    "macro spans": of_metric("span_f1", tags(10), average="macro"),
    "a beta that is no fraction": of_metric("fbeta", beta=2**0.5),
    "ties of a permutation": of_metric("accuracy", ties="exclude"),
    "a misspelt option": of_metric("accuracy", alternativ="less"),
}
OF_SCORES = {
    "other shapes": tested(*f1_rows(3)),
    "None": tested([1, None], [1, 2]),
    "an integer among floats": tested([2**60 + 1, 0.5], [1, 2]),
    "sums beyond float64": tested([1e308, 1e308], [1 / 3, 0.5]),
    "a score that divides by 0": tested(*rows(5, 2, 4), score=lambda sums: 1 // 0),
    "a function that gives None": tested(*rows(5, 2, 4), score=lambda sums: None),
    "a function of all rows": tested(*rows(9, 2, 4), score=lambda sums: sums[..., 0] + sums.mean()),
    "a budget that is none": tested(*PAIR, budget=10**6),
    "counts of rows without a score": tested(PairedCounts.from_rows(*f1_rows(3))),
    "exact, a function": tested(*rows(30, 9, 30), method="exact", **TEN),
    "dp beyond the budget": tested(*scores(300, 10**6), method="dp", budget={"max_points": 100}),
    "enumeration of 100": tested(*scores(100, 10**9), method="enumeration"),
}
OF_OTHERS = {
    "bootstrap, exact of a ratio": partial(
        paired_bootstrap_test, *f1_rows(9), score=Ratio([2, 0, 0], [0, 1, 1]), method="exact"
    ),
    "structured test of real numbers": partial(structured_permutation_test, *reals((5,)), abs),
    "Ratio of other lengths": partial(Ratio, [1], [1, 2]),
    "counts of other shapes": lambda: (
        PairedCounts([1], [0], [1]) + PairedCounts.from_rows(*f1_rows(3))
    ),
    "module, unknown configuration": partial(loaded, "meteor"),
    "module without examples": lambda: loaded().compute(),
    "module, one column": lambda: loaded().add_batch(predictions1=[1, 0]),
}
REFUSED = {
    **{f"labels: {name}": function for name, function in OF_LABELS.items()},
    **{f"scores: {name}": function for name, function in OF_SCORES.items()},
    **OF_OTHERS,
}
CALLS = [Call(f"refused {name}", function) for name, function in REFUSED.items()]
