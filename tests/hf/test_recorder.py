"""The recorder: what evaluate's evaluator predicts is kept."""

import evaluate
import numpy as np

from corpora.small import COLUMNS, EXPECTED
from extras import needs
from pairedperm import compare
from pairedperm.hf import PredictionRecorder, predict_and_compare

PREDICTIONS, REFERENCES = COLUMNS["predictions1"], COLUMNS["references"]


class Accuracy(PredictionRecorder):
    """A metric for the recorder to wrap."""

    def compute(self, *, predictions, references, share=1):
        """Correct labels."""
        pairs = zip(predictions, references, strict=True)
        return {"accuracy": sum(x == y for x, y in pairs) / len(references) / share}


def test_keeps_what_it_is_computed_on():
    recorder = PredictionRecorder()
    assert (recorder.predictions, recorder.references) == (None, None)
    result = recorder.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert result == {"n_recorded": 6}
    assert (recorder.predictions, recorder.references) == (PREDICTIONS, REFERENCES)


def test_wraps_a_metric():
    recorder = PredictionRecorder(Accuracy())
    result = recorder.compute(predictions=PREDICTIONS, references=REFERENCES, share=2)
    assert result == {"accuracy": EXPECTED["score1"] / 2}
    assert recorder.predictions == PREDICTIONS


def test_loads_a_metric_by_name(monkeypatch):
    monkeypatch.setattr(evaluate, "load", {"accuracy": Accuracy()}.get)
    result = PredictionRecorder("accuracy").compute(predictions=[1], references=[1])
    assert result == {"accuracy": 1.0}


def test_keeps_a_copy():
    predictions = [1, 2]
    recorder = PredictionRecorder()
    recorder.compute(predictions=predictions, references=np.array([1, 2]))
    predictions.append(3)
    assert recorder.predictions == [1, 2]


def test_with_the_evaluator():
    """The same as predict_and_compare, by way of evaluate."""
    needs("transformers", "transformers")
    from transformers import pipeline

    from corpora.stand_ins import LABELS, NAMES, REVIEWS, TEXTS
    from corpora.tiny_models import trained

    task = "text-classification"
    recorders, pipelines = [], []
    for steps in (30, 2):
        model, tokenizer = trained(task, TEXTS, LABELS, NAMES, steps)
        recorder = PredictionRecorder()
        result = evaluate.evaluator(task).compute(
            model,
            data=REVIEWS,
            tokenizer=tokenizer,
            metric=recorder,
            label_mapping={"neg": 0, "pos": 1},
        )
        assert result["n_recorded"] == 120
        recorders.append(recorder)
        pipelines.append(pipeline(task, model=model, tokenizer=tokenizer, device="cpu"))
    first, second = recorders
    expected = predict_and_compare(*pipelines, REVIEWS).result
    assert compare(first.predictions, second.predictions, first.references) == expected
