"""Random and nasty corpora for the campaign on exactness: columns of two systems, rows of counts.

Every function takes a NumPy generator and draws from nothing else.
"""

import math

import numpy as np

WHOLE = ("small", "one sign", "ties", "zeros", "few huge", "few sizes", "near 2^53", "near 2^61")
REAL = ("cauchy", "lognormal", "clusters", "far apart", "few sizes", "thirds")
PAIRS = ("shares", "any", "vanishing", "line", "one sign", "huge")
ROWS = ("dense", "sparse", "blocks", "planar", "line", "repeated", "huge")
REAL_ROWS = ("scales", "far apart", "thirds", "few", "zeros", "huge")
LABELS = ("single", "sequences", "nearly alike", "one class")


def size(rng, most, least=1):
    """Log-uniform from the least to the most."""
    return int(math.exp(rng.uniform(math.log(least), math.log(most + 0.999))))


def choice(rng, options):
    return options[int(rng.integers(len(options)))]


def whole_differences(rng, style):
    """Integers, some thousand where they are small."""
    largest = choice(rng, (1, 2, 3, 7, 30, 1000))
    most = max(min(3000, int((3e7 / largest) ** 0.5)), 4)
    n = size(rng, most, most // 2 if style == "one sign" and rng.random() < 0.5 else 1)
    if style == "near 2^53":
        return rng.integers(-(2**51), 2**51, size(rng, 26))
    if style == "near 2^61":
        return rng.integers(-(2**61), 2**61, size(rng, 26))
    if style == "few sizes":
        sizes = rng.integers(1, largest + 1, int(rng.integers(1, 4)))
        return sizes[rng.integers(len(sizes), size=n)] * rng.choice([-1, 1], n)
    d = rng.integers(-largest, largest + 1, n)
    if style == "one sign":
        d = np.abs(d) * np.where(rng.random(n) < rng.choice([0.0, 0.01, 0.1, 0.3]), -1, 1)
    elif style == "ties":
        d = np.concatenate((d, -rng.permutation(d)))
        d[0] += int(rng.integers(0, 2))
    elif style == "zeros":
        d *= rng.random(n) < 0.1
    elif style == "few huge":
        places = rng.integers(n, size=int(rng.integers(1, 9)))
        d[places] *= int(10 ** rng.uniform(2, 14))
    return d


def columns_of(rng, d):
    """Two int64 columns with these differences."""
    reach = 2**62 - int(np.abs(d).max(initial=0))
    second = rng.integers(-min(50, reach), min(50, reach) + 1, len(d))
    return second + d, second


def counted(rng, columns):
    """The distinct rows of the columns and how often each occurs."""
    table = np.stack(columns, axis=1).reshape(len(columns[0]), -1)
    _, first, how_often = np.unique(table, axis=0, return_index=True, return_counts=True)
    order = rng.permutation(len(first))
    first, how_often = first[order], how_often[order]
    return [column[first] for column in columns], how_often


def real_columns(rng, style):
    """Floats on no lattice: up to 30 of any sizes, or some hundred of a few sizes."""
    n = size(rng, 28, 2)
    if style == "cauchy":
        return rng.standard_cauchy(n), rng.standard_cauchy(n)
    if style == "lognormal":
        return rng.lognormal(0, 3, n), rng.lognormal(0, 3, n)
    if style == "clusters":
        centres = rng.random(3)
        scores = centres[rng.integers(3, size=(2, n))] + 1e-7 * rng.random((2, n))
        return scores[0], scores[1]
    if style == "far apart":
        scores = rng.random((2, n)) * 10.0 ** rng.choice([-300, -150, 0, 10, 150, 290], (2, n))
        return scores[0], scores[1]
    if style == "thirds":
        return rng.integers(0, 9, n) / 3 + rng.random() / 7, rng.integers(0, 9, n) / 7
    k = int(rng.integers(2, 9))
    one, two = rng.lognormal(0, 1, (2, k))
    how_often = [size(rng, max(2, round(3e4 ** (1 / max(k // 2, 1)))) // 2 + 1) for _ in range(k)]
    one, two = np.repeat(one, how_often), np.repeat(two, how_often)
    turned = rng.random(one.size) < rng.choice([0.02, 0.2, 0.5])
    return np.where(turned, two, one), np.where(turned, one, two)


def pairs(rng, style):
    """(numerator, denominator) of two systems, shape (n, 2) each; the latter not negative."""
    largest = choice(rng, (1, 2, 3, 6))
    n = size(rng, max(int(220 / largest), 3), 2)
    if style == "huge":
        n, largest = size(rng, 9, 2), int(10 ** rng.uniform(2, 9))
    rows = rng.integers(0, largest + 1, (2, n, 2))
    if style in ("shares", "one sign", "line"):
        rows[..., 1] = rng.integers(0, largest + 1, (2, n))
        rows[..., 0] = rng.binomial(rows[..., 1], rng.choice([0.2, 0.6, 0.95]))
    if style == "line":
        rows[1, :, 1] = rows[0, :, 1]
        rows[1, :, 0] = np.minimum(rows[1, :, 0], rows[1, :, 1])
    elif style == "vanishing":
        rows *= rng.random((2, n, 1)) < rng.choice([0.1, 0.3])
        rows[int(rng.integers(2)), :, 1] *= int(rng.integers(0, 2))
    elif style == "one sign":
        worse = rows[1, :, 0] * rows[0, :, 1] > rows[0, :, 0] * rows[1, :, 1]
        turned = worse & (rng.random(n) < 0.97)
        rows[:, turned] = rows[::-1, turned]
    return rows[0], rows[1]


def count_rows(rng, style, most_sums=1e5):
    """Rows of 1 to 4 counts of two systems, whose swaps have few distinct sums."""
    m = int(rng.integers(1, 5))
    largest = choice(rng, (1, 2, 4, 12))
    k = int(rng.integers(1, 8))
    if style == "huge":
        largest, most_sums = int(10 ** rng.uniform(2, 9)), 2e3
    rows = rng.integers(0, largest + 1, (2, k, m))
    if style == "sparse":
        rows *= rng.random((2, k, m)) < 0.4
    elif style == "blocks":
        rows *= np.arange(m) % 2 == rng.integers(2, size=(k, 1))
    elif style in ("planar", "line"):
        rank = 2 if style == "planar" else 1
        rows = rng.integers(0, largest + 1, (2, k, rank)) @ rng.integers(0, 3, (rank, m))
    elif style == "repeated":
        rows[:, 1:] = rows[:, :1]
    how_often, n_sums = [], 1.0
    for left in range(k, 0, -1):
        most = (most_sums / n_sums) ** (1 / left)
        how_often.append(size(rng, max(min(most - 1, 300), 1)))
        n_sums *= how_often[-1] + 1
    rows = np.repeat(rows, how_often, axis=1)
    turned = rng.random(rows.shape[1]) < rng.choice([0.0, 0.1, 0.5])
    rows[:, turned] = rows[::-1, turned]
    return rows[0], rows[1]


def real_rows(rng, style, may_be_negative):
    """Rows of 1 to 4 floats of two systems, on no lattice or on one beyond 2^52."""
    n, m = size(rng, 9), int(rng.integers(2, 5))
    rows = rng.random((2, n, m))
    if style == "scales":
        rows *= 10.0 ** rng.choice([-2, 0, 4], (2, n, m))
    elif style == "far apart":
        rows *= 10.0 ** rng.choice([-290, -150, 0, 9, 70], (2, n, m))
    elif style == "thirds":  # which tie nearly
        rows = rng.integers(0, choice(rng, (3, 9)), (2, n, m)) / choice(rng, (3, 7, 21))
    elif style == "few":  # the same examples several times, which tie
        rows = rows[:, rng.integers(0, min(choice(rng, (1, 2, 3)), n), n)]
        turned = rng.random(n) < 0.5
        rows[:, turned] = rows[::-1, turned]
    elif style == "zeros":
        rows *= rng.random((2, n, m)) < choice(rng, (0.2, 0.7))
    elif style == "huge":
        rows = rng.integers(0, choice(rng, (4, 10**3, 10**9)), (2, n, m)) * 2.0**50
    if may_be_negative:
        rows *= rng.choice([-1.0, 1.0], (2, n, m))
    rows[:, rng.random(n) < 0.1] = rows[0, 0]
    return rows[0], rows[1]


def labels(rng, style, n_classes, most):
    """Predictions of two systems and references, one label an example or a list of them."""
    n = size(rng, most, 2)
    lengths = rng.integers(1, 4, n) if style == "sequences" else np.ones(n, dtype=int)
    right = [rng.integers(n_classes, size=length).tolist() for length in lengths]
    if style == "one class":
        right = [[0] * length for length in lengths]
    differs = 0.1 if style == "nearly alike" else 0.5
    share = rng.random(2)

    def predicted(row, skill):
        return [x if rng.random() < skill else int(rng.integers(n_classes)) for x in row]

    one = [predicted(row, share[0]) for row in right]
    two = [
        predicted(row, share[1]) if rng.random() < differs else [*a]
        for row, a in zip(right, one, strict=True)
    ]
    if style == "sequences":
        return one, two, right
    return tuple([row[0] for row in column] for column in (one, two, right))
