"""The grammar of calls on files: score files, results in cards, the command line."""

from __future__ import annotations

from random import Random

from campaigns.inputs.fuzz_call import Call, build
from campaigns.inputs.hostile import Slot, anything, one_of, option, text, words

_ODD_BYTES = (
    rb"\xff",
    rb"\0",
    rb"\r\n",
    rb"\r",
    rb"\xef\xbb\xbf",
    rb"\xed\xa0\x80",
    rb"\xe2\x80\xa8",
    rb"\x1b[31m",
    rb"\n\n",
    rb"\t",
    rb" ",
    rb"nan",
    rb"1e999",
    rb"-",
    rb"0x1",
    rb"1_0",
    rb"9223372036854775808",
    rb"0.1",
    rb"\xd9\xa1",
    rb"\"1,5\"",
    rb",",
    rb"1e-400",
)
_LONG = ("b'1' * 3000", "b'1 ' * 5000", "b'1' * 3000 + b'e'", "b'\\n' * 3000", "b' ' * 10**4")
_PATHS = ("'missing'", "'.'", "''", "'a\\0b'", "'x' * 5000", "'/dev/null'", "'\\ud800'")


def _spoiled(rng: Random, content: str) -> str:
    """The bytes with something odd in them, as a source."""
    if rng.random() < 0.15:
        long = rng.choice(_LONG)
        return f"b'{content}' + {long}" if rng.random() < 0.5 else long
    characters = content.replace("\\n", "\n").replace("\\t", "\t")
    at = rng.randrange(len(characters) + 1)
    cut = rng.choice((0, 0, 1, 5))
    odd = rng.choice(_ODD_BYTES).decode()
    before, after = characters[:at], characters[at + cut :]
    spelled = [x.replace("\n", "\\n").replace("\t", "\\t") for x in (before, after)]
    return f"b'{spelled[0]}{odd}{spelled[1]}'"


def _file(content: str) -> Slot:
    def hostile(rng: Random) -> str:
        which = rng.random()
        if which < 0.75:
            return f"file({_spoiled(rng, content)})"
        return rng.choice(_PATHS) if which < 0.9 else anything(rng)

    return Slot("", f"file(b'{content}')", hostile)


def _table(rng: Random, n: int, width: int, separator: str) -> str:
    some = ["0", "1", "2", "3.5", "0.25"] if rng.random() < 0.3 else ["0", "1", "2", "10"]
    lines = [separator.join(rng.choice(some) for _ in range(width)) for _ in range(n)]
    return "\\n".join(lines) + rng.choice(("", "\\n"))


def art(rng: Random) -> Call:
    n, width = rng.randrange(1, 5), rng.randrange(1, 4)
    return build(rng, "read_art", [_file(_table(rng, n, width, " ")) for _ in range(2)])


def paired(rng: Random) -> Call:
    separator = rng.choice((",", "\\t", ", "))
    content = _table(rng, rng.randrange(1, 5), rng.choice((2, 4)), separator)
    if rng.random() < 0.3:
        header = separator.join("abcd"[: content.split("\\n")[0].count(separator) + 1])
        content = f"{header}\\n{content}"
    slots = [_file(content)]
    if rng.random() < 0.3:
        value = "','" if separator[0] == "," else "'\\t'"
        slots.append(option("delimiter", value, also=("''", "';'", "' '", "'1'", "'\\n'")))
    return build(rng, "read_paired_perm_test", slots)


def conll(rng: Random) -> Call:
    names = ["(a); part 000", "(b); part 001", "c"][: rng.randrange(1, 4)]

    def scores(rows: list[list[int]]) -> list[str]:
        layout = "Recall: ({} / {}) 1%\\tPrecision: ({} / {}) 1%\\tF1: 1%\\n"
        return [layout.format(*row) for row in rows]

    contents = []
    for _ in range(2):
        rows = [[rng.randrange(5) for _ in range(4)] for _ in names]
        totals = scores([[sum(x) for x in zip(*rows, strict=True)]])[0]
        parts = [f"====> {x}:\\n{y}" for x, y in zip(names, scores(rows), strict=True)]
        contents.append(f"{''.join(parts)}\\n====== TOTALS =======\\nCoreference: {totals}")
    return build(rng, "read_conll", [_file(x) for x in contents])


