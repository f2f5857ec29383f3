"""Sentences with tagged entities, and two taggers of them that err as taggers do."""

TYPES = ("PER", "LOC", "ORG", "MISC")
PREFIXES = {  # of a word alone, the first, those between, and the last
    None: "BBII",
    "IOB1": "IIII",
    "IOB2": "BBII",
    "IOE1": "IIII",
    "IOE2": "EIIE",
    "IOBES": "SBIE",
    "BILOU": "UBIL",
}
MALFORMED = {  # of the default mode, those that make a span; of a scheme, any
    None: ("I-PER", "I-LOC", "E-PER", "S-LOC", "B", "PER", "b-ORG"),
    "IOB1": ("I-PER", "B-PER", "B-LOC"),
    "IOB2": ("I-PER", "I-LOC", "B"),
    "IOE1": ("I-PER", "E-PER", "E-LOC"),
    "IOE2": ("I-PER", "E-LOC", "I"),
    "IOBES": ("I-PER", "E-PER", "B-LOC", "S"),
    "BILOU": ("I-PER", "L-PER", "B-LOC", "U"),
}


def spelled(spans, length, scheme):
    """The tags of (start, length, type), in a scheme or None."""
    alone, first, between, last = list(PREFIXES[scheme])
    tags = ["O"] * length
    for start, size, kind in spans:
        size = min(size, length - start)
        prefixes = alone if size == 1 else first + between * (size - 2) + last
        tags[start : start + size] = [f"{prefix}-{kind}" for prefix in prefixes]
    return tags


def drawn_spans(rng, length):
    """None to three, of one or two words, rarely more."""
    starts = rng.choice(length, min(length, int(rng.integers(0, 4))), replace=False)
    return [(int(start), int(rng.geometric(0.6)), str(rng.choice(TYPES))) for start in starts]


def tagger(rng, spans, length, error):
    """Spans of which some are missed, longer, or of another type, and one that is invented."""
    found = []
    for start, size, kind in spans:
        event = rng.random() / error
        if event < 0.3:
            continue
        size = size + 1 if event < 0.6 else size
        found.append((start, size, str(rng.choice(TYPES)) if event < 1.0 else kind))
    if rng.random() < error / 2:
        found += drawn_spans(rng, length)[:1]
    return found


def sentences(rng, n, errors=(0.25, 0.3), malformed=0.0, scheme=None):
    """Predictions of both taggers, and references; some tags may be malformed."""
    columns: tuple[list[list[str]], ...] = ([], [], [])
    for _ in range(n):
        length = int(rng.integers(1, 12))
        spans = drawn_spans(rng, length)
        rows = [tagger(rng, spans, length, error) for error in errors]
        for column, row in zip(columns, [*rows, spans], strict=True):
            column.append(
                [
                    str(rng.choice(MALFORMED[scheme])) if rng.random() < malformed else tag
                    for tag in spelled(row, length, scheme)
                ]
            )
    return columns
