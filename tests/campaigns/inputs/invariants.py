"""What holds of every call: of its answer, and of the calls that are made beside it."""

import json
import math
import pickle
import re
from contextlib import suppress
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

import pairedperm as pp
from campaigns.inputs.call import called
from pairedperm.results.result import PairedResult
from strategies.odd_objects import HostileError

_STEPS = ("paired_perm", "paired_bootstrap")
_FAMILY = ("system1", "system2", "task", "weight", "p_adjusted")  # what a result alone has not
_PLAIN = (float, int, str, bool, type(None))
_FEW = {"max_points": 2**14, "max_bytes": 2**20}


def hold(call):
    """Make the call, and those that its answer is held against; return the answer or refusal."""
    outcome, arguments, options = called(call)
    is_refused = isinstance(outcome, Exception)
    if not is_refused:
        assert outcome is not None or call.function in (*_STEPS, "aggregators.f_1.ratio_for")
        _check(outcome, options)
    is_in_order = not re.search(r"set\(torch", repr(call))  # a set of tensors goes by identity
    if is_in_order and call.function not in (*_STEPS, "update"):
        assert _shown((arguments, options)) == _shown(call.given()[1:]), "an argument was changed"
    if isinstance(outcome, HostileError) or re.search(r"random\(\)|rng=None", repr(call)):
        return outcome
    again, _, _ = called(call)
    assert type(again) is type(outcome), "the same call again is another"
    assert is_refused or _shown(outcome) == _shown(again), "the same call again is another"
    return outcome


def _shown(value):
    """A text of what can be seen of a value."""
    if isinstance(value, pp.NullDistribution):
        value = value.support, value.pmf
    elif hasattr(value, "to_dict") and type(value).__module__.startswith("pairedperm"):
        value = value.to_dict()
    try:
        return re.sub(" at 0x[0-9A-Fa-f]+", "", repr(value))
    except Exception:  # of a hostile object, or of too many digits
        return ""


def _check(answer, options):  # noqa: C901, one case a type
    """What must hold of this answer, by its type."""
    if hasattr(answer, "to_dict"):
        json.dumps(answer.to_dict(), allow_nan=False).encode()
    if type(answer).__module__.startswith("pairedperm"):
        said = f"{answer!r}\n{answer}"
        assert said.replace("\n", "").isprintable(), "an answer that cannot be printed"
        assert "nan" not in re.split(r"\W", said), "an answer says nan"
    match answer:
        case PairedResult():
            _check_result(answer, options)
        case dict():
            _check_dict(answer)
        case pp.Leaderboard() | pp.SuiteResult():
            _check_family(answer)
        case pp.NullDistribution():
            _check_law(answer)
        case pp.PairedCounts():
            assert pickle.loads(pickle.dumps(answer)) == answer == sum([answer]), "other counts"
            assert (answer.how_often > 0).all(), "multiplicities that are not positive"
            assert answer.n >= answer.how_often.size, "n of paired counts"
            assert type(answer.n) is int, "n of paired counts is no int"
            assert not answer.rows1.flags.writeable, "paired counts can be written to"
        case pp.Ratio():
            assert eval(repr(answer), {"Ratio": pp.Ratio}) == answer, "its repr is not itself"
            assert pickle.loads(pickle.dumps(answer)) == answer, "its pickle is another"
        case pp.GateResult():
            assert answer.passed == (answer.exit_code == 0), "the gate's exit code"
            assert answer.to_markdown(), "nothing is said of the gate"
        case pp.hf.PipelineComparison():
            _check(answer.result, options)
        case tuple():  # what a file is read as; NumPy 2.5 takes [x, y] for an array, too
            assert len(answer) == 2, "a file is read as two arrays"
            assert answer[0].shape == answer[1].shape, "unequal columns"
            assert answer[0].dtype == answer[1].dtype in (np.int64, np.float64), "another dtype"
            assert np.isfinite(answer).all(), "numbers that are not finite"
        case str():
            assert answer.encode().strip(), "an empty section"
            assert "nan" not in answer.split("`")[0].split(), "a section with nan"
        case Path():
            assert "<!-- paired_perm:start -->" in answer.read_text("utf-8"), "no section"


