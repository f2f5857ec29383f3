"""Tables of one's own: the same runs whatever file they are in."""

import csv
import io
import json
import re
from decimal import Decimal
from fractions import Fraction
from itertools import product

import datasets
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora.logs import save
from pairedperm import InputError, compare
from pairedperm.readers import read_folder, read_runs
from properties import one_in, some

KINDS = ("jsonl", "csv", "tsv", "parquet", "dataset")
TEXTS = ["yes", "no", 'say "no", or\nnothing', "\t", "ü \u2028 ,", "é" * 200_000]


def stored(kind, folder, name, columns):
    """A table of these columns, in a file or a dataset."""
    if kind == "dataset":
        return datasets.Dataset.from_dict(columns)
    path = folder / f"{name}.{kind}"
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if kind == "jsonl":
        return save(path, rows)
    if kind == "parquet":
        pq.write_table(pa.table(columns), path)
        return path
    text = io.StringIO(newline="")
    quotes = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None}
    writer = csv.writer(text, lineterminator="\n", **quotes if kind == "tsv" else {})
    writer.writerows([columns, *zip(*columns.values(), strict=True)])
    return save(path, text.getvalue())


def read(path, other=None, **options):
    """The first run of two."""
    runs = read_runs(path, path if other is None else other, **options)
    return next(iter(runs.systems.values()))


def columns(rng, texts):
    n = 12
    references = rng.integers(0, len(texts), n)
    return {
        "id": [*range(n)],
        "prediction": [texts[k] for k in np.where(rng.random(n) < 0.6, references, 0)],
        "reference": [texts[k] for k in references],
        "score": (rng.integers(-200, 200, n) / 100).tolist(),
        "group": rng.integers(0, 5, n).tolist(),
        "other": [None] * n,
    }


@one_in(3)
@pytest.mark.parametrize(
    ("labels", "kind2", "kind1"),
    some([*product(("texts", "integers"), KINDS, KINDS)], every=2),  # of texts what is not of these
)
def test_kinds_of_tables(kind1, kind2, labels, tmp_path):
    """Cells of text are read as integers where the other table has such."""
    texts = TEXTS[:-1] if labels == "texts" else [0, -1, 7]
    if labels == "texts" and "tsv" in (kind1, kind2):  # whose cells hold no tab and no line's end
        texts = [re.sub(r"\s", "/", x) for x in texts]
    rng = np.random.default_rng(7)
    one = columns(rng, texts)
    two = one | {x: columns(rng, texts)[x] for x in ("prediction", "score")}
    path1, path2 = stored(kind1, tmp_path, "one", one), stored(kind2, tmp_path, "two", two)
    runs = read_runs(path1, path2)
    are_cells = {kind1, kind2} <= {"csv", "tsv"}
    assert runs.ids == (sorted(map(str, range(12))) if are_cells else [*range(12)])
    order = [*map(int, runs.ids)]
    for metric, column in (("score", "score"), ("accuracy", "prediction")):
        values = [[x[column][k] for k in order] for x in (one, two)]
        references = [one["reference"][k] for k in order] if metric == "accuracy" else None
        options = {"of": "score"} if metric == "score" else {}
        name = "mean_score" if metric == "score" else metric
        groups = [one["group"][k] for k in order]
        options |= {"groups": groups, "confidence_level": 0.95}
        wanted = compare(*values, references, name, **options)
        assert runs.compare(metric).to_dict() == wanted.to_dict()


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_long_cells(kind, tmp_path):
    before = 2**17  # of the csv module itself
    csv.field_size_limit(before)
    table = {"id": ["a", "b"], "prediction": [TEXTS[-1], "x"], "reference": ["x", "x"]}
    run = read(stored(kind, tmp_path, "one", table), stored("jsonl", tmp_path, "two", table))
    assert run.predictions == table["prediction"]
    assert csv.field_size_limit() == before


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


