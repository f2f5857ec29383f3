"""Every list of metrics is what the script writes from the metrics."""

from importlib import import_module

import pytest

from pairedperm.scoring.metric import METRICS
from scoring.contract import DECLARED
from scoring.metric_lists import CHECKOUT, LISTS, paragraphs, reported

KINDS = list(METRICS.values())


@pytest.mark.parametrize("listing", LISTS, ids=lambda listing: listing.start)
def test_list_is_as_written(listing):
    text = (CHECKOUT / listing.path).read_text(encoding="utf-8")
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
