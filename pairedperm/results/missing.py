"""The result of scores that are missing: what a test finds at both ends of what they may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pairedperm.options import ALPHA
from pairedperm.results.decisions import EXIT_CODES, GateResult, Verdict
from pairedperm.results.result import PairedResult, attributes, versioned, without_version
from pairedperm.results.told import GivenNames, Telling, Told
from pairedperm.results.words import kind_of_test, p_without_log


@dataclass(frozen=True, repr=False, eq=False)
class MissingBounds(Telling):
    """What is found if all missing scores favour one side, and if they favour the other; print it.

    A one-sided p falls if any difference rises, so no other scores have a p beyond these two. The
    limits of exact and guaranteed intervals rise with each difference, too; those of a studentised
    one need not.

    Attributes
    ----------
    best, worst : PairedResult, GateResult, NumberGateResult or ScoreInterval
        The result if all missing scores favour the first system, and if they favour the second. Of
        one system: if they are at the best end of their range, and at the worst.
    n_missing : dict from str to int
        The number of missing scores of each system.
    n : int
        The number of examples, with those whose score is missing.
    pvalue_bounds : (float, float) or None
        The least and the greatest p that there can be; None of a score. The greatest of a two-sided
        test is 1 if the difference changes sign.
    pvalue : float or None
        The greatest p.
    verdict : {"pass", "fail", "inconclusive"} or None
        Of a gate: the verdict of both, or "inconclusive" if they differ. None of other results.
    passed : bool
        The verdict is "pass".
    exit_code : int
        0 for "pass", 1 for "fail", 3 for "inconclusive".
    """

    best: Any
    worst: Any
    n_missing: Mapping[str, int]
    n: int

    @property
    def pvalue_bounds(self) -> tuple[float, float] | None:
        """The least and the greatest p that there can be."""
        one, two = (_test_of(x) for x in (self.best, self.worst))
        pvalues: list[Any] = [getattr(x, "pvalue", None) for x in (one, two)]
        if None in pvalues:
            return None
        if isinstance(one, PairedResult) and one.alternative == "two-sided":
            pvalues += [1.0] * (one.statistic * two.statistic <= 0.0)
        return min(pvalues), max(pvalues)

    @property
    def pvalue(self) -> float | None:
        """The greatest p."""
        return self.pvalue_bounds and self.pvalue_bounds[1]

    @property
    def verdict(self) -> Verdict | None:
        """The verdict of both, or "inconclusive" if they differ."""
        verdicts = {getattr(x, "verdict", None) for x in (self.best, self.worst)}
        return verdicts.pop() if len(verdicts) == 1 else "inconclusive"

    @property
    def passed(self) -> bool:
        """Whether the verdict is "pass"."""
        return self.verdict == "pass"

    @property
    def exit_code(self) -> int:
        """The exit code of the verdict."""
        return 0 if self.verdict is None else EXIT_CODES[self.verdict]

    def to_dict(self) -> dict[str, Any]:
        """Return both results and what bounds them as a dict, ready for JSON.

        Returns
        -------
        dict of str to dict, float, str or None
            "best" and "worst" have the keys of the results; "n_missing", "n" and "verdict" are the
            attributes, "p_least" and "p_greatest" those of `pvalue_bounds`. "schema_version" is the
            last key.
        """
        both = {x: without_version(getattr(self, x).to_dict()) for x in ("best", "worst")}
        least, greatest = self.pvalue_bounds or (None, None)
        own = attributes(self, "best", "worst") | {"p_least": least, "p_greatest": greatest}
        return versioned(both | own | {"verdict": self.verdict})

    def told(
        self, names: GivenNames = None, alpha: float | None = None, **of_pair: str | None
    ) -> Told:
        """See `Telling.told`; `of_pair` is what results of two systems also take."""
        given = names or [*self.n_missing]
        both: list[Told] = [x.told(given, alpha, **of_pair) for x in (self.best, self.worst)]
        if not any(self.n_missing.values()):
            return replace(both[0], sentences=["No score is missing.", *both[0].sentences])
        each = zip(given, self.n_missing.values(), strict=True)
        lacking = ", ".join(f"{n:,} of {name or 'a system'}" for name, n in each)
        sides = [f"{x} for {given[0] or 'system 1'}" for x in ("best", "worst")]
        cells = [dict(zip(x.header, x.rows[0], strict=True)) for x in both]
        header = [*dict.fromkeys(name for x in cells for name in x)]
        rows = [[y, *(x.get(z, "") for z in header)] for y, x in zip(sides, cells, strict=True)]
        sentences = [
            f"Missing scores: {lacking}; n = {self.n:,}.",
            self._outcome(
                getattr(self.best, "alpha", alpha or ALPHA), [x.get("score", "") for x in cells]
            ),
            *(
                f"If all are {y}: {x.title or x.sentences[0]}"
                for x, y in zip(both, sides, strict=True)
            ),
            *(x for x in both[0].sentences if x in both[1].sentences),
        ]
        title = ""
        if self.verdict is not None:
            does = "depends" if self.best.verdict != self.worst.verdict else "does not depend"
            title = f"{self.verdict.upper()}: the verdict {does} on the missing scores."
        return Told(["missing scores", *header], rows, sentences, title)

    def _outcome(self, alpha: float, scores: Sequence[str]) -> str:
        """Return the bounds of p, or of a score."""
        if self.pvalue_bounds is None:
            return f"The score is from {scores[1]} to {scores[0]}, whatever they are."
        least, greatest = self.pvalue_bounds
        low, high = (p_without_log(p, alpha) for p in self.pvalue_bounds)
        test = _test_of(self.best)
        is_pair = isinstance(test, PairedResult)
        of_test = f"By the {kind_of_test(test)}, p" if is_pair else "The one-sided p"
        text = f"{of_test} is from {low} to {high}, whatever they are."
        if self.verdict is not None:
            return f"{text} The level is {alpha:g}."
        depends = "depends" if least <= alpha < greatest else "does not depend"
        return f"{text} Whether it is at most {alpha:g} {depends} on them."


def _test_of(result: Any) -> Any:
    """Return what has the p of a result."""
    return result.test if isinstance(result, GateResult) else result
