"""The bootstrap of macro-F1 is reproduced: both ways of computing it agree."""

import pytest
from extras import needs
from test_reproduce import quick, rows_of

pytestmark = pytest.mark.thorough
COLUMNS = ["metric", "test", "ties", "b", "p_one_sided", "p_two_sided"]
COLUMNS += ["off_one_sided", "off_two_sided", "seconds"]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("macro_f1")
    return quick("macro_f1_bootstrap.py", folder), folder


def test_tables(found):
    lines, folder = found
    rows = rows_of(folder / "macro_f1_bootstrap.csv")
    assert list(rows[0]) == COLUMNS
    assert [row["metric"] for row in rows] == ["accuracy"] * 7 + ["macro-F1"] * 6
    assert len([line for line in lines if line.startswith("| ")]) == len(rows) + 4
    assert max(map(len, lines)) <= 80
    for row in rows:
        for side in ("one", "two"):
            assert 0.0 <= float(row[f"p_{side}_sided"]) <= 1.0
            off = row[f"off_{side}_sided"]
            assert not off or float(off) < 5.0  # standard errors from the ideal bootstrap
        assert float(row["seconds"]) > 0.0
    ideal, with_ties, permutation = rows[4:7]
    assert [row["b"] for row in (ideal, with_ties, permutation)] == ["", "", ""]
    assert float(ideal["p_one_sided"]) < float(with_ties["p_one_sided"])
    assert float(permutation["p_two_sided"]) == 2.0 * float(permutation["p_one_sided"])


def test_figure(found):
    pixels = needs("matplotlib.image", "plot").imread(found[1] / "macro_f1_bootstrap.png")
    assert pixels.shape[1] == 1020
    assert 0.01 < (pixels[..., :3].min(axis=2) < 0.9).mean() < 0.5
