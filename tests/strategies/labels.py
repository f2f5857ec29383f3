"""Labels as people hold them: predictions of two systems, references, a metric that takes them."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from hypothesis import strategies as st

Options: TypeAlias = dict[str, Any]
PLAIN = ("integers", "binary", "words")
KINDS = (
    *PLAIN,
    *("sequences", "tags", "sets", "matrices", "one-hot", "texts"),
    *("ranks", "runs", "likelihoods"),
)
AVERAGED = ("precision", "recall", "f1", "fbeta", "jaccard", "specificity")
_WORDS = ("a", "b", "c")
_TAGS = ("O", "B-PER", "I-PER", "B-LOC")
_OF_TEXTS: dict[str, Any] = {
    "exact_match": {},
    "squad_f1": {},
    "word_error_rate": {},
    "character_error_rate": {},
    "bleu": {"tokenize": ("13a", "char", None), "smooth_method": ("exp", "floor", "none")},
    "chrf": {"word_order": (1, 2), "beta": (0.5, 0)},
    "ter": {"normalized": (True, False)},
}
_OF_COUNTS = {  # metrics of what is no label
    "ranks": ("top_k_accuracy",),
    "runs": ("pass_at_k", "pass_hat_k"),
    "likelihoods": ("log_likelihood", "perplexity", "bits_per_byte"),
}


class Task(NamedTuple):
    """Two systems' predictions, references or None, and the options of a metric, its name too."""

    columns: list[Any]
    options: Options


def _sizes(n: int) -> st.SearchStrategy[list[int]]:
    """The lengths of n sequences, of which one is not empty."""
    return st.lists(st.integers(0, 3), min_size=n - 1, max_size=n - 1).map(lambda x: [*x, 2])


def _column(draw: Any, entries: st.SearchStrategy[Any], n: int) -> list[Any]:
    return draw(st.lists(entries, min_size=n, max_size=n))


def _systems(draw: Any, entries: st.SearchStrategy[Any], n: int) -> list[list[Any]]:
    """Two systems and the references; a system may say the same of all examples, or be right."""
    found = [_column(draw, entries, n) for _ in range(3)]
    for k in range(2):
        how = draw(st.sampled_from(["own", "own", "own", "constant", "right", "as the other"]))
        if how == "constant":
            found[k] = [found[k][0]] * n
        elif how != "own":
            found[k] = list(found[2] if how == "right" else found[1 - k])
    return found


@st.composite
def tasks(draw: Any, kinds: tuple[str, ...] = KINDS, min_size: int = 2, max_size: int = 12) -> Task:
    """A kind of labels, some examples of it, and a metric with options."""
    kind, n = draw(st.sampled_from(kinds)), draw(st.integers(min_size, max_size))
    return Task(_columns(draw, kind, n), draw(_options(kind)))


def _columns(draw: Any, kind: str, n: int) -> list[Any]:
    if kind in ("sequences", "tags"):
        tokens: Any = st.sampled_from(_TAGS) if kind == "tags" else st.integers(0, 2)
        lengths = draw(_sizes(n))
        found: list[Any] = [[_column(draw, tokens, x) for x in lengths] for _ in range(3)]
        if kind == "sequences" and draw(st.integers(0, 3)) == 3:
            found[2][:-1] = [[-100 if x == 2 else x for x in row] for row in found[2][:-1]]
        return found
    if kind == "ranks":
        ranked = st.permutations(_WORDS)
        columns = [_column(draw, ranked, n) for _ in range(2)]
        return [*columns, _column(draw, st.sampled_from(_WORDS), n)]
    if kind == "runs":
        of = st.lists(st.integers(0, 1), min_size=3, max_size=3)
        return [*(_column(draw, of, n) for _ in range(2)), None]
    if kind == "likelihoods":
        of_digits = st.floats(-9, 0).map(lambda x: round(x, draw(st.sampled_from([0, 2, 17]))))
        columns = [_column(draw, of_digits, n) for _ in range(2)]
        return [*columns, [*_column(draw, st.integers(0, 7), n - 1), 2]]
    entries: dict[str, st.SearchStrategy[Any]] = {
        "integers": st.integers(0, 2),
        "binary": st.integers(0, 1),
        "words": st.sampled_from(_WORDS),
        "texts": st.lists(
            st.sampled_from(["the", "a", "1066", "Sea", "in", "é", ""]), min_size=1, max_size=3
        ).map(lambda x: " ".join(x) + "x"),
        "sets": st.sets(st.sampled_from(_WORDS)).map(sorted),
        "matrices": st.lists(st.integers(0, 1), min_size=3, max_size=3),
        "one-hot": st.integers(0, 2).map(lambda k: [int(k == x) for x in range(3)]),
    }
    return _systems(draw, entries[kind], n)


@st.composite
def _options(draw: Any, kind: str) -> Options:
    """A metric that takes such labels, with its options."""

    def one(*values: Any) -> Any:
        return draw(st.sampled_from(values))

    if kind in _OF_COUNTS:
        some = {"metric": one(*_OF_COUNTS[kind])}
        return some if kind == "likelihoods" else some | one({"k": 1}, {"k": 2}, {})
    if kind == "texts":
        name = one(*_OF_TEXTS)
        more = _OF_TEXTS[name]
        chosen = draw(st.lists(st.sampled_from(sorted(more)), max_size=2)) if more else []
        return {"metric": name} | {x: one(*more[x]) for x in sorted(set(chosen))}
    if kind == "one-hot":
        return {"metric": one("accuracy", "cohen_kappa", "hamming_loss")}
    if kind in ("tags", "sequences") and one(True, False):
        return _of_spans(one, kind)
    is_of_sets = kind in ("sets", "matrices")
    names = ["f1"] if is_of_sets else ["accuracy", "exact_match", "hamming_loss", "cohen_kappa"]
    if kind in PLAIN:
        names += ["balanced_accuracy", "matthews_correlation"]
    name = one(*names, *AVERAGED)
    if name == "cohen_kappa":
        return {"metric": name, "weights": one(None, "linear", "quadratic")}
    if name not in AVERAGED:
        return {"metric": name}
    return _averaged(one, kind, name)


def _averaged(one: Any, kind: str, name: str) -> Options:
    """A metric that is averaged over labels, with its options."""
    is_of_sets = kind in ("sets", "matrices")
    options = {"metric": name} | ({"multilabel": True} if is_of_sets else {})
    if kind == "sequences":
        options |= one({}, {"ignore_label": -100}, {"ignore_label": None})
    if name == "fbeta":
        options["beta"] = one(0.5, 2)
    options |= one({}, {"zero_division": 1}, {"zero_division": 0.5})
    averages = ("macro", "micro", "weighted", "binary", *(["samples"] if kind == "sets" else []))
    average = "binary" if name == "specificity" else one(*averages)
    named: dict[str, list[Any]] = {
        "tags": ["O", "B-PER"],
        "matrices": [2, 0],
        "words": ["b", "a"],
        "sets": ["b", "a"],
    }
    labels = named.get(kind, [1, 0])
    if average == "binary":
        return options | {"pos_label": labels[0]}
    return options | {"average": average} | one({}, {"labels": labels})


def _of_spans(one: Any, kind: str) -> Options:
    """A metric of spans, of tags or of their ids."""
    options = {"metric": one("span_f1", "span_precision", "span_recall")}
    if kind == "sequences":
        options["label_names"] = one(["O", "B-PER", "B-LOC"], {0: "O", 1: "B-PER", 2: "I-PER"})
    options |= one({}, {"labels": ["PER", "LOC"]})
    return options | one({}, {"mode": "strict", "scheme": "IOB2"})
