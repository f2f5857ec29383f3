"""`pairedperm gate`: verdicts and exit codes, and what is printed."""

import json
from pathlib import Path

import pytest

from corpora.logs import GATE, LOGS
from pairedperm import compare, gate
from properties import one_in

BASELINE = ("--baseline", GATE / "baseline", "--metric", "acc")
OLD = ("gate", "new.jsonl", "--baseline", "old.jsonl")
CODES = {0: "PASS", 1: "FAIL", 3: "INCONCLUSIVE"}


@pytest.mark.parametrize(
    ("run", "options", "code", "reason"),
    [
        ("candidate", (), 0, "no significant loss of scikit-learn/naive_bayes against scikit-"),
        ("worse", (), 1, "is significantly worse than"),
        ("worse", ("--alpha", "0.004"), 0, "This does not show that the candidate is as good: for"),
        ("candidate", ("--margin", "0.05"), 0, "is shown to be less than 0.05 worse than"),
        ("candidate", ("--margin", "0.01"), 3, "by 0.01 or more: these examples do not tell."),
        ("worse", ("--margin", "0.01"), 1, "and the loss is not shown to be below 0.01."),
        ("worse", ("--margin", "0.2"), 0, "but the loss is shown to be below 0.2."),
        ("candidate", ("--require", "better"), 1, "is not shown to be better than"),
    ],
)
def test_real_logs(said, run, options, code, reason):
    out = said("gate", GATE / run, *BASELINE, *options, code=code)
    assert out.startswith(f"{CODES[code]}: ")
    assert reason in " ".join(out.split("\nmean acc")[0].split())
    assert " scikit-learn/logistic_regression" in out
    assert max(map(len, out.splitlines())) <= 80


def test_what_is_printed(said):
    """As `GateResult` says it, with the ids and how the runs were matched."""
    assert said("gate", GATE / "worse", *BASELINE, code=1).splitlines()[-3:] == [
        "gained: 4 (32, 38, 159, 170)",
        "lost: 18 (13, 39, 40, 41, 46, 50, 56, 64, 65, 81 and 8 more)",
        "tumors: 240 examples matched by id",
    ]
    out = said("gate", GATE / "candidate", *BASELINE)
    assert "This run could detect a loss of about 0.055 (with a power of 80%).\n" in out
    assert "gained: 4 (32, 130, 159, 170)\nlost: 7 (50, 56, 64, 65, 107, 149, 156)\n" in out
    out = said("gate", GATE / "candidate", *BASELINE, "--margin", "0.01", code=3)
    assert "So few examples pass only if more are gained than lost." in " ".join(out.split())


def test_json(found):
    out = found("gate", GATE / "worse", *BASELINE, code=1)
    assert (
        out.items()
        >= {
            "verdict": "fail",
            "candidate": "scikit-learn/decision_tree",
            "baseline": "scikit-learn/logistic_regression",
            "task": "tumors",
            "logged": "acc",
            "matching": ["tumors: 240 examples matched by id"],
            "n_wins": 4,
            "n_losses": 18,
            "gained": [32, 38, 159, 170],
            "p": 2 * sum(COMBINATIONS) / 2**22,
        }.items()
    )
    assert len(out["lost"]) == 18


COMBINATIONS = (1, 22, 231, 1540, 7315)  # of at most 4 of 22


@pytest.mark.parametrize("options", [{}, {"margin": 0.05}, {"require": "better"}])
def test_it_is_the_gate_of_python(logs, found, options):
    texts = (Path(f"{name}.jsonl").read_text("utf-8") for name in ("new", "old"))
    new, old = ([json.loads(x)["score"] for x in text.splitlines()] for text in texts)
    result = compare(new, old, None, "mean_score", of="score", confidence_level=0.95)
    expected = gate(result, **options)
    flags = [x for name, value in options.items() for x in (f"--{name}", value)]
    out = found(*OLD, *flags, code=expected.exit_code)
    ids = {"gained": [90, 91], "lost": [*range(82, 90)]}
    assert out.items() >= (expected.to_dict() | ids).items()


def test_equal_systems(logs, said):
    said("compare", "old.jsonl", "new.jsonl")
    warned = "warning: CANDIDATE and `--baseline` are one file: a system is compared with itself.\n"
    out = said("gate", "old.jsonl", "--baseline", "old.jsonl", err=warned)
    assert out.startswith(
        "PASS: no significant loss of old.jsonl (1) against old.jsonl (2) was found. This"
    )
    assert "That shows, at 95%, that they differ on at most 3% of all examples." in " ".join(
        out.split()
    )
    assert "gained: 0\nlost: 0\n100 examples matched by id\n" in out


