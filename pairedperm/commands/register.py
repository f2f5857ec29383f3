"""``pairedperm register``."""

from __future__ import annotations

import click

from pairedperm.commands.output import Output
from pairedperm.hf.registration import register as register_modules


@click.command()
def register() -> Output:
    """Make evaluate.load("paired_perm") work on this machine.

    And evaluate.load("paired_bootstrap"), from any directory, offline too. Needed once. Prints
    where the first was put; the other is beside it.
    """
    return Output(str(register_modules()))
