"""A stored result says what the result said."""

import json
from functools import partial

import numpy as np
import pytest

from pairedperm import compare, equivalence_test, paired_permutation_test
from pairedperm.model_card.facts import read_result

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
TEXTS = ["a b", "c d", "e"]
RESULTS["errors"] = partial(
    compare, TEXTS, ["a", "d c", "f"], TEXTS, "word_error_rate", confidence_level=0.95
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
