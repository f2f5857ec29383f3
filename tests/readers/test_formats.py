"""Which format a log has, by its name and its first line; and what is no log."""

import json
import os
from unittest.mock import patch

import pytest

from corpora.logs import GATE, LOGS, lm_eval, save
from extras import on_posix
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.formats import format_of, logs_in, read_logs
from pairedperm.readers.read_options import FORMATS, ReadOptions
from pairedperm.readers.text_file import TextFile

ROWS = [{"id": k, "score": k % 2} for k in range(4)]


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
        ("x.json", '[{"id": 1}]', "jsonl"),
        ("x.json", '[{"doc_id": 1, "resps": []}]', "lm_eval"),
        ("x.json", '{"doc_id": 1, "resps": []}\n', "lm_eval"),
        ("x.json", '{"per_task": [', "lerobot"),
        ("x.json", '{"evalId": null, "results": {', "promptfoo"),
        ("x.json", '{"testFile": "a.py", "testCases": [', "deepeval"),
        ("x.json", '{"a__b-1": {"patch_is_None": false', "swe_bench"),
        ("x.json", '{"id": "1", "task_name": "a"', "harbor"),
    ],
)
def test_format(name, content, wanted, put):
    assert format_of(TextFile("path1", put(name, content))) == wanted
    assert wanted in FORMATS


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[1]",
        '{"results": {}}',
        '{"id": 1}',
        b"[\xff",
        '{"id": "1", "results": [{}]}',
    ],
)
def test_other_json_is_no_log(content, put, tmp_path):
    table = put("x.json", json.dumps(ROWS))
    put("y.json", content)
    assert logs_in("paths", tmp_path) == [table]


def test_real_logs():
    for pattern, wanted in (
        ("lm_eval/*/*.jsonl", "lm_eval"),
        ("every_eval_ever/**/*_samples.jsonl", "every_eval_ever"),
        ("inspect/*/*", "inspect"),
        ("published/lm_eval/*.jsonl", "lm_eval"),
        ("published/every_eval_ever/*.jsonl", "every_eval_ever"),
        *((f"{x}/*.*", x) for x in ("promptfoo", "deepeval", "swe_bench", "harbor", "trec_eval")),
    ):
        paths = [*LOGS.glob(pattern)]
        assert paths
        assert {format_of(TextFile("path1", path)) for path in paths} == {wanted}
    logs = [*LOGS.rglob("*.jsonl"), *LOGS.rglob("*.eval"), *LOGS.glob("inspect/*/*.json")]
    for tool in ("promptfoo", "deepeval", "swe_bench", "harbor", "trec_eval"):
        logs += LOGS.glob(f"{tool}/*")
    assert logs_in("paths", LOGS) == sorted(logs)
    assert [x.parent.name for x in logs_in("paths", GATE)] == ["baseline", "candidate", "worse"]


def test_format_is_named(put):
    one, two = put("a.txt", ROWS), put("b.log", ROWS)
    assert len(read_runs(one, two, format="jsonl").ids) == 4


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
        (note,) = map(str, runs.notes)
        assert note.startswith("left out: 6 hidden files: ")
        assert all(name in note.replace(os.sep, "/") for name in HIDDEN)
        assert str(runs).splitlines()[1] == note


