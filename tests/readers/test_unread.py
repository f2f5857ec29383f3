"""Files beside logs, by the starts that their tools write."""

from unittest.mock import patch

import pytest

from corpora.logs import save
from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs

ROWS = [{"id": k, "score": k % 2} for k in range(4)]
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:11\nsize 42\n"
HELM = '[{"instance_id": "id1", "train_trial_index": 0, "stats": []}]'
UNREAD = {
    "x.json": [
        (
            '{"schema_version": "0.2", "evaluation_id": "a", "retrieved_timestamp": "1"',
            "Every Eval",
        ),
        (
            '{"schema_version": "0.3", "evaluation_id": "a", "evaluation_timestamp": "1"',
            "Every Eval",
        ),
        ('{\n "version": 1,\n "results": [', "old version of promptfoo"),
        ('{"results": {"version": 2, "results": [', "old version of promptfoo"),
        ('{"testRunLink": "https://', "a link to a test run of DeepEval"),
        ('{"id": "1", "started_at": "2026", "n_total_trials": 20', "averages of a run of Harbor"),
        ('{"id": "1", "trial_name": "a.1-of-5"', "one trial of Terminal-Bench"),
        ('{"trial_name": "a.1-of-5"', "one trial of Terminal-Bench"),
    ],
    "x.txt": [
        ("301 Q0 FR94 104 2.1 STANDARD\n", "rankings"),
        ("301\t0\tCR93\t0\r\n", "judgements"),
    ],
    "results_2026.json": [
        ('{"results": {}, "n-samples": {}}', "averages of lm-evaluation-harness")
    ],
}


@pytest.mark.parametrize(
    ("name", "content", "words"), [(name, *x) for name, some in UNREAD.items() for x in some]
)
def test_files_that_are_no_logs(name, content, words, tmp_path):
    """They are named where no log is found; beside logs they are left alone."""
    one, two = (save(tmp_path / f"{x}.jsonl", ROWS) for x in "ab")
    (tmp_path / "of_other").mkdir()
    path = save(tmp_path / "of_other" / name, content)
    for given in (path, path.parent):
        with pytest.raises(
            InputError, match=f"`path1`: .*{name} (is|has) .*{words}.*(Give|Eval|Run|Set)"
        ):
            read_runs(given, one)
    assert [*read_folder(tmp_path).systems] == [one.stem, two.stem]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        *(
            (f"x.{x}", LFS, r"is a pointer of Git LFS.*git lfs pull")
            for x in ("jsonl", "csv", "eval")
        ),
        ("per_instance_stats.json", HELM, "is a log of HELM.*Convert the run with Every Eval Ever"),
    ],
)
def test_files_that_are_called_logs(name, content, words, tmp_path):
    path, table = save(tmp_path / name, content), save(tmp_path / "a.jsonl", ROWS)
    with pytest.raises(InputError, match=words):
        read_runs(path, table)


def test_a_file_that_others_may_not_read(tmp_path):
    save(tmp_path / "x.txt", "secret")
    closed = patch("pathlib.Path.open", side_effect=PermissionError(13, "Permission denied"))
    with closed, pytest.raises(InputError, match="no log was found"):
        read_folder(tmp_path)
