"""Scores that average over classes: scikit-learn's scores, brute force, laws in big integers."""

import math
import warnings
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import chain, product

import flint
import numpy as np
import oracle
import pytest
from sklearn import metrics
from sklearn.preprocessing import MultiLabelBinarizer

from pairedperm import BudgetError, InputError, class_counts, compare, paired_permutation_test

TAGS = ["ADJ", "NOUN", "PROPN", "VERB"]
MACRO = {
    "precision": (metrics.precision_score, {}),
    "recall": (metrics.recall_score, {}),
    "f1": (metrics.f1_score, {}),
    "fbeta": (metrics.fbeta_score, {"beta": 0.5}),
    "jaccard": (metrics.jaccard_score, {}),
}
OF_ALL = {
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_correlation": metrics.matthews_corrcoef,
}
METRICS = (*MACRO, *OF_ALL)
ALTERNATIVES = ("two-sided", "greater", "less")


def corpus(rng, n, kind="strings", n_right=3, n_predicted=4, accuracies=(0.7, 0.5)):
    """Two predictions and references; some classes are predicted only."""
    classes = list(range(-1, 3)) if kind == "integers" else TAGS

    def label(n_classes):
        return classes[int(rng.integers(n_classes))]

    if kind == "sets":
        rows = rng.random((3, n, n_predicted)) < 0.4
        rows[2, :, n_right:] = False
        columns = [[{TAGS[k] for k in np.flatnonzero(row)} for row in part] for part in rows]
        return tuple(columns)
    lengths = rng.integers(0, 4, n) if kind == "sequences" else np.ones(n, dtype=int)
    references = [[label(n_right) for _ in range(length)] for length in lengths]
    columns = [
        [[r if rng.random() < share else label(n_predicted) for r in row] for row in references]
        for share in accuracies
    ]
    columns.append(references)
    if kind != "sequences":
        columns = [[row[0] for row in column] for column in columns]
    return tuple(columns)


def options_of(metric, **options):
    """As `compare` takes them."""
    return {"average": "macro", **MACRO[metric][1], **options} if metric in MACRO else {}


def truth_of(metric, predictions, references, labels=None, zero_division=0.0):
    """scikit-learn's score, of all labels of all examples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if references and isinstance(references[0], list):
            references, predictions = (
                list(chain.from_iterable(column)) for column in (references, predictions)
            )
        if metric in OF_ALL:
            return OF_ALL[metric](references, predictions)
        score, options = MACRO[metric]
        options = {"average": "macro", "zero_division": zero_division, **options}
        return score(references, predictions, labels=labels, **options)


def truth_of_sets(metric, predictions, references, classes, zero_division=0.0):
    """scikit-learn's score of indicator matrices with a column for each of these classes."""
    binarizer = MultiLabelBinarizer(classes=TAGS).fit([])
    chosen = [TAGS.index(label) for label in classes]
    true, predicted = (
        binarizer.transform(column)[:, chosen] for column in (references, predictions)
    )
    score, options = MACRO[metric]
    options = {"zero_division": zero_division, **options}
    if len(chosen) == 1:  # a column would be taken for two classes
        return score(true.ravel(), predicted.ravel(), **options)
    return score(true, predicted, average="macro", **options)


@pytest.mark.parametrize("kind", ["strings", "integers", "sequences"])
@pytest.mark.parametrize("metric", METRICS)
def test_scores_are_those_of_scikit_learn(metric, kind):
    rng = np.random.default_rng(METRICS.index(metric))
    is_macro = metric in MACRO
    some = [-1, 2] if kind == "integers" else ["ADJ", "VERB"]
    absent = [*some, 7 if kind == "integers" else "X"]
    for labels in (None, some, absent) if is_macro else (None,):
        for zero_division in (0.0, 1.0) if is_macro else (0.0,):
            for n in (4, 40):
                columns = corpus(rng, n, kind)
                given = options_of(metric, labels=labels, zero_division=zero_division)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of labels that do not occur
                    result = compare(*columns, metric, n_resamples=9, rng=1, **given)
                for found, column in zip((result.score1, result.score2), columns[:2], strict=True):
                    expected = truth_of(metric, column, columns[2], labels, zero_division)
                    assert found == pytest.approx(expected, abs=1e-14)
                assert result.statistic == pytest.approx(result.score1 - result.score2, abs=1e-14)
                assert (result.metric, result.n) == (metric, n)


