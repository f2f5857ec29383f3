"""Several processes: evaluate's files gather what each has added."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from small import COLUMNS, SCORES

from pairedperm import compare, paired_permutation_test

CHECKOUT = Path(__file__).parents[1]

PART = """
import json, sys
import evaluate
process, cache, configuration = int(sys.argv[1]), sys.argv[2], sys.argv[4]
columns = json.loads(sys.argv[3])
module = evaluate.load(
    "paired_perm", configuration, num_process=2, process_id=process, cache_dir=cache
)
module.add_batch(**columns)
print(json.dumps([len(module), module.compute(alternative="greater")]))
"""


@pytest.mark.parametrize(
    "convert", [int, str, lambda x: [x, 0], lambda x: [str(x)]], ids=["int", "str", "ints", "strs"]
)
def test_two_processes(registered, tmp_path, convert):
    columns = {name: [convert(x) for x in column] for name, column in COLUMNS.items()}
    expected = compare(**columns, alternative="greater").to_dict()
    check_two_processes(columns, "accuracy", expected, tmp_path)


def test_two_processes_of_scores(registered, tmp_path):
    columns = {name: [*column, 1 / 8] for name, column in SCORES.items()}
    expected = paired_permutation_test(*columns.values(), alternative="greater").to_dict()
    check_two_processes(columns, "scores", expected, tmp_path)


def check_two_processes(columns, configuration, expected, tmp_path):
    """Each adds three of the six rows; the first gets the result."""
    workers = []
    for process in (0, 1):
        part = {name: column[3 * process :][:3] for name, column in columns.items()}
        arguments = [sys.executable, "-c", PART, str(process), str(tmp_path), json.dumps(part)]
        arguments.append(configuration)
        workers.append(
            subprocess.Popen(
                arguments,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            )
        )
    (first, first_errors), (second, second_errors) = (w.communicate(timeout=100) for w in workers)
    assert json.loads(second) == [3, None], second_errors
    assert json.loads(first) == [3, expected], first_errors
