"""Exit codes, whatever the streams: closed, full, in another encoding, or none."""

import io
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from commands.files import GATED, LOW, run
from extras import on_posix
from interpreter import CHECKOUT
from pairedperm.__main__ import main
from pairedperm.commands import app

OF_CLICK = ("--version", "gate --help")
CODES = {
    GATED: 0,
    LOW: 1,
    f"{GATED} --margin=0.01": 3,
    "gate none --baseline x": 2,
    "gate old.jsonl --baseline old.jsonl": 0,  # it warns
    "compare new.jsonl old.jsonl --json": 0,
    **dict.fromkeys(OF_CLICK, 0),
    "--nope": 2,
    "": 2,
}


@pytest.mark.parametrize("line", CODES)
def test_codes(logs, line):
    """Errors are on stderr, and warnings each time."""
    code, out, err = run(line)
    assert code == CODES[line]
    assert (out == "") == (code == 2)
    assert (err != "") == (code == 2 or "old.jsonl --baseline old" in line)
    assert run(line) == (code, out, err)


def failing(error):
    """A stream of which writing fails."""
    return Mock(**{"write.side_effect": error, "fileno.return_value": 77})


CLOSED = failing(BrokenPipeError(32, "Broken pipe"))
FULL = failing(OSError(28, "No space left on device"))


@pytest.mark.parametrize("line", CODES)
def test_stderr_that_takes_nothing(logs, monkeypatch, capsys, line):
    """The code is what is left to say, and stdout is for results."""
    for stderr in (None, FULL):
        monkeypatch.setattr(sys, "stderr", stderr)
        assert main(shlex.split(line)) == CODES[line]
        out = capsys.readouterr().out
        assert "warning" not in out
        assert (out == "") == (CODES[line] == 2)


@pytest.mark.parametrize("line", [x for x in CODES if x not in OF_CLICK])
def test_stdout_that_takes_nothing(logs, monkeypatch, capsys, line):
    """Who has read enough has seen the verdict; what was not said is none."""
    copies = []
    monkeypatch.setattr(app.os, "dup2", lambda *pair: copies.append(pair))
    for stdout in (None, CLOSED):
        monkeypatch.setattr(sys, "stdout", stdout)
        assert main(shlex.split(line)) == CODES[line]
    monkeypatch.setattr(sys, "stdout", FULL)
    capsys.readouterr()
    assert main(shlex.split(line)) == 2
    said = capsys.readouterr().err.splitlines()
    assert CODES[line] == 2 or said[-1] == "error: No space left on device."
    assert [pair[1] for pair in copies] == ([] if CODES[line] == 2 else [77, 77])
    for copied, _ in copies:
        app.os.close(copied)


def test_ascii(logs, monkeypatch):
    """Letters that it lacks are question marks."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["compare", "new.jsonl", "old.jsonl"]) == 0
    assert b"? = 0.05)" in out.buffer.getvalue()
    out.detach()


# In a process of its own


def started(here, line, **options):
    """Its stdout is a pipe."""
    command = [sys.executable, "-m", "pairedperm", *line.split()]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    environment = {"PYTHONPATH": str(CHECKOUT), "PATH": app.os.environ["PATH"]}
    return subprocess.Popen(command, cwd=here, env=environment, **pipes)


@on_posix
@pytest.mark.thorough
def test_a_reader_that_has_gone(logs, here):
    with started(here, LOW) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == CODES[LOW]


@on_posix
@pytest.mark.thorough
@pytest.mark.parametrize("line", [LOW, "--version"])
def test_a_file_that_takes_no_more(logs, here, line):
    """What was not said is no verdict."""
    import resource

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    with open(here / "full", "wb") as out:
        process = started(here, line, stdout=out, preexec_fn=limit)
        _, err = process.communicate()
    assert (process.returncode, err) == (2, b"error: File too large.\n")


@pytest.mark.thorough
def test_the_program(logs, here):
    """Its exit code is a gate's; by `python -m`, and by the script that is installed."""
    programs = [[sys.executable, "-m", "pairedperm"]]
    programs += [[str(x)] for x in Path(sys.executable).parent.glob("pairedperm*") if x.is_file()]
    for program in programs:
        done = subprocess.run([*program, *LOW.split()], cwd=here, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (CODES[LOW], b"")
        assert done.stdout
