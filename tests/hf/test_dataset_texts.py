"""Metrics of texts of datasets, and of pipelines, which predict none."""

import datasets
import pytest
from datasets import Dataset, DatasetDict

from corpora.texts import CORPORA, expected_of, slices
from pairedperm import compare
from pairedperm.hf import compare_dataset


@pytest.mark.skipif(not hasattr(datasets, "Json"), reason="datasets before 5")
@pytest.mark.parametrize("streamed", [False, True], ids=["stored", "streamed"])
def test_dataset_of_json(batches, streamed):
    """It is stored as text, with quotes and brackets."""
    columns = {
        name: [{"text" if name == "references" else "prediction_text": x} for x in column]
        for name, column in CORPORA["squad_f1"].items()
    }
    features = datasets.Features(dict.fromkeys(columns, datasets.Json()))
    dataset = Dataset.from_dict(columns, features=features)
    dataset = dataset.to_iterable_dataset() if streamed else dataset
    assert compare_dataset(dataset, metric="squad_f1") == expected_of("squad_f1")


@pytest.mark.parametrize("streamed", [False, True], ids=["stored", "streamed"])
def test_dataset_with_answers(batches, streamed):
    """As SQuAD has them: a struct of texts and where they start."""
    metric, columns = "squad_f1", CORPORA["squad_f1"]
    answers = [{"text": texts, "answer_start": [0] * len(texts)} for texts in columns["references"]]
    dataset = Dataset.from_dict(
        {"large": columns["predictions1"], "small": columns["predictions2"], "answers": answers}
    )
    names = ("large", "small", "answers")
    splits = DatasetDict(dev=dataset.select(range(9)), test=dataset)
    if streamed:
        dataset = dataset.to_iterable_dataset()
    assert compare_dataset(dataset, *names, metric, alternative="greater") == (
        expected_of(metric, alternative="greater")
    )
    if not streamed:
        dev = compare(**next(slices(columns, 9)), metric=metric)
        assert compare_dataset(splits, *names, metric) == {"dev": dev, "test": expected_of(metric)}
