"""Exact paired-permutation test between two systems' predictions."""

import datasets
import evaluate

import pairedperm.hf

_DESCRIPTION = """
Does one model really beat another, or is the difference luck? The exact paired-permutation test
(Zmigrod, Vieira & Cotterell, 2022): the share of all 2^n ways of swapping the two systems' outputs,
example by example, in which their scores differ at least as much as observed. No sampling unless
asked for or beyond the budget, no normal approximation, a certified interval around p;
accuracy, precision, recall, F1 (of a label, micro, macro), correlation, entity spans, error rates,
answers, and numbers such as each sentence's chrF.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions1 (`list` of `int` or `str`, or of lists of them): what system 1 predicts, one label
        or one sequence of labels an example. Arrays, tensors, Series and dataset columns too.
        In the configuration 'scores': its score on each example, a number.
    predictions2 (likewise): what system 2 predicts, or scores.
    references (likewise): the right labels; none in the configuration 'scores'.
    metric (`str`): its name, such as 'f1', 'span_f1' or 'bleu': `pairedperm.scoring.MetricName`
        has all. A sequence of labels is swapped as a whole. The default is the name of the
        configuration that was loaded, 'accuracy' without one.
    average, pos_label, labels, multilabel, zero_division, k, ...: the metric's options, as in the
        library that is used for it; `help(pairedperm.scoring.F1)` says which F1 has.
    ignore_label (`int`): what references hold in place of a label, in sequences: there nothing is
        compared; -100 (default) is that of transformers, with None every label counts.
    groups (`list` of `int` or `str`): an id for each example, such as its document or user: those
        with the same one are swapped together. All columns come to compute then.
    alternative (`str`): 'two-sided' (default), 'greater' (system 1 scores higher) or 'less'.
    method (`str`): 'auto' (default), 'exact'; 'dp', 'fft' (the paper's), 'rational'; 'enumeration',
        'bracket' (means of any real numbers); 'monte_carlo', which samples.
    n_resamples (`int`), rng (`int`): of 'monte_carlo': number of samples (9999; if 'auto' samples,
        more where p is small), and the seed.
    budget (`dict`): for scores of many digits and classes, {"max_points": 2**25,
        "max_bytes": 2**30}.
    confidence_level (`float`): for an interval of the difference, stat_low to stat_high.
Returns:
    stat (`float`): score1 - score2.
    p (`float`): the p-value; log_p its natural logarithm, which is finite where p underflows.
    p_low, p_high, log_p_low, log_p_high (`float`): intervals for both, of a sampled p at 99 %.
    interval (`str`): 'certified', they contain the true values, or 'confidence', p was sampled.
    score1, score2 (`float`): the two systems' scores.
    metric, alternative, method (`str`): what was computed; metric is None for scores.
    n (`int`): number of examples.
    n_differing (`int`): number of examples, or groups, on which the two systems' scores differ.
    n_groups (`int`): number of groups; None without any.
    n_wins, n_losses, n_ties (`int`): examples that speak for system 1, for system 2 and for none.
    standard_error (`float`): of the difference, if other examples or groups were drawn.
    n_resamples (`int`): how many swaps were sampled; None for an exact p.
    confidence_level, stat_low, stat_high (`float`), stat_interval (`str`): the interval of the
        difference, if one was asked for, and which it is; of an infinite end None.
    metric_options (`dict`): the metric's options, {"pos_label": "yes"}; None without any.
    n_ignored (`int`): number of labels that were left out, see ignore_label.
    seed (`int`): of a sampled p, which rng=seed gives again; None for an exact one.
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
    datasets.Value("string"),  # first: evaluate would read "1" as an integer
    datasets.Value("int64"),
    datasets.Sequence(datasets.Value("string")),
    datasets.Sequence(datasets.Value("int64")),
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedPerm(pairedperm.hf.PairedComparison):
    """The test as an `evaluate` comparison: features and documentation."""

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
