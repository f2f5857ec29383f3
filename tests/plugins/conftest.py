"""What an installer writes: by it the tools find the plugins."""

import re

import pytest

from interpreter import CHECKOUT


@pytest.fixture
def installed(tmp_path):
    """A folder where interpreters find the entry points that pyproject.toml declares."""
    text = (CHECKOUT / "pyproject.toml").read_text("utf-8")
    groups = re.findall(r"^\[project\.entry-points\.(\w+)\]\n((?:.+\n)+)", text, re.MULTILINE)
    folder = tmp_path / "pairedperm-0.dist-info"
    folder.mkdir()
    points = "".join(f"[{group}]\n{lines}" for group, lines in groups).replace('"', "")
    (folder / "entry_points.txt").write_text(points, "utf-8")
    (folder / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: pairedperm\nVersion: 0\n", "utf-8"
    )
    return tmp_path
