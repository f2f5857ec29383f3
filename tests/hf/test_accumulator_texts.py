"""Metrics of texts through the `evaluate` module, in batches and in processes."""

import json

import evaluate
import pytest

from corpora.texts import CORPORA, NAMES, expected_of, slices
from extras import needs
from pairedperm import InputError, compare
from pairedperm.hf.accumulator import Accumulator
from pairedperm.options import read_options
from pairedperm.scoring.metric import read_metric


def test_named_when_computed(paired_perm):
    columns, expected = CORPORA["squad_f1"], expected_of("squad_f1").to_dict()
    assert paired_perm.compute(**columns, metric="squad_f1") == expected
    labels = {name: [1, 0, 1] for name in NAMES}
    assert paired_perm.compute(**labels) == compare(**labels).to_dict()  # as before


def test_named_too_late(paired_perm, registered):
    paired_perm.add_batch(**{name: ["x"] for name in NAMES})
    for module in (paired_perm, evaluate.load("paired_perm", "f1", pos_label="x")):
        with pytest.raises(InputError, match="'squad_f1' reads no labels"):
            module.compute(metric="squad_f1")
    assert paired_perm.compute()["n"] == 1


def test_another_metric_than_at_load(registered):
    module = evaluate.load("paired_perm", "squad_f1")
    module.add_batch(**{name: ["x"] for name in NAMES})
    for metric in ("accuracy", "squad_exact_match"):
        with pytest.raises(InputError, match="must be 'squad_f1', which was named when loading"):
            module.compute(metric=metric)
    assert module.compute(zero_division=None, labels=None)["n"] == 1


def test_options_of_texts(registered, paired_perm):
    """Given when loading, or to compute where it is all."""
    needs("rapidfuzz", "wer")
    names = ("predictions1", "predictions2", "references")
    tokens = dict(zip(names, ([[5, 6]], [[5, 8]], [[5, 6, -100]]), strict=True))
    wanted = compare(**tokens, metric="word_error_rate", ignore_label=None).to_dict()
    assert wanted["score1"] == 1 / 3
    found = paired_perm.compute(**tokens, metric="word_error_rate", ignore_label=None)
    assert found == wanted
    module = evaluate.load("paired_perm", "word_error_rate", ignore_label=None)
    module.add_batch(**tokens)
    assert module.compute() == wanted


def test_bad_batches_are_not_added(registered):
    module = evaluate.load("paired_perm", "squad_exact_match")
    module.add_batch(**{name: ["x", "y"] for name in NAMES})
    bad = {name: ["x"] for name in NAMES} | {"references": [[]]}
    for refused in (module.add_batch, module.compute):
        with pytest.raises(InputError, match="has no answer"):
            refused(**bad)
    assert module.compute()["n"] == 2


@pytest.mark.parametrize("metric", ["squad_f1", "word_error_rate"])
def test_states_of_processes(metric):
    """They go through JSON; a process may have none."""
    expected = expected_of(metric)
    streams = []
    for part in slices(CORPORA[metric], 15):
        streams.append(Accumulator(read_metric(metric)))
        for batch in slices(part, 4):
            streams[-1].add(batch)
    streams.insert(1, Accumulator(read_metric(metric)))
    assert [len(stream) for stream in streams] == [15, 0, 15, 10]
    states = [json.loads(json.dumps(stream.state(None))) for stream in streams]
    for order in (states, states[::-1]):
        assert streams[1].test_states(order, None) == expected
        assert streams[0].test_states(order, None, read_options(alternative="greater")) == (
            expected_of(metric, alternative="greater")
        )
    assert streams[0].test_states(states[:1], None) != expected
