"""A card on disk, and one that is refused."""

import pytest

from corpora.small import COLUMNS
from pairedperm import InputError, compare
from pairedperm.model_card import significance_section, update

RESULT = compare(**COLUMNS)
PROSE = "# A model\n\nText.\n"


def write(folder, text):
    path = folder / "README.md"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def unmarked(result, **names):
    """The section without the comments by which `update` finds it."""
    paragraphs = significance_section(result, **names).split("\n\n")
    return "\n\n".join(x for x in paragraphs if not x.startswith("<!-- paired_perm:"))


def refused(path, message, **options):
    """Nothing is written."""
    with pytest.raises(InputError, match=message):
        untouched(path, **options)


def untouched(path, result=RESULT, folder=None, **options):
    """The update, which writes nothing."""
    folder = folder or (path if path.is_dir() else path.parent)

    def there():
        return {x: x.is_file() and x.read_bytes() for x in folder.rglob("*")}

    before = there()
    try:
        update(path, result, **options)
    finally:
        assert there() == before
