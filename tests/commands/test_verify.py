"""`pairedperm verify`: exit codes, what is said of altered files, and files that are none."""

import json
import math
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from corpora.pilots import labels
from corpora.published import sealed
from pairedperm import compare, publish, verify

RESULT = compare(*labels(5, 1, 10))  # 2 (1 + 6) of 2^6
TABLE = json.loads(json.dumps(publish(RESULT)))


@pytest.fixture
def stored(here):
    """Write a published result, altered or not; the file's name."""

    def store(**stated):
        altered = TABLE | {"result": TABLE["result"] | stated}
        (here / "counts.json").write_text(json.dumps(altered), "utf-8")
        return "counts.json"

    return store


def pvalue(p, *names):
    """A p-value and its logarithm, under these names."""
    return dict.fromkeys(names, p) | {f"log_{name}": math.log(p) for name in names}


def test_confirmed(stored, said):
    """In the terminal's width; the fraction as it is."""
    assert said("verify", stored()) == f"{verify('counts.json')}\n"


def test_json(stored, found):
    out = found("verify", stored())
    assert out == verify("counts.json").to_dict()
    assert (out["status"], out["fraction"], out["same_engine"]) == ("confirmed", "7/32", False)
    assert (out["stated"], out["sha256"]) == (TABLE["result"], TABLE["sha256"])
    out = found("verify", stored(n=11), code=1)
    assert (out["status"], out["differing"]) == (
        "refuted",
        ["n is 10 and was stated as 11"],
    )


def test_the_sum(stored, said, refused):
    """The table's own, and that of a card."""
    ours, other = TABLE["sha256"], "0" * 64
    assert said("verify", stored(), "--sha256", ours) == said("verify", stored())
    message = refused("verify", stored(), "--sha256", other)
    assert message == (
        f"TABLE was altered: the SHA-256 of its table is {ours}, and not '{other}'. Ask for the "
        "table anew."
    )
    forged = json.dumps(TABLE | {"multiplicities": [9, *TABLE["multiplicities"][1:]]})
    Path("counts.json").write_text(forged, "utf-8")
    for flags in ((), ("--json",)):
        message = refused("verify", "counts.json", *flags)
        assert re.match(r"(TABLE was|the counts of TABLE were) altered: the SHA-256 of", message)


def test_the_sum_in_capitals(stored, said):
    said("verify", stored(), "--sha256", TABLE["sha256"].upper())


def test_a_sum_that_is_none(stored, refused):
    """64 hexadecimal digits, as the card's own check says."""
    assert "`--sha256` must be 64 hexadecimal digits" in refused("verify", stored(), "--sha256=a")


def test_the_table_of_another_result(here, said):
    """Its sum is right, and the result is not of it."""
    other = publish(compare(*labels(6, 0, 10)))
    forged = json.dumps(other | {"result": TABLE["result"]})
    (here / "counts.json").write_text(forged, "utf-8")
    out = said("verify", "counts.json", code=1)
    assert out.startswith("REFUTED: the table does not give what was stated.\nstat is 0.6 and was")
    assert "\nscore1 is 1.0 and was stated as 0.9\nscore2 is 0.4 and was stated as 0.5" in out


# What fits here


def test_without_flint(stored, found, monkeypatch):
    """By the next engine, which gives the fraction too, of so few."""
    monkeypatch.setitem(sys.modules, "flint", None)
    out = found("verify", stored())
    assert (out["status"], out["fraction"]) == ("confirmed", "7/32")
    assert out["recomputed"]["method"] == "enumeration"


@pytest.mark.parametrize("stated", [{}, {"method": "dp"}], ids=str)
def test_where_every_engine_takes_too_long(stored, found, monkeypatch, stated):
    """Nothing but a sample is left, whose interval is wider than the stated one."""
    too_long = SimpleNamespace(seconds=math.inf)
    monkeypatch.setattr("pairedperm.comparison.verify.decide", lambda *_: too_long)
    out = found("verify", stored(**stated))
    assert (out["status"], out["fraction"]) == ("consistent", None)
    assert (out["recomputed"]["method"], out["recomputed"]["interval"]) == (
        "monte_carlo",
        "confidence",
    )
    assert out["recomputed"]["p_low"] < 7 / 32 < out["recomputed"]["p_high"]
    assert not out["same_engine"]
    assert out["unchecked"] == ["method", "p_low", "p_high"]
    for p in (0.01, 0.9):
        out = found("verify", stored(**stated, **pvalue(p, "p", "p_low", "p_high")), code=1)
        assert out["status"] == "refuted"


# A result that was altered


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("stat", 0.5, "stat is 0.4 and was stated as 0.5"),
        ("score1", 0.95, "score1 is 0.9 and was stated as 0.95"),
        ("score2", 0.50001, "score2 is 0.5 and was stated as 0.50001"),
        ("n", 11, "n is 10 and was stated as 11"),
        ("n_groups", 7, "n_groups is None and was stated as 7"),
        ("n_differing", 5, "n_differing is 6 and was stated as 5"),
        ("metric", "f1", "metric is 'accuracy' and was stated as 'f1'"),
        ("metric", None, "metric is 'accuracy' and was stated as None"),
        ("metric_options", {"a": 1}, "metric_options is None and was stated as {'a': 1}"),
    ],
)
def test_a_number(stored, said, name, value, words):
    first, second, third, *_ = said("verify", stored(**{name: value}), code=1).splitlines()
    assert first == "REFUTED: the table does not give what was stated."
    assert second.startswith(words)
    assert third == "accuracy: 90.00% against 50.00%"


