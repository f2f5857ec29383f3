"""Logs and tables that are refused: their paths, formats, lines, columns, cells and ids."""

import json
import os
from pathlib import Path
from unittest.mock import patch

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

from corpora.logs import every_eval_ever, lm_eval, objects, save
from extras import on_posix
from pairedperm.readers import read_folder, read_runs
from refusals import refuses

ROWS = [{"id": k, "score": k % 2} for k in range(4)]
GOOD = [f'{{"id": {k}}}' for k in range(8)]


def put(content, name="x.jsonl"):
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    return save(path, content)


def of(content, name="x.jsonl", **options):
    """Read a file and a good one."""
    return read_runs(put(content, name), put(ROWS, "good.jsonl"), **options)


def lines(*some, **options):
    return of("\n".join(some), **options)


def beside(path, **options):
    """Read what is there, or is not, and a good file."""
    return read_runs(path, put(ROWS, "good.jsonl"), **options)


def right(references, **options):
    """Read good files, and references."""
    return read_runs(put(ROWS), put(ROWS, "y.jsonl"), references=references, **options)


def splits():
    return datasets.DatasetDict(test=datasets.Dataset.from_list(ROWS))


def folder(*names):
    Path("all").mkdir()
    for name in names:
        put(ROWS if name.endswith("jsonl") else '{"results": 1}', f"all/{name}")
    return "all"


def pipe(name="pipe.jsonl"):
    os.mkfifo(name)
    return name


def of_secrets():
    """A JSON file of a folder is opened to see what it is."""
    closed = PermissionError(13, "Permission denied")
    path = folder("x.json")
    with patch("pathlib.Path.open", side_effect=closed):
        return read_folder(path)


def averages(name, given=None):
    """What lm-evaluation-harness writes without samples: the file, or its folder."""
    path = put(json.dumps({"results": {}, "versions": {}}), f"folder/{name}")
    return beside(given or path)


def results(content):
    """A log of lm-evaluation-harness with results beside it."""
    path = lm_eval("naive_bayes")
    name = path.name.replace("samples_tumors", "results").removesuffix("l")
    if content is None:
        pipe(name)
    else:
        put(content, name)
    return beside(put(path.read_bytes(), path.name))


def of_tool(log, *more):
    """A log of which the last lines are others: changed copies of the first, or objects."""
    first, *others = objects(log("naive_bayes"))
    return of([first, *others, *(first | x if "id" not in x else x for x in more)])


def scored(rows, references, **options):
    """Read predictions, and references of their own."""
    paths = [save(Path(f"{x}.jsonl"), rows) for x in "ab"]
    return read_runs(*paths, references=save(Path("right.jsonl"), references), **options)


def dataset(**columns):
    return read_runs(*[datasets.Dataset.from_dict(columns)] * 2)


def cut(share):
    pq.write_table(pa.table({"id": ["a", "b"], "score": [1, 2]}), "whole.parquet")
    content = Path("whole.parquet").read_bytes()
    return of(content[: int(share * len(content))], "x.parquet")


def twice():
    table = pa.Table.from_arrays([pa.array([1])] * 3, ["id", "score", "score"])
    pq.write_table(table, "x.parquet")
    return of(Path("x.parquet").read_bytes(), "x.parquet")


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


@refuses
def test_paths():
    beside(3)
    # -> `path1` must be the path of a log, str or os.PathLike, a datasets.Dataset or a frame, got 3
    beside(splits())
    # -> `path1` … got DatasetDict
    beside("none.jsonl")
    # -> `path1`: none.jsonl cannot be read: No such file or directory. Give the path of a log.
    beside("a\0b")
    # -> `path1` … a\x00b cannot be read: … embedded null … Give the path of a log.
    of_secrets()
    # -> `paths` … x.json cannot be read: Permission denied. Give the path of a log.
    beside(folder())
    # -> `path1` … no log was found in all. It is empty. Known formats: tables (.jsonl, .csv, .tsv,
    read_folder(folder("results.json", *(f"{k:02}.txt" for k in range(12))))
    # -> `paths` … no log was found in all. It has 00.txt, 01.txt, … 07.txt and 5 more. Known
    read_folder(folder(".a.jsonl"))
    # -> `paths` … It has .a.jsonl. Hidden files are left out. Known
    averages("results_2024-07-01T10-00-00.123.json", "folder")
    # -> `path1`: folder … results_2024-07-01T10-00-00.123.json has averages of lm-evaluation-har …
    #    and no scores of examples. Evaluate again with `--log_samples`, and give the samples_….js


@on_posix
@refuses
def test_no_regular_files():
    beside(pipe())
    # -> `path1`: pipe.jsonl cannot be read: it is a pipe, a socket or a device … Give
    beside(pipe(), format="inspect")
    # -> `path1`: pipe.jsonl cannot be read: it is a pipe, a socket or a device
    right(pipe("right.csv"))
    # -> `references` … right.csv cannot be read: it is a pipe, a socket or a device
    results(None)
    # -> `path1` … is no JSON of results, it is a pipe, a socket or a device