def test_narrow_floats(tmp_path):
    """They are the decimals that they print as."""
    for kind in (np.float32, np.float16):
        table = pa.table({"id": [1, 2, 3], "score": pa.array(np.array([0.1, 0.7, 2], kind))})
        pq.write_table(table, tmp_path / "a.parquet")
        dataset = datasets.Dataset(table)
        for path in (tmp_path / "a.parquet", dataset):
            assert read(path, dataset).scores["score"] == [0.1, 0.7, 2.0]


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_narrow_shares(tmp_path, kind):
    """k/3 in few bits ties as in a float32 array, also as means of repeats, and beside nulls."""
    whole = np.random.default_rng(12).integers(0, 4, (2, 12))
    truth = compare(*whole, None, "mean_score").pvalue
    for n_repeats in (1, 3):
        ids = [*range(13)] * n_repeats
        options = {"repeats": n_repeats > 1, "on_missing": "drop"}
        runs = []
        for k, column in enumerate(whole):
            shares = [*(column / 3).astype(kind), None] * n_repeats
            table = pa.table({"id": ids, "score": pa.array(shares, pa.from_numpy_dtype(kind))})
            pq.write_table(table, tmp_path / f"{k}.parquet")
            runs.append([tmp_path / f"{k}.parquet", datasets.Dataset(table)])
            if kind is np.float32:  # in JSON they are widened
                runs[k].append(save(tmp_path / f"{k}.jsonl", table.to_pylist()))
        for one, two in product(*runs):
            found = read_runs(one, two, **options).compare(confidence_level=None)
            assert (found.pvalue, found.n) == (truth, 12)


def test_decimals_and_nulls(tmp_path):
    values = [Decimal("0.10"), None, Decimal("2.25")]
    table = pa.table({"id": ["a", "b", "c"], "score": values, "x": [None, 1.5, float("nan")]})
    pq.write_table(table, tmp_path / "a.parquet")
    runs = read_runs(tmp_path / "a.parquet", datasets.Dataset(table), score=["score", "x"])
    assert next(iter(runs.systems.values())).scores["score"] == values
    rows = [{"id": k, "score": 1} for k in "abc"]
    other = save(tmp_path / "b.jsonl", rows)
    found = read_runs(tmp_path / "a.parquet", other, on_missing="drop").compare()
    wanted = [Decimal("0.1"), Decimal("2.25")], [1, 1], None, "mean_score"
    assert found == compare(*wanted, of="score", confidence_level=0.95)


def test_class_labels_are_their_names(two):
    features = datasets.Features(
        id=datasets.Value("int32"),
        prediction=datasets.ClassLabel(names=["no", "yes"]),
        reference=datasets.ClassLabel(names=["no", "yes"]),
    )
    table = {"id": [3, 1, 2], "prediction": [0, 1, 1], "reference": [1, 1, -1]}
    dataset = datasets.Dataset.from_dict(table, features=features)
    rows = [{"id": k, "prediction": "yes"} for k in (1, 2, 3)]
    path, _ = two(rows, rows)
    run = read(dataset, path)
    assert run.predictions == ["no", "yes", "yes"]
    assert run.references == ["yes", "yes", None]
    runs = read_runs(dataset, path, on_missing="drop")
    assert runs.compare().to_dict()["n"] == 2  # one has no label


