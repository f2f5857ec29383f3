"""The accepted options of tests: words, numbers, sources of random numbers."""

import numpy as np
import pytest

from pairedperm import InputError, compare, compare_many, paired_permutation_test
from pairedperm.options import raised, read_options


@pytest.mark.parametrize(
    ("option", "value", "meant"),
    [
        ("correction", "fdr_bh", "'bh'"),
        ("correction", "Bonferroni", "'bonferroni'"),
        ("correction", "h", "'holm'"),
        ("correction", "none", "None"),
        ("alternative", "larger", "'greater'"),
        ("method", "approximate", "'monte_carlo'"),
        ("method", "monte-carlo", "'monte_carlo'"),
        ("baseline", "B ", "'b'"),
    ],
)
def test_did_you_mean(option, value, meant):
    systems, options = {"a": [1, 0], "b": [0, 1]}, {"metric": "f1", option: value}
    with pytest.raises(InputError, match=rf"got .* \(str\)\. Did you mean {meant}\?$"):
        compare_many(systems, [1, 1], **options)


@pytest.mark.parametrize("value", ["x", 3, None, "approximate"])
def test_nothing_is_like_it(value):
    """Names of other tools are for one option."""
    with pytest.raises(InputError, match=r"got .* \(\w+\)\.$"):
        read_options(test="bootstrap", ties=value)


SCORES = np.sin(np.arange(200)), np.cos(np.arange(200))


def test_budgets_beyond_all_machines():
    found = [
        paired_permutation_test(*SCORES, budget={"max_points": x, "max_bytes": x})
        for x in (2**40, 10**400, np.finfo(np.longdouble).max)
    ]
    assert found[0] == found[1] == found[2]


def _without_end():
    found = [1]
    found.append(found)
    return found


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_what_is_no_seed():
    nested = np.array([None])
    nested[0] = nested
    endless = np.asmatrix([1, 2]), _without_end(), nested  # numpy does not return from these
    wrong = np.array([[1, 2]]), [1, -1], [1, 0.5], np.array([0.5]), np.array(1), [True], 1.0, "1"
    others = np.ma.array([1, 2], mask=[0, 1]), b"1", {1}, np.timedelta64(1, "s")
    for rng in (*endless, *wrong, *others, np.timedelta64("NaT", "s")):
        with pytest.raises(InputError, match="`rng` must be a seed, an integer from 0, a numpy"):
            read_options(rng=rng)


def test_sources_of_random_numbers():
    numbers = [1, 2], (1, 2), range(3), np.array([1, 2]), np.array([1, 2], dtype=np.uint64)
    generators = np.random.SeedSequence(1), np.random.PCG64(1), np.random.default_rng(1)
    for rng in (None, 0, np.int8(3), 2**200, *numbers, *generators):
        assert read_options(rng=rng).drawn_seed() >= 0


def test_methods_of_a_bootstrap():
    """Those are named that it takes, also where a permutation test has more."""
    for method, message in (
        ("exactt", r"must be one of 'auto', 'exact', 'monte_carlo', got .*mean 'exact'\?$"),
        ("dp", r"'dp' is for permutation tests\. A bootstrap accepts 'auto', 'exact', 'mon"),
    ):
        with pytest.raises(InputError, match=f"^`method` {message}"):
            read_options(test="bootstrap", method=method)


def test_a_seed_can_be_told():
    """Python prints no integer of thousands of digits; a card reads it as a float."""
    columns = [1, 0, 1], [0, 1, 0], [1, 1, 1]
    for seed in (2**200, 10**5000):
        result = compare(*columns, method="monte_carlo", rng=seed)
        assert (result.seed == seed) is (seed < 10**300)
        assert compare(*columns, method="monte_carlo", rng=result.seed) == result
        assert f"seed={result.seed}" in repr(result)
        assert result == compare(*columns, method="monte_carlo", rng=seed)


@pytest.mark.parametrize(
    ("seconds", "n_bytes", "more", "wanted"),
    [
        (0, 0, {}, "Raise it."),
        (1.6, 2**36, {}, "Raise it (it takes about 1.6 seconds and 69 GB)."),
        (0, 1.6e9, {"otherwise": "rest"}, "Raise it (it takes 1.6 GB), or rest."),
        (9450, 378e9, {"to": " to 9"}, "It would take about 2.6 hours and 380 GB."),
        (3e5, 0, {"otherwise": "rest"}, "It would take about 3.5 days: rest."),
        (1, 7.2e16, {}, "It would take about a second and 72,000,000 GB."),
        (float("inf"), 0, {}, "It would take years."),
    ],
)
def test_a_limit_is_to_be_raised_where_a_person_would_wait(seconds, n_bytes, more, wanted):
    assert f"{raised(seconds, n_bytes, **more)}." == wanted
