"""Read columns of labels, one or a sequence for each example, and say what is wrong with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, compress, count
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pairedperm.errors import At, InputError, backticked, describe, in_brackets, shown
from pairedperm.inputs.columns import (
    IntArray,
    beyond_int64,
    entries_of,
    is_integer,
    is_integer_type,
    is_missing,
    is_scalar_array,
    is_sequence,
    listed_sets,
    materialise,
    opened,
    place,
    some_entries,
    unwrapped,
    warn_of_indexes,
)

_DROP = "Drop the example from all columns, or give it a label of its own."
_LABELS = "Labels are integers, bools or strings."
_LOGITS = "For logits or probabilities, pass the labels, argmax(-1), or p > 0.5."
_FEW_ROWS = 5  # tuned: fewer rows of two numbers may have a single 1 each by chance


def bad_label(name: str, labels: list[Any], lengths: IntArray | None, start: int) -> InputError:
    """Make the error for the first label of a bad kind, or else for labels of two types."""
    for is_bad, what, remedy in _BAD_LABELS:
        k = next((k for k, label in enumerate(labels) if is_bad(label)), None)
        if k is not None:
            where = in_brackets(place(k, lengths, start))
            said = what.format(labels[k], describe(labels[k]))
            return InputError(f"`{name}`{where} {said}", remedy=remedy)
    is_text = isinstance(labels[0], str)
    other = next(i for i, label in enumerate(labels) if isinstance(label, str) is not is_text)
    return InputError(
        f"`{name}` mixes strings and integers: {describe(labels[0])} and, at "
        f"{in_brackets(place(other, lengths, start))}, {describe(labels[other])}",
        remedy="Convert all to one type",
    )


# Asked in this order: a missing label is the cause if integers have become floats.
_BAD_LABELS: tuple[tuple[Callable[[Any], bool], str, str | tuple[str, ...]], ...] = (
    (is_missing, "is missing ({0!r})", _DROP),
    (
        lambda x: isinstance(x, (float, np.floating)),
        "is a float, {1}",
        (
            _LABELS,
            "Convert class ids with astype(int)",
            "For numeric scores use paired_permutation_test, compare_dataset(..., references=None) "
            "or evaluate.load(…, 'scores')",
            _LOGITS,
        ),
    ),
    (
        lambda x: isinstance(x, Set),
        "is a set, {1}",
        "metrics that take sets of labels need multilabel=True",
    ),
    (
        lambda x: not isinstance(x, str) and not is_integer(x),
        "is no label: {1}",
        (_LABELS, _LOGITS),
    ),
)


def one_hot(columns: Sequence[Labels]) -> int:
    """Return the length of the rows if they look one-hot; otherwise 0.

    Rows look one-hot if all hold 0 and 1, equally many, two or more, and one of these holds:

    - each row of the references has a single 1 among three or more numbers;
    - the references are single integers, some of which are neither 0 nor 1;
    - each row of all columns has a single 1.

    `check_not_one_hot` lets rows of two pass if there are fewer than five. Sequences of which
    labels were left out do not look one-hot, and neither do runs as a log tells them.
    """
    rows = [x for x in columns if x.lengths is not None]
    lengths = [x.lengths for x in rows if x.lengths is not None]
    length = int(lengths[0].max(initial=0)) if rows else 0
    if length < 2 or any((x != length).any() for x in lengths):
        return 0
    if any(isinstance(x.flat, list) or x.n_ignored or x.are_runs for x in rows):
        return 0
    if not all((x.are(0) | x.are(1)).all() for x in rows):
        return 0
    are_hot = [(x.are(1).reshape(-1, length).sum(axis=1) == 1).all() for x in rows]
    right = columns[-1]
    if right.lengths is None:
        is_told = right.kind == "integers" and not (right.are(0) | right.are(1)).all()
    else:
        is_told = length > 2 and are_hot[-1]
    return length if is_told or all(are_hot) else 0


def check_not_one_hot(names: Sequence[str], length: int, n: int, others: str) -> None:
    """Raise InputError for `n` rows that look one-hot; `others` are other meanings, and remedies.

    `length` is what `one_hot` found.
    """
    if not length or (length == 2 and n < _FEW_ROWS):
        return
    labels = (
        "Pass the labels: np.argmax(rows, -1), or np.argmax(probabilities, -1) if these are "
        "thresholded"
    )
    raise InputError(
        f"{', '.join(map(backticked, names[:-1]))} and `{names[-1]}` look one-hot: rows of "
        f"{length} numbers, all 0 or 1",
        remedy=(labels, others),
    )


def _form(column: Labels) -> str:
    """Return what a column holds, in words."""
    if column.every is not None:
        return f"an indicator matrix with {len(column.every)} columns"
    return "single labels" if column.lengths is None else "sequences of labels"


class Repeats(list[Any]):
    """The labels of an item that was run several times, as a log says."""


@dataclass(frozen=True)
class Labels:
    """A column of labels, all integers (bools too) or all strings.

    Attributes
    ----------
    name : str
        The argument's name, for error messages.
    flat : int64 array or list of str
        All labels in order.
    kind : {"integers", "strings"} or None
        None if there is no label at all, because every sequence is empty.
    lengths : int64 array, shape (n,), or None
        The lengths of the sequences; None if every example has one label.
    names : list of str or int, or None
        The distinct labels, if `flat` holds their numbers in this list.
    start : int
        The first example's number in error messages.
    n_ignored : int
        How many labels of references were left out.
    every : tuple of str or int, or None
        All possible labels, in order, if an indicator matrix tells them.
    order : tuple of str or int, or None
        The categories of an ordered Categorical.
    in_order : bool
        True if examples must stay in their order, so that their rows are not counted early.
    are_runs : bool
        True if the sequences are known to be runs of an item.
    declared : frozenset
        Labels that the caller knows to be none of the references, or to stand for one.
    """

    name: str
    flat: IntArray | list[str]
    kind: Literal["integers", "strings"] | None
    lengths: IntArray | None
    names: Sequence[str | int] | None = None
    start: int = 0
    n_ignored: int = 0
    every: tuple[Any, ...] | None = None
    order: tuple[Any, ...] | None = None
    in_order: bool = False
    are_runs: bool = False
    declared: frozenset[Any] = frozenset()

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.flat) if self.lengths is None else self.lengths.size

    def ignored(self, label: int | None) -> NDArray[np.bool_] | None:
        """Mark the labels equal to `label`, which stands for none; None if there are none.

        Raises
        ------
        InputError
            If there are some, and examples have single labels instead of sequences.
        """
        if label is None or isinstance(self.flat, list):
            return None
        if self.names is None and self.flat.min(initial=0) > label:  # the usual case, found fast
            return None
        ignored = self.are(label)
        if not ignored.any():
            return None
        if self.lengths is None:
            raise InputError(
                f"`{self.name}`[{self.start + int(ignored.argmax())}] is {label}, which stands for "
                "no label and is left out of sequences only",
                remedy="Leave such examples out of all columns, or count it as a label, "
                "ignore_label=None",
            )
        return ignored

    @property
    def first(self) -> int | str:
        """The first label, for error messages; a column with names must have one."""
        label = self.flat[0] if len(self.flat) else 0
        label = label if self.names is None else self.names[int(label)]
        return label if isinstance(label, str) else int(label)

    @property
    def spelled(self) -> list[Any]:
        """The labels in order, as strings or integers rather than numbers in `names`."""
        flat: list[Any] = self.flat if isinstance(self.flat, list) else self.flat.tolist()
        return flat if self.names is None else [self.names[number] for number in flat]

    @property
    def distinct(self) -> frozenset[Any]:
        """The set of labels that occur."""
        there = self.flat if isinstance(self.flat, list) else np.unique(self.flat).tolist()
        return frozenset(there if self.names is None else map(self.names.__getitem__, there))

    def has(self, label: int | str) -> bool:
        """Tell whether the label occurs."""
        if self.names is None and (isinstance(self.flat, list) or isinstance(label, str)):
            return label in self.spelled
        return bool(self.are(label).any())

    def are(self, label: int | str) -> NDArray[np.bool_]:
        """Mark the labels equal to `label`, in a column of numbers."""
        if self.names is not None:
            label = self.names.index(label) if label in self.names else -1
        return np.asarray(self.flat == label)

    def where(self, kept: NDArray[np.bool_]) -> Labels:
        """Keep only the marked labels, so that sequences may become shorter."""
        some = [*compress(self.flat, kept)] if isinstance(self.flat, list) else self.flat[kept]
        return replace(self, flat=some, lengths=self.sums(kept))

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """Repeat each example's value for each of its labels."""
        return values if self.lengths is None else np.repeat(values, self.lengths)

    def sums(self, flat: NDArray[Any]) -> IntArray:
        """Sum numbers, one for each label, over each example's labels."""
        if self.lengths is None:
            return flat.astype(np.int64, copy=False)
        sums = np.zeros(len(flat) + 1, dtype=np.int64)
        np.cumsum(flat, out=sums[1:], dtype=np.int64)
        ends = np.cumsum(self.lengths)
        return np.asarray(sums[ends] - sums[ends - self.lengths])


