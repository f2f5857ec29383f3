"""Messages of the package in the words of a shell: of the options of a command, and of metrics."""

import pytest

from pairedperm import Budget
from pairedperm.commands.app import _reader, cli
from pairedperm.commands.flags import Shell
from pairedperm.errors import (
    Advice,
    Message,
    Name,
    Parts,
    Python,
    Setting,
    describe,
    other_ways,
    worded,
)
from pairedperm.nulls.solve import SAMPLE, estimated, sampled_share
from pairedperm.options import raised
from pairedperm.scoring.metric import metric_options

EVERY = {str(x.name) for command in cli.commands.values() for x in command.params}
LIMIT = "x, above the limit of 3.36e+07."
SAMPLES = estimated(sampled_share(5, 99, 3), "it is slow")
MARGIN = Message(Name("margin"), ", ", Setting("margin", "'x'"), ", ", Setting("alpha", "0.1"))


def over(remedy):
    return Budget().excess("x", n_points=2**26, remedy=remedy)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (Setting("on_missing", "'drop'"), "--on-missing drop"),
        (Setting("lower_is_better", "True"), "--lower-is-better"),
        (Setting("lower_is_better", "False"), "--higher-is-better"),
        (Setting("repeats", "True"), "--repeats"),
        (Setting("task", "'two words'"), "--task 'two words'"),
        (Setting("task", "''"), "--task "),
        (Name("lower_is_better"), "`--lower-is-better`"),
        (Name("groups", ("a", 3)), "`--group`['a'][3]"),
        # of metrics
        (Setting("average", "'macro'"), "-o average=macro"),
        (Setting("pos_label", "'a b'"), "-o pos_label='a b'"),
        (Setting("score_range", "(0, 1)"), "-o score_range=[0,1]"),
        # of other names
        (Name("rng"), "`--seed`"),
        (Name("path"), "`--card`"),
        (Name("pilot"), "the pilot"),
        # of Python
        (describe(3.5), "3.5"),
        (Parts("a", Python(", or np.round(x)"), "."), "a."),
        (Python("np.round(x)", Parts("give ", Setting("task", "'a'"))), "give --task a"),
        # what the command has not
        (Parts("a", Advice(", or ", Setting("other", "3"))), "a"),
        (Parts("a", Advice(", or ", Setting("alpha", "3"))), "a, or --alpha 3"),
        # of a budget, which a command has not
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
    assert worded(part, Shell(EVERY)) == words


@pytest.mark.parametrize(
    ("part", "options", "words"),
    [
        # of another command's options the message stands as it is
        (MARGIN, ["alpha"], "`margin`, margin='x', --alpha 0.1."),
        (MARGIN, ["margin"], "`--margin`, --margin x, alpha=0.1."),
        (MARGIN, [], str(MARGIN)),
        # what a command lacks is named in words
        *((Name(x), [y], f"`--{y}`") for x, y in (("rng", "seed"), ("path", "card"))),
        *((Name(x), [], y) for x, y in (("rng", "seed"), ("path", "card"))),
        *((Name(x), [x, y], f"`--{x}`") for x, y in (("rng", "seed"), ("path", "card"))),
        # more samples are advised where it takes them
        (SAMPLES, ["seed"], "slow. Set `--seed` for other samples (here --seed 3)."),
        (SAMPLES, ["seed", "n_resamples"], "(here --seed 3), `--n-resamples` for more."),
        # what is an option of both a command and a metric is that of the command
        *((Name(x), [x], f"`--{x.replace('_', '-')}`") for x in metric_options()),
        *((Name(x), [], f"`-o {x}`") for x in metric_options()),
    ],
)
def test_options_of_one_command(part, options, words):
    assert worded(part, Shell(options)).endswith(words)


@pytest.mark.parametrize(
    ("given", "commands"),
    [
        (["gate", "--alpha"], ["gate"]),
        (["register"], ["register"]),
        *((x, [*cli.commands]) for x in (["nope", "gate"], [])),
    ],
)
def test_the_options_of_what_was_given(given, commands):
    reader = _reader(given)
    own = {str(x.name) for command in commands for x in cli.commands[command].params}
    assert {x for x in EVERY - {*metric_options()} if reader.has(x)} == own - {*metric_options()}
