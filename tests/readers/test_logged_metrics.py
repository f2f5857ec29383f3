"""Which way a metric is better: as asked, as the log says, or as its name does."""

import pytest
from sklearn.metrics import get_scorer_names

from corpora.logs import lm_eval_log
from pairedperm.readers import read_runs
from pairedperm.scoring.metric import METRICS


@pytest.mark.parametrize(
    ("said", "asked", "wanted"),
    [
        ((True, True), False, (False, "caller")),
        ((None, None), True, (True, "caller")),
        ((True, None), None, (True, "log")),
        ((None, False), None, (False, "log")),
    ],
)
def test_who_says_so(said, asked, wanted, tmp_path):
    reported = [None if x is None else {"acc": 1} for x in said]
    paths = [
        lm_eval_log(tmp_path / x, {"acc": [1]}, y, ["acc"] * bool(z))
        for x, y, z in zip("ab", reported, said, strict=True)
    ]
    assert read_runs(*paths).examples(lower_is_better=asked).direction == wanted


LOWER, HIGHER, UNKNOWN = (True, "name"), (False, "name"), (False, "assumed")
NAMES = {
    LOWER: (
        *("WER", "word_perplexity,none", "val Loss", "eval-loss", "bits_per_byte", "brier_score"),
        *("eval/loss", "f1/loss", "ErrorRate", "num_failures", "eval/error-rate", "eval/avg WER"),
        *("eval/meanSquaredError", "task_2/wer", "WER (%)", "openai/gpt-4o/loss", "loss[mean]"),
        *(x for x, y in METRICS.items() if y.lower_is_better and x != "mean_score"),
    ),
    HIGHER: (
        *("exact_match,strict-match", "score", "success_rate", "rougeL", "f1_macro", "gsm8k/acc"),
        *("neg_mean_squared_error", "neg_log_loss", "neg_max_error", "ROUGE-1", "F1 (macro)"),
        *("acc,none", "exact_match,flexible-extract", "recall@10", "exact_match,maj@64"),
        *("accuracy[max]", "accuracy[pass_at_2]", "model_graded_qa.accuracy", "R2 [%]"),
        *(x for x in get_scorer_names() if x.startswith("neg_")),  # negated losses
        *(x for x, y in METRICS.items() if not y.lower_is_better and x != "mean_score"),
    ),
    UNKNOWN: (
        *("mean_score", "helpful", "lossless", "loss_free_acc", "toxicity_pass", "terse"),
        *("error_correction", "hallucination_free"),
        *("neg_error", "no_error", "no error", "no/error", "1-wer", "1 - wer", "non_loss"),
        *("non_toxicity", "not-correct", "unmatched", "inaccuracy", "error_free_rate"),
        *("attack_success_rate", "attack/success", "jailbreak_success", "toxicity_score"),
        *("latency_ratio", "unsafe_rate"),
        *("-wer", "−wer", "~loss", "!error", "eval/-loss", "mean -loss", "exp(-loss)"),
        *("1/wer", "1 / wer", "1:wer", "1.0/perplexity", "log(1/wer)", "loss^-1", "wer↑"),
        *("mean 1/error", "(1)/wer", "1_/wer", "1_2/wer", "²/wer", "mean 1 -/wer"),
        *("negative/mse", "minus.wer", "inverted/wer", "one_over/wer", "reciprocal:cer"),
        *("wer[neg]", "wer,inverse", "wer@-1", "error[no]", "score[neg]"),
        *("jailbreak/accuracy", "unsafe.acc", "attack_x/correct", "harmful/pass@1"),
    ),
}


@pytest.mark.parametrize("wanted", NAMES, ids=str)
def test_by_its_name(wanted, two):
    names = NAMES[wanted]
    rows = [{"id": k, **dict.fromkeys(names, k / 4)} for k in range(1, 3)]
    runs = read_runs(*two(rows, rows), score=[*names])
    found = {x: runs.examples(x).direction for x in names}
    assert {x: y for x, y in found.items() if y != wanted} == {}


def test_no_perplexity_is_below_0(two):
    """It may be a logarithm or a negative of one."""
    rows = [{"id": k, "perplexity": -x} for k, x in enumerate((1.5, 2.5))]
    assert read_runs(*two(rows, rows), score="perplexity").examples().direction == UNKNOWN


def test_losses_of_a_table(two):
    """Fewer are better, and p is the same whichever way."""
    one, other = ([{"id": k, "loss": x} for k, x in enumerate(y)] for y in ([1, 2, 3], [2, 3, 3]))
    runs = read_runs(*two(one, other), score="loss")
    found, asked = runs.compare(), runs.compare(lower_is_better=False)
    assert (found.n_wins, found.n_losses) == (asked.n_losses, asked.n_wins) == (2, 0)
    assert found.pvalue == asked.pvalue
    assert found.metric_options == {"of": "loss", "lower_is_better": True}
    for lower, first in ((None, "a"), (False, "b")):
        board = runs.leaderboard(lower_is_better=lower).to_dict()
        assert board["systems"][0]["system"] == first


@pytest.mark.parametrize(
    ("name", "scores", "wanted"),
    [
        # right and wrong whatever they are called, also beside numbers 0 and 1, but not ½
        ("metric.x", [True, False, None], (0, 1)),
        ("metric.x", [True, 0.5, False], None),
        ("acc", [0, 1, None], (0, 1)),
        ("exact_match,strict-match", [0, 1], (0, 1)),
        ("metric.acc", [0, 1], (0, 1)),  # a value in an object
        ("acc", [0, 0.5], None),
        ("metric.x", [0, 1], None),
    ],
)
def test_the_range_that_a_name_tells(name, scores, wanted, two):
    rows = [{"id": k, name: x} for k, x in enumerate(scores)]
    runs = read_runs(*two(rows, rows[::-1]), score=name, on_missing="drop")
    assert runs.examples().metric.score_range == wanted
    if wanted is not None:
        assert runs.compare(constant="system").confidence_interval().method == "exact"