@pytest.mark.parametrize("kind", KINDS)
def test_named_columns(kind, tmp_path):
    table = {
        "doc": [2, 1],
        "answer": ["b", "a"],
        "gold": ["b", "b"],
        "chrF": [0.5, 0.25],
        "judge": [3, 4],
        "user": [1, 1],
    }
    names = {"id": "doc", "prediction": "answer", "reference": "gold", "group": "user"}
    paths = [stored(kind, tmp_path, name, table) for name in "ab"]
    runs = read_runs(*paths, score=["chrF", "judge"], **names)
    run = next(iter(runs.systems.values()))
    assert runs.metrics == ("chrF", "judge")
    assert [*run.scores.values()] == [[0.5, 0.25], [3, 4]]
    assert (run.predictions, run.references) == (table["answer"], table["gold"])
    assert [*map(int, run.groups)] == [1, 1]
    assert runs.compare("judge").pvalue == runs.compare("accuracy").pvalue == 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_references_of_their_own(kind, tmp_path):
    """Of the same ids, in any order; integers where the logs have such."""
    rows = [{"id": k, "prediction": k % 3} for k in range(9)]
    one, two = (save(tmp_path / f"{x}.jsonl", y) for x, y in (("a", rows), ("b", rows[::-1])))
    table = {"id": [*range(9)][::-1], "reference": [0, 1, 1] * 3}
    references = stored(kind, tmp_path, "right", table)
    runs = read_runs(one, two, references=references)
    found = runs.compare("accuracy")
    predictions = [k % 3 for k in range(9)]
    assert found.score1 == compare(predictions, predictions, [1, 1, 0] * 3).score1
    references = stored(kind, tmp_path, "few", {"id": [1, 2], "reference": [1, 1]})
    with pytest.raises(InputError, match=r"7 not in .*: 0, 3, 4, 5, 6, 7, 8\. Run all systems"):
        read_runs(one, two, references=references)
    runs = read_runs(one, two, references=references, on_missing="drop")
    assert runs.ids == [1, 2]
    assert runs.compare("accuracy").score1 == 0.5


def test_references_that_differ(two, put):
    rows = [{"id": k, "prediction": 1, "reference": 1} for k in range(3)]
    right = put("right.jsonl", [{"id": k, "reference": k} for k in range(3)])
    with pytest.raises(InputError, match="2 have different references: 0, 2"):
        read_runs(*two(rows, rows), references=right)


REFUSED = {
    "no id": (
        '{"x": 1, "score": 2}',
        r"has no column 'id', by which .* It has 'x', 'score'\. Name",
    ),
    "no score": ('{"id": 1, "x": 2}', r"has none of 'prediction', 'score'\. It has 'id', 'x'"),
    "a list as id": ('{"id": [1], "score": 2}', r"has \[1\] \(list\) as the id of example 1"),
    "a float as id": ('{"id": 1.5, "score": 2}', r"has 1\.5 \(float\) as the id of example 1"),
    "null as id": (
        '{"id": 1, "score": 2}\n{"id": null, "score": 2}',
        r"has None \(NoneType\) as the id of example 2\. An id is an integer or a text",
    ),
    "a text as score": (
        '{"id": 4, "score": "x"}',
        r"has the score 'x' \(str\) for id 4, but a score is a number\. Name another column, sc",
    ),
    "a list as score": ('{"id": "4", "score": [1]}', r"has the score \[1\] \(list\) for id '4'"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_rows_that_are_none(what, put):
    text, message = REFUSED[what]
    good = put("good.jsonl", '{"id": 1, "score": 2}')
    bad = put("bad.jsonl", text)
    for name, paths in (("path1", (bad, good)), ("path2", (good, bad))):
        with pytest.raises(InputError, match=rf"^`{name}`: .*bad\.jsonl {message}"):
            read_runs(*paths)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,score\n1,2\n3\n", r"line 3: has 1 cell, and the header 2\. Quote cells that hold a"),
        ('id,score\n"a\nb",2\n3,4,5\n', "line 4: has 3 cells, and the header 2"),
        ('id,score\n1,"2\n3,4\n', "line 2: is no line of a table: unexpected end of data. Close"),
        ('id,score\n1,2\n"3\n",4\n5,"6\n7,8\n9,"x\n', "line 5: is no line of a table: ',' expe"),
        ('id,score\n"1"x,2\n', "line 2: is no line of a table: ',' expected after '\"'"),
        ("id,score,id\n1,2,3\n", r"line 1: has two columns 'id'\. Name each column once"),
        ("id;score\n1;2\n", r"has no column 'id', .*It has 'id;score'"),
        ("id,score\n", "has no rows: at least one example is needed"),
        ("id,score\n,2\n", r"has '' \(str\) as the id of example 1"),
        ("id,score\n7,2\n8,x\n", r"has the score 'x' \(str\) for id '8'"),
        ("id,score\n7,inf\n", r"has the score 'inf' \(str\) for id '7'"),
        ("id,score\n7,٣\n", r"has the score '٣' \(str\) for id '7'"),
        ("id,score\n7,1_0\n", r"has the score '1_0' \(str\) for id '7'"),
    ],
)
def test_lines_of_a_table(text, message, put):
    good = put("good.csv", "id,score\n1,2\n")
    with pytest.raises(InputError, match=rf"`path2`: .*bad\.csv,? {message}"):
        read_runs(good, put("bad.csv", text))


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.99])
def test_parquet_that_is_cut(share, tmp_path):
    path = stored("parquet", tmp_path, "a", columns(np.random.default_rng(1), ["x", "y"]))
    content = path.read_bytes()
    bad = save(tmp_path / "bad.parquet", content[: int(len(content) * share)])
    message = "is empty" if share == 0 else "cannot be read: .* Give a whole Parquet file"
    with pytest.raises(InputError, match=rf"`path2`: .*bad\.parquet {message}"):
        read_runs(path, bad)


