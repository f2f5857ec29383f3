"""The true scores of texts, by plain twins of the metrics, and p-values of them, by all swaps."""

import re
import string
from collections import Counter
from fractions import Fraction

from oracles import reals


def distance(one, other):
    """Levenshtein's: words inserted, deleted or replaced."""
    before = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b)))
        before = row
    return before[-1]


def normalize_answer(text):
    """As SQuAD's script says it: lower case, punctuation, articles, white space."""
    text = "".join(ch for ch in text.lower() if ch not in set(string.punctuation))
    text = re.sub(r"\b(a|an|the)\b", " ", text)
    return " ".join(text.split())


def f1_of(prediction, right):
    words, right_words = normalize_answer(prediction).split(), normalize_answer(right).split()
    common = Counter(words) & Counter(right_words)
    n_same = sum(common.values())
    if n_same == 0:
        return Fraction(0)
    precision, recall = Fraction(n_same, len(words)), Fraction(n_same, len(right_words))
    return 2 * precision * recall / (precision + recall)


def exact_of(prediction, right):
    return Fraction(normalize_answer(prediction) == normalize_answer(right))


TWINS = {"squad_exact_match": exact_of, "squad_f1": f1_of}


def shares(metric, predictions, references):
    """The score of each example, that of its best reference."""
    references = [[right] if isinstance(right, str) else right for right in references]
    pairs = zip(predictions, references, strict=True)
    return [max(TWINS[metric](given, right) for right in rights) for given, rights in pairs]


def brute_force(scores1, scores2, alternative):
    """All 2^n swaps of fractions whose mean is compared."""
    return reals.brute_force([a - b for a, b in zip(scores1, scores2, strict=True)], alternative)
