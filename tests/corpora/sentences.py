"""Random sentences with their translations."""

NAMES = ("predictions1", "predictions2", "references")
WORDS = ["the", "The", "cat", "(cat)", "sat", "on", "a", "mat.", ",", "it's", "3.5", "&amp;x"]
WORDS += ["猫", "über", "—", "-"]


def _changed(rng, text, share):
    """Some words others, or left out."""
    words = [x if rng.random() > share else str(rng.choice(WORDS)) for x in text.split(" ")]
    return " ".join(x for x in words if rng.random() > share / 4)


def sentences(rng, n, n_references=1, longest=9):
    """Three columns; a text may be empty, and of few words no n-gram may match."""
    references = [
        [" ".join(rng.choice(WORDS, int(rng.integers(0, longest)))) for _ in range(n_references)]
        for _ in range(n)
    ]
    systems = [[_changed(rng, rng.choice(x), share) for x in references] for share in (0.3, 0.5)]
    return dict(zip(NAMES, (*systems, references), strict=True))


def translations(rng, n, longest=5, n_differing=8):
    """Three columns, of a reference or several; few sentences differ, so p is of all swaps."""
    n_references = int(rng.integers(1, 4))
    one, two, right = sentences(rng, n, n_references, longest).values()
    two = [b if k < n_differing else a for k, (a, b) in enumerate(zip(one, two, strict=True))]
    if n_references == 1 and rng.random() < 0.5:
        right = [x for (x,) in right]
    order = rng.permutation(n).tolist()
    return tuple([x[k] for k in order] for x in (one, two, right))


def some_of(rng, options):
    """Options of which some keep their defaults; a value of smoothing needs its method."""
    found = {name: x for name, x in options.items() if rng.random() < 0.6}
    if "smooth_method" not in found:
        found.pop("smooth_value", None)
    return found
