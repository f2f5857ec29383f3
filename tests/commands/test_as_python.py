"""The JSON of each command is that of Python's function."""

import json
from functools import partial

import pytest

from commands.files import GATED, GUESSES, MANY, PAIR, SLICES, TABLES, TASKS, TEXTS, TWO
from commands.said import in_shell, made
from pairedperm import (
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    examples_needed,
    gate,
    gate_suite,
    minimum_detectable_difference,
    power,
    preference,
    pvalue_bounds,
)

NUMBERS, SHARES = "compare int1.jsonl int2.jsonl", "power --wins 0.06 --losses 0.03"
SUITE, OF_TASKS = "suite tasks/new tasks/old", "gate tasks/new --baseline tasks/old"
SYSTEMS = {name: TABLES[f"out/{name}"]["score"] for name in "abc"}
ACC = {"of": "acc", "score_range": (0, 1)}
SAMPLED = {"method": "monte_carlo", "n_resamples": 99}
SAMPLING = "--method monte_carlo --n-resamples 99"
WEIGHTS = {"a": 2.0, "b": 0.5, "c": 1.0}
GIVEN = " ".join(f"--weights {x}={y}" for x, y in WEIGHTS.items())
MATCHED, OF_ALL = ["100 examples matched by id"], "3 tasks: 17 examples matched by id"


def of_labels(*metric, kind="text", **options):
    one, two = TABLES[f"{kind}1"], TABLES[f"{kind}2"]
    columns = one["prediction"], two["prediction"], one["reference"]
    return compare(*columns, *metric, **{"confidence_level": 0.95, **options})


def of_scores(one="new", two="old", **options):
    columns = TABLES[one]["score"], TABLES[two]["score"], None
    return compare(*columns, "mean_score", of="score", confidence_level=0.95, **options)


def suite(**options):
    tasks = {task: (*of.values(), None) for task, of in PAIR.items()}
    return compare_suite(tasks, "mean_score", **ACC, **options)


def sliced(**options):
    columns = [TABLES[x]["score"] for x in ("slice1", "slice2")]
    return compare_suite(columns, "mean_score", by=SLICES, of="score", **options)


def board(**options):
    return compare_many(SYSTEMS, None, "mean_score", of="score", rng=0, **options)


def averages(**options):
    tasks = {task: (of,) for task, of in TASKS.items()}
    return compare_suites(tasks, "mean_score", rng=0, **ACC, **options)


def row(line, result, **facts):
    """A command, the function of Python or several, and what else stands in the JSON."""
    return pytest.param(line, result, facts, id=line)


