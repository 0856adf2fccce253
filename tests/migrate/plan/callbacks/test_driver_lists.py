"""RDDs that a callback brings to the driver, whole, are lists that are made there."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, flat, run, socket_program

PARSE = "import json\nfrom operator import add\ndef parse(line):\n    return json.loads(line)\n"
FIRST = "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n        return\n"


def body(lines: str, before: str = PARSE) -> str:
    """What becomes of the lines of a callback."""
    inner = "".join(f"    {line}\n" for line in lines.splitlines())
    new = file(socket_program(f"{before}def show(rdd):\n{inner}lines.foreachRDD(show)")).new
    return (
        new.partition("def show(")[2]
        .partition("\n")[2]
        .partition("\nquery = ")[0]
        .partition("\n\n\ndef ")[0]
        .strip()
        .removeprefix(FIRST)
        .strip()
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print(rdd.map(parse).collect())", 'print([parse(row["value"]) for row in batch.collect()])'),
        (
            "print(rdd.map(lambda x: [x, json.loads(x)]).collect())",
            'print([[x["value"], json.loads(x["value"])] for x in batch.collect()])',
        ),
        (
            "print(rdd.map(parse).map(lambda j: (j['a'], j)).collect())",
            "print([(j['a'], j) for j in (parse(row[\"value\"]) for row in batch.collect())])",
        ),
        (
            "print(rdd.map(lambda x: json.loads(x)).map(str).collect())",
            'print([str(json.loads(x["value"])) for x in batch.collect()])',
        ),
        (
            "print(rdd.flatMap(lambda x: json.loads(x).items()).map(lambda p: (p[0], [p])).collect())",
            'print([(p[0], [p]) for x in batch.collect() for p in json.loads(x["value"]).items()])',
        ),
        (
            "print(rdd.flatMap(lambda x: json.loads(x) if x else [1]).collect())",
            "print([item for x in batch.collect() "
            'for item in (json.loads(x["value"]) if x["value"] else [1])])',
        ),
        (
            "print(rdd.map(lambda x: str(json.loads(x)['a'])).reduce(add))",
            "print(reduce(add, [str(json.loads(x[\"value\"])['a']) for x in batch.collect()]))",
        ),
        (
            "print(rdd.map(lambda x: str(parse(x))).reduce(lambda a, b: a + b))",
            'print(reduce(lambda a, b: a + b, [str(parse(x["value"])) for x in batch.collect()]))',
        ),
        (
            "parsed = rdd.map(parse)\nparsed = parsed.map(lambda j: (j['a'], j))\n"
            "found = parsed.collect()\nprint(found)",
            'parsed = [parse(row["value"]) for row in batch.collect()]\n'
            "    parsed = [(j['a'], j) for j in parsed]\n    found = parsed\n    print(found)",
        ),
        (
            "json_rdd = rdd.map(parse)\nfor one in json_rdd.map(str).collect():\n    print(one)",
            'json_rows = [parse(row["value"]) for row in batch.collect()]\n'
            "    for one in [str(row) for row in json_rows]:\n        print(one)",
        ),
        (
            "try:\n    print(rdd.map(parse).collect())\nexcept Exception:\n    pass",
            'try:\n        print([parse(row["value"]) for row in batch.collect()])\n'
            "    except Exception:\n        pass",
        ),
    ],
)
def test_they_are_comprehensions(old: str, new: str) -> None:
    found = body(old)
    assert flat(found) == flat(new), found


@pytest.mark.parametrize(
    "old",
    [
        "print(rdd.map(parse).filter(bool).collect())",
        "print(rdd.map(parse).take(3))",
        "print(rdd.map(lambda x: unknown(x)).collect())",
        "print(rdd.map(lambda x: [print(x), parse(x)]).collect())",
        "print(rdd.map(lambda x: [len(x) / 3, parse(x)][0]).reduce(add))",
        "print(rdd.map(lambda x: float(parse(x)['a'])).reduce(lambda a, b: a - b))",
        "try:\n    print(rdd.map(parse).collect())\nexcept ValueError:\n    pass",
        "try:\n    print(rdd.map(parse).collect())\nexcept Exception as error:\n    print(error)",
        "try:\n    print(rdd.map(parse).collect())\nexcept:\n    traceback.print_exc()",
        "parsed = rdd.map(parse)\nprint('parsed')\nprint(parsed.collect())",
        "parsed = rdd.map(parse)\nprint(parsed.collect(), parsed.count())",
        "global parsed\nparsed = rdd.map(parse)\nprint(parsed.collect())",
        "item = 1\nprint(rdd.map(lambda x: (y := json.loads(x))).collect())",
        "p = 1\nprint(rdd.flatMap(lambda x: json.loads(x)).map(lambda y: [y, x]).collect())\nx = 1",
    ],
    ids=[
        *("filtered", "a part", "unknown", "prints", "floats", "another function", "one class of errors"),
        *("an error that is shown", "its traceback", "a statement between", "read twice", "read outside"),
        *("binds a name", "reads a hidden name"),
    ],
)
def test_what_may_be_seen_to_differ_stays_rdd_code(old: str) -> None:
    assert "rdd.map(" in body(old, f"import traceback\nparsed = None\n{PARSE}") or ".rdd" in body(old)


def test_a_note_says_where_the_functions_run() -> None:
    program = f"{PARSE}def show(rdd):\n    print(rdd.map(parse).collect())\nlines.foreachRDD(show)"
    (graph,) = run(socket_program(program)).graphs
    assert any("run on the driver" in note for note in graph.notes)


JOINED = "print(rdd.map(lambda x: str(parse(x))).reduce(add))"


def test_what_is_collected_as_it_is_too_is_collected_once() -> None:
    new = body(f"print(rdd.collect())\ntry:\n    {JOINED}\nexcept Exception:\n    pass")
    assert new == (
        'values = [row["value"] for row in batch.collect()]\n'
        "    print(values)\n"
        "    try:\n"
        "        print(reduce(add, [str(parse(x)) for x in values]))\n"
        "    except Exception:\n"
        "        pass"
    )


@pytest.mark.parametrize(
    "lines",
    [
        # it may not be collected by then
        f"if ready():\n    print(rdd.collect())\n{JOINED}",
        f"print(rdd.collect()) if ready() else None\n{JOINED}",
        f"{JOINED}\nprint(rdd.collect())",
        # another list each time
        f"change(rdd.collect())\n{JOINED}",
        f"texts = rdd.collect()\ntexts.sort()\n{JOINED}",
        # the rows are read once more
        f"print(rdd.collect())\nprint(rdd.count())\n{JOINED}",
    ],
)
def test_else_each_time_it_is_collected(lines: str) -> None:
    new = body(lines, f"{PARSE}def ready():\n    return True\ndef change(texts):\n    texts.sort()\n")
    assert 'str(parse(x["value"])) for x in batch.collect()' in new
    assert "batch.persist()" in new
