"""The grammar of power, equivalence and sequential tests, and what holds of their answers."""

from __future__ import annotations

import json
import math
from random import Random
from typing import Any

from campaigns.inputs.fuzz_call import Call, build
from campaigns.inputs.fuzz_many import groups_slot
from campaigns.inputs.fuzz_metrics import drawn
from campaigns.inputs.fuzz_tests import SIZES, numbers, option_slots
from campaigns.inputs.hostile import Slot, anything, column, listed, one_of, option
from pairedperm import EquivalenceResult, PowerResult, SequentialTest

_SHARES = ("(0.06, 0.03)", "(0.3, 0.1)", "[0.2, 0]", "(0, 0.5)", "(1.0, 0)", "(0.25, 0.5)")
_WRONG = ("(0.6, 0.6)", "(0, 0)", "(nan, 0.1)", "(-0.1, 0.2)", "(0.1,)", "0.1", "(1e-300, 0)")
_WRONG_NUMBERS = ("0", "-1", "1.5", "'9'", "None", "nan", "2**70", "[3]", "True")
_METRICS = ("'accuracy'", "F1(average='micro')", "'cohen_kappa'")


def looked(alpha: Any, scale: Any, *updates: tuple) -> SequentialTest:
    """A sequential test after these updates; a refused one changes nothing."""
    test, refusal = SequentialTest(alpha, scale), None
    for update in updates:
        before = repr(test)
        try:
            test.update(*update)
        except ValueError as error:
            refusal = error
            assert repr(test) == before
    if refusal is not None:
        raise refusal
    return test


DECIDED = PowerResult, EquivalenceResult, SequentialTest


def broken(answer: Any) -> str:
    """What does not hold of the answer; "" if it does."""
    text = str(answer)
    if "nan" in text.replace("inan", "") or "None" in text:
        return "nan or None is printed"
    if isinstance(answer, SequentialTest):
        is_decided = answer.decision is not None
        holds = 0.0 <= answer.pvalue <= 1.0 and answer.evidence >= 0.0
        holds &= is_decided == (answer.pvalue <= answer.alpha * (1.0 + 1e-9)) or not is_decided
        return "" if holds and is_decided == (answer.n_decided is not None) else "no such decision"
    found = answer.to_dict()
    json.dumps(found, allow_nan=False).encode()
    if isinstance(answer, EquivalenceResult):
        holds = not (answer.better and answer.worse) and answer.low <= answer.high
        holds &= answer.noninferior or not answer.equivalent
        return "" if holds else "statements contradict each other"
    powers = [x for x in (answer.power, answer.wrong_sign) if x is not None]
    if not all(0.0 <= x <= 1.0 and math.isfinite(x) for x in powers):
        return "no such power"
    if answer.target and answer.method == "exact" and answer.power is not None:
        is_enough = answer.power >= answer.target - 1e-9
        if (answer.difference is not None) != is_enough:
            return "the power is another than what was asked for"
    return ""


def _number(rng: Random, name: str, good: str) -> Slot:
    """Hostile ones are never so many that they take for ever."""
    return Slot(name, good, lambda rng: rng.choice(_WRONG_NUMBERS))


def planned(rng: Random) -> Call:
    function = rng.choice(("power", "examples_needed", "minimum_detectable_difference"))
    n = rng.choice(SIZES[2:])
    pilots = [*_SHARES, *_SHARES]
    one, two = (listed(drawn(rng, n, ["0", "1"])) for _ in range(2))
    references = listed(drawn(rng, n, ["0", "1"]))
    pilots += [f"compare({one}, {two}, {references}, {rng.choice(_METRICS)})"]
    one, two = (listed(numbers(rng, n)) for _ in range(2))
    pilots += [f"paired_permutation_test({one}, {two}, rng=0)"]
    slots = [one_of("", rng.choice(pilots), (*_WRONG, "compare([1], [0], [1])"))]
    if function != "examples_needed":
        slots.append(_number(rng, "n_examples", rng.choice(("1", "9", "30", "200"))))
    if function != "power" and rng.random() < 0.3:
        wrong = ("0", "1", "0.01", "nan", "80", "'0.8'")
        slots.append(option("power", rng.choice(("0.5", "0.9")), also=wrong))
    if rng.random() < 0.3:
        slots.append(option("alpha", rng.choice(("0.1", "0.01")), also=("0", "1", "nan", "'0.1'")))
    slots += [_number(rng, "n_simulations", "5"), option("rng", "0", also=("-1", "'a'", "1.5"))]
    return build(rng, function, slots)


def equivalence(rng: Random) -> Call:
    n = rng.choice((*SIZES, 30))
    if rng.random() < 0.6:
        columns = [drawn(rng, n, ["0", "1"]) for _ in range(3)]
        slots = [column("", x) for x in columns]
        slots.append(option("metric", rng.choice(_METRICS), also=("'f_1'", "3", "'bleu'")))
    else:
        slots = [column("", numbers(rng, n)) for _ in range(2)]
    wrong = ("0", "-1", "nan", "inf", "1", "2", "'1%'", "None", "[0.1]")
    slots.append(option("margin", rng.choice(("0.1", "0.02", "0.5", "1e-9")), also=wrong))
    if rng.random() < 0.3:
        slots.append(option("alpha", rng.choice(("0.1", "0.01")), also=("0", "0.5", "nan", "1")))
    if rng.random() < 0.3:
        slots.append(groups_slot(rng, n))
    return build(rng, "equivalence_test", slots + option_slots(rng)[:3])


def sequential(rng: Random) -> Call:
    slots = [
        option("", rng.choice(("0.05", "0.5")), also=("0", "1", "nan", "None")),
        option("", rng.choice(("1", "0.1", "20.0")), also=("0", "-1", "inf", "5e-324", "1e308")),
    ]
    for k in range(rng.choice((1, 2, 3))):
        n = rng.choice(SIZES)
        scores = [listed(numbers(rng, n)) for _ in range(2)]
        if rng.random() < 0.4:
            scores.append(listed([f"'{k}{rng.randrange(3)}'" for _ in range(n)]))
        wrong = [f"({x}, {y})" for x, y in zip(scores, (anything(rng), "1"), strict=False)]
        slots.append(one_of("", f"({', '.join(scores)})", (*wrong, "(1, 0)", "(nan, 1)", "(1, 1)")))
    return build(rng, "looked", slots)


GRAMMARS = {planned: 4, equivalence: 5, sequential: 3}
