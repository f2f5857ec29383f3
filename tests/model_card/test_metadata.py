"""A card's model-index: one entry is set, and nothing else changes."""

import math

import pytest
import yaml

from corpora.cards import RESULT, write
from corpora.small import EXPECTED
from pairedperm import compare, paired_permutation_test
from pairedperm.model_card import update
from pairedperm.model_card.markdown import START
from properties import one_in

ARGS = {
    "baseline": "small",
    "p": 0.25,
    "log_p": math.log(0.25),
    "n": 6,
    "test": "exact two-sided paired-permutation test",
}
TASK = "task: {type: text-classification}"
LAYOUTS = {
    "block": f"""\
license: mit  # ours
model-index:
- name: "large"
  results:
  - {TASK}
    dataset:
      type: imdb
      name: 'IMDb'  # the usual

    metrics:
    # the first
    - type: accuracy
      value: 0.83 # measured twice

      # and named
      name: Accuracy
    - type: f1
      value: 83.3
tags: [a, 'b']
""",
    "indented": f"""\
model-index:
  - name: large
    results:
      - {TASK}
        dataset:
          name: IMDb
          type: imdb
        metrics:
          - name: >-
              Accuracy
            type: accuracy
            value: 0.83
        source: {{name: us, url: https://example.org}}
  - name: other
    results:
      - {TASK}
        dataset: {{name: SST, type: sst2, split: dev}}
        metrics: [{{type: accuracy, value: 0.833, name: "Acc, {{}}"}}]""",
    "flow": f"""\
model-index: [{{name: large, results: [{{{TASK}, dataset: {{type: imdb, name: IMDb}},
  metrics: [{{type: accuracy, value: 0.8, }}, {{ "type": f1, value: 83 }}]}}]}}]
""",
    "value last": f"""\
model-index:
- name: 🤗 large
  results:
  - metrics:
    - verified: false
      type: "accuracy"
      value: |
        83 ± 2

    {TASK}
    dataset: {{type: imdb, name: IMDb}}
""",
    "args": f"""\
model-index:
- name: large
  results:
  - {TASK}
    dataset: {{type: imdb, name: IMDb}}
    metrics:
    - type: accuracy
      args:
        seed: 3
        folds:
        - 1
        - 2
        p: 0.5  # old

      # the value
      value: 0.8
    - type: f1
      value: 83
      args: {{p: 1.0}}
""",
    "empty args": f"""\
model-index:
- name: large
  results:
  - {TASK}
    dataset: {{type: imdb, name: IMDb}}
    metrics:
    - type: accuracy
      args:
      value: 0.8
    - {{type: f1, value: 0.8, args: }}
""",
}


def folder_with(tmp_path, text, newline="\n"):
    card = f"---\n{text.rstrip()}\n---\n# Large\n\n```yaml\n{text}```\n".replace("\n", newline)
    (tmp_path / "README.md").write_bytes(card.encode())
    return tmp_path


def block_of(folder):
    return (folder / "README.md").read_bytes().decode().split("---")[1]


def metrics_of(data):
    return [
        metric
        for model in data["model-index"]
        for result in model["results"]
        for metric in result["metrics"]
    ]


ENTRIES = [(x, metric) for x in LAYOUTS for metric in ("accuracy", "f1") if metric in LAYOUTS[x]]


