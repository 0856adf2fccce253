"""What callbacks change outside of themselves, however they come by it."""

from __future__ import annotations

import pytest

from tests.migrate.programs import blocked, file, native_body, run, socket_program

CALL = ".transform(every_interval)"
NOTE = "def note(acc, n):\n    acc.append(n)\n"
CHANGING = {
    "a parameter": NOTE + "seen = []\nlines.foreachRDD(lambda rdd: note(seen, rdd.count()))",
    "a parameter beside the RDD": (
        "def note(acc, rdd):\n    acc.append(rdd.count())\nseen = []\n"
        "lines.foreachRDD(lambda r: note(seen, r))"
    ),
    "next": (
        "import itertools\nn = itertools.count()\nlines.foreachRDD(lambda rdd: print(next(n), rdd.count()))"
    ),
    "a lambda": "seen = []\ntick = lambda n: seen.append(n)\nlines.foreachRDD(lambda rdd: tick(rdd.count()))",
    "a bound method": "seen = []\non = seen.append\nlines.foreachRDD(lambda rdd: on(rdd.count()))",
    "what a function made": "tick = make()\nlines.foreachRDD(lambda rdd: tick(rdd.count()))",
    "a decorated function": (
        "@twice\ndef tick(n):\n    print(n)\nlines.foreachRDD(lambda rdd: tick(rdd.count()))"
    ),
    "a heap": ("import heapq\nseen = []\nlines.foreachRDD(lambda rdd: heapq.heappush(seen, rdd.count()))"),
    "an attribute by name": "lines.foreachRDD(lambda rdd: setattr(state, 'n', rdd.count()))\nstate = State()",
    "a default": "def cb(rdd, *, seen=[]):\n    seen.append(rdd.count())\nlines.foreachRDD(cb)",
    "two names": "seen = []\ndef cb(rdd):\n    a, n = seen, 1\n    a.append(n)\nlines.foreachRDD(cb)",
    "a name of a name": (
        "seen = []\ndef cb(rdd):\n    a = seen\n    b = a\n    b.append(1)\nlines.foreachRDD(cb)"
    ),
    "a loop's": "seen = []\ndef cb(rdd):\n    for a in (seen,):\n        a.append(1)\nlines.foreachRDD(cb)",
    "one of two": (
        "seen = []\ndef cb(rdd):\n    a = seen if seen else []\n    a.append(1)\nlines.foreachRDD(cb)"
    ),
    "what a function returns": (
        "seen = []\ndef kept():\n    return seen\nlines.foreachRDD(lambda rdd: kept().append(rdd.count()))"
    ),
    "a name of what a function returns": (
        "seen = []\ndef kept():\n    return seen\ndef note(n):\n    s = kept()\n    s.append(n)\n"
        "lines.foreachRDD(lambda rdd: note(rdd.count()))"
    ),
    "what a function is given and returns": (
        "seen = []\ndef same(x):\n    return x\nlines.foreachRDD(lambda rdd: same(seen).append(rdd.count()))"
    ),
    "an item of what a function yields": (
        "seen = []\ndef all_of():\n    yield seen\n"
        "def note(n):\n    for s in all_of():\n        s.append(n)\n"
        "lines.foreachRDD(lambda rdd: note(rdd.count()))"
    ),
    "a walrus": "seen = []\ndef cb(rdd):\n    (a := seen).append(1)\nlines.foreachRDD(cb)",
    "a part of a dict": (
        "state = {'n': []}\ndef cb(rdd):\n    a = state.get('n')\n    a.append(1)\nlines.foreachRDD(cb)"
    ),
    "a thread": (
        "from threading import Thread\nseen = []\ndef tick():\n    seen.append(1)\n"
        "lines.foreachRDD(lambda rdd: Thread(target=tick).start())"
    ),
    "a deque": "seen = deque()\nlines.foreachRDD(lambda rdd: seen.rotate(1))",
    "a list that has grown": (
        "seen = []\ndef cb(rdd):\n    rows = rdd.collect()\n    rows.append(1)\n    seen.extend(rows)\n"
        "lines.foreachRDD(cb)"
    ),
    "another value of a dict": (
        "seen = []\n"
        "lines.foreachRDD(lambda rdd: seen.extend(rdd.map(tuple).collectAsMap().get('a', ['none'])))"
    ),
    "an attribute of a method's object": (
        "class Job:\n    def __init__(self):\n        self.stats = {}\n    def cb(self, time, rdd):\n"
        "        stats = self.stats\n        stats['n'] = rdd.count()\nlines.foreachRDD(Job().cb)"
    ),
    "in a comprehension": (
        "sinks = [[], []]\ndef cb(rdd):\n    [s.append(rdd.count()) for s in sinks]\n    print(sinks)\n"
        "lines.foreachRDD(cb)"
    ),
    "by enumerate": (
        "sinks = [[], []]\ndef cb(rdd):\n    for i, s in enumerate(sinks):\n        s.append(i)\n"
        "    print(sinks)\nlines.foreachRDD(cb)"
    ),
}
CHANGING |= {
    "a parameter, the second time": (
        NOTE
        + "seen = []\ndef cb(rdd):\n    own = []\n    note(own, 1)\n    note(seen, 1)\nlines.foreachRDD(cb)"
    ),
    "two attributes at once": (
        "state = State()\ndef cb(rdd):\n    state.n, state.m = rdd.count(), 1\nlines.foreachRDD(cb)"
    ),
    "a loop's attribute": (
        "state = State()\ndef cb(rdd):\n    for state.row in rdd.collect():\n        pass\n"
        "lines.foreachRDD(cb)"
    ),
    "one of several that are spread": (
        NOTE + "seen = []\nlines.foreachRDD(lambda rdd: note(*[seen, rdd.count()]))"
    ),
    "what a partial function is given": (
        "from functools import partial\n" + NOTE + "seen = []\n"
        "lines.foreachRDD(lambda rdd: list(map(partial(note, seen), [rdd.count()])))"
    ),
    "a part of what its own list has": (
        "settings = {'modes': []}\ndef cb(rdd):\n    own = [settings['modes']]\n    own[0].append(1)\n"
        "lines.foreachRDD(cb)"
    ),
    "its own list, or one of outside": (
        "seen = []\ndef cb(rdd):\n    own = [seen]\n    if seen:\n        own = seen\n    own.append(1)\n"
        "lines.foreachRDD(cb)"
    ),
    "its own list that is kept": (
        "seen = {}\ndef cb(rdd):\n    own = [seen]\n    if not rdd.isEmpty():\n        seen['own'] = own\n"
        "    own.append(1)\nlines.foreachRDD(cb)"
    ),
    "its own list that is kept in a loop": (
        "seen = {}\ndef cb(rdd):\n    own = [seen]\n    for n in range(3):\n        own += [n]\n"
        "        if not rdd.isEmpty():\n            seen[n] = own\nlines.foreachRDD(cb)"
    ),
    "its own list that a function reads": (
        "seen = {}\ndef cb(rdd):\n    own = [seen]\n    if not rdd.isEmpty():\n"
        "        seen['f'] = lambda: own[0]\n    own.append(1)\nlines.foreachRDD(cb)"
    ),
}
KEEPING = {
    "its own dict of what is there": (
        "settings = {'modes': [], 'n': 1}\ndef cb(rdd):\n    own = {key: settings[key] for key in settings}\n"
        "    own['modes'] = settings['modes']\n    own['m'] = 1\n    del own['n']\n    print(own)\n"
        "lines.foreachRDD(cb)"
    ),
    "its own list in each round": (
        "settings = {'modes': []}\nseen = []\ndef cb(rdd):\n    for row in rdd.collect():\n        own = []\n"
        "        for mode in settings.values():\n            own.append(mode)\n            own += [mode]\n"
        "        if len(own) > 1:\n            own.pop()\n        seen.append(own)\nlines.foreachRDD(cb)"
    ),
    "rows in a lambda": (
        "lines.map(eval).foreachRDD(lambda rdd: print([row.update(n=1) for row in rdd.collect()]))"
    ),
    "a variable of a function inside": (
        "def cb(rdd):\n    n = 0\n    def tick():\n        nonlocal n\n        n += 1\n"
        "    tick()\n    print(n, rdd.count())\nlines.foreachRDD(cb)"
    ),
    "a class beside what is changed": (
        "class Stats:\n    total = 0\n    @staticmethod\n    def clean(line):\n        return line.strip()\n"
        "def cb(rdd):\n    if not rdd.isEmpty():\n        Stats.total += 1\nlines.foreachRDD(cb)\n"
        "lines.map(lambda line: Stats.clean(line)).pprint()"
    ),
    "a text beside what is changed": (
        "SEP = ','\nstats = []\ndef record(acc, n, sep):\n    acc.append(str(n) + sep)\n"
        "def cb(rdd):\n    if not rdd.isEmpty():\n        record(stats, rdd.count(), SEP)\n"
        "lines.foreachRDD(cb)\nlines.flatMap(lambda line: line.split(SEP)).pprint()"
    ),
    "a pattern and a log": (
        "import logging\nimport re\nlog = logging.getLogger()\nword = re.compile('[a-z]+')\n"
        "def cb(rdd):\n    for row in rdd.collect():\n        log.info(word.sub('', row))\n"
        "lines.foreachRDD(cb)\nlines.map(lambda line: (word.sub('x', line), log.name)).pprint()"
    ),
    "its own list": (
        "def cb(rdd):\n    rows = rdd.collect()\n    rows.append(1)\n    print(rows)\nlines.foreachRDD(cb)"
    ),
    "what a function makes": "def made():\n    return []\nlines.foreachRDD(lambda rdd: made().append(1))",
    "what a function gives back of its own": (
        "def same(x):\n    return x\n"
        "def cb(rdd):\n    rows = []\n    same(rows).append(1)\nlines.foreachRDD(cb)"
    ),
    "a parameter of its own": NOTE + "def cb(rdd):\n    rows = []\n    note(rows, 1)\nlines.foreachRDD(cb)",
    "a client with input": (
        "client = connect()\ndef cb(rdd):\n    for row in rdd.collect():\n"
        "        client.db.rows.insert({'a': row})\nlines.foreachRDD(cb)"
    ),
}
ORDER = {
    "a set of what was there": (
        "words = set()\ndef cb(rdd):\n    words.update(rdd.collect())\nlines.foreachRDD(cb)\n"
        "lines.filter(lambda w: w not in words).pprint()"
    ),
    "a number": (
        "n = 0\ndef cb(rdd):\n    global n\n    n += rdd.count()\nlines.foreachRDD(cb)\n"
        "lines.map(lambda w: (w, n)).pprint()"
    ),
    "through functions": (
        "seen = []\ndef note(r):\n    seen.extend(r.collect())\nlines.foreachRDD(lambda rdd: note(rdd))\n"
        "def old(w):\n    return w in seen\nlines.filter(old).pprint()"
    ),
    "under another name": (
        "seen = []\ndef cb(rdd):\n    a = seen\n    a.extend(rdd.collect())\nlines.foreachRDD(cb)\n"
        "lines.filter(lambda w: w in seen).pprint()"
    ),
    "where a function has a parameter of that name": (
        "seen = set()\ndef check(x, seen):\n    return x not in seen\n"
        "lines.foreachRDD(lambda rdd: seen.update(rdd.collect()))\n"
        "lines.filter(lambda w: check(w, seen)).pprint()"
    ),
    "under a name of the module": (
        "seen = []\nother = seen\nlines.foreachRDD(lambda rdd: other.append(rdd.count()))\n"
        "lines.map(lambda w: (w, len(seen))).pprint()"
    ),
    "in place": (
        "seen = []\ndef note(x, where):\n    where += [x]\n"
        "def cb(rdd):\n    for x in rdd.collect():\n        note(x, seen)\nlines.foreachRDD(cb)\n"
        "lines.filter(lambda w: w not in seen).pprint()"
    ),
    "by a default": (
        "seen = []\ndef cb(rdd, *, acc=seen):\n    acc.extend(rdd.collect())\nlines.foreachRDD(cb)\n"
        "lines.filter(lambda w: w not in seen).pprint()"
    ),
    "by a method that is handed on": (
        "seen = []\nlines.foreachRDD(lambda rdd: print(list(map(seen.append, rdd.collect()))))\n"
        "lines.filter(lambda w: w not in seen).pprint()"
    ),
    "by its name": (
        "n = 0\ndef cb(rdd):\n    globals()['n'] = rdd.count()\nlines.foreachRDD(cb)\n"
        "lines.map(lambda w: (w, n)).pprint()"
    ),
    "a model": (
        "model = SGDClassifier()\nlines.foreachRDD(lambda rdd: model.partial_fit(rdd.collect()))\n"
        "lines.map(lambda w: model.predict(w)).pprint()"
    ),
    "a view": (
        "def cb(rdd):\n    rdd.map(lambda w: (w,)).toDF(['w']).createOrReplaceTempView('seen')\n"
        "lines.foreachRDD(cb)\n"
        "lines.transform(lambda rdd: rdd.subtract(spark.sql('select w from seen').rdd)).pprint()"
    ),
    "in transform": (
        "seen = []\nlines.foreachRDD(lambda rdd: seen.extend(rdd.collect()))\n"
        "lines.transform(lambda rdd: rdd.filter(lambda w: w in seen)).pprint()"
    ),
    "by another method of an object": (
        "class Tracker:\n    def __init__(self):\n        self.seen = set()\n"
        "    def keep(self, w):\n        return w not in self.seen\n"
        "    def remember(self, t, rdd):\n        self.seen.update(rdd.collect())\n"
        "tracker = Tracker()\nlines.foreachRDD(tracker.remember)\nlines.filter(tracker.keep).pprint()"
    ),
    "of a class": (
        "class T:\n    n = 0\ndef cb(rdd):\n    T.n += rdd.count()\nlines.foreachRDD(cb)\n"
        "t = T()\nlines.map(lambda w: (w, t.n)).pprint()"
    ),
    "within a dict": (
        "seen = set()\nstate = {'seen': seen}\ndef cb(rdd):\n    state['seen'].update(rdd.collect())\n"
        "lines.foreachRDD(cb)\nlines.filter(lambda w: w not in seen).pprint()"
    ),
    "an annotated one": (
        "seen = set()\nstore: set = seen\nlines.foreachRDD(lambda rdd: store.update(rdd.collect()))\n"
        "lines.filter(lambda w: w not in seen).pprint()"
    ),
    "an attribute's": (
        "seen = set()\nclass S:\n    def __init__(self):\n        self.words = seen\ns = S()\n"
        "def cb(rdd):\n    s.words.update(rdd.collect())\nlines.foreachRDD(cb)\n"
        "lines.filter(lambda w: w not in seen).pprint()"
    ),
    "through an item of a dict": (
        "state = {'seen': []}\ndef cb(rdd):\n    for k, v in state.items():\n"
        "        v.extend(rdd.collect())\nlines.foreachRDD(cb)\n"
        "lines.filter(lambda w: w not in state['seen']).pprint()"
    ),
    "by transform": (
        "seen = []\ndef f(rdd):\n    seen.append(1)\n    return rdd.map(len)\n"
        "lines.transform(f).foreachRDD(lambda rdd: print(len(seen), rdd.count()))"
    ),
}