_RESULTS = (
    "compare([1, 1, 0, 1, 1], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1])",
    "paired_permutation_test([2, 1, 0.5], [0, 0, 1])",
    "compare([1, 1, 0], [0, 1, 1], [1, 1, 1], test='bootstrap')",
    "compare(['a', 'b'], ['b', 'b'], ['a', 'b'], 'f1', pos_label='a', method='monte_carlo', "
    "n_resamples=9, rng=0)",
)
_KEYS = words(
    "stat p log_p p_low p_high log_p_low log_p_high interval score1 score2 metric alternative "
    "method n n_differing n_resamples confidence_level metric_options test ties stat_low n_ignored"
)
_VALUES = words(
    "inf -inf nan 0 -1 0.5 2 1e300 -1e-300 None True 'x' 'bootstrap' 'bracket' [] {} 10**400 "
    "{'a':[1]} np.float32(0.5) np.array([1,2]) np.array(0.5) Decimal('0.5') "
    "Fraction(1,2) 2**63 5e-324 np.timedelta64(5) pd.NA 10**5000 '\\ud800' {'a':10**5000}"
)


def _result(rng: Random) -> Slot:
    """A result, or its dict with something else under a key."""
    result = rng.choice(_RESULTS)
    plain = result if rng.random() < 0.5 else f"{result}.to_dict()"

    def hostile(rng: Random) -> str:
        which = rng.random()
        if which < 0.15:
            return anything(rng)
        if which < 0.25:
            return f"{{'a': {result}}}"
        value = rng.choice(_VALUES) if rng.random() < 0.7 else anything(rng)
        key = rng.choice(_KEYS)
        more = f" | {{{rng.choice(_KEYS)!r}: {rng.choice(_VALUES)}}}" * (rng.random() < 0.3)
        return f"{result}.to_dict() | {{{key!r}: {value}}}{more}"

    return Slot("", plain, hostile)


def _name_slots(rng: Random) -> list[Slot]:
    names = (("name1", "'large'"), ("name2", "'small'"), ("dataset", "'dev'"))

    def slot(name: str, value: str) -> Slot:
        also = ("'this model'", "'small'", "' '", r"'a\nb'")
        return Slot(name, value, lambda rng: text(rng) if rng.random() < 0.6 else rng.choice(also))

    return [slot(*x) for x in names if rng.random() < 0.4]


def section(rng: Random) -> Call:
    return build(rng, "significance_section", [_result(rng), *_name_slots(rng)])


