"""BLEU, chrF and TER of translations, whose sentences sacrebleu counts."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError, describe, extra, printable
from pairedperm.inputs.labels import check_lengths
from pairedperm.options import Interval, OneOf, Whole
from pairedperm.scoring.metric import Metric, as_arguments
from pairedperm.scoring.metrics.texts import read_sentences
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Null, Score, SumScore

LONGEST_NGRAM = 100  # tuned: n-grams; each length adds counts to every sentence
Sentences = list[list[str]]


@dataclass(frozen=True, kw_only=True, repr=False)
class _OfTranslations(Metric):
    """A score of the sums of what sacrebleu counts in each sentence.

    Its options have sacrebleu's names and defaults. The last column of its rows is the number of
    references.

    Attributes
    ----------
    counter : str
        The name of sacrebleu's class.
    said_in_words : tuple of str
        The options that `in_words` expresses in the metric's name.
    """

    unit = "percent"
    limits = 0.0, 100.0
    read_column = staticmethod(read_sentences)
    counter: ClassVar[str]
    said_in_words: ClassVar[tuple[str, ...]] = ()

    @property
    def in_words(self) -> str:
        """The name in reports, with the options that it does not express in brackets."""
        others = {x: y for x, y in (self.options or {}).items() if x not in self.said_in_words}
        return f"{super().in_words} ({as_arguments(others)})" if others else super().in_words

    def rows(self, predictions1: Sentences, predictions2: Sentences, references: Sentences) -> Rows:
        """Return what sacrebleu counts in each sentence; it counts the references once."""
        systems = {"predictions1": predictions1, "predictions2": predictions2}
        for name, column in systems.items():
            _check_paired(name, len(column), references)
        with extra("mt", f"metric {self.name!r}"):
            from sacrebleu import metrics
        counter = self.new_counter(metrics)
        prepared, counted = counter._preprocess_segment, counter._compute_segment_statistics
        tables: tuple[list[Any], list[Any]] = [], []
        for (one,), (two,), rights in zip(predictions1, predictions2, references, strict=True):
            known = counter._extract_reference_info([*map(prepared, rights)])
            numbers_of_one = counted(prepared(one), known)
            others = numbers_of_one if two == one else counted(prepared(two), known)
            for table, numbers in zip(tables, (numbers_of_one, others), strict=True):
                table.append([*self.integers(numbers, len(rights)), len(rights)])
        rows1, rows2 = (np.array(table, dtype=np.int64) for table in tables)
        return Rows(rows1, rows2)

    def new_counter(self, metrics: Any) -> Any:
        """Return an object of sacrebleu's class, with these options."""
        return getattr(metrics, self.counter)(**{x: getattr(self, x) for x in self.takes()})

    def integers(self, numbers: list[Any], n_references: int) -> list[int]:
        """Return what sacrebleu counts in a sentence, in integers."""
        return numbers

    def score(self, rows: Rows) -> Score:
        sizes = 1 if rows.sizes is None else rows.sizes
        numbers = np.unique(rows.rows1[:, -1] // sizes).tolist()
        if len(numbers) > 1:  # in different batches
            raise InputError(
                "references",
                f"has {numbers[0]} texts for some sentences and {numbers[-1]} for others",
                remedy="give every sentence the same number of references",
            )
        return self.score_with(numbers[0])

    @abstractmethod
    def score_with(self, n_references: int) -> Score:
        """Return the score of the sums if each sentence has this number of references."""


def _check_paired(name: str, n: int, references: Sentences) -> None:
    """Raise InputError for columns of different lengths; references may be in sacrebleu's form."""
    if not len(references) < n == len(references[0]):
        return check_lengths(name, n, "references", len(references))
    raise InputError(
        "references",
        f"has {len(references)} lists of {n} texts, and `{name}` has {n} texts",
        remedy=(
            "Give a list for each sentence; sacrebleu takes a list for each of its references.",
            "list(zip(*references)) turns them",
        ),
    )


Smoothing = Literal["exp", "floor", "add-k", "none"]
_OWN = ("13a", "intl", "zh", "char", "none")
_OTHERS = ("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K")
_DEFAULTS = {"floor": 0.1, "add-k": 1.0}  # proof: sacrebleu's smoothing values
_LARGEST_SMOOTHING = {"floor": 1.0, "add-k": 1000.0}  # tuned: BLEU passes 100 at a floor above 1


@dataclass(frozen=True, kw_only=True, repr=False)
class BLEU(_OfTranslations):
    """The geometric mean of n-gram precisions, times a brevity penalty, as in sacrebleu.

    Counts are summed over all sentences of the corpus. References are a text for each sentence, or
    a list of texts, equally many for each. Needs sacrebleu (extra ``mt``).

    Reported as a percentage; higher is better. p is sampled, or exact if few sentences or few kinds
    of counts differ. 10,000 swaps of 2,500 sentences take 30 ms, plus 0.25 s to count them.

    Parameters
    ----------
    lowercase : bool
        Whether to ignore case.
    tokenize : str or None
        The tokenizer of sacrebleu: "13a", "intl", "zh", "char" or "none"; None is "13a". "ja-mecab"
        and "ko-mecab" need packages of their own. For "spm", "flores101", "flores200" and
        "spBLEU-1K" sacrebleu downloads a model.
    smooth_method : {"exp", "floor", "add-k", "none"}
        How sacrebleu replaces a precision of 0.
    smooth_value : float or None
        With "floor": the number in place of 0 matches, from 0 to 1; None is 0.1. With "add-k": the
        number added to matches and totals of n-grams of two or more words, up to 1000; None is 1.
    max_ngram_order : int
        The length of the longest n-grams, from 1 to 100.
    effective_order : bool
        Whether to leave out n-grams that are longer than all translations.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [["The cat sat on the mat.", "A cat sat on a mat."], ["It is warm.", "It's hot."]]
    >>> one = ["A cat sat on the mat.", "It is warm."]
    >>> two = ["The cat is on the mat.", "It is hot."]
    >>> result = compare(one, two, right, "bleu")
    >>> round(result.score1, 4), round(result.score2, 4), result.pvalue, result.method
    (100.0, 43.1389, 0.5, 'exact')
    """

    name = "bleu"
    words = "BLEU"
    aliases = ("sacrebleu", "bleu_score", "corpus_bleu")
    counter = "BLEU"
    lowercase: bool = False
    tokenize: Annotated[str | None, OneOf((*_OWN, *_OTHERS))] = None
    smooth_method: Smoothing = "exp"
    smooth_value: float | None = None
    max_ngram_order: Annotated[int, Whole(1, LONGEST_NGRAM)] = 4
    effective_order: bool = False

    def following(self) -> dict[str, Any]:
        return {
            "tokenize": None if self.tokenize == _OWN[0] else self.tokenize,
            "smooth_value": _read_smooth_value(self.smooth_value, self.smooth_method),
        }

    def new_counter(self, metrics: Any) -> Any:
        """Return an object of sacrebleu's class, with these options.

        Raises
        ------
        InputError
            If sacrebleu cannot load the tokenizer, because a package or a model is missing.
        """
        try:
            return super().new_counter(metrics)
        except (LookupError, RuntimeError, ImportError, OSError, SystemExit) as error:
            said = printable(" ".join(str(error).split()), 300)
            raise InputError(
                "tokenize",
                f"{self.tokenize!r} is one that sacrebleu cannot load here "
                f"({type(error).__name__}: {said})",
                remedy=f"Tokenizers that need no package or model are {', '.join(map(repr, _OWN))}",
            ) from error

    def score_with(self, n_references: int) -> Score:
        return _BLEUOfSums(self)


@dataclass(frozen=True, eq=False)
class _BLEUOfSums(SumScore):
    """BLEU of summed rows (length, length of the reference, n-grams that match, all n-grams)."""

    metric: BLEU

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the scores by the formula of sacrebleu's `compute_bleu`."""
        options, n = self.metric, self.metric.max_ngram_order
        length, reference = sums[:, 0], sums[:, 1]
        correct, total = sums[:, 2 : n + 2], sums[:, n + 2 : 2 * n + 2]
        is_any = (correct != 0.0).any(axis=1)
        value: Any = options.smooth_value
        if value is None:
            value = _DEFAULTS.get(options.smooth_method, 0.0)
        if options.smooth_method == "add-k":
            added = np.where(np.arange(n) > 0, value, 0.0)
            correct, total = correct + added, total + added
        is_counted = np.logical_and.accumulate(total != 0.0, axis=1)
        is_none = correct == 0.0
        if options.smooth_method == "exp":
            value = 0.5 ** np.cumsum(is_none, axis=1)
        elif options.smooth_method != "floor":
            value = 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = 100.0 * np.where(is_none, value, correct) / total
            left_out = 0.0 if options.effective_order else -np.inf
            logs = np.where(is_counted, np.log(precisions), left_out)
            n_orders = is_counted.sum(axis=1) if options.effective_order else n
            brevity = np.minimum(1.0 - reference / length, 0.0)
            scores = np.exp(brevity + logs.sum(axis=1) / n_orders)
        return np.where(is_any & is_counted[:, 0], scores, 0.0)


def _read_smooth_value(value: Any, method: str) -> float | None:
    if value is None:
        return None
    given = f" with smooth_method={method!r}"
    if method not in _LARGEST_SMOOTHING:
        raise InputError(
            "smooth_value",
            "is for smooth_method='floor' or 'add-k'",
            got=f"{describe(value)}{given}",
            remedy="leave it out",
        )
    words = f"a number from 0 to {_LARGEST_SMOOTHING[method]:g}{given}"
    kept = Interval(0.0, _LARGEST_SMOOTHING[method], words=words, or_none=True).read(
        "smooth_value", value
    )
    return None if kept == _DEFAULTS[method] else float(kept)


_LARGEST_BETA = 1000  # tuned: beta
_EPSILON = 1e-16  # proof: sacrebleu's precision and recall if the denominator is 0


@dataclass(frozen=True, kw_only=True, repr=False)
class ChrF(_OfTranslations):
    """The F-score of the mean precision and mean recall of character n-grams, as in sacrebleu.

    Counts are summed over all sentences of the corpus. With word_order=2 it is chrF++. References
    are a text for each sentence, or a list of texts, equally many for each; the nearest text
    counts. Needs sacrebleu (extra ``mt``).

    Reported as a percentage; higher is better. p is sampled, or exact if few sentences differ.
    10,000 swaps of 2,500 sentences take 30 ms, plus 0.35 s to count them (chrF++: 0.6 s).

    Parameters
    ----------
    char_order : int
        The length of the longest n-grams of characters, from 1 to 100.
    word_order : int
        The length of the longest n-grams of words, up to 100; 0: words do not count, 2: chrF++.
    beta : float
        The weight of recall relative to precision, from 0 to 1000.
    lowercase : bool
        Whether to ignore case.
    whitespace : bool
        Whether n-grams include white space.
    eps_smoothing : bool
        Whether to average the F-scores of all lengths of n-grams, even of those longer than all
        texts, as chrF++.py, NLTK and Moses do.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = ["The cat sat on the mat.", "It is warm."]
    >>> one, two = ["A cat sat on the mat.", "It is warm."], ["The cat is on a mat.", "It's hot."]
    >>> result = compare(one, two, right, "chrf", word_order=2)
    >>> round(result.score1, 4), round(result.score2, 4), result.pvalue, result.method
    (88.2381, 31.5463, 0.5, 'exact')
    """

    name = "chrf"
    words = "chrF"
    aliases = ("chrf++", "chrfpp", "chr_f")
    counter = "CHRF"
    said_in_words = ("word_order", "beta")
    char_order: Annotated[int, Whole(1, LONGEST_NGRAM)] = 6
    word_order: Annotated[int, Whole(0, LONGEST_NGRAM)] = 0
    beta: Annotated[float, Interval(0.0, _LARGEST_BETA)] = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def following(self) -> dict[str, Any]:
        return {"beta": int(self.beta) if self.beta.is_integer() else self.beta}

    @property
    def in_words(self) -> str:
        weight = "" if self.beta == 2 else self.beta
        return super().in_words.replace("chrF", f"chrF{weight}{'+' * self.word_order}", 1)

    def score_with(self, n_references: int) -> Score:
        return _ChrFOfSums(self)


@dataclass(frozen=True, eq=False)
class _ChrFOfSums(SumScore):
    """chrF of summed rows (n-grams, those of the reference, those that match) of each length."""

    metric: ChrF

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the scores by the formula of sacrebleu's `_compute_f_score`."""
        given, right, match = (sums[:, k:-1:3] for k in range(3))
        factor = float(self.metric.beta) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(given > 0.0, match / given, _EPSILON)
            recalls = np.where(right > 0.0, match / right, _EPSILON)
            if self.metric.eps_smoothing:
                scores_of_orders = _f_score(precisions, recalls, factor)
                return np.asarray(
                    100.0
                    * np.where(np.isnan(scores_of_orders), _EPSILON, scores_of_orders).mean(axis=1)
                )
            is_counted = (given > 0.0) & (right > 0.0)
            n_orders = is_counted.sum(axis=1).clip(1)
            precision = np.where(is_counted, precisions, 0.0).sum(axis=1) / n_orders
            recall = np.where(is_counted, recalls, 0.0).sum(axis=1) / n_orders
            scores = 100.0 * _f_score(precision, recall, factor)
        return np.where(precision + recall > 0.0, scores, 0.0)


def _f_score(precision: FloatArray, recall: FloatArray, factor: float) -> FloatArray:
    """Return the F-score, NaN where precision and recall are 0."""
    return (1.0 + factor) * precision * recall / (factor * precision + recall)


@dataclass(frozen=True, kw_only=True, repr=False)
class TER(_OfTranslations):
    """Edits / words of the references, as in sacrebleu; a shift of words is one edit.

    Edits and words are summed over all sentences of the corpus. References are a text for each
    sentence, or a list of texts, equally many for each. The edits are those to the nearest text;
    the number of words is the mean over the texts. Needs sacrebleu (extra ``mt``).

    Reported as a percentage; lower is better. p is exact (one sum): 0.4 ms for 2,500 sentences,
    plus 1 s to count them.

    Parameters
    ----------
    normalized : bool
        Whether to split off punctuation and to read XML entities.
    no_punct : bool
        Whether to leave out punctuation.
    asian_support : bool
        Whether `normalized` and `no_punct` apply to Chinese and Japanese texts too.
    case_sensitive : bool
        Whether case matters.

    Examples
    --------
    >>> from pairedperm import compare
    >>> right = [["The cat sat on the mat.", "A cat sat on a mat."], ["It is warm.", "It's hot."]]
    >>> one, two = ["A cat sat on the mat.", "It is warm."], ["The cat is on a rug.", "It is hot."]
    >>> result = compare(one, two, right, "ter")
    >>> round(result.score1, 4), round(result.score2, 4), result.pvalue, result.method
    (11.7647, 47.0588, 0.5, 'exact')
    """

    name = "ter"
    words = "TER"
    aliases = ("translation_edit_rate", "translation_error_rate")
    lower_is_better = True
    limits = 0.0, math.inf
    counter = "TER"
    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    def integers(self, numbers: list[Any], n_references: int) -> list[int]:
        """Return the edits and the words of all references, whose mean sacrebleu gives."""
        n_edits, mean = numbers
        return [n_edits, round(mean * n_references)]

    def score_with(self, n_references: int) -> Score:
        return _TEROfSums(n_references)


@dataclass(frozen=True, eq=False)
class _TEROfSums(SumScore):
    """TER of summed rows (edits, words of all references): 100 edits / (words / references).

    Without any word it is 100 if there are edits, and otherwise 0.
    """

    n_references: int
    is_exact = True

    def simplify(self, rows: Rows, null: Null) -> tuple[Rows, Score]:
        """Return a mean if words cannot add up to 0: both systems have the same references."""
        words = rows.rows1[:, 1]
        if not (words.any() if null == "swaps" else words.all()):
            return rows, self
        one, two = (100 * self.n_references * x[:, 0] for x in rows.tables)
        return Mean(sizes=words).simplify(Rows(one, two, rows.multiplicities), null)

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Return the rates by the formula of sacrebleu's `_compute_score_from_stats`."""
        edits, words = 100.0 * sums[:, 0], sums[:, 1] / self.n_references
        is_none = words == 0.0
        rates = edits / np.where(is_none, 1.0, words)
        return np.where(is_none, np.where(edits > 0.0, 100.0, 0.0), rates)

    def exact(self, sums: list[int]) -> Fraction:
        edits, words, _ = sums
        if words:
            return Fraction(100 * self.n_references * edits, words)
        return Fraction(100 if edits else 0)
