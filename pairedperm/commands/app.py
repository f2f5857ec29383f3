"""The command line as a whole: its commands, its errors and its exit codes."""

from __future__ import annotations

import os
import re
import sys
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pairedperm.commands.compare import bootstrap, compare
from pairedperm.commands.gate import gate
from pairedperm.commands.leaderboard import leaderboard
from pairedperm.commands.output import Output
from pairedperm.commands.power import power
from pairedperm.commands.register import register
from pairedperm.errors import BudgetError, InputError, printable
from pairedperm.results import __version__

ERROR = 2  # proof: Python's own 1 would read as a gate's "fail"
_WIDTH = 80  # proof: of a terminal
_LONGEST = 2000  # tuned: characters of an error
_FLAGS = (
    *("alpha", "correction", "format", "group", "id", "margin", "metric", "on_missing"),
    *("prediction", "reference", "references", "require", "score", "task", "repeats"),
    *("lower_is_better", "alternative", "method", "n_resamples", "confidence_level"),
)


@click.group(
    context_settings={"max_content_width": _WIDTH, "help_option_names": ["-h", "--help"]},
    no_args_is_help=False,
)
@click.version_option(__version__, message="%(version)s")
def cli() -> None:
    """Does one model really beat another, or is the difference luck?

    Logs of two systems on the same examples are matched by id and compared by the exact
    paired-permutation test. A log is a table (JSON Lines, CSV, TSV, Parquet), or what
    lm-evaluation-harness, inspect_ai or Every Eval Ever wrote.

    Exit codes: 0 done, 2 an error. Of a gate also: 1 fail, 3 inconclusive.
    """


for _command in (compare, leaderboard, gate, power, bootstrap, register):
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, print what it says, and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # α is not in every encoding
    given = [*sys.argv[1:]] if arguments is None else [*arguments]
    if not given:
        with cli.make_context("pairedperm", [], resilient_parsing=True) as context:
            click.echo(cli.get_help(context), err=True)
        return ERROR
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = _show_warning
            output = _run(given)
        _print(output.text)
    except click.exceptions.Exit as done:  # help, or the version, were printed
        return done.exit_code
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "pairedperm"
        _say_error(f"{error.format_message()} Try '{path} --help'.")
    except (click.ClickException, InputError, BudgetError, ImportError) as error:
        _say_error(str(error))
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        _say_error(f"{name}{error.strerror or error}.")
    except (KeyboardInterrupt, click.Abort):
        _say_error("interrupted.")
    except Exception as error:
        _say_error(_unexpected(error))
    else:
        return output.code
    return ERROR


def _run(arguments: list[str]) -> Output:
    """What a command says; click's own `main` would exit with 1 in some cases."""
    with cli.make_context("pairedperm", arguments) as context:
        output = cli.invoke(context)
    assert isinstance(output, Output)
    return output


def _print(text: str) -> None:
    """Print it; who does not read to the end has seen what they want."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say_error(message: str) -> None:
    """In one line, in the words of the command line."""
    line = printable(" ".join(as_flags(message).split()), _LONGEST)
    print(f"error: {line}", file=sys.stderr)


def as_flags(message: str) -> str:
    """A message with the names of options as they are written in a shell."""
    names = "|".join(_FLAGS)
    text = re.sub(rf"\b({names})=(?:'([^']*)'|(\S+?))(?=[\s,.;:)]|$)", _as_flag, message)
    return re.sub(rf"`({names})`", lambda found: f"`--{found[1].replace('_', '-')}`", text)


def _as_flag(found: re.Match[str]) -> str:
    name, text, other = found.groups()
    if name == "lower_is_better":
        return "--lower-is-better" if other == "True" else "--higher-is-better"
    value = other if text is None else f"'{text}'" if " " in text else text
    return f"--{name.replace('_', '-')} {value}"


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"warning: {' '.join(as_flags(str(message)).split())}", file=sys.stderr)


def _unexpected(error: Exception) -> str:
    """What nobody foresaw: where it was, for a report."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}, line {frame.lineno}"
    return (
        f"unexpected {type(error).__name__}: {error} ({where}, version {__version__}). Please "
        "report it with the command."
    )
