"""-100 among references, the "no label" of transformers: as if those places were not there."""

import numpy as np
import pytest
from hypothesis import given

from doors import NAMES, in_batches, in_one, of_dataset
from extras import needs
from pairedperm import compare, load
from properties import cases, generators, one_in

METRICS = {
    "accuracy": {},
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
COUNTED = {"ignore_label": None}
EXACT = {"metric": "exact_match"}
OF_SETS = {"average": "micro", "multilabel": True}
SETS = {"metric": "f1", **OF_SETS}
TAGS, OF_100 = [["-100", "A"], ["A"]], [[-100, 1], [2]]


def sequences(rng):
    """Three columns of as long sequences; with -100 in references, and those places alone."""
    lengths = [*rng.integers(0, 5, 6), 3]
    rows = [rng.integers(0, 3, (3, n)) for n in lengths]
    places = [rng.random(n) < 0.6 for n in lengths[:-1]] + [np.ones(3, bool)]
    rows[-1][2] = [0, 1, 2]  # each label occurs
    pairs = [*zip(rows, places, strict=True)]
    ignored = [[np.where(x | (k < 2), row[k], -100).tolist() for row, x in pairs] for k in range(3)]
    kept = [[row[k][x].tolist() for row, x in pairs] for k in range(3)]
    return ignored, kept, sum(int((~x).sum()) for x in places)


@one_in(2)
@pytest.mark.parametrize("metric", METRICS)
@cases(0.2)
@given(rng=generators)
def test_as_if_they_were_not_there(metric, rng):
    ignored, kept, n_ignored = sequences(rng)
    options = {"metric": metric, **METRICS[metric]}
    wanted = compare(*kept, **options).to_dict() | {"n_ignored": n_ignored}
    for door in (in_one, in_batches, of_dataset):
        assert door(*ignored, **options).to_dict() == wanted


@pytest.mark.parametrize("door", [in_one, in_batches, of_dataset])
@pytest.mark.parametrize(
    ("columns", "options", "found", "told"),
    [
        ((P1, P2, REFS), {}, (1.0, 0.5, 4), None),
        ((P1, P2, REFS), COUNTED, (2 / 6, 3 / 6, 0), COUNTED),
        ((P1, P2, REFS), {"ignore_label": np.uint8(0)}, (1 / 5, 2 / 5, 1), {"ignore_label": 0}),
        (([1, 0, 1], [0, 1, 1], [1, -100, 1]), COUNTED, (2 / 3, 1 / 3, 0), COUNTED),
        # single labels below and above it
        (([[-101, 0, 1]], [[0, 0, 1]], [[-101, 0, 1]]), {}, (1.0, 2 / 3, 0), None),
        # of strings and in sets it is as good as any other
        ((TAGS, [["A", "A"], ["A"]], TAGS), {}, (1.0, 2 / 3, 0), None),
        ((OF_100, [[1], [2]], OF_100), SETS, (1.0, 0.8, 0), OF_SETS),
        # predictions of another length
        (([[0, 1, 1], [0]], [[0, 1], [0]], [[-100, 1, 1], [0]]), EXACT, (1.0, 0.5, 1), None),
    ],
)
def test_by_hand(door, columns, options, found, told):
    result = door(*columns, **options)
    assert (result.score1, result.score2, result.n_ignored) == found
    assert result.metric_options == told


@pytest.mark.parametrize(("options", "found"), [({}, (0.0, 1.0, 1)), (COUNTED, (0.0, 2 / 3, 0))])
def test_tokens_of_transcripts(options, found):
    """In no column a token: predictions are padded with it too."""
    needs("rapidfuzz", "wer")
    columns = [[5, 6, -100]], [[5, 8, 9]], [[5, 6, -100]]
    result = compare(*columns, "word_error_rate", **options)
    assert (result.score1, result.score2, result.n_ignored) == found


def test_what_is_said_when_loading_holds_for_other_metrics(registered):
    module = load("paired_perm", "accuracy", ignore_label=None)
    module.add_batch(**dict(zip(NAMES, (P1, P2, REFS), strict=True)))
    assert module.compute(metric="exact_match")["score1"] == 0.0