@on_posix
def test_links_that_lead_out_are_left_out(tmp_path):
    """So that a folder shows only what is in it; a file that is named itself may be a link."""
    token = save(tmp_path / "token.csv", "id,score,s3cr3t\n1,0,x\n2,1,x\n")
    for k, name in enumerate("ab"):
        (tmp_path / "all" / name).mkdir(parents=True)
        save(tmp_path / "all" / name / "x.jsonl", [x | {"score": k} for x in ROWS])
    plain = read_folder(tmp_path / "all")
    for name, target in (("c.csv", token), ("d", tmp_path), (".e.csv", token)):
        (tmp_path / "all" / "b" / name).symlink_to(target)
    (tmp_path / "all" / "b" / "broken.csv").symlink_to(tmp_path / "nothing")
    (tmp_path / "all" / "b" / "loop.csv").symlink_to("loop.csv")
    runs = read_folder(tmp_path / "all")
    assert runs.leaderboard() == plain.leaderboard()
    (note,) = map(str, runs.notes)
    assert note.startswith("left out: 2 links out of the folder: ")
    assert note.endswith(f"{os.path.join('b', 'd')}")
    (tmp_path / "all" / "c").mkdir()
    (tmp_path / "all" / "c" / "in.jsonl").symlink_to(tmp_path / "all" / "a" / "x.jsonl")
    assert len(read_folder(tmp_path / "all").systems) == 3
    with pytest.raises(InputError) as caught:
        read_folder(tmp_path / "all" / "c", tmp_path / "all" / "a")
    assert "It is empty. Links that lead out of it are left out." in str(caught.value)
    alone = read_logs("paths", tmp_path / "all" / "b" / "c.csv", ReadOptions())
    assert alone[0].scores == {"score": [0, 1]}


@on_posix
def test_links_of_the_cache_of_the_hub(tmp_path):
    """They lead to the blobs beside the snapshots, as huggingface_hub makes them."""
    cache = tmp_path / "datasets--me--logs"
    for name in ("blobs", "snapshots/0a1b/x"):
        (cache / name).mkdir(parents=True)
    for k, name in enumerate("ab"):
        save(cache / "blobs" / f"{k}{k}", [x | {"score": k} for x in ROWS])
        (cache / "snapshots/0a1b/x" / f"{name}.jsonl").symlink_to(f"../../../blobs/{k}{k}")
    for folder in ("snapshots/0a1b", "snapshots/0a1b/x"):
        assert read_folder(cache / folder).notes == ()


@on_posix
def test_results_beside_that_lead_out(tmp_path):
    """A link beside a log is refused, within the folder or alone; within the folder it may be."""
    log = lm_eval("naive_bayes")
    (results,) = log.parent.glob("results_*.json")
    run = tmp_path / "all" / "run"
    run.mkdir(parents=True)
    save(run / log.name, log.read_bytes())
    (run / results.name).symlink_to(save(tmp_path / "all" / "r.json", results.read_bytes()))
    (read,) = read_logs("paths", tmp_path / "all", ReadOptions())
    assert read.model == "scikit-learn/naive_bayes"
    for path in (run, run / log.name):
        with pytest.raises(InputError, match=r"is a link that leads out of .* Copy the file there"):
            read_logs("paths", path, ReadOptions())


def test_a_hidden_file_that_is_named(put):
    assert len(read_runs(put(".a.jsonl", ROWS), put("b.jsonl", ROWS)).ids) == 4


STRAY = {
    "predictions.jsonl": '{"id": 1, "prediction": "a"}\n',
    "notes.csv": "run;cost\n1;2\n",
    "samples_x_2026-11-24T15-05-49.097384.jsonl": "",
    "scores.json": '[{"id": 1, "score": 0}]',
}


@pytest.mark.parametrize("name", [*STRAY])
def test_files_beside_logs_are_left_out(name, tmp_path):
    logs = [lm_eval(x) for x in ("logistic_regression", "naive_bayes")]
    folders = [tmp_path / x for x in "ab"]
    for folder, path in zip(folders, logs, strict=True):
        folder.mkdir()
        save(folder / path.name, path.read_bytes())
    save(folders[0] / name, STRAY[name])
    runs = read_runs(*folders)
    assert runs.compare("acc") == read_runs(*logs).compare("acc")
    note = f"left out: 1 file of another format or empty: {folders[0] / name}"
    assert [*map(str, runs.notes)] == [*map(str, read_folder(tmp_path).notes)] == [note]
    assert read_runs(*folders, format="lm_eval").ids == runs.ids


def test_a_format_chooses_files_of_a_folder(tmp_path):
    """Also where others are tables as well; if none is of it, all are read so."""
    for x in "ab":
        save(tmp_path / f"{x}.csv", f"id,score\n1,{int(x == 'a')}\n")
    save(tmp_path / "predictions.jsonl", STRAY["predictions.jsonl"])
    with pytest.raises(InputError, match=r"predictions\.jsonl"):
        read_folder(tmp_path).leaderboard()
    assert read_folder(tmp_path, format="csv").leaderboard().scores == {"a": 1, "b": 0}
    (tmp_path / "predictions.jsonl").unlink()
    with pytest.raises(InputError, match="no JSON"):
        read_folder(tmp_path, format="jsonl")