@refuses
def test_formats():
    of('{"id": 1}', "x.json")
    # -> `path1` … x.json is of no known format
    of("1", "x.txt")
    # -> `path1` … x.txt is of no known format. Known formats: tables (.jsonl, … Name its format, fo
    right(lm_eval("naive_bayes"))
    # -> `references` … is of format 'lm_eval': give a table of ids and 'reference'.
    beside(lm_eval("naive_bayes"), group="doc")
    # -> `path1` … is of format 'lm_eval', and only tables have columns: leave out group='doc'. …
    #    For groups write a table of id, score and group.
    beside(lm_eval("naive_bayes"), task="tumors")
    # -> the runs are of different formats: … is lm_eval; good.jsonl is a table. … Compare logs of
    #    one tool, or write both as tables of id and score.
    of_tool(lm_eval, {"id": 3, "score": 1})
    # -> `path1` … x.jsonl row 17 has no 'doc_id', and is not as lm-evaluation-harness writes it. …
    #    Give the file as the tool wrote it.
    of_tool(lm_eval, {"doc_id": None})
    # -> `path1` … row 17 has no id, and is not as lm-evaluation-harness …
    of_tool(lm_eval, {"doc_id": ""})
    # -> `path1` … row 17 has no id, and is not as lm-evaluation-harness writes it.
    of_tool(every_eval_ever, {"sample_id": 1.5})
    # -> `path1` … row 33 has the id 1.5 (float), and is not as Every Eval Ever writes it. Give the
    results("{")
    # -> `path1` … results_ … .json is no JSON of results, Expecting … Write it again, or rem
    results("[1]")
    # -> `path1` … .json is no JSON object of results. Write it again, or remove it.
    results(b"\xff{")
    # -> `path1` … .json is no UTF-8 text, … Save it as UTF-8.


TWICE = '{"id": 2, "score": 1, "score": 0}'


@refuses
def test_lines():
    of("\ufeff\n", format="jsonl")
    # -> `path1` … x.jsonl is empty: at least one
    lines(*GOOD, '{"id": 8')
    # -> `path1` … x.jsonl, line 9: is no JSON, Expecting … . Is the file cut off? Give one JS
    lines(*GOOD, '{"a": ' + "[" * 99_999 + "]" * 99_999 + "}")
    # -> `path1` … line 9: is no JSON, maximum recursion
    lines(*GOOD, "[1, 2]", "null")
    # -> `path1` … line 9: is no JSON object, but [1, 2] (list). Give one object per line.
    lines('{"id": 1, "score": 1}', TWICE)
    # -> `path1` … x.jsonl, line 2: has the key 'score' twice. Name each value once.
    of(f"[{TWICE}]", "x.json")
    # -> `path1` … x.json has the key 'score' twice. Name each value once.
    of("[]")
    # -> `path1` … x.jsonl is empty: at least one
    of('[{"id": 1}, 2]')
    # -> `path1` … x.jsonl, entry 2: is no JSON object, but 2 … Give one object per entry.
    of('[{"id": 1},\n{"id"')
    # -> `path1` … x.jsonl is no JSON, … : line 2 … Is the file cut off? Give one list of objects.
    right(put("id,reference\n" + "1,1\n" * 10**5, "gold.csv"), max_bytes=50_000)
    # -> `references` … gold.csv would take more than 50,000 bytes
    of(b"\xff\xfe{")
    # -> `path1` … x.jsonl is no UTF-8 text, 'utf-8' codec can't decode … . Save it as UTF-8.


ANSWERS = [{"id": k, "prediction": 1, "reference": 1} for k in range(3)]


@refuses
def test_names():
    read_runs("a", "b", id=3)
    # -> `id` must be a column's name, got 3 (int)
    read_runs("a", "b", score=["a", 3])
    # -> `score` … a column's name, or a list of names, got ['a', 3]


@refuses
def test_columns():
    lines('{"id": 1, "group": "g", "score": 2}', prediction="scroe")
    # -> `path1` … x.jsonl has no column 'scroe', prediction=…. It has 'id', 'group', 'score'.
    lines('{"x": 1, "score": 2}')
    # -> `path1` … x.jsonl has no ids in column 'id', by which examples are matched. It has …
    #    Name the column that identifies an example, id=….
    of("id;score\n1;0,5\n", "x.csv")
    # -> `path1` … It has 'id;score'. Name the column that identifies an example, id=….
    of('"id" "score"\n"1" "a" 1\n', "x.csv")
    # -> `path1` … line 1: is no line of a table: ',' expected
    of(b'"id"\t"score"\n"1"\t0.5\n', "x.tsv")
    # -> `path1` … has no ids in column 'id', … It has '"id"', '"score"'. Name the column that
    lines('{"id": 1, "x": 2}')
    # -> `path1` … has nothing in 'prediction', 'score'. It has 'id', 'x'. Name the column of pred
    lines('{"id": 1, "score": null}')
    # -> `path1` … x.jsonl has nothing in 'prediction', 'score'. It has 'id', 'score'.
    scored(ANSWERS, [{"id": 1, "answer": 2}])
    # -> `references` … right.jsonl has nothing in 'reference'. It has 'id', 'answer'. Name the
    #    column, reference=….
    of("id,score,id\n1,2,3\n", "x.csv")
    # -> `path1` … x.csv, line 1: has two columns 'id'. Name each column once.
    dataset(id=[], score=[])
    # -> `path1` … the dataset path1 has no rows: at least
    of("id,score\n", "x.csv")
    # -> `path1` … x.csv has no rows: at least one example is
    cut(0.2)
    # -> `path1` … x.parquet cannot be read: … Give a whole Parquet file.
    twice()
    # -> `path1` … x.parquet has two columns 'score'. Name each column once.


