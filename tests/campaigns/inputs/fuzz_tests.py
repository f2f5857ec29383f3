"""The grammar of calls of the tests themselves: compare, permutation, bootstrap, plan, counts."""

from __future__ import annotations

from random import Random

from campaigns.inputs.fuzz_call import Call, build
from campaigns.inputs.fuzz_matrices import matrix
from campaigns.inputs.fuzz_metrics import KINDS, drawn, labels, metric_slots
from campaigns.inputs.hostile import COUNTS, Slot, anything, column, listed, option, plain, words

_SEEDS = (
    "None",
    "[1, 2]",
    "2**200",
    "-1",
    "1.0",
    "'1'",
    "np.random.RandomState(0)",
    "np.random.PCG64(1)",
    "np.random.SeedSequence(3)",
    "random.Random(1)",
    "np.random",
    "np.array([1, 2])",
    "np.uint8(200)",
)
_METHODS = "auto auto exact dp fft rational enumeration bracket monte_carlo"
_OF_BOOTSTRAP = "auto exact monte_carlo"
SIZES = (2, 3, 4, 5, 8, 12)


def numbers(rng: Random, n: int, kind: str | None = None) -> list[str]:
    """Scores of one kind."""
    kind = kind or rng.choice(("small", "small", "small", "decimal", "decimal", "real", "large"))
    if kind == "small":
        return drawn(rng, n, ["0", "1", "2", "3"])
    if kind == "decimal":
        return [f"{rng.randrange(1000) / 100}" for _ in range(n)]
    if kind == "real":
        return [repr(rng.random()) for _ in range(n)]
    return [repr(rng.choice((10**6, 2**40, 2**62)) + rng.randrange(9)) for _ in range(n)]


def _n_resamples(rng: Random) -> str:
    """A hostile number, rarely one that takes for ever."""
    found = option("", "49", also=COUNTS).hostile(rng)
    is_endless = any(x in found for x in ("1e9", "1e16", "2**", "1e308", "10**"))
    return "0" if is_endless and rng.random() < 0.98 else found


def _seed(rng: Random) -> str:
    """A hostile seed, rarely one that ends the process."""
    found = rng.choice(_SEEDS) if rng.random() < 0.4 else anything(rng)
    return (
        "-1"
        if any(x in found for x in ("matrix", "recursive", "deep")) and rng.random() < 0.98
        else found
    )


def budget(n_bytes: str) -> Slot:
    """A small one."""
    of = [f"{{'max_points': {x}}}" for x in COUNTS] + [f"Budget(max_bytes={x})" for x in COUNTS]
    small = f"{{'max_points': 2**16, 'max_bytes': {n_bytes}}}"
    wrong = "{'max_points': 9, 'bytes': 1}", "Budget", "{}", "'{}'"
    return option("budget", small, also=(*wrong, *of))


def option_slots(rng: Random, test: str = "permutation") -> list[Slot]:
    """Options of a test, with a small budget."""
    methods = (_METHODS if test == "permutation" else _OF_BOOTSTRAP).split()
    method = rng.choice(methods) if rng.random() < 0.5 else ""
    slots = [
        budget("2**22"),
        Slot("n_resamples", "49", _n_resamples),
        Slot("rng", rng.choice(("0", "7", "np.random.default_rng(3)")), _seed),
    ]
    if method:
        slots.append(option("method", repr(method)))
    if rng.random() < 0.4:
        side = rng.choice(("two-sided", "greater", "less"))
        slots.append(option("alternative", repr(side)))
    if test == "bootstrap" and rng.random() < 0.15:
        level = rng.choice(("0.9", "0.99", "np.float32(0.5)"))
        slots.append(option("confidence_level", level, also=("1", "0", "1.5", "nan", "1-1e-17")))
    if test == "bootstrap" and rng.random() < 0.3:
        slots.append(option("ties", rng.choice(("'include'", "'exclude'"))))
    return slots


def _compare_slots(rng: Random, test: str = "permutation") -> list[Slot]:
    kind = rng.choice(KINDS)
    n = rng.choice(SIZES)
    columns = labels(rng, n, kind)
    if rng.random() < 0.1:
        columns[1] = columns[0]
    names = ("predictions1", "predictions2", "references")
    slot = matrix if kind == "matrices" else column
    slots = [slot(name, entries) for name, entries in zip(names, columns, strict=False)]
    if len(columns) == 2:
        slots.append(plain("references", "None"))
    slots += metric_slots(rng, kind) + option_slots(rng, test)
    if rng.random() < 0.15:
        slots.append(column("groups", drawn(rng, n, ["1", "2", "3", "4"])))
    if test == "permutation" and rng.random() < 0.03:  # which takes 10,000 resamples
        slots.append(option("confidence_level", "0.9", also=("1", "None", "'0.9'")))
    return slots


