"""Paired bootstrap test between two systems' predictions."""

import datasets
import evaluate

import pairedperm.hf

_DESCRIPTION = """
Does one model really beat another, and by how much? The paired bootstrap (Berg-Kirkpatrick,
Burkett & Klein, 2012): examples are drawn with replacement, with what both systems made of each.
For means, accuracy, recall and error rates it is the ideal bootstrap, of all n^n resamples: no
noise, p to 1e-11 at any size. F1, macro-averages and others are resampled. With percentile
intervals for the difference and for both scores.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions1 (`list` of `int` or `str`, or of lists of them): what system 1 predicts, one label
        or one sequence of labels an example. Arrays, tensors, Series and dataset columns too.
        In the configuration 'scores': its score on each example, a number.
    predictions2 (likewise): what system 2 predicts, or scores.
    references (likewise): the right labels; none in the configuration 'scores'.
    metric (`str`): its name, such as 'f1', 'span_f1' or 'bleu': `pairedperm.scoring.MetricName`
        has all. A sequence of labels is drawn as a whole. The default is the name of the
        configuration that was loaded, 'accuracy' without one.
    average, pos_label, labels, multilabel, zero_division, k, ...: the metric's options, as in the
        library that is used for it; `help(pairedperm.scoring.F1)` says which F1 has.
    ignore_label (`int`): what references hold in place of a label, in sequences: there nothing is
        compared; -100 (default) is that of transformers, with None every label counts.
    groups (`list` of `int` or `str`): an id for each example, such as its document or user: those
        with the same one are drawn together. All columns come to compute then.
    alternative (`str`): 'two-sided' (default), P(|d* - d| >= |d|) for the difference d and its
        resamples d*; 'greater' (system 1 scores higher), P(d* >= 2d), or 'less', P(d* <= 2d).
    ties (`str`): 'include' (default), or 'exclude' to take > for >= (< for <=), as the paper
        prints it.
    method (`str`): 'auto' (default), 'exact' (the ideal bootstrap) or 'monte_carlo'.
    n_resamples (`int`), rng (`int`): of 'monte_carlo': number of resamples (9999), and the seed.
    budget (`dict`): for scores of many digits, {"max_points": 2**25, "max_bytes": 2**30}.
    confidence_level (`float`): of the intervals of the scores and their difference, 0.95.
Returns:
    stat (`float`): score1 - score2; stat_low, stat_high its percentile interval.
    p (`float`): the p-value, which may be 0; log_p its natural logarithm, None if p is 0.
    p_low, p_high, log_p_low, log_p_high (`float`): intervals for both, of a sampled p at 99 %.
    interval (`str`): 'certified', they contain the true values, or 'confidence', p was sampled.
    score1, score2 (`float`): the two systems' scores, and their percentile intervals score1_low,
        score1_high, score2_low, score2_high.
    metric, alternative, method, ties, test (`str`): what was computed; metric is None for scores.
    n (`int`): number of examples.
    n_differing (`int`): number of examples, or groups, on which the two systems' scores differ.
    n_groups (`int`): number of groups; None without any.
    n_wins, n_losses, n_ties (`int`): examples that speak for system 1, for system 2 and for none.
    standard_error (`float`): of the difference, if other examples or groups were drawn.
    n_resamples (`int`): how many resamples were drawn; None for the ideal bootstrap.
    confidence_level (`float`): of the percentile intervals.
    metric_options (`dict`): the metric's options, {"pos_label": "yes"}; None without any.
    n_ignored (`int`): number of labels that were left out, see ignore_label.
    seed (`int`): of the resamples, which rng=seed gives again; None for the ideal bootstrap.
Examples:
    >>> paired_bootstrap = evaluate.load("paired_bootstrap")
    >>> results = paired_bootstrap.compute(
    ...     predictions1=["yes", "yes", "no", "no", "no", "no"],
    ...     predictions2=["yes", "no", "yes", "no", "yes", "no"],
    ...     references=["yes", "yes", "no", "no", "yes", "yes"],
    ... )
    >>> round(results["stat"], 3), round(results["p"], 4)
    (0.167, 0.7677)
    >>> results["stat_low"], results["stat_high"]
    (-0.3333333333333333, 0.6666666666666666)

    F1 of one of the labels, from random resamples:

    >>> results = paired_bootstrap.compute(
    ...     predictions1=["yes", "yes", "no", "no"],
    ...     predictions2=["no", "yes", "no", "yes"],
    ...     references=["yes", "yes", "yes", "no"],
    ...     metric="f1",
    ...     pos_label="yes",
    ...     rng=0,
    ... )
    >>> results["score1"], results["method"], results["n_resamples"]
    (0.8, 'monte_carlo', 9999)

    Scores per example instead of labels, such as each sentence's chrF:

    >>> scores = evaluate.load("paired_bootstrap", "scores")
    >>> results = scores.compute(
    ...     predictions1=[0.7, 0.4, 1.0, 0.9], predictions2=[0.6, 0.5, 0.7, 0.9]
    ... )
    >>> results["p"]
    0.41796875
"""

_CITATION = """
@inproceedings{berg-kirkpatrick-etal-2012-empirical,
    title = "An Empirical Investigation of Statistical Significance in {NLP}",
    author = "Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan",
    booktitle = "Proceedings of the 2012 Joint Conference on Empirical Methods in Natural Language
        Processing and Computational Natural Language Learning",
    year = "2012",
    url = "https://aclanthology.org/D12-1091",
    pages = "995--1005",
}
"""

_LABELS = (
    datasets.Value("string"),  # first: evaluate would read "1" as an integer
    datasets.Value("int64"),
    datasets.Sequence(datasets.Value("string")),
    datasets.Sequence(datasets.Value("int64")),
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedBootstrap(pairedperm.hf.PairedComparison):
    """The test as an `evaluate` comparison: features and documentation."""

    test = "bootstrap"

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
            reference_urls=["https://aclanthology.org/D12-1091"],
        )
