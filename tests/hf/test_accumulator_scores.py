"""Real scores in batches: the same bits as in one call, whatever the batches are."""

import json

import evaluate
import numpy as np
import pytest
from datasets import Dataset, Features, IterableDataset, Value

from pairedperm import InputError, paired_permutation_test
from pairedperm.hf import compare_dataset
from pairedperm.hf.accumulator import Accumulator
from pairedperm.options import read_options
from properties import one_in

NAMES = ("predictions1", "predictions2")


@pytest.fixture
def scores(registered):
    return evaluate.load("paired_perm", "scores")


def columns_of(first, second):
    return dict(zip(NAMES, (first, second), strict=True))


def reals(n, seed=0):
    return columns_of(*np.random.default_rng(seed).normal(size=(2, n)))


def in_batches(columns, *ends):
    """Slices of both columns, up to each of these places."""
    for start, end in zip((0, *ends), (*ends, None), strict=True):
        yield {name: column[start:end] for name, column in columns.items()}


def joined(batches):
    """One column of all batches, as a user would make it."""
    return columns_of(*(np.concatenate([batch[name] for batch in batches]) for name in NAMES))


def streamed(batches, **options):
    stream = Accumulator(None)
    for batch in batches:
        stream.add(batch, len(stream))
    return stream.test({}, None, read_options(**options))


def restored(streams, **options):
    """By the states of several streams, through JSON."""
    states = json.loads(json.dumps([stream.state() for stream in streams]))
    return Accumulator(None).test_states(states, None, read_options(**options))


@pytest.mark.parametrize(
    ("n", "alternative"),
    [(12, "two-sided"), (12, "less"), pytest.param(300, "greater", marks=pytest.mark.thorough)],
)
def test_batches_of_reals(scores, n, alternative):
    """Bit for bit, enumerated or bracketed; also in another order, for sums are rounded once."""
    columns = reals(n)
    expected = paired_permutation_test(*columns.values(), alternative=alternative)
    assert expected.method == ("enumeration" if n == 12 else "bracket")
    for ends in ((), (5,), (1, 2, 11)):
        batches = list(in_batches(columns, *ends))
        for some in (batches, batches[::-1]):
            assert streamed(some, alternative=alternative) == expected
        for batch in batches:
            scores.add_batch(**batch)
        assert len(scores) == n
        assert scores.compute(alternative=alternative) == expected.to_dict()
        assert len(scores) == 0
    for row in zip(*(c.tolist() for c in columns.values()), strict=True):
        scores.add(**columns_of(*row))
    assert scores.compute(alternative=alternative) == expected.to_dict()


MIXED = {
    "decimals, then reals": [columns_of([0.5, 0.25, 0.1], [0.0, 0.3, 0.7]), reals(6)],
    "reals, then decimals": [reals(6), columns_of([0.5, 0.25, 0.1], [0.0, 0.3, 0.7])],
    "integers among them": [columns_of([3, 1, 1], [2, 1, 4]), reals(4), columns_of([7], [-2])],
    "many decimals": [columns_of([0.5] * 60, [0.125] * 60), reals(10), columns_of([1e-7], [0.0])],
    "one real": [columns_of([0.1, 0.2], [0.3, 0.1]), columns_of([3**-0.5], [0.0])],
    "large shares": [columns_of([1e11 + 0.5], [1.0]), columns_of([0.001, 0.002], [2.0, 3.0])],
    "twelve digits": [columns_of([0.123456789012], [0.2]), reals(5), columns_of([5e-20], [1e-20])],
}


@pytest.mark.parametrize("name", MIXED)
def test_mixed_batches(scores, name):
    """Decimals are counted until reals come: then all are floats, the same ones as in one call."""
    batches = MIXED[name]
    columns = joined(batches)
    expected = paired_permutation_test(*columns.values())
    assert expected.method in ("enumeration", "bracket")
    assert streamed(batches) == expected
    *others, last = batches
    for batch in others:
        scores.add_batch(**batch)
    assert scores.compute(**last) == expected.to_dict()
    streams = [Accumulator(None)]  # of a process that has none
    for batch in batches:
        streams.append(Accumulator(None))
        streams[-1].add(batch)
    assert restored(streams) == expected


