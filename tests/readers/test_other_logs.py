"""What only one of the smaller formats has, beside what `test_formats` asks of all."""

import json
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora.logs import edited, log, save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from readers.held import HELD, first_run, harbor, rows
from refusals import refuses

BM25, DENSE = log("trec_eval/bm25.txt"), log("trec_eval/dense.txt")
DEEPEVAL, PROMPTFOO, TRIAL = log("deepeval/*"), log("promptfoo/*"), log("harbor/*")
REPORT, OTHER_REPORT = (log(f"swe_bench/demo__model-{x}.first.json") for x in "ab")


first = partial(first_run, on_missing="drop")


def written(kind, name, *some, **asked):
    """A log of this format, in a folder."""
    return HELD[kind].written(Path(name), rows(*some, **asked))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """All is written into a new folder."""
    monkeypatch.chdir(tmp_path)


# DeepEval


def cases_of(name, change):
    """A copy of DeepEval's log, of which each case is changed."""

    def edit(content):
        content["testCases"] = [x for x in content["testCases"] if change(x) is not False]

    return edited(DEEPEVAL, Path(name), edit)


@pytest.mark.parametrize("has_file", [True, False])
def test_the_latest_test_run(has_file):
    """Which DeepEval keeps under another key; `deepeval test run` names its file first."""

    def change(content):
        run = {x: content.pop(x) for x in [*content]}
        run["testCases"], run["conversationalTestCases"] = [], run["testCases"]
        content["testRunData"] = {"testFile": "a.py"} | run if has_file else run

    paths = edited(DEEPEVAL, Path("x.json"), change), DEEPEVAL
    found, plain = read_runs(*paths, on_missing="drop").systems.values()
    assert (found.ids, found.scores) == (plain.ids, plain.scores)


def test_names_that_number_the_cases():
    """Without the first case, the others have the numbers of their neighbours."""

    def change(case):
        case["name"] = f"test_case_{case['order'] - 1}"
        return case["order"] > 0

    runs = read_runs(DEEPEVAL, cases_of("x.json", change), on_missing="drop")
    assert (runs.matching.by, runs.ids) == ("document", [f"test_case_{k}" for k in (1, 2, 3)])
    assert runs.compare("Short").n_ties == 3


def test_a_question_that_several_cases_ask():
    """Its cases are paired in their order, at the same place if they can."""

    def asking(name, questions, scores):
        def change(case):
            number = case["order"]
            case |= {"name": f"test_case_{number}", "input": questions[number]}
            case |= {"expectedOutput": "x"}
            case["metricsData"] = [{"name": "Short", "score": scores[number]}]

        return cases_of(f"{name}.json", change)

    one, scores = asking("one", "0012", [0.1, 0.2, 0.3, 0.4]), [0.5, 0.6, 0.7, 0.8]
    runs = read_runs(one, asking("two", "2001", scores))
    assert (len(runs.ids), runs.matching.by) == (4, "document")
    found = runs.examples("Short").systems.values()
    assert {*zip(*found, strict=True)} == {(0.1, 0.7), (0.2, 0.6), (0.3, 0.8), (0.4, 0.5)}
    assert read_runs(one, asking("same", "0012", scores)).matching.by == "id"
    for questions in ("0!12", "0212"):  # edited, or copied: its place alone, not another's
        with pytest.raises(InputError, match="1 stand for different documents: 'test_case_1'"):
            read_runs(one, asking("other", questions, scores))
    with pytest.raises(InputError, match=r"ids: 1 not in .*one.json: 'test_case_3 of"):
        read_runs(one, asking("other", "2003", scores))


def test_other_cases_of_one_name():
    """As of a test of pytest that loops over cases."""
    one, two = (cases_of(x, lambda case: case.update(name="bot")) for x in ("x.json", "y.json"))
    runs = read_runs(one, two)
    assert runs.ids == ["bot", "bot (2)", "bot (3)", "bot (4)"]
    assert runs.compare("Short").n_ties == 4


def test_a_threshold_that_is_a_maximum():
    """Then a score below it is a success."""

    def change(case):
        for metric in case["metricsData"]:
            metric["success"] = metric.get("score", 1.0) < metric["threshold"]

    run = first(cases_of("x.json", change), DEEPEVAL)
    assert run.lower_is_better == {"Same": True, "Short": True}


# Harbor, and Terminal-Bench before it


