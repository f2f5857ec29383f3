"""Log-likelihoods per token, against fractions: contracts, fractions, and what is no lattice."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given

from oracles.texts import brute_force
from pairedperm import compare
from pairedperm.hf.accumulator import Accumulator
from pairedperm.options import read_options
from pairedperm.scoring.metric import read_metric
from properties import cases, generators
from scoring.contract import ALTERNATIVES, Contract, check_metric

METRIC = "log_likelihood"
NAMES = ("predictions1", "predictions2", "references")


def random_texts(rng, n, places):
    """Log-likelihoods of some decimals, or of as many as floats have, and tokens."""
    columns = -rng.gamma(3.0, 2.0, (2, n)) * (rng.random((2, n)) < 0.9)
    if rng.random() < 0.5:
        columns[:, 0] = columns[0, 0]
    sizes = rng.integers(0, 9, n)
    assume(sizes.any())
    columns = columns if places is None else np.round(columns, places)
    return [*columns.tolist(), sizes.tolist()]


def decimals(rng, n):
    return random_texts(rng, n, int(rng.integers(0, 4))), {}


def real_numbers(rng, n):
    return random_texts(rng, n, None), {}


def per_token(predictions, sizes):
    """Real numbers are what floats hold, decimals what they print as."""
    found = sum(Fraction(x) if len(str(x)) > 9 else Fraction(str(x)) for x in predictions)
    return Fraction(found) / sum(sizes) if sum(sizes) else Fraction(0)


test_contract = check_metric(
    Contract(METRIC, decimals, per_token, words="log-likelihood per token"),
    Contract(METRIC, real_numbers, per_token, name="reals", few=6, is_counted=False),
)


@cases(0.2)
@given(rng=generators)
def test_parts(rng):
    """Some may lie on a lattice and some not; together they are as one."""
    parts = [random_texts(rng, int(rng.integers(1, 9)), places) for places in (2, None, 1, 2)]
    for some in (parts, parts[::2]):
        columns = [np.concatenate(column) for column in zip(*some, strict=True)]
        assume(columns[2].any())
        stream = Accumulator(read_metric(METRIC))
        for part in some[:-1]:
            stream.add(dict(zip(NAMES, part, strict=True)))
        found = stream.test(dict(zip(NAMES, some[-1], strict=True)), None)
        wanted = compare(*columns, METRIC)
        assert found.pvalue == pytest.approx(wanted.pvalue, rel=1e-12)
        assert (found.score1, found.score2) == pytest.approx((wanted.score1, wanted.score2))
        assert (found.n, found.n_differing) == (wanted.n, wanted.n_differing)


def test_draws_of_real_numbers_are_sampled():
    """Those of decimals are all resamples, if each text has a token."""
    one, two, sizes = np.array([-4.5, -2.5, -7.0]), np.array([-4.0, -3.5, -7.5]), [3, 1, 4]
    ideal = compare(one, two, sizes, METRIC, test="bootstrap")
    assert (ideal.method, ideal.interval) == ("exact", "certified")
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
        stream, options = Accumulator(read_metric(METRIC)), read_options(alternative=alternative)
        for k in range(n):
            stream.add({name: [x[k]] for name, x in zip(NAMES, (one, two, sizes), strict=True)})
        assert stream.test({}, None, options).pvalue == result.pvalue
    assert result.score1 == pytest.approx(float(sum(one)) / sum(sizes), rel=1e-12)


def test_fractions_without_a_common_unit():
    """In parts whose denominators are beyond int64 together they are floats."""
    stream = Accumulator(read_metric(METRIC))
    for denominator in (2**39 - 7, 2**39 - 91, 2**39 - 19):
        column = [-Fraction(1, denominator)]
        stream.add(dict(zip(NAMES, (column, [Fraction(0)], [1]), strict=True)))
    assert stream.test({}, None).method == "enumeration"


@pytest.mark.parametrize("kind", [float, np.float16])
def test_tokens_may_be_floats(kind):
    columns = [-1.5, -2.0], [-1.0, -3.0]
    counts = np.array([2, 3], dtype=kind)
    assert compare(*columns, counts, METRIC) == compare(*columns, [2, 3], METRIC)
