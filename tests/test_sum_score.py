"""Any function of the column sums as a score: brute force, laws, ties, small p-values."""

import pickle
from fractions import Fraction

import numpy as np
import oracle
import pytest
import ratio_oracle
from test_ratio import RATIO, sentences

from pairedperm import BudgetError, InputError, PairedCounts, paired_permutation_test

ALTERNATIVES = ("two-sided", "greater", "less")


# Scores, each twice: of a row of integers without rounding, and of arrays (…, m) in floats


def ratio_or(x, y, otherwise):
    return Fraction(x, y) if y else Fraction(otherwise)


def ratios_or(x, y, otherwise):
    return np.where(y == 0, otherwise, x / np.where(y == 0, 1, y))


def exact_precision(row):
    return ratio_or(row[0], sum(row), 0)


def precision(sums):
    return ratios_or(sums[..., 0], sums.sum(axis=-1), 0.0)


def exact_macro(row):
    """The mean of the shares x / (x + y) of the columns' halves; 1 where there is nothing."""
    half = len(row) // 2
    pairs = [*zip(row[:half], row[half : 2 * half], strict=True), (row[-1], 1)]
    return sum(ratio_or(x, x + y, 1) for x, y in pairs) / len(pairs)


def macro(sums):
    half = sums.shape[-1] // 2
    x, y = sums[..., :half], sums[..., half : 2 * half]
    last = sums[..., -1]
    return (ratios_or(x, x + y, 1.0).sum(axis=-1) + ratios_or(last, last + 1, 1.0)) / (half + 1)


def exact_polynomial(row):
    return Fraction(sum((-1) ** k * x**2 for k, x in enumerate(row)) + 3 * row[0])


def polynomial(sums):
    signs = (-1.0) ** np.arange(sums.shape[-1])
    return (signs * sums**2).sum(axis=-1) + 3 * sums[..., 0]


def exact_brevity(row):
    """A share times what a short output is punished by, as in BLEU."""
    return ratio_or(row[0], row[-1], 0) * min(Fraction(1), ratio_or(sum(row), 4 * row[0], 1))


def brevity(sums):
    first, last = sums[..., 0], sums[..., -1]
    penalty = np.minimum(1.0, ratios_or(sums.sum(axis=-1), 4 * first, 1.0))
    return ratios_or(first, last, 0.0) * penalty


def exact_largest(row):
    return Fraction(max(row) - 2 * min(row))


def largest(sums):
    return sums.max(axis=-1) - 2 * sums.min(axis=-1)