COLUMNS = ("predictions1", "predictions2", "references")
Columns = tuple[Labels, Labels, Labels]  # predictions, predictions, references


def read_columns(
    read: Callable[..., Any], columns: Sequence[Any], start: int, **options: Any
) -> tuple[Any, Any, Any]:
    """Read both systems' predictions and the references by `read`, such as `read_labels`."""
    warn_of_indexes(dict(zip(COLUMNS, columns, strict=True)))
    one, two, three = (
        read(name, column, start, **options) for name, column in zip(COLUMNS, columns, strict=True)
    )
    return one, two, three


def read_labels(
    name: str, column: Any, start: int = 0, *, sets: bool = False, names: list[str] | None = None
) -> Labels:
    """Read a column as `Labels`; `start` is its first example's number in error messages.

    With `sets`, each example has a set of labels in any order, or is a row of a matrix. With
    `names`, strings become numbers in this list, and new ones are added, up to 256.

    Raises
    ------
    InputError
        If the column is none or empty. If labels are missing, floats, nested more deeply, or
        beyond int64. If strings and integers, or labels and sequences, are mixed.
    """
    if isinstance(column, Labels):
        return replace(column, name=name, start=start)
    categories = getattr(column, "cat", column)  # of a Series
    if getattr(categories, "ordered", False):
        listed = read_labels(name, list(column), start, sets=sets, names=names)
        return replace(listed, order=(*categories.categories.tolist(),))
    if not isinstance(column, list):
        column = opened(column)
        fields = _indicators(name, column, start) if sets else _encoded(column, names)
        if fields is not None:
            return Labels(name, start=start, **fields)
    values = some_entries(name, column, "one label, or label sequence,")
    values = listed_sets(name, values) if sets else values
    if isinstance(values, np.ndarray) and values.ndim > 2:
        must = "be of shape (n,), or (n, length) for label sequences"
        raise InputError(name, must=must, got=f"shape {values.shape}", remedy=_LOGITS)
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()
    if isinstance(values, np.ndarray) and values.ndim == 2:
        lengths = np.full(len(values), values.shape[1], dtype=np.int64)
        return _joined(name, values.reshape(-1), lengths, start, names)
    if isinstance(values, np.ndarray) or not is_sequence(values[0]):
        return _joined(name, values, None, start, names)
    rows = [_row(name, number, row, start) for number, row in enumerate(values, start)]
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    labels = _joined(name, list(chain.from_iterable(rows)), lengths, start, names)
    return replace(labels, are_runs=isinstance(values[0], Repeats))


