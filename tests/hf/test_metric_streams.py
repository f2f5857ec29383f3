"""Metrics with options through the `evaluate` module, datasets and pipelines."""

import pickle

import evaluate
import numpy as np
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Sequence, Value

from corpora.labelled import IDS, NAMES, SENTENCES, named
from pairedperm import InputError, compare
from pairedperm.hf import compare_dataset

OF_IDS = {"metric": "f1", "pos_label": 2}
TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]


def tagged(n=60):
    """Sentences of entity tags, as numbers of `TAGS`."""
    rng = np.random.default_rng(4)
    references = [
        rng.choice(5, k, p=[0.6, 0.15, 0.1, 0.1, 0.05]).tolist() for k in rng.integers(1, 9, n)
    ]
    columns = {}
    for name, quality in (("predictions1", 0.9), ("predictions2", 0.8)):
        columns[name] = [
            [tag if rng.random() < quality else int(rng.integers(5)) for tag in row]
            for row in references
        ]
    return columns | {"references": references}


def spelled(columns):
    return {name: [[TAGS[tag] for tag in row] for row in rows] for name, rows in columns.items()}


# The module


def test_compute_takes_the_options(paired_perm):
    for options in (
        OF_IDS,
        {"metric": "fbeta", "labels": [0, 1], "average": "micro", "beta": 2, "alternative": "less"},
        {"metric": "precision", "pos_label": 0, "method": "monte_carlo", "rng": 3},
    ):
        expected = compare(**IDS, **options).to_dict()
        assert paired_perm.compute(**IDS, **options) == expected
    paired_perm.add_batch(**IDS)
    assert paired_perm.compute(**OF_IDS) == compare(**IDS, **OF_IDS).to_dict()


def test_options_at_load(registered, hold):
    hold(50)
    module = evaluate.load("paired_perm", "f1", pos_label=2)
    expected = compare(**IDS, **OF_IDS).to_dict()
    for _ in range(2):  # also after a reset
        for start in range(0, 500, 20):
            module.add_batch(**{name: x[start : start + 20] for name, x in IDS.items()})
        assert pickle.loads(pickle.dumps(module)).compute() == expected
        assert module.compute(metric="accuracy") == compare(**IDS).to_dict()
    assert module.compute(**IDS, metric="f1", pos_label=0) == (
        compare(**IDS, metric="f1", pos_label=0).to_dict()
    )
    with pytest.raises(InputError, match="`beta` is no option of metric 'f1'"):
        evaluate.load("paired_perm", "f1", beta=2)
    for option, message in (
        ("averge", r"Did you mean average=\.\.\.\? Options of metric 'f1'"),
        ("alternative", "those of the test go to compute"),
    ):
        with pytest.raises(TypeError, match=f"unexpected option '{option}'.*{message}"):
            evaluate.load("paired_perm", "f1", **{option: "less"})
    with pytest.raises(InputError, match=r"`pos_label` must be left out .* 'scores', .* got 1"):
        evaluate.load("paired_perm", "scores", pos_label=1)
    scores = evaluate.load("paired_perm", "scores")
    columns = {"predictions1": [1, 2], "predictions2": [0, 0]}
    assert scores.compute(**columns, zero_division=None, labels=None)["p"] == 0.5
    for option, value in (("pos_label", 0), ("labels", np.array([1, 2]))):
        with pytest.raises(InputError, match=f"`{option}` must be left out"):
            scores.compute(**columns, **{option: value})


def test_options_at_load_stay(registered):
    """Where compute names another metric, or one of the options."""
    module = evaluate.load("paired_perm", "fbeta", pos_label=0, beta=0.5)
    given = {"pos_label": 0}
    for options, whole in (
        ({"metric": "precision"}, {"metric": "precision", **given}),
        ({"beta": 2}, {"metric": "fbeta", "beta": 2, **given}),
        ({"pos_label": 1}, {"metric": "fbeta", "beta": 0.5, "pos_label": 1}),
        ({"average": "micro"}, {"metric": "fbeta", "beta": 0.5, "average": "micro"}),
        (
            {"average": "micro", "labels": [0, 2]},
            {"metric": "fbeta", "beta": 0.5, "average": "micro", "labels": [0, 2]},
        ),
        ({"metric": "accuracy"}, {"metric": "accuracy"}),
    ):
        assert module.compute(**IDS, **options) == compare(**IDS, **whole).to_dict()