@pytest.mark.parametrize("body", CHANGING.values(), ids=CHANGING)
def test_what_a_callback_changes_changes_in_every_interval(body: str) -> None:
    assert CALL in file(socket_program(body)).new


@pytest.mark.parametrize("body", KEEPING.values(), ids=KEEPING)
def test_what_is_its_own_is_no_change(body: str) -> None:
    assert native_body(body)
    assert CALL not in file(socket_program(body)).new


@pytest.mark.parametrize("body", ORDER.values(), ids=ORDER)
def test_rdds_are_made_before_the_callbacks_of_their_batch(body: str) -> None:
    assert "DStream" in blocked(body)


def test_what_a_dict_of_the_callback_is_made_of_may_be_read() -> None:
    body = (
        "settings = {'table': 't', 'least': 3}\nn = 0\ndef save(rdd):\n    global n\n    n += rdd.count()\n"
        "    own = {key: settings[key] for key in ('table',)}\n    own['least'] = settings['least']\n"
        "    own['rows'] = {}\n    print(own, n)\n"
        "least = settings['least']\nlines.filter(lambda line: len(line) > least).foreachRDD(save)"
    )
    assert native_body(body)
    assert "it reads `least`" in blocked(body.replace("own['least'] =", "settings['least'] ="))


def test_a_transform_that_prints_does_so_before_other_outputs() -> None:
    body = "def f(rdd):\n    print('made')\n    return rdd.map(len)\n{}lines.transform(f).pprint()"
    assert native_body(body.format(""))
    assert "it does more than to make an RDD" in blocked(body.format("lines.pprint()\n"))


