"""Short names: short, and apart whenever the names are."""

import pytest

from pairedperm.plots.boards import short_names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b" * 24], ["a", "b" * 24]),
        (["x" * 12 + "yyy" + "z" * 12], ["x" * 12 + "…" + "z" * 12]),
        (["line\nbreak"], ["line\\nbreak"]),
        (["A", "A"], ["A", "A"]),  # as two arguments may be; who asked for names says so
        (  # a number is not cut in two
            [f"a-name-that-is-long-{k}-until-the-end" for k in (1, 10)],
            ["…1-until-the-end", "…10-until-the-end"],
        ),
        (["x" * 40 + "a", "x" * 40 + "b"], None),
        (["p-" + "x" * 20 + middle + "y" * 20 for middle in ("a", "b", "c")], None),
        (["x" * 50, "x" * 60], None),
    ],
)
def test_names(names, expected):
    """They stay apart, where it does not matter which they are."""
    assert len({*short_names(names)}) == len({*names})
    assert expected in (None, short_names(names))
