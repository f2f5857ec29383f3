"""Values of a stored result that are no numbers or texts are refused by their key."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from corpora.cards import unmarked
from corpora.small import COLUMNS, EXPECTED
from pairedperm import InputError, compare

BOOTSTRAP = compare(**COLUMNS, test="bootstrap").to_dict()
COUNTS = ("n", "n_differing", "n_ignored")
NUMBERS = (*COUNTS, "stat", "p", "log_p", "score1", "score2", "confidence_level")
ENDS = ("stat_low", "stat_high", "score1_low", "score2_high")
TEXTS = ("test", "alternative", "ties", "metric", "method", "metric_options")
STRUCTURED = np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])
NOT_ANYTHING = (
    *(np.array([0.5, 0.25]), np.array(0.5), np.array([]), np.array(["a", "b"]), STRUCTURED),
    *(STRUCTURED[0], np.timedelta64(1, "s"), np.datetime64("2026-11-22"), pd.NA, pd.NaT),
    *([0.5], {1}, pd.Series([1, 0]), pd.DataFrame([[1, 0]]), object(), b"exact", 0.5j),
    np.str_("\ud800"),
)
NO_NUMBERS = (True, np.True_, Decimal("0.5"), float("inf"), np.nan, 10**5000, -(10**400), "0.5")
NO_COUNTS = (0.5, Fraction(1, 2), np.float32(0.5), np.longdouble("1e4000"), -1)


@pytest.mark.parametrize("key", [*NUMBERS, *ENDS, *TEXTS])
def test_another_value_is_refused_by_its_key(key):
    values = NOT_ANYTHING if key in TEXTS else (*NOT_ANYTHING, *NO_NUMBERS, "\ud800")
    for value in (*values, *NO_COUNTS) if key in COUNTS else values:
        with pytest.raises(InputError, match=rf"^`result`\['{key}'\] (cannot|must|holds)") as said:
            unmarked({**BOOTSTRAP, key: value})
        assert len(str(said.value)) < 1000


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
