"""Runs matched by id: what all have is compared, and the rest is told."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import rows_of, save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs


def rows(ids, **columns):
    """Objects of these ids and columns."""
    return rows_of(id=ids, **{"score": [1] * len(ids), **columns})


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Read tables a, b and so on."""

    def of(*tables, **options):
        monkeypatch.chdir(tmp_path)
        paths = [save(Path(f"{x}.jsonl"), y) for x, y in zip("abc", tables, strict=False)]
        return read_folder(*paths, **options)

    return of


@pytest.mark.parametrize(
    ("tables", "message", "left"),
    [
        ([rows("xwy"), rows("xyz")], "1 not in a.jsonl: 'z'; 1 not in b.jsonl: 'w'", "xy"),
        ([rows("xyx"), rows("xy")], "1 more than once in a.jsonl: 'x'", "y"),
        ([rows("xyz"), rows("zxy"), rows("yz")], "1 not in c.jsonl: 'x'", "yz"),
        (
            [rows("xyz", reference="123"), rows("zxy"), rows("xyz", reference="124")],
            "1 have different references: 'z'",
            "xy",
        ),
        (
            [rows("xyz", group=[1, 2, None]), rows("zxy", group=[3, 1, 1])],
            "1 belong to different groups: 'y'",
            "xz",
        ),
        ([rows(range(10_001)), rows([0])], "10,000 not in b.jsonl: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 "
         "and 9,990 more", [0]),
    ],
)  # fmt: skip
def test_examples_that_differ(tables, message, left, read):
    runs = read(*tables, on_missing="drop")
    assert runs.ids == [*left]
    n = f"{len(left)} example{'s' * (len(left) > 1)}"
    lines = [f"{n} matched by id", *(f"left out: {x}" for x in message.split("; "))]
    assert str(runs.matching).split("\n") == lines


def test_columns_stand_in_the_order_of_the_ids(read):
    """Of each run, made once: what is compared are these columns, and no copies of them."""
    runs = read(rows("xyz", score=[1, 2, 3]), rows("wzxy", score=[9, 6, 4, 5]), on_missing="drop")
    columns = {name: x.scores["score"] for name, x in runs.systems.items()}
    assert (runs.ids, [*columns.values()]) == ([*"xyz"], [[1, 2, 3], [4, 5, 6]])
    found = runs.examples()
    assert all(found.systems[x] is columns[x] for x in columns)


def test_numbers_of_repeats_that_differ(read):
    runs = read(rows([0, 1, 2] * 2), rows([0, 1, 2] * 2 + [0]), repeats=True, on_missing="drop")
    assert str(runs.matching).endswith("1 were not run equally often by all systems: 0")


def test_references_of_more_examples_than_were_run(read, tmp_path):
    """Those that are not used are counted."""
    right = save(tmp_path / "right.jsonl", rows(range(5), reference=[1] * 5))
    runs = read(rows([0, 1, 2]), rows([2, 1, 0]), references=right)
    said = "3 examples matched by id\n2 references of examples that no log has"
    assert str(runs.matching) == said


tables = st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from([None, 1, 2])), max_size=7)


@given(tables.filter(bool), tables.filter(bool))
def test_as_plainly_said(tmp_path_factory, first, second):
    """What is kept has one row in each table, and no other reference."""
    folder = tmp_path_factory.mktemp("tables")
    paths = [
        save(folder / f"{x}.jsonl", rows([y for y, _ in some], reference=[y for _, y in some]))
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
