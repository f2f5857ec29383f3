"""The schema of stored results: what is written is declared, and nothing else is read."""

import json
import math
from fractions import Fraction

import jsonschema
import numpy as np
import pytest

from corpora.logs import LOGS
from corpora.pilots import labels
from pairedperm import (
    InputError,
    compare,
    compare_many,
    compare_suite,
    equivalence_test,
    examples_needed,
    gate,
    gate_suite,
    minimum_detectable_difference,
    paired_permutation_test,
    power,
    publish,
    pvalue_bounds,
    structured_permutation_test,
    verify,
)
from pairedperm.model_card.section import significance_section
from pairedperm.options.constraints import Interval, OneOf, Whole, YesNo
from pairedperm.readers.comparisons import compare_all
from pairedperm.readers.read import read_tasks
from pairedperm.readers.read_options import ReadOptions
from pairedperm.results.result import SCHEMA_VERSION
from pairedperm.results.schema import KINDS, json_schema, read_test
from results.result_schema import DRAFT, PATH, check, written
from wrong_values import wrong_values

COLUMNS = labels(9, 3, 30)
ONE, TWO, RIGHT = COLUMNS
SYSTEMS = {"a": ONE, "b": TWO, "c": [1] * 15 + [0] * 15}
TASKS = {"x": COLUMNS, "y": labels(2, 0, 4)}
TEST = compare(*COLUMNS)
BOOTSTRAP = compare(*COLUMNS, test="bootstrap")
MARGIN = equivalence_test(*COLUMNS, margin=0.3)
GROUPS = [k // 2 for k in range(30)]


def comparisons():
    folders = (next(LOGS.glob(f"lm_eval/*{x}")) for x in ("logistic_regression", "naive_bayes"))
    tasks = read_tasks(*folders, ReadOptions())
    return compare_all([*tasks.values()])[0]


def published(result, **stated):
    found = publish(result)
    return found | {"result": found["result"] | stated}


RESULTS = {
    "a test": ("permutation_test", lambda: TEST),
    "at a level": ("permutation_test", lambda: compare(*COLUMNS, confidence_level=0.9)),
    "sampled": ("permutation_test", lambda: compare(*COLUMNS, method="monte_carlo", rng=2**900)),
    "of groups": ("permutation_test", lambda: compare(*COLUMNS, "f1", groups=GROUPS)),
    "a tiny p": ("permutation_test", lambda: compare(*labels(3000, 0, 3000))),
    "real": ("permutation_test", lambda: paired_permutation_test([2**0.5, 0.1], [0.3, 3**0.5])),
    "without scores": (
        "permutation_test",
        lambda: structured_permutation_test([[1], [2]], [[0], [5]], lambda x: x[..., 0]),
    ),
    "an infinite interval": (
        "permutation_test",
        lambda: compare([0, 0], [0, 0], None, "mean_score", confidence_level=0.9),
    ),
    "a bootstrap": ("bootstrap_test", lambda: BOOTSTRAP),
    "p is 0": (
        "bootstrap_test",
        lambda: compare(*labels(5, 0, 5), test="bootstrap", ties="exclude"),
    ),
    "a margin": ("equivalence_test", lambda: MARGIN),
    "a gate": ("gate", lambda: gate(TEST)),
    "a gate with a margin": ("gate", lambda: gate(TEST, margin=0.3)),
    "a power": ("power", lambda: power((0.1, 0.05), 90)),
    "of a pilot": ("power", lambda: power(TEST, 90)),
    "of a pilot without an end": (
        "power",
        lambda: minimum_detectable_difference(paired_permutation_test([1, 2, 4], [1, 0, 1]), 9),
    ),
    "bounds": ("bounds", lambda: pvalue_bounds("0.8", "0.7", 90, accuracies=True)),
    "examples": ("power", lambda: examples_needed(TEST)),
    "a board": ("leaderboard", lambda: compare_many(SYSTEMS, RIGHT)),
    "a baseline": ("leaderboard", lambda: compare_many(SYSTEMS, RIGHT, baseline="a")),
    "a suite": ("suite", lambda: compare_suite(TASKS)),
    "a gate of tasks": ("suite_gate", lambda: gate_suite(compare_suite(TASKS))),
    "comparisons": ("comparisons", comparisons),
    "a verification": ("verification", lambda: verify(publish(TEST))),
    "a refuted one": ("verification", lambda: verify(published(TEST, n=31))),
}
NESTED = ("pairs", "tasks", "tests", "stated", "recomputed")
of_results = pytest.mark.parametrize(("kind", "result"), RESULTS.values(), ids=RESULTS)


def through_json(found):
    return json.loads(json.dumps(found, allow_nan=False))


def test_the_file_is_as_written():
    remedy = "run python tests/results/result_schema.py"
    assert PATH.read_text("utf-8") == written(), remedy


def test_it_is_a_json_schema():
    found = json_schema()
    assert found["$schema"] == DRAFT
    jsonschema.Draft202012Validator.check_schema(found)
    assert {*found["$defs"]} == {kind for kind, _ in RESULTS.values()} | {"published_result"}
    assert KINDS.keys() <= found["$defs"].keys()


@of_results
def test_every_kind_is_valid(kind, result):
    found = through_json(result().to_dict())
    check(kind, found)
    declared = json_schema()["$defs"][kind]
    assert found.keys() <= declared["properties"].keys()
    assert {*declared["required"]} <= found.keys()


@of_results
def test_the_version_is_last_and_said_once(kind, result):
    found = result().to_dict()
    assert list(found)[-1] == "schema_version"
    assert found["schema_version"] == SCHEMA_VERSION == 1
    nested = [x for key in NESTED for x in _listed(found.get(key, []))]
    assert not any("schema_version" in x for x in nested)


def _listed(found):
    return found if isinstance(found, list) else [found]


def test_the_tests_within_a_result_are_read():
    results = compare_many(SYSTEMS, RIGHT), compare_suite(TASKS), comparisons()
    for found, key in zip(results, NESTED, strict=False):
        for one in found.to_dict()[key]:
            check("permutation_test", through_json(one))
            assert read_test(one) == one


def test_a_published_result():
    found = publish(TEST)["result"]
    check("published_result", through_json(found))
    assert list(found)[-1] == "schema_version"
    assert found.items() <= TEST.to_dict().items()


@pytest.mark.parametrize("result", [TEST, BOOTSTRAP, MARGIN, gate(TEST), gate(TEST, margin=0.3)])
def test_what_is_written_is_read(result):
    found = result.to_dict()
    assert read_test(found) == found
    assert read_test(through_json(found)) == found


EACH = [
    (kind, key, constraint)
    for kind, record in KINDS.items()
    for key, constraint in record.keys.items()
    if isinstance(constraint, (Interval, OneOf, Whole, YesNo))
]
WRITTEN = {
    "permutation_test": compare(*COLUMNS, confidence_level=0.9).to_dict(),
    "bootstrap_test": BOOTSTRAP.to_dict(),
    "equivalence_test": MARGIN.to_dict(),
    "published_result": publish(TEST)["result"],
}


@pytest.mark.parametrize(("kind", "key", "constraint"), EACH, ids=str)
def test_another_value_is_refused_by_its_key(kind, key, constraint):
    """By the reader and, where JSON can hold it, by the JSON Schema."""
    for value in wrong_values(constraint):
        found = WRITTEN[kind] | {key: value}
        with pytest.raises(InputError, match=rf"^`result`\['{key}'\] must be "):
            KINDS[kind].read("result", found)
        if isinstance(value, (str, int, bool, list, dict)) or value is None:
            with pytest.raises(jsonschema.ValidationError):
                check(kind, found)


@pytest.mark.parametrize("kind", KINDS)
def test_needed_keys(kind):
    for key in KINDS[kind].needed:
        found = {name: x for name, x in WRITTEN[kind].items() if name != key}
        with pytest.raises(InputError, match=rf"^`result` lacks '{key}': it must be what "):
            KINDS[kind].read("result", found)
        with pytest.raises(jsonschema.ValidationError):
            check(kind, found)


def test_numbers_of_other_types_become_plain():
    found = read_test(TEST.to_dict() | {"n": np.int64(30), "p": Fraction(1, 7), "n_wins": 9.0})
    kinds = [type(found[x]) for x in ("n", "p", "n_wins")]
    assert kinds == [int, float, int]


# Other versions


@pytest.mark.parametrize("result", [TEST, BOOTSTRAP, MARGIN])
def test_before_there_was_a_version(result):
    found = result.to_dict()
    before = {key: x for key, x in found.items() if key != "schema_version"}
    assert read_test(before) == before
    assert significance_section(before) == significance_section(found)


def test_a_table_without_a_version():
    found = publish(TEST)
    del found["result"]["schema_version"]
    assert verify(found).status == "confirmed"
    assert verify(found).unchecked == ()


LATER_KEYS = {
    "leaderboard": (compare_many(SYSTEMS, RIGHT), ["simultaneous"]),
    "suite": (
        compare_suite(TASKS),
        ["confidence_level", "stat_low", "stat_high", "stat_interval"],
    ),
}


@pytest.mark.parametrize("kind", LATER_KEYS)
def test_tables_without_the_keys_of_later_releases(kind):
    result, later = LATER_KEYS[kind]
    found = through_json(result.to_dict())
    check(kind, {key: x for key, x in found.items() if key not in later})
    with pytest.raises(jsonschema.ValidationError):
        check(kind, {key: x for key, x in found.items() if key != "alpha"})


NEWER = (
    r"^`result`\['schema_version'\] must be an integer up to 1, which this release reads, got 2 "
    r"\(int\)\. Install the release of pairedperm that wrote the result\.$"
)


def test_a_later_version_is_refused():
    """First: its other values may mean something else."""
    later = {"schema_version": 2, "p": "0.03", "method": 3}
    for found in (TEST, BOOTSTRAP, MARGIN):
        with pytest.raises(InputError, match=NEWER):
            significance_section(found.to_dict() | later)
    with pytest.raises(InputError, match=NEWER):
        verify(published(TEST, **later))


@pytest.mark.parametrize("version", [0, "1", None, 1.5, True, math.nan])
def test_no_version(version):
    with pytest.raises(InputError, match=r"^`result`\['schema_version'\] must be an integer up to"):
        read_test(TEST.to_dict() | {"schema_version": version})
