"""The benchmark runs, and those it compares with compute the same p-values."""

import importlib
import math
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from pairedperm import paired_permutation_test
from properties import generators
from scripts import EXAMPLES, loaded


@pytest.fixture(scope="module")
def peers():
    return loaded("peers")


@pytest.mark.thorough
@given(rng=generators)
def test_peers_agree(peers, rng):
    n, largest = int(rng.choice([1, 2, 7, 30, 200, 701])), int(rng.choice([1, 4, 30]))
    differences = rng.integers(-largest, largest + 1, n)
    differences[0] = largest
    p = paired_permutation_test(differences, np.zeros_like(differences)).pvalue
    for method in (peers.algorithm4, peers.batched, peers.counted_fft):
        assert method(differences) == pytest.approx(p, rel=1e-12, abs=1e-14)
    ranks = rng.choice([-1, 1], n) * np.arange(1, n + 1)
    p_of_ranks = paired_permutation_test(ranks, np.zeros_like(ranks)).pvalue
    assert peers.wilcoxon(ranks) == pytest.approx(p_of_ranks, rel=1e-12)
    error = math.sqrt(p * (1 - p) / peers.SAMPLES) + 1e-9
    assert abs(peers.monte_carlo(differences) - p) <= 5 * error


def quick(name, *arguments):
    """An example, run in little time."""
    return subprocess.run(
        [sys.executable, str(EXAMPLES / name), "--quick", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.thorough
def test_benchmark_prints_its_tables(tmp_path):
    path = tmp_path / "tables.md"
    done = quick("benchmark.py", "--markdown", str(path))
    assert done.stdout == path.read_text(encoding="utf-8")
    for shown in (
        "Time of a call",
        "Ratios of times",
        "| N = 100,000",
        "| chrF of 2,077",
        "wilcoxon",
    ):
        assert shown in done.stdout
    assert not done.stderr


@pytest.mark.thorough
def test_dataset_benchmark_prints_its_table():
    """It stops unless both ways give the same p."""
    title, _, header, _, *rows, _ = quick("dataset_benchmark.py").stdout.splitlines()
    assert title == "**1,000 rows on disk**"
    assert len(rows) == 9
    assert max(map(len, (header, *rows))) <= 80


@pytest.mark.thorough
def test_f1_benchmark(monkeypatch):
    """All methods agree on a small corpus, and the table of tags is that of the real data."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # it sets that itself
    monkeypatch.syspath_prepend(str(EXAMPLES))
    f1_benchmark = importlib.import_module("f1_benchmark")
    row = f1_benchmark.examine(300, 0.5, seed=0, budget=0.0)
    assert {"exact", "counting", "sampled", "scipy", "p", "width", "off", "memory"} <= set(row)
    assert float(row["width"]) < 1e-10
    assert float(row["off"]) < 5.0
    counts = f1_benchmark.sentences(300, 0.5, np.random.default_rng([0, 300, 0]))
    exact = f1_benchmark.test(*counts).pvalue
    error = (exact * (1.0 - exact) / f1_benchmark.SCIPY_RESAMPLES) ** 0.5
    assert abs(f1_benchmark.by_scipy(*counts) - exact) < 5.0 * error
    tags = f1_benchmark.tags()
    assert [row["tag"] for row in tags] == ["PROPN", "ADJ", "ADV"] * 2
    assert tags[0]["p"] == "0.0157827531168"


@pytest.mark.thorough
def test_bleu_benchmark_prints_its_ratio():
    """It stops unless its BLEU is sacrebleu's."""
    done = quick("bleu_benchmark.py")
    assert "time / ours" in done.stdout
    assert "sacrebleu's own paired test" in done.stdout
    assert not done.stderr


@pytest.mark.thorough
def test_real_scores_benchmark_prints_its_table():
    header, _, *rows = quick("real_scores_benchmark.py").stdout.splitlines()
    assert header.startswith("| method | examples | decimals | p |")
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    assert [row[0] for row in cells] == ["auto"] * 2 + ["enumeration"] * 2 + ["bracket"] * 2
    assert all(0.04 < float(row[3]) < 0.08 for row in cells)


@pytest.mark.thorough
def test_start_benchmark_prints_its_table():
    done = quick("start_benchmark.py")
    rows = [line.split("|")[1].strip() for line in done.stdout.splitlines() if "`" in line]
    assert [row.split()[0] for row in rows] == [*["`import"] * 2, "`compare`", *["`pairedperm"] * 2]
    assert not done.stderr


@pytest.mark.thorough
def test_labels_benchmark_prints_its_tables():
    done = quick("labels_benchmark.py")
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    firsts = [row[0] for row in cells if not row[0].startswith("-")]
    assert firsts[:4] == ["classes", "2", "5", "50"]
    assert firsts[4:6] == ["form", "list"]
    assert firsts[-1] == "span_f1"
    assert not done.stderr


@pytest.mark.thorough
def test_counting_benchmark_prints_its_table():
    done = quick("counting_benchmark.py")
    header, _, *rows = done.stdout.strip().splitlines()
    assert header.startswith("| 10,000 examples")
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    assert [row[0] for row in cells if row[0] != "... by the module"] == [
        *("scores 0 and 1", "integer labels", "correct tokens", "F1 of sentences"),
    ]
    assert not done.stderr


def test_counting_benchmark_counts_rows(monkeypatch):
    """What ours is measured by counts the differences of rows."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # it sets that itself
    monkeypatch.syspath_prepend(str(EXAMPLES))
    counting_benchmark = importlib.import_module("counting_benchmark")
    one, two = np.random.default_rng(0).integers(0, 4, (2, 500, 3))
    found = counting_benchmark.of_rows(one, two)
    expected = Counter(map(tuple, (one - two).tolist()))
    assert sorted(found[found > 0].tolist()) == sorted(expected.values())
