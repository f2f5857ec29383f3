"""`pairedperm leaderboard`: a reported average, and names that Markdown would read."""

import pytest

from commands.files import TASKS, asked, write_tasks
from corpora.logs import lm_eval_groups


@pytest.mark.parametrize(("is_by_size", "weights"), [(True, "size"), (False, "equal")])
def test_a_reported_average(here, found, is_by_size, weights):
    """One that other weights make is told, with those that the harness may have meant."""
    scores = {"g_a": [1, 0, 1, 1], "g_b": [0, 1]}
    of_systems = {"x": scores, "y": {task: [1 - x for x in y] for task, y in scores.items()}}
    for name, own in of_systems.items():
        lm_eval_groups(here / name, own, {"g": [*scores]}, is_by_size)
    line = "leaderboard x y --metric acc --weights"
    assert found(f"{line} {weights}")["matching"][-1].startswith("average w")
    (other,) = {"size", "equal"} - {weights}
    told = found(f"{line} {other}")["matching"][-2:]
    assert [x.partition(" of ")[0] for x in told] == [
        f"group 'g': 0.{x} is reported"
        for x in (("666667", "333333") if is_by_size else ("625", "375"))
    ]
    assert all(x.endswith(f"; weigh them otherwise, --weights {weights}") for x in told)


def test_tasks_are_text_in_markdown(here):
    write_tasks({"`a`": TASKS["a"], "two": TASKS["b"]})
    asked("leaderboard tasks --markdown", "0 ## \\`a\\` | system")


def test_what_is_left_out_stands_in_the_json_of_the_first(here, found):
    write_tasks(dict.fromkeys(("one", "three"), TASKS["a"]), "acc7")
    write_tasks(dict.fromkeys(("five", "four"), TASKS["a"]))
    boards = found("leaderboard tasks --metric acc")
    assert [x["task"] for x in boards] == ["five", "four"]
    assert [sum("left out" in x for x in y["matching"]) for y in boards] == [2, 0]
