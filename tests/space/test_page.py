"""The page as a visitor sees it: in Chromium, on a wide screen and on a telephone."""

import json
import re
import time
from itertools import pairwise

import pytest

from extras import needs, needs_program

pytestmark = pytest.mark.thorough
WIDTHS = 1280, 390
on_a_telephone = pytest.mark.parametrize("page", WIDTHS[1:], indirect=True)
HOSTILE, TEMPLATE = "<img src=x onerror=alert(1)>", "${alert(2)} {{x}}"


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
    permissions = ["clipboard-read", "clipboard-write"]
    found = tools.opened(chromium, address, request.param, permissions=permissions)
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
    tools.upload(page, "File A", file("new.jsonl", lines([1] * 30)))
    tools.upload(page, "File B", file("old.jsonl", lines([0] * 8 + [1] * 22)))
    found = tools.answer(page)
    assert found.get_by_role("heading", level=2).inner_text() == (
        "Luck rarely gives such a difference: new is better than old by 0.27."
    )
    assert "p = 0.00781 (certified: the true value is 0.0078125)" in found.inner_text()
    (picture,) = found.get_by_role("img").all()
    assert picture.evaluate("x => x.complete && x.naturalWidth > 100")
    for name, start in (
        ("Section for a model card", "<!-- paired_perm:start -->\n\n## Statistical significance\n"),
        ("How to repeat it", "pairedperm compare new.jsonl old.jsonl"),
    ):
        button = page.get_by_role("button", name=f"Copy: {name}")
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_function("document.activeElement.innerText === 'Copied'")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(start)
        assert copied == page.get_by_role("region", name=name).inner_text()


@on_a_telephone
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lines([1, 2]), "1 not in broken.jsonl: 2."),
        (b'{"id": "<script>alert(1)</script>", "score": 1}\n', "<script>alert(1)</script>"),
    ],
)
def test_message(tools, page, content, message):
    assert "File A is missing. Drop a file there." in tools.answer(page).inner_text()
    tools.upload(page, "File A", file("broken.jsonl", content))
    tools.upload(page, "File B", file("good.jsonl", lines([1, 0, 1])))
    alert = tools.answer(page)
    assert alert.get_attribute("role") == "alert"
    assert message in alert.inner_text()
    assert "Traceback" not in page.content()


@on_a_telephone
def test_paste(tools, page):
    page.get_by_role("tab", name="Paste").click()
    page.get_by_label("Box A").fill("yes\nyes\nyes\nno")
    page.get_by_label("Box B").fill("no\nno\nno\nno")
    page.get_by_label("Right answers").locator("visible=true").fill("yes\nyes\nyes\nno")
    found = tools.answer(page)
    assert "These 4 examples cannot tell them apart" in found.inner_text()


@on_a_telephone
def test_names_and_metrics(tools, page):
    """Names are shown as they are; of several metrics one can be chosen."""
    for box, name, scores in (("A", HOSTILE, [1, 0, 1]), ("B", TEMPLATE, [0, 0, 1])):
        rows = lines(scores, other=1, prediction="x", reference="x")
        tools.upload(page, f"File {box}", file(f"{name}.jsonl", rows))
    page.get_by_role("button", name="More options").click()
    metric = page.get_by_label("Metric")
    metric.fill("accuracy")
    metric.press("Enter")
    found = tools.answer(page)
    assert all(x in found.inner_text() for x in (HOSTILE, TEMPLATE))
    assert found.locator("[onerror]").count() == 0
    assert "--metric=accuracy" in page.get_by_role("region", name="How to repeat it").inner_text()


def test_keyboard(page):
    """Everything is reached by Tab, in the order of the page, and has a name."""
    assert page.title() == "Is the difference luck?"
    page.get_by_role("button", name="Too few").click()
    page.locator("section.pp").wait_for()
    levels = page.locator("h1, h2, h3").evaluate_all("all => all.map((x) => +x.tagName[1])")
    assert levels[:2] == [1, 2]
    assert max(b - a for a, b in pairwise(levels)) == 1
    assert page.locator("[tabindex]").evaluate_all("x => x.every((y) => y.tabIndex <= 0)")
    unnamed = "all => all.filter((x) => x.labels && !x.labels.length && !x.ariaLabel).length"
    assert (
        page.locator("input:visible, textarea:visible, select:visible").evaluate_all(unnamed) == 0
    )
    reached = []
    page.evaluate("document.activeElement.blur()")
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.innerText || ''").strip())
    for name in ("Two files", "Compare the files", "A clear difference", "More options"):
        assert any(x.startswith(name) for x in reached), name


LIMITED = "import limits; limits.KEPT_FOR = limits.SWEPT_EVERY = 1; limits.MAX_BYTES = 2000; "


def test_limits(tools, chromium, tmp_path):
    """Uploads go after the time that the page says; who asks later learns it. One is too large."""
    with tools.served(tmp_path, ("-c", f"{LIMITED}import app; app.main()")) as address:
        page = tools.opened(chromium, address, 1280)
        tools.upload(page, "File A", file("new.jsonl", lines([1] * 30)))
        tools.upload(page, "File B", file("old.jsonl", lines([0] * 30)))
        end = time.monotonic() + 20
        while [*tmp_path.rglob("*.jsonl")] and time.monotonic() < end:
            time.sleep(0.2)
        assert [*tmp_path.rglob("*.jsonl")] == []
        assert "no longer here" in tools.answer(page).inner_text()
        page = tools.opened(chromium, address, 390)
        box = page.get_by_role("group", name="File A")
        box.locator("input[type=file]").set_input_files(file("new.jsonl", lines([1] * 300)))
        page.get_by_text(re.compile("exceed|maximum|too large", re.I)).first.wait_for()
