"""Short names: short, and apart whenever the names are."""

import pytest

from pairedperm.plots.boards import short_names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b" * 24], ["a", "b" * 24]),
        (["x" * 12 + "yyy" + "z" * 12], ["x" * 12 + "…" + "z" * 12]),
        (["line\nbreak"], ["line\\nbreak"]),
        (  # a number is not cut in two
            [f"a-name-that-is-long-{k}-until-the-end" for k in (1, 10)],
            ["…1-until-the-end", "…10-until-the-end"],
        ),
    ],
)
def test_names(names, expected):
    assert short_names(names) == expected


@pytest.mark.parametrize(
    "names",
    [
        ["x" * 40 + "a", "x" * 40 + "b"],
        ["p-" + "x" * 20 + middle + "y" * 20 for middle in ("a", "b", "c")],
        ["x" * 50, "x" * 60],
    ],
)
def test_they_stay_apart(names):
    assert len({*short_names(names)}) == len(names)


def test_one_name_twice_stays_one():
    """As two arguments may be; who asked for names says so."""
    assert short_names(["A", "A"]) == ["A", "A"]
