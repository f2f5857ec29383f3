"""What every score promises, asked of each in the same way, as scikit-learn's `check_estimator`.

The test file of a metric, or of a score of sums, declares a `Contract`; `check_metric` makes a test
of each promise:

    test_contract = check_metric(
        Contract("accuracy", draw=labels, score=share_of_right, library=accuracy_score),
    )

`draw` makes columns and options, `score` is the definition in fractions. One case in four has
groups, which are swapped and drawn together. What only this score has is tested beside it.

Of each contract the quick suite asks the scores and a third of the other promises, always the same
ones; --thorough asks all.
"""

from __future__ import annotations

import math
import pickle
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from typing import Any, TypeAlias
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from choices import plan
from doors import DOORS, columns_of, in_one
from oracles import draws, jackknife
from oracles import label_averages as swaps
from oracles.groups import members
from pairedperm import (
    BudgetError,
    InputError,
    PairedCounts,
    paired_bootstrap_test,
    paired_counts,
    paired_permutation_test,
)
from pairedperm.scoring import arguments, classes, rows
from pairedperm.scoring.metric import read_metric
from pairedperm.scoring.metrics import labels
from properties import cases

ALTERNATIVES = ("two-sided", "greater", "less")
LOWERED: dict[Any, dict[str, Any]] = {  # rows and labels are counted as they are read
    arguments: {"_LONG": 1},
    rows: {"LEAST": 1, "CACHED_ROWS": 7, "_FIRST": 2},
    classes: {"LEAST": 1},
    labels: {"LEAST": 1, "CACHED_ROWS": 7},
}
Options: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Contract:
    """A metric, what people hold, and the score that it must have."""

    metric: Any  # its name; None for a score of numbers, which the options of `draw` name
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
    is_counted: bool | None = True
    """Whether its rows can be counted, and counts of parts added; None if that depends on them."""
    is_of_all: bool = False
    """Whether score and library also take `there`, the labels that occur in any column."""
    is_grouped: bool = True
    """Whether examples may be in groups."""
    is_smooth: bool = True
    """Whether its standard error is that of many copies."""
    of_law: Callable[..., Any] | None = None
    """The score whose differences the null distribution has, if that is another."""
    methods: tuple[str, ...] = ("auto", "exact", "dp", "fft", "enumeration")
    """What p of a few swaps is asked of, unless a budget or the kind of numbers refuses it."""

    @property
    def key(self) -> int:
        """A number of its own."""
        return zlib.crc32(f"{self.metric} {self.name}".encode())

    @property
    def generators(self) -> Any:
        """Each contract is asked cases of its own."""
        seeds = st.tuples(st.just(self.key), st.integers(0, 2**32 - 1))
        return st.builds(np.random.default_rng, seeds)

    def drawn_with(self, rng: Any, n: int, most: int = 5) -> tuple[Any, Options, Any]:
        """Columns, options, and the places of the examples of each group, if there are groups."""
        columns, options = self.draw(rng, n)
        if not self.is_grouped or rng.random() < 0.75:
            return columns, options, None
        groups = rng.integers(0, min(most, n), n).tolist()
        return columns, options | {"groups": groups}, members(groups)

    def of(self, truth: Callable[..., Any], columns: Any, options: dict[str, Any]) -> Any:
        """The score or the library's, of predictions and references of this corpus."""
        there = {"there": swaps.there(columns)} if self.is_of_all else {}
        options = {name: x for name, x in options.items() if name not in ("groups", "score")}
        return partial(truth, **options, **there)

    def compare(self, columns: Any, **options: Any) -> Any:
        """What `compare` says, of this metric by its name or, in the options, as an object."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of labels that do not occur, of p that is sampled
            if self.metric:
                return in_one(*columns, **{"metric": self.metric, **options})
            is_drawn = options.pop("test", None) == "bootstrap"
            test = paired_bootstrap_test if is_drawn else paired_permutation_test
            return test(*columns[:2], **options)


@contextmanager
def counted_early() -> Iterator[None]:
    """Rows are counted however few they are."""
    with ExitStack() as lowered:
        for module, limits in LOWERED.items():
            lowered.enter_context(mock.patch.multiple(module, **limits))
        yield


DECLARED: set[str | None] = set()  # the metrics of all contracts


def check_metric(*contracts: Contract) -> Any:
    """A test of every promise of each contract; assign it to a name that begins with test_."""
    asked = []
    DECLARED.update(x.metric for x in contracts)
    for x in contracts:
        promises = (*PROMISES, *(OF_METRICS if x.metric else ()))
        for place, promise in enumerate(promises):
            is_quick = promise is scores or (place + x.key) % 3 == 0
            name = "-".join(filter(None, (x.metric, x.name, promise.__name__)))
            marks = () if is_quick else pytest.mark.thorough
            if (ask := promise(x)) is not None:
                asked.append(pytest.param(ask, id=name, marks=marks))

    @pytest.mark.parametrize("ask", asked)
    def test(ask: Any) -> None:
        ask()

    return test


def scores(contract: Contract) -> Any:
    """Those of the definition and of the library, of few and many, counted early or not."""

    @cases(2 * contract.share)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options, units = contract.drawn_with(rng, int(rng.choice([1, 3, 40])))
        asked = {"method": "monte_carlo", "n_resamples": 9, "rng": 1}
        with counted_early() if rng.random() < 0.5 else nullcontext():
            result = contract.compare(columns, **asked, **options)
        assert (result.metric, result.n) == (contract.metric, len(columns[0]))
        assert result.n_groups == (units and len(units))
        for found, predictions in zip((result.score1, result.score2), columns, strict=False):
            for truth in filter(None, (contract.score, contract.library)):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of what is not defined
                    expected = contract.of(truth, columns, options)(predictions, columns[2])
                if expected is not None:
                    assert found == pytest.approx(float(expected), rel=1e-12, abs=contract.abs)
        largest = max(1.0, abs(result.score1), abs(result.score2))
        assert result.statistic == pytest.approx(result.score1 - result.score2, abs=1e-9 * largest)

    return ask


def all_swaps(contract: Contract) -> Any:
    """For each alternative p is the share of all swaps, by every method; of some of them about."""

    @cases(contract.share)
    @given(rng=contract.generators)
    def ask(rng):
        n = int(rng.integers(1, contract.few + 1))
        columns, options, units = contract.drawn_with(rng, n)
        score = contract.of(contract.score, columns, options)
        expected = swaps.brute_force(score, columns, contract.tie, units)
        for alternative, p in expected.items():
            for method in contract.methods:
                try:
                    result = contract.compare(
                        columns, alternative=alternative, method=method, **options
                    )
                except (BudgetError, InputError):  # of reals, which have no lattice
                    assert method != "auto"
                    continue
                low, high = result.pvalue_interval
                slack = 1e-12 if contract.tie or method == "fft" else 0.0
                assert low * (1 - slack) <= p <= high * (1 + slack)
                assert result.pvalue_kind == "certified"
                if contract.is_exact:
                    assert result.pvalue == pytest.approx(float(p), rel=1e-12)
        p = float(expected["two-sided"])
        found = contract.compare(columns, method="monte_carlo", n_resamples=999, rng=1, **options)
        assert abs(found.pvalue - p) <= 4 * (p * (1 - p) / 999) ** 0.5 + 1 / 999

    return ask


def null_law(contract: Contract) -> Any:
    """The null distribution has the differences of all swaps, and their shares.

    Examples are won whose swap alone takes from system 1.
    """

    @cases(contract.share / 2)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options, units = contract.drawn_with(rng, int(rng.integers(1, contract.few + 1)))
        score = contract.of(contract.of_law or contract.score, columns, options)
        differences = [float(x) for x in swaps.differences_of(score, columns, units)]
        truth, result = np.sort(differences), contract.compare(columns, **options)
        law = result.null_distribution()
        assert math.fsum(law.pmf) == pytest.approx(1.0, abs=1e-12)
        assert (np.diff(law.support) > 0).all()
        near = 1e-9 * max(1.0, float(abs(truth).max()))
        for x in {round(x, 12) for x in truth.tolist()}:
            expected = np.searchsorted(truth, [x - near, x + near]) / truth.size
            assert law.cdf([x - near, x + near]) == pytest.approx(expected, abs=1e-12)
        if units is None:
            is_loss = contract.metric and read_metric(contract.metric, **options).lower_is_better
            changes = [differences[2**k] - differences[0] for k in range(result.n)]
            falls, rises = sum(x < -near for x in changes), sum(x > near for x in changes)
            assert (result.n_wins, result.n_losses) == (
                (rises, falls) if is_loss else (falls, rises)
            )

    return ask


def all_resamples(contract: Contract) -> Any:
    """The bootstrap's p and intervals are those of all resamples, or of many of them."""
    n_resamples = 4_999

    @cases(contract.share / 4)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options, units = contract.drawn_with(rng, contract.drawn)
        assume(units is None or len(units) > 1)  # of one group nothing else can be drawn
        score = contract.of(contract.score, columns, options)
        units = units or [[k] for k in range(contract.drawn)]

        def scored(drawn):
            places = [k for unit in drawn for k in units[unit]]
            one, two, right = (None if x is None else [x[k] for k in places] for x in columns)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of labels that were not drawn
                return [score(x, right) for x in (one, two)]

        truth = draws.Enumeration(scored, len(units), max(contract.tie, 1e-12))
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

    return ask if contract.drawn else None


