"""Every list of metrics is what the script writes from the metrics."""

from importlib import import_module

import pytest

from pairedperm.scoring.metric import METRICS
from scoring.contract import DECLARED
from scoring.metric_lists import (
    CHECKOUT,
    LISTS,
    Listing,
    literals,
    paragraphs,
    reported,
    without_absent,
)

KINDS = list(METRICS.values())


def text_of(listing):
    return (CHECKOUT / listing.path).read_text(encoding="utf-8")


@pytest.mark.parametrize("listing", LISTS, ids=lambda listing: listing.start)
def test_list_is_as_written(listing):
    text = text_of(listing)
    remedy = f"{listing.path}: run python tests/scoring/metric_lists.py"
    assert listing.written(text, KINDS) == text, remedy


def test_every_metric_has_a_contract():
    for path in (CHECKOUT / "tests" / "scoring" / "metrics").glob("test_*.py"):
        import_module(f"scoring.metrics.{path.stem}")
    assert METRICS.keys() <= DECLARED, "declare a Contract in tests/scoring/metrics/"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_metric_says_how_it_is_reported(kind):
    """As its class knows it: results and cards use that."""
    assert paragraphs(kind)[0].endswith(".")
    found = reported(kind)
    assert found.unit == {"percent": "percentage"}.get(kind.unit, kind.unit)
    assert found.better == ("lower" if kind.lower_is_better else "higher")


def test_classes_that_are_not_there_any_more():
    text = text_of(LISTS[0])
    assert without_absent(text) == text
    gone = "from pairedperm.scoring.metrics.{} import {} as {}\n".format
    broken = text + gone("accuracy", "Accurate", "Accurate") + gone("gone", "Accuracy", "Accuracy")
    assert without_absent(broken) == text


@pytest.mark.parametrize("text", ["", "# start\n", 2 * "# start\n# end\n"])
def test_marks_are_needed(text):
    listing = Listing("some.py", "# start", "# end", literals)
    with pytest.raises(ValueError, match=r"some\.py has [02] lists between '# start'"):
        listing.written(text, KINDS)