def test_batches_that_the_metric_cannot_take(registered):
    """They are not added, and nothing is lost."""
    sets = evaluate.load("paired_perm", "f1", average="micro", multilabel=True)
    sets.add_batch(**{name: [["a"], ["b"]] for name in IDS})
    with pytest.raises(InputError, match="is in its set twice"):
        sets.add_batch(**{name: [["a", "a"]] for name in IDS})
    with pytest.raises(InputError, match="'accuracy' without multilabel=True takes no sets"):
        sets.compute(metric="accuracy")
    assert sets.compute()["n"] == 2
    spans = evaluate.load("paired_perm", "span_f1")
    with pytest.raises(InputError, match=r"holds integers .* spans need tags"):
        spans.add_batch(**{name: [[1, 2]] for name in IDS})
    assert len(spans) == 0
    binary = evaluate.load("paired_perm", "f1")
    with pytest.raises(InputError, match="`pos_label` is missing"):
        binary.add_batch(**{name: ["a"] for name in IDS})


@pytest.mark.parametrize(
    ("first", "given", "whole"),
    [
        ({"average": "micro", "labels": [0]}, {"average": "micro"}, {}),
        ({"average": "micro", "labels": [0]}, {"pos_label": None, "labels": None}, {}),
        ({"pos_label": 0}, {"average": "binary", "labels": None, "multilabel": None}, {}),
        ({"pos_label": 0, "zero_division": 1.0}, {"zero_division": None}, {}),
        ({"average": "micro", "labels": [0]}, {"pos_label": 1}, {"pos_label": 1}),
        ({"pos_label": 0}, {"average": "micro"}, {"average": "micro"}),
    ],
)
def test_what_is_said_again_changes_nothing(registered, first, given, whole):
    module = evaluate.load("paired_perm", "f1", **first)
    expected = compare(**IDS, metric="f1", **(whole or first)).to_dict()
    assert module.compute(**IDS, **given) == expected


def test_options_of_other_kinds_of_metric_do_not_stay(registered):
    module = evaluate.load("paired_perm", "f1", average="micro", labels=["B-PER"])
    columns = spelled(tagged())
    assert module.compute(**columns, labels=["I-PER"]) == (
        compare(**columns, metric="f1", average="micro", labels=["I-PER"]).to_dict()
    )
    assert module.compute(**columns, metric="span_f1") == (
        compare(**columns, metric="span_f1").to_dict()
    )


def test_sets_of_0_and_1_in_any_batches(registered):
    columns = {
        "predictions1": [{0}, {0, 1}, {1}],
        "predictions2": [{0, 1}, {1}, {0, 1}],
        "references": [{0}, {0, 1}, {0, 1}],
    }
    options = {"average": "micro", "multilabel": True}
    module = evaluate.load("paired_perm", "f1", **options)
    for row in zip(*columns.values(), strict=True):
        module.add(**dict(zip(columns, row, strict=True)))
    assert module.compute() == compare(**columns, metric="f1", **options).to_dict()


def test_rows_given_to_compute_count_from_0(registered):
    module = evaluate.load("paired_perm", "f1", pos_label=1)
    module.add_batch(**{name: [[1], [1]] for name in IDS})
    uneven = {name: [[1], [1]] for name in IDS} | {"predictions2": [[1], [1, 1]]}
    with pytest.raises(InputError, match=r"`predictions2`\[1\] has 2 labels"):
        module.compute(**uneven)
    assert module.compute()["n"] == 2


