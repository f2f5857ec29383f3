"""Streams that are closed, full or in another encoding; the program in a process of its own."""

import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pairedperm
from extras import on_posix
from interpreter import CHECKOUT, python
from pairedperm.__main__ import main
from pairedperm.commands import app

OLD = ("gate", "new.jsonl", "--baseline", "old.jsonl")
LOW = ("gate", "low.jsonl", "--baseline", "old.jsonl")


def test_ascii(logs, monkeypatch):
    """Letters that it lacks are question marks."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["compare", "new.jsonl", "old.jsonl"]) == 0
    assert b"no significant difference at ? =" in out.buffer.getvalue()
    out.detach()


class Failing:
    """A stream of which writing fails."""

    def __init__(self, error):
        self.error = error

    def write(self, _):
        raise self.error

    def flush(self):
        pass

    def fileno(self):
        return 77


CLOSED = BrokenPipeError(32, "Broken pipe")
FULL = OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [(CLOSED, 1, ""), (FULL, 2, "error: No space left on device.\n")],
    ids=["closed", "full"],
)
def test_a_stream_that_takes_no_more(logs, monkeypatch, capsys, error, code, said):
    """Who has read enough has seen the verdict; what was not said is none."""
    copies = []
    monkeypatch.setattr(sys, "stdout", Failing(error))
    monkeypatch.setattr(app.os, "dup2", lambda *pair: copies.append(pair))
    assert main([*LOW]) == code
    assert capsys.readouterr().err == said
    assert [pair[1] for pair in copies] == [77]
    app.os.close(copies[0][0])


def test_no_stdout(logs, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert main([*LOW]) == 1
    assert main([*OLD]) == 0


@pytest.mark.parametrize(
    "arguments", [(), ("gate", "none", "--baseline", "x"), ("--nope",)], ids=str
)
def test_no_stderr(logs, monkeypatch, capsys, arguments):
    """An error is said nowhere then, and stdout is for results."""
    monkeypatch.setattr(sys, "stderr", None)
    assert main([*arguments]) == 2
    assert capsys.readouterr().out == ""


def test_warnings_without_stderr(logs, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["gate", "old.jsonl", "--baseline", "old.jsonl"]) == 0
    assert "warning" not in capsys.readouterr().out


def test_stderr_that_takes_no_more(logs, monkeypatch, capsys):
    """The code is what is left to say."""
    monkeypatch.setattr(sys, "stderr", Failing(FULL))
    assert main(["gate", "none", "--baseline", "x"]) == 2
    assert main([]) == 2
    assert capsys.readouterr().out == ""
    assert main(["gate", "old.jsonl", "--baseline", "old.jsonl"]) == 0


def started(here, *arguments, **options):
    """A process of its own, whose stdout is a pipe."""
    command = [sys.executable, "-m", "pairedperm", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    environment = {"PYTHONPATH": str(CHECKOUT), "PATH": app.os.environ["PATH"]}
    return subprocess.Popen(command, cwd=here, env=environment, **pipes)


@on_posix
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (OLD, 0),
        (LOW, 1),
        ((*OLD, "--margin=0.01"), 3),
        pytest.param(
            *(("gate", "--help"), 0),
            marks=pytest.mark.xfail(reason="of what click prints it is an error"),
        ),
    ],
    ids=str,
)
def test_a_reader_that_has_gone(logs, here, arguments, code):
    with started(here, *arguments) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == code


@on_posix
@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments",
    [
        OLD,
        LOW,
        ("--version",),
        ("--help",),
        ("gate", "--help"),
    ],
    ids=str,
)
def test_a_file_that_takes_no_more(logs, here, arguments):
    """What was not said is no verdict."""
    import resource

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    with open(here / "out", "wb") as out:
        process = started(here, *arguments, stdout=out, preexec_fn=limit)
        _, err = process.communicate()
    assert (process.returncode, err) == (2, b"error: File too large.\n")


@pytest.mark.thorough
def test_the_program(logs, here):
    """Its exit code is a gate's; by `python -m`, and by the script that is installed."""
    programs = [[sys.executable, "-m", "pairedperm"]]
    programs += [[str(x)] for x in Path(sys.executable).parent.glob("pairedperm*") if x.is_file()]
    for program in programs:
        for arguments, code in ((OLD, 0), (LOW, 1), (("gate", "none", "--baseline", "x"), 2)):
            done = subprocess.run(
                [*program, *arguments], cwd=here, capture_output=True, check=False
            )
            assert done.returncode == code
            assert bool(done.stdout) == (code < 2)
            assert bool(done.stderr) == (code == 2)
    assert python("-m", "pairedperm", "--version", cwd=here) == pairedperm.__version__


@pytest.mark.thorough
def test_a_broken_installation_is_no_verdict(logs, here):
    (here / "click").mkdir()
    (here / "click" / "__init__.py").write_text("raise ImportError('broken')", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pairedperm", *LOW],
        cwd=here,
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**app.os.environ, "PYTHONPATH": f"{here}{app.os.pathsep}{CHECKOUT}"},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: pairedperm is not installed whole: broken\n"
