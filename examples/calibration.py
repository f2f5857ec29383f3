"""Measure how often tests, intervals, gates and plans err.

    python examples/calibration.py [--quick] [--seed SEED]

Each row draws data for which the right answer is known. It has the share of the repetitions that
erred, its standard error, and the share that is promised. A row holds unless so many errors have a
chance below 1 in 10,000. The exit code is 1 if a row does not hold. Rows with * promise nothing.
All rows take about half an hour, with --quick about a minute.

Documents: 40 documents of 1 to 10 questions. A fair coin says which system is better on a document,
and all questions of the document share that.
Runs: each system answers each of 60 items in 5 runs. Its chance to be right on an item is the same
in all runs. It is drawn for each system, from the same law.
Five systems: 100 examples of differing difficulty. On an example all systems have the same chance,
or two of them a smaller one. An error is any pair of the others that is told apart.
Suites: 20 tasks of 20 to 200 examples, 10 % of which differ. The systems are as good on all tasks,
or on half of them. On the others one system wins 85 % of the examples that differ.
Margins: one system is worse by the margin. An error is "not worse".
Intervals: an error is a 95 % interval without the true difference. Of 200 examples so many differ
on average, and three quarters of these are wins. The sizes of the differences follow the named law.
Looks: the systems are alike, and a test may stop whenever it finds a difference.
Power: the share of the tests that find a difference, beside what `power` computed.
Pools: 5 runs of an unchanged build and one more, on 300 items of which one in five flips. In
"together" the logits of a run shift by a common number. An error is a change that is found.
One score: 200 grades of 5 steps, or 40 right and wrong answers, or the F1 of 60. An error is a 95 %
interval without the true score.
A share: the loss is 5 % of the baseline's score. An error is that it is shown to be less.
Judges: 50 pairs of answers that are as good. The judge prefers the one shown first in 65 %.
Columns: the ROC AUC of two systems on 40 examples, whose numbers follow the same law.
Unequal runs: as in "runs", and one system has 3 of its 5 runs.
Missing: 100 answers of systems that are as good. The second lacks 40 % of its wrong answers.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from datasets import Dataset
from numpy.typing import NDArray
from scipy.stats import binom

from pairedperm import (
    SequentialTest,
    compare,
    compare_many,
    compare_suite,
    equivalence_test,
    examples_needed,
    gate,
    gate_suite,
    paired_permutation_test,
    power,
    preference,
    rerun_test,
    score_interval,
)
from pairedperm.population.evidence import Evidence
from pairedperm.readers import read_runs
from pairedperm.scoring.arguments import read_arguments

ALPHA, LEVEL, RARE, QUICK = 0.05, 0.95, 1e-4, 50
N_DOCUMENTS, LARGEST_DOCUMENT, ADVANTAGE = 40, 10, 0.2  # the chances are apart by twice that
N_ITEMS, N_RUNS = 60, 5
N_EXAMPLES, EASE = 100, (0.4, 0.95)  # EASE: the range of the chances on examples
SYSTEMS = "a", "b", "c", "d", "e"
WORSE = {"d": 0.6, "e": 0.3}  # factors of the chances
TASKS, SIZES_OF_TASKS, SHARE, WON = 20, (20, 200), 0.1, 0.85
MARGINS = (30, 0.1, 0.2), (200, 0.05, 0.1), (1000, 0.02, 0.1)  # n, margin, share that differs
N_OF_INTERVALS, DIFFERING, WINS = 200, (5, 10, 30, 80), 0.75
ALIKE, KEPT_BY = ("uniform", "normal"), 0.02  # laws of sizes that are alike; from 30 differing on
FEWEST, UNIT = 30, 1000.0  # differences are whole: zeros are drawn together, which is quick
N_LOOKS, LOOKS, MORE = 10_000, 10, 1.8  # MORE: times the fixed number of examples
POOL, FLAKY, TOGETHER = (300, 5), 0.2, 0.3  # items and runs; TOGETHER: deviation of the logits
STEPS = (0.1, 0.1, 0.2, 0.3, 0.3)  # the chances of the grades 0, ¼ … 1
LOSS = 0.05
LIKED, N_PAIRS = 0.65, 50  # how often a judge prefers the answer shown first, of so many pairs
N_RANKED, DRAWS, FEWER = 40, 999, 3  # examples of a column; swaps that are drawn; fewer runs
LACKING = 0.4  # the share of the wrong answers that are missing
POWERS = (0.06, 0.03, 1000), (0.1, 0.05, 200), (0.2, 0.1, 100), (0.02, 0.0, 500), (0.1, 0.1, 300)
HEADER = f"{'what':<52}{'errs':>8}{'s.e.':>7}{'promised':>9}  holds"

Rng = np.random.Generator
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
AVOID = None  # instead of a promise


class Promise(NamedTuple):
    """How often something errs: at most so often, or at least too if `is_rate`."""

    share: float
    is_rate: bool = False


class Scenario(NamedTuple):
    """A way to draw data, and what is asked of them."""

    promises: dict[str, Promise | None]
    repeat: Callable[[Rng], tuple[bool, ...]]  # whether each errs
    n_repetitions: int = 10_000


class Row(NamedTuple):
    """How often something erred."""

    name: str
    promise: Promise | None
    n_erred: int
    n_repetitions: int

    @property
    def rate(self) -> float:
        """The share of the repetitions that erred."""
        return self.n_erred / self.n_repetitions

    @property
    def standard_error(self) -> float:
        """The standard error of the rate."""
        return math.sqrt(self.rate * (1.0 - self.rate) / self.n_repetitions)

    @property
    def holds(self) -> bool:
        """Whether chance may explain the rate; true of what is to be avoided."""
        if self.promise is None:
            return True
        share, is_rate = self.promise
        law = binom(self.n_repetitions, share)
        is_rare = law.sf(self.n_erred - 1) < RARE or (is_rate and law.cdf(self.n_erred) < RARE)
        return not is_rare

    def __str__(self) -> str:
        name, shown, word = f"{self.name} *", "", ""
        if self.promise is not None:
            name, word = self.name, "yes" if self.holds else "no"
            shown = f"{self.promise.share:.2%}"
        error = f"{self.standard_error:.2%}"
        return f"{name:<52}{self.rate:>8.2%}{error:>7}{shown:>9}  {word}".rstrip()


def answers(chances: Floats, rng: Rng) -> Ints:
    """Draw right (1) and wrong (0) answers with these chances."""
    return (rng.random(chances.shape) < chances).astype(np.int64)


def whole_and_single(scores1: Ints, scores2: Ints, groups: Ints) -> tuple[bool, bool]:
    """Tell whether the systems are told apart, by swaps of groups and of single answers."""
    whole = paired_permutation_test(scores1, scores2, groups=groups)
    single = paired_permutation_test(scores1, scores2)
    return whole.pvalue <= ALPHA, single.pvalue <= ALPHA


def documents(rng: Rng) -> tuple[bool, bool]:
    """Test questions on which the systems' difference depends on the document."""
    sizes = rng.integers(1, LARGEST_DOCUMENT + 1, N_DOCUMENTS)
    ease = rng.uniform(0.3, 0.7, N_DOCUMENTS)
    advantage = rng.choice([-ADVANTAGE, ADVANTAGE], N_DOCUMENTS)
    one, two = (answers(np.repeat(ease + x, sizes), rng) for x in (advantage, -advantage))
    return whole_and_single(one, two, np.repeat(np.arange(N_DOCUMENTS), sizes))


