"""Which format a log has, by its name and its first line; and what is no log."""

import os
import re
import socket

import datasets
import pytest

from corpora.logs import GATE, LOGS, every_eval_ever, inspect, lm_eval, objects, save
from extras import on_posix
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.formats import FORMATS, format_of, logs_in
from pairedperm.readers.log_file import LogFile

ROWS = [{"id": k, "score": k % 2} for k in range(4)]
KNOWN = (
    r"Known formats: tables \(\.jsonl, \.csv, \.tsv, \.parquet\) and logs of lm-evaluation-harness"
)


LOG_OF = {"lm_eval": lm_eval, "every_eval_ever": every_eval_ever, "inspect": inspect}


@pytest.mark.parametrize(("kind", "log_of"), LOG_OF.items(), ids=LOG_OF)
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"group": "doc"}, "group='doc'. For groups write a table of id, score and group."),
        ({"score": ["score", "x"]}, "score='score'. Name a metric of the log, metric=…."),
        ({"prediction": "answer"}, "prediction='answer'."),
    ],
    ids=["group", "score", "prediction"],
)
def test_only_tables_have_columns(kind, log_of, columns, message):
    """A column that is named is never ignored."""
    path = log_of("naive_bayes")
    what = f"is of format {kind!r}, and only tables have columns: leave out {message}"
    for read in (read_runs, read_folder):
        with pytest.raises(InputError, match=f"{re.escape(what)}$"):
            read(path, log_of("logistic_regression"), **columns)


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("x.jsonl", ROWS, "jsonl"),
        ("x.NDJSON", ROWS, "jsonl"),
        ("x.csv", "", "csv"),
        ("x.TSV", "", "tsv"),
        ("x.parquet", "", "parquet"),
        ("x.eval", "", "inspect"),
        ("x.json", '\ufeff {\n "version" : 2, "status": "success"', "inspect"),
        ("x.jsonl", '\n{"doc_id": 1, "resps": []}', "lm_eval"),
        ("x.jsonl", '{"doc_id": 1, "filtered_resps": []}', "lm_eval"),
        ("x.jsonl", '{"doc_id": 1, "score": 1}', "jsonl"),
        ("x.jsonl", '{"schema_version": 1, "sample_id": 2, "evaluation": {}}', "every_eval_ever"),
        ("x.jsonl", '{"schema_version": 1, "sample_id": 2}', "jsonl"),
    ],
)
def test_format(name, content, wanted, put):
    assert format_of(LogFile("path1", put(name, content))) == wanted
    assert wanted in FORMATS


def test_real_logs():
    for pattern, wanted in (
        ("lm_eval/*/*.jsonl", "lm_eval"),
        ("every_eval_ever/**/*_samples.jsonl", "every_eval_ever"),
        ("inspect/*/*", "inspect"),
        ("published/lm_eval/*.jsonl", "lm_eval"),
        ("published/every_eval_ever/*.jsonl", "every_eval_ever"),
    ):
        paths = [*LOGS.glob(pattern)]
        assert paths
        assert {format_of(LogFile("path1", path)) for path in paths} == {wanted}
    logs = [*LOGS.rglob("*.jsonl"), *LOGS.rglob("*.eval"), *LOGS.glob("inspect/*/*.json")]
    assert logs_in("paths", LOGS) == sorted(logs)
    assert [x.parent.name for x in logs_in("paths", GATE)] == ["baseline", "candidate", "worse"]


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.txt", "1"), ("x.json", '{"id": 1}'), ("x.json", b"\xff\x00"), ("x", "id,score\n1,2")],
)
def test_of_no_known_format(name, content, put):
    message = rf"^`path1`: .*{name} is of no known format\. {KNOWN}.* Name its format, format=…\.$"
    with pytest.raises(InputError, match=message):
        read_runs(put(name, content), put("b.jsonl", ROWS))


def test_format_is_named(put):
    one, two = put("a.txt", ROWS), put("b.log", ROWS)
    assert len(read_runs(one, two, format="jsonl").ids) == 4
    with pytest.raises(
        InputError, match=r"`path1`: .*a\.txt, line 1: lacks the keys of lm-evaluat"
    ):
        read_runs(one, two, format="lm_eval")
    with pytest.raises(InputError, match=r"`format` must be one of 'jsonl', 'csv', .*, got 'xlsx'"):
        read_runs(one, two, format="xlsx")


