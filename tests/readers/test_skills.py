"""The `benchmark.json` of evaluations of agent skills: each configuration is a system."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from pairedperm import InputError
from pairedperm.readers import read_folder, read_runs


def run(eval_id, configuration, number, passed, seconds, tokens):
    return {
        "eval_id": eval_id,
        "eval_name": f"eval {eval_id}",
        "configuration": configuration,
        "run_number": number,
        "result": {
            "pass_rate": round(passed / 7, 2),
            "passed": passed,
            "failed": 7 - passed,
            "total": 7,
            "time_seconds": seconds,
            "tokens": tokens,
            "tool_calls": 18,
            "errors": 0,
        },
        "expectations": [{"text": "It is done.", "passed": True, "evidence": "…"}],
        "notes": ["Used older data"],
    }


RUNS = [
    run(
        k,
        configuration,
        number,
        6 - (k % 2) - 3 * (configuration == "without_skill"),
        40.5 + k,
        3800,
    )
    for k in range(1, 9)
    for configuration in ("with_skill", "without_skill")
    for number in (1, 2, 3)
]


def benchmark(path, runs=RUNS):
    metadata = {"skill_name": "pdf", "evals_run": [1, 2], "runs_per_configuration": 3}
    summary = {"with_skill": {"pass_rate": {"mean": 0.85}}, "delta": {"pass_rate": "+0.50"}}
    held = {"metadata": metadata, "runs": runs, "run_summary": summary, "notes": []}
    path.write_text(json.dumps(held, indent=2), "utf-8")
    return path


def test_configurations_are_systems(tmp_path):
    path = benchmark(tmp_path / "benchmark.json")
    runs = read_folder(tmp_path)
    assert [*runs.systems] == ["with_skill", "without_skill"]
    assert runs.ids == [*range(1, 9)]
    found = runs.compare("pass_rate")
    assert found.score1 > found.score2
    assert found.pvalue == 2**-7
    both = read_runs(path, path, system=["with_skill", "without_skill"])
    assert both.compare("pass_rate").to_dict() == found.to_dict()


def test_runs_are_repeats_with_an_exact_mean(tmp_path):
    some = [run(1, x, k, k, 1.0, 10) for x in ("with_skill", "without_skill") for k in (1, 2, 4)]
    some += [run(2, x, k, 7, 1.0, 10) for x in ("with_skill", "without_skill") for k in (1, 2, 4)]
    benchmark(tmp_path / "benchmark.json", some)
    system = read_folder(tmp_path).systems["with_skill"]
    assert system.scores["pass_rate"][0] == Fraction(14 + 29 + 57, 300)


def test_directions(tmp_path):
    """More passed is better; less time and fewer tokens are."""
    benchmark(tmp_path / "benchmark.json")
    runs = read_folder(tmp_path)
    assert not runs.compare("pass_rate").lower_is_better
    assert runs.compare("time_seconds").lower_is_better
    assert runs.compare("tokens").lower_is_better


def test_another_evaluation_under_an_id(tmp_path):
    changed = [dict(x) for x in RUNS]
    for x in changed:
        if x["eval_id"] == 2 and x["configuration"] == "without_skill":
            x["eval_name"] = "another"
    benchmark(tmp_path / "benchmark.json", changed)
    with pytest.raises(InputError, match="stand for different documents: 2"):
        read_folder(tmp_path).compare("pass_rate")


def test_a_missing_key(tmp_path):
    broken = [dict(x) for x in RUNS]
    del broken[2]["result"]
    benchmark(tmp_path / "benchmark.json", broken)
    with pytest.raises(InputError, match=r"row 3 has no 'result', and is not as skill-creator"):
        read_folder(tmp_path)


def test_it_is_recognised_by_what_it_holds(tmp_path):
    """Whatever its name is; another JSON file with runs is none."""
    path = benchmark(tmp_path / "iteration-2.json")
    assert read_folder(tmp_path).systems["with_skill"].format == "skills"
    (tmp_path / "other.json").write_text(json.dumps({"metadata": {}, "runs": [1]}), "utf-8")
    assert len(read_folder(tmp_path).systems) == 2
    assert Path(path).exists()
