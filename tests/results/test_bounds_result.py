"""What is printed and stored of the ends of p."""

import json
import pickle

import pytest

from pairedperm import pvalue_bounds


@pytest.mark.parametrize(
    ("arguments", "options", "lines"),
    [
        (
            (396, 378, 500),
            {},
            [
                "396 against 378 of 500 examples are right: 79.20% against 75.60%",
                "p from 7.63e-6 to 0.258, two-sided",
                "a significant difference at α = 0.05 if at most 74 examples differ, an agreement",
                "  of 85.2% or more",
            ],
        ),
        (
            (20, 2, 20),
            {"alternative": "greater"},
            [
                "20 against 2 of 20 examples are right: 100.00% against 10.00%",
                "p = 3.81e-6, one-sided, greater",
                "a significant difference at α = 0.05",
            ],
        ),
        (
            (17, 14, 20),
            {},
            [
                "17 against 14 of 20 examples are right: 85.00% against 70.00%",
                "p from 0.25 to 0.508, two-sided",
                "no significant difference at α = 0.05, whichever are right",
            ],
        ),
        (
            (1, 0, 1),
            {},
            [
                "1 against 0 of 1 example is right: 100.00% against 0.00%",
                "p = 1, two-sided",
                "no significant difference at α = 0.05",
            ],
        ),
        (
            ("0.79", "0.78", 1319),
            {"accuracies": True},
            [
                "1,036 to 1,048 against 1,023 to 1,035 of 1,319 examples are right",
                "p from 5.96e-8 to 1, two-sided",
                "a significant difference at α = 0.05 for some of these data only",
            ],
        ),
    ],
)
def test_printed(arguments, options, lines):
    found = pvalue_bounds(*arguments, **options)
    assert str(found).splitlines() == lines
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert pickle.loads(pickle.dumps(found)) == found


def test_tables():
    found = pvalue_bounds(17, 14, 20)
    assert found.to_markdown() == (
        "| n | system 1 right | system 2 right | least p | largest p |\n"
        "| :-- | --: | --: | --: | --: |\n"
        "| 20 | 17 | 14 | 0.25 | 0.508 |\n\n"
        "No significant difference at α = 0.05, whichever are right.\n"
    )
    assert found.to_pandas()["largest p"].tolist() == [found.p_high]
