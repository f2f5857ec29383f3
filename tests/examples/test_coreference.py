"""The example of coreference scores, whose own approximate randomization agrees with exact p."""

import pytest

from scripts import done_in


@pytest.mark.thorough
def test_example(tmp_path):
    done = done_in(tmp_path, "coreference")
    assert (done.returncode, done.stderr) == (0, "")
    header, *rows = done.stdout.splitlines()
    assert max(map(len, (header, *rows))) <= 80
    cells = [row.split() for row in rows]
    assert [tuple(row[:2]) for row in cells] == [
        (metric, score)
        for metric in ("muc", "ceafm", "bcub", "ceafe")
        for score in ("F1", "recall", "average")
    ]
    for *_, p, _, sampled, off in cells:
        assert 0.0 < float(p) < 1.0
        assert 0.0 < float(sampled) < 1.0
        assert abs(float(off)) <= 5.0
