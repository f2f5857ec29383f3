"""Readers of logs and tables, which are matched by id, and of the CoNLL scorer's output."""

from pairedperm.readers.conll import read_conll
from pairedperm.readers.read import read_folder, read_runs
from pairedperm.readers.tasks import Runs

__all__ = ["Runs", "read_conll", "read_folder", "read_runs"]
