"""Tables of one's own that are refused: their rows, cells, columns and ids."""

from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

from corpora.logs import save
from pairedperm.readers import read_folder, read_runs
from refusals import asks, refusal, refuses


def of(content, name, **options):
    """Read a file, after a good one."""
    good = save(Path("good.jsonl"), '{"id": 1, "score": 2}')
    return read_runs(good, save(Path(name), content), **options)


def rows(*some, **options):
    return of("\n".join(some), "bad.jsonl", **options)


def csv(text):
    return of(text, "bad.csv")


def tsv(text):
    return of(text, "bad.tsv")


def both(text, name, references=None, **options):
    """Compare a table with itself."""
    paths = [save(Path(f"{x}{name}"), text) for x in "ab"]
    return read_runs(*paths, references=references, **options).compare()


def right(rows, references, **options):
    """Read predictions, and references of their own."""
    paths = [save(Path(f"{x}.jsonl"), rows) for x in "ab"]
    return read_runs(*paths, references=save(Path("right.jsonl"), references), **options)


def dataset(**columns):
    return read_runs(*[datasets.Dataset.from_dict(columns)] * 2)


def cut(share):
    pq.write_table(pa.table({"id": ["a", "b"], "score": [1, 2]}), "whole.parquet")
    content = Path("whole.parquet").read_bytes()
    return of(content[: int(share * len(content))], "bad.parquet")


def twice():
    table = pa.Table.from_arrays([pa.array([1])] * 3, ["id", "score", "score"])
    pq.write_table(table, "bad.parquet")
    return of(Path("bad.parquet").read_bytes(), "bad.parquet")


def of_id(*ids, first=(1,), **options):
    """Read two tables of scores by these ids."""
    paths = [
        save(Path(f"{name}.jsonl"), [{"id": x, "score": 1} for x in some])
        for name, some in (("a", first), ("b", ids))
    ]
    return read_runs(*paths, **options)


def cells(text, **options):
    """Read two tables of CSV of this text."""
    return read_runs(*(save(Path(f"{x}.csv"), text) for x in "xy"), **options)


def of_references(*values):
    """Read tables of one example that have these references."""
    rows = [[{"id": 1, "prediction": 1, "reference": x}] for x in values]
    return read_folder(*(save(Path(f"{k}.jsonl"), x) for k, x in enumerate(rows)))


ANSWERS = [{"id": k, "prediction": 1, "reference": 1} for k in range(3)]


@refuses
def test_names():
    read_runs("a", "b", id=3)
    # -> `id` must be a column's name, got 3 (int)
    read_runs("a", "b", prediction="")
    # -> `prediction` … column's name, got ''
    read_runs("a", "b", reference=None)
    # -> `reference` … name, got None
    read_folder("a", "b", group=["x"])
    # -> `group` … a column's name, got ['x']
    read_runs("a", "b", score=["a", 3])
    # -> `score` … a column's name, got 3
    read_runs("a", "b", score=[])
    # -> `score` must name one or more columns, got [] (li
    read_runs("a", "b", score=None)
    # -> `score` … one or more columns, got None
    read_runs("a", "b", score={"a"})
    # -> `score` … one or more columns, got {'a'}


test_names_in_rows = asks(
    *(
        refusal(
            lambda x=x: rows('{"id": 1, "group": "g", "score": 2}', **{x: "scroe"}),
            *("path1", f"good.jsonl has no column 'scroe', {x}=…. It has 'id', 'score'."),
        )
        for x in ("prediction", "group", "score")
    ),
)