def test_agents_of_one_run():
    """They are systems; each kind of reward is a metric."""
    harbor(Path("job"), rows(1), "gpt")
    harbor(Path("job"), rows(1, 1)[1:], "gpt", tests=0.5)
    harbor(Path("job"), rows(0, 0), "claude", tests=0.25)
    runs = read_folder("job")
    assert runs.metrics == ("reward", "tests")
    assert {x: y.scores["tests"] for x, y in runs.systems.items()} == {
        "terminus-2, gpt": [None, 0.5],
        "terminus-2, claude": [0.25, 0.25],
    }


@pytest.mark.parametrize(
    ("where", "paths"),
    [
        ("a/q0__gpt0", ("../.", "../../b/.")),
        ("a/q0__gpt0", ("result.json", "../../b/q0__gpt0/result.json")),
    ],
)
def test_a_run_from_within(monkeypatch, where, paths):
    """Its folder, above the trials, may have no name in the path."""
    for k, name in enumerate("ab"):
        harbor(Path(name), rows(k), "gpt")
    monkeypatch.chdir(where)
    assert [*read_runs(*paths).systems] == ["a", "b"]


@pytest.mark.parametrize("has_id", [True, False])
def test_terminal_bench(has_id):
    """What could not be judged is not resolved, as in its accuracy; some versions wrote no id."""
    for model, scores in (("gpt", (1, None, 0)), ("claude", (1, 1, 1))):
        path = written("harbor, before", model, *scores)
        edited(path, path, lambda x: has_id or x.pop("id"))
        of_run = {"agent_name": "terminus", "model_name": model, "dataset_name": "core"}
        save(path.with_name("run_metadata.json"), json.dumps(of_run))
    runs = read_runs("gpt", "claude")
    (note,) = map(str, runs.notes)
    assert note.startswith("1 trial of ")
    assert "results.json could not be judged: counted as not resolved, as Ter" in note
    assert (runs.task, [*runs.systems]) == ("core", ["terminus, gpt", "terminus, claude"])
    assert (runs.compare().n, runs.compare().n_losses) == (3, 2)


# promptfoo


def of_rows(name, change, source=PROMPTFOO):
    """A copy of promptfoo's results, of which each row is changed, or goes."""

    def edit(content):
        listed = content["results"]["results"]
        content["results"]["results"] = [x for x in listed if change(x) is not False]

    return edited(source, Path(name), edit)


def of_provider(name):
    return of_rows(f"{name}.json", lambda x: x["provider"]["id"] == name)


def test_two_providers_of_one_file():
    """Who may be named in either order; or one of two files, or of those that a folder has."""
    turned = read_runs(PROMPTFOO, PROMPTFOO, system=("two", "one"), on_missing="drop")
    assert ([*turned.systems], turned.compare("score").score2) == (["two", "one"], 0.75)
    other = save(Path("x.json"), PROMPTFOO.read_bytes())
    runs = read_runs(PROMPTFOO, other, system="two")
    assert ({x.model for x in runs.systems.values()}, len(runs.ids)) == ({"two"}, 3)
    assert len(read_folder(PROMPTFOO, other, system=["two"]).systems) == 2


@pytest.mark.parametrize("has_grade", [True, False])
def test_errors_of_older_versions(has_grade):
    """Which gave no reason, but no grade either; prompts of one provider are systems."""

    def change(row):
        del row["failureReason"]
        row["provider"] = "mine" if has_grade else {"id": "gpt", "label": "mine"}
        if has_grade:
            row["gradingResult"] = {"pass": row["success"]}

    of_rows("x.json", change)
    systems = read_folder("x.json", on_missing="drop").systems
    assert [*systems] == ["mine, prompt 1", "mine, prompt 2"]
    assert systems["mine, prompt 1"].scores["success"] == [1, 0, 0 if has_grade else None]


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


def test_indices_are_places():
    """A test that was added in front of the others must not pair neighbours."""
    one, two = (of_provider(x) for x in ("one", "two"))
    plain = read_runs(one, two, on_missing="drop")
    other = edited(two, Path("x.json"), with_another_test_first)
    said = rf"1 not in {one}: '0 of {other}'\. Ids are places in .*matched by document\. Run all"
    with pytest.raises(InputError, match=said):
        read_runs(one, other)
    runs = read_runs(one, other, on_missing="drop")
    assert (runs.ids, runs.matching.by) == (["0", "2", "4"], "document")
    assert runs.compare("score") == plain.compare("score")
    # to match by index is advised only if no test moved
    changed = of_rows("y.json", with_another_city, two)
    with pytest.raises(InputError, match=r"1 stand for .*: 0\. If.*, same_documents='id'"):
        read_runs(two, changed)
    moved = edited(changed, Path("z.json"), with_another_test_first)
    with pytest.raises(InputError, match=r"1 not in .*; 1 stand for (?!.*same_documents)"):
        read_runs(two, moved)