def _row(name: str, number: int, row: Any, start: int) -> list[Any]:
    """Return the labels of an example, or raise InputError if it has no sequence of them."""
    if type(row) is list:
        return row
    if is_missing(row):
        raise bad_label(name, [row], None, number)
    if not is_sequence(row):
        raise InputError(
            f"`{name}` mixes sequences and single labels: entry {start} is a sequence, entry "
            f"{number} is {describe(row)}",
            remedy="Give every example a sequence, or none",
        )
    values = materialise(f"`{name}`[{number}]", row)
    return entries_of(values) if isinstance(values, np.ndarray) else values


def _joined(
    name: str,
    labels: list[Any] | NDArray[Any],
    lengths: IntArray | None,
    start: int,
    names: list[str] | None,
) -> Labels:
    """Make a column of the labels of all examples, or raise InputError for a bad one."""
    if len(labels) == 0:
        return Labels(name, np.zeros(0, dtype=np.int64), None, lengths, start=start)
    if isinstance(labels, np.ndarray):
        if labels.dtype.kind in "bi":
            whole = labels.astype(np.int64, copy=False)
            return Labels(name, whole, "integers", lengths, start=start)
        return _joined(name, entries_of(labels), lengths, start, names)
    if names is not None and isinstance(labels[0], str):
        numbers = numbers_of_few(labels, names)
        if numbers is not None:
            return Labels(name, numbers, "strings", lengths, names, start)
    types = set(map(type, labels))
    if all(map(is_integer_type, types)):
        whole = integers(name, labels, lambda k: place(k, lengths, start))
        return Labels(name, whole, "integers", lengths, start=start)
    if all(issubclass(t, str) for t in types):
        return Labels(name, labels, "strings", lengths, start=start)
    if any(map(is_scalar_array, labels)):
        return _joined(name, [unwrapped(name, x) for x in labels], lengths, start, names)
    raise bad_label(name, labels, lengths, start)


