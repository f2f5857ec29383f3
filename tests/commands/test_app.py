"""The command line as a whole: help, errors and their words, exit codes, closed streams."""

import io
import re
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import click
import pytest

import pairedperm
from extras import on_posix
from interpreter import CHECKOUT, python
from pairedperm.__main__ import main
from pairedperm.commands import app
from pairedperm.commands import power as command
from pairedperm.commands.app import cli

COMMANDS = ("compare", "bootstrap", "leaderboard", "gate", "power", "verify", "register")
OLD = ("gate", "new.jsonl", "--baseline", "old.jsonl")
LOW = ("gate", "low.jsonl", "--baseline", "old.jsonl")


# Help


def test_help_names_every_command(said):
    out = said("--help")
    assert said("-h") == out
    listed = re.findall(r"^  (\w+) ", out.partition("Commands:")[2], re.M)
    assert sorted(listed) == sorted(COMMANDS) == sorted(cli.commands)
    assert "Exit codes: 0 done, 2 error. gate and verify also return 1 (fail), and gate" in out


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
    assert said("--version") == f"{pairedperm.__version__}\n"


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nope",), "No such command 'nope'. Try 'pairedperm --help'."),
        (("--nope",), "No such option '--nope'. Try 'pairedperm --help'."),
        (("gate", "--nope"), "No such option '--nope'"),
        (("register", "x"), "Got unexpected extra argument (x). Try 'pairedperm register --help'."),
        (("gate", "--margin"), "Option '--margin' requires an argument. Try 'pairedperm"),
    ],
)
def test_usage(refused, arguments, message):
    said = refused(*arguments).replace("No such option: --nope", "No such option '--nope'")
    assert said.startswith(message)


ERRORS = [
    (
        pairedperm.InputError("`alpha` is 3, with\n task='a b'"),
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
        warnings.warn("`alpha` is 3.\nIs it, on_missing='drop'?", stacklevel=1)
        return "found"

    monkeypatch.setattr(command, "examples_needed", warns)
    assert main(["power", "--wins", "0.1", "--losses", "0.2"]) == 0
    out, err = capsys.readouterr()
    assert out == "found\n"
    assert err == "warning: `--alpha` is 3. Is it, --on-missing drop?\n"
    assert warnings.showwarning is before


# The words of errors


def spoken(arguments, start, why=""):
    marks = [pytest.mark.xfail(reason=f"Python's spelling: {why}")] if why else []
    return pytest.param(arguments, start, marks=marks, id=arguments[:60])


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        spoken("compare none old.jsonl", "A: none cannot be read"),
        spoken("compare old.jsonl none", "B: none cannot be read"),
        spoken("gate bad.jsonl --baseline old.jsonl", "CANDIDATE: bad.jsonl, line 2:"),
        spoken("gate empty.jsonl --baseline old.jsonl", "CANDIDATE: empty.jsonl is empty"),
        spoken("gate x.foo --baseline old.jsonl", "CANDIDATE: x.foo is of no known format"),
        spoken("gate new.jsonl --baseline empty", "`--baseline`: no log was found in empty"),
        spoken("gate new.jsonl --baseline old.jsonl --id key", "CANDIDATE: new.jsonl has no"),
        spoken("gate new.jsonl --baseline old.jsonl --id=", "`--id` must be the name of a c"),
        spoken(
            "gate new.jsonl --baseline old.jsonl --score x",
            "CANDIDATE: new.jsonl has no column 'x', --score …. It has",
        ),
        spoken("gate new.jsonl --baseline one1.jsonl", "the runs do not hold the same examp"),
        spoken("compare text1.jsonl text2.jsonl --lower-is-better", "`--lower-is-better` is"),
        spoken(
            "compare text1.jsonl text2.jsonl --metric f1",
            "`-o pos_label` is missing: with -o average=binary it",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric fbeta -o average=macro",
            "`-o beta` is missing",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric f1 -o average=x",
            "`-o average` must be one of",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric f1 -o pos_label=z",
            "`-o pos_label`: 'z' occurs",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric accuracy -o average=macro",
            "`-o average` is no option",
        ),
        spoken(
            "compare text1.jsonl text2.jsonl --metric nope", "`--metric` must be one of 'accuracy',"
        ),
        spoken("compare text1.jsonl text2.jsonl --metric span_f1", "the column of text1 "),
        spoken("compare new.jsonl old.jsonl --seed -1", "Invalid value for '--seed': -1 is not in"),
        spoken(
            "compare new.jsonl old.jsonl --name1 x --name2 x",
            "`--name1` and `--name2` are both 'x'",
        ),
        spoken(
            "compare odd.csv --format paired_perm_test",
            "A: odd.csv has an odd number of columns, 3,",
        ),
        spoken(
            "compare thirds1.jsonl thirds2.jsonl --method dp",
            "--method dp needs scores",
            "np.round",
        ),
        spoken("leaderboard new.jsonl old.jsonl --baseline x", "`--baseline` must be one of"),
        spoken("power one1.jsonl one2.jsonl", "the pilot has only one of the examples"),
        spoken("power low.jsonl lower.jsonl", "the pilot has no difference"),
        spoken("power --wins 0.1 --losses 0.95", "the pilot must be two shares"),
        spoken("power --wins 0 --losses 0", "the pilot has no difference: both"),
        spoken(
            "power --wins 0.1 --losses 0.05 -n 0",
            "`--n-examples` must be a positive integer, got 0.",
        ),
        spoken(
            "power --wins 0.1 --losses 0.05 --power 2", "`--power` must be above `--alpha`, 0.05"
        ),
    ],
)
def test_errors_are_in_the_words_of_a_shell(logs, here, write, refused_in_words, arguments, start):
    """Those that no command's own tests ask."""
    (here / "bad.jsonl").write_text('{"id": 1, "score": 1}\n{"id": 2, "sco', "utf-8")
    (here / "empty.jsonl").touch()
    (here / "x.foo").write_text("x", "utf-8")
    (here / "empty").mkdir()
    (here / "odd.csv").write_text("1,2,3\n", "utf-8")
    write("lower.jsonl", score=[1] * 82 + [0] * 18)
    for k in (1, 2):
        write(f"thirds{k}.jsonl", score=[(x * k % 7) / 7 for x in range(60)])
    assert refused_in_words(*arguments.split()).startswith(start)


def test_references_without_a_column(logs, refused):
    said = refused("compare", "plain1.jsonl", "plain2.jsonl", "--references", "new.jsonl")
    assert said.startswith(
        "`--references`: new.jsonl has none of 'reference'. It has 'id', 'score'."
    )
    assert said.endswith("Name the column of references, --reference ….")


def test_a_reader_that_is_not_installed(refused_in_words, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    runs = CHECKOUT / "tests" / "logs" / "inspect"
    one, two = (next((runs / x).glob("*_tumors_*.eval")) for x in ("decision_tree", "naive_bayes"))
    assert "pip install" in refused_in_words("gate", one, "--baseline", two)


# Streams


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
