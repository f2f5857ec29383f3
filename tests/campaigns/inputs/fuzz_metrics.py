"""The grammar of metrics: columns that they take, their names and their options."""

from __future__ import annotations

from random import Random

from campaigns.inputs.hostile import COUNTS, Slot, listed, option, plain

_FLAG, _ORDER = ("True", "False"), ("1", "2", "4")
_OF_TRANSLATIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "bleu": {
        "lowercase": _FLAG,
        "tokenize": ("'13a'", "'intl'", "'char'", "'none'", "None"),
        "smooth_method": ("'exp'", "'floor'", "'add-k'", "'none'"),
        "max_ngram_order": _ORDER,
        "effective_order": _FLAG,
    },
    "chrf": {
        "char_order": _ORDER,
        "word_order": _ORDER,
        "beta": ("0.5", "2", "0"),
        "whitespace": _FLAG,
        "eps_smoothing": _FLAG,
    },
    "ter": {"normalized": _FLAG, "no_punct": _FLAG, "case_sensitive": _FLAG},
}
_OF_LABELS = ("integers", "strings", "binary", "sequences", "tags", "sets", "matrices")
_OF_OTHERS = {  # metrics of what is no label
    "ranks": ("top_k_accuracy",),
    "runs": ("pass_at_k", "pass_hat_k"),
    "numbers of runs": ("pass_at_k", "pass_hat_k"),
    "likelihoods": ("log_likelihood", "perplexity", "bits_per_byte"),
}
KINDS = (*_OF_LABELS, "texts", *_OF_OTHERS)


def drawn(rng: Random, n: int, entries: list[str]) -> list[str]:
    """So many of these, with replacement."""
    return [rng.choice(entries) for _ in range(n)]


def labels(rng: Random, n: int, kind: str) -> list[list[str]]:
    """Two columns of predictions, and references."""
    if kind in ("integers", "strings", "binary"):
        of = {"integers": ["0", "1", "2"], "binary": ["0", "1"], "strings": ["'a'", "'b'", "'c'"]}
        return [drawn(rng, n, of[kind]) for _ in range(3)]
    if kind == "texts":
        words = ["the", "a", "1066", "Sea", "in", "é", ""]
        return [
            [repr(" ".join(drawn(rng, rng.randrange(1, 4), words)) + "x") for _ in range(n)]
            for _ in range(3)
        ]
    if kind == "sets":
        return [
            [
                listed(sorted(set(drawn(rng, rng.randrange(4), ["'a'", "'b'", "'c'"]))))
                for _ in "x" * n
            ]
            for _ in range(3)
        ]
    if kind in _OF_OTHERS:
        return _others(rng, n, kind)
    if kind == "matrices":
        return [[listed(drawn(rng, 3, ["0", "1"])) for _ in "x" * n] for _ in range(3)]
    tags = ["'B-PER'", "'I-PER'", "'O'", "'B-LOC'"] if kind == "tags" else ["0", "1", "2"]
    lengths = [rng.randrange(0, 4) for _ in range(n - 1)] + [2]
    columns = [[listed(drawn(rng, length, tags)) for length in lengths] for _ in range(3)]
    if kind == "sequences" and rng.random() < 0.3:
        columns[2][:-1] = [x.replace("2", "-100") for x in columns[2][:-1]]
    return columns


def _others(rng: Random, n: int, kind: str) -> list[list[str]]:
    """Ranked labels, runs of items, or log-likelihoods; and their references, if there are any."""
    if kind == "ranks":
        some = ["'a'", "'b'", "'c'"]
        ranked = [[listed(rng.sample(some, 3)) for _ in range(n)] for _ in range(2)]
        return [*ranked, drawn(rng, n, some)]
    if kind == "runs":
        return [[listed(drawn(rng, 3, ["0", "1"])) for _ in range(n)] for _ in range(2)]
    if kind == "numbers of runs":
        return [*(drawn(rng, n, ["0", "1", "3"]) for _ in range(2)), ["3"] * n]
    digits = rng.choice((0, 2, 17))
    found = [[repr(round(-9 * rng.random(), digits)) for _ in range(n)] for _ in range(2)]
    return [*found, [*drawn(rng, n, ["0", "1", "7"])[:-1], "2"]]