@pytest.mark.parametrize("metric", MACRO)
def test_scores_of_sets_are_those_of_indicator_matrices(metric):
    """Also where a class is in one system's predictions only."""
    rng, sampled = np.random.default_rng(1), {"n_resamples": 9, "rng": 1}
    for labels in (None, ["ADJ", "VERB"], ["VERB"]):
        for zero_division, n in product((0.0, 1.0), (4, 12)):
            columns = corpus(rng, n, "sets")
            columns = columns[0], [row - {"VERB"} for row in columns[1]], columns[2]
            classes = labels or sorted(set().union(*chain.from_iterable(columns)))
            given = options_of(metric, labels=labels, zero_division=zero_division)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of labels that do not occur
                result = compare(*columns, metric, multilabel=True, **sampled, **given)
            for found, column in zip((result.score1, result.score2), columns, strict=False):
                expected = truth_of_sets(metric, column, columns[2], classes, zero_division)
                assert found == pytest.approx(expected, abs=1e-14)


def test_labels_that_never_occur():
    """They are averaged over, and warned of."""
    columns = ["a", "b", "b"], ["a", "a", "b"], ["a", "b", "b"]
    options = {"metric": "f1", "average": "macro"}
    with pytest.warns(UserWarning, match="`labels`: 'x' occurs neither") as warned:
        result = compare(*columns, labels=["a", "b", "x"], **options)
    assert warned[0].filename == __file__
    assert result.score1 == 2 / 3  # (1 + 1 + 0) / 3
    with pytest.warns(UserWarning, match="`labels`: 'x' occurs neither"):
        result = compare(*columns, labels=["a", "b", "x"], zero_division=1.0, **options)
    assert result.score1 == 1.0
    assert result.metric_options == {
        "average": "macro",
        "labels": ["a", "b", "x"],
        "zero_division": 1.0,
    }


# p-values


def brute_force(score, columns):
    """By alternative: the share of the 2^n swaps; differences tie within 1e-11."""
    n = len(columns[0])
    pairs = list(zip(*columns[:2], strict=True))
    known = {}

    def of(swaps):
        chosen = [pair[swapped] for pair, swapped in zip(pairs, swaps, strict=True)]
        key = repr(chosen)
        if key not in known:
            known[key] = score(chosen, columns[2])
        return known[key]

    scores = np.array([of(swaps) for swaps in product((0, 1), repeat=n)])
    d = scores - scores[::-1]  # the other system has what this one has not
    return {
        "two-sided": np.count_nonzero(np.abs(d) >= abs(d[0]) - 1e-11) / 2**n,
        "greater": np.count_nonzero(d >= d[0] - 1e-11) / 2**n,
        "less": np.count_nonzero(d <= d[0] + 1e-11) / 2**n,
    }


def check_pvalues(columns, metric, expected, **options):
    for alternative in ALTERNATIVES:
        result = compare(*columns, metric, alternative=alternative, method="exact", **options)
        assert result.pvalue == pytest.approx(expected[alternative], rel=1e-12)
        low, high = result.pvalue_interval
        assert low <= expected[alternative] * (1 + 1e-15)
        assert high >= expected[alternative] * (1 - 1e-15)


@pytest.mark.parametrize("n_classes", [1, 2, 3])
@pytest.mark.parametrize("metric", METRICS)
def test_pvalues_by_brute_force(metric, n_classes):
    rng = np.random.default_rng([2, METRICS.index(metric), n_classes])
    # the first of a class that only predictions have, unless there is one
    for kind, n, n_right in (
        ("strings", 7, max(n_classes - 1, 1)),
        ("integers", 7, n_classes),
        ("sequences", 6, n_classes),
    ):
        columns = corpus(rng, n, kind, n_right, n_classes, (0.6, 0.3))
        zero_division = float(rng.integers(2))
        expected = brute_force(
            lambda p, r, z=zero_division: truth_of(metric, p, r, zero_division=z), columns
        )
        given = options_of(metric, zero_division=zero_division)
        check_pvalues(columns, metric, expected, **given)
        assert n_classes > 1 or set(expected.values()) == {1.0}