def test_one_example(logs, said):
    out = said("gate", "one2.jsonl", "--baseline", "one1.jsonl")
    assert "p = 1\n" in out
    assert "\nThis run could not detect a loss of any size with a power of 80%.\nmean score" in out
    assert " on 1 example\n" in out
    assert "lost: 1 (0)\n1 example matched by id\n" in out


def test_metrics_of_predictions(logs, said):
    arguments = ("gate", "text1.jsonl", "--baseline", "text2.jsonl")
    out = said(*arguments)
    assert out.startswith("PASS: text1 is significantly better than text2.\naccuracy (higher is b")
    assert "macro-averaged F1 (higher is better)" in said(
        *arguments, "--metric", "f1", "-o", "average=macro"
    )


def test_groups(write, said):
    for name, score in (("a", [0, 0, 0, 0, 1, 1]), ("b", [1, 1, 1, 1, 0, 0])):
        write(f"{name}.jsonl", score=score, group=[0, 0, 1, 1, 2, 2])
    out = said("gate", "a.jsonl", "--baseline", "b.jsonl")
    assert "on 6 examples in 3 groups\n" in out
    assert "gained: 2 (4, 5)\nlost: 4 (0, 1, 2, 3)\n" in out


@one_in(3)
@pytest.mark.parametrize(
    "options",
    [
        ("accuracy",),
        ("f1", "-o", "average=macro"),
        ("f1", "-o", "pos_label=a"),
        ("matthews_correlation",),
        ("hamming_loss",),
        ("squad_exact_match",),
        ("squad_f1",),
    ],
    ids=" ".join,
)
def test_ids_are_as_many_as_flips(logs, found, options):
    out = found("gate", "text1.jsonl", "--baseline", "text2.jsonl", "--metric", *options)
    assert (len(out["gained"]), len(out["lost"])) == (out["n_wins"], out["n_losses"])
    gained = (3,) if "pos_label=a" in options else (2, 3)  # the others are right of no label a
    gained = (2,) if "squad_f1" in options else gained  # an article is no word, and none is 0
    assert out["gained"] == [k for k in range(20) if k % 5 in gained]
    assert out["lost"] == []


def test_flips_of_repeated_labels_have_no_ids(write, found):
    """An example is several rows: it is counted as a group."""
    ids = [k // 2 for k in range(12)]
    for name, answers in (("a", "ab" * 6), ("b", "aa" * 6)):
        write(f"{name}.jsonl", id=ids, prediction=[*answers], reference=["a"] * 12)
    options = ("--metric", "accuracy", "--repeats")
    out = found("gate", "a.jsonl", "--baseline", "b.jsonl", *options, code=1)
    assert (out["n_groups"], out["gained"], out["lost"]) == (6, None, None)


def test_repeated_answers(write, said):
    ids = [k // 2 for k in range(12)]
    for name, answers in (("a", [0, 1] * 6), ("b", [0, 0, 1, 1] * 3)):
        write(f"{name}.jsonl", id=ids, prediction=answers)
    options = ("--metric", "pass_at_k", "-o", "k=1", "--repeats")
    out = said("gate", "a.jsonl", "--baseline", "b.jsonl", *options)
    assert "gained: 3" in out
    assert "6 examples matched by id" in out


def test_one_example_tells_nothing_of_a_margin(logs, said):
    out = said("gate", "one2.jsonl", "--baseline", "one1.jsonl", "--margin", "0.5", code=3)
    assert out.startswith("INCONCLUSIVE: one2 may be worse than one1 by 0.5 or more: these ")


# Refused: what is wrong with the logs is in tests/readers


def test_metrics_without_numbers_are_noted(said):
    runs = LOGS / "lm_eval"
    pair = (runs / "scikit-learn__naive_bayes", runs / "scikit-learn__logistic_regression")
    out = said("gate", pair[0], "--baseline", pair[1], "--task", "tumors", "--metric", "acc")
    where = (
        "tumors: left out: brier_score of scikit-learn/naive_bayes: no number per example, but ["
    )
    assert where in " ".join(out.split())
