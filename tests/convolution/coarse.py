"""The core on a worse machine: elementary functions as wrong as the certificate allows.

The modules of the tilted sum are executed anew from their source, with a larger unit of rounding
u, every elementary function off by up to 8 u, and parts of the source edited away. What
the certificate says must hold there too; and where it does not with a term left out, that term
is needed.
"""

import ast
import functools
import importlib
import types
from pathlib import Path
from typing import Any

import numpy as np
import scipy.special

import pairedperm.convolution

FOLDER = Path(pairedperm.convolution.__file__).parent
MODULES = {  # name here -> where it is
    "certified": "certified",
    "law": "law",
    "characteristic": "characteristic",
    "waves": "waves",
    "intervals": "line/intervals",
    "tilted": "line/tilted",
    "resampled_law": "draws/law",
    "resampled": "draws/tail",
    "planar_law": "plane/law",
    "grid_frequencies": "grid/frequencies",
    "planar_series": "plane/series",
    "planar_band": "plane/band",
    "planar_bands": "plane/bands",
}
INEXACT = (
    *("law", "characteristic", "waves", "intervals", "tilted", "certified"),
    *("resampled_law", "resampled"),
    *("planar_law", "planar_series", "planar_band"),
)
ELEMENTARY = ["exp", "log", "expm1", "log1p", "sin", "cos", "tanh", "sinh", "arctan2", "logaddexp"]
COARSE_UNIT = 2.0**-38  # what double precision adds cannot be seen beside it


def machine(seed=None, edits=()):
    """The modules on a machine with errors drawn by `seed` (a good one without).

    `edits` are triples: module, text in its source, what replaces it.
    """
    unit = 2.0**-53 if seed is None else COARSE_UNIT
    edits = [
        ("certified", "UNIT = 2.0**-53", f"UNIT = {unit!r}"),
        ("tilted", "_EXPONENT_SLACK = 2.0**-44", f"_EXPONENT_SLACK = {512 * unit!r}"),
        ("tilted", "PROMISED = 5e-11", "PROMISED = 0.5"),
        ("certified", "MOST_ERROR = 1e-9", "MOST_ERROR = 0.5"),
        ("planar_law", "_BOUND_SLACK = 2.0**-40", f"_BOUND_SLACK = {2**13 * unit!r}"),
        ("planar_bands", "GOAL = 1e-11", f"GOAL = {2**16 * unit!r}"),
        *edits,
    ]
    copies: dict[str, dict[str, Any]] = {}
    for name, path in MODULES.items():
        source = _source(path)
        for module, old, new in edits:
            if module == name:
                assert source.count(old) == 1, f"{old!r} is not in {name}.py, or not once"
                source = source.replace(old, new)
        original = importlib.import_module(f"pairedperm.convolution.{path.replace('/', '.')}")
        namespace: dict[str, Any] = {"__name__": original.__name__}  # dataclasses look it up
        code, own = _compiled(source, name)
        exec(code, namespace)
        namespace["own"] = own
        for copy in copies.values():  # what it imports from another one is that one's copy
            namespace |= {key: copy[key] for key in copy["own"] - own if key in namespace}
        if seed is not None and name in INEXACT:
            _spoil(namespace, name, np.random.default_rng([seed, [*MODULES].index(name)]), unit)
        copies[name] = namespace
    return types.SimpleNamespace(
        **{name: types.SimpleNamespace(**copy) for name, copy in copies.items()}
    )


@functools.cache
def _source(path):
    return (FOLDER / f"{path}.py").read_text("utf-8")


@functools.cache
def _compiled(source, name):
    """Its code, and its own names: most modules are the same on every machine."""
    tree = ast.parse(source)
    return compile(tree, f"{name}.py", "exec"), frozenset(_assigned(tree))


def _assigned(tree):
    """The names that a module gives itself, and does not import."""
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            yield statement.name
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _spoil(namespace, name, rng, unit):
    """Errors of 4 ulp everywhere, of 1 ulp in π and in y, in directions that stay or change."""
    alternates = rng.random() < 0.3

    def off(function):
        sign = rng.choice([-1.0, 1.0])
        factor, other = 1.0 + 8.0 * unit * sign, 1.0 - 8.0 * unit * sign

        def spoilt(*args, **kwargs):
            result = function(*args, **kwargs)
            if isinstance(result, float):
                return float(result * factor)
            if not alternates:
                return result * factor
            factors = np.full(np.shape(result), factor)
            factors.reshape(-1)[1::2] = other
            return result * factors

        return spoilt

    for library in ("np", "math"):
        if library in namespace:
            original = namespace[library]
            spoilt = {
                key: off(getattr(original, key)) for key in ELEMENTARY if hasattr(original, key)
            }
            spoilt["pi"] = original.pi * (1.0 + unit * rng.choice([-1.0, 1.0]))
            everything = {key: getattr(original, key) for key in dir(original)}
            namespace[library] = types.SimpleNamespace(**{**everything, **spoilt})
    if name == "law":
        namespace["expit"] = off(scipy.special.expit)
        exact = namespace["TiltedLaw"].__dict__["y"]
        y_sign = rng.choice([-1.0, 1.0])
        function = exact.func
        exact.func = lambda law: function(law) * (1.0 + unit * y_sign)