def test_datasets_that_lack_columns():
    dataset = datasets.Dataset.from_dict({"x": [1], "y": [2]})
    with pytest.raises(
        InputError, match=r"`path1`: the dataset path1 has no column 'id'.* It has 'x', 'y'"
    ):
        read_runs(dataset, dataset)
    empty = datasets.Dataset.from_dict({"id": [], "score": []})
    with pytest.raises(InputError, match="the dataset path1 has no rows"):
        read_runs(empty, empty)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"id": 3}, r"`id` must be the name of a column, got 3 \(int\)"),
        ({"prediction": ""}, "`prediction` must be the name of a column, got ''"),
        ({"reference": None}, "`reference` must be the name of a column, got None"),
        ({"group": ["x"]}, "`group` must be the name of a column, got"),
        ({"score": ["a", 3]}, "`score` must be the name of a column, got 3"),
        ({"score": []}, r"`score` must name one or more columns, got \[\] \(list\)"),
        ({"score": None}, "`score` must name one or more columns, got None"),
        ({"score": {"a"}}, "`score` must name one or more columns, got"),
    ],
)
def test_names_that_are_none(names, message):
    with pytest.raises(InputError, match=message):
        read_runs("a", "b", **names)


REPEATS = [(1, 0.1), (2, 1), (1, 0.2), (2, None), (1, 0.6), (2, 0)]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "dataset"])
def test_repeats(kind, tmp_path):
    """Their mean is that of the decimals, exactly; none has no mean."""
    table = {
        "id": [f"x{k}" for k, _ in REPEATS],
        "score": [x for _, x in REPEATS],
        "prediction": [str(x) for _, x in REPEATS],
        "reference": [str(k) for k, _ in REPEATS],
        "group": [k for k, _ in REPEATS],
    }
    path = stored(kind, tmp_path, "a", table)
    with pytest.raises(InputError, match=r"2 more than once in .*: 'x1', 'x2'"):
        read(path, stored(kind, tmp_path, "b", table))
    run = read(path, stored(kind, tmp_path, "b", table), repeats=True)
    assert run.ids == ["x1", "x2"]
    assert run.scores == {"score": [Fraction(3, 10), None]}
    assert run.predictions == [["0.1", "0.2", "0.6"], ["1", "None", "0"]] or kind == "csv"
    assert (run.references, run.n_repeats) == (["1", "2"], [3, 3])
    assert [*map(int, run.groups)] == [1, 2]


def test_repeats_are_compared_as_their_means(two):
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 10, (2, 3, 15)) / 10
    rows = [[{"id": k, "score": x[r, k]} for r in range(3) for k in range(15)] for x in scores]
    found = read_runs(*two(*rows), repeats=True).compare().to_dict()
    means = [[sum(Fraction(str(y)) for y in x[:, k]) / 3 for k in range(15)] for x in scores]
    wanted = compare(*means, None, "mean_score", of="score", confidence_level=0.95)
    assert found == wanted.to_dict()


