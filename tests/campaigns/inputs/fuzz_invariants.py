"""What holds of every answer: of results, plans, counts, laws, sections of cards."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pairedperm
from campaigns.inputs.fuzz_call import Call
from campaigns.inputs.fuzz_deciding import DECIDED, broken
from campaigns.inputs.fuzz_plans import PlanAndRun
from pairedperm import (
    InputError,
    Leaderboard,
    NullDistribution,
    PairedBootstrapResult,
    PairedCounts,
    Plan,
    Ratio,
    SuiteResult,
)
from pairedperm.hf import PipelineComparison
from pairedperm.options import BOOTSTRAP_METHODS, Method
from pairedperm.results.result import PairedResult

_MAY_BE_NONE = ("run_steps", "aggregators.f_1.ratio_for")
_PLAIN = (float, int, str, bool, type(None))
_PAIRS = (("p_low", "p"), ("p", "p_high"), ("log_p_low", "log_p"), ("log_p", "log_p_high"))
_OPPOSITE = {"greater": "less", "less": "greater", "two-sided": "two-sided"}


class Broken(Exception):  # noqa: N818 - an invariant
    """An invariant does not hold of an answer."""


def _hold(is_so: Any, what: str) -> None:
    if not is_so:
        raise Broken(what)


def check(call: Call, answer: Any, options: Mapping[str, Any]) -> None:
    """What must hold of this answer, by its type."""
    _hold(answer is not None or call.function in _MAY_BE_NONE, "no answer")
    if isinstance(answer, PairedResult):
        check_result(answer)
        _check_dict(answer.to_dict(), options)
    elif isinstance(answer, dict) and answer and all(map(_is_result, answer.values())):
        for part in answer.values():
            check(call, part, options)
    elif isinstance(answer, dict) and "stat" in answer:
        _check_dict(answer, {})
    elif isinstance(answer, Leaderboard | SuiteResult):
        _check_family(answer)
    elif isinstance(answer, Plan):
        _check_plan(answer)
    elif isinstance(answer, DECIDED):
        _hold(not broken(answer), broken(answer))
    elif isinstance(answer, PlanAndRun):
        _hold(not answer.broken(), answer.broken())
    elif isinstance(answer, PairedCounts):
        _check_counts(answer)
    elif isinstance(answer, NullDistribution):
        check_law(answer)
    elif isinstance(answer, Ratio):
        _hold(eval(repr(answer), {"Ratio": Ratio}) == answer, "a Ratio's repr is not itself")
        _hold(pickle.loads(pickle.dumps(answer)) == answer, "a Ratio's pickle is another")
    elif isinstance(answer, PipelineComparison):
        check(call, answer.result, options)
        _hold("predictions2" in answer.dataset.column_names, "no column of predictions")
    elif call.function.startswith("NullDistribution"):
        _hold(isinstance(answer, np.ndarray), "no array of probabilities")
        _hold(np.isfinite(answer).all(), "a probability or quantile that is not finite")
    elif call.function.startswith("read_"):
        _check_columns(answer)
    elif isinstance(answer, str):
        _hold(answer.strip(), "an empty section")
        encoded = answer.encode("utf-8", "replace").decode()
        _hold(encoded == answer, "a section with characters that UTF-8 has not")
        _hold("nan" not in answer.split("`")[0].split(), "a section with nan")
    elif isinstance(answer, Path):
        _hold(answer.read_bytes().decode().count("<!-- paired_perm:start -->"), "a card without")


def _check_family(answer: Leaderboard | SuiteResult) -> None:
    """Of pairs of systems, or of tasks."""
    found = answer.to_dict()
    json.dumps(found, allow_nan=False).encode()
    parts = answer.pairs if isinstance(answer, Leaderboard) else answer.tasks
    for part in parts:
        own = ("system1", "system2", "task", "weight", "p_adjusted")
        _check_dict({key: x for key, x in part.items() if key not in own}, {})
        _hold(part["p"] <= part["p_adjusted"] <= 1.0, "p_adjusted < p")
    _hold(len(answer.table) == len(parts), "the table has other rows")
    _hold(str(answer).isprintable() or "\n" in str(answer), "it cannot be printed")
    _hold("nan" not in str(answer) and "nan" not in answer.to_markdown(), "nan is printed")
    if isinstance(answer, Leaderboard):
        _hold(min(answer.tiers.values()) == 1, "no system is in the first tier")


def _is_result(value: Any) -> bool:
    return isinstance(value, PairedResult)


def check_result(answer: PairedResult) -> None:
    try:
        answer.pvalue = 0.5  # type: ignore[misc]
    except dataclasses.FrozenInstanceError:
        pass
    else:
        raise Broken("a result is not frozen")
    _hold(repr(answer).isprintable(), "a result's repr cannot be printed")
    if isinstance(answer, pairedperm.PairedPermutationResult) and answer.fraction is not None:
        low, high = answer.pvalue_interval
        _hold(low <= float(answer.fraction) <= high, "the true p is outside its interval")


def _check_dict(found: dict[str, Any], options: Mapping[str, Any]) -> None:
    """The keys of `to_dict`."""
    _check_plain(found)
    try:
        json.dumps(found, allow_nan=False).encode()
    except ValueError as error:
        infinite = sorted(k for k, x in found.items() if isinstance(x, float) and x - x != 0)
        raise Broken(f"a result is no JSON: {', '.join(infinite)}") from error
    _hold(found["p_low"] >= 0.0, "p_low < 0")
    _hold(found["p_high"] <= 1.0, f"p_high = {found['p_high']} > 1")
    for low, high in _PAIRS:
        if found[low] is not None and found[high] is not None:
            _hold(found[low] <= found[high], f"{low} > {high}")
    _hold(found["log_p"] is None or abs(math.exp(found["log_p"]) - found["p"]) < 1e-9, "log_p")
    _hold(found["n"] >= found["n_differing"] >= 0 and found["n"] >= 1, "n or n_differing")
    sampled = found["method"] == "monte_carlo"
    _hold((found["n_resamples"] is not None) is sampled, "n_resamples without sampling")
    _hold(found["interval"] == ("confidence" if sampled else "certified"), "interval")
    is_bootstrap = found.get("test") == "bootstrap"
    methods = BOOTSTRAP_METHODS if is_bootstrap else Method.__args__  # type: ignore[attr-defined]
    _hold(found["method"] in methods and found["method"] != "auto", "method")
    for name in ("alternative", "method", "metric", "ties", "n_resamples"):
        asked = options.get(name)
        if isinstance(asked, str) and asked != "auto" and name in found:
            _hold(found[name] == str.__str__(asked), f"{name} is not as asked")
    if found["score1"] is not None:
        difference = found["score1"] - found["score2"]
        size = max(1e-300, abs(found["score1"]), abs(found["score2"]))
        _hold(abs(found["stat"] - difference) <= 1e-9 * size, "stat is not score1 - score2")
        same = found["stat"] == 0.0 and found["alternative"] == "two-sided"
        if same and not is_bootstrap:
            least = 1.0 - 1e-12 if found["method"] == "fft" else 1.0
            _hold(found["p"] >= least and found["p_high"] == 1.0, "p of equal scores is not 1")
    if is_bootstrap:
        for name in ("stat", "score1", "score2"):
            low, high = found[f"{name}_low"], found[f"{name}_high"]
            _hold(low <= high, f"{name}_low > {name}_high")


def _check_plain(value: Any) -> None:
    if type(value) is dict:
        for key, x in value.items():
            _hold(type(key) is str, "a key that is no str")
            _check_plain(x)
    elif type(value) is list:
        for x in value:
            _check_plain(x)
    else:
        _hold(type(value) in _PLAIN, f"a {type(value).__name__} in a result")


def _check_plan(answer: Plan) -> None:
    _hold(answer.method != "auto" and answer.reason, "a plan without method or reason")
    _hold(0.0 <= answer.seconds < math.inf, "a plan's seconds")
    _hold(answer.rank >= 0 and answer.n_points >= 1 and answer.n_bytes >= 0, "a plan's sizes")
    _hold(all(type(x) is int for x in (answer.rank, answer.n_points)), "a plan's types")
    _hold(repr(answer).isprintable(), "a plan's repr cannot be printed")


def _check_counts(answer: PairedCounts) -> None:
    again = pickle.loads(pickle.dumps(answer))
    _hold(again == answer, "a pickle of paired counts is another")
    _hold(sum([answer]) == answer and answer == answer, "paired counts plus nothing")
    _hold((answer.multiplicities > 0).all(), "multiplicities that are not positive")
    _hold(type(answer.n) is int and answer.n >= answer.multiplicities.size, "n of paired counts")
    _hold(repr(answer).isprintable(), "a repr of paired counts")
    _hold(not answer.rows1.flags.writeable, "paired counts can be written to")


def check_law(answer: NullDistribution) -> None:
    """Whether it is a law: ascending points, probabilities that sum to 1."""
    _hold((np.diff(answer.support) > 0).all(), "a support that does not ascend")
    _hold(np.isfinite(answer.support).all(), "a support that is not finite")
    _hold((answer.pmf >= -1e-15).all() and abs(answer.pmf.sum() - 1) < 1e-9, "no law")
    _hold(not answer.pmf.flags.writeable, "a law can be written to")


def _check_columns(answer: Any) -> None:
    _hold(isinstance(answer, tuple) and len(answer) == 2, "not two columns")
    one, two = answer
    _hold(one.shape == two.shape and one.dtype == two.dtype and one.size, "unequal columns")
    _hold(one.dtype in (np.int64, np.float64), "columns of another dtype")
    _hold(np.isfinite(one).all() and np.isfinite(two).all(), "numbers that are not finite")


def check_mirror(one: PairedResult, other: PairedResult) -> None:
    """Whether `other` is of the systems swapped: with the opposite alternative p is the same."""
    _hold(other.alternative == _OPPOSITE[one.alternative], "the mirror's alternative")
    if one.score1 is not None and one.score2 is not None:
        size = 1e-9 * max(abs(one.score1), abs(one.score2), 1e-300)
        _hold(abs(one.score1 - (other.score2 or 0.0)) <= size, "the mirror's score")
        _hold(abs(one.statistic + other.statistic) <= size, "the mirror's statistic")
    if "monte_carlo" in (one.method, other.method):
        return
    (low1, high1), (low2, high2) = one.pvalue_interval, other.pvalue_interval
    slack = 1e-12 * max(high1, high2)
    _hold(low1 <= high2 + slack and low2 <= high1 + slack, "the mirror's p")
    is_bracket = "bracket" in (one.method, other.method)
    if one.method == other.method != "fft" and not is_bracket:
        same = math.isclose(one.pvalue, other.pvalue, rel_tol=1e-8, abs_tol=1e-11)
        _hold(same, "the mirror's p")
    if isinstance(one, PairedBootstrapResult):
        _hold(isinstance(other, PairedBootstrapResult), "the mirror's type")


def check_said(answer: PairedResult) -> None:
    """Its lines, sentence and report, and the interval of its difference, if it has them."""
    try:
        lines, sentence, report = str(answer), answer.summary(), answer.report()
    except InputError:  # of sums beyond floats, or a function that fails on some
        return
    except Exception as error:
        raise Broken(f"a result cannot be said: {type(error).__name__}: {error}") from error
    _hold("nan" not in f"{lines} {sentence}".split(), "a result says nan")
    _hold("significant difference at" in lines and sentence.endswith("."), "no verdict")
    numbers = report.n_wins, report.n_losses, report.n_ties
    if report.n_wins is None:
        _hold(numbers == (None, None, None) and answer.n_groups, "wins are not known")
    else:
        _hold(min(numbers) >= 0 and sum(numbers) == answer.n, "wins, losses and ties are not n")
    if answer.n_groups is None:
        _hold(report.n_wins + report.n_losses <= answer.n_differing, "more wins than differences")
    else:
        _hold(answer.n_differing <= answer.n_groups <= answer.n, "more groups than examples")
    if "interval:" in lines and isinstance(answer, pairedperm.PairedPermutationResult):
        low, high, _ = answer.confidence_interval()
        slack = 1e-9 * max(abs(answer.score1), abs(answer.score2))
        _hold(low <= answer.statistic + slack, "the interval is above the difference")
        _hold(answer.statistic <= high + slack, "the interval is below the difference")
        _hold(low <= 0.0 <= high or answer.pvalue <= 0.05 + 1e-12, "interval against p")


def alike(one: Any, other: Any) -> bool:
    """Whether two values are the same, as far as that can be seen."""
    try:
        return _alike(one, other, 8)
    except (ValueError, TypeError):  # bytes that are no text, values without a comparison
        return True


def _alike(one: Any, other: Any, depth: int) -> bool:
    if type(one) is not type(other) or depth == 0:
        return depth == 0 or type(one).__name__ == type(other).__name__ == "Odd"
    if isinstance(one, np.ma.MaskedArray):
        masks = np.ma.getmaskarray(one), np.ma.getmaskarray(other)
        return np.array_equal(*masks) and _alike(one.data, other.data, depth - 1)
    if isinstance(one, np.ndarray):
        if one.dtype.kind == "U" and " at 0x" in str(one.tolist()):
            return True  # what np.char.array made of an object, with its address
        if one.dtype != other.dtype or one.shape != other.shape:
            return False
        if one.dtype.hasobject or one.dtype == np.longdouble:  # which has padding
            return _alike(one.tolist(), other.tolist(), depth - 1)
        return str(one.dtype)[:6] == "String" or one.tobytes() == other.tobytes()
    if isinstance(one, pd.Series | pd.Index):
        same = str(one.dtype) == str(other.dtype)
        return same and _alike(one.tolist(), other.tolist(), depth - 1)
    if isinstance(one, list | tuple | deque):
        same = len(one) == len(other)
        return same and all(_alike(x, y, depth - 1) for x, y in zip(one, other, strict=True))
    if isinstance(one, dict):
        return _alike(list(one.items()), list(other.items()), depth - 1)
    if isinstance(one, float | complex):
        return repr(one) == repr(other)
    if isinstance(one, str) and " at 0x" in one:
        return True
    if isinstance(one, int | str | bytes | bytearray):
        return bool(one == other)
    if isinstance(one, PairedResult):
        return _alike(one.to_dict(), other.to_dict(), depth)
    if isinstance(one, PairedCounts | Plan | Ratio):
        return bool(one == other)
    if isinstance(one, NullDistribution):
        return _alike((one.support, one.pmf), (other.support, other.pmf), depth)
    return True
