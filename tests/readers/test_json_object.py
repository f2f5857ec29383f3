"""Logs that are one JSON object, of which anything may be missing or another kind of value."""

import json
from contextlib import suppress
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.logs import log, save
from pairedperm import InputError
from pairedperm.readers import read_folder
from pairedperm.readers.formats import logs_in
from properties import cases


def told(pattern):
    return json.loads(log(pattern).read_text("utf-8"))


_TRIAL = {"task_id": "a", "is_resolved": True}
_EPISODE = {"episode_ix": 0, "sum_reward": 1.5, "max_reward": 1.0, "success": True, "seed": 1}
_LISTS = {"sum_rewards": [1.5, 0.0], "max_rewards": [1.0, 0.0], "successes": [True, False]}
LOGS = {
    "promptfoo": told("promptfoo/*"),
    "deepeval": told("deepeval/*"),
    "swe_bench": told("swe_bench/*a.first.json"),
    "swe_bench, one": {"x": {"patch_is_None": False, "resolved": True}},
    "harbor": told("harbor/*"),
    "harbor, before": {"id": "1", "results": [_TRIAL, _TRIAL | {"task_id": "b"}]},
    "lerobot": {"per_task": [{"task_group": "a", "task_id": 0, "metrics": _LISTS}]},
    "lerobot, before": {"per_episode": [_EPISODE, _EPISODE | {"seed": 2}]},
}
JUNK = (None, True, 0, -1, 3.5, "", "x", {}, [], [1], {"a": 1}, float("nan"), float("inf"))


def places(value, path=()):
    """The places of all that is nested in a value."""
    pairs = enumerate(value) if isinstance(value, list) else ()
    for key, inner in value.items() if isinstance(value, dict) else pairs:
        yield (*path, key)
        yield from places(inner, (*path, key))


@pytest.mark.parametrize("name", LOGS)
@cases(0.1)
@given(data=st.data())
def test_changed_logs_are_read_or_refused(name, data, tmp_path_factory):
    content = json.loads(json.dumps(LOGS[name]))
    *path, last = data.draw(st.sampled_from([*places(content)]))
    holder = content
    for key in path:
        holder = holder[key]
    if data.draw(st.booleans()):
        holder[last] = data.draw(st.sampled_from(JUNK))
    else:
        del holder[last]
    folder = tmp_path_factory.mktemp("logs")
    paths = [
        save(folder / f"{x}.json", json.dumps(y)) for x, y in (("a", LOGS[name]), ("b", content))
    ]
    with suppress(InputError):
        assert read_folder(*paths, on_missing="drop", format=name.partition(",")[0]).ids


def test_files_that_others_may_not_read(tmp_path, put):
    """As programs leave in a folder: if they are called neither JSON nor a table."""
    kept = put("a.csv", "id,score\n1,1")
    put("secret", "x")
    with patch("pathlib.Path.open", side_effect=PermissionError(13, "Permission denied")):
        assert logs_in("path1", tmp_path) == [kept]
