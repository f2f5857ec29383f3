"""What the page says of files and of columns, without a page.

The page is no package: ``PYTHONPATH=metrics/paired_perm python tests/snapshots.py space`` writes
`words.txt`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from answer import Asked, of_files
from limits import Upload
from pasted import of_columns
from words import p_with_certificate

from folders import inside
from pairedperm import compare
from space.uploads import table

CHECKOUT = Path(__file__).parents[2]
EXAMPLES = CHECKOUT / "metrics" / "paired_perm" / "examples"
LOGS = CHECKOUT / "examples" / "ci_gate"
MARKS = {True: "good", False: "bad", None: "not checked"}


@contextmanager
def new_folder() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, inside(folder):
        yield


def told(ask: Callable[[], Any]) -> str:
    """All that an answer says, but for the card and the command."""
    with new_folder():
        answer = ask()
    rows = [f"{name}: {figure}" for name, figure in answer.table]
    checks = [f"{MARKS[x.is_good]}: {x.text}" for x in answer.checks]
    return "\n".join((*answer.sentences, answer.p, *rows, *checks))


def pasted(one: Any, two: Any, right: str = "", **asked: Any) -> Any:
    first, second = (x if isinstance(x, str) else "\n".join(map(str, x)) for x in (one, two))
    return of_columns(first, second, right, Asked(**asked))


def answered(uploads: Iterable[Upload], right: Any = None, asked: Asked | None = None) -> Any:
    one, two = uploads
    return of_files(one, two, right, asked or Asked())


def examples(*names: str) -> Any:
    return answered(Upload(str(EXAMPLES / x), x) for x in names)


def tables(
    one: Any,
    two: Any,
    ids: Any = None,
    column: str = "score",
    right: Any = None,
    asked: Asked | None = None,
    **columns: Any,
) -> Any:
    uploads = [
        table(f"{name}.jsonl", column, values, ids and ids[k], **columns)
        for k, (name, values) in enumerate((("a", one), ("b", two)))
    ]
    gold = right and table("gold.jsonl", "reference", *right)
    return answered(uploads, gold, asked)


def logs() -> Any:
    paths = [*LOGS.glob("candidate/samples*"), *LOGS.glob("baseline/samples*")]
    return answered(Upload(str(x), x.name) for x in paths)


def tasks(*scores: int) -> Any:
    """Logs of Every Eval Ever of three tasks, of which the first has no scores."""
    for k, score in enumerate(scores):
        lines = [
            {"schema_version": "0.3", "sample_id": str(j), "evaluation_name": task}
            | {"error": x is None, "evaluation": {"score": x}}
            for task, x in (("first", None), ("second", score), ("third", 1))
            for j in range(5)
        ]
        Path(f"{k}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    names = [f"{k}.jsonl" for k in range(len(scores))]
    return answered(Upload(x, x) for x in names)


def sampled() -> str:
    one, two = ([k * 0.3 % 1 + k * 1e-15 for k in range(n, n + 60)] for n in (0, 7))
    result = compare(one, two, None, "mean_score", method="monte_carlo", rng=0)
    return p_with_certificate(result)


GROUPED: dict[str, Any] = {
    "ids": ([1, 2, 2], [1, 3, 4]),
    "column": "prediction",
    "group": ["x", "x", "y"],
    "right": (["p", "q"], [1, 9]),
    "asked": Asked(is_dropped=True),
}
ERRORS: dict[str, Any] = {"name1": "large", "name2": "small"}
ASKED: dict[str, Callable[[], Any]] = {
    "a clear difference": lambda: examples("logistic_regression.csv", "decision_tree.csv"),
    "too few to tell": lambda: examples("logistic_regression.csv", "naive_bayes.csv"),
    "no example that differs": lambda: pasted([1, 2, 3], [1, 2, 3]),
    "nearly every case": lambda: pasted([0.501, *[0, 1] * 500], [0.5, *[1, 0] * 500]),
    "fewer errors are better": lambda: pasted("3\n" * 9, "1\n" * 9, better="lower", **ERRORS),
    "when nothing is given": lambda: tables([1, 2], [2, 1]),
    "groups, references and ids that occur twice": lambda: tables("pqr", "pqr", **GROUPED),
    "a row that sums up": lambda: tables(
        [0.25, 0.5, 0.5, 0.25, 0.375], [0.5, 0.75, 0.5, 0.5, 0.5625], ids=[[*"pqrs", "Avg."]] * 2
    ),
    "logs of a tool": logs,
    "the first task that has scores": lambda: tasks(0, 1),
}
SAID: dict[str, Callable[[], str]] = {name: partial(told, ask) for name, ask in ASKED.items()} | {
    "a sampled p": sampled
}
