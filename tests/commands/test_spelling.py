"""Messages of the package in the words of a shell: of the options of a command, and of metrics."""

import pytest

from pairedperm.commands.app import _options_of, cli
from pairedperm.commands.spelling import as_flags
from pairedperm.results.sampled import estimated, sampled_share
from pairedperm.scoring.metric import metric_options

NAMES = tuple(
    dict.fromkeys(str(x.name) for command in cli.commands.values() for x in command.params)
)
OVER, LIMIT = "; `max_points` of `budget` allows 3.36e+07.", ", above the limit of 3.36e+07."
F1 = ", or an object such as pairedperm.scoring.F1(average='macro')"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("leave out these, on_missing='drop'.", "leave out these, --on-missing drop."),
        ("name one, task=….", "name one, --task …."),
        ("`lower_is_better` is of scores", "`--lower-is-better` is of scores"),
        ("say lower_is_better=True, it", "say --lower-is-better, it"),
        ("say lower_is_better=False.", "say --higher-is-better."),
        (
            "say lower_is_better=True or lower_is_better=False.",
            "say --lower-is-better or --higher-is-better.",
        ),
        ("method='monte_carlo'; or", "--method monte_carlo; or"),
        ("(n_resamples=99)", "(--n-resamples 99)"),
        ("at n_resamples=99", "at --n-resamples 99"),
        ("task='two words'", "--task 'two words'"),
        ("task=''?", "--task ?"),
        ("name it, score=…, or id=…", "name it, --score …, or --id …"),
        ("`confidence_level` and `alpha`", "`--confidence-level` and `--alpha`"),
        ("`margin`: x", "`--margin`: x"),
        ("a metric, and my_task='x'", "a metric, and my_task='x'"),
        ("`other` is 3", "`other` is 3"),
        ("margin = 3 or alpha", "margin = 3 or alpha"),
        # of metrics
        ("say average='macro', or", "say -o average=macro, or"),
        ("pos_label='a b'.", "-o pos_label='a b'."),
        ("`pos_label`: 'z' occurs", "`-o pos_label`: 'z' occurs"),
        ("`k` is missing", "`-o k` is missing"),
        # of other names
        ("`rng` must be", "`--seed` must be"),
        ("say rng=3.", "say --seed 3."),
        ("`path` must be", "`--card` must be"),
        ("`pilot` must be", "the pilot must be"),
        ("such as pilot=(0.06, 0.03).", "such as --wins 0.06 --losses 0.03."),
        # of Python
        ("got 3 (int).", "got 3."),
        ("got 3.5 (float), of 'x' (str)", "got 3.5, of 'x'"),
        ("got [] (list), () (tuple), {} (dict)", "got [], (), {}"),
        ("got True (bool), None (NoneType)", "got True, None"),
        ("a text (string)", "a text (string)"),
        # of a budget, which a command has not
        (f"too many{OVER} Raise it.", f"too many{LIMIT}"),
        (f"too many{OVER} Raise it to 1e+08 (it takes about 4.5 minutes).", f"too many{LIMIT}"),
        (f"x{OVER} Raise it (it takes 6 GB). Or use method='fft'.", f"x{LIMIT} Use --method fft."),
        (f"x{OVER} Raise it (it takes 6 GB), or round them.", f"x{LIMIT} Round them."),
        (f"x{OVER} It would take years. Or sample.", f"x{LIMIT} It would take years. Or sample."),
        (f"x{OVER} Round it. Or set `max_bytes` to 6.87e+10, if it fits.", f"x{LIMIT} Round it."),
        (f"one of 'a', 'b'{F1}, got 'c'", "one of 'a', 'b', got 'c'"),
    ],
)
def test_words(message, words):
    assert as_flags(message, NAMES) == words


def test_more_samples_are_advised_where_a_command_takes_them():
    message = estimated(sampled_share(5, 99, 3), "it is slow").partition("slow. ")[2]
    assert as_flags(message, ["seed"]) == "Set `--seed` for other samples (here --seed 3)."
    assert as_flags(message, ["seed", "n_resamples"]) == (
        "Set `--seed` for other samples (here --seed 3), `--n-resamples` for more."
    )


def test_only_options_of_the_command_are_its_flags():
    """Of another command's, the message stands as it is."""
    message = "`margin`, margin='x', `alpha` and alpha=0.1"
    assert as_flags(message, ["alpha"]) == "`margin`, margin='x', `--alpha` and --alpha 0.1"
    assert as_flags(message, ["margin"]) == "`--margin`, --margin x, `alpha` and alpha=0.1"
    assert as_flags(message) == message


@pytest.mark.parametrize(("name", "flag"), [("rng", "seed"), ("path", "card")])
def test_what_a_command_lacks_is_named_in_words(name, flag):
    assert as_flags(f"`{name}` is 3", [flag]) == f"`--{flag}` is 3"
    assert as_flags(f"`{name}` is 3", []) == f"{flag} is 3"
    assert as_flags(f"`{name}` is 3", [name, flag]) == f"`--{name}` is 3"


def test_an_option_of_a_command_comes_first():
    """What is one of both a command and a metric is that of the command."""
    for name in metric_options():
        flag = f"--{name.replace('_', '-')}"
        assert as_flags(f"`{name}` is 3", [name]) == f"`{flag}` is 3"
        assert as_flags(f"`{name}` is 3") == f"`-o {name}` is 3"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["gate", "--alpha"], set(cli.commands["gate"].params)),
        (["register"], set()),
        (["nope", "gate"], {x for command in cli.commands.values() for x in command.params}),
        ([], {x for command in cli.commands.values() for x in command.params}),
    ],
    ids=["gate", "register", "another word", "nothing"],
)
def test_the_options_of_what_was_given(given, names):
    assert set(_options_of(given)) == {x.name for x in names}
