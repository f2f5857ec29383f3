"""Tables whose cells are all texts: their rows, and what cells spell."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import save
from pairedperm import InputError
from pairedperm.readers import read_runs
from readers.held import first_run

parts = st.sampled_from(["a", ",", "\t", '"', '""', "\n", "\r\n", "\r", " ", "é", "1,1\n", "\0"])
cells = st.lists(parts, max_size=5).map("".join) | st.sampled_from(['"x,\n"', "é", ""])


def plainly(text, kind):
    """The rows, one by one; or the line of the first wrong one."""
    dialect = {"delimiter": ","}
    if kind == "tsv":
        dialect = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    rows, found, line = csv.reader(io.StringIO(text, newline=""), strict=True, **dialect), [], 1
    try:
        for row in rows:
            if len(row) not in (0, 2):
                return line
            found += [row] if row else []
            line = rows.line_num + 1
    except csv.Error:
        return line
    return found[1:]


@pytest.mark.parametrize("kind", ["csv", "tsv"])
@given(n_before=st.sampled_from([0, 1200]), listed=st.lists(cells, min_size=1, max_size=8))
def test_rows_as_the_csv_module_reads_them(kind, n_before, listed, tmp_path_factory):
    """Whatever stands in cells, and however many rows are before; or the wrong line is named."""
    rows = "".join(f"{k},{x}\n" for k, x in enumerate([*map(str, range(n_before)), *listed]))
    text = f"id,prediction\n{rows}end,z\n"
    if kind == "tsv":
        text = text.replace(",", "\t")
    folder, wanted = tmp_path_factory.mktemp("cells"), plainly(text, kind)
    paths = [save(folder / f"{x}.{kind}", text) for x in "ab"]
    if isinstance(wanted, int):
        with pytest.raises(InputError, match=rf"a\.{kind}, line {wanted}: "):
            read_runs(*paths)
    elif all(x for x, _ in wanted) and len({x for x, _ in wanted}) == len(wanted):
        run = first_run(*paths)
        found = zip(run.ids, run.predictions, strict=True)
        assert [*map(list, found)] == [[x, y or None] for x, y in wanted]


def test_long_cells(put):
    """The limit of the csv module is of all threads: it is not set back under another reader."""
    csv.field_size_limit(2**17)
    text = f"id,prediction\na,{'é' * 200_000}\n"
    assert len(first_run(put("a.csv", text), put("b.csv", text)).predictions[0]) == 200_000
    assert csv.field_size_limit() == 2**31 - 1


def test_many_columns(put):
    """Their names are compared in linear time."""
    names = ["id", "score", *(f"c{k}" for k in range(10_000))]
    text = "\n".join(",".join(x) for x in (names, ["1", "1", *names[2:]]))
    assert read_runs(put("a.csv", text), put("b.csv", text)).ids == ["1"]
