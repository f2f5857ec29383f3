"""A bootstrap in a card: the section, the metadata, results that are refused."""

import json
import math
import re

import pytest
import yaml

import pairedperm
from corpora.cards import unmarked, write
from corpora.small import COLUMNS
from pairedperm import compare, paired_bootstrap_test
from pairedperm.model_card import update
from properties import one_in

RESULT = compare(**COLUMNS, test="bootstrap")
FOUND = RESULT.to_dict()
WINS = compare([1] * 5, [0] * 5, [1] * 5, test="bootstrap")  # every resample is as the data
SAME = compare([1, 0], [1, 0], [1, 1], test="bootstrap", ties="exclude")


def sampled(n_resamples=9999):
    options = {"method": "monte_carlo", "n_resamples": n_resamples, "rng": 0}
    return compare(**COLUMNS, test="bootstrap", **options)


def sentence(result):
    return unmarked(result).split("\n")[4]


def last_paragraph(result):
    return unmarked(result).split("\n")[-1]


def rows(result):
    return dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", unmarked(result), re.M))


def test_section_in_full():
    """The 3 better examples are drawn B(5, 3/5) times: p = P(B = 0) = (2/5)^5 = 0.01024."""
    result = compare([1, 1, 1, 1, 0], [0, 0, 0, 1, 0], [1] * 5, test="bootstrap")
    assert unmarked(result, name1="large", name2="small", dataset="dev") == (
        "## Statistical significance\n\n"
        "### Against small: accuracy on dev\n\n"
        "On dev, the accuracy of large is significantly higher than that of small: 80.00% against "
        "20.00%. The difference is 60.00 percentage points (95% confidence interval 20.00 to "
        "100.00). The ideal two-sided paired bootstrap test gives p = 0.0102 (n = 5, α = 0.05)."
        "\n\n"
        "| quantity | value |\n|:--|:--|\n"
        "| accuracy of large | 80.00% |\n"
        "| accuracy of small | 20.00% |\n"
        "| difference | 60.00 percentage points |\n"
        "| 95% interval of the difference | 20.00 to 100.00 percentage points |\n"
        "| p | 0.0102 |\n"
        "| examples (n) | 5 |\n"
        "| examples scored differently | 3 |\n"
        "| method | ideal two-sided paired bootstrap test |\n"
        f"| version | pairedperm {pairedperm.__version__} |\n\n"
        "Null hypothesis: on examples like these, the two systems score the same. A resample draws "
        "n examples with replacement. Of all nⁿ resamples, p is the share whose difference is at "
        "least as far from the observed difference as 0 is. Ties count. The confidence interval is "
        "the percentile interval of the resamples' differences."
    )


def test_results_their_dicts_and_json():
    for result in (RESULT, WINS, SAME, sampled(99)):
        section = unmarked(result)
        assert unmarked(result.to_dict()) == section
        assert unmarked(json.loads(json.dumps(result.to_dict()))) == section


@pytest.mark.parametrize(
    ("alternative", "ties", "null", "beyond"),
    [
        ("two-sided", "include", "the two systems score the same", "at least as far from the obse"),
        (
            "two-sided",
            "exclude",
            "the two systems score the same",
            "farther from the observed diff",
        ),
        ("greater", "include", "the first system scores no higher", "at least twice the observed"),
        ("greater", "exclude", "the first system scores no higher", "more than twice the observed"),
        ("less", "include", "the first system scores no lower", "at most twice the observed diff"),
        (
            "less",
            "exclude",
            "the first system scores no lower",
            "less than twice the observed diff",
        ),
    ],
)
def test_what_p_is(alternative, ties, null, beyond):
    result = compare(**COLUMNS, test="bootstrap", alternative=alternative, ties=ties)
    side = "two-sided" if alternative == "two-sided" else f"one-sided ({alternative})"
    excluded = ", ties excluded" if ties == "exclude" else ""
    kind = f"ideal {side} paired bootstrap test{excluded}"
    assert rows(result)["method"] == kind
    assert f" The {kind} gives p = " in sentence(result)
    assert f" examples like these, {null}. A resample " in last_paragraph(result)
    assert f" whose difference is {beyond}" in last_paragraph(result)
    counted = "Ties do not count." if excluded else "Ties count."
    assert counted in last_paragraph(result)
    assert "exchangeable" not in unmarked(result)


def test_samples():
    result = sampled()
    kind = "Monte Carlo two-sided paired bootstrap test with 9,999 samples"
    assert rows(result)["method"] == kind
    assert f" The {kind} gives p = {result.pvalue:.3g} (n = 6," in sentence(result)
    low, high = map(float, rows(result)["99% interval of p"].split(" to "))
    assert low < result.pvalue < high
    assert " p was estimated from random resamples: it is (k + 1) / (s" in last_paragraph(result)
    excluded = sampled().to_dict() | {"ties": "exclude"}
    assert rows(excluded)["method"] == f"{kind}, ties excluded"
    of_none = compare([1] * 5, [0] * 5, [1] * 5, test="bootstrap", method="monte_carlo", rng=0)
    assert rows(of_none)["99% interval of p"].startswith("0 to 0.0005")
    assert rows(of_none)["p"] == "0.0001"


