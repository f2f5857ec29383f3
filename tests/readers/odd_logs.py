"""Cases of what only one of the smaller formats has, beside what `test_formats` asks of all."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from corpora.logs import edited, log, save
from folders import inside
from pairedperm.readers import read_folder
from readers.held import HELD, harbor, rows
from readers.telling import read

BM25, DENSE = log("trec_eval/bm25.txt"), log("trec_eval/dense.txt")
DEEPEVAL, PROMPTFOO, TRIAL = log("deepeval/*"), log("promptfoo/*"), log("harbor/*")
REPORT = log("swe_bench/demo__model-a.first.json")
Texts = Iterator[str]
dropping = partial(read, on_missing="drop")


def written(kind, name, *some, **asked):
    """A log of this format, in a folder."""
    return HELD[kind].written(Path(name), rows(*some, **asked))


# DeepEval


def cases_of(name, change):
    """A copy of DeepEval's log, of which each case is changed."""

    def edit(content):
        content["testCases"] = [x for x in content["testCases"] if change(x) is not False]

    return edited(DEEPEVAL, Path(name), edit)


def deepeval_the_latest_test_run() -> Texts:
    """Which DeepEval keeps under another key; `deepeval test run` names its file first."""
    for file in ({"testFile": "a.py"}, {}):

        def change(content, file=file):
            run = {x: content.pop(x) for x in [*content]}
            run["testCases"], run["conversationalTestCases"] = [], run["testCases"]
            content["testRunData"] = file | run if file else run

        yield dropping(edited(DEEPEVAL, Path("x.json"), change), DEEPEVAL)


def deepeval_names_that_number_the_cases() -> Texts:
    """Without the first case, the others have the numbers of their neighbours."""

    def change(case):
        case["name"] = f"test_case_{case['order'] - 1}"
        return case["order"] > 0

    yield dropping(DEEPEVAL, cases_of("x.json", change))


def deepeval_a_question_that_several_cases_ask() -> Texts:
    """Its cases are paired in their order, at the same place if they can; edited ones are not."""

    def asking(name, questions, scores):
        def change(case):
            number = case["order"]
            case |= {"name": f"test_case_{number}", "input": questions[number]}
            case |= {"expectedOutput": "x"}
            case["metricsData"] = [{"name": "Short", "score": scores[number]}]

        return cases_of(f"{name}.json", change)

    one = asking("one", "0012", [0.1, 0.2, 0.3, 0.4])
    for questions in ("2001", "0012", "0!12", "0212", "2003"):
        yield read(one, asking("two", questions, [0.5, 0.6, 0.7, 0.8]))


def deepeval_other_cases_of_one_name() -> Texts:
    """As of a test of pytest that loops over cases."""
    yield read(*(cases_of(x, lambda case: case.update(name="bot")) for x in ("x.json", "y.json")))


def deepeval_a_threshold_that_is_a_maximum() -> Texts:
    """Then a score below it is a success."""

    def change(case):
        for metric in case["metricsData"]:
            metric["success"] = metric.get("score", 1.0) < metric["threshold"]

    yield dropping(cases_of("x.json", change), DEEPEVAL)


# Harbor, and Terminal-Bench before it


def harbor_agents_of_one_run() -> Texts:
    """They are systems; each kind of reward is a metric."""
    harbor(Path("job"), rows(1), "gpt")
    harbor(Path("job"), rows(1, 1)[1:], "gpt", tests=0.5)
    harbor(Path("job"), rows(0, 0), "claude", tests=0.25)
    yield read("job")


def harbor_a_run_from_within() -> Texts:
    """Its folder, above the trials, may have no name in the path."""
    for k, name in enumerate("ab"):
        harbor(Path(name), rows(k), "gpt")
    with inside("a/q0__gpt0"):
        yield read("../.", "../../b/.")
        yield read("result.json", "../../b/q0__gpt0/result.json")


def terminal_bench() -> Texts:
    """What could not be judged is not resolved, as in its accuracy; some versions wrote no id."""
    for has_id in (True, False):
        for model, scores in (("gpt", (1, None, 0)), ("claude", (1, 1, 1))):
            path = written("harbor, before", model, *scores)
            edited(path, path, lambda x, has_id=has_id: has_id or x.pop("id"))
            of_run = {"agent_name": "terminus", "model_name": model, "dataset_name": "core"}
            save(path.with_name("run_metadata.json"), json.dumps(of_run))
        yield read("gpt", "claude")


# promptfoo


def of_rows(name, change, source=PROMPTFOO):
    """A copy of promptfoo's results, of which each row is changed, or goes."""

    def edit(content):
        listed = content["results"]["results"]
        content["results"]["results"] = [x for x in listed if change(x) is not False]

    return edited(source, Path(name), edit)


def of_provider(name):
    return of_rows(f"{name}.json", lambda x: x["provider"]["id"] == name)