def test_what_a_transform_calls_may_print_too() -> None:
    body = (
        "def report(rdd):\n    n = rdd.count()\n    print(n)\n    return n\n"
        "def f(rdd):\n    n = report(rdd)\n    return rdd.filter(lambda w: len(w) > n)\n"
        "lines.foreachRDD(lambda rdd: print('A', rdd.count()))\nlines.transform(f).pprint()"
    )
    assert "it does more than to make an RDD" in blocked(body)


def test_an_object_of_the_graphs_function_may_be_changed_too() -> None:
    source = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "def main():\n    sc = SparkContext()\n    ssc = StreamingContext(sc, 1)\n    model = Model()\n"
        "    lines = ssc.socketTextStream('localhost', 9999)\n    def learn(rdd):\n"
        "        if not rdd.isEmpty():\n            model.partial_fit(rdd.collect())\n"
        "    lines.foreachRDD(learn)\n    lines.map(lambda w: model.predict(w)).pprint()\n"
        "    ssc.start()\n    ssc.awaitTermination()\nmain()\n"
    )
    (graph,) = run(source).graphs
    assert "whose methods a callback calls" in graph.reasons[0]


def test_a_function_of_transform_is_called_once() -> None:
    body = (
        "def f(rdd):\n    return rdd.map(lambda line: eval(line))\n"
        "lines.transform(f).foreachRDD(lambda rdd: print(sorted(rdd.collect()), rdd.count()))"
    )
    assert native_body(body).count("f(batch") == 1
