"""What `evaluate` asks of a module, and tests of its own: both modules, from a path and by name."""

import doctest
import importlib
import inspect
from pathlib import Path

import evaluate
import pytest
from evaluate.loading import evaluation_module_factory, import_main_class

from pairedperm.hf import SCORES
from pairedperm.scoring.metric import METRICS
from properties import one_in

METRICS_FOLDER = Path(__file__).parents[2] / "metrics"
COLUMNS = {"predictions1", "predictions2", "references"}
NAMES = ("paired_perm", "paired_bootstrap")
CONFIGURATIONS = (None, SCORES, *METRICS)


@pytest.fixture(params=["path", "name"])
def place(request, registered, monkeypatch, tmp_path):
    """Where `evaluate.load(name)` finds the folders of both modules, or only what is registered."""
    monkeypatch.chdir(METRICS_FOLDER if request.param == "path" else tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_scripts(place, name):
    """No parameter stands for any others; the examples load the module themselves, by its name."""
    script = evaluation_module_factory(name, module_type="comparison").module_path
    parameters = inspect.signature(import_main_class(script)._compute).parameters.values()
    kinds = {parameter.kind for parameter in parameters}
    assert not kinds & {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}
    assert {parameter.name for parameter in parameters} == COLUMNS | {"self"}
    results = doctest.testmod(importlib.import_module(script), raise_on_error=True)
    assert results.failed == 0 < 1 < results.attempted


@one_in(11)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_configuration_describes_itself(place, name, configuration):
    needed = {"beta": 2.0} if configuration == "fbeta" else {}
    module = evaluate.load(name, configuration, module_type="comparison", **needed)
    assert (module.name, module.module_type) == (name, "comparison")
    assert module.config_name == (configuration or "default")
    assert all([module.description, module.citation, module.inputs_description])
    assert module.info.reference_urls
    assert module.inputs_description in type(module).__doc__  # `help` shows it
    columns = COLUMNS - ({"references"} if configuration == SCORES else set())
    alternatives = module.features if isinstance(module.features, list) else [module.features]
    assert alternatives
    assert all({*features} == columns for features in alternatives)
    inspect.signature(module._compute).bind(**dict.fromkeys(columns))  # what evaluate calls
