"""Score files of other programs: art, the CoNLL coreference scorer, paired-perm-test."""

from pairedperm.readers.art import read_art
from pairedperm.readers.conll import read_conll
from pairedperm.readers.paired_perm_test import read_paired_perm_test

__all__ = ["read_art", "read_conll", "read_paired_perm_test"]
