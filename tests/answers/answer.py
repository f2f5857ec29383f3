"""A named call, and its answer as plain JSON."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import math
import re
import tempfile
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import pairedperm
from answers import package

PACKAGE = Path(pairedperm.__file__).resolve().parent
HERE = Path(__file__).resolve().parents[2]  # the checkout of the calls, whatever package runs
# the scripts of the modules: inside an installed package, beside the package in a checkout
METRICS = next(x for x in (PACKAGE / "metrics", PACKAGE.parent / "metrics") if x.is_dir())
ADDRESS = re.compile(r"(0x|(?<=\.\.\.x))[0-9a-f]{8,}")  # also of a repr that was cut
ARRAYS = {
    package.NullDistribution: ("support", "pmf"),
    package.PairedCounts: ("n", "shape", "decimals", "rows1", "rows2", "multiplicities"),
}


@dataclass(frozen=True)
class Call:
    """A call of the public interface.

    Attributes
    ----------
    name : str
        Unique, and one of names.txt.
    function : callable
        Of no argument, or with `in_folder` of an empty folder. It spells the call as the frozen
        package does.
    new : callable
        The call as the package of today spells it, if that is another way.
    needs : str
        A module that is not always there.
    in_folder : bool
        Whether it reads or writes files.
    """

    name: str
    function: Callable[..., Any]
    new: Callable[..., Any] | None = None
    needs: str = ""
    in_folder: bool = False

    def spelled(self, is_new: bool) -> Callable[..., Any]:
        """What the package of one side is asked."""
        return self.new if is_new and self.new else self.function


def answer_of(call: Call, is_new: bool = True) -> dict[str, Any]:
    """Its value with what it prints, or its error's type and message, and the warnings it gave."""
    if call.needs and importlib.util.find_spec(call.needs) is None:
        return {"skipped": f"needs {call.needs}"}
    function = call.spelled(is_new)
    with (
        tempfile.TemporaryDirectory() as name,
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("always")
        folder = Path(name).resolve()
        try:
            value = function(folder) if call.in_folder else function()
            answer = {"value": plain(value)}
            if hasattr(value, "to_dict"):
                answer["text"] = str(value)
        except Exception as error:
            answer = {"error": type(error).__name__, "message": str(error)}
    ours = [x for x in caught if x.category is UserWarning]
    if ours:  # and whether they point at the line that called the package
        answer["warnings"] = [[str(x.message), Path(x.filename).stem] for x in ours]
    places = {folder: "FOLDER", PACKAGE.parent: "CHECKOUT", HERE: "CHECKOUT"}
    return without_paths(answer, {str(path): name for path, name in places.items()})


def plain(value: Any) -> Any:
    """The value in what JSON has; what is no builtin scalar says its type."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Fraction):
        return str(value)
    if type(value) in ARRAYS:
        return {name: plain(getattr(value, name)) for name in ARRAYS[type(value)]}
    if hasattr(value, "to_dict"):
        fraction = getattr(value, "fraction", None)
        return plain(value.to_dict() | ({} if fraction is None else {"fraction": fraction}))
    if isinstance(value, np.ndarray):
        return {f"{value.dtype} {value.shape}": plain(value.tolist())}
    if isinstance(value, Mapping):
        return {str(key): plain(x) for key, x in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, (list, tuple)):
        return [plain(x) for x in value]
    return {type(value).__name__: repr(value)}


def without_paths(value: Any, names: Mapping[str, str]) -> Any:
    """Paths, and addresses of objects, that another run has not, under these names."""
    if isinstance(value, str):
        for path, name in names.items():
            value = value.replace(path, name)
        return ADDRESS.sub("ADDRESS", value)
    if isinstance(value, dict):
        return {key: without_paths(x, names) for key, x in value.items()}
    if isinstance(value, list):
        return [without_paths(x, names) for x in value]
    return value
