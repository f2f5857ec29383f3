"""F1 of single tags of three real taggers, a sentence an example, against big integers."""

import json
from functools import cache
from pathlib import Path

import pytest

from oracles import ratios as ratio_oracle
from oracles import swaps as oracle
from pairedperm import Ratio, compare, paired_permutation_test
from properties import one_in

DATA = Path(__file__).parents[2] / "examples" / "data" / "ewt_pos_test.jsonl"


@cache
def sentences():
    return [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def column(system):
    return [sentence[system] for sentence in sentences()]


def rows_of(systems, tag):
    """2 tp and predicted + gold of each sentence, for each system."""
    rows = []
    for sentence in sentences():
        right, row = sentence["references"], []
        for system in systems:
            predicted = sentence[system]
            tp = sum(a == b == tag for a, b in zip(predicted, right, strict=True))
            row += [2 * tp, predicted.count(tag) + right.count(tag)]
        rows.append(tuple(row))
    return rows


@one_in(3)
@pytest.mark.parametrize(
    ("systems", "tag", "pvalue"),
    [
        (("logreg", "linearsvc"), "PROPN", 0.015782753116813153),
        pytest.param(
            ("logreg", "linearsvc"), "ADJ", 0.06684782688938291, marks=pytest.mark.thorough
        ),
        (("logreg", "linearsvc"), "ADV", 0.002406242349145238),
        (("logreg", "mostfreq"), "ADV", 4.3104421249601884e-05),
        (("logreg", "mostfreq"), "PROPN", 4.690592302856027e-148),
    ],
)
def test_f1_of_a_tag(systems, tag, pvalue):
    """The oracle takes a minute for the last one: what it found stands here."""
    result = compare(*map(column, systems), column("references"), "f1", pos_label=tag)
    assert result.pvalue == pytest.approx(pvalue, rel=1e-13)
    low, high = result.pvalue_interval
    assert low <= pvalue <= high <= low * (1.0 + 1e-10)
    rows = rows_of(systems, tag)
    if pvalue > 1e-10:
        truth = ratio_oracle.pvalue(rows)
        assert float(truth) == pvalue
        assert oracle.is_certified(result, truth)
    counts = [row[:2] for row in rows], [row[2:] for row in rows]
    assert paired_permutation_test(*counts, score=Ratio([1, 0], [0, 1])).pvalue == result.pvalue
