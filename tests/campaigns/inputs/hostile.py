"""Hostile values as Python sources: scalars, columns, options, texts."""

import importlib.util
from collections.abc import Callable
from random import Random
from typing import NamedTuple


def words(listed: str) -> tuple[str, ...]:
    """What is between white space."""
    return tuple(listed.split())


NUMBERS = words(
    "nan inf -inf -0.0 5e-324 2.2e-308 1e308 -1e308 1e16 2**53+1 -2**53-1 2**63-1 2**63 -2**63 "
    "2**64 10**5000 -10**400 1/3 1e-300 0.1 1e-13 -1 -100 3 1000 True False np.True_ "
    "np.float16(0.1) np.float32(0.1) np.float64('nan') np.longdouble(1)/3 np.int8(-128) "
    "np.uint8(255) np.int16(1) np.uint32(1) np.uint64(2**64-1) np.complex128(1j) 1j "
    "np.longdouble('1e400') np.nextafter(1.0,2.0) Int(1) Float(0.5) Digit.ONE np.array(1) "
    "np.array(0.5) Decimal('0.1') Decimal('NaN') Decimal('sNaN') Fraction(1,3)"
)
OTHERS = words(
    "None np.array(None) np.ma.masked np.array([1,0]) np.array([]) np.datetime64('2020-01-01') "
    "np.datetime64('NaT') np.timedelta64(1,'D') np.timedelta64(5) np.timedelta64('NaT') "
    "np.str_('a') np.bytes_(b'a') np.void(b'abc') b'a' b'\\xff' bytearray(b'a') "
    "memoryview(b'ab') '' 'a' '1' Str('a') Word.A set() {1} {'a'} frozenset({0}) {} {'a':1} [] "
    "[1] ['a'] [None] [[1]] (1,2) range(3) iter([1]) object() int len Ellipsis "
    "NotImplemented pd.NA pd.NaT pd.Timestamp(0) pd.Timedelta(1) pd.Interval(0,1) pa.scalar(1) "
    "pa.scalar(None) datetime.date(2020,1,1) datetime.timedelta(1) np.dtype('f8') recursive() "
    "deep() odd(1,float='raise') odd(1,index='raise') odd(1,repr='raise') odd(1,eq='raise') "
    "odd(1,hash='raise') odd([1],len='raise') odd([1],iter='raise') odd(1,float=1.0,index=1) "
    "odd(1,bool='raise') odd(1,array=np.array(1)) odd('a',str='raise') quotient uuid.UUID(int=0) "
    "re.compile('a') Path('a') array('d',[1.0]) deque([1]) pd.Series([1]) pd.DataFrame({'a':[1]}) "
    "pa.array([1]) Ratio([1],[1]) PairedCounts([1],[0],[2]) np.ma.masked_array([1,0],[1,0])"
)
TEXTS = (
    "' '",
    "(x for x in [1])",
    r"'\ud800'",
    r"'a\0b'",
    r"'e\u0301'",
    r"'a\nb'",
    r"'\u202e\u2028\x85'",
    "'x' * 10**5",
    "'1' * 5000",
    r"'\x1b[31m'",
    "'LABEL_0'",
    "'{0.__class__}%s'",
    "'| a | `b` <b> [x](y) $z$ ~~'",
    "'---'",
    "'<!-- paired_perm:start -->'",
    r"'\ufeffa'",
    "'\U0001f917'",
)
CONTAINERS = (
    "tuple({x})",
    "List({x})",
    "deque({x})",
    "iter({x})",
    "(y for y in {x})",
    "map(int, {x})",
    "set({x})",
    "dict.fromkeys({x})",
    "dict(enumerate({x})).values()",
    "range(len({x}))",
    "str({x})",
    "[{x}]",
    "[{x}, {x}]",
    "[[y] for y in {x}]",
    "[(y, 1) for y in {x}]",
    "[np.array(y) for y in {x}]",
    "[Decimal(y) / 10 for y in {x}]",
    "[Fraction(y, 3) for y in {x}]",
    "[{{y}} for y in {x}]",
    "[[{x}]]",
    "[*{x}, *{x}]",
    "{x}[1:]",
    "[*{x}, [1, 2]]",
    "[]",
    "np.array({x})",
    "np.array({x}, dtype=object)",
    "np.array([*{x}, None], dtype=object)[:-1]",
    "np.asmatrix({x})",
    "np.asmatrix({x}).T",
    "np.ma.masked_array({x}, mask=[True] + [False] * (len({x}) - 1))",
    "np.ma.masked_array({x})",
    "[np.ma.masked, *{x}[1:]]",
    "np.array({x}).reshape(-1, 1)",
    "np.array({x})[None]",
    "np.array({x})[:, None, None]",
    "np.array({x})[::-1]",
    "np.array({x}, order='F')[::1]",
    "np.broadcast_to(np.array({x}[0]), (len({x}),))",
    "np.array([(1, 2)] * len({x}), dtype=[('a', int), ('b', int)])",
    "np.rec.fromarrays([{x}, {x}])",
    "np.array(5)",
    "np.array([])",
    "np.zeros((0, 3))",
    "np.zeros((3, 0))",
    "np.zeros((2, 2, 2))",
    "np.array({x}).astype(np.dtypes.StringDType())",
    "np.array([b'a', b'b'])",
    "np.array({x}).view(np.recarray)",
    "np.char.array({x})",
    "np.array([{x}, 1], dtype=object)",
    "np.memmap(file(bytes(64)), dtype='i8')",
    "memoryview(np.array({x}))",
    "memoryview(bytes(range(len({x}))))",
    "bytes(range(len({x})))",
    "array('d', {x})",
    "array('f', {x})",
    "array('q', {x})",
    "pd.Series({x})",
    "pd.Series({x}, index=range(5, 5 + len({x})))",
    "pd.Series({x}, index=[0] * len({x}))",
    "pd.Series({x}, dtype='category')",
    "pd.Series({x}).convert_dtypes()",
    "pd.Series([*{x}[1:], None]).convert_dtypes()",
    "pd.Series({x}, dtype=object)",
    "pd.Index({x})",
    "pd.DataFrame({{'a': {x}}})",
    "pd.array({x})",
    "pd.Series({x}).astype('Sparse[float]')",
    "pa.array({x})",
    "pa.array([*{x}[1:], None])",
    "pa.chunked_array([{x}, []])",
    "pa.array({x}).dictionary_encode()",
    "pa.array([Decimal(y) for y in {x}])",
    "pa.table({{'a': {x}}})",
    "Dataset.from_dict({{'a': {x}}})['a']",
    "Dataset.from_dict({{'a': {x}}})",
    "Dataset.from_dict({{'a': {x}}}).with_format('numpy')['a']",
    "odd({x}, len=1)",
    "odd({x}, len=9)",
    "odd({x}, len='raise')",
    "odd({x}, iter='raise')",
    "odd({x}, getitem='raise')",
    "odd({x}, array=np.zeros(3))",
    "odd({x}, array=np.array('a'))",
    "odd({x}, array='raise')",
    "odd({x}, eq='raise')",
    "odd({x}, repr='raise')",
    "odd({x}, repr='x' * 10**5)",
    "Ratio([1], [1])",
    "recursive()",
    "deep()",
    *(
        f"np.array({{x}}, dtype='{dtype}')"
        for dtype in words("i1 u1 i2 u4 u8 f2 f4 g >i8 >f8 ? c8 c16 S2 U3 M8[s] m8[s] m8 O")
    ),
)
OF_TORCH = (
    "torch.tensor({x})",
    "torch.tensor({x}, dtype=torch.bfloat16)",
    "torch.tensor({x}, dtype=torch.float32, requires_grad=True)",
    "torch.tensor({x}).to_sparse()",
    "torch.tensor({x}).reshape(-1, 1)",
)
MISSPELT = ("'Exact'", "'two_sided'", "' greater'", "'f-1'", "'exakt'", "np.array('exact')")
COUNTS = ("0", "-1", "0.5", "1.0", "2.5", "1e9", "inf", "nan", "True", "'9'", "np.int64(50)")


