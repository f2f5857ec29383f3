"""A card's model-index: one entry is set, and nothing else changes."""

import math

import pytest
import yaml

from corpora.cards import RESULT, write
from corpora.small import COLUMNS, EXPECTED
from interpreter import CHECKOUT
from model_card.said import INDEX
from pairedperm import compare, paired_permutation_test
from pairedperm.model_card import update
from properties import one_in

ZERO = compare(**COLUMNS, test="bootstrap", alternative="greater", ties="exclude")  # of p
ARGS = {
    "baseline": "small",
    "p": 0.25,
    "log_p": math.log(0.25),
    "n": 6,
    "test": "exact two-sided paired-permutation test",
}
FILES = sorted((CHECKOUT / "tests" / "model_card" / "layouts").glob("*.yaml"))
LAYOUTS = {path.stem: path.read_text("utf-8") for path in FILES}


def folder_with(tmp_path, text, newline="\n"):
    card = f"---\n{text.rstrip()}\n---\n# Large\n\n```yaml\n{text}```\n".replace("\n", newline)
    (tmp_path / "README.md").write_bytes(card.encode())
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


ENTRIES = [(x, metric) for x in LAYOUTS for metric in ("accuracy", "f1") if metric in LAYOUTS[x]]


@one_in(9)
@pytest.mark.parametrize(("layout", "metric"), ENTRIES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_args_change(layout, metric, newline, tmp_path):
    """Written, twice, for another baseline, and back; also without a logarithm of p."""
    text = LAYOUTS[layout]
    folder = folder_with(tmp_path, text, newline)
    before = block_of(folder)
    options = {"name2": "small", "dataset": "imdb", "key": "k", "model_index": metric}
    update(folder, RESULT, **options)
    after = block_of(folder)
    # the data
    expected = metrics_of(before)
    entry = next(m for m in expected if m["type"] == metric)
    entry["args"] = {**(entry.get("args") or {}), **ARGS}
    assert str(sorted_keys(metrics_of(after))) == str(sorted_keys(expected))
    # the text: lines of the args come, none of the others goes
    kept = iter(after)
    if layout == "args":
        before = before.replace("p: 0.5", "").replace("p: 1.0", "")
    assert all(character in kept for character in before)  # a subsequence
    assert after.count("\n") == after.count(newline)
    assert [x.partition("#")[2] for x in before.splitlines() if "#" in x] == [
        x.partition("#")[2] for x in after.splitlines() if "#" in x
    ]
    once = (folder / "README.md").read_bytes()
    assert once.decode().count(text.replace("\n", newline)) == 1  # the quoted one
    for result, name2 in ((RESULT, "small"), (RESULT, "tiny"), (ZERO, "small")):
        update(folder, result, **{**options, "name2": name2})
    assert "log_p" not in block_of(folder)
    update(folder, RESULT, **options)
    assert {*block_of(folder)} == {*after}
    assert str(sorted_keys(metrics_of(block_of(folder)))) == str(sorted_keys(expected))


def sorted_keys(data):
    if isinstance(data, dict):
        return {key: sorted_keys(data[key]) for key in sorted(data)}
    return [sorted_keys(x) for x in data] if isinstance(data, list) else data


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
