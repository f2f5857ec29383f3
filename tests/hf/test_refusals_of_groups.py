"""What the groups of a module's columns may not be."""

from pathlib import Path

from corpora.small import COLUMNS, REFS
from pairedperm import load
from refusals import refuses


def computing(**options):
    return load("paired_perm").compute(**COLUMNS, **options)


def afterwards(**options):
    """With examples that were added before, which are kept."""
    module = load("paired_perm")
    module.add_batch(**COLUMNS)
    try:
        module.compute(**options)
    finally:
        assert len(module) == 6


def in_two_processes(**given):
    options = {"num_process": 2, "process_id": 0, "cache_dir": str(Path.cwd())}
    return load("paired_perm", experiment_id="x", **options).compute(**COLUMNS, **given)


@refuses
def test_refusals():
    load("paired_perm").compute(groups=REFS)
    # -> there is nothing to compare: pass predictions1
    afterwards(groups=REFS)
    # -> `groups` needs all columns in one call of compute: the examples added before have been
    computing(groups=[1, 2, 3])
    # -> `groups` must have an id for each example: it has 3
    in_two_processes(groups=REFS)
    # -> `groups` is not for several processes: compute in
