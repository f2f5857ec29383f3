"""A test that you may look at after every example."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import numpy as np

from pairedperm.convolution.law import FloatArray
from pairedperm.errors import InputError, NoLatticeError
from pairedperm.errors.wording import Name, shown
from pairedperm.inputs.lattice import on_fractions, on_lattice
from pairedperm.inputs.numbers import read_pair
from pairedperm.options import Alpha
from pairedperm.options.constraints import Interval, reads_options
from pairedperm.results.figures import beside
from pairedperm.results.sentence import ALPHA, p_beside
from pairedperm.results.table import Number, Table, Tabular
from pairedperm.scoring.groups import read_group_ids
from pairedperm.scoring.merging import float_column

_LAMBDAS = 0.05 * 2.0 ** np.arange(7)  # tuned: 0.05 to 3.2, for 52 % to 100 % wins
_BATCH = 2**16  # tuned: differences that are bet on in one call
Decision = Literal["better", "worse", "differ"] | None
_Scale = Annotated[
    float,
    Interval(
        0.0,
        math.inf,
        "neither",
        words="a positive number, by how much scores that differ typically differ",
    ),
]


class SequentialTest(Tabular):
    """Do two systems differ? Look after every example, and stop once it is decided.

    Examples come one after the other, with the score of each system. The null hypothesis is that of
    `compare`: on every example the two systems' outputs are exchangeable. If it is true, it is
    rejected with a probability of at most α, however often you look and whenever you stop. Only for
    right and wrong, scores of 0 and 1, does the test also say which system is better.

    Parameters
    ----------
    alpha : float
        The level, between 0 and 1.
    scale : float
        The typical absolute difference of the scores on an example where they differ; 1 for right
        and wrong. It is positive and chosen before the first example. The test is valid with any
        scale, but slow if the scale is off by more than a factor of ten.

    Attributes
    ----------
    alpha, scale : float
        The parameters.
    evidence : float
        The current evidence against the null hypothesis, whichever system leads: the wealth of a
        bet that started with 1. Infinite if it exceeds floats.
    pvalue : float
        1 over the largest evidence so far, at most 1. It is valid at every look.
    decision : {"better", "worse", "differ", None}
        "better": system 1 scores higher; "worse": system 1 scores lower; "differ": the systems
        differ, and which is better is not shown. None until the evidence first reaches 1 / α; the
        decision stays then. A direction is claimed only if all scores so far are 0 or 1, and each
        example counts by itself; see the notes. If lower is better, pass 1 minus the scores.
    n_decided : int or None
        The number of examples at the decision; None before.
    n, n_differing : int
        The number of examples so far, and of examples (or groups) on which the scores differ.
    statistic : float
        The mean difference of the scores so far; NaN before the first example.

    Raises
    ------
    InputError
        If `alpha` is not between 0 and 1. If `scale` is not positive and finite.

    Notes
    -----
    Under the null hypothesis a difference d is as likely as -d. So for each λ, the product of
    exp(λ d) / cosh(λ d) over the examples is a martingale of mean 1. The evidence is the mean of
    these products for λ = ±0.05, ±0.1, …, ±3.2, each divided by the scale. By Ville's inequality
    [1]_ it ever reaches 1 / α with a probability of at most α. The test is for means; it cannot
    test F1.

    Differences of -1, 0 and 1 with the mean 0 are symmetric, so a rejection shows on which side of
    0 the mean is. Differences of several sizes may be asymmetric with any mean. A system that gains
    0.05 on 90 % of the examples and loses 0.95 on the others is worse by 0.05, and leads after the
    first 8 in 43 % of all runs. Until now no test here tells such a direction.

    References
    ----------
    .. [1] J. Ville, "Étude critique de la notion de collectif", 1939.

    Examples
    --------
    >>> from pairedperm import SequentialTest
    >>> test = SequentialTest()
    >>> for right1, right2 in [(1, 0), (1, 1), (1, 0), (0, 0), (1, 0), (1, 0), (1, 0), (1, 0)]:
    ...     if test.update(right1, right2):
    ...         break
    >>> print(test)
    undecided after 8 examples: evidence 10.7, of 20 for α = 0.05; p = 0.0936
    """

    @reads_options
    def __init__(self, alpha: Alpha = ALPHA, scale: _Scale = 1.0) -> None:
        self.alpha, self.scale = alpha, scale
        self.n = 0
        self.n_differing = 0
        self.n_decided: int | None = None
        self._leader: Literal["better", "worse"] | None = None
        self._is_binary = True
        self._total = 0.0
        self._log_evidence = self._log_largest = self._log_decided = 0.0
        self._logs = np.zeros((2, _LAMBDAS.size))  # logarithms of the products, for λ and -λ
        self._groups: set[int | str] = set()

    @property
    def decision(self) -> Decision:
        """What is decided: which system is better, or only that they differ; None before."""
        return "differ" if self._leader is not None and not self._is_binary else self._leader

    @property
    def statistic(self) -> float:
        """The mean difference of the scores so far; NaN before the first example."""
        return self._total / self.n if self.n else math.nan

    @property
    def evidence(self) -> float:
        """The current evidence against the null hypothesis, 1 at the start."""
        return _exp(self._log_evidence)

    @property
    def pvalue(self) -> float:
        """The p-value, valid at every look: 1 over the largest evidence so far."""
        return math.exp(-self._log_largest)

    def update(self, score1: Any, score2: Any, groups: Any = None) -> Decision:
        """Add one example, or several in their order, and return the decision.

        Parameters
        ----------
        score1, score2 : number, or sequence of numbers, length n
            The scores of the two systems on the example, or on each example.
        groups : sequence of int or str, length n, or None
            An id for each example. Examples with the same id, such as runs of an item, count as
            one: their differences are added. All examples of a group must come in one call.

        Returns
        -------
        {"better", "worse", "differ", None}
            The attribute `decision`, also if it was made earlier.

        Raises
        ------
        InputError
            If a score is missing or no finite number. If lengths differ. If an earlier call had
            examples of a group. Then no example is added.
        """
        columns = [[x] if _is_one(x) else x for x in (score1, score2)]
        pair = read_pair("score1", columns[0], "score2", columns[1])
        scores = (float_column(f"score{k}", x) for k, x in enumerate(pair, 1))
        with np.errstate(over="ignore", invalid="ignore"):
            one, two = (x / self.scale for x in scores)
            differences, ends = one - two, np.arange(1, one.size + 1)
            is_finite = np.isfinite(np.abs(differences).sum())
        if not is_finite:
            names = Name("score1"), " and ", Name("score2")
            what = " differ by more than floats can hold, divided by "
            raise InputError(*names, what, Name("scale"), remedy="divide all by a common unit")
        is_binary = bool(all(((x == 0) | (x == 1)).all() for x in pair))
        if groups is not None:
            differences, ends = self._summed(pair, groups)
            is_binary = is_binary and ends.size == one.size
        self._is_binary = self._is_binary and is_binary
        for start in range(0, differences.size, _BATCH):
            self._bet(differences[start : start + _BATCH], ends[start : start + _BATCH])
        self._total += math.fsum(differences.tolist()) * self.scale
        self.n += one.size
        return self.decision

    def _summed(self, pair: tuple[Any, Any], groups: Any) -> tuple[FloatArray, Any]:
        """Return the sum of each group, and the number of examples up to its last one."""
        ids = read_group_ids(groups)
        if len(ids) != len(pair[0]):
            must = "have an id for each example"
            why = f"it has {len(ids):,} for {len(pair[0]):,} examples"
            raise InputError(Name("groups"), must=must, remedy=why)
        last = {group: k for k, group in enumerate(ids, 1)}
        if again := next((x for x in last if x in self._groups), None):
            what = f" has {shown(again)}, of which an earlier call had examples"
            remedy = "pass all examples of a group in one call"
            more = "Those of the earlier call have been counted"
            raise InputError(Name("groups"), what, remedy=(remedy, more))
        parts: dict[int | str, list[Any]] = {x: [] for x in sorted(last, key=last.__getitem__)}
        differences, unit = _in_units(*pair)
        for group, difference in zip(ids, differences, strict=True):
            parts[group].append(difference)
        add = math.fsum if unit is None else sum
        sums = np.array([add(x) for x in parts.values()], np.float64) / ((unit or 1) * self.scale)
        self._groups |= last.keys()
        return sums, np.array(sorted(last.values()))

    def _bet(self, differences: FloatArray, ends: Any) -> None:
        """Multiply the factors of the differences one after the other."""
        differs = differences != 0.0
        differences, ends = differences[differs], ends[differs]
        if not differences.size:
            return
        self.n_differing += differences.size
        with np.errstate(over="ignore"):
            exponents = np.multiply.outer([-2.0, 2.0], np.multiply.outer(_LAMBDAS, differences))
        factors = math.log(2.0) - np.logaddexp(0.0, exponents)
        logs = self._logs[..., None] + np.cumsum(factors, axis=-1)
        sides = np.logaddexp.reduce(logs, axis=1) - math.log(2.0 * _LAMBDAS.size)
        evidence = np.logaddexp(*sides)
        self._logs, self._log_evidence = logs[..., -1], float(evidence[-1])
        self._log_largest = max(self._log_largest, float(evidence.max()))
        if self._leader is None and self._log_largest >= -math.log(self.alpha):
            first = int((evidence >= -math.log(self.alpha)).argmax())
            self._log_decided = float(evidence[first])
            self._leader = "better" if sides[0, first] > sides[1, first] else "worse"
            self.n_decided = self.n + int(ends[first])

    def _table(self) -> Table:
        cells = {
            "examples": Number(f"{self.n:,}", self.n),
            "differ": Number(f"{self.n_differing:,}", self.n_differing),
            "difference": Number(f"{self.statistic:.3g}", self.statistic),
            "evidence": Number(f"{self.evidence:.3g}", self.evidence),
            "p": p_beside(self.alpha, self.pvalue, -self._log_largest),
            "decision": self.decision or "undecided",
        }
        return Table([*cells], [[*cells.values()]], str(self))

    def __str__(self) -> str:
        n = f"{self.n:,} example{'' if self.n == 1 else 's'}"
        level = f"α = {self.alpha:g}"  # noqa: RUF001
        log = self._log_largest if self.decision is None else self._log_decided
        p = p_beside(self.alpha, math.exp(-log), -log)
        if self.decision is None:
            most = 1.0 / self.alpha
            evidence = beside(-most, -self.evidence, 3).removeprefix("-")
            return f"undecided after {n}: evidence {evidence}, of {most:.3g} for {level}; p = {p}"
        finding = f"system 1 is {self.decision}"
        if self.decision == "differ":
            finding = "the systems differ (direction not shown)"
        return f"{finding}, decided after {self.n_decided:,} of {n} at {level}; p was {p} then"

    def __repr__(self) -> str:
        return (
            f"SequentialTest(alpha={self.alpha:g}, scale={self.scale:g}): n={self.n}, "
            f"evidence={self.evidence:.6g}, pvalue={self.pvalue:.6g}, decision={self.decision!r}"
        )


def _in_units(one: Any, two: Any) -> tuple[list[Any], int | None]:
    """Return the differences in units of 1 / denominator, and this; None for floats as they are."""
    try:
        one, two, unit = on_lattice("score1", one, "score2", two)
    except NoLatticeError:
        one, two = (float_column(name, x) for name, x in (("score1", one), ("score2", two)))
        fractions = on_fractions((one, two))
        if fractions is None:
            return (one - two).tolist(), None
        (one, two), unit = fractions
    return (one - two).tolist(), unit


def _is_one(scores: Any) -> bool:
    """Return True for the score of one example."""
    has_no_items = isinstance(scores, (str, bytes)) or not hasattr(scores, "__iter__")
    return has_no_items or getattr(scores, "shape", None) == ()


def _exp(log: float) -> float:
    return math.exp(log) if log < 709.0 else math.inf
