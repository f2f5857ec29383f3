"""The module as users meet it: loaded by evaluate, offline, from the registered script."""

import json
from pathlib import Path

import evaluate
import pandas as pd
import pytest

from corpora.small import COLUMNS, EXPECTED, P1
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


# Errors leave the module usable and lose nothing


def test_nothing_is_lost_by_what_is_refused(paired_perm):
    with pytest.raises(InputError):
        paired_perm.compute(predictions1=P1)
    paired_perm.add_batch(**COLUMNS)
    with pytest.raises(InputError):
        paired_perm.add_batch(**{**COLUMNS, "references": None})
    with pytest.raises(TypeError):
        paired_perm.compute(alternatve="less")
    assert paired_perm.compute() == EXPECTED


def test_who_named_a_metric_needs_no_hint_to_others(registered):
    """Nor does who has added labels."""
    batch = {"predictions1": [-1.5], "predictions2": [-2.5], "references": [3]}
    module = evaluate.load("paired_perm")
    module.add_batch(**COLUMNS)
    for asked in (module, evaluate.load("paired_perm", "accuracy")):
        with pytest.raises(InputError) as caught:
            asked.add_batch(**batch)
        assert "(Metrics" not in str(caught.value)


def test_a_batch_that_fits_only_another_metric_can_be_dropped(paired_perm):
    paired_perm.add_batch(predictions1=[[1, 2]], predictions2=[[1]], references=[[1]])
    with pytest.raises(InputError, match="has 2 labels"):
        paired_perm.compute()
    assert paired_perm.compute(metric="exact_match")["score2"] == 1.0
    paired_perm.add_batch(predictions1=[[1, 2]], predictions2=[[1]], references=[[1]])
    paired_perm.reset()
    assert len(paired_perm) == 0
    assert paired_perm.compute(**COLUMNS) == EXPECTED


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
