"""Results of promptfoo 0.121: two providers, three tests that ran twice; one provider failed."""

from fractions import Fraction
from pathlib import Path

import pytest

from corpora.logs import edited, log, save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.promptfoo import read
from pairedperm.readers.text_file import TextFile
from refusals import refuses

RESULTS = log("promptfoo/results.json")


def rows(content):
    return content["results"]["results"]


def of_provider(name, folder):
    """The results of one provider of a file in a file of their own."""

    def keep(content):
        content["results"]["results"] = [x for x in rows(content) if x["provider"]["id"] == name]

    return edited(RESULTS, folder / f"{name}.json", keep)


def test_providers_are_systems():
    """`--repeat` repeats a test under the next index; an error has no score."""
    one, two = read(TextFile("path1", RESULTS))
    assert (one.model, two.model, one.task) == ("one", "two", "")
    assert one.ids == two.ids == [0, 2, 4]
    assert one.n_repeats == two.n_repeats == [2, 2, 2]
    half = Fraction(1, 2)
    assert one.scores == {
        "success": [1, 0, None],
        "score": [1, half, None],
        "right": [1, 0, None],
        "short": [1, 1, None],
    }
    assert two.scores["score"] == [half, 1, 1]
    assert set(two.lower_is_better.values()) == {False}


def test_tests_that_ended_in_another_order(tmp_path):
    path = edited(RESULTS, tmp_path / "x.json", lambda content: rows(content).reverse())
    assert [x.ids for x in read(TextFile("path1", path))] == [[0, 2, 4]] * 2


def test_a_leaderboard_of_one_file():
    board = read_folder(RESULTS, on_missing="drop").leaderboard("success")
    assert board.scores == {"one": 0.5, "two": 0.5}


def test_two_providers_of_one_file():
    """Who may be named in either order."""
    options = {"on_missing": "drop"}
    runs = read_runs(RESULTS, RESULTS, system=["one", "two"], **options)
    assert [*runs.systems] == ["one", "two"]
    assert runs.compare("score").score1 == 0.75
    turned = read_runs(RESULTS, RESULTS, system=("two", "one"), **options)
    assert turned.compare("score").statistic == -runs.compare("score").statistic


def test_one_provider_of_two_files(tmp_path):
    """The same of each, or one of those that a folder has."""
    other = save(tmp_path / "x.json", RESULTS.read_bytes())
    runs = read_runs(RESULTS, other, system="two")
    assert ({x.model for x in runs.systems.values()}, len(runs.ids)) == ({"two"}, 3)
    board = read_folder(RESULTS, other, system=["two"]).leaderboard("score")
    assert [*board.scores.values()] == [5 / 6] * 2


def test_a_file_of_each_provider(tmp_path):
    runs = read_runs(*(of_provider(x, tmp_path) for x in ("one", "two")), on_missing="drop")
    assert runs.compare("short").n == 2


def test_prompts_are_systems(tmp_path):
    """Of one provider, which they are numbered for."""

    def change(content):
        for row in rows(content):
            row["provider"] = {"id": "gpt", "label": "mine"}

    runs = read(TextFile("path1", edited(RESULTS, tmp_path / "x.json", change)))
    assert [x.model for x in runs] == ["mine, prompt 1", "mine, prompt 2"]


@pytest.mark.parametrize("has_grade", [True, False])
def test_errors_of_older_versions(has_grade, tmp_path):
    """Which gave no reason, but no grade either."""

    def change(content):
        for row in rows(content):
            del row["failureReason"]
            if has_grade:
                row["gradingResult"] = {"pass": row["success"]}

    one, _ = read(TextFile("path1", edited(RESULTS, tmp_path / "x.json", change)))
    assert one.scores["success"] == [1, 0, 0 if has_grade else None]


def test_the_same_index_of_another_test(tmp_path):
    def change(content):
        for row in rows(content):
            row["testCase"]["vars"]["city"] += "!" * (row["testIdx"] == 5)

    paths = of_provider("two", tmp_path), edited(RESULTS, tmp_path / "x.json", change)
    two = of_provider("two", tmp_path / "other")
    assert len(read_runs(paths[0], two).ids) == 3
    one, _ = read(TextFile("path1", paths[1]))
    assert one.ids == [0, 2, 4, 5]