@refuses
def test_columns():
    rows('{"x": 1, "score": 2}')
    # -> `path2` … bad.jsonl has no column 'id', by which examples are matched. It has 'x', 'sc …
    #    Name the column that identifies an example, id=….
    csv("id;score\n1;2\n")
    # -> `path2` … has no column 'id', … It has 'id;score'.
    csv("id;score\n1;0,5\n")
    # -> `path2` … It has 'id;score'. Is it split at semicolons? Split it at commas, or at tabs in
    csv('"id" "score"\n"1" "a" 1\n')
    # -> `path2` … line 1: is no line of a table: ',' expected … If it is of R, write it by
    csv("id score\n1 a 1\n")
    # -> `path2` … has no column 'id', … It has 'id score'. If it is of R, write it by
    #    write.csv(x, file, row.names = FALSE).
    csv('"id","score"\n"1",7,0.5\n')
    # -> `path2` … line 2: has 3 cells, and the header 2. … If it is of R, write it by write.csv
    of(b'"id"\t"score"\n"1"\t0.5\n', "bad.tsv")
    # -> `path2` … It has '"id"', '"score"'. In TSV a quote is a character. If it is of R, write
    rows('{"id": null, "score": 2}')
    # -> `path2` … bad.jsonl has no id in column 'id': all are missing. An id is an integer or a
    rows('{"id": 1, "x": 2}')
    # -> `path2` … has none of 'prediction', 'score'. It has 'id', 'x'. Name the column of pred
    rows('{"id": 1, "score": null}')
    # -> `path2` … bad.jsonl has nothing in 'prediction', 'score'. It has 'id', 'score'.
    right(ANSWERS, [{"id": 1, "answer": 2}])
    # -> `references` … right.jsonl has none of 'reference'. It has 'id', 'answer'. Name the …
    #    column of references, reference=….
    csv("id,score,id\n1,2,3\n")
    # -> `path2` … bad.csv, line 1: has two columns 'id'. Name each column once.
    dataset(x=[1], y=[2])
    # -> `path1` … the dataset path1 has no column 'id' … It has 'x', 'y'
    dataset(id=[], score=[])
    # -> `path1` … the dataset path1 has no rows: at least
    csv("id,score\n")
    # -> `path2` … bad.csv has no rows: at least one example is
    cut(0.2)
    # -> `path2` … bad.parquet cannot be read: … Give a whole Parquet file.
    cut(0.99)
    # -> `path2` … bad.parquet cannot be read:
    twice()
    # -> `path2` … bad.parquet has two columns 'score'. Name each column once.


@refuses
def test_cells():
    rows('{"id": [1], "score": 2}')
    # -> `path2` … has [1] (list) as the id of exa
    rows('{"id": 1.5, "score": 2}')
    # -> `path2` … has 1.5 (float) as the id of exa
    rows('{"id": 1, "score": 2}', '{"id": null, "score": 2}')
    # -> `path2` … bad.jsonl has None (NoneType) as the id of example 2. An id is an integer or
    csv("id,score\n,2\n")
    # -> `path2` … bad.csv has '' (str) as the id of example 1
    rows('{"id": 4, "score": "x"}')
    # -> `path2` … has the score 'x' (str) for id 4, but a score is a number. Name another … column,
    #    score=….
    rows('{"id": 4, "score": "0.5"}')
    # -> `path2` … has the score '0.5' (str) for id 4, … Write numbers without quotes.
    csv('id,score\n1,"0,5"\n')
    # -> `path2` … has the score '0,5' (str) for id '1', … Write it with a decimal point, 0.5.
    csv("id,score\n1,50%\n")
    # -> `path2` … has the score '50%' … Write it without the percent sign: 0.5 or 50 for 50%.
    rows('{"id": "4", "score": [1]}')
    # -> `path2` … has the score [1] (list) for id '4', … Write one number. If these are of …
    #    repeated runs, write a line for each, and average them, repeats=True.
    rows('{"id": 4, "score": {"acc": 1}}')
    # -> `path2` … has the score {'acc': 1} (dict) … Name a value in it, score='score.acc'.
    rows('{"id": 4, "m": {"acc": 1, "f1": 0}}', score="score")
    # -> `path2` … It has 'id', 'm.acc', 'm.f1'. Name the
    csv("id,score\n1,2\n3\n")
    # -> `path2` … bad.csv, line 3: has 1 cell, and the header 2. Quote cells that hold a
    csv('id,score\n"a\nb",2\n3,4,5\n')
    # -> `path2` … line 4: has 3 cells, and the header 2
    csv('id,score\n1,"2\n3,4\n')
    # -> `path2` … line 2: is no line of a table: unexpected end of data. Close each quote, and
    csv('id,score\n1,2\n"3\n",4\n5,"6\n7,8\n9,"x\n')
    # -> `path2` … line 5: is no line of a table: ',' expected
    csv('id,score\n"1"x,2\n')
    # -> `path2` … line 2: is no line of a table: ',' expected after '"'
    tsv('id\tscore\n1\t2\n3\t"4\n5"\n')
    # -> `path2` … bad.tsv, line 4: has 1 cell, and the header 2. In TSV every line is a row
    tsv('id\tscore\n1\t"2\t3"\n')
    # -> `path2` … line 2: has 3 cells, … line ends, save the table as CSV
    tsv('id\tscore\n1\t"2"\n')
    # -> `path2` … has the score '"2"' (str) for id '1', but
    tsv('"id"\t"score"\n"1"\t2\n')
    # -> `path2` … has no column 'id', by which examples are matched. It has '"id"', '"score"'.


