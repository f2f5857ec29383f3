"""Corpora for every family of scores: both tests, all sides, groups, suites, boards, sizes of p."""

import json
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from answers.answer import Call
from answers.answer_data import (
    answers,
    f1_rows,
    labels,
    mapped,
    reals,
    rows,
    sequences,
    sets,
    tags,
    transcripts,
)
from answers.package import (
    PairedCounts,
    Ratio,
    aggregators,
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    gate,
    gate_suite,
    paired_bootstrap_test,
    paired_counts,
    paired_permutation_test,
    pvalue_bounds,
    readers,
)

F1 = Ratio([2, 0, 0], [0, 1, 1])
DATA = Path(__file__).parents[2] / "examples" / "data"
STORED = Path(__file__).with_name("counts.json")
SIDES = ("two-sided", "greater", "less")


def numbers(n, digits, seed=201):
    """Two columns of decimals from 0 to 1, the first better by a twentieth."""
    one, two = np.random.default_rng(seed).integers(0, 10**digits, (2, n)) / 10**digits
    return (one * 0.95 + 0.05).round(digits), two


def runs_of(n, k, seed=202):
    """Two systems' k runs of n items, each 0 or 1."""
    rng = np.random.default_rng(seed)
    hard = rng.random((n, 1))
    return [(rng.random((n, k)) < 0.3 + 0.6 * hard + x).astype(int).tolist() for x in (0.05, 0)]


def ranked(n, k, seed=203):
    """Two systems' first k of five classes, and the right ones."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 5, n)
    columns = []
    for share in (0.8, 0.6):
        order = np.argsort(rng.random((n, 5)), axis=1)
        best = np.where(rng.random(n) < share, gold, order[:, 0])
        rest = [[x for x in row if x != first] for row, first in zip(order, best, strict=True)]
        columns.append([[int(a), *map(int, b[: k - 1])] for a, b in zip(best, rest, strict=True)])
    return (*columns, gold.tolist())


def likelihoods(n, seed=204):
    """Two systems' log-likelihoods of texts, and the numbers of tokens."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(3, 40, n)
    columns = [(-sizes * rng.uniform(x, 3.0, n)).round(3) for x in (1.0, 1.2)]
    return (*(x.tolist() for x in columns), sizes.tolist())


def columns_of(found):
    return tuple(found.values())


TWO, THREE = columns_of(labels(80, seed=205)), columns_of(labels(60, 3, seed=206))
SENTENCES, TAGS, SETS = (columns_of(x(40)) for x in (sequences, tags, sets))
TEXTS, ANSWERS = columns_of(transcripts(30, seed=207)), columns_of(answers(30, seed=208))
CATEGORIES = {"labels": [0, 1, 2], "method": "monte_carlo"}
SAMPLED = {"n_resamples": 499, "rng": 7}