def metric_slots(rng: Random, kind: str) -> list[Slot]:
    """A metric that takes such labels, with its options."""
    if kind in _OF_OTHERS:
        slots = [option("metric", repr(rng.choice(_OF_OTHERS[kind])))]
        if kind != "likelihoods" and rng.random() < 0.7:
            slots.append(option("k", rng.choice(("1", "2", "3")), also=COUNTS))
        return slots
    if kind == "texts":
        names = ["word_error_rate", "character_error_rate", "squad_f1", "exact_match"]
        name = rng.choice([*names, *_OF_TRANSLATIONS])
        there = _OF_TRANSLATIONS.get(name, {})
        asked = rng.sample(sorted(there), rng.randrange(min(len(there), 2) + 1))
        return [option("metric", repr(name)), *(option(x, rng.choice(there[x])) for x in asked)]
    if kind in ("tags", "sequences") and rng.random() < 0.5:
        return span_slots(rng, kind)
    some = {"integers": "[0, 1]", "binary": "[0, 1]", "sequences": "[0, 1]", "tags": "['O']"}
    some["matrices"] = "[2, 0]"
    if kind not in ("sets", "matrices") and rng.random() < 0.4:
        names = ["accuracy", "exact_match", "hamming_loss"]
        if kind in ("integers", "strings", "binary"):
            names += ["balanced_accuracy", "matthews_correlation"]
        return [option("metric", repr(rng.choice(names)))]
    if kind == "sets" and rng.random() < 0.2:
        return [option("metric", "'zero_one'")]
    if kind == "sets" and rng.random() < 0.2:
        return [option("metric", "'hamming_loss'"), option("multilabel", "True")]
    if kind != "sets" and rng.random() < 0.2:
        weights = rng.choice(("None", "'linear'", "'quadratic'"))
        return [option("metric", "'cohen_kappa'"), option("weights", weights)]
    name = rng.choice(("precision", "recall", "f1", "fbeta", "jaccard", "specificity"))
    slots = [option("metric", repr(name))]
    if name == "fbeta":
        slots.append(option("beta", rng.choice(("0.5", "2", "Fraction(1, 3)")), also=COUNTS))
    if kind in ("sets", "matrices"):
        slots.append(option("multilabel", "True"))
    if kind == "sequences" and rng.random() < 0.3:
        slots.append(option("ignore_label", rng.choice(("-100", "None", "1"))))
    if rng.random() < 0.2:
        slots.append(option("zero_division", rng.choice(("0", "1", "0.5")), also=COUNTS))
    averages = ["binary", "micro", "macro", "weighted", *(["samples"] if kind == "sets" else [])]
    average = "binary" if name == "specificity" else rng.choice(averages)
    if name != "specificity":
        slots.append(option("average", repr(average)))
    if average == "binary":
        slots.append(plain("pos_label", some.get(kind, "['a']")[1:-1].split(",")[0]))
    elif rng.random() < 0.4:
        slots.append(plain("labels", some.get(kind, "['a', 'b']")))
    return slots


def span_slots(rng: Random, kind: str) -> list[Slot]:
    """A metric of spans, of tags or of their ids."""
    name = rng.choice(("span_precision", "span_recall", "span_f1"))
    slots = [option("metric", repr(name))]
    if kind == "sequences":
        names = ("['O', 'B-PER', 'B-LOC']", "{0: 'O', 1: 'B-PER', 2: 'I-PER'}")
        slots.append(option("label_names", rng.choice(names)))
    if rng.random() < 0.4:
        slots.append(option("labels", "['PER', 'LOC']"))
    if rng.random() < 0.4:
        slots += [option("mode", "'strict'"), option("scheme", rng.choice(("'IOB1'", "'IOB2'")))]
    return slots
