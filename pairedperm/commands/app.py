"""The command line as a whole: its commands, its errors and its exit codes."""

from __future__ import annotations

import os
import shutil
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from pairedperm.commands.compare import bootstrap, compare
from pairedperm.commands.gate import gate, summarise_error
from pairedperm.commands.leaderboard import leaderboard
from pairedperm.commands.option import Flags, Shell, argument, command, option
from pairedperm.commands.output import MAX_MESSAGE, Output, Page, json_option, present
from pairedperm.commands.power import power
from pairedperm.comparison.verify import verify as recompute
from pairedperm.errors import BudgetError, InputError
from pairedperm.errors.wording import called, during, printable, worded
from pairedperm.hf.registration import register as register_modules
from pairedperm.inputs.files import why
from pairedperm.results import __version__
from pairedperm.results.table import WIDTH

_ERROR = 2  # proof: Python's own 1 would read as a gate's "fail"
_COLUMNS = 80  # proof: of a terminal


@dataclass(frozen=True, kw_only=True)
class _VerifyFlags(Flags):
    table: Path = argument("table", type=click.Path(path_type=Path))
    sha256: str | None = option(
        "--sha256", metavar="HEX", help="The digest of the table that a model card states."
    )
    json: bool = json_option()


@command(_VerifyFlags)
def verify(flags: _VerifyFlags) -> Output:
    """Recompute a published p-value with another engine.

    TABLE is a file that `pairedperm compare --counts` wrote. It holds the result, and how often
    each distinct pair of the two systems' counts occurs. p is recomputed in big integers where that
    is feasible.

    Exit codes: 0 the stated interval holds, or is not contradicted; 1 it does not hold, or a score
    differs; 2 an error, such as an altered table.

    \b
    pairedperm verify counts.json
    pairedperm verify counts.json --json
    """  # noqa: D301, click reads the control character
    with called({"published": "TABLE", "counts": "the counts of TABLE"}):
        verification = recompute(flags.table, sha256=flags.sha256)
    return present(Page(verification), json=flags.json, code=verification.exit_code)


@command(Flags)
def register(_: Flags) -> Output:
    """Make evaluate.load("paired_perm") work on this machine.

    evaluate.load("paired_bootstrap") works then, too: from any directory, and offline. Run this
    once. It prints the place of the first module; the other one is beside it.
    """
    return Output(str(register_modules()))


@click.group(
    context_settings={"max_content_width": _COLUMNS, "help_option_names": ["-h", "--help"]},
    no_args_is_help=False,
)
@click.version_option(__version__, message="%(version)s")
def cli() -> None:
    """Does one model really beat another, or is the difference luck?

    Logs of two systems on the same examples are matched by id and compared by the exact
    paired-permutation test. A log is a table (JSON Lines, CSV, TSV, Parquet) or a log of
    lm-evaluation-harness, inspect_ai or Every Eval Ever.

    Exit codes: 0 done, 2 error. gate and verify also return 1 (fail), and gate 3 (inconclusive).

    \b
    pairedperm compare new.jsonl old.jsonl
    pairedperm compare --help
    """  # noqa: D301, click reads the control character


for _command in (compare, leaderboard, gate, power, verify, bootstrap, register):
    cli.add_command(_command)


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
        message = worded(error.message, _reader(given))
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
    line = printable(" ".join(message.split()), MAX_MESSAGE)
    _complain(f"error: {line}")
    if given[:1] == ["gate"] and (unwritten := summarise_error(line, given)):
        _complain(f"warning: {unwritten}")
    return _ERROR


def _run(given: list[str]) -> int:
    """Run a command, print its output, and return its exit code."""
    if not given:
        with cli.make_context("pairedperm", [], resilient_parsing=True) as context:
            _complain(cli.get_help(context))
        return _ERROR

    def warned(message: Warning | str, *_: Any, **__: Any) -> None:
        line = worded(getattr(message, "facts", str(message)), _reader(given))
        _complain(f"warning: {' '.join(line.split())}")

    try:
        with during(WIDTH, shutil.get_terminal_size().columns), warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = warned
            # click's own `main` would sometimes exit with 1
            with cli.make_context("pairedperm", given) as context:
                output: Output = cli.invoke(context)
    except click.exceptions.Exit as done:  # click has printed the help or the version
        output = Output("", done.exit_code)
    _print(output.text)
    return output.code


def _reader(given: Sequence[str]) -> Shell:
    """Return the reader who has the options of the given command, or of all if none is given."""
    named = [cli.commands[x] for x in given[:1] if x in cli.commands]
    return Shell(str(x.name) for each in named or cli.commands.values() for x in each.params)


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


def _complain(text: str) -> None:
    """Print the text on stderr, if there is one."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(text, file=sys.stderr)


def _unexpected(error: BaseException) -> str:
    """Return a message for an error that no code foresaw, with its place for a report."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}, line {frame.lineno}"
    return (
        f"unexpected {type(error).__name__}: {error} ({where}, version {__version__}). Please "
        "report it with the command."
    )
