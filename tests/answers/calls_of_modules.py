"""Calls of the `evaluate` modules: at once, in batches, in several processes."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import evaluate

import pairedperm
from answers.answer import METRICS, Call
from answers.answer_data import (
    answers,
    as_squad,
    labels,
    mapped,
    reals,
    scores,
    sequences,
    sets,
    tags,
)
from answers.package import hf

TWO, SENTENCES, TAGS = labels(50), sequences(30), tags(30)
THREE = labels(60, 3, seed=81)
POINTS = dict(zip(("predictions1", "predictions2"), (x / 10 for x in scores(40, 90)), strict=True))
REALS = dict(zip(("predictions1", "predictions2"), reals((20,)), strict=True))
LARGE = labels(9000, 3, seed=82)
MIXED = {name: [*POINTS[name], *REALS[name]] for name in POINTS}
SAMPLED = {"method": "monte_carlo"}


def loaded(configuration=None, name="paired_perm", **options):
    """A module of the checkout."""
    return evaluate.load(str(METRICS / name), configuration, **options)


def batches(columns, size):
    n = len(columns["predictions1"])
    return ({name: x[k : k + size] for name, x in columns.items()} for k in range(0, n, size))


def computed(columns, configuration=None, name="paired_perm", /, **options):
    return loaded(configuration, name).compute(**columns, **{"rng": 1, **options})


def streamed(columns, configuration=None, name="paired_perm", /, size=7, of_load=None, **options):
    """In batches, one example alone, and the rest to `compute`."""
    module = loaded(configuration, name, **(of_load or {}))
    first, *middle, last = batches(columns, size)
    for batch in (first, *middle):
        module.add_batch(**batch)
    module.add(**{name: column[0] for name, column in last.items()})
    rest = {name: column[1:] for name, column in last.items()}
    n = len(module)
    return [
        n,
        module.compute(**(rest if len(rest["predictions1"]) else {}), rng=1, **options),
        len(module),
    ]


def reset(columns):
    module = loaded()
    module.add_batch(**columns)
    module.reset()
    return [len(module), module.compute(**columns)]


def failed(columns):
    """What was added stays where `compute` fails."""
    module = loaded()
    module.add_batch(**columns)
    try:
        module.compute(**columns, alternative="worse")
    except pairedperm.InputError as error:
        return [str(error), len(module)]
    return None


def in_processes(folder, columns, configuration, of_load, **options):
    """Two modules of one experiment, each with half of the examples, compute together."""
    modules = [
        loaded(
            configuration,
            num_process=2,
            process_id=process,
            cache_dir=str(folder),
            experiment_id="answers",
            keep_in_memory=False,
            **of_load,
        )
        for process in range(2)
    ]
    n = len(columns["predictions1"])
    for module, part in zip(modules, batches(columns, (n + 1) // 2), strict=True):
        module.add_batch(**part)
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda module: module.compute(**options), modules))


def registered():
    path = pairedperm.register()
    again = pairedperm.register()
    return [path.name, path == again, evaluate.load("paired_perm").compute(**TWO)]


F1 = {"pos_label": 1}
COMPUTED = [
    ("labels", TWO, None, {}),
    ("sequences", SENTENCES, None, {"metric": "exact_match"}),
    ("f1", TWO, None, {"metric": "f1", "pos_label": 0, "alternative": "greater"}),
    ("macro f1", THREE, "f1", {"average": "macro"}),
    ("tags", TAGS, "span_f1", {}),
    ("answers", as_squad(answers(30)), "squad_f1", {}),
    ("scores", POINTS, hf.SCORES, {"method": "monte_carlo", "rng": 1, "confidence_level": 0.9}),
    ("real scores", REALS, hf.SCORES, {}),
]
STREAMED = [
    ("labels", TWO, None, {}),
    ("sequences", SENTENCES, None, {"metric": "exact_match"}),
    ("sets", sets(30), "f1", {"of_load": {"average": "micro", "multilabel": True}}),
    ("f1 without its label", mapped(TWO, str), "f1", {"pos_label": "1", "size": 20}),
    ("tags", TAGS, "span_f1", {}),
    ("many labels, another metric", LARGE, None, {"size": 500, "metric": "f1", "pos_label": 1}),
    ("scores", POINTS, hf.SCORES, {}),
    ("decimals, then real scores", MIXED, hf.SCORES, {"size": 20}),
    ("mixed scores, sampled", MIXED, hf.SCORES, {"size": 20, "n_resamples": 199, **SAMPLED}),
]
SORTED = {name: sorted(column) for name, column in THREE.items()}
LATE_TEXTS = {**TWO, "predictions1": [*TWO["predictions1"][:25], *"a" * 25]}
TOGETHER = [
    ("f1", TWO, "f1", F1),
    ("scores", POINTS, hf.SCORES, {}),
    ("macro f1", SORTED, "f1", {"average": "macro"}),
    ("answers", answers(30), "squad_f1", {}),
    ("labels and texts", LATE_TEXTS, "accuracy", {}),
]
CALLS = [
    Call(f"compute {what} by {name}", partial(computed, columns, *(which, name), **options))
    for name in ("paired_perm", "paired_bootstrap")
    for what, columns, which, options in COMPUTED
    if name == "paired_perm" or what in ("macro f1", "scores")
]
CALLS += [
    Call(f"stream of {what}, {name}", partial(streamed, columns, which, name, **options))
    for name in ("paired_perm", "paired_bootstrap")
    for what, columns, which, options in STREAMED
    if name == "paired_perm" or what in ("scores", "tags")
]
CALLS += [
    Call(
        f"two processes compute {what}",
        partial(in_processes, columns=columns, configuration=which, of_load=of_load),
        in_folder=True,
    )
    for what, columns, which, of_load in TOGETHER
]
CALLS += [
    Call(
        "two processes, another option",
        partial(in_processes, columns=TWO, configuration="f1", of_load=F1, alternative="worse"),
        in_folder=True,
    ),
    Call("module after reset", partial(reset, TWO)),
    Call("module after an error", partial(failed, TWO)),
    Call("module by name", registered),
]