class Slot(NamedTuple):
    """An argument: its name, "" by position, a valid source, and how a hostile one is found."""

    name: str
    plain: str
    hostile: Callable[[Random], str]


def has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def text(rng: Random) -> str:
    return rng.choice(TEXTS)


def scalar(rng: Random) -> str:
    return rng.choice(rng.choices((NUMBERS, OTHERS, TEXTS), (4, 4, 1))[0])


def anything(rng: Random) -> str:
    """A scalar, or a container of some integers."""
    return scalar(rng) if rng.random() < 0.7 else container(rng, "[1, 0, 2]")


def container(rng: Random, listed: str) -> str:
    """What is in a list's source, in another container."""
    also = OF_TORCH if rng.random() < 0.1 and has_torch() else CONTAINERS
    return rng.choice(also).format(x=listed)


def listed(entries: list[str]) -> str:
    return f"[{', '.join(entries)}]"


def entry(rng: Random, entries: list[str]) -> str:
    """The list with one hostile entry, or all of them."""
    if rng.random() < 0.1:
        return listed([scalar(rng)] * len(entries))
    spoiled = list(entries)
    spoiled[rng.randrange(len(spoiled))] = scalar(rng)
    return listed(spoiled)


def column(name: str, entries: list[str]) -> Slot:
    """A column of these entries."""

    def hostile(rng: Random) -> str:
        which = rng.random()
        if which < 0.4:
            return entry(rng, entries)
        if which < 0.8:
            return container(rng, listed(entries))
        if which < 0.87:
            return container(rng, entry(rng, entries))
        if which < 0.93:
            return listed([*entries[: rng.randrange(len(entries) + 1)], scalar(rng)])
        return anything(rng)

    return Slot(name, listed(entries), hostile)


def option(name: str, value: str, *, also: tuple[str, ...] = ()) -> Slot:
    """An option with this value; `also` are hostile ones of its own."""
    own = also or MISSPELT

    def hostile(rng: Random) -> str:
        return rng.choice(own) if rng.random() < 0.5 else anything(rng)

    return Slot(name, value, hostile)


def one_of(name: str, value: str, others: tuple[str, ...]) -> Slot:
    """An argument that is one of these, such as the object of a method."""
    return Slot(name, value, lambda rng: rng.choice(others))


def plain(name: str, value: str) -> Slot:
    """An argument that any value may stand for."""
    return Slot(name, value, anything)
