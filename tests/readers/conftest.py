"""Files that tests write."""

import pytest

from corpora.logs import save


@pytest.fixture
def put(tmp_path):
    """Write a file of this name, of text, bytes, or an object a line."""
    return lambda name, content: save(tmp_path / name, content)


@pytest.fixture
def two(put):
    """Two files a.jsonl and b.jsonl of these objects."""
    return lambda first, second: (put("a.jsonl", first), put("b.jsonl", second))
