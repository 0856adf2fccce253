"""Records that leave the types that were learnt, and what the error on each says."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from migrate.facts.seen import Seen
from migrate.learn.run import fact_of
from migrate.model import Options, Outcome
from tests.migrate.programs import run

SAMPLE: tuple[dict[str, Any], ...] = (
    {"s": "a", "n": 1, "x": 0.5, "o": 1},
    {"s": "b", "n": 2, "x": 1e-3},
)
MORE = {f"more{number}": number for number in range(40)}
"""Keys that nothing reads, for which JSON is read by a schema."""
GOOD = json.dumps({"s": "c", "n": 3, "x": 2.25, "new": [1]})
OWN = "; the old program fails for it as well"
"""What the error says where a function itself raises."""
READ = 'events.map(lambda e: (e["s"], e["n"], e["x"], e.get("o", 0))).pprint()\n'
COLUMNS = f"import json\nevents = stream.map(lambda m: json.loads(TEXT))\n{READ}"
FUNCTION = """\
import json
def parsed(text):
    event = json.loads(text)
    values = {}
    for key in sorted(event):
        values[key] = event[key]
    return values.get("s"), values["n"], values["x"]
rows = stream.map(lambda m: TEXT).map(parsed)
rows.map(lambda row: (row[0], row[1] + 1, row[2])).pprint()
"""


@dataclass(frozen=True)
class Planted:
    """A record, and what the error says of it, on columns and from a function."""

    text: str
    on_columns: str
    from_function: str


def _with(**values: Any) -> str:
    return json.dumps({"s": "d", "n": 4, "x": 0.25} | values)


PLANTED = {
    "a type that was not in the sample": Planted(
        _with(s={"first": "d"}), r'STRING expected at \$\.s, found {"first":"d"}', r"found \{'first': 'd'\}"
    ),
    "a number for a text": Planted(_with(s=5), r"STRING expected at \$\.s, found 5", "found 5"),
    "a text for a number": Planted(_with(n="5"), r'BIGINT expected at \$\.n, found "5"', "found '5'"),
    "a missing key": Planted(
        '{"s": "d", "x": 0.25}',
        r"BIGINT expected at \$\.n, found nothing",
        """RuntimeError: KeyError\\('n'\\) for '{"s": "d", "x": 0.25}'""",
    ),
    "a float among ints": Planted(_with(n=1.5), r"BIGINT expected at \$\.n, found 1\.5", "found 1.5"),
    "a whole float among ints": Planted(_with(n=1.0), r"BIGINT expected at \$\.n, found 1", "found 1.0"),
    "an int among floats": Planted(_with(x=7), r"DOUBLE expected at \$\.x, found 7", "found 7"),
    "a number of 20 digits": Planted(
        _with(n=10**19), r"BIGINT expected at \$\.n, found 10000000000000000000", "found 10000000000000000000"
    ),
    "None": Planted(_with(s=None), r"STRING expected at \$\.s, found null", "found None"),
    "None for a key that may be missing": Planted(_with(o=None), r"BIGINT expected at \$\.o, found null", ""),
    "no JSON": Planted(
        '{"s": "d", "n": 4',
        r'STRING expected at \$\.s, found no JSON that Spark takes: {"s"',
        """RuntimeError: JSONDecodeError\\(.*\\) for '{"s": "d", "n": 4'""",
    ),
}


def rewritten(source: str, path: str, **seen: Iterable[Any]) -> str:
    """What becomes of a program with facts on the types of these elements.

    Args:
        source: the program.
        path: where it stands.
        seen: elements by the names of their streams.
    """
    facts = {}
    for name, elements in seen.items():
        noted = Seen()
        for element in elements:
            noted.add(element)
        facts[path, name] = fact_of(noted)
    result = run(source, Options(facts=facts))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert ".rdd" not in result.files[0].new
    return result.files[0].new


def on_columns(head: str, text: str, *, by_schema: bool) -> str:
    """The new code of a program that reads JSON, which is `text` in the elements of `stream`."""
    source = f"{head}{COLUMNS.replace('TEXT', text)}ssc.start()\nssc.awaitTermination()\n"
    made = rewritten(source, "/nowhere/job.py", events=[one | MORE if by_schema else one for one in SAMPLE])
    assert ("json_field(" in made) is by_schema
    return made


def from_function(head: str, text: str) -> str:
    """The new code of a program whose function stays, and gives what was learnt."""
    source = f"{head}{FUNCTION.replace('TEXT', text)}ssc.start()\nssc.awaitTermination()\n"
    rows = [(record["s"], record["n"], record["x"]) for record in SAMPLE]
    return rewritten(source, "/nowhere/job.py", rows=rows)
