"""The module as users meet it: loaded by evaluate, offline, from the registered script."""

import doctest
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import evaluate
import numpy as np
import pandas as pd
import pytest
from datasets import ClassLabel, Dataset, Features, Value

from pairedperm import InputError, compare, paired_permutation_test, streaming

P1, P2, REFS = [1, 1, 0, 1, 2, 2], [1, 0, 0, 0, 2, 0], [1, 1, 1, 1, 2, 2]
COLUMNS = {"predictions1": P1, "predictions2": P2, "references": REFS}
EXPECTED = compare(P1, P2, REFS).to_dict()
CHECKOUT = Path(__file__).parents[1]


def test_load_by_name_from_any_directory(registered, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for options in ({}, {"module_type": "comparison"}):
        module = evaluate.load("paired_perm", **options)
        assert module.compute(**COLUMNS) == EXPECTED
        assert (module.name, module.module_type) == ("paired_perm", "comparison")


def test_load_from_a_checkout(monkeypatch):
    monkeypatch.chdir(CHECKOUT)
    assert evaluate.load("metrics/paired_perm").compute(**COLUMNS) == EXPECTED


def test_result_is_the_contract(paired_perm, tmp_path):
    result = paired_perm.compute(**COLUMNS)
    assert result == EXPECTED
    assert {type(value) for value in result.values()} <= {float, int, str, type(None)}
    saved = evaluate.save(tmp_path / "result.json", **result)
    stored = json.loads(Path(saved).read_text())
    assert {key: stored[key] for key in result} == result


def test_options_pass_through(paired_perm):
    result = paired_perm.compute(
        **COLUMNS, metric="exact_match", alternative="greater", method="exact"
    )
    assert (result["metric"], result["alternative"]) == ("exact_match", "greater")
    assert result["p"] == 0.125


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
    assert paired_perm.features
    runner = doctest.DocTestRunner(verbose=False)
    examples = doctest.DocTestParser().get_doctest(
        paired_perm.inputs_description, {"evaluate": evaluate}, "paired_perm", None, 0
    )
    assert len(examples.examples) == 9
    assert runner.run(examples).failed == 0


# Columns


@pytest.mark.parametrize("container", [tuple, np.array, pd.Series], ids=lambda c: c.__name__)
def test_containers(paired_perm, container):
    assert paired_perm.compute(**{k: container(v) for k, v in COLUMNS.items()}) == EXPECTED


def test_shuffled_series(paired_perm):
    series = {k: pd.Series(v, index=[7, 3, 9, 1, 0, 2]) for k, v in COLUMNS.items()}
    assert paired_perm.compute(**series) == EXPECTED


def test_tensors(paired_perm):
    torch = pytest.importorskip("torch")
    assert paired_perm.compute(**{k: torch.tensor(v) for k, v in COLUMNS.items()}) == EXPECTED


def test_dataset_columns(paired_perm):
    features = Features(
        {
            "predictions1": Value("int64"),
            "predictions2": Value("int32"),
            "references": ClassLabel(names=["a", "b", "c"]),
        }
    )
    data = Dataset.from_dict(COLUMNS, features=features)
    assert paired_perm.compute(**{name: data[name] for name in COLUMNS}) == EXPECTED
    shuffled = data.shuffle(seed=1)
    assert paired_perm.compute(**{name: shuffled[name] for name in COLUMNS}) == EXPECTED


def test_strings_stay_strings(paired_perm):
    digits = paired_perm.compute(
        predictions1=["01", "1"], predictions2=["1", "1"], references=["1", "1"]
    )
    assert (digits["score1"], digits["score2"]) == (0.5, 1.0)


def test_floats_are_not_truncated(paired_perm):
    with pytest.raises(InputError, match=r"`predictions1`\[0\] is a float, 0.5"):
        paired_perm.compute(predictions1=[0.5], predictions2=[0], references=[0])


# Streaming


def test_streaming_equals_one_call(paired_perm):
    for start in (0, 2, 4):
        paired_perm.add_batch(**{k: v[start : start + 2] for k, v in COLUMNS.items()})
    assert len(paired_perm) == 6
    assert paired_perm.compute() == EXPECTED
    assert len(paired_perm) == 0
    for row in zip(P1, P2, REFS, strict=True):
        paired_perm.add(**dict(zip(COLUMNS, row, strict=True)))
    assert paired_perm.compute() == EXPECTED


def test_streaming_and_a_last_batch_in_compute(paired_perm):
    paired_perm.add_batch(**{k: np.array(v[:4]) for k, v in COLUMNS.items()})
    assert paired_perm.compute(**{k: v[4:] for k, v in COLUMNS.items()}) == EXPECTED


def test_streaming_strings_and_sequences(paired_perm):
    sequences = {k: [[str(x)] * n for n, x in enumerate(v)] for k, v in COLUMNS.items()}
    expected = compare(**sequences).to_dict()
    for start in range(6):  # the first batch holds one empty sequence: of no kind yet
        paired_perm.add_batch(**{k: v[start : start + 1] for k, v in sequences.items()})
    assert paired_perm.compute() == expected
    for row in zip(*sequences.values(), strict=True):
        paired_perm.add(**dict(zip(COLUMNS, row, strict=True)))
    assert paired_perm.compute() == expected


def test_batches_are_copied(paired_perm):
    buffers = {k: np.empty(3, dtype=np.int64) for k in COLUMNS}
    texts = {k: [] for k in COLUMNS}
    for start in (0, 3):
        for name, column in COLUMNS.items():
            buffers[name][:] = column[start : start + 3]
        paired_perm.add_batch(**buffers)
    assert paired_perm.compute() == EXPECTED
    for start in (0, 3):
        for name, column in COLUMNS.items():
            texts[name][:] = [str(x) for x in column[start : start + 3]]
        paired_perm.add_batch(**texts)
    assert paired_perm.compute() == EXPECTED


def test_batches_of_empty_sequences_decide_nothing(paired_perm):
    for batch in ([[]], [[1, 2]], [[]]):
        paired_perm.add_batch(**{name: list(batch) for name in COLUMNS})
    with pytest.raises(InputError, match=r"strings .*1 of an earlier batch` holds integers"):
        paired_perm.add_batch(**{name: [["a"]] for name in COLUMNS})
    assert paired_perm.compute()["n"] == 3


def test_memory_does_not_grow_with_the_rows(paired_perm, monkeypatch):
    monkeypatch.setattr(streaming, "_HELD", 500)
    rng = np.random.default_rng(3)
    n = 20_000
    columns = {name: rng.integers(0, 4, n) for name in COLUMNS}
    sizes = []
    for start in range(0, n, 100):
        paired_perm.add_batch(**{k: v[start : start + 100] for k, v in columns.items()})
        sizes.append(len(pickle.dumps(paired_perm._stream)))
    assert max(sizes[len(sizes) // 2 :]) <= max(sizes[: len(sizes) // 2])
    for metric in ("accuracy", "exact_match"):
        assert len(paired_perm) == n
        first = {k: v[:7] for k, v in columns.items()}
        both = {k: np.concatenate((v, v[:7])) for k, v in columns.items()}
        expected = compare(**both, metric=metric).to_dict()
        if metric == "accuracy":
            module = pickle.loads(pickle.dumps(paired_perm))
            assert module.compute(**first, metric=metric) == expected
        else:
            assert paired_perm.compute(**first, metric=metric) == expected


def test_counted_batches_that_fit_only_one_metric(paired_perm, monkeypatch):
    monkeypatch.setattr(streaming, "_HELD", 3)
    for _ in range(4):
        paired_perm.add_batch(**{name: [[1, 2], [3]] for name in COLUMNS})
    paired_perm.add_batch(predictions1=[[1, 2]], predictions2=[[1]], references=[[1]])
    paired_perm.add_batch(**{name: [[1, 2]] for name in COLUMNS})
    with pytest.raises(
        InputError, match=r"has 2 labels.*from example 8\.\).*, 10, are kept: reset"
    ):
        paired_perm.compute()
    result = paired_perm.compute(metric="exact_match")
    assert (result["score2"], result["score1"], result["n"]) == (1.0, 0.9, 10)


def test_counted_batches_without_a_label(paired_perm, monkeypatch):
    monkeypatch.setattr(streaming, "_HELD", 1)
    paired_perm.add_batch(**{name: [[]] for name in COLUMNS})
    with pytest.raises(InputError, match="`references` holds no label"):
        paired_perm.compute()
    paired_perm.add_batch(**{name: [["a"]] for name in COLUMNS})
    assert paired_perm.compute()["n"] == 2


def test_pickle(paired_perm):
    paired_perm.add_batch(**COLUMNS)
    assert pickle.loads(pickle.dumps(paired_perm)).compute() == EXPECTED


def test_two_instances_do_not_mix(registered):
    first, second = evaluate.load("paired_perm"), evaluate.load("paired_perm")
    first.add_batch(**COLUMNS)
    second.add_batch(predictions1=[1], predictions2=[1], references=[1])
    assert (second.compute()["n"], first.compute()["n"]) == (1, 6)


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
    combined = evaluate.combine(
        {"tokens": evaluate.load("paired_perm"), "whole": evaluate.load("paired_perm")}
    )
    result = combined.compute(**COLUMNS)
    assert (result["tokens_p"], result["whole_p"]) == (EXPECTED["p"], EXPECTED["p"])


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


# Numbers

SCORES = {"predictions1": [0.5, 0.75, 1, 0.25, 0.1], "predictions2": [0.5, 0.25, 0.5, 0.5, 0]}
EXPECTED_OF_SCORES = paired_permutation_test(*SCORES.values()).to_dict()


@pytest.fixture
def scores(registered):
    return evaluate.load("paired_perm", "scores")


def test_scores(scores):
    assert scores.compute(**SCORES) == EXPECTED_OF_SCORES
    assert (EXPECTED_OF_SCORES["metric"], EXPECTED_OF_SCORES["score1"]) == (None, 0.52)
    for options in ({"alternative": "less"}, {"method": "exact", "max_frequencies": 1e6}):
        expected = paired_permutation_test(*SCORES.values(), **options).to_dict()
        assert scores.compute(**SCORES, **options) == expected
    assert list(scores.features[0]) == ["predictions1", "predictions2"]


@pytest.mark.parametrize("convert", [np.array, np.float32, pd.Series], ids=lambda c: c.__name__)
def test_containers_of_scores(scores, convert):
    assert scores.compute(**{k: convert(v) for k, v in SCORES.items()}) == EXPECTED_OF_SCORES


def test_dataset_columns_of_scores(scores):
    features = Features({"predictions1": Value("float64"), "predictions2": Value("float32")})
    data = Dataset.from_dict(SCORES, features=features)
    assert scores.compute(**{k: data[k] for k in SCORES}) == EXPECTED_OF_SCORES


def test_streaming_scores(scores, monkeypatch):
    monkeypatch.setattr(streaming, "_HELD", 2)
    for batch in (slice(3, 5), slice(0, 3)):
        scores.add_batch(**{k: v[batch] for k, v in SCORES.items()})
    assert len(scores) == 5
    assert scores.compute() == EXPECTED_OF_SCORES
    for row in zip(*SCORES.values(), strict=True):
        scores.add(**dict(zip(SCORES, row, strict=True)))
    more = {k: [x + 1 for x in v] for k, v in SCORES.items()}
    whole = [v + more[k] for k, v in SCORES.items()]
    assert scores.compute(**more) == paired_permutation_test(*whole).to_dict()
    assert len(scores) == 0


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "nothing to compare: pass predictions1, predictions2 to compute"),
        ({"predictions1": [1]}, "`predictions2` is missing: pass one score"),
        ({**SCORES, "references": REFS}, "unknown column 'references': the columns are pred"),
        ({**SCORES, "metric": "accuracy"}, "`metric` must be left out with the conf.*'scores'"),
        ({**SCORES, "predictions2": [1, 2]}, r"same shape, got \(5,\) and \(2,\)"),
        ({**SCORES, "predictions2": ["a"] * 5}, r"`predictions2`\[0\] is not a number"),
        ({**SCORES, "predictions2": [1, 2, 3, 4, np.nan]}, r"finite: `predictions2`\[4\] is nan"),
        ({**SCORES, "predictions2": [1, 2, 3, 4, 1 / 3]}, r"`predictions2`\[4\] is 0.333.*no dec"),
        ({"predictions1": [], "predictions2": []}, "`predictions1` is empty"),
    ],
)
def test_bad_scores(scores, columns, message):
    with pytest.raises(InputError, match=message):
        scores.compute(**columns)
    assert scores.compute(**SCORES) == EXPECTED_OF_SCORES