def integers(name: str, values: list[Any], place: Callable[[int], At]) -> IntArray:
    """Convert a list of integers to int64; `place` says where the i-th one stands."""
    try:
        return np.asarray(values, dtype=np.int64)
    except OverflowError:
        raise beyond_int64(name, values, place) from None


def check_lengths(name: str, n: int, other: str, n_other: int) -> None:
    """Raise InputError unless two columns have the same number of examples."""
    if n != n_other:
        raise InputError(
            f"`{name}` has {n} examples and `{other}` has {n_other}",
            remedy="all columns must have the same length. Pair the examples by id first",
        )


_ALIKE = (
    "Give all columns and batches in one form, with labels of one type",
    "Of one-hot rows pass np.argmax(rows, -1), of rows with one label np.ravel(rows), of class "
    "ids their names, ClassLabel's int2str",
    "For runs, give both systems lists of them, and all columns in one call",
)


def check_alike(one: Labels, other: Labels) -> None:
    """Raise InputError unless both columns have the same form, and labels of the same type."""
    held, of_other = _form(one), _form(other)
    if held == of_other and one.kind != other.kind and one.kind and other.kind:
        held, of_other = (f"{x.kind} ({shown(x.first)})" for x in (one, other))
    if held != of_other:
        what = f"`{one.name}` holds {held} and `{other.name}` holds {of_other}"
        raise InputError(what, remedy=_ALIKE)


def check_fit(columns: Columns, *, sets: bool, aligned: bool) -> None:
    """Raise InputError unless all columns are alike, and have equally many examples.

    Examples need equally many labels, unless they are sets or the columns are not `aligned`.
    """
    right = columns[2]
    for x in columns[:2]:
        check_lengths(x.name, x.n, right.name, right.n)
        check_alike(x, right)
        if x.lengths is None or right.lengths is None or sets or not aligned:
            continue
        differs = x.lengths != right.lengths
        if differs.any():
            k = int(differs.argmax())
            raise InputError(
                f"`{x.name}`[{x.start + k}] has {x.lengths[k]} labels and "
                f"`{right.name}`[{right.start + k}] has {right.lengths[k]}",
                remedy="give a prediction as many labels as its reference (metric='exact_match' "
                "takes any number)",
            )
    if sets and right.lengths is None:
        raise InputError(
            right.name,
            must="hold a set of labels per example",
            got=f"single labels ({shown(right.first)})",
            remedy="Give sets or lists, also of one label",
        )


