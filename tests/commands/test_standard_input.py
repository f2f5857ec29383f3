"""`-` among the logs: standard input, JSON Lines unless `--format` says otherwise."""

import gzip
import io
import os
import subprocess
import sys
import time

import pytest

from commands.conftest import TEXTS as FILES
from corpora.logs import GATE, LOGS, inspect
from extras import needs, on_posix

CELLS = "id,score\n" + "".join(f"{k},{k % 2}\n" for k in range(100))


@pytest.fixture
def pipe(monkeypatch):
    """Give standard input some bytes."""

    def give(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return give


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (FILES["new"].encode(), "jsonl"),
        (b"\xef\xbb\xbf\n" + FILES["new"].encode(), "jsonl"),
        (gzip.compress(FILES["new"].encode(), mtime=0), "jsonl"),
        (CELLS.encode(), "csv"),
        (CELLS.replace(",", "\t").encode(), "tsv"),
    ],
)
def test_tables(logs, here, found, pipe, content, wanted):
    """As a file with the ending of its format; it has no name of its own."""
    (here / f"copy.{wanted}").write_bytes(content)
    other = "old.jsonl" if wanted == "jsonl" else f"old.{wanted}"
    (here / "old.csv").write_text(CELLS, "utf-8")
    (here / "old.tsv").write_text(CELLS.replace(",", "\t"), "utf-8")
    flags = () if wanted == "jsonl" else ("--format", wanted)
    expected = found("compare", f"copy.{wanted}", other)
    pipe(content)
    assert found("compare", "-", other, *flags) == expected | {"system1": "standard input"}


def test_parquet(logs, here, found, pipe):
    table = here / "copy.parquet"
    needs("pandas", "test").read_json("new.jsonl", lines=True).to_parquet(table)
    pipe(table.read_bytes())
    assert found("compare", "-", table, "--format", "parquet")["n_wins"] == 0


def test_logs(found, pipe):
    """The task of one is in its name, which a pipe has not; the other tells it."""
    one, two = (next((GATE / x).glob("*.jsonl")) for x in ("candidate", "baseline"))
    pipe(one.read_bytes())
    out = found("compare", "-", two, "--metric", "acc")
    assert (out["task"], out["p"]) == ("tumors", found("compare", one, two, "--metric", "acc")["p"])


def test_logs_of_one_name(found, pipe):
    """The other is named by its folder, standard input by none; a folder of a run there is none."""
    one, two = sorted(LOGS.glob("trec_eval/*"))
    trial = next(LOGS.glob("harbor/*"))
    for path, other, tool in ((one, two, "trec_eval"), (trial, trial, "harbor")):
        pipe(path.read_bytes())
        metric = "map" if path == one else "reward"
        out = found("compare", "-", other, "--metric", metric, "--format", tool)
        assert out["system1"] == "standard input"


def test_logs_of_inspect_ai(found, pipe):
    needs("inspect_ai.log", "inspect")
    one, two = (inspect(x) for x in ("naive_bayes", "logistic_regression"))
    pipe(one.read_bytes())
    out = found("compare", "-", two, "--format", "inspect")
    assert out["p"] == found("compare", one, two)["p"]


def test_where_it_may_stand(logs, said, pipe):
    """For any log of any command, also for references; names are given as of files."""
    for command in (
        ("gate", "-", "--baseline", "new.jsonl"),
        ("gate", "new.jsonl", "--baseline", "-"),
        ("leaderboard", "old.jsonl", "-"),
        ("power", "-", "old.jsonl"),
    ):
        pipe(FILES["new"].encode())
        assert said(*command)
    pipe(FILES["right"].encode())
    assert said("compare", "plain1.jsonl", "plain2.jsonl", "--references", "-")


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (
            gzip.compress(bytes(10**6)),
            ("-", "old.jsonl", "--max-bytes", "10000"),
            "A: standard input would take more than 10,000 bytes, and no more are read. If you "
            "trust it, raise the limit, --max-bytes ….",
        ),
        (
            b"\n" * 10**6,
            ("old.jsonl", "-", "--max-bytes", "10000"),
            "B: standard input would take more than 10,000 bytes",
        ),
        (b"", ("-", "-"), "`-` is standard input, which is read once: save one as a file. Try"),
        (b"", ("-", "old.jsonl", "--references", "-"), "`-` is standard input, which is read once"),
        (b"", ("-", "old.jsonl"), "A: standard input is empty: at least one example is needed"),
        (b'\n{"id": 1', ("-", "old.jsonl"), "A: standard input, line 2: is no JSON"),
        (b"id,score", ("-", "old.jsonl"), "A: standard input, line 1: is no JSON"),
        (
            gzip.compress(b"x" * 99, mtime=0)[:-4],
            ("old.jsonl", "-"),
            "B: standard input cannot be read:",
        ),
    ],
)
def test_refused(logs, refusal_names, pipe, content, arguments, message):
    pipe(content)
    refusal_names(("compare", *arguments), message)


@on_posix
@pytest.mark.thorough
def test_a_copy_goes_with_its_command(tmp_path):
    """Also if that is ended from outside."""
    command = [sys.executable, "-m", "pairedperm", "compare", "-", "x"]
    options = {"env": {**os.environ, "TMPDIR": str(tmp_path)}, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, stdin=subprocess.PIPE, **options) as process:
        for _ in range(600):
            if [*tmp_path.glob("*/stdin.jsonl")]:
                break
            time.sleep(0.1)
        process.terminate()
        assert process.wait(30) == 2
        assert b"error: interrupted." in process.stderr.read()
    assert [*tmp_path.iterdir()] == []
