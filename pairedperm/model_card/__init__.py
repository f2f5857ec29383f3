"""A test's result in a model card: a section of the text, and metadata."""

from pairedperm.model_card.card import update
from pairedperm.model_card.section import significance_section

__all__ = ["significance_section", "update"]