# trec_eval


def printed(name, rows, **averages):
    """What trec_eval prints of queries, and its averages."""
    lines = [*rows, *((x, "all", y) for x, y in averages.items())]
    return save(Path(name), "".join(f"{x:22}\t{y}\t{z}\n" for x, y, z in lines))


def test_averages_that_count_other_queries():
    """With `-c`, trec_eval averages over queries that it printed no row of."""
    lines = BM25.read_text("utf-8").splitlines(keepends=True)
    path = save(Path("x"), "".join(x for x in lines if "\tq3\t" not in x))
    with pytest.raises(
        InputError, match=r"1 not in .*: 'q3'\. A query .* `trec_eval -q -c` .*drop"
    ):
        read_runs(path, DENSE)
    runs = read_runs(path, DENSE, on_missing="drop")
    assert "0.4444 is reported" in str(runs.examples("map").doubts[0])


@pytest.mark.parametrize(("measure", "average"), [("map", "0.2500"), ("prefs_num_prefs", "1")])
def test_averages_that_are_no_others(measure, average):
    """They are rounded to four digits, numbers of preferences are summed, and measures may be more.

    trec_eval fills up the names of measures.
    """
    rows = [(measure, "q1", "0.3333"), (measure, "q2", "0.1665"), ("gm3", "q1", 0.5)]
    paths = [printed(x, [*rows, ("gm4", "q1", 1)], **{measure: average}) for x in "ab"]
    assert read_runs(*paths).examples(measure).doubts == []


# lighteval


def test_ids_that_repeat_across_splits():
    """In each ids begin at 0 again, as of piqa; and the order of the splits may be another."""

    def splits(name, *parts):
        paths = [written("lighteval", f"{name}{k}", x, q0=f"of split {k}") for k, x in parts]
        path = written("lighteval", name, 0)
        pq.write_table(pa.concat_tables([*map(pq.read_table, paths)]), path)
        return path

    one, two = splits("a", (1, 1.0), (2, 0.0)), splits("b", (1, 0.0), (2, 1.0))
    turned, only = splits("c", (2, 1.0), (1, 0.0)), splits("d", (2, 1.0))
    runs = read_runs(one, two)
    assert (runs.ids, runs.matching.by) == (["0", "0 (2)"], "id")
    assert str(read_runs(one, turned).matching) == "2 examples matched by document"
    for other in (two, turned):
        found = read_runs(one, other).compare("acc")
        assert (found.n_wins, found.n_losses, found.n_ties) == (1, 1, 0)
    lacking = read_runs(one, only, on_missing="drop")
    assert (lacking.ids, lacking.matching.unmatched[0].ids) == (["0 (2)"], ["0"])


def test_many_documents_of_one_id():
    """Each is an example, also beside an id that is written so; in linear time."""
    (row,) = pq.read_table(written("lighteval", "a", 1)).to_pylist()
    asked = ("7 (3)", "other"), *(("7", k) for k in range(3_000)), ("7", 1)
    listed = [row | {"doc": row["doc"] | {"id": x, "query": f"{y}"}} for x, y in asked]
    pq.write_table(pa.Table.from_pylist(listed), "x.parquet")
    run = first("x.parquet", save(Path("y.parquet"), Path("x.parquet").read_bytes()))
    assert run.ids[:5] == ["7 (3)", "7", "7 (2)", "7 (4)", "7 (5)"]
    assert (len(run.ids), run.ids[-2:]) == (3_002, ["7 (3001)", "7 (2)"])


def test_models_in_the_path():
    """`details/<model>/<date>/<file>`, where a model may have an organization."""
    moved = Path("details/org/m/2026/x.parquet")
    moved.parent.mkdir(parents=True)
    written("lighteval", "a", 1).rename(moved)
    assert [*read_runs(moved, written("lighteval", "b", 1)).systems] == ["org/m", "b"]


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


def test_episodes_of_the_environments_of_a_suite():
    """Suites are tasks; the policies are told apart by their folders."""
    paths = [
        of_suites(
            x, ("goal", 0, [True, False]), ("goal", 1, [x == "act"]), ("ten", 3, [True]), **more
        )
        for x, more in (("act", {}), ("smolvla", {"eval_results_400": 1}))
    ]
    assert [*read_runs(*paths).tasks] == ["goal", "ten"]
    runs = read_runs(*paths, task="goal")
    assert ([*runs.systems], runs.ids) == (["act", "smolvla"], ["0/0", "0/1", "1/0"])
    assert runs.systems["act"].scores["sum_reward"] == [1.0, 0.0, 1.0]
    result = runs.compare("success")
    assert (result.n, result.n_wins, result.n_losses) == (3, 1, 0)
    metric = runs.examples("success").metric
    assert (metric.lower_is_better, metric.score_range) == (False, (0, 1))


