"""-100 among references, the "no label" of transformers: as if those places were not there."""

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, Sequence
from hypothesis import given
from hypothesis import strategies as st

from choices import plan
from doors import NAMES, in_batches, in_one, of_dataset
from extras import needs
from pairedperm import InputError, compare, paired_permutation_test
from pairedperm.hf import accumulator, compare_dataset
from pairedperm.hf.accumulator import LabelAccumulator
from pairedperm.hf.metric_of_call import LoadedMetric
from pairedperm.scoring.metric import read_metric
from properties import cases, one_in

METRICS = {
    "accuracy": {},
    "exact_match": {},
    "balanced_accuracy": {},
    "matthews_correlation": {},
    "f1": {"average": "macro"},
    "recall": {"average": "micro", "labels": [0, 2]},
    "jaccard": {"pos_label": 1},
}
# two sequences: the middle of one counts, of the other nothing
P1, P2, REFS = (
    [[5, 0, 1, 5], [1, 1]],
    [[2, 0, 0, -100], [-100, 0]],
    [[-100, 0, 1, -100], [-100] * 2],
)


@pytest.fixture(params=[in_one, in_batches, of_dataset])
def door(request):
    return request.param


@st.composite
def sequences(draw):
    """Three columns of as long sequences; with -100 in references, and those places alone."""
    label = st.integers(0, 2)
    entry = st.tuples(label, label, label, st.booleans())
    rows = draw(st.lists(st.lists(entry, max_size=4), min_size=2, max_size=8))
    rows.append([(0, 1, 0, True), (1, 1, 1, True), (2, 0, 2, True)])  # each label occurs
    ignored = [
        [[-100 if k == 2 and not x[3] else x[k] for x in row] for row in rows] for k in range(3)
    ]
    kept = [[[x[k] for x in row if x[3]] for row in rows] for k in range(3)]
    return ignored, kept, sum(not x[3] for row in rows for x in row)


@one_in(5)
@pytest.mark.parametrize("metric", METRICS)
@cases(0.5)
@given(columns=sequences())
def test_as_if_they_were_not_there(metric, columns):
    ignored, kept, n_ignored = columns
    wanted = compare(*kept, metric, **METRICS[metric])
    for door in (in_one, in_batches):
        result = door(*ignored, metric=metric, **METRICS[metric])
        assert result.n_ignored == n_ignored
        assert result.to_dict() == wanted.to_dict() | {"n_ignored": n_ignored}
    counted = [[[x - 100 if x < 0 else x for x in row] for row in column] for column in ignored]
    assert in_one(*ignored, metric=metric, **METRICS[metric], ignore_label=None).score1 == (
        in_one(*counted, metric=metric, **METRICS[metric]).score1
    )


@one_in(5)
@pytest.mark.parametrize("metric", METRICS)
def test_every_door(door, metric):
    options = METRICS[metric]
    columns = [[[0, 1, 2, 1], [0, 2]], [[0, 1, 1, 0], [1, 2]], [[-100, 1, 2, -100], [0, -100]]]
    kept = [[[1, 2], [0]], [[1, 1], [1]], [[1, 2], [0]]]
    result = door(*columns, metric=metric, **options)
    assert result.to_dict() == compare(*kept, metric, **options).to_dict() | {"n_ignored": 3}
    as_bootstrap = door(*columns, metric=metric, test="bootstrap", rng=0, **options).to_dict()
    assert as_bootstrap["n_ignored"] == 3
    assert list(as_bootstrap)[-8:-6] == ["n_ignored", "seed"]


def test_by_hand(door):
    result = door(P1, P2, REFS, metric="accuracy")
    assert (result.score1, result.score2, result.n, result.n_ignored) == (1.0, 0.5, 2, 4)
    assert result.metric_options is None
    result = door(P1, P2, REFS, metric="accuracy", ignore_label=None)
    assert (result.score1, result.score2, result.n_ignored) == (2 / 6, 3 / 6, 0)
    assert result.metric_options == {"ignore_label": None}
    result = door(P1, P2, REFS, metric="accuracy", ignore_label=0)
    assert (result.score1, result.score2, result.n_ignored) == (1 / 5, 2 / 5, 1)
    assert result.metric_options == {"ignore_label": 0}


def test_arrays_of_padded_sequences():
    references = np.array([[-100, 1, 0, -100], [-100, 1, -100, -100]])
    found = np.array([[0, 1, 0, 0], [0, 0, 1, 1]])
    result = compare(found, np.where(references == -100, 7, references), references)
    assert (result.score1, result.score2, result.n_ignored) == (2 / 3, 1.0, 5)


def test_a_label_of_their_own_is_no_class():
    """A class -100 would be averaged over."""
    columns = [[1, 0, 0]], [[1, 1, 0]], [[1, 0, -100]]
    assert compare(*columns, "f1", average="macro").score1 == 1.0
    assert compare(*columns, "f1", average="macro", ignore_label=None).score1 < 0.6


@pytest.mark.parametrize("label", [-100, 3])
def test_single_labels(door, label):
    columns = [1, 0, 1], [0, 1, 1], [1, label, 1]
    assert door(*columns, metric="accuracy", ignore_label=None).score1 == 2 / 3


