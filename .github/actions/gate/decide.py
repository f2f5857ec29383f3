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
OPTIONS = "BASELINE", "THRESHOLD", "METRIC", "TASK", "MARGIN", "REQUIRE", "ALPHA"
VERDICTS = {0: "pass", 1: "fail", 3: "inconclusive"}
ERROR = 2
NO_VERDICT = "## Gate\n\n**ERROR**: there is no verdict on the candidate. {}\n"


def main() -> None:
    """Decide, while the runner takes no commands; stderr too is printed, or it would read that."""
    handle, name = tempfile.mkstemp(".md", "gate-", os.environ["RUNNER_TEMP"])
    os.close(handle)
    report, token = Path(name), secrets.token_hex(16)
    append("GITHUB_OUTPUT", f"verdict=error\np=\nreport={report}\n")  # if this process is killed
    print(f"::stop-commands::{token}", flush=True)
    try:
        verdict, p, text = decided(Path(f"{report}.gate"))
        print(text, flush=True)
    finally:
        print(f"::{token}::", flush=True)
    report.write_text(text, "utf-8")
    append("GITHUB_STEP_SUMMARY", text)
    append("GITHUB_OUTPUT", f"verdict={verdict}\np={p}\n")


def decided(report: Path) -> tuple[str, str, str]:
    """Return the verdict, p and the report, which the gate writes to this file.

    Each line of an input is an option of its own, and `arguments` are as in a shell. A gate that
    wrote no report has given no verdict, whatever its exit code: Python's own is 1. Why stands as
    code, which nothing in it ends.
    """
    given = [
        f"--{name.lower()}={line.strip()}"
        for name in OPTIONS
        for line in os.environ[name].splitlines()
        if line.strip()
    ]
    try:
        given += shlex.split(os.environ["ARGUMENTS"])
    except ValueError as error:
        why = f"The input `arguments` is no line of a shell: {error}."
        return "error", "", NO_VERDICT.format(why)
    candidates = [x.strip() for x in os.environ["CANDIDATE"].splitlines() if x.strip()]
    done = subprocess.run(
        [*PAIREDPERM, "gate", *given, "--json", f"--markdown={report}", "--", *candidates],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    print(done.stderr, flush=True)
    try:
        p, text = json.loads(done.stdout).get("p"), report.read_text("utf-8", "replace")
    except (OSError, ValueError):
        text = ""
    if text and done.returncode in VERDICTS:
        return VERDICTS[done.returncode], "" if p is None else str(p), text
    said = [x for x in done.stderr.splitlines() if x.startswith("error: ")]
    why = f"The gate did not end (exit code {done.returncode}): see the log of the run."
    if done.returncode == ERROR and said:
        why = f"\n\n    {said[-1].removeprefix('error: ')}"
    return "error", "", NO_VERDICT.format(why)


def append(variable: str, text: str) -> None:
    """Append text to the file that a variable of GitHub names."""
    with open(os.environ[variable], "a", encoding="utf-8") as opened:
        opened.write(text)


if __name__ == "__main__":
    main()
