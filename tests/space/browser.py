"""The page, served by the one command that users type, in a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SPACE = Path(__file__).parents[2] / "metrics" / "paired_perm"
NAMES = "chromium", "chromium-browser", "google-chrome"
_FLAGS = (  # none of the browser's own calls to elsewhere
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
_PATIENCE = 120  # seconds to start, on a machine that does other things too


@contextmanager
def served(folder: Path, command: tuple[str, ...] = (str(SPACE / "app.py"),)) -> Iterator[str]:
    """The address of the page; uploads and what it prints are in the folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **{x: y for x, y in os.environ.items() if not x.startswith(("GRADIO_", "SPACE_"))},
        "GRADIO_TEMP_DIR": str(folder / "uploads"),
        "TMPDIR": str(folder),  # gradio serves what lies in it, and a checkout may
        "PYTHONPATH": os.pathsep.join([str(SPACE.parents[1]), str(SPACE)]),
    }
    with (folder / "log.txt").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, *command, "--port", str(port)],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/", server, folder / "log.txt")
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.wait()


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while not _answers(address):
        if server.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"the page does not start: {log.read_text('utf-8')}")
        time.sleep(0.2)


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address).close()
    except OSError:
        return False
    return True


@contextmanager
def browser(executable: str) -> Iterator[Any]:
    """Chromium, headless."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=executable, args=[*_FLAGS])
        yield opened
        opened.close()


def opened(browser: Any, address: str, width: int, theme: str = "light") -> Any:
    """The page in a window of its own, which notes what is requested, and what goes wrong."""
    allowed = ["clipboard-read", "clipboard-write"]
    context = browser.new_context(viewport={"width": width, "height": 900}, permissions=allowed)
    page = context.new_page()
    page.set_default_timeout(_PATIENCE * 1000)
    page.requested, page.wrong = [], []
    page.on("request", lambda x: page.requested.append(x.url))
    page.on("pageerror", lambda x: page.wrong.append(str(x)))
    page.on("dialog", lambda x: (page.wrong.append(x.message), x.dismiss()))
    page.goto(f"{address}?__theme={theme}")
    page.get_by_role("button", name="Compare the lines").wait_for()
    return page


def upload(page: Any, label: str, *files: Any) -> None:
    """Put files into the box with this label."""
    page.get_by_role("tab", name="Files").click()
    box = page.locator(".block", has=page.get_by_text(label, exact=True)).locator("visible=true")
    box.locator("input[type=file]").set_input_files([*files])
    box.get_by_role("button", name="Clear").first.wait_for()


def answer(page: Any) -> Any:
    """Press the button, by the keyboard, and wait until another answer is there."""
    box = page.get_by_label("Answer", exact=True)
    before = box.input_value()
    button = page.get_by_role("button", name="Compare the ").locator("visible=true")
    button.focus()
    page.keyboard.press("Enter")
    while box.input_value() in ("", before):
        page.wait_for_timeout(100)
    page.get_by_text("processing").wait_for(state="hidden")
    return box
