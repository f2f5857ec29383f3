"""Logs and tables that are refused: their paths, formats, lines and columns."""

import gzip
import json
import os
import socket
from pathlib import Path
from unittest.mock import patch

import datasets

from corpora.logs import as_lines, every_eval_ever, inspect, lm_eval, lm_eval_log, objects, save
from extras import on_posix
from pairedperm.readers import read_folder, read_runs
from refusals import asks, refusal, refuses

ROWS = [{"id": k, "score": k % 2} for k in range(4)]
KNOWN = "Known formats: tables (.jsonl, .csv, .tsv, .parquet, a list in .json) and logs of"
GIVE = "Give the path of a log."
TWICE = '{"id": 2, "score": 1, "score": 0}'
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


def compressed(content, name, **options):
    """Read a compressed file of a content, or one that is compressed already."""
    content = content if isinstance(content, bytes) else gzip.compress(content.encode())
    return of(content, f"{name}.gz", **options)


def with_long_results():
    """Logs of lm-evaluation-harness whose results are long."""
    for folder in "ab":
        log = lm_eval_log(Path(folder), {"acc": [1, 0]}, {"acc": 0.5})
        (beside_it,) = log.parent.glob("results*")
        save(beside_it, beside_it.read_bytes() + b" " * 10**5)
    return read_runs("a", "b", max_bytes=50_000)


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


def bound():
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
    return "socket"


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


@refuses
def test_paths():
    beside(3)
    # -> `path1` must be the path of a log, str or os.PathLike, or a datasets.Dataset, got 3 (
    read_runs(put(ROWS), ["x.jsonl"])
    # -> `path2` … got ['x.jsonl'] (list).
    read_folder(None)
    # -> `paths` must be the path of a log … got None
    read_folder([put(ROWS), put(ROWS)])
    # -> `paths` must be the path of a log … Pass its entries one by one, *paths.
    right(b"x.jsonl")
    # -> `references` must be the path of a log … (bytes)
    beside(splits())
    # -> `path1` … got DatasetDict … Pass one of its splits, such as path1['test'].
    right("none.csv")
    # -> `references` … none.csv cannot be read: No such file or
    read_folder(put(ROWS), "none")
    # -> `paths[1]` … none cannot be read: No such
    beside("\x1b[31m")
    # -> `path1` … \x1b[31m cannot be read:
    beside("\ud800")
    # -> `path1` … cannot be read:
    beside("y/" * 5000)
    # -> `path1` … y/y/y … … … cannot be read:
    read_folder(folder("results.json", *(f"{k:02}.txt" for k in range(12))))
    # -> `paths` … no log was found in all. It has 00.txt, 01.txt, … 07.txt and 5 more. Known
    read_folder(folder(".a.jsonl"))
    # -> `paths` … It has .a.jsonl. Hidden files are left out. Known
    averages("results_2024-07-01T10-00-00.123.json", "folder")
    # -> `path1`: folder … results_2024-07-01T10-00-00.123.json has averages of lm-evaluation-har …
    #    and no scores of examples. Evaluate again with `--log_samples`, and give the samples_….js
    averages("other.json")
    # -> `path1` … other.json is of no known format. Known


test_paths_in_rows = asks(
    refusal(
        lambda: beside("none.jsonl"),
        *("path1", f"none.jsonl cannot be read: No such file or directory. {GIVE}"),
    ),
    refusal(lambda: beside("a\0b"), "path1", "a\\x00b cannot be read: ", "embedded null", GIVE),
    refusal(of_secrets, "paths", "x.json cannot be read: Permission denied. ", GIVE),
    refusal(lambda: beside(folder()), "path1", f"no log was found in all. It is empty. {KNOWN}"),
)

test_no_regular_files = on_posix(
    asks(
        *(
            refusal(
                lambda x=x: beside(pipe(), format=x),
                *(
                    "path1",
                    "pipe.jsonl cannot be read: it is a pipe, no regular file: save its con",
                ),
                GIVE,
            )
            for x in (None, "csv", "inspect")
        ),
        refusal(lambda: right(pipe("right.csv")), "references", "right.csv cannot be read: it is"),
        refusal(lambda: beside(bound()), "path1", "it is a socket, no regular file", GIVE),
        refusal(lambda: beside(os.devnull), "path1", "it is a device, no regular file", GIVE),
        refusal(
            lambda: results(None), "path1", "is no JSON of results, it is a pipe, no regular file"
        ),
    )
)