@pytest.mark.parametrize("metric", MACRO)
def test_pvalues_of_selected_classes_and_of_sets_by_brute_force(metric):
    rng = np.random.default_rng([3, METRICS.index(metric)])
    for labels in (["NOUN"], ["ADJ", "PROPN"], ["ADJ", "NOUN", "X"]):
        columns = corpus(rng, 7, "strings", 3, 3, (0.6, 0.3))
        expected = brute_force(
            lambda p, r, labels=labels: truth_of(metric, p, r, labels, 1.0), columns
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_pvalues(
                columns,
                metric,
                expected,
                **options_of(metric, labels=labels, zero_division=1.0),
            )
    for n_classes in (2, 3):
        columns = corpus(rng, 6, "sets", n_classes, n_classes)
        classes = sorted(set().union(*chain.from_iterable(columns)))
        expected = brute_force(
            lambda p, r, classes=classes: truth_of_sets(metric, p, r, classes), columns
        )
        check_pvalues(columns, metric, expected, **options_of(metric, multilabel=True))


# Two classes, against a law in big integers

BITS = 1000  # of a score after the point


def law(rows):
    """From the sums that a system may have to how many swaps give them.

    A row is a pair ((x, y), (x, y)) of what the example adds to them. Both coordinates of the
    moves are packed into the exponents of a polynomial Π (1 + t^move).
    """
    moves, low = Counter(), [0, 0]
    for row in rows:
        first, second = sorted(row, key=lambda r: (r[1], r[0]))
        low = [low[0] + first[0], low[1] + first[1]]
        moves[second[0] - first[0], second[1] - first[1]] += 1
    moves.pop((0, 0), None)
    spread = sum(abs(x) * count for (x, _), count in moves.items())
    width = 2 * spread + 1
    polynomial = flint.fmpz_poly([1])
    for (x, y), count in moves.items():
        polynomial *= flint.fmpz_poly([1] + [0] * (x + width * y - 1) + [1]) ** count
    found = {}
    for index, ways in enumerate(polynomial.coeffs()):
        if ways:
            y = (index + spread) // width
            found[low[0] + index - width * y, low[1] + y] = int(ways)
    return found


def scaled_score(metric, tp, predicted, gold, n):
    """2^BITS times the score of n labels of two classes, `gold` of the second, within 2^8."""
    classes = [(n - gold - predicted + tp, n - predicted, n - gold), (tp, predicted, gold)]
    if metric == "matthews_correlation":
        covariance = n * sum(c for c, _, _ in classes) - sum(p * g for _, p, g in classes)
        variance = (n**2 - sum(p * p for _, p, _ in classes)) * (
            n**2 - sum(g * g for _, _, g in classes)
        )
        size = math.isqrt((covariance**2 << 2 * BITS) // variance) if variance else 0
        return size if covariance > 0 else -size
    if metric == "balanced_accuracy":
        ratios = [(c, g) for c, _, g in classes if g]
    else:
        ratios = [
            {
                "precision": (c, p),
                "recall": (c, g),
                "f1": (2 * c, p + g),
                "fbeta": (5 * c, g + 4 * p),
                "jaccard": (c, p + g - c),
            }[metric]
            for c, p, g in classes
            if p or g
        ]
    return sum((a << BITS) // b for a, b in ratios if b) // len(ratios)


def true_pvalue(metric, found, observed, total, gold, n, alternative):
    """P of the law; differences tie below 2^-900, and none lies between that and 2^-500."""
    scores = {sums: scaled_score(metric, *sums, gold, n) for sums in found}
    d = scores[observed] - scores[total[0] - observed[0], total[1] - observed[1]]
    n_extreme = 0
    for (x, y), ways in found.items():
        other = scores[x, y] - scores[total[0] - x, total[1] - y]
        excess = abs(other) - abs(d) if alternative == "two-sided" else other - d
        excess = -excess if alternative == "less" else excess
        assert not 2 ** (BITS - 900) < abs(excess) < 2 ** (BITS - 500)
        if excess > -(2 ** (BITS - 900)):
            n_extreme += ways
    return Fraction(n_extreme, sum(found.values()))


def rows_of(columns):
    """What each example adds to the true positives, and the predictions, of each system."""
    rows = []
    for *predicted, right in zip(*columns, strict=True):
        ones = [[(p, r) for p, r in zip(x, right, strict=True) if p == "pos"] for x in predicted]
        rows.append(tuple((sum(p == r for p, r in found), len(found)) for found in ones))
    return rows


@cache
def two_classes(name):
    """Columns of sequences of "neg" and "pos", and their law."""
    n, accuracies, share, length = {
        "short sequences": (300, (0.9, 0.8), 0.3, 4),
        "300, near 1": (300, (0.8, 0.8), 0.5, 2),
        "700": (700, (0.9, 0.8), 0.1, 2),
        "1500, far out": (1500, (0.97, 0.72), 0.3, 2),
    }[name]
    rng = np.random.default_rng([4, n, length])
    names = np.array(["neg", "pos"])
    columns = [[], [], []]
    for size in rng.integers(1, length, n):
        right = rng.random(size) < share
        for column, accuracy in zip(columns, (*accuracies, 1.0), strict=True):
            column.append(names[(right ^ (rng.random(size) >= accuracy)).astype(int)].tolist())
    rows = rows_of(columns)
    sums = [tuple(map(sum, zip(*(row[k] for row in rows), strict=True))) for k in (0, 1)]
    return columns, law(rows), sums


CASES = ("short sequences", "300, near 1", "700", "1500, far out")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("metric", METRICS)
def test_two_classes(metric, case):
    columns, found, sums = two_classes(case)
    labels = list(chain.from_iterable(columns[2]))
    gold, total = labels.count("pos"), tuple(map(sum, zip(*sums, strict=True)))
    is_single = all(len(row) == 1 for row in columns[2])
    given = [[row[0] for row in x] for x in columns] if is_single else columns
    alternative = ALTERNATIVES[(METRICS.index(metric) + CASES.index(case)) % 3]
    if case == "1500, far out":
        alternative = "two-sided" if alternative == "less" else alternative
    truth = true_pvalue(metric, found, sums[0], total, gold, len(labels), alternative)
    result = compare(*given, metric, alternative=alternative, method="exact", **options_of(metric))
    assert oracle.relative_error(result, truth) <= 1e-11
    assert oracle.is_certified(result, truth)
    assert case != "1500, far out" or 1e-90 < truth < 1e-40
    assert case != "300, near 1" or truth > 1e-2


def test_many_examples_of_two_classes():
    """Of classes of one size the mean of recalls is accuracy; names and systems may be swapped."""
    rng = np.random.default_rng(11)
    right = rng.permutation(np.repeat([0, 1], 25_000))
    one, two = (right ^ (rng.random(50_000) < share) for share in (0.19, 0.2))
    for alternative in ALTERNATIVES:
        options = {"alternative": alternative, "method": "exact"}
        expected = compare(one, two, right, "accuracy", **options)
        result = compare(one, two, right, "balanced_accuracy", **options)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-11)
        assert result.score1 == pytest.approx(expected.score1, abs=1e-15)
    for metric in ("f1", "matthews_correlation"):
        options = {"metric": metric, "method": "exact", **options_of(metric)}
        result = compare(one, two, right, **options)
        turned = compare(1 - two, 1 - one, 1 - right, **options)
        assert result.pvalue == pytest.approx(turned.pvalue, rel=1e-10)
        assert 1e-10 < result.pvalue < 1e-2


# Ties


@cache
def squarefree(n):
    """The root of n as s √t, with t squarefree."""
    s, p = 1, 2
    while p * p <= n:
        while n % (p * p) == 0:
            n, s = n // (p * p), s * p
        p += 1
    return s, n


def root_of_product(*factors):
    """The root of a product as s √t, with t squarefree."""
    s, t = 1, 1
    for factor in factors:
        s_of_factor, t_of_factor = squarefree(factor)
        common = math.gcd(t, t_of_factor)
        s, t = s * s_of_factor * common, t * t_of_factor // common**2
    return s, t


def correlation(tp, predicted, gold, n):
    """{t: a} for Σ a / √t of distinct squarefree t: these are equal only if they are the same."""
    covariance = n * tp - predicted * gold
    factors = predicted, n - predicted, gold, n - gold
    if not covariance or not all(factors):
        return {}
    s, t = root_of_product(*factors)
    return {t: Fraction(covariance, s)}


def minus(one, two):
    found = {t: one.get(t, 0) - two.get(t, 0) for t in {*one, *two}}
    return {t: a for t, a in found.items() if a}


def in_float(roots):
    return math.fsum(a / math.sqrt(t) for t, a in roots.items())


def of_counts(n1, n0, tp, fp, gold, n, i, j):
    """Columns where the systems differ on n1 right and n0 wrong examples, and share the others.

    System 1 finds i of the n1 and is wrong in j of the n0.
    """
    rights = [1] * n1 + [0] * n0 + [1] * tp + [0] * fp + [1] * (gold - n1 - tp)
    rights += [0] * (n - len(rights))
    ones = [k < i for k in range(n1)] + [k < j for k in range(n0)]
    both = [1] * (tp + fp) + [0] * (n - n1 - n0 - tp - fp)
    one, two = [int(x) for x in ones] + both, [int(not x) for x in ones] + both
    return one, two, rights


def differences(n1, n0, tp, fp, gold, n):
    """By (i, j): the exact difference of the correlations, and how many swaps there are."""
    ways, total = {}, (2 * tp + n1, 2 * (tp + fp) + n1 + n0)
    for i, j in product(range(n1 + 1), range(n0 + 1)):
        x, y = tp + i, tp + fp + i + j
        d = minus(correlation(x, y, gold, n), correlation(total[0] - x, total[1] - y, gold, n))
        ways[i, j] = d, math.comb(n1, i) * math.comb(n0, j)
    return ways


def test_correlations_tie_as_sums_of_square_roots():
    """Every assignment that ties with others is the observed one; floats would not tell."""
    n_ties, n_unequal = 0, 0
    rng = np.random.default_rng(5)
    while n_ties < 150:
        n1, n0, tp, fp = (int(x) for x in rng.integers([1, 1, 0, 0], [7, 7, 5, 5]))
        gold = n1 + tp + int(rng.integers(0, 4))
        counts = n1, n0, tp, fp, gold, gold + n0 + fp + int(rng.integers(0, 4))
        ways = differences(*counts)
        alike = defaultdict(list)
        for point, (d, _) in ways.items():
            alike[frozenset(d.items())].append(point)
        for key, points in alike.items():
            if len(points) < 2 or not key:
                continue
            point, d = points[0], dict(key)
            n_extreme = sum(
                n for other, n in ways.values() if other == d or in_float(other) > in_float(d)
            )
            result = compare(
                *of_counts(*counts, *point), "matthews_correlation", alternative="greater"
            )
            assert result.pvalue == pytest.approx(n_extreme / 2 ** (n1 + n0), rel=1e-14)
            n_ties += 1
            floats = [compare(*of_counts(*counts, *x), "matthews_correlation") for x in points]
            n_unequal += len({x.statistic for x in floats}) > 1
    assert n_unequal  # in floats, which differ by their rounding


def test_nearly_ties():
    """Two assignments whose differences are apart by less than 1e-10, but no tie."""
    for *counts, point, near in (
        (128, 65, 3, 58, 140, 267, (23, 4), (45, 22)),
        (93, 116, 14, 12, 184, 366, (58, 110), (30, 85)),
    ):
        ways = differences(*counts)
        d, other = (in_float(ways[x][0]) for x in (point, near))
        assert 1e-13 < other - d < 1e-10
        n_extreme = sum(n for x, (e, n) in ways.items() if x == point or in_float(e) < d)
        truth = Fraction(n_extreme, 2 ** (counts[0] + counts[1]))
        columns = of_counts(*counts, *point)
        result = compare(*columns, "matthews_correlation", alternative="less", method="exact")
        assert oracle.relative_error(result, truth) <= 1e-11
        assert oracle.is_certified(result, truth)
        assert ways[near][1] > 1e-9 * n_extreme  # which would show


# What a permutation of systems, classes or examples changes


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("metric", METRICS)
def test_systems_swapped(metric, n_classes):
    columns = corpus(np.random.default_rng(6), 30, "strings", n_classes, n_classes)
    options = options_of(metric)
    by_alternative = {
        name: compare(*columns, metric, alternative=name, **options) for name in ALTERNATIVES
    }
    turned = columns[1], columns[0], columns[2]
    for name, other in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        result = compare(*turned, metric, alternative=name, **options)
        expected = by_alternative[other]
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-13)
        assert result.statistic == pytest.approx(-expected.statistic, abs=1e-15)
        assert (result.score1, result.score2) == (expected.score2, expected.score1)
    assert by_alternative["greater"].pvalue != by_alternative["less"].pvalue


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("metric", METRICS)
def test_names_and_order_do_not_matter(metric, n_classes):
    rng = np.random.default_rng(7)
    columns = corpus(rng, 30, "strings", n_classes, n_classes)
    expected = compare(*columns, metric, **options_of(metric))
    assert expected.pvalue < 1.0
    order = rng.permutation(30)
    for names in (TAGS[1:] + TAGS[:1], TAGS[::-1], [3, 1, 0, 2], ["", "é", "z" * 99, "B-PER"]):
        meaning = dict(zip(TAGS, names, strict=True))
        renamed = [[meaning[column[k]] for k in order] for column in columns]
        result = compare(*renamed, metric, **options_of(metric))
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-13)
        assert result.score1 == pytest.approx(expected.score1, abs=1e-15)
        assert result.score2 == pytest.approx(expected.score2, abs=1e-15)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("metric", METRICS)
