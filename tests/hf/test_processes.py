"""Several processes: evaluate's files gather what each has counted."""

import json
import os
import subprocess
import sys

import pytest

from corpora.small import COLUMNS, SCORES
from interpreter import LIGHT
from pairedperm import compare, paired_permutation_test

PART = """
import json, sys
import evaluate, pairedperm
process, cache, cases = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
for number, case in enumerate(cases):
    module = evaluate.load(
        "paired_perm", case["configuration"], num_process=2, process_id=process,
        cache_dir=cache, experiment_id=f"case {number}", keep_in_memory=False,
    )
    for batch in case["discarded"]:
        module.add_batch(**batch)
    module.reset()
    for batch in case["batches"][process]:
        module.add_batch(**batch)
    found = [len(module)]
    try:
        found.append(module.compute(**case["columns"][process], **case["options"]))
    except pairedperm.InputError as error:
        found.append(f"InputError: {error}")
    print(json.dumps([*found, len(module)]))
"""


def in_processes(n, code, tmp_path, *arguments):
    """What each of n prints, which run at once."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(process), str(tmp_path), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": LIGHT},
        )
        for process in range(n)
    ]
    outputs = [worker.communicate(timeout=300) for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * n, [e for _, e in outputs]
    return [out for out, _ in outputs]


def in_two_processes(cases, tmp_path):
    """What both say of each case."""
    printed = in_processes(2, PART, tmp_path, json.dumps(cases))
    return [[json.loads(line) for line in out.splitlines()] for out in printed]


def case(first, second, configuration="accuracy", options=None, columns=({}, {}), discarded=()):
    """Batches of the first and of the second process."""
    return {
        "batches": [first, second],
        "configuration": configuration,
        "options": options or {},
        "columns": columns,
        "discarded": discarded,
    }


def parts(columns, n):
    """The first rows, and the rest."""
    return (
        {name: column[:n] for name, column in columns.items()},
        {name: column[n:] for name, column in columns.items()},
    )


NOTHING = "InputError: there is nothing to compare: no process has added examples."


@pytest.fixture(scope="module")
def cases():
    """By name: what each process adds, and what both should say."""
    found = {}
    for name, convert in (
        ("ints", int),
        ("strings", str),
        ("sequences of ints", lambda x: [x, 0]),
        ("sequences of strings", lambda x: [str(x)]),
    ):
        columns = {key: [convert(x) for x in column] for key, column in COLUMNS.items()}
        first, second = parts(columns, 2)
        options = {"alternative": "greater"}
        expected = compare(**columns, **options).to_dict()
        found[name] = case([first], [second], options=options), [2, expected], [4, None]
    first, second = parts(COLUMNS, 3)
    expected = compare(**COLUMNS).to_dict()
    discarded = [{name: ["discarded"] for name in COLUMNS}]
    singles = [{name: column[i : i + 1] for name, column in second.items()} for i in range(3)]
    found["batches"] = case([first], singles, discarded=discarded), [3, expected], [3, None]
    found["one has none"] = case([COLUMNS], []), [6, expected], [0, None]
    found["the other has none"] = case([], [COLUMNS]), [0, expected], [6, None]
    found["none"] = case([], []), [0, NOTHING], [0, None]

    empty = {name: [[], []] for name in COLUMNS}
    tags = {name: [[str(x)] for x in column] for name, column in COLUMNS.items()}
    expected = compare(**{name: [*empty[name], *tags[name]] for name in tags}).to_dict()
    found["empty sequences"] = case([empty], [tags]), [2, expected], [6, None]
    exact = compare(**{name: [*empty[name], *tags[name]] for name in tags}, metric="exact_match")
    found["another metric"] = (
        case([empty], [tags], options={"metric": "exact_match"}),
        [2, exact.to_dict()],
        [6, None],
    )

    f1 = {"metric": "f1", "pos_label": 1}
    expected = compare(**COLUMNS, **f1).to_dict()
    found["f1"] = case([first], [second], options=f1), [3, expected], [3, None]
    precision = {"metric": "precision", "average": "micro", "labels": [0, 1], "method": "exact"}
    expected = compare(**COLUMNS, **precision).to_dict()
    found["rows of counts"] = case([], [COLUMNS], options=precision), [0, expected], [6, None]
    sampled = {"method": "monte_carlo", "rng": 1, "n_resamples": 99}
    expected = compare(**COLUMNS, **f1, **sampled).to_dict()
    found["sampled"] = (
        case([first], [second], options=f1 | sampled),
        [3, expected],
        [3, None],
    )

    text = {name: list(map(str, column)) for name, column in second.items()}
    differ = "InputError: the processes' labels differ: some are"
    found["kinds"] = case([first], [text]), [3, f"{differ} strings, some integers. Give"], [3, None]
    rows = {name: [[x] for x in column] for name, column in second.items()}
    found["forms"] = case([first], [rows]), [3, f"{differ} single, some in sequences"], [3, None]
    uneven = {"predictions1": [[1], [2]], "predictions2": [[1], [2]], "references": [[1], [2, 3]]}
    message = "InputError: process 1: `predictions1`[1] has 1 labels and `references`[1] has 2"
    found["a process fails"] = case([rows], [uneven]), [3, message], [2, None]

    scores = {name: [*column, 1 / 8] for name, column in SCORES.items()}
    first, second = parts(scores, 3)
    expected = paired_permutation_test(*scores.values()).to_dict()
    found["scores"] = case([first], [second], "scores"), [3, expected], [3, None]
    large = {"predictions1": [2**62, 5, 7], "predictions2": [2**62 - 3, 6, 1]}
    first, second = parts(large, 1)
    expected = paired_permutation_test(*large.values()).to_dict()
    found["large scores"] = case([first], [second], "scores"), [1, expected], [2, None]

    halves, less = parts(COLUMNS, 3), {"alternative": "less"}
    expected = compare(**COLUMNS, **less).to_dict()
    found["columns to compute"] = (
        case([], [], columns=halves, options=less),
        [0, expected],
        [0, None],
    )
    wrong = case([], [], columns=halves, options={"alternative": "more"})
    message = "InputError: process 0: `alternative` must be"
    found["wrong option"] = wrong, [0, message], [0, None]
    return found


@pytest.fixture(scope="module")
def said(cases, registered, tmp_path_factory):
    whole = in_two_processes(
        [case for case, _, _ in cases.values()], tmp_path_factory.mktemp("two")
    )
    return dict(zip(cases, zip(*whole, strict=True), strict=True))


NAMES = (
    *("ints", "strings", "sequences of ints", "sequences of strings", "batches", "one has none"),
    *("the other has none", "none", "empty sequences", "another metric", "f1", "rows of counts"),
    *("sampled", "kinds", "forms"),
    *("a process fails", "scores", "large scores", "columns to compute", "wrong option"),
)


@pytest.mark.thorough  # half a minute until all are imported
@pytest.mark.parametrize("name", NAMES)
def test_two_processes(name, cases, said):
    _, (n_first, expected), (n_second, _) = cases[name]
    (first, second) = said[name]
    assert first[0] == n_first
    if isinstance(expected, str):
        assert first[1].startswith(expected)
    else:
        assert first[1] == expected
    assert first[2] == 0  # nothing stays
    assert second == [n_second, None, 0]


def test_all_cases_are_run(cases):
    assert tuple(cases) == NAMES


@pytest.mark.thorough
def test_every_process_says_what_is_wrong(said):
    first, _ = said["wrong option"]
    assert "process 1: `alternative` must be" in first[1]


THREE = """
import pathlib, sys, time
import evaluate, pairedperm
process, cache, scripts = int(sys.argv[1]), sys.argv[2], sys.argv[3:]

