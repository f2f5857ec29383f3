"""Which of two scores is the better one: a gate does not guess, and a comparison says what it does.

Each row of a case is a command, its exit code, and what it says.
"""

import math
from pathlib import Path

import pytest

from commands.files import asked, write_table
from corpora.logs import GATE, edited, lm_eval_log, save

GATED, LOGGED = "gate new.jsonl --baseline old.jsonl", "gate new --baseline old"
BACK = "gate old.jsonl --baseline new.jsonl"
HIGHER, LOWER = "--higher-is-better", "--lower-is-better"
UNKNOWN = "2 error: it is not known whether a higher '{}' is better: give --higher-is-better or --"
ASSUMED = "0 … {}: higher is better (assumed; or give --lower-is-better)"
OF_PERPLEXITY = (
    "2 error: `--higher-is-better` is for scores that were logged: for perplexity lower is better."
)
MEANS = (-0.91, -2.29)
PERPLEXITIES = [{"perplexity": math.exp(-x)} for x in MEANS]
AROUND = [[round(mean + x / 20, 2) for x in (-1, 0, 1)] * 4 for mean in MEANS]


def tables(**columns):
    """Tables of the two systems; each column by name."""
    for k, system in enumerate(("new", "old")):
        write_table(system, {name: pair[k] for name, pair in columns.items()})


def logged(results=(None, None), lower=(), **columns):
    """Logs of lm-evaluation-harness of the two systems, with what their results report."""
    for k, system in enumerate(("new", "old")):
        of_system = {name: pair[k] for name, pair in columns.items()}
        lm_eval_log(Path(system), of_system, results[k], lower=lower)


def test_the_direction_of_the_name():
    tables(wer=([0.1, 0.2, 0.3] * 10, [0.2, 0.25, 0.5] * 10))
    for line, expected in (
        (f"{GATED} --score wer", "0 … The mean wer of … Lower is better."),
        (f"{GATED} --score wer {HIGHER}", "1 … The mean wer of … Higher is better."),
        (f"{BACK} --score wer", "1 … The mean wer of … Lower is better."),
    ):
        asked(line, expected)


@pytest.mark.parametrize("is_higher", [True, False])
def test_the_direction_of_the_log(is_higher):
    """What lm-evaluation-harness wrote of the metric in its results counts."""
    said = {"tumors": {"acc": is_higher}}
    for run in ("worse", "baseline"):
        Path(run).mkdir()
        for path in (GATE / run).iterdir():
            save(Path(run, path.name), path.read_bytes())
        (results,) = Path(run).glob("results_*")
        edited(results, results, lambda x: x.update(higher_is_better=said))
    line = "gate worse --baseline baseline --metric acc"
    one, other = "1 … Higher is better.", "0 … Lower is better."
    asked(line, one if is_higher else other)
    asked(f"{line} {LOWER if is_higher else HIGHER}", other if is_higher else one)


def test_nobody_says_which_way():
    name = "non_toxicity"
    tables(**{name: ([0] * 6, [1] * 6)})
    for line, expected in (
        (f"{GATED} --score {name}", UNKNOWN.format(name)),
        (f"{GATED} --score {name} {HIGHER}", "1 FAIL"),
        (f"{GATED} --score {name} {LOWER}", "0 PASS"),
        (f"compare new.jsonl old.jsonl --score {name}", ASSUMED.format(name)),
    ):
        asked(line, expected)


@pytest.mark.parametrize("name", ["perplexity", "val/token_perplexity"])
def test_logarithms_are_no_perplexities(name):
    """Nobody says which way scores below 0 of such a name are better; of losses the name does."""
    pair = [[value, value - 0.1] * 3 for value in (-0.9, -2.3)]
    tables(**{name: pair, "loss": pair})
    logged(**{name: pair})
    is_logged = name == "perplexity"  # which lm-evaluation-harness logs as logarithms
    for line, expected in (
        (f"{GATED} --score {name}", UNKNOWN.format(name)),
        (f"{GATED} --score {name} {HIGHER}", "0"),
        (f"{GATED} --score {name} {LOWER}", "1"),
        (f"compare new.jsonl old.jsonl --score {name}", ASSUMED.format(name)),
        (f"{GATED} --score loss", "1"),
        (LOGGED, "0" if is_logged else UNKNOWN.format(name)),
    ):
        asked(line, expected)


def test_the_perplexity_of_logarithms():
    """The better model passes: lower is better, which the log means of exp(-mean)."""
    logged(PERPLEXITIES, ["perplexity"], perplexity=AROUND)
    for line, expected in (
        (LOGGED, "0 PASS: … The perplexity of … 2.48 against 9.87. Lower is better. … n = 12, "),
        (f"gate old --baseline new {LOWER}", "1"),
        (f"compare new old {HIGHER}", OF_PERPLEXITY),
    ):
        asked(line, expected)


@pytest.mark.parametrize("flag", [HIGHER, LOWER])
def test_a_direction_beside_perplexities(found, flag):
    """It is that of the means; the perplexity has its own."""
    results = [{**x, "mine": mean} for x, mean in zip(PERPLEXITIES, MEANS, strict=True)]
    logged(results, perplexity=AROUND, mine=AROUND)
    wins = {x["logged"]: x["n_wins"] for x in found(f"compare new old {flag}")["tests"]}
    assert wins == {"perplexity": 12, "mine": 12 * (flag == HIGHER)}