def compare(rng: Random) -> Call:
    test = rng.choice(("permutation", "permutation", "bootstrap"))
    slots = _compare_slots(rng, test)
    if test == "bootstrap":
        slots.append(option("test", "'bootstrap'"))
    return build(rng, "compare", slots)


def rows(rng: Random, n: int, width: int, kind: str | None = None) -> list[str]:
    return [listed(numbers(rng, width, kind or "small")) for _ in range(n)]


def _ratio_rows(rng: Random, n: int) -> list[str]:
    found = []
    for _ in range(n):
        most = rng.randrange(0, 5)
        found.append(f"[{rng.randrange(most + 1)}, {most}]")
    return found


_RATIOS = (
    "Ratio([1, 0], [0, 1])",
    "Ratio((2, 0), (1, 1))",
    "Ratio([1, 0], [0, 1], zero_division=1)",
)
_FUNCTIONS = ("quotient", "largest", "first", "lambda s: s[..., 0] - s[..., 1]")
_ODD_FUNCTIONS = words(
    "raises divides_by_zero not_a_number infinite scalar none texts complex_numbers too_many "
    "mutates unsteady warns of_the_batch ragged Ratio Ratio([1],[1]) Ratio([1,0],[0,-1]) "
    "Ratio([1]*9,[1]*9) aggregators.f_1 aggregators.average "
    "aggregators.enum_sum_div_by_denom_sum aggregators.paired_perm_test_f1 'f1' str"
)


def _counts_slots(rng: Random) -> list[Slot]:
    n = rng.choice(SIZES)
    which = rng.random()
    if which < 0.5:
        kind = None if rng.random() < 0.3 else rng.choice(("small", "decimal"))
        columns = [numbers(rng, n, kind) for _ in range(2)]
        score = []
    elif which < 0.75:
        columns = [_ratio_rows(rng, n) for _ in range(2)]
        score = [option("score", rng.choice(_RATIOS), also=tuple(_ODD_FUNCTIONS))]
    else:
        kind = rng.choice(("small", "small", "decimal", "real"))
        n = min(n, 5)
        columns = [rows(rng, n, 2, kind) for _ in range(2)]
        score = [option("score", rng.choice(_FUNCTIONS), also=tuple(_ODD_FUNCTIONS))]
    if rng.random() < 0.1:
        columns[1] = columns[0]
    if rng.random() < 0.1:
        together = f"PairedCounts.from_rows({listed(columns[0])}, {listed(columns[1])})"
        return [option("counts1", together), *score]
    found = [column("counts1", columns[0]), column("counts2", columns[1]), *score]
    if rng.random() < 0.15:
        found.append(column("groups", drawn(rng, n, ["'a'", "'b'", "'c'", "'d'"])))
    return found


def permutation(rng: Random) -> Call:
    return build(rng, "paired_permutation_test", _counts_slots(rng) + option_slots(rng))


def bootstrap(rng: Random) -> Call:
    slots = _counts_slots(rng) + option_slots(rng, "bootstrap")
    return build(rng, "paired_bootstrap_test", slots)


def _structured_slots(rng: Random) -> list[Slot]:
    n = rng.choice(SIZES[:4])
    columns = [rows(rng, n, 2, rng.choice(("small", "decimal"))) for _ in range(2)]
    if rng.random() < 0.3:
        columns = [numbers(rng, n, "small") for _ in range(2)]
    score = "first" if columns[0][0][0] != "[" else rng.choice(_FUNCTIONS)
    slots = [column("stay", columns[0]), column("swap", columns[1])]
    slots.append(option("statistic", score, also=tuple(_ODD_FUNCTIONS)))
    return slots + [x for x in option_slots(rng) if x.name != "alternative"]


def structured(rng: Random) -> Call:
    return build(rng, "structured_permutation_test", _structured_slots(rng))


def planned(rng: Random) -> Call:
    if rng.random() < 0.5:
        slots = rng.choice((_structured_slots, _compare_slots))(rng)
    else:
        slots = _counts_slots(rng) + option_slots(rng)
    return build(rng, "plan", slots)


GRAMMARS = {compare: 20, permutation: 20, bootstrap: 10, structured: 6, planned: 6}
