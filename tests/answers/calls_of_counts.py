"""Calls with inputs of every kind, paired counts, pickled and printed results."""

import pickle
from functools import partial

import datasets
import numpy as np

import pairedperm
from answers.answer import Call
from answers.answer_data import f1_rows, labels, mapped, rows, scores, sequences
from answers.package import (
    BudgetError,
    InputError,
    PairedCounts,
    Ratio,
    aggregators,
    compare,
    paired_permutation_test,
    structured_permutation_test,
)

F1 = Ratio([2, 0, 0], [0, 1, 1])
LABELS, SENTENCES = labels(20), sequences(10)
POINTS = tuple((x / 10).tolist() for x in scores(20, 90, seed=71))


def series(column):
    import pandas as pd

    return pd.Series(column, index=range(7, 7 + len(column)))


def tensor(column):
    import torch

    return torch.tensor(column)


def column_of(column):
    return datasets.Dataset.from_dict({"x": column})["x"]


def objects(column):
    return np.array(column, dtype=object)


def generated(column):
    return (x for x in column)


# by name: what makes it of a list, and what it needs
KINDS = {
    "arrays": (np.array, ""),
    "object arrays": (objects, ""),
    "Series": (series, "pandas"),
    "tensors": (tensor, "torch"),
    "dataset columns": (column_of, ""),
    "generators": (generated, ""),
}


def kind_of_labels(kind):
    return compare(**{name: kind(column) for name, column in LABELS.items()})


def kind_of_scores(kind):
    return paired_permutation_test(*map(kind, POINTS))


CALLS = [
    Call(f"compare {what} of {name}", partial(function, kind), needs=needs)
    for what, function in (("labels", kind_of_labels), ("scores", kind_of_scores))
    for name, (kind, needs) in KINDS.items()
]
PADDED = {name: np.array(column).reshape(5, 4) for name, column in LABELS.items()}
CALLS += [
    Call("compare bools", partial(compare, **mapped(LABELS, bool), metric="f1")),
    Call("compare arrays (n, length)", partial(compare, **PADDED)),
    Call("compare lists of arrays", partial(compare, **mapped(SENTENCES, np.array))),
    Call(
        "test of rows in tensors",
        lambda: paired_permutation_test(*(tensor(x.tolist()) for x in f1_rows(10)), score=F1),
        needs="torch",
    ),
]


def counted(*columns, parts=1):
    """The counts of so many parts, added."""
    pieces = zip(*(np.array_split(np.asarray(x), parts) for x in columns), strict=True)
    return sum(PairedCounts.from_rows(*piece) for piece in pieces)


def is_same_in_parts(*columns):
    whole, added = counted(*columns), counted(*columns, parts=5)
    backwards = counted(*(x[::-1] for x in columns), parts=3)
    return [whole, whole == added == backwards, repr(whole)]


def restored(value):
    again = pickle.loads(pickle.dumps(value))
    return [again == value, again]


def attributes(result):
    """The public ones, by name."""
    names = [name for name in dir(result) if not name.startswith("_")]
    return {x: getattr(result, x) for x in names if not callable(getattr(result, x))}


CALLS += [
    Call("paired counts of integers", partial(is_same_in_parts, *scores(200, 4))),
    Call("paired counts of rows", partial(is_same_in_parts, *f1_rows(20))),
    Call(
        "paired counts with multiplicities", lambda: PairedCounts([2, 1, 2], [0, 1, 0], [1, 3, 4])
    ),
    Call(
        "paired counts of nothing",
        lambda: PairedCounts.from_rows([], []) + PairedCounts([1], [0], [2]),
    ),
    Call(
        "test of paired counts of rows",
        lambda: paired_permutation_test(counted(*f1_rows(30)), score=F1),
    ),
    Call(
        "test of paired counts, function",
        lambda: paired_permutation_test(
            counted(*rows(20, 2, 4)), score=aggregators.enum_sum_div_by_denom_sum
        ),
    ),
    Call("pickled counts", lambda: restored(counted(*f1_rows(20)))),
    Call("pickled result", lambda: restored(compare(**LABELS, metric="f1"))),
    Call(
        "null distribution of a pickled lambda",
        lambda: pickle.loads(
            pickle.dumps(structured_permutation_test([3, 1, 2], [1, 2, 0], lambda sums: sums))
        ).null_distribution(),
    ),
    Call("attributes of a result", lambda: attributes(compare(**LABELS, metric="f1"))),
    Call("keys of a result", lambda: list(compare(**LABELS).to_dict())),
    Call("keys of a bootstrap", lambda: list(compare(**LABELS, test="bootstrap").to_dict())),
]

PRINTED = {
    "null distribution": lambda: paired_permutation_test([2, 1], [0, 2]).null_distribution(),
    "ratio": lambda: Ratio([2, 0, 0], (0, 1, 1), zero_division=0.25),
    "counts": partial(PairedCounts.from_rows, *f1_rows(20)),
    "aggregators": lambda: [aggregators.average, aggregators.f_1],
}
CALLS += [Call(f"printed {name}", lambda made=made: repr(made())) for name, made in PRINTED.items()]
CALLS += [
    Call("public names", lambda: sorted(pairedperm.__all__)),
    Call(
        "parents of the errors",
        lambda: [[base.__name__ for base in error.__mro__] for error in (InputError, BudgetError)],
    ),
    Call(
        "ratio_for of f_1",
        lambda: repr(aggregators.f_1.ratio_for(*(x[:, [0, 1, 0, 2]] for x in f1_rows(5)))),
    ),
    Call("ratio_for of f_1, none", lambda: aggregators.f_1.ratio_for(*rows(5, 4, 5))),
    Call(
        "f_1 of sums", lambda: aggregators.f_1(np.array([[3, 4, 3, 5], [0, 0, 0, 2], [1, 2, 3, 4]]))
    ),
]
