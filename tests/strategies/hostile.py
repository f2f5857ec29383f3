"""Hostile values as Python sources, and sources in which one expression becomes hostile."""

import ast
import importlib.util
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

Sources = st.SearchStrategy[str]


def table(text: str) -> dict[str, list[str]]:
    """What is listed for each name: "name: one | another", and more lines; ~ is nothing."""
    found: dict[str, list[str]] = {}
    for line in text.strip("\n").splitlines():
        if line[0] != " ":
            name, _, line = line.partition(": ")
        found.setdefault(name, []).extend(x.strip("~") for x in line.strip().split(" | "))
    return found


_LISTED = table(r"""
numbers: nan | inf | -inf | -0.0 | 5e-324 | 1e308 | 1e16 | 2**53+1 | 2**63 | -2**63 | 2**64 | -1
  10**5000 | -10**400 | 1/3 | 1e-300 | 0.1 | 1000 | True | np.True_ | np.float16(0.1) | 1j | Int(1)
  np.float32(0.1) | np.float64('nan') | np.longdouble(1) / 3 | np.longdouble('1e400') | Digit.ONE
  np.int8(-128) | np.uint64(2**64-1) | np.complex128(1j) | np.array(1) | np.array(0.5) | Float(0.5)
  Decimal('0.1') | Decimal('sNaN') | Fraction(1, 3)
others: None | [] | [1] | ['a'] | [None] | [[1]] | (1, 2) | {} | {'a': 1} | {1} | frozenset({0})
  '' | 'a' | '1' | Str('a') | Word.A | b'\xff' | bytearray(b'a') | memoryview(b'ab') | iter([1])
  int | len | quotient | object() | Ellipsis | np.str_('a') | np.bytes_(b'a') | np.void(b'abc')
  range(3) | np.dtype('f8') | np.datetime64('2020-01-01') | np.timedelta64(5)
  np.timedelta64('NaT') | pd.NA | np.ma.masked | np.ma.masked_array([1, 0], [1, 0])
  np.array([1, 0]) | np.array([]) | pd.NaT | np.array(None) | pd.Timestamp(0) | pd.Interval(0, 1)
  pd.Series([1]) | pd.DataFrame({'a': [1]}) | pa.scalar(1) | pa.scalar(None) | pa.array([1])
  Path('a') | datetime.date(2020, 1, 1) | deque([1]) | uuid.UUID(int=0) | array('d', [1.0])
  recursive() | deep() | odd(1, <method>=raises) | odd([1], len=raises) | odd([1], iter=raises)
  odd(1, float=1.0, index=1) | Ratio([1], [1]) | odd(1, array=np.array(1)) | odd('a', str=raises)
  PairedCounts([1], [0], [2])
method: float | index | repr | eq | hash | bool
texts: ' ' | '\ud800' | 'a\0b' | 'e\u0301' | 'a\nb' | '\u202e\u2028\x85' | '\ufeffa' | '\x1b[31m'
  'x' * 10**5 | '1' * 5000 | 'LABEL_0' | '{0.__class__}%s' | '---' | '<!-- paired_perm:start -->'
  '|a|`b` <b> [x](y) $z$ ~~' | '\U0001f917' | '.'
containers: tuple({x}) | List({x}) | deque({x}) | iter({x}) | map(int, {x}) | set({x}) | str({x})
  dict.fromkeys({x}) | dict(enumerate({x})).values() | (y for y in {x}) | [{x}] | [{x}, {x}] | []
  [*{x}, *{x}] | {x}[1:] | [*{x}, [1, 2]] | [<entry> for y in {x}] | bytes(range(len({x})))
  memoryview(<array>) | memoryview(bytes(range(len({x})))) | array('d', {x}) | <array> | np.array(5)
  np.array({x}, '<dtype>') | np.array([*{x}, None], dtype=object)[:-1] | np.array([{x}, 1], 'O')
  np.asmatrix({x}).T | np.ma.masked_array({x}) | np.ma.masked_array({x}, [True, *{x}[1:]])
  [np.ma.masked, *{x}[1:]] | np.ma.masked_equal({x}, 1) | <array>[::-1] | <array>.reshape(-1, 1)
  <array>[None] | <array>[:, None, None] | np.broadcast_to(np.array({x}[0]), (len({x}),))
  np.rec.fromarrays([{x}, {x}]) | np.zeros((0, 3)) | np.zeros((3, 0)) | np.zeros((2, 2, 2))
  np.char.array({x}) | np.memmap(file(bytes(64)), 'i8') | scipy.sparse.csr_array({x}) | deep()
  <frame> | <frame>.convert_dtypes() | <frame>.iloc[::-1] | <frame>.astype('category') | recursive()
  pd.DataFrame({'a': {x}}) | pd.DataFrame([{x}], columns=['a', 'b', 'b']) | pd.Series({x})
  pd.Series({x}, [0] * len({x})) | pd.Series({x}, range(5, 5 + len({x}))) | pd.array({x})
  pd.Series({x}).convert_dtypes() | pd.Series([*{x}[1:], None]).convert_dtypes() | pd.Index({x})
  pd.Series({x}, dtype='category') | pd.Series({x}, dtype=object) | pa.array({x}) | np.array([])
  pd.Series({x}).astype('Sparse[float]') | pa.array([*{x}[1:], None]) | pa.chunked_array([{x}, []])
  pa.table({'a': {x}}) | pa.array({x}).dictionary_encode() | pa.array([Decimal(y) for y in {x}])
  Dataset.from_dict({'a': {x}})['a'] | Dataset.from_dict({'a': {x}}) | odd({x}, <special>=raises)
  Dataset.from_dict({'a': {x}}).with_format('numpy')['a'] | odd({x}, len=1) | odd({x}, len=9)
  odd({x}, array=np.zeros(3)) | odd({x}, repr='x' * 10**5)
array: np.array({x})
frame: pd.DataFrame({x})
entry: [y] | (y, 1) | {y} | np.array(y) | Decimal(y) / 10 | Fraction(y)
special: len | iter | eq | getitem | array | repr
torch: torch.tensor({x}) | torch.tensor({x}, dtype=torch.bfloat16) | torch.tensor({x}).to_sparse()
  torch.tensor({x}).double().requires_grad_()
dtype: i1 | u8 | f2 | f4 | g | >f8 | ? | c16 | S2 | U3 | M8[s] | m8 | O
misspelt: 'Exact' | 'two_sided' | 'exakt' | np.array('exact') | 0 | -1 | 0.5 | 2.5 | 1e9 | inf | nan
bytes: ~ | \xff | \0 | \r\n | \r | \n\n | \t | , | - | 0.1 | nan | 1e999 | 1e-400 | 0x1 | 1_0 | null
  9223372036854775808 | \xd9\xa1 | true | NaN | {} | [1] | [ | { | \xef\xbb\xbf | \xed\xa0\x80
""")


