"""Small logs, the columns in them, and commands that are run on them in this process."""

from __future__ import annotations

import io
import json
import random
import shlex
import shutil
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from corpora.logs import GATE, LOGS
from pairedperm.__main__ import main

DATE = "2026-11-01T00-00-00.1"
RIGHT = [*"abcab"] * 4
ANSWERS = [*"abcaa"] * 4, [*"abbba"] * 4
NUMBERS = {"a": 0, "b": 1, "c": 2}
TEXTS = "compare text1.jsonl text2.jsonl"
TWO = "compare two1.jsonl two2.jsonl --score acc --score loss"
GATED, LOW = "gate new.jsonl --baseline old.jsonl", "gate low.jsonl --baseline old.jsonl"
LR_NB = "two/logistic_regression two/naive_bayes"
BOTH = "--metric acc --metric exact_match,strict-match"
SLICES = ["law"] * 9 + ["maths"] * 8 + ["code"] * 3
_DRAWN = random.Random(2)
MANY = [_DRAWN.randrange(5) for _ in range(80)]  # of which no p is exact
GUESSES = [[x if _DRAWN.random() < 0.6 else _DRAWN.randrange(5) for x in MANY] for _ in "ab"]
TABLES: dict[str, dict[str, list[Any]]] = {  # the new system gains 2 and loses 8 of 100
    "new": {"score": [1] * 82 + [0] * 8 + [1] * 2 + [0] * 8},
    "old": {"score": [1] * 90 + [0] * 10},
    "low": {"score": [1] * 82 + [0] * 18},
    "lower": {"score": [1] * 82 + [0] * 18},
    "text1": {"prediction": ANSWERS[0], "reference": RIGHT},
    "text2": {"prediction": ANSWERS[1], "reference": RIGHT},
    "plain1": {"prediction": ANSWERS[0]},
    "plain2": {"prediction": ANSWERS[1]},
    "right": {"reference": RIGHT},
    "part": {"id": [3, 4, 5], "prediction": [*"aba"], "reference": [*"aba"]},
    **{
        f"int{k}": {
            "prediction": [NUMBERS[x] for x in answers],
            "reference": [NUMBERS[x] for x in RIGHT],
        }
        for k, answers in enumerate(ANSWERS, 1)
    },
    **{
        f"many{k}": {"prediction": answers, "reference": MANY}
        for k, answers in enumerate(GUESSES, 1)
    },
    "two1": {"acc": [1, 1, 1, 0, 1, 1, 1, 1, 0, 1], "loss": [x / 10 for x in range(1, 11)]},
    "two2": {"acc": [1, 0, 0, 0, 1, 0, 0, 0, 0, 1], "loss": [x / 10 for x in range(2, 12)]},
    **{f"run{k}": {"score": [(x * x + 3 * k) % 7 > x % 3 for x in range(60)]} for k in range(5)},
    "one1": {"score": [1]},
    "one2": {"score": [0]},
    "real1": {"score": [k * k % 11 / 10 for k in range(30)]},
    "real2": {"score": [k * 3 % 7 / 10 for k in range(30)]},
    "group1": {"score": [0, 0, 0, 0, 1, 1], "group": [0, 0, 1, 1, 2, 2]},
    "group2": {"score": [1, 1, 1, 1, 0, 0], "group": [0, 0, 1, 1, 2, 2]},
    "slice1": {"score": [1] * 17 + [0] * 3, "domain": SLICES},
    "slice2": {"score": [0] * 9 + [1] * 11, "domain": SLICES},
    "wide": {
        "new": [1] * 9 + [0] * 3,
        "level": [1, 2] * 6,
        "old": [0, 1] * 6,
        "other": [1, 0, 0] * 4,
    },
    "twice1": {"id": [k // 2 for k in range(12)], "prediction": [0, 1] * 6},
    "twice2": {"id": [k // 2 for k in range(12)], "prediction": [0, 0, 1, 1] * 3},
    "gap1": {"correct": [1] * 36 + [None] * 4},
    "gap2": {"correct": [0] * 8 + [1] * 32},
    "often1": {"id": [0, 0, 1, 1, 2, 3, 4], "score": [1, 0, 1, 1, 1, 0, 1]},
    "often2": {"id": [*range(5)], "score": [0, 0, 0, 1, 0]},
    "verdicts": {
        "id": [k // 2 for k in range(40)],
        "verdict": ["new", "new", "old", "tie", "new"] * 8,
        "first": ["new", "old"] * 20,
    },
    "places": {
        "winner": ["model_a", "model_b", "tie (bothbad)", "model_a"] * 9,
        "model_a": ["new", "old", "old"] * 12,
    },
    "letters": {"verdict": ["A", "A", "tie", "B", "A"] * 5},
    "out/a": {"score": [1] * 30 + [0] * 10},
    "out/b": {"score": [1] * 20 + [0] * 20},
    "out/c": {"score": [0] * 10 + [1] * 30},
}
SOME = {  # what three systems are right on, and a fourth that lacks a task and examples
    "a": {"new": [1, 1, 1, 0, 0, 1], "old": [0, 0, 1, 0, 0, 1], "bad": [0] * 6, "few": [1] * 5},
    "b": {"new": [1] * 8, "old": [0] * 7 + [1], "bad": [0] * 8},
    "c": {"new": [1, 0, 1], "old": [1, 1, 1], "bad": [0, 0, 1], "few": [1, 1]},
}
TASKS = {task: {x: y for x, y in of.items() if x != "few"} for task, of in SOME.items()}
PAIR = {task: {x: of[x] for x in ("new", "old")} for task, of in SOME.items()}
SECONDS = {"new": [k / 10 for k in range(40)], "old": [k / 10 + 0.5 + k % 2 / 2 for k in range(40)]}


def jsonl(columns: Mapping[str, Sequence[Any]]) -> str:
    """JSON Lines of columns by name; ids are numbers unless they are given."""
    columns = {"id": range(len(next(iter(columns.values())))), **columns}
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def write_table(name: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """A table in the current folder."""
    path = Path(f"{name}.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(jsonl(columns), "utf-8")


def write_tasks(
    tasks: Mapping[str, Mapping[str, Sequence[Any]]],
    metric: str = "acc",
    root: str = "tasks",
    reported: Mapping[str, Mapping[str, float]] | None = None,
    *,
    is_lower: bool = False,
) -> None:
    """Logs of lm-evaluation-harness, a folder for each system, and what their results report."""
    for task, systems in tasks.items():
        for system, column in systems.items():
            Path(root, system).mkdir(parents=True, exist_ok=True)
            lines = [
                {"doc_id": k, "doc": k, "target": "x", "resps": [], "filter": "none"}
                | {"metrics": [metric], metric: x}
                for k, x in enumerate(column)
            ]
            path = Path(root, system, f"samples_{task}_{DATE}.jsonl")
            path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    for system, told in (reported or {}).items():
        of_task = {f"{name},none": value for name, value in told.items()}
        higher = dict.fromkeys(told, not is_lower)
        results = {
            "results": dict.fromkeys(tasks, of_task),
            "higher_is_better": dict.fromkeys(tasks, higher),
        }
        Path(root, system, f"results_{DATE}.json").write_text(json.dumps(results), "utf-8")


def write_runs() -> None:
    """The logs of examples/ci_gate, and smaller ones of two tasks, in the current folder."""
    for system in ("candidate", "baseline", "worse"):
        shutil.copytree(GATE / system, Path("runs", system))
    for system in ("logistic_regression", "naive_bayes", "decision_tree"):
        shutil.copytree(LOGS / "lm_eval" / f"scikit-learn__{system}", Path("two", system))


class Done(NamedTuple):
    """What a command printed to stdout and to stderr, and its exit code."""

    code: int
    out: str
    err: str


def run(line: str) -> Done:
    """Run a command, as a shell would read it."""
    kept = [io.BytesIO(), io.BytesIO()]
    out, err = (io.TextIOWrapper(x, "utf-8", newline="\n", write_through=True) for x in kept)
    with redirect_stdout(out), redirect_stderr(err):
        code = main(shlex.split(line))
    return Done(code, *(x.getvalue().decode() for x in kept))


def asked(line: str, expected: str) -> None:
    """Run a command: its exit code, and what it says, as pieces between `…` in this order.

    It says on stderr what it refuses, in one line, and on stdout anything else.
    """
    code, _, text = expected.partition(" ")
    done = run(line)
    assert done.code == int(code), done
    assert bool(done.out) == (done.code != 2), done
    said, at = " ".join((done.err if done.code == 2 else done.out).split()), 0
    assert done.code != 2 or done.err.count("\n") == 1, done.err
    for piece in filter(None, map(str.strip, text.split("…"))):
        found = said.find(piece, at)
        assert found >= 0, f"{piece!r} is not in the rest of {said!r}"
        at = found + len(piece)
