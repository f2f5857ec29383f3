"""A test run of DeepEval 4.3: four cases, two metrics, of which one failed once."""

from pathlib import Path

import pytest

from corpora.logs import edited, log, save
from pairedperm import InputError
from pairedperm.readers import read_runs
from pairedperm.readers.deepeval import read
from pairedperm.readers.text_file import TextFile
from refusals import refuses

RUN = log("deepeval/*.json")


def run_of(change, folder):
    (run,) = read(TextFile("path1", edited(RUN, folder / "x.json", change)))
    return run


def test_metrics_of_test_cases():
    (run,) = read(TextFile("path1", RUN))
    assert run.ids == ["first", "test_case_1", "test_case_2", "test_case_3"]
    assert run.scores == {"Same": [1, 0, None, 1], "Short": [1, 1, 0.2, 1]}
    assert (run.model, run.lower_is_better) == ("m1", {"Same": False, "Short": False})


@pytest.mark.parametrize("has_file", [True, False])
def test_the_latest_test_run(has_file, tmp_path):
    """Which DeepEval keeps under another key; `deepeval test run` names its file first."""

    def change(content):
        run = {x: content.pop(x) for x in [*content]}
        content["testRunData"] = {"testFile": "a.py"} | run if has_file else run

    changed, (plain,) = run_of(change, tmp_path), read(TextFile("path1", RUN))
    assert (changed.ids, changed.scores) == (plain.ids, plain.scores)
    assert len(read_runs(RUN, tmp_path / "x.json", on_missing="drop").ids) == 4


def test_a_case_that_ran_twice(tmp_path):
    def change(content):
        content["testCases"][3] |= {"name": "first", "input": "0+1", "expectedOutput": "1"}
        content["testCases"][3]["metricsData"][0]["score"] = 0.0

    run = run_of(change, tmp_path)
    assert (run.ids[0], run.scores["Same"][0], run.n_repeats) == ("first", 0.5, [2, 1, 1])


def test_names_that_number_the_cases(tmp_path):
    """Without the first case, the others have the numbers of their neighbours."""

    def change(content):
        for case in content["testCases"][1:]:
            case["name"] = f"test_case_{case['order'] - 1}"
        content["testCases"].pop(0)

    other = edited(RUN, tmp_path / "x.json", change)
    runs = read_runs(RUN, other, on_missing="drop")
    assert (runs.matching.by, runs.ids) == ("document", [f"test_case_{k}" for k in (1, 2, 3)])
    found = runs.compare("Short")
    assert (found.n, found.n_ties) == (3, 3)


def test_a_question_that_several_cases_ask(tmp_path):
    """Its cases are paired in their order, at the same place if they can.

    Scores of `Short` are those of the four cases; the other log has the questions 2, 0, 0, 1.
    """

    def asking(name, questions, scores):
        def change(content):
            for case, asked, score in zip(content["testCases"], questions, scores, strict=True):
                number = case["order"]
                case |= {"name": f"test_case_{number}", "input": asked, "expectedOutput": "x"}
                case["metricsData"] = [{"name": "Short", "score": score}]

        return edited(RUN, tmp_path / f"{name}.json", change)

    one = asking("one", "0012", [0.1, 0.2, 0.3, 0.4])
    two = asking("two", "2001", [0.5, 0.6, 0.7, 0.8])
    runs = read_runs(one, two)
    assert (len(runs.ids), runs.matching.by) == (4, "document")
    found = runs.examples("Short").systems.values()
    assert {*zip(*found, strict=True)} == {(0.1, 0.7), (0.2, 0.6), (0.3, 0.8), (0.4, 0.5)}
    same = asking("same", "0012", [0.5, 0.6, 0.7, 0.8])
    assert read_runs(one, same).matching.by == "id"
    edited_one = asking("edited", "0!12", [0.5, 0.6, 0.7, 0.8])
    copied = asking("copied", "0212", [0.5, 0.6, 0.7, 0.8])  # its place alone, not another's
    for other in (edited_one, copied):
        with pytest.raises(InputError) as caught:
            read_runs(one, other)
        said = "Affected ids: 1 stand for different documents: 'test_case_1'. If documents are"
        assert said in str(caught.value)
    with pytest.raises(InputError, match=r"1 not in .*one.json: 'test_case_3 of") as caught:
        read_runs(one, asking("other", "2003", [0.5, 0.6, 0.7, 0.8]))
    assert "more than once" not in str(caught.value)


def test_another_case_of_one_name(tmp_path):
    """As of a test of pytest that loops over cases."""

    def change(content):
        for case in content["testCases"]:
            case["name"] = "test_bot"

    one, two = (edited(RUN, tmp_path / x, change) for x in ("x.json", "y.json"))
    runs = read_runs(one, two)
    assert runs.ids == ["test_bot", "test_bot (2)", "test_bot (3)", "test_bot (4)"]
    assert runs.compare("Short").n_ties == 4


@pytest.mark.parametrize("key", ["testCases", "conversationalTestCases"])
def test_another_question(key, tmp_path):
    """Of conversations as well, whose cases are in a list of their own."""

    def change(content):
        content["testCases"][0]["input"] = "another"
        content["testCases"], content[key] = [], content["testCases"]

    edited(RUN, tmp_path / "x.json", change)
    runs = read_runs(RUN, tmp_path / "x.json", on_missing="drop")
    assert runs.ids == ["test_case_1", "test_case_2", "test_case_3"]


def test_a_threshold_that_is_a_maximum(tmp_path):
    """Then a score below it is a success."""

    def change(content):
        for case in content["testCases"]:
            for metric in case["metricsData"]:
                metric["success"] = metric.get("score", 1.0) < metric["threshold"]

    assert run_of(change, tmp_path).lower_is_better == {"Same": True, "Short": True}


def without_name():
    return edited(RUN, Path("x.json"), lambda x: x["testCases"][1].pop("name"))


@refuses
def test_refusals():
    read_runs(without_name(), RUN)
    # -> `path1` … x.json has no name of test case 2. Give the file as the tool wrote it.
    read_runs(RUN, save(Path("x.json"), RUN.read_bytes()[:-9]))
    # -> `path2` … x.json is no JSON of results, Unterminated … Give the file as the tool wrote it.
