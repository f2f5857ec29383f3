"""Log-likelihoods per token, against fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given

from oracles.texts import brute_force
from oracles.vectors import ALTERNATIVES, EXTREME
from pairedperm import InputError, compare
from pairedperm.hf.streaming import OtherStream
from properties import cases, generators

METRIC = "log_likelihood"
NAMES = ("predictions1", "predictions2", "references")


def texts(rng, n, decimals):
    """Log-likelihoods of some decimals, or of as many as floats have, and tokens."""
    columns = -rng.gamma(3.0, 2.0, (2, n)) * (rng.random((2, n)) < 0.9)
    if rng.random() < 0.5:
        columns[:, 0] = columns[0, 0]
    return [*(columns if decimals is None else np.round(columns, decimals)), rng.integers(0, 9, n)]


def fractions(column, decimals):
    return [Fraction(x) if decimals is None else Fraction(f"{x:.{decimals}f}") for x in column]


@cases(0.3)
@given(rng=generators)
def test_swaps(rng):
    """On a lattice exactly, otherwise within the proven interval."""
    decimals = [None, 0, 1, 3][rng.integers(4)]
    columns = texts(rng, int(rng.integers(1, 9)), decimals)
    total = int(columns[2].sum())
    assume(total)
    one, two = (fractions(column, decimals) for column in columns[:2])
    for alternative in ALTERNATIVES:
        result = compare(*columns, METRIC, alternative=alternative)
        p = float(brute_force(one, two, alternative))
        assert result.pvalue_interval[0] <= p <= result.pvalue_interval[1]
        assert result.pvalue == pytest.approx(p, rel=1e-12)
        assert result.score1 == pytest.approx(float(sum(one) / total), rel=1e-15, abs=1e-300)
        assert result.score2 == pytest.approx(float(sum(two) / total), rel=1e-15, abs=1e-300)
        assert result.statistic == pytest.approx(float((sum(one) - sum(two)) / total), rel=1e-12)
    sampled = compare(*columns, METRIC, method="monte_carlo", rng=1, n_resamples=4_000)
    p = float(brute_force(one, two, "two-sided"))
    assert abs(sampled.pvalue - p) <= 4 * np.sqrt(p * (1 - p) / 4_000) + 1 / 4_000


@cases(0.1)
@given(rng=generators)
def test_parts(rng):
    """Some may lie on a lattice and some not; together they are as one."""
    parts = [texts(rng, int(rng.integers(1, 9)), decimals) for decimals in (2, None, 1, 2)]
    for some in (parts, parts[::2]):
        columns = [np.concatenate(column) for column in zip(*some, strict=True)]
        assume(columns[2].any())
        stream = OtherStream(METRIC)
        for part in some[:-1]:
            stream.add(dict(zip(NAMES, part, strict=True)))
        found = stream.test(dict(zip(NAMES, some[-1], strict=True)), None)
        wanted = compare(*columns, METRIC)
        assert found.pvalue == pytest.approx(wanted.pvalue, rel=1e-12)
        assert (found.score1, found.score2) == pytest.approx((wanted.score1, wanted.score2))
        assert (found.n, found.n_differing) == (wanted.n, wanted.n_differing)


def test_draws():
    """The ideal bootstrap of decimals, against all resamples; real numbers are sampled."""
    columns = np.array([[-4.5, -2.5, -7.0, 0.0], [-4.0, -3.5, -7.5, -0.5], [3, 1, 4, 0]])
    one, two, sizes = columns
    difference, observed = one - two, (one - two).sum() / sizes.sum()
    for alternative in ALTERNATIVES:
        n_extreme = 0
        for drawn in product(range(4), repeat=4):
            size = sizes[[*drawn]].sum()
            found = difference[[*drawn]].sum() / size if size else 0.0
            away, than = {
                "two-sided": (found - observed, observed),
                "greater": (found, 2 * observed),
                "less": (found, 2 * observed),
            }[alternative]
            n_extreme += EXTREME[alternative](round(away, 12), round(than, 12))
        options = {"test": "bootstrap", "alternative": alternative}
        without = [columns[0, :3], columns[1, :3], columns[2, :3]]
        assert compare(*without, METRIC, **options).method == "exact"
        sampled = compare(*columns, METRIC, **options, rng=0, n_resamples=9_999)
        assert sampled.pvalue == pytest.approx(n_extreme / 4**4, abs=0.02)
    real = compare(one / 3, two / 3 - 1e-9, sizes, METRIC, test="bootstrap", rng=0)
    assert (real.method, real.metric) == ("monte_carlo", METRIC)


def test_what_lies_on_no_lattice_with_many_tokens():
    """Beside numbers of 13 digits so many tokens are none of their units."""
    result = compare([-0.0000000000001, -1.0], [0.0, -1.5], [2**40, 2**41], METRIC)
    assert result.method == "enumeration"
    assert result.score1 == pytest.approx(-1.0 / (2**40 + 2**41), rel=1e-12)


@cases(0.1)
@given(rng=generators)
def test_fractions(rng):
    """Taken for what they are, also in parts of different denominators: ties are ties."""
    n, denominators = int(rng.integers(2, 9)), [3, 7, 10]
    one = [-Fraction(int(rng.integers(0, 9)), denominators[k % 3]) for k in range(n)]
    two = rng.permutation(np.array(one, dtype=object)).tolist()
    sizes = rng.integers(1, 5, n).tolist()
    for alternative in ALTERNATIVES:
        result = compare(one, two, sizes, METRIC, alternative=alternative)
        assert result.pvalue == float(brute_force(one, two, alternative))
        stream = OtherStream(METRIC)
        for k in range(n):
            stream.add({name: [x[k]] for name, x in zip(NAMES, (one, two, sizes), strict=True)})
        assert stream.test({}, None, alternative=alternative).pvalue == result.pvalue
    assert result.score1 == pytest.approx(float(sum(one)) / sum(sizes), rel=1e-12)


def test_fractions_without_a_common_unit():
    """In parts whose denominators are beyond int64 together they are floats."""
    stream = OtherStream(METRIC)
    for denominator in (2**39 - 7, 2**39 - 91, 2**39 - 19):
        column = [-Fraction(1, denominator)]
        stream.add(dict(zip(NAMES, (column, [Fraction(0)], [1]), strict=True)))
    assert stream.test({}, None).method == "enumeration"


def test_series_with_other_indexes():
    right = pd.Series([2, 3])
    other = pd.Series([-1.0, -3.0], index=[1, 0])
    with pytest.warns(UserWarning, match="`predictions1` and `references` are Series with diff"):
        compare(other, [-1.5, -2.0], right, METRIC)


@pytest.mark.parametrize("kind", [float, np.float16])
def test_tokens_may_be_floats(kind):
    columns = [-1.5, -2.0], [-1.0, -3.0]
    counts = np.array([2, 3], dtype=kind)
    assert compare(*columns, counts, METRIC) == compare(*columns, [2, 3], METRIC)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([1.0], [-1.0], [2]), r"`predictions1`\[0\] is 1.0, and .* pass the opposite, summed"),
        (([-1.0], [-1.0, -2.0], [2, 3]), "`predictions1` has 1 examples and `references` has 2"),
        (([-1.0], None, [2]), "`predictions2` is missing: pass the log-likelihood"),
        (([-1.0], [-1.0], None), "`references` is missing: pass the number of tokens"),
        (([], [], []), "`predictions1` is empty: at least one text"),
        (([-1.0], [-1.0], [-2]), r"`references`\[0\] is -2: it must be the number of tokens"),
        (([-1.0], [-1.0], [0.5]), r"`references`\[0\] is 0.5: it must be the number of tokens"),
        (([-1.0], [-1.0], [0]), "`references` must count tokens, and all counts are 0"),
        (([-np.inf], [-1.0], [1]), r"`predictions1` must be finite: `predictions1`\[0\] is -inf"),
        ((["a"], [-1.0], [1]), r"`predictions1`\[0\] is not a number, 'a'"),
    ],
)
def test_columns_that_are_no_log_likelihoods(columns, message):
    with pytest.raises(InputError, match=message):
        compare(*columns, METRIC)
