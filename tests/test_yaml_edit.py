"""One entry of a YAML text is set, or taken out."""

import copy

import yaml
from hypothesis import given
from hypothesis import strategies as st

from pairedperm.model_card.yaml_edit import set_value, without_key

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
    st.dictionaries(KEYS, DATA, min_size=1, max_size=3),
    st.sampled_from([None, True, False]),
    st.sampled_from([2, 4]),
    DATA,
)
def test_set_value(data, flow, indent, value):
    text = yaml.safe_dump(
        {"first": 1, "entries": [data, 0]},
        default_flow_style=flow,
        indent=indent,
        allow_unicode=True,
        sort_keys=False,
    )
    edited = set_value(text, ("entries", 0), "args", value)
    expected = copy.deepcopy(data)
    expected["args"] = value
    assert yaml.safe_load(edited) == {"first": 1, "entries": [expected, 0]}
    assert set_value(edited, ("entries", 0), "args", value) == edited


@given(
    st.dictionaries(KEYS, DATA, min_size=2, max_size=4),
    st.sampled_from([None, True, False]),
    st.sampled_from([2, 4]),
    st.data(),
)
def test_without_key(data, flow, indent, draw):
    text = yaml.safe_dump(
        {"first": 1, "entries": {"here": data, "next": 0}},
        default_flow_style=flow,
        indent=indent,
        allow_unicode=True,
        sort_keys=False,
    )
    key = draw.draw(st.sampled_from(list(data)))
    edited = without_key(text, ("entries", "here"), key)
    rest = {name: value for name, value in data.items() if name != key}
    assert yaml.safe_load(edited) == {"first": 1, "entries": {"here": rest, "next": 0}}
    assert set(edited.split("\n")) <= set(text.split("\n")) or "{" in text
