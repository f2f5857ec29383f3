"""Calls that plan a test, ask for equivalence within a margin, and look after every example."""

from functools import partial

import numpy as np

from answers.answer import Call
from answers.answer_data import f1_rows, labels, scores, transcripts
from answers.package import (
    Ratio,
    SequentialTest,
    compare,
    equivalence_test,
    examples_needed,
    gate,
    paired_permutation_test,
    power,
)

RNG = np.random.default_rng(24)
REFERENCES = RNG.integers(0, 3, 60).tolist()
SYSTEMS = [np.where(RNG.random(60) < 0.4 + 0.12 * k, REFERENCES, 0).tolist() for k in range(5)]
ONE, TWO = SYSTEMS[4], SYSTEMS[2]
GROUPS = [f"document {k}" for k in RNG.integers(0, 12, 60)]
ENDS = {"a": (0, 10), "b": (10, 23), "c": (23, 60)}
TASKS = {x: [y[slice(*ends)] for y in (ONE, TWO, REFERENCES)] for x, ends in ENDS.items()}
IDS = {"a": GROUPS[:10], "c": GROUPS[23:]}
RUNS = [[x[k : k + 3] for k in range(0, 45, 3)] for x in (ONE, TWO)]
FEW = {"n_simulations": 20, "rng": 3}
F1 = Ratio([2, 0, 0], [0, 1, 1])
ERRORS = transcripts(40)
PILOTS = {
    "shares": ((0.06, 0.03), {}),
    "groups": (compare(ONE, TWO, REFERENCES, groups=GROUPS), FEW),
    "f1": (paired_permutation_test(*f1_rows(60), score=F1), FEW),
}
WITHIN = {  # a test, its columns and options, and those of the margin
    "scores": (paired_permutation_test, scores(60, 9, better=1), {}, (3, 0.05)),
    "f1": (paired_permutation_test, f1_rows(60), {"score": F1}, (0.1, 0.05)),
    "errors": (compare, ERRORS.values(), {"metric": "word_error_rate"}, (0.2, 0.05)),
}


GATES = {
    "within a margin": (labels(300, right=(80, 78)).values(), {"margin": 0.1}),
    "is inconclusive": (labels(60, right=(75, 80)).values(), {"margin": 0.02}),
    "fails": (labels(300, right=(60, 80)).values(), {}),
    "must be better": (labels(300, right=(80, 78)).values(), {"require": "better"}),
}


def looked(*updates, **options):
    test = SequentialTest(**options)
    for update in updates:
        test.update(*update)
    return test


def within(test, columns, options, margin, alpha):
    return equivalence_test(test(*columns, **options), margin=margin, alpha=alpha)


CALLS = [
    Call(
        f"{function.__name__}, {what}",
        partial(function, pilot, *number, **options),
        new=partial(function, pilot, *number) if options is FEW else None,
    )
    for what, (pilot, options) in PILOTS.items()
    for function, number in ((power, (90,)), (examples_needed, ()))
]
CALLS += [
    Call(f"gate, {what}", partial(lambda x, y: gate(compare(*x), **y), [*columns], options))
    for what, (columns, options) in GATES.items()
]
CALLS += [
    Call(
        f"equivalence, {what}",
        partial(equivalence_test, *columns, **options, margin=margin, alpha=alpha),
        new=partial(within, test, columns, options, margin, alpha),
    )
    for what, (test, columns, options, (margin, alpha)) in WITHIN.items()
]
CALLS += [
    Call("looked at, decided", partial(looked, ([1] * 30, [0] * 30), ([0] * 5, [1] * 5))),
    Call("looked at, groups", partial(looked, (*scores(60, 9), GROUPS), alpha=0.1, scale=20)),
]