# by words: metric, columns, options
FAMILIES = {
    "accuracy": ("accuracy", TWO, {}),
    "accuracy of tokens": ("accuracy", SENTENCES, {}),
    "balanced accuracy": ("balanced_accuracy", THREE, {}),
    "specificity": ("specificity", TWO, {"pos_label": 1}),
    "Hamming loss": ("hamming_loss", SETS, {"multilabel": True, "labels": [0, 1, 2, 3]}),
    "subset accuracy": ("subset_accuracy", SETS, {}),
    "top two": ("top_k_accuracy", ranked(50, 3), {"k": 2}),
    "precision": ("precision", TWO, {}),
    "recall, macro": ("recall", THREE, {"average": "macro"}),
    "F1": ("f1", TWO, {}),
    "F1, micro, of sets": ("f1", SETS, {"average": "micro", "multilabel": True}),
    "F1, macro, of two": ("f1", TWO, {"average": "macro"}),
    "F1, weighted": ("f1", THREE, {"average": "weighted", **SAMPLED}),
    "F1/2": ("fbeta", TWO, {"beta": 0.5}),
    "Jaccard": ("jaccard", TWO, {}),
    "Matthews correlation": ("matthews_correlation", TWO, {}),
    "kappa": ("cohen_kappa", TWO, {}),
    "kappa, linear": ("cohen_kappa", THREE, {"weights": "linear", **CATEGORIES, **SAMPLED}),
    "kappa, quadratic": ("cohen_kappa", THREE, {"weights": "quadratic", **CATEGORIES, **SAMPLED}),
    "F1 of spans": ("span_f1", TAGS, {}),
    "precision of spans, strict": ("span_precision", TAGS, {"mode": "strict", "scheme": "IOB2"}),
    "recall of spans of one type": ("span_recall", TAGS, {"labels": ["LOC"]}),
    "exact match of answers": ("squad_exact_match", ANSWERS, {}),
    "F1 of answers": ("squad_f1", ANSWERS, {}),
    "words": ("word_error_rate", TEXTS, {}),
    "characters": ("character_error_rate", TEXTS, {}),
    "BLEU": ("bleu", TEXTS, SAMPLED),
    "chrF": ("chrf", TEXTS, SAMPLED),
    "TER": ("ter", TEXTS, {}),
    "log-likelihood": ("log_likelihood", likelihoods(40), {}),
    "perplexity": ("perplexity", likelihoods(40), {}),
    "bits": ("bits_per_byte", likelihoods(40), {}),
    "a judge": ("mean_score", (*numbers(50, 2), None), {"of": "helpfulness"}),
    "a judge, in a range": ("mean_score", (*numbers(50, 2), None), {"score_range": (0, 1)}),
    "a loss": ("mean_score", (*numbers(50, 3), None), {"lower_is_better": True}),
    "pass@2": ("pass_at_k", (*runs_of(40, 5), None), {"k": 2}),
    "pass^2": ("pass_hat_k", (*runs_of(40, 5), None), {"k": 2}),
}
NEEDS = {"words": "rapidfuzz", "characters": "rapidfuzz", "BLEU": "sacrebleu", "chrF": "sacrebleu"}
NEEDS |= {"TER": "sacrebleu"}


def groups_of(columns, size=4):
    return [f"g{k // size}" for k in range(len(columns[0]))]


def family(name, ask=None, **more):
    metric, columns, options = FAMILIES[name]
    result = compare(*columns, metric, **{**options, **more})
    return result if ask is None else ask(result)


def grouped(name, **more):
    return family(name, groups=groups_of(FAMILIES[name][1]), **more)


def bootstrapped(name):
    options = {x: y for x, y in FAMILIES[name][2].items() if x != "method"}
    metric, columns = FAMILIES[name][:2]
    return compare(*columns, metric, test="bootstrap", **SAMPLED | options)


