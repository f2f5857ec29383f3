"""Messages of the package in the words of a shell: of the options of a command, and of metrics."""

import json

import hypothesis.strategies as st
import pytest
from hypothesis import given

from commands.files import run
from pairedperm.commands.app import _in_flags, cli
from pairedperm.commands.flags import in_flags
from pairedperm.errors import InputError, shown, shown_path
from pairedperm.scoring.metric import metric_options
from properties import cases

EVERY = {str(x.name) for command in cli.commands.values() for x in command.params}
MARGIN = "`margin`, margin='x', alpha=0.1."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("on_missing='drop'", "--on-missing drop"),
        ("(lower_is_better=True)", "(--lower-is-better)"),
        ("lower_is_better=False.", "--higher-is-better."),
        ("repeats=True,", "--repeats,"),
        ("task='two words'", "--task 'two words'"),
        ("task=…", "--task …"),
        ("task=..., or", "--task ..., or"),
        ("alpha=0.05.", "--alpha 0.05."),
        ("`lower_is_better`", "`--lower-is-better`"),
        ("`groups`['a'][3]", "`--group`['a'][3]"),
        # of metrics
        ("average='macro'", "-o average=macro"),
        ("pos_label='a b'", "-o pos_label='a b'"),
        ("score_range=(0, 1)", "-o score_range=[0,1]"),
        ("labels=['a b', 'c']", "-o labels=['a b', 'c']"),
        # of other names
        ("`rng`", "`--seed`"),
        ("`path`", "`--card`"),
        ("`pilot`", "the pilot"),
        # what is no option, what Python does, and types
        ("got 3 (int), 'a (int)'", "got 3, 'a (int)'"),
        ("other=3, `other`", "other=3, `other`"),
        ("F1(average='macro'), x.alpha=3", "F1(average='macro'), x.alpha=3"),
        ("f(..., alpha=3), groups=np.repeat(n, 3)", "f(..., alpha=3), groups=np.repeat(n, 3)"),
        ("'alpha=3' \"`rng`\" [b'alpha=3']", "'alpha=3' \"`rng`\" [b'alpha=3']"),
        ("it's `rng`, ClassLabel's", "it's `--seed`, ClassLabel's"),
    ],
)
def test_words(text, words):
    assert in_flags(text, EVERY) == words


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        # of another command's options the message stands as it is
        (MARGIN, ["alpha"], "`margin`, margin='x', --alpha 0.1."),
        (MARGIN, ["margin"], "`--margin`, --margin x, alpha=0.1."),
        (MARGIN, [], MARGIN),
        # what a command lacks is named in words
        *((f"`{x}`", [y], f"`--{y}`") for x, y in (("rng", "seed"), ("path", "card"))),
        *((f"`{x}`", [], y) for x, y in (("rng", "seed"), ("path", "card"))),
        *((f"`{x}`", [x, y], f"`--{x}`") for x, y in (("rng", "seed"), ("path", "card"))),
        # what is an option of both a command and a metric is that of the command
        *((f"`{x}`", [x], f"`--{x.replace('_', '-')}`") for x in metric_options()),
        *((f"`{x}`", [], f"`-o {x}`") for x in metric_options()),
    ],
)
def test_options_of_one_command(text, options, words):
    assert in_flags(text, options) == words


@pytest.mark.parametrize(
    ("given", "commands"),
    [
        (["gate", "--alpha"], ["gate"]),
        (["register"], ["register"]),
        *((x, [*cli.commands]) for x in (["nope", "gate"], [])),
    ],
)
def test_the_options_of_what_was_given(given, commands):
    own = {str(x.name) for command in commands for x in cli.commands[command].params}
    named = {x for x in EVERY if _in_flags(f"{x}=1", given) != f"{x}=1"}
    assert named - {*metric_options()} == own - {*metric_options()}


_NAMES = st.sampled_from(["alpha=3", "`rng`", "task='a'", "lower_is_better=True", "it's alpha=3"])
DATA = _NAMES | st.text("'\"`\\ =rng3()[]") | st.text()


@given(DATA, DATA, DATA, DATA)
@cases(0.5)
def test_no_id_label_or_path_is_rewritten(one, label, path, other):
    data = shown(one), shown([label]), shown_path(path), shown(other)
    said = "{4} has {0}, and {1} (list) at {2}; not {3}: set {4}, {5}"
    in_python = InputError(said.format(*data, "`rng`", "alpha=0.1"))
    wanted = said.replace(" (list)", "").format(*data, "`--seed`", "--alpha 0.1")
    assert in_flags(str(in_python), EVERY) == f"{wanted}."


def test_a_command_on_data_that_read_like_options(tmp_path, monkeypatch):
    """Their ids, labels, files and folders are told as they are."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "alpha=3"
    folder.mkdir()
    for name, example in (("a", "alpha=3"), ("b", "`seed`")):
        row = {"id": example, "prediction": "seed=1", "reference": "`rng`"}
        (folder / f"{name}.jsonl").write_text(f"{json.dumps(row)}\n", encoding="utf-8")
    said = run("compare alpha=3/a.jsonl alpha=3/b.jsonl").err
    assert "1 not in 'alpha=3/a.jsonl': '`seed`'; 1 not in 'alpha=3/b.jsonl': 'alpha=3'." in said
    assert said.endswith(" --on-missing drop.\n")
    said = run("compare alpha=3/a.jsonl alpha=3/a.jsonl --metric f1").err
    assert "but the column of 'alpha=3/a.jsonl (1)' holds 'seed=1'. Say which" in said
