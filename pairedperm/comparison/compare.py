"""Two systems' predictions in, the result of a test out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pairedperm import options
from pairedperm.bootstrap.run import run as run_draws
from pairedperm.permutation.run import run as run_swaps
from pairedperm.results.result import PairedBootstrapResult, PairedPermutationResult
from pairedperm.scoring.metric import Average, MetricName, read_metric

TESTS: dict[str, Callable[..., PairedPermutationResult | PairedBootstrapResult]] = {
    "permutation": run_swaps,
    "bootstrap": run_draws,
}


def compare(
    predictions1: Any,
    predictions2: Any,
    references: Any,
    metric: MetricName = "accuracy",
    *,
    average: Average | None = None,
    pos_label: int | str | None = None,
    labels: Any = None,
    beta: float | None = None,
    zero_division: float = 0.0,
    multilabel: bool = False,
    ignore_label: int | None = options.IGNORE_LABEL,
    alternative: options.Alternative = "two-sided",
    method: options.Method = "auto",
    max_frequencies: int = options.MAX_FREQUENCIES,
    max_bytes: int = options.MAX_BYTES,
    n_resamples: int = options.N_RESAMPLES,
    rng: options.Seed = None,
    confidence_level: float | None = None,
    progress: bool = True,
    test: options.Test = "permutation",
    ties: options.Ties = "include",
) -> PairedPermutationResult | PairedBootstrapResult:
    """Does one system really beat another? Exact paired-permutation test on predictions.

    Null hypothesis: on every example the outputs of the two systems are exchangeable. The
    p-value is the share of all 2^n ways of swapping them, example by example, in which the
    difference of the scores is at least as extreme as the observed one; ties count.

    Parameters
    ----------
    predictions1, predictions2 : sequence, length n
        The labels that system 1 and system 2 predict: integers, bools or strings, one an
        example, or a sequence of them an example (tagging). Lists, tuples, arrays (also of
        shape (n, length)), tensors, Series, dataset columns.
    references : sequence, length n
        The right labels, in the same form and of the same type; bools are integers.
    metric : str
        "accuracy": correct labels / all labels. Where examples are sequences the whole sequence is
        swapped, since its labels are not independent.
        "exact_match": examples that are right as a whole / all examples. A sequence of another
        length than its reference is wrong.
        "balanced_accuracy": the mean of the recalls of all classes that the references have, as
        scikit-learn's.
        "precision": correct / predicted, of chosen labels, as scikit-learn's.
        "recall": correct / right, of chosen labels, as scikit-learn's.
        "f1": 2 correct / (predicted + right), of chosen labels, as scikit-learn's.
        "fbeta": (1 + beta^2) correct / (beta^2 right + predicted), of chosen labels, as
        scikit-learn's.
        "jaccard": correct / (predicted + right - correct), of chosen labels, as scikit-learn's.
        "matthews_correlation": the correlation of predictions and references, from -1 to 1, as
        scikit-learn's.
        "span_f1": F1 of the entity spans in sequences of tags (B-PER, I-PER, O), as seqeval's. In
        its default mode, malformed tags included, but no span crosses examples; of all types or of
        those in `labels`.
        "squad_exact_match": answers that equal one of their references / all answers, as
        `evaluate`'s squad module's. That module reports 100 times this. Columns are of texts,
        references also of lists of texts, or of dicts as it takes them, which are paired by id.
        "squad_f1": the mean F1 of the answers' words, as `evaluate`'s squad module's. Each answer
        has the best F1 with one of its references. Columns are as of exact matches.
        "word_error_rate": words to insert, delete or replace / words of the references; lower is
        better. The examples are token sequences, or texts split at white space. Needs rapidfuzz
        (``pip install "pairedperm[wer]"``).
    average : {"binary", "micro", "macro"} or None
        "binary": one label, `pos_label`, against the rest. "micro": all labels, or those in
        `labels`, counted together. "macro": the mean of the scores of all classes, or those in
        `labels`. None is "binary", for "span_f1" "micro".
    pos_label : int, str or None
        The label that counts with average="binary"; None is 1 if all labels are 0 or 1.
    labels : sequence of labels or None
        The labels that count with average="micro" or "macro", None for all; with "macro" these
        are, as in scikit-learn, those that occur in the references or in a system's own
        predictions, after swaps as well (of sets, in any column).
    beta : float
        For "fbeta": recall has beta times the weight of precision; a ratio of integers up to 1000.
    zero_division : float
        The score of a system whose denominator is 0, from 0 to 1, observed or after swaps.
    multilabel : bool
        Whether each example has a set of labels: a set or a list. An example is swapped as a
        whole.
    ignore_label : int or None
        What references hold in place of a label, in sequences of integers: there nothing is
        compared, and `n_ignored` says how often. -100 is that of transformers; None: none is.
    alternative : {"two-sided", "greater", "less"}
        "greater": system 1 scores higher.
    method, max_frequencies, max_bytes, n_resamples, rng, progress
        See `paired_permutation_test`, or `paired_bootstrap_test`.
    confidence_level : float or None
        Of the intervals, those of a sampled p-value and of a bootstrap. None is 0.99, with
        test="bootstrap" 0.95.
    test : {"permutation", "bootstrap"}
        "bootstrap": examples are drawn with replacement, with what both systems made of each; see
        `paired_bootstrap_test`. Macro-averages are then over the classes that occur in a resample.
    ties : {"include", "exclude"}
        Of a bootstrap, whether a difference right at the threshold counts.

    Returns
    -------
    PairedPermutationResult, or PairedBootstrapResult
        Scores lie in [0, 1], a correlation in [-1, 1], an error rate may exceed 1. Identical
        systems have p = 1.

    Raises
    ------
    InputError
        If a column is missing or empty, holds missing labels or anything but integers or
        strings; if lengths differ, of the columns or of a sequence and its reference
        (not for "exact_match", nor sets); if a prediction is an integer and its reference a
        string; if `pos_label` is missing, or another option is unknown or not the metric's; if
        `pos_label`, or all of `labels`, do not occur, but others do; if references that are no
        sequences hold `ignore_label`.
    BudgetError
        See `paired_permutation_test`. Only averages over three and more classes come near the
        budget: macro-F1 of three where more than a hundred examples differ.
    ImportError
        If the word error rate is wanted without rapidfuzz.

    Warns
    -----
    UserWarning
        If one of `labels` does not occur, or `pos_label` where there is one class; if a system
        predicts no label that the references have ("exact_match" may be of free text: not there).

    Notes
    -----
    Cost and accuracy are those of `paired_permutation_test`.

    Examples
    --------
    >>> from pairedperm import compare
    >>> result = compare(["a", "b", "b"], ["a", "a", "a"], ["a", "b", "b"])
    >>> result.score1, result.pvalue
    (1.0, 0.5)

    Part-of-speech tags, a list of them a sentence:

    >>> compare([["DET", "NOUN"], ["VERB"]], [["DET", "VERB"], ["VERB"]],
    ...         [["DET", "NOUN"], ["NOUN"]], metric="accuracy").score2
    0.3333333333333333

    F1 of one of the tags, and of the spans of entities:

    >>> compare([["DET", "NOUN"], ["VERB"]], [["DET", "VERB"], ["VERB"]],
    ...         [["DET", "NOUN"], ["NOUN"]], metric="f1", pos_label="NOUN").score1
    0.6666666666666666
    >>> result = compare([["B-PER", "I-PER"], ["O", "B-LOC"]], [["B-PER", "O"], ["O", "B-LOC"]],
    ...                  [["B-PER", "I-PER"], ["O", "B-LOC"]], metric="span_f1")
    >>> result.score1, result.score2, result.pvalue
    (1.0, 0.5, 1.0)

    An average over classes, and answers to questions:

    >>> compare([0, 1, 2, 2, 1], [0, 1, 1, 0, 1], [0, 1, 2, 2, 1], "f1", average="macro").pvalue
    0.5
    >>> compare(["in 1066", "the sea"], ["1066", "a lake"], [["1066"], ["sea", "ocean"]],
    ...         metric="squad_f1").score1
    0.8333333333333334
    """
    chosen = options.read_options(
        alternative=alternative,
        method=method,
        max_frequencies=max_frequencies,
        max_bytes=max_bytes,
        n_resamples=n_resamples,
        rng=rng,
        confidence_level=confidence_level,
        progress=progress,
        test=test,
        ties=ties,
    )
    found = read_metric(
        metric,
        average=average,
        pos_label=pos_label,
        labels=labels,
        beta=beta,
        zero_division=zero_division,
        multilabel=multilabel,
        ignore_label=ignore_label,
    )
    rows = found.rows(*found.read((predictions1, predictions2, references)))
    return TESTS[chosen.test](rows, found.checked_score(rows), found, chosen)
