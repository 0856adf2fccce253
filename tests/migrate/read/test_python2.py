from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from migrate.migration import migrate
from migrate.model import Module, Options, Outcome, Result, Status
from migrate.read.modules import Imports
from migrate.read.parse import UnparsedError, parse_bytes
from migrate.read.python2 import notes_on_2, python2_names
from migrate.read.python2.as_written import as_written
from migrate.read.python2.encoded_values import IF_2
from migrate.read.python2.notes import DECODED, MESSAGES, ORDER, SHOWN, UNPROVEN
from migrate.read.python2.texts import SOURCES

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
print "starting"
sc = SparkContext(appName="Old")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
{body}
ssc.start()
ssc.awaitTermination()
"""
ONLY_ASCII = "encode('ascii', 'ignore').decode('ascii')"


def module(text: str, relative: str = "job.py") -> Module:
    return parse_bytes(text.encode(), Path("/nowhere") / relative, relative)


def parsed(text: str, relative: str = "job.py") -> Module:
    """A module as Python 3, whatever it names."""
    return Module(Path("/nowhere") / relative, relative, text, ast.parse(text), "utf-8", False)


def run(body: str) -> Result:
    return migrate([module(PROGRAM.format(body=body))], Options())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print 'a', b", "print('a', b)"),
        ("import string\nprint string.letters + ' '", "import string\nprint(string.ascii_letters + ' ')"),
        (
            "import string\nprint string.split(a), string.join(string.split(a + b, ',')), string.join(c, b)",
            "import string\nprint(a.split(), \" \".join((a + b).split(',')), b.join(c))",
        ),
        (
            "import sys, string\nprint string.atoi(a, 16), map(string.atof, b), a.string, string.digits",
            "import sys, string\nprint(int(a, 16), list(map(float, b)), a.string, string.digits)",
        ),
        ("def f(string):\n    print string.split(',')", "def f(string):\n    print(string.split(','))"),
        (
            "import string\ndef f(string): print string.split(',')",
            "import string\ndef f(string): print(string.split(','))",
        ),
        ("import uuid\nprint str(uuid.uuid4())", "import uuid\nprint(str(uuid.uuid4()))"),
        (
            "import datetime\nprint str(datetime.date(1, 2, x))",
            "import datetime\nprint(str(datetime.date(1, 2, x)))",
        ),
        ("w = a.split()\nfor _ in w: print str(w[0])", "w = a.split()\nfor _ in w: print(str(w[0]))"),
        ("import re\nprint str(re.split('b', a)[1])", "import re\nprint(str(re.split('b', a)[1]))"),
        (
            "import re\nprint str(re.compile('b+').split(a)[1])",
            "import re\nprint(str(re.compile('b+').split(a)[1]))",
        ),
        ("print filter(f, word.split())", "print(list(filter(f, word.split())))"),
        (
            "words = a.split()\nprint filter(None, words)",
            "words = a.split()\nprint(list(filter(None, words)))",
        ),
        (
            "names = sorted(a & b)\nif a: names = filter(f, names) + filter(g, names)\n"
            "print filter(h, names[1:])",
            "names = sorted(a & b)\nif a: names = list(filter(f, names)) + list(filter(g, names))\n"
            "print(list(filter(h, names[1:])))",
        ),
        (
            "names = sorted(a)\nprint filter(lambda x: 'a' in x and x != b, names)",
            "names = sorted(a)\nprint([x for x in names if 'a' in x and x != b])",
        ),
        (
            "print len(filter(lambda x: x != a, items)), filter(f, items)[0]",
            "print(len([x for x in items if x != a]), list(filter(f, items))[0])",
        ),
        (
            "names = a.split()\nprint filter(lambda x: x.startswith('#'), names)",
            "names = a.split()\nprint([x for x in names if x.startswith('#')])",
        ),
        (
            "print filter(None, [a, b]), filter(None, map(lambda x: x.f(), c))",
            "print([item for item in [a, b] if item], [item for item in [x.f() for x in c] if item])",
        ),
        (
            "print filter(None, [item for _f in b])",
            "print([item1 for item1 in [item for _f in b] if item1])",
        ),
        (
            "names = sorted(a)\nprint filter(lambda x: f(x), names)",
            "names = sorted(a)\nprint(list(filter(lambda x: f(x), names)))",
        ),
        ("print filter(lambda x: x[1] > 0, pairs)", "print([x for x in pairs if x[1] > 0])"),
        ("print filter(lambda x: x.label, found)", "print([x for x in found if x.label])"),
        (
            "print filter(lambda c: c in 'ab', str(1))",
            "print(\"\".join(filter(lambda c: c in 'ab', str(1))))",
        ),
        ("for x in filter(f, items): print x", "for x in filter(f, items): print(x)"),
        ("print ''.join(filter(f, items))", "print(''.join(filter(f, items)))"),
        ("print json.loads(x, encoding='utf-8')", "print(json.loads(x))"),
        ("print json.load(f, encoding='UTF8', cls=C)", "print(json.load(f, cls=C))"),
        ("print json.loads(x, encoding='latin-1')", "print(json.loads(x, encoding='latin-1'))"),
        ("print >>sys.stderr, 'a'; print 1", "print('a', file=sys.stderr); print(1)"),
        ("print 1\nprint ('%s' % a)", "print(1)\nprint ('%s' % a)"),
        ("print 1\nprint ( a + b )", "print(1)\nprint ( a + b )"),
        ("print 1\nprint ('a' % (b, c))", "print(1)\nprint ('a' % (b, c))"),
        ("print 1\nprint ('a', b)", "print(1)\nprint(('a', b))"),
        ("print 1\nprint (a % b) % c", "print(1)\nprint((a % b) % c)"),
        ("print 1\nprint (a + b), c", "print(1)\nprint((a + b), c)"),
        ("print 1\nprint (x for x in y)", "print(1)\nprint((x for x in y))"),
        ("print 1\ndef f():\n    print (yield 3)", "print(1)\ndef f():\n    print((yield 3))"),
        ("print 1\nprint (  # what follows\n a + b)", "print(1)\nprint (  # what follows\n a + b)"),
        (
            "import matplotlib.pyplot as plt\nplt.plot(range(9), b)\nplt.xticks(range(len(a)))\nprint 1",
            "import matplotlib.pyplot as plt\nplt.plot(range(9), b)\nplt.xticks(range(len(a)))\nprint(1)",
        ),
        (
            "from matplotlib import pyplot as p\np.plot(xrange(9))\np.plot(f(range(9)))\n"
            "q.plot(range(9))\nprint 1",
            "from matplotlib import pyplot as p\np.plot(range(9))\np.plot(f(list(range(9))))\n"
            "q.plot(list(range(9)))\nprint(1)",
        ),
        ("import Queue as queue, os\nprint queue", "import queue, os\nprint(queue)"),
        ("import Queue as q\nprint q", "import queue as q\nprint(q)"),
        (
            "if sys.version_info[0] == 3:\n    import queue\nelse:\n    import Queue as queue\nprint 1",
            "import queue\nprint(1)",
        ),
        (
            "import sys\n\nversion = sys.version_info.major\nif version == 3:\n    import queue\nelse:\n"
            "    import Queue as queue\nprint 1",
            "import sys\n\nimport queue\nprint(1)",
        ),
        (
            "version = sys.version_info.major\nif version == 3:\n    import queue\nelse:\n"
            "    import Queue as queue\nprint version",
            "version = sys.version_info.major\nimport queue\nprint(version)",
        ),
        (
            "def f():\n    # for both\n    try:\n        from Queue import Queue\n"
            "    except ImportError:\n        from queue import Queue\n\n    # one\n    print Queue",
            "def f():\n    # for both\n    from queue import Queue\n\n    # one\n    print(Queue)",
        ),
        (
            "if a:\n    f()\n    if PY3:\n        import queue\n    else:\n        import Queue as queue\n"
            "print 1",
            "if a:\n    f()\n    import queue\nprint(1)",
        ),
        (
            "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle  # slower\nprint 1",
            "try:\n    import pickle\nexcept ImportError:\n    import pickle  # slower\nprint(1)",
        ),
        (
            "if version():\n    import queue\nelse:\n    import Queue as queue\nprint 1",
            "if version():\n    import queue\nelse:\n    import queue\nprint(1)",
        ),
        (
            "try:\n    import Queue\nexcept ImportError:\n    Queue = None\nprint 1",
            "try:\n    import queue\nexcept ImportError:\n    Queue = None\nprint(1)",
        ),
        ("print('x', file=f)\nraise E, 'no'", "print('x', file=f)\nraise E('no')"),
        ("try:\n    f()\nexcept E, e:\n    pass", "try:\n    f()\nexcept E as e:\n    pass"),
        ("f = lambda (k, v): k + v\nprint f", "f = lambda kv: kv[0] + kv[1]\nprint(f)"),
        ("f = lambda (a, b), (c, d): (a + c, b)", "f = lambda ab, cd: (ab[0] + cd[0], ab[1])"),
        ("f = lambda (k, (a, (b, c))), n=1: c", "f = lambda kabc, n=1: kabc[1][1][1]"),
        ("f = lambda (k, v): v.k(k=k, v=k.v)", "f = lambda kv: kv[1].k(k=kv[0], v=kv[0].v)"),
        (
            "f = lambda (k, v): map(lambda k: k + v, k)",
            "f = lambda kv: [k + kv[1] for k in kv[0]]",
        ),
        ("f = lambda (i, s): i + s\nprint f", "f = lambda i_s: i_s[0] + i_s[1]\nprint(f)"),
        ("f = lambda (k, v): lambda (v, w): k + v", "f = lambda kv: lambda vw: kv[0] + vw[0]"),
        ("f = lambda ((k)): k", "f = lambda k: k"),
        ("f = lambda (key, ((airline, code), delay)): code", "f = lambda pair: pair[1][0][1]"),
        ("f = lambda (origin, dest, airline): dest", "f = lambda fields: fields[1]"),
        (
            "# all\nlatePaths = p.map(lambda (day, start, (stop, late)): (stop, day, [start, late]))",
            "\ndef to_late_paths(fields):\n    day, start, (stop, late) = fields\n"
            "    return (stop, day, [start, late])\n\n# all\nlatePaths = p.map(to_late_paths)",
        ),
        (
            "def f(p):\n    print g(p.map(lambda (a, b, c, d): a + b + c + d))",
            "def f(p):\n    def map_items(abcd):\n        a, b, c, d = abcd\n        return a + b + c + d\n\n"
            "    print(g(p.map(map_items)))",
        ),
        (
            "def f(p):\n\tif p:\n\t\tq = g(p.filter(lambda (a,\n b, c, d): a and b and\n c and d), 1)",
            "def f(p):\n\tif p:\n\t\tdef is_in_q(abcd):\n\t\t\ta, b, c, d = abcd\n"
            "\t\t\treturn (a and b and\n c and d)\n\n\t\tq = g(p.filter(is_in_q), 1)",
        ),
        (
            "def f(p):\n    return sorted(p, key=lambda (a, b, c, d): (d, c, b.has_key(1), a))",
            "def f(p):\n    def sorted_items(abcd):\n        a, b, c, d = abcd\n"
            "        return (d, c, 1 in b, a)\n\n    return sorted(p, key=sorted_items)",
        ),
        (
            "if p: q = p.map(lambda (a, b, c, d): a + b + c + d)",
            "if p: q = p.map(lambda abcd: abcd[0] + abcd[1] + abcd[2] + abcd[3])",
        ),
        (
            "q = [p.map(lambda (a, b, c, d): a + b + c + d + e) for e in f]",
            "q = [p.map(lambda abcd: abcd[0] + abcd[1] + abcd[2] + abcd[3] + e) for e in f]",
        ),
        (
            "q = p.map(lambda (a, b, c, d): a + b + c + d, lambda (k, v): k)",
            "\ndef to_q(abcd):\n    a, b, c, d = abcd\n    return a + b + c + d\n\n"
            "q = p.map(to_q, lambda kv: kv[0])",
        ),
        ("q = p.map(lambda (a, b, c, d): a + b)", "q = p.map(lambda abcd: abcd[0] + abcd[1])"),
        (
            "f = lambda (airline, delayed_by): airline\ng = lambda (day, (some, other_place)): some",
            "f = lambda pair: pair[0]\ng = lambda pair: pair[1][0]",
        ),
        (
            "f = lambda (airline, delayed_by), (other, otherwise): other",
            "f = lambda airline_delayed_by, other_otherwise: other_otherwise[0]",
        ),
        (
            "f = lambda (airline, delayed_by): lambda (name, of_something): airline",
            "f = lambda airline_delayed_by: lambda name_of_something: airline_delayed_by[0]",
        ),
        ("pair = 1\nf = lambda (airline, delayed_by): airline", "pair = 1\nf = lambda item: item[0]"),
        (
            "f = lambda (x, y): y\ng = lambda (x, y): lambda (x, y): x",
            "f = lambda xy: xy[1]\ng = lambda xy: lambda xy: xy[0]",
        ),
        ("f = lambda (x, y): y\ng = lambda ((x, y),): x", "f = lambda xy: xy[1]\ng = lambda xy1: xy1[0][0]"),
        (
            "def f((a, b), (n, (key, value)), c):\n    return key\nprint f",
            "def f(ab, n_key_value, c):\n    (a, b) = ab\n    (n, (key, value)) = n_key_value\n"
            "    return key\nprint(f)",
        ),
        (
            "ab = 1\ndef f((a, b)):\n    return a\nprint f",
            "ab = 1\ndef f(ab1):\n    (a, b) = ab1\n    return a\nprint(f)",
        ),
        ("kv = 1\nf = lambda (k, v): kv + v", "kv = 1\nf = lambda kv1: kv + kv1[1]"),
        ("for k, v in d.iteritems(): print k", "for k, v in d.items(): print(k)"),
        ("print rdd.keys().collect()", "print(rdd.keys().collect())"),
        ("print rdd.filter(f).map(g)", "print(rdd.filter(f).map(g))"),
        ("print d.keys()[0]", "print(list(d.keys())[0])"),
        ("print k in d.keys() and k not in e.f.keys()", "print(k in d.keys() and k not in e.f.keys())"),
        ("print k in d.iterkeys(), len(d.items())", "print(k in d.keys(), len(d.items()))"),
        ("print g(d.keys()), [k] == d.keys()", "print(g(list(d.keys())), [k] == list(d.keys()))"),
        ("print r.flatMap(lambda d: d.items())", "print(r.flatMap(lambda d: d.items()))"),
        ("print r.map(lambda d: d.items())", "print(r.map(lambda d: list(d.items())))"),
        ("print map(f, x)", "print(list(map(f, x)))"),
        ("print u'a', 10L, 0777", "print('a', 10, 0o777)"),
        (
            "import urllib2\nprint urllib2.urlopen(u)",
            "import urllib.request, urllib.error, urllib.parse\nprint(urllib.request.urlopen(u))",
        ),
        ("if x:\n    if y:\n\tprint 1\n    z()", "if x:\n    if y:\n        print(1)\n    z()"),
        ("if x:\n        a()\n\tb()\n", "if x:\n        a()\n        b()\n"),
        (
            "def f():\n\tprint 1\n\nif x:\n    if y:\n\ta()\n# \tz\nelse:\n\tb()\n",
            "def f():\n\tprint(1)\n\nif x:\n    if y:\n        a()\n# \tz\nelse:\n\tb()\n",
        ),
        ("if x:\n\ta()\n        b()\n\tc()\n", "if x:\n\ta()\n\tb()\n\tc()\n"),
        ("if x:\n\ta()\n    \tb()\n\tc('\t')\n", "if x:\n\ta()\n\tb()\n\tc('\t')\n"),
        (
            "if x:\n    if y:\n\ta()\n\tb()\n\tprint 1\n    z()",
            "if x:\n    if y:\n        a()\n        b()\n        print(1)\n    z()",
        ),
        (
            "if x:\n        a('''\n\t'''\n        )\n\tb()",
            "if x:\n        a('''\n\t'''\n        )\n        b()",
        ),
        ("print 7 / 2", "print(7 // 2)"),
        (
            "print open(p, 'rU'), open(p, mode=\"U\"), open(p, 'rb')",
            "print(open(p, 'r'), open(p, mode=\"r\"), open(p, 'rb'))",
        ),
        (
            "import sys\nif sys:\n    reload(sys)\n    sys.setdefaultencoding('UTF-8')\nprint 1",
            "import sys\nif sys:\n    pass\n    pass\nprint(1)",
        ),
        ("import sys\nreload(sys)\nsys.setdefaultencoding('utf8')  # all\nprint 1", "print(1)"),
        (
            "import sys\nreload(sys)\n# sys.setdefaultencoding('utf8')\nprint 1",
            "# sys.setdefaultencoding('utf8')\nprint(1)",
        ),
        (
            "import sys\nreload(sys)\nsys.setdefaultencoding('utf8')\nprint sys.argv",
            "import sys\nprint(sys.argv)",
        ),
        ("n = len(x)\nprint n / 2, (n + 1) / 2", "n = len(x)\nprint(n // 2, (n + 1) // 2)"),
        ("n = 1\nn /= 2\nprint n", "n = 1\nn //= 2\nprint(n)"),
        ("print x / 2.0, float(x) / y", "print(x / 2.0, float(x) / y)"),
        ("from __future__ import division\nprint x / y", "from __future__ import division\nprint(x / y)"),
        ("print str(len(x)) + 'b'", "print(str(len(x)) + 'b')"),
        ("print len(x) < 3, 'a' < 'b'", "print(len(x) < 3, 'a' < 'b')"),
        (
            "import math\nprint math.floor(x) / 2, int(math.ceil(x)), math.floor(x) < 3, np.floor(x)",
            "import math\nprint(float(math.floor(x)) / 2, int(math.ceil(x)), math.floor(x) < 3, np.floor(x))",
        ),
        (
            "from math import *\nprint len(x) * ceil(y), map(floor, x)",
            "from math import *\n"
            "print(len(x) * float(ceil(y)), list(map((lambda number: float(floor(number))), x)))",
        ),
        (
            "import time\nprint int(round(time.time() * 1000))",
            "import time\nprint(int(round(time.time() * 1000)))",
        ),
        (
            "from time import time\nstart = time()\nprint int(round(time() - start))",
            "from time import time\nstart = time()\nprint(int(round(time() - start)))",
        ),
        ("print 'a'\r\nprint 'b'\r\n", "print('a')\r\nprint('b')\r\n"),
        ("print[x for x in y]", "print([x for x in y])"),
        (
            "print  int(filter(str.isdigit, w[1])) < int( filter( str.isdigit, w[2]) )",
            'print(int("".join(digit for digit in w[1] if digit in "0123456789"))'
            ' < int("".join(digit for digit in w[2] if digit in "0123456789")))',
        ),
        (
            "print [x for x in y], [x for x in z]\nfor x in y: print x",
            "print([x for x in y], [x for x in z])\nfor x in y: print(x)",
        ),
        ("# coding: UTF-8\nprint 'é'\n", "# coding: UTF-8\nprint('é')\n"),
        ("# é\n'ä'\ndef f():\n    'é'\n    print 1\n", "# é\n'ä'\ndef f():\n    'é'\n    print(1)\n"),
    ],
)
def test_what_becomes_of_python_2(old: str, new: str) -> None:
    found = module(old)
    assert (found.python, found.source, found.limits) == (2, new, ())
    assert found.text == old
    assert ast.parse(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print x / y", "print(python2_divide(x, y))"),
        ("print hash(x), map(hash, y)", "print(python2_hash(x), list(map(python2_hash, y)))"),
        ("print 1\nz = (x + 1) / (y - 1) / 2", "z = python2_divide(python2_divide(x + 1, y - 1), 2)"),
        (
            "print 1\nz = x / (y / 2) + (i for i in x) / 2",
            "z = python2_divide(x, python2_divide(y, 2)) + python2_divide((i for i in x), 2)",
        ),
        ("n = 1\nprint lambda n: n / 2", "print(lambda n: python2_divide(n, 2))"),
        ("print 1\nz = (x  # a / b\n    / y)", "z = (python2_divide(x  # a / b\n, y))"),
        ("n = 1\nn = g()\nprint n / 2", "n = 1\nn = g()\nprint(python2_divide(n, 2))"),
        (
            "def count(): return 0.5\nprint x.count() / 2",
            "def count(): return 0.5\nprint(python2_divide(x.count(), 2))",
        ),
        ("print 1\nself.n /= (n + 1)", "print(1)\nself.n = python2_divide(self.n, n + 1)"),
        (
            "print str(x), unicode(y), str(3), map(str, x)",
            "print(python2_str(x), python2_str(y), str(3), list(map(python2_str, x)))",
        ),
        (
            "def process(time, rdd): print str(time), str(rdd)\nlines.foreachRDD(process)",
            "def process(time, rdd): print(str(time), str(rdd))\nlines.foreachRDD(process)",
        ),
        (
            "def process(rdd): print str(rdd)\nlines.foreachRDD(process)\nprocess(1.5)",
            "def process(rdd): print(python2_str(rdd))\nlines.foreachRDD(process)\nprocess(1.5)",
        ),
        (
            "sql = SQLContext(sc)\nstd = sql.sql('select 1')\nprint str(std)",
            "sql = SQLContext(sc)\nstd = sql.sql('select 1')\nprint(str(std))",
        ),
        (
            "sql = connect()\nstd = sql.sql('select 1')\nprint str(std)",
            "sql = connect()\nstd = sql.sql('select 1')\nprint(python2_str(std))",
        ),
        (
            "def process(time, rdd): print str(time)\nlines.foreachRDD(process)\nprocess(1.5, 2)",
            "def process(time, rdd): print(python2_str(time))\nlines.foreachRDD(process)\nprocess(1.5, 2)",
        ),
        (
            "print 1\nlines.foreachRDD(lambda time, rdd: g(str(time)))",
            "lines.foreachRDD(lambda time, rdd: g(str(time)))",
        ),
        ("print str(datetime.now())", "print(str(datetime.now()))"),
        ("print str(datetime.date.today())", "print(str(datetime.date.today()))"),
        ("print round(x, 2), map(round, x)", "print(python2_round(x, 2), list(map(python2_round, x)))"),
        ("print x < 3, sorted(x), rdd.sortBy(f), max(x)", "print(x < 3, sorted(x), rdd.sortBy(f), max(x))"),
        (
            "print x.encode('utf-8'), y['a'] . encode('UTF8')",
            "print(python2_shown(x), python2_shown(y['a']))",
        ),
        (
            "print 1\nz = ('a' + x).encode('utf-8') + y",
            "print(1)\nz = python2_encode(('a' + x), 'utf-8') + y",
        ),
        (
            "print x.encode('ascii', 'ignore'), y.split()",
            "print(python2_encode(x, 'ascii', 'ignore'), y.split())",
        ),
        (
            "import re\nprint x.encode('ascii', 'ignore'), re.sub('\\\\s', '', y, 0, re.UNICODE)",
            "print(python2_encode(x, 'ascii', 'ignore'), re.sub('\\\\s', '', y, 0, re.UNICODE))",
        ),
        (
            "f = open(p)\nfor l in f:\n    l = l + x.encode('ascii')\n    print l.strip()",
            "f = open(p)\nfor l in f:\n    l = l + python2_encode(x, 'ascii')\n    print(l.strip())",
        ),
        (
            "f = open(p)\nfor l in f: print map(lambda l: l.split(), [x.encode('ascii')])",
            "f = open(p)\nfor l in f: print([l.split() for l in [python2_encode(x, 'ascii')]])",
        ),
        (
            "f = open(p)\nf = [x.encode('ascii')]\nfor l in f: print l.strip()",
            "f = open(p)\nf = [python2_encode(x, 'ascii')]\nfor l in f: print(l.strip())",
        ),
        (
            "from datetime import datetime\nprint datetime.strptime(x.encode('utf-8'), '%Y')",
            "from datetime import datetime\nprint(datetime.strptime(x, '%Y'))",
        ),
        (
            "f = open(p)\nfor l in f:\n    l = l.strip()\n    print l.split(), x.encode('ascii')",
            "    print(l.split(), x.encode('ascii').decode('ascii'))",
        ),
        (
            "f = open(p)\nfor l in f: print {l.strip() for l in [x.encode('ascii')]}",
            "f = open(p)\nfor l in f: print({l.strip() for l in [python2_encode(x, 'ascii')]})",
        ),
        (
            "f = open(p)\nw = f.read().splitlines()\nprint [l.strip() for l in w], x.encode('ascii')",
            "print([l.strip() for l in w], x.encode('ascii').decode('ascii'))",
        ),
        (
            "def f(a):\n    w = a.readlines()\n    print [l.strip() for l in w], x.encode('ascii')",
            "def f(a):\n    w = a.readlines()\n    print([l.strip() for l in w], python2_encode(x, 'ascii'))",
        ),
        (
            "def f(a):\n    with open(a) as g:\n        w = g.readlines()\n"
            "    print [l.strip() for l in w], x.encode('ascii')",
            "def f(a):\n    with open(a) as g:\n        w = g.readlines()\n"
            "    print([l.strip() for l in w], x.encode('ascii').decode('ascii'))",
        ),
        (
            "print 1\nwith open(p, 'a') as f: f.write(x.encode('utf-8'))",
            "with open(p, 'ab') as f: f.write(x.encode('utf-8'))",
        ),
        (
            "print 1\ndef g(x):\n    f = open(p, mode='w')\n    f.write(x.encode('utf8'))\n    f.close()",
            "def g(x):\n    f = open(p, mode='wb')\n    f.write(x.encode('utf8'))\n    f.close()",
        ),
        ("print x.encode('ascii'), s.splitlines()", "print(python2_encode(x, 'ascii'), s.splitlines())"),
        (
            "print x.encode('ascii', 'xmlcharrefreplace')",
            "print(python2_encode(x, 'ascii', 'xmlcharrefreplace'))",
        ),
        ("print x.encode()", "print(python2_encode(x))"),
        ("print f(x.decode('utf-8'))", "print(f(python2_decode(x, 'utf-8')))"),
        ("print json.loads(x[1].decode('utf-8'))['a']", "print(json.loads(x[1])['a'])"),
        ("print loads(x.decode('UTF8')), loads(x.decode())", "print(loads(x), loads(python2_decode(x)))"),
        (
            "print x.encode('utf8').decode('latin-1').strip()",
            "print(python2_decode(python2_encode(x, 'utf8'), 'latin-1').strip())",
        ),
        (
            "print Row(a=x.encode('utf8')), [x.encode('utf8')]",
            "print(Row(a=python2_encode(x, 'utf8')), [python2_encode(x, 'utf8')])",
        ),
        (
            "from streams import *\nwords = words.filter(len)\nprint words.map(lambda w: w[0] / 2).collect()",
            "print(words.map(lambda w: python2_divide(w[0], 2)).collect())",
        ),
        (
            "from streams import *\npairs = pairs.map(lambda p: (p[0] / 2, 1))\nprint pairs.collect()",
            "pairs = pairs.map(lambda p: (python2_divide(p[0], 2), 1))\nprint(pairs.collect())",
        ),
        (
            "from streams import *\na = two.map(lambda p: (p[0], 1))\ntwo = a.filter(lambda p: p[0] / 2)\n"
            "print two.map(lambda p: p[0] / 2).collect()",
            "print(two.map(lambda p: python2_divide(p[0], 2)).collect())",
        ),
    ],
)
def test_functions_do_as_python_2_did(old: str, new: str) -> None:
    found = module(old)
    assert found.limits == ()
    assert found.source.endswith(new)
    made = [node.name for node in ast.walk(ast.parse(found.source)) if isinstance(node, ast.FunctionDef)]
    assert {name for name in made if name.startswith("python2_")} == {
        f"python2_{name}"
        for name in ("decode", "divide", "encode", "hash", "round", "shown", "str")
        if f"python2_{name}" in new
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print x.encode('ascii', 'ignore')", "print(x.encode('ascii', 'ignore').decode('ascii'))"),
        (
            "import re\nprint x.encode('ascii', 'ignore'), re.sub('\\\\s', '', y)",
            f"import re\nprint(x.{ONLY_ASCII}, re.sub('\\\\s', '', y, flags=re.ASCII))",
        ),
        (
            'print 1\nz = x.encode("ASCII", "replace") + y.split(",")[0]',
            'print(1)\nz = x.encode("ASCII", "replace").decode("ASCII") + y.split(",")[0]',
        ),
        (
            "with open(p) as f:\n    for l in f: w.append(l.strip())\nprint x.encode('ascii') + 'a'",
            "with open(p) as f:\n    for l in f: w.append(l.strip())\n"
            "print(x.encode('ascii').decode('ascii') + 'a')",
        ),
        (
            "f = open(p)\nfor l in f:\n    w.append(l.split()[0])\nprint x.encode('ascii')",
            "f = open(p)\nfor l in f:\n    w.append(l.split()[0])\nprint(x.encode('ascii').decode('ascii'))",
        ),
        ("print x.encode('ascii') + y", "print(x.encode('ascii').decode('ascii') + y)"),
        ("print x.encode('utf8').decode('utf-8')", "print(x.encode('utf8').decode('utf-8'))"),
        ("print str(x.strip()), str(y.lower() * 2)", "print(str(x.strip()), str(y.lower() * 2))"),
        (
            "print str(x.split(',')[1]), str(x.strip()[0:9])",
            "print(str(x.split(',')[1]), str(x.strip()[0:9]))",
        ),
        ("import json\nprint str(json.dumps(x))", "import json\nprint(str(json.dumps(x)))"),
        ("import time\nprint str(time.strftime('%H'))", "import time\nprint(str(time.strftime('%H')))"),
        ("import random\nprint str(random.randint(1, n))", "import random\nprint(str(random.randint(1, n)))"),
        ("print [str(i) for i in range(n)]", "print([str(i) for i in range(n)])"),
        ("for i, x in enumerate(y): print str(i)", "for i, x in enumerate(y): print(str(i))"),
        ("print sum(1 for x in y) / 2", "print(sum(1 for x in y) // 2)"),
        ("print max(len(x), len(y)) / abs(len(z))", "print(max(len(x), len(y)) // abs(len(z)))"),
        (
            "print words.count().map(lambda n: n / 2), words.map(lambda n: n)",
            "print(words.count().map(lambda n: n // 2), words.map(lambda n: n))",
        ),
        ("n = len(x)\nf = lambda n: n\nprint n / 2", "n = len(x)\nf = lambda n: n\nprint(n // 2)"),
        (
            "n = 0.5\nprint lines.count().map(lambda n: n / 3), lambda n=n / 2: n",
            "n = 0.5\nprint(lines.count().map(lambda n: n // 3), lambda n=n / 2: n)",
        ),
        ("t = (a - b).total_seconds()\nprint x / t", "t = (a - b).total_seconds()\nprint(x / t)"),
        ("try: f()\nexcept IOError, e: print str(e)", "try: f()\nexcept IOError as e: print(str(e))"),
        ("print str([]), str(())", "print(str([]), str(()))"),
        (
            "from datetime import datetime\nt = datetime.today()\nx = map(str, [t.year, t.month])\nprint 1",
            "from datetime import datetime\nt = datetime.today()\n"
            "x = list(map(str, [t.year, t.month]))\nprint(1)",
        ),
        (
            "from operator import add\nt = rdd.map(lambda x: x.strip()).reduce(add)\nprint str(t)",
            "from operator import add\nt = rdd.map(lambda x: x.strip()).reduce(add)\nprint(str(t))",
        ),
        (
            "def pair(x):\n    return x[0], (float(x[1]), 1)\n"
            "sums = rdd.map(pair).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))\n"
            "print sums.map(lambda (k, v): (k, v[0] / v[1])).collect()",
            "def pair(x):\n    return x[0], (float(x[1]), 1)\n"
            "sums = rdd.map(pair).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))\n"
            "print(sums.map(lambda kv: (kv[0], kv[1][0] / kv[1][1])).collect())",
        ),
        (
            "SECONDS = 9\ndef both(x):\n    yield 'a', (0, float(x))\n    yield ('b', x), (float(x), 1.5)\n"
            "sums = rdd.flatMap(both).window(SECONDS)\n"
            "sums = sums.reduceByKeyAndWindow(lambda a, b: (a[0] + b[0], a[1] + b[1]), None, SECONDS, 9)\n"
            "print sums.mapValues(lambda c: c[0] / c[1])",
            "SECONDS = 9\ndef both(x):\n    yield 'a', (0, float(x))\n    yield ('b', x), (float(x), 1.5)\n"
            "sums = rdd.flatMap(both).window(SECONDS)\n"
            "sums = sums.reduceByKeyAndWindow(lambda a, b: (a[0] + b[0], a[1] + b[1]), None, SECONDS, 9)\n"
            "print(sums.mapValues(lambda c: c[0] / c[1]))",
        ),
        (
            "pairs = lines.map(lambda l: l.split(','))\n"
            "total = pairs.reduceByKey(lambda x, y: float(x) + float(y))\n"
            "count = pairs.map(lambda x: (x[0], 1)).reduceByKey(lambda x, y: x + y)\n"
            "print total.join(count).map(lambda (k, (v, w)): (k, v / w)), count.map(lambda kn: kn[1] / 2)",
            "pairs = lines.map(lambda l: l.split(','))\n"
            "total = pairs.reduceByKey(lambda x, y: float(x) + float(y))\n"
            "count = pairs.map(lambda x: (x[0], 1)).reduceByKey(lambda x, y: x + y)\n"
            "print(total.join(count).map(lambda kvw: (kvw[0], kvw[1][0] / kvw[1][1])), "
            "count.map(lambda kn: kn[1] // 2))",
        ),
        (
            "print rdd.map(lambda x: (x, (len(x), 2))).mapValues(lambda v: v[0] / v[1]).collect()",
            "print(rdd.map(lambda x: (x, (len(x), 2))).mapValues(lambda v: v[0] // v[1]).collect())",
        ),
        (
            "s = rdd.map(lambda x: float(x)).reduce(lambda a, b: a + b)\nprint s / rdd.count()",
            "s = rdd.map(lambda x: float(x)).reduce(lambda a, b: a + b)\nprint(s / rdd.count())",
        ),
        (
            "import re\nprint str(rdd.map(lambda x: re.sub('a', '', x)).reduce(lambda a, b: a + b))",
            "import re\nprint(str(rdd.map(lambda x: re.sub('a', '', x)).reduce(lambda a, b: a + b)))",
        ),
        (
            "from datetime import datetime\nt = datetime.strptime(x, f)\nprint str(t.hour), str(t.date())",
            "from datetime import datetime\nt = datetime.strptime(x, f)\nprint(str(t.hour), str(t.date()))",
        ),
        (
            "n = lines.count()\nn.map(lambda x: 'n: ' + str(x)).pprint()\nprint 1",
            "n = lines.count()\nn.map(lambda x: 'n: ' + str(x)).pprint()\nprint(1)",
        ),
        (
            "s = KafkaUtils.createDirectStream(ssc, ['t'], {})\ns = s.map(lambda m: str(m[1]))\nprint 1",
            "s = KafkaUtils.createDirectStream(ssc, ['t'], {})\ns = s.map(lambda m: str(m[1]))\nprint(1)",
        ),
        (
            "ws = ssc.socketTextStream(h, 1).flatMap(lambda l: l.split())\nprint ws.map(lambda w: str(w))",
            "ws = ssc.socketTextStream(h, 1).flatMap(lambda l: l.split())\nprint(ws.map(lambda w: str(w)))",
        ),
        (
            "print [str(word.replace('a', '')) for word in words]",
            "print([str(word.replace('a', '')) for word in words])",
        ),
        (
            "from math import radians, sin\ndef half(a, b):\n    a, b = map(radians, [a, b])\n"
            "    between = a - b\n    return sin(between / 2)\nprint 1",
            "from math import radians, sin\ndef half(a, b):\n    a, b = list(map(radians, [a, b]))\n"
            "    between = a - b\n    return sin(between / 2)\nprint(1)",
        ),
        (
            "import json\ndef text(x):\n    if x: return json.dumps(x)\n    return '-'\nprint str(text(1))",
            "import json\ndef text(x):\n    if x: return json.dumps(x)\n    return '-'\nprint(str(text(1)))",
        ),
    ],
)
def test_what_a_person_would_write_needs_no_function(old: str, new: str) -> None:
    found = module(old)
    assert (found.source, found.limits) == (new, ())


@pytest.mark.parametrize(
    "old",
    [
        "print str(numpy.split(x, 2)[0])\nimport numpy",
        "print str(kfold.split(x)[0])",
        "def text(x): return x\nprint map(str, [1, x]), str(x)",
        "print str(rdd.map(lambda x: x.strip()).reduce(lambda a, b: a))",
        "print str(rdd.map(lambda x: x.strip()).reduce(add))",
        "print str(rdd.map(lambda x: x).reduce(lambda a, b: a + b))",
        "print str(rdd.reduce(lambda a, b: a + b))",
        "print str(frame.x.str.strip())",
        "def strip(self): return 0.5\nprint str(x.strip())",
        "print str(x.replace(a, b))",
        "from numpy import random\nprint str(random.randint(3, size=2))",
        "print str(sum(x for x in y)), str(sum(x)), str(max(x))",
        "for e in x: print str(e)\ntry: f()\nexcept IOError, e: pass",
        "frame.groupBy('a').count().map(lambda row: str(row))\nprint 1",
        "print str(x[0]), str(x + y), str(round(x))",
    ],
)
def test_what_may_be_a_float_or_a_list_is_shown_by_a_function(old: str) -> None:
    source = module(old).source
    assert "python2_str(" in source.partition("return text")[2]
    assert " str(" not in source.partition("return text")[2]


@pytest.mark.parametrize(
    "shown",
    [
        "print str(row.asDict())",
        "x = []\nx.append(0.5)\nprint str(x)",
        "x = [e for e in y]\nz = x\nprint unicode(z), str((1, 'a'))",
        "print str(sorted(y)), str({'a': 1})",
        pytest.param(
            "from pyspark.streaming.kafka import KafkaUtils\n"
            "def show(rdd):\n    for one in rdd.collect(): print str(one)\n"
            "KafkaUtils.createDirectStream(ssc, ['a'], {}).foreachRDD(show)",
            id="messages of Kafka",
        ),
    ],
)
def test_a_container_is_shown_as_python_3_does_and_a_note_says_so(shown: str) -> None:
    source = module(shown).source
    assert "python2_str" not in source
    (graph,) = run(f"row, y = f()\n{shown}\nlines.pprint()").graphs
    calls = re.findall(r"str\((?:[^()]|\([^()]*\))*\)", source)
    told = [note for note in graph.notes if "is written as Python 3 does" in note]
    assert [call in note for call, note in zip(calls, told, strict=True)] == [True] * len(calls)


@pytest.mark.parametrize(
    "value",
    [("a", 1), ["a"], {"a": 0.1}, (("a", "b"), 0.30000000000000004), [None, True], {1}],
    ids=repr,
)
def test_a_container_that_was_not_expected_is_shown_as_python_3_does(value: object) -> None:
    names: dict[str, Any] = {}
    exec(module("def f(x):\n    print 1\n    return str(x)").source, names)
    assert names["f"](value) == str(value)


@pytest.mark.parametrize("value", [b"a", bytearray(b"a"), 1j, int])
def test_what_python_2_writes_in_no_known_way_is_not_shown(value: object) -> None:
    names: dict[str, Any] = {}
    exec(module("def f(x):\n    print 1\n    return str(x)").source, names)
    with pytest.raises(TypeError, match="not known what Python 2 writes"):
        names["f"](value)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("python2_str(python2_divide(a, b))", "str(a / b)"),
        ("map(python2_hash_, python2_encode(text, 'ascii'))", "map(hash, text.encode('ascii'))"),
        ("python2_message(error)", "python2_message(error)"),
        ("str(a)", "str(a)"),
    ],
)
def test_reports_show_code_as_the_program_had_it(code: str, told: str) -> None:
    assert as_written(ast.parse(code, mode="eval").body) == told


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ("print str(row)", "line 8: `str(row)`: if"),
        ("print map(str, row)", "line 8: `map(str, row)`: if"),
        ("print ',' in str(row[0])", "line 8: `str(row[0])`: if"),
        (
            "print str(row), str(row)\nprint str(y), str(row[0])\nprint str(y[1])",
            "line 8: `str(row)`, line 9: `str(y)`, line 9: `str(row[0])`, and 1 more: if",
        ),
        ("print str(time.time() - 1.5)", ""),
        ("print str(3), str('a')", ""),
    ],
)
def test_a_note_says_what_is_shown_as_python_3_does_if_it_is_a_container(shown: str, told: str) -> None:
    (graph,) = run(f"row, y = f()\n{shown}\nlines.pprint()").graphs
    notes = [note for note in graph.notes if "if that is a list, tuple, dict or set" in note]
    assert len(notes) == bool(told) and all(note.startswith(told) for note in notes)


@pytest.mark.parametrize(
    "code",
    [
        "df = spark.read.json(rdd)\nprint df.select(df.a / df['b'])",
        "df = rdd.toDF(['a']).groupBy('a').agg(f)\ndf = df.withColumn('c', df.a / 2)\nprint 1",
        "from pyspark.sql import functions as F\nprint df.agg(F.sum('a') / F.count('a').cast('long'))",
        "from pyspark.sql.functions import *\nprint (col('a') + 1) / x",
    ],
)
def test_columns_are_divided_as_they_are(code: str) -> None:
    source = module(code).source
    assert "python2_divide" not in source and " / " in source


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "total = 0.0\ndef add(x):\n    global total\n    total += x - 1\n"
            "print total / n, (total * n) / (n - 1)",
            id="a sum that begins as a float",
        ),
        pytest.param("print (n - 0.5 * m) / k", id="a difference with a float"),
        pytest.param(
            "from math import radians\ndef f(x, y):\n    a, b = x[0], y[0]\n"
            "    a, b = map(radians, (a, b))\n    d = a - b\n    print d / 2",
            id="several variables of floats",
        ),
        pytest.param("a, b = 1.5, x\nprint b / a", id="one of several variables"),
        pytest.param(
            "total = rdd.map(lambda x: float(x))\ntotal = total.reduce(lambda a, b: a + b)\nprint total / n",
            id="a reduction in the variable of its RDD",
        ),
        pytest.param("from numpy.linalg import norm\nprint x.dot(y) / (norm(x) * norm(y))", id="a norm"),
        pytest.param("import numpy as np\nprint x / np.linalg.norm(x)", id="a norm by another name"),
    ],
)
def test_what_a_float_makes_is_no_whole_number(code: str) -> None:
    source = module(code).source
    assert "python2_divide" not in source and " / " in source


@pytest.mark.parametrize(
    "code",
    [
        "total = 0.0\nif n: total = n\ntotal += 1\nprint total / 2",
        "total = 0\ntotal += x\nprint total / 2",
        "a, b = x, 1.5\nprint a / 2",
        "a, a = 1.5, x\nprint a / 2",
        "a, b = 1.5, 2.5\na, b = f()\nprint a / 2",
        "total = rdd.map(lambda x: x)\ntotal = total.reduce(lambda a, b: a + b)\nprint total / n",
        "def norm(x): return 2\nprint x / norm(x)",
    ],
)
def test_a_whole_number_may_be_among_them(code: str) -> None:
    assert "print(python2_divide(" in module(code).source


def test_arrays_are_divided_as_numpy_did() -> None:
    np = pytest.importorskip("numpy")
    source = module("import numpy\ndef divide(x, y):\n    print 1\n    return x / y").source
    names: dict[str, Any] = {}
    exec(source, names)
    divide = names["divide"]
    assert divide(7, 2) == 3 and divide(7.0, 2) == 3.5
    assert divide(np.array([7, 8]), 2).tolist() == [3, 4]
    assert divide(np.array([7.0, 8.0]), np.array([2, 4])).tolist() == [3.5, 2.0]
    assert divide(np.int64(-7), 2) == -4 and divide(np.float64(7), 2) == 3.5
    for one in (np.array([7], dtype="uint64"), "a", [7, 8], np.array([None])):
        with pytest.raises(TypeError, match="not known how Python 2 divides"):
            divide(one, 2)


def test_a_hash_is_written_as_a_number() -> None:
    found = module("print str(hash(x))")
    assert ("print(str(python2_hash(x)))" in found.source, found.limits) == (True, ())


@pytest.mark.parametrize(
    "code",
    [
        "def g(x):\n    yield 'a', 1\n    yield 'b', 0.5\nprint rdd.flatMap(g).mapValues(lambda c: c / 2)",
        "def g(x):\n    yield 'a', 0.5\n    yield x\nprint rdd.flatMap(g).mapValues(lambda c: c / 2)",
        "row = spark.read.json(rdd).first()\nprint row.a / row['b']",
        "df = f(x)\nprint df.a / df['b']",
        "def g(x):\n    return [('a', x)]\nprint rdd.flatMap(g).mapValues(lambda c: c / 2)",
        "p = rdd.map(lambda x: (x, 1)).reduceByKey(lambda a, b: a + b / 2.0)\n"
        "print p.mapValues(lambda c: c / 2)",
        "p = rdd.map(lambda x: (x, 0.5)).reduceByKey(f)\nprint p.mapValues(lambda c: c / 2)",
        "p = rdd.map(lambda x: (x, 0.5)).reduceByKeyAndWindow(lambda a, b: a + b, f, 9)\n"
        "print p.mapValues(lambda c: c / 2)",
        "p = rdd.map(lambda x: (x, 0.5)).join(other)\nprint p.mapValues(lambda v: v[1] / 2)",
    ],
)
def test_what_may_be_a_whole_number_is_divided_by_a_function(code: str) -> None:
    assert "python2_divide(" in module(code).source.partition("left / right\n")[2]


@pytest.mark.parametrize(
    "code",
    [
        "import time\nprint round(time.time())",
        "import time\nprint int(round(time.time(), 2) * 100)",
        "import time\nprint int(round(x))",
        "print int(round(time.time()))",
        "from times import time\nprint int(round(time()))",
        "import time\ndef int(x): return x\nprint int(round(time.time()))",
    ],
)
def test_what_is_rounded_may_be_half_or_stay_a_float(code: str) -> None:
    assert "python2_round(" in module(code).source.partition("prec=999")[2]


@pytest.mark.parametrize(
    "code",
    [
        "print filter(f, list(a)[0])",
        "print filter(f, [a, b][0])",
        "print filter(f, (1, 2))",
        "both = tuple(a)\nprint filter(f, both)",
        "def g(x):\n    x = filter(f, x)\n    print x",
        "from a import *\nx = filter(f, x)\nprint 1",
    ],
)
def test_what_may_be_a_text_or_a_tuple_is_filtered_by_a_function(code: str) -> None:
    assert "python2_filter(f, " in module(code).source


@pytest.mark.parametrize(
    ("call", "told"), [("random.seed(3)", 1), ("random.seed()", 0), ("np.random.seed(3)", 0)]
)
def test_numbers_after_a_seed_are_told_of(call: str, told: int) -> None:
    found = module(f"import random\n{call}\nprint random.choice(x)")
    notes = [note for note in notes_on_2(found) if note.startswith("line 2: what `random` gives after")]
    assert len(notes) == told


def test_docstrings_of_functions_that_no_program_had_are_not_told_of() -> None:
    (graph,) = run("def shown(x): return str(f(x))\nx = lines.map(shown)\nlines.pprint()").graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert not any("docstrings" in note for note in graph.notes)


@pytest.mark.parametrize(
    "code",
    [
        "n = g()\nn = len(x)\nprint n / 2",
        "def f(n):\n    n = len(n)\n    if n:\n        print n / 2",
        "for n in x:\n    n = len(n)\n    print n / 2",
        "n = g()\nn = len(x)\nfor y in x:\n    with y:\n        print [n / 2 for z in y]",
        "n = g()\ntry:\n    n = 1\n    print n / 2\nexcept IOError:\n    n = g()",
        "n = g()\nn = 1\nn = n + 1\nprint n / 2",
    ],
)
def test_the_last_value_of_a_variable_counts_where_a_read_sees_no_other(code: str) -> None:
    assert "print(n // 2)" in module(code).source or "n // 2 for" in module(code).source


@pytest.mark.parametrize(
    "code",
    [
        "n = 1\nif x: n = g()\nprint n / 2",
        "n = 1\nfor y in x:\n    print n / 2\n    n = g()",
        "n = 1\nwhile x:\n    print n / 2\n    n = g()",
        "n = g()\ntry:\n    n = g()\n    n = 1\nexcept IOError:\n    print n / 2",
        "n = 1\nfor n in x: print n / 2",
        "n = 1\nprint [n / 2 for n in x]",
        "n = g()\nn = 1\ndef f(): print n / 2",
        "n = g()\nn = 1\ndef f():\n    global n\n    n = g()\nf()\nprint n / 2",
        "n = 1\nwith g() as n: print n / 2",
        "n = 1\ndef n(): pass\nprint n / 2",
        "n = 1\nn += g()\nprint n / 2",
        "n = 1\nn, m = g()\nprint n / 2",
    ],
)
def test_else_it_may_be_any_of_its_values(code: str) -> None:
    assert "python2_divide(n, 2)" in module(code).source


def test_what_a_clock_shows_is_written_as_it_is() -> None:
    source = module(
        "from timeit import default_timer as timer\nimport time\ndef f(a, b):\n    delta = a - b\n"
        "    start = timer()\n    delta = timer() - start\n    print str(delta) + str(time.time())\n"
    ).source
    assert "print(str(delta) + str(time.time()))" in source


def test_a_text_that_is_searched_for_what_no_float_has_needs_no_function() -> None:
    source = module("print 'key' not in str(x), ',' in str(x[0])").source
    assert source == "print('key' not in str(x), ',' in str(x[0]))"


@pytest.mark.parametrize(
    "code",
    [
        "print '5' in str(x)",
        "print 'inf' in str(x)",
        "print y in str(x)",
        "print str(x) in 'key'",
        "print 'unicode' in str(type(x))",
        "kind = x.__class__\nprint 'unicode' in str(kind)",
    ],
)
def test_else_it_may_be_a_float_or_a_type(code: str) -> None:
    assert "python2_str(" in module(code).source.partition("return text")[2]


@pytest.mark.parametrize(
    ("made", "caught"),
    [
        ("try:\n    print str(x)\nexcept:\n    pass", True),
        ("def g(x):\n    return x / 2\ntry:\n    f(g)\nexcept Exception as e:\n    pass", True),
        ("try:\n    print str(x)\nexcept IOError:\n    pass", False),
        ("print str(x)\ntry:\n    f()\nexcept:\n    pass", False),
    ],
)
def test_a_function_that_fails_where_a_handler_takes_that_is_told(made: str, caught: bool) -> None:
    (graph,) = run(f"{made}\nlines.pprint()").graphs
    assert any("a handler takes the error" in note for note in graph.notes) is caught


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"re.split(r'\s|=', x)", r"re.split(r'\s|=', x, flags=re.ASCII)"),
        (r"re.compile(r'\d+')", r"re.compile(r'\d+', re.ASCII)"),
        (r"re.sub(r'\W', '', (x))", r"re.sub(r'\W', '', (x), flags=re.ASCII)"),
        (r"re.findall(r'\w+', x,)", r"re.findall(r'\w+', x, re.ASCII)"),
        (r"re.match(r'\w', x, re.M)", r"re.match(r'\w', x, re.M | re.ASCII)"),
        ("re.match('spark', x, flags=re.I)", "re.match('spark', x, flags=re.I | re.ASCII)"),
        ("re.match('[^a-z]', x)", None),
        ("re.match('abc', x, re.I)", None),
        (r"re.match(r'\\w', x.s)", None),
        (r"re.match(r'\w', x, re.U)", None),
        (r"re.match(r'(?u)\w', x)", None),
        (r"re.match(r'\w', x, flags)", None),
        (r"re.match(y, x)", None),
    ],
)
def test_patterns_keep_to_ascii(old: str, new: str | None) -> None:
    assert module(f"import re\nprint 'a'\nz = {old}\n").source.splitlines()[-1] == f"z = {new or old}"


def test_their_white_space_is_that_of_java() -> None:
    new = run("import re\nlines.map(lambda line: re.split(r'\\s|=', line)).pprint()").files[0].new
    assert 'F.split("value", r"[\\s=]")' in new


PRODUCER = """\
import json
from kafka import KafkaProducer
print "starting"
producer = KafkaProducer({settings})
def send(record, number):
    {body}
