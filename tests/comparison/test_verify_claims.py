"""What a published result claims: each claim is compared, or said to be unchecked."""

import copy
import json
import math
import random
import warnings
from contextlib import suppress

import pytest

from pairedperm import InputError, compare, paired_permutation_test, publish, verify
from pairedperm.results.permutation_result import with_interval

pytestmark = pytest.mark.filterwarnings("ignore:the table holds the scores of single examples")
RIGHT = [*"xyzxyzxyzx"]
ONE, TWO = [*"xyzxyyxyzx"], [*"xxzzxzyyzz"]  # right on 9 and 4, of which 3 together
GROUPS = [0, 0, 1, 2, 3, 3, 4, 5, 6, 6]
SCORES = [[1, 2, 4, 3, 2, 5], [2, 1, 1, 2, 3, 3]]
REALS = [[2**0.5, 3**0.5, 0.1, 5**0.5, 0.7], [0.5, 1.25, 0.3, 2.0, 7**0.5 / 5]]


def published(result):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the table holds the scores of single examples")
        return json.loads(json.dumps(publish(result), allow_nan=False))


def stating(found, **stated):
    return copy.deepcopy(found) | {"result": found["result"] | stated}


FLIPPED = published(compare(ONE, TWO, RIGHT))
TANGO = {"confidence_level": 0.95, "stat_interval": "Tango score"}


def of_p(**numbers):
    return numbers | {f"log_{name}": math.log(p) for name, p in numbers.items()}


@pytest.mark.parametrize(
    ("stated", "differing"),
    [
        (of_p(p=0.9, p_high=0.9), "p is 0.21875 and was stated as 0.9"),
        (of_p(p=0.21, p_low=0.2, p_high=0.3), "p is 0.21875 and was stated as 0.21"),
        (of_p(p_high=0.3), "p_low and p_high are 0.21875 to 0.21875, and were stated wider"),
        (of_p(p_low=0.2), "p_low and p_high are 0.21875 to 0.21875, and were stated wider"),
        (of_p(p_low=0.22), "p is not in its interval"),
        ({"p": 0.2}, "log_p is not the logarithm of p"),
        ({"seed": 1}, "seed is 1 beside a p that is exact"),
        ({"n_resamples": 99}, "n_resamples is 99 beside a p that is exact"),
        ({"method": "monte_carlo"}, "method is 'monte_carlo', and interval is 'certified'"),
        ({"interval": "confidence"}, "method is 'exact', and interval is 'confidence'"),
        ({"alternative": "less"}, "p is 0.984375 and was stated as 0.21875"),
        ({"metric": "f1"}, "metric is 'accuracy' and was stated as 'f1'"),
        ({"n": 11}, "n is 10 and was stated as 11"),
        ({"n_groups": 10}, "n_groups is None and was stated as 10"),
        ({"stat": 0.4 + 1e-9}, "stat is 0.4 and was stated as 0.400000001"),
        ({"n_wins": 4}, "n_wins is 5 and was stated as 4"),
        ({"standard_error": 0.1}, "standard_error is 0.22110831935702666 and was stated as 0.1"),
        (TANGO | {"stat_low": 0.1}, "stat_low is -0.0"),
        (TANGO | {"stat_low": None}, "stat_low is -0.0"),
    ],
    ids=str,
)
def test_contradictions(stated, differing):
    """Whatever the stated interval is, p is recomputed and compared, and so is each other claim."""
    found = verify(stating(FLIPPED, **stated))
    assert (found.status, found.exit_code) == ("refuted", 1)
    assert any(x.startswith(differing) for x in found.differing), found.differing


def all_keys(result):
    """The published result, with the whole dict and what it is about."""
    whole = {"test": "permutation", **with_interval(result).to_dict(), "p_adjusted": 0.5}
    known = json.loads(json.dumps(whole))
    found = published(result)
    return found | {"result": known | found["result"]}


WHOLE = {
    "accuracy": all_keys(compare(ONE, TWO, RIGHT)),
    "f1": all_keys(compare(ONE, TWO, RIGHT, "f1", pos_label="x")),
    "groups": all_keys(compare(ONE, TWO, RIGHT, groups=GROUPS)),
    "tiny": all_keys(paired_permutation_test(*[[x * 1e-15 for x in row] for row in SCORES])),
    "huge": all_keys(paired_permutation_test(*[[x * 10.0**12 for x in row] for row in SCORES])),
    "sampled": all_keys(compare(ONE, TWO, RIGHT, method="monte_carlo", rng=1)),
}
RESAMPLED = {"confidence_level", "stat_low", "stat_high", "stat_interval"}
WINS = {"n_wins", "n_losses", "n_ties"}
UNTOLD = {"accuracy": set(), "sampled": {"seed"}, "groups": RESAMPLED | WINS}


