"""The page as a visitor sees it: in Chromium, on a wide screen and on a telephone; and attacks."""

import json
import re
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
import worker

from extras import needs, needs_program
from space.uploads import HOSTILE

pytestmark = pytest.mark.thorough
WIDTHS = 1280, 380
on_a_telephone = pytest.mark.parametrize("page", WIDTHS[1:], indirect=True)
FORMULA = "$$" + "\\frac{1}{" * 500 + "${alert(2)} {{x}}"


@pytest.fixture(scope="module")
def tools():
    needs("gradio", "space")
    needs("playwright.sync_api", "dev")
    from space import browser

    return browser


@pytest.fixture(scope="module")
def chromium(tools):
    executable = needs_program(*tools.NAMES, install="apt-get install chromium")
    with tools.browser(executable) as opened:
        yield opened


@pytest.fixture(scope="module")
def address(tools, chromium, tmp_path_factory):
    with tools.served(tmp_path_factory.mktemp("space")) as address:
        yield address


@pytest.fixture(params=WIDTHS)
def page(tools, chromium, address, request):
    """A page that asks nobody else for anything, throws nothing, and fits its window."""
    found = tools.opened(chromium, address, request.param)
    yield found
    assert found.wrong == []
    assert {x for x in found.requested if not x.startswith((address, "data:", "blob:"))} == set()
    wide = found.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    found.context.close()


def lines(values, **others):
    rows = [{"id": k, "score": x, **others} for k, x in enumerate(values)]
    return "".join(json.dumps(x) + "\n" for x in rows).encode()


def file(name, content):
    return {"name": name, "mimeType": "text/plain", "buffer": content}


def test_upload_to_answer(tools, page):
    """The answer is in sight, the pictures are named, and the section is copied."""
    tools.upload(page, "A", file("new.jsonl", lines([1] * 30)))
    tools.upload(page, "B", file("old.jsonl", lines([0] * 8 + [1] * 22)))
    box = tools.answer(page)
    assert "p = 0.00781" in box.input_value()
    page.wait_for_timeout(1000)
    place = box.bounding_box()
    assert place["y"] >= 0
    assert place["y"] + place["height"] <= page.evaluate("innerHeight")
    for name in ("Differences by random swaps", "The difference and its interval"):
        picture = page.locator(f"img[alt='{name}']")
        assert picture.evaluate("x => x.complete && x.naturalWidth > 100")
    page.get_by_role("button", name="Copy").locator("visible=true").last.press("Enter")
    page.wait_for_timeout(500)
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("<!-- paired_perm:start -->\n\n## Statistical significance\n")


@on_a_telephone
def test_message(tools, page):
    """It stands in place of the answer, without pictures or a section."""
    assert tools.answer(page).input_value() == "A is missing."
    page.get_by_role("textbox", name="A: ").fill("yes\nyes\nno\nno")
    page.get_by_role("textbox", name="B: ").fill("no\nno\nno\nno")
    assert "but a score is a number" in tools.answer(page).input_value()
    page.get_by_role("textbox", name="references").fill("yes\nyes\nyes\nyes")
    assert "p = 0.5 (n" in tools.answer(page).input_value()
    page.locator("img[alt]").nth(1).wait_for()
    page.get_by_role("button", name="Metric and matching").click()
    page.get_by_label("metric", exact=True).fill("acuracy")
    assert "Did you mean" in tools.answer(page).input_value()
    assert page.get_by_text("Section for a model card").locator("visible=true").count() == 0


@on_a_telephone
def test_names(tools, page):
    """Markup and formulas in names are characters."""
    for box, name, scores in (("A", HOSTILE, [1, 0, 1]), ("B", FORMULA[:90], [0, 0, 1])):
        rows = lines(scores, **{FORMULA: 1})
        tools.upload(page, box, file(f"{name}.jsonl", rows))
    assert "p = 1 (n" in tools.answer(page).input_value()
    assert page.locator("[onerror], .katex").count() == 0


def test_keyboard(tools, chromium, address):
    """Everything is reached by Tab, in the order of the page, and has a name."""
    page = tools.opened(chromium, address, 380, "dark")
    assert page.title() == page.get_by_role("heading", level=1).inner_text()
    assert page.locator("[tabindex]").evaluate_all("x => x.every((y) => y.tabIndex <= 0)")
    unnamed = "all => all.filter((x) => !x.labels.length && !x.ariaLabel).length"
    assert page.locator("input:visible, textarea:visible").evaluate_all(unnamed) == 0
    reached = []
    page.evaluate("document.activeElement.blur()")
    told = "(({labels, innerText}) => labels?.[0]?.innerText || innerText)(document.activeElement)"
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(told).strip())
    names = ("Paste", "A: ", "B: ", "references", "Compare the lines", "Metric and matching")
    places = [next(k for k, x in enumerate(reached) if x.startswith(name)) for name in names]
    assert places == sorted(places)
    page.context.close()