@pytest.mark.parametrize("path", [None, 3, b"a.jsonl", ["a.jsonl"], {"id": [1]}])
def test_no_path(path, put):
    message = r"must be the path of a log, str or os\.PathLike, or a datasets\.Dataset, got "
    good = put("a.jsonl", ROWS)
    with pytest.raises(InputError, match=f"`path2` {message}"):
        read_runs(good, path)
    with pytest.raises(InputError, match=f"`paths` {message}"):
        read_folder(path)
    if path is not None:
        with pytest.raises(InputError, match=f"`references` {message}"):
            read_runs(good, put("b.jsonl", ROWS), references=path)


def test_a_dataset_of_several_splits(put):
    splits = datasets.DatasetDict(test=datasets.Dataset.from_list(ROWS))
    with pytest.raises(
        InputError, match=r"a log, .*, got DatasetDict.* splits, such as path1\['test'\]"
    ):
        read_runs(splits, put("b.jsonl", ROWS))


def test_paths_in_a_list(put):
    paths = [put("a.jsonl", ROWS), put("b.jsonl", ROWS)]
    with pytest.raises(
        InputError, match=r"`paths` must be .*Pass its entries one by one, \*paths\."
    ):
        read_folder(paths)
    assert len(read_folder(*paths).systems) == 2


def test_references_that_are_no_table(put):
    one, two = put("a.jsonl", ROWS), put("b.jsonl", ROWS)
    for path, message in (
        (
            lm_eval("naive_bayes"),
            r"samples_.* is of format 'lm_eval': give a table of ids and 'reference'",
        ),
        (put("x.txt", "1"), "is of no known format"),
        (
            put("x.jsonl", [{"id": 1, "answer": 2}]),
            r"has none of 'reference'\. It has 'id', 'ans",
        ),
    ):
        with pytest.raises(InputError, match=f"^`references`: .*{message}"):
            read_runs(one, two, references=path)


def test_folders_without_logs(tmp_path, put):
    (tmp_path / "empty").mkdir()
    good = put("a.jsonl", ROWS)
    with pytest.raises(
        InputError, match=rf"^`path2`: no log was found in .*empty\. It is empty\. {KNOWN}"
    ):
        read_runs(good, tmp_path / "empty")
    for k in range(12):
        save(tmp_path / "empty" / f"{k:02}.txt", "x")
    save(tmp_path / "empty" / "results.json", '{"results": 1}')
    listed = r"It has 00\.txt, 01\.txt, .*07\.txt and 5 more\."
    with pytest.raises(InputError, match=rf"`path1`: no log was found in .*empty\. {listed}"):
        read_runs(tmp_path / "empty", good)


HIDDEN = {
    ".ipynb_checkpoints/a-checkpoint.csv": "id,score\n0,1\n1,1\n2,1\n3,1\n",
    "deeper/.x/y/c.jsonl": ROWS,
    "deeper/._b.jsonl": b"\x00\x05\x16\x07",  # as macOS writes beside each file
    "._b.csv": b"\x00\x05\x16\x07",
    ".b.eval": b"PK",
    ".log.json": '{"version": 2, "status": "success"',
}


@pytest.mark.parametrize("other", [".DS_Store", ".gitignore", ".x/settings.json"])
def test_hidden_files_are_left_out(other, tmp_path):
    """It is said of those that would be logs: of `other` nobody asks."""
    for k, name in enumerate("ab"):
        (tmp_path / "all" / name).mkdir(parents=True)
        save(tmp_path / "all" / name / f"{name}.jsonl", [x | {"score": k} for x in ROWS])
    plain = read_folder(tmp_path / "all")
    assert plain.notes == ()
    for name, content in {**HIDDEN, other: "{}"}.items():
        path = tmp_path / "all" / "a" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path, content)
    for runs in (
        read_folder(tmp_path / "all"),
        read_folder(*(tmp_path / "all" / x for x in "ab")),
        read_runs(*(tmp_path / "all" / x for x in "ab")),
    ):
        assert runs.leaderboard() == plain.leaderboard()
        (note,) = runs.notes
        assert note.startswith("left out: 6 hidden files: ")
        assert all(name in note.replace(os.sep, "/") for name in HIDDEN)
        assert str(runs).splitlines()[1] == note