def test_empty_sequences_are_counted_too(registered, hold):
    hold(50)
    module = evaluate.load("paired_perm", "f1", average="micro")
    sizes = []
    for _ in range(100):
        module.add_batch(**{name: [[]] * 10 for name in IDS})
        sizes.append(len(pickle.dumps(module._stream)))
    assert max(sizes[50:]) <= max(sizes[:50])


def test_a_system_that_predicts_nothing(batches):
    columns = {
        "predictions1": [[]] * 600,
        "predictions2": [["a"]] * 600,
        "references": [["a", "b"]] * 600,
    }
    options = {"metric": "f1", "average": "micro", "multilabel": True}
    features = Features({name: Sequence(Value("string")) for name in columns})
    dataset = Dataset.from_dict(columns, features=features)
    expected = compare(**columns, **options)
    assert compare_dataset(dataset, **options) == expected
    assert compare_dataset(dataset.to_iterable_dataset(), **options) == expected


def test_options_that_come_too_late(paired_perm, hold):
    hold(50)
    paired_perm.add_batch(**IDS)
    with pytest.raises(
        InputError, match=r"counted for 'accuracy', .*not for 'f1' \(pos_label=2\). N"
    ):
        paired_perm.compute(**OF_IDS)
    assert paired_perm.compute()["n"] == 500  # nothing was lost


def test_sets(registered, hold):
    hold(5)
    rng = np.random.default_rng(0)
    columns = {
        name: [set(rng.choice(4, k, replace=False).tolist()) for k in rng.integers(0, 4, 30)]
        for name in IDS
    }
    options = {"average": "micro", "multilabel": True}
    module = evaluate.load("paired_perm", "jaccard", **options)
    for start in range(0, 30, 3):
        module.add_batch(**{name: x[start : start + 3] for name, x in columns.items()})
    expected = compare(**columns, metric="jaccard", **options).to_dict()
    assert module.compute() == expected
    other = evaluate.load("paired_perm")
    assert other.compute(**columns, metric="jaccard", **options) == expected


def test_labels_that_never_occur_in_any_batch(registered, hold):
    hold(50)
    module = evaluate.load("paired_perm", "recall", average="micro", labels=[0, 7])
    module.add_batch(**IDS)
    with pytest.warns(UserWarning, match="`labels`: 7 occurs neither") as warned:
        module.compute()
    assert warned[0].filename == __file__
    module = evaluate.load("paired_perm", "recall", average="micro", labels=[0, 7])
    module.add_batch(**IDS)
    module.add_batch(predictions1=[7], predictions2=[0], references=[0])
    assert module.compute()["n"] == 501


def test_spans_through_the_module(registered):
    columns = spelled(tagged())
    expected = compare(**columns, metric="span_f1").to_dict()
    assert evaluate.load("paired_perm", "span_f1").compute(**columns) == expected
    assert expected["score1"] > expected["score2"]


# Datasets


@pytest.mark.parametrize("streamed", [False, True], ids=["stored", "streamed"])
def test_dataset(batches, streamed):
    for columns, pos_label in ((IDS, 2), ({k: named(v) for k, v in IDS.items()}, "pos")):
        dataset = Dataset.from_dict(columns)
        dataset = dataset.to_iterable_dataset() if streamed else dataset
        result = compare_dataset(dataset, metric="f1", pos_label=pos_label)
        assert result == compare(**columns, metric="f1", pos_label=pos_label)
        assert result.pvalue == compare(**IDS, **OF_IDS).pvalue


def test_class_labels_are_selected_by_name_or_id():
    dataset = Dataset.from_dict(IDS).cast_column("references", ClassLabel(names=NAMES))
    expected = compare(**{k: named(v) for k, v in IDS.items()}, metric="f1", pos_label="pos")
    for pos_label in ("pos", 2, np.int64(2)):
        assert compare_dataset(dataset, metric="f1", pos_label=pos_label) == expected
    options = {"metric": "precision", "average": "micro"}
    by_id = compare_dataset(dataset, **options, labels=range(2))
    assert by_id == compare_dataset(dataset, **options, labels=["neu", "neg"])
    with pytest.raises(InputError, match=r"`pos_label` has 3, .* ids are 0 to 2, 'neg', 'neu', 'p"):
        compare_dataset(dataset, metric="f1", pos_label=3)