def test_a_bad_batch_of_scores_is_not_added(scores):
    scores.add_batch(**SCORES)
    with pytest.raises(InputError, match=r"`predictions1`\[0\] is missing"):
        scores.add_batch(predictions1=[None], predictions2=[1])
    with pytest.raises(InputError, match="`predictions1` is missing"):
        scores.add(predictions1=None, predictions2=1)
    assert scores.compute() == EXPECTED_OF_SCORES


# Several processes

PART = """
import json, sys
import evaluate
process, cache, configuration = int(sys.argv[1]), sys.argv[2], sys.argv[4]
columns = json.loads(sys.argv[3])
module = evaluate.load(
    "paired_perm", configuration, num_process=2, process_id=process, cache_dir=cache
)
module.add_batch(**columns)
print(json.dumps([len(module), module.compute(alternative="greater")]))
"""


@pytest.mark.parametrize(
    "convert", [int, str, lambda x: [x, 0], lambda x: [str(x)]], ids=["int", "str", "ints", "strs"]
)
def test_two_processes(registered, tmp_path, convert):
    columns = {name: [convert(x) for x in column] for name, column in COLUMNS.items()}
    expected = compare(**columns, alternative="greater").to_dict()
    check_two_processes(columns, "accuracy", expected, tmp_path)


def test_two_processes_of_scores(registered, tmp_path):
    columns = {name: [*column, 1 / 8] for name, column in SCORES.items()}
    expected = paired_permutation_test(*columns.values(), alternative="greater").to_dict()
    check_two_processes(columns, "scores", expected, tmp_path)


def check_two_processes(columns, configuration, expected, tmp_path):
    """Each adds three of the six rows; the first gets the result."""
    workers = []
    for process in (0, 1):
        part = {name: column[3 * process :][:3] for name, column in columns.items()}
        arguments = [sys.executable, "-c", PART, str(process), str(tmp_path), json.dumps(part)]
        arguments.append(configuration)
        workers.append(
            subprocess.Popen(
                arguments,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            )
        )
    (first, first_errors), (second, second_errors) = (w.communicate(timeout=100) for w in workers)
    assert json.loads(second) == [3, None], second_errors
    assert json.loads(first) == [3, expected], first_errors
