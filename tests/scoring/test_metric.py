"""An error that a metric itself raises."""

import pytest

from pairedperm import compare
from pairedperm.scoring.metric import METRICS


def test_an_error_of_the_metric_itself_is_its_own(monkeypatch):
    """It is not taken for an option that there is not."""

    class Broken(METRICS["f1"]):
        def __post_init__(self):
            raise TypeError("of its own")

    monkeypatch.setitem(METRICS, "f1", Broken)
    with pytest.raises(TypeError, match=r"^of its own$"):
        compare([1], [0], [1], "f1", pos_label=1)
