"""Plugins: pytest loads the one it is told to, inspect_ai the one of its entry point.

The hook of inspect_ai: when a run ends, its logs are compared with earlier ones.
"""

from __future__ import annotations

from typing import Any

_KEY = "paired_baseline"  # of the metadata that names the earlier log


def __getattr__(name: str) -> Any:
    """Register the hooks when inspect_ai loads them by its entry point, and not before.

    So this file can be imported without inspect_ai.
    """
    if name != "PairedBaseline":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from inspect_ai.hooks import Hooks, RunEnd, hooks

    class PairedBaseline(Hooks):
        """Prints the comparison of each log whose metadata name a baseline."""

        async def on_run_end(self, data: RunEnd) -> None:
            for log in data.logs:
                if baseline := (log.eval.metadata or {}).get(_KEY):
                    _print_comparison(log.eval.task, log.location, str(baseline))

    about = f"--metadata {_KEY}=LOG compares with that log"
    globals()[name] = hooks(name=_KEY, description=about)(PairedBaseline)
    return PairedBaseline


def _print_comparison(task: str, location: str, baseline: str) -> None:
    """Print what ``pairedperm compare`` says of the log's own task, or why it cannot."""
    from pairedperm.commands.app import run_command
    from pairedperm.errors import printable
    from pairedperm.inputs.files import url_without_keys

    print(f"\n{printable(task)} against {printable(url_without_keys(baseline))}")
    run_command(["compare", f"--task={task}", "--", location, baseline])
