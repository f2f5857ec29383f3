"""The command line as a whole: help, errors and warnings."""

import gzip
import re
import shlex
import sys
import warnings
from unittest.mock import Mock

import click
import pytest

import pairedperm
from commands.files import GATED, asked, run
from corpora.results import result
from interpreter import CHECKOUT, python
from pairedperm.__main__ import main
from pairedperm.commands import power as command
from pairedperm.commands import register
from pairedperm.commands.app import cli
from pairedperm.errors import warn

COMMANDS = (
    *("compare", "bootstrap", "leaderboard", "gate", "power", "bounds", "suite", "register"),
    *("score", "noise", "preference"),
)
SHARES = "power --wins 0.1 --losses 0.2"
VERSION = pairedperm.__version__


# Help


def test_help_names_every_command():
    out = run("--help").out
    assert run("-h").out == out
    listed = re.findall(r"^  (\w+) ", out.partition("Commands:")[2], re.M)
    assert sorted(listed) == sorted(COMMANDS) == sorted(cli.commands)
    assert "Exit codes: 0 done, 2 error. gate also returns 1 (fail), 3 (inconclusive)." in out
    for name, each in cli.commands.items():  # which the list of all does not import
        assert re.search(rf"^  {name} +(.+)$", out, re.M)[1] == each.help.splitlines()[0]


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_a_terminal(name):
    """Every option is there, and no control character of click's; its examples are commands."""
    out = run(f"{name} --help").out
    assert max(map(len, out.splitlines())) <= 80
    assert {x for x in out if not x.isprintable()} == {"\n"}
    assert "\\b" not in out
    for given in (cli.commands[name] if name else cli).params:
        is_option = given.param_type_name == "option"
        for word in (*given.opts, *given.secondary_opts) if is_option else [given.name.upper()]:
            assert re.search(rf"(?<![\w-]){word}(?![\w-])", out)
    shown = re.findall(r"^  pairedperm (.+)$", out, re.M)
    assert bool(shown) == (name != "register")
    for line in shown:  # their options exist: there are no such files
        assert line.startswith(name)
        if "--wins" not in line:  # which are computed elsewhere
            assert "cannot be read" in (err := run(line).err) or err == ""


def test_version_and_nothing(monkeypatch, capsys):
    assert run("--version").out == run("-V").out == f"{pairedperm.__version__}\n"
    monkeypatch.setattr(sys, "argv", ["pairedperm", "--version"])
    assert main() == 0
    assert capsys.readouterr().out == run("--version").out
    assert run("").err.startswith("Usage: pairedperm [OPTIONS] COMMAND [ARGS]...\n")


def test_what_register_says(monkeypatch, here):
    monkeypatch.setattr(register, "register_modules", lambda: here / "paired_perm.py")
    assert run("register").out == f"{here / 'paired_perm.py'}\n"


# Errors


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            pairedperm.InputError("alpha", " is 3, with\n task='a b'"),
            "`--alpha` is 3, with --task 'a b'",
        ),
        (pairedperm.BudgetError("x" * 10_000 + "\x1b[31m"), "x" * 900),
        (ModuleNotFoundError("No module named 'x'"), "No module named 'x'"),
        (click.Abort(), "interrupted."),
        (KeyboardInterrupt(), "interrupted."),
        (click.UsageError("not so."), "not so. Try 'pairedperm power --help'."),
        *(
            (error("x"), f"unexpected {error.__name__}: … (mock.py, line … version {VERSION})")
            for error in (RuntimeError, MemoryError)
        ),
        (SystemExit("x"), "unexpected SystemExit: x (… Please report it with the command."),
        (BrokenPipeError(32, "Broken pipe"), "Broken pipe."),
    ],
    ids=lambda x: type(x).__name__,
)
def test_no_error_is_a_verdict(monkeypatch, error, message):
    """It is never 1, which is a gate's "fail"; long ones are cut."""
    monkeypatch.setattr(command, "examples_needed", Mock(side_effect=error))
    asked(SHARES, f"2 error: {message}")
    said = run(SHARES).err.removesuffix("\n")
    assert said.isprintable()
    assert len(said) < 2100


@pytest.mark.parametrize("error", [None, MemoryError, SyntaxError])
def test_an_import_that_fails_is_no_verdict(monkeypatch, error):
    class Finder:
        def find_spec(self, name, *_):
            if name == "pairedperm.commands.app":
                raise error("broken")

    if error is None:
        monkeypatch.setitem(sys.modules, "pairedperm.commands.app", None)
    else:
        monkeypatch.delitem(sys.modules, "pairedperm.commands.app")
        monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    why = "broken" if error else "import of pairedperm.commands.app"
    asked(GATED, f"2 error: pairedperm is not installed whole: {why}")


def test_warnings_are_lines(monkeypatch):
    """And what shows warnings is as before."""
    before = warnings.showwarning

    def warns(*_, **__):
        warn("alpha", " is 3.\nIs it, on_missing='drop'?")
        warnings.warn("another library's \x1b[31m http://me:secret@h/x?key=secret", stacklevel=1)
        return result("examples")

    monkeypatch.setattr(command, "examples_needed", warns)
    assert run(SHARES) == (
        *(0, f"{result('examples')}\n"),
        "warning: `--alpha` is 3. Is it, --on-missing drop?\n"
        "warning: another library's \\x1b[31m http://h/x\n",
    )
    assert warnings.showwarning is before


# Without what only Hugging Face needs

NOT_THERE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ImportError(name)

sys.meta_path.insert(0, Absent())
from pairedperm.__main__ import main
for line in {lines}:
    main(line)
"""
ABSENT = ("datasets", "evaluate", "filelock", "fsspec", "huggingface_hub", "pandas", "pyarrow")


def test_a_gate_on_logs_needs_neither_evaluate_nor_datasets(tmp_path):
    """Nor what comes with these. Parquet, and what is compressed, say what to install."""
    logs = CHECKOUT / "examples" / "ci_gate"
    asked = "gate", f"{logs / 'candidate'}", "--baseline", f"{logs / 'baseline'}", "--metric", "acc"
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    (tmp_path / "x.jsonl").write_bytes(gzip.compress(b"{}"))
    lines = [asked, *(("gate", x, "--baseline", x) for x in ("x.parquet", "x.jsonl"))]
    code = NOT_THERE.replace("{absent}", repr(ABSENT)).replace("{lines}", repr(lines))
    out, refused = python("-c", code, cwd=tmp_path, with_stderr=True)
    assert out == run(shlex.join(asked)).out
    for what in ("Parquet", "a compressed file"):
        assert f"{what} needs pyarrow: pip install pyarrow" in refused
