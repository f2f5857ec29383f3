"""A published p, recomputed: by another engine, equal to the truth."""

import json
import math
import random
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest

from corpora.pilots import labels
from corpora.published import sealed
from oracles import ratios, reals, swaps
from oracles.groups import by_swaps, members
from pairedperm import (
    PairedCounts,
    compare,
    paired_counts,
    paired_permutation_test,
    publish,
    verify,
)
from properties import one_in

pytestmark = pytest.mark.filterwarnings("ignore:the table holds the scores of single examples")
RNG = random.Random(5)
N = 10
GROUPS = [0, 0, 1, 2, 2, 3, 4, 5, 5, 6]


def noisy(right, *shares):
    return [[x if RNG.random() < p else RNG.choice(right) for x in right] for p in shares] + [right]


NAMES = noisy([RNG.choice("xyz") for _ in range(N)], 0.8, 0.4)
WHOLE = [[RNG.randrange(9) for _ in range(N)] for _ in range(2)]
DECIMALS = [[x / 100 for x in RNG.sample(range(100), 12)] for _ in range(2)]
SEVENTHS = [[Fraction(RNG.randrange(7), 7) for _ in range(N)] for _ in range(2)]
REALS = [[RNG.random() for _ in range(N)] for _ in range(2)]


def through_json(result):
    return json.loads(json.dumps(publish(result), allow_nan=False))


# The truth, from the examples alone


def f1_of(label):
    def score(examples):
        true = sum(a == b == label for a, b in examples)
        either = sum((a == label) + (b == label) for a, b in examples)
        return Fraction(2 * true, either) if either else Fraction(0)

    return score


def macro(examples):
    return sum(f1_of(x)(examples) for x in "xyz") / 3


def kappa(examples):
    """1 - Σ |i - j| of the examples / Σ |i - j| of all pairs of a prediction and a reference."""
    places = [("xyz".index(a), "xyz".index(b)) for a, b in examples]
    by_chance = sum(abs(a - b) for a, _ in places for _, b in places)
    return 1 - Fraction(len(places) * sum(abs(a - b) for a, b in places), by_chance)


def right(examples):
    return sum(Fraction(a == b) for a, b in examples)


PREDICTED = {
    "accuracy": (NAMES, {}, right),
    "accuracy, groups": (NAMES, {"groups": GROUPS}, right),
    "F1 of x": (NAMES, {"metric": "f1", "pos_label": "x"}, f1_of("x")),
    "F1 of x, groups": (NAMES, {"metric": "f1", "pos_label": "x", "groups": GROUPS}, f1_of("x")),
    "macro F1": (NAMES, {"metric": "f1", "average": "macro"}, macro),
    "macro F1, groups": (NAMES, {"metric": "f1", "average": "macro", "groups": GROUPS}, macro),
    "kappa": (NAMES, {"metric": "cohen_kappa", "weights": "linear"}, kappa),
    "one example": ([["x"], ["y"], ["x"]], {}, right),
    "identical": ([NAMES[0], NAMES[0], NAMES[2]], {}, right),
}


@one_in(3)
@pytest.mark.parametrize(("columns", "options", "score"), PREDICTED.values(), ids=PREDICTED)
def test_of_predictions(columns, options, score):
    one, two, gold = columns
    examples = [list(zip(x, gold, strict=True)) for x in (one, two)]
    truth = by_swaps(score, *examples, options.get("groups", range(len(gold))))
    result = compare(*columns, **options)
    found = verify(through_json(result))
    assert (found.status, found.differing, found.exit_code) == ("confirmed", (), 0)
    assert (found.fraction, found.result.method, found.same_engine) == (truth, "enumeration", False)
    assert found.result.method != result.method
    assert found.result.to_dict()["metric_options"] == found.stated["metric_options"]


def steps(scores1, scores2):
    """Differences of fractions, decimals or integers as integers."""
    pairs = zip(scores1, scores2, strict=True)
    exactly = [Fraction(str(a)) - Fraction(str(b)) for a, b in pairs]
    unit = math.lcm(*(x.denominator for x in exactly))
    return [int(x * unit) for x in exactly]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("kind", ["whole", "decimals", "sevenths", "mean", "counts", "metric"])
def test_of_numbers(kind, alternative):
    columns = {"whole": WHOLE, "counts": WHOLE, "sevenths": SEVENTHS}.get(kind, DECIMALS)
    options = {"alternative": alternative}
    if kind == "mean":
        result = compare(*columns, None, "mean_score", of="judge", **options)
    elif kind == "counts":
        result = paired_permutation_test(PairedCounts.from_rows(*columns), **options)
    elif kind == "metric":
        result = paired_permutation_test(paired_counts(*columns, None, "mean_score"), **options)
    else:
        result = paired_permutation_test(*columns, **options)
    found = verify(through_json(result))
    assert found.fraction == swaps.pvalue(steps(*columns), alternative)
    assert (found.status, found.result.method) == ("confirmed", "enumeration")
    assert not found.same_engine
    assert found.result.alternative == alternative


