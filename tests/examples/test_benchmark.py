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


@pytest.fixture
def script(monkeypatch):
    """What imports a script, in the process of the tests."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # scripts set that themselves
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module


def quick(name):
    """An example, run in little time."""
    return subprocess.run(
        [sys.executable, str(EXAMPLES / name), "--quick"],
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.thorough
def test_benchmark_yields_its_tables(script):
    """Without a large effect, all methods agree."""
    tables = script("benchmark").tables(True, 0)
    for suite, row, method in (
        ("sentences", "10,000 sentences", "counted"),
        ("scores", "signed ranks 1 … 2,000", "wilcoxon"),
    ):
        times, ratios, pvalues = (next(tables) for _ in range(3))
        assert times.name == f"{suite}: times"
        assert times.rows[0][1] > 0.0
        assert {row[0] for row in times.rows} >= {row}
        assert all(row[1] is None or row[1] > 0.0 for row in ratios.rows)
        columns, cells = [*pvalues.columns], {row[0]: row for row in pvalues.rows}[row]
        assert float(cells[columns.index("width")]) < 1e-11
        assert float(cells[columns.index(method)]) < 1e-11
        assert float(cells[columns.index("samples")]) < 0.2


@pytest.mark.thorough
def test_dataset_benchmark_prints_its_table():
    """It stops unless both ways give the same p."""
    title, _, header, _, *rows, _ = quick("dataset_benchmark.py").stdout.splitlines()
    assert title == "**1,000 rows on disk**"
    assert len(rows) == 9
    assert max(map(len, (header, *rows))) <= 80


@pytest.mark.thorough
def test_f1_benchmark(script):
    """All methods agree on a small corpus, and the table of tags is that of the real data."""
    f1_benchmark = script("f1_benchmark")
    cells = f1_benchmark.examine(300, 0.5, rounds=1, seed=0)
    assert {"exact", "counting", "samples", "scipy *", "p", "memory"} <= set(cells)
    assert float(cells["width"]) < 1e-10
    assert float(cells["off"]) < 5.0
    counts = f1_benchmark.entities(300, 0.5, np.random.default_rng([0, 300, 0]))
    exact = f1_benchmark.test(*counts).pvalue
    error = (exact * (1.0 - exact) / f1_benchmark.SCIPY_RESAMPLES) ** 0.5
    assert abs(f1_benchmark.by_scipy(*counts) - exact) < 5.0 * error
    tags = [*f1_benchmark.tags(rounds=1)]
    assert [row[0].split()[-1] for row in tags] == ["PROPN", "ADJ", "ADV"] * 2
    assert tags[0][3] == "0.0157827531168"


@pytest.mark.thorough
def test_bleu_benchmark_prints_its_ratio():
    """It stops unless its BLEU is sacrebleu's."""
    done = quick("bleu_benchmark.py")
    assert "time / ours" in done.stdout
    assert "sacrebleu's own paired test" in done.stdout
    assert not done.stderr


@pytest.mark.thorough
def test_real_scores_benchmark_yields_its_tables(script):
    decimals, real = script("real_scores_benchmark").tables(True, 0)
    assert [row[0] for row in decimals.rows] == ["100 of 8 decimals", "800 of 8 decimals"]
    assert [row[0] for row in real.rows] == [
        *("enumeration of 20", "bracket of 100", "bracket of 10,000"),
    ]
    exact = [*decimals.columns].index("exact")
    assert [row[exact] is None for row in decimals.rows] == [True, False]  # refused, and not
    assert all(0.04 < float(row[-2]) < 0.08 for row in decimals.rows + real.rows)


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
def test_counting_benchmark_yields_its_table(script):
    (table,) = script("counting_benchmark").tables(True, 0)
    assert table.name == "10,000 examples"
    assert [row[0] for row in table.rows if "by the module" not in row[0]] == [
        *("scores 0 and 1", "integer labels", "correct tokens", "F1 of sentences"),
    ]
    assert all(all(row) for row in table.rows)


def test_counting_benchmark_counts_rows(script):
    """What ours is measured by counts the differences of rows."""
    one, two = np.random.default_rng(0).integers(0, 4, (2, 500, 3))
    found = script("counting_benchmark").of_rows(one, two)
    expected = Counter(map(tuple, (one - two).tolist()))
    assert sorted(found[found > 0].tolist()) == sorted(expected.values())