def exact_steps(row):
    return Fraction(sum(row) // 3 % 4)


def steps(sums):
    return sums.sum(axis=-1) // 3 % 4


SCORES = {
    "precision": (exact_precision, precision),
    "macro": (exact_macro, macro),
    "polynomial": (exact_polynomial, polynomial),
    "brevity": (exact_brevity, brevity),
    "largest": (exact_largest, largest),
    "steps": (exact_steps, steps),
}


def differences_of_all_swaps(rows1, rows2, exact):
    """The observed difference, and those of all 2^n ways of swapping with how many give each."""
    rows1, rows2 = np.asarray(rows1), np.asarray(rows2)
    n, total = len(rows1), (rows1 + rows2).sum(axis=0)
    stays = np.arange(2**n)[:, None] >> np.arange(n) & 1
    sums, how_often = np.unique(stays @ rows1 + (1 - stays) @ rows2, axis=0, return_counts=True)
    score = {tuple(row): exact(row) for row in sums.tolist()}  # the mirror images among them
    pairs = zip(sums.tolist(), (total - sums).tolist(), strict=True)
    found = [score[tuple(first)] - score[tuple(second)] for first, second in pairs]
    first, second = rows1.sum(axis=0).tolist(), rows2.sum(axis=0).tolist()
    return score[tuple(first)] - score[tuple(second)], list(zip(found, how_often, strict=True))


def brute_force(rows1, rows2, exact, alternative):
    observed, found = differences_of_all_swaps(rows1, rows2, exact)
    is_extreme = ratio_oracle.EXTREME[alternative]
    n_extreme = sum(int(ways) for d, ways in found if is_extreme(d, observed))
    return Fraction(n_extreme, 2 ** len(rows1))


def small_rows(rng):
    """Up to 10 rows of up to 4 counts, with zeros, ties and columns that depend on each other."""
    n, m = int(rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 10])), int(rng.integers(1, 5))
    rows = rng.integers(0, rng.choice([2, 3, 6]), (2, n, m))
    kind = rng.integers(4)
    if kind == 0:
        rows[:, :, rng.integers(m)] = 0
    elif kind == 1 and m > 1:
        rows[:, :, -1] = rows[:, :, :-1].sum(axis=-1)
    elif kind == 2:
        rows[1] = np.where(rng.random((n, 1)) < 0.4, rows[0], rows[1])
    return rows


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("seed", range(4))
def test_all_swaps_of_small_corpora(name, seed):
    exact, score = SCORES[name]
    rng = np.random.default_rng([seed, len(name)])
    for _ in range(100):
        rows1, rows2 = small_rows(rng)
        alternative = str(rng.choice(ALTERNATIVES))
        truth = brute_force(rows1, rows2, exact, alternative)
        result = paired_permutation_test(rows1, rows2, score=score, alternative=alternative)
        assert result.method == "exact"
        assert oracle.is_certified(result, truth), (rows1, rows2, alternative, result)
        assert oracle.relative_error(result, truth) <= 1e-12
        assert result.score1 == pytest.approx(float(exact(rows1.sum(axis=0).tolist())), rel=1e-14)
        assert result.score2 == pytest.approx(float(exact(rows2.sum(axis=0).tolist())), rel=1e-14)
        assert result.statistic == result.score1 - result.score2
        assert (result.n, result.n_differing) == (len(rows1), (rows1 != rows2).any(axis=1).sum())


def test_the_cases_are_of_all_kinds():
    """Otherwise the brute force would show little."""
    pvalues, sizes = set(), set()
    rng = np.random.default_rng(0)
    for _ in range(100):
        rows = small_rows(rng)
        pvalues.add(brute_force(*rows, exact_macro, "two-sided"))
        sizes.add(rows.shape[1:])
    assert (min(pvalues), max(pvalues)) == (Fraction(1, 32), 1)
    assert len(pvalues) > 20
    assert len(sizes) > 20


