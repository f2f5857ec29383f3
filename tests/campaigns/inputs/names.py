"""The names that calls are written with, and calls in steps."""

from functools import partial
from pathlib import Path
from typing import Any

import evaluate

import pairedperm
from pairedperm.readers import read_runs
from strategies.hostile import HAS_TORCH

IMPORTS = """
import datasets, datetime, random, scipy.sparse, uuid, warnings
import numpy as np, pandas as pd, pyarrow as pa
from array import array
from collections import deque
from datasets import ClassLabel, Dataset, Value
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from pathlib import Path

from pairedperm import *
from pairedperm import aggregators
from pairedperm.__main__ import main
from pairedperm.hf import *
from pairedperm.readers import *
from pairedperm.model_card import significance_section, update
from strategies.odd_objects import *
"""


def refusal_of(function, *arguments, **options):
    """The answer, or the exception by which the package refuses one."""
    try:
        return function(*arguments, **options)
    except (pairedperm.InputError, pairedperm.BudgetError) as error:
        return error


def answered(outcome):
    """The answer; a refusal is raised."""
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def steps_of(script, load=None, **steps):
    """What the last of some methods of a module gives; a refused one changes nothing."""
    module = evaluate.load(script, **(load or {}))
    return answered([refusal_of(getattr(module, x), **y) for x, y in steps.items()][-1])


def looked(alpha, *updates):
    """A sequential test after these updates; a refused one changes nothing."""
    test, refusal = pairedperm.SequentialTest(alpha), None
    for update in updates:
        before, outcome = repr(test), refusal_of(test.update, **update)
        if isinstance(outcome, Exception):
            refusal = outcome
            assert repr(test) == before, "a refused update changes the test"
    return answered(refusal or test)


def decided(content1, content2, ending="jsonl", metric=None, **options):
    """The gate's answer on two logs of these contents, of the first metric that has one."""
    paths = [Path(f"file{number}.{ending}") for number in range(2)]
    for path, content in zip(paths, (content1, content2), strict=True):
        path.write_bytes(content)
    runs = read_runs(*paths, **options)
    assert "None" not in str(runs), "None is printed"
    assert [*runs.ids] == sorted(runs.ids), "ids are not sorted"
    names = runs.metrics if metric is None else [metric]
    outcomes = [refusal_of(runs.compare, name, rng=0) for name in names]
    results = [x for x in outcomes if not isinstance(x, Exception)]
    won = [getattr(x, "n_wins", 1) and getattr(x, "n_losses", 1) for x in results[:1]]
    if any(won):  # or the outlook takes a second
        return pairedperm.gate(results[0])
    return answered([str(runs), *outcomes, *results[:1]][-1])


def boards(*frames, **options):
    """The last board of what tables in memory hold; the reading of all is printed."""
    runs = read_runs(*frames, **options)
    assert "None" not in str(runs), "None is printed"
    boards = [refusal_of(x.leaderboard, alpha=0.5) for x in runs.tasks.values()]
    return answered([str(runs), refusal_of(runs.suite), *boards][-1])


def stored(counts, **entries):
    """Stored counts with other entries, and what a test says of them."""
    whole = counts.to_dict() if isinstance(counts, pairedperm.PairedCounts) else {}
    found = pairedperm.PairedCounts.from_dict(whole | {"sha256": None} | entries)
    answered(refusal_of(pairedperm.paired_permutation_test, found, n_resamples=49, rng=0))
    return found


NAMES: dict[str, Any] = {
    "boards": boards,
    "decided": decided,
    "looked": looked,
    "paired_bootstrap": partial(steps_of, "paired_bootstrap"),
    "paired_perm": partial(steps_of, "paired_perm"),
    "stored": stored,
    "quotient": lambda sums: sums[..., 0] / (1.0 + sums[..., 1] ** 2),
}
exec(IMPORTS + "import torch" * HAS_TORCH, NAMES)