def test_repeated_predictions_are_runs(two):
    one, other = [1, 1, 0, 1, 0, 0], [0, 1, 0, 0, 0, 1]
    rows = [
        [{"id": k // 2, "prediction": x, "reference": 1} for k, x in enumerate(column)]
        for column in (one, other)
    ]
    found = read_runs(*two(*rows), repeats=True).compare("accuracy")
    runs = (np.reshape(x, (3, 2)).tolist() for x in (one, other))
    assert found.to_dict() == compare(*runs, [1, 1, 1], confidence_level=0.95).to_dict()
    assert found.n_groups == 3


def test_numbers_of_repeats_that_differ(two):
    rows = [{"id": k % 3, "score": k} for k in range(6)]
    more = [*rows, {"id": 0, "score": 1}]
    with pytest.raises(
        InputError, match=r"1 were not run equally often by all systems: 0\. Run all"
    ):
        read_runs(*two(rows, more), repeats=True)
    runs = read_runs(*two(rows, more), repeats=True, on_missing="drop")
    assert runs.ids == [1, 2]


def test_repeats_of_one_system_only(two):
    once = [{"id": k, "score": k} for k in range(3)]
    with pytest.raises(InputError, match="3 were not run equally often by all systems: 0, 1, 2"):
        read_runs(*two(once, once * 2), repeats=True)


def test_a_score_that_is_infinite(two):
    """Alone and among repeats; JSON has no such number, but Python writes it."""
    good = [{"id": 1, "score": 1}] * 2
    bad = [{"id": 1, "score": 1}, {"id": 1, "score": float("inf")}]
    assert "Infinity" in json.dumps(bad)
    for repeats, rows in ((True, (good, bad)), (False, (good[:1], bad[1:]))):
        runs = read_runs(*two(*rows), repeats=repeats)
        with pytest.raises(
            InputError,
            match=r"must be finite\. Affected ids: 1 with an infinite score in .*b\.jsonl: 1\. ",
        ):
            runs.compare()


def test_a_named_column_that_the_first_line_lacks(two):
    """It is there, and that example has no score."""
    rows = [{"id": 1, "score": 1}, {"id": 2, "judge": 0.5}, {"id": 3, "judge": 1}]
    runs = read_runs(*two(rows, rows), score="judge", on_missing="drop")
    assert runs.compare().n == 2


@pytest.mark.parametrize("option", ["prediction", "group", "score"])
def test_a_named_column_that_is_not_there(two, option):
    """A word that is misspelt is no other metric."""
    rows = [{"id": 1, "prediction": "a", "reference": "a", "score": 1, "group": "g"}]
    with pytest.raises(
        InputError, match=rf"has no column 'scroe', {option}=…\. It has 'group', 'id"
    ):
        read_runs(*two(rows, rows), **{option: "scroe"})


@pytest.mark.parametrize("column", ["prediction", "reference"])
def test_an_empty_cell_says_nothing(tmp_path, column):
    header, rows = ["id", "prediction", "reference"], [["1", "a", "a"], ["2", "b", "b"]]
    rows[1][header.index(column)] = ""
    text = "\n".join(",".join(row) for row in (header, *rows))
    paths = [save(tmp_path / f"{name}.csv", text) for name in "ab"]
    with pytest.raises(InputError, match=f"1 without a {column}.*: '2'"):
        read_runs(*paths).compare("accuracy")
    assert read_runs(*paths, on_missing="drop").compare("accuracy").n == 1


def test_groups_of_empty_cells(tmp_path):
    """They are no group of their own."""
    text = "id,score,group\n1,1,a\n2,0,\n3,1,\n"
    paths = [save(tmp_path / f"{name}.csv", text) for name in "ab"]
    with pytest.raises(InputError, match="2 ids have no group: '2', '3'"):
        read_runs(*paths).compare()


def test_tables_of_other_programs(tmp_path):
    """Truth values as pandas writes them; semicolons are named."""
    path = save(tmp_path / "a.csv", "id,score\n1,True\n2,False\n")
    runs = read_runs(path, save(tmp_path / "b.csv", path.read_bytes()))
    run = runs.systems["a"]
    assert run.scores == {"score": [1, 0]}
    path = save(tmp_path / "c.csv", "id;score\n1;0,5\n2;0,7\n")
    with pytest.raises(
        InputError, match=r"no column 'id'.*Is it split at semicolons\? Split it at"
    ):
        read_runs(path, tmp_path / "a.csv")