def promptfoo_two_providers_of_one_file() -> Texts:
    """Who may be named in either order; or one of two files, or of those that a folder has."""
    yield dropping(PROMPTFOO, PROMPTFOO, system=("two", "one"))
    other = save(Path("x.json"), PROMPTFOO.read_bytes())
    yield read(PROMPTFOO, other, system="two")
    yield read(PROMPTFOO, other, door=read_folder, system=["two"])


def promptfoo_errors_of_older_versions() -> Texts:
    """Which gave no reason, but no grade either; prompts of one provider are systems."""
    for has_grade in (True, False):

        def change(row, has_grade=has_grade):
            del row["failureReason"]
            row["provider"] = "mine" if has_grade else {"id": "gpt", "label": "mine"}
            if has_grade:
                row["gradingResult"] = {"pass": row["success"]}

        yield dropping(of_rows("x.json", change))


def with_another_test_first(content):
    """Every index is one more then."""
    listed = content["results"]["results"]
    for row in listed:
        row["testIdx"] += 1
    again = next(x for x in listed if x["testIdx"] == 1)
    listed.append({**again, "testIdx": 0, "testCase": {"vars": {"city": "new"}}})


def with_another_city(row):
    """Of the first test."""
    row["testCase"]["vars"]["city"] += "!" * (row["testIdx"] < 2)


def promptfoo_indices_are_places() -> Texts:
    """A test in front of the others pairs no neighbours; an index is advised if no test moved."""
    one, two = (of_provider(x) for x in ("one", "two"))
    other = edited(two, Path("x.json"), with_another_test_first)
    yield read(one, other)
    yield dropping(one, other)
    changed = of_rows("y.json", with_another_city, two)
    yield read(two, changed)
    yield read(two, edited(changed, Path("z.json"), with_another_test_first))


# trec_eval


def trec_eval_averages_that_count_other_queries() -> Texts:
    """With `-c`, trec_eval averages over queries that it printed no row of."""
    lines = BM25.read_text("utf-8").splitlines(keepends=True)
    path = save(Path("x"), "".join(x for x in lines if "\tq3\t" not in x))
    yield read(path, DENSE)
    yield dropping(path, DENSE)


def trec_eval_averages_that_are_no_others() -> Texts:
    """They are rounded to four digits, numbers of preferences are summed, and measures may be more.

    trec_eval fills up the names of measures.
    """
    for measure, average in (("map", "0.2500"), ("prefs_num_prefs", "1")):
        listed = [(measure, "q1", "0.3333"), (measure, "q2", "0.1665"), ("gm3", "q1", 0.5)]
        listed += [("gm4", "q1", 1), (measure, "all", average)]
        text = "".join(f"{x:22}\t{y}\t{z}\n" for x, y, z in listed)
        yield dropping(*(save(Path(x), text) for x in "ab"))


# lighteval


def lighteval_ids_that_repeat_across_splits() -> Texts:
    """In each ids begin at 0 again, as of piqa; and the order of the splits may be another."""

    def splits(name, *parts):
        paths = [written("lighteval", f"{name}{k}", x, q0=f"of split {k}") for k, x in parts]
        path = written("lighteval", name, 0)
        pq.write_table(pa.concat_tables([*map(pq.read_table, paths)]), path)
        return path

    one = splits("a", (1, 1.0), (2, 0.0))
    yield read(one, splits("b", (1, 0.0), (2, 1.0)))
    yield read(one, splits("c", (2, 1.0), (1, 0.0)))
    yield dropping(one, splits("d", (2, 1.0)))


def lighteval_models_in_the_path() -> Texts:
    """`details/<model>/<date>/<file>`, where a model may have an organization."""
    moved = Path("details/org/m/2026/x.parquet")
    moved.parent.mkdir(parents=True)
    written("lighteval", "a", 1).rename(moved)
    yield read(moved, written("lighteval", "b", 1))


# LeRobot


def of_suites(name, *suites, **around):
    """What LeRobot writes since version 0.5: the environments of a suite, and their episodes."""
    tasks = [
        {"task_group": group, "task_id": number}
        | {"metrics": {"sum_rewards": [*map(float, x)], "max_rewards": [], "successes": x}}
        for group, number, x in suites
    ]
    content = {"per_task": tasks}
    Path(name).mkdir()
    return save(Path(name, "eval_info.json"), json.dumps(dict.fromkeys(around, content) or content))


def lerobot_environments_of_a_suite() -> Texts:
    """Suites are tasks; the policies are told apart by their folders."""
    paths = [
        of_suites(
            x, ("goal", 0, [True, False]), ("goal", 1, [x == "act"]), ("ten", 3, [True]), **more
        )
        for x, more in (("act", {}), ("smolvla", {"eval_results_400": 1}))
    ]
    yield read(*paths)


def swe_bench_of_sb_cli() -> Texts:
    """It lists failures in place of errors and empty patches, which are not resolved."""
    other = edited(REPORT, Path("x.json"), lambda x: x.update(failed_ids=x.pop("empty_patch_ids")))
    yield read(REPORT, other)
