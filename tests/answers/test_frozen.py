"""The judge: what it calls the same, what it tells, and that its lists fit each other."""

import json
from argparse import Namespace

import pytest

import frozen
from answers import verdict
from answers.answer import Call, answer_of
from answers.calls import CALLS
from answers.verdict import FAILS, MISSING, SAMPLED, Asked, Difference, differences

CERTIFIED = {
    "p": 0.25,
    "p_low": 0.2499,
    "p_high": 0.2501,
    "pvalue_kind": "certified",
    "method": "exact",
    "n": 3,
}
OLD = {"value": CERTIFIED, "text": "p = 0.25", "low": -0.5}


def changed(**values):
    return {**OLD, "value": {**CERTIFIED, **values}}


@pytest.mark.parametrize(
    ("new", "keys"),
    [
        (OLD, []),
        (changed(p=0.26), ["value.p"]),
        (changed(n=3.0), ["value.n"]),
        (changed(n=True), ["value.n"]),
        (changed(extra=None), []),
        (changed(extra=1), ["value.extra"]),
        ({**OLD, "text": "p is 0.25"}, ["text"]),
        ({**OLD, "low": -0.5 - 2**-53}, ["low"]),
        ({**OLD, "value": {x: y for x, y in CERTIFIED.items() if x != "n"}}, ["value.n"]),
        ({"error": "InputError", "message": "no"}, ["error or value"]),
        (
            changed(pvalue_kind="confidence", method="monte_carlo"),
            [f"value.{SAMPLED}", "value.pvalue_kind", "value.method"],
        ),
    ],
)
def test_differences(new, keys):
    assert [x.key for x in differences(OLD, new)] == keys
    assert not any(x.is_certified for x in differences(OLD, new))


@pytest.mark.parametrize(
    ("new", "is_certified"),
    [
        ({"p": 0.25004}, True),
        ({"p": 0.2502}, False),
        ({"p": 0.25004, "p_high": 0.2502}, False),
        ({"p": 0.25004, "pvalue_kind": "bounds"}, False),
    ],
)
def test_a_certificate_is_kept(new, is_certified):
    found = {x.key: x for x in differences(OLD, changed(**new))}
    assert found["value.p"].is_certified is is_certified
    assert ("not listed" in [word for word, _ in Asked({}).judged("c", OLD, changed(**new))]) is (
        not is_certified
    )


def test_a_missing_key_and_a_length():
    assert differences({"a": [1, 2]}, {"a": [1]}) == [Difference("a", [1, 2], [1])]
    assert differences({"a": {"b": 1}}, {"a": {}}) == [Difference("a.b", 1, MISSING)]
    assert differences({"a": -0.0}, {"a": 0.0}) == [Difference("a", -0.0, 0.0)]


def test_names_of_keys(monkeypatch):
    """A result of the old package has the keys of today's, under their names."""
    monkeypatch.setattr(verdict, "DROPPED", {"n": "72: n"})
    old = {"interval": "certified", "p": 0.5, "n_differing": 3, "n": 3}
    new = {"pvalue_kind": "certified", "p": 0.5, "n_differing": 3, "test": "permutation"}
    assert differences({"value": [old]}, {"value": [new]}) == []
    of_draws = old | {"test": "bootstrap", "stat_interval": None}
    assert verdict.normal(of_draws)["interval_method"] is None


TABLE = {
    "gone": {"g": "72: x"},
    "differs": {"d": {"value.n": ["73: y", 4], "text": ["73: z", "p"]}},
}
ERROR = {"error": "GoneError", "message": "m"}


@pytest.mark.parametrize(
    ("call", "new", "words"),
    [
        ("a", OLD, []),
        ("a", changed(n=4), ["not listed"]),
        ("a", None, ["gone without a row"]),
        ("a", ERROR, ["not listed"]),
        ("g", ERROR, ["gone"]),
        ("g", None, ["gone"]),
        ("g", OLD, ["listed as gone, but it answers"]),
        ("d", {**changed(n=4), "text": "p"}, ["as listed", "as listed"]),
        ("d", {**changed(n=5), "text": "p"}, ["listed with another value", "as listed"]),
        ("d", changed(n=4), ["as listed", "listed, but the same"]),
    ],
)
def test_judged(call, new, words, monkeypatch, tmp_path):
    """What fails can be taken into the table; then it passes, from the file too."""
    assert [word for word, _ in Asked(TABLE).judged(call, OLD, new)] == words
    table = Asked(json.loads(json.dumps(TABLE)))
    for word, found in [*table.judged(call, OLD, new)]:
        if word in FAILS:
            table.take(call, word, found, "80: w")
    assert not {word for word, _ in table.judged(call, OLD, new)} & {*FAILS}
    monkeypatch.setattr(verdict, "ASKED", tmp_path / "intended.json")
    table.write()
    assert vars(Asked.read()) == vars(table)


def test_what_is_printed(capsys, monkeypatch):
    monkeypatch.setattr(verdict, "ASKED", frozen.HERE / "answers" / "intended.json")
    new = {**OLD, "text": "x" * 300 + "p = 0.26"}
    old = {**OLD, "text": "x" * 300 + "p = 0.25"}
    replies = {"old": {"c": {"answer": old}, "d": {"answer": OLD}}, "new": {"c": {"answer": new}}}
    words, n_bad = frozen.judged(replies, ["c", "d"], None)
    assert (dict(words), n_bad) == ({"not listed": 1, "gone without a row": 1}, 2)
    out = capsys.readouterr().out
    assert "not listed: text" in out
    assert out.index("p = 0.25'") < out.index("p = 0.26'")


def test_the_list_is_whole():
    """A call that is taken from the list stays in names.txt, and fails there without a row."""
    kept = frozen.NAMES.read_text("utf-8").splitlines()
    assert len({*kept}) == len(kept)
    names = [call.name for call in CALLS]
    assert len({*names}) == len(names)
    table = Asked.read()
    assert {*kept} - {*names} <= {*table.gone}
    assert {*names} <= {*kept}
    assert {*table.gone, *table.differs} <= {*kept}
    for row in (
        *table.gone.values(),
        *(row for x in table.differs.values() for row, _ in x.values()),
    ):
        assert row.split(":")[0].isdigit(), f"{row!r} names no issue"


def test_a_clone_without_the_commit(monkeypatch, tmp_path):
    monkeypatch.setattr(frozen, "FROZEN", tmp_path)
    monkeypatch.setattr(frozen, "COMMIT", "0" * 40)
    with pytest.raises(SystemExit, match=r"0{40} is not in this clone.*git fetch --unshallow"):
        frozen.compare(Namespace(installed=True))


def test_an_answer_is_a_value_or_an_error():
    def fails():
        raise ValueError("no")

    assert answer_of(Call("fails", fails)) == {"error": "ValueError", "message": "no"}
    assert answer_of(Call("ratio", lambda: (1.0, float("inf")))) == {"value": [1.0, "inf"]}
    written = answer_of(Call("folder", lambda folder: str(folder / "x"), in_folder=True))
    assert written == {"value": "FOLDER/x"}
    assert "skipped" in answer_of(Call("missing", fails, needs="no_such_module"))
    spelled = Call("new", fails, new=lambda: 1)
    assert answer_of(spelled) == {"value": 1}
    assert "error" in answer_of(spelled, is_new=False)
