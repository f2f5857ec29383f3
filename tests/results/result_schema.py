"""Write the JSON Schema of stored results, from what the package declares.

    python tests/results/result_schema.py

The tests of two systems are declared key by key in pairedperm/results/schema.py. Other results hold
these, and what the types of their classes say. A key that is declared has its range everywhere.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pairedperm.options.constraints import Constraint, Interval, OneOf, Whole, YesNo
from pairedperm.results.bounds_result import PvalueBounds
from pairedperm.results.equivalence_result import VERDICTS
from pairedperm.results.gate_result import GateResult
from pairedperm.results.power_result import PowerResult
from pairedperm.results.schema import KEYS, KINDS, STATED, Printable, Record, json_schema
from pairedperm.results.suite_gate_result import SuiteGateResult
from pairedperm.results.verification import Verification

CHECKOUT = Path(__file__).resolve().parents[2]
PATH = CHECKOUT / "pairedperm/results/schema.json"
TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", NoneType: "null"}
ABOUT = (
    "What to_dict of each kind of result returns. A result within another has no schema_version, "
    "nor have results of releases before it. A result may have further keys, such as the task "
    "that a command adds."
)

DRAFT = "https://json-schema.org/draft/2020-12/schema"
OF_AVERAGES = (
    *(x for x in STATED if x not in ("metric", "metric_options")),
    *("n_wins", "n_losses", "n_ties", "standard_error"),
)

Schema = dict[str, Any]


def of_constraint(constraint: Constraint) -> Schema:
    """What a key may be, as it is declared."""
    if isinstance(constraint, Record):
        properties = {name: of_constraint(x) for name, x in constraint.keys.items()}
        return an_object(properties, constraint.needed)
    if isinstance(constraint, OneOf):
        return {"enum": [*constraint.choices, *[None] * constraint.or_none]}
    found: Schema = {"type": "boolean"}
    if isinstance(constraint, Interval):
        names = {"low": ("minimum", "exclusiveMinimum"), "high": ("maximum", "exclusiveMaximum")}
        is_open = {
            "low": constraint.closed in ("right", "neither"),
            "high": constraint.closed in ("left", "neither"),
        }
        ends = {names[x][is_open[x]]: getattr(constraint, x) for x in names}
        found = {"type": "number", **{name: x for name, x in ends.items() if math.isfinite(x)}}
    elif isinstance(constraint, Whole):
        found = {"type": "integer", "minimum": constraint.least}
        most = constraint.most
        if most is not None and most < 2**63:
            found["maximum"] = most
        elif most is not None:  # as JSON writes large numbers
            found["exclusiveMaximum"] = float(most + 1)
    elif isinstance(constraint, Printable):
        is_text = constraint.type is str
        found = {"type": "string", "pattern": r"\S"} if is_text else {"type": "object"}
    else:
        assert isinstance(constraint, YesNo), constraint
    return found | ({"type": [found["type"], "null"]} if constraint.or_none else {})


def or_none(constraint: Any) -> Schema:
    """What a key may be that may also be null."""
    return of_constraint(replace(constraint, or_none=True))


def of_hint(hint: Any) -> Schema:
    """What an attribute may be, by its type."""
    if hint in TYPES:
        return {"type": TYPES[hint]}
    kinds = get_args(hint)
    if get_origin(hint) is Literal:
        return {"enum": [*kinds]}
    if get_origin(hint) is tuple:
        if kinds[-1] is ...:
            return {"type": "array", "items": of_hint(kinds[0])}
        assert len({*kinds}) == 1, hint
        length = {"minItems": len(kinds), "maxItems": len(kinds)}
        return {"type": "array", "items": of_hint(kinds[0]), **length}
    found = [of_hint(x) for x in kinds]
    types = [x.pop("type") for x in found]
    return {"type": types} | {key: y for x in found for key, y in x.items()}


def an_object(properties: Schema, needed: Iterable[str] = ()) -> Schema:
    """Where nothing is said, all keys are needed."""
    return {"type": "object", "properties": properties, "required": [*(needed or properties)]}


def declared(names: Iterable[str]) -> Schema:
    """Declared keys, each with what it may be."""
    return {name: of_constraint(KEYS[name]) for name in names}


def attributes(kind: type, leave_out: Iterable[str] = ()) -> Schema:
    """The attributes of a result; a key that is declared has its range, and a choice its words."""
    hints = {name: x for name, x in get_type_hints(kind).items() if name not in leave_out}
    ranges = {x for x in hints if x in KEYS and get_origin(hints[x]) is not Literal}
    return {name: of_hint(hints[name]) for name in hints} | declared(ranges)


def refers(*kinds: str) -> Schema:
    """A result of another kind."""
    found = [{"$ref": f"#/$defs/{kind}"} for kind in kinds]
    return found[0] if len(found) == 1 else {"anyOf": found}


def listed(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def tests(**others: Schema) -> Schema:
    """Tests of two systems with more keys, among them the adjusted p."""
    needed = ["p_adjusted", *(x for x in others if x != "turned")]  # not in earlier releases
    more = an_object(declared(["p_adjusted"]) | others, needed)
    return listed(refers("permutation_test", "bootstrap_test") | more)


def written() -> str:
    """The file's text."""
    text, number = {"type": "string"}, of_constraint(KEYS["score"])
    names = {"system1": text, "system2": text}
    level = declared(["correction", "alpha"])
    defs = {kind: of_constraint(record) for kind, record in KINDS.items()}
    one, margin = (defs[x]["properties"] for x in ("permutation_test", "equivalence_test"))
    margin["verdict"] = {"enum": [*VERDICTS]}
    power = attributes(PowerResult) | declared(["n_differing", "log_least_p"])
    power["pilot_interval"]["items"]["type"] = ["number", "null"]  # an infinite end
    bounds = attributes(PvalueBounds)
    gate = attributes(GateResult, ("test", "equivalence"))
    of_task = {"task": text, "weight": or_none(KEYS["weight"]), "turned": {"type": "boolean"}}
    of_all = ("n", "alternative", "n_wins", "n_losses", "n_ties", "standard_error")
    suite = {
        **{x: of_constraint(KEYS[x]) if x in of_all else or_none(KEYS[x]) for x in OF_AVERAGES},
        "tasks": tests(**of_task),
        **level,
    }
    of_later_suites = {  # earlier releases have none of these
        **declared(["confidence_level", "stat_low", "stat_high"]),
        "stat_interval": or_none(KEYS["stat_interval"]),
        "no_average": text,
    }
    defs |= {
        "gate": an_object(margin | one | gate, [*defs["permutation_test"]["required"], *gate]),
        "power": an_object(power),
        "bounds": an_object(bounds),
        "leaderboard": an_object(
            {
                "systems": listed(
                    an_object({"system": text, "score": number, "tier": {"type": "integer"}})
                ),
                "pairs": tests(**names),
                "baseline": {"type": ["string", "null"]},
                **level,
                "simultaneous": {"type": "boolean"},
                "tasks": listed(
                    an_object(
                        {
                            "task": text,
                            "weight": of_constraint(KEYS["weight"]),
                            "systems": listed(an_object({"system": text, "score": number})),
                            "turned": {"type": "boolean"},
                        }
                    )
                ),
            },
            # earlier releases have no other intervals, and one task has no list of tasks
            ["systems", "pairs", "baseline", *level],
        ),
        "suite": an_object(suite | of_later_suites, suite),
        "suite_gate": an_object(
            suite
            | of_later_suites
            | attributes(SuiteGateResult, ("suite", "p_worse", "task_margins", "_detect"))
            | {
                "tasks": tests(
                    **of_task,
                    p_worse=of_constraint(KEYS["p_adjusted"]),
                    task_margin=or_none(KEYS["margin"]),
                    detectable=of_constraint(KEYS["detectable"]),
                )
            }
        ),
        "comparisons": an_object({**names, "tests": tests(task=text, logged=text), **level}),
        "verification": an_object(
            {
                **attributes(Verification, ("stated", "result")),
                "stated": refers("published_result"),
                "recomputed": refers("permutation_test"),
                "fraction": {"type": ["string", "null"]},
            }
        ),
    }
    for found in defs.values():
        found["properties"].setdefault("schema_version", of_constraint(KEYS["schema_version"]))
    about = {"$schema": DRAFT, "title": "Results of pairedperm", "description": ABOUT}
    kinds = ",\n".join(f"{json.dumps(kind)}: {_in_lines(x)}" for kind, x in defs.items())
    return f'{json.dumps(about, indent=0)[:-2]},\n"$defs": {{\n{kinds}\n}}\n}}\n'


def _in_lines(found: Schema) -> str:
    """A kind of result with one key on each line."""
    before = json.dumps({"type": found["type"], "required": found["required"]})[:-1]
    lines = [f"  {json.dumps(name)}: {json.dumps(x)}" for name, x in found["properties"].items()]
    properties = ",\n".join(lines)
    return f'{before}, "properties": {{\n{properties}\n}}}}'


def check(kind: str, found: object) -> None:
    """Raise an error unless a result is as the file says."""
    import jsonschema  # the script needs only the package

    jsonschema.Draft202012Validator(json_schema() | {"$ref": f"#/$defs/{kind}"}).validate(found)


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
