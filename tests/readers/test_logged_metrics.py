"""Which way a metric is better: as asked, as the log says, or as its name does."""

import pytest
from sklearn.metrics import get_scorer_names

from pairedperm.readers import read_runs
from pairedperm.readers.logged_metrics import direction, known_range
from pairedperm.readers.run import Run
from pairedperm.scoring.call_options import METRICS


def saying(*lower):
    return [
        Run(path="x", format="lm_eval", ids=[], lower_is_better={} if x is None else {"acc": x})
        for x in lower
    ]


@pytest.mark.parametrize(
    ("runs", "asked", "wanted"),
    [
        (saying(True, False), False, (False, "caller")),
        (saying(None), True, (True, "caller")),
        (saying(True, None), None, (True, "log")),
        (saying(None, False, False), None, (False, "log")),
    ],
)
def test_who_says_so(runs, asked, wanted):
    assert direction("acc", runs, asked) == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        *(
            (name, (x.lower_is_better, "name"))
            for name, x in METRICS.items()
            if name != "mean_score"
        ),
        ("WER", (True, "name")),
        ("word_perplexity,none", (True, "name")),
        ("exact_match,strict-match", (False, "name")),
        ("val Loss", (True, "name")),
        ("eval-loss", (True, "name")),
        ("bits_per_byte", (True, "name")),
        ("brier_score", (True, "name")),
        ("mean_score", (False, "assumed")),
        ("score", (False, "name")),
        ("helpful", (False, "assumed")),
        ("lossless", (False, "assumed")),
        ("eval/loss", (True, "name")),
        ("f1/loss", (True, "name")),
        ("ErrorRate", (True, "name")),
        ("num_failures", (True, "name")),
        ("loss_free_acc", (False, "assumed")),
        ("toxicity_pass", (False, "assumed")),
        ("error_correction", (False, "assumed")),
        ("hallucination_free", (False, "assumed")),
        ("terse", (False, "assumed")),
        *((f"neg_{x}", (False, "name")) for x in ("mean_squared_error", "log_loss", "max_error")),
        *((f"eval/{x}", (True, "name")) for x in ("error-rate", "avg WER", "meanSquaredError")),
        *(
            (name, (False, "assumed"))
            for name in (
                *("neg_error", "no_error", "no error", "no/error", "1-wer", "1 - wer", "non_loss"),
                *("non_toxicity", "not-correct", "unmatched", "inaccuracy", "error_free_rate"),
                *("attack_success_rate", "attack/success", "jailbreak_success", "toxicity_score"),
                *("cost_score", "latency_ratio", "unsafe_rate", "refusals"),
                *("-wer", "−wer", "~loss", "!error", "eval/-loss", "mean -loss", "exp(-loss)"),
                *("1/wer", "1 / wer", "1:wer", "1.0/perplexity", "log(1/wer)", "loss^-1", "wer↑"),
                *("mean 1/error", "(1)/wer", "1_/wer", "1_2/wer", "²/wer", "mean 1 -/wer"),
                *("negative/mse", "minus.wer", "inverted/wer", "one_over/wer", "reciprocal:cer"),
                *("wer[neg]", "wer,inverse", "wer@-1", "error[no]", "score[neg]"),
                *("jailbreak/accuracy", "unsafe.acc", "attack_x/correct", "harmful/pass@1"),
            )
        ),
        *(
            (name, (False, "name"))
            for name in (
                *("success_rate", "rougeL", "f1_macro", "gsm8k/acc", "ROUGE-1", "F1 (macro)"),
                *("acc,none", "exact_match,flexible-extract", "recall@10", "exact_match,maj@64"),
                *("accuracy[max]", "accuracy[pass_at_2]", "model_graded_qa.accuracy", "R2 [%]"),
            )
        ),
        *(
            (name, (True, "name"))
            for name in ("task_2/wer", "WER (%)", "openai/gpt-4o/loss", "loss[mean]")
        ),
    ],
)
def test_by_its_name(name, wanted):
    found = direction(name, [], None)
    assert found == wanted


def test_scorers_of_scikit_learn():
    """It negates losses, so that higher is better."""
    names = [x for x in get_scorer_names() if x.startswith("neg_")]
    assert len(names) > 8
    assert {direction(x, [], None) for x in names} == {(False, "name")}


def test_losses_of_a_table(two):
    """Fewer are better, and p is the same whichever way."""
    one, other = ([{"id": k, "loss": x} for k, x in enumerate(y)] for y in ([1, 2, 3], [2, 3, 3]))
    runs = read_runs(*two(one, other), score="loss")
    found = runs.compare()
    assert (found.n_wins, found.n_losses) == (2, 0)
    assert found.metric_options == {"of": "loss", "lower_is_better": True}
    asked = runs.compare(lower_is_better=False)
    assert (asked.n_wins, asked.n_losses, asked.pvalue) == (0, 2, found.pvalue)
    assert [row["system"] for row in runs.leaderboard().to_dict()["systems"]] == ["a", "b"]
    flipped = runs.leaderboard(lower_is_better=False).to_dict()["systems"]
    assert [row["system"] for row in flipped] == ["b", "a"]


def test_truth_values_in_json(two):
    """They are right and wrong whatever they are called, and have the exact interval.

    Also beside numbers 0 and 1 of the other log, but not beside ½.
    """
    right = [True] * 6, [True, True, True, False, False, False]
    for cast, method in ((bool, "exact"), (int, "exact"), (lambda x: x / 2, None)):
        one, other = ([{"id": k, "judged": x} for k, x in enumerate(y)] for y in right)
        other = [x | {"judged": cast(x["judged"])} for x in other]
        found = read_runs(*two(one, other), score="judged").compare(constant="system")
        wanted = {} if method is None else {"score_range": [0, 1]}
        assert {**found.metric_options, "of": 0} == {"of": 0, **wanted}
        if method is not None:
            assert found.confidence_interval().method == method


@pytest.mark.parametrize(
    ("name", "scores", "wanted"),
    [
        ("metric.x", [True, False, None], (0, 1)),
        ("metric.x", [True, 0.5, False], None),
        ("acc", [0, 1, None], (0, 1)),
        ("exact_match,strict-match", [0, 1], (0, 1)),
        ("passed", [True, False], (0, 1)),
        ("metric.acc", [0, 1], (0, 1)),  # a value in an object
        ("acc", [0, 0.5], None),
        ("metric.x", [0, 1], None),
        ("acc.stderr", [0, 1], None),
    ],
)
def test_the_range_that_a_name_tells(name, scores, wanted):
    assert known_range(name, [scores]) == wanted
