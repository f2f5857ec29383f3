"""The benchmark of the bootstrap runs, and the loop it compares with computes the same p."""

import importlib
import math

import numpy as np
import pytest

from scripts import EXAMPLES


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # it sets that itself
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("bootstrap_benchmark")


@pytest.mark.thorough
def test_yields_its_tables(benchmark):
    means, macro_f1, sentences = benchmark.tables(True, 0)
    assert [row[0] for row in means.rows] == ["1,000", "10,000"]
    assert all(all(row) for row in means.rows)
    assert macro_f1.rows[0][2] == 1.0
    assert len(macro_f1.rows) == 2  # with scikit-learn's
    assert [row[1] for row in sentences.rows] == ["exact", "monte_carlo"]
    assert float(sentences.rows[0][4]) < 1e-10
    assert 0.0 < float(sentences.rows[1][4]) < 1.0


@pytest.mark.thorough
def test_loop_agrees(benchmark):
    """Within 5 standard errors of both, with classes that some resamples lack."""
    columns = benchmark.classes(60, np.random.default_rng(3))
    b, c = 500, 100_000
    p = benchmark.resampled(columns, c, 0)
    assert 0.05 < p < 0.95
    error = math.sqrt(p * (1.0 - p) * (1.0 / b + 1.0 / c))
    assert abs(benchmark.looped(columns, b, np.random.default_rng(0)) - p) < 5.0 * error
