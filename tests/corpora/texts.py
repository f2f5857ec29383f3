"""Random texts."""

NAMES = ("predictions1", "predictions2", "references")
WORDS = ["the", "A", "an", "cat,", "Cat", "cat", "sat", "on", "mat!", "the-mat", "1066", "'", ""]


def random_text(rng, longest=6):
    return " ".join(rng.choice(WORDS, int(rng.integers(0, longest))).tolist())


def random_answers(rng, n, n_right=3):
    """Texts of three columns; references have some right answers each."""
    references = [
        [random_text(rng) for _ in range(int(rng.integers(1, n_right + 1)))] for _ in range(n)
    ]
    columns = [
        [x[0] if rng.random() < share else random_text(rng) for x in references]
        for share in (0.5, 0.2)
    ]
    return dict(zip(NAMES, (*columns, references), strict=True))


def transcripts(rng, n):
    words = ["one", "two", "three", "two."]
    return {
        name: [rng.choice(words, int(rng.integers(0, 6))).tolist() for _ in range(n)]
        for name in NAMES
    }