def test_strings_and_sets_and_scores():
    """There -100 is as good as any other."""
    tags = [["-100", "A"], ["A"]]
    assert compare(tags, tags, tags).n_ignored == 0
    sets = [[-100, 1], [2]]
    result = compare(sets, [[1], [2]], sets, "f1", average="micro", multilabel=True)
    assert (result.score1, result.score2, result.n_ignored) == (1.0, 0.8, 0)
    assert paired_permutation_test([-100, 1], [1, 0]).n_ignored == 0


def test_predictions_of_another_length(door):
    """A wrong example is wrong; metrics that compare label by label refuse it."""
    columns = [[0, 1, 1], [0]], [[0, 1], [0]], [[-100, 1, 1], [0]]
    result = door(*columns, metric="exact_match")
    assert (result.score1, result.score2, result.n_ignored) == (1.0, 0.5, 1)


def test_ids_of_a_class_label():
    names = ["O", "B-X"]
    plain = Dataset.from_dict(
        {"predictions1": [[1, 0, 1]], "predictions2": [[0, 0, 1]], "references": [[1, 0, -100]]}
    )
    named = plain.info.features.copy()
    named["references"] = Sequence(ClassLabel(names=names))
    plain.info.features = named
    result = compare_dataset(plain)
    assert (result.score1, result.score2, result.n_ignored) == (1.0, 0.5, 1)
    result = compare_dataset(plain, metric="span_f1")
    assert (result.score1, result.score2) == (1.0, 0.0)


@pytest.mark.parametrize("value", [np.int64(0), np.uint8(0)])
def test_numpy_integers(value):
    assert compare(P1, P2, REFS, ignore_label=value).metric_options == {"ignore_label": 0}
    assert compare(P1, P2, REFS, ignore_label=np.int64(-100)).metric_options is None


def test_tokens_of_transcripts(door):
    """In no column a token: predictions are padded with it too."""
    needs("rapidfuzz", "wer")
    columns = [[5, 6, -100]], [[5, 8, 9]], [[5, 6, -100]]
    result = door(*columns, metric="word_error_rate")
    assert (result.score1, result.score2, result.n_ignored) == (0.0, 1.0, 1)
    assert result.metric_options is None
    result = door(*columns, metric="word_error_rate", ignore_label=None)
    assert (result.score1, result.score2, result.n_ignored) == (0.0, 2 / 3, 0)
    assert result.metric_options == {"ignore_label": None}


def test_a_result_says_how_many():
    assert repr(compare(P1, P2, REFS)).endswith("n_ignored=4)")
    assert "n_ignored" not in repr(compare(P1, P1, P1))


def test_single_labels_are_refused_when_they_are_added(monkeypatch):
    """Not when all have been counted, and it is too late to count it."""
    stream = LabelAccumulator(read_metric("accuracy"))
    with pytest.raises(InputError):
        stream.add({"predictions1": [1, 1], "predictions2": [1, 0], "references": [1, -100]})
    assert len(stream) == 0


def test_what_is_said_when_loading_holds_for_other_metrics(monkeypatch):
    monkeypatch.setattr(accumulator, "UNCOUNTED_LABELS", 1)
    loading = LoadedMetric("accuracy", {"ignore_label": None})
    stream = LabelAccumulator(loading.metric, is_of_module=True)
    stream.add(dict(zip(NAMES, (P1, P2, REFS), strict=True)))
    assert stream.test({}, loading.metric_of("exact_match", {})).score1 == 0.0
    with pytest.raises(InputError, match=r"evaluate.load\(…, 'accuracy'\), or pass all"):
        stream.test({}, loading.metric_of(None, {"ignore_label": -100}))


def test_examples_that_were_counted_for_another():
    stream = LabelAccumulator(read_metric("accuracy"))
    stream.add(dict(zip(NAMES, (P1, P2, REFS), strict=True)))
    assert stream.test({}, read_metric("accuracy", ignore_label=None)).n_ignored == 0
    assert stream.test({}, None).n_ignored == 4


def test_it_is_planned_alike():
    one, two, right = np.random.default_rng(0).integers(0, 2, (3, 30, 4))
    right[:, 1] = -100
    kept = ([*column[:, [0, 2, 3]]] for column in (one, two, right))
    assert plan(one, two, right) == plan(*kept)


def test_counted_in_parts(monkeypatch):
    monkeypatch.setattr(accumulator, "UNCOUNTED_LABELS", 1)
    rows = P1 * 5, P2 * 5, REFS * 5
    result = in_batches(*rows)
    assert result == compare(*rows)
    assert result.n_ignored == 20


@pytest.mark.parametrize("below", [-101, -1])
def test_labels_below_and_above_the_ignored_one_count(below):
    """The smallest label alone does not tell whether some is -100."""
    one, two, right = [[below, 0, 1]], [[0, 0, 1]], [[below, 0, 1]]
    result = compare(one, two, right)
    assert (result.n_ignored, result.score1, result.score2) == (0, 1.0, 2 / 3)
