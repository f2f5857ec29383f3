"""Readers of logs and tables, which are matched by id, and of score files of other programs."""

from pairedperm.readers.art import read_art
from pairedperm.readers.conll import read_conll
from pairedperm.readers.paired_perm_test import read_paired_perm_test
from pairedperm.readers.read import read_folder, read_runs
from pairedperm.readers.runs import Runs

__all__ = ["Runs", "read_art", "read_conll", "read_folder", "read_paired_perm_test", "read_runs"]
