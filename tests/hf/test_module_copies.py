"""Modules that are copied into other processes: by `Dataset.map`, by pickle, by fork."""

import copy
import multiprocessing
import pickle
import warnings

import multiprocess
import pytest
from datasets import Dataset
from datasets.fingerprint import Hasher

from corpora.small import COLUMNS
from extras import on_posix
from pairedperm import InputError, compare
from pairedperm.hf import PairedComparison

EXPECTED = compare(**COLUMNS).to_dict()


def added_by_map(module, **options):
    def add(batch):
        module.add_batch(**batch)

    Dataset.from_dict(COLUMNS).map(add, batched=True, batch_size=1, **options)


def test_map_in_this_process(paired_perm):
    added_by_map(paired_perm)
    assert paired_perm.compute() == EXPECTED


@pytest.mark.thorough
@on_posix  # where processes are forked, with the filter of warnings
def test_map_in_other_processes(paired_perm):
    """They add to copies, which is said in the end."""
    added_by_map(paired_perm, num_proc=2)
    assert len(paired_perm) == 0
    with pytest.raises(InputError, match="adds nothing here if it has num_proc="):
        paired_perm.compute()


def computed(module):
    """What the module makes of examples, and of what went before."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module.add_batch(**COLUMNS)
        return module.compute()


def test_copies_that_compute_are_silent(paired_perm):
    assert computed(copy.deepcopy(paired_perm)) == EXPECTED
    assert computed(pickle.loads(pickle.dumps(paired_perm))) == EXPECTED


@on_posix
@pytest.mark.parametrize("library", [multiprocessing, multiprocess])
def test_processes_that_compute_are_silent(paired_perm, library):
    with library.get_context("fork").Pool(1) as pool:
        assert pool.map(computed, [paired_perm]) == [EXPECTED]


def test_a_hash_stays(paired_perm):
    """By which `datasets` knows what it has mapped before."""
    before = Hasher.hash(paired_perm)
    assert before == Hasher.hash(paired_perm)


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy])
def test_a_copy_has_its_own_examples(paired_perm, again):
    paired_perm.add_batch(**COLUMNS)
    other = again(paired_perm)
    other.add(predictions1=1, predictions2=0, references=1)
    assert isinstance(other, PairedComparison)
    assert (len(paired_perm), len(other)) == (6, 7)
    assert other.compute()["n"] == 7
