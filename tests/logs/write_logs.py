"""Write real evaluation logs, with the tools that write such logs, as fixtures and as an example.

    python3.11 -m venv tools
    tools/bin/python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
    tools/bin/python -m pip install lm-eval==0.4.13 inspect_ai==0.3.285 scikit-learn==1.9.1
    python3.12 -m venv converter
    converter/bin/python -m pip install "every_eval_ever[inspect]==0.3.0"
    tools/bin/python tests/logs/write_logs.py --converter converter/bin/python

Two environments are needed: the converter wants an older huggingface-hub than lm-eval's datasets.
Without `--converter` the folder `every_eval_ever` stays as it is. No network is needed.

Systems: three classifiers of scikit-learn learn from 329 of its breast tumours. They read four
measurements from a text and say "malignant" or "benign". The other 240 tumours are the documents.
Hard documents are the 16 of which logistic regression is least sure.

`lm_eval/`: each system on the hard documents of `tumors` (multiple choice, three metrics). Two
systems on the first 8 of them in `findings` (generated text, two filters). lm-eval's own `dummy`
model answers every second hard document.

`inspect/`: in `tumors` each system says what is likelier, for the hard documents. The model of the
decision tree fails on two of them, for a log with errors. Logs as JSON have two documents. In
`tumors_sampled` two systems sample an answer, twice for each of six documents. Two scorers score
it, one of which leaves some answers unscored.

`every_eval_ever/`: what the converters of Every Eval Ever make of these logs. Of the decision tree
they convert the log of inspect_ai only, and none of `dummy`.

`examples/ci_gate/`: lm-eval's output for each system on all documents, with two metrics.

All is seeded: a second run gives the same scores. Dates, durations, uuids, and file names made of
them are of the run. Each folder is emptied before it is written. `README.md` says what was changed
in the output of the tools.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_tumors import REMOVED, write_inspect
from tumors import ORGANIZATION, TESTED, System, hardest, systems_and_documents

HERE = Path(__file__).resolve().parent
GATE = HERE.parents[1] / "examples" / "ci_gate"

LEAST_PROBABILITY = 1e-6  # a tree is sure, but a log has no logarithm of 0
GATED = {
    "baseline": "logistic_regression",
    "candidate": "naive_bayes",
    "worse": "decision_tree",
}

DATA = "tumors.jsonl"
STATED = 8  # documents of `findings`
OF_ALL = """
dataset_path: json
dataset_kwargs: {data_files: {test: tumors.jsonl}}
test_split: test
"""
CHOICE_TASK = f"""{OF_ALL}
task: tumors
output_type: multiple_choice
doc_to_text: "{{{{text}}}}\\nDiagnosis:"
doc_to_choice: ["malignant", "benign"]
doc_to_target: label
metric_list:
  - metric: acc
  - metric: acc_norm
"""
BRIER_SCORE = "  - metric: brier_score\n"  # a line of the log has a pair for it
TEXT_TASK = f"""{OF_ALL}
task: findings
output_type: generate_until
doc_to_text: "{{{{text}}}}\\nFinding:"
doc_to_target: "{{{{['malignant', 'benign'][label]}}}}"
generation_kwargs: {{until: ["\\n"]}}
metric_list: [{{metric: exact_match}}]
filter_list:
"""
for name, start in (("strict-match", "Diagnosis: "), ("flexible-extract", "")):
    pattern = f"{{function: regex, regex_pattern: '{start}(malignant|benign)'}}"
    TEXT_TASK += f"  - {{name: {name}, filter: [{pattern}, {{function: take_first}}]}}\n"


def emptied(folder: Path) -> Path:
    """The folder, with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def register_systems(systems: Sequence[System]) -> None:
    """Make lm-eval know the model `classifier`, whose argument is a system's name."""
    from lm_eval.api.model import LM
    from lm_eval.api.registry import register_model
    from lm_eval.models import dummy  # noqa: F401 -- lm-eval finds its own only before others

    by_name = {f"{ORGANIZATION}/{x.name}": x for x in systems}

    class Classifier(LM):  # type: ignore[misc]
        """A system behind lm-eval's interface."""

        def __init__(self, pretrained: str, **_: Any) -> None:
            super().__init__()
            self.system = by_name[pretrained]

        def loglikelihood(self, requests: Sequence[Any], **_: Any) -> list[tuple[float, bool]]:
            """Of each request's choice, and whether it is the likelier one."""
            found = []
            for text, choice in (x.args for x in requests):
                probability = self.system.probabilities(text)[choice.strip()]
                is_likelier = self.system.answer(text)[0] == choice.strip()
                found.append((math.log(max(probability, LEAST_PROBABILITY)), is_likelier))
            return found

        def generate_until(self, requests: Sequence[Any], **_: Any) -> list[str]:
            """The statement on each request's text."""
            return [self.system.statement(x.args[0]) for x in requests]

        def loglikelihood_rolling(self, requests: Sequence[Any], **_: Any) -> list[float]:
            """Not of a classifier."""
            raise NotImplementedError

    register_model("classifier")(Classifier)


