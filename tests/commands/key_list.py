"""Write the table of the keys of results, from what commands print and from docstrings.

    python tests/commands/key_list.py

A key means what its attribute does, by the first sentence of its docstring. `OTHERS` has those that
are no attribute, or another one in another result.
"""

from __future__ import annotations

import csv
import inspect
import io
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[2]
LIST = CHECKOUT / "examples" / "guide" / "keys.csv"

if __name__ == "__main__":
    sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "tests")]

from commands.files import BOTH, GATED, LR_NB, TWO, run  # noqa: E402
from commands.said import in_shell, made  # noqa: E402
from pairedperm.results import decisions, power, reruns, result, score, several, suite  # noqa: E402
from pairedperm.results.missing import MissingBounds  # noqa: E402
from pairedperm.results.preference import PreferenceResult  # noqa: E402

GAPS = " --score correct --on-missing bounds"
PRINTED = (  # runs that together print every key
    *("compare new.jsonl old.jsonl", "compare one1.jsonl one2.jsonl", TWO),
    *("leaderboard one1.jsonl one2.jsonl", f"leaderboard {LR_NB} {BOTH} --weights equal"),
    *(f"bootstrap{TWO[7:]}", f"suite {LR_NB} {BOTH}", GATED),
    *(f"{GATED} --margin 20%", f"{GATED} --margin 0.2 -o score_range=[0,1]"),
    *(f"{GATED} --baseline low.jsonl", "gate new.jsonl --threshold 0.86"),
    f"gate {LR_NB.replace(' ', ' --baseline ')} {BOTH} --task-margin 0.9",
    *("power new.jsonl old.jsonl", "power --wins 0.06 --losses 0.03 -n 100"),
    *("power --threshold 0.86 --supposed 0.8", "bounds 17 14 --n 20", "score new.jsonl"),
    *(f"score two/naive_bayes {BOTH}", "noise new.jsonl low.jsonl old.jsonl"),
    *(
        "preference verdicts.jsonl --name new --name old",
        "gate gap1.jsonl --baseline gap2.jsonl" + GAPS,
    ),
)
NAMED = "metric_options", "n_missing"  # what these hold has names of its own
TESTS = "compare", "bootstrap", "leaderboard", "suite", "gate"
KINDS = (  # of a key that several have, the first says what it means
    *(result.PairedResult, decisions.GateResult, decisions.EquivalenceResult),
    *(suite.SuiteResult, decisions.SuiteGateResult, several.Leaderboard, score.ScoreInterval),
    *(score.NumberGateResult, reruns.RerunResult, reruns.Noise, power.PowerResult),
    *(power.ThresholdPower, power.PvalueBounds, PreferenceResult, MissingBounds),
)
OTHERS = {
    **dict.fromkeys(("system1", "system2", "system"), "The name of a system"),
    **dict.fromkeys(("candidate", "baseline"), "The name of a system; of reruns a list of logs"),
    "task": 'The task; "" if the logs name none',
    "logged": "The metric's name in the logs",
    "matching": "How many examples were matched, what was left out, what is assumed",
    "stat": "score1 - score2",
    "p": "The p-value; of reruns the larger of `p_items` and `p_runs`",
    "log_p": "Its natural logarithm; None if p of a bootstrap is 0",
    **dict.fromkeys(
        ("p_low", "p_high"), "An interval of p; the bounds of all data with these scores"
    ),
    **dict.fromkeys(("log_p_low", "log_p_high", "log_least_p"), "Natural logarithms"),
    **dict.fromkeys(("stat_low", "stat_high"), "The interval of the difference, if asked for"),
    **dict.fromkeys(
        ("score1_low", "score1_high", "score2_low", "score2_high"),
        "Intervals of the scores: of a bootstrap, and of win rates",
    ),
    **dict.fromkeys(("low", "high"), "The interval of the score"),
    "interval_method": "How the interval was made",
    "pvalue_kind": '"certified": this interval is proven; "confidence": p was sampled, at 99 %',
    "alternative": "The side of the test",
    "alpha": "The significance level",
    "p_adjusted": "p, adjusted for the number of tests",
    "correction": "How p was adjusted; None if it was not",
    "power": "The power of a plan; of a gate the one that detectable refers to",
    "threshold": "The number to beat",
    "seed": "rng=seed draws the same; None for an exact p",
    "n_resamples": "Number of swaps or resamples that were drawn; None for an exact p",
    "pvalue_place": "The exact p that verdicts do not depend on places; None if these are unknown",
    "ties": 'Of a bootstrap: "include" or "exclude"',
    "constant": "The number that all scores of one system are, which may be no system",
    "verdict": '"pass", "fail" or "inconclusive"',
    "reason": "The reason for the verdict",
    "lower_is_better": "Whether the metric counts errors",
    "tests": "Of several metrics or tasks: a list of tests",
    "tier": "1 + the number of systems that are significantly better",
    "score": "The score, in units of the metric",
    "weight": "The weight of a task; all sum to 1",
    "turned": "Whether the score of a task counts as negative in the average",
    "tasks": "A list of the tasks",
    "average": "The weighted average of one system",
    "difference": "The supposed difference; of reruns score_new - score_old",
    **dict.fromkeys(
        ("relative_margin", "relative_low", "relative_method"),
        "A margin as a share of the baseline's score, and the limit of what is beyond the rest",
    ),
    **dict.fromkeys(("p_least", "p_greatest"), "The bounds of p, with scores missing"),
    **dict.fromkeys(("best", "worst"), "The results at both ends of what missing scores may be"),
    "schema_version": "1, the version of the keys; the last key",
}


