"""`pairedperm power`: of two logs, and of shares; how many examples, and what so many find."""

import json
from pathlib import Path

import pytest

from pairedperm import (
    compare,
    examples_needed,
    minimum_detectable_difference,
    paired_permutation_test,
    power,
)
from properties import one_in

SHARES = ("power", "--wins", "0.06", "--losses", "0.03")
LOGS = ("power", "new.jsonl", "old.jsonl")


def scores(name):
    lines = Path(f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(x)["score"] for x in lines]


@one_in(2)
@pytest.mark.parametrize(
    ("flags", "target", "alpha"),
    [((), 0.8, 0.05), (("--power", "0.9"), 0.9, 0.05), (("--alpha", "0.01"), 0.8, 0.01)],
)
def test_shares(found, said, flags, target, alpha):
    expected = examples_needed((0.06, 0.03), target, alpha)
    assert found(*SHARES, *flags) == [json.loads(json.dumps(expected.to_dict()))]
    assert said(*SHARES, *flags) == f"{expected}\n"


def test_what_so_many_find(found, said):
    expected = [
        power((0.06, 0.03), 100),
        minimum_detectable_difference((0.06, 0.03), 100),
    ]
    out = found(*SHARES, "-n", "100")
    assert out == [json.loads(json.dumps(x.to_dict())) for x in expected]
    assert said(*SHARES, "--n-examples", "100") == "{}\n\n{}\n".format(*expected)


def test_a_margin(found, said):
    """--wins alone are as many losses."""
    expected = examples_needed((0.05, 0.05), margin=0.05)
    assert said("power", "--margin", "0.05", "--wins", "0.05") == f"{expected}\n"
    of_90, needed = found(
        *("power", "--margin", "0.05", "--wins", "0.05", "--losses", "0.02", "-n", "90"),
        *("--power", "0.9"),
    )
    assert of_90["power"] == power((0.05, 0.02), 90, margin=0.05).power
    assert needed["n_examples"] == examples_needed((0.05, 0.02), 0.9, margin=0.05).n_examples


def test_logs(logs, found, said):
    pilot = compare(scores("new"), scores("old"), None, "mean_score", of="score")
    assert said(*LOGS) == f"{examples_needed(pilot)}\n"
    (out,) = found(*LOGS)
    assert (out["n_pilot"], out["n_examples"]) == (100, examples_needed(pilot).n_examples)
    asked, least = found(*LOGS, "-n", "300")
    assert asked["power"] == power(pilot, 300).power
    assert least["difference"] == minimum_detectable_difference(pilot, 300).difference
    assert max(map(len, said(*LOGS, "-n", "300").splitlines())) <= 80


def test_a_folder_with_a_hidden_file(logs, write, found):
    write("pilot/new.jsonl", score=scores("new"))
    write("pilot/.new.jsonl", score=[0] * 100)
    err = f"warning: left out: 1 hidden file: {Path('pilot', '.new.jsonl')}.\n"
    assert found("power", "pilot", "old.jsonl", err=err) == found(*LOGS)


def test_real_scores(logs, found):
    pilot = paired_permutation_test(scores("real1"), scores("real2"))
    asked, _ = found("power", "real1.jsonl", "real2.jsonl", "-n", "10")
    assert (asked["power"], asked["method"]) == (power(pilot, 10).power, "multinomial draws")
