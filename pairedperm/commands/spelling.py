"""Messages of the package, rewritten in the words of a shell."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pairedperm.scoring.metric import metric_options

_OTHERS = {  # arguments that have another name on the command line
    "rng": "seed",
    "path": "card",
    "groups": "group",
    "pilot": "the pilot",
}
_RAISE = r"Raise it(?: to \S+)?(?: \([^)]*\))?"  # a budget, which a command has not
_PYTHON = (  # what only Python has, and what stands in its place
    (r" \((?:int|float|str|bool|list|tuple|dict|NoneType)\)", ""),  # the type of what arrived
    (r",? or None(?=, got )", ""),
    (r", or an object such as pairedperm\.scoring\.F1\(average='macro'\)", ""),
    (r"pilot=\(0\.06, 0\.03\)", "--wins 0.06 --losses 0.03"),
    (r"`pilot` must be two shares", "`--wins` and `--losses` must be two shares"),
    (r"compare them with\s+paired_permutation_test.*?'scores'\)", "name their column, score=…"),
    (r"use paired_permutation_test, compare_dataset.*?'scores'\)", "name their column, score=…"),
    (r"(?: \(|, for instance )np\.round\(\w+, 4\)\)?", ""),
    (
        r"If this is an indicator matrix in lists.*? if x\]",
        "Of the rows of an indicator matrix, write the labels' numbers: [0, 2] for [1, 0, 1]",
    ),
    (
        r"Pass the labels: np\.argmax\(rows.*? if these are thresholded",
        "Write the label of each example instead",
    ),
    (
        r"flatten (?:them|all columns), np\.ravel.*? in one call",
        "write each number in a row with an id of its own, and name a column of groups, --group …",
    ),
    (r" \(for a module, in load\)", ""),
    (
        r"pass the labels, (?:np\.)?argmax\((?:rows, )?-1\)(?: of rows)?",
        "write the label of the largest one",
    ),
    (r"pass np\.array\(p\) > 0\.5", "write the numbers of the labels with p > 0.5"),
    (r"pass np\.argsort\(-scores, axis=1\)", "write the classes, the best first"),
    (r"publish\(result\)\[\"sha256\"\]", "as a model card states"),
    (r"`lower_is_better` (is for [^`]*) it is True", r"`--higher-is-better` \1 lower is better"),
    (r"(for \S+) it is False", r"\1 higher is better"),
    (r"(for \S+) it is True", r"\1 lower is better"),
    (r"; give another delimiter if that is wrong", ""),
    (r" \(`pairedperm\.plan` says why\)", ""),
    (r"; `max_\w+` of `budget` allows ([^ ,]+)\.(?= |$)", r", above the limit of \1."),
    (rf" {_RAISE}\.", ""),
    (rf"{_RAISE}, or (\w)", lambda found: found[1].upper()),
    (r" Or set `max_\w+` to \S+, if it fits\.", ""),
    (r"(above the limit of \S+\.) Or (\w)", lambda found: f"{found[1]} {found[2].upper()}"),
)
_MORE = r", `n_resamples` for more"  # samples


def as_flags(message: str, names: Iterable[str] = ()) -> str:
    """Return a message with the options of a command and of metrics as a shell has them."""
    flags = {name: f"--{name.replace('_', '-')}" for name in names}
    flags |= {name: f"-o {name}" for name in metric_options() if name not in flags}
    flags |= {x: f"--{y}" if y in flags else y for x, y in _OTHERS.items() if x not in flags}
    text = message if "n_resamples" in flags else re.sub(_MORE, "", message)
    for pattern, other in _PYTHON:
        text = re.sub(pattern, other, text)
    words = "|".join(map(re.escape, flags))

    def assigned(found: re.Match[str]) -> str:
        name, quoted, other = found.groups()
        if name == "lower_is_better":
            return "--higher-is-better" if other == "False" else "--lower-is-better"
        value = other if quoted is None else f"'{quoted}'" if " " in quoted else quoted
        return f"{flags[name]}{'=' if flags[name].startswith('-o') else ' '}{value}"

    text = re.sub(rf"(?<![\w/=.])({words})=(?:'([^']*)'|(\S+?))(?=[\s,.;:?)]|$)", assigned, text)
    return re.sub(rf"`({words})`", lambda found: _named(flags[found[1]]), text)


def _named(flag: str) -> str:
    return f"`{flag}`" if flag.startswith("-") else flag
