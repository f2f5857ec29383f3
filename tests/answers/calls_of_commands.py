"""Commands in a folder of logs: what they print, write and exit with."""

import contextlib
import io
import json
from functools import partial

import numpy as np

from answers.answer import Call
from answers.calls_of_logs import GATE, LM_EVAL, LOGS
from folders import inside
from pairedperm.__main__ import main


def lines(**columns):
    """JSON Lines of columns by name, with ids."""
    rows = zip(*columns.values(), strict=True)
    named = ({"id": k, **dict(zip(columns, row, strict=True))} for k, row in enumerate(rows))
    return "".join(f"{json.dumps(row)}\n" for row in named)


RNG = np.random.default_rng(301)
GOLD = RNG.integers(0, 3, 60)
SYSTEMS = {
    name: np.where(RNG.integers(0, 100, 60) < share, GOLD, (GOLD + 1) % 3).tolist()
    for name, share in (("a", 90), ("b", 75), ("c", 55))
}
POINTS = RNG.integers(0, 101, (3, 40)) / 100
FILES = {
    **{f"{x}.jsonl": lines(prediction=y, reference=GOLD.tolist()) for x, y in SYSTEMS.items()},
    **{
        f"right_{x}.jsonl": lines(score=[int(p == g) for p, g in zip(y, GOLD, strict=True)])
        for x, y in SYSTEMS.items()
    },
    **{
        f"points_{x}.csv": "id,score,cost\n"
        + "".join(f"{k},{s},{round(1 - s, 2)}\n" for k, s in enumerate(y.tolist()))
        for x, y in zip("abc", POINTS, strict=True)
    },
    "groups_a.jsonl": lines(score=SYSTEMS["a"], group=[k // 5 for k in range(60)]),
    "groups_b.jsonl": lines(score=SYSTEMS["b"], group=[k // 5 for k in range(60)]),
    "half.jsonl": "".join(lines(score=[1] * 60).splitlines(keepends=True)[:30]),
    "broken.jsonl": '{"id": 1, "score": \n',
    "empty.jsonl": "",
}
# by name: the arguments, in a folder with these files and links to the logs of tools
COMMANDS = {
    "help": "--help",
    "help of compare": "compare --help",
    "an unknown command": "compair a.jsonl b.jsonl",
    "compare": "compare right_a.jsonl right_b.jsonl",
    "compare, JSON": "compare right_a.jsonl right_b.jsonl --json",
    "compare, Markdown": "compare right_a.jsonl right_b.jsonl --markdown",
    "compare, quiet": "compare right_a.jsonl right_b.jsonl -q",
    "compare, labels": "compare a.jsonl b.jsonl --metric f1 -o average=macro",
    "compare, no such option": "compare a.jsonl b.jsonl --metric f1 -o averag=macro",
    "compare, one metric": "compare points_a.csv points_b.csv --metric cost --lower-is-better",
    "compare, a range": "compare points_a.csv points_b.csv --metric score -o score_range=[0,1]",
    "compare, groups": "compare groups_a.jsonl groups_b.jsonl",
    "compare, counts": "compare right_a.jsonl right_b.jsonl --counts counts.json",
    "compare, output": "compare right_a.jsonl right_b.jsonl --output out.txt",
    "compare, sampled": "compare a.jsonl c.jsonl --metric f1 -o average=macro --seed 4 "
    "--method monte_carlo --n-resamples 999 --json",
    "compare, half": "compare right_a.jsonl half.jsonl",
    "compare, half dropped": "compare right_a.jsonl half.jsonl --on-missing drop",
    "compare, empty": "compare right_a.jsonl empty.jsonl",
    "compare, not there": "compare right_a.jsonl other.jsonl",
    "compare, one log": "compare right_a.jsonl",
    "compare, lm-evaluation-harness": f"compare {LM_EVAL[0]} {LM_EVAL[1]}",
    "compare, one task": f"compare {LM_EVAL[0]} {LM_EVAL[1]} --task tumors --metric acc --json",
    "compare, trec_eval": f"compare {LOGS}/trec_eval/bm25.txt {LOGS}/trec_eval/dense.txt",
    "bootstrap": "bootstrap right_a.jsonl right_b.jsonl",
    "gate": "gate right_b.jsonl --baseline right_a.jsonl",
    "gate, passes": "gate right_a.jsonl --baseline right_b.jsonl",
    "gate, a margin": "gate right_a.jsonl --baseline right_b.jsonl --margin 0.05",
    "gate, inconclusive": "gate points_a.csv --baseline points_b.csv --metric score --margin 0.01 "
    "--higher-is-better",
    "gate, no direction": "gate points_a.csv --baseline points_b.csv --metric score --margin 0.01",
    "gate, must be better": "gate right_c.jsonl --baseline right_b.jsonl --require better --json",
    "gate, a report": "gate right_b.jsonl --baseline right_a.jsonl --markdown report.md",
    "gate, worse": f"gate {GATE}/worse --baseline {GATE}/baseline --metric acc --json",
    "gate, no baseline": "gate right_b.jsonl",
    "leaderboard": "leaderboard right_a.jsonl right_b.jsonl right_c.jsonl",
    "leaderboard, Markdown": "leaderboard points_a.csv points_b.csv points_c.csv --metric score "
    "--markdown",
    "leaderboard, a baseline": "leaderboard right_a.jsonl right_b.jsonl right_c.jsonl "
    "--baseline right_c",
    "leaderboard, one log": "leaderboard right_a.jsonl",
    "suite": f"suite {LM_EVAL[0]} {LM_EVAL[1]} --metric acc --metric exact_match",
    "suite, JSON": f"suite {LM_EVAL[0]} {LM_EVAL[1]} --metric acc --metric exact_match --json",
    "bounds": "bounds 396 378 --n 500",
    "bounds, accuracies": "bounds --accuracies 0.792 0.756 --n 500",
    "bounds, JSON": "bounds 396 378 --n 500 --json",
    "power": "power --wins 0.06 --losses 0.03",
    "power, a margin": "power --margin 0.02 --wins 0.05",
    "power, a pilot": "power right_a.jsonl right_b.jsonl --json",
}


def commanded(folder, arguments):
    """The exit code, what is printed, and each file that is new."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    before, out, err = {*folder.iterdir()}, io.StringIO(), io.StringIO()
    with inside(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments.split())
    new = sorted({*folder.iterdir()} - before)
    written = {x.name: x.read_text("utf-8") for x in new if x.is_file()}
    return {"exit": code, "out": out.getvalue(), "err": err.getvalue(), "files": written}


CALLS = [
    Call(f"command, {name}", partial(commanded, arguments=arguments), in_folder=True)
    for name, arguments in COMMANDS.items()
]
