"""Metrics as objects, and intervals, at every door of Hugging Face."""

import evaluate
import pytest
from datasets import Dataset

from pairedperm import InputError, compare, load
from pairedperm.hf import compare_dataset
from pairedperm.scoring import F1, Accuracy, ChrF, ExactMatch, SquadF1

COLUMNS = {
    "predictions1": [0, 1, 2, 2, 1, 0],
    "predictions2": [0, 1, 1, 0, 1, 1],
    "references": [0, 1, 2, 2, 1, 1],
}
MACRO = F1(average="macro")


def test_of_a_dataset():
    dataset = Dataset.from_dict(COLUMNS)
    expected = compare(**COLUMNS, metric="f1", average="macro")
    assert compare_dataset(dataset, metric=MACRO) == expected
    assert compare_dataset(dataset, metric="f1", average="macro") == expected


def test_of_a_module(registered):
    module = load("paired_perm")
    expected = compare(**COLUMNS, metric=MACRO).to_dict()
    assert module.compute(**COLUMNS, metric=MACRO) == expected
    module.add_batch(**COLUMNS)
    assert module.compute(metric=Accuracy()) == compare(**COLUMNS).to_dict()
    module.add_batch(**COLUMNS)
    assert module.compute(metric=ExactMatch())["p"] == compare(**COLUMNS).pvalue
    answers = {name: ["a b", "c"] for name in COLUMNS}
    assert (
        module.compute(**answers, metric=SquadF1())
        == compare(**answers, metric="squad_f1").to_dict()
    )


def test_intervals(registered):
    module = evaluate.load("paired_perm")
    found = module.compute(**COLUMNS, confidence_level=0.9)
    assert found == compare(**COLUMNS, confidence_level=0.9).to_dict()
    expected = compare(**COLUMNS).confidence_interval(0.9)
    assert (found["stat_low"], found["stat_high"]) == expected
    assert found["stat_interval"] == expected.method
    dataset = Dataset.from_dict(COLUMNS)
    assert compare_dataset(dataset, confidence_level=0.9).to_dict() == found
    scores = evaluate.load("paired_perm", "scores")
    columns = {"predictions1": [3, 1, 4, 1], "predictions2": [2, 7, 1, 8]}
    assert scores.compute(**columns, confidence_level=0.9)["confidence_level"] == 0.9


@pytest.mark.parametrize(("n", "options"), [(1, {}), (6, {"alternative": "less"})])
def test_intervals_that_there_are_not(registered, n, options):
    """The examples stay."""
    module = evaluate.load("paired_perm")
    module.add_batch(**{name: column[:n] for name, column in COLUMNS.items()})
    with pytest.raises(InputError):
        module.compute(confidence_level=0.9, **options)
    assert module.compute()["n"] == n


@pytest.mark.parametrize("metric", [F1(), F1(average="macro", zero_division=1.0)], ids=repr)
def test_an_object_without_the_options_of_loading_is_not_another(registered, metric):
    module = load("paired_perm", "f1", average="macro", labels=[0, 1])
    expected = compare(**COLUMNS, metric="f1", average="macro", labels=[0, 1]).to_dict()
    with pytest.raises(InputError, match="but the options from loading make it"):
        module.compute(**COLUMNS, metric=metric)
    assert module.compute(**COLUMNS, metric=F1(average="macro", labels=[0, 1])) == expected
    assert module.compute(**COLUMNS, metric="f1") == expected


def test_an_object_of_texts_is_not_another_either(registered):
    """With the options of loading it is accepted; with others, refused before it is scored."""
    references = ["The cat sat on the mat", "A dog barked at the cat"]
    shouted = [text.upper() for text in references]
    texts = {"predictions1": shouted, "predictions2": references, "references": references}
    module = load("paired_perm", "chrf", whitespace=True)
    expected = compare(**texts, metric="chrf", whitespace=True).to_dict()
    with pytest.raises(InputError, match=r"is ChrF\(\), but the options from loading make it"):
        module.compute(**texts, metric=ChrF())
    with pytest.raises(InputError, match="'chrf' has its options from loading"):
        module.compute(**texts, metric=ChrF(beta=1.0))
    assert module.compute(**texts, metric=ChrF(whitespace=True)) == expected
    assert module.compute(**texts, metric="chrf") == expected