def filled(source: str, listed: Mapping[str, list[str]]) -> list[str]:
    """The source with each of what is listed for its first <place>, and so on."""
    place = re.search(r"<(\w+)>", source)
    if place is None or place[1] not in listed:
        return [source]
    others = (source.replace(place[0], x, 1) for x in listed[place[1]])
    return [y for x in others for y in filled(x, listed)]


_ALL = {name: [y for x in some for y in filled(x, _LISTED)] for name, some in _LISTED.items()}
SCALARS, CONTAINERS = _ALL["numbers"] + _ALL["others"] + _ALL["texts"], _ALL["containers"]
HAS_TORCH = importlib.util.find_spec("torch") is not None
if HAS_TORCH:
    CONTAINERS += _ALL["torch"]
if hasattr(np.dtypes, "StringDType"):  # of NumPy 2
    CONTAINERS.append("np.array({x}).astype(np.dtypes.StringDType())")
_BYTES = [eval(f"b'{x}'") for x in _LISTED["bytes"]]

scalars, containers = st.sampled_from(SCALARS), st.sampled_from(CONTAINERS)
anything = scalars | scalars | containers.map(lambda x: x.replace("{x}", "[1, 0, 2]"))
_others = st.sampled_from(_LISTED["misspelt"]) | anything


@st.composite
def spoiled(draw: Any, content: bytes) -> bytes:
    """The bytes with a word or sign replaced, cut behind it, or with other ends of lines."""
    pieces = re.split(rb"(\W)", content)
    at, odd = draw(st.integers(0, len(pieces) - 1)), draw(st.sampled_from(_BYTES))
    end = draw(st.sampled_from((at + 1, at + 1, at, at + 4, len(pieces))))
    ending = draw(st.sampled_from((b"\n", b"\n", b"\n", b"\r\n", b"\r", b"\n\n")))
    found = b"".join((*pieces[:at], odd * draw(st.sampled_from((1, 1, 1, 3000))), *pieces[end:]))
    return found.replace(b"\n", ending)


def _parts(node: ast.AST, name: str) -> Iterator[tuple[str, ast.expr]]:
    """The expressions that one is made of, each with the name by which it is given."""
    if isinstance(node, ast.Call):
        yield from (("", x) for x in node.args)
        yield from ((x.arg or "", x.value) for x in node.keywords)
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
            yield "", node.func.value
    elif isinstance(node, ast.List | ast.Tuple):
        yield from ((name, x) for x in node.elts)
    elif isinstance(node, ast.Dict):
        for key, x in zip(node.keys, node.values, strict=True):
            yield str(key.value) if isinstance(key, ast.Constant) else "", x


@st.composite
def changed(draw: Any, source: str, name: str, wrong: Mapping[str, Sources]) -> str:
    """The source, or one of the expressions that it is made of, as the source of something else.

    What is given by a name in `wrong`, or is a call of one, becomes what is wrong for it.
    """
    node, text = ast.parse(source, mode="eval").body, source.encode()
    start, end = 0, len(text)
    while inner := [*_parts(node, name)]:
        if draw(st.booleans()):
            break
        name, node = inner[draw(st.integers(0, len(inner) - 1))]
        start, end = node.col_offset, node.end_col_offset or 0
    if isinstance(node, ast.Call) and name not in wrong:
        name = ast.unparse(node.func)
    others = containers | containers | anything if isinstance(node, ast.List) else _others
    if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
        others = spoiled(node.value).map(repr)
    before, old, after = (x.decode() for x in (text[:start], text[start:end], text[end:]))
    new = draw(wrong.get(name, others)).replace("{x}", old)
    return f"{before}({new}){after}" if after[:1] == "." else f"{before}{new}{after}"