@cache
def documented(kind: type) -> dict[str, str]:
    """What the docstring of a class says of each attribute, in one line."""
    text = inspect.cleandoc(kind.__doc__ or "").partition("Attributes\n----------\n")[2]
    entries = [x.partition("\n") for x in re.split(r"\n(?=\S)", text)]
    own = {
        name: " ".join(body.split())
        for head, _, body in entries
        for name in head.partition(" : ")[0].split(", ")
    }
    of_properties = {
        name: inspect.getdoc(x) or "" for name, x in vars(kind).items() if isinstance(x, property)
    }
    return of_properties | own


def meaning(key: str) -> str:
    """What a key means, in a sentence."""
    found = OTHERS.get(key) or next(x[key] for x in map(documented, KINDS) if x.get(key))
    first = re.split(r"(?<=[^.])\. |\n\n", f"{found} ")[0]
    return " ".join(first.split()).rstrip(".").replace("`", "")


def keys(found: Any) -> Iterator[str]:
    """All keys of what was printed, but those within `NAMED`."""
    for each in found if isinstance(found, list) else []:
        yield from keys(each)
    for key, value in found.items() if isinstance(found, dict) else []:
        yield key
        yield from keys(value if key not in NAMED else None)


def printed() -> dict[str, dict[str, None]]:
    """Each key, and the commands that print it."""
    found: dict[str, dict[str, None]] = {}
    with in_shell(made().name):
        for line in PRINTED:
            command = line.partition(" ")[0]
            for key in keys(json.loads(run(f"{line} --json").out)):
                found.setdefault(key, {})[command] = None
    return found


def table() -> str:
    """Keys of one meaning share a row."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["key", "of", "meaning"])
    each = ((key, [*commands], meaning(key)) for key, commands in printed().items())
    for (commands, said), some in groupby(each, lambda row: row[1:]):
        are_all = {*TESTS} <= {*commands}
        where = ["tests"] * are_all + [x for x in commands if not are_all or x not in TESTS]
        rows.writerow([" ".join(key for key, *_ in some), " ".join(where), said])
    return text.getvalue()


if __name__ == "__main__":
    LIST.write_text(table(), encoding="utf-8")
