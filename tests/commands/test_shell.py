"""Messages of the package in the words of a shell: of the options of a command, and of metrics."""

import pytest

from pairedperm import Budget
from pairedperm.commands.app import _reader, cli
from pairedperm.commands.option import Shell
from pairedperm.errors import other_ways, raised
from pairedperm.errors.message import Message
from pairedperm.errors.wording import Advice, Name, Parts, Python, Setting, describe, worded
from pairedperm.results.sampled import SAMPLE, estimated, sampled_share
from pairedperm.scoring.call_options import metric_options

NAMES = tuple(
    dict.fromkeys(str(x.name) for command in cli.commands.values() for x in command.params)
)
LIMIT = "x, above the limit of 3.36e+07."


def over(remedy):
    return Budget().excess("x", n_points=2**26, remedy=remedy)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (Setting("on_missing", "'drop'"), "--on-missing drop"),
        (Setting("task", "…"), "--task …"),
        (Setting("lower_is_better", "True"), "--lower-is-better"),
        (Setting("lower_is_better", "False"), "--higher-is-better"),
        (Setting("repeats", "True"), "--repeats"),
        (Setting("n_resamples", "99"), "--n-resamples 99"),
        (Setting("task", "'two words'"), "--task 'two words'"),
        (Setting("task", "''"), "--task "),
        (Setting("my_task", "'x'"), "my_task='x'"),
        (Setting("rng"), "`--seed`"),
        (Name("lower_is_better"), "`--lower-is-better`"),
        (Name("margin"), "`--margin`"),
        (Name("other"), "`other`"),
        (Name("groups", ("a", 3)), "`--group`['a'][3]"),
        # of metrics
        (Setting("average", "'macro'"), "-o average=macro"),
        (Setting("pos_label", "'a b'"), "-o pos_label='a b'"),
        (Name("k"), "`-o k`"),
        # of other names
        (Name("rng"), "`--seed`"),
        (Setting("rng", "3"), "--seed 3"),
        (Name("path"), "`--card`"),
        (Name("pilot"), "the pilot"),
        # of Python
        (describe(3.5), "3.5"),
        (describe(None), "None"),
        (Parts("a", Python(", or np.round(x)"), "."), "a."),
        (Python("np.round(x)", Parts("give ", Setting("task", "'a'"))), "give --task a"),
        # what the command has not
        (Parts("a", Advice(", or ", Setting("other", "3"))), "a"),
        (Parts("a", Advice(", or ", Setting("alpha", "3"))), "a, or --alpha 3"),
        # of a budget, which a command has not
        (over("Raise it"), f"{LIMIT} Raise it."),
        (over(raised(270.0)), f"{LIMIT} It would take about 4.5 minutes."),
        (over(raised(0.0, otherwise="round them")), f"{LIMIT} Round them."),
        (
            other_ways(over(raised(0.0, 6e9)), Parts("use ", Setting("method", "'fft'")), SAMPLE),
            f"{LIMIT} It would take 6 GB. Use --method fft. Or sample: --method monte_carlo.",
        ),
        (
            other_ways(over(raised(1e9, 1e14)), SAMPLE),
            f"{LIMIT} It would take years and 100,000 GB. Sample: --method monte_carlo.",
        ),
    ],
    ids=str,
)
def test_words(part, words):
    assert worded(part, Shell(NAMES)) == words


def test_more_samples_are_advised_where_a_command_takes_them():
    message = estimated(sampled_share(5, 99, 3), "it is slow")
    said = worded(message, Shell(["seed"])).partition("slow. ")[2]
    assert said == "Set `--seed` for other samples (here --seed 3)."
    said = worded(message, Shell(["seed", "n_resamples"])).partition("slow. ")[2]
    assert said == "Set `--seed` for other samples (here --seed 3), `--n-resamples` for more."


def test_only_options_of_the_command_are_its_flags():
    """Of another command's, the message stands as it is."""
    message = Message(Name("margin"), ", ", Setting("margin", "'x'"), ", ", Setting("alpha", "0.1"))
    assert worded(message, Shell(["alpha"])) == "`margin`, margin='x', --alpha 0.1."
    assert worded(message, Shell(["margin"])) == "`--margin`, --margin x, alpha=0.1."
    assert worded(message, Shell([])) == str(message)


@pytest.mark.parametrize(("name", "flag"), [("rng", "seed"), ("path", "card")])
def test_what_a_command_lacks_is_named_in_words(name, flag):
    assert worded(Name(name), Shell([flag])) == f"`--{flag}`"
    assert worded(Name(name), Shell([])) == flag
    assert worded(Name(name), Shell([name, flag])) == f"`--{name}`"


def test_an_option_of_a_command_comes_first():
    """What is one of both a command and a metric is that of the command."""
    for name in metric_options():
        flag = f"--{name.replace('_', '-')}"
        assert worded(Name(name), Shell([name])) == f"`{flag}`"
        assert worded(Name(name), Shell([])) == f"`-o {name}`"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["gate", "--alpha"], set(cli.commands["gate"].params)),
        (["register"], set(cli.commands["register"].params)),
        (["nope", "gate"], {x for command in cli.commands.values() for x in command.params}),
        ([], {x for command in cli.commands.values() for x in command.params}),
    ],
    ids=["gate", "register", "another word", "nothing"],
)
def test_the_options_of_what_was_given(given, names):
    reader = _reader(given)
    every = {x.name for command in cli.commands.values() for x in command.params}
    assert {x for x in every - {*metric_options()} if reader.has(x)} == {
        x.name for x in names if x.name not in metric_options()
    }
