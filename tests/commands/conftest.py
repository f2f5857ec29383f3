"""The command line, called in this process, in a folder with some logs."""

import json
import re

import pytest

from pairedperm.__main__ import main

SPELLING = re.compile(  # Python's, which a shell has not
    r"`(?!-)[a-z_]\w*`|(?<!-o )(?<![\w-])[a-z_]\w*=|\bnp\.|numpy|pairedperm\.\w|\brng\b"
    r"|(?<!-)\b(?:path|predictions|counts|scores|name)[12]\b|evaluate\.load|compare_dataset|\w\("
    r"|(?<!=)\b(?:True|False)\b"
    r"|\((?:int|float|str|bool|list|tuple|dict|NoneType)\)"
)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder of its own, a terminal of 80 columns, and no summary of GitHub's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return tmp_path


@pytest.fixture
def said(capsys):
    """What a command prints; its exit code and its warnings are as told."""

    def run(*arguments, code=0, err=""):
        assert main([*map(str, arguments)]) == code
        out, warned = capsys.readouterr()
        assert warned == err
        return out

    return run


@pytest.fixture
def found(said):
    """What a command prints as JSON: results, each with its version as the last key."""

    def run(command, *arguments, **expected):
        text = said(command, *arguments, "--json", **expected)
        found = json.loads(text, parse_constant=pytest.fail)
        for one in found if isinstance(found, list) else [found]:
            assert list(one)[-1] == "schema_version"
        return found

    return run


@pytest.fixture
def refused(capsys):
    """What a command says of arguments that it refuses: one line on stderr, and nothing else."""

    def run(*arguments):
        assert main([*map(str, arguments)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("error: ")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        return err.removeprefix("error: ").removesuffix("\n")

    return run


@pytest.fixture
def refused_in_words(refused):
    """The same, in the words of a shell."""

    def run(*arguments):
        said = refused(*arguments)
        assert SPELLING.search(said) is None
        return said

    return run


@pytest.fixture
def refusal_names(here, refused, refused_in_words):
    """A refusal begins with the first piece, and names the others in this order.

    Nothing is written.
    """

    def run(arguments, first, *others, in_words=True):
        before = {x: x.is_file() and x.read_bytes() for x in here.rglob("*")}
        said = (refused_in_words if in_words else refused)(*arguments).replace("\\", "/")
        assert {x: x.is_file() and x.read_bytes() for x in here.rglob("*")} == before
        assert said.startswith(first)
        at = len(first)
        for piece in others:
            found = said.find(piece, at)
            assert found >= 0, f"{piece!r} is not in the rest of {said!r}"
            at = found + len(piece)

    return run


def table(columns):
    """JSON Lines of columns by name; ids are numbers unless they are given."""
    columns = {"id": range(len(next(iter(columns.values())))), **columns}
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.fixture
def write(here):
    """Write a table of columns by name."""

    def write_table(name, **columns):
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(table(columns), "utf-8")

    return write_table


RIGHT = [*"abcab"] * 4
ANSWERS = [*"abcaa"] * 4, [*"abbba"] * 4
NUMBERS = {"a": 0, "b": 1, "c": 2}
TABLES = {  # of labels the new system gains 2 and loses 8 of 100
    "new": {"score": [1] * 82 + [0] * 8 + [1] * 2 + [0] * 8},
    "old": {"score": [1] * 90 + [0] * 10},
    "low": {"score": [1] * 82 + [0] * 18},
    "text1": {"prediction": ANSWERS[0], "reference": RIGHT},
    "text2": {"prediction": ANSWERS[1], "reference": RIGHT},
    "plain1": {"prediction": ANSWERS[0]},
    "plain2": {"prediction": ANSWERS[1]},
    "right": {"reference": RIGHT},
    **{
        f"int{k}": {
            "prediction": [NUMBERS[x] for x in answers],
            "reference": [NUMBERS[x] for x in RIGHT],
        }
        for k, answers in enumerate(ANSWERS, 1)
    },
    "two1": {"acc": [1, 1, 1, 0, 1, 1, 1, 1, 0, 1], "loss": [x / 10 for x in range(1, 11)]},
    "two2": {"acc": [1, 0, 0, 0, 1, 0, 0, 0, 0, 1], "loss": [x / 10 for x in range(2, 12)]},
    "wer1": {"wer": [0.1, 0.2, 0.3] * 10},
    "wer2": {"wer": [0.2, 0.25, 0.5] * 10},
    "one1": {"score": [1]},
    "one2": {"score": [0]},
    "real1": {"score": [k * k % 11 / 10 for k in range(30)]},
    "real2": {"score": [k * 3 % 7 / 10 for k in range(30)]},
}
TEXTS = {name: table(columns) for name, columns in TABLES.items()}


@pytest.fixture
def logs(here):
    """Logs of several kinds, each of two systems."""
    for name, text in TEXTS.items():
        (here / f"{name}.jsonl").write_text(text, "utf-8")
