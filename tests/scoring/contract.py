"""What every metric promises, asked of each in the same way, as scikit-learn's `check_estimator`.

A metric's test file declares a `Contract`; `check_metric` makes a test of each promise:

    test_contract = check_metric(
        Contract("accuracy", draw=labels, score=share_of_right, library=accuracy_score),
    )

`draw` makes columns and options, `score` is the definition in fractions. What only this metric
has is tested beside it.
"""

from __future__ import annotations

import pickle
import warnings
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from choices import plan
from doors import DOORS, columns_of, in_one
from oracles import draws, jackknife
from oracles import label_averages as swaps
from pairedperm import InputError, PairedCounts, paired_counts, paired_permutation_test
from pairedperm.scoring.metric import read_metric
from properties import cases

ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True)
class Contract:
    """A metric, what people hold, and the score that it must have."""

    metric: Any  # its name
    draw: Callable[[np.random.Generator, int], tuple[Any, dict[str, Any]]]
    """Three columns of n examples, and options."""
    score: Callable[..., Any]
    """The true score of predictions and references with these options, by its definition."""
    library: Callable[..., float | None] | None = None
    """The same, by the library that people use for it; None where that has no such option."""
    words: str | None = None
    """How the sentence of a result begins, where that is always the same."""
    name: str = ""
    """What tells it from other contracts of the metric."""
    few: int = 7
    """So many examples may be swapped in all ways."""
    drawn: int = 4
    """So many examples may be drawn in all ways; 0 where the score of a resample is another."""
    tie: float = 0.0
    """What differences of scores that tie may be apart by; 0 where scores are fractions."""
    abs: float = 1e-14
    """What a score may be off by, if that is more than its rounding."""
    share: float = 0.2
    """Of the profile's random cases."""
    is_exact: bool = True
    """Whether p of a few swaps is found by the core: its relative error is 1e-12."""
    is_counted: bool = True
    """Whether its rows can be counted, and counts of parts added."""
    is_of_all: bool = False
    """Whether score and library also take `there`, the labels that occur in any column."""

    @property
    def generators(self) -> Any:
        """Each contract is asked cases of its own."""
        key = zlib.crc32(f"{self.metric} {self.name}".encode())
        return st.builds(np.random.default_rng, st.tuples(st.just(key), st.integers(0, 2**32 - 1)))

    def of(self, truth: Callable[..., Any], columns: Any, options: dict[str, Any]) -> Any:
        """The score or the library's, of predictions and references of this corpus."""
        there = {"there": swaps.there(columns)} if self.is_of_all else {}
        return partial(truth, **options, **there)

    def compare(self, columns: Any, **options: Any) -> Any:
        """What `compare` says, of this metric by its name or, in the options, as an object."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of labels that do not occur, of p that is sampled
            return in_one(*columns, **{"metric": self.metric, **options})


def check_metric(*contracts: Contract) -> Any:
    """A test of every promise of each contract; assign it to a name that begins with test_."""
    asked = [
        pytest.param(promise, x, id="-".join(filter(None, (x.metric, x.name, promise.__name__))))
        for x in contracts
        for promise in PROMISES
    ]

    @pytest.mark.parametrize(("promise", "contract"), asked)
    def test(promise: Any, contract: Contract) -> None:
        promise(contract)

    return test


def scores(contract: Contract) -> None:
    """Those of the definition and of the library, of one example and of many."""

    @cases(5 * contract.share)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options = contract.draw(rng, int(rng.choice([1, 3, 40])))
        result = contract.compare(columns, method="monte_carlo", n_resamples=9, rng=1, **options)
        assert (result.metric, result.n) == (contract.metric, len(columns[0]))
        for found, predictions in zip((result.score1, result.score2), columns, strict=False):
            for truth in filter(None, (contract.score, contract.library)):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of what is not defined
                    expected = contract.of(truth, columns, options)(predictions, columns[2])
                if expected is not None:
                    assert found == pytest.approx(float(expected), rel=1e-12, abs=contract.abs)
        assert result.statistic == pytest.approx(result.score1 - result.score2, abs=1e-9)

    ask()


def all_swaps(contract: Contract) -> None:
    """For each alternative p is the share of all swaps; of some of them about that."""

    @cases(contract.share)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options = contract.draw(rng, int(rng.integers(1, contract.few + 1)))
        score = contract.of(contract.score, columns, options)
        expected = swaps.brute_force(score, columns, contract.tie)
        for alternative, p in expected.items():
            result = contract.compare(columns, alternative=alternative, **options)
            low, high = result.pvalue_interval
            assert low * (1 - 1e-12) <= p <= high * (1 + 1e-12)
            assert result.interval == "certified"
            if contract.is_exact:
                assert result.pvalue == pytest.approx(float(p), rel=1e-12)
        p = float(expected["two-sided"])
        found = contract.compare(columns, method="monte_carlo", n_resamples=999, rng=1, **options)
        assert abs(found.pvalue - p) <= 4 * (p * (1 - p) / 999) ** 0.5 + 1 / 999

    ask()


def all_resamples(contract: Contract) -> None:
    """The bootstrap's p and intervals are those of all resamples, or of many of them."""
    n_resamples = 4_999

    @cases(contract.share / 4)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options = contract.draw(rng, contract.drawn)
        score = contract.of(contract.score, columns, options)

        def scored(indices):
            one, two, right = (None if x is None else [x[k] for k in indices] for x in columns)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of labels that were not drawn
                return [score(x, right) for x in (one, two)]

        truth = draws.Enumeration(scored, contract.drawn, max(contract.tie, 1e-12))
        asked = {"test": "bootstrap", "n_resamples": n_resamples, "rng": 1, **options}
        for alternative, ties in product(ALTERNATIVES, ("exclude", "include")):
            result = contract.compare(columns, alternative=alternative, ties=ties, **asked)
            p = float(truth.pvalue(alternative, ties))
            error = 0.0 if result.n_resamples is None else (p * (1 - p) / n_resamples) ** 0.5
            slack = 1e-11 * p if result.n_resamples is None else 1 / n_resamples
            assert abs(result.pvalue - p) <= 5 * error + slack
        for found, law in (
            (result.confidence_interval(), truth.law),
            (result.score1_interval, truth.law1),
            (result.score2_interval, truth.law2),
        ):
            ends = draws.sampled_percentiles(law, 0.95, n_resamples)
            for end, (least, greatest) in zip(found, ends, strict=True):
                slack = 1e-9 * max(1.0, abs(end))
                assert float(least) - slack <= end <= float(greatest) + slack

    if contract.drawn:
        ask()


