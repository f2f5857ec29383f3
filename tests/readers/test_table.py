"""Tables of one's own: the same runs whatever file they are in."""

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
from pairedperm.readers import read_runs
from pairedperm.readers.files import TextFile
from pairedperm.readers.tables import columns_in_parts
from properties import one_in
from readers.held import first_run, stored

KINDS = ("jsonl", "csv", "tsv", "parquet", "dataset")
TEXTS = ["yes", "no", 'say "no", or\nnothing', "\t", "ü \u2028 ,"]


def columns(rng):
    n = 12
    references = rng.integers(0, len(TEXTS), n)
    return {
        "id": [*range(n)],
        "prediction": [TEXTS[k] for k in np.where(rng.random(n) < 0.6, references, 0)],
        "reference": [TEXTS[k] for k in references],
        "score": (rng.integers(-200, 200, n) / 100).tolist(),
        "group": rng.integers(0, 5, n).tolist(),
        "other": [None] * n,
    }


@one_in(4)
@pytest.mark.parametrize("kind1", KINDS)
@pytest.mark.parametrize("kind2", KINDS)
def test_kinds_of_tables(kind1, kind2, tmp_path):
    """Cells of ids are read as integers where the other table has such."""
    rng = np.random.default_rng(7)
    one = columns(rng)
    two = one | {x: columns(rng)[x] for x in ("prediction", "score")}
    if "tsv" in (kind1, kind2):  # whose cells hold no tab and no line's end
        for column in (one["prediction"], one["reference"], two["prediction"]):
            column[:] = [re.sub(r"\s", "/", x) for x in column]
    paths = stored(kind1, tmp_path, "one", one), stored(kind2, tmp_path, "two", two)
    runs = read_runs(*paths)
    are_cells = {kind1, kind2} <= {"csv", "tsv"}
    assert runs.ids == (sorted(map(str, range(12))) if are_cells else [*range(12)])
    order = [*map(int, runs.ids)]

    def aligned(name):
        return [[x[name][k] for k in order] for x in (one, two)]

    options = {"groups": aligned("group")[0], "confidence_level": 0.95}
    wanted = compare(*aligned("score"), None, "mean_score", of="score", **options)
    assert runs.compare("score").to_dict() == wanted.to_dict()
    wanted = compare(*aligned("prediction"), aligned("reference")[0], **options).to_dict()
    assert runs.compare("accuracy").to_dict() == wanted
    apart = stored(kind2, tmp_path, "right", {x: one[x][::-1] for x in ("id", "reference")})
    assert read_runs(*paths, references=apart).compare("accuracy").to_dict() == wanted


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
    run = first_run(*(stored(kind, tmp_path, x, table) for x in "ab"), repeats=True)
    assert run.ids == ["x1", "x2"]
    assert run.scores == {"score": [Fraction(3, 10), None]}
    assert run.predictions == [["0.1", "0.2", "0.6"], ["1", "None", "0"]] or kind == "csv"
    assert (run.references, run.n_repeats) == (["1", "2"], [3, 3])
    assert [*map(int, run.groups)] == [1, 2]