@one_in(9)
@pytest.mark.parametrize(("layout", "metric"), ENTRIES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_args_change(layout, metric, newline, tmp_path):
    text = LAYOUTS[layout]
    folder = folder_with(tmp_path, text, newline)
    before = block_of(folder)
    options = {"name2": "small", "dataset": "imdb", "key": "k", "model_index": metric}
    update(folder, RESULT, **options)
    after = block_of(folder)
    # the data
    expected = yaml.safe_load(before)
    entry = next(m for m in metrics_of(expected) if m["type"] == metric)
    entry["args"] = {**(entry.get("args") or {}), **ARGS}
    assert str(sorted_keys(yaml.safe_load(after))) == str(sorted_keys(expected))
    # the text: lines of the args come, none of the others goes
    kept = iter(after)
    if layout == "args":
        before = before.replace("p: 0.5", "").replace("p: 1.0", "")
    assert all(character in kept for character in before)  # a subsequence
    assert after.count("\n") == after.count(newline)
    assert [x.partition("#")[2] for x in before.splitlines() if "#" in x] == [
        x.partition("#")[2] for x in after.splitlines() if "#" in x
    ]
    content = (folder / "README.md").read_bytes()
    assert content.decode().count(text.replace("\n", newline)) == 1  # the quoted one
    assert START.encode() in content
    update(folder, RESULT, **options)
    assert (folder / "README.md").read_bytes() == content
    update(folder, RESULT, **{**options, "name2": "tiny"})
    update(folder, RESULT, **options)
    assert (folder / "README.md").read_bytes() == content


def sorted_keys(data):
    if isinstance(data, dict):
        return {key: sorted_keys(data[key]) for key in sorted(data)}
    return [sorted_keys(x) for x in data] if isinstance(data, list) else data


def test_block_in_full(tmp_path):
    update(folder_with(tmp_path, LAYOUTS["block"]), RESULT, name2="small", model_index=True)
    args = (
        "      name: Accuracy\n"
        "      args:\n"
        "        baseline: small\n"
        "        p: 0.25\n"
        f"        log_p: {math.log(0.25)}\n"
        "        n: 6\n"
        "        test: exact two-sided paired-permutation test\n"
    )
    expected = LAYOUTS["block"].replace("      name: Accuracy\n", args)
    assert block_of(tmp_path) == f"\n{expected}"


def test_the_hub_keeps_it(tmp_path):
    from huggingface_hub import ModelCard

    update(folder_with(tmp_path, LAYOUTS["block"]), RESULT, name2="small", model_index=True)
    card = ModelCard.load(tmp_path / "README.md")
    card.save(tmp_path / "README.md")
    card = ModelCard.load(tmp_path / "README.md")
    assert [entry.metric_args for entry in card.data.eval_results] == [ARGS, None]


def test_which_metric(tmp_path):
    folder = folder_with(tmp_path, LAYOUTS["indented"])
    for options, index in (
        ({"dataset": "IMDb", "model_index": True}, 0),
        ({"dataset": "sst2", "model_index": "accuracy"}, 1),
        ({"dataset": "SST", "model_index": "Acc, {}"}, 1),
        ({"model_index": "Accuracy"}, 0),
        ({"dataset": "other", "model_index": {"dataset": "sst2", "split": "dev"}}, 1),
    ):
        update(folder_with(tmp_path, LAYOUTS["indented"]), RESULT, **options)
        metrics = metrics_of(yaml.safe_load(block_of(folder)))
        assert ["args" in metric for metric in metrics] == [index == 0, index == 1]
        assert metrics[index]["args"]["baseline"] == "the baseline"


def test_scores(tmp_path):
    folder = folder_with(tmp_path, LAYOUTS["value last"])
    result = paired_permutation_test([83, 82, 84], [80, 80, 80])
    update(folder, result, model_index="accuracy")  # 83 ± 2
    assert metrics_of(yaml.safe_load(block_of(folder)))[0]["args"]["p"] == 0.25


@pytest.mark.parametrize("args", ["k: *v", "<<: *v"])
def test_aliases_only(args, tmp_path):
    text = f"v: &v {{a: 1}}\n{LAYOUTS['block']}".replace(
        "      name: Accuracy\n", f"      args:\n        {args}\n"
    )
    folder = folder_with(tmp_path, text)
    update(folder, RESULT, dataset="imdb", model_index="accuracy")
    assert metrics_of(yaml.safe_load(block_of(folder)))[0]["args"]["n"] == 6
    assert f"\n        {args}\n" in block_of(folder)


def test_a_p_that_underflows(tmp_path):
    folder = folder_with(tmp_path, LAYOUTS["block"].replace("0.83", "1.0"))
    wins = compare([1] * 2000, [0] * 2000, [1] * 2000)
    update(folder, wins, dataset="imdb", model_index=True)
    (metric, _) = metrics_of(yaml.safe_load(block_of(folder)))
    assert metric["args"]["p"] == 0.0
    assert metric["args"]["log_p"] == wins.log_pvalue == pytest.approx(-1999 * math.log(2))


@pytest.mark.parametrize("p", [6.3e-188, 1e-05, 0.1 + 0.2, 1.0, 5e-324])
def test_numbers_are_read_back(p, tmp_path):
    folder = folder_with(tmp_path, LAYOUTS["block"])
    result = {**EXPECTED, "p": p, "log_p": math.log(p)}
    update(folder, result, dataset="imdb", model_index=True)
    assert metrics_of(yaml.safe_load(block_of(folder)))[0]["args"]["p"] == p


INDEX = """---
model-index:
- name: m
  results:
  - task: {{type: t}}
    dataset: {{type: imdb, name: IMDb{}}}
    metrics: [{{type: accuracy, value: 0.83}}]
---
"""


def test_metadata_of_one_split(tmp_path):
    """They say which split it was."""
    card = INDEX.format(", split: validation")
    path = write(tmp_path, card)
    entry = {"dataset_id": "org/imdb", "task_id": "default", "value": 0.83}
    entry["source_url"] = "https://u"
    options = {"dataset": "imdb", "model_index": True, "eval_results": entry}
    update(path, {"test": RESULT}, **options | {"model_index": {"split": "validation"}})
    (file,) = (tmp_path / ".eval_results").iterdir()
    assert "p = 0.25 against the baseline on imdb (test), n = 6]" in file.read_text("utf-8")
    update(path, {"validation": RESULT}, **options | {"dataset": None, "model_index": "accuracy"})
    assert "baseline on the validation split, n = 6]" in file.read_text("utf-8")
    path = write(tmp_path, INDEX.format(""))
    update(path, {"test": RESULT}, **options)
    assert "baseline: the baseline" in path.read_text("utf-8")
