"""Datasets that come from Spark: the bits of `compare` on all rows."""

import random

import datasets
import pytest

from pairedperm import compare
from pairedperm.hf import compare_dataset
from spark_session import WARNED

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings(WARNED),
]
N = 60
NAMES = ("predictions1", "predictions2", "references")
CALLS = [  # the columns, the metric, its options
    ("labels", "f1", {"average": "macro"}),
    ("numbers", "f1", {"average": "micro", "labels": [0, 1]}),
    ("sequences", "accuracy", {}),
    ("scores", "mean_score", {}),
]


def drawn():
    rng = random.Random(2)
    found = {"group": [rng.randrange(9) for _ in range(N)]}
    for k, name in enumerate(NAMES):
        found[f"labels_{name}"] = [rng.choice("xyz") for _ in range(N)]
        found[f"numbers_{name}"] = [rng.randrange(3) for _ in range(N)]
        found[f"sequences_{name}"] = [rng.choices(range(3), k=i % 3 + 1) for i in range(N)]
        if k < 2:
            found[f"scores_{name}"] = [rng.randrange(30) / 10 for _ in range(N)]
    return found


COLUMNS = drawn()


@pytest.fixture(scope="module")
def df(spark_session):
    """In several partitions, some of them empty."""
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    return spark_session.createDataFrame(rows).repartition(4, "numbers_references").cache()


@pytest.fixture(scope="module", params=["in memory", "streamed"])
def dataset(df, request, tmp_path_factory):
    if request.param == "streamed":
        return datasets.IterableDataset.from_spark(df)
    return datasets.Dataset.from_spark(df, cache_dir=str(tmp_path_factory.mktemp("cache")))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("groups", "test"), [(None, "permutation"), ("group", "bootstrap")])
@pytest.mark.parametrize(("kind", "metric", "options"), CALLS)
def test_as_compare(dataset, kind, metric, options, groups, test):
    names = [f"{kind}_{name}" for name in NAMES]
    names = [name if name in COLUMNS else None for name in names]
    columns = [name and COLUMNS[name] for name in names]
    asked = options | {"test": test, "n_resamples": 99, "rng": 0}
    found = compare_dataset(dataset, *names, metric, groups=groups, **asked)
    truth = compare(*columns, metric, groups=groups and COLUMNS[groups], **asked)
    assert found.to_dict() == truth.to_dict()
