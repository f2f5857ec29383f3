"""The results of `rerun_test` and `noise`: what changed beside reruns, and how far runs differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pairedperm.errors import counted
from pairedperm.results.decisions import Verdict, WithVerdict
from pairedperm.results.result import attributes, versioned
from pairedperm.results.told import GivenNames, Number, Telling, Told, refuse_own
from pairedperm.results.words import UNITS, Unit, p_without_log, with_difference

_ON_SIDE = {"two-sided": "", "less": "one-sided, lower; ", "greater": "one-sided, higher; "}


@dataclass(frozen=True, repr=False)
class RerunResult(Telling):
    """The result of `rerun_test`: new runs beside reruns of the old build; print it.

    Attributes
    ----------
    score_new, score_old : float
        The mean scores of the new runs, and of the old ones.
    difference : float
        score_new - score_old.
    p_items : float
        The p-value that on each item the scores of all runs are exchangeable. Exact, unless
        `n_resamples` is given.
    p_runs : float or None
        The p-value of the new runs' mean beside the spread of whole runs, approximate. None for
        fewer than 3 old runs, or if all of these have one score.
    p_rank : float
        The p-value of the rank of the new runs among all runs: no smaller than 1 over the number of
        ways to choose them.
    alternative : {"two-sided", "less", "greater"}
        "less": the new runs score lower.
    cochran_p : float or None
        p of Cochran's Q of the old runs: small if whole runs differ by more than items explain.
        None for fewer than 2 old runs, or scores that are not right or wrong.
    n, n_new, n_old : int
        The numbers of items, of new runs, and of old ones.
    n_groups : int or None
        The number of groups of items that stay together; None without groups.
    n_resamples : int or None
        The number of random choices of the new runs, if p_items was sampled.
    seed : int or None
        The seed of these.
    metric, metric_options, metric_words, unit
        The metric's name, its options that are no defaults, its name in words, and its unit.
    lower_is_better : bool
        Whether the metric counts errors.
    """

    score_new: float
    score_old: float
    difference: float
    p_items: float
    p_runs: float | None
    p_rank: float
    alternative: str
    cochran_p: float | None
    n: int
    n_new: int
    n_old: int
    n_groups: int | None
    n_resamples: int | None
    seed: int | None
    metric: str | None
    metric_options: dict[str, Any] | None = field(hash=False)
    metric_words: str
    unit: str
    lower_is_better: bool

    @property
    def pvalue(self) -> float:
        """The larger of p_items and p_runs; p_items, if the runs tell nothing."""
        return max(self.p_items, self.p_runs or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as a dict, ready for JSON, and `pvalue` as "p".

        Returns
        -------
        dict of str to float, int, str or None
            "schema_version" is the last key.
        """
        return versioned(attributes(self, "metric_words", "unit") | {"p": self.pvalue})

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the runs have no names."""
        refuse_own(names=names, alpha=alpha)
        unit, size = UNITS[self.unit], abs(self.difference) or abs(self.score_old)
        one, two, stat = (
            unit.factor * x for x in (self.score_new, self.score_old, self.difference)
        )
        new, old, difference = with_difference(one, two, stat, unit.factor * size)
        cells = {
            "metric": self.metric_words,
            f"new ({counted(self.n_new, 'run')})": Number(f"{new}{unit.mark}", self.score_new),
            f"old ({counted(self.n_old, 'run')})": Number(f"{old}{unit.mark}", self.score_old),
            "difference": Number(difference, self.difference),
            "p of items": _p(self.p_items),
            "p of runs": _p(self.p_runs),
        }
        of_both = f"{new}{unit.mark} against {old}{unit.mark}"
        text = f"The {self.metric_words} of {counted(self.n_new, 'new run')} and of "
        text += f"{counted(self.n_old, 'old run')}: {of_both}, a difference of "
        sentences = [f"{text}{difference}{unit.of_differences}.", *self._sentences()]
        return Told([*cells], [[*cells.values()]], sentences)

    def _sentences(self) -> Iterator[str]:
        how = "exact" if self.n_resamples is None else f"{self.n_resamples:,} samples"
        groups = "" if self.n_groups is None else f" in {counted(self.n_groups, 'group')}"
        which = f"{_ON_SIDE[self.alternative]}n = {self.n:,}{groups}"
        yield f"By items, p = {_p(self.p_items)} ({how}; {which})."
        if self.p_runs is not None:
            yield f"By whole runs, p = {_p(self.p_runs)} (approximate; by rank {_p(self.p_rank)})."
        else:
            which = "So few runs" if self.n_old < 3 else "Old runs of one score"
            yield f"{which} cannot show whether runs fail together."
        if self.cochran_p is not None and self.cochran_p <= 0.05:
            yield (
                f"The old runs differ by more than their items explain (Cochran's Q, p = "
                f"{_p(self.cochran_p)}): something hits whole runs."
            )
        yield (
            "A small p says that the chances on these items changed, or that runs share something; "
            "it says nothing about other items."
        )


_OF_RERUNS = {
    "worse": "the new runs are significantly worse than reruns of the old build.",
    "better": "the new runs are significantly better than reruns of the old build.",
    "not shown": (
        "no change beside reruns of the old build was found. This does not show that there is none."
    ),
}


@dataclass(frozen=True, slots=True, repr=False)
class RerunGateResult(WithVerdict):
    """The verdict of `gate` on new runs beside reruns of the old build; print it.

    Attributes
    ----------
    verdict : {"pass", "fail"}
    reason : {"worse", "better", "not shown"}
        The reason for the verdict.
    test : RerunResult
        The two-sided test.
    alpha : float
        The level of both p.
    """

    verdict: Verdict
    reason: str
    test: RerunResult
    alpha: float

    def to_dict(self) -> dict[str, Any]:
        """Return the keys of `test.to_dict()`, "verdict", "reason" and "alpha", for JSON."""
        return versioned(self.test.to_dict() | attributes(self, "test"))

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the level is its own, and the runs have no names."""
        refuse_own(alpha=alpha)
        title = f"{self.verdict.upper()}: {_OF_RERUNS[self.reason]}"
        level = f"The level is {self.alpha:g}; it takes both p, if there are two, to fail."
        told = self.test.told(names)
        return replace(told, title=title, sentences=[*told.sentences, level])


