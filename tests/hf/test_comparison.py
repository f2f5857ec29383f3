"""The module as users meet it: loaded by evaluate, offline, from the registered script."""

import json
import re
from pathlib import Path

import evaluate
import numpy as np
import pandas as pd
import pytest
from datasets import Dataset

from corpora.small import COLUMNS, EXPECTED, P1, P2, REFS
from pairedperm import InputError, compare
from pairedperm.model_card import significance_section

CHECKOUT = Path(__file__).parents[2]


def test_load_from_a_checkout(monkeypatch):
    monkeypatch.chdir(CHECKOUT)
    assert evaluate.load("metrics/paired_perm").compute(**COLUMNS) == EXPECTED


def test_result_is_the_contract(paired_perm, tmp_path):
    result = paired_perm.compute(**COLUMNS)
    assert result == EXPECTED
    assert {type(value) for value in result.values()} <= {float, int, str, type(None)}
    saved = evaluate.save(tmp_path / "result.json", **result)
    stored = json.loads(Path(saved).read_text("utf-8"))
    assert {key: stored[key] for key in result} == result
    assert significance_section(stored) == significance_section(compare(**COLUMNS).to_dict())


def test_configuration_names_the_metric(registered):
    module = evaluate.load("paired_perm", "exact_match")
    sequences = {name: [c[:3], c[3:]] for name, c in COLUMNS.items()}
    assert module.compute(**sequences)["metric"] == "exact_match"
    assert module.compute(**sequences, metric="accuracy")["metric"] == "accuracy"
    with pytest.raises(InputError, match=r"unknown.*'f2': it is 'scores'.*'accuracy', 'exact_ma"):
        evaluate.load("paired_perm", "f2")


def test_documentation(paired_perm):
    assert "references" in paired_perm.inputs_description
    assert "Zmigrod" in paired_perm.citation


# Columns


def test_shuffled_series(paired_perm):
    series = {k: pd.Series(v, index=[7, 3, 9, 1, 0, 2]) for k, v in COLUMNS.items()}
    assert paired_perm.compute(**series) == EXPECTED


def test_strings_stay_strings(paired_perm):
    digits = paired_perm.compute(
        predictions1=["01", "1"], predictions2=["1", "1"], references=["1", "1"]
    )
    assert (digits["score1"], digits["score2"]) == (0.5, 1.0)


def test_floats_are_not_truncated(paired_perm):
    with pytest.raises(InputError, match=r"`predictions1`\[0\] is a float, 0.5"):
        paired_perm.compute(predictions1=[0.5], predictions2=[0], references=[0])


# Errors leave the module usable and lose nothing


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "nothing to compare: pass predictions1, predictions2, references"),
        ({"predictions1": P1, "references": REFS}, "`predictions2` is missing"),
        ({"predictions1": P1, "predictions2": P2}, "`references` is missing"),
        ({**COLUMNS, "predictions2": P2[:3]}, "`predictions2` has 3 examples"),
        ({**COLUMNS, "references": [str(x) for x in REFS]}, "no label could match"),
        ({**COLUMNS, "predictions": P1}, "unknown column 'predictions': the columns are"),
        ({**COLUMNS, "metric": "f0"}, "`metric` must be one of"),
        ({**COLUMNS, "alternative": "more"}, "`alternative` must be one of"),
        ({**COLUMNS, "method": "guess"}, "`method` must be one of"),
    ],
)
def test_failed_compute_leaves_the_module_usable(paired_perm, columns, message):
    with pytest.raises(InputError, match=message):
        paired_perm.compute(**columns)
    assert paired_perm.compute(**COLUMNS) == EXPECTED


def test_unknown_option_is_a_type_error(paired_perm):
    paired_perm.add_batch(**COLUMNS)
    with pytest.raises(TypeError, match="alternatve"):
        paired_perm.compute(alternatve="less")
    assert paired_perm.compute() == EXPECTED  # nothing was lost


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        ({k: [str(x) for x in v] for k, v in COLUMNS.items()}, r"strings .*1 of an earlier batch`"),
        ({k: [[x] for x in v] for k, v in COLUMNS.items()}, r"sequence .*1 of an earlier batch`"),
        ({**COLUMNS, "references": None}, "`references` is missing"),
        ({**COLUMNS, "reference": REFS}, "unknown column 'reference'"),
        ({**COLUMNS, "predictions1": [*P1[:-1], None]}, r"`predictions1`\[5\] is missing"),
    ],
)
def test_a_bad_batch_is_not_added(paired_perm, batch, message):
    paired_perm.add_batch(**COLUMNS)
    with pytest.raises(InputError, match=message):
        paired_perm.add_batch(**batch)
    assert paired_perm.compute() == EXPECTED


