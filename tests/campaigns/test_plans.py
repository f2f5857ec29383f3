"""The campaign on plans: of tests of every kind and size, held against what then runs."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.sized import KINDS, sized
from pairedperm import BudgetError, InputError, plan, structured_permutation_test
from properties import cases

_TIMES, _ALLOWED = 3.0, 0.3  # what a test may take of the seconds in its plan, and beside them
_LOOP, _PACE = 10**6, 0.008  # steps that do nothing, and their seconds where plans were measured
_SMALL = {"max_points": 2**20}
_METHODS = ("exact", "dp", "fft", "enumeration", "bracket", "monte_carlo")


def sizes(most, curve):
    """From 2 to `most`, mostly some dozens."""
    return st.integers(0, 40).map(lambda k: int(2 * (most / 2) ** ((k / 40) ** curve)))


@pytest.mark.filterwarnings("ignore:p is estimated")
@given(
    kind=st.sampled_from(KINDS),
    n=sizes(1000, 1.5),
    size=sizes(10**6, 2),
    shift=st.sampled_from([0.0, 0.0, 0.05, 0.3]),
    seed=st.integers(0, 10**6),
    side=st.sampled_from(["two-sided", "greater", "less"]),
    method=st.sampled_from(["auto"] * 9 + [*_METHODS]),
)
@cases(0.5)
def test_plans(kind, n, size, shift, seed, side, method):
    """A plan refuses what is refused, and tells the method, and of the seconds not too few."""
    test, arguments, options = sized(kind, n, size, shift, seed)
    options |= {"rng": 0} | ({} if method == "auto" else {"method": method, "budget": _SMALL})
    if test is not structured_permutation_test:
        options["alternative"] = side
    planned, _ = timed(plan, *arguments, **options)
    for k in range(3):
        result, seconds = timed(test, *arguments, **options)
        if isinstance(result, Exception) or isinstance(planned, Exception):
            break
        assert planned.method == result.method
        if seconds <= (pace() if k else 1.0) * (_TIMES * planned.seconds + _ALLOWED):
            return
    else:
        pytest.fail(f"it takes {seconds} seconds, and {planned.seconds} were planned")
    assert isinstance(result, Exception), "plan refuses what is answered"
    if not isinstance(planned, Exception):  # points of the plane take 0.6 µs
        assert planned.reason.startswith("tilted sums in the plane"), "plan does not refuse"
        assert 5.0 * planned.seconds >= 6e-7 * _SMALL["max_points"], "plan does not refuse"


def timed(function, *arguments, **options):
    """The answer or refusal, and the seconds of the processor, which other processes do not add."""
    start = time.process_time()
    try:
        answer = function(*arguments, **options)
    except (InputError, BudgetError) as error:
        answer = error
    return answer, time.process_time() - start


def pace():
    """How many times as long a loop takes as where plans were measured; 1 on faster machines."""
    start = time.process_time()
    for _ in range(_LOOP):
        pass
    return max((time.process_time() - start) / _PACE, 1.0)