@pytest.mark.parametrize(
    "stated",
    [
        {"p": 0.01},
        pvalue(0.01, "p"),
        pvalue(0.2189, "p"),
        pvalue(0.01, "p", "p_low"),
        pvalue(0.01, "p", "p_low", "p_high"),
        pvalue(0.2187, "p", "p_high"),
        pvalue(0.9, "p", "p_low", "p_high"),
        {"log_p": -20.0},
        {"p_low": 0.1},
        {"log_p_low": -1.6},
        {"log_p_high": -20.0},
        {"p_low": 0.22, "p_high": 0.23},
        {"p_low": 0.1, "p_high": 0.21},
        {"alternative": "greater"},
        {"alternative": "less"},
        {"interval": "confidence"},
        {"interval": "confidence", "n_resamples": 99},
        {"method": "monte_carlo"},
        {"seed": 1},
        {"n_resamples": 99},
        pvalue(0.5, "p_high"),
        pvalue(0.1, "p_low"),
        pvalue(0.9, "p", "p_high"),
    ],
    ids=str,
)
def test_a_pvalue(stored, said, stated):
    """Neither p nor its interval can be another, or wider, nor stand for another."""
    out = said("verify", stored(**stated), code=1)
    assert out.startswith("REFUTED: the table does not give what was stated.\n")
    assert max(map(len, out.splitlines())) <= 80


def test_rounding_makes_no_interval_wider(stored, said):
    nearly = pvalue(math.nextafter(0.21875, 0), "p_low")
    assert said("verify", stored(**nearly)).startswith("CONFIRMED: ")


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ({"score2": None}, "`score2` of the result must be a number, got None."),
        ({"n": "10"}, "`n` of the result must be a number of them, or null, got '10'."),
        ({"n_groups": -1}, "`n_groups` of the result must be a number of them, or null, got -1."),
        ({"p_high": 1.5}, "`p_high` of the result must be a number from 0 to 1, got 1.5."),
        ({"method": "magic"}, "one of 'exact', 'dp', 'fft', 'rational', 'enumeration', 'bracket',"),
        ({"method": ["exact"]}, "`method` of the result must be one of"),
    ],
    ids=str,
)
def test_what_no_result_has(stored, refused, stated, message):
    assert message in refused("verify", stored(**stated))


@pytest.mark.parametrize("name", ["alternative", "method", "n", "p", "log_p_high", "metric"])
def test_an_entry_that_lacks(here, refused, name):
    stated = {k: v for k, v in TABLE["result"].items() if k != name}
    (here / "counts.json").write_text(json.dumps(TABLE | {"result": stated}), "utf-8")
    assert refused("verify", "counts.json").startswith(f"`result` of the table lacks '{name}': ")


# Files that are none


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read: Expecting value"),
        (b"# A model", "cannot be read: Expecting value"),
        (b'{"a": 1}\n{"a": 2}\n', "cannot be read: Extra data"),
        (b"\xff\xfe{}", "cannot be read: "),
        (b"[" * 10**5, "cannot be read: "),
        (b"[1]", "must hold a JSON object, got [1]."),
        (b"null", "must hold a JSON object, got None."),
        (b'{"version": ' + b"9" * 5000 + b"}", "cannot be read: "),
    ],
    ids=lambda x: x[:20].decode("latin-1") if isinstance(x, bytes) else "",
)
def test_files_that_are_refused(here, refused, content, message):
    (here / "counts.json").write_bytes(content)
    assert refused("verify", "counts.json").startswith(f"TABLE, 'counts.json', {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'TABLE'. Try 'pairedperm verify --help'."),
        (("a", "b"), "Got unexpected extra argument (b). Try 'pairedperm verify --help'."),
        (("none.json",), "TABLE, 'none.json', cannot be read: No such file or directory."),
        ((".",), "TABLE, '.', cannot be read: "),
        (("none.json", "--sha256"), "Option '--sha256' requires an argument. Try 'pairedperm ver"),
    ],
    ids=str,
)
def test_arguments_that_are_refused(refused, arguments, message):
    assert refused("verify", *arguments).startswith(message)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": "x"}, "TABLE must be a table of the format 'pairedperm counts' or 'pairedpe"),
        ({"version": 9}, "the counts of TABLE have the version 9, and this release reads 1."),
        ({"rows1": [0, 1]}, "the counts of TABLE are damaged: `rows1` must be as many, and as "),
    ],
)
def test_tables_that_are_refused(here, refused, changed, message):
    (here / "counts.json").write_text(json.dumps(sealed(TABLE | changed)), "utf-8")
    assert refused("verify", "counts.json").startswith(message)


def test_help(said):
    out = re.sub(r"\s+", " ", said("verify", "--help"))
    assert re.search("Exit codes: 0 .*; 1 .*; 2 an error", out)


def test_numbers_that_json_has_not(here, refused):
    text = json.dumps(TABLE | {"result": TABLE["result"] | {"score1": float("nan")}})
    (here / "counts.json").write_text(text, "utf-8")
    assert "cannot be read: NaN is no number of JSON" in refused("verify", "counts.json")
