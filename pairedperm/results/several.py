"""Tables of many tests with adjusted p-values, and leaderboards, which order many systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from pairedperm.errors import InputError, counted, first_of
from pairedperm.options import CONFIDENCE_LEVEL, bar_after
from pairedperm.population.evidence import Evidence
from pairedperm.population.intervals import BOOTSTRAP, intervals_of_many
from pairedperm.results.result import (
    PairedResult,
    versioned,
    with_interval,
    without_version,
)
from pairedperm.results.told import EMPTY_CELL, GivenNames, Number, Telling, Told, refuse_own
from pairedperm.results.words import (
    UNITS,
    Figures,
    adjusted_in_words,
    caution,
    differences,
    doubt,
    groups_in_words,
    least_pvalue,
    p_beside,
    turned_in_words,
)

if TYPE_CHECKING:
    from pandas import DataFrame


Correction = Literal["holm", "bonferroni", "bh", "by"]
CORRECTED = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini and Hochberg",
    "by": "Benjamini and Yekutieli",
    None: "not adjusted",
}


@dataclass(frozen=True, slots=True)
class NamedTest:
    """What was tested, a named tuple, the result, and its p adjusted for the number of tests."""

    of: Any
    result: PairedResult
    p_adjusted: float

    def to_dict(self) -> dict[str, Any]:
        """Return the names, the result, and the adjusted p."""
        keys = without_version(self.result.to_dict())
        return {**self.of._asdict(), **keys, "p_adjusted": self.p_adjusted}


_SECONDS = 0.2  # tuned: of an interval, at most
_AT_ONCE = 256  # tuned: the most pairs whose intervals are computed together


@dataclass(frozen=True, repr=False)
class TableOfTests(Telling):
    """Tests by name, with p adjusted for their number; printed as a table."""

    _tests: tuple[NamedTest, ...] = field(hash=False)
    correction: Correction | None
    alpha: float

    def _whole(self, test: NamedTest) -> PairedResult:
        """Return the result of a test with its rows."""
        return test.result

    def _told(self) -> Iterator[NamedTest]:
        """Yield the tests with their intervals, and a bar that counts them."""
        n = len(self._tests)
        with bar_after(_SECONDS * n, n, "tests", "Intervals") as bar:
            for test in self._tests:
                yield replace(test, result=with_interval(self._whole(test)))
                bar.update()

    @property
    def _level(self) -> str:
        """How p was adjusted, and the level."""
        return f"{CORRECTED[self.correction]}, α = {self.alpha:g}"  # noqa: RUF001

    def _doubts(self) -> list[str]:
        """Say of which tests p may be of a number and no system, see `doubt`."""
        named: dict[str, list[str]] = {}
        for x in self._tests:
            if said := doubt(x.result, self.alpha):
                names = (y for y in x.of._asdict().values() if y and isinstance(y, str))
                named.setdefault(said, []).append(" and ".join(names))
        return [f"For {first_of(names)}: {said}" for said, names in named.items()]

    def _frame(self, columns: Sequence[str]) -> Any:
        """Return a pandas DataFrame with a row for each test; without intervals if none has one."""
        from pandas import DataFrame  # takes half a second to import

        tests = [x.to_dict() for x in self._told()]
        left_out = () if any(x["confidence_level"] for x in tests) else ("stat_low", "stat_high")
        names = [x for x in columns if x not in left_out]
        return DataFrame([[one[name] for name in names] for one in tests], columns=names)


def rows_of_tests(
    results: Sequence[tuple[PairedResult, Figures, Number]],
    systems: Sequence[str],
    heading: str,
    alpha: float,
) -> tuple[list[str], list[list[str]]]:
    """Return the header, and the row of each result; another p that comes with it stands last.

    There is a column of intervals if some result has one.
    """
    difference, cells = differences([figures for _, figures, _ in results])
    intervals = [f"{x.level_in_words} interval" for _, x, _ in results if x.interval][:1]
    header = ["n", *systems, difference, *intervals, "p", heading]
    rows: list[list[str]] = []
    for (result, figures, last), cell in zip(results, cells, strict=True):
        ends, p = [figures.ends] * len(intervals), (result.pvalue, result.log_pvalue)
        scores = figures.score1, figures.score2, cell, *ends
        rows.append([Number(f"{result.n:,}", result.n), *scores, p_beside(alpha, *p), last])
    return header, rows


def with_adjusted(
    results: Sequence[tuple[Any, PairedResult]],
    correction: Correction | None,
    *,
    alpha: float | None = None,
) -> tuple[NamedTest, ...]:
    """Return several results, each with its p adjusted for their number; see `adjusted`.

    With alpha, Holm's procedure counts only the tests that can be significant, see `holm_of_some`.
    """
    pvalues = [x.pvalue for _, x in results]
    if alpha is not None and correction == "holm":
        adjusted_p = holm_of_some(pvalues, [least_pvalue(x) for _, x in results], alpha)
    else:
        adjusted_p = adjusted(pvalues, correction)
    return tuple(NamedTest(*x, p) for x, p in zip(results, adjusted_p, strict=True))


def adjusted(pvalues: Sequence[float], correction: Correction | None = "holm") -> list[float]:
    """Adjust the p-values of several tests for their number.

    A test is significant at level α if its adjusted p-value is at most α.

    Parameters
    ----------
    pvalues : sequence of float, length m
    correction : {"holm", "bonferroni", "bh", "by"} or None
        "holm" [1]_ and "bonferroni" bound the probability that any true null hypothesis is
        rejected. "bh" [2]_ and "by" [3]_ bound the expected share of true null hypotheses among the
        rejected ones. "bh" is proven for independent or positively dependent tests; the others
        always hold. None leaves the p-values as they are.

    Returns
    -------
    list of float, length m
        The adjusted p-values, at most 1, in the order of `pvalues`.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", 1979.
    .. [2] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", 1995.
    .. [3] Y. Benjamini, D. Yekutieli, "The control of the false discovery rate in multiple testing
       under dependency", 2001.

    Examples
    --------
    >>> adjusted([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(pvalues, dtype=np.float64)
    if correction is None or not p.size:
        return [*map(float, p)]
    if correction == "bonferroni":
        adjusted_p = p.size * p
    elif correction == "holm":
        order = np.argsort(p, kind="stable")
        adjusted_p = np.empty(p.size)
        adjusted_p[order] = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    else:
        from scipy.stats import false_discovery_control  # slow to import

        adjusted_p = false_discovery_control(p, method=correction)
    return [min(float(x), 1.0) for x in adjusted_p]


def holm_of_some(pvalues: Sequence[float], least: Sequence[float], alpha: float) -> list[float]:
    """Adjust p-values by Holm's procedure, which counts only tests that can be significant.

    Parameters
    ----------
    pvalues : sequence of float, length m
    least : sequence of float, length m
        The smallest p-value that each test can have, see `least_pvalue`.
    alpha : float
        The level. A test whose least p-value is above it does not count.

    Returns
    -------
    list of float, length m
        The adjusted p-values, at most 1; 1 for a test that does not count.

    Notes
    -----
    They hold at every level, not at alpha alone. Proof. The numbers of differing examples, or
    groups, say which tests count. Swaps do not change these numbers, so each p-value of a true null
    hypothesis is valid given them. Then the tests that count are fixed, and Holm's procedure keeps
    its level on them. No other test is ever rejected.

    Not for pairs of the same systems: swapping two of them changes on how many examples each
    differs from a third one, and so which tests count.

    References
    ----------
    .. [1] R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46, 1990.

    Examples
    --------
    >>> holm_of_some([0.25, 0.02, 0.03], [0.25, 0.001, 0.001], alpha=0.05)
    [1.0, 0.04, 0.04]
    """
    counts = [x <= alpha for x in least]
    of_counted = iter(adjusted([p for p, is_one in zip(pvalues, counts, strict=True) if is_one]))
    return [next(of_counted) if is_one else 1.0 for is_one in counts]


_MOST_SETS = 26**2  # tuned: more sets of letters are of no use to a reader
_NAMES = [*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2))]  # a to z, aa, ab