def run_lm_eval(
    output: Path,
    tasks: Mapping[str, str],
    documents: Mapping[str, Sequence[int]],
    *,
    system: System | None = None,
) -> None:
    """Run tasks, and write as the command `lm-eval run --log_samples` does.

    Parameters
    ----------
    output
        The folder in which lm-eval makes one for the model.
    tasks
        The YAML text of each task.
    documents
        The numbers of the documents to answer, for each task.
    system
        Without one, lm-eval's own `dummy` model answers.
    """
    from lm_eval import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    folder = emptied(Path("tasks"))
    for name, text in tasks.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    tracker = EvaluationTracker(output_path=str(output))
    results = simple_evaluate(
        model="classifier" if system else "dummy",
        model_args=f"pretrained={ORGANIZATION}/{system.name}" if system else "",
        tasks=list(tasks),
        samples={name: list(numbers) for name, numbers in documents.items()},
        evaluation_tracker=tracker,
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
    )
    results["pretty_env_info"] = REMOVED  # it describes the machine
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for name in tasks:
        tracker.save_results_samples(task_name=name, samples=samples[name])


def convertible(log: Path) -> Path:
    """A copy of a log of inspect_ai without what the converter refuses: mockllm, and NaN."""
    from inspect_ai.log import read_eval_log, write_eval_log

    copy = read_eval_log(str(log))
    copy.eval.model = copy.eval.model.replace("mockllm/", "hf/")
    for sample in copy.samples:
        sample.scores = {name: x for name, x in sample.scores.items() if is_scored(x)}
    for reduction in copy.reductions:
        reduction.samples = [x for x in reduction.samples if is_scored(x)]
    write_eval_log(copy, log.name)
    return Path(log.name)


def is_scored(score: Any) -> bool:
    """Whether a score of inspect_ai has a value: NaN stands for none."""
    return not (isinstance(score.value, float) and math.isnan(score.value))


def convert(converter: Path, tool: str, log: Path, output: Path, version: str) -> None:
    """Have Every Eval Ever convert a log, with the Python that has it."""
    options = ["--log_path", log, "--output_dir", output / tool, "--eval_library_version", version]
    options += ["--source_organization_name", ORGANIZATION]
    options += ["--include_samples"] if tool == "lm_eval" else []
    command = [converter, "-m", "every_eval_ever", "convert", tool, *options]
    subprocess.run([str(x) for x in command], check=True)


def write_lm_eval(systems: Sequence[System], hard: Sequence[int]) -> None:
    """The fixtures of lm-eval, and the example's folders."""
    register_systems(systems)
    tasks = {"tumors": CHOICE_TASK + BRIER_SCORE, "findings": TEXT_TASK}
    numbers = {"tumors": hard, "findings": hard[:STATED]}
    output = emptied(HERE / "lm_eval")
    for system in systems:
        asked = ["tumors"] if system.name == "decision_tree" else list(tasks)
        picked = {name: tasks[name] for name in asked}
        run_lm_eval(output, picked, {name: numbers[name] for name in asked}, system=system)
    run_lm_eval(output, {"tumors": tasks["tumors"]}, {"tumors": hard[::2]})
    for name, system_name in GATED.items():
        [system] = [x for x in systems if x.name == system_name]
        scratch = emptied(Path("gate"))
        run_lm_eval(scratch, {"tumors": CHOICE_TASK}, {"tumors": range(TESTED)}, system=system)
        [folder] = scratch.iterdir()
        shutil.copytree(folder, emptied(GATE / name), dirs_exist_ok=True)


def write_every_eval_ever(systems: Sequence[System], converter: Path) -> None:
    """The fixtures of Every Eval Ever."""
    from importlib.metadata import version

    output = emptied(HERE / "every_eval_ever")
    for system in systems:
        if system.name != "decision_tree":
            log = HERE / "lm_eval" / f"{ORGANIZATION}__{system.name}"
            convert(converter, "lm_eval", log, output, version("lm_eval"))
        for log in sorted((HERE / "inspect" / system.name).glob("*.eval")):
            convert(converter, "inspect", convertible(log), output, version("inspect_ai"))


def main() -> None:
    """Write the logs."""
    parser = argparse.ArgumentParser(description="Write the evaluation logs of the tests.")
    parser.add_argument("--converter", type=Path, help="a Python that has every_eval_ever")
    converter = parser.parse_args().converter
    converter = converter and converter.absolute()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # what is written has relative paths, and no Git commit
        os.environ |= {"HF_HOME": scratch, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
        systems, documents = systems_and_documents()
        lines = [json.dumps(x) + "\n" for x in documents]
        Path(DATA).write_text("".join(lines), encoding="utf-8")
        hard = hardest(documents, systems[0])
        write_lm_eval(systems, hard)
        write_inspect(
            emptied(HERE / "inspect"),
            systems,
            [{"id": number, **documents[number]} for number in hard],
        )
        if converter:
            write_every_eval_ever(systems, converter)
        os.chdir(HERE)  # no folder that one is in can be removed everywhere


if __name__ == "__main__":
    main()