_START, _END = "<!-- paired_perm:start -->", "<!-- paired_perm:end -->"
_INDEX = (
    "---\\nlicense: mit\\nmodel-index:\\n- name: m\\n  results:\\n  - task: {type: t}\\n"
    "    dataset: {type: d, name: dev}\\n"
    "    metrics:\\n    - type: accuracy\\n      value: 0.5\\n---\\n# m\\n"
)
_CARDS = (
    "# A model\\n\\nText.\\n",
    "---\\nlicense: mit\\ntags: [a, b]\\n---\\n# A model\\n",
    f"# A\\n\\n{_START}\\nold\\n{_END}\\n\\nMore\\n",
    "- a\\n  ```\\n  code\\n  ```\\n> quote\\n\\n<div>\\nx\\n</div>\\n",
    _INDEX,
)
_ODD_CARDS = (
    f"b'{_START}\\n{_START}\\n{_END}\\n'",
    f"b'{_END}\\n{_START}\\n'",
    f"b'{_START}\\n'",
    f"b'> {_START}\\n> {_END}\\n'",
    f"b'```\\n{_START}\\n```\\n{_START}\\nx\\n{_END}'",
    f"b'{_START} x\\n'",
    "b'---\\na: [\\n---\\n'",
    "b'---\\n- a\\n---\\n'",
    "b'---\\na: &x [*x]\\n---\\n'",
    "b'---\\na: &x {b: *x}\\n---\\n'",
    "b'---\\n!!python/object:os.system {}\\n---\\n'",
    "b'---\\na: !!int x\\n---\\n'",
    "b'---\\na: !!timestamp 2020-13-45\\n---\\n'",
    "b'---\\n? [a]\\n: b\\n---\\n'",
    "b'---\\n<<: 5\\n---\\n'",
    "b'---\\na: 1\\na: 2\\n---\\n'",
    "b'---\\na: \\x01\\n---\\n'",
    "b'---\\na0: &a0 [x]\\n' + b''.join(b'a%d: &a%d [*a%d, *a%d]\\n' % (k + 1, k + 1, k, k) "
    "for k in range(40)) + b'---\\n'",
    "b'---\\na0: &a0 {x: y}\\n' + b''.join(b'a%d: &a%d {<<: [*a%d, *a%d]}\\n' % "
    "(k + 1, k + 1, k, k) for k in range(40)) + b'---\\n'",
    "b'> ' * 49 + b'x\\n' + b'y\\n' * 5000",
    "b'---\\n---\\n'",
    "b'---\\n'",
    "b'---\\na: ' + b'[' * 500 + b'\\n---\\n'",
    "b'---\\na: ' + b'[' * 5000 + b'\\n---\\n'",
    "b'---\\nmodel-index: 5\\n---\\n'",
    "b'---\\nmodel-index: [5]\\n---\\n'",
    "b'---\\nmodel-index: [{name: m, results: [{}]}]\\n---\\n'",
    "b'---\\nmodel-index:\\n- name: m\\n  results: null\\n---\\n'",
    "b'\\xff\\xfe# A'",
    "b'# A\\r\\n\\r\\n```\\r\\nx'",
    "b'# A\\rb\\r'",
    "b'\\xef\\xbb\\xbf---\\na: 1\\n---\\n'",
    "b'\\0' * 100",
    "b'- ' * 500",
    "b'> ' * 5000",
    "b'a' * 10**5",
    "b'<!--' * 5000",
    "b'```' * 5000",
    "b'<' * 5000",
    "b'* * ' * 1000",
    "b'\\t- x' * 500",
    "b'1. ' * 500 + b'\\n' * 500",
    "b'<a ' + b'x ' * 5000",
)
_MODEL_INDEX = words(
    "True 'accuracy' 'x' {} {'metric':'accuracy'} {'metric':5} {'dataset':'dev'} {'x':1} 5 [] "
    "{'metric':None} {5:5} {'metric':['accuracy']} np.True_"
)
_EVAL_RESULTS = (
    "{'dataset_id': 'a/b', 'task_id': 't', 'value': 0.5}",
    "{'dataset_id': '../../x', 'task_id': '../y', 'value': 0.5}",
    "{'dataset_id': 'a/b', 'task_id': 't', 'value': nan}",
    "{'dataset_id': 'a/b', 'task_id': 't', 'value': np.float32(1)}",
    "{'dataset_id': 'a/b', 'task_id': 't', 'value': np.array([1, 2])}",
    "{'dataset_id': 'x' * 500, 'task_id': 't', 'value': 1}",
    "{'dataset_id': '\\ud800', 'task_id': 't', 'value': 1}",
    "{'dataset_id': 5, 'task_id': 't', 'value': 1}",
    "{'dataset_id': 'a/b', 'task_id': 't', 'value': 1, 'notes': 5}",
    "{'dataset_id': 'a/b', 'task_id': 't', 'value': 1, 'date': 'x'}",
    "{'dataset_id': 'a/b'}",
    "{}",
    "{5: 5}",
)
_ENTRIES = (
    "b'- dataset: {id: a/b, task_id: t}\\n  value: 1\\n'",
    "b'- dataset: 5\\n'",
    "b'[]'",
    "b'\\xff'",
    "b'5'",
    "b'a: &x [*x]'",
    "b'- dataset: {id: a/b, task_id: t}\\n  notes: [1]\\n'",
)


def update(rng: Random) -> Call:
    content = rng.choice(_CARDS)
    entries = f", entry={rng.choice(_ENTRIES)}" if rng.random() < 0.1 else ""

    def hostile(rng: Random) -> str:
        which = rng.random()
        if which < 0.5:
            return f"card({rng.choice(_ODD_CARDS)}{entries})"
        if which < 0.85:
            return f"card({_spoiled(rng, content)}{entries})"
        return rng.choice(_PATHS[:5] + _PATHS[6:]) if which < 0.95 else anything(rng)

    slots = [Slot("", f"card(b'{content}')", hostile), _result(rng), *_name_slots(rng)]
    if rng.random() < 0.3:
        is_there = "True" if content is _INDEX else "False"
        slots.append(option("model_index", is_there, also=tuple(_MODEL_INDEX)))
    if rng.random() < 0.3:
        slots.append(option("eval_results", "None", also=_EVAL_RESULTS))
    return build(rng, "update", slots)


def command(rng: Random) -> Call:
    also = (
        "[]",
        "['--version']",
        "['regster']",
        "['register', 'x']",
        "['-h']",
        "['\\ud800']",
        "['register', '--x']",
        "['']",
    )
    return build(rng, "main", [one_of("", "['register']", also)])


GRAMMARS = {art: 5, paired: 4, conll: 5, section: 8, update: 12, command: 1}
