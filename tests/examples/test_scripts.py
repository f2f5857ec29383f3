"""Scripts run: coreference by its own randomization, leaderboards of real systems, pictures."""

import sys
from itertools import pairwise

import pytest
from PIL import Image

from extras import needs
from scripts import EXAMPLES, done_in, loaded

PICTURES = "leaderboard", "null_distribution", "p_matrix", "suite"


@pytest.mark.thorough
def test_coreference(tmp_path):
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


@pytest.mark.thorough
def test_leaderboards(tmp_path):
    needs("sklearn", "test")
    done = done_in(tmp_path, "leaderboard")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    titles = [title for title, rule in pairwise(lines) if rule[:3] == "==="]
    assert titles == ["Classifiers of digits", "Taggers, every pair", "Taggers against mostfreq"]


@pytest.mark.thorough
def test_pictures_are_those_of_the_guide(tmp_path, monkeypatch):
    """Of the same size: other versions of matplotlib place a pixel elsewhere."""
    monkeypatch.syspath_prepend(str(EXAMPLES))  # where it finds its neighbour
    monkeypatch.setattr(sys, "argv", ["pictures.py", str(tmp_path)])
    loaded("pictures").main()
    assert sorted(path.stem for path in tmp_path.iterdir()) == [*PICTURES]
    for name in PICTURES:
        drawn, shown = (folder / f"{name}.png" for folder in (tmp_path, EXAMPLES / "guide"))
        with Image.open(drawn) as one, Image.open(shown) as other:
            assert one.size == other.size