def runs(rng: Rng) -> tuple[bool, bool]:
    """Test several runs of each system on the same items."""
    one, two = (answers(np.repeat(rng.random(N_ITEMS), N_RUNS), rng) for _ in range(2))
    return whole_and_single(one, two, np.repeat(np.arange(N_ITEMS), N_RUNS))


def boards(worse: dict[str, float], rng: Rng) -> tuple[bool, bool]:
    """Tell whether any two equally good systems are told apart, by adjusted p and by p."""
    ease = rng.uniform(*EASE, N_EXAMPLES)
    board = compare_many({name: answers(ease * worse.get(name, 1.0), rng) for name in SYSTEMS})
    alike = [names for names in board.pairs if worse.keys().isdisjoint(names)]
    by_holm = min(board.p_adjusted[names] for names in alike)
    unadjusted = min(board.pairs[names].pvalue for names in alike)
    return by_holm <= ALPHA, unadjusted <= ALPHA


def of_wins(n: int, n_differing: int, n_wins: int) -> tuple[Ints, Ints]:
    """Return right and wrong answers of two systems, the wins of system 1 first."""
    one, two = np.ones((2, n), dtype=np.int64)
    one[n_wins:n_differing] = 0
    two[:n_wins] = 0
    return one, two


def suites(n_alike: int, rng: Rng) -> tuple[bool, bool, bool]:
    """Tell of equally good tasks whether one is a finding, by adjusted p and by p, or a loss.

    On half of the other tasks system 1 is better, on the other half it is worse.
    """
    chances = [WON, 1.0 - WON] * ((TASKS - n_alike) // 2)
    tasks = {}
    for task, chance in enumerate([0.5] * n_alike + chances):
        n = int(np.exp(rng.uniform(*np.log(SIZES_OF_TASKS))))
        n_differing = rng.binomial(n, SHARE)
        columns = of_wins(n, n_differing, rng.binomial(n_differing, chance))
        tasks[f"{task}"] = (*columns, np.ones(n, dtype=np.int64))
    suite = compare_suite(tasks)
    alike = list(tasks)[:n_alike]
    losses = gate_suite(suite, alpha=ALPHA).p_worse
    return (
        min(suite.p_adjusted[task] for task in alike) <= ALPHA,
        min(suite.results[task].pvalue for task in alike) <= ALPHA,
        min(losses[task] for task in alike) <= ALPHA,
    )


def margins(n: int, margin: float, share: float, rng: Rng) -> tuple[bool]:
    """Tell whether a system that is worse by the margin is called not worse."""
    n_wins, n_losses = rng.multinomial(n, [(share - margin) / 2.0, (share + margin) / 2.0, 0.0])[:2]
    columns = of_wins(n, n_wins + n_losses, n_wins)
    result = compare(*columns, np.ones(n, dtype=np.int64))
    return (equivalence_test(result, margin=margin).noninferior,)


LAWS: dict[str, tuple[Callable[[Rng, int], Floats], float]] = {  # how sizes are drawn; their mean
    "uniform": (lambda rng, k: rng.random(k), 0.5),
    "normal": (lambda rng, k: np.abs(rng.normal(size=k)), math.sqrt(2.0 / math.pi)),
    "lognormal": (lambda rng, k: rng.lognormal(size=k), math.exp(0.5)),
    "one in ten is large": (
        lambda rng, k: rng.choice((1.0, 10.0), k, p=(0.9, 0.1)),
        1.9,
    ),
}


def intervals(law: str, differing: int, rng: Rng) -> tuple[bool]:
    """Tell whether a studentised interval, not extended to 0, is without the true mean."""
    draw, mean = LAWS[law]
    n_differing = 0
    while not n_differing:
        n_differing = int(rng.binomial(N_OF_INTERVALS, differing / N_OF_INTERVALS))
    signs = rng.choice([1.0, -1.0], n_differing, p=[WINS, 1.0 - WINS])
    differences = np.zeros(N_OF_INTERVALS)
    differences[:n_differing] = signs * np.round(UNIT * draw(rng, n_differing))
    rows_and_score = read_arguments(differences, np.zeros(N_OF_INTERVALS), None, None)
    seed = int(rng.integers(2**32))
    low, high = Evidence(*rows_and_score).interval(LEVEL, seed, "studentised bootstrap")
    true = differing / N_OF_INTERVALS * (2.0 * WINS - 1.0) * UNIT * mean
    return (not low < true < high,)


def looks(differing: float, sizes: Callable[[Rng, int], Floats], rng: Rng) -> tuple[bool]:
    """Tell whether the sequential test finds a difference of equal systems within all looks."""
    differences = sizes(rng, N_LOOKS) * (rng.random(N_LOOKS) < differing)
    is_one = rng.random(N_LOOKS) < 0.5
    one, two = np.where(is_one, differences, 0.0), np.where(is_one, 0.0, differences)
    return (SequentialTest(alpha=ALPHA).update(one, two) is not None,)


def ten_looks(n_each: int, rng: Rng) -> tuple[bool]:
    """Tell whether one of ten ordinary tests finds a difference; so many that differ come each."""
    wins = rng.integers(0, 2, (LOOKS, n_each))
    found = (
        paired_permutation_test(*of_wins(k * n_each, k * n_each, int(wins[:k].sum()))).pvalue
        for k in range(1, LOOKS + 1)
    )
    return (min(found) <= ALPHA,)


def stops(better: float, worse: float, rng: Rng) -> tuple[bool]:
    """Tell whether the sequential test is undecided, or wrong, after 1.8 times the fixed number."""
    u = rng.random(round(MORE * (examples_needed((better, worse)).n or 0)))
    test = SequentialTest(alpha=ALPHA)
    return (test.update((u < better).astype(int), (u > 1.0 - worse).astype(int)) != "better",)


def powers(better: float, worse: float, n: int, rng: Rng) -> tuple[bool]:
    """Tell whether a test finds a difference in so many examples."""
    n_wins, n_losses, _ = rng.multinomial(n, [better, worse, 1.0 - better - worse])
    columns = of_wins(n, n_wins + n_losses, n_wins)
    return (paired_permutation_test(*columns).pvalue <= ALPHA,)


def pools(spread: float, rng: Rng) -> tuple[bool, bool]:
    """Tell whether a run of the same build is found to differ, by items and by both p."""
    n, n_runs = POOL
    ease = np.where(rng.random(n) < FLAKY, rng.normal(0.0, 1.0, n), rng.choice([-9.0, 9.0], n))
    logits = ease[:, None] + rng.normal(0.0, spread, n_runs + 1)
    new, *old = answers(1.0 / (1.0 + np.exp(-logits)), rng).T.tolist()
    found = rerun_test([new], old)
    return found.p_items <= ALPHA, found.pvalue <= ALPHA


def grades(rng: Rng) -> tuple[bool]:
    """Tell whether the interval of a mean grade misses the true one."""
    steps = np.linspace(0.0, 1.0, len(STEPS))
    found = score_interval(rng.choice(steps, 200, p=STEPS)).interval
    return (found is None or not found.low <= steps @ STEPS <= found.high,)


def rights(rng: Rng) -> tuple[bool]:
    """Tell whether the interval of an accuracy misses the true one."""
    found = score_interval(answers(np.full(40, 0.8), rng), np.ones(40, dtype=np.int64)).interval
    return (found is None or not found.low <= 0.8 <= found.high,)


def f1s(rng: Rng) -> tuple[bool]:
    """Tell whether the interval of an F1 misses the true one, 0.8."""
    right = answers(np.full(60, 0.5), rng)
    found = score_interval(np.where(rng.random(60) < 0.8, right, 1 - right), right, "f1").interval
    return (found is None or not found.low <= 0.8 <= found.high,)


def shares(n: int, won: float, rng: Rng) -> tuple[bool]:
    """Tell whether a loss of a share of the baseline's score, 0.9, is shown to be less."""
    lost = LOSS * 0.9 + won
    both, first, second, rest = rng.multinomial(n, [0.9 - lost, won, lost, 0.1 - won])
    one = [1] * (both + first) + [0] * (second + rest)
    two = [1] * both + [0] * first + [1] * second + [0] * rest
    return (gate(compare(one, two, [1] * n), margin=f"{LOSS:.0%}").passed,)


def verdicts(rng: Rng) -> tuple[bool, bool]:
    """Tell whether a system is found better, if a coin draws the first one, and if it always is."""
    first = rng.choice([-1, 1], N_PAIRS)
    places = np.where(rng.random(N_PAIRS) < LIKED, 1, -1)
    drawn = preference(first * places, order="random")
    return drawn.pvalue <= ALPHA, preference(places, order="unknown").pvalue <= ALPHA


def auc(predictions: Floats, references: Ints) -> float:
    """Return the share of the pairs of a positive and a negative example in the right order."""
    positive, negative = (predictions[references == x] for x in (1, 0))
    return float((positive[:, None] > negative).mean())


def columns(rng: Rng) -> tuple[bool]:
    """Tell whether the AUC of two systems alike are found to differ."""
    right = np.arange(N_RANKED) % 2
    one, two = rng.normal(right, 1.0, (2, N_RANKED))
    found = compare(one, two, right, auc, method="monte_carlo", n_resamples=DRAWS, rng=0)
    return (found.pvalue <= ALPHA,)


def unequal_runs(rng: Rng) -> tuple[bool]:
    """Tell whether a difference is found if one system has fewer runs."""
    ids = np.repeat(np.arange(N_ITEMS), N_RUNS)
    one, two = (answers(rng.random(N_ITEMS)[ids], rng) for _ in range(2))
    few = np.tile(np.arange(N_RUNS) < FEWER, N_ITEMS)
    tables = (
        Dataset.from_dict({"id": x, "score": y}) for x, y in ((ids, one), (ids[few], two[few]))
    )
    return (read_runs(*tables, repeats=True).compare().pvalue <= ALPHA,)


def missing(rng: Rng) -> tuple[bool, bool]:
    """Tell whether a difference is found by bounds, and without what is missing."""
    one, two = answers(np.full((2, N_EXAMPLES), 0.5), rng)
    is_gone = (two == 0) & (rng.random(N_EXAMPLES) < LACKING)
    lacking = [None if gone else x for x, gone in zip(two.tolist(), is_gone, strict=True)]
    tables = [Dataset.from_dict({"id": range(len(x)), "score": x}) for x in (one, lacking)]
    p = [
        read_runs(*tables, on_missing=x).compare(score_range=(0, 1)).pvalue
        for x in ("bounds", "drop")
    ]
    return p[0] <= ALPHA, p[1] <= ALPHA


def of_what_is_given() -> Iterator[Scenario]:
    """Yield the scenarios of judges, of whole columns, and of logs that are not whole."""
    level = Promise(ALPHA)
    names = {"judges, a coin draws the first": level, "judges, one is always first": AVOID}
    yield Scenario(names, verdicts, 2_000)
    yield Scenario({"columns, mid-ranks": AVOID}, columns, 500)
    yield Scenario({"unequal runs, drawn": level}, unequal_runs, 500)
    yield Scenario({"missing, bounds": level, "missing, dropped": AVOID}, missing, 500)


def of_one_system() -> Iterator[Scenario]:
    """Yield the scenarios of reruns, of one score, and of a share of the baseline's."""
    level = Promise(ALPHA)
    for name, spread, of_items in (("apart", 0.0, level), ("together", TOGETHER, AVOID)):
        names = {f"pools, runs {name}, by items": of_items, f"pools, runs {name}, by both": level}
        yield Scenario(names, partial(pools, spread), 2_000)
    misses = Promise(1.0 - LEVEL)
    yield Scenario({"one score, right and wrong": misses}, rights, 2_000)
    yield Scenario({"one score, F1": misses}, f1s, 2_000)
    yield Scenario({"one score, grades": Promise(1.0 - LEVEL + KEPT_BY)}, grades, 500)
    for n, won in ((100, 0.02), (500, 0.01)):
        yield Scenario({f"a share of {LOSS:.0%}, n = {n:,}": level}, partial(shares, n, won), 500)


def scenarios() -> Iterator[Scenario]:
    """Yield all scenarios in the order of the table."""
    level = Promise(ALPHA)
    yield Scenario(
        {"documents, swapped as wholes": level, "documents, single questions": AVOID}, documents
    )
    yield Scenario({"runs, all of an item together": level, "runs, single ones": AVOID}, runs)
    for name, factors in (("five systems alike", {}), ("three of five systems alike", WORSE)):
        names = {f"{name}, Holm": level, f"{name}, not adjusted": AVOID}
        yield Scenario(names, partial(boards, factors))
    for name, n_alike in (("suites", TASKS), ("suites, half of the tasks differ", TASKS // 2)):
        names = {
            f"{name}, Holm": level,
            f"{name}, not adjusted": AVOID,
            f"{name}, losses": Promise(ALPHA / 2.0),
        }
        yield Scenario(names, partial(suites, n_alike), 2_000)
    for n, margin, share in MARGINS:
        name = f"margin {margin:.0%}, n = {n:,}, {share:.0%} differ"
        yield Scenario({name: level}, partial(margins, n, margin, share))
    for law in LAWS:
        for differing in DIFFERING:
            is_kept = law in ALIKE and differing >= FEWEST
            promise = Promise(1.0 - LEVEL + KEPT_BY) if is_kept else AVOID
            repeat = partial(intervals, law, differing)
            yield Scenario({f"interval, {differing} differ, {law}": promise}, repeat, 1_000)
    for name, share, sizes in (
        ("all examples differ", 1.0, lambda rng, n: np.ones(n)),
        ("one in ten differs", 0.1, lambda rng, n: np.ones(n)),
        ("scores from 0 to 1", 1.0, lambda rng, n: rng.random(n)),
    ):
        yield Scenario({f"looks, {name}": level}, partial(looks, share, sizes), 1_000)
    yield Scenario({"looks, ten ordinary tests": AVOID}, partial(ten_looks, 50), 1_000)
    for better, worse in ((0.1, 0.06), (0.05, 0.01)):
        name = f"looks, {better:.0%} against {worse:.0%}, {MORE} times the number"
        yield Scenario({name: Promise(0.2)}, partial(stops, better, worse), 1_000)
    for better, worse, n in POWERS:
        name = f"power of {better:.0%} against {worse:.0%}, n = {n:,}"
        promise = Promise(power((better, worse), n).power or 0.0, is_rate=True)
        yield Scenario({name: promise}, partial(powers, better, worse, n))
    yield from of_one_system()
    yield from of_what_is_given()


def rows(scenario: Scenario, n_repetitions: int, rng: Rng) -> Iterator[Row]:
    """Yield how often each answer of a scenario errs."""
    erred = np.array([scenario.repeat(rng) for _ in range(n_repetitions)]).sum(axis=0)
    for (name, promise), count in zip(scenario.promises.items(), erred, strict=True):
        yield Row(name, promise, int(count), n_repetitions)


def main() -> int:
    """Print the table, and return 1 if a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"one repetition in {QUICK}")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn (default: 0)")
    asked = parser.parse_args()
    if asked.seed < 0:
        parser.error(f"--seed is at least 0, got {asked.seed}")
    print(HEADER, flush=True)
    all_hold = True
    for number, scenario in enumerate(scenarios()):
        n = scenario.n_repetitions // (QUICK if asked.quick else 1)
        for row in rows(scenario, n, np.random.default_rng([asked.seed, number])):
            print(row, flush=True)
            all_hold &= row.holds
    return 0 if all_hold else 1


if __name__ == "__main__":
    raise SystemExit(main())