@pytest.mark.parametrize("kind", WHOLE)
def test_each_claim(kind):
    """Any claim that is stating is refused, refuted, or said to be unchecked."""
    stated = WHOLE[kind]["result"]
    found = verify(WHOLE[kind])
    assert found.status in ("confirmed", "consistent")
    assert {*found.unchecked} == {"test", "p_adjusted"} | UNTOLD.get(kind, RESAMPLED)
    for name in stated.keys() - {*found.unchecked, "method"}:
        value = stated[name]
        others = [1, "x"] if value is None else [None, "x"]
        if isinstance(value, (int, float)):
            others += [value * 1.0001, value * 0.9999, -value, *([value + 1] if value < 99 else [])]
        for other in others:
            if other == value or (other is None and name not in found.stated):
                continue  # None claims nothing there
            with suppress(InputError):
                said = verify(stating(WHOLE[kind], **{name: other}))
                assert said.status == "refuted" or name in said.unchecked, (name, other)


def test_what_is_unchecked_is_said():
    found = verify(WHOLE["sampled"])
    assert "\nNot checked: 'test', 'p_adjusted', 'seed'.\n" in str(found)


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("method", ["bracket", "enumeration"])
def test_any_p_in_the_interval_of_its_method(method, end):
    """Also its lower end, which is not the p that a result gives."""
    found = published(paired_permutation_test(*REALS, method=method))
    stated = found["result"]
    name = ("p_low", "p_high")[end]
    stated |= {"p": stated[name], "log_p": stated[f"log_{name}"]}
    assert verify(found).status in ("confirmed", "consistent")
    stated |= of_p(p=stated["p_high"] * 1.01, p_high=stated["p_high"] * 1.01)
    assert verify(found).status == "refuted"


def test_a_sample_without_an_extreme_swap():
    """The lower end of its interval is 2^-30."""
    result = compare([1] * 30, [0] * 30, [1] * 30, method="monte_carlo", rng=0)
    assert result.pvalue_interval[0] == 2.0**-30
    assert verify(publish(result)).status == "confirmed"


def test_p_of_a_method_that_does_not_fit():
    """The budget of the published result was larger; p is compared all the same."""
    rng = random.Random(2)
    columns = [[rng.randrange(10**12) / 10**12 for _ in range(40)] for _ in range(2)]
    result = published(paired_permutation_test(*columns, method="enumeration"))
    found = verify(stating(result, method="fft"))
    assert found.status == "confirmed"
    assert found.unchecked == ("method", "p_low", "p_high")
    for p in (of_p(p_low=1e-9, p_high=1.0), of_p(p=0.99, p_high=0.99)):
        assert verify(stating(result, method="fft", **p)).status == "refuted"


def test_an_interval_that_the_table_gives_another_way():
    """Of groups a table holds sums, which may have an interval of another kind."""
    result = compare([*"xxy"], [*"xyx"], [*"xxy"], "f1", pos_label="x", groups=[0, 1, 1])
    found = verify(all_keys(result))
    assert found.status == "confirmed"


def test_intervals_of_every_kind():
    """The exact one and Tango's; one that a score cannot have is told."""
    again = compare(ONE, TWO, RIGHT)
    exact = again.confidence_interval(0.95)
    tango = again.confidence_interval(0.95, kind="Tango score")
    for low, high, kind in ((*exact, "exact"), (*tango, "Tango score")):
        interval = {"confidence_level": 0.95, "stat_interval": kind, "stat_low": low}
        stated = stating(FLIPPED, **interval, stat_high=high)
        assert not verify(stated).differing
        (told,) = verify(stating(stated, stat_low=low - 0.01)).differing
        assert told.startswith("stat_low is ")
    f1 = published(compare(ONE, TWO, RIGHT, "f1", average="macro"))
    for kind in ("exact", "guaranteed"):
        told = verify(stating(f1, confidence_level=0.95, stat_interval=kind)).differing
        assert f"stat_interval is 'studentised bootstrap' and was stated as '{kind}'" in told