def posted(address, path, body):
    """The status and the text of an answer to what a script sends."""
    request = urllib.request.Request(
        f"{address}gradio_api/{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as found:
            return found.status, found.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def join(address, session, boxes):
    """Ask by a script, without a browser."""
    with urllib.request.urlopen(f"{address}config") as found:
        events = json.load(found)["dependencies"]
    untouched = ["", "", "", "", "error", *[""] * (0 if isinstance(boxes[0], str) else 7)]
    data = [*boxes, *untouched]
    (event,) = (x["id"] for x in events if len(x["inputs"]) == len(data))
    asked = {"data": data, "fn_index": event, "session_hash": session}
    return posted(address, "queue/join", asked)


def test_scripts(address, tmp_path):
    """Other files of the machine are not read; a session has three places; nothing is an API."""
    secret = tmp_path / "secret.jsonl"
    secret.write_bytes(lines([1, 0]))
    given = [{"path": str(secret), "meta": {"_type": "gradio.FileData"}}]
    status, said = join(address, "thief", [given, given, None])
    assert (status, "not" in said) == (400, True), said
    for path in (secret, "/etc/passwd", Path(worker.__file__), f"{tmp_path}/../secret.jsonl"):
        with pytest.raises(urllib.error.HTTPError, match=r"40[34]"):
            urllib.request.urlopen(f"{address}gradio_api/file={path}")
    said = [join(address, "greedy", ["1\n0", "0\n0", ""]) for _ in range(4)]
    assert [status for status, _ in said] == [200, 200, 200, 400]
    assert "Wait for your other answers" in said[-1][1]
    with urllib.request.urlopen(f"{address}gradio_api/info") as found:
        assert json.load(found) == {"named_endpoints": {}, "unnamed_endpoints": {}}


LIMITED = "import worker; worker.KEPT_FOR = worker.SWEPT_EVERY = 2; worker.MAX_BYTES = 2000; "


def test_limits(tools, chromium, tmp_path):
    """Old uploads go, also those of an earlier server; who asks later learns it; one is large."""
    old = tmp_path / "uploads" / "pairedperm-page" / "hash" / "old.jsonl"
    other = tmp_path / "uploads" / "of_another_program.jsonl"
    old.parent.mkdir(parents=True)
    old.write_text("old")
    other.write_text("other")
    with tools.served(tmp_path, ("-c", f"{LIMITED}import app; app.main()")) as address:
        page = tools.opened(chromium, address, 1280)
        tools.upload(page, "A", file("new.jsonl", lines([1] * 30)))
        tools.upload(page, "B", file("old.jsonl", lines([0] * 30)))
        end = time.monotonic() + 60
        while [*old.parents[1].rglob("*.jsonl")] and time.monotonic() < end:
            time.sleep(0.2)
        assert [*tmp_path.rglob("*.jsonl")] == [other]
        assert "A is missing: uploads are kept for" in tools.answer(page).input_value()
        page = tools.opened(chromium, address, 380)
        page.get_by_role("tab", name="Files").click()
        box = page.locator("input[type=file]").first
        box.set_input_files(file("new.jsonl", lines([1] * 300)))
        page.get_by_text(re.compile("exceed|maximum|too large", re.I)).first.wait_for()


def test_places(monkeypatch):
    """Each session has three; an answer frees one, also one that fails, and so does leaving."""
    gradio = needs("gradio", "space")
    import app

    def breaks(_):
        raise RuntimeError

    one, two = (SimpleNamespace(session_hash=x) for x in ("one", "two"))
    for session in (one, one, one, two):
        assert app.may_ask(session, "", "") == [gradio.validate(True, "")] * 2
    with pytest.raises(gradio.Error, match="Wait for your other answers"):
        app.may_ask(one)
    monkeypatch.setattr(worker, "ask", lambda _: {"text": "found"})
    assert app.compare(one)[0] == "found"
    app.may_ask(one)
    monkeypatch.setattr(worker, "ask", breaks)
    with pytest.raises(RuntimeError):
        app.compare(one)
    app.may_ask(one)
    app.leave(one)
    app.leave(two)
    assert not app.waiting