@refuses
def test_formats():
    of('{"id": 1}', "x.json")
    # -> `path1` … x.json is of no known format
    of("id,score\n1,2", "x")
    # -> `path1` … x is of no known format
    right(put("1", "x.txt"))
    # -> `references` … x.txt is of no known format
    right(lm_eval("naive_bayes"))
    # -> `references` … is of format 'lm_eval': give a table of ids and 'reference'.
    beside(lm_eval("naive_bayes"), group="doc")
    # -> `path1` … is of format 'lm_eval', and only tables have columns: leave out group='doc'. …
    #    For groups write a table of id, score and group.
    read_folder(every_eval_ever("naive_bayes"), score=["score", "x"])
    # -> `paths` … is of format 'every_eval_ever', and only tables have columns: leave out …
    #    score='score'. Name a metric of the log, metric=….
    beside(inspect("naive_bayes"), prediction="answer")
    # -> `path1` … is of format 'inspect', and only tables … leave out prediction='answer'.
    beside(lm_eval("naive_bayes"), task="tumors")
    # -> the runs are of different formats: … is lm_eval; good.jsonl is a table. … Compare logs of
    #    one tool, or write both as tables of id and score.
    of_tool(lm_eval, {"id": 3, "score": 1})
    # -> `path1` … x.jsonl, line 17: lacks the keys of lm-evaluation-harness, doc_id and resps. … Is
    #    the file of another format, or of several? Give each format a file of its own.
    of_tool(every_eval_ever, {"sample_id": 1.5})
    # -> `path1` … line 33: has the sample_id 1.5 (float): give an integer or a text.
    results("{")
    # -> `path1` … results_ … .json is no JSON of results, Expecting … Write it again, or rem
    results("[1]")
    # -> `path1` … .json is no JSON object of results. Write it again, or remove it.
    results("[" * 100_000)
    # -> `path1` … is no JSON of results, maximum recursion
    results(b"\xff{")
    # -> `path1` … .json is no UTF-8 text, … Save it as UTF-8.


test_formats_in_rows = asks(
    refusal(
        lambda: of("1", "x.txt"),
        *("path1", f"x.txt is of no known format. {KNOWN}", " Name its format, format=…."),
    ),
    *(
        refusal(
            lambda x=x: of_tool(lm_eval, {"doc_id": x}),
            *("path1", "line 17: has the doc_id ", kind, ": give an integer or a text."),
        )
        for x, kind in ((None, "None"), (True, "True (bool)"), ("", "''"))
    ),
)


@refuses
def test_lines():
    of("\ufeff\n", format="jsonl")
    # -> `path1` … x.jsonl is empty: at least one
    lines("", "{")
    # -> `path1` … x.jsonl, line 2: is no JSON
    lines(*GOOD, '{"id": 8')
    # -> `path1` … x.jsonl, line 9: is no JSON, Expecting … . Is the file cut off? Give one JS
    lines(*GOOD, '{"a": ' + "[" * 99_999 + "]" * 99_999 + "}")
    # -> `path1` … line 9: is no JSON, maximum recursion
    lines(*GOOD, '{"a": ' + "1" * 5000 + "}")
    # -> `path1` … line 9: is no JSON,
    lines(*GOOD, "[1, 2]", "null")
    # -> `path1` … line 9: is no JSON object, but [1, 2] (list). Give one object per line.
    lines("", "3")
    # -> `path1` … line 2: is no JSON object, but 3 (int)
    lines('{"id": 1, "score": 1}', TWICE)
    # -> `path1` … x.jsonl, line 2: has the key 'score' twice. Name each value once.
    lines('{"id": 1, "score": 1, "x": {"score": 1}}', TWICE)
    # -> `path1` … line 2: has the key 'score' twice
    lines('{"id": 1, "score": 2, "x": [{"score": 1, "score" : 2}]}')
    # -> `path1` … line 1: has the key 'score' twice
    lines('{"id": 1}', TWICE, '{"id": 3, "score": 1}')
    # -> `path1` … line 2: has the key 'score' twice
    lines('{"id": 1, "score" : 1, "score" : 0}')
    # -> `path1` … line 1: has the key 'score' twice
    of(f"[{TWICE}]", "x.json")
    # -> `path1` … x.json has the key 'score' twice. Name each value once.
    of('[{"id": 1}, 2]')
    # -> `path1` … x.jsonl, entry 2: is no JSON object, but 2 … Give one object per entry.
    of('[{"id": 1},\n{"id"')
    # -> `path1` … x.jsonl is no JSON, … : line 2 … Is the file cut off? Give one list of objects.
    of('[{"id": 1}]\n[{"id": 2}]')
    # -> `path1` … x.jsonl is no JSON, Extra data … ). Give one list of objects.
    of("[]")
    # -> `path1` … x.jsonl is empty: at least one
    of("", "x/samples_t_2026-11-24T15-05-50.2.jsonl", format="jsonl")
    # -> `path1` … is empty: at least one
    compressed("", "x.jsonl")
    # -> `path1` … x.jsonl.gz is empty: at least one example is needed.
    compressed('{"id": 1}\n{"id": 2', "x.jsonl")
    # -> `path1` … x.jsonl.gz, line 2: is no JSON
    compressed(gzip.compress(b"") * 10**5, "x.jsonl", max_bytes=10**6)  # endless empty members
    # -> `path1` … would take more than 1,000,000 bytes
    compressed(as_lines(ROWS) * 99, "x.jsonl", max_bytes=999)
    # -> `path1` … x.jsonl.gz would take more than 999 bytes
    with_long_results()
    # -> `path1` … results_ … would take more than 50,000 bytes
    right(put("id,reference\n" + "1,1\n" * 10**5, "gold.csv"), max_bytes=50_000)
    # -> `references` … gold.csv would take more than 50,000 bytes
    of(b"\xff\xfe{")
    # -> `path1` … x.jsonl is no UTF-8 text, 'utf-8' codec can't decode … . Save it as UTF-8.
    of(inspect("naive_bayes").read_bytes()[:999], "x.csv")
    # -> `path1` … no UTF-8 text
