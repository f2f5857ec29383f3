"""Groups of examples that are swapped and drawn together, by brute force."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sklearn import metrics as sklearn

from choices import plan
from oracles import groups as oracle
from pairedperm import (
    InputError,
    Ratio,
    compare,
    paired_bootstrap_test,
    paired_permutation_test,
    structured_permutation_test,
)
from properties import cases, generators, one_in

TIE = 1e-12


def mean(values):
    return sum(map(Fraction, values)) / len(values)


def ratio(rows):
    return Fraction(int(sum(x[0] for x in rows)), int(sum(x[1] for x in rows)))


def of_labels(function, **options):
    """A score of pairs (prediction, reference) by scikit-learn."""

    def score(pairs):
        predictions, references = zip(*pairs, strict=True)
        return function(references, predictions, **options)

    return score


METRICS = {
    "accuracy": (("accuracy", {}), of_labels(sklearn.accuracy_score)),
    "f1": (
        ("f1", {"pos_label": 1}),
        of_labels(sklearn.f1_score, labels=[1], average="macro", zero_division=0),
    ),
    "macro": (
        ("f1", {"average": "macro"}),
        of_labels(sklearn.f1_score, average="macro", zero_division=0),
    ),
    "recall": (
        ("recall", {"average": "macro"}),
        of_labels(sklearn.recall_score, average="macro", zero_division=0),
    ),
    "kappa": (("cohen_kappa", {}), of_labels(sklearn.cohen_kappa_score)),
}


def some(rng, n_groups=6):
    """Labels 0, 1 and 2 of some examples, right for the most part, and their groups."""
    n = int(rng.integers(5, 14))
    references = np.append(rng.integers(0, 3, n), [0, 1, 2])
    noise = rng.integers(0, 3, (2, n + 3))
    is_right = rng.random((2, n + 3)) < [[0.7], [0.5]]
    one, two = np.where(is_right, references, noise).tolist()
    groups = rng.integers(0, n_groups, n + 3).tolist()
    return one, two, references.tolist(), groups


@one_in(3)
@pytest.mark.parametrize("name", METRICS)
@pytest.mark.filterwarnings("ignore::UserWarning")
@given(generators)
@cases(0.1)
def test_labels_by_listing_swaps(name, rng):
    one, two, references, groups = some(rng)
    (metric, options), score = METRICS[name]
    found = compare(one, two, references, metric, groups=groups, **options)
    pairs = [[*zip(column, references, strict=True)] for column in (one, two)]
    assert found.pvalue == pytest.approx(float(oracle.by_swaps(score, *pairs, groups, TIE)), 1e-9)
    assert found.statistic == pytest.approx(score(pairs[0]) - score(pairs[1]), abs=TIE)
    assert (found.n, found.n_groups) == (len(groups), len(set(groups)))
    assert found.n_differing <= found.n_groups
    alone = compare(one, two, references, metric, **options)
    assert found.n_wins + found.n_losses + found.n_ties == found.n
    assert (found.n_wins, found.n_losses) == (alone.n_wins, alone.n_losses)


@one_in(3)
@pytest.mark.parametrize("kind", ["integers", "decimals", "reals"])
@given(generators)
@cases(0.3)
def test_means_by_listing(kind, rng):
    n = int(rng.integers(4, 12))
    columns = {
        "integers": lambda: rng.integers(0, 9, n),
        "decimals": lambda: rng.integers(0, 900, n) / 100,
        "reals": lambda: rng.random(n) * math.pi,
    }
    one, two = columns[kind]().tolist(), columns[kind]().tolist()
    as_exact = Fraction if kind == "reals" else lambda x: Fraction(str(x))
    exact = [[as_exact(x) for x in column] for column in (one, two)]
    groups = [f"document {k}" for k in rng.integers(0, 5, n)]
    groups[0], groups[1] = "document 5", "document 6"
    found = paired_permutation_test(one, two, groups=groups)
    assert found.pvalue == pytest.approx(float(oracle.by_swaps(mean, *exact, groups)), 1e-9)
    differences = [x - y for x, y in zip(*exact, strict=True)]
    error = math.sqrt(oracle.standard_error(differences, groups))
    assert found.standard_error == pytest.approx(error, 1e-9)
    drawn = paired_bootstrap_test(one, two, groups=groups, rng=0)
    if len(set(groups)) <= 5:
        true = float(oracle.by_draws(mean, *exact, groups))
        sampled = drawn.interval == "confidence"
        assert drawn.pvalue == pytest.approx(true, abs=0.03 if sampled else 1e-9)
    assert drawn.standard_error == found.standard_error
    assert (drawn.n, drawn.n_groups) == (n, len(set(groups)))


@given(generators)
@cases(0.3)
def test_ratios_and_functions_by_listing(rng):
    n = int(rng.integers(4, 12))
    one, two = (np.array([0, 1]) + rng.integers(0, 4, (n, 2)) for _ in range(2))
    groups = rng.integers(0, 6, n).tolist()
    true = float(oracle.by_swaps(ratio, [*one], [*two], groups))
    of_ratio = paired_permutation_test(one, two, score=Ratio([1, 0], [0, 1]), groups=groups)
    assert of_ratio.pvalue == pytest.approx(true, 1e-9)

    def function(sums):
        return sums[..., 0] / sums[..., 1]

    found = paired_permutation_test(one, two, score=function, groups=groups)
    assert found.pvalue == pytest.approx(true, 1e-9)
    planned = plan(one, two, score=function, groups=groups)
    assert planned.method == found.method

    def statistic(sums):
        return abs(sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3])

    stay, swap = np.hstack((one, two)), np.hstack((two, one))
    structured = structured_permutation_test(stay, swap, statistic, groups=groups)
    assert structured.pvalue == pytest.approx(true, 1e-9)
    assert (structured.n_groups, structured.standard_error) == (len(set(groups)), None)


@given(generators)
@cases(0.3)
def test_pass_at_k_by_listing(rng):
    """Fractions of several denominators: each item's share first, then the sums of the groups."""
    n = int(rng.integers(4, 9))
    n_runs = rng.integers(2, 5, n).tolist()
    columns = [[rng.integers(0, 2, k).tolist() for k in n_runs] for _ in range(2)]
    groups = rng.integers(0, 4, n).tolist()
    groups[0] = 4

    def shares(runs):
        return [1 - Fraction(math.comb(len(x) - sum(x), 2), math.comb(len(x), 2)) for x in runs]

    exact = [*map(shares, columns)]
    found = compare(*columns, None, "pass_at_k", k=2, groups=groups)
    assert found.pvalue == pytest.approx(float(oracle.by_swaps(mean, *exact, groups)), 1e-9)
    drawn = compare(*columns, None, "pass_at_k", k=2, groups=groups, test="bootstrap")
    assert drawn.pvalue == pytest.approx(float(oracle.by_draws(mean, *exact, groups)), 1e-9)


