"""The benchmark of the bootstrap runs, and the loop it compares with computes the same p."""

import importlib
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.thorough
def test_prints_its_tables():
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "bootstrap_benchmark.py"), "--quick"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 100
    _, *parts = done.stdout.split("**")
    assert parts[::2] == ["Means", "Macro-F1 of ten classes", "Accuracy of tokens, by sentences"]
    means, macro_f1, sentences = (
        [
            [cell.strip() for cell in line.split("|")[1:-1]]
            for line in block.splitlines()
            if line.startswith("|")
        ]
        for block in parts[1::2]
    )
    assert means[0][:5] == ["N", "counting", "test", "call", "bincount"]
    assert [row[0] for row in means[2:]] == ["1,000", "10,000"]
    assert all(all(row) for row in means)
    assert [row[0] for row in macro_f1[2:]] == ["ours", "scikit-learn's *"]
    assert [row[0] for row in sentences[2:]] == ["exact", "monte_carlo"]
    assert float(sentences[2][3]) < 1e-10
    assert 0.0 < float(sentences[3][3]) < 1.0


@pytest.mark.thorough
def test_loop_agrees(monkeypatch):
    """Within 5 standard errors of both, with classes that some resamples lack."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # it sets that itself
    monkeypatch.syspath_prepend(str(EXAMPLES))
    benchmark = importlib.import_module("bootstrap_benchmark")
    columns = benchmark.classes(60, np.random.default_rng(3))
    b, c = 500, 100_000
    p = benchmark.resampled(columns, c, 0)
    assert 0.05 < p < 0.95
    error = math.sqrt(p * (1.0 - p) * (1.0 / b + 1.0 / c))
    assert abs(benchmark.looped(columns, b, np.random.default_rng(0)) - p) < 5.0 * error
