"""Keep the predictions of `evaluate.evaluator` for a comparison."""

from __future__ import annotations

from copy import copy
from typing import Any

import datasets
import evaluate

from pairedperm.errors import InputError
from pairedperm.errors.wording import Name, describe
from pairedperm.inputs.columns import materialise


class PredictionRecorder(evaluate.Metric):
    """A metric that keeps the predictions and references it is computed on.

    `evaluate.evaluator` returns only scores. Give it a recorder as `metric`, a new one for each of
    two models, and compare the predictions that the recorders keep.

    Parameters
    ----------
    metric : evaluate.EvaluationModule, str or None
        The metric, or its name for `evaluate.load`, whose scores `compute` returns. None:
        `compute` returns the number of examples, ``{"n_recorded": n}``.
    **kwargs
        The arguments of `evaluate.Metric`.

    Attributes
    ----------
    predictions, references : list or array, length n, or None
        The columns of the evaluation, in the dataset's order; None before it.

    Raises
    ------
    InputError
        If `metric` is no module of `evaluate`.

    Notes
    -----
    The evaluator must run with ``strategy="simple"``, its default, because "bootstrap" computes
    the metric many times. Pass it a model and its tokenizer: evaluate 0.4.6 fails on pipelines of
    transformers 5.

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
            accepted = "be a module of evaluate, the name of one, or None"
            raise InputError(Name("metric"), must=accepted, got=describe(metric))
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
        """Raise InputError, because the evaluator passes all examples to `compute` at once."""
        one = "pass all to compute, as the evaluator does"
        raise InputError("a recorder takes no batches", remedy=one)

    def add(self, **example: Any) -> None:
        """Raise InputError, as `add_batch` does."""
        self.add_batch(**example)

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> Any:
        """Keep the predictions and references, and compute the wrapped metric.

        Parameters
        ----------
        predictions, references : sequence, length n
            The columns to keep.
        **kwargs
            Passed to the wrapped metric's `compute`.

        Returns
        -------
        dict
            The wrapped metric's scores, or ``{"n_recorded": n}`` without one.

        Raises
        ------
        InputError
            If a column is missing, if the lengths differ, or if the recorder already keeps some.
        """
        if self.predictions is not None:
            what = "this recorder holds the predictions of an evaluation already"
            one = "make one for each model, and evaluate with strategy='simple'"
            raise InputError(what, remedy=one)
        if predictions is None or references is None:
            raise InputError("a recorder needs predictions and references")
        predictions = copy(materialise("predictions", predictions))
        references = copy(materialise("references", references))
        if len(predictions) != len(references):
            n, n_right = f" has {len(predictions)} entries and ", f" has {len(references)}"
            both = Name("predictions"), n, Name("references"), n_right
            raise InputError(*both, remedy="pass one of each for every example")
        scores = {"n_recorded": len(predictions)}
        if self._metric is not None:
            scores = self._metric.compute(predictions=predictions, references=references, **kwargs)
        self.predictions, self.references = predictions, references
        return scores