@pytest.mark.parametrize("seed", range(5))
def test_decimals(seed):
    """The function gets the sums as they came, 0.3 and not 3."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        rows = small_rows(rng)
        for unit in (10, 1000):

            def exact(row, unit=unit):
                return exact_polynomial([Fraction(x, unit) for x in row])

            alternative = str(rng.choice(ALTERNATIVES))
            truth = brute_force(*rows, exact, alternative)
            result = paired_permutation_test(
                *(rows / unit), score=polynomial, alternative=alternative
            )
            assert oracle.is_certified(result, truth)
            expected = float(exact(rows[0].sum(axis=0).tolist()))
            assert result.score1 == pytest.approx(expected, rel=1e-13, abs=1e-13)


def test_a_single_column():
    """Counts of shape (n,) reach the function without an axis of their own."""
    rng = np.random.default_rng(0)
    for _ in range(30):
        rows1, rows2 = rng.integers(0, 6, (2, 7, 1))
        for alternative in ALTERNATIVES:
            truth = brute_force(rows1, rows2, lambda row: Fraction(row[0] ** 2), alternative)
            result = paired_permutation_test(
                rows1[:, 0], rows2[:, 0], score=np.square, alternative=alternative
            )
            assert oracle.is_certified(result, truth)
            with_axis = paired_permutation_test(
                rows1, rows2, score=lambda sums: sums[..., 0] ** 2, alternative=alternative
            )
            assert with_axis == result


@pytest.mark.parametrize("name", SCORES)
def test_paired_counts(name):
    _, score = SCORES[name]
    rng = np.random.default_rng(1)
    rows1, rows2 = rng.integers(0, 4, (2, 6, 3))
    multiplicities = rng.integers(0, 7, 6)
    counts = PairedCounts(rows1, rows2, multiplicities)
    expanded = (np.repeat(rows, multiplicities, axis=0) for rows in (rows1, rows2))
    result = paired_permutation_test(counts, score=score)
    assert result.n == multiplicities.sum()
    assert result == paired_permutation_test(*expanded, score=score)
    counts = PairedCounts(rows1 / 10, rows2 / 10, multiplicities)
    tenths = (np.repeat(rows, multiplicities, axis=0) / 10 for rows in (rows1, rows2))
    assert paired_permutation_test(counts, score=score) == paired_permutation_test(
        *tenths, score=score
    )


# Laws


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("seed", range(4))
def test_laws(name, seed):
    _, score = SCORES[name]
    rng = np.random.default_rng([seed, 7])
    rows1, rows2 = rng.integers(0, 5, (2, 25, 3))
    result = paired_permutation_test(rows1, rows2, score=score)
    swapped = paired_permutation_test(rows2, rows1, score=score)
    assert swapped.pvalue == pytest.approx(result.pvalue, rel=1e-13)
    assert (swapped.statistic, swapped.score1) == (-result.statistic, result.score2)
    greater = paired_permutation_test(rows1, rows2, score=score, alternative="greater").pvalue
    less = paired_permutation_test(rows2, rows1, score=score, alternative="less").pvalue
    assert greater == pytest.approx(less, rel=1e-13)
    order = rng.permutation(25)
    assert paired_permutation_test(rows1[order], rows2[order], score=score) == result


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_ties_change_no_score_that_ignores_them(alternative):
    """A tie adds to both systems' sums: it matters, unless it adds nothing, or the score is linear.

    `macro` of (a + 1, b) is another score; of rows of zeros it is the same.
    """
    rows1, rows2 = np.random.default_rng(2).integers(0, 5, (2, 20, 3))
    zeros = np.zeros((4, 3), dtype=int)
    expected = paired_permutation_test(rows1, rows2, score=macro, alternative=alternative)
    result = paired_permutation_test(
        np.vstack((rows1, zeros)), np.vstack((rows2, zeros)), score=macro, alternative=alternative
    )
    assert result.log_pvalue_interval == expected.log_pvalue_interval
    assert (result.n, result.n_differing) == (expected.n + 4, expected.n_differing)
    ties = np.full((4, 3), 2)
    columns = np.vstack((rows1, ties)), np.vstack((rows2, ties))
    linear = paired_permutation_test(
        rows1, rows2, score=lambda sums: sums @ np.array([2.0, -1.0, 3.0]), alternative=alternative
    )
    with_ties = paired_permutation_test(
        *columns, score=lambda sums: sums @ np.array([2.0, -1.0, 3.0]), alternative=alternative
    )
    assert with_ties.pvalue == linear.pvalue


@pytest.mark.parametrize("factor", [7, 1000, 0.1])
@pytest.mark.parametrize("score", [precision, brevity])
def test_units_do_not_matter_to_scores_without_one(score, factor):
    rows1, rows2 = np.random.default_rng(3).integers(0, 5, (2, 25, 3))
    result = paired_permutation_test(rows1, rows2, score=score)
    other = paired_permutation_test(
        (factor * rows1).round(1), (factor * rows2).round(1), score=score
    )
    assert 1e-6 < result.pvalue < 1.0
    assert other.pvalue == result.pvalue
    assert other.statistic == pytest.approx(result.statistic, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_columns_may_be_permuted_and_split(seed):
    rng = np.random.default_rng(seed)
    rows1, rows2 = rng.integers(0, 4, (2, 12, 3))
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(rows1, rows2, score=macro, alternative=alternative)
        order = rng.permutation(3)
        back = np.argsort(order)
        permuted = paired_permutation_test(
            rows1[:, order],
            rows2[:, order],
            score=lambda sums, back=back: macro(sums[..., back]),
            alternative=alternative,
        )
        assert permuted.pvalue == pytest.approx(result.pvalue, rel=1e-12)
        # the first column as the sum of two, which moves in one dimension more
        parts = [rng.binomial(rows[:, 0], 0.5) for rows in (rows1, rows2)]
        split = [
            np.column_stack((rows[:, 0] - part, rows[:, 1:], part))
            for rows, part in zip((rows1, rows2), parts, strict=True)
        ]

        def of_split(sums):
            return macro(
                np.stack((sums[..., 0] + sums[..., 3], sums[..., 1], sums[..., 2]), axis=-1)
            )

        found = paired_permutation_test(*split, score=of_split, alternative=alternative)
        assert found.pvalue == pytest.approx(result.pvalue, rel=1e-12)
        assert found.statistic == result.statistic


def test_a_linear_score_is_the_mean():
    rng = np.random.default_rng(4)
    rows1, rows2 = rng.integers(0, 5, (2, 60, 3))
    weights = np.array([3, 1, -2])
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(
            rows1, rows2, score=lambda sums: sums @ weights / 60, alternative=alternative
        )
        mean = paired_permutation_test(rows1 @ weights, rows2 @ weights, alternative=alternative)
        assert result.pvalue == pytest.approx(mean.pvalue, rel=1e-11)
        assert result.statistic == pytest.approx(mean.statistic, rel=1e-12)


def ratio_as_function(sums):
    return ratios_or(sums[..., 0], sums[..., 1], 0.0)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("advantage", [0.0, 0.15])
def test_a_ratio_written_as_a_function(alternative, advantage):
    rows = sentences(np.random.default_rng(5), 200, advantage)
    columns = rows[:, :2], rows[:, 2:]
    expected = paired_permutation_test(*columns, score=RATIO, alternative=alternative)
    result = paired_permutation_test(*columns, score=ratio_as_function, alternative=alternative)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-11)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert result.n_differing == expected.n_differing
    low, high = result.pvalue_interval
    assert low <= expected.pvalue_interval[1]
    assert high >= expected.pvalue_interval[0]
    assert high - low <= 1e-10 * result.pvalue


# The null distribution


@pytest.mark.parametrize("name", SCORES)
def test_null_distribution(name):
    exact, score = SCORES[name]
    rng = np.random.default_rng(6)
    for n in (1, 4, 8):
        rows1, rows2 = rng.integers(0, 4, (2, n, 3))
        _, found = differences_of_all_swaps(rows1, rows2, exact)
        masses = {}
        for d, ways in found:
            masses[d] = masses.get(d, 0) + Fraction(int(ways), 2**n)
        null = paired_permutation_test(rows1, rows2, score=score).null_distribution()
        assert null.support == pytest.approx([float(d) for d in sorted(masses)], abs=1e-12)
        assert null.pmf == pytest.approx([float(masses[d]) for d in sorted(masses)], abs=1e-15)


def test_null_distribution_gives_the_pvalue():
    rows = sentences(np.random.default_rng(7), 120, 0.05)
    result = paired_permutation_test(
        rows[:, :2], rows[:, 2:], score=ratio_as_function, alternative="greater"
    )
    null = result.null_distribution()
    assert null.support == pytest.approx(-null.support[::-1], abs=1e-12)
    at_least = null.pmf[null.support >= result.statistic - 1e-12].sum()
    assert at_least == pytest.approx(result.pvalue, abs=1e-13)
    with pytest.raises(
        BudgetError, match=r"null distribution .* on a grid of .*`max_frequencies` allows 10"
    ):
        result.null_distribution(max_frequencies=10)


def test_null_distribution_without_a_difference():
    null = paired_permutation_test([[1, 2]], [[1, 2]], score=precision).null_distribution()
    assert (null.support.tolist(), null.pmf.tolist()) == ([0.0], [1.0])


# Ties


def of_table(*values):
    """The score of a single column whose sum is 0, 1, …"""
    return lambda sums: np.array(values)[sums.astype(int)]


@pytest.mark.parametrize(
    ("lower", "gap", "p"),
    [
        (0.0, 0.0, 1.0),
        (0.0, 0.9e-12, 1.0),
        (0.0, 1.1e-12, 0.5),
        # of the largest of the four scores, 1001, and not of their difference
        (1000.0, 0.9e-9, 1.0),
        (1000.0, 1.1e-9, 0.5),
    ],
)
def test_what_ties(lower, gap, p):
    """Sums 3 against 0, as observed, or 2 against 1, whose scores differ by as much, or less."""
    score = of_table(lower, lower, lower + 1.0 - gap, lower + 1.0)
    assert paired_permutation_test([1, 2], [0, 0], score=score).pvalue == p
    result = paired_permutation_test([1, 2], [0, 0], score=score, alternative="greater")
    assert result.pvalue == p / 2


@pytest.mark.parametrize(("gap", "p"), [(0.9e-9, 1.0), (1.1e-9, 0.5)])
@pytest.mark.parametrize("is_observed", [True, False])
def test_the_largest_score_may_be_of_either_swap(is_observed, gap, p):
    """1001 against 1000 is observed, and 1 - gap against 0 the other pair; or larger by gap."""
    if is_observed:
        score = of_table(1000.0, 0.0, 1.0 - gap, 1001.0)
    else:
        score = of_table(0.0, 1000.0, 1001.0 - gap, 1.0)
    assert paired_permutation_test([1, 2], [0, 0], score=score).pvalue == p


def test_a_difference_above_the_observed_one_is_no_tie():
    """Observed 2 against 1; 3 against 0 is above by more than the rounding."""
    score = of_table(0.0, 0.0, 1.0 - 1.1e-12, 1.0)
    assert paired_permutation_test([0, 2], [1, 0], score=score).pvalue == 1.0
    for gap, p in ((0.9e-12, 1.0), (1.1e-12, 0.75)):  # one of four is above
        score = of_table(0.0, 0.0, 1.0 - gap, 1.0)
        result = paired_permutation_test([0, 2], [1, 0], score=score, alternative="less")
        assert result.pvalue == p


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scores_that_are_the_same(alternative):
    """Up to the rounding: 0.1 + 0.2 against 0.3."""
    score = of_table(0.5, 0.3, 0.1 + 0.2, 0.9)
    result = paired_permutation_test([0, 2], [1, 0], score=score, alternative=alternative)
    # D is 0.4, 0, 0 and -0.4
    assert result.pvalue == {"two-sided": 1.0, "greater": 0.75, "less": 0.75}[alternative]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_systems(alternative):
    rows = [[1, 2], [0, 3]]
    result = paired_permutation_test(rows, rows, score=precision, alternative=alternative)
    assert (result.pvalue, result.statistic, result.n_differing) == (1.0, 0.0, 0)
    assert result.pvalue_interval == (1.0, 1.0)
    constant = paired_permutation_test(
        rows, rows[::-1], score=lambda sums: np.ones(sums.shape[:-1]), alternative=alternative
    )
    assert (constant.pvalue, constant.n_differing) == (1.0, 2)


# Small p-values


@pytest.mark.parametrize("n_lost", [0, 2, 5])
@pytest.mark.parametrize("score", [np.sqrt, np.log1p, lambda sums: sums**3])
def test_small_pvalues_of_a_score_that_grows(score, n_lost):
    """D grows with the sum of system 1, so that p is that of the mean."""
    differences = np.random.default_rng(8).integers(1, 4, 160)
    differences[:n_lost] *= -1
    base = np.full(160, 3)
    for alternative in ("two-sided", "greater"):
        truth = oracle.pvalue(differences, alternative)
        assert truth < Fraction(1, 10**30)
        result = paired_permutation_test(
            base + differences, base, score=score, alternative=alternative
        )
        assert oracle.is_certified(result, truth)
        assert oracle.relative_error(result, truth) <= 1e-11
        low, high = result.pvalue_interval
        assert high - low <= 1e-10 * result.pvalue


def test_small_pvalues_of_two_columns():
    rng = np.random.default_rng(9)
    n = 150
    rows = np.stack((np.full(n, 2), np.full(n, 2), np.zeros(n), rng.integers(1, 3, n)), axis=1)
    rows[:4, 2] = 2
    rows = rows.astype(int)
    truth = ratio_oracle.pvalue(rows.tolist())
    assert truth < Fraction(1, 10**30)
    result = paired_permutation_test(rows[:, :2], rows[:, 2:], score=ratio_as_function)
    assert oracle.is_certified(result, truth)
    assert oracle.relative_error(result, truth) <= 1e-11


def test_independent_columns():
    """Each example moves one of three columns: binomial laws, all wins but one each."""
    rows1 = np.repeat(np.eye(3, dtype=int), 40, axis=0)
    rows2 = np.zeros_like(rows1)
    result = paired_permutation_test(rows1, rows2, score=lambda sums: sums.min(axis=-1))
    # min(C) - min(T - C) = 40 only if all stay, or all are swapped
    assert result.pvalue == pytest.approx(2.0**-119, rel=1e-13)
    rows1[0], rows2[0] = rows2[0], rows1[0].copy()
    result = paired_permutation_test(
        rows1, rows2, score=lambda sums: sums.sum(axis=-1), alternative="greater"
    )
    assert result.pvalue == pytest.approx(121 * 2.0**-120, rel=1e-13)


# Pickles


@pytest.mark.parametrize("method", ["exact", "monte_carlo"])
def test_results_pickle(method):
    rows1, rows2 = np.random.default_rng(10).integers(0, 4, (2, 10, 2))
    result = paired_permutation_test(rows1, rows2, score=precision, method=method, rng=0)
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    null = copied.null_distribution()
    assert np.array_equal(null.support, result.null_distribution().support)
    assert np.array_equal(null.pmf, result.null_distribution().pmf)


def test_results_of_a_lambda_pickle_without_the_null_distribution():
    rows1, rows2 = np.random.default_rng(10).integers(0, 4, (2, 10, 2))
    result = paired_permutation_test(rows1, rows2, score=lambda sums: precision(sums))
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    assert copied.to_dict() == result.to_dict()
    with pytest.raises(InputError, match=r"pickled without its score function.*instead of a lamb"):
        copied.null_distribution()
    again = pickle.loads(pickle.dumps(copied))
    with pytest.raises(InputError, match="pickled without its score function"):
        again.null_distribution()
    assert result.null_distribution().pmf.sum() == pytest.approx(1.0)  # the original has it


# Errors


@pytest.mark.parametrize("score", ["f1", 1, [precision], {}])
def test_what_is_no_score(score):
    with pytest.raises(
        InputError, match=r"`score` must be a pairedperm.Ratio, a function of column sums .*, got "
    ):
        paired_permutation_test([[1, 2]], [[0, 1]], score=score)


def test_sums_that_are_no_floats():
    huge = [[2**50, 1]] * 4
    for arguments in ((huge, huge), (PairedCounts([[2**50, 1]], [[1, 1]], [4]),)):
        with pytest.raises(InputError, match=r"add up to .*beyond 2\^52 sums are no floats"):
            paired_permutation_test(*arguments, score=precision)


def test_too_many_points():
    rows = np.random.default_rng(11).integers(0, 6, (2, 40, 2))
    with pytest.raises(
        BudgetError, match=r"null distribution .* on a grid of \S+ points \(\S+ x \S+\); `max_"
    ):
        paired_permutation_test(*rows, score=precision, method="exact", max_frequencies=100)
    with pytest.raises(BudgetError, match=r"bytes; `max_bytes` allows 1e\+03.*'monte_carlo'"):
        paired_permutation_test(*rows, score=precision, method="exact", max_bytes=1000)
    with pytest.raises(
        InputError, match=r"scores have 1 decimals, too many .*null distribution .* on a grid"
    ):
        paired_permutation_test(*(rows / 10), score=precision, method="exact", max_bytes=1000)
    many = np.random.default_rng(11).integers(0, 30, (2, 300, 10))
    with pytest.raises(
        BudgetError, match=r"null distribution .* x \.\.\.\), which no budget allows"
    ):
        paired_permutation_test(*many, score=largest, method="exact")
    counts = PairedCounts(np.eye(9, dtype=int), np.zeros((9, 9)), [10**4] * 9)
    with pytest.raises(BudgetError, match=r"grid of at least \S+ points, which no budget allows"):
        paired_permutation_test(counts, score=largest, method="exact")


def test_the_same_bits_every_time():
    rows = sentences(np.random.default_rng(12), 300)
    columns = rows[:, :2], rows[:, 2:]
    found = {paired_permutation_test(*columns, score=ratio_as_function).pvalue for _ in range(3)}
    assert len(found) == 1