def test_a_file_that_is_cut_off_is_not_left_out(tmp_path):
    path = lm_eval("naive_bayes")
    for name, content in ((path.name, path.read_bytes()), ("cut.jsonl", path.read_bytes()[:99])):
        save(tmp_path / name, content)
    with pytest.raises(InputError, match=r"cut\.jsonl, line 1: is no JSON"):
        read_runs(tmp_path, path)


@on_posix
def test_no_log_is_a_pipe(tmp_path, put):
    """It would wait for ever."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name in "ab":
        put(f"{name}.jsonl", ROWS)
    assert [*read_folder(tmp_path).systems] == ["a", "b"]


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


def test_all_tables_are_one_format(put):
    table = put("c.csv", "id,score\n" + "\n".join(f"{k},{k % 2}" for k in range(4)))
    assert len(read_runs(put("a.jsonl", ROWS), table).ids) == 4


LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:11\nsize 42\n"
HELM = '[{"instance_id": "id1", "train_trial_index": 0, "stats": []}]'
UNREAD = {
    "x.json": [
        (
            '{"schema_version": "0.2", "evaluation_id": "a", "retrieved_timestamp": "1"',
            "Every Eval",
        ),
        (
            '{"schema_version": "0.3", "evaluation_id": "a", "evaluation_timestamp": "1"',
            "Every Eval",
        ),
        ('{\n "version": 1,\n "results": [', "old version of promptfoo"),
        ('{"results": {"version": 2, "results": [', "old version of promptfoo"),
        ('{"testRunLink": "https://', "a link to a test run of DeepEval"),
        ('{"id": "1", "started_at": "2026", "n_total_trials": 20', "averages of a run of Harbor"),
        ('{"id": "1", "trial_name": "a.1-of-5"', "one trial of Terminal-Bench"),
        ('{"trial_name": "a.1-of-5"', "one trial of Terminal-Bench"),
    ],
    "x.txt": [
        ("301 Q0 FR94 104 2.1 STANDARD\n", "rankings"),
        ("301\t0\tCR93\t0\r\n", "judgements"),
    ],
    "results_2026.json": [
        ('{"results": {}, "n-samples": {}}', "averages of lm-evaluation-harness")
    ],
}


@pytest.mark.parametrize(
    ("name", "content", "words"), [(name, *x) for name, some in UNREAD.items() for x in some]
)
def test_files_that_are_no_logs(name, content, words, tmp_path):
    """They are named where no log is found; beside logs they are left alone."""
    one, two = (save(tmp_path / f"{x}.jsonl", ROWS) for x in "ab")
    (tmp_path / "of_other").mkdir()
    path = save(tmp_path / "of_other" / name, content)
    for given in (path, path.parent):
        with pytest.raises(
            InputError, match=f"`path1`: .*{name} (is|has) .*{words}.*(Give|Eval|Run|Set)"
        ):
            read_runs(given, one)
    assert [*read_folder(tmp_path).systems] == [one.stem, two.stem]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        *(
            (f"x.{x}", LFS, r"is a pointer of Git LFS.*git lfs pull")
            for x in ("jsonl", "csv", "eval")
        ),
        ("per_instance_stats.json", HELM, "is a log of HELM.*Convert the run with Every Eval Ever"),
    ],
)
def test_files_that_are_called_logs(name, content, words, tmp_path):
    path, table = save(tmp_path / name, content), save(tmp_path / "a.jsonl", ROWS)
    with pytest.raises(InputError, match=words):
        read_runs(path, table)


def test_a_file_that_others_may_not_read(tmp_path):
    save(tmp_path / "x.txt", "secret")
    closed = patch("pathlib.Path.open", side_effect=PermissionError(13, "Permission denied"))
    with closed, pytest.raises(InputError, match="no log was found"):
        read_folder(tmp_path)
