"""The answers of the whole public interface are those that are stored, on any machine.

After a change that is meant, `python tests/answers/compare_commits.py --store` writes them anew.
"""

import json

import pytest

from answers.answer import Call, answer_of
from answers.calls import CALLS
from answers.compare_commits import STORED, compared
from answers.difference import first_difference, first_mismatch, stored_form
from extras import needs

ANSWERS = json.loads(STORED.read_text(encoding="utf-8"))
KEPT = [call for call in CALLS if call.is_kept]
EXTRAS = {"rapidfuzz": "wer", "pandas": "test", "torch": "transformers"}
SHARE = 11  # of the calls one in so many is asked in the quick run; prime to the tables' lengths


def chosen():
    for number, call in enumerate(KEPT):
        marks = [pytest.mark.thorough] if number % SHARE else []
        yield pytest.param(call, id=call.name, marks=marks)


@pytest.mark.parametrize("call", list(chosen()))
def test_stored_answers(call):
    if call.needs:
        needs(call.needs, EXTRAS[call.needs])
    mismatch = first_mismatch(ANSWERS[call.name], stored_form(answer_of(call)))
    if mismatch is not None:
        key, stored, found = mismatch
        remedy = "if that is meant: python tests/answers/compare_commits.py --store"
        pytest.fail(f"{key} was {stored!r}, is {found!r}; {remedy}", pytrace=False)


def test_all_answers_are_stored():
    assert len({call.name for call in CALLS}) == len(CALLS)
    assert list(ANSWERS) == [call.name for call in KEPT]


CERTIFIED = {"p": 0.25, "p_low": 0.24, "p_high": 0.26, "interval": "certified", "n": 3}
SAMPLED = {**CERTIFIED, "interval": "confidence", "stat_low": -0.5, "stat_high": 0.5}
P = {"value": {"p": 0.25, "n": 3, "method": "exact"}}


@pytest.mark.parametrize(
    ("after", "difference"),
    [
        (P, None),
        ({"value": {**P["value"], "p": 0.25 * (1 + 2**-52)}}, ("value.p", 0.25, 0.25 + 2**-54)),
        ({"value": {**P["value"], "n": 3.0}}, ("value.n", 3, 3.0)),
        ({"value": {**P["value"], "n": True}}, ("value.n", 3, True)),
        ({"value": {"p": 0.25, "n": 3}}, ("value.method", "exact", "(missing)")),
        ({"value": {**P["value"], "q": None}}, ("value.q", "(missing)", None)),
        ({"error": "InputError", "message": "m"}, ("value", P["value"], "(missing)")),
        ({"value": [1, 2]}, ("value", P["value"], [1, 2])),
    ],
)
def test_a_bit_makes_a_difference(after, difference):
    assert first_difference(P, after) == difference


def test_the_same_bits():
    for one in (-0.0, 0.1 + 0.2, "nan", None, [1.0, {"a": []}]):
        assert first_difference(one, one) is None
    assert first_difference([0.0], [-0.0]) == ("[0]", 0.0, -0.0)
    assert first_difference([1, 2], [1]) == (" (length)", 2, 1)


@pytest.mark.parametrize(
    ("stored", "changed", "key"),
    [
        (CERTIFIED, {"p": 0.279}, None),  # within the interval, widened by its width
        (CERTIFIED, {"p": 0.281}, "p"),
        (CERTIFIED, {"p_low": 0.265, "p_high": 0.275}, None),
        (CERTIFIED, {"p_low": 0.3, "p_high": 0.4}, "p (interval)"),
        (CERTIFIED, {"n": 4}, "n"),
        (CERTIFIED, {"interval": "confidence"}, "interval"),
        (SAMPLED, {"p": 0.3, "p_low": 0.26, "p_high": 0.35, "stat_low": 0.4}, None),
        (SAMPLED, {"p_low": 0.27, "p_high": 0.35}, "p (interval)"),
        (SAMPLED, {"stat_low": 0.6, "stat_high": 0.7}, "stat (interval)"),
        ({"x": 0.1}, {"x": 0.1 + 1e-12}, None),
        ({"x": 0.1}, {"x": 0.1 + 1e-9}, "x"),
        ({"x": "a"}, {"x": "b"}, "x"),
    ],
)
def test_what_another_machine_may_give(stored, changed, key):
    found = first_mismatch(stored, {**stored, **changed})
    assert (found and found[0]) == key


def test_what_is_stored():
    logs = {"log_p": -1.4, "log_p_low": -1.5, "log_p_high": -1.3}
    answer = {"value": {**CERTIFIED, **logs, "metric": None}}
    assert stored_form(answer) == {"value": CERTIFIED}
    exact = {"p": 0.25, "p_low": 0.25, "p_high": 0.25, "interval": "certified"}
    assert stored_form([exact | logs]) == [{"p": 0.25, "interval": "certified"}]
    assert first_mismatch(stored_form(exact), {**exact, "p": 0.25 + 2**-54}) is None
    assert first_mismatch(stored_form(exact), {**exact, "p": 0.26})[0] == "p"
    tiny = {"p": 0.0, "p_low": 0.0, "p_high": 0.0, "log_p": -900.0}
    assert stored_form(tiny) == {"p": 0.0, "log_p": -900.0}


def test_what_is_reported():
    before = {name: {"value": 1} for name in "abcd"}
    after = {**before, "b": {"value": 2}, "c": {"value": 3}, "d": {"error": "E", "message": "m"}}
    found = list(compared(before, after, {"b": "it was 1", "tag": "new"}, {"c": "tag", "d": ""}))
    how = "value\n    before 1\n    after  "
    assert found[:2] == [("b", f"{how}2", "it was 1"), ("c", f"{how}3", "new")]
    either = 'value or error\n    before {"value": 1}\n    after  {"error": "E", "message": "m"}'
    assert found[2:] == [("d", either, None)]


def test_an_answer_is_a_value_or_an_error():
    def fails():
        raise ValueError("no")

    assert answer_of(Call("fails", fails)) == {"error": "ValueError", "message": "no"}
    assert answer_of(Call("ratio", lambda: (1.0, float("inf")))) == {"value": [1.0, "inf"]}
    written = answer_of(Call("folder", lambda folder: str(folder / "x"), in_folder=True))
    assert written == {"value": "FOLDER/x"}
    assert "skipped" in answer_of(Call("missing", fails, needs="no_such_module"))
