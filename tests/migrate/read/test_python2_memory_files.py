"""Files in memory of Python 2: of bytes where bytes go in or out, of texts elsewhere, else left alone."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.migrate.read.test_python2 import module

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
import base64, csv, gzip, io, json, pickle
import numpy as np
from PIL import Image
{top}
print "starting"
{body}
sc = SparkContext(appName="Old")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.foreachRDD(lambda rdd: use(rdd.collect()))
ssc.start()
ssc.awaitTermination()
"""
STRING_IO = "from StringIO import StringIO"


def new(top: str, body: str) -> str:
    read = module(PROGRAM.format(top=top, body=body))
    assert read.limits == ()
    return read.source


@pytest.mark.parametrize(
    "body",
    [
        "def use(x):\n    s = {}()\n    Image.fromarray(x).save(s, 'JPEG')\n"
        "    contents = s.getvalue()\n    return base64.b64encode(contents)",
        "def use(x):\n    return Image.open({}(base64.b64decode(x)))",
        "def use(x):\n    decoded = base64.b64decode(x)\n    return json.loads({}(decoded).read())",
        "def use(x):\n    return json.loads(gzip.GzipFile(fileobj={}(x)).read())",
        "def use(x):\n    return json.load({}(base64.b64decode(x)))",
        "def use(x):\n    return np.load({}(x))",
        "def use(x):\n    s = {}(x)\n    found = pickle.load(s)\n    return found",
    ],
    ids=["saved", "given bytes", "a variable of bytes", "unpacked", "JSON", "numpy", "pickle"],
)
@pytest.mark.parametrize(
    ("top", "called", "import_", "made"),
    [
        (STRING_IO, "StringIO", "from io import BytesIO", "BytesIO("),
        ("from cStringIO import StringIO as S", "S", "from io import BytesIO as S", "S("),
        ("import StringIO", "StringIO.StringIO", "import io", "io.BytesIO("),
    ],
    ids=["from", "as", "module"],
)
def test_bytes(body: str, top: str, called: str, import_: str, made: str) -> None:
    text = new(top, body.format(called))
    assert import_ in text.split("\n")
    assert made in text
    assert "StringIO" not in text


@pytest.mark.parametrize(
    "body",
    [
        "def use(x):\n    return csv.reader(StringIO(x))",
        "def use(x):\n    s = StringIO()\n    s.write(str(len(x)))\n    return s.getvalue()",
        "def use(x):\n    return StringIO(x).readline()",
        "def use(x):\n    found = base64.b64decode(x)\n    return len(found), list(csv.reader(StringIO(x)))",
        "def use(x):\n    return base64.b64decode(x), json.load(StringIO(x), encoding='utf-8')",
    ],
    ids=["csv", "written", "nothing makes bytes", "csv where something makes bytes", "JSON likewise"],
)
def test_texts(body: str) -> None:
    text = new(STRING_IO, body)
    assert "from io import StringIO\n" in text
    assert "BytesIO" not in text


def test_both_in_a_module() -> None:
    text = new(STRING_IO, "def use(x):\n    return np.load(StringIO(x)), csv.reader(StringIO(x))")
    assert "from io import BytesIO, StringIO\n" in text
    assert "np.load(BytesIO(x)), csv.reader(StringIO(x))" in text


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("def use(x):\n    s = StringIO(x)\n    return base64.b64decode(s.read())", "StringIO(x)"),
        ("def use(x):\n    s = StringIO('P6')\n    return Image.open(s)", "StringIO('P6')"),
        ("def use(x):\n    return gzip.GzipFile(fileobj=StringIO(x)).read().split()", ".read()"),
        ("def use(x):\n    return [row for row in gzip.GzipFile(fileobj=StringIO(x))]", "GzipFile"),
        ("def use(x):\n    s = StringIO()\n    x.save(s)\n    return s.getvalue() + 'x'", "s.getvalue()"),
        ("def use(x):\n    s = StringIO()\n    np.save(s, x)\n    s.write(x)\n    return 1", "`x`"),
    ],
    ids=["not known", "texts and bytes", "split", "lines", "added to a text", "written"],
)
def test_what_is_not_known_keeps_the_program(body: str, named: str) -> None:
    read = module(PROGRAM.format(top=STRING_IO, body=body))
    assert any(named in why for why in read.limits)
    assert migrate([read], Options()).graphs[0].outcome is Outcome.MANUAL


def test_io_of_python_2_stays() -> None:
    text = new("from io import StringIO", "def use(x):\n    return json.load(StringIO(x))")
    assert "from io import StringIO\n" in text


def test_what_gives_bytes_is_decoded_as_it_was() -> None:
    assert "base64.b64encode(x).decode('utf-8')" in new(
        "", "def use(x):\n    return base64.b64encode(x).decode('utf-8')"
    )