def test_words_and_answers():
    """Error rates and squad's F1 keep the order of the examples, in which their groups are."""
    rng = np.random.default_rng(5)
    texts = [[" ".join(rng.choice([*"bcdef"], 3)) for _ in range(9)] for _ in range(3)]
    groups = [0, 1, 2, 0, 3, 3, 1, 4, 0]

    def f1(pair):
        one, two = (Counter(x.split()) for x in pair)
        return Fraction((one & two).total() * 2, one.total() + two.total())

    exact = [[*map(f1, zip(x, texts[2], strict=True))] for x in texts[:2]]
    found = compare(*texts, "squad_f1", groups=groups)
    assert found.pvalue == pytest.approx(float(oracle.by_swaps(mean, *exact, groups)), 1e-9)
    of_words = compare(*texts, "word_error_rate", groups=groups)
    assert of_words.n_groups == compare(*texts, "character_error_rate", groups=groups).n_groups == 5


def test_many_examples_stay_in_order():
    """Labels of many examples are not counted early, and one group each is no group at all."""
    rng = np.random.default_rng(0)
    references = rng.integers(0, 3, 40_000)
    one, two = (np.where(rng.random(40_000) < p, references, 0) for p in (0.5, 0.51))
    for metric, options in (("accuracy", {}), ("f1", {"pos_label": 1})):
        found = compare(one, two, references, metric, groups=np.arange(40_000), **options)
        alone = compare(one, two, references, metric, **options)
        assert found.pvalue == pytest.approx(alone.pvalue, 1e-9)
        assert found.n_groups == found.n == 40_000
        interval, expected = found.confidence_interval(0.9), alone.confidence_interval(0.9)
        assert interval[:2] == pytest.approx(expected[:2], abs=1e-3)


def test_what_is_printed():
    result = compare([1, 1, 1, 0], [0, 0, 1, 0], [1, 1, 1, 1], groups=[5, 5, 6, 7])
    assert str(result).endswith(
        "1 of 3 groups differ (n = 4)\nsmallest possible p of 1 differing group: 1\n"
        "null: exchangeable outputs"
    )
    assert "n_differing=1, n_groups=3" in repr(result)
    assert (result.n_wins, result.n_losses) == (2, 0)
    as_dict = result.to_dict()
    assert (as_dict["n_groups"], as_dict["n_wins"], as_dict["n_ties"]) == (3, 2, 2)


@pytest.mark.parametrize(
    "groups",
    [
        ["a", "b", "a"],
        np.array([7, 3, 7]),
        pd.Series(["a", "b", "a"]),
        pd.Categorical(["a", "b", "a"]),
    ],
)
def test_ids_of_any_column(groups):
    found = compare([1, 0, 1], [0, 0, 0], [1, 1, 1], groups=groups)
    assert (found.n_groups, found.n_differing, found.pvalue) == (2, 1, 1.0)


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ([1, "1", 2], r"^`groups` has the id '1' \(str\), also 1 \(int\): a text never equals an"),
        (["é", "e\u0301", "a"], r"^`groups` has ids of which '\\xe9' and 'e\\u0301' are one text"),
    ],
)
def test_ids_that_would_count_as_two(groups, said):
    """One group in two forms would be two, and p too small."""
    with pytest.raises(InputError, match=said):
        compare([1, 0, 1], [0, 0, 0], [1, 1, 1], groups=groups)


def test_one_group():
    """Nothing tells how groups vary: p is 1, and there is no error."""
    columns = [1, 1, 1], [0, 0, 0], [1, 1, 1]
    found = compare(*columns, groups=[4, 4, 4])
    assert (found.pvalue, found.n_groups, found.standard_error) == (1.0, 1, None)


def test_denominators_that_are_the_same_of_groups_only():
    """Ratios are of the groups' sums: drawn exactly, with the same standard error."""
    one, two = [[1, 2], [1, 1], [2, 2], [0, 1]], [[0, 1], [1, 2], [1, 2], [1, 1]]
    sums = [[2, 3], [2, 3]], [[1, 3], [2, 3]]
    of_groups = paired_bootstrap_test(one, two, score=Ratio([1, 0], [0, 1]), groups=[1, 1, 2, 2])
    of_sums = paired_bootstrap_test(*sums, score=Ratio([1, 0], [0, 1]))
    assert of_groups.method == of_sums.method == "exact"
    assert (of_groups.pvalue, of_groups.standard_error) == (of_sums.pvalue, of_sums.standard_error)
