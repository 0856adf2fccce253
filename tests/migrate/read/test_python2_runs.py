"""Programs in Python 2, run by it and, brought to Python 3, by this one: both print the same.

Skipped where there is no Python 2 any more.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from migrate.read.parse import parse_bytes


def python_2() -> str | None:
    """A Python 2 that runs; one that is only called so, as a version manager's may be, does not count."""
    for found in filter(None, map(shutil.which, ("python2.7", "python2"))):
        asked = [found, "-c", "import sys; sys.exit(sys.version_info[0] != 2)"]
        if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
            return found
    return None


PYTHON_2 = python_2()

PROGRAMS = {
    "print": (
        "print 'a', 1, (2, 3)\n"
        "print\n"
        "print 'x',\n"
        "print 'y'\n"
        "print ('a')\n"
        "print ('a'), 'b'\n"
        "print ('a', 'b')\n"
    ),
    "print to": (
        "import sys\nprint >>sys.stdout, 'to', 'out'\nprint >>sys.stdout\nprint '%s-%d' % ('a', 3)\n"
    ),
    "dicts": (
        "d = {'a': 1}\nfor k, v in d.iteritems(): print k, v\nprint d.keys(), d.items()[0], d.has_key('b')\n"
    ),
    "texts": (
        "import string\n"
        "print string.split(' a b '), string.join(['a', 'b']), string.join(string.split('a,b', ','), '-')\n"
        "print string.atoi('12') + 1, string.atoi('ff', 16), string.atof('1.5'), string.letters\n"
        "print string.replace('aaa', 'a', 'b', 2), string.upper('a' + 'b').lower(), string.zfill('7', 3)\n"
        "import uuid\n"
        "print str(uuid.UUID('12345678123456781234567812345678'))\n"
        "print map(hash, ['', 'a', u'abc', 'x' * 99, '~ ' * 9, 0, -1, -2, True, 5 ** 20, -2 ** 63])\n"
    ),
    "lists": (
        "print map(lambda x: x * 2, [1, 2]), filter(None, [0, 1]), zip([1], [2]), range(3), xrange(2)[1]\n"
    ),
    "filters": (
        "def f(x, y):\n    return filter(lambda c: c != 'a', x), filter(None, y)\n"
        "for x, y in [('abc', 'a'), (['a', 'b'], (0, 1)), (('b',), [2, 0])]:\n    print f(x, y)\n"
    ),
    "lambdas": (
        "f = lambda (k, v): k + v\n"
        "print f((1, 2))\n"
        "g = lambda (a, (b, c)), d: (a, b, c, d)\n"
        "print g((1, (2, 3)), 4)\n"
        "print reduce(lambda (a, b), (c, d): (a + c, b * d), [(1, 2), (3, 4), (5, 6)])\n"
        "print map(lambda (k, v): (lambda k: (k, v))(v), [(1, 2)])\n"
        "taken = map(lambda (a, (b, c, d)): (d, c, b, a), [(1, (2, 3, 4))])\n"
        "print taken\n"
    ),
    "parameters": ("def h((a, b), c):\n    '''Docs.'''\n    return a + b + c\nprint h((1, 2), 3)\n"),
    "exceptions": ("try:\n    raise ValueError, 'no'\nexcept ValueError, e:\n    print 'caught', e\n"),
    "division": (
        "n = len('abcdefg')\n"
        "print n / 2, -n / 2, (n + 1) / 2, n / 2.0, 7 / 2, -7 / 2, -7 % 3, 2 ** 3 / 3\n"
        "n /= 2\n"
        "print n\n"
        "for i in range(5): print i / 2\n"
    ),
    "functions": (
        "values = [7, -7, 2, 0, 10 ** 20, 0.5, -1.5, 2.5, 1e16, 1e-7, 123456789.123456789]\n"
        "values += [0.1 + 0.2, 1e400, True]\n"
        "for a in values:\n"
        "    print str(a), str(round(a)), '%.17g' % round(a, 2), map(str, [a]), max(a, 1) == a\n"
        "    for b in values:\n"
        "        if b: print '%.17g' % (a / b), '%.17g' % ((a + b) / (b) / 2), (a + b) / (b) / 2 == 1\n"
        "    a /= 2\n"
        "    print '%.17g' % a\n"
        "from collections import defaultdict\n"
        "print defaultdict(str)[1] == ''\n"
        "print str(None), str('a'), str(u'a'), str(10L), str(ValueError('no')), sorted([2, 1]), 'a' < 'b'\n"
    ),
    "codecs": (
        "x, y = u'abc', 'def'\n"
        "print x.encode('utf-8'), u'caf\\xe9'.encode('utf-8'), y.decode('utf-8'), x.encode(), y.decode()\n"
        "print u'caf\\xe9'.encode('ascii', 'ignore') + y, u'\\xe9'.encode('ascii', 'xmlcharrefreplace')\n"
        "print u'caf\\xe9'.encode('ascii', 'replace') == 'caf?', len(x.encode('utf-8'))\n"
        "print x.decode('ascii') == x, x.encode('utf-8').upper(), sorted([y.encode('utf8'), x])[0]\n"
        "print {x.encode('utf8'): 1}['abc'], 'a' + x.encode('latin-1'), y.encode('utf-8') in ['def']\n"
        "print '%s %s' % (x.encode('utf-8'), 'z')\n"
    ),
    "ASCII": (
        "texts = [u'caf\\xe9', u'\\xe9\\u4e2d', 'plain', u'', u'tab\\t, line\\n']\n"
        "for x in texts:\n"
        "    y = x.encode('ascii', 'ignore')\n"
        "    print y + 'a', y.split(','), y in ['caf', 'plain'], len(x.encode('ascii', 'replace'))\n"
        "    print '%s|%s' % (x.encode('ascii', 'replace'), y.upper())\n"
        "    print x.encode('utf-8').decode('utf-8') == x, x.encode('ascii', 'ignore').decode('ascii') == y\n"
    ),
    "ASCII that is parsed": (
        "lines = [u'a b', u'caf\\xe9 a']\n"
        "words = [word for line in lines for word in line.encode('ascii', 'ignore').split(' ')]\n"
        "print([word for word in words if word not in ('a',)])\n"
        "print ('%s-%s') % (words[0], len(words))\n"
    ),
    "ASCII in handlers": (
        "for x in [u'caf\\xe9', u'abc', u'']:\n"
        "    try: print x.encode('ascii') + '!'\n"
        "    except Exception: print 'no'\n"
        "try: print '%s.' % u'abc'.encode('utf-8')\n"
        "except:\n"
        "    print 'never'\n"
        "    raise\n"
    ),
    "sockets": (
        "import socket\n"
        "from random import randint\n"
        "listener = socket.socket()\n"
        "listener.bind(('127.0.0.1', 0))\n"
        "listener.listen(1)\n"
        "client = socket.create_connection(listener.getsockname())\n"
        "connection, address = listener.accept()\n"
        "try: connection.send(str(randint(3, 3)) + ',')\n"
        "except: print 'no'\n"
        "def give(to, what): return to.sendall(what)\n"
        "give(connection, 'abc')\n"
        "connection.close()\n"
        "read = ''.join(iter(client.makefile().readline, ''))\n"
        "print read\n"
    ),
    "variables of lists": (
        "def f(y, x=0):\n    z = [x * 2 for x in y if x > 1]\n    return x, z\nprint f([1, 2, 3]), f([], 4)\n"
    ),
    "floors": (
        "import math\nfrom math import ceil as up\n"
        "for x in [3.7, -1.2, 4]:\n    print math.floor(x) / 2, up(x), int(up(x)), map(math.floor, [x])\n"
    ),
    "processes": (
        "import subprocess\np = subprocess.Popen(['cat'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "out, none = p.communicate('a b')\n"
        "print out.split(' '), none, subprocess.check_output(['echo', 'c']).strip() == 'c'\n"
    ),
    "containers": (
        "def f(x): return str(x), ',' in str(x)\n"
        "for x in [('a', 1), ['a', 0.1 + 0.2], {'a': (None, True)}, (('a', 'b'), 0.5), 0.1 + 0.2, [], ()]:\n"
        "    for y in f(x): print y\n"
    ),
    "bytes are texts": (
        "def f(x): return bytes(x) + '!'\nprint f(3), f('a'), f(u'a'), f(0.1 + 0.2), bytes(4)\n"
    ),
    "shown": (
        "import json, random\n"
        "from datetime import datetime\n"
        "t = datetime(2020, 1, 2, 3, 4)\n"
        "print str(' a,b '.strip()), str('a,b'.split(',')[1]), str(json.dumps({'a': [1, 0.5, None]}))\n"
        "print str(sum(1 for x in 'abc')), [str(i) for i in range(3)], str(max(3, 4)), str([])\n"
        "print str(datetime.strptime('2020', '%Y').year), str(t.date()), str(t.time())\n"
        "print sum(1 for x in 'abc') / 2, max(7, 2) / abs(-2), random.randint(3, 3) / 2\n"
        "for kind in (ValueError, KeyError, IOError):\n"
        "    try: raise kind('a')\n"
        "    except (LookupError, Exception), e: print str(e)\n"
    ),
    "messages": (
        "class Own(Exception):\n    message = 'own'\n"
        "def failing(kind, *given):\n    raise kind(*given)\n"
        "for kind in (ValueError, KeyError, Own):\n"
        "    for given in ((), ('one',), (3,), ('one', 'two')):\n"
        "        try: failing(kind, *given)\n"
        "        except (Own, LookupError), e: print e.message\n"
        "        except Exception as error: print '%s!' % error.message, str(error.message)\n"
        "try: failing(ValueError, 'first')\n"
        "except ValueError, e:\n"
        "    print e.message\n"
        "    try: failing(KeyError, 'second')\n"
        "    except KeyError, e: print e.message\n"
    ),
    "literals": ("print 0777, 10L, 0xFFL, 1 <> 2, u'a', ur'b'\nexec 'x = 5'\nprint x\n"),
    "names": ("print unichr(97) == u'a', isinstance('x', basestring), long(3), sum(i for i in xrange(4))\n"),
    "urls": ("import urllib, urlparse\nprint urllib.quote('a b'), urlparse.urlparse('http://x/y').path\n"),
    "tabs": ("if True:\n\tx = 1\n        y = 2\n\tif x:\n\t    print x, y\n        print 'end'\n"),
    "classes": (
        "class A:\n"
        "    def __nonzero__(self): return False\n"
        "    def next(self): return 1\n"
        "print bool(A()), A().next()\n"
    ),
    "iterators": ("import itertools\ng = (i for i in [1])\nprint g.next(), list(itertools.izip([1], [2]))\n"),
    "modules": (
        "import StringIO, Queue\n"
        "s = StringIO.StringIO()\n"
        "s.write(u'x')\n"
        "print len(s.getvalue()), Queue.Queue().empty()\n"
    ),
}


@pytest.mark.skipif(PYTHON_2 is None, reason="needs Python 2.7")
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_both_print_the_same(program: str) -> None:
    assert PYTHON_2 is not None
    module = parse_bytes(program.encode(), Path("/nowhere/a.py"), "a.py")
    assert (module.python, module.limits) == (2, ())
    old, new = (
        subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
        for python, code in ((PYTHON_2, program), (sys.executable, module.source))
    )
    assert new.stdout == old.stdout
