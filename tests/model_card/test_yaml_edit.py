"""One entry of a YAML text is set, or taken out."""

import copy
import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pairedperm import InputError
from pairedperm.model_card import edited, load_yaml
from properties import one_in


def set_value(text, path, key, value):
    return edited(text, path, key, {key: value})


def without_key(text, path, key):
    return edited(text, path, key, {})


KEYS = st.sampled_from(["a", "b", "c d", "value", "args"])
SCALARS = st.sampled_from(
    [1, 0.5, "x", "two words", "", "# no comment", "é🤗", None, "1", "a\nb\n"]
)
DATA = st.recursive(
    SCALARS,
    lambda x: st.lists(x, max_size=3) | st.dictionaries(KEYS, x, max_size=3),
    max_leaves=12,
)


@given(
    st.dictionaries(KEYS, DATA, min_size=2, max_size=3),
    st.sampled_from([None, True, False]),
    st.sampled_from([2, 4]),
    DATA,
)
def test_any_data(data, flow, indent, value):
    """One entry is set, another one taken out; neither is found again."""
    options = {"default_flow_style": flow, "indent": indent, "sort_keys": False}
    path = ("entries", 0, "here")

    def around(data):
        return {"first": 1, "entries": [{"here": data, "next": 0}, 0]}

    text = yaml.safe_dump(around(data), allow_unicode=True, **options)
    found = set_value(text, path, "args", value)
    expected = {**copy.deepcopy(data), "args": value}
    assert yaml.safe_load(found) == around(expected)
    assert set_value(found, path, "args", value) == found
    key = next(iter(data))
    fewer = without_key(found, path, key)
    del expected[key]
    assert yaml.safe_load(fewer) == around(expected)
    assert {*fewer.split("\n")} <= {*found.split("\n")} or "{" in found


# Texts as people write them: ruamel.yaml's round trip keeps two of them, and none with CRLF

METRIC = """\
model-index:
- name: m
  results:
  - metrics:
    - type: accuracy
      value: 0.9
"""
TEXTS = {
    "indentation": (
        "tags:\n  - a\nmodel-index:\n- name: m\n  results:\n    - metrics:\n"
        "      -   type: accuracy\n          value:   0.9\n"
    ),
    "flow": "model-index: [ {name: m,results: [{metrics: [{type: a,\n  value: 1 ,}]}]} ]\n",
    "folded lines": f'a: one\n  two\nb: "one\n  two"\nc: >-\n    four\n    spaces\n{METRIC}',
    "block scalars": f"a: |+\n  kept\n\n\nb: |2\n   x\n{METRIC}",
    "comments": f"# ours\na: 1      # one\nb: 2 # two\n{METRIC}      # three\n# four\n",
    "document": f"%YAML 1.1\n---\n{METRIC}...\n",
    "anchors": f"a: &x {{b: [1]}}\nb: &y 2\nc: *x\nd:\n  <<: {{e: 1}}\n{METRIC}".replace(
        "- type", "- &m\n      type"
    ),
    "names that are given twice": f"license: mit\nlicense: other\n{METRIC}",
}
PATH = ("model-index", 0, "results", 0, "metrics", 0)


@one_in(3)
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_other_character_stays(name, newline):
    text = TEXTS[name].replace("\n", newline)
    expected = load_yaml(text, "it")
    expected["model-index"][0]["results"][0]["metrics"][0]["args"] = {"p": 0.5, "n": 6}
    found = set_value(text, PATH, "args", {"p": 0.5, "n": 6})
    assert str(load_yaml(found, "it")) == str(expected)
    pairs = enumerate(zip(text, found, strict=False))
    n_same = next((i for i, (x, y) in pairs if x != y), len(text))
    assert found.endswith(text[n_same:])
    assert found.count("\n") == found.count(newline)
    fewer = without_key(found, (*PATH, "args"), "n")
    assert set_value(fewer, (*PATH, "args"), "n", 6).rstrip() == found.rstrip()


