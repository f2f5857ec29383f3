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

PACKAGE = Path(pairedperm.__file__).resolve().parent
# the scripts of the modules: inside an installed package, beside the package in a checkout
METRICS = next(x for x in (PACKAGE / "metrics", PACKAGE.parent / "metrics") if x.is_dir())
ADDRESS = re.compile(r"(0x|(?<=\.\.\.x))[0-9a-f]{8,}")  # also of a repr that was cut
ARRAYS = {
    pairedperm.NullDistribution: ("support", "pmf"),
    pairedperm.PairedCounts: ("n", "shape", "decimals", "rows1", "rows2", "multiplicities"),
}


@dataclass(frozen=True)
class Call:
    """A call of the public interface.

    Attributes
    ----------
    name : str
        Unique.
    function : callable
        Of no argument, or with `in_folder` of an empty folder.
    tag : str
        What it exercises that will be removed or corrected on purpose.
    needs : str
        A module that is not always there.
    in_folder : bool
        Whether it reads or writes files.
    is_stored : bool
        Whether its answer is the same on other machines, not of texts of other libraries, and
        no other's is nearly the same.
    """

    name: str
    function: Callable[..., Any]
    tag: str = ""
    needs: str = ""
    in_folder: bool = False
    is_stored: bool = True

    @property
    def is_kept(self) -> bool:
        """Whether its answer is stored for good: it is to stay, and worth it."""
        return self.is_stored and not self.tag


def answer_of(call: Call) -> dict[str, Any]:
    """Its value, or its error's type and message, and the warnings it gave."""
    if call.needs and importlib.util.find_spec(call.needs) is None:
        return {"skipped": f"needs {call.needs}"}
    with (
        tempfile.TemporaryDirectory() as name,
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("always")
        folder = Path(name).resolve()
        try:
            value = call.function(folder) if call.in_folder else call.function()
            answer = {"value": plain(value)}
        except Exception as error:
            answer = {"error": type(error).__name__, "message": str(error)}
    ours = [x for x in caught if x.category is UserWarning]
    if ours:  # and whether they point at the line that called the package
        answer["warnings"] = [[str(x.message), Path(x.filename).stem] for x in ours]
    return without_paths(answer, {str(folder): "FOLDER", str(PACKAGE.parent): "CHECKOUT"})


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
