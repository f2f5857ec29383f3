"""Calls with bad input: the error's type and its whole message."""

from fractions import Fraction
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
    sequences,
    tags,
)
from answers.calls_of_modules import loaded
from pairedperm import (
    PairedCounts,
    Ratio,
    compare,
    paired_bootstrap_test,
    paired_permutation_test,
    plan,
    structured_permutation_test,
)

TWO, SENTENCES = labels(10), sequences(10)
P1, P2, GOLD = TWO.values()
PAIR = scores(10, 4)
TEN = {"score": lambda sums: sums.max(axis=-1)}


def changed(name, value, columns=TWO, **options):
    return partial(compare, **{**columns, name: value}, **options)


def tested(*columns, **options):
    return partial(paired_permutation_test, *columns, **options)


def other_ids(name="other"):
    columns = as_squad(answers(3))
    first = columns["predictions1"]
    return {**columns, "predictions1": [*first[:2], {**first[2], "id": name}]}


OF_SETS = {"metric": "f1", "multilabel": True, "pos_label": 1}
OF_LABELS = {
    "no references": changed("references", None),
    "other lengths": changed("predictions2", P2[:-1]),
    "nothing": partial(compare, [], [], []),
    "a text": changed("predictions1", "yes"),
    "a mapping": changed("predictions1", {"a": 1}),
    "floats": changed("predictions1", [0.5] * 10),
    "None": changed("predictions2", [None, *P2[1:]]),
    "NaN": changed("references", [float("nan"), *GOLD[1:]]),
    "texts and integers": changed("predictions1", list(map(str, P1))),
    "mixed labels": changed("predictions1", ["1", *P1[1:]]),
    "a sequence and a label": changed("predictions1", [[1], *P1[1:]]),
    "other sequence lengths": changed(
        "predictions1", [x[:1] for x in SENTENCES["references"]], SENTENCES
    ),
    "empty sequences": partial(compare, [[], []], [[], []], [[], []]),
    "a set": changed("predictions1", [{1}] * 10),
    "an array of tables": changed("predictions1", np.zeros((2, 2, 2), dtype=int)),
    "one value": changed("predictions1", np.array(7)),
    "an empty row": changed("predictions1", [[]] * 10),
    "bytes": changed("predictions1", [b"a"] * 10),
    "a missing row": changed("predictions1", [None, *SENTENCES["predictions1"][1:]], SENTENCES),
    "a large label": changed("predictions1", [2**70, *P1[1:]]),
    "a table of sets": changed("predictions1", np.eye(10, dtype=int), **OF_SETS),
    "sets without pos_label": partial(compare, [{1}], [{2}], [{1}], "f1", multilabel=True),
    "sets that are labels": partial(compare, **TWO, **OF_SETS),
    "macro spans": partial(compare, **tags(10), metric="span_f1", average="macro"),
    "spans of other lengths": partial(compare, [["O"]], [["O", "O"]], [["O"]], metric="span_f1"),
    "answers with other ids": partial(compare, **other_ids(), metric="squad_f1"),
    "answers with an id twice": partial(compare, **other_ids("q0"), metric="squad_f1"),
    "answers that are numbers": partial(compare, [1], [2], [[3]], metric="squad_f1"),
    "answers without right ones": partial(compare, ["a"], ["b"], [[]], metric="squad_f1"),
    "labels that are a text": partial(compare, **TWO, metric="f1", average="micro", labels="ab"),
    "a label that is a float": partial(compare, **TWO, metric="f1", pos_label=0.5),
    "types that are numbers": partial(compare, **tags(10), metric="span_f1", labels=[1]),
    "an unknown metric": partial(compare, **TWO, metric="bleu"),
    "an option of another metric": partial(compare, **TWO, metric="accuracy", pos_label=1),
    "no pos_label": partial(compare, **labels(10, 3), metric="f1"),
    "no beta": partial(compare, **TWO, metric="fbeta"),
    "a beta that is no fraction": partial(compare, **TWO, metric="fbeta", beta=2**0.5),
    "a negative beta": partial(compare, **TWO, metric="fbeta", beta=-1),
    "an unknown average": partial(compare, **TWO, metric="f1", average="mean"),
    "labels of one label": partial(compare, **TWO, metric="f1", labels=[1]),
    "pos_label of an average": partial(compare, **TWO, metric="f1", average="micro", pos_label=1),
    "no labels": partial(compare, **TWO, metric="f1", average="micro", labels=[]),
    "zero_division of 2": partial(compare, **TWO, metric="f1", zero_division=2),
    "multilabel that is no bool": partial(
        compare, **TWO, metric="f1", multilabel="yes", pos_label=1
    ),
    "spans of integers": partial(compare, **SENTENCES, metric="span_f1"),
    "answers without ids": partial(compare, [{"text": "a"}], [{"text": "b"}], ["c"], "squad_f1"),
    "an unknown alternative": partial(compare, **TWO, alternative="larger"),
    "an unknown test": partial(compare, **TWO, test="t"),
    "ties of a permutation": partial(compare, **TWO, ties="exclude"),
    "a misspelt option": partial(compare, **TWO, alternativ="less"),
}
OF_SCORES = {
    "no second column": tested(PAIR[0]),
    "other lengths": tested([1, 2], [1]),
    "other shapes": tested(*f1_rows(3)),
    "texts": tested(["a"], ["b"]),
    "NaN": tested([1.0, float("nan")], [1, 2]),
    "infinity": tested([1.0, float("inf")], [1, 2]),
    "None": tested([1, None], [1, 2]),
    "complex numbers": tested([1j], [1]),
    "beyond int64": tested([2**70], [1]),
    "ragged rows": tested([[1, 2], [1]], [[1, 2], [1, 2]], score=Ratio([1, 0], [0, 1])),
    "an empty row": tested([[]], [[]], score=Ratio([1], [1])),
    "a fraction beyond floats": tested([Fraction(10**400, 3)], [1]),
    "an array of texts": tested(np.array(["a"]), np.array(["b"])),
    "unsigned beyond int64": tested(np.array([2**64 - 1], dtype=np.uint64), [1]),
    "an integer among floats": tested([2**60 + 1, 0.5], [1, 2]),
    "differences beyond int64": tested([2**62 + 2**61, 1], [-(2**62) - 2**61, 0]),
    "sums beyond float64": tested([1e308, 1e308], [1 / 3, 0.5]),
    "a seed that is negative": tested(*PAIR, method="monte_carlo", rng=-1),
    "a score of texts": tested(*rows(5, 2, 4), score=lambda sums: np.full(len(sums), "a")),
    "a score that divides by 0": tested(*rows(5, 2, 4), score=lambda sums: 1 // 0),
    "a score that ignores its sums": tested(*rows(5, 2, 4), score=lambda sums: 1.0),
    "a function of one number": tested(*PAIR, score=lambda x: 1.0 if x > 3 else 0.0),
    "a score that is none": tested(*rows(5, 2, 4), score="f1"),
    "too many weights": tested(*rows(5, 2, 4), score=Ratio([1, 0, 0], [0, 1, 1])),
    "a negative count": tested([[-1, 2]], [[1, 2]], score=Ratio([1, 0], [0, 1])),
    "a negative denominator": tested([[3, 2]], [[1, 2]], score=Ratio([1, 0], [-1, 1])),
    "a function of one row": tested(*rows(5, 2, 4), score=lambda sums: sums[0]),
    "a function that fails": tested(*rows(5, 2, 4), score=lambda sums: {}["x"]),
    "a function that gives NaN": tested(*rows(5, 2, 4), score=lambda sums: sums[..., 0] * np.nan),
    "a function that gives None": tested(*rows(5, 2, 4), score=lambda sums: None),
    "a function of all rows": tested(*rows(9, 2, 4), score=lambda sums: sums[..., 0] + sums.mean()),
    "a class": tested(*rows(5, 2, 4), score=dict),
    "no resample": tested(*PAIR, n_resamples=0),
    "half a resample": tested(*PAIR, n_resamples=0.5),
    "a seed that is none": tested(*PAIR, method="monte_carlo", rng="x"),
    "a level of 1": tested(*PAIR, confidence_level=1),
    "a budget of infinity": tested(*PAIR, budget={"max_bytes": float("inf")}),
    "a budget that is none": tested(*PAIR, budget=10**6),
    "counts and a column": tested(PairedCounts([1], [0], [1]), [1]),
    "empty counts": tested(PairedCounts.from_rows([], [])),
    "counts of rows without a score": tested(PairedCounts.from_rows(*f1_rows(3))),
    "bracket of a ratio": tested(*f1_rows(9), score=Ratio([2, 0, 0], [0, 1, 1]), method="bracket"),
    "dp of real numbers": tested(*reals((9,)), method="dp"),
    "an unknown method": tested(*PAIR, method="bootstrap"),
    "exact beyond the budget": tested(
        *scores(3000, 10**6), method="exact", budget={"max_points": 1000, "max_bytes": 10**5}
    ),
    "exact, a function": tested(*rows(30, 9, 30), method="exact", **TEN),
    "exact, decimals": tested(*(x / 1e9 for x in scores(90, 10**9)), method="exact"),
    "dp beyond the budget": tested(*scores(300, 10**6), method="dp", budget={"max_points": 100}),
    "fft beyond the budget": tested(
        *f1_rows(300), score=Ratio([2, 0, 0], [0, 1, 1]), method="fft", budget={"max_bytes": 99}
    ),
    "rational beyond the budget": tested(
        *scores(300, 10**6), method="rational", budget={"max_bytes": 100}
    ),
    "enumeration of 100": tested(*scores(100, 10**9), method="enumeration"),
    "enumeration of 30 rows": tested(*rows(30, 3, 9), method="enumeration", **TEN),
    "bracket beyond the budget": tested(*reals((99,)), method="bracket", budget={"max_points": 10}),
    "importance sampling": tested(*PAIR, method="importance_sampling"),
}
OF_OTHERS = {
    "bootstrap of one example": partial(paired_bootstrap_test, [1], [0]),
    "bootstrap, unknown ties": partial(paired_bootstrap_test, *PAIR, ties="half"),
    "bootstrap, exact of a ratio": partial(
        paired_bootstrap_test, *f1_rows(9), score=Ratio([2, 0, 0], [0, 1, 1]), method="exact"
    ),
    "bootstrap, bracket": partial(paired_bootstrap_test, *PAIR, method="bracket"),
    "structured test of counts": partial(
        structured_permutation_test, PairedCounts([1], [0], [1]), [1], abs
    ),
    "structured test of no function": partial(structured_permutation_test, [1], [0], 7),
    "structured test of real numbers": partial(structured_permutation_test, *reals((5,)), abs),
    "Ratio of other lengths": partial(Ratio, [1], [1, 2]),
    "Ratio of a decimal": partial(Ratio, [0.5, 0], [0, 1]),
    "Ratio without a denominator": partial(Ratio, [1, 0], [0, 0]),
    "Ratio, zero_division of 2": partial(Ratio, [1, 0], [0, 1], zero_division=2),
    "counts of negative multiplicities": partial(PairedCounts, [1], [0], [-1]),
    "counts of half an example": partial(PairedCounts, [1], [0], [0.5]),
    "counts of other shapes": lambda: (
        PairedCounts([1], [0], [1]) + PairedCounts.from_rows(*f1_rows(3))
    ),
    "counts of real numbers": partial(PairedCounts.from_rows, *reals((5,))),
    "plan of a test": partial(plan, compare, **TWO),
    "plan of a bootstrap": partial(plan, **TWO, test="bootstrap"),
    "plan with a misspelt option": partial(plan, *PAIR, alternativ="less"),
    "module, unknown configuration": partial(loaded, "bleu"),
    "module, unknown option": partial(loaded, "f1", pos=1),
    "module without examples": lambda: loaded().compute(),
    "module, unknown column": lambda: loaded().compute(**TWO, predictions=[1]),
    "module of scores, a metric": lambda: loaded("scores").compute(
        predictions1=[1, 2], predictions2=[0, 1], metric="f1"
    ),
    "module, one column": lambda: loaded().add_batch(predictions1=[1, 0]),
    "module, other labels": lambda: [
        loaded_with(TWO).add(predictions1="a", predictions2="b", references="a")
    ],
    "module, counted for another metric": lambda: counted_for_accuracy().compute(
        metric="f1", pos_label=1
    ),
}


def loaded_with(columns):
    module = loaded()
    module.add_batch(**columns)
    return module


def counted_for_accuracy():
    return loaded_with(labels(5000))


LIST_METRICS = (  # which a new one changes
    "labels: an unknown metric",
    "labels: an option of another metric",
    "module, unknown configuration",
)
REFUSED = {
    **{f"labels: {name}": function for name, function in OF_LABELS.items()},
    **{f"scores: {name}": function for name, function in OF_SCORES.items()},
    **OF_OTHERS,
}
CALLS = [
    Call(f"refused {name}", function, is_stored=name not in LIST_METRICS)
    for name, function in REFUSED.items()
]
