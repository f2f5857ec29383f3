"""The command line as a whole: help, errors and exit codes."""

import re
import sys
import warnings

import click
import pytest

import pairedperm
from pairedperm.__main__ import main
from pairedperm.commands import power as command
from pairedperm.commands.app import cli
from pairedperm.errors import warn
from pairedperm.errors.wording import Name, Setting

COMMANDS = (
    *("compare", "bootstrap", "leaderboard", "gate", "power", "bounds", "suite", "register"),
)
OLD = ("gate", "new.jsonl", "--baseline", "old.jsonl")
LOW = ("gate", "low.jsonl", "--baseline", "old.jsonl")


# Help


def test_help_names_every_command(said):
    out = said("--help")
    assert said("-h") == out
    listed = re.findall(r"^  (\w+) ", out.partition("Commands:")[2], re.M)
    assert sorted(listed) == sorted(COMMANDS) == sorted(cli.commands)
    assert "Exit codes: 0 done, 2 error. gate also returns 1 (fail), 3 (inconclusive)." in out
    for name, each in cli.commands.items():  # which the list of all does not import
        assert re.search(rf"^  {name} +(.+)$", out, re.M)[1] == each.help.splitlines()[0]


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_a_terminal(said, name):
    """Every option is there, and no control character of click's."""
    out = said(*name.split(), "--help")
    assert max(map(len, out.splitlines())) <= 80
    assert {x for x in out if not x.isprintable()} == {"\n"}
    assert "\\b" not in out
    for given in (cli.commands[name] if name else cli).params:
        is_option = given.param_type_name == "option"
        for word in (*given.opts, *given.secondary_opts) if is_option else [given.name.upper()]:
            assert re.search(rf"(?<![\w-]){word}(?![\w-])", out)


@pytest.mark.parametrize("name", COMMANDS[:-1])
def test_examples_of_the_help_are_commands(name, capsys):
    """Their options exist: what is wrong with them is that there are no such files."""
    assert main([name, "--help"]) == 0
    shown = re.findall(r"^  pairedperm (.+)$", capsys.readouterr().out, re.M)
    assert shown or name == "bootstrap"
    for arguments in map(str.split, shown):
        assert arguments[0] == name
        main(arguments)
        err = capsys.readouterr().err
        assert "cannot be read" in err or err == ""