def counted(name, parts=3):
    """The counts of parts, added, and written as JSON and read again."""
    metric, columns, options = FAMILIES[name]
    options = {x: y for x, y in options.items() if x not in ("method", *SAMPLED)}
    n = len(columns[0])
    ends = [k * n // parts for k in range(parts + 1)]
    counts = [
        paired_counts(*(x if x is None else x[a:b] for x in columns), metric, **options)
        for a, b in pairwise(ends)
    ]
    whole = sum(counts[1:], counts[0])
    again = PairedCounts.from_json(whole.to_json())
    return [json.loads(whole.to_json()), again == whole, whole.to_json(labels=False)]


def interval(name, level=0.9):
    return family(name, ask=lambda result: result.confidence_interval(level))


def made(name, function, *more, needs=""):
    return Call(name, partial(function, *more), needs=needs or NEEDS.get(more[0], ""))


CALLS = [made(f"family, {x}", family, x) for x in FAMILIES]
CALLS += [
    Call(f"family, {x}, {side}", partial(family, x, alternative=side), needs=NEEDS.get(x, ""))
    for k, x in enumerate(FAMILIES)
    for side in SIDES[1 + k % 2 : 2 + k % 2]
]
CALLS += [made(f"family in groups, {x}", grouped, x) for x in FAMILIES]
CALLS += [made(f"family by bootstrap, {x}", bootstrapped, x) for x in FAMILIES]
CALLS += [made(f"family in parts, {x}", counted, x) for x in FAMILIES]
CALLS += [made(f"interval at 90 %, {x}", interval, x) for x in FAMILIES]

# digits, sizes of p, nothing and no difference

CALLS += [
    Call(f"{n} scores of {digits} digits", partial(paired_permutation_test, *numbers(n, digits)))
    for n, digits in ((12, 13), (60, 5), (400, 9))
]


def far(n, share=10):
    """The first system has all right, the second so many in a hundred."""
    return columns_of(labels(n, seed=209, right=(99, share)))


TINY = {
    "accuracy": ("accuracy", far(3000), "two-sided"),
    "F1": ("f1", far(900), "greater"),
    "decimals": ("mean_score", (numbers(300, 3)[0] + 1, numbers(300, 3)[1], None), "less"),
}
CALLS += [
    Call(f"tiny p, {x}, {side}", partial(compare, *columns, metric, alternative=side))
    for x, (metric, columns, side) in TINY.items()
]
NOTHING = {
    "no example": ([], []),
    "one example": ([1], [0]),
    "equal integers": ([3, 1, 2], [3, 1, 2]),
    "the same sums": ([1, 2, 3, 4], [4, 3, 2, 1]),
    "negative scores": ([-1, -2, -3], [-2, -1, -5]),
    "signed zeros": ([-0.0, 1.0], [0.0, 0.5]),
}
CALLS += [
    Call(f"nothing, {x}, {function.__name__}", partial(function, *columns))
    for x, columns in NOTHING.items()
    for function in (paired_permutation_test, paired_bootstrap_test)
]
# suites, boards, decisions

TASKS = {
    name: columns_of(labels(n, seed=210 + n, right=(85, 70)))
    for name, n in (("a", 40), ("b", 25), ("c", 70), ("d", 8))
}
OF_RUNS = {name: [*runs_of(n, 3, seed=n), None] for name, n in (("x", 20), ("y", 12))}
JUDGED = {name: (*numbers(n, 2, seed=n), None) for name, n in (("p", 30), ("q", 45))}
SUITES = {
    "by size": (TASKS, {"weights": "size"}),
    "weights": (TASKS, {"weights": {"a": 2, "b": 1, "c": 1, "d": 0}}),
    "macro F1": (TASKS, {"metric": "f1", "average": "macro", "correction": "by"}),
    "runs": (OF_RUNS, {"metric": "pass_at_k", "correction": "bh"}),
    "a judge": (JUDGED, {"metric": "mean_score", "score_range": (0, 1)}),
    "less": (TASKS, {"alternative": "less", "alpha": 0.2, "correction": "bonferroni"}),
}
CALLS += [
    Call(f"suite of corpora, {x}", partial(compare_suite, tasks, **options))
    for x, (tasks, options) in SUITES.items()
]
SUITE_GATES = {
    "by p": {},
    "with a margin": {"margin": 0.1},
    "with margins of tasks": {"margin": 0.1, "task_margin": 0.3},
    "must be better": {"require": "better"},
}


def suite_gate(x, **options):
    tasks, of_suite = SUITES[x]
    return gate_suite(compare_suite(tasks, **of_suite), **options)


CALLS += [
    Call(f"gate of a suite {what}, {x}", partial(suite_gate, x, **options))
    for what, options in SUITE_GATES.items()
    for x in ("by size", "a judge")
]
BOARD = columns_of(labels(150, 3, seed=220))[2]
PLAYERS = {
    f"s{k}": columns_of(labels(150, 3, seed=220, right=(50 + 9 * k, 50)))[0] for k in range(5)
}
JUDGES = {f"s{k}": (numbers(60, 2, seed=230)[0] + numbers(60, 2, k)[1] * k / 9) for k in range(4)}
BOARDS = {
    "accuracy": (PLAYERS, BOARD, {}),
    "macro F1": (PLAYERS, BOARD, {"metric": "f1", "average": "macro", **SAMPLED}),
    "kappa against one": (
        PLAYERS,
        BOARD,
        {"metric": "cohen_kappa", "baseline": "s4", "method": "monte_carlo", **SAMPLED},
    ),
    "bh, less": (PLAYERS, BOARD, {"correction": "bh", "alternative": "less"}),
    "judges": (JUDGES, None, {}),
    "judges in groups": (JUDGES, None, {"groups": groups_of([range(60)])}),
    "judges, in a range": (JUDGES, None, {"metric": "mean_score", "score_range": (0, 2)}),
    "one column of counts": ({x: y.round() for x, y in JUDGES.items()}, None, {"alpha": 0.3}),
}
CALLS += [
    Call(f"board of corpora, {x}", partial(compare_many, systems, references, **options))
    for x, (systems, references, options) in BOARDS.items()
]
OF_TASKS = {
    task: ({x: y[a:b] for x, y in PLAYERS.items()}, BOARD[a:b])
    for task, a, b in (("u", 0, 60), ("v", 60, 150))
}
CALLS += [
    Call(f"board of tasks, {weights}", partial(compare_suites, OF_TASKS, weights=weights))
    for weights in ("equal", "size")
]
DECIDED = ("accuracy", "F1", "F1, macro, of two", "a judge, in a range", "a loss", "pass@2")
CALLS += [
    Call(f"decided within 0.02, {x}", partial(family, x, ask=partial(gate, margin=0.02)))
    for x in DECIDED
]
CALLS += [
    Call(f"bounds, {one} and {two} of {n}, {side}", partial(pvalue_bounds, one, two, n, **side_of))
    for one, two, n in ((396, 378, 500), (9, 9, 10), (0, 12, 12), (0.792, 0.756, 500))
    for side, side_of in (
        ("plain", {"accuracies": isinstance(one, float)}),
        ("greater", {"accuracies": isinstance(one, float), "alternative": "greater"}),
    )
]

# the scores of the seeds


def coreference(metric, aggregate, **options):
    """The three scores of the seeds, of rows of recall and precision."""
    paths = [DATA / "conll_coref" / f"{metric}.system{k}.txt" for k in (1, 2)]
    width = {"average": 1, "f_1": 4}[aggregate]
    columns = [x[:, 0] if width == 1 else x[:, :width] for x in readers.read_conll(*paths)]
    return paired_permutation_test(*columns, score=getattr(aggregators, aggregate), **options)


CALLS += [
    Call(f"coreference, {metric}, {aggregate}", partial(coreference, metric, aggregate, rng=3))
    for metric, aggregate in (("muc", "average"), ("ceafe", "f_1"))
]


# counts as they were stored

COUNTS = json.loads(STORED.read_text("utf-8"))


def stored(name):
    counts = PairedCounts.from_json(COUNTS[name])
    return [paired_permutation_test(counts).to_dict(), counts.to_json() == COUNTS[name]]


CALLS += [Call(f"stored counts, {x}", partial(stored, x)) for x in COUNTS]

# rows in groups of several sizes, and by one-sided tests of functions

UNEVEN = [0, 0, 0, 1, 1, 2, *range(3, 27)]
GROUPED = {
    "reals": (reals((30,)), {}),
    "F1": (f1_rows(30), {"score": F1}),
    "a function": (rows(30, 2, 4), {"score": lambda sums: sums.max(axis=-1)}),
}
CALLS += [
    Call(
        f"uneven groups of {x}, {function.__name__}",
        partial(function, *columns, groups=UNEVEN, **options, **more),
    )
    for x, (columns, options) in GROUPED.items()
    for function, more in ((paired_permutation_test, {}), (paired_bootstrap_test, SAMPLED))
]
NAMED = mapped(labels(40, 3, seed=250), "xyz".__getitem__)
CALLS += [
    Call(f"names, {metric}, {average}", partial(compare, **NAMED, metric=metric, average=average))
    for metric, average in (("f1", "micro"), ("precision", "macro"), ("jaccard", "macro"))
]