def wait_for_all(name):  # importing takes one longer than another
    for k in (process, 0, 1, 2):
        here = pathlib.Path(cache, f"{name}-process{k}")
        here.touch() if k == process else None
        while not here.exists():
            time.sleep(0.01)

def load():
    return evaluate.load(
        "paired_perm", num_process=3, process_id=process, cache_dir=cache, timeout=30
    )

for number, script in enumerate(scripts):
    module = load()
    wait_for_all(f"script{number}")
    exec(script)
    print("--")
"""


def in_three_processes(tmp_path, *scripts):
    """What each prints, by script; they run one after the other."""
    outputs = in_processes(3, THREE, tmp_path, *scripts)
    printed = [[part.split("\n")[:-1] for part in out.split("--\n")[:-1]] for out in outputs]
    return list(zip(*printed, strict=True))


# One after the other, without a pause, with one module and with new ones.
ROUNDS = """
for number in range(10):
    if number >= 5:
        module = load()
    n = 10 * number + process + 1
    result = module.compute(predictions1=[1] * n, predictions2=[0] * n, references=[1] * n)
    print(result and result["n"])
"""
# In what they compute: an error, and the next round works.
DIFFERENT = """
columns = dict(predictions1=[[1, 1]], predictions2=[[0, 1]], references=[[1, 1]])
for options in (
    {"metric": "exact_match" if process else "accuracy"},
    {"budget": {"max_bytes": -1 if process else 10**6}},
    {"method": object()},
    {"budget": {"max_bytes": __import__("numpy").int64(10**6)}},
):
    try:
        result = module.compute(**columns, **options)
        print(result and result["n"])
    except pairedperm.InputError as error:
        print(f"InputError: {error}")
__import__("pickle").dumps(module)
print(sorted(path.suffix for path in __import__("pathlib").Path(module.data_dir).iterdir()))
"""


@pytest.mark.thorough  # two say it quickly
def test_three_processes(registered, tmp_path):
    """They compute many times, and where they compute different things they say so."""
    rounds, different = in_three_processes(tmp_path, ROUNDS, DIFFERENT)
    first, *others = rounds
    assert first == [str(30 * number + 6) for number in range(10)]
    assert others == [["None"] * 10] * 2
    first, *others = different
    assert first[0].startswith(
        "InputError: the processes compute different things: metric 'accuracy' and 'exact_match'."
    )
    assert first[1].startswith("InputError: process 1: `max_bytes` must be")
    assert first[2].startswith("InputError: process 0: `method` must be")
    assert first[3:] == ["3", "[]"]
    assert [other[:4] for other in others] == [["None"] * 4] * 2


@pytest.mark.thorough  # it waits
def test_processes_that_do_not_meet(registered, tmp_path):
    """Nothing is lost or counted twice, and they may try again."""
    script = """
columns = dict(predictions1=[1] * 5, predictions2=[0] * 5, references=[1] * 5)
module.add_batch(**columns)
module.timeout = 1
if process < 2:
    time.sleep(process / 2)
    try:
        print(module.compute(**columns))
    except pairedperm.InputError as error:
        print(f"InputError: {error}"[:39], len(module))
wait_for_all("two have given up")
module.timeout = 150
result = module.compute(**columns)
print(result and result["n"], len(module))
"""
    first, second, third = in_three_processes(tmp_path, script)[0]
    assert first == ["InputError: the processes did not meet: 5", "30 0"]
    assert second == ["InputError: the processes did not meet: 5", "None 0"]
    assert third == ["None 0"]