def numbers_of(labels: Sequence[Any], numbers: dict[Any, int]) -> IntArray:
    """Return each label's number in `numbers`, to which new labels are added."""
    known = defaultdict(count(len(numbers)).__next__, numbers)
    flat = np.fromiter(map(known.__getitem__, labels), dtype=np.int64, count=len(labels))
    numbers.update(known)
    return flat


def numbers_of_few(labels: list[Any], names: list[str]) -> IntArray | None:
    """Return each string's number in `names`, to which new ones are added.

    None if there are more than 256, or if some are no strings. Only the first of equal labels is
    looked at.
    """
    known = defaultdict(count(len(names)).__next__, {name: k for k, name in enumerate(names)})
    try:
        flat = bytes(map(known.__getitem__, labels))
    except (TypeError, ValueError):  # a label without a hash; a number beyond a byte
        return None
    new = list(known)[len(names) :]
    if not all(isinstance(name, str) for name in new):
        return None
    names += new
    return np.frombuffer(flat, dtype=np.uint8).astype(np.int64)


def _encoded(column: Any, names: list[str] | None) -> dict[str, Any] | None:
    """Return the strings of an array of Arrow as fields, each distinct one read once.

    None for anything else, and if an entry is missing: reading the entries shows it.
    """
    if not hasattr(column, "dictionary_encode"):
        return None
    if str(column.type) in ("string", "large_string"):
        column = column.dictionary_encode()
    if not hasattr(column.type, "index_type") or column.null_count or not len(column):
        return None
    array = column.combine_chunks() if hasattr(column, "chunks") else column
    distinct = array.dictionary.to_pylist()
    if {*map(type, distinct)} != {str} or len({*distinct}) < len(distinct):
        return None
    codes = array.indices.to_numpy()
    numbers = None if names is None else numbers_of_few(distinct, names)
    if numbers is not None:
        codes, distinct = numbers[codes], names
    return {"flat": codes.astype(np.int64), "kind": "strings", "lengths": None, "names": distinct}


def _indicators(name: str, column: Any, start: int) -> dict[str, Any] | None:
    """Return the sets in a two-dimensional array or tensor as fields; else None.

    The matrix has a row for each example, and a column of 0 and 1 for each label. Lists of lists
    are sets of labels, whatever they hold.

    Raises
    ------
    InputError
        If an entry is not 0 or 1, or there are no rows or columns.
    """
    if getattr(column, "ndim", 0) == 2:
        column = materialise(name, column)
    if getattr(column, "ndim", 0) != 2:  # a masked array has become a list
        return None
    n, width = column.shape
    if not n or not width:
        remedy = "at least one example and one label are needed"
        raise InputError(f"`{name}` is empty, of shape {(n, width)}", remedy=remedy)
    is_one = _are_ones(name, column, lambda k: (start + k // width, k % width))
    return {
        "flat": np.nonzero(is_one)[1],
        "kind": "integers",
        "lengths": np.count_nonzero(is_one, axis=1),
        "every": (*range(width),),
    }


def _are_ones(name: str, values: NDArray[Any], place: Callable[[int], At]) -> NDArray[np.bool_]:
    """Mark the entries that are 1; all others must be 0. `place` says where the k-th stands."""
    if values.dtype == bool:
        return values
    numbers = values
    if values.dtype.kind not in "iuf":  # objects of different types, or no numbers
        flat = [
            x == 1 if (is_integer(x) or isinstance(x, float)) and x in (0, 1) else -1
            for x in values.flat
        ]
        numbers = np.array(flat, dtype=np.int8).reshape(values.shape)
    is_one = np.asarray(numbers == 1)
    fits = is_one | (numbers == 0)
    if not fits.all():
        k = int(fits.argmin())
        entry = entries_of(values.reshape(-1)[k : k + 1])[0]
        raise InputError(
            f"`{name}`{in_brackets(place(k))} is {describe(entry)}",
            remedy="For sets of labels, a two-dimensional array is an indicator matrix: it holds "
            "0 and 1, and has a column for each label. For probabilities, pass p > 0.5; for "
            "labels, a list or a set per example",
        )
    return is_one