def test_examples_on_which_the_systems_agree(metric, n_classes):
    """They are counted, but of their swaps none matters."""
    rng = np.random.default_rng([8, n_classes])
    columns = corpus(rng, 6, "strings", n_classes, n_classes, (0.8, 0.1))
    same, _, right = corpus(rng, 40, "strings", n_classes, n_classes)
    expected = brute_force(
        lambda p, r: truth_of(metric, p + same, r + right),
        columns,
    )
    given = columns[0] + same, columns[1] + same, columns[2] + right
    check_pvalues(given, metric, expected, **options_of(metric))
    result = compare(*given, metric, **options_of(metric))
    assert result.n == 46
    assert result.n_differing == sum(a != b for a, b in zip(*columns[:2], strict=True))


@pytest.mark.parametrize("metric", METRICS)
def test_three_classes_as_a_function_of_sums(metric):
    """The same law by a test of rows of counts, with a score in floats."""
    columns = corpus(
        np.random.default_rng([9, METRICS.index(metric)]), 40, n_right=3, n_predicted=3
    )
    classes = TAGS[:3]
    gold = np.array([columns[2].count(label) for label in classes])

    def rows(column):
        pairs = list(zip(column, columns[2], strict=True))
        right = [[p == r == label for label in classes] for p, r in pairs]
        return np.hstack((right, [[p == label for label in classes] for p, _ in pairs])).astype(int)

    def score(sums):
        tp, predicted = sums[..., :3], sums[..., 3:]
        if metric == "matthews_correlation":
            covariance = tp.sum(axis=-1) * 40 - predicted @ gold
            variance = (1600 - (predicted**2).sum(axis=-1)) * float(1600 - gold @ gold)
            return covariance / np.sqrt(variance)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = {
                "precision": tp / predicted,
                "f1": 2 * tp / (predicted + gold),
                "fbeta": 5 * tp / (gold + 4 * predicted),
                "jaccard": tp / (predicted + gold - tp),
            }.get(metric, tp / gold)
        return np.nan_to_num(ratios).mean(axis=-1)

    truth = paired_permutation_test(rows(columns[0]), rows(columns[1]), score=score, method="exact")
    result = compare(*columns, metric, method="exact", **options_of(metric))
    assert result.pvalue == pytest.approx(truth.pvalue, rel=1e-9)
    assert result.score1 == pytest.approx(truth.score1, abs=1e-14)
    assert 1e-6 < result.pvalue < 1.0


