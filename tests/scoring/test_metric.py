"""A metric of one's own: its errors, and its options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
import pytest

from pairedperm import InputError, compare
from pairedperm.options import Whole
from pairedperm.scoring import Accuracy, LabelScore, SpanScore
from pairedperm.scoring.counts import stored_metric
from pairedperm.scoring.metric import METRICS

if TYPE_CHECKING:
    from decimal import Decimal


def test_an_error_of_the_metric_itself_is_its_own(monkeypatch):
    """It is not taken for an option that there is not."""

    class Broken(METRICS["f1"]):
        def __post_init__(self):
            raise TypeError("of its own")

    monkeypatch.setitem(METRICS, "f1", Broken)
    with pytest.raises(TypeError, match=r"^of its own$"):
        compare([1], [0], [1], "f1", pos_label=1)


@dataclass(frozen=True, kw_only=True, repr=False)
class Own(Accuracy):
    """With options of every kind."""

    n: Annotated[int, Whole(2)] = 3
    power: Literal[1, 2] = 1
    exact: Decimal | None = None
    names: tuple[str, ...] = ()


def test_options_of_ones_own():
    """What a type says is checked; a type that cannot be resolved, or is none of ours, is not."""
    assert compare([1, 0], [0, 1], [1, 0], Own()).metric_options is None
    found = Own(n=np.int64(4), power=3, exact=1, names=("a",), ignore_label=0)
    assert [*found.options] == ["n", "power", "exact", "names", "ignore_label"]
    assert found.options["n"] == 4
    with pytest.raises(InputError, match=r"^`n` must be an integer from 2, got 1 \(int\)\.$"):
        Own(n=1)


@pytest.mark.parametrize(
    ("base", "kinds"), [(LabelScore, "Precision, Recall, F1"), (SpanScore, "")]
)
def test_a_base_of_metrics_is_none(base, kinds):
    with pytest.raises(TypeError, match=f"{base.__name__} is no metric by itself, .*of {kinds}"):
        base()


def test_no_metric_is_stored_without_a_name():
    assert stored_metric(None, None) is None
