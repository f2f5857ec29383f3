"""A card's metadata: one entry is set, and nothing else changes."""

import copy
import math

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from small import COLUMNS, EXPECTED

from pairedperm import InputError, compare, paired_permutation_test
from pairedperm.model_card import update
from pairedperm.model_card.markers import START
from pairedperm.model_card.yaml_edit import set_value

RESULT = compare(**COLUMNS)
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
      value: 0.91 # measured twice

      # and named
      name: Accuracy
    - type: f1
      value: .nan
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
            value: 0.91
        source: {{name: us, url: https://example.org}}
  - name: other
    results:
      - {TASK}
        dataset: {{name: SST, type: sst2, split: dev}}
        metrics: [{{type: accuracy, value: 1, name: "Acc, {{}}"}}]""",
    "flow": f"""\
model-index: [{{name: large, results: [{{{TASK}, dataset: {{type: imdb, name: IMDb}},
  metrics: [{{type: accuracy, value: 0.9, }}, {{ "type": f1, value: 1 }}]}}]}}]
""",
    "value last": f"""\
model-index:
- name: 🤗 large
  results:
  - metrics:
    - verified: false
      type: "accuracy"
      value: |
        91 ± 2

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
      value: 0.9
    - type: f1
      value: 1
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
      value: 0.9
    - {{type: f1, value: 1, args: }}
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


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("metric", ["accuracy", "f1"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_only_the_args_change(layout, metric, newline, tmp_path):
    text = LAYOUTS[layout]
    if metric not in text:
        return
    folder = folder_with(tmp_path, text, newline)
    before = block_of(folder)
    options = {"name2": "small", "dataset": "imdb", "model_index": metric}
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


def test_scores_have_no_metric(tmp_path):
    result = paired_permutation_test([1, 2, 3], [0, 0, 0])
    folder = folder_with(tmp_path, LAYOUTS["value last"])
    update(folder, result, model_index=True)
    assert metrics_of(yaml.safe_load(block_of(folder)))[0]["args"]["p"] == 0.25


def test_a_p_that_underflows(tmp_path):
    folder = folder_with(tmp_path, LAYOUTS["block"])
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


def refused(folder, message, **options):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=message):
        update(folder, RESULT, **options)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("layout", "options", "message"),
    [
        (
            "block",
            {"dataset": "dev", "model_index": True},
            "has 0 metrics for {'metric': 'accuracy', 'dataset': 'dev'}, not one; it has metric "
            "'accuracy' = 'Accuracy', dataset 'imdb' = 'IMDb'; metric 'f1', dataset 'imdb' = "
            r"'IMDb'\. Say which, model_index={'metric': \.\.\., 'dataset': \.\.\.}, or add one",
        ),
        ("indented", {"model_index": True}, "has 2 metrics for {'metric': 'accuracy'}, not one"),
        ("flow", {"model_index": "bleu"}, "has 0 metrics for {'metric': 'bleu'}, not one"),
        (
            "flow",
            {"model_index": 3},
            "`model_index` must be True, False, a metric's name, or a dict",
        ),
        ("flow", {"model_index": {"task": "x"}}, "`model_index` may name 'metric', .*, got 'task'"),
    ],
)
def test_no_such_metric(layout, options, message, tmp_path):
    refused(folder_with(tmp_path, LAYOUTS[layout]), message, **options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("license: mit", "the card has no model-index; add one with huggingface_hub"),
        ("model-index: []", "the card has no model-index"),
        ("model-index: [{name: a}]", r"not as the Hub needs it \(KeyError\('results'\)\)"),
        ("model-index: text", "not as the Hub needs it"),
        (
            LAYOUTS["flow"].replace("value: 0.9", "value: 0.9, args: 3"),
            r"args are 3 \(int\), not a",
        ),
    ],
)
def test_no_model_index(text, message, tmp_path):
    refused(folder_with(tmp_path, text), message, model_index=True)


def test_no_yaml(tmp_path):
    (tmp_path / "README.md").write_text("# A")
    refused(tmp_path, "the card has no model-index", model_index=True)


def test_anchors_are_not_touched(tmp_path):
    """What is written once and meant twice cannot be set in one place."""
    text = f"""\
model-index:
- name: large
  results:
  - {TASK}
    dataset: {{type: imdb, name: IMDb}}
    metrics: &both
    - type: accuracy
      value: 0.9
  - {TASK}
    dataset: {{type: sst2, name: SST}}
    metrics: *both
"""
    folder = folder_with(tmp_path, text)
    refused(folder, "'args' at model-index/0/results/0/metrics/0 cannot be set without changing",
            dataset="imdb", model_index=True)  # fmt: skip


KEYS = st.sampled_from(["a", "b", "c d", "value", "args"])
SCALARS = st.sampled_from(
    [1, 0.5, "x", "two words", "", "# no comment", "é🤗", None, "1", "a\nb\n"]
)
DATA = st.recursive(
    SCALARS,
    lambda x: st.lists(x, max_size=3) | st.dictionaries(KEYS, x, max_size=3),
    max_leaves=12,
)


@given(
    st.dictionaries(KEYS, DATA, min_size=1, max_size=3),
    st.sampled_from([None, True, False]),
    st.sampled_from([2, 4]),
    DATA,
)
def test_set_value(data, flow, indent, value):
    text = yaml.safe_dump(
        {"first": 1, "entries": [data, 0]},
        default_flow_style=flow,
        indent=indent,
        allow_unicode=True,
        sort_keys=False,
    )
    edited = set_value(text, ("entries", 0), "args", value)
    expected = copy.deepcopy(data)
    expected["args"] = value
    assert yaml.safe_load(edited) == {"first": 1, "entries": [expected, 0]}
    assert set_value(edited, ("entries", 0), "args", value) == edited


# .eval_results

IDS = {"dataset_id": "org/imdb", "task_id": "default", "value": 0.83}
NOTE = (
    "[paired_perm: On dev, the accuracy of this model is higher than that of small (83.33% against "
    "33.33%, a difference of 50.00 percentage points; exact two-sided paired-permutation test, "
    "n = 6, p = 0.25).]"
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "README.md").write_text("# A\n")
    return tmp_path


def entries(folder, name="org-imdb--default.yaml"):
    return yaml.safe_load((folder / ".eval_results" / name).read_text())


def updated(folder, result=RESULT, name2="small", **fields):
    update(folder, result, name2=name2, dataset="dev", eval_results={**IDS, **fields})


def test_a_new_entry(folder):
    from huggingface_hub import parse_eval_result_entries

    updated(folder)
    expected = {"dataset": {"id": "org/imdb", "task_id": "default"}, "value": 0.83, "notes": NOTE}
    assert entries(folder) == [expected]
    (entry,) = parse_eval_result_entries(entries(folder))
    assert (entry.value, entry.notes) == (0.83, NOTE)
    content = (folder / ".eval_results" / "org-imdb--default.yaml").read_bytes()
    updated(folder)
    assert (folder / ".eval_results" / "org-imdb--default.yaml").read_bytes() == content


def test_fields_of_a_new_entry(folder):
    updated(
        folder, value=91.3, date="2026-11-21", source_url="https://example.org", notes="no tools"
    )
    assert entries(folder) == [
        {
            "dataset": {"id": "org/imdb", "task_id": "default"},
            "value": 91.3,
            "date": "2026-11-21",
            "source": {"url": "https://example.org"},
            "notes": f"no tools; {NOTE}",
        }
    ]


THERE = """\
# ours
- dataset: {id: org/other, task_id: default}
  value: 3 # by hand
- dataset:
    id: "org/imdb"
    task_id: default
  value: 0.9
  notes: 'no tools'  # so far
"""


def test_an_entry_that_is_there(folder):
    """Another file, other notes: they stay, and our note is replaced."""
    (folder / ".eval_results").mkdir()
    path = folder / ".eval_results" / "results.yaml"
    path.write_text(THERE)
    for result, name2 in ((RESULT, "tiny [x]"), (RESULT, "small")):
        updated(folder, result, name2, value=np.float64(0.8))
        text = path.read_text()
        assert text.startswith(THERE.partition("  notes")[0].replace("0.9", "0.8"))
        assert text.endswith("  # so far\n")
        note = NOTE.replace("small", name2.replace("[", "(").replace("]", ")"))
        assert entries(folder, path.name)[1]["notes"] == f"no tools; {note}"
    assert [x.name for x in path.parent.iterdir()] == ["results.yaml"]


def test_another_task_of_the_dataset(folder):
    """Another file: what is there stays as it is laid out."""
    updated(folder)
    content = (folder / ".eval_results" / "org-imdb--default.yaml").read_bytes()
    updated(folder, task_id="hard / er")
    assert entries(folder, "org-imdb--hard-er.yaml")[0]["dataset"]["task_id"] == "hard / er"
    assert (folder / ".eval_results" / "org-imdb--default.yaml").read_bytes() == content


@pytest.mark.parametrize("before", ["[paired_perm: old.]; no tools", "a [paired_perm: old.] b"])
def test_a_note_is_replaced_where_it_stands(folder, before):
    updated(folder, notes=before)
    assert entries(folder)[0]["notes"] == before.replace("[paired_perm: old.]", NOTE)


def test_nothing_is_changed_if_one_file_cannot_be_written(folder, monkeypatch):
    import os

    def fail(source, target):
        raise PermissionError("no")

    monkeypatch.setattr(os, "replace", fail)
    refused(folder, "cannot be written: no. Nothing was changed", eval_results=IDS)
    assert [path.name for path in folder.iterdir()] == ["README.md"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            "org/imdb",
            "`eval_results` must be a dict with dataset_id, task_id, value .* got 'org/imdb'",
        ),
        ({"dataset_id": "a/b", "value": 1}, "is no EvalResultEntry: .*task_id"),
        ({**IDS, "dataset_id": 5}, "`eval_results`: dataset_id must be a name, got 5"),
        ({**IDS, "task_id": " "}, "`eval_results`: task_id must be a name, got ' '"),
        ({**IDS, "value": object()}, "is no EvalResultEntry: .*represent"),
        ({**IDS, "notes": 5}, "`eval_results`: notes must be text, got 5"),
        ({**IDS, "p": 0.5}, "is no EvalResultEntry: .*'p'"),
        ({**IDS, "source_name": "us"}, "is no EvalResultEntry: .*source_url"),
    ],
)
def test_no_entry(folder, fields, message):
    refused(folder, message, eval_results=fields)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b: c", "the YAML of org-imdb--default.yaml cannot be read, line 1"),
        ("a: b", "org-imdb--default.yaml must hold a list of entries, each with a dataset"),
        ("- a", "must hold a list of entries"),
        ("[{dataset: {id: x, task_id: y}, value: 1}]", "is there without an entry for 'org/imdb'"),
        (b"\xff", "org-imdb--default.yaml cannot be read: 'utf-8' codec"),
    ],
)
def test_files_that_cannot_be_used(folder, text, message):
    (folder / ".eval_results").mkdir()
    path = folder / ".eval_results" / "org-imdb--default.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    refused(folder, message, eval_results=IDS)


def test_an_old_huggingface_hub(folder, monkeypatch):
    import huggingface_hub

    monkeypatch.delitem(huggingface_hub.__dict__, "EvalResultEntry", raising=False)
    monkeypatch.setattr(huggingface_hub, "__getattr__", None.__getattribute__)
    refused(folder, "`eval_results` needs a newer huggingface_hub", eval_results=IDS)