def test_levels():
    result = compare(**COLUMNS, test="bootstrap", confidence_level=0.9)
    assert "90% interval of the difference" in rows(result)
    for exact in (RESULT, result):
        assert not any(name.endswith("interval of p") for name in rows(exact))


def test_p_is_zero():
    for result in (WINS, SAME):
        assert " gives p = 0 (n = " in sentence(result)
        assert sentence(result).endswith("): no resample is so extreme.")
        assert rows(result)["p"] == "0"
        assert "log p (natural)" not in rows(result)
        assert " p = 0 means that these examples have no such resample; other" in last_paragraph(
            result
        )
    assert "is the same as that of the baseline: 50.00%. The difference " in sentence(SAME)
    assert "no such resample" not in last_paragraph(RESULT)


def test_p_underflows():
    """All resamples but those of the one loss only are near the observed difference."""
    result = paired_bootstrap_test([1] * 2000 + [0], [0] * 2000 + [1])
    assert result.pvalue == 0.0
    assert result.log_pvalue > -math.inf
    assert rows(result)["log p (natural)"] == f"{result.log_pvalue:.6g}"
    assert re.search(r"gives p = \d\.\d+e-\d{4} \(n", sentence(result))


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (([1.5, 2.0, 4.0], [1.0, 2.5, 1.0]), "-0.50 to 3.00"),
        (([1.001, 1.002] * 50, [1.0] * 100), "0.00140 to 0.00160"),
        (([2.0] * 3, [1.0] * 3), "1.00 to 1.00"),
        (([1.0] * 3, [1.0] * 3), "0.00 to 0.00"),
    ],
)
def test_digits_of_the_interval(columns, shown):
    result = paired_bootstrap_test(*columns)
    assert rows(result)["95% interval of the difference"] == shown


# The metadata

INDEX = """\
---
model-index:
- name: m
  results:
  - task:
      type: text-classification
    dataset:
      type: imdb
      name: IMDb
    metrics:
    - type: accuracy
      value: 0.83
---
# m
"""
ARGS = {"baseline": "small", "n": 5, "test": "ideal two-sided paired bootstrap test"}
STALE = {
    "block": "      args:\n        ours: 1 # a\n        log_p: -3 # b\n        p: 0.05 # c\n",
    "block, last": "      args:\n        ours: 1 # a\n        p: 0.05 # c\n        log_p: -3\n",
    "flow": "      args: {ours: 1, log_p: -3, p: 0.05} # c\n",
    "flow, alone": "      args: {log_p: -3}\n",
    "flow, last": "      args: {ours: 1, p: 0.05, log_p: -3}\n",
}


def args(path):
    (model,) = yaml.safe_load(path.read_text("utf-8").split("---")[1])["model-index"]
    return model["results"][0]["metrics"][0]["args"]


def test_model_index(tmp_path):
    path = write(tmp_path, INDEX)
    update(path, RESULT, name2="small", model_index=True)
    assert args(path) == ARGS | {"p": FOUND["p"], "log_p": FOUND["log_p"], "n": 6}
    update(path, sampled().to_dict(), name2="small", model_index=True)
    assert args(path)["test"] == "Monte Carlo two-sided paired bootstrap test with 9,999 samples"


@one_in(5)
@pytest.mark.parametrize("there", ["", *STALE.values()], ids=["new", *STALE])
def test_no_logarithm_of_zero_in_the_model_index(there, tmp_path):
    """That of an earlier result is taken out, and what is beside it stays."""
    path = write(tmp_path, INDEX.replace("0.83\n", f"1.0\n{there}"))
    update(path, WINS, name2="small", model_index=True)
    ours = {"ours": 1} if "ours" in there else {}
    assert args(path) == ARGS | {"p": 0.0} | ours
    once = path.read_text("utf-8")
    assert "log_p" not in once
    for comment in re.findall("# [ac]", there):
        assert once.count(comment) == 1
    update(path, WINS, name2="small", model_index=True)
    assert path.read_text("utf-8") == once
    path.write_text(once.replace("value: 1.0", "value: 0.83"), "utf-8")
    update(path, RESULT, name2="small", model_index=True)
    assert args(path)["log_p"] == FOUND["log_p"]


def test_eval_results(tmp_path):
    path = write(tmp_path, "# A")
    ids = {"dataset_id": "org/imdb", "task_id": "default", "value": 1.0, "source_url": "https://u"}
    update(path, WINS, name2="small", eval_results=ids)
    (entry,) = yaml.safe_load(
        (tmp_path / ".eval_results" / "org-imdb--default.yaml").read_text("utf-8")
    )
    assert entry["source"]["name"] == "[paired_perm: p = 0 against small, n = 5]"
