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
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

HERE = Path(__file__).resolve().parent
GATE = HERE.parents[1] / "examples" / "ci_gate"

SEED = 0
LABELS = ("malignant", "benign")  # as scikit-learn numbers them
FEATURES = ("mean radius", "mean texture", "mean smoothness", "mean symmetry")
TESTED = 240
LEAST_PROBABILITY = 1e-6  # a tree is sure, but a log has no logarithm of 0
ORGANIZATION = "scikit-learn"
GATED = {
    "baseline": "logistic_regression",
    "candidate": "naive_bayes",
    "worse": "decision_tree",
}

DATA = "tumors.jsonl"
CHOICE_TASK = """
task: tumors
dataset_path: json
dataset_kwargs:
  data_files:
    test: tumors.jsonl
test_split: test
output_type: multiple_choice
doc_to_text: "{{text}}\\nDiagnosis:"
doc_to_choice: ["malignant", "benign"]
doc_to_target: label
metric_list:
  - metric: acc
  - metric: acc_norm
"""
BRIER_SCORE = "  - metric: brier_score\n"  # a line of the log has a pair for it
TEXT_TASK = """
task: findings
dataset_path: json
dataset_kwargs:
  data_files:
    test: tumors.jsonl
test_split: test
output_type: generate_until
doc_to_text: "{{text}}\\nFinding:"
doc_to_target: "{{['malignant', 'benign'][label]}}"
generation_kwargs:
  until: ["\\n"]
metric_list:
  - metric: exact_match
filter_list:
  - name: strict-match
    filter:
      - function: regex
        regex_pattern: "Diagnosis: (malignant|benign)"
      - function: take_first
  - name: flexible-extract
    filter:
      - function: regex
        regex_pattern: "(malignant|benign)"
      - function: take_first
"""
HARD, STATED, SAMPLED, BRIEF = 16, 8, 6, 2  # documents; brief are inspect_ai's logs as JSON
SURE = 0.55  # from there on a system states its diagnosis in the form that strict-match finds

FAILING = (3, 11)  # of the hard documents: there the decision tree's model fails
REMOVED = "(removed)"


@dataclass(frozen=True)
class System:
    """A classifier that reads a tumour's measurements from a text."""

    name: str
    classifier: Any

    def probabilities(self, text: str) -> dict[str, float]:
        """Of each label."""
        numbers = [float(x) for x in re.findall(r"\d+\.?\d*", text)]
        row = self.classifier.predict_proba([numbers])[0]
        return dict(zip(LABELS, map(float, row), strict=True))

    def answer(self, text: str) -> tuple[str, float]:
        """The likelier label, with its probability."""
        probabilities = self.probabilities(text)
        return max(probabilities.items(), key=lambda item: item[1])

    def statement(self, text: str) -> str:
        """The answer in words, which tell how sure the system is."""
        label, probability = self.answer(text)
        if probability >= SURE:
            return f" Diagnosis: {label}."
        return f" More likely {label} than not."


def systems_and_documents() -> tuple[list[System], list[dict[str, Any]]]:
    """The fitted systems, and each document's text and number of its label."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    tumours = load_breast_cancer()
    columns = [list(tumours.feature_names).index(name) for name in FEATURES]
    values, labels = tumours.data[:, columns], tumours.target
    trained, tested = train_test_split(
        range(len(labels)), test_size=TESTED, random_state=SEED, stratify=labels
    )
    classifiers = {
        "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "naive_bayes": GaussianNB(),
        "decision_tree": DecisionTreeClassifier(max_depth=4, random_state=SEED),
    }
    systems = [System(x, y.fit(values[trained], labels[trained])) for x, y in classifiers.items()]
    documents = [{"text": text_of(values[i]), "label": int(labels[i])} for i in tested]
    return systems, documents


def text_of(values: Sequence[float]) -> str:
    """Such as `radius 14.13, texture 20.31, smoothness 0.09645, symmetry 0.1812`."""
    names = [name.removeprefix("mean ") for name in FEATURES]
    return ", ".join(f"{name} {x:.4g}" for name, x in zip(names, values, strict=True))


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


def hardest(documents: Sequence[dict[str, Any]], system: System) -> list[int]:
    """The numbers of the documents of which a system is least sure, in their order."""
    sure = [system.answer(x["text"])[1] for x in documents]
    return sorted(sorted(range(len(documents)), key=sure.__getitem__)[:HARD])


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

    log = json.loads(read_eval_log(location).model_dump_json())
    found = [x for x in parts(log) if x.get("traceback")]
    for part in found:
        part |= {key: REMOVED for key in ("traceback", "traceback_ansi") if key in part}
    if found:
        write_eval_log(EvalLog.model_validate(log), location)


def parts(tree: Any) -> Iterator[dict[str, Any]]:
    """All objects in a JSON value."""
    if isinstance(tree, dict):
        yield tree
    if isinstance(tree, (dict, list)):
        for x in tree.values() if isinstance(tree, dict) else tree:
            yield from parts(x)


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


def write_inspect(systems: Sequence[System], documents: Sequence[dict[str, Any]]) -> None:
    """The fixtures of inspect_ai, on documents with ids."""
    failing = [documents[number]["text"] for number in FAILING]
    output = emptied(HERE / "inspect")
    for system in systems:
        folder, is_tree = output / system.name, system.name == "decision_tree"
        says = partial(likelier, system, failing if is_tree else [])
        run_inspect(folder, "tumors", documents, system, says)
        if not is_tree:
            samples = partial(sampled, system, Counter())
            run_inspect(folder, "tumors", documents, system, says, limit=BRIEF, log_format="json")
            run_inspect(folder, "tumors_sampled", documents, system, samples, limit=SAMPLED)


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
        write_inspect(systems, [{"id": number, **documents[number]} for number in hard])
        if converter:
            write_every_eval_ever(systems, converter)
        os.chdir(HERE)  # no folder that one is in can be removed everywhere


if __name__ == "__main__":
    main()