@pytest.mark.parametrize(
    ("gold", "is_predicted_only"), [((80, 100, 120), True), ((30, 40, 60, 12, 8, 20, 24), False)]
)
def test_balanced_accuracy_is_a_mean(gold, is_predicted_only):
    """Of 1 / (K g) for each correct label of a class that there are g of."""
    n_classes, n, unit = len(gold), sum(gold), math.lcm(*gold)
    rng = np.random.default_rng(n_classes)
    right = rng.permutation(np.repeat(np.arange(n_classes), gold))
    one, two = (
        np.where(rng.random(n) < share, right, rng.integers(n_classes + is_predicted_only, size=n))
        for share in (0.8, 0.7)
    )
    weights = np.array([unit // g for g in gold])[right]
    for alternative in ALTERNATIVES:
        options = {"alternative": alternative, "method": "exact"}
        result = compare(one, two, right, "balanced_accuracy", **options)
        scores = weights * (one == right), weights * (two == right)
        expected = paired_permutation_test(*scores, **options)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-13)
        assert result.score1 == pytest.approx(expected.score1 * n / unit / n_classes, rel=1e-14)
        labels = list(range(n_classes))
        named = compare(one, two, right, "recall", average="macro", labels=labels, **options)
        assert named.pvalue == result.pvalue
        assert named.score2 == result.score2


# Errors


@pytest.mark.parametrize("metric", METRICS)
def test_no_label(metric):
    columns = [[[], []]] * 3
    with pytest.raises(InputError, match="`references` holds no label: every sequence is empty"):
        compare(*columns, metric, **options_of(metric))


def test_sets_without_a_label():
    columns = [[set(), set()]] * 3
    with pytest.raises(InputError, match="`references` holds no label"):
        compare(*columns, "f1", average="macro", multilabel=True)


@pytest.mark.parametrize("nest", [lambda x: x, lambda x: [x]], ids=["single", "sequences"])
def test_too_many_classes(monkeypatch, nest):
    monkeypatch.setattr(class_counts, "_MAX_CELLS", 4 * 3 * 3 - 1)
    columns = [[nest(x) for x in column] for column in ("abc", "acb", "abc")]
    with pytest.raises(InputError, match=r"3 classes in 3 distinct examples are too many.*'micro'"):
        compare(*columns, "f1", average="macro")
    monkeypatch.setattr(class_counts, "_MAX_CELLS", 4 * 3 * 3)
    assert compare(*columns, "f1", average="macro").n == 3


def test_columns_that_do_not_fit():
    options = {"metric": "matthews_correlation"}
    with pytest.raises(InputError, match=r"`predictions2` has 1 examples and .* has 2"):
        compare(["a", "b"], ["a"], ["a", "b"], **options)
    with pytest.raises(InputError, match=r"`predictions1`\[1\] has 2 labels"):
        compare([["a"], ["a", "b"]], [["a"], ["b"]], [["a"], ["b"]], **options)
    with pytest.raises(InputError, match="must hold a set of labels per example"):
        compare(["a"], ["a"], ["a"], "f1", average="macro", multilabel=True)


def test_beyond_the_budget():
    """Many classes are sampled, with a warning; asked for exactly they are an error."""
    columns = corpus(np.random.default_rng(10), 900, n_right=4, accuracies=(0.7, 0.65))
    options = {"metric": "f1", "average": "macro"}
    with pytest.raises(BudgetError, match="Or sample: method='monte_carlo'"):
        compare(*columns, method="exact", **options)
    with pytest.warns(UserWarning, match="p is sampled, for") as warned:
        result = compare(*columns, n_resamples=999, rng=1, progress=False, **options)
    assert warned[0].filename == __file__
    assert (result.method, result.n_resamples) == ("monte_carlo", 999)
    assert 0.001 < result.pvalue < 1.0
    for predictions, score in zip(columns, (result.score1, result.score2), strict=False):
        assert score == pytest.approx(truth_of("f1", predictions, columns[2]), abs=1e-14)
