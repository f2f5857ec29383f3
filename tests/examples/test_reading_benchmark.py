"""The benchmark of the readers runs, on small logs, and prints a row for each case."""

import pytest

from scripts import done_in


@pytest.mark.thorough
def test_each_case_has_a_row(tmp_path):
    """It stops unless both readers find the same."""
    done = done_in(tmp_path, "reading_benchmark", "--quick")
    assert not done.returncode, done.stderr
    rows = [line.split("|")[1:-1] for line in done.stdout.splitlines() if line.startswith("|")]
    names = ["jsonl", "csv", "parquet", "suite", "old suite", "board", "one task"]
    assert [row[0].strip() for row in rows[2:]] == names
