"""The grammar of calls with groups, of many systems, and of suites of tasks."""

from __future__ import annotations

from random import Random

from campaigns.inputs.fuzz_call import Call, build
from campaigns.inputs.fuzz_metrics import drawn
from campaigns.inputs.fuzz_tests import SIZES, numbers, option_slots
from campaigns.inputs.hostile import Slot, anything, column, entry, listed, option, plain

_METRICS = ("'accuracy'", "'accuracy'", "F1(average='micro')", "'exact_match'", "'cohen_kappa'")
_CORRECTIONS = ("'holm'", "'bonferroni'", "'bh'", "'by'", "None", "'discrete'")
_WRONG_NAMES = ("{'a': [1]}", "{}", "[('a', [1]), ('a', [2])]", "{1: [1], 'b': [2]}", "{'': [1]}")


def groups_slot(rng: Random, n: int) -> Slot:
    """Ids of some groups."""
    ids = drawn(rng, n, rng.choice((["1", "2", "3"], ["'a'", "'b'", "'c'", "'d'"])))
    return column("groups", ids)


def _of_names(names: list[str], columns: list[list[str]]) -> Slot:
    """A dict of columns, of which one may be hostile, or have a hostile name."""

    def source(listings: list[str]) -> str:
        return f"{{{', '.join(f'{x}: {y}' for x, y in zip(names, listings, strict=True))}}}"

    good = [listed(entries) for entries in columns]

    def hostile(rng: Random) -> str:
        if rng.random() < 0.3:
            return rng.choice((anything(rng), rng.choice(_WRONG_NAMES)))
        k = rng.randrange(len(columns))
        spoiled = [*good]
        spoiled[k] = entry(rng, columns[k]) if rng.random() < 0.7 else anything(rng)
        return source(spoiled)

    return Slot("systems", source(good), hostile)


def _shared(rng: Random) -> list[Slot]:
    """Options of a family of tests."""
    slots = option_slots(rng)
    if rng.random() < 0.5:
        slots.append(option("correction", rng.choice(_CORRECTIONS), also=("'fdr'", "0.05", "1")))
    if rng.random() < 0.2:
        slots.append(option("alpha", rng.choice(("0.1", "0.01")), also=("0", "1", "nan", "'0.1'")))
    return slots


def many(rng: Random) -> Call:
    n, k = rng.choice(SIZES[2:]), rng.choice((2, 3, 4))
    names = ["'a'", "'b'", "'c'", "'d'"][:k]
    slots: list[Slot] = []
    if rng.random() < 0.6:
        labels = ["0", "1", "2"]
        slots.append(_of_names(names, [drawn(rng, n, labels) for _ in names]))
        slots.append(column("references", drawn(rng, n, labels)))
        if rng.random() < 0.6:
            slots.append(option("metric", rng.choice(_METRICS), also=("'f_1'", "3", "'bleu'")))
    else:
        kind = rng.choice(("small", "decimal", "real", None))
        slots.append(_of_names(names, [numbers(rng, n, kind) for _ in names]))
    if rng.random() < 0.3:
        slots.append(option("baseline", rng.choice(names), also=("'e'", "1", "''")))
    if rng.random() < 0.4:
        slots.append(groups_slot(rng, n))
    return build(rng, "compare_many", slots + _shared(rng))


def suite(rng: Random) -> Call:
    names = ["'a'", "'b'", "'c'"][: rng.choice((1, 2, 3))]
    tasks, groups = [], []
    for name in names:
        n = rng.choice(SIZES[:4])
        columns = ", ".join(listed(drawn(rng, n, ["0", "1"])) for _ in range(3))
        tasks.append(f"{name}: ({columns})")
        groups.append(f"{name}: {listed(drawn(rng, n, ['1', '2', '3', '4']))}")
    wrong: tuple[str, ...] = (
        f"{{{tasks[0]}, 'x': ([], [], [])}}",
        "{'a': ([1], [0])}",
        "{'a': 3}",
        *_WRONG_NAMES,
    )
    slots = [option("tasks", f"{{{', '.join(tasks)}}}", also=wrong)]
    if rng.random() < 0.4:
        slots.append(option("metric", rng.choice(_METRICS), also=("{'a': 'f1'}", "{}", "'bleu'")))
    if rng.random() < 0.5:
        given = f"{{{', '.join(f'{name}: {rng.randrange(1, 9) / 4}' for name in names)}}}"
        also = ("{'a': -1}", "{'a': nan}", "'even'", "{}", "{'a': 0}", "{'a': 10**5000}")
        weights = option("weights", rng.choice(("'equal'", "'size'", given)), also=also)
        slots.append(weights)
    if rng.random() < 0.4:
        some = groups[:1] if rng.random() < 0.3 else groups
        odd = ("{'a': [None]}", "{'x': [1]}", "[1, 2]", "{'a': 3}")
        slots.append(option("groups", f"{{{', '.join(some)}}}", also=odd))
    if rng.random() < 0.1:
        slots.append(plain("ignore_label", "None"))
    return build(rng, "compare_suite", slots + _shared(rng))


GRAMMARS = {many: 8, suite: 6}
