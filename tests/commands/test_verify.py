"""`pairedperm verify`: exit codes, and what is said of altered results."""

import gzip
import io
import json
import math
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import fsspec
import pytest

from corpora.pilots import labels
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


def test_elsewhere(stored, said, monkeypatch):
    """At a URL, compressed, or from standard input."""
    printed = said("verify", stored())
    content = Path("counts.json").read_bytes()
    Path("counts.json.gz").write_bytes(gzip.compress(content))
    fsspec.filesystem("memory").pipe("/counts.json", content)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    for place in ("counts.json.gz", "memory://counts.json", "-"):
        assert said("verify", place) == printed


def test_a_key_in_a_url_is_not_shown(refusal_names):
    """Nothing listens at port 9."""
    url = "http://127.0.0.1:9/x.json"
    refusal_names(("verify", f"{url}?key=secret"), f"TABLE, '{url}', cannot be read: ")


def test_json(stored, found):
    out = found("verify", stored())
    assert out == verify("counts.json").to_dict()
    assert (out["status"], out["fraction"], out["same_engine"]) == ("confirmed", "7/32", False)
    assert out["stated"] | {"schema_version": 1} == TABLE["result"]
    assert out["sha256"] == TABLE["sha256"]
    out = found("verify", stored(n=11), code=1)
    assert (out["status"], out["differing"]) == (
        "refuted",
        ["n is 10 and was stated as 11"],
    )


def test_the_sum(stored, said):
    """In small letters or capitals."""
    said("verify", stored(), "--sha256", TABLE["sha256"])
    said("verify", stored(), "--sha256", TABLE["sha256"].upper())


def test_the_table_of_another_result(here, said):
    """Its sum is right, and the result is not of it."""
    other = publish(compare(*labels(6, 0, 10)))
    forged = json.dumps(other | {"result": TABLE["result"]})
    (here / "counts.json").write_text(forged, "utf-8")
    out = said("verify", "counts.json", code=1)
    assert out.startswith("REFUTED: the table does not give what was stated.\nstat is 0.6 and was")
    assert "\nscore1 is 1.0 and was stated as 0.9\nscore2 is 0.4 and was stated as 0.5" in out


# What fits here


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


def test_help(said):
    out = re.sub(r"\s+", " ", said("verify", "--help"))
    assert re.search("Exit codes: 0 .*; 1 .*; 2 an error", out)
