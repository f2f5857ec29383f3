"""Published results, as somebody alters them."""

import re

from pairedperm import InputError, verify


def sealed(table):
    """With the sum that it has, as who alters a table would write it; verify tells that sum."""
    try:
        verify(table | {"sha256": "0" * 64})
    except InputError as error:
        found = re.search(r"(?<=table is )[0-9a-f]{64}", str(error))
        if found:
            return table | {"sha256": found[0]}
    return table
