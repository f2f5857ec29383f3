"""What was left out stays out: each line of gone.txt names something that is absent."""

import ast
import importlib.util
import inspect
import re
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import pairedperm
from pairedperm import hf, model_card, plots, readers, scoring
from pairedperm.commands.app import cli
from pairedperm.errors import InputError
from public import found

HERE = Path(__file__).parent
PROJECT = (HERE.parent / "pyproject.toml").read_text(encoding="utf-8")
NAMES = {
    **{name: getattr(pairedperm, name) for name in pairedperm.__all__},
    "hf": hf,
    "model_card": model_card,
    "plots": plots,
    "readers": readers,
    "scoring": scoring,
    "a": [1, 1, 0, 1],
    "b": [0, 1, 0, 0],
    "right": [1, 1, 0, 0],
    "np": np,
    "inspect": inspect,
}


def lines():
    text = (HERE / "gone.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def value_of(tree):
    return eval(compile(ast.Expression(tree), "gone.txt", "eval"), dict(NAMES))


def check_module(path):
    with suppress(ModuleNotFoundError):  # of its room
        assert importlib.util.find_spec(path) is None


def check_attribute(path):
    owner, _, name = path.rpartition(".")
    assert not hasattr(found(owner), name)


def check_option(call):
    """Without its last keyword the same call is accepted, so that nothing else is refused."""
    tree = ast.parse(call, mode="eval").body
    option = tree.keywords[-1].arg
    with pytest.raises((InputError, TypeError), match=re.escape(option)):
        value_of(tree)
    tree.keywords.pop()
    value_of(tree)


def check_key(call_and_key):
    call, _, key = call_and_key.rpartition(" ")
    result = value_of(ast.parse(call, mode="eval").body)
    result = result if isinstance(result, dict) else result.to_dict()
    assert result
    assert key not in result


def check_command(name):
    assert name not in cli.commands


def check_flag(command_and_flag):
    command, flag = command_and_flag.split()
    assert flag not in {x for option in cli.commands[command].params for x in option.opts}


def check_extra(name):
    assert f"\n{name} = [" not in PROJECT


def check_entry(group):
    assert f"\n[project.entry-points.{group}]\n" not in PROJECT


CHECKS = {
    "module": check_module,
    "attribute": check_attribute,
    "option": check_option,
    "key": check_key,
    "command": check_command,
    "flag": check_flag,
    "extra": check_extra,
    "entry": check_entry,
}


@pytest.mark.parametrize("line", lines())
def test_it_is_absent(line):
    kind, _, what = line.partition(" ")
    CHECKS[kind](what)
