"""What `compare` takes: few options, a metric by its name or as an object, and help that fits."""

import inspect
import re
from dataclasses import fields
from typing import get_type_hints

from pairedperm import (
    compare,
    compare_many,
    compare_suite,
    compare_suites,
    paired_counts,
)
from pairedperm.hf import PairedComparison, compare_dataset, predict_and_compare
from pairedperm.options import Options


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
