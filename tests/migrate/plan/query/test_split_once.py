"""A split that a batch function writes several times."""

from __future__ import annotations

from tests.migrate.programs import file, native_body, socket_program

PARSE = """\
def parse(line):
    {name} = line.split("{separator}")
    return {name}[0], {name}[1], int({name}[2])
lines.map(parse).pprint()
"""


def test_a_variable_holds_it_by_the_name_that_the_program_has() -> None:
    body = native_body(PARSE.format(name="fields", separator="|"))
    assert body.startswith(
        'fields = F.split("value", r"\\|")\n(\n    batch.select(\n        fields[0].alias('
    )


def test_one_in_two_statements_is_above_the_first() -> None:
    body = native_body(
        'ok = lines.filter(lambda l: l.split(",")[0] == "a")\n'
        'ok.map(lambda l: (l.split(",")[1], l.split(",")[2])).pprint()'
    )
    assert body.startswith('parts = F.split("value", ",")\nok = batch.where(parts[0] == "a")\n')
    assert "ok.select(parts[1].alias(" in body


def test_the_name_of_a_split_at_something_else_is_not_taken() -> None:
    body = native_body('names = "a b".split(" ")\n' + PARSE.format(name="values", separator=","))
    assert body.startswith('values = F.split("value", ",")\n')


def test_two_splits_stay() -> None:
    body = native_body("lines.map(lambda l: (l.split(',')[0], l.split(',')[1])).pprint()")
    assert body.count('F.split("value", ",")[') == 2


def test_the_callback_that_it_stands_in_keeps_its_names() -> None:
    callback = "def output(rdd):\n    fields = rdd.take(3)\n    print(fields)\n"
    rows = 'lambda l: (l.split(",")[0], l.split(",")[1], l.split(",")[2])'
    new = file(socket_program(f"{callback}parts = 3\nlines.map({rows}).foreachRDD(output)")).new
    assert 'parts_2 = F.split("value", ",")\n' in new


OUTLIER = """\
def is_outlier(v):
    n = {made}
    return (v, n > 0.99 or n < 0.01{more})
lines.map(is_outlier).pprint()
"""


def test_so_does_one_hold_a_cast() -> None:
    body = native_body(OUTLIER.format(made="float(v)", more=""))
    assert body.startswith('n = F.col("value").cast("double")\n')
    assert 'batch.select(\n    "value", ((n > 0.99) & ~F.isnan(n) | (n < 0.01)).alias("value2")\n)' in body


def test_a_number_without_a_name_has_a_plain_one() -> None:
    body = native_body("lines.map(lambda v: (v, float(v) > 0.99 or float(v) < 0.01)).pprint()")
    assert body.startswith('number = F.col("value").cast("double")\n')


def test_two_casts_stay() -> None:
    body = native_body("lines.map(lambda v: (float(v), float(v) * 2)).pprint()")
    assert body.count('F.col("value").cast("double")') == 2
