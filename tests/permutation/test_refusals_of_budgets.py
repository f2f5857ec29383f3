"""What permutation tests and null distributions need more of than the budget allows."""

import numpy as np

from corpora.ratio_rows import RATIO, sentences
from corpora.sum_functions import share
from corpora.sum_scores import largest, precision
from pairedperm import BudgetError, PairedCounts, Ratio, paired_permutation_test
from refusals import asks, refusal, refuses

RNG = np.random.default_rng(0)
FINE = RNG.integers(0, 10**6, (2, 200))
FINEST = RNG.integers(0, 2**62, (2, 200))
WIDE = RNG.integers(0, 1000, (2, 100, 3))
F1 = Ratio([2, 0, 0], [0, 1, 1])
PER_TOKEN = Ratio([1, 0], [0, 1])
REALS = RNG.normal(size=(2, 3000))
REAL_ROWS = RNG.random((2, 40, 2))
SMALL = RNG.integers(0, 6, (2, 40, 2))
TOO_FINE = RNG.integers(-(2**50), 2**50, 200)
MANY = RNG.integers(-3000, 3001, 2000)
SENTENCES = sentences(RNG, 120, 0.05).reshape(-1, 2, 2).swapaxes(0, 1)
IN_UNITS = "Give them in coarser units (fewer digits)"
BY_RAISING = "allows 100. Raise it (it takes about a second). Or sample: method='monte_carlo'."
OF_MEANS = "Or use method='auto' or 'bracket'. Or sample: method='monte_carlo'."


def run(one, two, method="exact", max_points=None, max_bytes=None, **options):
    given = {"max_points": max_points, "max_bytes": max_bytes}
    budget = {name: limit for name, limit in given.items() if limit}
    return paired_permutation_test(one, two, method=method, budget=budget, **options)


def enumerated(n, **options):
    return run(*REALS[:, :n], method="enumeration", **options)


def far_apart(n, x, y):
    """Ratios whose numerators differ by up to x, and denominators by up to y."""
    rng = np.random.default_rng(n)
    dx, dy = rng.integers(-x, x + 1, n), rng.integers(-y, y + 1, n)
    rows = [
        np.stack((x + np.maximum(s * dx, 0), 4 * (x + y) + np.maximum(s * dy, 0)), axis=1)
        for s in (1, -1)
    ]
    return run(*rows, score=RATIO, max_points=10**5)


def on_a_wide_grid():
    rng = np.random.default_rng(11)
    return run(*rng.integers(0, 30, (2, 300, 10)), score=largest)


def null_of(one, two, score=None, limits=None, **options):
    result = paired_permutation_test(one, two, score=score, **options)
    return result.null_distribution(**(limits or {}))


def beyond(call, argument, *named):
    """A budget."""
    return refusal(call, argument, *named, kind=BudgetError)


@refuses
def test_refusals():
    run(np.random.default_rng(0).uniform(-1, 1, 200).round(12), [0] * 200)
    # -> the scores have 12 decimals, too many for a lattice within the budget: the exact p-value
    #    needs … `max_points` … It would take about … give the scores in coarser units … Or sample:
    #    method='monte_carlo'.
    run(*SMALL / 10, score=precision, max_bytes=1000)
    # -> the scores have 1 decimals, too many for a lattice within the budget: the exact p-value
    #    needs the null distribution of the sums on a grid of … bytes; `max_bytes` of `budget`
    #    allows 1e+03. Raise it
    null_of([[1e12, 0.0], [1e-3, 40.9]], [[0.1, 1e3], [7.9e298, 1e-11]], PER_TOKEN)
    # -> some swaps give scores beyond floats: give the numerators in a larger unit, or the


