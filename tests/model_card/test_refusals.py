"""What no section of a card is made of, and cards that `update` refuses: it writes nothing then."""

from pathlib import Path

from corpora.cards import PROSE, RESULT, unmarked, untouched, write
from corpora.small import COLUMNS, EXPECTED
from pairedperm import (
    compare,
    compare_many,
    equivalence_test,
    paired_permutation_test,
    structured_permutation_test,
)
from pairedperm.model_card import END, START, eval_result, significance_section
from refusals import refuses

FLIPS = [1] * 95 + [0] * 5, [1] * 93 + [0] * 2 + [1] * 5
MARGIN = equivalence_test(compare(*FLIPS, [1] * 100), margin=0.1).to_dict()
BOOTSTRAP = compare(**COLUMNS, test="bootstrap").to_dict()
INTERVAL = compare(**COLUMNS, confidence_level=0.9).to_dict()
SAMPLED = compare(**COLUMNS, method="monte_carlo", n_resamples=99, rng=0).to_dict()
BOARD = compare_many({"a": [1, 0, 1], "b": [1, 1, 0]}, [1, 1, 1])
SCORES = paired_permutation_test([83, 82, 84], [80, 80, 80])
SUMS = structured_permutation_test([[1], [2]], [[0], [0]], lambda x: x[..., 0])
FIELDS = {"task_type": "t", "dataset_type": "d", "dataset_name": "D"}
HERE, LONG = Path(), "x" * 5000


def of(found, **wrong):
    return unmarked({**found, **wrong})


def without(found, *keys):
    return unmarked({key: x for key, x in found.items() if key not in keys})


def updating(card=PROSE, **options):
    return untouched(write(HERE, card), **options)


def twice():
    """A section with the same comparison twice."""
    section = significance_section(RESULT)
    at = section.index("<!-- paired_perm:comparison")
    return section.replace(END, section[at:])


@refuses
def test_refusals():
    # What is no result
    unmarked(None)
    # -> `result` must be a result of one test, what `compute` of paired_perm or … by split, got
    #    None (NoneType)
    unmarked(BOARD)
    # -> `result` … got a Leaderboard. Put its `to_markdown()` into the card
    unmarked({3: RESULT})
    # -> `result`: its splits must be different names, as texts, got 3 (int)
    unmarked({"a b": RESULT, "a  b": RESULT})
    # -> `result`: its splits must be different names, as texts, got 'a  b'
    # Numbers
    of(EXPECTED, p=None)
    # -> `result`['p'] must be a number from 0 to 1, got None
    of(EXPECTED, log_p=0.5)
    # -> `result`['log_p'] must be a finite number up to 0, or None, got 0.5
    of(EXPECTED, score1=None)
    # -> `result`: one of score1 and score2 is None. Pass it as
    of(EXPECTED, schema_version=2)
    # -> `result`['schema_version'] must be an integer up to 1, which this release reads, got 2
    #    (int). Install the release of pairedperm that wrote the result.
    of(SAMPLED, n_resamples=0)
    # -> `result`['n_resamples'] must be a positive integer, or None, got 0
    without(SAMPLED, "log_p_low")
    # -> `result` lacks 'log_p_low': it must be what `compute` or `to_dict` gave.
    of(SAMPLED, seed=-1)
    # -> `result`['seed'] must be an integer from 0, below 2^1000, or None, got -1
    of(INTERVAL, confidence_level=2.0)
    # -> `result` … 'confidence_level'] must be between 0 and 1 or None, got 2
    # Texts
    of(EXPECTED, alternative="both")
    # -> `result`['alternative'] must be one of 'two-sided', 'greater', 'less', got 'both'
    of(EXPECTED, metric=3)
    # -> `result`['metric'] must be a name, in characters of UTF-8, or None, got 3 (int)
    of(EXPECTED, metric_options=[1])
    # -> `result`['metric_options'] must be a dict of options … or None, got [1] (list)
    of(EXPECTED, metric_options={"pos_label": [10**5000]})
    # -> `result`['metric_options'] must be a dict of options whose values can be printed, in
    # A margin
    of(MARGIN, margin=0.0)
    # -> `result`['margin'] must be a positive number, got 0.0
    of(MARGIN, alpha=0.5)
    # -> `result`['alpha'] must be between 0 and 0.5, got 0.5
    of(MARGIN, metric="loss_of_tomorrow")
    # -> `result`['metric'], 'loss_of_tomorrow', is unknown in this version or has other options
    #    here. Use the version that made the result.
    unmarked(RESULT, name1=LONG, name2=f" {LONG}")
    # -> `name1` and `name2` are both 'xxx … … … xxx': name the two systems apart
    unmarked(RESULT, planned=RESULT)
    # -> `planned` must be a PowerResult, of `power`, `examples_needed` or … got Paired
    # An entry of the metadata
    eval_result({"test": RESULT}, **FIELDS)
    # -> `result` must be a result of one test … got {'test': Paired
    eval_result(SUMS, **FIELDS)
    # -> `result` must have scores, got a statistic without them
    eval_result(SCORES, **FIELDS)
    # -> `metric_type` must be given for scores, which have no metric
    eval_result(RESULT, **FIELDS, name2=3)
    # -> `name2` must be a name, as text, or None, got 3 (int)
    eval_result(RESULT, **FIELDS, source_name="us")
    # -> ValueError: source_url
    # Cards
    untouched(HERE / "no" / "README.md")
    # -> `path`, 'no … README.md', cannot be updated: No such file … Nothing was changed. A card
    #    is a README.md in UTF-8, or a folder with one; it may be empty
    untouched(write(HERE, PROSE) / "README.md", folder=HERE)
    # -> `path`, 'README.md … README.md', cannot be updated: Not a directory
    untouched(None, folder=HERE)
    # -> `path`, 'None', cannot be updated
    untouched("\ud800", folder=HERE)
    # -> `path`, '\ud800'
    updating("# Größe".encode("latin-1"))
    # -> README.md', cannot be updated: 'utf-8' codec
    updating(f"# A\n\n{twice()}\n")
    # -> the card has '<!-- paired_perm:comparison … twice: delete one of the two
    updating(f"a\r{START}\n{END}\n{START}\r\n{END}\n")
    # -> the card must have one section between <!-- paired_perm:start --> and … or none, got 2, the
    #    first two in lines 2 and 4. Delete all but one pair, also in code, and move all
    updating(key=3)
    # -> `key` must be a name, as text, or None, got 3 (int)
    updating(dataset="\ud800")
    # -> `dataset` holds characters that UTF-8 has not, '\ud800'
