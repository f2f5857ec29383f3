"""The entry of a card's metadata: what it has of a result, and that the Hub's library keeps it."""

import pytest
from huggingface_hub import EvalResult, ModelCard

from corpora.cards import RESULT
from corpora.results import result
from corpora.small import COLUMNS
from pairedperm import compare
from pairedperm.hf import PipelineComparison
from pairedperm.model_card import eval_result, update

FIELDS = {"task_type": "text-classification", "dataset_type": "org/reviews", "dataset_name": "R"}
OLD = EvalResult(**FIELDS, metric_type="f1", metric_value=0.5)
P_ALONE = {"baseline", "difference", "p", "log_p", "n", "test"}
ALL = P_ALONE | {"confidence_interval", "confidence_level"}


def args_of(found, **fields):
    return eval_result(found, **FIELDS, **fields).metric_args


def test_what_it_has():
    found = compare(**COLUMNS, confidence_level=0.9)
    entry = eval_result(found, **FIELDS, name2="small", dataset_split="test")
    assert (entry.metric_type, entry.metric_name) == ("accuracy", "accuracy")
    assert (entry.metric_value, entry.dataset_split) == (found.score1, "test")
    assert entry.metric_args == {
        "baseline": "small",
        "difference": 0.5,
        "confidence_interval": [*found.confidence_interval(0.9)],
        "confidence_level": 0.9,
        "p": 0.25,
        "log_p": found.log_pvalue,
        "n": 6,
        "test": "exact two-sided paired-permutation test",
    }
    assert eval_result(found.to_dict(), **FIELDS, name2="small", dataset_split="test") == entry


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("macro F1", ALL),
        ("greater", P_ALONE),
        ("bootstrap", ALL),
        ("no resample is so extreme", ALL - {"log_p"}),
        ("equivalence", ALL),
    ],
)
def test_what_a_result_lacks_is_left_out(name, keys):
    assert args_of(result(name)).keys() == keys


def test_fields_of_ones_own():
    own = {"metric_type": "marks", "metric_name": "Marks", "metric_value": 83.3}
    entry = eval_result(RESULT, **FIELDS, **own, metric_args={"average": "macro", "p": 1})
    assert {key: getattr(entry, key) for key in own} == own
    assert entry.metric_args["average"] == "macro"
    assert entry.metric_args["p"] == 0.25
    compared = PipelineComparison(RESULT, None)
    assert args_of(compared) == args_of(RESULT)
    assert eval_result(result("macro F1"), **FIELDS).metric_name == "macro-averaged F1"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_in_a_card(newline, tmp_path):
    """Beside another entry and the section, as the guide shows it; saved twice it is the same."""
    path = tmp_path / "README.md"
    path.write_bytes("---\nlicense: mit\n---\n# large\n".replace("\n", newline).encode())
    update(path, RESULT, name1="large", name2="small")
    card = ModelCard.load(path)
    card.data.model_name = "large"
    card.data.eval_results = [OLD, eval_result(RESULT, **FIELDS, name2="small")]
    card.save(path)
    once = path.read_bytes()
    update(path, RESULT, name1="large", name2="small")
    ModelCard.load(path).save(path)
    assert path.read_bytes() == once
    read = ModelCard.load(path)
    assert read.data.eval_results == card.data.eval_results
    assert read.text == card.text
