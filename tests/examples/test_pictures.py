"""The pictures of the guide: those that the script makes, of the data that are there."""

import sys

import numpy as np
import pytest
from PIL import Image

from extras import needs
from scripts import EXAMPLES, loaded

NAMES = "leaderboard", "null_distribution", "p_matrix", "suite"


@pytest.fixture
def pictures(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))  # where it finds its neighbour
    return loaded("pictures")


def test_digits_are_those_of_scikit_learn(pictures):
    _, labels = needs("sklearn.datasets", "test").load_digits(return_X_y=True)
    systems, right = pictures.digits()
    assert [*map(int, right)] == labels[len(labels) // 2 :].tolist()
    assert {len(column) for column in systems.values()} == {899}
    assert float(np.mean(np.equal(systems["SVC"], right))) == pytest.approx(0.9611, abs=1e-4)


@pytest.mark.thorough
def test_pictures_are_those_of_the_guide(pictures, tmp_path, monkeypatch):
    """Of the same size: other versions of matplotlib place a pixel elsewhere."""
    monkeypatch.setattr(sys, "argv", ["pictures.py", str(tmp_path)])
    pictures.main()
    assert sorted(path.stem for path in tmp_path.iterdir()) == [*NAMES]
    for name in NAMES:
        sizes = []
        for folder in (tmp_path, EXAMPLES / "guide"):
            with Image.open(folder / f"{name}.png") as picture:
                sizes.append(picture.size)
        assert sizes[0] == sizes[1]
