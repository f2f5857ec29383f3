"""Logs that evaluation tools wrote, read in Python: what is matched, told and compared."""

import shutil
from functools import partial

from answers.answer import Call
from answers.package import readers
from corpora.logs import GATE, LOGS, SYSTEMS, log

LM_EVAL = [log(f"lm_eval/*{x}") for x in SYSTEMS]
OF_TUMORS = [log(f"inspect/{x}/*_tumors_*.eval") for x in SYSTEMS]
SAMPLED = [log(f"inspect/{x}/*_tumors-sampled_*.eval") for x in SYSTEMS[:2]]
AS_JSON = [log(f"inspect/{x}/*_tumors_*.json") for x in SYSTEMS[:2]]
CONVERTED = LOGS / "every_eval_ever" / "lm_eval" / "tumors"
RUNS = [GATE / x for x in ("baseline", "candidate", "worse")]
# by words: what reads them, and its options
PAIRS = {
    "lm-evaluation-harness": (LM_EVAL[:2], {"task": "tumors"}),
    "lm-evaluation-harness, no task named": (LM_EVAL[:2], {}),
    "lm-evaluation-harness, a tree": (LM_EVAL[::2], {"task": "tumors"}),
    "lm-evaluation-harness, half": (
        [LM_EVAL[0], log("lm_eval/qdpv68r5")],
        {"task": "tumors", "on_missing": "drop"},
    ),
    "lm-evaluation-harness, half, refused": (
        [LM_EVAL[0], log("lm_eval/qdpv68r5")],
        {"task": "tumors"},
    ),
    "a run of the gate": (RUNS[:2], {}),
    "inspect_ai": (OF_TUMORS[:2], {}),
    "inspect_ai, errors dropped": (OF_TUMORS[::2], {"on_missing": "drop"}),
    "inspect_ai, epochs": (SAMPLED, {}),
    "inspect_ai, JSON": (AS_JSON, {}),
    "inspect_ai, by id": (OF_TUMORS[:2], {"same_documents": "id"}),
    "Every Eval Ever": (
        [next(CONVERTED.glob(f"scikit-learn/{x}/*.jsonl")) for x in SYSTEMS[:2]],
        {},
    ),
    "SWE-bench": (sorted(LOGS.glob("swe_bench/*.json")), {}),
    "trec_eval by itself": (sorted(LOGS.glob("trec_eval/*.txt")), {}),
    "published, the same twice": ([log("published/lm_eval/samples_*.jsonl")] * 2, {}),
    "two tools": ([LM_EVAL[0], OF_TUMORS[0]], {}),
    "a log that is not there": ([LOGS / "none.jsonl", OF_TUMORS[0]], {}),
}
FOLDERS = {
    "lm-evaluation-harness": (["lm_eval"], {"task": "tumors", "on_missing": "drop"}),
    "inspect_ai": (OF_TUMORS, {"on_missing": "drop"}),
    "inspect_ai, epochs": (["inspect"], {"task": "tumors_sampled", "on_missing": "drop"}),
    "promptfoo": (["promptfoo/results.json"], {"on_missing": "drop"}),
    "Every Eval Ever": (["every_eval_ever/lm_eval"], {"task": "tumors"}),
    "runs of the gate": (RUNS, {}),
}
REFUSED = {
    "inspect_ai, two runs": (["inspect"], {"task": "tumors"}),
    "promptfoo, an error": (["promptfoo/results.json"], {}),
    "DeepEval, one system": (["deepeval"], {}),
    "Harbor, one system": (["harbor"], {}),
    "Every Eval Ever, no task named": (["every_eval_ever/lm_eval"], {}),
    "all tools": ([""], {}),
}
TWICE = {"DeepEval": "deepeval", "Harbor": "harbor", "published": "published/every_eval_ever"}


def told(runs):
    """What is public of runs."""
    return [runs.task, runs.ids, runs.metrics, runs.notes, str(runs.matching), [*runs.systems]]


def compared(runs):
    return {x: runs.compare(x).to_dict() for x in runs.metrics}


def printed(runs):
    return {x: str(runs.compare(x)) for x in runs.metrics}


def of_pair(paths, options, ask):
    return ask(readers.read_runs(*paths, **options))


def of_folder(names, options, ask):
    return ask(readers.read_folder(*(LOGS / x for x in names), **options))


def board(runs):
    return {x: runs.leaderboard(x).to_dict() for x in runs.metrics}


def examples(runs):
    """What a function of the package would be called with."""
    given = runs.examples(next(iter(runs.metrics)))
    return [given.systems, given.references, given.metric]


def twice(folder, name):
    """A log as those of two systems."""
    for system in "ab":
        shutil.copytree(LOGS / name, folder / system)
    return compared(readers.read_runs(folder / "a", folder / "b"))


ASKED = {"read": told, "compared": compared, "printed": printed}
CALLS = [
    Call(f"logs of {name}, {what}", partial(of_pair, paths, options, ask))
    for name, (paths, options) in PAIRS.items()
    for what, ask in ASKED.items()
]
CALLS += [
    Call(f"folder of {name}, {what}", partial(of_folder, names, options, ask))
    for name, (names, options) in FOLDERS.items()
    for what, ask in {"read": told, "board": board, "examples": examples}.items()
]
CALLS += [
    Call(f"folder refused, {name}", partial(of_folder, names, options, board))
    for name, (names, options) in REFUSED.items()
]
CALLS += [
    Call(f"log twice, {tool}", partial(twice, name=name), in_folder=True)
    for tool, name in TWICE.items()
]


def suite(task, paths):
    runs = readers.read_folder(*paths, task=task)
    return {x: runs.suite(x).to_dict() for x in runs.metrics}


CALLS += [
    Call("suite of logs, lm-evaluation-harness", partial(suite, "tumors", LM_EVAL[:2])),
    Call("suite of logs, inspect_ai", partial(suite, None, OF_TUMORS[:2])),
]
