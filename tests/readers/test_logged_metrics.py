"""Which way a metric is better: as asked, as the log says, or as its name does."""

import pytest
from sklearn.metrics import get_scorer_names

from pairedperm.readers import read_runs
from pairedperm.scoring.metric import METRICS

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