METHODS = ("exact", "dp", "fft", "enumeration", "bracket", "monte_carlo")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["", "groups"])
def test_of_methods(method, groups):
    result = compare(*NAMES, method=method, groups=groups, rng=3 if "_" in method else None)
    assert result.method == method
    found = verify(through_json(result))
    signs = [(a == c) - (b == c) for a, b, c in zip(*NAMES, strict=True)]
    sums = [sum(signs[k] for k in part) for part in members(groups or range(N))]
    assert found.fraction in (None, swaps.pvalue(sums))
    engine = "enumeration" if method != "enumeration" else "dp"
    assert (found.status, found.result.method, found.same_engine) == ("confirmed", engine, False)


@pytest.mark.parametrize(
    ("method", "status", "engine"),
    [
        ("auto", "consistent", "bracket"),  # of few scores: by enumeration, a fraction
        ("enumeration", "consistent", "bracket"),
        ("bracket", "confirmed", "enumeration"),
        ("monte_carlo", "confirmed", "enumeration"),
    ],
)
@pytest.mark.parametrize("metric", [None, "mean_score"])
def test_of_real_scores(method, status, engine, metric):
    """The bracket's interval of p is the wider one, by a term of 2^-10 or so."""
    options = {"method": method} | ({"rng": 2} if method == "monte_carlo" else {})
    columns = REALS if metric is None else (*REALS, None, metric)
    test = paired_permutation_test if metric is None else compare
    found = verify(through_json(test(*columns, **options)))
    truth = reals.pvalue(*REALS)
    low, high = map(Fraction, found.result.pvalue_interval)
    assert low <= truth <= high
    assert found.fraction in (None, truth)
    assert (found.fraction is None) == (engine == "bracket")
    assert (found.status, found.result.method, found.same_engine) == (status, engine, False)


@pytest.mark.parametrize("method", ["auto", "bracket", "monte_carlo"])
@pytest.mark.parametrize("n", [12, 30, 60])
@pytest.mark.parametrize("kind", ["f2", "f4", "f4 listed"])
def test_of_narrow_shares(kind, n, method):
    """k/√18 in few bits: the table says how far off, so no tie of the published p is broken."""
    whole = np.random.default_rng(n).integers(0, 4, (2, n))
    columns = (whole / (3 * 2**0.5)).astype(kind[:2])
    options = {"method": method} | ({"rng": 1} if method == "monte_carlo" else {})
    given = columns.tolist() if "listed" in kind else columns
    published = through_json(paired_permutation_test(*given, **options))
    found = verify(published)
    assert found.differing == ()
    assert found.status == "consistent" if method == "auto" else "confirmed"
    low, high = map(Fraction, found.result.pvalue_interval)
    assert low <= reals.of_integers((whole[0] - whole[1]).tolist()) <= high
    wide = sealed(published | {"rounding": 2.0**-51})
    assert wide["sha256"] != published["sha256"]
    if n == 12:  # as for a table of float64: k/√18 of few bits rarely tie
        assert verify(wide).status == "refuted"


def test_p_that_underflows():
    """2 / 2^3000."""
    published = through_json(compare(*labels(3000, 0, 3000)))
    assert published["result"]["p"] == 0.0
    found = verify(published)
    assert (found.status, found.fraction) == ("consistent", None)
    published["result"]["log_p_high"] -= 1.0
    published["result"]["log_p_low"] -= 2.0
    assert verify(published).status == "refuted"


def test_of_many_examples():
    """The ratio's fraction is of another oracle."""
    rng = random.Random(8)
    columns = [[rng.choice("xyz") for _ in range(150)] for _ in range(3)]
    found = verify(through_json(compare(*columns, "f1", pos_label="x")))
    is_x = [[x == "x" for x in column] for column in columns]
    rows = [(2 * (a & c), a + c, 2 * (b & c), b + c) for a, b, c in zip(*is_x, strict=True)]
    assert (found.status, found.fraction) == ("confirmed", ratios.pvalue(rows))


def test_a_file_is_read_as_its_content(tmp_path):
    published = publish(compare(*NAMES))
    path = tmp_path / "counts.json"
    path.write_text(json.dumps(published), "utf-8")
    for given in (path, str(path), MappingProxyType(published)):
        found = verify(given, sha256=published["sha256"])
        assert (found.status, found.sha256) == ("confirmed", published["sha256"])
