"""What `pairedperm verify` says of files that are no tables of counts, and of altered ones."""

import json
import shlex
from pathlib import Path

import pytest

from corpora.pilots import labels
from corpora.published import sealed
from pairedperm import compare, publish

TABLE = json.loads(json.dumps(publish(compare(*labels(5, 1, 10)))))
RESULT = TABLE["result"]
OTHER = "0" * 64
METHODS = "one of 'exact', 'dp', 'fft', 'enumeration', 'bracket', 'monte_carlo'"


def stating(**others):
    return TABLE | {"result": RESULT | others}


def lacking(name):
    return TABLE | {"result": {key: x for key, x in RESULT.items() if key != name}}


ARGUMENTS = [
    ("", "Missing argument 'TABLE'. Try 'pairedperm verify --help'."),
    ("a b", "Got unexpected extra argument (b). Try 'pairedperm verify --help'."),
    ("none.json", "TABLE, 'none.json', cannot be read: No such file or directory."),
    (".", "TABLE, '.', cannot be read: "),
    ("c.json --sha256", "Option '--sha256' requires an argument. Try 'pairedperm verify"),
    ("c.json --sha256 a", "`--sha256` must be 64 hexadecimal digits, as a"),
    (
        f"c.json --sha256 {OTHER}",
        f"TABLE was altered: the SHA-256 of its table is {TABLE['sha256']}, and not '{OTHER}'. "
        "Ask for the table anew.",
    ),
]

CONTENTS = [  # of the file
    *(
        (content, f"TABLE, 'c.json', {said}")
        for content, said in (
            ("", "cannot be read: Expecting value"),
            ("# A model", "cannot be read: Expecting value"),
            ('{"a": 1}\n{"a": 2}\n', "cannot be read: Extra data"),
            (b"\xff\xfe{}", "cannot be read: "),
            ("[" * 10**5, "cannot be read: "),
            ('{"version": ' + "9" * 5000 + "}", "cannot be read: "),
            (stating(score1=float("nan")), "cannot be read: NaN is no number of JSON"),
            ([1], "must hold a JSON object, got [1]."),
            (None, "must hold a JSON object, got None."),
        )
    ),
    (
        sealed(TABLE | {"format": "x"}),
        "TABLE must be a table of the format 'pairedperm counts', as ",
    ),
    (
        sealed(TABLE | {"version": 9}),
        "the counts of TABLE have the version 9, and this release reads 1 and 2.",
    ),
    (
        sealed(TABLE | {"rows1": [0, 1]}),
        "the counts of TABLE are damaged: `rows1` must be as many, and as ",
    ),
    (
        TABLE | {"multiplicities": [9, *TABLE["multiplicities"][1:]]},
        "the counts of TABLE were altered: the SHA-256 of",
    ),
    *(
        (lacking(name), f"`result` lacks '{name}': it must be what ")
        for name in ("alternative", "method", "n", "p", "log_p_high", "metric")
    ),
    (stating(score2=None), "`result`['score2'] must be a number below 1e300 in size, got None."),
    (stating(n="10"), "`result`['n'] must be an integer from 0, below 2^63, got '10'."),
    (stating(n_groups=-1), "`result`['n_groups'] must be a positive integer, or null, got -1."),
    (stating(p_high=1.5), "`result`['p_high'] must be a number from 0 to 1, got 1.5."),
    (stating(method="magic"), f"`result`['method'] must be {METHODS}", "got 'magic'"),
    (stating(method=["exact"]), "`result`['method'] must be a name, in ", "got ['exact']"),
]


@pytest.mark.parametrize(("arguments", "named"), [(x, named) for x, *named in ARGUMENTS])
def test_arguments(here, refusal_names, arguments, named):
    Path("c.json").write_text(json.dumps(TABLE), "utf-8")
    refusal_names(["verify", *shlex.split(arguments)], *named)


@pytest.mark.parametrize(("content", "named"), [(x, named) for x, *named in CONTENTS])
def test_contents(here, refusal_names, content, named):
    if not isinstance(content, (str, bytes)):
        content = json.dumps(content)
    Path("c.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    refusal_names(["verify", "c.json"], *named, in_words=False)  # keys of JSON are named too