def letters(alike: Sequence[Sequence[bool]]) -> list[str]:
    """Return the letters of each system, one for each set that it belongs to.

    A set is a maximal set of systems that are not told apart from each other. If a and c are told
    apart, and b from neither, then b has the letters of both. Beyond 26 sets commas separate the
    letters.

    Parameters
    ----------
    alike : sequence of sequences of bool, shape (n, n)
        True where two systems are not told apart; symmetric. The systems come best first, and the
        first letters belong to the best systems.

    Returns
    -------
    list of str, length n

    Raises
    ------
    InputError
        If there are more than 676 sets.
    """
    n = len(alike)
    neighbours = [{j for j in range(n) if alike[i][j] and i != j} for i in range(n)]
    cliques = islice(_cliques(set(), set(range(n)), set(), neighbours), _MOST_SETS + 1)
    sets = sorted(map(sorted, cliques))
    if len(sets) > _MOST_SETS:
        raise InputError(
            f"`letters` needs more than {_MOST_SETS:,} sets here, too many to read",
            remedy="Look at `tiers`, or compare fewer systems",
        )
    of_systems: list[list[str]] = [[] for _ in range(n)]
    for name, members in zip(_NAMES, sets, strict=False):
        for i in members:
            of_systems[i].append(name)
    separator = "," if len(sets) > len(ascii_lowercase) else ""
    return [separator.join(names) for names in of_systems]


