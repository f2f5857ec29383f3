"""Small corpora of every kind, the same everywhere: integers of NumPy's generators."""

import numpy as np

COLUMNS = ("predictions1", "predictions2", "references")
KINDS = ("PER", "LOC", "ORG")
WORDS = ["the", "a", "sea", "lake", "in", "of", "1066", "river", "old", "new", "is", "at"]


def labels(n, n_classes=2, seed=0, right=(80, 65), names=None):
    """Two systems' labels, right so often in a hundred, and the right ones."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, n_classes, n)
    columns = [
        np.where(rng.integers(0, 100, n) < share, gold, rng.integers(0, n_classes, n))
        for share in right
    ]
    found = dict(zip(COLUMNS, (x.tolist() for x in (*columns, gold)), strict=True))
    return found if names is None else mapped(found, lambda label: names[label])


def mapped(columns, function):
    """The columns with a function of each entry."""
    return {name: [function(x) for x in column] for name, column in columns.items()}


def sequences(n, n_classes=3, seed=1, **options):
    """Labels in sequences of 0 to 5."""
    lengths = np.random.default_rng(seed + 100).integers(0, 6, n)
    ends = np.cumsum(lengths).tolist()
    flat = labels(ends[-1], n_classes, seed, **options)
    starts = [0, *ends[:-1]]
    return {
        name: [column[a:b] for a, b in zip(starts, ends, strict=True)]
        for name, column in flat.items()
    }


def tags(n, seed=2):
    """Tags of entities, some of them malformed."""
    names = ["O", *(f"{place}-{kind}" for kind in KINDS for place in "BI")]
    return sequences(n, len(names), seed, names=names)


def sets(n, seed=3):
    """Sets of up to three of four labels."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 2, (n, 4))
    columns = [np.where(rng.integers(0, 100, (n, 4)) < 75, gold, 1 - gold) for _ in range(2)]
    found = ([set(np.flatnonzero(x).tolist()) for x in y] for y in (*columns, gold))
    return dict(zip(COLUMNS, found, strict=True))


def transcripts(n, seed=4):
    """Texts, of which some words are other, missing or too many."""
    rng = np.random.default_rng(seed)
    gold = [[WORDS[k] for k in rng.integers(0, 8, rng.integers(3, 9))] for _ in range(n)]

    def heard(words, share):
        kept = [x for x in words if rng.integers(0, 100) < share]
        return [WORDS[rng.integers(0, 8)] if rng.integers(0, 100) > share else x for x in kept]

    texts = [[" ".join(heard(x, share)) for x in gold] for share in (92, 80)]
    return dict(zip(COLUMNS, (*texts, [" ".join(x) for x in gold]), strict=True))


def answers(n, seed=5, longest=4):
    """Answers to questions, and two right ones each."""
    rng = np.random.default_rng(seed)
    gold = [
        [
            " ".join(WORDS[k] for k in rng.integers(0, 12, rng.integers(1, longest + 1)))
            for _ in range(2)
        ]
        for _ in range(n)
    ]

    def answered(texts, share):
        words = texts[0].split()
        return " ".join(x if rng.integers(0, 100) < share else WORDS[0] for x in words)

    given = [[answered(x, share) for x in gold] for share in (85, 60)]
    return dict(zip(COLUMNS, (*given, gold), strict=True))


def as_squad(columns):
    """Answers in the dicts of evaluate's squad module, the second system's in another order."""
    ids = [f"q{k}" for k in range(len(columns["references"]))]
    given = [
        [{"id": i, "prediction_text": x} for i, x in zip(ids, columns[name], strict=True)]
        for name in COLUMNS[:2]
    ]
    right = [
        {"id": i, "answers": {"text": x, "answer_start": [0] * len(x)}}
        for i, x in zip(ids, columns["references"], strict=True)
    ]
    return dict(zip(COLUMNS, (given[0], given[1][::-1], right), strict=True))


def scores(n, size, seed=6, better=0):
    """Two columns of integers below `size`, the first greater by some."""
    one, two = np.random.default_rng(seed).integers(0, size, (2, n))
    return one + better, two


def rows(n, m, size, seed=7):
    """Two arrays (n, m) of integers below `size`."""
    return tuple(np.random.default_rng(seed).integers(0, size, (2, n, m)))


def f1_rows(n, seed=8):
    """Rows (tp, predicted, gold) of two systems."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 4, n)
    tps = [np.minimum(gold, rng.integers(0, 4, n)), np.minimum(gold, rng.integers(0, 3, n))]
    return tuple(np.stack((tp, tp + rng.integers(0, 2, n), gold), axis=1) for tp in tps)


def reals(shape, seed=9):
    """Two arrays of numbers that lie on no lattice, of integers so that all have them."""
    return tuple(np.random.default_rng(seed).integers(0, 2**53, (2, *shape)) / 2.0**53)