"""


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (
            "producer.send('t', json.dumps(record))",
            "producer.send('t', json.dumps(record).encode(\"utf-8\"))",
        ),
        ("producer.send('t', value='a')", "producer.send('t', value='a'.encode(\"utf-8\"))"),
        ("producer.send('t', 'a: %s' % number)", "producer.send('t', ('a: %s' % number).encode(\"utf-8\"))"),
        (
            "producer.send('t', key=str(number), value='{}'.format(record)).get()",
            "producer.send('t', key=python2_str(number).encode(\"utf-8\"), "
            "value='{}'.format(record).encode(\"utf-8\")).get()",
        ),
        ("producer.send('t', record)", "producer.send('t', record.encode(\"utf-8\"))"),
        ("producer.send('t', record[0], None)", "producer.send('t', record[0].encode(\"utf-8\"), None)"),
        (
            "producer.send('t', record + '!' + number)",
            "producer.send('t', (record + '!' + number).encode(\"utf-8\"))",
        ),
        (
            "producer.send('t', bytes(json.dumps(record)))",
            "producer.send('t', json.dumps(record).encode(\"utf-8\"))",
        ),
        ("producer.send('t', bytes('a' + record))", "producer.send('t', ('a' + record).encode(\"utf-8\"))"),
        ("producer.send('t', bytes(record))", "producer.send('t', python2_str(record).encode(\"utf-8\"))"),
        ("producer.send('t', bytes(len(record)))", "producer.send('t', str(len(record)).encode(\"utf-8\"))"),
        (
            "text = bytes(record)\n    producer.send('t', text)",
            "text = python2_str(record)\n    producer.send('t', text.encode(\"utf-8\"))",
        ),
        ("producer.send('t', record.encode('utf-8'))", "producer.send('t', record.encode('utf-8'))"),
        (
            "producer.send('t', record.encode('ascii', 'ignore'))",
            "producer.send('t', record.encode('ascii', 'ignore'))",
        ),
        (
            "producer.send('t', record.encode('ascii', 'ignore') + 'a')",
            "producer.send('t', (record.encode('ascii', 'ignore').decode('ascii') + 'a').encode(\"utf-8\"))",
        ),
        (
            "text = record.encode('ascii')\n    producer.send('t', text)",
            "text = record.encode('ascii').decode('ascii')\n    producer.send('t', text.encode(\"utf-8\"))",
        ),
    ],
)
def test_messages_of_kafka_are_bytes(body: str, new: str) -> None:
    found = module(PRODUCER.format(settings="", body=body))
    assert found.source.endswith(f"    {new}\n")
    assert found.limits == ()


@pytest.mark.parametrize(
    ("other", "new"),
    [
        ("def load(text):\n    data = json.loads(text)\n    return data", 'data.encode("utf-8")'),
        ("data = json.loads('{}')", 'data.encode("utf-8")'),
        ("def load(text):\n    global data\n    data = json.loads(text)", "python2_bytes(data)"),
        ("def load(text):\n    return json.loads(text)\nsend = lambda data: data", 'data.encode("utf-8")'),
    ],
)
def test_a_variable_is_that_of_its_function(other: str, new: str) -> None:
    body = "data = json.dumps(record)\n    producer.send('t', data)"
    source = PRODUCER.format(settings="", body=body)
    head, send = source.split("def ", 1)
    assert f"producer.send('t', {new})" in module(f"{head}{other}\ndef {send}").source


HANDED_PRODUCER = """\
import atexit
import json
from kafka import KafkaProducer
print "starting"
def close(producer): producer.close(10)
def process(stream, producer, topic):
    def send(rdd): producer.send(topic, json.dumps(rdd.collect()))
    stream.foreachRDD(send)
