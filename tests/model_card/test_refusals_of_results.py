"""What no section of a card is made of: results, names, sums and plans."""

import math

import numpy as np

from corpora.cards import PROSE, RESULT, unmarked
from corpora.small import COLUMNS, EXPECTED
from pairedperm import (
    compare,
    compare_many,
    equivalence_test,
    paired_bootstrap_test,
    publish,
)
from pairedperm.model_card.markdown import END, START, with_comparisons
from refusals import asks, refusal, refuses

FLIPS = [1] * 95 + [0] * 5, [1] * 93 + [0] * 2 + [1] * 5
MARGIN = equivalence_test(*FLIPS, [1] * 100, margin=0.1).to_dict()
OF_BOOTSTRAP = paired_bootstrap_test(*FLIPS).to_dict() | {"margin": 0.1, "alpha": 0.05}
BOOTSTRAP = compare(**COLUMNS, test="bootstrap").to_dict()
INTERVAL = compare(**COLUMNS, confidence_level=0.9).to_dict()
SAMPLED = compare(**COLUMNS, method="monte_carlo", n_resamples=99, rng=0).to_dict()
BOARD = compare_many({"a": [1, 0, 1], "b": [1, 1, 0]}, [1, 1, 1])
SUM = publish(RESULT)["sha256"]
DIGITS = 'must be 64 hexadecimal digits, publish(result)["sha256"], got '
LONG, LONE = "x" * 5000, "a\udfffb"


def of(found, **wrong):
    return unmarked({**found, **wrong})


def without(found, *keys):
    return unmarked({key: x for key, x in found.items() if key not in keys})


