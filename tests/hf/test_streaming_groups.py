"""Groups in the `evaluate` modules and of datasets: as in `compare`."""

import datasets
import numpy as np
import pandas as pd
import pytest

from pairedperm import InputError, compare, load, paired_permutation_test
from pairedperm.hf import compare_dataset

RNG = np.random.default_rng(3)
REFERENCES = RNG.integers(0, 2, 60)
ONE, TWO = (np.where(RNG.random(60) < p, REFERENCES, 1 - REFERENCES) for p in (0.8, 0.6))
DOCUMENTS = [f"document {k}" for k in RNG.integers(0, 12, 60)]
COLUMNS = {"predictions1": ONE, "predictions2": TWO, "references": REFERENCES}
SCORES = RNG.integers(0, 100, (2, 60)) / 10


@pytest.mark.parametrize(
    ("module", "test", "metric", "options"),
    [
        ("paired_perm", "permutation", "accuracy", {}),
        ("paired_bootstrap", "bootstrap", "f1", {"pos_label": 1}),
    ],
)
def test_compute(module, test, metric, options):
    comparison = load(module)
    given = {"metric": metric, "rng": 0, **options}
    found = comparison.compute(**COLUMNS, groups=DOCUMENTS, **given)
    expected = compare(ONE, TWO, REFERENCES, groups=DOCUMENTS, test=test, **given)
    assert found == expected.to_dict()
    assert (found["n"], found["n_groups"]) == (60, len({*DOCUMENTS}))
    assert comparison.compute(**COLUMNS, **given)["n_groups"] is None


def test_scores_and_texts():
    found = load("paired_perm", "scores").compute(
        predictions1=SCORES[0], predictions2=SCORES[1], groups=DOCUMENTS
    )
    assert found == paired_permutation_test(*SCORES, groups=DOCUMENTS).to_dict()
    texts = [[" ".join(RNG.choice([*"abc"], 4)) for _ in range(20)] for _ in range(3)]
    names = ("predictions1", "predictions2", "references")
    columns = dict(zip(names, texts, strict=True))
    found = load("paired_perm", "word_error_rate").compute(**columns, groups=DOCUMENTS[:20])
    assert found == compare(*texts, "word_error_rate", groups=DOCUMENTS[:20]).to_dict()


def test_examples_that_were_added_are_counted():
    comparison = load("paired_perm")
    comparison.add_batch(**COLUMNS)
    with pytest.raises(InputError):
        comparison.compute(groups=DOCUMENTS)
    assert len(comparison) == 60
    assert comparison.compute()["n"] == 60


@pytest.mark.parametrize("kind", ["stored", "streamed", "two splits"])
def test_dataset(kind):
    features = datasets.Features(
        references=datasets.ClassLabel(names=["no", "yes"]),
        predictions1=datasets.Value("string"),
        predictions2=datasets.Value("int64"),
        document=datasets.Value("string"),
    )
    columns = {
        "references": REFERENCES,
        "predictions1": np.where(ONE, "yes", "no"),
        "predictions2": TWO,
        "document": DOCUMENTS,
    }
    dataset = datasets.Dataset.from_dict(columns, features=features)
    expected = compare(ONE, TWO, REFERENCES, "f1", groups=DOCUMENTS).to_dict()
    if kind == "streamed":
        dataset = dataset.to_iterable_dataset(num_shards=4)
    if kind == "two splits":
        dataset = datasets.DatasetDict(a=dataset, b=dataset)
    found = compare_dataset(dataset, metric="f1", groups="document")
    found = found["b"] if kind == "two splits" else found
    expected["metric_options"] = {"pos_label": "yes"}
    assert found.to_dict() == expected


def test_dataset_of_scores():
    columns = {"a": SCORES[0], "b": SCORES[1], "user": np.arange(60) // 3}
    dataset = datasets.Dataset.from_dict(columns)
    found = compare_dataset(dataset, "a", "b", None, groups="user")
    assert found == paired_permutation_test(*SCORES, groups=columns["user"])


def test_ids_that_repeat():
    """An index or a column of ids says what belongs together: a word, unless groups are given."""
    one, two, references = (pd.Series(x, index=DOCUMENTS) for x in (ONE, TWO, REFERENCES))
    message = r"ids in the index of `predictions1` repeat, 12 of 60 are distinct"
    with pytest.warns(UserWarning, match=message):
        compare(one, two, references)
    with pytest.warns(UserWarning, match="ids in the index of `counts1` repeat"):
        paired_permutation_test(pd.Series(SCORES[0], index=DOCUMENTS), SCORES[1])
    found = compare(one, two, references, groups=one.index)
    assert found == compare(ONE, TWO, REFERENCES, groups=DOCUMENTS)
    dataset = datasets.Dataset.from_dict(COLUMNS | {"doc_id": DOCUMENTS})
    with pytest.warns(UserWarning, match="ids in the column 'doc_id' repeat, 12 of 60"):
        compare_dataset(dataset)
    assert compare_dataset(dataset, groups="doc_id") == found
