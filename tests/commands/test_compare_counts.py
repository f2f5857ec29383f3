"""`pairedperm compare --counts`: the file."""

import errno
import json
import os
from pathlib import Path

import pytest

from interpreter import CHECKOUT
from pairedperm import PairedCounts, compare, paired_counts, paired_permutation_test
from properties import one_in

RUNS = CHECKOUT / "examples" / "ci_gate"
REAL = ("compare", RUNS / "candidate", RUNS / "baseline", "--metric", "acc")
TEXTS = ("compare", "text1.jsonl", "text2.jsonl")
COUNTS = ("--counts", "counts.json")
WARNING = (
    "warning: the table holds the scores of single examples, sorted, because they are real-valued. "
    "Publish it only if these scores may be known.\n"
)


def columns(*names):
    """The predictions of both, and the references of the last."""
    logs = [
        [json.loads(x) for x in Path(f"{name}.jsonl").read_text("utf-8").splitlines()]
        for name in names
    ]
    return [
        *([x["prediction"] for x in log] for log in logs),
        [x["reference"] for x in logs[-1]],
    ]


def stored(name="counts.json"):
    return json.loads(Path(name).read_text("utf-8"), parse_constant=pytest.fail)


def recomputed(name="counts.json", **options):
    """The test of the counts, as anyone can make it who has the file."""
    return paired_permutation_test(PairedCounts.from_json(Path(name).read_text("utf-8")), **options)


def everything():
    return {str(x): x.is_file() and x.read_bytes() for x in Path().rglob("*")}


@one_in(3)
@pytest.mark.parametrize(
    ("flags", "metric", "options"),
    [
        ((), "accuracy", {}),
        (("--alternative", "less"), "accuracy", {"alternative": "less"}),
        (("--metric", "f1", "-o", "average=macro"), "f1", {"average": "macro"}),
        (("--metric", "f1", "-o", "pos_label=a"), "f1", {"pos_label": "a"}),
    ],
)
def test_what_python_counts(logs, said, flags, metric, options):
    """Without labels; and what is printed is the same as without."""
    plain = said(*TEXTS, *flags)
    assert said(*TEXTS, *flags, *COUNTS) == plain
    result = compare(*columns("text1", "text2"), metric, **options)
    alternative = {"alternative": options.pop("alternative", "two-sided")}
    expected = paired_counts(*columns("text1", "text2"), metric, **options)
    assert Path("counts.json").read_text("utf-8") == f"{expected.to_json(labels=False)}\n"
    assert recomputed(**alternative) == result


def test_of_an_evaluation_harness(said):
    """Of 240 examples 11 differ: 4 wins and 7 losses, 2 (1 + 11 + 55 + 165 + 330) of 2^11."""
    said(*REAL, *COUNTS)
    table = stored()
    pairs = zip(table["rows1"], table["rows2"], strict=True)
    counts = dict(zip(pairs, table["multiplicities"], strict=True))
    assert (counts[1, 0], counts[0, 1], sum(counts.values())) == (4, 7, 240)
    assert table["metric_options"]["of"] == "acc"
    assert recomputed().pvalue == 281 / 512  # 1124 / 2048


def test_groups(write, said):
    for k, right in enumerate(("aaaabb", "aabbbb"), 1):
        write(f"a{k}.jsonl", prediction=[*right], reference=["a"] * 6, doc=[1, 1, 2, 2, 3, 3])
    said("compare", "a1.jsonl", "a2.jsonl", "--group", "doc", *COUNTS)
    assert stored()["sizes"] == [2, 2, 2][: len(stored()["rows1"])]
    assert (recomputed().pvalue, recomputed().n_groups) == (1.0, 3)


@pytest.mark.parametrize("how", [(), ("--json",), ("--markdown",)], ids=" ".join)
def test_real_scores_are_warned_of(logs, write, said, how):
    """On stderr: what is printed can be read on."""
    arguments = ("compare", "real1.jsonl", "real2.jsonl", *how)
    plain = said(*arguments)
    assert said(*arguments, *COUNTS, err=WARNING) == plain
    assert stored()["format"] == "pairedperm counts"
    for k in (1, 2):
        write(f"fine{k}.jsonl", score=[x**0.5 / 7 + k * 1e-3 * x**2 for x in range(12)])
    out = json.loads(said("compare", "fine1.jsonl", "fine2.jsonl", "--json", *COUNTS, err=WARNING))
    assert stored()["version"] == 2
    assert stored()["rows1"] == sorted(stored()["rows1"])
    assert out["p_low"] <= recomputed().pvalue <= out["p_high"]


def test_an_older_table_is_replaced(logs, said):
    Path("counts.json").write_text("x" * 10**5, "utf-8")
    said(*TEXTS, *COUNTS)
    assert recomputed().n == sum(stored()["multiplicities"])
    before = everything()
    said(*TEXTS, *COUNTS)
    assert everything() == before


# Refused


@pytest.mark.parametrize("there", [True, False])
def test_what_cannot_be_replaced_stays(logs, refused, monkeypatch, there):
    """Nor is there a half of it."""
    if there:
        Path("counts.json").write_text("{}", "utf-8")
    before = everything()

    def closed(*_):
        raise PermissionError(errno.EACCES, "Permission denied", "counts.json")

    monkeypatch.setattr(os, "replace", closed)
    assert refused(*TEXTS, *COUNTS) == (
        "counts.json cannot be written: Permission denied. Name another file."
    )
    assert everything() == before
