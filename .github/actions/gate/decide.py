"""Run `pairedperm gate` on the inputs of the action; write the outputs and the step's summary.

A verdict is no error here: the action's last step fails, after the comment. Names and ids of logs
may look like commands of the runner, such as `##[add-mask]pass`: it is told to take none of them.
"""

import json
import os
import secrets
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PAIREDPERM = sys.executable, "-I", "-X", "utf8", "-m", "pairedperm"  # -I: no code of the checkout
OPTIONS = "BASELINE", "METRIC", "TASK", "MARGIN", "REQUIRE", "ALPHA"
VERDICTS = {0: "pass", 1: "fail", 3: "inconclusive"}  # others are errors


def main() -> None:
    """Decide, while the runner takes no commands; stderr too is printed, or it would read that."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", flush=True)
    try:
        decide()
    finally:
        print(f"::{token}::", flush=True)


def decide() -> None:
    """Decide; each line of an input is an option of its own, and `arguments` are as in a shell."""
    given = [
        f"--{name.lower()}={line.strip()}"
        for name in OPTIONS
        for line in os.environ[name].splitlines()
        if line.strip()
    ]
    try:
        given += shlex.split(os.environ["ARGUMENTS"])
    except ValueError as error:
        raise SystemExit(
            f"::error::The input `arguments` is no line of a shell: {error}."
        ) from None
    handle, report = tempfile.mkstemp(".md", "gate-", os.environ["RUNNER_TEMP"])
    os.close(handle)
    done = subprocess.run(
        [*PAIREDPERM, "gate", "--json", *given, "--", os.environ["CANDIDATE"]],
        stdout=subprocess.PIPE,
        stderr=sys.stdout,
        encoding="utf-8",
        env={**os.environ, "GITHUB_STEP_SUMMARY": report},
    )
    verdict = VERDICTS.get(done.returncode, "error")
    text = Path(report).read_text("utf-8")  # the gate writes its errors there, too
    p = None if verdict == "error" else json.loads(done.stdout or "{}").get("p")
    print(text)
    append("GITHUB_STEP_SUMMARY", text)
    append("GITHUB_OUTPUT", f"verdict={verdict}\np={'' if p is None else p}\nreport={report}\n")


def append(variable: str, text: str) -> None:
    """Append text to the file that a variable of GitHub names."""
    with open(os.environ[variable], "a", encoding="utf-8") as opened:
        opened.write(text)


if __name__ == "__main__":
    main()