def _cliques(
    chosen: set[int], others: set[int], done: set[int], neighbours: Sequence[set[int]]
) -> Iterator[set[int]]:
    """Yield the maximal cliques that contain `chosen`, some of `others` and none of `done`.

    Bron and Kerbosch's algorithm; the pivot has the most neighbours (Tomita et al. 2006).
    """
    if not others and not done:
        yield chosen
        return
    pivot = max(sorted(others | done), key=lambda i: len(neighbours[i] & others))
    for i in sorted(others - neighbours[pivot]):
        yield from _cliques(chosen | {i}, others & neighbours[i], done & neighbours[i], neighbours)
        others = others - {i}
        done = done | {i}


_COLUMNS_OF_PAIRS = (
    *("system1", "system2", "score1", "score2", "stat", "stat_low", "stat_high", "p"),
    *("p_adjusted", "n_differing", "n_wins", "n_losses", "n_ties", "standard_error", "method"),
)


class Pair(NamedTuple):
    """The names of two systems, the better one first unless the second is the baseline."""

    system1: str
    system2: str


class TaskOfBoard(NamedTuple):
    """The name of a task, its weight, and the score of each system on it.

    `turned` tells whether the scores count as negative, because lower is better only on some tasks.
    """

    task: str
    weight: float
    scores: dict[str, float]
    turned: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the task as a dict, ready for JSON."""
        systems = [{"system": x, "score": y} for x, y in self.scores.items()]
        keys = {"task": self.task, "weight": self.weight, "systems": systems}
        return {**keys, "turned": self.turned}


@dataclass(frozen=True, repr=False)
class Leaderboard(TableOfTests):
    """The result of `compare_many` or `compare_suites`; print it.

    As printed, and in `to_markdown`, the columns are system, score, tier and letters. If there are
    more than 26 sets of systems, letters are left out, and the text says so. With a baseline the
    columns are system, score, difference, interval (if there is one) and adjusted p.

    Attributes
    ----------
    systems : tuple of str
        The names of the systems, the best first. Systems with the same score keep their order.
    scores : dict from str to float
        The score of each system by its name, the best first.
    pairs : dict from (str, str) to PairedResult
        The test of each pair, the better system first; or of each system against the baseline,
        which is the second. They have an interval if a `confidence_level` was asked for, and keep
        no rows: `table` and `to_dict` tell all intervals.
    p_adjusted : dict from (str, str) to float
        The p-value of each pair, adjusted for the number of pairs.
    baseline : str or None
        The system that all others were compared with; None if every pair was compared.
    correction : str or None
        How the p-values were adjusted; None if they were not.
    alpha : float
        The level: two systems are told apart if their `p_adjusted` is at most alpha.
    tasks : tuple of TaskOfBoard
        Of an average over tasks: the name and the weight of each task, `scores`, the score of each
        system on it, and whether they are `turned`: count as negative. All weights sum to 1. Empty
        otherwise.
    evidence : callable
        Returns the rows and the score of two systems, given their names.
    """

    systems: tuple[str, ...]
    scores: dict[str, float] = field(hash=False)
    baseline: str | None
    evidence: Callable[[str, str], Any] = field(compare=False)
    tasks: tuple[TaskOfBoard, ...] = field(default=(), hash=False)
    _intervals: dict[Any, Any] = field(default_factory=dict, compare=False)

    @property
    def pairs(self) -> dict[tuple[str, str], PairedResult]:
        """The test of each pair, see above."""
        return {x.of: x.result for x in self._tests}

    @property
    def p_adjusted(self) -> dict[tuple[str, str], float]:
        """The p-value of each pair, adjusted for the number of pairs."""
        return {x.of: x.p_adjusted for x in self._tests}

    def _whole(self, test: NamedTest, level: float | None = None) -> PairedResult:
        """Return the result of a pair with its rows, which are made now."""
        result, is_new = test.result, test.of not in self._intervals
        kept = self._intervals.setdefault(test.of, {})
        evidence = replace(self.evidence(*test.of), intervals=kept)
        may_share = is_new and result.interval is None and result.alternative == "two-sided"
        if may_share and isinstance(evidence, Evidence) and evidence.sample.own_kind == BOOTSTRAP:
            self._share(test, level or CONFIDENCE_LEVEL)
        return replace(result, sample=evidence)

    def _share(self, test: NamedTest, level: float) -> None:
        """Compute the interval of a pair and of those beside it: means share their resamples."""
        n, seed = len(self._tests), test.result.seed or 0
        n_each = -(-n // -(-n // _AT_ONCE))
        start = self._tests.index(test) // n_each * n_each
        some = self._tests[start : start + n_each]
        samples = [self.evidence(*x.of).sample for x in some]
        shared = intervals_of_many(samples, level, seed)
        for x, sample, interval in zip(some, samples, shared, strict=True):
            if seed == (x.result.seed or 0):
                kept = self._intervals.setdefault(x.of, {})
                if interval and sample.own_kind == BOOTSTRAP:
                    kept[level, seed, "auto"] = interval

    @property
    def table(self) -> DataFrame:
        """The tests as a pandas DataFrame with one row for each pair.

        The columns are keys of `to_dict`: "system1", "system2", "score1", "score2", "stat", its
        interval "stat_low" to "stat_high" (if the tests have one), "p", "p_adjusted" (adjusted for
        all tests), "n_differing", "n_wins", "n_losses", "n_ties", "standard_error" and "method".
        """
        return self._frame(_COLUMNS_OF_PAIRS)

    @property
    def tiers(self) -> dict[str, int]:
        """The tier of each system by its name: 1 + the number of significantly better systems.

        A tier bounds the rank from below: if all findings are true, a system in tier 3 has at least
        two better ones. With a baseline, each system was only compared with the baseline.
        """
        tiers = dict.fromkeys(self.systems, 1)
        for pair in self._tests:
            if self._is_apart(pair):
                tiers[pair.of[pair.result.lead() > 0.0]] += 1  # the worse one
        return tiers

    @property
    def letters(self) -> dict[str, str]:
        """The letters of each system by its name, such as "ab".

        Two systems that share a letter are not told apart; two systems without a common letter are
        told apart. If a and c are told apart, and b from neither, then b has the letters of both. A
        letter stands for a maximal set of systems that are not told apart from each other. Beyond
        26 sets, names such as "z,aa" are separated by commas.

        Raises
        ------
        InputError
            If there is a baseline, because then not all pairs were compared. If there are more than
            676 sets.
        """
        if self.baseline is not None:
            raise InputError(
                "`letters` needs every pair, but with a baseline each system was only compared "
                "with the baseline",
                remedy="Leave out `baseline`",
            )
        place = {name: k for k, name in enumerate(self.systems)}
        alike = [[True] * len(place) for _ in place]
        for pair in self._tests:
            i, j = place[pair.of.system1], place[pair.of.system2]
            alike[i][j] = alike[j][i] = not self._is_apart(pair)
        return dict(zip(self.systems, letters(alike), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Return the leaderboard as a dict, ready for JSON.

        Returns
        -------
        dict
            - "systems": list of dicts with "system" (str), "score" (float) and "tier" (int), the
              best system first;
            - "pairs": list of dicts, the test of each pair as of `PairedResult.to_dict`, with its
              interval, "system1", "system2" and "p_adjusted";
            - "baseline", "correction": str or None;
            - "alpha": float;
            - "tasks", only of an average over tasks: list of dicts with "task" (str), "weight"
              (float), "systems" (list of dicts with "system" and "score") and "turned" (bool);
            - "schema_version": 1.
        """
        tiers = self.tiers
        keys: dict[str, Any] = {
            "systems": [
                {"system": x, "score": y, "tier": tiers[x]} for x, y in self.scores.items()
            ],
            "pairs": [x.to_dict() for x in self._told()],
            "baseline": self.baseline,
            "correction": self.correction,
            "alpha": self.alpha,
        }
        if self.tasks:
            keys["tasks"] = [x.to_dict() for x in self.tasks]
        return versioned(keys)

    def _is_apart(self, pair: NamedTest) -> bool:
        return pair.p_adjusted <= self.alpha

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the names and the level are its own."""
        refuse_own(names=names, alpha=alpha)
        gaps = [abs(x - y) for x, y in pairwise(sorted(self.scores.values())) if x != y]
        unit = UNITS[self._tests[0].result.unit]
        sizes = [10.0 * x for x in gaps] + [x.size for x in self._against_baseline.values()]
        scores = unit.scores([*self.scores.values()], min(sizes, default=0.0))
        header, cells = self._standings() if self.baseline is None else self._differences()
        systems = zip(self.systems, scores, strict=True)
        rows = [[name, score, *cells[name]] for name, score in systems]
        return Told(["system", "score", *header], rows, self._sentences("letters" in header))

    @cached_property
    def _against_baseline(self) -> dict[Pair, Figures]:
        """What is told of each system against the baseline, with its interval."""
        return {} if self.baseline is None else {x.of: x.result.figures() for x in self._told()}

    def _standings(self) -> tuple[list[str], dict[str | None, list[str]]]:
        """Return the names of further columns, and in each system's row its tier and letters."""
        tiers = {name: Number(f"{tier}", tier) for name, tier in self.tiers.items()}
        of_systems: dict[str, str] = {}
        with suppress(InputError):
            of_systems = self.letters
        if not of_systems or any("," in x for x in of_systems.values()):  # too many to read
            return ["tier"], {name: [tier] for name, tier in tiers.items()}
        return ["tier", "letters"], {name: [x, of_systems[name]] for name, x in tiers.items()}

    def _differences(self) -> tuple[list[str], dict[str | None, list[str]]]:
        """Return the same, with the difference from the baseline, its interval, and p."""
        of_pairs = self._against_baseline
        levels = [x.level_in_words for x in of_pairs.values() if x.interval][:1]
        heading, _ = differences([*of_pairs.values()])
        header = [heading, *(f"{x} interval" for x in levels), "adjusted p"]
        cells: dict[str | None, list[str]] = {}
        for x in self._tests:
            figures, p = of_pairs[x.of], adjusted_in_words(x.p_adjusted, self.alpha)
            cells[x.of.system1] = [figures.difference, *[figures.ends] * len(levels), p]
        cells[self.baseline] = [Number("baseline", None), *[EMPTY_CELL] * (len(header) - 1)]
        return header, cells

    def _sentences(self, has_letters: bool) -> list[str]:
        """Say what was compared, on how many examples, how p was adjusted, and the outcome."""
        one, n_tasks = self._tests[0].result, len(self.tasks)
        metric, where = one.metric_words, ""
        if n_tasks:
            metric, where = f"average {metric}", f" on {counted(n_tasks, 'task')}"
        what = f"{metric} of {len(self.systems):,} systems{where}"
        n = f"{counted(one.n, 'example')}{groups_in_words(one)}"
        lines = [f"{what[0].upper()}{what[1:]}, {n}.{' Lower is better.' * one.lower_is_better}"]
        if turned := [x.task for x in self.tasks if x.turned]:
            lines.append(turned_in_words(turned))
        sides = "" if one.alternative == "two-sided" else f"one-sided ({one.alternative}), "
        apart = f"{sum(map(self._is_apart, self._tests)):,} of {len(self._tests):,}"
        has_all = self.baseline is None
        of = f": {apart} pairs" if has_all else f" from {self.baseline}: {apart}"
        lines += [f"Told apart{of} ({sides}{self._level}).", *self._doubts()]
        if not has_all:
            lines += self._cautions()
        elif not has_letters:
            lines.append("The letters are left out, too many to read: look at the tiers.")
        return lines

    def _cautions(self) -> list[str]:
        """Return what is said of the intervals, with the systems unless it is of all of them."""
        of_systems: dict[str, list[str]] = {}
        for x in self._tests:
            alpha = self.alpha if self._is_apart(x) else 0.0
            for sentence in caution(x.result, self._against_baseline[x.of], alpha):
                of_systems.setdefault(sentence, []).append(x.of.system1)
        return [
            sentence if len(systems) == len(self._tests) else f"For {first_of(systems)}: {sentence}"
            for sentence, systems in sorted(of_systems.items())
        ]
