"""The method that runs is the planned and recorded one."""

import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

from choices import plan
from oracles import reals as real_oracle
from oracles.reals import contains
from pairedperm import (
    InputError,
    Ratio,
    compare,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.errors import NoLatticeError
from pairedperm.permutation import choose
from pairedperm.permutation.sums import Sums
from properties import one_in

RNG = np.random.default_rng(7)
ROWS = RNG.integers(0, 4, (2, 9, 2))
LABELS = RNG.integers(0, 2, (3, 9))


def product(sums):
    return sums[..., 0] * (1.0 + sums[..., 1])


PROBLEMS = {  # test, arguments, options, whether it is a mean, and lies on a lattice
    "integers": (paired_permutation_test, tuple(ROWS[:, :, 0]), {}, True, True),
    "decimals": (paired_permutation_test, tuple(ROWS[:, :, 0] / 100), {}, True, True),
    "reals": (paired_permutation_test, tuple(RNG.normal(size=(2, 9))), {}, True, False),
    "Ratio": (paired_permutation_test, ROWS, {"score": Ratio([1, 0], [1, 1])}, False, True),
    "callable": (paired_permutation_test, ROWS, {"score": product}, False, True),
    "accuracy": (compare, LABELS, {}, True, True),
    "f1": (compare, LABELS, {"metric": "f1"}, False, True),
    "Ratio of reals": (
        paired_permutation_test,
        tuple(RNG.random((2, 9, 2))),
        {"score": Ratio([1, 0], [1, 1])},
        False,
        False,
    ),
    "callable of reals": (
        paired_permutation_test,
        tuple(RNG.random((2, 9, 2))),
        {"score": product},
        False,
        False,
    ),
    "structured": (structured_permutation_test, (*ROWS, product), {}, False, True),
}
METHODS = ("auto", "exact", "dp", "fft", "enumeration", "bracket", "monte_carlo")
EXACT = METHODS[:5]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_method_of_every_problem(kind, method):
    """The method that `plan` names runs, and gives p of enumeration; or both refuse."""
    test, arguments, options, is_mean, on_lattice = PROBLEMS[kind]
    options = {**options, "method": method, "rng": 0}
    needs_lattice = method in ("exact", "dp", "fft")
    if (method == "bracket" and not is_mean) or (needs_lattice and not on_lattice):
        for function in (plan, test):
            with pytest.raises(InputError, match=f"^method='{method}' "):
                function(*arguments, **options)
        return
    planned, result = plan(*arguments, **options), test(*arguments, **options)
    assert planned.method == result.method
    assert result.method == (
        ("exact" if on_lattice else "enumeration") if method == "auto" else method
    )
    assert planned.reason
    truth = test(*arguments, **{**options, "method": "enumeration"}).fraction
    assert contains(result.pvalue_interval, truth)
    if method in EXACT:
        assert result.pvalue == pytest.approx(float(truth), rel=1e-11)
    is_sampled = method == "monte_carlo"
    assert result.interval == ("confidence" if is_sampled else "certified")
    assert (result.n_resamples, result.seed) == ((9999, 0) if is_sampled else (None,) * 2)
    is_fraction = result.method == "enumeration"
    assert result.fraction == (truth if is_fraction else None)
    assert not is_fraction or type(result.fraction) is Fraction
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == result.to_dict()
    assert result.to_dict()["method"] == result.method
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    assert copied.fraction == result.fraction


# Real scores by "auto"


@one_in(3)
@pytest.mark.parametrize(
    ("n", "n_same", "method"),
    [
        (1, 0, "enumeration"),
        pytest.param(30, 0, "enumeration", marks=pytest.mark.thorough),
        (30, 100, "enumeration"),
        pytest.param(45, 0, "bracket", marks=pytest.mark.thorough),
        (44, 0, "enumeration"),
        (45, 5, "bracket"),
        (3000, 0, "bracket"),
    ],
)
def test_auto_on_reals(n, n_same, method):
    """Up to 44 differing examples are enumerated, more are bracketed, and none warns."""
    scores = np.random.default_rng(n).normal(size=(2, n + n_same))
    scores[1, n:] = scores[0, n:]
    planned = plan(*scores)
    assert planned.method == method
    assert "no decimal of at most 13 digits" in planned.reason
    if n == 44:  # seconds
        return
    result = paired_permutation_test(*scores)
    assert (result.method, result.interval, result.n_differing) == (method, "certified", n)
    low, high = result.pvalue_interval
    assert low <= result.pvalue <= high <= 1.01 * low
    assert result == paired_permutation_test(*scores, method=method)


@pytest.mark.thorough
def test_44_of_which_some_are_the_same():
    """Multiplicities count: 200 differing examples with four sizes have 51² sums in a half."""
    sizes = np.repeat([2**0.5, 3**0.5, 5**0.5, 7**0.5], 24)
    scores = sizes * np.random.default_rng(0).choice([-1.0, 1.0], 96)
    planned = plan(scores, np.zeros(96))
    assert (planned.method, planned.n_points) == ("enumeration", 25**2)
    result = paired_permutation_test(scores, np.zeros(96))
    assert result.fraction == real_oracle.pvalue(scores, np.zeros(96))


@pytest.mark.parametrize("same", [[2**-0.5], [2**-0.5, 0.1]])
def test_the_same_reals(same):
    """P is known without a lattice, but the engines that were asked for need one."""
    for method in ("auto", "exact"):
        result = paired_permutation_test(same, same, method=method)
        assert (result.method, result.pvalue, plan(same, same, method=method).method) == (
            "exact",
            1.0,
            "exact",
        )
    for method in ("dp", "fft"):
        with pytest.raises(NoLatticeError):
            paired_permutation_test(same, same, method=method)


# What takes too long


THREE_CLASSES = np.random.default_rng(3).integers(0, 3, (3, 30))
MACRO = {"metric": "f1", "average": "macro"}


def test_auto_does_not_wait(monkeypatch):
    """A method is too slow if it takes longer than `QUICK`, and than sampling."""
    waited = plan(*THREE_CLASSES, **MACRO)
    assert waited.method == "exact"
    assert 0.0 < waited.seconds < 3.0
    monkeypatch.setattr(choose, "QUICK", waited.seconds / 2.0)
    few = {"n_resamples": 9, "rng": 0}
    planned = plan(*THREE_CLASSES, **MACRO, **few)
    assert planned.method == "monte_carlo"
    assert planned.seconds < waited.seconds
    assert planned.reason.startswith("p is sampled, because the exact p-value takes about ")
    with pytest.warns(UserWarning, match=r"estimated .* does not wait.* Ask for .*='exact'\. "):
        assert compare(*THREE_CLASSES, **MACRO, **few).method == "monte_carlo"
    for options in ({"method": "exact"}, {"n_resamples": 10**8}):  # which takes longer still
        assert plan(*THREE_CLASSES, **MACRO, **options).method == "exact"
        assert compare(*THREE_CLASSES, **MACRO, **options).method == "exact"
    monkeypatch.setattr(choose, "QUICK", 1.1 * waited.seconds)
    assert plan(*THREE_CLASSES, **MACRO) == waited


def test_auto_samples_no_longer_than_an_hour(monkeypatch):
    """If sampling takes over an hour, "auto" waits for the exact p-value."""
    monkeypatch.setattr(choose, "QUICK", 0.0)
    assert plan(*THREE_CLASSES, **MACRO, n_resamples=10**9).method == "exact"


def test_the_quickest_form_of_a_mean(monkeypatch):
    """A mean on a fine lattice takes another form if that is quicker."""
    monkeypatch.setattr(choose, "QUICK", 0.0)
    gold = np.repeat([0, 1, 2], (59, 61, 67))
    one, two = np.random.default_rng(0).integers(0, 3, (2, gold.size))
    chosen = plan(one, two, gold, "recall", average="macro", method="exact")
    monkeypatch.undo()
    assert chosen.seconds <= plan(one, two, gold, "recall", average="macro").seconds


# Lattices that are too fine


@pytest.mark.thorough
def test_auto_on_a_fine_lattice():
    columns = np.random.default_rng(0).integers(-(2**50), 2**50, (2, 200))
    planned, result = plan(*columns), paired_permutation_test(*columns)
    assert (planned.method, result.method, result.interval) == ("bracket", "bracket", "certified")
    assert (
        "a proven interval from the characteristic function, because the exact p-value "
        in planned.reason
    )
    low, high = result.pvalue_interval
    assert low <= result.pvalue == high <= 1.002 * low
    sampled = paired_permutation_test(*columns, method="monte_carlo", rng=0, n_resamples=50_000)
    assert sampled.pvalue_interval[0] <= high
    assert low <= sampled.pvalue_interval[1]
    few = columns[:, :20]
    result = paired_permutation_test(*few, method="bracket")
    assert contains(result.pvalue_interval, real_oracle.of_integers((few[0] - few[1]).tolist()))


def test_balanced_accuracy_of_large_classes():
    """Five classes whose sizes are primes: a lattice finer than their product, 10^13."""
    sizes = (1009, 1013, 1019, 1021, 1031)
    references = np.repeat(np.arange(5), sizes)
    rng = np.random.default_rng(5)
    one, two = (np.where(rng.random(references.size) < p, references, 0) for p in (0.72, 0.70))
    planned = plan(one, two, references, "balanced_accuracy")
    result = compare(one, two, references, "balanced_accuracy")
    assert planned.method == result.method == "bracket"
    low, high = result.pvalue_interval
    assert 0.9 * high < low < high == result.pvalue
    scores = [(x == references) / np.array(sizes)[references] for x in (one, two)]
    real = paired_permutation_test(*scores)
    assert real.method == "bracket"
    assert max(real.pvalue_interval[0], low) <= min(real.pvalue, high)


def test_squad_f1_of_many_lengths():
    """Token F1 of answers with up to 60 words: denominators whose multiple is no int64."""
    rng = np.random.default_rng(6)
    words = [f"w{k}" for k in range(8)]

    def answers():
        return [" ".join(rng.choice(words, size)) for size in rng.integers(1, 61, 400)]

    columns = answers(), answers(), answers()
    planned = plan(*columns, metric="squad_f1")
    result = compare(*columns, metric="squad_f1")
    assert planned.method == result.method == "bracket"
    low, high = result.pvalue_interval
    assert 0.99 * high < low <= high == result.pvalue
    sampled = compare(*columns, metric="squad_f1", method="monte_carlo", rng=0)
    assert sampled.pvalue_interval[0] <= high
    assert low <= sampled.pvalue_interval[1]


def test_a_mean_is_posed_as_a_function_of_sums_once(monkeypatch):
    """The problem is posed once, although "auto" asks twice why "exact" was too much."""
    posed, initialised = [], Sums.__init__
    monkeypatch.setattr(Sums, "__init__", lambda *args: posed.append(1) or initialised(*args))
    columns = np.random.default_rng(0).integers(0, 12, (3, 2000))
    few = {"budget": {"max_points": 10}, "rng": 0, "n_resamples": 99}
    with pytest.warns(UserWarning, match="p is estimated .*, because"):
        found = compare(*columns, "recall", average="macro", **few)
    assert (found.method, len(posed)) == ("monte_carlo", 1)
