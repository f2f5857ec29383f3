"""`pairedperm bounds`: two scores, accuracies, and refusals."""

import json

import pytest

from pairedperm import pvalue_bounds


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("396 378 --n 500", pvalue_bounds(396, 378, 500)),
        ("79.2% 0.756 -n 500", pvalue_bounds(396, 378, 500)),
        ("--accuracies 0.792 75.6% -n 500", pvalue_bounds(396, 378, 500)),
        (
            "--accuracies 0.790 0.75 --n 500 --alpha 0.01 --alternative less",
            pvalue_bounds("0.790", "0.75", 500, accuracies=True, alpha=0.01, alternative="less"),
        ),
    ],
)
def test_two(said, found, given, expected):
    assert said("bounds", *given.split()) == f"{expected}\n"
    assert found("bounds", *given.split()) == json.loads(json.dumps(expected.to_dict()))
    out = said("bounds", *given.split(), "--markdown")
    assert out.rstrip("\n") == expected.to_markdown().rstrip("\n")


NO_INTEGER = " For accuracies, set `--accuracies`."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("3 4", "give the number of examples: --n. Try 'pairedperm bounds --help'."),
        (
            "3 x --n 5",
            "the second score must be an integer from 0 to `--n`, 5, got 'x'." + NO_INTEGER,
        ),
        (
            "a=3 4 --n 5",
            "the first score must be an integer from 0 to `--n`, 5, got 'a=3'." + NO_INTEGER,
        ),
        ("3 --n 5", "Missing argument 'SCORE2'. Try 'pairedperm bounds --help'."),
        ("3 4 --n 0", "`--n` must be an integer from 1 to 10,000,000, got 0."),
    ],
)
def test_refusals(refused, given, message):
    assert refused("bounds", *given.split()) == message