test_cells_in_rows = asks(
    *(
        refusal(
            lambda x=x: csv(f"id,score\n7,2\n8,{x}\n"), "path2", f"the score '{x}' (str) for id '8'"
        )
        for x in ("x", "inf", "٣", "1_0")
    ),
)


@refuses
def test_ids():
    of_id(1, 2, 3)
    # -> the runs do not hold the same examples. Affected ids: 2 not in a.jsonl: 2, 3. Run … all
    #    systems on the same examples, or leave these ids out, on_missing='drop'.
    of_id(1, 1)
    # -> Affected ids: 1 more than once in b.jsonl: 1. If they are repeated runs of an example, …
    #    average them, repeats=True. Run all
    cells("id,epoch,score\n1,1,1\n1,2,0\n")
    # -> more than once in … y.csv: '1'. Column 'epoch' may tell these lines apart. If they …
    #    are repeated runs of an example, average them, repeats=True, or else make one id of both
    cells("id,model,score\n1,a,1\n1,b,0\n")
    # -> more than once in … y.csv: '1'. If column 'model' names systems, write a table of …
    #    each. If they are repeated runs of an example, average them, repeats=True. Run all
    cells("id,measure,score\n1,AP,1\n1,RR,0\n", repeats=True)
    # -> x.csv has no repeats in lines of one id. Column 'measure' tells them apart, 'AP', 'RR': …
    #    write a table of each.
    cells("id,measure,score\n1,AP,1\n1,RR,0\n")
    # -> more than once in … y.csv: '1'. Column 'measure' tells them apart, 'AP', 'RR': write a …
    #    table of each. Run all
    cells("id,turn,score\n1,1,7\n1,2,9\n")
    # -> more than once in … y.csv: '1'. Column 'turn' may tell these lines apart. If they …
    cells("id,measure,epoch,score\n1,AP,1,1\n1,AP,2,0\n")
    # -> more than once in … y.csv: '1'. Column 'epoch' may tell these lines apart. If they …
    cells("")
    # -> `path1` … x.csv is empty: at least one example
    of_id(2, on_missing="drop")
    # -> no example is left. Affected ids: 1 not in a.jsonl: 2; 1 not in b.jsonl: 1. … Compare runs
    #    of the same examples.
    of_id(1, 1, on_missing="drop")
    # -> no example is left. … 1 more than once in b.jsonl: 1. If they are repeated … Compare runs
    of_id("1", "2", first=(1, 2))
    # -> b.jsonl has the id '1' (str), and a.jsonl has 1 (int)
    of_id(1, 2, first=(1, "2"))
    # -> a.jsonl has the id '2' (str), also 1 (int)
    of_id("x", first=("x", 7), on_missing="drop")
    # -> a.jsonl has the id 7 (int), also 'x' (str): a text never equ
    right(ANSWERS, [{"id": k, "reference": k} for k in range(3)])
    # -> 2 have different references: 0, 2. Run all
    right(ANSWERS, ANSWERS[:2])
    # -> 1 not in right.jsonl: 2. Run all systems on
    of_id(0, 1, 0, 1, first=(0, 1), repeats=True)
    # -> 2 were not run equally often by all systems: 0, 1. Run all
    (
        rows(
            *('{"id": 1, "score": 1, "group": "x"}', '{"id": 1, "score": 1, "group": "y"}'),
            repeats=True,
        )
    )
    # -> bad.jsonl has repeats of id 1 with different groups: ['x', 'y'] (li … Give
    #    them the same.
    both("id,score,group\n1,1,a\n2,0,\n3,1,\n", ".csv")
    # -> 2 ids have no group: '2', '3'. Give an example without a group one of its own.


test_ids_in_rows = asks(
    *(  # a log that says nothing does not hide that two others disagree
        refusal(lambda x=x: of_references(*x), "", "1 have different references: 1")
        for x in ((None, 1, 2), (1, None, 2), (2, 1, None))
    ),
)