def standard_error(contract: Contract) -> Any:
    """It is that of the infinitesimal jackknife; None where no example moves the difference."""

    @cases(contract.share / 4)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options, units = contract.drawn_with(rng, 8)
        score = contract.of(contract.score, columns, options)
        result = contract.compare(columns, method="monte_carlo", n_resamples=9, rng=1, **options)
        found = result.standard_error or 0.0
        for n_copies in (12, 100):  # far from a line, as perplexities of few tokens, it takes many
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what is not defined
                expected = jackknife.standard_error(score, columns, n_copies, units)
            assume(expected is not None)
            if found == pytest.approx(expected, rel=0.01, abs=1e-8):
                return
        raise AssertionError((found, expected))

    return ask if contract.is_smooth else None


def symmetry(contract: Contract) -> Any:
    """Systems swapped, examples in another order, and systems that tie; as it was planned.

    The same too if rows are counted as they are read.
    """
    drawn = {"test": "bootstrap", "n_resamples": 99, "rng": 1}

    @cases(contract.share)
    @given(rng=contract.generators)
    def ask(rng):
        n = int(rng.integers(2, 30))
        (one, two, right), options, units = contract.drawn_with(rng, n, most=30)
        assume(units is None or len(units) > 1)  # of one group nothing else can be drawn
        result = contract.compare((one, two, right), rng=1, **options)
        assert pickle.loads(pickle.dumps(result)) == result
        resampled = contract.compare((one, two, right), **drawn, **options)
        with counted_early():
            assert contract.compare((one, two, right), rng=1, **options) == result
            assert contract.compare((one, two, right), **drawn, **options) == resampled
        turned = contract.compare((two, one, right), rng=1, **options)
        assert (turned.score1, turned.statistic) == (result.score2, -result.statistic)
        assert (turned.n_wins, turned.n_ties) == (result.n_losses, result.n_ties)
        if result.pvalue_kind == "certified":
            assert turned.pvalue == result.pvalue
            order = rng.permutation(n).tolist()
            moved = [x if x is None else [x[k] for k in order] for x in (one, two, right)]
            if units:
                options["groups"] = [options["groups"][k] for k in order]
            assert contract.compare(moved, rng=1, **options) == result
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of labels that do not occur
            metric = {"metric": contract.metric} if contract.metric else {}
            columns = (one, two, right)[: 3 if contract.metric else 2]
            planned = plan(*columns, rng=1, **metric, **options)
        assert planned.method == result.method
        same = contract.compare((one, one, right), **options)
        assert (same.pvalue, same.n_differing, same.statistic) == (1.0, 0, 0.0)

    return ask


