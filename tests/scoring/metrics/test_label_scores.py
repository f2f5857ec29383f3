"""Precision, recall, F-beta and Jaccard of labels, in every average, against scikit-learn."""

from functools import partial

from hypothesis import assume

from corpora.classes import corpus
from oracles import class_averages as scikit_learn
from oracles import label_averages as oracle
from scoring.contract import Contract, check_metric

METRICS = tuple(oracle.RATIOS)
OF_ALL = ("binary", "micro", "samples")
OF_CLASSES = ("macro", "weighted")
KINDS = ("strings", "integers", "sequences", "sets")


def one_of(rng, values):
    """Not as NumPy's."""
    return values[int(rng.integers(len(values)))]


def chosen(rng, average, there, absent):
    """The option that says which labels count: at least one of those that occur."""
    if average == "binary":
        return {"pos_label": one_of(rng, there)}
    if rng.random() < 0.5:
        return {}
    others = [x for x in (*there, absent) if rng.random() < 0.4]
    return {"labels": sorted({*others, one_of(rng, there)})}


def merged(column, old, new):
    """Without a class: another in its place."""

    def other(x):
        return type(x)(map(other, x)) if isinstance(x, (list, set)) else new if x == old else x

    return [*map(other, column)]


def drawn(metric, averages):
    """Labels, sequences and sets; a class may be of one system's predictions only, or of none."""

    def draw(rng, n):
        average = one_of(rng, averages)
        kind = "sets" if average == "samples" else one_of(rng, KINDS)
        options = {"beta": one_of(rng, [0, 1 / 3, 0.5, 2])} if metric == "fbeta" else {}
        if rng.random() < 0.75:
            options["zero_division"] = one_of(rng, [0.0, 0.5, 1.0])
        if average == "binary" and rng.random() < 0.2:  # of 0 and 1 no label need be named
            columns = rng.integers(0, 2, (3, n)).astype(one_of(rng, [int, bool])).tolist()
            return columns, options
        n_right = int(rng.integers(1, 4))
        columns = [*corpus(rng, n, kind, n_right, int(rng.integers(n_right, 5)))]
        assume(oracle.there(columns[2:]))
        there, k = oracle.there(columns), int(rng.integers(3))
        if k < 2:
            columns[k] = merged(columns[k], there[-1], there[0])
        there = oracle.there(columns[::2])  # in any case, also if system 1 is compared with itself
        options |= chosen(rng, average, there, 7 if kind == "integers" else "X")
        if kind == "sets":
            options["multilabel"] = True
        return columns, {"average": average, **options}

    return draw


def contracts(name, averages, **fields):
    return [
        Contract(
            metric,
            drawn(metric, averages),
            partial(oracle.label_score, metric),
            library=partial(scikit_learn.label_score, metric),
            name=name,
            is_of_all=True,
            **fields,
        )
        for metric in METRICS
    ]


test_contract = check_metric(
    *contracts("of_all", OF_ALL, share=0.2), *contracts("of_classes", OF_CLASSES, share=0.2)
)
