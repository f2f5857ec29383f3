"""The reader of what ``trec_eval -q`` prints: a line for each measure and query."""

from __future__ import annotations

import math
import re
from typing import Any

from pairedperm.errors import Parts, Setting, counted, shown
from pairedperm.inputs.columns import Id
from pairedperm.readers.aggregates import finite_number, with_aggregates
from pairedperm.readers.collector import Collector, LogFormat
from pairedperm.readers.run import IS_NUMBER, Run
from pairedperm.readers.text_file import NoLog, Signs, TextFile

_TREC_EVAL_SIGNS = Signs(
    start=(  # the name of a measure is filled up to 22 characters
        r"(?=[^\t\n]{22})\S+ *\t\S+\t([-+.\d]\S*|-?nan|'\S*'|(?<=\tall\t)\S+)\s*(\n|$)"
    ),
    unread=[
        NoLog(
            r"\S+[ \t]+Q?0[ \t]+\S+[ \t]+-?\d+([ \t]+\S+[ \t]+\S+)?[ \t]*(\r?\n|$)",
            "is what trec_eval is given, rankings or judgements",
            "Run trec_eval with -q, and give what it prints.",
        )
    ],
)
_IS_ROW = re.compile(r"\s*(\S+)\s*\t(\S+)\t(\S*)\s*")
_ALL = "all"  # the query of an average
_SAYS_NOTHING = re.compile("Z?((prefs_)?num_|unj|rbp_resid|relstring).*")  # of quality
_OF_FOUR_DIGITS = 1.001e-4  # proof: the average and the mean of what it prints are each 0.5e-4 off


def _read_trec_eval(file: TextFile) -> list[Run]:
    """Return the run of a log: each measure is a metric, and the averages are checked.

    Raises
    ------
    InputError
        If the log cannot be read, has lines of another format, or only averages; if it has what
        several runs printed.
    """
    collected, averages = Collector(file, TREC_EVAL.name), {}
    for number, line in enumerate(file.lines(), 1):
        row = _IS_ROW.fullmatch(line)
        if row is None and line.isspace():
            continue
        if row is None:
            what = "has no measure, query and value"
            raise file.error(what, line=number, remedy="Give what trec_eval printed.")
        measure, query, value = row[1], row[2], _printed(row[3])
        if query == _ALL:
            averages[measure] = value
        else:
            collected.add(query, None, [(measure, value)])
    measures = [x for x in collected.metrics if not _SAYS_NOTHING.fullmatch(x)]
    if not collected.metrics:
        raise file.error("has only averages of all queries", remedy="Run trec_eval with -q.")
    run = collected.run(lower_is_better=dict.fromkeys(measures, False))
    if not _TREC_EVAL_SIGNS.fit(file):
        _check_order(file, {*collected.metrics, *averages}, {*run.ids, *[_ALL] * bool(averages)})
    if len({*run.ids}) < len(run.ids):
        what = f"has a measure of query {shown(run.ids[-1])} twice"
        raise file.error(what, remedy="Give what trec_eval printed of one run.")
    return [with_aggregates(run, {x: _average(run, x, averages.get(x)) for x in measures})]


def _check_order(file: TextFile, measures: set[str], queries: set[Id]) -> None:
    """Raise InputError if these names have changed places: there are mostly more queries."""
    are_queries = _ALL in measures or any(map(str.isdigit, measures))
    if len(measures) > len(queries) or are_queries:
        many = counted(len(measures), "name")
        what = f"has {many} in its first column and {len(queries):,} in its second, but trec_eval "
        how = Setting("id", "'query_id'"), " and ", Setting("score", "'value'")
        raise file.error(
            f"{what}writes measure, query and value",
            remedy=(
                "Is it of ir_measures, which writes the query first?",
                Parts("Ask it for one measure with `-q -o jsonl`, and give that with ", *how),
            ),
        )


def _average(run: Run, measure: str, printed: Any) -> Any:
    """Return a printed average, or the mean of the scores if it is that up to their digits."""
    scores = [x for x in run.scores.get(measure, ()) if x is not None]
    if not scores or finite_number(printed) is None:
        return printed
    mean = math.fsum(scores) / len(scores)
    return mean if abs(mean - printed) <= _OF_FOUR_DIGITS else printed


def _printed(text: str) -> Any:
    """Return a number, None for NaN, or a text."""
    if text.removeprefix("-") == "nan":
        return None
    return float(text) if IS_NUMBER.fullmatch(text) else text


TREC_EVAL = LogFormat("trec_eval", _TREC_EVAL_SIGNS, _read_trec_eval)
