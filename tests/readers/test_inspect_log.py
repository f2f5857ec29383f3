"""Logs of inspect_ai, as it reads them itself."""

import json
import re
import sys
import zipfile
from fractions import Fraction

import pytest

from corpora.logs import SYSTEMS, every_eval_ever, inspect, inspect_epochs, save
from extras import needs
from pairedperm import InputError
from pairedperm.readers import inspect_log, read_folder, read_runs
from pairedperm.readers.formats import format_of, read_logs
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.text_file import TextFile

NUMBERS = {"C": 1.0, "I": 0.0}


@pytest.fixture
def inspect_ai():
    return needs("inspect_ai.log", "inspect")


def read(path):
    (run,) = inspect_log.read(TextFile("path1", path))
    return run


@pytest.mark.parametrize("ending", ["eval", "json"])
@pytest.mark.parametrize("system", SYSTEMS[:2])
def test_as_inspect_ai_reads_it(system, ending, inspect_ai):
    path = inspect(system, ending=ending)
    run, samples = read(path), inspect_ai.read_eval_log(str(path)).samples
    assert run.ids == [x.id for x in samples]
    assert len(run.ids) == (16 if ending == "eval" else 2)
    assert run.scores == {"match": [NUMBERS[x.scores["match"].value] for x in samples]}
    assert (run.task, run.version) == ("tumors", "0")
    assert run.model == f"mockllm/scikit-learn/{system}"
    assert run.documents == [{"input": x.input, "target": x.target} for x in samples]


def test_a_log_that_was_written_again(inspect_ai, tmp_path):
    """inspect_ai keeps the last JSON log that it has read, by its path."""
    path = tmp_path / "log.json"
    content = inspect("naive_bayes", ending="json").read_text("utf-8")
    path.write_text(content, "utf-8")
    first = read(path)
    log = json.loads(content)
    del log["results"]
    for sample in log["samples"]:
        sample["id"] = f"{sample['id']}, again"
        sample["input"] = "again " * 1000  # longer than in a summary
        sample["scores"]["match"]["value"] = "I"
    path.write_text(json.dumps(log), "utf-8")
    again = read(path)
    assert again.ids == [f"{x}, again" for x in first.ids]
    assert first.scores == {"match": [1.0, 1.0]}
    assert again.scores == {"match": [0.0, 0.0]}
    assert {x["input"] for x in again.documents} == {"again " * 1000}


def test_samples_that_failed_have_no_score(inspect_ai):
    path = inspect("decision_tree")
    run, samples = read(path), inspect_ai.read_eval_log(str(path)).samples
    failed = [x.id for x in samples if x.error]
    assert len(failed) == 2
    unscored = [x for x, y in zip(run.ids, run.scores["match"], strict=True) if y is None]
    assert unscored == failed
    found = read_runs(path, inspect("naive_bayes"), on_missing="drop").compare()
    converted = [every_eval_ever(x, "inspect") for x in ("decision_tree", "naive_bayes")]
    assert found.pvalue == read_runs(*converted, on_missing="drop").compare().pvalue
    assert found.n == 14


def test_epochs_are_averaged_exactly(inspect_ai):
    path = inspect("logistic_regression", "tumors-sampled")
    run, samples = read(path), inspect_ai.read_eval_log(str(path)).samples
    assert run.n_repeats == [2] * 6
    for scorer, number in (("includes", NUMBERS.get), ("stated", lambda x: x)):
        for example, mean in zip(run.ids, run.scores[scorer], strict=True):
            values = [number(x.scores[scorer].value) for x in samples if x.id == example]
            if any(x != x for x in values):
                assert mean is None
            else:
                assert mean == sum(Fraction(str(x)) for x in values) / 2
    assert run.scores["stated"].count(None) == 3
    runs = read_runs(path, inspect("naive_bayes", "tumors-sampled"), on_missing="drop")
    assert runs.compare("includes").n == 6
    assert runs.compare("stated").n == 2


VALUES_OF_EPOCHS = {  # of three epochs; C is right
    "right": ["CCC", "CCI", "IIC", "III", "PIC"],
    "numbers": [[1, 0.25, 0.25], [0.5, 2, 1], [0, 0, 0], [0.125, 0.75, 0.5], [1, 1, 0]],
}
REDUCERS = {
    "mean": ("mean_score",),
    "median": ("median_score",),
    "mode": ("mode_score",),
    "max": ("max_score",),
    "at_least_2": ("at_least", 2),
    "pass_at_1": ("pass_at", 1),
    "pass_at_2": ("pass_at", 2),
    "pass_k_2": ("pass_k", 2),
}