def test_a_stream_goes_on_after_a_test():
    """What `test` is given is not added."""
    stream = Accumulator(None)
    stream.add(reals(5))
    whole = paired_permutation_test(*joined([reals(5), reals(4, seed=1)]).values())
    for _ in range(2):
        assert stream.test(reals(4, seed=1), None) == whole
        assert len(stream) == 5
    stream.add(reals(4, seed=1))
    assert (stream.test({}, None), len(stream)) == (whole, 9)


@pytest.mark.parametrize("narrow", ["both", "one"])
def test_float32_columns(scores, narrow):
    """As the decimals that they print as; what they were rounded by is kept in batches."""
    columns = {name: column.astype(np.float32) for name, column in reals(14).items()}
    if narrow == "one":
        columns[NAMES[1]] = reals(14, seed=3)[NAMES[1]]
    expected = paired_permutation_test(*columns.values())
    batches = list(in_batches(columns, 3, 9))
    assert streamed(batches) == expected
    for batch in batches:
        scores.add_batch(**batch)
    assert scores.compute() == expected.to_dict()
    stream = Accumulator(None)
    stream.add(columns)
    assert restored([stream]) == expected
    whole = paired_permutation_test(*(c.astype(str).astype(float) for c in columns.values()))
    assert whole.pvalue == expected.pvalue
    assert whole.pvalue_interval[1] <= expected.pvalue_interval[1]


def test_integers_that_are_no_floats():
    """As in one call: refused beside reals, or exact, but not rounded."""
    for batches in (
        [columns_of([2**53 + 1, 5], [2**53, 3]), columns_of([3**-0.5], [0.0])],
        [columns_of([1 / 3], [0.0]), columns_of([2**60 + 1], [2**60])],
    ):
        try:
            result = streamed(batches)
        except InputError:
            continue
        assert result.n_differing == sum(len(batch[NAMES[0]]) for batch in batches)


def test_options_of_streams(scores):
    columns = reals(10)
    for batch in in_batches(columns, 4):
        scores.add_batch(**batch)
    with pytest.raises(InputError, match="needs scores on a lattice"):
        scores.compute(method="dp")
    expected = paired_permutation_test(*columns.values(), method="monte_carlo", rng=3)
    assert len(scores) == 10
    assert scores.compute(method="monte_carlo", rng=3) == expected.to_dict()
    assert scores.compute(**columns, method="bracket")["method"] == "bracket"


# Datasets

pytest_batches = pytest.mark.usefixtures("batches")


@one_in(3)
@pytest_batches
@pytest.mark.parametrize(("n", "dtype"), [(15, "float64"), (200, "float32")])
def test_datasets_of_reals(dtype, n):
    """From disk and as a stream, in small batches and in one."""
    columns = {name: column.astype(dtype) for name, column in reals(n, seed=5).items()}
    expected = paired_permutation_test(*columns.values())
    features = Features(dict.fromkeys(NAMES, Value(dtype)))
    stored = Dataset.from_dict(columns, features=features)
    for kind in (stored, stored.to_iterable_dataset(), stored.with_format("numpy")):
        assert compare_dataset(kind, references=None) == expected


@one_in(2)
@pytest_batches
def test_datasets_of_decimals_and_reals():
    """Batches of decimals first, without features too; and columns of different precision."""
    columns = joined([columns_of(np.arange(20) / 10, np.arange(20) / 4), reals(12)])
    expected = paired_permutation_test(*columns.values())
    stored = Dataset.from_dict(columns)
    plain = IterableDataset.from_generator(lambda: iter(stored.with_format(None)))
    for kind in (stored, stored.to_iterable_dataset(), plain):
        assert compare_dataset(kind, references=None) == expected
    features = Features(dict(zip(NAMES, (Value("float32"), Value("float64")), strict=True)))
    columns = reals(16, seed=9)
    columns[NAMES[0]] = columns[NAMES[0]].astype(np.float32)
    stored = Dataset.from_dict(columns, features=features)
    expected = paired_permutation_test(*columns.values(), alternative="greater")
    for kind in (stored, stored.to_iterable_dataset()):
        assert compare_dataset(kind, references=None, alternative="greater") == expected
