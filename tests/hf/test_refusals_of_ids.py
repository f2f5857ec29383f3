"""What the ids and groups of a module's columns may not be."""

from pathlib import Path

from corpora.small import COLUMNS, REFS
from pairedperm import load
from refusals import refuses

IDS = [f"document {k}" for k in range(6)]
MANY = [*range(10_000)]


def computing(**options):
    return load("paired_perm").compute(**COLUMNS, **options)


def with_ids(**ids):
    return computing(ids=dict.fromkeys(COLUMNS, IDS) | ids)


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
    load("paired_perm").compute(ids=IDS)
    # -> there is nothing to compare: pass predictions1
    afterwards(groups=REFS)
    # -> `groups` needs all columns in one call of compute: the examples added before have been
    computing(groups=[1, 2, 3])
    # -> `groups` must have an id for each example: it has 3
    afterwards(**COLUMNS, ids=IDS)
    # -> `ids` needs all columns in one call of compute, and examples were added before … reset()
    #    discards them
    in_two_processes(ids=IDS)
    # -> `ids` is not for several processes: compute in
    with_ids(references=IDS[1:])
    # -> `ids['references']` lacks 1 id that others have: 'document 0'. Compare the same
    with_ids(references=MANY, predictions1=MANY[::2], predictions2=MANY)
    # -> `ids['predictions1']` lacks 5,000 ids that others have: 1, 3, 5, 7, 9, 11, 13, 15 … , 17,
    #    19 and 4,990 more.
    with_ids(predictions2=[*IDS, IDS[3]])
    # -> `ids['predictions2']` holds 1 id more than once: 'document 3'. A sampler over
    with_ids(predictions2=[*range(6)])
    # -> `ids['predictions2']` has the id 0 (int), and `ids['predictions1']` has 'document 0'
    with_ids(predictions3=IDS)
    # -> `ids` must have the ids of predictions1, predictions2, references, got those of
    computing(ids={})
    # -> `ids` … got those of nothing. Or give one column of ids for all
    computing(groups=REFS, ids=dict.fromkeys(COLUMNS, IDS))
    # -> `ids` must have the ids of predictions1, predictions2, references, groups, got
    computing(groups=REFS[1:], ids=IDS)
    # -> `ids` must have an id for each entry of `groups`: it has 6 for 5
    computing(ids=[*IDS[:-1], IDS[0]])
    # -> `ids` holds 1 id more than once: 'document 0'
    computing(ids=[1.5] * 6)
    # -> `ids`[0] is 1.5 (float). Give each example one id
    computing(ids=[])
    # -> `ids` is empty
