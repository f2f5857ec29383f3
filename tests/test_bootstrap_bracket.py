"""The bracket of the ideal bootstrap: it contains the truth, and says what it cannot do."""

import sys

import numpy as np
import pytest

from pairedperm import BudgetError, InputError, Ratio, compare, paired_bootstrap_test

ACCURACY = Ratio([1, 0], [0, 1])
OPTIONS = [
    {"alternative": alternative, "ties": ties}
    for alternative in ("two-sided", "greater", "less")
    for ties in ("include", "exclude")
]


def sentences(rng, n, largest, shares=(0.8, 0.72)):
    sizes = rng.integers(0 if n % 2 else 1, largest, n)
    rows = [np.stack((rng.binomial(sizes, share), sizes), axis=1) for share in shares]
    return rows[0], rows[1]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda x: " ".join(x.values()))
@pytest.mark.parametrize("n", [5, 40, pytest.param(301, marks=pytest.mark.thorough)])
def test_contains_the_ideal_one(monkeypatch, options, n):
    """On lattices that are coarser than need be."""
    module = sys.modules["pairedperm.convolution.draws.bracket"]
    monkeypatch.setattr(module, "_POINTS", 2**11)
    monkeypatch.setattr(module, "_NARROW", 0.1)
    rows = sentences(np.random.default_rng(n), n, 25)
    exact = paired_bootstrap_test(*rows, score=ACCURACY, method="exact", **options)
    found = paired_bootstrap_test(*rows, score=ACCURACY, method="bracket", **options)
    low, high = found.pvalue_interval
    assert low <= exact.pvalue_interval[1]
    assert exact.pvalue_interval[0] <= high
    assert found.pvalue == high
    assert found.interval == "certified"
    assert found.n_resamples is None
    assert found.log_pvalue_interval[0] <= exact.log_pvalue <= found.log_pvalue_interval[1]
    assert 0.0 <= 1.0 - low / high <= 0.1 if high else exact.pvalue == 0.0


@pytest.mark.parametrize(
    ("share", "alternative"),
    [
        (0.3, "greater"),
        pytest.param(0.3, "two-sided", marks=pytest.mark.thorough),
        pytest.param(0.3, "less", marks=pytest.mark.thorough),
        pytest.param(3.0, "two-sided", marks=pytest.mark.thorough),
        pytest.param(3.0, "greater", marks=pytest.mark.thorough),
        pytest.param(3.0, "less", marks=pytest.mark.thorough),
    ],
)
def test_real_scores(share, alternative):
    """Against decimals of them that are fine enough, whose ideal bootstrap is exact."""
    rng = np.random.default_rng(4)
    scores1, scores2 = rng.normal(size=(2, 30))
    scores1 += share
    found, near = (
        paired_bootstrap_test(*columns, alternative=alternative)
        for columns in ((scores1, scores2), (np.round(scores1, 3), np.round(scores2, 3)))
    )
    assert (found.method, near.method) == ("bracket", "exact")
    low, high = found.pvalue_interval
    assert low * 0.98 <= near.pvalue <= high * 1.02
    spread = np.std(scores1 - scores2) / 30**0.5
    ends = pytest.approx(near.confidence_interval, abs=0.02 * spread)
    assert found.confidence_interval == ends
    assert found.statistic == pytest.approx(np.mean(scores1 - scores2), abs=1e-15)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda x: " ".join(x.values()))
def test_of_all_resamples(options):
    """Real scores of five examples, all 5^5 resamples listed; some sums tie exactly."""
    scores1 = np.array([2**0.5, 0.1 + 0.2, -(3**0.5), 2**0.5, 1.0])
    scores2 = np.array([0.0, 0.3, 0.0, 0.0, 3**0.5])
    found = paired_bootstrap_test(scores1, scores2, method="bracket", **options)
    differences = scores1 - scores2
    sums = np.array(np.meshgrid(*[differences] * 5)).reshape(5, -1).sum(axis=0)
    shifted, size = sums - differences.sum(), differences.sum()
    if options["alternative"] == "two-sided":
        shifted, size = np.abs(shifted), abs(size)
    elif options["alternative"] == "less":
        shifted, size = -shifted, -size
    tie = 1e-9 if options["ties"] == "include" else -1e-9
    share = float((shifted >= size - tie).mean())
    low, high = found.pvalue_interval
    assert low - 1e-12 <= share <= high + 1e-12


def test_certain_and_impossible():
    wins = np.array([2**0.5, 3**0.5, 5**0.5])
    found = paired_bootstrap_test(wins, 0.0 * wins, alternative="greater")
    assert (found.pvalue, found.log_pvalue) == (0.0, -np.inf)
    with pytest.raises(
        InputError, match=r"needs scores on a lattice.* 1.414213562373095.*'bracket'"
    ):
        paired_bootstrap_test(wins, 0.0 * wins, method="exact")
    found = paired_bootstrap_test(wins, wins)
    assert (found.pvalue, found.pvalue_interval) == (1.0, (1.0, 1.0))
    assert tuple(found.confidence_interval) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("n", "limits"),
    [(800, {"max_frequencies": 2**20}), pytest.param(3000, {}, marks=pytest.mark.thorough)],
)
def test_what_auto_does(n, limits):
    rows = sentences(np.random.default_rng(1), n, 40, (0.8, 0.798))
    found = paired_bootstrap_test(*rows, score=ACCURACY, **limits)
    assert found.method == "bracket"
    low, high = found.pvalue_interval
    assert 0.98 * high <= low < high
    sampled = paired_bootstrap_test(*rows, score=ACCURACY, method="monte_carlo", rng=0)
    assert abs(sampled.pvalue - high) < 5.0 * (high / 9999) ** 0.5
    spread = np.subtract(*found.confidence_interval) / 3.92
    assert sampled.confidence_interval == pytest.approx(
        found.confidence_interval, abs=abs(0.15 * spread)
    )
    with pytest.raises(BudgetError, match=r"transform of .* points; .* method='bracket', or"):
        paired_bootstrap_test(*rows, score=ACCURACY, method="exact", **limits)
    with pytest.raises(BudgetError, match=r"the bracket of p is .* wide .* method='monte_carlo'"):
        paired_bootstrap_test(*rows, score=ACCURACY, method="bracket", max_frequencies=64)
    with pytest.warns(UserWarning, match="p is sampled, for the exact p-value needs"):
        paired_bootstrap_test(*rows, score=ACCURACY, max_frequencies=64, n_resamples=9, rng=0)


def test_answers():
    """Shares with a common denominator of many digits."""
    rng = np.random.default_rng(9)
    words = ["a", "b", "c", "d", "e", "f"]

    def texts(longest):
        return [" ".join(rng.choice(words, rng.integers(1, longest))) for _ in range(60)]

    one, two, right = texts(23), texts(29), texts(40)
    found = compare(one, two, right, "squad_f1", test="bootstrap")
    assert found.method == "bracket"
    sampled = compare(one, two, right, "squad_f1", test="bootstrap", method="monte_carlo", rng=0)
    assert abs(sampled.pvalue - found.pvalue) < 5.0 * (found.pvalue / 9999) ** 0.5 + 1e-4
    assert sampled.statistic == pytest.approx(found.statistic, abs=1e-14)


def test_for_means_only():
    rows = [[1, 2, 1], [2, 2, 2], [0, 1, 1]]
    with pytest.raises(InputError, match=r"`method` 'bracket', the ideal bootstrap, is for means"):
        paired_bootstrap_test(rows, rows[::-1], score=lambda sums: sums.max(-1), method="bracket")
