"""Results of LeRobot, by the layouts of `lerobot_eval.py` of version 0.6 and of those before."""

import json
from pathlib import Path

from corpora.logs import save
from pairedperm.readers import read_folder, read_runs
from pairedperm.readers.lerobot import read
from pairedperm.readers.read import read_tasks
from pairedperm.readers.read_options import ReadOptions
from pairedperm.readers.text_file import TextFile
from refusals import refuses


def suite(group, number, successes):
    rewards = [float(x) for x in successes]
    metrics = {"sum_rewards": rewards, "max_rewards": rewards, "successes": successes}
    return {"task_group": group, "task_id": number, "metrics": metrics | {"video_paths": []}}


def episodes(*seeds, **more):
    return [
        {"episode_ix": k, "sum_reward": 2.5, "max_reward": 1.0, "success": k > 0, "seed": x} | more
        for k, x in enumerate(seeds)
    ]


def written(folder, **content):
    folder.mkdir(parents=True, exist_ok=True)
    return save(folder / "eval_info.json", json.dumps(content, indent=2))


def test_episodes_of_the_environments_of_a_suite(tmp_path):
    """Suites are tasks; the policies are told apart by their folders."""
    first, last = suite("libero_goal", 0, [True, False]), suite("libero_10", 3, [True])
    paths = [
        written(tmp_path / x, per_task=[first, suite("libero_goal", 1, [x == "act"]), last])
        for x in ("act", "smolvla")
    ]
    goal, ten = read(TextFile("path1", paths[0]))
    assert (goal.task, goal.ids, ten.ids) == ("libero_goal", ["0/0", "0/1", "1/0"], ["3/0"])
    assert goal.scores == {
        "success": [True, False, True],
        "sum_reward": [1.0, 0.0, 1.0],
        "max_reward": [1.0, 0.0, 1.0],
    }
    runs = read_runs(*paths, task="libero_goal")
    assert [*runs.systems] == ["act", "smolvla"]
    result = runs.compare("success")
    assert (result.n, result.n_wins, result.n_losses) == (3, 1, 0)
    metric = runs.examples("success").metric
    assert (metric.lower_is_better, metric.score_range) == (False, (0, 1))
    assert [*read_tasks(*paths, ReadOptions())] == ["libero_goal", "libero_10"]


def test_seeds_of_older_logs(tmp_path):
    """Episodes of both are those with the same seed; a missing reward is no 0."""
    one = written(tmp_path / "a", per_episode=episodes(1000, 1001, 1002), aggregated={})
    two = written(tmp_path / "b", per_episode=episodes(1001, 1002, 1003, sum_reward=None))
    runs = read_folder(one, two, on_missing="drop")
    assert runs.ids == [1001, 1002]
    assert runs.systems["b"].left_out == {"sum_reward": "only null or NaN"}


def test_results_in_an_object_around_them(tmp_path):
    plain = written(tmp_path / "a", per_task=[suite("libero_goal", 0, [True, False])])
    around = written(tmp_path / "b", eval_results_400=json.loads(plain.read_text("utf-8")))
    runs = read_runs(plain, around)
    assert (runs.ids, runs.compare("success").n_differing) == (["0/0", "0/1"], 0)


@refuses
def test_refusals():
    read_runs(*[written(Path(x), one={"per_task": []}, two={"per_task": []}) for x in "ab"])
    # -> `path1` … holds several results, 'one', 'two'. Give a file of each.
    read_runs(*[written(Path(x), per_episode=episodes(None)) for x in "ab"])
    # -> `path1` … has episodes without a seed … Evaluate both policies with the same --seed.
    read_runs(*[written(Path(x), per_task=[3]) for x in "ab"])
    # -> `path1` … eval_info.json has no list of objects under per_task, but … Give the file as