def with_another_test_first(content):
    """Every index is one more then."""
    for row in rows(content):
        row["testIdx"] += 1
    first = next(x for x in rows(content) if x["testIdx"] == 1)
    rows(content).append({**first, "testIdx": 0, "testCase": {"vars": {"city": "new"}}})


def test_indices_are_places(tmp_path):
    """A test that was added in front of the others must not pair neighbours."""
    one, two = (of_provider(x, tmp_path) for x in ("one", "two"))
    plain = read_runs(one, two, on_missing="drop")
    other = edited(two, tmp_path / "x.json", with_another_test_first)
    with pytest.raises(InputError) as caught:
        read_runs(one, other)
    assert f"1 not in {one}: '0 of {other}'. Ids are places in these" in str(caught.value)
    assert "matched by document. Run all" in str(caught.value)
    runs = read_runs(one, other, on_missing="drop")
    assert (runs.ids, runs.matching.by) == (["0", "2", "4"], "document")
    assert runs.compare("score") == plain.compare("score")
    again = read_folder(other, one, on_missing="drop")
    assert again.ids == ["1", "3", "5"]


def with_another_city(content):
    """Of the first test."""
    for row in rows(content):
        row["testCase"]["vars"]["city"] += "!" * (row["testIdx"] < 2)


def test_a_test_that_was_changed(tmp_path):
    """The message names it; where no test moved, those of one index may be meant to differ."""
    two = of_provider("two", tmp_path)
    other = edited(two, tmp_path / "x.json", with_another_city)
    with pytest.raises(InputError, match=r"ids: 1 stand for different documents: 0\. If") as caught:
        read_runs(two, other)
    assert "match by id alone, same_documents='id'" in str(caught.value)
    assert read_runs(two, other, same_documents="id").matching.n_documents == 1


def test_a_test_that_was_changed_beside_one_that_was_added(tmp_path):
    """Then to match by index would pair neighbours, and is not advised."""

    def change(content):
        with_another_city(content)
        with_another_test_first(content)

    two = of_provider("two", tmp_path)
    with pytest.raises(InputError, match=r"1 not in .*; 1 stand for") as caught:
        read_runs(two, edited(two, tmp_path / "x.json", change))
    assert "same_documents" not in str(caught.value)


def without_the_first(content):
    """Without the first test of one provider."""
    is_kept = {("two", 0): False, ("two", 1): False}
    content["results"]["results"] = [
        x for x in rows(content) if is_kept.get((x["provider"]["id"], x["testIdx"]), True)
    ]


def changed_row(**entries):
    def change(content):
        rows(content)[1].update(entries)

    return read_runs(edited(RESULTS, Path("x.json"), change), RESULTS)


@refuses
def test_refusals():
    changed_row(testIdx=None)
    # -> `path1` … x.json has no provider, testIdx and promptIdx in row 2 of its results. Give the
    changed_row(provider={"id": ""})
    # -> `path1` … has no provider, testIdx and promptIdx in row 2
    read_folder(RESULTS).leaderboard("success")
    # -> not all examples are scored … 1 without success in … results.json of one: 4
    read_folder(edited(RESULTS, Path("x.json"), without_the_first))
    # -> the runs do not hold the same examples … 1 not in x.json of two: 0. Run all systems
    read_runs(RESULTS, of_provider("two", Path()))
    # -> `path1` holds 2 runs: … results.json of one, … results.json of two. Name the file of one …
    #    Or name the system, system='one'.
    read_runs(RESULTS, RESULTS, system=["one", "twp"])
    # -> `system` must be one of those in `path2`, 'one', 'two', got 'twp' … Did you mean 'two'?
    read_folder(RESULTS, system="three")
    # -> `system` must be one of those in `paths`, 'one', 'two', got 'three'
    read_runs(RESULTS, RESULTS, system=["one", "two", "two"])
    # -> `system` must be one name, or two, got ['one', 'two', 'two']
