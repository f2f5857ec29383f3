"""The paired bootstrap test of two systems' predictions."""

import datasets
import evaluate

import pairedperm.hf

_DESCRIPTION = """
Does one model really beat another, and by how much? The paired bootstrap (Berg-Kirkpatrick,
Burkett & Klein, 2012) draws examples with replacement, each with the outputs of both systems. For
means, accuracy, recall and error rates it is the ideal bootstrap over all n^n resamples: no noise,
p to 1e-11 at any size. F1, macro-averages and other metrics are resampled. The difference and both
scores get percentile intervals.
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
        Examples with the same id are drawn together. Pass all columns to compute then.
    alternative (`str`): which differences d* of resamples count, for the observed difference d.
        'two-sided' (default): |d* - d| >= |d|. 'greater' (system 1 scores higher): d* >= 2d.
        'less': d* <= 2d.
    ties (`str`): 'include' (default), or 'exclude' for > in place of >= (< for <=), as the paper
        prints it.
    method (`str`): 'auto' (default), 'exact' (the ideal bootstrap) or 'monte_carlo'.
    n_resamples (`int`), rng (`int`): for 'monte_carlo', the number of resamples (9999), and the
        seed.
    budget (`dict`): limits for scores with many digits, {"max_points": 2**25, "max_bytes": 2**30}.
    confidence_level (`float`): of the intervals of both scores and of their difference, 0.95.
Returns:
    stat (`float`): score1 - score2; stat_low and stat_high are its percentile interval.
    p (`float`): the p-value, which may be 0; log_p is its natural logarithm, None if p is 0.
    p_low, p_high, log_p_low, log_p_high (`float`): intervals of p and log_p.
    pvalue_kind (`str`): 'certified': these intervals contain the true values. 'confidence': p was
        sampled, and they are 99 % intervals.
    score1, score2 (`float`): the two systems' scores; score1_low, score1_high, score2_low and
        score2_high are their percentile intervals.
    metric, alternative, method, ties, test (`str`): what was computed; metric is None for scores.
    n (`int`): the number of examples.
    n_differing (`int`): the number of examples, or groups, on which the systems' scores differ.
    n_groups (`int`): the number of groups; None without groups.
    n_wins, n_losses, n_ties (`int`): examples in favour of system 1, of system 2, of neither.
    standard_error (`float`): of the difference, over other draws of examples or groups.
    n_resamples (`int`): the number of resamples drawn; None for the ideal bootstrap.
    confidence_level (`float`): of the percentile intervals.
    metric_options (`dict`): the metric's options, {"pos_label": "yes"}; None without any.
    n_ignored (`int`): the number of labels left out because of ignore_label.
    seed (`int`): rng=seed repeats the resamples; None for the ideal bootstrap.
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
    datasets.Value("string"),  # first, else evaluate reads "1" as an integer
    datasets.Value("int64"),
    datasets.Sequence(datasets.Value("string")),
    datasets.Sequence(datasets.Value("int64")),
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedBootstrap(pairedperm.hf.PairedComparison):
    """The paired bootstrap as an `evaluate` comparison."""

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
