"""Corpora of some hundred examples, by their style, their size and a seed."""

import numpy as np
from hypothesis import strategies as st

from properties import generators

WHOLE = ("small", "one sign", "ties", "zeros", "few sizes", "few huge", "huge")
RATIOS = ("shares", "any", "vanishing", "line", "one sign", "huge")
COUNTS = ("dense", "sparse", "blocks", "planar", "line", "huge")
LABELS = ("single", "nearly alike", "one class", "sequences")


def any_of(*values):
    """Any of them; the first is the plainest."""
    return st.sampled_from(values)


def sizes(most, least=1):
    """Log-uniform from the least to the most."""
    ends = [least << k for k in range((most // least).bit_length())]
    return st.one_of([st.integers(low, min(2 * low - 1, most)) for low in ends])


@st.composite
def differences(draw, styles=WHOLE, least=1, most=3000, largest=(1, 2, 3, 7, 30, 1000)):
    """Integers, what two systems' scores differ by."""
    style, top = draw(any_of(*styles)), draw(any_of(*largest))
    n = draw(sizes(min(most, max(24 if style == "huge" else 10_000 // top, least)), least))
    rng = draw(generators)
    if style == "huge":
        top = 2 ** int(rng.choice([51, 61]))
    d = rng.integers(-top, top + 1, n)
    if style == "one sign":
        d = np.abs(d) * np.where(rng.random(n) < rng.choice([0.0, 0.01, 0.1, 0.3]), -1, 1)
    elif style == "ties":
        d = np.concatenate((d[n // 2 :], -rng.permutation(d[n // 2 :])))
        d[0] += rng.integers(2)
    elif style == "zeros":
        d *= rng.random(n) < 0.1
    elif style == "few sizes":
        d = rng.choice([-1, 1], n) * rng.choice(rng.integers(1, top + 1, 3), n)
    elif style == "few huge":
        places = rng.integers(n, size=int(rng.integers(1, 7)))
        d[places] *= (10 ** rng.uniform(2, 14, places.size)).astype(int)
    return d


@st.composite
def ratios(draw, styles=RATIOS, least=2, most=150):
    """Numerators and denominators of two systems, shape (2, n, 2), as counts."""
    style, top = draw(any_of(*styles)), draw(any_of(1, 2, 3, 6))
    n = draw(sizes(9 if style == "huge" else max(min(most, 150 // top), least), least))
    rng = draw(generators)
    if style == "huge":
        return rng.integers(0, int(10 ** rng.uniform(2, 9)), (2, n, 2))
    rows = rng.integers(0, top + 1, (2, n, 2))
    if style == "line":
        rows[1, :, 1] = rows[0, :, 1]
    if style == "vanishing":
        rows *= rng.random((2, n, 1)) < rng.choice([0.1, 0.3])
        rows[rng.integers(2), :, 1] *= rng.integers(2)
    elif style != "any":
        rows[..., 0] = rng.binomial(rows[..., 1], rng.choice([0.2, 0.6, 0.95]))
    if style == "one sign":
        is_worse = rows[1, :, 0] * rows[0, :, 1] > rows[0, :, 0] * rows[1, :, 1]
        rows[:, is_worse] = rows[::-1, is_worse]
    return rows


@st.composite
def counts(draw, styles=COUNTS, least=1, width=(1, 2, 3, 4)):
    """Up to 7 rows of 1 to 4 counts of two systems, repeated: swaps have few distinct sums."""
    style, m, k = draw(any_of(*styles)), draw(any_of(*width)), draw(st.integers(least, 7))
    top, rng = draw(any_of(1, 2, 4, 12)), draw(generators)
    if style == "huge":
        top = int(10 ** rng.uniform(2, 9))
    rank = {"planar": 2, "line": 1}.get(style, m)
    rows = rng.integers(0, top + 1, (2, k, rank))
    if rank != m:
        rows = rows @ rng.integers(0, 3, (rank, m))
    elif style == "sparse":
        rows *= rng.random((2, k, m)) < 0.4
    elif style == "blocks":
        rows *= np.arange(m) % 2 == rng.integers(2, size=(k, 1))
    most = (2e3 if style == "huge" else 1e4) ** (1 / k)  # times k, of so many sums in all
    rows = np.repeat(rows, rng.integers(1, max(min(2 * most, 300), 2), k), axis=1)
    is_turned = rng.random(rows.shape[1]) < rng.choice([0.0, 0.1, 0.5])
    rows[:, is_turned] = rows[::-1, is_turned]
    return rows


@st.composite
def labels(draw, n_classes, styles=LABELS, least=3):
    """Predictions of two systems and references: lists of labels, or of sequences of them."""
    style, n = draw(any_of(*styles)), draw(sizes({2: 150, 3: 14}[n_classes], least))
    rng = draw(generators)
    right = rng.integers(1 if style == "one class" else n_classes, size=n)
    columns = [np.where(rng.random(n) < 0.6, right, rng.integers(n_classes, size=n)) for _ in "12"]
    if style == "nearly alike":
        columns[1] = np.where(rng.random(n) < 0.1, columns[1], columns[0])
    columns.append(right)
    if style == "sequences":
        ends = np.flatnonzero(rng.random(n - 1) < 0.5) + 1
        return [[x.tolist() for x in np.split(column, ends)] for column in columns]
    return [column.tolist() for column in columns]