@pytest.fixture
def of_epochs(tmp_path, inspect_ai):
    """A log of three epochs whose header names reducers."""

    def write(values, reducers, name="x.json", reductions=None):
        return save(tmp_path / name, inspect_epochs(values, reducers, reductions))

    return write


@pytest.mark.parametrize("kind", VALUES_OF_EPOCHS)
def test_epochs_are_reduced_as_the_log_says(kind, of_epochs):
    """As the reducers of inspect_ai do it; the user picks one of several."""
    from inspect_ai.scorer import Score, _reducer, value_to_float

    values = VALUES_OF_EPOCHS[kind]
    run = read(of_epochs(values, [*REDUCERS]))
    assert [*run.scores] == [f"match[{x}]".removesuffix("[mean]") for x in REDUCERS]
    for name, (reducer, *k) in REDUCERS.items():
        reduce = getattr(_reducer, reducer)(*k)
        wanted = [value_to_float()(reduce([Score(value=x) for x in y]).value) for y in values]
        (alone,) = read(of_epochs(values, [name])).scores.values()
        assert [*map(float, alone)] == pytest.approx(wanted, rel=1e-12)
        assert run.scores[f"match[{name}]".removesuffix("[mean]")] == alone
    assert run.n_repeats == [3] * 5
    assert run.lower_is_better == (dict.fromkeys(run.scores, False) if kind == "right" else {})


def test_the_best_of_five_epochs(of_epochs):
    """Four of five samples are right once, against one that is always: 0.8 against 0.2."""
    one = of_epochs(["CIIII", "ICIII", "IICII", "IIIIC", "IIIII"], ["max"], "one.json")
    two = of_epochs(["CCCCC", *["IIIII"] * 4], ["max"], "two.json")
    for metric in ("match", "match[max]", None):
        found = read_runs(one, two).compare(metric)
        assert (found.score1, found.score2, found.pvalue) == (0.8, 0.2, 0.25)


def test_reducers_that_differ_in_part(of_epochs):
    one, two = (
        of_epochs(["CCI", "III"], x, f"{k}.json") for k, x in enumerate((["max", "mean"], ["mean"]))
    )
    assert read_runs(one, two).metrics == ("match",)


def test_one_epoch_is_its_own_best(of_epochs):
    found = read(of_epochs(["C", "I"], ["max", "mode", "median", "at_least_1"]))
    assert found.scores == {"match": [1, 0], "match[at_least_1]": [1, 0]}


def test_epochs_without_a_score(of_epochs):
    """A missing score is not passed over: `on_missing` says what becomes of the sample."""
    values = [[1, float("nan"), 1], [1, 0, 0]]
    found = read(of_epochs(values, ["max", "at_least_1", "pass_at_4"]))
    assert found.scores == {
        "match[max]": [None, 1],
        "match[at_least_1]": [None, 1],
        "match[pass_at_4]": [None, None],  # of three epochs
    }


def reduction(name, *values):
    samples = [{"sample_id": k, "value": x} for k, x in enumerate(values)]
    return {"scorer": "match", "reducer": name, "samples": samples}


@pytest.mark.parametrize(
    ("name", "stored", "wanted"),
    [
        ("max", None, [1, 0.5]),
        ("at_least_2", [1, 1], [1, 1]),  # of scores of at least 0.25, which its name does not say
        ("pass_at_2", [0.6666666666666667, 0.0], [Fraction(2, 3), 0]),
        ("best/of_mine", [0.25, 7], [0.25, 7]),
    ],
)
def test_reduced_scores_that_the_log_holds(name, stored, wanted, of_epochs):
    reductions = stored and [reduction(name, *stored)]
    found = read(of_epochs([[1, 0.5, 0], [0.5, 0.25, 0]], [name], reductions=reductions))
    assert found.scores == {f"match[{name}]": wanted}


def test_what_a_reducer_collects_is_left_out(of_epochs):
    found = read(of_epochs(["CI"], ["collect"], reductions=[reduction("collect", ["C", "I"])]))
    assert {x: str(y) for x, y in found.left_out.items()} == {"match[collect]": "['C', 'I'] (list)"}


def test_a_leaderboard(inspect_ai):
    files = [inspect(x) for x in SYSTEMS]
    runs = read_folder(*files, on_missing="drop")
    assert [*runs.systems] == [f"mockllm/scikit-learn/{x}" for x in SYSTEMS]
    assert len(runs.leaderboard().to_dict()["pairs"]) == 3


