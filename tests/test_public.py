"""What is public is what the stored list says: whoever changes it tells the users."""

import difflib

import public


def test_what_is_public_is_listed():
    stored = public.LIST.read_text(encoding="utf-8").splitlines()
    found = public.listed().splitlines()
    changed = difflib.unified_diff(stored, found, "stored", "found", lineterm="", n=0)
    remedy = "add a line to .github/CHANGELOG.md, and run python tests/public.py"
    assert not [*changed], remedy


def test_a_change_would_be_found():
    def renamed(a, b=2, *, c=None):
        """Has another parameter."""

    assert public.signature(renamed) == "(a, b=2, *, c=None)"
    assert [*public.keys({"a": [{"b": 1}]}, "x")] == ["x['a']", "x['a'][]['b']"]
    assert public.found("pairedperm.hf.compare_dataset").__name__ == "compare_dataset"
    assert "pairedperm.scoring.F1" in {*public.documented()}