ROWS = [
    # Metrics and their options
    row(TEXTS, of_labels, system1="text1", system2="text2", task="", logged="accuracy"),
    row(
        f"{NUMBERS} --metric fbeta -o beta=0.5 -o average=macro -o labels=1,2",
        partial(of_labels, "fbeta", kind="int", beta=0.5, average="macro", labels=[1, 2]),
    ),
    # Options of a test
    row(
        f"{TEXTS} --alternative less",
        partial(of_labels, alternative="less", confidence_level=None),
    ),
    row(
        f"{TEXTS} --metric f1 -o ' pos-label=b' --confidence-level 0.9 {SAMPLING} --seed 3",
        partial(of_labels, "f1", pos_label="b", confidence_level=0.9, **SAMPLED, rng=3),
    ),
    row(f"{TEXTS} --largest-group 3", partial(of_labels, largest_group=3)),
    row(
        "compare group1.jsonl group2.jsonl",
        partial(of_scores, "group1", "group2", groups=TABLES["group1"]["group"]),
    ),
    row(  # the seed follows from the data
        f"bootstrap text1.jsonl text2.jsonl {SAMPLING}",
        partial(of_labels, test="bootstrap", **SAMPLED),
    ),
    # Gates
    row(
        GATED,
        lambda: gate(of_scores()),
        candidate="new",
        baseline="old",
        task="",
        logged="score",
        matching=MATCHED,
        gained=[90, 91],
        lost=[*range(82, 90)],
    ),
    row(
        f"{GATED} --require better --alpha 0.2",
        lambda: gate(of_scores(), require="better", alpha=0.2),
    ),
    row(
        OF_TASKS,
        lambda: gate_suite(suite()),
        candidate="new",
        baseline="old",
        matching=[OF_ALL],
    ),
    row(f"{OF_TASKS} --task-margin 0.5", lambda: gate_suite(suite(), task_margin=0.5)),
    row(  # a sampled p, whose seed is Python's
        "gate many1.jsonl --baseline many2.jsonl --metric f1 -o average=macro",
        lambda: gate(of_labels("f1", kind="many", average="macro")),
        method="monte_carlo",
    ),
    # Suites
    row(
        f"{SUITE} --weights size --alternative less --correction bonferroni",
        partial(suite, weights="size", alternative="less", correction="bonferroni"),
        system1="new",
        system2="old",
        matching=[OF_ALL],
    ),
    row(
        "suite slice1.jsonl slice2.jsonl --by domain",
        partial(sliced, rng=0),
        matching=["3 tasks: 20 examples matched by id", "tasks are the slices by 'domain'"],
    ),
    row(
        "gate slice1.jsonl --baseline slice2.jsonl --by domain --weights size",
        lambda: gate_suite(sliced(weights="size")),
    ),
    # Leaderboards
    row(
        "leaderboard wide.jsonl --wide --score new --score old --score other",
        lambda: compare_many(
            {x: TABLES["wide"][x] for x in ("new", "old", "other")}, None, "mean_score", of="value"
        ),
        logged="value",
    ),
    row("leaderboard out", board, task="", logged="score", matching=["40 examples matched by id"]),
    row(
        "leaderboard out --correction bh --alpha 0.2 --lower-is-better",
        partial(board, correction="bh", alpha=0.2, lower_is_better=True),
    ),
    row(
        "leaderboard many1.jsonl many2.jsonl --metric f1 -o average=macro --seed 7",
        lambda: compare_many(
            {f"many{k}": x for k, x in enumerate(GUESSES, 1)}, MANY, "f1", average="macro", rng=7
        ),
    ),
    row(
        f"leaderboard tasks {GIVEN} --baseline old",
        partial(averages, weights=WEIGHTS, baseline="old"),
    ),
    # Plans
    row("power new.jsonl old.jsonl", lambda: examples_needed(of_scores()), n_pilot=100),
    row(
        f"{SHARES} -n 100",
        lambda: [power((0.06, 0.03), 100), minimum_detectable_difference((0.06, 0.03), 100)],
    ),
    row(
        "power --margin 0.1 --wins 0.05 --losses 0.02 -n 90 --power 0.9",
        lambda: [
            power((0.05, 0.02), 90, margin=0.1),
            examples_needed((0.05, 0.02), 0.9, margin=0.1),
        ],
    ),
    # Preferences
    row(
        "preference verdicts.jsonl --name new --name old --confidence-level 0.9",
        lambda: preference(
            TABLES["verdicts"]["verdict"],
            items=TABLES["verdicts"]["id"],
            first=TABLES["verdicts"]["first"],
            names=("new", "old"),
            confidence_level=0.9,
        ),
    ),
    row(
        "preference letters.jsonl --order random --alternative greater",
        lambda: preference(TABLES["letters"]["verdict"], order="random", alternative="greater"),
    ),
    # Bounds
    row(
        "bounds --accuracies 0.790 0.75 --n 500 --alpha 0.01 --alternative less",
        lambda: pvalue_bounds(
            "0.790", "0.75", 500, accuracies=True, alpha=0.01, alternative="less"
        ),
    ),
]
OWN = {"candidate", "baseline", "system1", "system2", "tasks", "gained", "lost"}  # names and ids


@pytest.mark.filterwarnings("ignore:.*estimated from")
@pytest.mark.parametrize(("line", "result", "facts"), ROWS)
def test_it_is_that_of_python(found, line, result, facts):
    expected = result()
    several = expected if isinstance(expected, list) else [expected]
    with in_shell(made().name):
        printed = found(line, code=getattr(several[0], "exit_code", 0))
    one, *_ = printed = printed if isinstance(printed, list) else [printed]
    assert {key: one[key] for key in facts} == facts
    for x, y in zip(printed, several, strict=False):
        same = json.loads(json.dumps(y.to_dict()))
        assert {key: x[key] for key in same.keys() - OWN} == {
            key: same[key] for key in same.keys() - OWN
        }


@pytest.mark.parametrize(("correction", "adjusted"), [("holm", 2**-8), ("none", 2**-9)])
def test_corrections(logs, found, correction, adjusted):
    out = found(f"{TWO} --correction {correction} --alpha 0.2")
    assert out["correction"] == (None if correction == "none" else correction)
    assert out["tests"][1]["p_adjusted"] == adjusted
