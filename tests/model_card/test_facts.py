"""A stored result says what the result said; another value is refused by its key."""

import json
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest

from corpora.cards import unmarked
from corpora.small import COLUMNS, EXPECTED
from pairedperm import InputError, compare, equivalence_test, paired_permutation_test
from pairedperm.model_card.facts import read_result

BOOTSTRAP = compare(**COLUMNS, test="bootstrap").to_dict()
NUMBERS = (
    "stat",
    "p",
    "log_p",
    "score1",
    "score2",
    "n",
    "n_differing",
    "n_ignored",
    "confidence_level",
)
ENDS = ("stat_low", "stat_high", "score1_low", "score2_high")
TEXTS = ("test", "alternative", "ties", "metric", "method", "metric_options")
STRUCTURED = np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])
NOT_ANYTHING = (
    *(np.array([0.5, 0.25]), np.array(0.5), np.array([]), np.array(["a", "b"]), STRUCTURED),
    *(
        STRUCTURED[0],
        np.timedelta64(1, "s"),
        np.datetime64("2026-11-22"),
        pd.NA,
        pd.NaT,
        [0.5],
        {1},
    ),
    *(pd.Series([1, 0]), pd.DataFrame([[1, 0]]), object(), b"exact", 0.5j, np.str_("\ud800")),
)
NO_NUMBERS = (True, np.True_, Decimal("0.5"), float("inf"), np.nan, 10**5000, -(10**400))
NO_COUNTS = (0.5, Fraction(1, 2), np.float32(0.5), np.longdouble("1e4000"), -1)


@pytest.mark.parametrize("key", [*NUMBERS, *ENDS, *TEXTS])
def test_another_value_is_refused_by_its_key(key):
    values = NOT_ANYTHING
    if key not in TEXTS:
        values += (*NO_NUMBERS, "0.5", "\ud800")
    if key in ("n", "n_differing", "n_ignored"):
        values += NO_COUNTS
    for value in values:
        with pytest.raises(
            InputError, match=rf"^`result`\['{key}'\] (cannot|must|holds)"
        ) as caught:
            unmarked({**BOOTSTRAP, key: value})
        assert len(str(caught.value)) < 1000


def test_numbers_of_other_types():
    """As those of JSON."""
    whole = unmarked(EXPECTED)
    for key in ("n", "n_differing"):
        for kind in (float, np.float32, np.uint8, np.float16, Fraction):
            assert unmarked({**EXPECTED, key: kind(EXPECTED[key])}) == whole
    for kind in (np.float64, np.longdouble, np.float32, np.float16):
        assert unmarked({**EXPECTED, "p": kind(0.25), "stat": kind(0.5)}) == whole
    assert unmarked({**EXPECTED, "stat": np.float32(3e38)})  # 100 times it is no float32


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "🤗\ud83e"])
def test_lone_surrogates_in_a_label(text):
    section = unmarked({**EXPECTED, "metric_options": {"pos_label": text}})
    assert section.encode("utf-8")  # as Python writes it


def test_p_and_its_logarithm():
    """A card says significant by the one, and prints the other."""
    rounded = unmarked(EXPECTED | {"p": 0.2501})
    assert rounded == unmarked(EXPECTED)
    assert "e-435" in unmarked(EXPECTED | {"p": 0.0, "log_p": -1000.0})


def test_without_a_test_it_is_one_of_permutations():
    assert unmarked({**EXPECTED, "test": "permutation"}) == unmarked(EXPECTED)


def test_white_space_is_one_space():
    found = {**EXPECTED, "metric": "a\n\x1f b", "method": "c\t\r\n", "metric_options": {"d\n": 1}}
    section = unmarked(found)
    assert "| a b (d =1) of this model | 0.83 |" in section
    assert " The c two-sided paired-permutation test gives p" in section


def test_an_interval_says_which_it_is():
    found = compare([1, 0, 1], [0, 0, 1], [1, 1, 1], confidence_level=0.9).to_dict()
    assert read_result(found).confidence_level == 0.9


RNG = np.random.default_rng(4)
RIGHT = RNG.integers(0, 2, 60)
ONE, TWO = (np.where(RNG.random(60) < x, RIGHT, 1 - RIGHT) for x in (0.9, 0.7))
compared = partial(compare, ONE, TWO, RIGHT)
RESULTS = {
    "interval": partial(compared, confidence_level=0.9),
    "one side": partial(compared, alternative="greater", groups=np.arange(60) // 3),
    "f1": partial(compared, "f1", pos_label=1, confidence_level=0.95),
    "sampled": partial(compared, method="monte_carlo", rng=1, confidence_level=0.95),
    "bootstrap": partial(compared, test="bootstrap"),
    "p is 0": partial(compared, test="bootstrap", ties="exclude", alternative="less"),
    "margin": partial(equivalence_test, ONE, TWO, RIGHT, margin=0.3),
    "bare": partial(paired_permutation_test, [1, 0, 1], [0, 0, 0], alternative="less"),
}
WORDS = ["a b", "c d", "e"]
RESULTS["errors"] = partial(
    compare, WORDS, ["a", "d c", "f"], WORDS, "word_error_rate", confidence_level=0.95
)


@pytest.mark.parametrize("name", RESULTS)
def test_as_the_result_says(name):
    result = RESULTS[name]()
    stored = read_result(json.loads(json.dumps(result.to_dict())))
    assert type(stored) is type(result)
    assert str(stored) == str(result)
    assert stored.summary("a", "b", dataset="c") == result.summary("a", "b", dataset="c")


def test_who_leads():
    result = RESULTS["errors"]()
    stored = read_result(result.to_dict())
    for found in (result, stored):
        assert found.lower_is_better()
        assert found.lead() == -found.statistic > 0.0
    assert compared().lead() == compared().statistic
    unknown = read_result(result.to_dict() | {"metric": "errors_of_tomorrow"})
    assert not unknown.lower_is_better()
