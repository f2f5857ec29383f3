"""A card's model-index: which entry is meant. What is written is in `words.txt`."""

import math

import pytest
import yaml

from corpora.cards import RESULT, write
from corpora.small import EXPECTED
from model_card.said import INDEX, LAYOUTS
from pairedperm import paired_permutation_test
from pairedperm.model_card import update

ARGS = {
    "baseline": "small",
    "p": 0.25,
    "log_p": math.log(0.25),
    "n": 6,
    "test": "exact two-sided paired-permutation test",
}


def folder_with(tmp_path, text):
    write(tmp_path, f"---\n{text.rstrip()}\n---\n# m\n")
    return tmp_path


def block_of(folder):
    return (folder / "README.md").read_bytes().decode().split("---")[1]


def metrics_of(block):
    return [
        metric
        for model in yaml.safe_load(block)["model-index"]
        for result in model["results"]
        for metric in result["metrics"]
    ]


def test_the_hub_keeps_it(tmp_path):
    from huggingface_hub import ModelCard

    update(folder_with(tmp_path, LAYOUTS["block"]), RESULT, name2="small", model_index=True)
    card = ModelCard.load(tmp_path / "README.md")
    card.save(tmp_path / "README.md")
    card = ModelCard.load(tmp_path / "README.md")
    assert [entry.metric_args for entry in card.data.eval_results] == [ARGS, None]


@pytest.mark.parametrize(
    ("options", "index"),
    [
        ({"dataset": "IMDb", "model_index": True}, 0),
        ({"dataset": "sst2", "model_index": "accuracy"}, 1),
        ({"dataset": "SST", "model_index": "Acc, {}"}, 1),
        ({"model_index": "Accuracy"}, 0),
        ({"dataset": "other", "model_index": {"dataset": "sst2", "split": "dev"}}, 1),
    ],
)
def test_which_metric(options, index, tmp_path):
    update(folder_with(tmp_path, LAYOUTS["indented"]), RESULT, **options)
    metrics = metrics_of(block_of(tmp_path))
    assert ["args" in metric for metric in metrics] == [index == 0, index == 1]
    assert metrics[index]["args"]["baseline"] == "the baseline"


@pytest.mark.parametrize(
    ("p", "log_p"),
    [*((p, math.log(p)) for p in (6.3e-188, 1e-05, 0.1 + 0.2, 1.0, 5e-324)), (0.0, -1385.6)],
)
def test_numbers_are_read_back(p, log_p, tmp_path):
    folder = folder_with(tmp_path, LAYOUTS["block"])
    update(folder, {**EXPECTED, "p": p, "log_p": log_p}, dataset="imdb", model_index=True)
    args = metrics_of(block_of(folder))[0]["args"]
    assert (args["p"], args["log_p"]) == (p, log_p)


def test_scores_have_the_metric_that_is_named(tmp_path):
    folder = folder_with(tmp_path, LAYOUTS["value_last"])
    result = paired_permutation_test([83, 82, 84], [80, 80, 80])
    update(folder, result, model_index="accuracy")  # 83 ± 2
    assert metrics_of(block_of(folder))[0]["args"]["p"] == 0.25


def test_metadata_of_one_split(tmp_path):
    """They say which split it was."""
    path = write(tmp_path, (INDEX % "").replace("IMDb", "IMDb, split: validation"))
    entry = {"dataset_id": "org/imdb", "task_id": "default", "value": 0.83}
    options = {"dataset": "imdb", "eval_results": entry | {"source_url": "https://u"}}
    update(path, {"test": RESULT}, **options, model_index={"split": "validation"})
    (file,) = (tmp_path / ".eval_results").iterdir()
    assert "p = 0.25 against the baseline on imdb (test), n = 6]" in file.read_text("utf-8")
    options["dataset"] = None
    update(path, {"validation": RESULT}, **options, model_index="accuracy")
    assert "baseline on the validation split, n = 6]" in file.read_text("utf-8")
    path = write(tmp_path, INDEX % "")
    update(path, {"test": RESULT}, model_index=True)
    assert "baseline: the baseline" in path.read_text("utf-8")