producer = KafkaProducer()
atexit.register(close, producer)
"""


@pytest.mark.parametrize(
    "calls",
    [
        "process(stream, producer, 't')",
        "process(stream, topic='t', producer=producer)\nprocess(other, KafkaProducer(), 't')",
        "def main(stream, p): process(stream, p, 't')\nmain(stream, producer)",
        "process(stream, *arguments)",
        "run(process)",
        "def process(stream, producer): pass\nprocess(stream, producer)",
        "",
    ],
)
def test_messages_of_a_producer_that_functions_are_given_are_bytes(calls: str) -> None:
    source = module(HANDED_PRODUCER + calls).source
    assert 'producer.send(topic, json.dumps(rdd.collect()).encode("utf-8"))' in source


@pytest.mark.parametrize(
    "calls",
    [
        "process(stream, make(), 't')",
        "process(stream, producer, 't')\nprocess(stream, KafkaProducer(value_serializer=make), 't')",
    ],
)
def test_what_another_producer_may_get_stays_as_it_is(calls: str) -> None:
    assert "producer.send(topic, json.dumps(rdd.collect()))" in module(HANDED_PRODUCER + calls).source


@pytest.mark.parametrize(
    ("settings", "body"),
    [
        ("value_serializer=make", "producer.send('t', json.dumps(record))"),
        ("value_serializer=make, key_serializer=make", "producer.send('t', 'a', 'b')"),
        ("**settings", "producer.send('t', json.dumps(record))"),
        ("", "other.send('t', json.dumps(record))"),
    ],
)
def test_what_makes_bytes_of_messages_itself_gets_texts(settings: str, body: str) -> None:
    assert module(PRODUCER.format(settings=settings, body=body)).source.endswith(f"    {body}\n")


@pytest.mark.parametrize(
    ("body", "new"),
    [
        ("x = made(record)\n    producer.send('t', x)", "python2_bytes(x))\n"),
        ("producer.send('t', made(record))", "python2_bytes(made(record)))\n"),
    ],
)
def test_messages_that_may_be_bytes_are_encoded_if_they_are_texts(body: str, new: str) -> None:
    found = module(PRODUCER.format(settings="", body=body))
    assert found.source.endswith(new)
    assert not found.limits
    made: dict[str, Any] = {}
    exec(found.source[found.source.index("def python2_bytes") :].partition("\n\n\n")[0], made)
    assert [made["python2_bytes"](value) for value in ("é", b"\xff", None)] == [b"\xc3\xa9", b"\xff", None]


def test_messages_are_encoded_without_a_codec() -> None:
    found = module(PRODUCER.format(settings="", body="producer.send('t', record.encode())"))
    assert found.source.endswith("producer.send('t', record.encode())\n")
    assert not found.limits


def test_a_producer_that_is_an_empty_text_until_it_is_made_gets_bytes() -> None:
    top = "from kafka import KafkaProducer\nprint 1\np = ''\n"
    assert (
        "p.send('t', 'a'.encode(\"utf-8\"))" in module(f"{top}p = KafkaProducer()\np.send('t', 'a')\n").source
    )
    assert "p.send('t', 'a')" in module(f"{top}p = KafkaProducer()\np = make()\np.send('t', 'a')\n").source


@pytest.mark.parametrize(
    ("top", "line", "new"),
    [
        (
            "import pykafka",
            "with topic.get_sync_producer() as p: p.produce('a', partition_key=str(3))",
            'p.produce(\'a\'.encode("utf-8"), partition_key=str(3).encode("utf-8"))',
        ),
        ("import kafka", "kafka.KafkaProducer().send('t', 'a')", "send('t', 'a'.encode(\"utf-8\"))"),
        (
            "from kafka import SimpleProducer",
            "p = SimpleProducer(client)\np.send_messages('t', 'a', 'b')",
            "p.send_messages('t', 'a'.encode(\"utf-8\"), 'b'.encode(\"utf-8\"))",
        ),
        (
            "from kafka import KeyedProducer",
            "p = KeyedProducer(client)\np.send_messages('t', 'a', 'b')",
            "p.send_messages('t', 'a'.encode(\"utf-8\"), 'b'.encode(\"utf-8\"))",
        ),
        (
            "from confluent_kafka import Producer",
            "p = Producer(c)\np.produce('t', 'a')",
            "p.produce('t', 'a')",
        ),
    ],
)
def test_clients_of_kafka_that_take_bytes(top: str, line: str, new: str) -> None:
    assert module(f"{top}\nprint 1\n{line}\n").source.endswith(f"{new}\n")


COLLECTED = """\
print "starting"
words = lines.map(lambda w: (w, 1))
counts = words.reduceByKey(lambda a, b: a + b).transform(lambda rdd: rdd.sortBy(lambda x: x[1]))
def show(rows):
    for row in rows:
        print bytes(row)
{calls}
"""


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ("counts.foreachRDD(lambda rdd: show(rdd.take(3)))", True),
        (
            "words.foreachRDD(lambda rdd: show(rdd.collect()))\n"
            "words.count().foreachRDD(lambda r: show(r.take(1)))",
            True,
        ),
        ("lines.foreachRDD(lambda rdd: show(rdd.collect()))", False),
        ("counts.foreachRDD(lambda rdd: show(rdd.collect()))\nshow(others)", False),
        ("counts.foreachRDD(lambda rdd: show(rdd.values().collect()))", False),
    ],
)
def test_collected_pairs_and_numbers_are_written_by_str(calls: str, told: bool) -> None:
    assert ("print(str(row))" in module(COLLECTED.format(calls=calls)).source) is told


def test_a_reason_names_the_file_that_it_is_about() -> None:
    job = PROGRAM.format(body="import texts\nlines.map(texts.coded).pprint()")
    result = migrate([module(job), module("def coded(x):\n    print x.encode(y)\n", "texts.py")], Options())
    assert result.graphs[0].outcome is Outcome.MANUAL
    assert result.graphs[0].reasons[0].startswith("texts.py, line 2: `encode` is about bytes")


SOCKET = """\
import socket
from random import randint
print "starting"
listener = socket.socket()
connection, address = listener.accept()
def send(client, record):
    {body}
