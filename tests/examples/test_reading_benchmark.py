"""The benchmark of the readers runs, on small logs, and prints a row for each case."""

from pathlib import Path

import pytest

from interpreter import python

SCRIPT = Path(__file__).parents[2] / "examples" / "reading_benchmark.py"


@pytest.mark.thorough
@pytest.mark.parametrize("case", ["csv", "board"])
def test_a_case_has_a_row(case, tmp_path):
    _, row = python(str(SCRIPT), "--quick", "--repeat", "1", case, cwd=tmp_path).splitlines()
    name, ours, _, theirs, _, ratio, *_ = row.split()
    assert name == case
    assert min(map(float, (ours, theirs, ratio))) > 0.0
