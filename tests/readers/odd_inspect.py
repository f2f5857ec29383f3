"""Cases of logs of inspect_ai, as it reads them itself."""

import json
from pathlib import Path

from corpora.logs import inspect, inspect_epochs, save
from extras import needs
from readers.odd_logs import Texts
from readers.telling import read

NAN = float("nan")


def put(name, content):
    """By its whole path, because inspect_ai keeps what it read under a path."""
    needs("inspect_ai.log", "inspect")
    path = Path(name).absolute()
    path.parent.mkdir(exist_ok=True)
    return save(path, content)


def edited(change, name="x.json"):
    """A log in JSON of which a function has changed the object."""
    content = json.loads(inspect("naive_bayes", ending="json").read_text("utf-8"))
    change(content)
    return put(name, json.dumps(content))


def reduction(name, *values):
    samples = [{"sample_id": k, "value": x} for k, x in enumerate(values)]
    return [{"scorer": "match", "reducer": name, "samples": samples}]


def inspect_epochs_that_are_reduced() -> Texts:
    """As the log says; its name does not say of which scores "at least" is."""
    for values, reducers, stored in (
        ([[1, 0.5, 0], [0.5, 0.25, 0]], ["max"], reduction("max", 1, 0.5)),
        ([[1], [0]], ["at_least_2"], reduction("at_least_2", 1, 1)),
        (["CCI", "PIC"], ["mean", "median"], reduction("median", 1, 0.5)),
        ([[0.5, 2, 1], [0, 0, 0.25]], ["mean", "mode"], reduction("mode", 0.5, 0)),
        (["CII", "III"], ["pass_at_2"], reduction("pass_at_2", 0.6666666666666667, 0.0)),
        # one epoch is its own best
        (["C", "I"], ["max", "mode", "at_least_2"], reduction("at_least_2", 0, 0)),
        # a missing score is not passed over
        ([[1, NAN, 1], [1, 0, 0]], ["max"], reduction("max", NAN, 1)),
        (["CI"], ["collect"], reduction("collect", ["C", "I"])),
    ):
        log = inspect_epochs(values, reducers, stored)
        yield read(*(put(f"{x}.json", log) for x in "ab"), on_missing="drop")


def inspect_values_of_one_epoch() -> Texts:
    """Right and wrong has a range, under any name and in a dict; numbers 0 and 1 have none."""
    for values in (
        ["C", "P", "I", "N"],
        ["C", "C", "I"],
        [["yes"], ["No"], ["TRUE"], ["false"]],
        [[True], [False], [True]],
        [[1], [0], [0.0]],
        [[0.25], [3], [True], ["1e-1"]],
        [[[1, 2]], [[1, 2]]],
        [[{"a": 0, "b": "I", "x": "none"}], [{"a": 1, "b": "C", "x": "none"}]],
        [[{"format": x}] for x in ("yes", "no", "C", "I")],
    ):
        yield read(*(put(f"{x}.json", inspect_epochs(values, None)) for x in "ab"))


def inspect_the_best_of_five_epochs() -> Texts:
    """Four of five samples are right once, against one that is always: 0.8 against 0.2."""
    one, two = ["CIIII", "ICIII", "IICII", "IIIIC", "IIIII"], ["CCCCC", *["IIIII"] * 4]
    logs = (
        inspect_epochs(one, ["max", "mean"], reduction("max", 1, 1, 1, 1, 0)),
        inspect_epochs(two, ["max"], reduction("max", 1, 0, 0, 0, 0)),
    )
    paths = (put(f"{x}.json", y) for x, y in zip("ab", logs, strict=True))
    yield read(*paths, also=["match", None])


def inspect_correct_throughout_is_an_end_of_the_range() -> Texts:
    """Whether letters are of one epoch or of several: 1 is the most, and no number."""
    for n_epochs in (1, 2):
        logs = (inspect_epochs([y * n_epochs for y in x], None) for x in ("CCCCCCC", "PPPPPNC"))
        yield read(*(put(f"{x}.json", y) for x, y in zip("ab", logs, strict=True)))


def updated(**entries):
    """A change of all samples."""
    return lambda x: [sample.update(entries) for sample in x["samples"]]


def inspect_documents_that_summaries_lack() -> Texts:
    """What differs after that is compared, also if the first of three lacks the parts.

    Summaries of before December 2025 have no choices.
    """
    for same, other in (
        ([{"input": "x" * 10_000 + "a", "messages": []}] * 2, {"input": "x" * 10_000 + "b"}),
        ([{"input": [{"role": "user", "content": "a"}]}] * 2, {"input": "another"}),
        ([{"choices": None}, {"choices": ["a", "b"]}], {"choices": ["b", "a"]}),
    ):
        paths = [edited(updated(**x), f"{k}/x.json") for k, x in enumerate([*same, other])]
        yield read(*paths[:2])
        yield read(*paths[1:])
        yield read(*paths)


def inspect_a_run_that_was_repeated_after_a_failure() -> Texts:
    """In a folder with the log that ended well the other one is left out, with a word."""
    edited(lambda x: x.update(status="error"), "a/1.json")
    edited(dict, "a/2.json")
    edited(dict, "b/2.json")
    yield read("a", "b")


def inspect_what_is_reported() -> Texts:
    """The log holds the results, and the name of the metric is that of the scorer."""
    for accuracy in (1.0, 0.75):

        def change(content, accuracy=accuracy):
            content["results"]["scores"][0]["metrics"]["accuracy"]["value"] = accuracy

        yield read(*(edited(change, f"{x}.json") for x in "ab"))
