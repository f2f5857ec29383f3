"""`pairedperm bounds`: two scores, accuracies, and tables of them."""

import json

import pytest

from pairedperm import neighbour_bounds, pvalue_bounds


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("396 378 --n 500", pvalue_bounds(396, 378, 500)),
        ("--accuracies 0.792 75.6% -n 500", pvalue_bounds(396, 378, 500)),
        (
            "--accuracies 0.790 0.75 --n 500 --alpha 0.01 --alternative less",
            pvalue_bounds("0.790", "0.75", 500, accuracies=True, alpha=0.01, alternative="less"),
        ),
        ("396 378 --n 500 --agreement 0.904", pvalue_bounds(396, 378, 500, agreement="0.904")),
    ],
)
def test_two(said, found, given, expected):
    assert said("bounds", *given.split()) == f"{expected}\n"
    assert found("bounds", *given.split()) == json.loads(json.dumps(expected.to_dict()))
    out = said("bounds", *given.split(), "--markdown")
    assert out.rstrip("\n") == expected.to_markdown().rstrip("\n")


@pytest.mark.parametrize(
    ("given", "systems", "options"),
    [
        ("a=396 b=378", {"a": 396, "b": 378}, {}),
        ("310 396 378", {"system 1": 310, "system 2": 396, "system 3": 378}, {}),
        (
            "x=y=0.79 b=75% --accuracies --alpha 0.1",
            {"x=y": "0.79", "b": "75%"},
            {"accuracies": True, "alpha": 0.1},
        ),
    ],
)
def test_tables(said, found, given, systems, options):
    expected = neighbour_bounds(systems, 500, **options)
    out = said("bounds", *given.split(), "--n", "500")
    assert out == f"{expected}\n"
    assert max(map(len, out.splitlines())) <= 80
    assert found("bounds", *given.split(), "--n", "500") == json.loads(
        json.dumps(expected.to_dict())
    )


NO_INTEGER = " For accuracies, set `--accuracies`."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("3 4", "give the number of examples: --n. Try 'pairedperm bounds --help'."),
        (
            "3 x --n 5",
            "the second score must be an integer from 0 to `--n`, 5, got 'x'." + NO_INTEGER,
        ),
        ("3 --n 5", "SCORES must hold at least 2, got 1: 'system 1'."),
        (
            "a=3 b=x --n 5",
            "SCORES['b'] must be an integer from 0 to `--n`, 5, got 'x'." + NO_INTEGER,
        ),
        (
            "3 4 5 --n 5 --agreement 1",
            "--agreement and --alternative are for two scores without names: leave them out. Try "
            "'pairedperm bounds --help'.",
        ),
        (
            "396 378 --n 500 --agreement 0.902",
            "`--agreement` must be 1 - m / 500 for an even m from 18 to 226, got '0.902'.",
        ),
        ("3 4 --n 0", "`--n` must be an integer from 1 to 10,000,000, got 0."),
    ],
)
def test_refusals(refused, given, message):
    assert refused("bounds", *given.split()) == message
