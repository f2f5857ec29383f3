"""Several processes: evaluate's files gather what each has added.

Quick tests compute in threads, with a module of each process; their files do not know.
"""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from corpora.small import COLUMNS, SCORES
from interpreter import python
from pairedperm import InputError, compare, load, paired_permutation_test


@pytest.fixture
def modules(tmp_path):
    """One of each process."""

    def loading(metric=None, n=2, **options):
        of_evaluate = {"num_process": n, "cache_dir": str(tmp_path), "experiment_id": "x"}
        asked = options | of_evaluate | {"keep_in_memory": False}
        return [load("paired_perm", metric, process_id=k, **asked) for k in range(n)]

    return loading


def computed(modules, *given):
    """What each says, at once: a result or an error."""

    def compute(module, options):
        try:
            return module.compute(**options)
        except InputError as error:
            return f"{error}"

    with ThreadPoolExecutor(len(modules)) as pool:
        return [*pool.map(compute, modules, given)]


def parts(n=3, columns=COLUMNS):
    """The first rows, and the rest."""
    return [{k: x[part] for k, x in columns.items()} for part in (slice(n), slice(n, None))]


def every(column):
    return dict.fromkeys(COLUMNS, column)


TEXTS = {name: [str(x) for x in column] for name, column in COLUMNS.items()}
ROWS = {name: [[x, 0] for x in column] for name, column in COLUMNS.items()}
LESS = {"alternative": "less"}
SAMPLED = {"method": "monte_carlo", "rng": 1, "n_resamples": 99}


@pytest.mark.parametrize(
    ("first", "second", "options", "said"),
    [
        (*parts(2), LESS, None),
        (*parts(2, TEXTS), SAMPLED, None),
        (COLUMNS, {}, {}, None),
        ({}, ROWS, {"metric": "exact_match"}, None),
        ({}, {}, {}, "there is nothing to compare: pass columns to compute"),
        (COLUMNS, TEXTS, {}, "`predictions1` mixes strings and integers"),
        (COLUMNS, ROWS, {}, "`predictions1`[6] is no label: [1, 0]"),
    ],
)
def test_two_processes(first, second, options, said, modules):
    """Whether examples were added, or come to compute: the first tells, and nothing stays."""
    both, columns = modules(), (first, second)
    for is_added in (True, False):
        for module, part in zip(both, columns, strict=True):
            module.add_batch(**every(["discarded"]))
            module.reset()
            if part and is_added:
                module.add_batch(**part)
        n_added = [len(x.get("references", ())) * is_added for x in columns]
        assert [len(module) for module in both] == n_added
        given = ({}, {}) if is_added else columns
        told, nothing = computed(both, *(options | x for x in given))
        if said is None:
            whole = {x: [*first.get(x, ()), *second.get(x, ())] for x in COLUMNS}
            assert told == compare(**whole, **options).to_dict()
        else:
            assert told.startswith(said)
        assert (nothing, *map(len, both)) == (None, 0, 0)
    assert pickle.dumps(both[0])


def test_scores(modules):
    for columns in (SCORES, {"predictions1": [2**62, 5], "predictions2": [2**62 - 3, 6]}):
        expected = paired_permutation_test(*columns.values()).to_dict()
        assert computed(modules("scores"), *parts(1, columns)) == [expected, None]


def test_groups(modules):
    """Each process gives those of its own examples, or none of them does."""
    ids = ["a", "a", "b", "b", "c", "c"]
    for groups in ((ids[:2], ids[2:]), (None, ids[2:])):
        given = [x | {"groups": y} for x, y in zip(parts(2), groups, strict=True)]
        told, _ = computed(modules(), *given)
        if None in groups:
            assert told.startswith("`groups` must have an id for each example")
        else:
            assert told == compare(**COLUMNS, groups=ids).to_dict()


def test_an_error_of_a_process(modules):
    """The first says which; the next round works, by the options of the first."""
    three = modules(n=3)
    columns = parts(0, ROWS)[1]
    for one, said in (
        ({"predictions1": [0]}, "process 0: columns must have the same length"),
        ({"predictions1": [object()] * 6}, "process 0: <object"),
    ):
        first, *rest = computed(three, columns | one, columns, columns)
        assert first.startswith(said)
        assert rest == [None, None]
    first, *rest = computed(three, columns | {"alternative": "less"}, columns, columns)
    assert (first["n"], first["alternative"], *rest) == (18, "less", None, None)


@pytest.mark.thorough  # it waits
def test_processes_that_do_not_meet(modules):
    """The examples that were added are kept."""
    three = modules(n=3)
    for module in three:
        module.add_batch(**COLUMNS)
        module.timeout = 1
    said = computed(three[:2], COLUMNS, COLUMNS)
    assert [x[:31] for x in said] == ["the processes did not meet: " + x[28:31] for x in said]
    assert [*map(len, three)] == [6, 6, 6]


ROUNDS = """
import sys
import pairedperm
process, cache = int(sys.argv[1]), sys.argv[2]
options = {"num_process": 3, "process_id": process, "cache_dir": cache, "timeout": 100}
for number in range(10):
    if number in (0, *range(5, 10)):
        module = pairedperm.load("paired_perm", **options)
    n = 10 * number + process + 1
    result = module.compute(predictions1=[1] * n, predictions2=[0] * n, references=[1] * n)
    print(result and result["n"])
"""


@pytest.mark.thorough
def test_rounds(tmp_path):
    """Three compute many times without a pause, with one module and with new ones."""
    with ThreadPoolExecutor(3) as pool:
        said = pool.map(lambda k: python("-c", ROUNDS, str(k), ".", cwd=tmp_path), range(3))
    first, *others = map(str.split, said)
    assert first == [str(30 * number + 6) for number in range(10)]
    assert others == [["None"] * 10] * 2
