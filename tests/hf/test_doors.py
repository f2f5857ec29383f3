"""Batches, processes, datasets and groups: each says what one call says.

Here are the kinds of columns; `tests/scoring/metrics` asks a few doors of every metric.
"""

import pickle
from typing import Any, NamedTuple

import datasets
import numpy as np
import pytest
from datasets import Dataset, DatasetDict, IterableDataset

from corpora.texts import random_answers
from doors import NAMES, columns_of
from pairedperm import compare, load, paired_bootstrap_test, paired_permutation_test
from pairedperm.hf import SCORES, compare_dataset
from properties import one_in

N = 24
RNG = np.random.default_rng(1)
REALS = RNG.normal(size=(2, N)).tolist()


class Kind(NamedTuple):
    """Columns, without references for scores; a metric and its options."""

    columns: Any
    metric: str | None = None
    options: dict[str, Any] = {}  # noqa: RUF012

    @property
    def named(self):
        return dict(zip(NAMES, self.columns, strict=False))

    def one_call(self, test="permutation", **options):
        if self.metric:
            return compare(*self.columns, self.metric, test=test, **self.options, **options)
        of_scores = {"permutation": paired_permutation_test, "bootstrap": paired_bootstrap_test}
        return of_scores[test](*self.columns, **options)

    def loaded(self):
        return load("paired_perm", self.metric or SCORES, **self.options)

    def parts(self, size):
        for start in range(0, len(self.columns[0]), size):
            yield {name: x[start : start + size] for name, x in self.named.items()}

    def on(self, dataset, **options):
        names = [*NAMES[: len(self.columns)], None][:3]
        return compare_dataset(dataset, *names, self.metric, **self.options, **options)

    def stored(self, **columns):
        plain = dict(zip(self.named, columns_of(self.columns), strict=True))
        arrays = {k: x for k, x in self.named.items() if isinstance(x, np.ndarray)}
        return Dataset.from_dict(plain | arrays | columns)


def later(form):
    """Labels whose classes come one after the other: 0 and 1 first, 2 and 3 last."""
    return [[form(int(RNG.integers(0, 2 + 3 * k // N)), k) for k in range(N)] for _ in range(3)]


def after(first, reals=REALS, last=((), ())):
    """Two columns of scores that begin, and end, with others."""
    return [[*x, *y, *z] for x, y, z in zip(first, reals, last, strict=True)]


SETS = {"average": "micro", "multilabel": True}
KINDS = {
    "labels": Kind(later(lambda x, k: x), "f1", {"pos_label": 1}),
    "sequences": Kind(later(lambda x, k: [x, 0, 1][: k % 4]), "matthews_correlation"),
    "sets": Kind(later(lambda x, k: {x, k % 3}), "f1", SETS),
    "no set": Kind([[set()] * N, *later(lambda x, k: {x})[1:]], "f1", SETS),
    "answers": Kind([*random_answers(RNG, N).values()], "squad_f1"),
    "scores": Kind((RNG.integers(0, 9, (2, N)) / 10).tolist()),
    "reals": Kind(REALS),
    "real float32": Kind([np.float32(REALS[0]), np.array(REALS[1])]),
    "integers first": Kind(after(([3, 1, 1], [2, 1, 4]), last=([7], [-2]))),
    "decimals first": Kind(after(([0.5, 0.25, 0.1], [0.0, 0.3, 0.7]), last=([1e-7], [0.0]))),
    "large shares": Kind(([1e11 + 0.5, 0.001, 0.002], [1.0, 2.0, 3.0])),
    "twelve digits": Kind(after(([0.123456789012], [0.2]), last=([5e-20], [1e-20]))),
    "large integers": Kind(([2**62, 5, 7], [2**62 - 3, 6, 1])),
}
SAMPLED = {"test": "bootstrap", "method": "monte_carlo", "n_resamples": 99, "rng": 3}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@every_kind
def test_batches(kind):
    """The last comes to compute; a copy says the same, and what was computed is gone."""
    module = kind.loaded()
    for size, asked in ((1, {"alternative": "less"}), (5, SAMPLED)):
        *before, last = kind.parts(size)
        for part in before:
            module.add_batch(**part)
        expected = kind.one_call(**asked).to_dict()
        assert pickle.loads(pickle.dumps(module)).compute(**last, **asked) == expected
        assert module.compute(**last, **asked) == expected
        assert len(module) == 0


def plain(stored):
    """Rows of which nothing is declared; numbers are as narrow as they were."""
    return lambda: iter(stored.with_format("numpy"))


def chosen(stored):
    """Its table has more rows, in another order."""
    order = range(len(stored))[::-1]
    return datasets.concatenate_datasets([stored.select(order), stored]).select(order)


HOLDERS = {
    "stored": lambda x: x,
    "formatted": lambda x: x.with_format("numpy"),
    "chosen": chosen,
    "joined": lambda x: datasets.concatenate_datasets([x.select([k]) for k in range(len(x))]),
    "stream": lambda x: x.to_iterable_dataset(),
    "shards": lambda x: x.to_iterable_dataset(num_shards=3),
    "without features": lambda x: IterableDataset.from_generator(plain(x)),
    "splits": lambda x: DatasetDict(dev=x, test=x),
    "streamed splits": lambda x: datasets.IterableDatasetDict(test=x.to_iterable_dataset()),
}


@one_in(11)
@every_kind
@pytest.mark.parametrize("holder", HOLDERS)
def test_datasets(kind, holder, batches):
    found = kind.on(HOLDERS[holder](kind.stored()), alternative="greater")
    expected = kind.one_call(alternative="greater")
    assert (found["test"] if isinstance(found, dict) else found) == expected


@pytest.mark.parametrize("name", ["labels", "answers", "scores"])
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_groups(name, test):
    """Those of a module come with all columns; of a dataset they are a column."""
    kind, documents = KINDS[name], [f"document {k}" for k in RNG.integers(0, 9, N)]
    asked = {"test": test, "rng": 0, "n_resamples": 99}
    expected = kind.one_call(groups=documents, **asked)
    assert kind.loaded().compute(**kind.named, groups=documents, **asked) == expected.to_dict()
    stored = kind.stored(document=documents)
    for holder in ("stored", "stream"):
        assert kind.on(HOLDERS[holder](stored), groups="document", **asked) == expected
    with pytest.warns(UserWarning, match="ids in the column 'doc_id' repeat"):
        kind.on(stored.rename_column("document", "doc_id"))
