"""What commands say of arguments and files that they refuse, where others have the words.

Their own words are in `words.txt`.
"""

import sys

import pytest

from commands.files import GATED, TEXTS, asked
from commands.said import in_shell, made, there
from corpora.logs import SYSTEMS, inspect

ROWS = [  # click's words, which differ with its version
    ("xyz", "No such command 'xyz'. Try 'pairedperm --help'."),
    ("bootstrap text1.jsonl text2.jsonl --constant system", "No such option … --constant"),
    (f"{TEXTS} --format conll", "Invalid value for '--format': 'conll' is not one of 'jsonl', "),
    (
        f"{GATED} --margin 1e",
        "Invalid value for '--margin': '1e' is neither a number nor a share, 2%. Try",
    ),
    ("gate new.jsonl low.jsonl --baseline old.jsonl", "2 candidates and one baseline: repeat"),
    (f"{GATED} --seed -1", "Invalid value for '--seed': -1 is not in"),
    # Python's words, and the system's
    ("gate bad.jsonl --baseline old.jsonl", "CANDIDATE: bad.jsonl, line 2: is no JSON"),
    (f"{GATED} --markdown no/such/report.md", "no/such/report.md cannot be written: "),
    # Lists that grow
    (f"{TEXTS} --metric nope", "`--metric` must be one of 'accuracy', … got 'nope'."),
    (
        f"{TEXTS} --metric mse",
        "`--metric` must be one of … compute these, and compare them with …",
    ),
    (f"{TEXTS} --metric accuracy -o average=macro", "`-o average` is no option … ('precision', "),
    ("gate new.jsonl --baseline empty", "`--baseline`: no log was found in empty. It is empty."),
    ("gate x.foo --baseline old.jsonl", "CANDIDATE: x.foo is of no known format … --format …"),
]


@pytest.mark.parametrize(("line", "said"), ROWS)
def test_refusals(line, said):
    """Nothing is written."""
    before = there()
    with in_shell(made().name):
        asked(line, f"2 error: {said}")
    assert there() == before


def test_a_reader_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    one, two = (inspect(x).as_posix() for x in SYSTEMS[1:])
    asked(f"gate {one} --baseline {two}", "2 error: … pip install")