def _p(pvalue: float | None) -> Number:
    return Number("", None) if pvalue is None else p_without_log(pvalue)


@dataclass(frozen=True, repr=False)
class Noise(Telling):
    """The result of `noise`: how far runs of one system differ; print it.

    Attributes
    ----------
    score : float
        The mean score of all runs.
    flip_rate : float
        The mean share of pairs of runs that differ on an item.
    share_agreeing : float
        The share of items on which all runs agree.
    floor : float or None
        The difference of two single runs that chance alone exceeds in about 5 % of all cases. None
        for fewer than 3 runs, or 10 items on which runs differ.
    most_unseen : float or None
        If `floor` is None: the share of items that may differ between runs without having been
        seen to, at 95 %.
    cochran_p : float or None
        p of Cochran's Q: small if whole runs differ by more than items explain.
    n, n_runs, n_flipping : int
        The numbers of items, of runs, and of items on which runs differ.
    metric, metric_options, metric_words, unit
        The metric's name, its options that are no defaults, its name in words, and its unit.
    lower_is_better : bool
        Whether the metric counts errors.
    """

    score: float
    flip_rate: float
    share_agreeing: float
    floor: float | None
    most_unseen: float | None
    cochran_p: float | None
    n: int
    n_runs: int
    n_flipping: int
    metric: str | None
    metric_options: dict[str, Any] | None = field(hash=False)
    metric_words: str
    unit: str
    lower_is_better: bool

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as a dict, ready for JSON.

        Returns
        -------
        dict of str to float, int, str or None
            "schema_version" is the last key.
        """
        return versioned(attributes(self, "metric_words", "unit"))

    def told(self, names: GivenNames = None, alpha: float | None = None) -> Told:
        """See `Telling.told`; the runs have no names."""
        refuse_own(names=names, alpha=alpha)
        unit = UNITS[self.unit]
        cells = {
            "metric": self.metric_words,
            "runs": Number(f"{self.n_runs:,}", self.n_runs),
            "n": Number(f"{self.n:,}", self.n),
            "flip rate": _share(self.flip_rate),
            "items that agree": _share(self.share_agreeing),
            "floor": Number("" if self.floor is None else unit.about(self.floor), self.floor),
        }
        return Told([*cells], [[*cells.values()]], [*self._sentences(unit)])

    def _sentences(self, unit: Unit) -> Iterator[str]:
        items = counted(self.n, "item")
        yield (
            f"{counted(self.n_runs, 'run')} of {items}: on {_share(self.share_agreeing)} of them "
            f"all runs agree, and two runs differ on {_share(self.flip_rate)}."
        )
        if self.floor is not None:
            yield (
                f"Two single runs differ by more than {unit.about(self.floor)} by chance alone in "
                "about 5% of all cases."
            )
        elif self.most_unseen is not None:
            yield f"Too few flips: up to {_share(self.most_unseen)} of the items may flip unseen."
        if self.cochran_p is not None and self.cochran_p <= 0.05:
            yield (
                "Whole runs differ by more than their items explain (Cochran's Q, p = "
                f"{_p(self.cochran_p)}): the floor is too low."
            )


def _share(share: float) -> Number:
    return Number(f"{100.0 * share:.2g}%" if share < 0.995 else f"{100.0 * share:.4g}%", share)
