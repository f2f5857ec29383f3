"""The command line as a whole: its commands, its errors and its exit codes."""

from __future__ import annotations

import os
import shutil
import sys
import traceback
import warnings
from collections import UserDict
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from pairedperm.errors import MAX_MESSAGE, BudgetError, InputError, during, printable
from pairedperm.inputs.files import why, without_keys
from pairedperm.results import __version__
from pairedperm.results.told import WIDTH

if TYPE_CHECKING:
    from pairedperm.commands.output import Output

_ERROR = 2  # proof: Python's own 1 would read as a gate's "fail"
_COLUMNS = 80  # proof: of a terminal
_COMMANDS = {  # the file of each command, and the first line of its help
    "bootstrap": ("compare", "Compare the logs A and B by the paired bootstrap."),
    "bounds": ("bounds", "Say what p can be, given only the accuracies of systems."),
    "compare": ("compare", "Compare the logs A and B by the exact permutation test."),
    "gate": ("gate", "Decide whether CANDIDATE may replace the baseline."),
    "leaderboard": ("leaderboard", "Rank many systems and say which differ significantly."),
    "noise": ("score", "Say how far runs of one system are apart."),
    "power": ("power", "Say how many examples a test needs."),
    "preference": ("preference", "Say which of two systems a judge prefers."),
    "register": ("register", 'Make evaluate.load("paired_perm") work on this machine.'),
    "score": ("score", "Give the score of one system, and how far it may be off."),
    "suite": ("gate", "Compare A and B on all their tasks together."),
}


class _Commands(UserDict[str, Any]):
    """The commands by name; each is imported when it is looked up."""

    def __getitem__(self, name: str) -> click.Command:
        module = import_module(f"pairedperm.commands.{self.data[name][0]}")
        command: click.Command = getattr(module, name)
        return command


class _Group(click.Group):
    """A group whose help imports no command."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first line of each command's help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


@click.group(
    cls=_Group,
    commands=_Commands(_COMMANDS),
    context_settings={"max_content_width": _COLUMNS, "help_option_names": ["-h", "--help"]},
    no_args_is_help=False,
)
@click.version_option(__version__, "-V", "--version", message="%(version)s")
def cli() -> None:
    """Does one model really beat another, or is the difference luck?

    Logs of two systems on the same examples are matched by id and compared by the exact
    paired-permutation test. A log is a table (JSON Lines, CSV, TSV, Parquet) or a log of
    lm-evaluation-harness, inspect_ai, Every Eval Ever, lighteval, LeRobot, promptfoo, DeepEval,
    SWE-bench, Harbor, agent skills or trec_eval.

    Exit codes: 0 done, 2 error. gate also returns 1 (fail), 3 (inconclusive).

    \b
    pairedperm compare new.jsonl old.jsonl
    pairedperm compare --help
    """  # noqa: D301, click reads the control character


def run_command(arguments: Sequence[str] | None = None) -> int:
    """Run one command, print what it says, and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # α is not in every encoding
    given = [*sys.argv[1:]] if arguments is None else [*arguments]
    try:
        return _run(given)
    except click.UsageError as error:
        path = " ".join(["pairedperm", *(x for x in given[:1] if x in cli.commands)])
        problem = error.format_message()
        message = f"{problem}{'' if problem.endswith(('.', '?')) else '.'} Try '{path} --help'."
    except (InputError, BudgetError) as error:
        message = _in_flags(str(error), given)
    except (click.ClickException, ImportError) as error:
        message = str(error)
    except OSError as error:
        with suppress(OSError):
            _print("")  # what click has printed
        name = f"{error.filename}: " if error.filename else ""
        message = f"{name}{why(error)}."
    except (KeyboardInterrupt, click.Abort):
        message = "interrupted."
    except (Exception, SystemExit) as error:  # some libraries exit
        message = _unexpected(error)
    _complain(f"error: {_line(message, given)}")
    return _ERROR


def _run(given: list[str]) -> int:
    """Run a command, print its output, and return its exit code."""
    if not given:
        with cli.make_context("pairedperm", [], resilient_parsing=True) as context:
            _complain(cli.get_help(context))
        return _ERROR

    def warned(message: Warning | str, *_: Any, **__: Any) -> None:
        _complain(f"warning: {_line(_in_flags(str(message), given), given)}")

    try:
        with during(WIDTH, shutil.get_terminal_size().columns), warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = warned
            # click's own `main` would sometimes exit with 1
            with cli.make_context("pairedperm", given) as context:
                output: Output = cli.invoke(context)
    except click.exceptions.Exit as done:  # click has printed the help or the version
        _print("")
        return done.exit_code
    _print(output.text)
    return output.code


def _in_flags(message: str, given: Sequence[str]) -> str:
    """Name the options of the given command, or of all if none is given, by their flags."""
    from pairedperm.commands.flags import in_flags

    named = [cli.commands[x] for x in given[:1] if x in cli.commands]
    every = (str(x.name) for each in named or cli.commands.values() for x in each.params)
    return in_flags(message, every)


def _print(text: str) -> None:
    """Print the text; ignore a reader that closes the pipe early.

    Raises
    ------
    OSError
        If the text cannot be written.
    """
    try:
        if text:
            print(text)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        with suppress(OSError, ValueError):  # or Python fails again at exit, with code 120
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise


def _line(message: str, given: Sequence[str]) -> str:
    """Return what is said of the arguments in a line, without control characters and keys."""
    return printable(" ".join(without_keys(message, given).split()), MAX_MESSAGE)


def _complain(text: str) -> None:
    """Print the text on stderr, if there is one."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(text, file=sys.stderr)


def _unexpected(error: BaseException) -> str:
    """Return a message for an error that no code foresaw, with its place for a report."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(frame.filename)}, line {frame.lineno}"
    return (
        f"unexpected {type(error).__name__}: {error} ({where}, version {__version__}). Please "
        "report it with the command."
    )
