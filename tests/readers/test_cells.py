"""Cells of CSV and TSV, which are all texts: what they stand for beside other tables."""

from itertools import product

import pytest

from pairedperm.readers import read_folder, read_runs

NAMES = ("id", "prediction", "reference", "score")


def read(path, other):
    """The first run of two."""
    return next(iter(read_runs(path, other).systems.values()))


def test_numbers_in_cells(put):
    cells = [
        "1",
        " -2 ",
        "+3",
        "0.10",
        ".5",
        "1.",
        "1e2",
        "-1E-2",
        "123456789012345678901",
        "",
        "NaN",
    ]
    text = "\n".join(["id,score", *(f'{k},"{x}"' for k, x in enumerate(cells))])
    other = [{"id": str(k), "score": 0} for k in range(len(cells))]
    run = read(put("a.csv", text), put("b.jsonl", other))
    assert run.scores["score"][:9] == [
        1,
        -2,
        3,
        0.1,
        0.5,
        1.0,
        100.0,
        -0.01,
        123456789012345678901.0,
    ]
    assert [type(x) for x in run.scores["score"][:4]] == [int, int, int, float]
    assert run.scores["score"][9:] == [None, None]


def test_cells_that_are_no_integers_stay_texts(two, put):
    """One of them is enough, and so is a zero in front."""
    for cells in (["1", "x"], ["1", "02"], ["1", "-0x1"]):
        text = "\n".join(["id,prediction,reference", *(f"{k},{x},1" for k, x in enumerate(cells))])
        rows = [{"id": k, "prediction": 1, "reference": 1} for k in range(2)]
        runs = read_runs(put("a.csv", text), put("b.jsonl", rows), on_missing="drop")
        assert next(iter(runs.systems.values())).predictions == cells


def test_cells_beside_texts_and_integers(put):
    """They stay texts: there is no saying which of the two they are."""
    rows = [[{"id": k, "prediction": x} for k in range(2)] for x in (1, "1")]
    paths = [put(name, x) for name, x in zip(("a.jsonl", "b.jsonl"), rows, strict=True)]
    runs = read_folder(*paths, put("c.csv", "id,prediction\n0,1\n1,1\n"))
    assert [x.predictions for x in runs.systems.values()] == [[1, 1], ["1", "1"], ["1", "1"]]


TRUTHS = [[True, False, True], [1, 0, 1], *map(str.split, ("True False True", "TRUE FALSE TRUE"))]
TRUTHS.append(["true", "false", "true"])


@pytest.mark.parametrize(("one", "two"), [*product(TRUTHS, TRUTHS[2:])])
def test_truth_values_as_programs_spell_them(one, two, put):
    """As scores, and as labels beside those of another program."""
    paths = []
    for name, x in zip("ab", (one, two), strict=True):
        rows = [*zip([7, 8, 9], [x[0], *x[:2]], x, x, strict=True)]
        if type(x[0]) is str:
            cells = "\n".join(",".join(map(str, row)) for row in (NAMES, *rows))
            paths.append(put(f"{name}.csv", cells))
        else:
            paths.append(put(f"{name}.jsonl", [dict(zip(NAMES, row, strict=True)) for row in rows]))
    runs = read_runs(*paths)
    assert [run.scores["score"] for run in runs.systems.values()] == [[1, 0, 1]] * 2
    assert runs.compare("accuracy").score1 == runs.compare("accuracy").score2 == 1 / 3
    read_as = {type(x) for run in runs.systems.values() for x in run.references}
    assert read_as == ({str} if one == two else {type(one[0]), bool} - {str})


@pytest.mark.parametrize("cells", [["true", "True"], ["true", "yes"], ["true", " true"]])
def test_texts_that_are_no_truth_values(put, cells):
    """A column that spells them in two ways holds answers of a model."""
    text = "\n".join(["id,prediction,reference", *(f"{k},{x},True" for k, x in enumerate(cells))])
    run = read(put("a.csv", text), put("b.csv", text))
    assert (run.predictions, run.references) == (cells, ["True", "True"])


def test_missing_cells_beside_integers(put):
    rows = [{"id": k, "prediction": 1, "reference": 1} for k in range(3)]
    text = "id,prediction,reference\n0,1,1\n1,,1\n2,0,1\n"
    runs = read_runs(put("a.csv", text), put("b.jsonl", rows), on_missing="drop")
    assert runs.systems["a"].predictions == [1, None, 0]
    assert runs.compare().score1 == 0.5
