"""The example of coreference scores, whose own approximate randomization agrees with exact p."""

import numpy as np
import pytest

from pairedperm import paired_permutation_test
from pairedperm.scoring.aggregators import average, enum_sum_div_by_denom_sum, f_1
from properties import one_in
from scripts import done_in, loaded, refusal

N_DOCUMENTS, TRIALS = 40, 20_000


@pytest.fixture(scope="module")
def coreference():
    return loaded("coreference")


@pytest.mark.thorough
def test_example(tmp_path):
    done = done_in(tmp_path, "coreference")
    assert (done.returncode, done.stderr) == (0, "")
    header, *rows = done.stdout.splitlines()
    assert header.split()[0] == "metric"
    assert max(map(len, (header, *rows))) <= 80
    cells = [row.split() for row in rows]
    assert [tuple(row[:2]) for row in cells] == [
        (metric, score)
        for metric in ("muc", "ceafm", "bcub", "ceafe")
        for score in ("F1", "recall", "average")
    ]
    for *_, p, method, sampled, off in cells:
        assert method in ("exact", "enumeration")
        assert 0.0 < float(p) < 1.0
        assert 0.0 < float(sampled) < 1.0
        assert abs(float(off)) <= 5.0


@pytest.mark.parametrize("arguments", [("--trials", "0"), ("--seed", "-1")])
def test_refused(coreference, monkeypatch, capsys, arguments):
    error = refusal(coreference.main, arguments, monkeypatch, capsys)
    assert "--trials is at least 1, --seed at least 0" in error


def corpus():
    """Rows of 40 documents whose recall and precision have other numerators; half are alike."""
    rng = np.random.default_rng(20)
    rows1, rows2 = rng.integers(0, 3, (2, N_DOCUMENTS, 4))
    rows1[:, [0, 2]] += rng.random((N_DOCUMENTS, 2)) < 0.3  # system 1 is better
    for rows in (rows1, rows2):
        rows[:, [1, 3]] += rows[:, [0, 2]]  # a ratio is at most 1
    return rows1, np.where(rng.random((N_DOCUMENTS, 1)) < 0.5, rows1, rows2)


@one_in(2)
@pytest.mark.parametrize(
    ("columns", "score", "plain"),
    [
        (slice(0, 4), f_1, "plain_f1"),
        (slice(0, 2), enum_sum_div_by_denom_sum, "plain_ratio"),
        (slice(0, 1), average, "plain_average"),
    ],
)
def test_random_corpus(coreference, columns, score, plain):
    rows1, rows2 = (rows[:, columns] for rows in corpus())
    aggregate = getattr(coreference, plain)
    sampled = coreference.approximate_randomization(
        rows1, rows2, aggregate, TRIALS, np.random.default_rng(0)
    )
    counts = (rows1[:, 0], rows2[:, 0]) if score is None else (rows1, rows2)
    exact = paired_permutation_test(*counts, score=score, method="exact")
    assert exact.method == "exact"
    for found, rows in ((exact.score1, rows1), (exact.score2, rows2)):
        assert found == pytest.approx(float(aggregate(rows)))
    assert 0.01 < exact.pvalue < 0.99
    assert abs(coreference.standard_errors(sampled, exact.pvalue, TRIALS)) <= 5.0


def test_equal_systems(coreference):
    rows, _ = corpus()
    rng = np.random.default_rng(0)
    sampled = coreference.approximate_randomization(rows, rows, coreference.plain_f1, 10, rng)
    assert sampled == 1.0
    assert coreference.standard_errors(sampled, 1.0, 10) == 0.0
