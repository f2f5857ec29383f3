"""The benchmark runs, and those it compares with compute the same p-values."""

import importlib.util
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pairedperm import paired_permutation_test

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(scope="module")
def peers():
    specification = importlib.util.spec_from_file_location("peers", EXAMPLES / "peers.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", range(20))
def test_peers_agree(peers, seed):
    rng = np.random.default_rng(seed)
    n, largest = int(rng.choice([1, 2, 7, 30, 200, 701])), int(rng.choice([1, 4, 30]))
    differences = rng.integers(-largest, largest + 1, n)
    differences[0] = largest
    p = paired_permutation_test(differences, np.zeros_like(differences)).pvalue
    for method in (peers.algorithm4, peers.batched, peers.counted_fft):
        assert method(differences) == pytest.approx(p, rel=1e-12, abs=1e-14)
    error = math.sqrt(p * (1 - p) / peers.SAMPLES) + 1e-9
    assert abs(peers.monte_carlo(differences) - p) <= 5 * error


def test_benchmark_prints_its_tables(tmp_path):
    path = tmp_path / "tables.md"
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "benchmark.py"), "--quick", "--markdown", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == path.read_text(encoding="utf-8")
    for shown in ("Time of a call", "Ratios of times", "| N = 100,000", "four-digit decimals"):
        assert shown in done.stdout
    assert not done.stderr


def test_dataset_benchmark_prints_its_table():
    """It stops unless both ways give the same p."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "dataset_benchmark.py"), "--quick"],
        capture_output=True,
        text=True,
        check=True,
    )
    header, *rows = done.stdout.splitlines()
    assert header.startswith("1,000 rows on disk")
    assert len(rows) == 6
    assert max(map(len, done.stdout.splitlines())) <= 80
