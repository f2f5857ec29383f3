"""The choice of the engine of a test under draws, and its run."""

from __future__ import annotations

from pairedperm.bootstrap.ideal import IDEAL, SharedRatio
from pairedperm.bootstrap.monte_carlo import MONTE_CARLO
from pairedperm.bootstrap.problem import Draws, Functions, RealMeans
from pairedperm.convolution.engine import Engine, choose
from pairedperm.errors import BudgetError, InputError, other_ways, warn
from pairedperm.errors.message import Message
from pairedperm.errors.wording import Name
from pairedperm.inputs.lattice import on_fractions
from pairedperm.options import Options
from pairedperm.population.intervals import PERCENTILE, ConfidenceInterval
from pairedperm.results.bootstrap_result import PairedBootstrapResult
from pairedperm.results.sampled import (
    SAMPLE,
    SampledProbability,
    asked_for,
    estimated,
    fields_of_test,
)
from pairedperm.scoring.groups import drawn
from pairedperm.scoring.metric import Metric
from pairedperm.scoring.rows import Rows
from pairedperm.scoring.scores import Mean, Score

_ENGINES = {x.name: x for x in (IDEAL, MONTE_CARLO)}
_MOST = 2**50  # proof: draws; their numbers and shares are exact enough in floats


def problem_of(name: str, rows: Rows, score: Score) -> Draws:
    """Simplify the score, and return the problem of a difference in it on these rows.

    `name` is the column that messages name.

    Raises
    ------
    InputError
        If there is only one example, or one group.
    BudgetError
        If there are more than 2^50 examples.
    """
    if 1 in (rows.n, rows.n_groups):
        name, what = (name, "example") if rows.n_groups is None else ("groups", "group")
        raise InputError(
            *(
                Name(name),
                f" holds one {what}: a bootstrap draws {what}s with replacement, and all ",
            ),
            "resamples of one are the same",
            remedy="At least two are needed, some dozens to be of use",
        )
    if rows.n > _MOST:
        raise BudgetError(
            Message(
                f"a bootstrap draws up to 2^50 examples, and there are {rows.n:.3g}",
                remedy="Use the permutation test",
            )
        )
    rows, simple = drawn(rows, score)
    if not isinstance(simple, Mean):
        return Functions(rows, simple)  # type: ignore[arg-type]
    if not rows.no_lattice:
        return SharedRatio(rows, simple)
    fractions = None if simple.scores else on_fractions((rows.rows1, rows.rows2))
    if fractions is None:
        return RealMeans(rows, simple)
    (one, two), unit = fractions
    return SharedRatio(Rows(one, two), Mean(unit, simple.sizes))


def run(rows: Rows, score: Score, metric: Metric | None, options: Options) -> PairedBootstrapResult:
    """Run the test; "auto" samples if the ideal bootstrap does not apply or fit the budget.

    Raises
    ------
    InputError
        If the method cannot solve this problem at all.
    BudgetError
        If the method would exceed the budget.

    Warns
    -----
    UserWarning
        If `method` is "auto" and the ideal bootstrap would exceed the budget.
    """
    name = "counts1"
    if metric is not None:
        name = "references" if metric.has_references else "predictions1"
    problem = problem_of(name, rows, score)
    why: Message | None = None
    is_auto = options.method == "auto"
    engines = _ENGINES.values() if is_auto else [_ENGINES[options.method]]
    failed: list[Engine[Draws, Options]] = []
    while True:
        choice = choose([(x, problem) for x in engines], options, lambda _: True, failed)
        assert choice is not None  # resamples can be drawn of every problem
        if choice.cost.excess is not None:
            raise BudgetError(choice.cost.excess)
        try:
            answer = choice.engine.run(problem, options, choice.cost)
            break
        except BudgetError as error:
            if not is_auto:
                raise BudgetError(other_ways(error.message, SAMPLE)) from error
            why = error.message
            failed.append(choice.engine)
    p, intervals = answer.p, answer.intervals
    sampled = p if isinstance(p, SampledProbability) else None
    reason = choice.cost.how
    if why:
        reason = f"{reason}, because {why.clause()}"
    elif sampled:
        reason = str(problem.inexact) if is_auto else asked_for(options.method)
    if why and sampled:
        warn(estimated(sampled, why, "resamples"))
    return PairedBootstrapResult(
        **fields_of_test(problem, p, rows, score, metric, options),
        method=choice.engine.name,
        confidence_level=options.level,
        reason=reason,
        _difference_interval=ConfidenceInterval(*intervals[0], PERCENTILE),
        score1_interval=ConfidenceInterval(*intervals[1], PERCENTILE),
        score2_interval=ConfidenceInterval(*intervals[2], PERCENTILE),
        ties=options.ties,
    )
