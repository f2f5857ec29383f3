"""Run inspect_ai on the tumours, with models that say what the systems do."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

from tumors import LABELS, ORGANIZATION, SEED, System

SAMPLED, BRIEF = 6, 2  # documents; brief are the logs as JSON
FAILING = (3, 11)  # of the hard documents: there the decision tree's model fails
REMOVED = "(removed)"


def likelier(system: System, failing: Sequence[str], text: str) -> str:
    """What a system says at temperature 0; its model fails on some texts."""
    if text in failing:
        raise ConnectionError("The server closed the connection.")
    return system.answer(text)[0]


def sampled(system: System, calls: Counter[str], text: str) -> str:
    """Two samples of the answer, with how sure the system is; `unsure` if they differ."""
    import numpy as np

    generator = np.random.default_rng([SEED, crc32(text.encode()), calls[text]])
    calls[text] += 1
    probabilities = system.probabilities(text)
    one, other = generator.choice(LABELS, size=2, p=list(probabilities.values()))
    return f"{one}, {probabilities[one]:.0%} sure" if one == other else "unsure"


def stated_probability() -> Any:
    """A scorer of inspect_ai: the probability that an output gives to the right answer."""
    from inspect_ai.scorer import Score, mean, scorer, stderr

    def stated() -> Any:
        async def score(state: Any, target: Any) -> Any:
            found = re.fullmatch(r"(\w+), (\d+)% sure", state.output.completion)
            if not found:
                return Score.unscored(reason="no_answer", answer=state.output.completion)
            probability = int(found[2]) / 100
            is_right = found[1] == target.text
            return Score(value=probability if is_right else 1 - probability, answer=found[1])

        return score

    return scorer(metrics=[mean(), stderr()], name="stated")(stated)()


def run_inspect(
    output: Path,
    name: str,
    documents: Sequence[dict[str, Any]],
    system: System,
    says: Callable[[str], str],
    **options: Any,
) -> None:
    """Run a task of inspect_ai whose model says what a system does, and write its log.

    Parameters
    ----------
    output
        The folder of the log.
    name
        Of the task: `tumors`, or `tumors_sampled` with its two scorers and two epochs.
    documents
        With `id`, `text` and `label`.
    system
        Whose name the model has.
    says
        The system's answer to a text.
    **options
        Of `inspect_ai.eval`.
    """
    from inspect_ai import Task
    from inspect_ai import eval as run
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import includes, match
    from inspect_ai.solver import generate

    model = f"{ORGANIZATION}/{system.name}"

    def answer(messages: Sequence[Any], *_: Any) -> Any:
        text = messages[-1].text
        output = ModelOutput.from_content(model=model, content=says(text))
        words = len(text.split()), len(output.completion.split())
        output.usage = ModelUsage(
            input_tokens=words[0], output_tokens=words[1], total_tokens=sum(words)
        )
        return output

    is_sampled = name == "tumors_sampled"
    samples = [Sample(id=x["id"], input=x["text"], target=LABELS[x["label"]]) for x in documents]
    task = Task(
        name=name,
        dataset=MemoryDataset(samples, name="tumors"),
        solver=generate(),
        scorer=[includes(), stated_probability()] if is_sampled else match(),
        epochs=2 if is_sampled else 1,
    )
    [log] = run(
        task,
        model=get_model(f"mockllm/{model}", custom_outputs=answer, memoize=False),
        display="none",
        fail_on_error=False,
        max_samples=1,
        log_dir=str(output),
        log_model_api=False,
        **options,
    )
    if log.status != "success":
        raise RuntimeError(f"{name} of {system.name}: {log.error}")
    without_tracebacks(log.location)


def without_tracebacks(location: str) -> None:
    """Write a log again if it has tracebacks, without them: they name the folders of a machine."""
    from inspect_ai.log import EvalLog, read_eval_log, write_eval_log

    text = read_eval_log(location).model_dump_json()
    log = json.loads(text, object_hook=hidden)
    if json.dumps(log) != json.dumps(json.loads(text)):  # NaN equals nothing
        write_eval_log(EvalLog.model_validate(log), location)


def hidden(part: dict[str, Any]) -> dict[str, Any]:
    """An object of a log without its traceback."""
    keys = ("traceback", "traceback_ansi") if part.get("traceback") else ()
    return part | {key: REMOVED for key in keys if key in part}


def write_inspect(
    output: Path, systems: Sequence[System], documents: Sequence[dict[str, Any]]
) -> None:
    """The fixtures of inspect_ai, on documents with ids."""
    failing = [documents[number]["text"] for number in FAILING]
    for system in systems:
        folder, is_tree = output / system.name, system.name == "decision_tree"
        says = partial(likelier, system, failing if is_tree else [])
        run_inspect(folder, "tumors", documents, system, says)
        if not is_tree:
            samples = partial(sampled, system, Counter())
            run_inspect(folder, "tumors", documents, system, says, limit=BRIEF, log_format="json")
            run_inspect(folder, "tumors_sampled", documents, system, samples, limit=SAMPLED)
