"""What a Verification says: confirmed, consistent, refuted; and of numbers that were altered."""

import copy
import json
import math
import random
import warnings
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from operator import getitem

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.published import sealed
from oracles import ratios, reals, swaps
from pairedperm import InputError, compare, paired_permutation_test, publish, verify
from properties import cases, one_in


def through_json(result):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the table holds the scores of single examples")
        return json.loads(json.dumps(publish(result), allow_nan=False))


def changed(published, path, value):
    """A copy with one entry replaced."""
    found = copy.deepcopy(published)
    here = found
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return found


def entries(found, path=()):
    """The paths of all values, of those that hold others too."""
    items = found.items() if isinstance(found, dict) else enumerate(found)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from entries(value, (*path, key))


RIGHT = [*"xyzxyzxyzx"]
ONE, TWO = [*"xyzxyyxyzx"], [*"xxzzxzyyzz"]  # right on 9 and 4, of which 3 together
GROUPS = [0, 0, 1, 2, 3, 3, 4, 5, 6, 6]
SCORES = [[0.25, 0.5, 1.0, 0.75, 0.5, 0.1], [0.5, 0.25, 0.25, 0.5, 0.4, 0.3]]
REALS = [[2**0.5, 3**0.5, 0.1, 5**0.5, 0.7], [0.5, 1.25, 0.3, 2.0, 7**0.5 / 5]]
FLIPS = compare(ONE, TWO, RIGHT)
FLIPPED = through_json(FLIPS)
SIGNS = [(a == c) - (b == c) for a, b, c in zip(ONE, TWO, RIGHT, strict=True)]
IS_X = [[x == "x" for x in column] for column in (ONE, TWO, RIGHT)]
RATIOS = [(2 * (a & c), a + c, 2 * (b & c), b + c) for a, b, c in zip(*IS_X, strict=True)]
STEPS = [round(20 * (a - b)) for a, b in zip(*SCORES, strict=True)]


def of_groups(alternative):
    sums = [sum(s for s, g in zip(SIGNS, GROUPS, strict=True) if g == k) for k in {*GROUPS}]
    return swaps.pvalue(sums, alternative)


KINDS = {  # what is published, and the true p of an alternative
    "accuracy": (FLIPPED, lambda side: swaps.pvalue(SIGNS, side)),
    "groups": (through_json(compare(ONE, TWO, RIGHT, groups=GROUPS)), of_groups),
    "f1": (
        through_json(compare(ONE, TWO, RIGHT, "f1", pos_label="x")),
        lambda side: ratios.pvalue(RATIOS, side),
    ),
    "scores": (
        through_json(paired_permutation_test(*SCORES)),
        lambda side: swaps.pvalue(STEPS, side),
    ),
    "reals": (
        through_json(compare(*REALS, None, "mean_score", of="judge", method="bracket")),
        lambda side: reals.pvalue(*REALS, side),
    ),
}
of_kinds = pytest.mark.parametrize("kind", KINDS)


# Each status, in words


def lines(found):
    said = str(found)
    assert repr(found) == said
    assert max(map(len, said.splitlines())) <= 80
    return said.splitlines()


def sampled(seed, n_resamples=999):
    rng = random.Random(1)
    columns = [[rng.choice("xyz") for _ in range(2000)] for _ in range(3)]
    options = {"method": "monte_carlo", "rng": seed, "n_resamples": n_resamples}
    return compare(*columns, "f1", average="macro", **options)


def test_confirmed():
    """Of 6 examples that differ 5 are won: 14 / 2^6."""
    found = verify(FLIPPED)
    assert lines(found) == [
        "CONFIRMED: p as recomputed lies in the stated interval.",
        "accuracy: 90.00% against 50.00%",
        "10 examples, 6 differ",
        "stated by 'exact': p = 0.219 (certified: 0.21875 to 0.21875)",
        "recomputed by 'enumeration': p = 0.21875 = 7/32",
        "SHA-256 of the table:",
        f"  {found.sha256}",
    ]
    assert (found.status, found.exit_code, found.fraction) == ("confirmed", 0, Fraction(7, 32))


def test_consistent():
    found = verify(through_json(paired_permutation_test(*REALS, method="enumeration")))
    said = lines(found)
    assert said[0] == (
        "CONSISTENT: the interval of p as recomputed meets the stated one, and is wider."
    )
    assert any(x.startswith("recomputed by 'bracket': p = ") for x in said)
    assert (found.status, found.exit_code, found.fraction) == ("consistent", 0, None)


def test_refuted():
    found = verify(changed(FLIPPED, ("result", "score1"), 0.95))
    said = lines(found)
    assert said[0] == "REFUTED: the table does not give what was stated."
    assert said[1] == "score1 is 0.9 and was stated as 0.95"
    assert found.differing == (said[1],)
    assert (found.status, found.exit_code) == ("refuted", 1)


def test_a_sample_and_groups():
    result = compare(ONE, TWO, RIGHT, groups=GROUPS, method="monte_carlo", rng=1)
    said = "\n".join(lines(verify(publish(result))))
    assert "\n10 examples in 7 groups, " in said
    assert "\nstated by 'monte_carlo': p = " in said
    assert " (99% interval: " in said


