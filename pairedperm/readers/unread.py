"""Files that lie beside logs, or stand for them: what each is, and what to give in its place."""

from __future__ import annotations

import re
from contextlib import suppress

from pairedperm.errors import InputError
from pairedperm.readers.lm_eval import has_averages
from pairedperm.readers.text_file import TextFile

_UNREAD: tuple[tuple[str, str, str], ...] = (  # the start of a file, what it is, and the remedy
    (
        r"version https://git-lfs\.github\.com/",
        "is a pointer of Git LFS, which stands for the file",
        "Fetch the file itself with `git lfs pull`.",
    ),
    (
        r'\[\s*\{\s*"instance_id"\s*:\s*"[^"]*"\s*,\s*"(perturbation|train_trial_index)"\s*:',
        "is a log of HELM, whose examples are not read from there",
        "Convert the run with Every Eval Ever, and give its …_samples.jsonl.",
    ),
    (
        r'\{\s*"schema_version"\s*:\s*"[^"]*"\s*,\s*"evaluation_id"\s*:\s*"[^"]*"\s*,'
        r'\s*"(evaluation|retrieved)_timestamp"\s*:',
        "has averages of Every Eval Ever, and no scores of examples",
        "Give the …_samples.jsonl beside it.",
    ),
    (
        r'\{\s*("results"\s*:\s*\{\s*)?"version"\s*:\s*[12]\s*,\s*"(results|prompts)"\s*:',
        "is of an old version of promptfoo, which wrote no indices of tests",
        "Evaluate again with a newer promptfoo.",
    ),
    (
        r'\{\s*"testRunLink"\s*:',
        "is a link to a test run of DeepEval, and has no scores",
        "Set DEEPEVAL_RESULTS_FOLDER, evaluate again, and give the file that is written there.",
    ),
    (
        r'\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"started_at"\s*:[^{]*"(n_total_trials|stats)"\s*:',
        "has averages of a run of Harbor, and no scores of examples",
        "Give its folder, in which each trial has a folder.",
    ),
    (
        r'\{\s*("id"\s*:\s*"[^"]*"\s*,\s*)?"trial_name"\s*:',
        "is one trial of Terminal-Bench",
        "Give the results.json of the whole run.",
    ),
    (
        r"\S+[ \t]+Q?0[ \t]+\S+[ \t]+-?\d+([ \t]+\S+[ \t]+\S+)?[ \t]*(\r?\n|$)",
        "is what trec_eval is given, rankings or judgements",
        "Run trec_eval with -q, and give what it prints.",
    ),
)


def check_is_log(file: TextFile) -> None:
    """Raise InputError if a file is known to hold no scores of examples.

    Raises
    ------
    InputError
        If it is such a file.
    """
    start = ""
    with suppress(InputError):  # one that others may not read is not known
        start = file.start
    for pattern, what, remedy in _UNREAD:
        if re.match(rf"\ufeff?\s*{pattern}", start):
            raise file.error(what, remedy=remedy)
    if has_averages(file):
        what = "has averages of lm-evaluation-harness, and no scores of examples"
        remedy = "Evaluate again with `--log_samples`, and give the samples_….jsonl beside it."
        raise file.error(what, remedy=remedy)