def test_a_folder_has_its_logs_in_both_formats(inspect_ai):
    folder = inspect("naive_bayes").parent
    found = read_runs(folder, inspect("logistic_regression").parent, task="tumors_sampled")
    assert found.task == "tumors_sampled"


@pytest.fixture
def edited(tmp_path, inspect_ai):
    """A log in JSON of which a function has changed the object."""

    def write(change, name="x.json"):
        content = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))
        change(content)
        return save(tmp_path / name, json.dumps(content))

    return write


VALUES = {
    "words": (["C", "P", "I", "N", "yes", "No", "TRUE", "false"], [1, 0.5, 0, 0, 1, 0, 1, 0]),
    "numbers": ([0.25, 3, True, None], [0.25, 3, True, None]),
}


@pytest.mark.parametrize("kind", VALUES)
def test_values(kind, edited):
    values, wanted = VALUES[kind]

    def change(content):
        (sample, *_) = content["samples"]
        score = sample["scores"]["match"]
        content["samples"] = [
            sample | {"id": k, "scores": {"match": score | {"value": x}} if x is not None else {}}
            for k, x in enumerate(values)
        ]

    assert read(edited(change)).scores["match"] == wanted


def test_values_of_several_parts(edited):
    def change(content):
        for k, sample in enumerate(content["samples"]):
            value = {"a": k, "b": "C" if k else "I", "text": "none", "list": 0.5}
            sample["scores"]["match"]["value"] = value
            sample["scores"]["list"] = {"value": [1, 2]}

    run = read(edited(change))
    assert run.scores == {"match.a": [0, 1], "match.b": [0.0, 1.0], "match.list": [0.5, 0.5]}
    left_out = {x: str(y) for x, y in run.left_out.items()}
    assert left_out == {"match.text": "'none' (str)", "list": "[1, 2] (list)"}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93])
@pytest.mark.parametrize("name", ["header.json", "summaries.json", "reductions.json"])
def test_a_directory_that_lies_of_sizes(inspect_ai, tmp_path, method, name):
    """What the members hold is counted, and of samples only if they are read."""
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(inspect("naive_bayes")) as log, zipfile.ZipFile(path, "w", method) as copy:
        for item in log.infolist():
            content = log.read(item)
            is_long = item.filename == name or item.filename.startswith("samples/31")
            copy.writestr(item.filename, content + b" " * 2**20 * is_long)
    content = bytearray(path.read_bytes())
    for place in (x.start() for x in re.finditer(rb"PK\x01\x02", content)):
        content[place + 24 : place + 28] = (100).to_bytes(4, "little")  # of each, it says
    path.write_bytes(content)
    assert len(read_logs("path1", path, ReadOptions(max_bytes=2 * 2**20))[0].ids) == 16
    with pytest.raises(InputError, match=r"x\.eval would take more than 1,048,576 bytes"):
        read_logs("path1", path, ReadOptions(max_bytes=2**20))


def test_without_inspect_ai(monkeypatch):
    """Its format is told without it."""
    for ending in ("eval", "json"):
        assert format_of(TextFile("path1", inspect("naive_bayes", ending=ending))) == "inspect"
        monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
        with pytest.raises(
            ImportError, match='a log of inspect_ai needs inspect_ai: pip install "inspect_ai>=0'
        ):
            read_logs("path1", inspect("naive_bayes", ending=ending), ReadOptions())


def test_documents_that_summaries_cut(inspect_ai, edited):
    """They differ after what a summary holds, and are compared as a whole."""

    def asked(end):
        def change(content):
            for sample in content["samples"]:
                sample["input"] = "x" * 10_000 + end
                sample["messages"] = []

        return change

    one, two, three = (edited(asked(x), f"{k}.json") for k, x in enumerate("aab"))
    assert len(read_runs(one, two).ids) == 2
    with pytest.raises(InputError, match="2 stand for different documents: 31, 32"):
        read_runs(one, three)


def test_choices_that_only_newer_summaries_hold(inspect_ai, edited):
    """Those of before December 2025 lack them: the question and the answer are compared."""

    def chosen(choices):
        return lambda x: [sample.update(choices=choices) for sample in x["samples"]]

    logs = [edited(chosen(x), f"{k}.json") for k, x in enumerate((None, ["a", "b"], ["b", "a"]))]
    assert len(read_runs(logs[0], logs[1]).ids) == 2
    with pytest.raises(InputError, match="2 stand for different documents: 31, 32"):
        read_runs(logs[1], logs[2])


