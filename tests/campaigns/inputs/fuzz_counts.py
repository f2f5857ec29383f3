"""The grammar of calls on what tests take and give: ratios, paired counts, laws, aggregators."""

from __future__ import annotations

from random import Random

from campaigns.inputs.fuzz_call import Call, build
from campaigns.inputs.fuzz_tests import SIZES, budget, numbers, rows
from campaigns.inputs.hostile import Slot, column, listed, one_of, option, plain


def ratio(rng: Random) -> Call:
    width = rng.randrange(1, 5)
    weights = [[str(rng.randrange(0, 4)) for _ in range(width)] for _ in range(2)]
    weights[1][0] = "1"
    slots = [column("numerator", weights[0]), column("denominator", weights[1])]
    if rng.random() < 0.5:
        slots.append(option("zero_division", rng.choice(("0", "0.5", "Fraction(1, 3)"))))
    return build(rng, "Ratio", slots)


def counts(rng: Random) -> Call:
    n = rng.choice(SIZES)
    kind = rng.choice(("small", "small", "decimal", "large"))
    columns = [numbers(rng, n, kind) for _ in range(2)]
    if rng.random() < 0.4:
        columns = [rows(rng, n, 3, kind) for _ in range(2)]
    if rng.random() < 0.5:
        slots = [column("counts1", columns[0]), column("counts2", columns[1])]
        return build(rng, "PairedCounts.from_rows", slots)
    slots = [column("rows1", columns[0]), column("rows2", columns[1])]
    often = [str(rng.randrange(4)) for _ in range(n)]
    return build(rng, "PairedCounts", [*slots, column("multiplicities", often)])


PARTS = (
    "PairedCounts([1], [0], [2])",
    "PairedCounts([1, 0.5], [0, 0.25], [2, 1])",
    "PairedCounts([1], [0], [2**62])",
    "PairedCounts([[1, 2]], [[0, 2]], [3])",
    "PairedCounts([2**62], [0], [1])",
    "PairedCounts([0.0001], [0], [1])",
    "PairedCounts([], [], [])",
    "PairedCounts.from_rows([1, 1, 0], [0, 1, 1])",
    "paired_counts([1, 0, 1], [0, 0, 1], [1, 1, 1])",
    "paired_counts([1, 0, 2], [0, 0, 1], [1, 1, 1], 'f1', average='macro', groups=[1, 1, 2])",
    "PairedCounts.from_json(paired_counts([3, 0], [0, 0], [1, 3], 'f1', pos_label=3).to_json())",
)


def added(rng: Random) -> Call:
    function, n = rng.choice((("added", 3), ("added", 1), ("operator.eq", 2), ("pickled", 1)))
    slots = [one_of("", rng.choice(PARTS[:2]), PARTS) for _ in range(n)]
    return build(rng, function, slots)


NULLS = (
    "null([2, 1, 0], [0, 0, 1])",
    "null([0.5, 1.25, 0], [0, 0, 1.5])",
    "null([1], [1])",
    "null([[1, 2], [2, 2]], [[0, 1], [2, 3]], score=Ratio([1, 0], [0, 1]))",
    "null([[1, 2], [2, 2]], [[0, 1], [2, 3]], score=quotient)",
)


def law(rng: Random) -> Call:
    method = rng.choice(("cdf", "quantile"))
    xs = [rng.choice(("0", "1", "0.5", "0.25", "1e-16")) for _ in range(3)]
    of = [
        one_of("", rng.choice(NULLS), NULLS),
        column("", xs) if rng.random() < 0.7 else plain("", xs[0]),
    ]
    return build(rng, f"NullDistribution.{method}", of)


TESTED = (
    "paired_permutation_test([2, 1, 0], [0, 0, 1])",
    "paired_permutation_test([1e9, 1.5], [0, 1])",
    "paired_permutation_test([[1, 2], [2, 2]], [[0, 1], [2, 3]], score=quotient)",
    "paired_permutation_test([1/3, 0.1], [0.5, 2/7])",
    "compare([1, 0, 2], [1, 1, 1], [1, 0, 1], 'f1', average='macro')",
)


def laws(rng: Random) -> Call:
    slots = [one_of("", rng.choice(TESTED), TESTED)]
    slots.append(budget("2**20"))
    return build(rng, "PairedPermutationResult.null_distribution", slots)


def f_1(rng: Random) -> Call:
    drawn = rows(rng, rng.choice(SIZES), 4)
    if rng.random() < 0.5:
        return build(rng, "aggregators.f_1", [column("sums", drawn)])
    slots = [
        Slot("rows1", f"np.array({listed(drawn)})", _array),
        Slot("rows2", f"np.array({listed(drawn)})", _array),
    ]
    return build(rng, "aggregators.f_1.ratio_for", slots)


def _array(rng: Random) -> str:
    shape = rng.choice(("(3,)", "(2, 4)", "(0, 4)", "(2, 3)", "()", "(1, 1, 4)"))
    value = rng.choice(("0", "nan", "-1", "1e308", "2**62"))
    return f"np.full({shape}, {value})"


GRAMMARS = {ratio: 3, counts: 5, added: 2, law: 3, laws: 2, f_1: 2}