@pytest.mark.parametrize(
    "batch",
    [
        {"predictions1": [-1.5], "predictions2": [-2.5], "references": [3]},
        {"predictions1": [[1, 0]], "predictions2": [[0, 0]]},
        {"predictions1": [["a", "b"]], "predictions2": [["b", "a"]], "references": ["a"]},
        {"predictions1": ["a b"], "predictions2": ["a"], "references": [["a b", "a c"]]},
    ],
    ids=["numbers", "runs", "ranked labels", "several references"],
)
def test_what_other_metrics_read_needs_their_names(registered, batch):
    """Unless a metric was named, or labels have come."""
    hint = re.escape(
        "(Metrics of texts and numbers are named when loading: evaluate.load(…, 'bleu').)"
    )
    for configuration in (None, "default"):
        module = evaluate.load("paired_perm", configuration)
        with pytest.raises(InputError, match=hint):
            module.add_batch(**batch)
        module.add_batch(**COLUMNS)
        with pytest.raises(InputError) as caught:
            module.add_batch(**batch)
        assert "(Metrics" not in str(caught.value)
    with pytest.raises(InputError) as caught:
        evaluate.load("paired_perm", "accuracy").add_batch(**batch)
    assert "(Metrics" not in str(caught.value)


def test_a_batch_that_fits_only_another_metric_can_be_dropped(paired_perm):
    paired_perm.add_batch(predictions1=[[1, 2]], predictions2=[[1]], references=[[1]])
    with pytest.raises(InputError, match=r"has 2 labels.*added before, 1, are kept: reset"):
        paired_perm.compute()
    assert paired_perm.compute(metric="exact_match")["score2"] == 1.0
    paired_perm.add_batch(predictions1=[[1, 2]], predictions2=[[1]], references=[[1]])
    paired_perm.reset()
    assert len(paired_perm) == 0
    assert paired_perm.compute(**COLUMNS) == EXPECTED


def test_columns_of_different_kinds_beside_empty_references(paired_perm):
    with pytest.raises(InputError, match="`predictions1` holds strings"):
        paired_perm.add_batch(predictions1=[["a"]], predictions2=[[1]], references=[[]])
    paired_perm.add_batch(predictions1=[["a"]], predictions2=[[]], references=[[]])
    with pytest.raises(InputError, match="`predictions1 of an earlier batch` holds strings"):
        paired_perm.add_batch(predictions1=[[]], predictions2=[[1]], references=[[1]])
    assert paired_perm.compute(metric="exact_match")["n"] == 1


def test_combine(registered):
    modules = {
        "tokens": evaluate.load("paired_perm"),
        "whole": evaluate.load("paired_perm", "exact_match"),
    }
    tagged = {name: [[x, 0] for x in column] for name, column in COLUMNS.items()}
    expected = {
        f"{name}_{key}": value
        for name, metric in (("tokens", "accuracy"), ("whole", "exact_match"))
        for key, value in compare(**tagged, metric=metric, alternative="greater").to_dict().items()
    }
    combined = evaluate.combine(modules)
    assert combined.compute(**tagged, alternative="greater") == expected
    combined.add_batch(**{name: column[:4] for name, column in tagged.items()})
    for i in (4, 5):
        combined.add(**{name: column[i] for name, column in tagged.items()})
    assert combined.compute(alternative="greater") == expected
    scores = evaluate.combine([evaluate.load("paired_perm", "scores") for _ in range(2)])
    result = scores.compute(predictions1=[2, 3, 4], predictions2=[1, 1, 1])
    assert result["paired_perm_0_p"] == result["paired_perm_1_p"] == 0.25


def test_keep_in_memory(registered):
    assert evaluate.load("paired_perm", keep_in_memory=True).compute(**COLUMNS) == EXPECTED


def test_missing_label_in_add(paired_perm):
    with pytest.raises(InputError, match="`references` is missing"):
        paired_perm.add(predictions1=1, predictions2=0, references=None)


def test_a_million_labels_take_no_detour(paired_perm):
    rng = np.random.default_rng(0)
    columns = {name: rng.integers(0, 3, 10**6) for name in COLUMNS}
    result = paired_perm.compute(**columns)
    assert result == compare(**columns).to_dict()
    data = Dataset.from_dict(columns)
    assert paired_perm.compute(**{name: data[name] for name in columns}) == result
