"""Every declared option refuses what its declaration says, in the declaration's words."""

import importlib
import pkgutil
from dataclasses import MISSING, fields
from inspect import Parameter, signature

import pytest

import pairedperm
from pairedperm import Budget, InputError
from pairedperm.errors import describe
from pairedperm.options import (
    Interval,
    OneOf,
    Options,
    Text,
    Whole,
    YesNo,
    declared,
    reads_options,
)
from pairedperm.readers.files import ReadOptions
from pairedperm.scoring.metric import METRICS
from wrong_values import right_values, wrong_values

READER = reads_options(lambda: None).__code__


def doors():
    """The functions and methods that read declared options, by name."""
    for module in pkgutil.walk_packages(pairedperm.__path__, "pairedperm."):
        if module.name != "pairedperm.__main__":
            there = vars(importlib.import_module(module.name))
            own = [x for x in there.values() if getattr(x, "__module__", None) == module.name]
            methods = [y for x in own if isinstance(x, type) for y in vars(x).values()]
            for x in own + methods:
                if getattr(x, "__code__", None) is READER:
                    yield f"{module.name}.{x.__qualname__}", x


def called(function):
    """Call it with this option; what else it needs is nothing that it could use."""
    found = declared(function.__wrapped__)
    needed = {
        name: next(right_values(found[name]))[0] if name in found else None
        for name, x in signature(function.__wrapped__).parameters.items()
        if x.default is Parameter.empty and x.kind is not Parameter.VAR_KEYWORD
    }
    return lambda option, value: function(**needed | {option: value})


def made(kind):
    """Make an object of the kind with this option."""
    needed = {x.name: 1 for x in fields(kind) if x.init and x.default is MISSING}
    return lambda option, value: kind(**needed | {option: value})


KINDS_OF_DATA = (OneOf, Interval, Whole, YesNo, Text)
KINDS = [Options, Budget, ReadOptions, *METRICS.values()]
DECLARED = [(x.__name__, made(x), declared(x)) for x in KINDS]
DECLARED += [(name, called(x), declared(x.__wrapped__)) for name, x in doors()]
CASES = [
    pytest.param(call, option, constraint, id=f"{name.rpartition('.')[2]}-{option}")
    for name, call, found in DECLARED
    for option, constraint in found.items()
    if isinstance(constraint, KINDS_OF_DATA)  # a seed and a budget are asked in test_options.py
]


@pytest.mark.parametrize(("call", "option", "constraint"), CASES)
def test_what_is_refused(call, option, constraint):
    words = constraint.words or constraint.own_words
    for value in wrong_values(constraint):
        with pytest.raises(InputError) as caught:
            call(option, value)
        message = str(caught.value)
        assert message.startswith(f"`{option}` must be {words}")
        assert f", got {describe(value)}." in message
        assert message.endswith(str(constraint.remedy))


@pytest.mark.parametrize(("call", "option", "constraint"), CASES)
def test_what_is_taken(call, option, constraint):
    for value, kept in right_values(constraint):
        found = constraint.read(option, value)
        assert found == kept
        assert type(found).__module__ == "builtins" or constraint.is_exact


def test_every_kind_of_declaration_is_there():
    assert {type(x).__name__ for _, _, found in DECLARED for x in found.values()} >= {
        *("OneOf", "Interval", "Whole", "YesNo", "Text", "_Seed", "_BudgetOrDict")
    }
    assert len(CASES) > 90
