"""``pairedperm register`` makes the modules of `evaluate` load by their names."""

from __future__ import annotations

from pairedperm.commands.flags import Flags
from pairedperm.commands.output import Output, command
from pairedperm.hf.module import register as register_modules


@command(Flags)
def register(_: Flags) -> Output:
    """Make evaluate.load("paired_perm") work on this machine.

    evaluate.load("paired_bootstrap") works then, too: from any directory, and offline. Run this
    once. It prints the place of the first module; the other one is beside it.
    """
    return Output(str(register_modules()))