def numbers_counted(one: Any, two: Any, _: Any, multiplicities: Any = None) -> PairedCounts:
    """Each example once, or as often as is said."""
    return PairedCounts(one, two, [1] * len(one) if multiplicities is None else multiplicities)


def but_ignored(counts: PairedCounts) -> dict[str, Any]:
    """All that is stored, but how many labels were ignored: of words it is that of the rows."""
    return {k: x for k, x in counts.to_dict().items() if k not in ("n_ignored", "sha256")}


def parts(contract: Contract) -> Any:
    """Counts of parts, added in any order, are those of all; of repeated rows and stored too."""

    @cases(contract.share)
    @given(rng=contract.generators)
    def ask(rng):
        columns, options = contract.draw(rng, 24)
        of_test = {"score": options.pop("score")} if "score" in options else {}
        of: Any = numbers_counted
        if contract.metric:
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
            n = rng.integers(1, 4, 24)
            often = (
                x and [y for y, k in zip(x, n, strict=True) for _ in range(k)] for x in columns
            )
            assert but_ignored(of(*columns, multiplicities=n)) == but_ignored(of(*often))
            if contract.metric:
                of = partial(paired_counts, metric=read_metric(contract.metric, **options))
            assert whole == of(*columns)
            whole = PairedCounts.from_json(whole.to_json())
            result = paired_permutation_test(whole, rng=1, **of_test)
        expected = contract.compare(columns, rng=1, **options, **of_test)
        assert (result, repr(result)) == (expected, repr(expected))
        if contract.metric:
            groups = rng.integers(0, 9, 24).tolist()
            try:
                whole = of(*columns, groups=groups)
            except InputError:  # ratios of single examples do not add up over groups
                return
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # as above
                result = paired_permutation_test(whole, rng=1)
            expected = contract.compare(columns, groups=groups, rng=1, **options)
            assert (result, result.reason) == (expected, expected.reason)

    return ask if contract.is_counted is not None else None


def doors(contract: Contract) -> Any:
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

    return ask


def assert_same(found: dict[str, Any], expected: dict[str, Any], rel: float) -> None:
    """Two results' dicts; their numbers may differ by so much, where sums are of floats."""
    is_number = {k for k, x in expected.items() if isinstance(x, float)} if rel else set()
    rest = [{k: x for k, x in y.items() if k not in is_number} for y in (found, expected)]
    assert rest[0] == rest[1]
    for k in is_number:
        assert found[k] == pytest.approx(expected[k], rel=rel), k


def words(contract: Contract) -> Any:
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
        if contract.words is not None:
            assert metric.in_words == contract.words

    return ask


PROMISES = (scores, all_swaps, null_law, all_resamples, standard_error, symmetry, parts)
OF_METRICS = (doors, words)
