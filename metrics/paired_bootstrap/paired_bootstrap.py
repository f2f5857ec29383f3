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
    metric (`str`): one of these; a sequence of labels is drawn as a whole. The default is the
        name of the configuration that was loaded, 'accuracy' without one.
        'accuracy': correct labels / all labels.
        'exact_match': examples that are right as a whole / all examples.
        'balanced_accuracy': the mean of the recalls of all classes that the references have, as
            scikit-learn's.
        'matthews_correlation': the correlation of predictions and references, from -1 to 1, as
            scikit-learn's.
        'precision': correct / predicted, of chosen labels, as scikit-learn's.
        'recall': correct / right, of chosen labels, as scikit-learn's.
        'f1': 2 correct / (predicted + right), of chosen labels, as scikit-learn's.
        'jaccard': correct / (predicted + right - correct), of chosen labels, as scikit-learn's.
        'fbeta': (1 + beta^2) correct / (beta^2 right + predicted), of chosen labels, as
            scikit-learn's.
        'span_f1': F1 of the entity spans in sequences of tags (B-PER, I-PER, O), as seqeval's.
        'squad_exact_match': answers that equal one of their references / all answers, as
            `evaluate`'s squad module's.
        'squad_f1': the mean F1 of the answers' words, as `evaluate`'s squad module's.
        'word_error_rate': words to insert, delete or replace / words of the references; lower is
            better.
    average (`str`): 'binary' (default), one label against the rest, 'micro', all together, or
        'macro', the mean of all that occur in a resample.
    pos_label (`int` or `str`): the one label; needed unless all labels are 0 or 1.
    labels (`list`): the labels that count with 'micro' and 'macro', all without it.
    beta (`float`): of 'fbeta', the weight of recall beside precision.
    zero_division (`float`): the score where a denominator is 0, from 0 (default) to 1.
    multilabel (`bool`): whether each example has a set of labels, in a set or a list.
    ignore_label (`int`): what references hold in place of a label, in sequences: there nothing is
        compared; -100 (default) is that of transformers, with None every label counts.
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
    n_differing (`int`): number of examples on which the two systems' scores differ.
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