def test_version(said):
    assert said("--version") == said("-V") == f"{pairedperm.__version__}\n"


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("b", "plain,bootstrap\nplain,bounds\n"),
        ("--v", "plain,--version\n"),
        ("compare --on-m", "plain,--on-missing\n"),
        ("gate --on-missing ", "plain,error\nplain,drop\n"),
        ("compare a.jsonl lo", "file,lo\n"),
        ("gate --baseline lo", "file,lo\n"),
        ("compare --output lo", "file,lo\n"),
    ],
)
def test_shells_complete(said, monkeypatch, typed, wanted):
    """By click's protocol: what was typed is in the environment."""
    words = f"pairedperm {typed}"
    monkeypatch.setenv("_PAIREDPERM_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    assert said() == wanted
    monkeypatch.setenv("_PAIREDPERM_COMPLETE", "zsh_source")
    assert said().startswith("#compdef pairedperm\n")


def test_nothing(capsys):
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Usage: pairedperm [OPTIONS] COMMAND [ARGS]...\n")


def test_arguments_of_the_shell(said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["pairedperm", "--version"])
    assert main() == 0
    assert capsys.readouterr().out == said("--version")


# Errors


SINGLE = [
    (name, given)
    for name, command in cli.commands.items()
    for given in command.params
    if isinstance(given, click.Option) and not given.multiple
]


@pytest.mark.parametrize(("name", "given"), SINGLE, ids=lambda x: getattr(x, "name", x))
def test_an_option_is_given_once(refused, name, given):
    """Click would take the last value, without a word."""
    flags = [*given.opts[-given.is_flag :], *given.secondary_opts]
    pair = [flags[0], flags[-1]]
    twice = pair if given.is_flag else [pair[0], "1", pair[1], "2"]
    said = refused(name, *twice)
    values = ", ".join(pair if given.is_flag else ("'1'", "'2'"))
    named = "/".join(dict.fromkeys(pair)) if given.is_flag else flags[0]
    assert said == (
        f"`{named}` is given 2 times: {values}. Give one, or run the command once for each. "
        f"Try 'pairedperm {name} --help'."
    )
    if given.is_flag:
        assert refused(name, *[flags[-1]] * 2).startswith(f"`{flags[-1]}` is given 2 times: ")


ERRORS = [
    (
        pairedperm.InputError(Name("alpha"), " is 3, with\n ", Setting("task", "'a b'")),
        "`--alpha` is 3, with --task 'a b'",
    ),
    (pairedperm.BudgetError("it is too much"), "it is too much"),
    (ImportError("install it"), "install it"),
    (ModuleNotFoundError("No module named 'x'"), "No module named 'x'"),
    (OSError("the disk is full"), "the disk is full."),
    (FileNotFoundError(2, "No such file", "x.jsonl"), "x.jsonl: No such file."),
    (click.Abort(), "interrupted."),
    (KeyboardInterrupt(), "interrupted."),
    (click.ClickException("said by click"), "said by click"),
    (click.UsageError("not so."), "not so. Try 'pairedperm power --help'."),
    *(
        (error("x"), f"unexpected {error.__name__}: x (test_app.py, line ")
        for error in (RuntimeError, RecursionError, MemoryError, KeyError, TypeError, SystemExit)
    ),
    (UnicodeEncodeError("ascii", "\xe9", 0, 1, "not in range"), "unexpected UnicodeEncodeError: "),
    (BrokenPipeError(32, "Broken pipe"), "Broken pipe."),
    (InterruptedError(4, "Interrupted"), "Interrupted."),
]


@pytest.mark.parametrize(("error", "message"), ERRORS, ids=lambda x: type(x).__name__)
def test_no_error_is_a_verdict(refused, monkeypatch, error, message):
    """It is never 1, which is a gate's "fail"."""

    def fails(*_, **__):
        raise error

    monkeypatch.setattr(command, "examples_needed", fails)
    said = refused("power", "--wins", "0.1", "--losses", "0.2")
    assert said.replace("'x'", "x").startswith(message.replace("'x'", "x"))


def test_an_unforeseen_error_says_where(refused, monkeypatch):
    monkeypatch.setattr(command, "examples_needed", lambda *_, **__: 1 // 0)
    said = refused("power", "--wins", "0.1", "--losses", "0.2")
    assert re.fullmatch(
        r"unexpected ZeroDivisionError: integer division or modulo by zero \(test_app\.py, line \d+"
        rf", version {re.escape(pairedperm.__version__)}\)\. Please report it with the command\.",
        said.replace("integer division by zero", "integer division or modulo by zero"),
    )


def test_long_errors_are_cut(refused, monkeypatch):
    def fails(*_, **__):
        raise pairedperm.InputError("x" * 10_000 + "\x1b[31m")

    monkeypatch.setattr(command, "examples_needed", fails)
    said = refused("power", "--wins", "0.1", "--losses", "0.2")
    assert said.isprintable()
    assert 1900 < len(said) < 2100


def test_an_incomplete_installation(monkeypatch, refused):
    monkeypatch.setitem(sys.modules, "pairedperm.commands.app", None)
    said = refused(*OLD)
    assert said.startswith("pairedperm is not installed whole: import of pairedperm.commands.app")


@pytest.mark.parametrize("error", [MemoryError, RecursionError, SyntaxError, OSError])
def test_an_import_that_fails_is_no_verdict(monkeypatch, refused, error):
    class Finder:
        def find_spec(self, name, *_):
            if name == "pairedperm.commands.app":
                raise error("broken")

    monkeypatch.delitem(sys.modules, "pairedperm.commands.app")
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    assert refused(*OLD) == "pairedperm is not installed whole: broken"


def test_warnings_are_lines(logs, monkeypatch, capsys):
    """And what shows warnings is as before."""
    before = warnings.showwarning

    def warns(*_, **__):
        warn(Name("alpha"), " is 3.\nIs it, ", Setting("on_missing", "'drop'"), "?")
        warnings.warn("another library's \x1b[31m http://me:secret@h/x?key=secret", stacklevel=1)
        return "found"

    monkeypatch.setattr(command, "examples_needed", warns)
    assert main(["power", "--wins", "0.1", "--losses", "0.2"]) == 0
    out, err = capsys.readouterr()
    assert out == "found\n"
    assert err.splitlines() == [
        "warning: `--alpha` is 3. Is it, --on-missing drop?",
        "warning: another library's \\x1b[31m http://h/x",
    ]
    assert warnings.showwarning is before
