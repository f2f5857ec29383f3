"""`-` among the logs: standard input, JSON Lines unless `--format` says otherwise."""

import gzip
import io
import os
import subprocess
import sys
import time

import pytest

from commands.files import TABLES, asked, jsonl, run
from corpora.logs import GATE
from extras import on_posix

FILES = {name: jsonl(columns).encode() for name, columns in TABLES.items()}
CELLS = b"id,score\n" + b"".join(b"%d,%d\n" % (k, k % 2) for k in range(100))


@pytest.fixture
def pipe(monkeypatch):
    """Give standard input some bytes."""

    def give(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return give


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"\xef\xbb\xbf\n" + FILES["new"], "jsonl"),
        (gzip.compress(FILES["new"], mtime=0), "jsonl"),
        (CELLS, "csv"),
    ],
)
def test_tables(logs, here, found, pipe, content, wanted):
    """As a file with the ending of its format; it has no name of its own."""
    (here / f"copy.{wanted}").write_bytes(content)
    (here / "old.csv").write_bytes(CELLS)
    flags = "" if wanted == "jsonl" else f"--format {wanted}"
    expected = found(f"compare copy.{wanted} old.{wanted}")
    pipe(content)
    assert found(f"compare - old.{wanted} {flags}") == expected | {"system1": "standard input"}


def test_a_log_of_a_tool(found, pipe):
    """The other tells the task, which a pipe has not in its name."""
    one, two = (next((GATE / x).glob("*.jsonl")) for x in ("candidate", "baseline"))
    pipe(one.read_bytes())
    out = found(f"compare - {two.as_posix()} --metric acc")
    assert (out["system1"], out["task"]) == ("standard input", "tumors")
    assert out["p"] == found(f"compare {one.as_posix()} {two.as_posix()} --metric acc")["p"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("new", "gate - --baseline new.jsonl"),
        ("new", "gate new.jsonl --baseline -"),
        ("new", "leaderboard old.jsonl -"),
        ("new", "power - old.jsonl"),
        ("right", "compare plain1.jsonl plain2.jsonl --references -"),
    ],
)
def test_where_it_may_stand(logs, pipe, content, line):
    """For any log of any command, also for references."""
    pipe(FILES[content])
    assert run(line).out


@pytest.mark.parametrize(
    ("content", "given", "message"),
    [
        (
            gzip.compress(bytes(10**6), mtime=0),
            "- old.jsonl --max-bytes 10000",
            "A: standard input would take more than 10,000 bytes, and no more are read. If you "
            "trust it, raise the limit, --max-bytes ….",
        ),
        (b"", "- old.jsonl --references -", "`-` is standard input, which is read once"),
        (b"", "- old.jsonl", "A: standard input is empty: at least one example is needed"),
        (
            gzip.compress(b"x" * 99, mtime=0)[:-4],
            "old.jsonl -",
            "B: standard input cannot be read:",
        ),
    ],
)
def test_refused(logs, pipe, content, given, message):
    pipe(content)
    asked(f"compare {given}", f"2 error: {message}")


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