send(connection, 'a')
"""


@pytest.mark.parametrize(
    ("body", "new"),
    [
        ("connection.send('a')", "connection.send('a'.encode(\"utf-8\"))"),
        ("connection.sendall(record + '\\n')", "connection.sendall((record + '\\n').encode(\"utf-8\"))"),
        ("client.send(record)", 'client.send(record.encode("utf-8"))'),
        ("listener.sendto('%d' % 3, address)", "listener.sendto(('%d' % 3).encode(\"utf-8\"), address)"),
        ("client.send(bytes(3))", 'client.send(str(3).encode("utf-8"))'),
        ("client.send(record.encode('utf-8'))", "client.send(record.encode('utf-8'))"),
    ],
)
def test_sockets_get_bytes(body: str, new: str) -> None:
    found = module(SOCKET.format(body=body))
    assert f"    {new}\n" in found.source
    assert found.limits == ()


@pytest.mark.parametrize(
    ("value", "is_ascii"),
    [
        ("str(randint(1, 9)) + '\\n'", True),
        ("'%d,%s' % (len(record), 'b')", True),
        ("'{}'.format(record)", False),
        ("'é'", False),
        ("record", False),
    ],
)
def test_a_handler_may_have_left_out_what_a_socket_does_not_take(value: str, is_ascii: bool) -> None:
    body = f"value = {value}\n    try: client.send(value)\n    except: pass"
    found = module(SOCKET.format(body=body))
    assert ('client.send(value.encode("utf-8"))' in found.source) is is_ascii
    assert any("`send` is about bytes" in limit for limit in found.limits) is not is_ascii


@pytest.mark.parametrize(
    "body",
    [
        "from socket import *\ns = socket(AF_INET, SOCK_STREAM)\ns.send('a')",
        "import socket\nsocket.create_connection(('h', 1)).sendall('a')",
    ],
)
def test_a_module_that_sends_texts_to_sockets_is_python_2(body: str) -> None:
    assert module(PARSED.format(top="", body=f"{body}\nlines.pprint()")).python == 2


@pytest.mark.parametrize(
    ("first", "new"),
    [
        ("#!/usr/bin/env python2", "#!/usr/bin/env python3"),
        ("#!/usr/bin/python2.7 -u", "#!/usr/bin/python3 -u"),
        ("#!/usr/bin/env python", "#!/usr/bin/env python"),
    ],
)
def test_the_first_line_names_python_3(first: str, new: str) -> None:
    found = module(f"{first}\nprint 'python2'\n")
    assert found.source == f"{new}\nprint('python2')\n"
    assert found.text.startswith(first)


def test_functions_stand_after_the_imports_and_report_lines_as_they_were() -> None:
    body = "python2_str = 1\nlines.map(f).map(lambda x: str(x) + 'a').filter(lambda x: x / 2).pprint()"
    result = run(body)
    (file,) = result.files
    rows = file.new.splitlines()
    functions = [row for row in rows if row.startswith("def ")]
    assert [row.partition("(")[0] for row in functions if "python2" in row] == [
        "def python2_divide",
        "def python2_str_",
    ]
    assert rows.index('def python2_str_(value=""):') < rows.index('print("starting")')
    assert "python2_str_(x)" in file.new
    assert {site.line for site in result.sites if site.operator in ("map", "filter")} == {8}
    assert not migrate([module(file.new)], Options()).files[0].changed


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("print x\nx[f()] /= y", "line 4: `/=`"),
        ("print f(x.encode('utf-8'))", "`encode` is about bytes"),
        ("print x.encode(codec)", "`encode` is about bytes"),
        ("print x.encode('base64')", "`encode` is about bytes"),
        ("print map(unicode.encode, x)", "`encode` is about bytes"),
        ("import socket\nprint 1\nx = conn.recv(9).decode('utf-8')", "`recv` is about bytes"),
        ("import socket\nprint 1\nconn.send(str(5))", "`send` is about bytes"),
        ("print 1\nf(bytes(x))", "`bytes` is about bytes"),
        ("import requests\nprint requests.get(x).content.split('a')", "is bytes in Python 3: decode it"),
        ("try: print x.encode('utf-8')\nexcept: pass", "move it out of the `try`"),
        ("print str(x), isinstance(y, (int, unicode))", "`str` is about bytes"),
        ("print str(x, 'utf-8')", "`str` is about bytes"),
        ("print isinstance(x, str)", "`str` is about bytes"),
        ("print 1\nconvert(x, type=str)", "`str` is about bytes"),
        ("print `x`", "`repr` shows texts"),
        ("class Point:\n    def __str__(self): return repr(self.key)\nprint 1", "`repr` shows texts"),
        ("print cmp(x, 3)", "`cmp` is not in Python 3"),
        ("print sorted(x, f)", "`sorted` takes no function"),
        ("print x\nx.sort(lambda a, b: 1)", "`sort` takes no function"),
        ("print x\nx.sort(cmp=f)", "`sort` takes no function"),
        ("print sorted(x, key=hash)", "`hash` differs"),
        ("import string\nprint map(string.strip, x)", "`string.strip` is not in Python 3"),
        ("import string\nprint string.maketrans('a', 'b')", "`string.maketrans` is not in Python 3"),
        (
            "import string, locale\nlocale.setlocale(6, '')\nprint string.letters",
            "`string.letters` is not in",
        ),
        ("print map(None, x, y)", "`map` takes no None"),
        ("import sys\nsys.setdefaultencoding('gbk')\nprint 1", "`sys.setdefaultencoding` is not in Python 3"),
        ("import types\nprint types.ClassType", "`types.ClassType` is not in Python 3"),
        ("try: f()\nexcept IOError, e: pass\nprint e.message", "`e.message` is not in Python 3"),
        ("try: f()\nexcept IOError, e: e.message = 'x'\nprint 1", "`e.message` is not in Python 3"),
        ("try: f()\nexcept IOError, e:\n    e = f(e)\n    print e.message", "`e.message` is not in Python 3"),
        ("print [x for x in y]\nprint x", "`x` is read after a list was made with it"),
        ("def f(y):\n    z = [x for x in y] + [1]\n    return x\nprint 1", "`x` is read after a list"),
        ("y = [x for x in y]\nprint x", "`x` is read after a list"),
        ("z = [(x, w) for x in y for w in x]\nprint x", "`x` is read after a list"),
        ("if y: z = [x for x in y]\nprint x", "`x` is read after a list"),
        ("z = [x for x\n     in y]\nprint x", "`x` is read after a list"),
        ("for x in [x for x in y]:\n    z = x\nprint x", "`x` is read after a list"),
        ("for z in [x for x in y]:\n    print x", "`x` is read after a list"),
        ("# é\nprint 'é'", "line 4: a literal with characters beyond ASCII"),
        ("class A:\n    def __cmp__(self, o): print 1", "`__cmp__` is not called"),
        (
            "def f(x):\n    exec('a%d = %s' % (1, x))\n    exec('a2 = 2')\n    print 1\n    return a1, a2",
            "line 5: `exec` sets no variable of a function in Python 3: put `a1`, `a2` into a dict",
        ),
        ("def f(x):\n    a = 1\n    exec 'a = 2'\n    return a", "put what the code sets into a dict"),
    ],
)
def test_what_is_not_proven_is_named(body: str, why: str) -> None:
    (limit,) = [limit for limit in module("import sys\n\n" + body).limits if why in limit]
    assert limit.startswith("line ")


@pytest.mark.parametrize(
    "body",
    [
        "import json\nprint json.loads(x.encode('utf-8'))",
        "import hashlib\nprint hashlib.md5(x.encode('UTF-8')).hexdigest()",
        "import socket\nprint 1\nconnection.sendall(x.encode('utf8'))",
        "from kafka import KafkaProducer as P\nprint 1\np = P(value_serializer=lambda v: v.encode('utf-8'))",
        "from kafka import KafkaProducer as P\nprint 1\np = P(key_serializer=str.encode)",
        "import pykafka\nprint 1\nproducer.produce(v.encode('utf-8'), partition_key=k.encode('utf-8'))",
        "import json, requests\nprint json.loads(requests.get(x).content), y.content.decode('utf-8')",
        "from events import Coder\ncoder = Coder()\nprint coder.encode(x)",
        "from e import Coder\ndef f(x):\n    coder = Coder()\n    print coder.encode(x)\ncoder = Coder()",
        "print str(x), isinstance(y, basestring), isinstance(z, (int, basestring))",
        "print isinstance(x, (str, unicode)), isinstance(y, (unicode, str, int))",
        "class Point:\n    def __hash__(self): return hash(self.key)\nprint 1",
        "class Gone(Exception):\n    def __str__(self): return repr(self.value)\nprint 1",
        "for i, x in map(lambda i: (i, xs[i]), range(len(xs))):\n    print i, x",
        "for x in sorted([x for x in xs if x]):\n    print x",
        "print x in map(str.lower, ['A', 'b'])",
        "exec('a = 2')\nprint a",
        "def f(x):\n    names = {}\n    exec x in names\n    return names",
        "def f(x):\n    exec 'print(1)'\n    return x",
    ],
)
def test_what_is_the_same_in_both_stays(body: str) -> None:
    assert module("import sys\n\n" + body).limits == ()


@pytest.mark.parametrize(
    "body",
    [
        "import json\nprint json.loads(x.encode('latin-1'))",
        "import json\ndef f(json): print json.loads(x.encode('utf-8'))",
        "import socket\nprint 1\nconnection.sendto(b, x.encode('utf-8'))",
        "print 1\nproducer.send('t', v.encode('utf-8'))",
    ],
)
def test_what_may_want_texts_in_python_3_does_not(body: str) -> None:
    assert any("is about bytes" in limit for limit in module("import sys\n\n" + body).limits)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("try: print x.encode('utf-8')\nexcept: print 1", True),
        ("try: print x.encode('ascii')\nexcept: print 1", False),
        ("try: print x.encode('ascii', 'ignore')\nexcept: print 1", True),
        ("try: print x.encode()\nexcept: print 1", True),
        ("try: print x.encode('ascii').split()\nexcept: print 1", True),
        ("try: print x.encode('ascii')\nexcept UnicodeEncodeError: print 1", True),
        ("try: print x.encode('utf-8')\nexcept KeyError: print 1\nexcept:\n    print 2\n    raise", False),
        (
            "def f(x):\n  try: x.encode('utf-8')\n  except:\n    if x: return\n    raise\nprint 1",
            True,
        ),
        (
            "def f(x): return x.decode('utf-8')\ntry: print map(f, y)\nexcept (IOError, ValueError): print 1",
            True,
        ),
        ("try: print open(x)\nexcept Exception: print x.encode('utf-8')", False),
        ("try: print x.encode('utf-8')\nexcept KeyError: print 1", False),
    ],
)
def test_no_handler_catches_what_only_python_3_raises(body: str, named: bool) -> None:
    limits = module("import sys\n\n" + body).limits
    assert any("is about bytes" in limit for limit in limits) is named


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("print 'é', x", True),
        ("print >>sys.stderr, 'é: %s, %5.2f' % (x, y)", True),
        ("print 'é ' + x + ' à'", True),
        ("print 'é {} {name} {:.2f}'.format(x, y, name=z)", True),
        ("print 1\nsys.exit('é')", True),
        ("import argparse\nprint 1\np = argparse.ArgumentParser(description='é')", True),
        ("import argparse\nprint 1\np.add_argument('topic', help='é'\n    'à')", True),
        ("import argparse\nprint 1\nparser.error('é')", True),
        ("import logging\nprint 1\nlog.warning('é %s', x)", True),
        ("print 'é'\nx = 'é'", False),
        ("print 'é'; x = 'é'", False),
        ("print 1\nprint ('é', x)", False),
        ("print 'é' * 3", False),
        ("print 'é'.center(9)", False),
        ("print 'é %5s' % x", False),
        ("print 'é %r' % x", False),
        ("print 'é {:>5}'.format(x)", False),
        ("print x['é']", False),
        ("print len('é')", False),
        ("print >>out, 'é'", False),
        ("import argparse\nprint 1\np.add_argument('topic', default='é')", False),
        ("print 1\np.add_argument('topic', help='é')", False),
        ("import logging\nprint 1\nlog.warning('é %-9s', x)", False),
        ("import logging\nprint 1\nlog.warning(x, 'é')", True),
    ],
)
def test_literals_beyond_ascii_may_be_seen_and_no_more(body: str, seen: bool) -> None:
    limits = module("# coding: utf-8\nimport sys\n\n" + body).limits
    assert any("beyond ASCII" in limit for limit in limits) is not seen, limits


@pytest.mark.parametrize("text", ["words\t\r\n", "\x00\x1b[1m\x7f"])
def test_ascii_that_means_the_same_in_both_is_encoded(text: str) -> None:
    names: dict[str, Any] = {}
    exec(SOURCES["python2_encode"], names)
    assert names["python2_encode"](text, "utf-8") == text


@pytest.mark.parametrize("text", ["é", "a\x1fb", "a\x0b", "\ud800", None, b"a", 3])
def test_what_is_no_plain_text_is_not_encoded(text: object) -> None:
    names: dict[str, Any] = {}
    exec(SOURCES["python2_encode"] + SOURCES["python2_shown"], names)
    for arguments in (("utf-8",), ("utf-8", "ignore")):
        with pytest.raises((TypeError, UnicodeError, AttributeError)):
            names["python2_encode"](text, *arguments)
    if isinstance(text, str) and text != "\ud800":
        assert names["python2_shown"](text) == text
    else:
        with pytest.raises((UnicodeError, AttributeError)):
            names["python2_shown"](text)


def test_a_native_program_says_that_the_step_is_not_proven() -> None:
    result = run("lines.map(lambda x: (x, 1)).filter(lambda (k, n): k != u'x').pprint()")
    (graph,) = result.graphs
    (file,) = result.files
    assert (graph.outcome, file.python, file.status) == (Outcome.NATIVE, 2, Status.NATIVE)
    assert UNPROVEN in graph.notes
    assert 'print("starting")' in file.new
    assert 'F.col("x") != "x"' in file.new or "!=" in file.new
    again = migrate([module(file.new)], Options())
    assert not again.files[0].changed


def test_what_is_not_proven_keeps_the_graph_as_it_is_but_for_a_comment() -> None:
    result = run("lines.map(lambda x: repr(x)).pprint()")
    (graph,) = result.graphs
    (file,) = result.files
    assert graph.outcome is Outcome.MANUAL
    assert "line 7: `repr`" in graph.reasons[0]
    added = [row for row in file.new.splitlines() if row not in file.old.splitlines()]
    assert len(added) == 1
    assert added[0].startswith("# dstream-migrate: manual: `repr` shows")
    assert 'print "starting"' in file.new
    assert not migrate([module(file.new)], Options()).files[0].changed, "the comment is not repeated"


def test_sites_stand_where_they_stand_in_the_file() -> None:
    result = run("import urllib\nlines.filter(lambda (k, v): urllib.quote(k)).pprint()")
    places = {site.operator: (site.line, site.column) for site in result.sites}
    old = PROGRAM.format(
        body="import urllib\nlines.filter(lambda (k, v): urllib.quote(k)).pprint()"
    ).splitlines()
    for operator, (line, column) in places.items():
        assert old[line - 1][column - 1 :].startswith(operator)


def test_helpers_in_python_2_go_with_the_program() -> None:
    main = "import helper\n" + PROGRAM.format(body="lines.glom().pprint()")
    modules = [module(main), module("print 'helper'\n", "helper.py"), module("print 'other'\n", "other.py")]
    result = migrate(modules, Options())
    assert {file.path: (file.status, file.new) for file in result.files[1:]} == {
        "helper.py": (Status.COMPAT, "print('helper')\n"),
        "other.py": (Status.UNTOUCHED, "print 'other'\n"),
    }
    assert result.graphs[0].files == ("job.py", "helper.py")
    unproven = [modules[0], module("print `x`\n", "helper.py")]
    assert migrate(unproven, Options()).graphs[0].outcome is Outcome.MANUAL


def test_files_without_streams_stay_in_python_2() -> None:
    result = migrate([module("print 'a'\n")], Options())
    assert (result.files[0].status, result.files[0].python, result.files[0].changed) == (
        Status.UNTOUCHED,
        2,
        False,
    )


@pytest.mark.parametrize(
    "text",
    [
        "f = lambda (k, v): [k for k in v]\n",
        "print 'a' (\n",
        "def f(:\n    print 'a'\n",
        "if x:\n\tprint 1\n  y\n",
        "`\n",
    ],
)
def test_what_is_no_python_at_all_keeps_the_error_of_python_3(text: str) -> None:
    with pytest.raises(UnparsedError, match=r"^line \d+: "):
        module(text)


NAMES = """\
import urllib2, os, urllib
from itertools import izip
try:
    import cPickle as pickle
