"""What the logs of `tests/logs` say, and others; how runs and their comparisons are printed."""

from __future__ import annotations

from functools import partial

from corpora.logs import GATE, LOGS, SYSTEMS, every_eval_ever, inspect, lm_eval, log
from readers import (
    odd_folders,
    odd_harness_logs,
    odd_inspect,
    odd_logs,
    odd_results,
    odd_tables,
)
from readers.telling import cases_of, compared, told

FOLDERS = [next(LOGS.glob(f"lm_eval/*{x}")) for x in SYSTEMS]


def log_of(pattern: str) -> partial[str]:
    """What a log says beside itself."""
    return partial(told, log(pattern), log(pattern))


EVAL = {
    f"{task} by {tool}": partial(told, *(every_eval_ever(x, tool, task) for x in SYSTEMS[:2]))
    for tool, task in (("lm_eval", "tumors"), ("inspect", "tumors"), ("inspect", "tumors_sampled"))
}
FAILED = "decision_tree", "naive_bayes"
SAID = {
    "lm_eval": partial(told, *FOLDERS[:2]),
    "lm_eval, half": partial(told, *(lm_eval(x) for x in ("decision_tree", "qdpv68r5"))),
    "lm_eval, published": log_of("published/lm_eval/samples_*"),
    **{f"every_eval_ever, {x}": y for x, y in EVAL.items()},
    "every_eval_ever, a folder": partial(
        told, *(LOGS / "every_eval_ever/lm_eval/findings/scikit-learn" / x for x in SYSTEMS[:2])
    ),
    "every_eval_ever, errors": partial(told, *(every_eval_ever(x, "inspect") for x in FAILED)),
    "every_eval_ever, published": log_of("published/every_eval_ever/*_samples.jsonl"),
    "inspect, errors": partial(told, *map(inspect, FAILED)),
    "inspect, JSON": partial(told, *(inspect(x, ending="json") for x in SYSTEMS[:2])),
    "inspect, epochs": partial(told, *(inspect(x, "tumors-sampled") for x in SYSTEMS[:2])),
    "promptfoo": partial(told, LOGS / "promptfoo"),
    "deepeval": log_of("deepeval/*"),
    "harbor": log_of("harbor/*"),
    "trec_eval": partial(told, LOGS / "trec_eval"),
    "swe_bench": partial(told, LOGS / "swe_bench"),
    "comparisons": partial(compared, GATE / "baseline", GATE / "worse"),
    "comparisons without a task": partial(compared, *sorted(LOGS.glob("trec_eval/*"))),
    "comparisons of tasks": partial(compared, *FOLDERS[:2]),
    **cases_of(odd_logs, odd_harness_logs, odd_inspect, odd_results, odd_folders, odd_tables),
}
