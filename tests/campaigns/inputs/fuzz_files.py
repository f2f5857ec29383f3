"""The grammar of logs: read, matched by id, compared, and decided on."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from campaigns.inputs.fuzz_call import Call, build
from campaigns.inputs.hostile import Slot, anything, one_of, option
from pairedperm import InputError, gate
from pairedperm.readers import read_runs

_VALUES = ("0", "1", "0.5", "0.25", "true", "null", "NaN", "1e400", "-0.0", '"x"', "[1]", "{}")
_IDS = ("0", "1", '"1"', "1.0", "null", "true", '""', '"\u0000"', "[]", "10000000000000000000000")
_ENDINGS = ("jsonl", "csv", "tsv", "parquet", "json", "eval", "txt", "JSONL", "")
_FORMATS = ("lm_eval", "every_eval_ever", "inspect", "csv", "jsonl", "parquet")
_SPOILS = (
    lambda rng, x: x[: rng.randrange(len(x) + 1)],
    lambda rng, x: x + x[rng.randrange(len(x)) :] if x else x,
    lambda rng, x: x.replace("\n", "\r\n"),
    lambda rng, x: x.replace("\n", "\n\n"),
    lambda rng, x: x.replace("id", rng.choice(("ID", "i d", "score", ""))),
    lambda rng, x: "".join(rng.sample(x.splitlines(True), len(x.splitlines(True)))),
    lambda rng, x: x[: (k := rng.randrange(len(x) + 1))] + rng.choice('\0"{[,\ud800\ufeff') + x[k:],
)


def decided(text1: str, text2: str, ending: str = "jsonl", **options: Any) -> Any:
    """The result of two logs with these contents, of the first metric that has an answer."""
    paths = []
    for number, text in enumerate((text1, text2)):
        path = Path(f"file{number}.{ending}" if ending else f"file{number}")
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        paths.append(path)
    metric = options.pop("metric", None)
    runs = read_runs(*paths, **options)
    assert "None" not in str(runs)
    assert [*runs.ids] == sorted(runs.ids)
    refusal = None
    for name in (metric,) if metric is not None else runs.metrics:
        try:
            result = runs.compare(name, rng=0)
        except InputError as error:
            refusal = error
            continue
        found = gate(result)
        json.dumps(found.to_dict(), allow_nan=False).encode()
        assert found.passed == (found.exit_code == 0)
        assert found.to_markdown()
        return result
    if refusal is not None:
        raise refusal
    return str(runs)


def _cell(text: str) -> str:
    return text if text.isalnum() else json.dumps(text.strip('"'))


def _log(rng: Random, kind: str, n: int) -> str:
    """A log of n examples, in an order of its own."""
    lines = []
    for k in rng.sample(range(n), n):
        score = rng.choice(_VALUES[:4])
        if kind == "jsonl":
            lines.append(f'{{"id": {k}, "score": {score}, "prediction": "a", "reference": "b"}}')
        elif kind == "lm_eval":
            lines.append(
                f'{{"doc_id": {k}, "resps": [], "filter": "none", "metrics": ["acc"], '
                f'"doc_hash": "{k}", "target_hash": "t", "acc": {score}}}'
            )
        elif kind == "every_eval_ever":
            lines.append(
                f'{{"schema_version": "0.3.0", "sample_id": "{k}", "model_id": "m", '
                f'"evaluation_name": "e", "evaluation": {{"score": {score}}}, '
                f'"sample_hash": "{k}"}}'
            )
        else:
            lines.append(("\t" if kind == "tsv" else ",").join((str(k), score, "a", "b")))
    if kind in ("csv", "tsv"):
        lines.insert(
            0, ("\t" if kind == "tsv" else ",").join(("id", "score", "prediction", "reference"))
        )
    return "\n".join(lines) + rng.choice(("", "\n"))


def _log_slot(rng: Random, text: str) -> Slot:
    def hostile(rng: Random) -> str:
        if rng.random() < 0.1:
            return repr(anything(rng))
        spoiled = text
        if rng.random() < 0.4:
            old, new = rng.choice((_VALUES[:4], _IDS[:2])), rng.choice((*_VALUES, *_IDS))
            spoiled = text.replace(f": {rng.choice(old)}", f": {new}", rng.choice((1, -1)))
        return repr(rng.choice(_SPOILS)(rng, spoiled))

    return Slot("", repr(text), hostile)


def logs(rng: Random) -> Call:
    kind = rng.choice(("jsonl", "csv", "tsv", "lm_eval", "every_eval_ever"))
    n = rng.choice((1, 2, 3, 5, 12))
    ending = kind if kind in ("csv", "tsv") else "jsonl"
    slots = [_log_slot(rng, _log(rng, kind, n)) for _ in range(2)]
    slots.append(one_of("ending", repr(ending), tuple(map(repr, _ENDINGS))))
    if rng.random() < 0.3:
        slots.append(option("on_missing", "'drop'", also=("'x'", "None", "3")))
    if rng.random() < 0.2:
        slots.append(option("format", "None", also=tuple(map(repr, (*_FORMATS, "x")))))
    if rng.random() < 0.2:
        slots.append(option("repeats", "True", also=("1",)))
    if rng.random() < 0.2:
        slots.append(option("score", "('score', 'id')", also=("()", "3", "''", "['x']")))
    if rng.random() < 0.2:
        also = ("'f_1'", "3", "F1()", "'mean_score'", "['accuracy']")
        slots.append(option("metric", "'accuracy'", also=also))
    return build(rng, "decided", slots)


def commands(rng: Random) -> Call:
    """A command line on two files."""
    n = rng.choice((1, 3, 8))
    one, two = (f"file({_log(rng, 'jsonl', n).encode()!r}, ending='jsonl')" for _ in range(2))
    words = rng.choice(
        (
            f"'compare', {one}, {two}",
            f"'gate', {one}, '--baseline', {two}, '--margin', '0.1'",
            f"'gate', {one}, '--baseline', {two}, '--require', 'better', '--json'",
            f"'bootstrap', {one}, {two}, '--markdown'",
            f"'leaderboard', {one}, {two}",
            f"'power', {one}, {two}, '--on-missing', 'drop'",
            "'power', '--wins', '0.2', '--losses', '0.1', '-n', '30'",
        )
    )
    also = (
        "'--metric', 'accuracy'",
        "'--metric', ''",
        "'-o', 'k=1'",
        "'--alpha', '2'",
        "'--id', 'x'",
    )
    others = (*also, "'--seed', '-1'", "'--score', ''", "'--format', 'csv'", "'--task', '\\ud800'")
    wrong = tuple(f"[{words}, {x}]" for x in others)
    return build(rng, "main", [one_of("", f"[{words}]", wrong)])


GRAMMARS = {logs: 8, commands: 2}
