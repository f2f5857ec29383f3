"""Cases of folders with several files: hidden ones, strangers, tasks, and how systems are named."""

import json
from pathlib import Path

from corpora.logs import LOGS, SYSTEMS, changed, lm_eval, lm_eval_groups, save
from pairedperm.readers import read_folder
from readers.odd_logs import Texts, dropping
from readers.telling import read

ROWS = [{"id": k, "score": k % 2} for k in range(4)]
TABLE = "id,score\n0,1\n1,1\n2,1\n3,1\n"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:11\nsize 42\n"
HELM = '[{"instance_id": "id1", "train_trial_index": 0, "stats": []}]'
OF_EVERY_EVAL = '{"schema_version": "0.2", "evaluation_id": "a", "retrieved_timestamp": "1"'


def put(place, content):
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    return save(path, content)


def two_folders():
    """With a table each, in one folder."""
    for k, name in enumerate("ab"):
        put(f"all/{name}/x.jsonl", [x | {"score": k} for x in ROWS])


def hidden_files_are_left_out() -> Texts:
    """It is said of those that would be logs: of others nobody asks."""
    two_folders()
    for name, content in {
        ".ipynb_checkpoints/a-checkpoint.csv": TABLE,
        "deeper/.x/y/c.jsonl": ROWS,
        "deeper/._b.jsonl": b"\x00\x05\x16\x07",  # as macOS writes beside each file
        "._b.csv": b"\x00\x05\x16\x07",
        ".b.eval": b"PK",
        ".log.json": '{"version": 2, "status": "success"',
        **dict.fromkeys((".DS_Store", ".gitignore", ".x/settings.json"), "{}"),
    }.items():
        put(f"all/a/{name}", content)
    yield read("all")
    yield read("all/a", "all/b")


def files_beside_logs_are_left_out() -> Texts:
    """A table, one that is none, an empty log, or scores; but not a log that is cut off."""
    logs = [lm_eval(x) for x in ("logistic_regression", "naive_bayes")]
    for folder, path in zip("ab", logs, strict=True):
        put(f"{folder}/{path.name}", path.read_bytes())
    for name, content in {
        "predictions.jsonl": '{"id": 1, "prediction": "a"}\n',
        "notes.csv": "run;cost\n1;2\n",
        "samples_x_2026-11-24T15-05-49.097384.jsonl": "",
        "scores.json": '[{"id": 1, "score": 0}]',
        "cut.jsonl": logs[0].read_bytes()[:99],
    }.items():
        stray = put(f"a/{name}", content)
        yield read("a", "b")
        stray.unlink()


def a_format_chooses_files_of_a_folder() -> Texts:
    """Also where others are tables as well."""
    for x in "ab":
        put(f"{x}.csv", f"id,score\n1,{int(x == 'a')}\n")
    put("predictions.jsonl", '{"id": 1, "prediction": "a"}\n')
    yield read(".", format="csv")


def files_that_are_no_logs() -> Texts:
    """They are named where no log is found; beside logs they are left alone."""
    two_folders()
    for name, content in (
        ("x.json", OF_EVERY_EVAL),
        ("x.json", '{"id": "1", "started_at": "2026", "n_total_trials": 20'),
        ("results_2026.json", '{"results": {}, "n-samples": {}}'),
    ):
        path = put(f"all/of_other/{name}", content)
        yield read(path, "all/a")
        yield read(path.parent, "all/a")
    yield read("all")
    yield read(put("x.jsonl", LFS), "all/a")
    yield read(put("stats.json", HELM), "all/a")


def what_is_left_out_of_a_folder() -> Texts:
    """Hidden files, and ids that another file lacks."""
    for name, rows in (("a/x", ROWS), ("b/x", ROWS[:1]), ("b/.y", ROWS)):
        put(f"{name}.jsonl", rows)
    yield dropping(".")


# Tasks


def only_the_logs_of_a_task_are_read() -> Texts:
    """Others tell their task by their names: they may be broken."""
    for folder in (LOGS / f"lm_eval/scikit-learn__{x}" for x in SYSTEMS[:2]):
        for path in folder.iterdir():
            is_other = path.suffix == ".jsonl" and "findings" not in path.name
            put(f"{folder.name}/{path.name}", path.read_bytes()[: -9 if is_other else None])
    folders = [f"scikit-learn__{x}" for x in SYSTEMS[:2]]
    yield read(*folders, task="findings")
    yield read(".", task="findings")
    yield read(*folders)


