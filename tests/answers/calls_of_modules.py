"""Calls of the `evaluate` modules: at once, and in several processes."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import evaluate

from answers.answer import METRICS, Call
from answers.answer_data import (
    answers,
    as_squad,
    labels,
    scores,
)
from answers.package import hf

TWO = labels(50)
THREE = labels(60, 3, seed=81)
POINTS = dict(zip(("predictions1", "predictions2"), (x / 10 for x in scores(40, 90)), strict=True))


def loaded(configuration=None, name="paired_perm", **options):
    """A module of the checkout."""
    return evaluate.load(str(METRICS / name), configuration, **options)


def batches(columns, size):
    n = len(columns["predictions1"])
    return ({name: x[k : k + size] for name, x in columns.items()} for k in range(0, n, size))


def computed(columns, configuration=None, name="paired_perm", /, **options):
    return loaded(configuration, name).compute(**columns, **{"rng": 1, **options})


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


F1 = {"pos_label": 1}
COMPUTED = [
    ("labels", TWO, None, {}),
    ("f1", TWO, None, {"metric": "f1", "pos_label": 0, "alternative": "greater"}),
    ("macro f1", THREE, "f1", {"average": "macro"}),
    ("answers", as_squad(answers(30)), "squad_f1", {}),
    ("scores", POINTS, hf.SCORES, {"method": "monte_carlo", "rng": 1, "confidence_level": 0.9}),
]
TOGETHER = [
    ("f1", TWO, "f1", F1),
    ("scores", POINTS, hf.SCORES, {}),
]
CALLS = [
    Call(f"compute {what} by paired_perm", partial(computed, columns, which, **options))
    for what, columns, which, options in COMPUTED
]
CALLS += [
    Call(
        f"two processes compute {what}",
        partial(in_processes, columns=columns, configuration=which, of_load=of_load),
        in_folder=True,
    )
    for what, columns, which, of_load in TOGETHER
]
