"""Where rows come from: their metric, and facts about the examples."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pairedperm.errors import InputError
from pairedperm.errors.wording import Parts, Setting, Words
from pairedperm.scoring.pairs import all_classes
from pairedperm.scoring.vocabulary import Occurring, joined


@dataclass(frozen=True, slots=True)
class Provenance:
    """The metric that gave rows, and facts about the examples.

    Attributes
    ----------
    metric : str or None
        The name of the metric; None for bare numbers.
    metric_options : dict or None
        The metric's options as keyword arguments; None if there are none.
    classes : tuple
        The classes of rows (correct, predicted, right); empty for other rows.
    n_ignored : int
        The number of labels in references that stand for none, and were left out.
    is_labelled : bool
        Whether classes have their names. Numbered classes cannot be matched with those of others.
    occurring : Occurring or None
        The labels that occur, if something suggests that others are meant.
    paired_by : str
        "position" or "id": what pairs predictions with references.
    kind : str or None
        "integers" or "strings", the type of the labels; None if it is unknown.
    no_lattice : str or Part
        Why the numbers are floats; "" for integers.
    rounding : float
        The relative error that rounding may have left in a float: two units of its last bit.
    float_limit : float
        How many units of its last decimal a number may be, as the floats have few digits that the
        numbers came as, on a lattice or not; infinite for Decimals and Fractions, 0 for integers.
    """

    metric: str | None = None
    metric_options: dict[str, Any] | None = None
    classes: tuple[Hashable, ...] = ()
    n_ignored: int = 0
    is_labelled: bool = True
    occurring: Occurring | None = field(default=None, compare=False)
    paired_by: str = field(default="position", compare=False)
    kind: str | None = field(default=None, compare=False)
    no_lattice: Words = field(default="", compare=False)
    rounding: float = field(default=0.0, compare=False)
    float_limit: float = field(default=0.0, compare=False)

    @property
    def call(self) -> Words:
        """The metric as a call, for messages."""
        if self.metric is None:
            return "bare numbers, of no metric"
        options = [Setting(x, repr(y)) for x, y in (self.metric_options or {}).items()]
        listed = [y for x in options for y in (", ", x)][1:]
        return Parts(f"{self.metric}(", *listed, ")")


def of_all(parts: Sequence[Provenance]) -> Provenance:
    """Return the provenance of all parts of a corpus together.

    Raises
    ------
    InputError
        If the parts differ in metric, options or type of labels, or if classes are numbered.
    """
    first = parts[0]
    for other in parts[1:]:
        if (other.metric, other.metric_options) != (first.metric, first.metric_options):
            raise InputError(
                *("cannot add counts of different metrics: one is of ", first.call),
                *(", another of ", other.call),
                remedy="Count all parts under the same metric, with the same options",
            )
    of_labels = {part.kind for part in parts if part.kind is not None}
    if len(of_labels) > 1:
        raise InputError(
            f"cannot add counts of labels of different types: some parts have {min(of_labels)}, "
            f"others {max(of_labels)}",
            remedy="Give the labels of all parts in one type",
        )
    if not all(part.is_labelled for part in parts):
        raise InputError(
            "cannot add counts whose classes are numbered: their labels were left out, so classes "
            "cannot be matched",
            remedy="Add counts with labels, as `to_json()` writes them",
        )
    labels = [label for part in parts for label in part.classes]
    kinds = {type(y) for x in labels for y in (x if isinstance(x, tuple) else (x,))}
    if len(kinds) > 1:
        names = sorted(kind.__name__ for kind in kinds)
        raise InputError(
            f"cannot add counts of classes of different types: some parts have {names[0]}, others "
            f"{names[1]}",
            remedy="Give the labels of all parts in one type",
        )
    are_by_id = all(part.paired_by == "id" for part in parts)
    return replace(
        first,
        kind=next(iter(of_labels), None),
        paired_by="id" if are_by_id else "position",
        classes=all_classes([part.classes for part in parts]),
        n_ignored=sum(part.n_ignored for part in parts),
        occurring=joined([part.occurring for part in parts]),
    )