def standard_error(contract: Contract) -> None:
    """It is that of the infinitesimal jackknife; None where no example moves the difference."""

    @cases(contract.share / 4)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options = contract.draw(rng, 12)
        score = contract.of(contract.score, columns, options)
        result = contract.compare(columns, method="monte_carlo", n_resamples=9, rng=1, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what is not defined
            expected = jackknife.standard_error(score, columns)
        assume(expected is not None)
        assert (result.standard_error or 0.0) == pytest.approx(expected, rel=0.01, abs=1e-8)

    ask()


def symmetry(contract: Contract) -> None:
    """Systems swapped, examples in another order, and systems that tie; as it was planned."""

    @cases(contract.share)
    @given(rng=contract.generators)
    def ask(rng):
        n = int(rng.integers(2, 30))
        (one, two, right), options = contract.draw(rng, n)
        result = contract.compare((one, two, right), rng=1, **options)
        turned = contract.compare((two, one, right), rng=1, **options)
        assert (turned.score1, turned.statistic) == (result.score2, -result.statistic)
        if result.interval == "certified":
            assert turned.pvalue == result.pvalue
            order = rng.permutation(n).tolist()
            moved = [x if x is None else [x[k] for k in order] for x in (one, two, right)]
            assert contract.compare(moved, rng=1, **options) == result
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of labels that do not occur
            planned = plan(one, two, right, metric=contract.metric, rng=1, **options)
        assert planned.method == result.method
        same = contract.compare((one, one, right), **options)
        assert (same.pvalue, same.n_differing, same.statistic) == (1.0, 0, 0.0)

    ask()


def parts(contract: Contract) -> None:
    """Counts of parts, added in any order, are those of all; stored ones too."""

    @cases(contract.share)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options = contract.draw(rng, 24)
        of = partial(paired_counts, metric=contract.metric, **options)
        if not contract.is_counted:
            with pytest.raises(InputError):
                of(*columns)
            return
        cuts = [0, *sorted(rng.integers(1, 24, 2).tolist()), 24]
        slices = [slice(*x) for x in pairwise(cuts) if x[0] < x[1]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of labels that a part lacks
            found = [of(*(x if x is None else x[part] for x in columns)) for part in slices]
            whole = sum(found[1:], found[0])
            assert whole == sum(found[::-1][1:], found[-1]) == of(*columns)
            of = partial(paired_counts, metric=read_metric(contract.metric, **options))
            assert whole == of(*columns)
            whole = PairedCounts.from_json(whole.to_json())
            result = paired_permutation_test(whole, rng=1)
        expected = contract.compare(columns, rng=1, **options)
        assert (result.score1, result.score2) == (expected.score1, expected.score2)
        assert result.pvalue == expected.pvalue

    ask()


def doors(contract: Contract) -> None:
    """Every way in gives the same dict, all at once and in batches."""

    @cases(contract.share / 4)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options = contract.draw(rng, 24)
        asked = {**options, "method": "monte_carlo", "rng": 3, "n_resamples": 99}
        expected = contract.compare(columns, **asked).to_dict()
        for door in DOORS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # as above
                found = door(*columns_of(columns), metric=contract.metric, **asked)
            assert_same(found, expected, 1e-12 if contract.tie else 0.0)

    ask()


def assert_same(found: dict[str, Any], expected: dict[str, Any], rel: float) -> None:
    """Two results' dicts; their numbers may differ by so much, where sums are of floats."""
    is_number = {k for k, x in expected.items() if isinstance(x, float)} if rel else set()
    rest = [{k: x for k, x in y.items() if k not in is_number} for y in (found, expected)]
    assert rest[0] == rest[1]
    for k in is_number:
        assert found[k] == pytest.approx(expected[k], rel=rel), k


def summary(contract: Contract) -> None:
    """It and the result's sentence have the metric's words; asked once, as intervals take long."""

    @cases(0)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options = contract.draw(rng, 12)
        result = contract.compare(columns, method="monte_carlo", n_resamples=9, rng=1, **options)
        metric = read_metric(contract.metric, **options)
        assert str(result).startswith(metric.in_words)
        assert f"{metric.in_words} of system 1" in result.summary()

    ask()


def words(contract: Contract) -> None:
    """The metric's options and names; pickled, it is the same."""

    @cases(contract.share)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options = contract.draw(rng, 12)
        asked = {"method": "monte_carlo", "rng": 1, "n_resamples": 9}
        result = contract.compare(columns, **options, **asked)
        assert contract.compare(columns, **(result.metric_options or {}), **asked) == result
        metric = read_metric(contract.metric, **options)
        copy = pickle.loads(pickle.dumps(metric))
        assert (copy, hash(copy), repr(copy)) == (metric, hash(metric), repr(metric))
        assert metric.options == result.metric_options
        assert contract.compare(columns, metric=metric, **asked) == result
        assert pickle.loads(pickle.dumps(result)) == result
        if contract.words is not None:
            assert metric.in_words == contract.words

    ask()


PROMISES = (
    *(scores, all_swaps, all_resamples, standard_error, symmetry, parts, doors, words, summary),
)
