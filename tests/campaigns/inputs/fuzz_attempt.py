"""One call, held to its contract: what it raises and answers, and what becomes of arguments."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from random import Random
from typing import Any

from campaigns.inputs import fuzz_invariants
from campaigns.inputs.fuzz_call import Argument, Call, Failure, Unbuilt
from campaigns.inputs.fuzz_contract import Leak, broken_by_error, place, recorded_warnings
from campaigns.inputs.fuzz_grammar import call_of
from campaigns.inputs.fuzz_invariants import Broken
from campaigns.inputs.fuzz_published import broken_by_publishing
from pairedperm import BudgetError, InputError, PairedPermutationResult, Plan
from pairedperm.results.result import PairedResult

ANSWERED, REFUSED, UNBUILT = "answered", "refused", "unbuilt"
_MIRRORED = ("compare", "paired_permutation_test", "paired_bootstrap_test")
_PLANNED = ("compare", "paired_permutation_test", "structured_permutation_test")
_OPPOSITE = {"'greater'": "'less'", "'less'": "'greater'"}


class TooLong(BaseException):
    """A call takes longer than it may; no `except Exception` catches this."""


def of_index(seed: int, index: int) -> Call:
    """The call of a campaign with this number."""
    return call_of(Random(f"{seed} {index}"))


def attempt(call: Call, seconds: float = 20.0) -> str | Failure:
    """Make the call and those that its checks need: whether it was answered, or how it fails."""
    try:
        with _limited(seconds), _silent():
            return _attempted(call)
    except Unbuilt:
        return UNBUILT
    except TooLong as error:
        return _failure(call, "takes too long", error)


def _attempted(call: Call) -> str | Failure:
    outcome, arguments, options = _called(call)
    if isinstance(outcome, Failure):
        return outcome
    fails = outcome if isinstance(outcome, Exception) else None
    try:
        if fails is None:
            fuzz_invariants.check(call, outcome, options)
        _check_arguments(call, arguments, options)
        if "unsteady" not in str(call) and "HostileError" not in type(fails).__name__:
            other = _checked_again(call, outcome)
            if other is not None:
                return other
    except Broken as error:
        return _failure(call, f"broken: {error}", error)
    return ANSWERED if fails is None else REFUSED


def _called(call: Call) -> tuple[Any, list[Any], dict[str, Any]]:
    """The answer, or the exception if the contract has it, or else a failure."""
    function, arguments, options = call.given()
    with recorded_warnings() as leaks:
        try:
            outcome = function(*arguments, **options)
        except (Exception, SystemExit) as error:
            wrong = broken_by_error(call.function, error)
            outcome = _failure(call, wrong, error) if wrong else error
            if isinstance(outcome, SystemExit):
                outcome = RuntimeError("exit")
    if leaks and not isinstance(outcome, Failure):
        leak = leaks[0]
        outcome = _failure(call, f"leaks {str(leak.args[0]).partition(':')[0]}", leak)
    return outcome, arguments, options


def _check_arguments(call: Call, arguments: list[Any], options: dict[str, Any]) -> None:
    """Whether the arguments are what their sources are; what is consumed cannot be told."""
    if call.function in ("run_steps", "update", "pickled"):
        return
    _, fresh, fresh_options = call.given()
    if not fuzz_invariants.alike([arguments, options], [fresh, fresh_options]):
        raise Broken("an argument was changed")


def _checked_again(call: Call, outcome: Any) -> Failure | None:
    """How the further calls fail: again, with the systems swapped, planned, and its law."""
    fails = isinstance(outcome, Exception)
    random = "rng" not in [x.name for x in call.arguments] or call.source("rng") == "None"
    if ("again" in call.checks and not random) or call.function.startswith("read_"):
        again, _, _ = _called(call)
        if isinstance(again, Exception) or fails:
            _hold(type(again) is type(outcome), "the same call again is another")
        else:
            _hold(fuzz_invariants.alike(outcome, again), "the same call again is another")
    if "plan" in call.checks and call.function in _PLANNED:
        planned, _, _ = _called(replace(call, function="plan"))
        if isinstance(planned, Failure):
            return planned
        _check_plan(call, outcome, planned)
    if fails:
        return None
    if "mirror" in call.checks and call.function in _MIRRORED:
        first, second, *others = call.arguments
        if first.name[:-1] == second.name[:-1] and first.name[-1:] == "1":
            swapped = (
                Argument(first.name, second.source),
                Argument(second.name, first.source),
                *(
                    replace(x, source=_OPPOSITE.get(x.source, x.source))
                    if x.name == "alternative"
                    else x
                    for x in others
                ),
            )
            mirrored, _, _ = _called(replace(call, arguments=swapped))
            if not isinstance(mirrored, BudgetError):
                _hold(not isinstance(mirrored, Failure | Exception), "the mirror is refused")
                if call.source("alternative") in ("", "'two-sided'", *_OPPOSITE):
                    fuzz_invariants.check_mirror(outcome, mirrored)
    if "said" in call.checks and isinstance(outcome, PairedResult):
        fuzz_invariants.check_said(outcome)
    if "published" in call.checks and isinstance(outcome, PairedPermutationResult):
        broken = broken_by_publishing(outcome)
        _hold(not broken, broken)
    if "law" in call.checks and hasattr(outcome, "null_distribution"):
        try:
            law = outcome.null_distribution(budget={"max_points": 2**14, "max_bytes": 2**20})
        except (InputError, BudgetError):
            return None
        fuzz_invariants.check_law(law)
    return None


def _check_plan(call: Call, outcome: Any, planned: Any) -> None:
    if call.source("test"):
        return
    refused, refuses = isinstance(outcome, InputError), isinstance(planned, Exception)
    if refuses and not isinstance(outcome, Exception):
        raise Broken(f"plan refuses what is answered: {type(planned).__name__}")
    has_function = call.source("score") or call.source("statistic")
    if refused and not refuses and not has_function:
        raise Broken("plan does not refuse what is refused")
    if isinstance(outcome, PairedPermutationResult) and isinstance(planned, Plan):
        _hold(planned.method == outcome.method, "plan names another method")


def _hold(is_so: bool, what: str) -> None:
    if not is_so:
        raise Broken(what)


def _failure(call: Call, kind: str, error: BaseException) -> Failure:
    trace = "".join(traceback.format_exception(error)) if error.__traceback__ else str(error)
    try:
        message = str(error.args[0] if isinstance(error, Leak) else error)[:300]
    except Exception:
        message = "?"
    return Failure(call, kind, place(error), message, trace)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TooLong(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _silent() -> Iterator[None]:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        yield
