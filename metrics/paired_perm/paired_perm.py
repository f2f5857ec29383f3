"""The exact paired-permutation test of two systems' predictions."""

import datasets
import evaluate

import pairedperm.hf

_DESCRIPTION = """
Does one model really beat another, or is the difference luck? The exact paired-permutation test
(Zmigrod, Vieira & Cotterell, 2022) swaps the two systems' outputs example by example. p is the
share of all 2^n ways of swapping in which the scores differ at least as much as observed. There is
no normal approximation, a certified interval around p, and no sampling unless you ask for it or
the budget requires it. Metrics: accuracy, precision, recall, F1 (of a label, micro, macro),
correlation, entity spans, error rates, answers, and numbers such as each sentence's chrF.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions1 (`list` of `int` or `str`, or of lists of them): what system 1 predicts for each
        example, a label or a sequence of labels. Arrays, tensors, Series and dataset columns too.
        In the configuration 'scores': its score on each example, a number.
    predictions2 (the same for system 2).
    references (likewise): the right labels; none in the configuration 'scores'.
    metric (`str`): a metric's name, such as 'f1', 'span_f1' or 'bleu', all of which
        `pairedperm.scoring.MetricName` lists; or an object, `pairedperm.scoring.F1()`. Default:
        the configuration that was loaded, 'accuracy' if none was.
    average, pos_label, labels, multilabel, zero_division, k, ...: the metric's options, named as in
        its usual library, such as scikit-learn; `help(pairedperm.scoring.F1)` lists those of F1.
    ignore_label (`int`): positions where the references, in sequences, hold this label are left
        out. Default: -100, as in transformers. None: every label counts.
    groups (`list` of `int` or `str`): an id for each example, such as its document or user.
        Examples with the same id are swapped together. Pass all columns to compute then.
    alternative (`str`): 'two-sided' (default), 'greater' (system 1 scores higher) or 'less'.
    method (`str`): 'auto' (default), 'exact'; 'dp' and 'fft' (the paper's);
        'enumeration', 'bracket' (means of any real numbers); 'monte_carlo', which samples.
    n_resamples (`int`), rng (`int`): for 'monte_carlo', the number of samples, 9999 by default, and
        the seed. If 'auto' samples, it draws more for a small p.
    budget (`dict`): limits for scores with many digits and for many classes,
        {"max_points": 2**25, "max_bytes": 2**30}.
    confidence_level (`float`): asks for an interval of the difference, stat_low to stat_high.
    largest_group (`int`): the largest size that a group may have, for the guaranteed interval.
    constant (`str`): 'system' says that scores which are one number are those of a system.
Returns:
    stat (`float`): score1 - score2.
    p (`float`): the p-value; log_p is its natural logarithm, finite even if p underflows.
    p_low, p_high, log_p_low, log_p_high (`float`): intervals of p and log_p.
    pvalue_kind (`str`): 'certified': these intervals contain the true values. 'confidence': p was
        sampled, and they are 99 % intervals.
    score1, score2 (`float`): the two systems' scores.
    metric, alternative, method (`str`): what was computed; metric is None for scores.
    n (`int`): the number of examples.
    n_differing (`int`): the number of examples, or groups, on which the systems' scores differ.
    n_groups (`int`): the number of groups; None without groups.
    n_wins, n_losses, n_ties (`int`): examples in favour of system 1, of system 2, of neither.
    standard_error (`float`): of the difference, over other draws of examples or groups.
    n_resamples (`int`): the number of swaps that were sampled; None for an exact p.
    confidence_level, stat_low, stat_high (`float`), interval_method (`str`): the interval of the
        difference, if you asked for one, and its method; an infinite end is None.
    metric_options (`dict`): the metric's options, {"pos_label": "yes"}; None without any.
    constant (`float`): the number that all scores of one system are, about which p tests symmetry.
    n_ignored (`int`): the number of labels left out because of ignore_label.
    seed (`int`): rng=seed repeats a sampled p; None for an exact one.
Examples:
    >>> paired_perm = evaluate.load("paired_perm")
    >>> results = paired_perm.compute(
    ...     predictions1=["yes", "yes", "yes", "no", "no", "no"],
    ...     predictions2=["no", "no", "no", "yes", "yes", "no"],
    ...     references=["yes", "yes", "yes", "no", "no", "yes"],
    ... )
    >>> results["p"], results["score1"], results["n_differing"]
    (0.0625, 0.8333333333333334, 5)

    Label sequences that are right or wrong as a whole:

    >>> exact_match = evaluate.load("paired_perm", "exact_match")
    >>> results = exact_match.compute(
    ...     predictions1=[["DET", "NOUN"], ["VERB"]],
    ...     predictions2=[["DET", "VERB"], ["VERB"]],
    ...     references=[["DET", "NOUN"], ["VERB"]],
    ... )
    >>> results["score1"], results["score2"], results["p"]
    (1.0, 0.5, 1.0)

    F1 of one of the labels:

    >>> results = paired_perm.compute(
    ...     predictions1=["yes", "yes", "no", "no"],
    ...     predictions2=["no", "yes", "no", "no"],
    ...     references=["yes", "yes", "yes", "no"],
    ...     metric="f1",
    ...     pos_label="yes",
    ... )
    >>> results["score1"], results["score2"], results["p"]
    (0.8, 0.5, 1.0)

    Scores per example instead of labels, such as each sentence's chrF:

    >>> scores = evaluate.load("paired_perm", "scores")
    >>> results = scores.compute(
    ...     predictions1=[0.7, 0.4, 1.0, 0.9], predictions2=[0.6, 0.3, 0.7, 0.9]
    ... )
    >>> round(results["stat"], 3), results["p"]
    (0.125, 0.25)
"""

_CITATION = """
@inproceedings{zmigrod-etal-2022-exact,
    title = "Exact Paired-Permutation Testing for Structured Test Statistics",
    author = "Zmigrod, Ran and Vieira, Tim and Cotterell, Ryan",
    booktitle = "Proceedings of the 2022 Conference of the North American Chapter of the Association
        for Computational Linguistics: Human Language Technologies",
    year = "2022",
    url = "https://aclanthology.org/2022.naacl-main.360",
    pages = "4894--4902",
}
"""

_LABELS = (
    datasets.Value("string"),  # first, else evaluate reads "1" as an integer
    datasets.Value("int64"),
    datasets.Sequence(datasets.Value("string")),
    datasets.Sequence(datasets.Value("int64")),
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedPerm(pairedperm.hf.PairedComparison):
    """The exact paired-permutation test as an `evaluate` comparison."""

    def _info(self):
        columns, types = ["predictions1", "predictions2", "references"], [*_LABELS]
        if self.config_name == pairedperm.hf.SCORES:
            columns, types = columns[:2], [datasets.Value("float64")]
        return evaluate.ComparisonInfo(
            module_type="comparison",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[datasets.Features(dict.fromkeys(columns, kind)) for kind in types],
            reference_urls=["https://aclanthology.org/2022.naacl-main.360"],
        )
