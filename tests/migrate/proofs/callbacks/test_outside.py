"""Callbacks that do something outside for a batch without input too: a batch comes in every interval then."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

STATE = "lines.map(lambda l: (l, 1)).updateStateByKey(lambda n, s: sum(n) + (s or 0))"


def _save(body: str, stream: str = "lines") -> str:
    """A program whose callback has these statements."""
    rows = "".join(f"    {row}\n" for row in body.splitlines())
    libraries = "import csv, json, logging, os, sys, time\nimport psycopg2, pymongo, redis, requests\n"
    handles = "seen = open('seen', 'a+')\nclient = pymongo.MongoClient()\nlog = logging.getLogger('x')\n"
    helpers = (
        "def post(n):\n    requests.post('http://x', json=n)\n"
        "def post_each(rows):\n    for row in rows:\n        post(row)\n"
        "def post_all(rdd):\n    post(rdd.collect())\n"
        "def insert(conn, rows):\n    for row in rows:\n        conn.execute('insert', row)\n"
        "def note(conn, n):\n    conn.execute('insert', n)\n"
        "def connect():\n    return psycopg2.connect('x')\n"
    )
    return socket_program(f"{libraries}{handles}{helpers}def save(rdd):\n{rows}{stream}.foreachRDD(save)")


ACTS = {
    "an insert": "conn = psycopg2.connect('x')\nconn.cursor().execute('insert', rdd.count())\nconn.commit()",
    "an insert by a cursor": "cur = connect().cursor()\ncur.execute('insert', rdd.count())",
    "an insert in a block": "with psycopg2.connect('x') as conn:\n    conn.execute('insert')",
    "a client of the module": "client.db.counts.insert_one({'n': rdd.count()})",
    "a client of its own": "redis.Redis().set('n', rdd.count())",
    "a request": "requests.post('http://x', json={'n': rdd.count()})",
    "a request whose answer is kept": "answer = requests.post('http://x', json={'n': rdd.count()})",
    "a function that makes a request": "post(rdd.count())",
    "all elements at once": "post(rdd.collect())",
    "an RDD that is handed on": "post_all(rdd)",
    "a command": "os.system('touch seen')",
    "a line in a file": "with open('log', 'a') as f:\n    f.write(str(rdd.count()))",
    "a line printed to a file": "f = open('log', 'a')\nprint(rdd.count(), file=f)",
    "a handle that is handed on": "note(psycopg2.connect('x'), rdd.count())",
    "a handle of its own that is handed on": "conn = connect()\nnote(conn, rdd.count())",
    "a file of the module": "seen.write(str(rdd.count()))",
    "a line printed to a file of the module": "print(rdd.count(), file=seen)",
    "a text in a file": "with open('log', 'a') as f:\n    json.dump(rdd.collect(), f)",
    "a row in a file": "with open('log', 'a') as f:\n    csv.writer(f).writerow([rdd.count()])",
    "a file that is emptied": "with open('log', 'w') as f:\n    for x in rdd.collect():\n        f.write(x)",
    "a list with a head": "rows = ['head']\nrows += rdd.collect()\nif rows:\n    post(rows)",
    "other elements": "for host in ['a', 'b']:\n    post(host)",
    "an iterator, which is always true": "if map(str, rdd.collect()):\n    post(1)",
    "one in a variable": "found = enumerate(rdd.collect())\nif found:\n    post(1)",
    "a dict with a key of its own": "post_each(dict(rdd.map(lambda t: (t, 1)).collect(), a=1))",
    "a path": "post_each(os.path.join(rdd.collect()))",
    "many rows of which one is there anyhow": (
        "rows = ['head']\nrows += rdd.collect()\npsycopg2.connect('x').cursor().executemany('insert', rows)"
    ),
    "a statement that is kept": "pipe = redis.Redis().pipeline()\npipe.incr('n')\npipe.execute()",
    "a pipeline that may be another one": (
        "pipe = redis.Redis().pipeline()\nfor pipe in PIPES:\n    print(pipe)\npipe.execute()"
    ),
    "a query that may change something": "connect().cursor().execute('SELECT nextval(1)')",
    "a setting of the server": "connect().cursor().execute('SET GLOBAL x = 1')",
    "after an error that is caught": "try:\n    rdd.first()\nexcept ValueError:\n    pass\npost(1)",
}
NO_ACTS = {
    "print": "print(rdd.collect())\nsys.stdout.flush()",
    "a model": "from keras.models import load_model\nprint(load_model('m').predict(rdd.collect()))",
    "a log": "log.info('%d', rdd.count())",
    "a computation": "time.sleep(1)\nprint(json.dumps(rdd.collect()), os.path.join('a', 'b'))",
    "a local list": "rows = []\nfor x in rdd.collect():\n    rows.append(x)\nprint(rows)",
    "after a look": "if rdd.isEmpty():\n    return\npost(1)",
    "under a condition": "n = rdd.count()\nif n > 0:\n    post(n)",
    "in an expression": "rdd.isEmpty() or post(rdd.collect())",
    "in a conditional expression": "post(1) if not rdd.isEmpty() else None",
    "for each element": "for line in rdd.collect():\n    requests.post('http://x', json=line)",
    "for each sorted element": "for n, line in enumerate(sorted(rdd.collect())):\n    post(line)",
    "for each in a comprehension": "[post(line) for line in rdd.take(3)]",
    "elements that are handed on": "post_each(rdd.collect())",
    "an RDD that is handed on with elements": "if not rdd.isEmpty():\n    post_all(rdd)",
    "a list of elements": (
        "rows, ids = [], []\nfor x in rdd.collect():\n    rows.append(x)\nif rows:\n    post(rows)"
    ),
    "after what fails without elements": "first = rdd.first()\npost(first)",
    "in a connection": (
        "conn = psycopg2.connect('x')\ncur = conn.cursor()\n"
        "for line in rdd.collect():\n    cur.execute('insert', line)\nconn.commit()\nconn.close()"
    ),
    "many rows at once": (
        "conn = psycopg2.connect('x')\nrows = [(line, 1) for line in rdd.collect()]\n"
        "conn.cursor().executemany('insert', rows)\nconn.commit()"
    ),
    "many rows by a function that is given them": (
        "def put_all(rows):\n    conn = connect()\n    conn.cursor().executemany('insert', rows)\n"
        "    conn.commit()\n"
        "kept = []\nfor line in rdd.collect():\n    if len(line) > 3:\n        kept.append(line)\n"
        "put_all(kept)"
    ),
    "lines of a file": "with open('log', 'a') as f:\n    f.writelines(rdd.collect())",
    "in a table": (
        "conn = redis.Connection('x')\nconn.open()\ntable = conn.table('t')\n"
        "for line in rdd.collect():\n    table.put(line)\nconn.close()"
    ),
    "by a prepared statement": (
        "conn = connect()\ninsert = conn.prepare('insert')\n"
        "for line in rdd.collect():\n    conn.execute(insert, line)"
    ),
    "in a file": (
        "with open('log', 'a') as f:\n    w = csv.writer(f)\n"
        "    for r in rdd.collect():\n        w.writerow([r])"
    ),
    "a handle that is handed on with elements": "conn = connect()\ninsert(conn, rdd.collect())",
    "in a file of the module": "for x in rdd.collect():\n    seen.write(x)\nseen.flush()",
    "kept statements": (
        "pipe = redis.Redis().pipeline()\nfor x in rdd.collect():\n    pipe.incr(x)\npipe.execute()"
    ),
    "a text of a handle": "conn = connect()\nprint('connected: ' + str(conn), repr(conn))\nprint(conn)",
    "a setting of the connection": "connect().cursor().execute('SET search_path TO x')",
    "reading of a table": "cur = connect().cursor()\ncur.execute('SELECT a FROM t')\nprint(cur.fetchall())",
    "reading a file": "with open('names') as f:\n    print(f.read(), rdd.count())",
    "texts that are joined": "text = ', '.join(map(str, rdd.collect()))\nif text:\n    post(text)",
    "the values of a dict": (
        "found = rdd.map(lambda t: (t, 1)).collectAsMap()\npost_each(filter(bool, dict(found).values()))"
    ),
    "pairs of elements": "rows = rdd.collect()\nfor one, other in zip(rows, rows[1:]):\n    post(one)",
    "reading of a service": "print(requests.get('http://x').text, rdd.count())",
}


@pytest.mark.parametrize("body", ACTS.values(), ids=ACTS)
def test_what_is_done_without_input_needs_a_batch_in_every_interval(body: str) -> None:
    assert ".transform(every_interval)" in file(_save(body)).new


@pytest.mark.parametrize("body", NO_ACTS.values(), ids=NO_ACTS)
def test_what_changes_nothing_without_input_needs_none(body: str) -> None:
    result = file(_save(body))
    assert result.status.value == "native"
    assert "every_interval" not in result.new


GIVEN = (
    "import requests\ndef each(rows):\n    for row in rows:\n        requests.post('http://x', json=row)\n"
    "def all_(rows):\n    requests.post('http://x', json=len(rows))\n"
    "def run(stream, send):\n    stream.foreachRDD(lambda rdd: send(rdd.collect()))\n"
)


@pytest.mark.parametrize(
    ("calls", "acts"),
    [
        ("run(lines, each)", False),
        ("run(lines, all_)", True),
        ("run(lines, each)\nrun(lines.map(len), all_)", True),
    ],
)
def test_a_function_that_is_given_to_the_one_around_a_callback_is_known(calls: str, acts: bool) -> None:
    assert (".transform(every_interval)" in file(socket_program(GIVEN + calls)).new) is acts


FRAME = "df = spark.createDataFrame(rdd.map(lambda l: (l, 1)){})\n"


@pytest.mark.parametrize(
    ("body", "acts"),
    [
        (FRAME.format(", 'a string, n int'") + "df.write.mode('append').parquet('out')", False),
        (FRAME.format(", 'a string, n int'") + "df.write.mode('overwrite').parquet('out')", True),
        (FRAME.format(", 'a string, n int'") + "df.write.parquet('out', mode='overwrite')", True),
        (FRAME.format("") + "df.write.mode('overwrite').parquet('out')\npost(1)", False),
        (FRAME.format(", ['a', 'n']") + "post(df.count())", False),
        (FRAME.format(", schema") + "post(df.count())", True),
    ],
    ids=["append", "overwrite", "as an argument", "types of rows", "names", "a schema"],
)
def test_a_dataframe_without_rows_may_replace_what_is_there(body: str, acts: bool) -> None:
    above = "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\nschema = make()\n"
    source = _save(body).replace("import csv", f"{above}import csv")
    assert (".transform(every_interval)" in file(source).new) is acts


@pytest.mark.parametrize(
    "body",
    [
        f"{STATE}.foreachRDD(lambda rdd: rdd.foreach(put))",
        f"{STATE}.foreachRDD(lambda rdd: rdd.foreachPartition(lambda rows: [put(row) for row in rows]))",
        f"{STATE}.saveAsTextFiles('out')",
    ],
)
def test_a_state_is_saved_again_in_each_interval(body: str) -> None:
    assert ".transform(every_interval)" in file(socket_program(body)).new


def test_an_attribute_that_is_made_of_itself_is_what_else_it_is() -> None:
    body = (
        "class Totals:\n    def __init__(self):\n        self.all = None\n"
        "    def put(self, time, rdd):\n        self.all = self.all.sum().reset()\n"
        "        print(rdd.count(), self.all.n)\n"
        "totals = Totals()\nlines.foreachRDD(totals.put)\n"
    )
    assert ".foreachBatch(" in file(socket_program(body)).new
