"""Ids that differ only in their Unicode form are told, wherever ids are matched."""

import pytest

from pairedperm import InputError
from pairedperm.inputs.ids import in_order
from pairedperm.readers import read_runs

ONE, TWO = "caf\u00e9", "cafe\u0301"
SAID = r"'caf\\xe9'.*'cafe\\u0301'|'cafe\\u0301'.*'caf\\xe9'"
REMEDY = "are one text in two Unicode forms: write all ids in one, such as NFC"


def by_readers(one, two, folder):
    for name, x in (("a", one), ("b", two)):
        (folder / f"{name}.csv").write_text(f"id,score\n{x},1\nz,0\n", "utf-8")
    read_runs(folder / "a.csv", folder / "b.csv")


def by_columns(one, two, _):
    in_order({"a": [1, 0], "b": [1, 0]}, {"a": [one, "z"], "b": [two, "z"]}, None)


@pytest.mark.parametrize("match", [by_readers, by_columns])
def test_forms_are_told(match, tmp_path):
    with pytest.raises(InputError, match=f"(?s)({SAID}) {REMEDY}"):
        match(ONE, TWO, tmp_path)
    with pytest.raises(InputError) as caught:
        match(ONE, "caf\u00e8", tmp_path)
    assert "Unicode" not in str(caught.value)