def test_the_second_of_two_class_labels_is_1():
    rng = np.random.default_rng(2)
    columns = {name: rng.integers(0, 2, 40).tolist() for name in IDS}
    dataset = Dataset.from_dict(columns).cast_column("references", ClassLabel(names=["-", "+"]))
    result = compare_dataset(dataset, metric="f1")
    assert result.pvalue == compare(**columns, metric="f1").pvalue
    assert result.metric_options == {"pos_label": "+"}


def test_sentences_of_class_labels(batches):
    columns = {k: named(v) for k, v in SENTENCES.items()}
    expected = compare(**columns, metric="recall", labels=["neg", "pos"], average="micro")
    dataset = Dataset.from_dict(SENTENCES)
    for name in SENTENCES:
        dataset = dataset.cast_column(name, Sequence(ClassLabel(names=NAMES)))
    options = {"metric": "recall", "labels": ["neg", "pos"], "average": "micro"}
    splits = compare_dataset(DatasetDict(dev=dataset, test=dataset), **options)
    assert splits == {"dev": expected, "test": expected}


def test_spans_of_class_labels(batches):
    columns = tagged()
    expected = compare(**spelled(columns), metric="span_f1", labels=["PER"])
    dataset = Dataset.from_dict(columns)
    with pytest.raises(InputError, match=r"holds integers .*ClassLabel's int2str"):
        compare_dataset(dataset, metric="span_f1")
    for name in columns:
        dataset = dataset.cast_column(name, Sequence(ClassLabel(names=TAGS)))
    assert compare_dataset(dataset, metric="span_f1", labels=["PER"]) == expected


def test_labels_that_are_0_and_1(batches):
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 2, 40).tolist() for name in IDS}
    expected = compare(**columns, metric="f1")
    assert compare_dataset(Dataset.from_dict(columns), metric="f1") == expected
    flags = {name: [x == 1 for x in column] for name, column in columns.items()}
    assert compare_dataset(Dataset.from_dict(flags), metric="f1") == expected
    with pytest.raises(InputError, match=r"`pos_label` is missing: .* holds 2"):
        compare_dataset(Dataset.from_dict(IDS), metric="f1")


def test_sets_in_a_dataset(batches):
    columns = {
        "predictions1": [[0, 1], [2], []],
        "predictions2": [[0], [1], [1]],
        "references": [[1, 0], [2], []],
    }
    options = {"metric": "f1", "average": "micro", "multilabel": True}
    expected = compare(**columns, **options)
    assert compare_dataset(Dataset.from_dict(columns), **options) == expected
    assert expected.score1 == 1.0


def test_unknown_options_of_a_dataset():
    dataset = Dataset.from_dict(IDS)
    with pytest.raises(TypeError, match="unexpected option 'alternatve'"):
        compare_dataset(dataset, alternatve="less")
    with pytest.warns(UserWarning, match="`labels`: 9 occurs neither") as warned:
        compare_dataset(dataset, metric="recall", average="micro", labels=[1, 9])
    assert warned[0].filename == __file__
    with pytest.raises(InputError, match="`average` is no option of metric 'accuracy'"):
        compare_dataset(dataset, average="micro")
    with pytest.raises(InputError, match="`pos_label` must be left out"):
        compare_dataset(dataset, references=None, pos_label=1)
    with pytest.raises(InputError, match="`ignore_label` must be left out"):
        compare_dataset(dataset, references=None, ignore_label=0)
    spelled = int("-100")  # the default, as another object
    assert compare_dataset(dataset, references=None, ignore_label=spelled).metric is None
