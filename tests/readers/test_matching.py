"""Runs matched by id: what all have is compared, and the rest is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import rows_of, save
from pairedperm import InputError
from pairedperm.readers import read_runs


def test_columns_stand_in_the_order_of_the_ids(two):
    """Of each run, made once: what is compared are these columns, and no copies of them."""
    tables = rows_of(id="xyz", score=[1, 2, 3]), rows_of(id="wzxy", score=[9, 6, 4, 5])
    runs = read_runs(*two(*tables), on_missing="drop")
    columns = {name: x.scores["score"] for name, x in runs.systems.items()}
    assert (runs.ids, [*columns.values()]) == ([*"xyz"], [[1, 2, 3], [4, 5, 6]])
    found = runs.examples()
    assert all(found.systems[x] is columns[x] for x in columns)


tables = st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from([None, 1, 2])), max_size=7)


@given(tables.filter(bool), tables.filter(bool))
def test_as_plainly_said(tmp_path_factory, first, second):
    """What is kept has one row in each table, and no other reference."""
    folder = tmp_path_factory.mktemp("tables")
    paths = [
        save(folder / f"{x}.jsonl", [{"id": y, "score": 1, "reference": z} for y, z in some])
        for x, some in (("a", first), ("b", second))
    ]
    wanted = []
    for x in "abcde":
        found = [[y for key, y in some if key == x] for some in (first, second)]
        if [len(y) for y in found] == [1, 1]:
            (one,), (two,) = found
            wanted += [x] if one == two or one is None or two is None else []
    if wanted:
        assert read_runs(*paths, on_missing="drop").ids == wanted
    else:
        with pytest.raises(InputError, match="no example is left"):
            read_runs(*paths, on_missing="drop")
    if not len(wanted) == len(first) == len(second):
        with pytest.raises(InputError, match="do not hold the same examples"):
            read_runs(*paths)