def test_a_folder_of_hidden_files(tmp_path, put):
    (tmp_path / "all").mkdir()
    hidden = save(tmp_path / "all" / ".a.jsonl", ROWS)
    with pytest.raises(InputError, match=r"It has \.a\.jsonl\. Hidden files are left out\. Known"):
        read_folder(tmp_path / "all")
    assert len(read_runs(hidden, put("b.jsonl", ROWS)).ids) == 4  # it was named


@on_posix
def test_no_regular_file(tmp_path, put, monkeypatch):
    """It is looked at before it is opened; in a folder it is no log."""
    good = put("a.jsonl", ROWS)
    os.mkfifo(tmp_path / "pipe.jsonl")
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
    for path, why in (
        (tmp_path / "pipe.jsonl", "it is a pipe, no regular file: save its content as a file"),
        ("socket", "it is a socket, no regular file"),
        (os.devnull, "it is a device, no regular file"),
        (tmp_path / "none.jsonl", "No such file or directory"),
        ("a\0b", ".*embedded null"),
    ):
        for format in (None, "jsonl", "csv", "inspect"):
            message = rf"^`path1`: .* cannot be read: {why}.*Give the path of a log\.$"
            with pytest.raises(InputError, match=message):
                read_runs(path, good, format=format)
    put("b.jsonl", ROWS)
    assert [*read_folder(tmp_path).systems] == ["a", "b"]


@pytest.mark.parametrize("path", ["a\0b", "\x1b[31m", "\ud800", "x" * 5000, "y/" * 5000])
def test_messages_show_any_path(path):
    with pytest.raises(InputError, match=r"^`path1`: .* cannot be read: ") as caught:
        read_runs(path, path)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message.encode()) < 500


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv", "x.tsv", "x.parquet"])
def test_empty_files(name, put):
    good = put("a.jsonl", ROWS)
    with pytest.raises(
        InputError, match=rf"^`path2`: .*{name} is empty: at least one example is need"
    ):
        read_runs(good, put(name, ""))
    if name in ("x.jsonl", "x.csv", "x.tsv"):
        with pytest.raises(InputError, match=rf"{name} is empty"):
            read_runs(good, put(name, "\n  \n\n" if name == "x.jsonl" else "\n\n"))


def test_files_that_are_cut(put):
    """In the middle of a line: of what was written before, nothing is compared."""
    good = put("a.jsonl", ROWS)
    content = good.read_text("utf-8")
    for cut in range(1, len(content)):
        path = put("b.jsonl", content[:cut])
        message = (
            rf"b\.jsonl, line {content[:cut].count(chr(10)) + 1}: is no JSON, .*Is the file cut of"
        )
        if content[cut - 1] in "}\n":
            message = "the runs do not hold the same examples"
        with pytest.raises(InputError, match=message):
            read_runs(good, path)


def test_a_file_in_a_folder_that_cannot_be_read(put, tmp_path, monkeypatch):
    """A JSON file is opened to see what it is."""

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pairedperm.readers.inspect_log.is_inspect_json", refuse)
    put("x.json", "{}")
    with pytest.raises(
        InputError, match=r"^`paths`: .*x\.json cannot be read: Permission denied\."
    ):
        read_folder(tmp_path)


def test_formats_that_differ(put):
    """Between the runs; all tables are one."""
    one = put("a.jsonl", ROWS)
    rows = [{"id": x["doc_id"], "score": x["acc"]} for x in objects(lm_eval("naive_bayes"))]
    with pytest.raises(
        InputError,
        match=r"^the runs are of different formats: .* is lm_eval; .*b.jsonl is a table",
    ):
        read_runs(lm_eval("naive_bayes"), put("b.jsonl", rows), task="tumors")
    with pytest.raises(InputError, match=r"is every_eval_ever; .* is lm_eval"):
        read_runs(every_eval_ever("naive_bayes"), lm_eval("naive_bayes"))
    table = put("c.csv", "id,score\n" + "\n".join(f"{k},{k % 2}" for k in range(4)))
    assert len(read_runs(one, table).ids) == 4


def test_a_folder_of_logs_of_one_system(put, tmp_path):
    """Whose results are beside them, and are no logs."""
    assert [x.suffix for x in logs_in("path1", GATE / "baseline")] == [".jsonl"]
    assert inspect("naive_bayes", ending="json") in logs_in("path1", inspect("naive_bayes").parent)