def _check_result(answer, options):
    with pytest.raises(FrozenInstanceError):
        answer.pvalue = 0.5
    low, high = answer.pvalue_interval
    assert answer.method != "auto" != answer.reason != "", "a result without a method"
    fraction = getattr(answer, "fraction", None)
    assert fraction is None or low <= float(fraction) <= high, "the true p is outside its interval"
    found = answer.to_dict()
    _check_dict(found)
    for name in found.keys() & options.keys():
        is_told = isinstance(options[name], str) and options[name] != "auto"
        assert not is_told or found[name] == str.__str__(options[name]), f"{name} is not as asked"
    with suppress(pp.InputError):  # of sums beyond floats, or a function that fails on some
        assert "nan" not in answer.summary().split(), "a result says nan"
    if answer.test == "permutation":
        with suppress(pp.InputError, pp.BudgetError):
            _check_law(answer.null_distribution(budget=_FEW))


def _check_dict(found):
    """The keys of a result, or a dict of several results."""
    if "stat" not in found:
        for part in found.values():
            _check(part, {})
        return
    assert _is_plain(found), "a result holds more than plain values"
    assert 0.0 <= found["p_low"] <= found["p"] <= found["p_high"] <= 1.0, "p and its interval"
    logs = [found[x] for x in ("log_p_low", "log_p", "log_p_high") if found[x] is not None]
    assert logs == sorted(logs), "log p and its interval"
    assert found["log_p"] is None or abs(math.exp(found["log_p"]) - found["p"]) < 1e-9, "log p"
    assert 0 <= found["n_differing"] <= found["n"] > 0, "n_differing"
    is_sampled, is_bootstrap = found["method"] == "monte_carlo", found.get("test") == "bootstrap"
    assert (found["n_resamples"] is not None) is is_sampled, "n_resamples without sampling"
    assert found["pvalue_kind"] == ("confidence" if is_sampled else "certified"), "which interval"
    assert found["method"] != "auto", "no method"
    for name in ("stat", "score1", "score2") if is_bootstrap else ():
        assert found[f"{name}_low"] <= found[f"{name}_high"], f"{name}_low > {name}_high"
    if found["score1"] is not None:
        error = found["stat"] - (found["score1"] - found["score2"])
        size = max(1e-300, abs(found["score1"]), abs(found["score2"]))
        assert abs(error) <= 1e-9 * size, "stat is not score1 - score2"


def _is_plain(value):
    if type(value) is dict:
        return all(type(key) is str and _is_plain(x) for key, x in value.items())
    return all(map(_is_plain, value)) if type(value) is list else type(value) in _PLAIN


def _check_family(answer):
    """Of pairs of systems, or of tasks."""
    parts = answer.to_dict()["pairs" if isinstance(answer, pp.Leaderboard) else "tasks"]
    for part in parts:
        _check_dict({key: x for key, x in part.items() if key not in _FAMILY})
        assert part["p"] <= part["p_adjusted"] <= 1.0, "p_adjusted < p"
    assert len(answer.table) == len(parts), "the table has other rows"
    assert "nan" not in answer.to_markdown(), "nan is printed"
    assert min(getattr(answer, "tiers", {"": 1}).values()) == 1, "nobody is in the first tier"


def _check_law(law):
    assert (np.diff(law.support) > 0).all(), "a support that does not ascend"
    assert np.isfinite(law.support).all(), "a support that is not finite"
    assert (law.pmf >= -1e-15).all(), "negative probabilities"
    assert abs(law.pmf.sum() - 1.0) < 1e-9, "probabilities that do not sum to 1"
    assert not law.pmf.flags.writeable, "a law can be written to"
