"""How systems are named where their logs do not name them."""

import pytest

from pairedperm.readers.log import Run, system_names


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (("a/x.csv", "b/x.csv"), ("a", "b")),
        (("a/x.csv", "b/y.csv"), ("x", "y")),
        (("candidate/out/1/x.eval", "baseline/out/1/x.eval"), ("candidate", "baseline")),
        (("new/run/x.csv", "old/run/x.csv", "worse/run/x.csv"), ("new", "old", "worse")),
        (("new/2026-11-24T15-05/x.eval", "old/2026-11-25/y.eval"), ("new", "old")),
        (("a/new/x.csv", "b/new/x.csv", "b/old/x.csv"), ("a/new/x", "b/new/x", "b/old/x")),
        (("x.csv", "old/x.csv"), ("x", "old")),
        (("a/2026.eval", "b/2026.eval"), ("a", "b")),
    ],
)
def test_systems_are_named_by_the_nearest_folder(paths, names):
    """One that all systems have another of; of dates and numbers only if there is no other."""
    for order in (slice(None), slice(None, None, -1)):
        kind = "inspect" if paths[0].endswith("eval") else "csv"
        runs = [Run(path=x, format=kind, ids=[]) for x in paths[order]]
        assert system_names(runs) == [*names[order]]


@pytest.mark.parametrize(
    ("models", "names"),
    [(("m1", "m2"), ["m1", "m2"]), (("m", "m"), ["a", "b"]), (("m", ""), ["a", "b"])],
)
def test_systems_are_named_by_models_that_differ(models, names):
    runs = [
        Run(path=f"{x}/x.csv", format="csv", ids=[], model=y)
        for x, y in zip("ab", models, strict=True)
    ]
    assert system_names(runs) == names
