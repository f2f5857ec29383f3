"""Logs that evaluation tools wrote, read in Python: what is matched, told and compared."""

from functools import partial

from answers.answer import Call
from answers.package import readers
from corpora.logs import GATE, LOGS, SYSTEMS, log

LM_EVAL = [log(f"lm_eval/*{x}") for x in SYSTEMS]
OF_TUMORS = [log(f"inspect/{x}/*_tumors_*.eval") for x in SYSTEMS]
SAMPLED = [log(f"inspect/{x}/*_tumors-sampled_*.eval") for x in SYSTEMS[:2]]
CONVERTED = LOGS / "every_eval_ever" / "lm_eval" / "tumors"
RUNS = [GATE / x for x in ("baseline", "candidate", "worse")]
# by words: what reads them, and its options
PAIRS = {
    "lm-evaluation-harness": (LM_EVAL[:2], {"task": "tumors"}),
    "lm-evaluation-harness, half": (
        [LM_EVAL[0], log("lm_eval/qdpv68r5")],
        {"task": "tumors", "on_missing": "drop"},
    ),
    "inspect_ai": (OF_TUMORS[:2], {}),
    "inspect_ai, errors dropped": (OF_TUMORS[::2], {"on_missing": "drop"}),
    "inspect_ai, epochs": (SAMPLED, {}),
    "Every Eval Ever": (
        [next(CONVERTED.glob(f"scikit-learn/{x}/*.jsonl")) for x in SYSTEMS[:2]],
        {},
    ),
    "SWE-bench": (sorted(LOGS.glob("swe_bench/*.json")), {}),
}
FOLDERS = {
    "lm-evaluation-harness": (["lm_eval"], {"task": "tumors", "on_missing": "drop"}),
    "inspect_ai": (OF_TUMORS, {"on_missing": "drop"}),
    "promptfoo": (["promptfoo/results.json"], {"on_missing": "drop"}),
    "Every Eval Ever": (["every_eval_ever/lm_eval"], {"task": "tumors"}),
}


def told(runs):
    """What is public of runs."""
    return [runs.task, runs.ids, runs.metrics, runs.notes, str(runs.matching), [*runs.systems]]


def compared(runs):
    return {x: runs.compare(x).to_dict() for x in runs.metrics}


def of_pair(paths, options, ask):
    return ask(readers.read_runs(*paths, **options))


def of_folder(names, options, ask):
    return ask(readers.read_folder(*(LOGS / x for x in names), **options))


CALLS = [
    Call(f"logs of {name}, compared", partial(of_pair, paths, options, compared))
    for name, (paths, options) in PAIRS.items()
]
CALLS += [
    Call(f"folder of {name}, read", partial(of_folder, names, options, told))
    for name, (names, options) in FOLDERS.items()
]