@refuses
def test_refusals():
    # What is no result
    unmarked(None)
    # -> `result` must be a result of a test, what `compute` of paired_perm or … by split … got
    #    None (NoneType)
    unmarked({})
    # -> `result` is an empty dict: it holds no comparison
    unmarked({"a_stat": 1.0})
    # -> `result` … without 'stat'. Pass one result of the combined, without 'a_' in its keys
    unmarked(BOARD)
    # -> `result` … got a Leaderboard. Put its `to_markdown()` into the card: it has several
    unmarked({"test": RESULT, "x": BOARD})
    # -> `result`['x'] must be one result of a test … Put its `to_markdown()` into the card
    unmarked({"test": RESULT, "other": 3})
    # -> `result`['other'] must be one result of a test, got 3 (int).
    unmarked({3: RESULT})
    # -> `result` … a split must be a name, as text, got 3 (int)
    unmarked({" ": RESULT})
    # -> `result` … a split must be a name, as text, got ' '
    unmarked({LONE: RESULT})
    # -> `result` … a split must be a name … 'a\udfffb'
    unmarked({"a b": RESULT, "a  b": RESULT})
    # -> `result` has two splits that read 'a b' in one line: rename one
    # Numbers
    of(EXPECTED, p=None)
    # -> `result`['p'] cannot be None
    of(EXPECTED, p=1.5)
    # -> `result`['p'] cannot be 1.5 (float)
    of(EXPECTED, log_p=0.5)
    # -> `result`['log_p'] cannot be 0.5
    of(EXPECTED, log_p=None, p=0.0)
    # -> `result`['log_p'] cannot be None
    of(EXPECTED, log_p=-1000.0)
    # -> `result`['log_p'] must be the natural logarithm of 'p', 0.25 (float), got -1000.0
    of(EXPECTED, n=4.5)
    # -> `result`['n'] cannot be 4.5
    of(EXPECTED, score1=1e308)
    # -> `result`['score1'] cannot be 1e+308
    of(EXPECTED, n=LONG)
    # -> `result`['n'] cannot be 'xxx … (str)
    of(SAMPLED, n_resamples=0)
    # -> `result`['n_resamples'] cannot be 0
    of(SAMPLED, log_p_low=-math.inf)
    # -> `result`['log_p_low'] cannot be -inf
    of(SAMPLED, seed=-1)
    # -> `result`['seed'] cannot be -1
    of(INTERVAL, confidence_level=2.0)
    # -> `result` … 'confidence_level'] cannot be 2
    # Numbers of a bootstrap
    of(BOOTSTRAP, log_p=-math.inf, p=0.0)
    # -> `result`['log_p'] cannot be -inf
    of(BOOTSTRAP, p=None, log_p=None)
    # -> `result`['p'] cannot be None
    of(BOOTSTRAP, p=False, log_p=None)
    # -> `result`['p'] cannot be False
    of(BOOTSTRAP, p_low=np.timedelta64(0, "s"), log_p_low=None, n_resamples=9)
    # -> `result`['log_p_low'] cannot be None
    of(BOOTSTRAP, score1=None, score2=None)
    # -> `result`['score1'] cannot be None
    of(BOOTSTRAP, stat_low=None)
    # -> `result`['stat_low'] cannot be None
    of(BOOTSTRAP, stat_high=math.inf)
    # -> `result`['stat_high'] cannot be inf
    of(BOOTSTRAP, stat_low=0.9)
    # -> `result`['stat_low'] cannot be 0.9 (float), above 'stat_high', 0.83
    of(BOOTSTRAP, score1_low=3)
    # -> `result`['score1_low'] cannot be 3 (int), above 'score1_high', 1.0
    of(BOOTSTRAP, confidence_level=1.0)
    # -> `result` … _level'] cannot be 1.0
    without(BOOTSTRAP, "score2_high")
    # -> `result`['score2_high'] cannot be None
    # Texts
    of(EXPECTED, alternative="both")
    # -> `result`['alternative'] must be one of 'two-sided', 'greater', 'less', got 'both'
    of(BOOTSTRAP, test="bootstarp")
    # -> `result`['test'] must be one of 'permutation', 'bootstrap', got 'bootstarp'
    without(BOOTSTRAP, "ties")
    # -> `result`['ties'] must be one of 'include', 'exclude', got None
    of(EXPECTED, metric=3)
    # -> `result`['metric'] must be a name, got 3 (int)
    of(EXPECTED, metric=" \n")
    # -> `result`['metric'] must be a name, got ' \n'
    of(EXPECTED, method=None)
    # -> `result`['method'] must be a name, got None
    of(EXPECTED, method=LONE)
    # -> `result`['method'] holds characters that UTF-8 has not, 'a\udfffb' (str). Replace
    without(INTERVAL, "stat_interval")
    # -> `result`['stat_interval'] must be a name, got None
    of(EXPECTED, metric_options=[1])
    # -> `result`['metric_options'] must be a dict, got [1] (list)
    of(EXPECTED, metric_options={LONE: 1})
    # -> `result`['metric_options'] must be options whose values can be printed
    of(EXPECTED, metric_options={"pos_label": [10**5000]})
    # -> `result`['metric_options'] must be options whose values can be printed, in
    # A margin
    of(MARGIN, margin=0.0)
    # -> `result`['margin'] cannot be 0.0
    of(MARGIN, alpha=0.5)
    # -> `result`['alpha'] cannot be 0.5
    of(MARGIN, alternative="greater")
    # -> `result` has a margin, and its 'alternative' is 'greater', not 'two-sided'. Make it
    of(MARGIN, confidence_level=0.95)
    # -> `result`['confidence_level'] must be 1 - 2 alpha = 0.9 where there is a margin, got
    of(MARGIN, metric="loss_of_tomorrow")
    # -> `result`['metric'], 'loss_of_tomorrow', is unknown in this version or has other …
    #    Whether lower is better is then not known, so no statement … Use the version that
    of(MARGIN, metric_options={"of_tomorrow": 1})
    # -> `result`['metric'], 'accuracy', is unknown in this version or has other options
    without(MARGIN, "stat_low", "stat_high")
    # -> `result` has a margin, and no interval: 'stat_low' and 'stat_high'
    of(MARGIN, score1=None, score2=None)
    # -> `result` has a margin, and no scores: 'score1' and 'score2'
    of(OF_BOOTSTRAP, stat_interval="Tango score")
    # -> `result` has a margin, and is not that of a permutation test
    # What goes with a result
    unmarked(RESULT, name1=LONG, name2=f" {LONG}")
    # -> `name1` and `name2` are both 'xxx … … … xxx': name the two systems apart
    unmarked(RESULT, name1="  ")
    # -> `name1` must be a name, as text, or None, got
    unmarked(RESULT, planned=RESULT)
    # -> `planned` must be a PowerResult, of `power`, `examples_needed` or … got Paired
    unmarked({"dev": RESULT, "test": RESULT}, sha256=SUM)
    # -> `sha256` is of one table of counts, and `result` has 2 results: 'dev', 'test'. Report
    (
        with_comparisons(
            f"{PROSE}<details>\n{START}\n{END}\n> {START}\n", "## H", {'"k"': "New.\n\n| t |"}
        )
    )
    # -> could not be read back once written, since HTML or a list … Put <!-- paired_perm:


test_refusals_in_rows = asks(
    refusal(lambda: unmarked(RESULT, sha256=f"{SUM}\n"), "sha256", DIGITS, r"\n' (str)"),
    refusal(lambda: unmarked(RESULT, sha256=f"0x{SUM[2:]}"), "sha256", DIGITS, "'0x"),
    refusal(lambda: unmarked(RESULT, sha256=SUM[:-1]), "sha256", DIGITS, "(str)"),
    refusal(lambda: unmarked(RESULT, sha256="٣" * 64), "sha256", DIGITS, "'٣٣"),
    refusal(lambda: unmarked(RESULT, sha256=int(SUM, 16)), "sha256", DIGITS, "(int)"),
)
