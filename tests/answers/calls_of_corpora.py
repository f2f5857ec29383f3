"""Corpora for every family of scores: both tests, all sides, groups, suites, boards, sizes of p."""

from functools import partial
from pathlib import Path

import numpy as np

from answers.answer import Call
from answers.answer_data import (
    answers,
    labels,
    sequences,
    sets,
    tags,
    transcripts,
)
from answers.package import (
    Ratio,
    aggregators,
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    gate,
    gate_suite,
    paired_permutation_test,
    pvalue_bounds,
    readers,
)

F1 = Ratio([2, 0, 0], [0, 1, 1])
DATA = Path(__file__).parents[2] / "examples" / "data"


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
    "recall, macro": ("recall", THREE, {"average": "macro"}),
    "F1": ("f1", TWO, {}),
    "F1, micro, of sets": ("f1", SETS, {"average": "micro", "multilabel": True}),
    "F1, macro, of two": ("f1", TWO, {"average": "macro"}),
    "F1, weighted": ("f1", THREE, {"average": "weighted", **SAMPLED}),
    "Matthews correlation": ("matthews_correlation", TWO, {}),
    "kappa": ("cohen_kappa", TWO, {}),
    "kappa, quadratic": ("cohen_kappa", THREE, {"weights": "quadratic", **CATEGORIES, **SAMPLED}),
    "F1 of spans": ("span_f1", TAGS, {}),
    "precision of spans, strict": ("span_precision", TAGS, {"mode": "strict", "scheme": "IOB2"}),
    "F1 of answers": ("squad_f1", ANSWERS, {}),
    "words": ("word_error_rate", TEXTS, {}),
    "characters": ("character_error_rate", TEXTS, {}),
    "BLEU": ("bleu", TEXTS, SAMPLED),
    "chrF": ("chrf", TEXTS, SAMPLED),
    "TER": ("ter", TEXTS, {}),
    "log-likelihood": ("log_likelihood", likelihoods(40), {}),
    "perplexity": ("perplexity", likelihoods(40), {}),
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


def made(name, function, *more, needs=""):
    return Call(name, partial(function, *more), needs=needs or NEEDS.get(more[0], ""))


CALLS = [made(f"family, {x}", family, x) for x in FAMILIES]

# sizes of p


def far(n, share=10):
    """The first system has all right, the second so many in a hundred."""
    return columns_of(labels(n, seed=209, right=(99, share)))


TINY = {
    "accuracy": ("accuracy", far(3000), "two-sided"),
}
CALLS += [
    Call(f"tiny p, {x}, {side}", partial(compare, *columns, metric, alternative=side))
    for x, (metric, columns, side) in TINY.items()
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
    "macro F1": (TASKS, {"metric": "f1", "average": "macro", "correction": "by"}),
    "runs": (OF_RUNS, {"metric": "pass_at_k", "correction": "bh"}),
    "a judge": (JUDGED, {"metric": "mean_score", "score_range": (0, 1)}),
}
CALLS += [
    Call(f"suite of corpora, {x}", partial(compare_suite, tasks, **options))
    for x, (tasks, options) in SUITES.items()
]
SUITE_GATES = {
    "by p": {},
    "with margins of tasks": {"margin": 0.1, "task_margin": 0.3},
}


def suite_gate(x, **options):
    tasks, of_suite = SUITES[x]
    return gate_suite(compare_suite(tasks, **of_suite), **options)


CALLS += [
    Call(f"gate of a suite {what}, {x}", partial(suite_gate, x, **options))
    for what, options in SUITE_GATES.items()
    for x in ("by size",)
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
    "judges": (JUDGES, None, {}),
    "judges in groups": (JUDGES, None, {"groups": groups_of([range(60)])}),
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
    for weights in ("equal",)
]
DECIDED = ("accuracy", "F1", "a judge, in a range", "a loss")
CALLS += [
    Call(f"decided within 0.02, {x}", partial(family, x, ask=partial(gate, margin=0.02)))
    for x in DECIDED
]
CALLS += [
    Call(f"bounds, {one} and {two} of {n}, {side}", partial(pvalue_bounds, one, two, n, **side_of))
    for one, two, n in ((0.792, 0.756, 500),)
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