def test_a_run_that_was_repeated_after_a_failure(inspect_ai, edited, tmp_path):
    """In a folder with the log that ended well the other one is left out, with a word."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    edited(lambda x: x.update(status="error"), "a/1.json")
    edited(lambda x: None, "a/2.json")
    edited(lambda x: None, "b/2.json")
    with pytest.warns(
        UserWarning, match=r"left out: `path1`: .*1\.json is of an evaluation that did"
    ):
        assert read_runs(tmp_path / "a", tmp_path / "b").compare().pvalue == 1.0


@pytest.mark.parametrize(("accuracy", "source"), [(0.5, "log"), (0.75, "assumed")])
def test_what_is_reported(accuracy, source, tmp_path):
    """The log holds the results, and the name of the metric is that of the scorer."""
    needs("inspect_ai.log", "inspect")
    content = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))
    for sample, value in zip(content["samples"], "CI", strict=True):
        sample["scores"]["match"]["value"] = value
    content["results"]["scores"][0]["metrics"]["accuracy"]["value"] = accuracy
    paths = [save(tmp_path / f"{x}.json", json.dumps(content)) for x in "ab"]
    assert read_runs(*paths).examples().direction.source == source


@pytest.mark.parametrize("ending", ["eval", "json"])
def test_samples_that_the_log_calls_invalid(ending, inspect_ai, tmp_path):
    """`invalidate_samples` keeps their scores; they are named, or left out."""
    old = inspect("naive_bayes")
    log = inspect_ai.read_eval_log(str(inspect("logistic_regression")))
    ids = [log.samples[k].id for k in (0, 5)]
    uuids = [log.samples[k].uuid for k in (0, 5)]
    why = inspect_ai.ProvenanceData(author="x", reason="the sandbox broke")
    new = tmp_path / f"new.{ending}"
    inspect_ai.write_eval_log(inspect_ai.invalidate_samples(log, uuids, why), str(new))
    told = rf"Affected ids: 2 called invalid by .*new\.{ending}: {ids[0]}, {ids[1]}\. "
    for one, two in ((new, old), (old, new)):
        with pytest.raises(InputError, match=told):
            read_runs(one, two)
    runs = read_runs(new, old, on_missing="drop")
    assert f"left out: 2 called invalid by {new}: {ids[0]}, {ids[1]}" in str(runs)
    whole = read_runs(inspect("logistic_regression"), old)
    assert runs.ids == [x for x in whole.ids if x not in ids]
    assert runs.compare().n == 14


@pytest.mark.parametrize(
    ("values", "is_known"),
    [  # whether the range is known
        ("CCICIN", True),  # what `match`, `includes` and `choice` write
        (["yes", "no", "true", "false", "C", "I"], True),
        ([True, False, True, False, True, False], True),
        ("CCICIP", True),
        ([1, 0, 1, 0, 1, 0.0], False),  # of a range that nothing tells
    ],
)
@pytest.mark.parametrize("part", [None, "format"])
def test_right_and_wrong(values, is_known, part, of_epochs):
    """Under any name, also in a dict; without ½ the intervals are exact."""
    paths = [
        of_epochs([[x if part is None else {part: x}] for x in some], None, f"{k}.json")
        for k, some in enumerate((values, values[::-1]))
    ]
    runs = read_runs(*paths)
    name = "match" if part is None else "match.format"
    is_choice = isinstance(values[0], str)
    known = {name: False} if is_choice else {}
    assert [x.lower_is_better for x in runs.systems.values()] == [known, known]
    wanted = (0.0, 1.0) if is_known else None
    assert runs.examples().metric.score_range == wanted
    if is_known and "P" not in values:
        assert runs.compare().confidence_interval().method == "exact"


def test_minus_one_of_which_no_mean_is_reported(of_epochs):
    """The log has no mean of the scorer: whether -1 is a score is not known."""
    paths = [of_epochs([[-1], [1], [x]], ["mean"], f"{x}.json") for x in (0, 1)]
    found = read_runs(*paths).examples()
    (doubt,) = map(str, found.doubts)
    assert doubt.startswith(f"match is -1 in 1 of 3 examples of {paths[0]} and in 1 of 3 examples ")
    assert doubt.endswith("score, and no reported number tells")
    assert not found.is_reported


def test_correct_throughout_is_an_end_of_the_range(of_epochs):
    """Whether letters are of one epoch or of several: 1 is the most, and no number."""
    for n_epochs in (1, 2):
        paths = [
            of_epochs([[x] * n_epochs for x in some], None, f"{k}.json")
            for k, some in enumerate(("CCCCCCC", "PPPPPNC"))
        ]
        result = read_runs(*paths).compare()
        assert (result.constant, result.n_wins) == (None, 6)
