"""The papers' experiments run, and what they write is right wherever it does not depend on time."""

import csv
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from extras import needs

EXPERIMENTS = Path(__file__).parents[2] / "examples" / "reproduce"
RUNTIME_COLUMNS = ["n", "method", "k", "seconds", "p"]
COMPUTED = {"exact", "dp", "fft"}
ERROR_COLUMNS = ["n", "factor", "k", "errors", "discarded"]
ERROR_COLUMNS += ["mean_error_of_kept", "median_error", "max_error"]
MACRO_F1_COLUMNS = ["metric", "test", "ties", "b", "p_one_sided", "p_two_sided"]
MACRO_F1_COLUMNS += ["off_one_sided", "off_two_sided", "seconds"]
FACTORS = {"250": 0.95, "500": 0.96, "1000": 0.97, "2000": 0.98, "4000": 0.985, "8000": 0.99}


def run(name, *arguments, **environment):
    return subprocess.run(
        [sys.executable, str(EXPERIMENTS / name), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )


def quick(name, output, *arguments):
    """The lines that it prints."""
    needs("matplotlib", "plot")
    done = run(name, "--quick", "--output", str(output), *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def check_figure(path):
    """It is an image that can be read, of which some is not white."""
    pixels = needs("matplotlib.image", "plot").imread(path)
    assert pixels.shape[1] == 1020
    assert 0.01 < (pixels[..., :3].min(axis=2) < 0.9).mean() < 0.5


def check_runtimes(rows, reference):
    assert list(rows[0]) == [*RUNTIME_COLUMNS, f"ratio_to_{reference}"]
    assert {row["n"] for row in rows} == {"500", "1000"}
    for row in rows:
        assert float(row["seconds"]) > 0.0
        assert float(row[f"ratio_to_{reference}"]) > 0.0
        truth = next(x for x in rows if x["n"] == row["n"] and x["method"] == reference)
        p, error = float(truth["p"]), abs(float(row["p"]) - float(truth["p"]))
        if row["method"] in COMPUTED:
            assert error <= 1e-9 * p
            assert row["k"] == ""
        else:
            k = int(row["k"])
            assert error <= 5.0 * math.sqrt(p * (1.0 - p) / k) + 1.0 / k
        if row["method"] == reference:
            assert float(row[f"ratio_to_{reference}"]) == 1.0


@pytest.mark.thorough
def test_figure1(tmp_path):
    printed = quick("figure1.py", tmp_path / "new")
    paths = [tmp_path / "new" / name for name in ("figure1.csv", "figure1.png")]
    assert printed[-2:] == [str(path) for path in paths]
    rows = rows_of(paths[0])
    expected = [(name, "") for name in ("exact", "fft", "dp")]
    expected += [("monte_carlo", k) for k in ("5000", "10000", "20000", "40000")]
    expected += [("monte_carlo_bits", "20000")]
    assert [(row["method"], row["k"]) for row in rows] == 2 * expected
    check_runtimes(rows, "exact")
    check_figure(paths[1])


@pytest.mark.thorough
def test_figure4(tmp_path):
    printed = quick("figure4.py", tmp_path)
    assert "The dynamic program is faster than" in printed
    rows = rows_of(tmp_path / "figure4.csv")
    samples = [
        (name, k) for name in ("monte_carlo", "monte_carlo_bits") for k in ("20000", "40000")
    ]
    assert [(row["method"], row["k"]) for row in rows] == 2 * [("dp", ""), *samples]
    check_runtimes(rows, "dp")
    check_figure(tmp_path / "figure4.png")


@pytest.mark.thorough
def test_monte_carlo_error(tmp_path):
    """Means over 200 pairs are of the size of the submission's over five."""
    printed, output = quick("monte_carlo_error.py", tmp_path), tmp_path
    rows = rows_of(output / "figure3.csv")
    assert list(rows[0]) == ERROR_COLUMNS
    assert [(row["n"], row["k"]) for row in rows] == [
        (n, k) for n in FACTORS for k in ("1000", "2500", "5000")
    ]
    for row in rows:
        kept, middle, largest = (float(row[name]) for name in ERROR_COLUMNS[-3:])
        assert 0.0 <= middle <= largest < math.inf
        assert 0.0 < kept <= min(largest, 10.0)
        assert (int(row["discarded"]) > 0) == (largest > 10.0)
    n_discarded = sum(int(row["discarded"]) for row in rows)
    assert f"{n_discarded} of 450 relative errors are discarded." in printed
    check_figure(output / "figure3.png")
    table = rows_of(output / "table2.csv")
    assert {row["n"]: float(row["factor"]) for row in table} == FACTORS
    assert all(0.01 < float(row["mean_p_200_pairs"]) < 0.1 for row in table)


@pytest.mark.thorough
def test_macro_f1_bootstrap(tmp_path):
    lines, folder = quick("macro_f1_bootstrap.py", tmp_path), tmp_path
    rows = rows_of(folder / "macro_f1_bootstrap.csv")
    assert list(rows[0]) == MACRO_F1_COLUMNS
    assert [row["metric"] for row in rows] == ["accuracy"] * 7 + ["macro-F1"] * 6
    assert max(len(x) for x in lines if str(tmp_path) not in x) <= 80
    for row in rows:
        for side in ("one", "two"):
            assert 0.0 <= float(row[f"p_{side}_sided"]) <= 1.0
            off = row[f"off_{side}_sided"]
            assert not off or float(off) < 5.0  # standard errors from the ideal bootstrap
    ideal, with_ties, permutation = rows[4:7]
    assert float(ideal["p_one_sided"]) < float(with_ties["p_one_sided"])
    assert float(permutation["p_two_sided"]) == 2.0 * float(permutation["p_one_sided"])
    check_figure(folder / "macro_f1_bootstrap.png")