ONLY = "No other engine fits the budget: this is the one that gave the stated p"


def test_another_sample():
    """Of an average over classes of many examples nothing but samples fit."""
    found = verify(publish(sampled(seed=3)))
    assert f"{ONLY}, with another seed. Not checked: 'seed'. SHA" in " ".join(str(found).split())
    assert (found.status, found.result.method) == ("confirmed", "monte_carlo")


@pytest.mark.thorough
def test_the_bracket_again():
    """Of more than 44 real scores nothing else fits."""
    rows = [[math.sqrt(k * j % 97 + k) for k in range(54)] for j in (3, 7)]
    found = verify(through_json(paired_permutation_test(*rows)))
    assert f"{ONLY}. SHA" in " ".join(str(found).split())
    assert (found.status, found.result.method) == ("confirmed", "bracket")


def test_the_seed_is_another():
    result = sampled(seed=27, n_resamples=10**5)
    found = verify(publish(result))
    assert found.result.seed != result.seed
    assert found.result.pvalue != result.pvalue


@of_kinds
def test_to_dict_is_ready_for_json(kind):
    found = verify(KINDS[kind][0])
    said = found.to_dict()
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    names = ("status", "differing", "unchecked", "stated", "recomputed", "fraction")
    assert tuple(said) == (*names, "same_engine", "sha256", "schema_version")
    version = {"schema_version": 1}  # once, for all
    assert said["stated"] | version == KINDS[kind][0]["result"]
    assert said["recomputed"] | version == found.result.to_dict()
    assert Fraction(said["fraction"]) == KINDS[kind][1]("two-sided")


# A table that was altered


@pytest.mark.parametrize("shift", [1, 2, 40])
@of_kinds
def test_any_number_of_the_table(kind, shift):
    """Another number has another sum, unless it cannot be at all."""
    published, _ = KINDS[kind]
    columns = ("rows1", "rows2", "multiplicities", "sizes", "decimals", "unit", "n_ignored")
    paths = [x for x in entries(published) if x[0] in columns]
    paths = [x for x in paths if isinstance(reduce(getitem, x, published), (int, float))]
    assert len(paths) > 9
    for path in paths:
        altered = changed(published, path, reduce(getitem, path, published) + shift)
        with pytest.raises(InputError, match=r"altered|must be at most 18"):
            verify(altered)


@of_kinds
def test_the_whole_table_and_its_sum(kind):
    """Who alters the sum too is caught by the card's."""
    forged = through_json(compare(RIGHT, TWO, RIGHT))
    assert verify(forged).status == "confirmed"
    published, _ = KINDS[kind]
    assert verify(published, sha256=published["sha256"]).status == "confirmed"
    with pytest.raises(InputError, match="`published` was altered: the SHA-256 of its table is "):
        verify(forged, sha256=published["sha256"])


# A result that was altered


def stating(**stated):
    return FLIPPED | {"result": FLIPPED["result"] | stated}


@pytest.mark.parametrize(
    "stated",
    [
        {"p_high": math.inf, "log_p_high": math.inf},
        {"p_low": -math.inf},
        {"p_low": 10**400},
        {"n": 10**400},
        {"log_p": 1000.0},
        {"log_p_high": 710},
        {"p": 0.0, "p_low": 0.0},
        {"p_high": 1e-310},
    ],
    ids=lambda x: str(x)[:30],
)
def test_numbers_that_are_none_of_p(stated):
    """An InputError, or a refutation that prints."""
    with suppress(InputError):
        found = verify(stating(**stated))
        assert found.status == "refuted"
        lines(found)


NUMBERS = st.integers(-3, 99) | st.floats(-99.0, 1.0) | st.sampled_from([500, 1e-300])
WORDS = st.sampled_from(["", "f1", "accuracy", "less", "enumeration", "confidence", "x"])
PLAIN = st.none() | st.booleans() | NUMBERS | WORDS


VALUES = st.recursive(
    PLAIN, lambda x: st.lists(x, max_size=4) | st.dictionaries(WORDS, x, max_size=3)
)


def check(published, kind):
    """Refused, or answered in words, and never a wrong interval confirmed."""
    try:
        found = verify(published)
    except InputError:
        return
    lines(found)
    json.dumps(found.to_dict())
    if found.status == "confirmed" and found.sha256 == KINDS[kind][0]["sha256"]:
        truth = KINDS[kind][1](found.stated["alternative"])
        assert Fraction(found.stated["p_low"]) <= truth <= Fraction(found.stated["p_high"])
        assert found.fraction in (None, truth)


@one_in(2)
@of_kinds
@cases(1.0)
@given(st.data())
def test_any_entry(kind, data):
    """Replaced by any value, with its own sum or the old one; see above for the options."""
    published = KINDS[kind][0]
    paths = [x for x in entries(published) if x[0] != "metric_options"]
    found = changed(published, data.draw(st.sampled_from(paths)), data.draw(VALUES))
    check(sealed(found) if data.draw(st.booleans()) else found, kind)
