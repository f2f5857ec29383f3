"""What `compare` takes: few options, a metric by its name or as an object, and help that fits."""

import inspect
import pydoc
import re
from dataclasses import fields
from typing import get_type_hints

import pytest

from pairedperm import (
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    paired_counts,
)
from pairedperm.hf import PairedComparison, compare_dataset, predict_and_compare
from pairedperm.options import Options
from pairedperm.scoring.metric import METRICS
from properties import one_in


def test_options_are_few_and_the_same():
    """`compare` spells those of the test; every door takes the others by `**`, as it does."""
    names = [*inspect.signature(compare).parameters][4:]  # behind columns and metric
    options = [x.name for x in fields(Options)]
    others = {"ignore_label", "groups", "metric_options"}
    assert {*names} == {*options, *others}, "a field of `Options` stands in `compare` too"
    for door in (compare, PairedComparison.compute, predict_and_compare):
        told = {*re.findall(r"\w+", inspect.getdoc(door))}
        assert {*options} <= told, door.__name__
    for door in (
        *(compare, compare_dataset, predict_and_compare, compare_many, compare_suite),
        *(compare_suites, paired_counts),
    ):
        *_, last = inspect.signature(door).parameters.values()
        assert last.kind is last.VAR_KEYWORD, door.__name__
        assert last.name in get_type_hints(door), door.__name__


@one_in(5)
@pytest.mark.parametrize("kind", METRICS.values(), ids=lambda kind: kind.name)
def test_classes_have_the_metrics_own_options(kind):
    """In their signature, which help shows."""
    assert tuple(inspect.signature(kind).parameters) == kind.takes()
    shown = pydoc.plain(pydoc.render_doc(kind))
    assert all(f"{option}: " in shown for option in kind.takes())
