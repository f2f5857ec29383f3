"""Take the picture of the page for the guide: ``python tests/space/picture.py``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from space.browser import NAMES, answer, browser, opened, served

PICTURE = Path(__file__).parents[2] / "examples" / "guide" / "space.png"
HEIGHT = 1250  # pixels: down to the pictures


def main() -> None:
    """Write it."""
    executable = next(filter(None, map(shutil.which, NAMES)))
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as address,
        browser(executable) as chromium,
    ):
        page = opened(chromium, address, 1280)
        page.get_by_role("tab", name="Files").click()
        page.get_by_text("A clear difference").click()
        page.get_by_text("decision_tree").wait_for()
        answer(page)
        page.mouse.move(0, 0)
        page.wait_for_timeout(1000)
        clip = {"x": 0, "y": 0, "width": 1280, "height": HEIGHT}
        page.screenshot(path=PICTURE, full_page=True, clip=clip)


if __name__ == "__main__":
    main()