def test_shares_of_repeats_are_shares(two):
    """Of thirds, printed by floats, the means are exact; where one is none, they are decimals."""
    thirds = [1 / 3, 2 / 3, 1.0, 1 / 3]
    rows = [{"id": k // 2, "a": x, "b": x if k else 0.333} for k, x in enumerate(thirds)]
    run = first_run(*two(rows, rows), score=["a", "b"], repeats=True)
    assert run.scores["a"] == [Fraction(1, 2), Fraction(2, 3)]
    assert run.scores["b"][1] == (1 + Fraction("0.3333333333333333")) / 2


@one_in(2)
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


def test_decimals_and_nulls_stay(tmp_path):
    """So do narrow floats, as the decimals that they print as."""
    scores = [Decimal("0.10"), None, Decimal("2.25")]
    narrow = pa.array(np.array([0.1, 0.7, 2], np.float32))
    table = pa.table({"id": ["a", "b", "c"], "score": scores, "f": narrow})
    pq.write_table(table, tmp_path / "a.parquet")
    runs = read_runs(
        tmp_path / "a.parquet", datasets.Dataset(table), score=["score", "f"], on_missing="drop"
    )
    for run in runs.systems.values():
        assert run.scores == {"score": scores, "f": [0.1, 0.7, 2.0]}
    assert runs.compare("score").score1 == 1.175


# how much of a Parquet file is read: what the columns take in memory is known before

LONG = pa.array(["x" * 10**4] * 2000)  # 20 MB, which are some hundred bytes in the file
LISTED = LONG.to_pylist()
N = 10**6
GROWN = 2 * 10**7, 3 * 10**7
BYTES = pa.array(np.zeros(N, np.int8))


def zeros(width, n):
    """Fixed-width binaries."""
    return pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(width), n, [None, pa.py_buffer(np.zeros(width * n, np.uint8))]
    )


def one_list(inner):
    return pa.ListArray.from_arrays(pa.array([0, len(inner)], pa.int32()), inner)


TAKEN = {  # each with what it takes at least, and at most
    "string": (LONG, *GROWN),
    "dictionary": (LONG.dictionary_encode(), *GROWN),
    "by prefix": (LONG, *GROWN),
    "list": (pa.array([[x] for x in LISTED]), *GROWN),
    "texts in one row": (one_list(LONG), *GROWN),
    "list of fixed size": (pa.array([[x] for x in LISTED], pa.list_(pa.string(), 1)), *GROWN),
    "struct": (pa.StructArray.from_arrays([LONG], ["text"]), *GROWN),
    "map": (pa.array([[("k", x)] for x in LISTED], pa.map_(pa.string(), pa.string())), *GROWN),
    "JSON": (pa.ExtensionArray.from_storage(pa.json_(), LONG), *GROWN),
    "fixed width": (zeros(10**5, 200), *GROWN),
    "integers": (pa.array(np.zeros(N, np.int64)), 8 * N, 40 * N),
    "nulls": (pa.nulls(N), N, 40 * N),
    "many in one row": (one_list(BYTES), 8 * N, 60 * N),
    "many in one row of one row": (one_list(one_list(BYTES)), 8 * N, 80 * N),
    "decimals": (pa.array([Decimal("1.5")] * 2000), 10**4, 10**6),
    "no rows": (pa.array([], pa.string()), -1, 10**3),
    "no fields": (pa.array([{"a": {"b": 1}}] * 10), 10, 10**4),
}  # fmt: skip


@pytest.mark.parametrize("kind", TAKEN)
def test_what_columns_take(tmp_path, kind):
    column, least, most = TAKEN[kind]
    how = {"use_dictionary": False, "column_encoding": {"x": "DELTA_BYTE_ARRAY"}}
    path = tmp_path / "x.parquet"
    table = pa.table({"x": column, "x2": pa.nulls(len(column))})
    pq.write_table(table, path, compression="zstd", **how if kind == "by prefix" else {})
    assert path.stat().st_size < 10**4
    file = TextFile("path1", path, most)
    with file.parquet() as opened:
        [*columns_in_parts(file, opened, ["x"])]
        [*columns_in_parts(file, opened, ["y"])]
    if least < 0:
        return
    file = TextFile("path1", path, least)
    too_large = pytest.raises(InputError, match=rf"would take more than {least:,} bytes")
    with too_large, file.parquet() as opened:
        [*columns_in_parts(file, opened, ["x"])]


def test_columns_that_are_not_read_take_nothing(tmp_path):
    for name in ("a", "b"):
        table = pa.table({"id": range(2000), "score": [0.0, 1.0] * 1000, "answer": LONG})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    paths = tmp_path / "a.parquet", tmp_path / "b.parquet"
    assert len(read_runs(*paths, max_bytes=10**6).ids) == 2000
    with pytest.raises(InputError, match=r"a\.parquet would take more than 1,000,000 bytes"):
        read_runs(*paths, max_bytes=10**6, prediction="answer")