@refuses
def test_cells():
    lines('{"id": [1], "score": 2}')
    # -> `path1` … has [1] (list) as the id of exa
    lines('{"id": 1, "score": 2}', '{"id": null, "score": 2}')
    # -> `path1` … x.jsonl has None (NoneType) as the id of example 2. An id is an integer or
    lines('{"id": 4, "score": "x"}')
    # -> `path1` … has the score 'x' (str) for id 4, but a score is a number. Name another … column,
    #    score=….
    lines('{"id": 4, "score": "0.5"}')
    # -> `path1` … has the score '0.5' (str) for id 4, but a score is a number. Name another
    of('id,score\n1,"0,5"\n', "x.csv")
    # -> `path1` … has the score '0,5' (str) for id '1', but a score is a number. Name another
    of("id,score\n7,2\n8,1_0\n", "x.csv")
    # -> `path1` … the score '1_0' (str) for id '8'
    of("id,score\n7,2\n8,٣\n", "x.csv")
    # -> `path1` … the score '٣' (str) for id '8'
    lines('{"id": 4, "score": {"acc": 1}}')
    # -> `path1` … has the score {'acc': 1} (dict) … Name a value in it, score='score.acc'.
    lines('{"id": 4, "m": {"acc": 1, "f1": 0}}', score="score")
    # -> `path1` … It has 'id', 'm.acc', 'm.f1'. Name the
    of("id,score\n1,2\n3\n", "x.csv")
    # -> `path1` … x.csv, line 3: has 1 cell, and the header 2. Quote cells that hold a
    of('id,score\n1,"2\n3,4\n', "x.csv")
    # -> `path1` … line 2: is no line of a table: unexpected end of data. Close each quote, and
    of('id\tscore\n1\t2\n3\t"4\n5"\n', "x.tsv")
    # -> `path1` … x.tsv, line 4: has 1 cell, and the header 2. In TSV every line is a row


@refuses
def test_ids():
    of_id(1, 2, 3)
    # -> the runs do not hold the same examples. Affected ids: 2 not in a.jsonl: 2, 3. Run … all
    #    systems on the same examples, or leave these ids out, on_missing='drop'.
    of_id(1, 1)
    # -> Affected ids: 1 more than once in b.jsonl: 1. If they are repeated runs of an example, …
    #    average them, repeats=True. Run all
    cells("id,epoch,score\n1,1,1\n1,2,0\n")
    # -> more than once in … y.csv: '1'. If they are repeated runs of an example, average them,
    cells("id,measure,score\n1,AP,1\n1,RR,0\n", repeats=True)
    # -> `path1` … x.csv has no repeats in lines of one id: column 'measure' tells them apart. Write
    #    a table of each.
    of_id(2, on_missing="drop")
    # -> no example is left. Affected ids: 1 not in a.jsonl: 2; 1 not in b.jsonl: 1.
    of_id("1", "2", first=(1, 2))
    # -> a.jsonl has the id 1 (int) and … b.jsonl has the id '1' (str)
    of_id(1, 2, first=(1, "2"))
    # -> a.jsonl has the id 1 (int) and … a.jsonl has the id '2' (str)
    of_id("x", first=("x", 7), on_missing="drop")
    # -> a.jsonl has the id 7 (int) and … 'x' (str): a text never equ
    scored(ANSWERS, [{"id": k, "reference": k} for k in range(3)])
    # -> 2 have different references: 0, 2. Run all
    scored(ANSWERS, ANSWERS[:2])
    # -> 1 not in right.jsonl: 2. Run all systems on
    of_id(0, 1, 0, 1, 0, first=(0, 1), repeats=True, runs="mean")
    # -> 1 were run more than twice as often by one system: 0. Or draw as many runs of each as …
    #    runs='drawn'. Run all
    of([{"id": 1, "score": 1, "group": x} for x in "xy"], repeats=True)
    # -> x.jsonl has repeats of id 1 with different groups: ['x', 'y'] (li … Give
    #    them the same.
    cells("id,score,group\n1,1,a\n2,0,\n3,1,\n").compare()
    # -> 2 ids have no group: '2', '3'. Give an example without a group one of its own.
    of_references(None, 1, 2)  # a log that says nothing does not hide that two others disagree
    # -> 1 have different references: 1