def logs_that_do_not_tell_their_task_are_read() -> Texts:
    """Those of Every Eval Ever without results beside them, or with those of another task."""
    folder = LOGS / "every_eval_ever/inspect/tumors/scikit-learn"
    for path in folder.glob("[ln]*/*_samples.jsonl"):
        put(f"{path.parent.name}/{path.name}", path.read_bytes())
    yield read(".", task="tumors")
    for path in Path().glob("*/*_samples.jsonl"):
        results = '{"evaluation_results": [{"evaluation_name": "x"}, 3]}'
        save(path.with_name(path.name.replace("_samples.jsonl", ".json")), results)
    yield read(".", task="tumors")


def tables_have_no_task() -> Texts:
    """A table is of whichever task is asked for; a pattern may ask for it."""
    paths = [put(f"{x}.jsonl", ROWS) for x in "ab"]
    for asked in (None, "mine", "*", ["mmlu", "arc"]):
        yield read(*paths, task=asked)
    yield read(paths[0], paths[0], door=read_folder)


def a_log_without_a_task_takes_the_other_s() -> Texts:
    """A file that was renamed says none, in either place."""
    log = lm_eval("logistic_regression")
    renamed = put("mine.jsonl", log.read_bytes())
    yield read(log, renamed)
    yield read(renamed, log)


def tasks_that_one_system_lacks() -> Texts:
    """Of folders with several one is named; or they are left out."""
    one, _, three = (next(LOGS.glob(f"lm_eval/*{x}")) for x in SYSTEMS)
    yield dropping(one, three)
    yield read(one, three, door=read_folder, on_missing="drop")


def versions_that_differ() -> Texts:
    """Of two that are known; here nothing is known of the second."""
    paths = [changed(lm_eval("naive_bayes"), Path(x), dict) for x in "ab"]
    name = paths[0].name.replace("samples_tumors", "results").removesuffix("l")
    save(paths[0].with_name(name), '{"model_name": "a", "versions": {"tumors": 1}}')
    yield read(*paths)


SCORES = {
    "mmlu_algebra": [1, 0, 1, 1],
    "mmlu_anatomy": [0, 1],
    "mmlu_law": [1, 1, 0],
    "arc": [0, 1, 1],
}
GROUPS = {"mmlu": ["mmlu_stem", "mmlu_law"], "mmlu_stem": ["mmlu_algebra", "mmlu_anatomy"]}


def heads(text):
    """The first lines of what is read: the systems, their tasks, and warnings."""
    return text.partition("\n\n")[0]


def tasks_that_are_asked_for() -> Texts:
    """By name, by group or by pattern; files of other tasks are not read, and may be broken."""
    for asked in (
        *(None, "mmlu", "mmlu_stem", "mmlu_*", "mmlu_a[ln]*", ("mmlu_stem", "?rc")),
        *(["mmlu_law", "mmlu_law"], "mmul", ["arc", "arcs"], "z*"),
    ):
        folders = [lm_eval_groups(Path(x), SCORES, GROUPS) for x in "ab"]
        yield f"{asked}: {heads(read(*folders, task=asked))}"
        if isinstance(asked, str) and asked.startswith("mmlu"):
            for path in Path().glob("*/samples_arc*"):
                save(path, path.read_bytes()[:-9])
            yield heads(read(*folders, task=asked))
            yield heads(read(".", task=asked))


def the_name_of_a_task_is_that_task() -> Texts:
    """Also if a pattern has the same name."""
    scores = {"x": [1, 0], "x*": [1, 1], "xy": [0, 0]}
    yield heads(read(*(lm_eval_groups(Path(x), scores, {}) for x in "ab"), task="x*"))


def a_group_that_a_system_has_in_part() -> Texts:
    """The rest is compared if that is asked for."""
    folders = [lm_eval_groups(Path(x), SCORES, GROUPS) for x in "ab"]
    next(folders[1].glob("samples_mmlu_law*")).unlink()
    yield heads(read(*folders, task="mmlu"))
    yield heads(dropping(*folders, task="mmlu"))


def groups_of_a_results_file() -> Texts:
    """In each other, of other types, or none; what it says may change between two calls."""
    for told, asked in (
        ({"g": ["t"], "h": ["g", "u"], "k": ["u"]}, "h"),
        ({"g": ["h", "t"], "h": ["g", "t"]}, "h"),
        ({"g": ["t", 3, None], "h": "t", "k": None}, "g"),
        (["t"], "g"),
    ):
        folders = [lm_eval_groups(Path(x), {"t": [1, 0], "u": [0, 1]}, {}) for x in "ab"]
        for folder in folders:
            save(next(folder.glob("results*")), json.dumps({"group_subtasks": told}))
        yield heads(read(*folders, task=asked))
