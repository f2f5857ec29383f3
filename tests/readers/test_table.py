"""Tables of one's own: the same runs whatever file they are in."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pairedperm import InputError
from pairedperm.readers import read_runs
from pairedperm.readers.files import TextFile
from pairedperm.readers.parquet import columns_in_parts

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