@pytest.mark.parametrize(
    ("text", "path", "key"),
    [
        ("a: &a {p: 1}\nb: *a\n", ("a",), "p"),
        ("a: &a {p: 1}\nb: *a\n", ("b",), "p"),
        ("a: &a {p: {q: 1}}\nb:\n  <<: *a\n", ("b", "p"), "q"),
        ("a: &a {p: {q: 1}}\nb: {<<: *a}\n", ("b",), "p"),
        ("a: &a 1\nb: {p: *a}\n", ("b",), "p"),
        ("a: {p: &a 1}\nb: *a\n", ("a",), "p"),
    ],
)
def test_what_stands_elsewhere_too(text, path, key):
    """It cannot be taken out, nor can another value take its place."""
    message = f"'{key}' at {'/'.join(path)} of the YAML cannot be set without changing something"
    with pytest.raises(InputError, match=message):
        without_key(text, path, key)
    if "<<: *a}" in text:  # but it can be overridden
        assert load_yaml(set_value(text, path, key, 2), "it")["b"] == {"p": 2}
    else:
        with pytest.raises(InputError, match=message):
            set_value(text, path, key, 2)


@pytest.mark.parametrize(
    ("text", "fewer"),
    [
        ("- d: 1  # one\n  e: 2\n  f: 3\n", "- e: 2\n  f: 3\n"),
        ("- - d: 1\r\n    e: 2\r\n", "- - e: 2\r\n"),
        ("- d:\n  - 1\n  e: 2\n", "- e: 2\n"),
        ("- d: 1  # one\n- e: 2\n", "- {}  # one\n- e: 2\n"),
    ],
)
def test_the_first_key_of_a_list_item(text, fewer):
    path = (0, 0) if text.startswith("- -") else (0,)
    assert without_key(text, path, "d") == fewer


def nested(n_levels, form, last="[x, x]"):
    """A line a level: each has the one before it nine times."""
    lines = [f"a{k}: &a{k} {form(', '.join([f'*a{k - 1}'] * 9))}\n" for k in range(1, n_levels)]
    return f"a0: &a0 {last}\n{''.join(lines)}"


LISTS, MERGED = "[{}]".format, "{{<<: [{}]}}".format


@pytest.mark.parametrize("n_levels", [6, 40])
@pytest.mark.parametrize(("form", "last"), [(LISTS, "[x, x]"), (MERGED, "{x: y}")])
def test_nested_aliases(form, last, n_levels):
    """They stand for up to 9^39 entries, in some hundred characters."""
    text = f"{nested(n_levels, form, last)}m:\n  type: a\n"
    start = time.perf_counter()
    with pytest.raises(
        InputError, match=r"line \d: its aliases \(\*\) stand for too much: write out"
    ):
        load_yaml(text, "the card")
    assert time.perf_counter() - start < 1.0


@one_in(6)
@pytest.mark.parametrize("opened", ["[", "{a: ", "- ", "? ", "!!set {? [", "&a ["])
def test_deep_nesting(opened):
    """Neither here nor where it is written does the stack end."""
    for n in (51, 300, 5000):
        with pytest.raises(InputError, match=r"the YAML of it cannot be read"):
            load_yaml(f"m: {{}}\na:\n  {opened * n}", "it")
    with pytest.raises(
        InputError, match=r"line 2: it is nested more than 50 levels deep\. Correct"
    ):
        load_yaml(f"m: {{}}\na: {'[' * 51}{']' * 51}", "it")
    text = f"m: {{}}\na: {'[' * 49}{']' * 49}\n"
    assert set_value(text, ("m",), "p", 1) == text.replace("{}", "{p: 1}")
    chain = "".join(f"b{999 - k}: &b{999 - k} [*b{1000 - k}]\n" for k in range(60))
    with pytest.raises(InputError, match=r"line 51: its aliases \(\*\) stand for too much"):
        load_yaml(f"b1000: &b1000 x\n{chain}m: {{}}\n", "it")
