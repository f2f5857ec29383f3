"""The reader of ``eval_info.json``, in which LeRobot tells the success of each episode."""

from __future__ import annotations

from itertools import zip_longest

from pairedperm.errors import first_of, shown
from pairedperm.readers.collector import Collector, LogFormat
from pairedperm.readers.run import Run
from pairedperm.readers.text_file import Signs, TextFile, list_at, list_in

_LEROBOT_SIGNS = Signs(json=r'("[^"]*":\{)?"per_(task|episode)":\[')  # or one object deeper
_COLUMNS = {"success": "successes", "sum_reward": "sum_rewards", "max_reward": "max_rewards"}


def _read_lerobot(file: TextFile) -> list[Run]:
    """Return the run of each suite of a log, or of the one environment of an old log.

    The id of an episode is its seed. Later logs do not tell seeds: the id is the environment and
    the number of the episode there, whose seed is that number more than the first.

    Raises
    ------
    InputError
        If the log cannot be read, or lacks its lists; if its episodes had no seed; if it holds
        several results.
    """
    log = file.whole_object()
    if not {"per_task", "per_episode"} & log.keys():
        inner = {x: y for x, y in log.items() if isinstance(y, dict)}
        if len(inner) > 1:
            what = f"holds several results, {first_of([*map(shown, inner)])}"
            raise file.error(what, remedy="Give a file of each.")
        log = next(iter(inner.values()), log)
    collected: dict[str, Collector] = {}
    if "per_episode" in log:
        run = collected.setdefault("", Collector(file, LEROBOT.name))
        for episode in list_at(file, log, "per_episode"):
            if type(episode.get("seed")) is not int:
                what = "has episodes without a seed, which no other log shares"
                raise file.error(what, remedy="Evaluate both policies with the same --seed.")
            run.add(episode["seed"], None, [(x, episode.get(x)) for x in _COLUMNS])
    else:
        for task in list_at(file, log, "per_task"):
            run = collected.setdefault(
                str(task.get("task_group") or ""), Collector(file, LEROBOT.name)
            )
            columns = [list_in(task, "metrics", x) for x in _COLUMNS.values()]
            for number, scores in enumerate(zip_longest(*columns)):
                example = f"{task.get('task_id')}/{number}"
                run.add(example, None, zip(_COLUMNS, scores, strict=True))
    higher = dict.fromkeys(_COLUMNS, False)
    return [run.run(task=suite, lower_is_better=higher) for suite, run in collected.items()]


LEROBOT = LogFormat("lerobot", _LEROBOT_SIGNS, _read_lerobot)