except ImportError:
    import pickle
try:
    raw_input
except NameError:
    raw_input = input
if sys.version_info[0] == 2:
    chr = unichr
for i in xrange(3):
    for k, v in d.iteritems():
        x = long(i) if isinstance(k, unicode) else reduce(f, v)
urllib.urlencode(d); urllib.parse
print >>sys.stderr, x
"""


def test_names_that_only_python_2_has() -> None:
    found = parsed(NAMES)
    remarks = list(python2_names(found, Imports([found])))
    assert [(r.line, r.column, r.name) for r in remarks] == [
        (1, 1, "urllib2"),
        (2, 1, "itertools.izip"),
        (13, 10, "xrange"),
        (14, 17, "iteritems"),
        (15, 13, "long"),
        (15, 38, "unicode"),
        (15, 52, "reduce"),
        (16, 1, "urllib.urlencode"),
        (17, 1, "print >>"),
    ]
    assert remarks[2].text == "`xrange` is only in Python 2; Python 3 has `range`"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "texts = lines.map(lambda x: x.encode('utf8', 'ignore'))\ntexts.map(lambda t: str(t).split())",
            True,
        ),
        ("def clean(text):\n    data = text.encode('utf-8')\n    return str(data)\n", True),
        ("texts = lines.map(lambda x: x.encode('utf8'))\ntexts.map(lambda t: str(t, 'utf8').split())", False),
        ("texts = lines.map(lambda x: (x, x.encode('utf8')))\ntexts.map(lambda t: str(t[0]))", False),
    ],
)
def test_a_text_made_of_bytes_by_str_is_told_of(body: str, *, told: bool) -> None:
    source = f"import os\nlines = ssc.socketTextStream(os.name, 1)\n{body}"
    found = parsed(source)
    remarks = [one.text for one in python2_names(found, Imports([found])) if one.name == "str"]
    assert len(remarks) == told
    assert all("is a text with `b'` before it" in text for text in remarks)


@pytest.mark.parametrize(
    ("body", "caught", "told"),
    [
        ("kept.append(str(word))", "UnicodeEncodeError", True),
        ("return str(word).lower()", "(UnicodeDecodeError, UnicodeEncodeError)", True),
        ("word = str(word)", "UnicodeError", True),
        ("kept.append(word)", "UnicodeEncodeError", False),
        ("print(str(word))", "UnicodeEncodeError", False),
        ("kept.append(str(word.encode('ascii')))", "UnicodeEncodeError", False),
        ("kept.append(str(word))", "Exception", False),
        ("kept.append(f'{str(word)}')", "UnicodeEncodeError", False),
    ],
)
def test_a_handler_of_what_str_raised_in_python_2_alone_is_told_of(
    body: str, caught: str, *, told: bool
) -> None:
    source = f"def clean(word, kept):\n    try:\n        {body}\n    except {caught}:\n        pass\n"
    found = parsed(source)
    remarks = [one.text for one in python2_names(found, Imports([found])) if "UnicodeE" in one.text]
    assert len(remarks) == told
    assert all("`str(word)` raises no UnicodeEncodeError in Python 3" in text for text in remarks)


def test_what_is_collected_is_told_of_where_more_than_prints_is_otherwise() -> None:
    body = "print rdd.take(1)\npairs = rdd.map(lambda (key, value): value)\nfor x in pairs.collect(): print x"
    notes = [*notes_on_2(module(body))]
    assert any("`rdd.take(1)`, line 3: `x`: written as in Python 3" in note for note in notes), notes
    of_saved = notes_on_2(module("x.map(lambda w: (w, 1L)).saveAsTextFiles('o')"))
    (saved,) = (note for note in of_saved if "saveAs" in note or "(w, 1)" in note)
    assert "written as in Python 3" in saved and "a long without its L" in saved


def test_no_note_names_a_variable_of_the_functions_of_this_step() -> None:
    body = (
        "def load(f):\n    return f.read().splitlines()\n"
        "x = lines.map(lambda t: t.encode('ascii'))\nprint str(x)"
    )
    changed = module(body)
    assert "def python2_" in changed.source
    places = [note for note in notes_on_2(changed) if "written as" in note]
    assert not any(f"`{name}`" in note for note in places for name in ("data", "value")), places


def test_modules_of_the_project_are_not_those_of_python_2() -> None:
    modules = [parsed("import commands, Queue\n"), parsed("", "commands.py")]
    assert [r.name for r in python2_names(modules[0], Imports(modules))] == ["Queue"]


PARSED = """\
{top}
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
sc = SparkContext(appName="Old")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
{body}
ssc.start()
ssc.awaitTermination()
"""
"""A program that Python 3 can parse."""


@pytest.mark.parametrize(
    ("top", "body", "new"),
    [
        ("from StringIO import StringIO", "lines.map(StringIO).pprint()", "from io import StringIO\n"),
        ("import cPickle", "lines.map(cPickle.loads).pprint()", "import pickle\n"),
        ("import Queue", "lines.foreachRDD(Queue.Queue().put)", "import queue\n"),
        ("import cPickle", "print('a', cPickle.dumps(1))\nlines.pprint()", "print(('a', pickle.dumps(1)))\n"),
        ("import sys", "print >>sys.stderr, 'go'\nlines.pprint()", "print('go', file=sys.stderr)\n"),
        (
            "import sys",
            "reload(sys)\nsys.setdefaultencoding('utf8')\nprint(7 / 2)\nlines.pprint()",
            "\nprint(7 // 2)\n",
        ),
        ("", "lines.map(lambda l: [k for k in d(l).iteritems()]).pprint()", "d(l).items()]"),
        ("", "lines.filter(lambda l: d.has_key(l)).pprint()", "lambda l: l in d"),
        ("", "for i in xrange(3): print(i)\nlines.pprint()", "for i in range(3): print(i)\n"),
        ("from itertools import izip", "print(list(izip(a, b)))\nlines.pprint()", "print(list(zip(a, b)))\n"),
        ("", "print(unicode('a'))\nprint(7 / 2)\nlines.pprint()", "print(7 // 2)\n"),
        (
            "from __future__ import print_function",
            "print('a', unicode('b'))\nlines.pprint()",
            "print('a', str('b'))\n",
        ),
        ("#!/usr/bin/env python2", "print(7 / 2)\nlines.pprint()", "print(7 // 2)"),
        ("#!/usr/bin/python2.7", "print('a', 1)\nlines.pprint()", "print(('a', 1))"),
        ("", "print ('%s' % x).encode('ascii', 'ignore')\nlines.pprint()", ".decode('ascii'))"),
        ("", "print ('%s %s') % (x, y)\nlines.pprint()", "print(('%s %s') % (x, y))"),
        *(
            ("import json, re", f"{body}\nlines.pprint()", "def python2_encode(")
            for body in (
                "x = y.encode('utf-8').split(' ')",
                "x = y.encode('utf-8') + 'a'",
                "x = y.encode('utf-8')\nx += 'a'",
                "x = 'a' in y.encode('utf-8')",
                "x = y.encode('utf-8') in ['a', 'b']",
                "x = y.encode('utf-8') == 'a'",
                "x = y.encode('utf-8').strip().lower().startswith('a')",
                "x = [w.replace('a', 'b') for w in y.encode('utf-8').split()]",
                "x = json.dumps({'a': [y.encode('utf-8')]})",
                "x = {'a': y.encode('utf-8')}\nz = json.dumps(x)",
                "x = y.encode('utf-8')\nz = re.sub('a', 'b', x)",
                "x = ' '.join([w.encode('utf-8') for w in y])",
                "x = '{}'.format(y).encode('utf-8').format(z)",
                "a, x = 1, y.encode('utf-8')\nz = x.split(',')[0]",
                "if z:\n    x = y.encode('utf-8')\nelse:\n    x = z.encode('utf-8')\nx.split(',')",
                "for w in y.encode('utf-8').split():\n    z = w + 'a'",
                "words = lines.map(lambda l: l.encode('utf-8')).flatMap(lambda l: l.split(' '))",
                "words = lines.map(lambda l: (l.encode('utf-8'), 1)).filter(lambda kv: kv[0] != 'a')",
                "words = lines.map(lambda l: l.encode('utf-8'))\n"
                "words = words.filter(lambda w: w)\n"
                "pairs = words.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)\n"
                "pairs.map(lambda kv: kv[0] + ': %d' % kv[1]).pprint()",
                "words = lines.flatMap(lambda l: l.encode('utf-8').split())\n"
                "words.countByValue().filter(lambda kv: not kv[0].startswith('#')).pprint()",
                "pairs = lines.map(lambda l: (l, l)).mapValues(lambda v: v.encode('utf-8'))\n"
                "pairs.mapValues(lambda v: v.split(',')).pprint()",
                "def clean(line):\n    return line.encode('utf-8')\n"
                "def show(rdd):\n    for word in rdd.collect():\n        print('w: ' + word)\n"
                "lines.map(clean).foreachRDD(show)",
                "def clean(line):\n    return line.encode('utf-8')\n"
                "def first(line):\n    return clean(line).split(',')[0]\nlines.map(first)",
                "words = lines.transform(lambda rdd: rdd.map(lambda l: l.encode('utf-8')))\n"
                "words.foreachRDD(lambda time, rdd: rdd.filter(lambda w: w in 'ab').count())",
            )
        ),
        (
            "from pyspark.sql.types import *",
            "reduce(max, [1])",
            "from functools import reduce",
        ),
    ],
)
def test_what_python_3_parses_and_cannot_run_is_python_2(top: str, body: str, new: str) -> None:
    found = module(PARSED.format(top=top, body=body))
    assert found.python == 2
    assert new in found.source


@pytest.mark.parametrize(
    ("top", "body"),
    [
        ("try:\n    import cPickle\nexcept ImportError:\n    import pickle as cPickle", "cPickle.loads(b'')"),
        ("import sys", "if sys.version_info[0] == 2:\n    text = unicode"),
        ("from functools import reduce", "reduce(max, [1])"),
        ("from tools import *", "reduce(max, [1])"),
        ("from pyspark.sql.functions import *", "reduce(max, [1])"),
        ("import pandas as pd", "pd.Series([1]).iteritems()"),
        ("", "x = f'{long}'"),
        ("", "def f(x: int):\n    return long(x)"),
        ("", "print(long, 1)"),
        ("", "def text(x):\n    import cPickle\n    return cPickle.dumps(x)\nprint('a', 1)"),
        ("import sys", "print(7 / 2)  # not xrange"),
        ("#!/usr/bin/env python3", "for i in xrange(3): pass"),
        ("#!/usr/bin/env python", "print('a')"),
        ("#!/usr/bin/env python2", "print(f'{lines}')"),
        ("", "print(x.encode('utf-8'), 1)\nprint('%s' % x.encode('utf-8'), str(x.encode('utf-8')))"),
        ("", "print(x.encode('utf-8'))"),
        ("import hashlib", "lines.map(lambda l: hashlib.md5(l.encode('utf-8')).hexdigest() + 'a')"),
        ("import base64", "lines.map(lambda l: base64.b64encode(l.encode('utf-8')).decode('ascii') + 'a')"),
        ("import socket", "socket.socket().send('{}\\n'.format(x).encode('utf-8'))"),
        ("", "words = lines.map(lambda l: l.encode('utf-8').decode('utf-8')).map(lambda l: l.split(' '))"),
        ("", "words = lines.map(lambda l: l.encode('utf-8')).map(lambda l: l.split(b' '))"),
        ("", "words = lines.map(lambda l: l.encode('utf-8')).filter(lambda l: l != b'a' and b'b' in l)"),
        ("", "x = y.encode('utf-8')\nx = x.decode('utf-8')\nx.split(',')"),
        ("", "x = y.encode('utf-8')\nif z:\n    x = 'a,b'\nx.split(',')"),
        ("", "x = {'a': y.encode('utf-8')}\nx['a'] = x['a'].decode('utf-8')\nimport json\njson.dumps(x)"),
        ("import json", "json.dumps({'a': x.encode('utf-8')}, default=str)"),
        ("", "x = y.encode('utf-8') if isinstance(y, str) else y\nx.split(',')"),
        ("", "try:\n    x = y.encode('utf-8').split(',')\nexcept TypeError:\n    x = y.split(',')"),
        ("import sys", "if sys.version_info[0] < 3:\n    x = y.encode('utf-8').split(',')"),
        ("", "x = tokenizer.encode(y) + ['a']"),
        ("", "x = y" + ".map(lambda l: l.encode('utf-8'))" * 240),
        ("", "def f(x):\n    return f((x, x)) + f([x])\nx = f(y.encode('utf-8'))"),
        ("", "x = y.encode('utf-8') + b'a'"),
        ("", "def f(x):\n    return x.split(',')\nf('a')\nz = y.encode('utf-8')"),
        ("", "words = lines.map(lambda l: l.encode('utf-8')).union(lines).filter(lambda l: l != 'a')"),
        (
            "",
            "words = lines.map(lambda l: l.encode('utf-8')).mapPartitions(lambda p: [l + 'a' for l in f(p)])",
        ),
        (
            "from kafka import KafkaProducer",
            "p = KafkaProducer()\np.send('t', x)\np.send('t', x.encode('utf-8'))",
        ),
        (
            "from kafka import KafkaProducer",
            "p = KafkaProducer(value_serializer=lambda v: v.encode('utf-8'))\np.send('t', str(x))",
        ),
        ("from confluent_kafka import Producer", "p = Producer({})\np.produce('t', str(x))"),
    ],
)
def test_what_python_3_may_run_is_python_3(top: str, body: str) -> None:
    assert module(PARSED.format(top=top, body=f"{body}\nlines.pprint()")).python == 3


FROM_FILES = (
    "def load(name):\n    with open(name) as f:\n        content = f.readlines()\n"
    "    return [word.strip() for word in content]\n"
    "def grow(name):\n    f = open(name)\n    words = set()\n    for line in f:\n        if line:\n"
    "            words.add(line[:-1])\n    return words\n"
    "def kind(word, known):\n    return 'known' if word in known else 'other'\n"
    "texts = lines.map(lambda l: l.encode('ascii', 'ignore'))\n"
)


@pytest.mark.parametrize(
    ("body", "python"),
    [
        ("known = load('a')\ntexts.flatMap(lambda l: l.split()).map(lambda w: kind(w, known)).pprint()", 2),
        ("known = grow('a')\ntexts.flatMap(lambda l: l.split()).map(lambda w: kind(w, known)).pprint()", 2),
        ("known = set(load('a'))\ntexts.filter(lambda w: w in known).pprint()", 2),
        ("known = {}\nfor w in load('a'): known[w] = 1\ntexts.filter(lambda w: known.get(w)).pprint()", 2),
        ("known = open('a', 'r').read().split()\ntexts.filter(lambda w: w in known).pprint()", 2),
        ("texts.foreachRDD(lambda rdd: open('a', 'w').write(rdd.first()))", 2),
        ("known = open('a', 'rb').read().split()\ntexts.filter(lambda w: w in known).pprint()", 3),
        ("known = load('a')\nknown.append(b'x')\ntexts.filter(lambda w: w in known).pprint()", 3),
        ("known = load('a')\nmore(known)\ntexts.filter(lambda w: w in known).pprint()", 3),
        ("known = []\ntexts.filter(lambda w: w in known).pprint()", 3),
        ("known = {'a': 1}\nknown[x] = 2\ntexts.filter(lambda w: w in known).pprint()", 3),
        ("texts.foreachRDD(lambda rdd: open('a', 'wb').write(rdd.first()))", 3),
        ("from codecs import open\ntexts.foreachRDD(lambda rdd: open('a', 'w').write(rdd.first()))", 3),
    ],
)
def test_bytes_that_meet_the_texts_of_a_file_are_python_2(body: str, python: int) -> None:
    """They are equal to none of them in Python 3, and cannot be written beside them."""
    assert module(PARSED.format(top="", body=f"{FROM_FILES}{body}")).python == python


def test_a_module_of_the_program_is_not_python_2s(tmp_path: Path) -> None:
    text = PARSED.format(top="import Queue", body="lines.pprint()").encode()
    assert parse_bytes(text, tmp_path / "job.py", "job.py").python == 2
    (tmp_path / "Queue.py").write_text("")
    assert parse_bytes(text, tmp_path / "job.py", "job.py").python == 3


def test_a_program_that_is_mended_runs() -> None:
    body = "def first(line):\n    return StringIO(line).readline()\nlines.map(first).pprint()"
    result = migrate([module(PARSED.format(top="from StringIO import StringIO", body=body))], Options())
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert "from io import StringIO\n" in result.files[0].new
    assert any("written in Python 2" in note for note in result.graphs[0].notes)
    assert not result.files[0].remarks


KAFKA = PARSED.format(
    top="import json\nfrom kafka import KafkaProducer",
    body="producer = KafkaProducer(bootstrap_servers='localhost:9092')\n"
    "def send(rdd):\n    for record in rdd.collect(): producer.send('t', json.dumps(record))\n"
    "words = lines.flatMap(lambda l: l.encode('ascii', 'ignore').split(' '))\n"
    "words.countByValue().foreachRDD(send)",
)


@pytest.mark.parametrize(
    ("imported", "read"),
    [
        ("from datetime import datetime", "datetime"),
        ("import datetime", "datetime.datetime"),
        ("import time", "time"),
    ],
)
def test_a_time_that_is_read_of_bytes_is_python_2(imported: str, read: str) -> None:
    """Python 3 refuses it in every batch."""
    line = f"lines.map(lambda l: str({read}.strptime(l.encode('utf-8'), '%Y-%m-%d'))).pprint()"
    result = migrate([module(PARSED.format(top=imported, body=line))], Options())
    new = str(result.files[0].new)
    assert f"{read}.strptime(" in new and "encode" not in new
    assert result.graphs[0].notes[-1].endswith(f"`{read}.strptime` gets what `encode` gives")


def test_the_report_says_by_which_lines_a_program_is_python_2() -> None:
    result = migrate([module(KAFKA)], Options())
    (graph,), (file,) = result.graphs, result.files
    assert graph.outcome is Outcome.NATIVE
    assert graph.notes[-1] == (
        "job.py, which Python 3 can parse, was taken for Python 2 because of line 10: "
        "`json.dumps` gets what `encode` gives, and 2 more"
    )
    assert 'json.dumps(record).encode("utf-8")' in file.new
    assert r"""F.regexp_replace('value', r"[^\x00-\x7F]", '')""" in file.new
    assert not migrate([module(file.new)], Options()).files[0].changed


@pytest.mark.parametrize(
    ("stream", "function", "python"),
    [
        ("KafkaUtils.createDirectStream(ssc, ['t'], {})", "lambda m: m[1].decode('utf-8')", 2),
        ("KafkaUtils.createStream(ssc, 'a:2181', 'g', {'t': 1}).repartition(3)", "read", 2),
        ("KafkaUtils.createDirectStream(ssc, ['t'], {}, valueDecoder=bytes)", "lambda m: m[1].decode()", 3),
        ("KafkaUtils.createDirectStream(ssc, ['t'], {}, None, bytes, bytes)", "read", 3),
        ("KafkaUtils.createDirectStream(ssc, ['t'], {})", "lambda m: m[1]", 3),
        ("KafkaUtils.createDirectStream(ssc, ['t'], {}).map(unpack)", "read", 3),
    ],
)
def test_messages_are_decoded_once_more_in_python_2_alone(
    stream: str, function: str, python: int, tmp_path: Path
) -> None:
    source = (
        "from pyspark.streaming.kafka import KafkaUtils\n"
        "def read(m):\n    return m[1].decode('utf-8').split(',')\n"
        f"class Job:\n    def run(self, ssc):\n        self.stream = {stream}\n"
        f"        self.stream.map({function}).pprint()\n"
    )
    assert parse_bytes(source.encode(), tmp_path / "job.py", "job.py").python == python


DIRECT = "KafkaUtils.createDirectStream(ssc, ['t'], {})"


@pytest.mark.parametrize(
    ("body", "python"),
    [
        (f"kvs = {DIRECT}\nkvs.map(lambda m: m[1]).map(lambda v: v.decode('utf-8')).pprint()", 2),
        (f"lines = {DIRECT}.map(lambda m: m[1])\nlines.filter(bool).flatMap(split).pprint()", 2),
        ("ssc.socketTextStream('h', 1).window(4).map(lambda v: v.decode().lower()).pprint()", 2),
        ("ssc.textFileStream('d').flatMap(split).pprint()", 2),
        ("ssc.textFileStream('d').map(bytes_of).flatMap(split).pprint()", 3),
        (f"count({DIRECT}, 5)\ncount(stream={DIRECT}, seconds=9)", 2),
        (f"count({DIRECT}, 5)\ncount(ssc.queueStream([]), 9)", 3),
        (f"{DIRECT}.map(lambda m: m[1]).map(lambda v: v[1].decode()).pprint()", 3),
        (f"{DIRECT}.foreachRDD(save)", 2),
        (f"{DIRECT}.foreachRDD(lambda time, rdd: rdd.map(lambda m: m[1].decode()).foreach(print))", 2),
        (f"{DIRECT}.transform(lambda rdd: rdd.map(lambda m: m[1]).map(split)).pprint()", 2),
        (f"{DIRECT}.foreachRDD(save)\nsc.textFile('d').map(bytes_of).foreachRDD(save)", 3),
        (f"{DIRECT}.foreachRDD(save)\nsave(0, sc.binaryRecords('d', 3))", 3),
        (f"{DIRECT}.foreachRDD(save)\nlater(save)", 3),
        (f"{DIRECT}.foreachRDD(lambda messages: messages.count())\nother.foreachRDD(jobs.save)", 3),
        (f"{DIRECT}.foreachRDD(lambda rdd, all=whole: all.map(lambda m: m[1].decode()).count())", 3),
        ("ssc.socketTextStream('h', 1).map(guarded).pprint()", 3),
        ("ssc.socketTextStream('h', 1).map(encoded).pprint()", 3),
        ("ssc.socketTextStream('h', 1).map(asked).pprint()", 3),
    ],
)
def test_texts_of_streams_are_decoded_in_python_2_alone(body: str, python: int, tmp_path: Path) -> None:
    source = (
        "from pyspark.streaming.kafka import KafkaUtils\n"
        "def split(line):\n    return line.decode('utf-8').split(' ')\n"
        "def guarded(line):\n    try:\n        return line.decode()\n"
        "    except AttributeError:\n        return line\n"
        "def encoded(line):\n    line = line.encode('utf-8')\n    return line.decode('latin-1')\n"
        "def asked(line):\n    return line.decode() if isinstance(line, bytes) else line\n"
        "def count(stream, seconds):\n    stream.map(lambda m: len(m[1].decode('utf-8'))).pprint()\n"
        "def save(time, messages):\n    post(messages.map(lambda m: m[1].decode('utf-8')).collect())\n"
        f"{body}\n"
    )
    assert parse_bytes(source.encode(), tmp_path / "job.py", "job.py").python == python


def test_what_fails_in_a_program_for_python_3_is_remarked() -> None:
    text = "x = f'{y}'.encode('utf-8') + ','\n"
    (remark,) = migrate([module(text)], Options()).files[0].remarks
    assert (remark.line, remark.column, remark.name) == (1, 5, "encode")
    assert remark.text == "a text is added to what `encode` gives, which only Python 2 takes"


def test_a_converter_of_arguments_leaves_texts_alone_in_both() -> None:
    body = "print 1\nparser.add_argument('--topic', type=str, default='')\n"
    assert not any("is about bytes" in limit for limit in module(body).limits)


READS = "import urllib2\nresponse = urllib2.urlopen('http://localhost')\nprint response.read()\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("if len(sys.argv) < 2:\n    print 'usage'\nlines.pprint()", [], id="only prints"),
        pytest.param("n = 010\nlines.pprint()", [UNPROVEN], id="more than prints"),
        pytest.param("print 1\nif sys.argv < 2:\n    lines.pprint()", [UNPROVEN, ORDER], id="another order"),
        pytest.param("print 1\nprint sorted(sys.argv)\nlines.pprint()", [UNPROVEN, ORDER], id="a sort"),
        pytest.param(f"{READS}lines.pprint()", [UNPROVEN, SHOWN], id="bytes are printed"),
        pytest.param(
            "import json\nprint 1\nlines.map(lambda x: json.loads(x.decode('utf-8'))['a']).pprint()",
            [UNPROVEN, DECODED],
            id="JSON that was decoded",
        ),
    ],
)
def test_the_notes_speak_of_what_is_there(body: str, expected: list[str]) -> None:
    (graph,) = run("import sys\n" + body).graphs
    told = [
        note for note in graph.notes if "Python 2" in note or "bytes in Python 3" in note or note == ORDER
    ]
    assert len(told) == len(expected)
    for note, wanted in zip(told, expected, strict=True):
        assert note == wanted or note.endswith(wanted.format("", "response.read()").lstrip(": "))


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ("x.encode('utf-8').lower() in KNOWN", "`python2_encode(x, 'utf-8')`"),
        ("x.encode('ascii', 'ignore').lower() in KNOWN", ""),
        ("x.lower() in KNOWN", ""),
        ("x.lower() in KNOWN\ndef nobody(x):\n    return x.encode('utf-8').lower() in KNOWN", ""),
    ],
)
def test_a_native_program_names_the_calls_that_fail_at_text_beyond_ascii(read: str, said: str) -> None:
    body = f"def known(x):\n    for _ in x: print 1\n    return {read}\nlines.filter(known).pprint()"
    (graph,) = run(f"KNOWN = set([u'a'])\n{body}").graphs
    assert graph.outcome is Outcome.NATIVE
    found = [note for note in (*graph.must_change, *graph.notes) if "text beyond ASCII" in note]
    assert [said in note for note in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("top", "value", "said"),
    [
        ("", "Row(tag=w.encode('utf-8'))", IF_2.format("'utf-8'")),
        ("", "Row(w.encode('ascii', 'ignore'), 1)", IF_2.format("'ascii', 'ignore'")),
        ("", "str(w.encode('utf-8'))", IF_2.format("'utf-8'")),
        ("#!/usr/bin/env python3", "Row(tag=w.encode('utf-8'))", ""),
        ("import sys\nnew = sys.version_info[0] > 2", "Row(tag=w.encode('utf-8'))", None),
        ("", "Row(tag=w.encode('utf-8').decode('utf-8'))", None),
        ("", "Row(tag=w.encode())", None),
        ("", "Row(tag=tokenizer.encode(w))", None),
        ("", "hash(w.encode('utf-8'))", None),
        ("", "print(str(w.encode('utf-8')))", None),
        ("print 1", "Row(tag=w.encode('utf-8'))", None),
    ],
)
def test_texts_that_are_encoded_into_rows_are_named(top: str, value: str, said: str | None) -> None:
    """In Python 2 they stay texts, in Python 3 they are bytes, and neither says so."""
    text = PARSED.format(top=top, body=f"lines.map(lambda w: {value}).pprint()")
    (graph,) = migrate([module(text)], Options()).graphs
    named = [text for text in (*graph.must_change, *graph.notes) if "is bytes in Python 3, which" in text]
    assert len(named) == (said is not None)
    assert all(text.endswith(f"as b'ab'{said}") for text in named)
    assert [text in graph.must_change for text in named] == [bool(said)] * len(named)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("names = [t.encode('utf-8') for t in rdd.collect()]\n    post({'label': str(names)})", True),
        ("post(str([t.encode('utf-8') for t in rdd.collect()]))", True),
        ("name = rdd.first().encode('utf-8')\n    post(Row(name=name))", True),
        ("name = rdd.first().encode('utf-8')\n    name = name.decode('utf-8')\n    post(str(name))", False),
        ("names = [t.encode('utf-8') for t in rdd.collect()]\n    post({'label': names})", False),
        ("names = [t.encode('utf-8') for t in rdd.collect()]\n    print(str(names))", False),
        ("text = str(rdd.first().encode('utf-8'))\n    post(rdd.first())", False),
        ("text = str(rdd.first().encode('utf-8'))\n    post(text)", True),
    ],
)
def test_they_are_named_by_way_of_variables_and_lists_that_are_read(body: str, told: bool) -> None:
    text = PARSED.format(top="", body=f"def send(rdd):\n    {body}\nlines.foreachRDD(send)")
    (graph,) = migrate([module(text)], Options()).graphs
    assert any("is bytes in Python 3, which" in text for text in graph.must_change) is told


def test_a_program_that_drops_what_is_beyond_ascii_fails_at_controls_alone() -> None:
    body = "lines.map(lambda x: weird(x.encode('ascii', 'ignore').split())).pprint()"
    (graph,) = run(f"print 1\n{body}").graphs
    assert [note.split(" here")[0] for note in graph.notes if note.startswith("the query fails at ")] == [
        "the query fails at a few control characters"
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print e.message", "print(e)"),
        ("print 'failed', e.message", "print('failed', e)"),
        ("print 'failed: ' + e.message", "print('failed: ' + str(e))"),
        ("print 'failed: %s' % e.message", "print('failed: %s' % e)"),
        ("print '%s of %s' % (x, e.message)", "print('%s of %s' % (x, e))"),
        ("print '{}: {}'.format(e.args, e.message)", "print('{}: {}'.format(e.args, e))"),
        ("logging.warn('failed: %s', e.message)", "logging.warn('failed: %s', e)"),
        ("sys.stderr.write(e.message)", "sys.stderr.write(str(e))"),
        ("print '%d of %s' % (x, e.message)", "print('%d of %s' % (x, python2_message(e)))"),
        ("print f(e.message)", "print(f(python2_message(e)))"),
        ("print e.message.upper()", "print(python2_message(e).upper())"),
        ("x = e.message", "x = python2_message(e)"),
        ("if e.message == 'empty': pass", "if python2_message(e) == 'empty': pass"),
        ("producer.send('t', e.message)", "producer.send('t', python2_message(e))"),
    ],
)
def test_an_error_is_shown_in_place_of_its_message(old: str, new: str) -> None:
    body = f"import logging, sys\nprint 1\ntry: g()\nexcept IOError, e:\n    {old}"
    assert module(body).source.endswith(f"except IOError as e:\n    {new}")
    own = module(f"{body}\nclass Own(Exception): message = ''").source
    assert "python2_message(e)" in own
    (graph,) = run(f"{body}\nlines.pprint()").graphs
    assert (MESSAGES in graph.notes) == ("python2_message" not in new)


LETTERS = "import re\nletters = re.compile('[^a-zA-Z]+')\nprint 1\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return letters.sub('', w.encode('utf-8')).lower()", "return letters.sub('', w).lower()"),
        ("return re.sub('[^a-z ]', '', w.encode('utf8'))", "return re.sub('[^a-z ]', '', w)"),
        (
            "return letters.sub('', w.encode('utf-8').lower())",
            f"return letters.sub('', w.{ONLY_ASCII}.lower())",
        ),
        (
            "v = w.encode('utf-8').lower()\n    return letters.sub('', v)",
            f"v = w.{ONLY_ASCII}.lower()\n    return letters.sub('', v)",
        ),
        ("v = w.encode('utf-8')\n    return letters.sub('', v)", "v = w\n    return letters.sub('', v)"),
    ],
)
def test_what_only_ascii_is_left_of_needs_no_bytes(old: str, new: str) -> None:
    """Of the bytes of each text the same is left in Python 2, whose `lower` knows ASCII alone."""
    found = module(f"{LETTERS}def f(w):\n    {old}")
    assert (found.source.endswith(f"def f(w):\n    {new}"), found.limits) == (True, ())
    names: dict[str, Any] = {}
    exec(found.source, names)
    pattern = b"[^a-z ]" if "a-z " in old else b"[^a-zA-Z]+"
    for text in (f"A{chr(point)}b {chr(point)}" for point in range(0x3100) if point != 0x2FFF):
        left = re.sub(pattern, b"", text.encode("utf-8"))  # of bytes `lower` makes no letters
        assert names["f"](text) == (left.lower() if "lower" in old else left).decode("ascii")


@pytest.mark.parametrize(
    "body",
    [
        "return letters.sub('_', w.encode('utf-8'))",
        "return letters.sub('', w.encode('utf-8').strip())",
        "return re.sub('[a-z]', '', w.encode('utf-8'))",
        r"return re.sub('[^a-z\\s]', '', w.encode('utf-8'))",
        "return re.sub('(?i)[^a-z]', '', w.encode('utf-8'))",
        "return re.sub('[^a-z]{2}', '', w.encode('utf-8'))",
        "return letters.sub('', w.encode('latin-1'))",
        "v = w.encode('utf-8')\n    return letters.sub('', v) + v",
        "v = w.encode('utf-8')\n    v += 'a'\n    return letters.sub('', v)",
        "letters = re.compile('[a]')\n    return letters.sub('', w.encode('utf-8'))",
    ],
)
def test_else_the_bytes_count(body: str) -> None:
    source = module(f"{LETTERS}def f(w):\n    {body}").source
    assert ONLY_ASCII not in source
    assert "python2_encode(w, '" in source or "w.encode('" in source


def test_the_variable_of_a_list_is_named_where_it_is_read() -> None:
    (limit,) = module("import sys\n\nprint [x for x in y]\ndef f(): pass\nprint x").limits
    assert limit.startswith("line 5: `x` is read")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "def f(y):\n    z = [x + 1 for x in y]  # all\n    return x, z\nprint 1\n",
            "def f(y):\n    z = []\n    for x in y:  # all\n        z.append(x + 1)\n    return x, z\n"
            "print(1)\n",
        ),
        (
            "for y in ys:\n\tz = [(a, b) for a, b in y if a if b]\n\tprint b\n",
            "for y in ys:\n\tz = []\n\tfor a, b in y:\n\t\tif a:\n\t\t\tif b:\n"
            "\t\t\t\tz.append((a, b))\n\tprint(b)\n",
        ),
    ],
)
def test_a_list_whose_variable_is_read_behind_it_is_made_by_a_loop(old: str, new: str) -> None:
    found = module(old)
    assert (found.source, found.limits) == (new, ())
    last = len(new.split("\n")) - 1
    assert found.where(last) == f"line {len(old.split(chr(10))) - 1}"


COUNTED = """\
def show(rdd):
    print "batch"
{body}
counts = lines.map(lambda line: ({element})).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(show)
{more}
"""


@pytest.mark.parametrize(
    "body",
    [
        "    n = rdd.count()\n    for count in [1]: print n\n    print 'n: ' + str(n)",
        "    for word, count in rdd.collect(): print word + str(count)",
        "    for word, count in rdd.collect(): print str(count)\n"
        "    for (word, count) in rdd.take(3): print str(count)",
        "    top = rdd.takeOrdered(5, key=lambda x: -x[1])\n    top.sort()\n"
        "    for t in top: print t[0] + str(t[1])",
    ],
    ids=["a number", "a loop", "two loops", "a list"],
)
def test_numbers_that_a_callback_collects_are_shown_as_they_are(body: str) -> None:
    source = module(COUNTED.format(body=body, element="line, 1", more="")).source
    assert "python2_str" not in source and "str(" in source


@pytest.mark.parametrize(
    ("body", "element", "more"),
    [
        ("    for word, count in rdd.collect(): print str(count)", "line, float(line)", ""),
        ("    for word, count in rdd.collect(): print str(count)", "line, 1", "show(rdd)"),
        ("    for word, count in rdd.collect(): print str(count)", "line, 1", "floats.foreachRDD(show)"),
        ("    count = 0.5\n    for word, count in rdd.collect(): print str(count)", "line, 1", ""),
        ("    rdd = other\n    for word, count in rdd.collect(): print str(count)", "line, 1", ""),
        (
            "    top = rdd.collect()\n    top.append(('a', 0.5))\n    for t in top: print str(t[1])",
            "line, 1",
            "",
        ),
    ],
    ids=["floats", "called", "of two streams", "bound before", "another RDD", "a list that gets more"],
)
def test_others_may_be_floats(body: str, element: str, more: str) -> None:
    source = module(COUNTED.format(body=body, element=element, more=more)).source
    assert "print(python2_str(" in source


@pytest.mark.parametrize(
    "code",
    [
        "def place(at):\n    lat, long = at\n    return (lat, long)\n",
        "def place(at):\n    lat = at[0]\n    long = at[1]\n    return (lat, long)\n",
        "def place(lat, long):\n    return [lat, long]\n",
        "for lat, long in places:\n    show(lat, long)\n",
        "found = [(lat, long) for lat, long in places]\n",
        "from place import lat, long\nshow(lat, long)\n",
        "from place import longitude as long\nshow(long)\n",
        "unicode = str\nshow(unicode(1))\n",
    ],
)
def test_names_of_builtins_that_the_file_binds_are_its_own(code: str) -> None:
    assert module(f"print 'start'\n{code}").source.endswith(code)


def test_names_of_builtins_are_those_of_python_3() -> None:
    code = module("print 'start'\nplace.long = long(unicode('1'))\nshow(u'x', f(long=1))\n").source
    assert code.endswith("place.long = int(str('1'))\nshow('x', f(long=1))\n")


def test_a_function_for_a_lambda_is_on_its_line() -> None:
    body = "print 1\nq = 2\nr = p.map(lambda (a, b, c, d): [a, b, c, d])\nprint r"
    found = module(body)
    rows = found.source.splitlines()
    lines = [found.place(number).line for number in range(1, len(rows) + 1)]
    assert rows[3] == "def to_r(abcd):"
    assert (lines[0], lines[1], lines[3:6], lines[-2:]) == (1, 2, [3, 3, 3], [3, 4])


@pytest.mark.parametrize(
    ("types", "after"),
    [
        ("(str, unicode)", "str"),
        ("( unicode, str )", "str"),
        ("(int, str, unicode)", "(int, str)"),
        ("(int, long)", "int"),
        ("(int, long, float)", "(int, float)"),
        ("(int, float)", "(int, float)"),
        ("(str,\n    unicode)", "(str,\n    str)"),
    ],
)
def test_a_type_that_two_of_python_2_are_today_stands_once(types: str, after: str) -> None:
    found = module(f"def f(x):\n    print x\n    return isinstance(x, {types})\n")
    assert found.source.endswith(f"return isinstance(x, {after})\n")
    assert found.limits == ()


@pytest.mark.parametrize("types", ["unicode", "(str, int)", "str) or isinstance(y, unicode"])
def test_one_kind_of_texts_alone_is_about_bytes(types: str) -> None:
    (limit, *_) = module(f"def f(x, y):\n    print x\n    return isinstance(x, {types})\n").limits
    assert "is about bytes" in limit


def test_a_type_of_the_program_s_own_stays() -> None:
    found = module("class unicode(object): pass\nprint isinstance(x, (str, unicode))\n")
    assert "isinstance(x, (str, unicode))" in found.source