def test_reports_of_swe_bench():
    """sb-cli lists failures in place of errors and empty patches, which are not resolved."""
    other = edited(REPORT, Path("x.json"), lambda x: x.update(failed_ids=x.pop("empty_patch_ids")))
    runs = read_runs(REPORT, other)
    assert (len(runs.ids), runs.compare().n_differing) == (5, 0)


def report(**entries):
    return read_runs(edited(REPORT, Path("x.json"), lambda x: x.update(entries)), OTHER_REPORT)


def changed_row(**entries):
    return read_runs(of_rows("x.json", lambda x: x.update(entries)), PROMPTFOO)


def of_two_tasks():
    """The attempts at a task that was changed in between."""
    harbor(Path("x"), rows(1, q0="one"), "a")
    harbor(Path("x"), rows(0, q0="another"), "b")
    for path in Path("x").glob("*/result.json"):
        edited(path, path, lambda x: x["agent_info"]["model_info"].update(name="m"))
    return "x"


def of_lighteval(**doc):
    """Two logs, of which a document is changed."""
    path = written("lighteval", "b", 1)
    (row,) = pq.read_table(path).to_pylist()
    pq.write_table(pa.Table.from_pylist([row | {"doc": row["doc"] | doc}]), path)
    return read_runs(written("lighteval", "a", 1), path)


def lerobot(content):
    return read_runs(*(save(Path(f"{x}.json"), json.dumps(content)) for x in "ab"))


def trec(text):
    return read_runs(save(Path("x.txt"), text), DENSE)


ROW = "map                   \tq1\t0.5\n"


@refuses
def test_refusals():
    read_runs(
        cases_of("x.json", lambda x: x.pop("name" if x["order"] == 1 else "", None)), DEEPEVAL
    )
    # -> `path1` … x.json row 2 has no 'name', and is not as DeepEval writes it. Give the file
    read_runs(of_two_tasks(), TRIAL)
    # -> x has repeats of id 'q0' with different documents: … Give them the same.
    changed_row(testIdx=None)
    # -> `path1` … x.json has another form, and is not as promptfoo writes it. Give
    read_folder(PROMPTFOO).leaderboard("success")
    # -> not all examples are scored … 1 without success in … results.json of one: 4
    read_runs(PROMPTFOO, of_provider("two"))
    # -> `path1` holds 2 runs: … results.json of one, … results.json of two. Name the file of one …
    #    Or name the system, system='one'.
    read_runs(PROMPTFOO, PROMPTFOO, system=["one", "twp"])
    # -> `system` must be one of those in `path2`, 'one', 'two', got 'twp' … Did you mean 'two'?
    read_runs(PROMPTFOO, PROMPTFOO, system=["one", "two", "two"])
    # -> `system` must be one name, or two, got ['one', 'two', 'two']
    report(error_ids=None)
    # -> `path1` … x.json has no list of error_ids. Give the file as the tool wrote it.
    report(resolved_ids="q1")
    # -> `path1` … x.json has no list of resolved_ids. Give the file as the tool wrote it.
    read_runs(of_rows("x.json", lambda x: x.pop("provider")), PROMPTFOO)
    # -> `path1` … x.json has no 'provider', and is not as promptfoo writes it. Give the file
    read_runs(*(written("swe_bench, instances", x, 1, *y) for x, y in (("a", []), ("b", [0]))))
    # -> … 1 not in a: 'q1'. SWE-bench writes no report of an instance that broke, which counts as
    #    unresolved: give the report of the run, <model>.<run>.json, … or leave these ids out
    of_lighteval(id="")
    # -> `path2` … row 1 has no id, and is not as lighteval writes it. Give the file
    of_lighteval(task_name="arc|0")
    # -> `path1` has no run of task 'arc|0', only of task 't|0'
    lerobot({"one": {"per_task": []}, "two": {"per_task": []}})
    # -> `path1` … holds several results, 'one', 'two'. Give a file of each.
    lerobot({"per_episode": []})
    # -> `path1` … a.json has no examples: at least one is needed.
    lerobot({"per_episode": [{"success": True, "seed": None}]})
    # -> `path1` … has episodes without a seed … Evaluate both policies with the same --seed.
    trec(ROW.replace("q1", "all") + "\n")
    # -> `path1` … x.txt has only averages of all queries. Run trec_eval with -q.
    trec(f"{ROW}map 2\n")
    # -> `path1` … x.txt, line 2: has no measure, query and value. Give what trec_eval pr
