"""What `evaluate.evaluator` predicts, kept for a comparison."""

from __future__ import annotations

from copy import copy
from typing import Any

import datasets
import evaluate

from pairedperm.errors import InputError, describe
from pairedperm.inputs.columns import materialise


class PredictionRecorder(evaluate.Metric):
    """A metric that keeps the predictions and references it is computed on.

    `evaluate.evaluator` returns scores only. With a recorder for each of two models as its
    `metric`, their predictions can be compared afterwards.

    Parameters
    ----------
    metric : evaluate.EvaluationModule, str or None
        The metric, or the name of one to load, whose scores are returned; without it the number
        of examples, as "n_recorded".

    Attributes
    ----------
    predictions, references : list or array
        Of the evaluation; None before. In the dataset's order.

    Raises
    ------
    InputError
        If `metric` is none.

    Notes
    -----
    The evaluator must run with ``strategy="simple"``, its default: "bootstrap" computes the
    metric again and again. It takes a model and its tokenizer; with transformers 5 evaluate
    0.4.6 fails on ready pipelines.

    Examples
    --------
    >>> import evaluate
    >>> from pairedperm.hf import PredictionRecorder
    >>> recorder1, recorder2 = PredictionRecorder(), PredictionRecorder()
    >>> evaluator = evaluate.evaluator("text-classification")  # doctest: +SKIP
    >>> for recorder, model in ((recorder1, large), (recorder2, small)):  # doctest: +SKIP
    ...     evaluator.compute(model, data=reviews, metric=recorder, tokenizer=tokenizer,
    ...                       label_mapping={"neg": 0, "pos": 1})
    >>> comparison = evaluate.load("paired_perm")  # doctest: +SKIP
    >>> comparison.compute(predictions1=recorder1.predictions,  # doctest: +SKIP
    ...                    predictions2=recorder2.predictions,
    ...                    references=recorder1.references)
    """

    def __init__(self, metric: Any = None, **kwargs: Any) -> None:
        if isinstance(metric, str):
            metric = evaluate.load(metric)
        if metric is not None and not callable(getattr(metric, "compute", None)):
            raise InputError(
                "`metric` must be a module of evaluate's, the name of one, or None, got "
                f"{describe(metric)}."
            )
        self._metric = metric
        self.predictions: Any = None
        self.references: Any = None
        super().__init__(**kwargs)

    def _info(self) -> Any:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description="Keeps predictions and references for a comparison of two models.",
            citation="",
            inputs_description="predictions, references: as for the metric that is wrapped.",
            features=datasets.Features(predictions=text, references=text),
        )

    def add_batch(self, **columns: Any) -> None:
        """Raise InputError: the evaluator gives everything at once, to `compute`."""
        raise InputError("a recorder takes no batches: pass all to compute, as the evaluator does.")

    def add(self, **example: Any) -> None:
        """Raise InputError, as `add_batch`."""
        self.add_batch(**example)

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        """Keep the predictions and references, and compute the wrapped metric.

        Raises
        ------
        InputError
            If one of them is missing, or some are kept already.
        """
        if self.predictions is not None:
            raise InputError(
                "this recorder holds the predictions of an evaluation already: make one for each "
                "model, and evaluate with strategy='simple'."
            )
        if predictions is None or references is None:
            raise InputError("a recorder needs predictions and references.")
        predictions = copy(materialise("predictions", predictions))
        references = copy(materialise("references", references))
        if len(predictions) != len(references):
            raise InputError(
                f"`predictions` has {len(predictions)} entries and `references` has "
                f"{len(references)}: pass one of each for every example."
            )
        scores = {"n_recorded": len(predictions)}
        if self._metric is not None:
            scores = self._metric.compute(predictions=predictions, references=references, **kwargs)
        self.predictions, self.references = predictions, references
        return scores