test_refusals_in_rows = asks(
    # enumeration beyond the budget
    beyond(
        lambda: enumerated(60),
        "max_points",
        "method='enumeration' needs up to 1,073,741,824 sums of half of the examples; `max_points` "
        "of `budget` allows 3.36e+07. It would take about 11 minutes and 170 GB. Use method='auto' "
        "or 'bracket'. Or sample: method='monte_carlo'.",
    ),
    beyond(
        lambda: enumerated(20, max_points=1000),
        "max_points",
        "up to 1,024 sums of half of the examples; `max_points` of `budget` allows 1e+03. Raise it",
        OF_MEANS,
    ),
    beyond(
        lambda: enumerated(40, max_bytes=10**6),
        "max_bytes",
        "1.68e+08 bytes; `max_bytes` of `budget` allows 1e+06. Raise it (it takes ",
    ),
    beyond(
        lambda: enumerated(100, max_points=2**60),
        "max_bytes",
        "sums of half of the examples, 7.21e+16 bytes; `max_bytes`",
        "It would take years",
    ),
    beyond(
        lambda: enumerated(130),
        "",
        "needs the sums of all swaps of 130 differing examples, which no budget allows. Use",
    ),
    beyond(
        lambda: run(*WIDE[:, :40], "enumeration", score=largest),
        "max_points",
        "method='enumeration' needs 1.1e+12 sums; `max_points` of `budget` allows 3.36e+07. It "
        "would take about ",
        " hours. Use method='auto'. Or sample: method='monte_carlo'.",
    ),
    beyond(
        lambda: run(*REALS.reshape(2, -1, 1), "enumeration", score=largest),
        "",
        "all swaps of 3000 differing examples, which no budget allows. Use method='auto'. Or",
    ),
    # whole laws beyond the budget
    beyond(
        lambda: run(*FINE, "dp"),
        "max_points",
        "method='dp' needs the null distribution on its whole support, 6.",
        "e+07 points (",
        "), and ",
        " masses added; `max_points` of `budget` allows 3.36e+07. Raise it to ",
        OF_MEANS,
    ),
    beyond(
        lambda: run(*WIDE, "fft", score=F1),
        "max_points",
        "method='fft' needs the null distribution on its whole support, ",
        " x ",
        "); `max_points` of `budget` allows 3.36e+07. It would take about ",
        "Use method='auto'. Or sample: method='monte_carlo'.",
    ),
    beyond(
        lambda: run(*FINE // 1000, "fft", max_bytes=10**5),
        "max_bytes",
        " bytes; `max_bytes` of `budget` allows 1e+05. Raise it",
    ),
    beyond(
        lambda: run(*FINEST, "fft"),
        "",
        "whole support, at least 4.61e+18 points, which no budget allows. Use method='auto' or",
    ),
    # "exact" beyond the budget
    beyond(
        lambda: run(TOO_FINE, [0] * 200),
        "",
        "the exact p-value needs a Fourier transform of ",
        " points, more than 2^50, which no budget allows. The scores of single examples differ by "
        f"too many units for a lattice. {IN_UNITS}. Or use method='bracket'. Or sample: ",
    ),
    beyond(
        lambda: run(
            np.random.default_rng(0).integers(-(2**56), 2**56, 30), [0] * 30, max_bytes=10**5
        ),
        "max_bytes",
        "which no budget allows.",
        "Or set `max_bytes` to ",
        ", if it fits.",
    ),
    beyond(
        lambda: run(MANY, [0] * 2000, max_points=100),
        "max_points",
        " frequencies of a Fourier transform, or more; `max_points` of `budget` allows 100.",
        "or give the scores in coarser units (fewer digits)",
    ),
    beyond(
        lambda: run(PairedCounts([1, 0], [0, 1], [3 * 10**16] * 2), None, alternative="greater"),
        "",
        " points, more than 2^31, which no budget allows.",
        IN_UNITS,
    ),
    beyond(
        lambda: far_apart(100, 1, 10**4),
        "max_points",
        "needs a Fourier transform in two dimensions that takes at least as long as ",
        " frequencies; `max_points` of `budget` allows 1e+05. ",
    ),
    beyond(
        lambda: far_apart(300, 10**8, 1),
        "",
        "needs a Fourier transform of ",
        " points, more than any budget allows: the counts are too large, or the examples too many. "
        "Sample: method='monte_carlo'.",
    ),
    beyond(
        lambda: far_apart(200, 3, 3 * 10**6),
        "max_bytes",
        " bytes for sums in two dimensions; `max_bytes` of `budget` allows 1.07e+09. Raise it (it",
    ),
    beyond(
        lambda: run(*SMALL, score=precision, max_points=100),
        "max_points",
        "the exact p-value needs the null distribution of the sums on a grid of ",
        " points (",
        " x ",
        "); `max_points` of `budget` " + BY_RAISING,
    ),
    beyond(on_a_wide_grid, "", " x ...), which no budget allows. Sample: method='monte_carlo'."),
    beyond(
        lambda: run(
            PairedCounts(np.eye(9, dtype=int), np.zeros((9, 9)), [10**4] * 9), None, score=largest
        ),
        "",
        "on a grid of at least ",
        " points, which no budget allows",
    ),
    # null distributions
    beyond(
        lambda: null_of(
            [[2.0, 1e6], [7.0, 1e-3]],
            [[1e10, 1e10], [1e10, 1e6]],
            PER_TOKEN,
            method="monte_carlo",
            rng=0,
        ),
        "max_bytes",
        "the null distribution has up to 1.11e+21 points, ",
        "It would take ",
        " GB: give the scores in coarser units (fewer digits). `plot_null_distribution` draws",
    ),
    beyond(
        lambda: null_of(*REALS[:, :60]),
        "",
        "that lie on no lattice has ",
        " values, ",
        "np.round(scores",
    ),
    beyond(
        lambda: null_of(*REALS[:, :14], limits={"budget": {"max_bytes": 10**6}}),
        "max_bytes",
        "`max_bytes` of `budget` allows 1e+06",
    ),
    beyond(lambda: null_of(*REALS), "", "has at least 4.61e+18 values, ", "np.round"),
    beyond(
        lambda: null_of(*REAL_ROWS, precision, method="monte_carlo", rng=0),
        "max_points",
        "the null distribution of scores that lie on no lattice needs ",
        " sums; `max_points` of `budget` allows 3.36e+07. Round the rows to the digits that they "
        "mean, for instance np.round(rows, 4). `plot_null_distribution` draws",
    ),
    beyond(
        lambda: null_of(*REAL_ROWS[:, :8], precision, {"budget": {"max_bytes": 1000}}),
        "max_bytes",
        "on no lattice needs ",
        "`max_bytes` of `budget` allows 1e+03",
    ),
    beyond(
        lambda: null_of(*SENTENCES, share, {"budget": {"max_points": 10}}),
        "max_points",
        "the null distribution",
        "`max_points` of `budget` allows 10",
    ),
)
