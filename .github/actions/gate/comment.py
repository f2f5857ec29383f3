"""Put the report into the pull request: one comment for each gate, which a later run updates.

The comment is found by a hidden marker and its author. If the API refuses it, as in a pull request
from a fork, or answers what it should not, a warning says so: the verdict alone decides.
"""

import hashlib
import json
import os
import re
import urllib.request
from pathlib import Path
from typing import Any

AUTHOR = "github-actions[bot]"  # of what a workflow's token writes
MOST = 65_000  # characters; GitHub takes 65,536
NO_VERDICT = (
    "## Gate\n\n**ERROR**: there is no verdict on the candidate. The gate did not end: see the log "
    "of the run.\n"
)
A_PAGE = 100  # comments, the most that GitHub gives at once
PAGES = 100  # the most that are read


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which would be given the token."""

    def redirect_request(self, *_: Any) -> None:
        """Leave the redirect as the error that it is here."""


OPENER = urllib.request.build_opener(NoRedirect)


def main() -> None:
    """Write the comment, or update it."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text("utf-8"))
    number = os.environ["NUMBER"] or event.get("pull_request", {}).get("number")
    if number is None:
        print("This run is of no pull request, and has no `number`: the report is in the summary.")
        return
    if not re.fullmatch("[0-9]+", str(number)):
        raise SystemExit(f"::error::The input `number` is no number: {number!r}.")
    path = os.environ["REPORT"]  # of what was killed it is empty, or there is none
    report = (path and Path(path).read_text("utf-8")) or NO_VERDICT
    if len(report) > MOST:
        report = f"{report[:MOST]}\n\n… The whole report is in the summary of the run."
    try:
        write(int(number), report)
    except Exception as error:  # whatever the API answers
        why = f"{error!r}; it takes the permission pull-requests: write, and no fork"
        said = why.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        print(f"::warning::The gate did not comment ({said}). Its report is in the summary.")


def write(number: int, report: str) -> None:
    """Write the report into the last comment of this gate, and delete others.

    There are several if two runs at once found none. One of a later run stays as it is.
    """
    run, repository = int(os.environ["GITHUB_RUN_ID"]), os.environ["GITHUB_REPOSITORY"]
    named = "\n".join(os.environ[x] for x in ("GITHUB_WORKFLOW", "GITHUB_JOB", "GATE"))
    marker = f"<!-- pairedperm gate {hashlib.sha256(named.encode()).hexdigest()} of run "
    issues = f"{os.environ['GITHUB_API_URL']}/repos/{repository}/issues"
    earlier = found(f"{issues}/{number}/comments", marker)
    if any(int(text.removeprefix(marker).split(maxsplit=1)[0]) > run for text in earlier.values()):
        print("::warning::A later run has commented: the report of this one is in its summary.")
        return
    link = f"[The run]({os.environ['GITHUB_SERVER_URL']}/{repository}/actions/runs/{run})"
    body = {"body": f"{marker}{run} -->\n{report}\n{link}\n"}
    if not earlier:
        asked("POST", f"{issues}/{number}/comments", body)
        return
    *others, last = earlier
    asked("PATCH", f"{issues}/comments/{last}", body)
    for other in others:
        asked("DELETE", f"{issues}/comments/{other}")


def found(comments: str, marker: str) -> dict[int, str]:
    """Return the texts of the comments of earlier runs by their ids, the oldest first."""
    own = {}
    for page in range(1, PAGES + 1):
        some = asked("GET", f"{comments}?per_page={A_PAGE}&page={page}")
        for comment in some:
            author = (comment["user"] or {}).get("login")  # None: the account is deleted
            if author == AUTHOR and (comment["body"] or "").startswith(marker):
                own[int(comment["id"])] = comment["body"]
        if len(some) < A_PAGE:
            break
    return own


def asked(method: str, url: str, body: Any = None) -> Any:
    """Return the JSON that the API answers to GET; what it says of other requests is not read."""
    request = urllib.request.Request(
        url,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
            "Content-Type": "application/json",
        },
    )
    with OPENER.open(request, timeout=30) as answer:
        return json.load(answer) if method == "GET" else None


if __name__ == "__main__":
    main()
