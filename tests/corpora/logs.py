"""Logs that evaluation tools wrote, and copies of them that are changed."""

import json
from pathlib import Path

LOGS = Path(__file__).parents[1] / "logs"
GATE = Path(__file__).parents[2] / "examples" / "ci_gate"
_DATE = "2026-11-24T15-05-50.227925"
SYSTEMS = ("logistic_regression", "naive_bayes", "decision_tree")


def log(pattern):
    """The one file of tests/logs that fits."""
    (path,) = LOGS.glob(pattern)
    return path


def lm_eval(system, task="tumors"):
    return log(f"lm_eval/*{system}/samples_{task}_*.jsonl")


def inspect(system, task="tumors", ending="eval"):
    return log(f"inspect/{system}/*_{task}_*.{ending}")


def every_eval_ever(system, tool="lm_eval", task="tumors"):
    """The log of a task; inspect_ai's two tasks are told apart by their lines."""
    for path in LOGS.glob(f"every_eval_ever/{tool}/*/scikit-learn/{system}/*_samples.jsonl"):
        if objects(path)[0]["evaluation_name"].partition("/")[0] == task:
            return path
    raise LookupError(system)


def objects(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def as_lines(objects):
    """One object a line."""
    return "\n".join(map(json.dumps, objects))


def rows_of(**columns):
    """Objects of these columns; ids count from 0 where none are given."""
    columns = {"id": range(len(next(iter(columns.values())))), **columns}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def save(path, content):
    """Text, bytes, or an object a line."""
    if isinstance(content, list):
        content = as_lines(content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def changed(path, folder, change):
    """A copy, of the same name, of which each line's object went through a function.

    A line of which nothing is returned is left out.
    """
    folder.mkdir(exist_ok=True)
    lines = [x for line in objects(path) if (x := change(line)) is not None]
    return save(folder / path.name, lines)


def edited(path, target, change):
    """A copy of a log that is one JSON object, which a function changes."""
    content = json.loads(path.read_text("utf-8"))
    change(content)
    target.parent.mkdir(parents=True, exist_ok=True)
    return save(target, json.dumps(content))


def lm_eval_files(columns, results=None, lower=(), filter_name="none"):
    """The samples of task "t" by lm-evaluation-harness, and its results, as contents by name."""
    files = {f"samples_t_{_DATE}.jsonl": as_lines(_samples(columns, filter_name))}
    if results is not None:
        said = {f"{x},{filter_name}": y for x, y in results.items()}
        higher = {x: x not in lower for x in results}
        content = {"results": {"t": said}, "higher_is_better": {"t": higher}}
        files[f"results_{_DATE}.json"] = json.dumps(content)
    return files


def _samples(columns, filter_name="none"):
    return [
        {"doc_id": k, "doc": {"n": k}, "target": "x", "resps": [], "filter": filter_name}
        | {"metrics": [*columns]}
        | dict(zip(columns, entries, strict=True))
        for k, entries in enumerate(zip(*columns.values(), strict=True))
    ]


def lm_eval_groups(folder, scores, groups, by_size=True, change=None):
    """A folder with the samples of each task, and results with the averages of groups of tasks.

    `groups` are the names in each group, which may be groups. They are averaged as the harness
    does. `change` may change the results.
    """

    def leaves(name):
        return [x for y in groups[name] for x in leaves(y)] if name in groups else [name]

    means = {task: sum(x) / len(x) for task, x in scores.items()}
    for group in groups:
        sizes = [len(scores[x]) if by_size else 1 for x in leaves(group)]
        total = sum(means[x] * n for x, n in zip(leaves(group), sizes, strict=True))
        means[group] = total / sum(sizes)
    results = {
        "results": {name: {"alias": name, "acc,none": x} for name, x in means.items()},
        "group_subtasks": groups,
        "n-samples": {x: {"original": 99, "effective": len(y)} for x, y in scores.items()},
        "model_name": folder.name,
    }
    if change is not None:
        change(results)
    folder.mkdir(exist_ok=True)
    for task, column in scores.items():
        save(folder / f"samples_{task}_{_DATE}.jsonl", _samples({"acc": column}))
    save(folder / f"results_{_DATE}.json", json.dumps(results))
    return folder


def lm_eval_log(folder, *columns, **options):
    """The samples that `lm_eval_files` has, in a folder, with the results beside."""
    folder.mkdir(exist_ok=True)
    files = lm_eval_files(*columns, **options)
    samples, *_ = [save(folder / name, content) for name, content in files.items()]
    return samples


def and_task_u(path, results):
    """A second task beside a log of `lm_eval_log`, of the same samples, with its own results."""
    save(path.with_name(path.name.replace("_t_", "_u_")), path.read_bytes())
    beside, said = (
        path.with_name(f"results_{_DATE}.json"),
        {f"{x},none": results[x] for x in results},
    )
    edited(beside, beside, lambda x: x["results"].update(u=said))


def inspect_epochs(values, reducers, reductions=None):
    """A log of inspect_ai as JSON: several values of each sample, of as many epochs."""
    content = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))
    content["eval"]["config"]["epochs_reducer"] = reducers
    content["reductions"], content["results"]["scores"] = reductions, []
    content["samples"] = [
        {"id": k, "epoch": epoch, "input": f"{k}", "target": ""}
        | {"scores": {"match": {"value": x}}}
        for k, several in enumerate(values)
        for epoch, x in enumerate(several, 1)
    ]
    return json.dumps(content)
