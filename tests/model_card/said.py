"""What a card says of results, and where its section stands."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from corpora.results import result
from corpora.small import COLUMNS, EXPECTED
from pairedperm import (
    __version__,
    compare,
    examples_needed,
    paired_bootstrap_test,
    paired_permutation_test,
)
from pairedperm.model_card import END, START, significance_section, with_comparisons

NASTY = "_a_ *x* `a|b` [c](d) ~e~ $f$ <b>&lt; two\nlines\u2028of\ttext " + END + " back\\slash"
NAMED = (
    *("exact", "greater", "less", "groups", "no difference", "sampled", "bracket", "macro F1"),
    *("a loss", "zeros and ones", "a constant", "no scores", "bootstrap", "bootstrap by samples"),
    *("equivalence", "equivalent", "noninferior"),
)
RESULT = compare(**COLUMNS)
INTERVAL = RESULT.to_dict() | {"interval_method": "studentised bootstrap"}
MARGIN = result("equivalence").to_dict()
WINS = compare([1] * 5, [0] * 5, [1] * 5, test="bootstrap")  # every resample is as the data
SAME = [1, 0], [1, 0], [1, 1]


def section(made: Callable[[], Any], **names: Any) -> str:
    """The section of a result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = significance_section(made(), **names)
    return text.replace(f"pairedperm {__version__}", "pairedperm VERSION")


def sentence(made: Callable[[], Any]) -> str:
    """What it says in a sentence."""
    return section(made).split("\n\n")[4]


def bootstrap(alternative: Any, ties: Any) -> Any:
    return compare(**COLUMNS, test="bootstrap", alternative=alternative, ties=ties)


def of_dict(found: dict[str, Any], **changed: Any) -> Callable[[], Any]:
    return lambda: found | changed


def of_wins(n: int) -> Callable[[], Any]:
    return lambda: compare([1] * n, [0] * n, [1] * n)


WORSE = {"stat_low": -0.05, "stat_high": None, "p": 0.01, "log_p": math.log(0.01), "stat": -0.01}
SECTIONS: dict[str, Callable[[], Any]] = {
    **{f"{n} wins": of_wins(n) for n in (11, 624, 2000)},
    "labels left out": lambda: compare([[1, 0, 1]], [[0, 0, 1]], [[1, -100, -100]]),
    **{
        f"bootstrap, {side}, {ties}": partial(bootstrap, side, ties)
        for side, ties in (("greater", "include"), ("less", "exclude"))
    },
    "bootstrap in groups": lambda: compare(**COLUMNS, groups=[1, 1, 2, 2, 3, 3], test="bootstrap"),
    "bootstrap by samples, without ties": lambda: (
        result("bootstrap by samples").to_dict() | {"ties": "exclude"}
    ),
    "p of 0": lambda: WINS,
    "p of 0, no difference": lambda: compare(*SAME, test="bootstrap", ties="exclude"),
    "a bootstrap's p that underflows": lambda: paired_bootstrap_test(
        [1] * 2000 + [0], [0] * 2000 + [1]
    ),
    "no interval": of_dict(EXPECTED, metric="a|b\nc_d", method="monte_carlo"),
    "a proven interval of p": of_dict(
        EXPECTED, method="bracket", p_low=0.2499, log_p_low=math.log(0.2499)
    ),
    "a kind of interval that is markup": of_dict(INTERVAL, interval_method=f"a\n\n# b\n\n{END}*c*"),
    **{
        f"a dict's interval from {low} to {high}": of_dict(INTERVAL, stat_low=low, stat_high=high)
        for low, high in ((0.0, 0.6), (None, -0.1), (None, None))
    },
    "worse by less than the margin": of_dict(MARGIN, **WORSE, score2=MARGIN["score1"] + 0.01),
}
SCORES: dict[str, tuple[list[float], list[float]]] = {
    "marks": ([7, 9, 4.5, 10, 8], [6, 9, 5, 7, 7]),
    "huge scores": ([10**12 + 1, 1], [10**12, 2]),
    "scores below 0": ([-0.3] * 4, [50] * 4),
    "scores near 0": ([-1e-9, 1e-9], [50, 50]),
    "tiny scores": ([3e-17] * 3, [0] * 3),
    "scores of 0": ([0, 0], [0, 0]),
}
RESAMPLED: dict[str, tuple[list[float], list[float]]] = {
    "halves": ([1.5, 2.0, 4.0], [1.0, 2.5, 1.0]),
    "0": ([1.0] * 3, [1.0] * 3),
}


def in_card(card: str) -> str:
    """The card with two comparisons, each put in twice."""
    for key, text in (("k", "One."), ("l", "Two.")) * 2:
        card = with_comparisons(card, {f'"{key}"': text})
    return card


CARDS = {  # where a section may stand, and what only looks like one
    "no card": "",
    "text": "# A\n\ntext",
    "a section": f"# A\n\n{START}\n\nOld.\n\n{END}\n\n# B\n",
    "a section that was moved": f"# A\n\n{START}\n{END}\n\n# B\n",
    "own words": (
        f'{START}\n\n# Tests\n\nOurs.\n\n<!-- paired_perm:comparison "l" -->\n\nOld.\n\n{END}\n'
    ),
    "in a list item": f"- a\n\n  {START}\n  old\n  {END}\n\n- b\n",
    "in a numbered item": f"1.  a\n\n    {START}\n    {END}\n",
    "in HTML": f"<div>\n{START}\n\nold\n\n{END}\n</div>\n",
    "one marker in code": f"```\n{START}\n```\n",
    "an end": f"{END}\n",
    "an end before a start": f"{END}\n{START}\n",
    "markers in a quote": f"> {START}\n> {END}\n",
    "markers in one line": f"{START}{END}\n",
    "comparisons in quotes": f'{START}\n\n> <!-- paired_perm:comparison "k" -->\n\n{END}\n',
}
SAID = {
    **{name: partial(section, partial(result, name), name2="small") for name in NAMED},
    **{name: partial(section, made) for name, made in SECTIONS.items()},
    "names": partial(section, lambda: RESULT, name1="large", name2="small", dataset="dev"),
    "names that are markup": partial(
        section, lambda: RESULT, name1=NASTY, name2=f"the {NASTY}", dataset=NASTY
    ),
    "a plan": partial(section, lambda: RESULT, planned=examples_needed((0.06, 0.03))),
    "splits": partial(section, lambda: {"dev": RESULT, "p": EXPECTED}, name2="small"),
    "splits of a dataset": partial(section, lambda: {"test": RESULT}, dataset="IMDb"),
    **{name: partial(sentence, partial(paired_permutation_test, *x)) for name, x in SCORES.items()},
    **{
        f"bootstrap interval of {name}": partial(sentence, partial(paired_bootstrap_test, *x))
        for name, x in RESAMPLED.items()
    },
    **{f"card: {name}": partial(in_card, card) for name, card in CARDS.items()},
}
