"""The imports of a rewritten module: what goes, what comes, and helper functions after them."""

from __future__ import annotations

import ast

import pytest

from migrate.model import Options, Outcome, Status
from tests.migrate.codemod.written import native
from tests.migrate.programs import file, run, socket_program


def test_a_helper_stands_behind_an_import_that_goes() -> None:
    source = socket_program("lines.map(lambda t: t.upper()).pprint()").replace(
        "\nsc = ", "\nimport re\n\ndef unused(t):\n    return re.sub('a', 'b', t)\n\nsc = "
    )
    source = source.replace("lines.map", "dead = lines.map(unused)\nlines.map")
    new = file(source).new
    assert "import re\n" not in new
    assert new.index("def upper(text):") < new.index("spark = ")


FILES = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
ssc.textFileStream("in").pprint()
{late}
ssc.start()
"""
RECEIVER = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
import os

KafkaUtils.createStream(ssc, "zookeeper:2181", "group", {"pages": 1}).pprint()
ssc.start()
"""


def test_an_import_further_down_is_not_there_yet() -> None:
    new = file(FILES.format(late="from datetime import datetime\nprint(datetime.now())")).new
    assert new.index("from datetime import datetime\n") < new.index("started = datetime.now()")


def test_what_a_name_is_further_down_it_may_not_be_further_up() -> None:
    result = file(FILES.format(late="import arrow as datetime\nprint(datetime.now())"))
    assert result.status is Status.COMPAT


def test_a_module_that_is_imported_further_down_is_imported_further_up_as_well() -> None:
    new = file(FILES.format(late="import datetime\nprint(datetime.date.today())")).new
    assert new.index("import datetime\n") < new.index("started = datetime.datetime.now()")


def test_a_setting_finds_its_import_above_it() -> None:
    new = file(RECEIVER).new
    assert 0 <= new.index("import os\n") < new.index('os.environ["KAFKA_BOOTSTRAP_SERVERS"]')


def test_a_session_that_is_imported_from_where_it_is_defined_is_imported() -> None:
    source = socket_program("lines.pprint()")
    new = file(f"from pyspark.sql.session import SparkSession\n{source}print(SparkSession)\n").new
    assert new.count("import SparkSession") == 1


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("try:", "except ImportError:\n    sys.exit('no Spark')"),
        ("if True:", ""),
        ("try:", "finally:\n    pass"),
    ],
)
def test_a_block_of_imports_that_all_go_is_not_left_empty(head: str, tail: str) -> None:
    source = (
        f"import sys\n{head}\n    from pyspark import SparkContext\n"
        f"    from pyspark.streaming import StreamingContext\n{tail}\n"
        "sc = SparkContext(appName='a')\nssc = StreamingContext(sc, 1)\n"
        "ssc.socketTextStream('h', 1).pprint()\nssc.start()\nssc.awaitTermination()\n"
    )
    result = run(source)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    ast.parse(result.files[0].new)


def test_nothing_of_pyspark_is_imported_before_it_can_be_found() -> None:
    source = (
        "import os\nos.environ['SPARK_HOME'] = '/opt/spark'\nimport findspark\nfindspark.init()\n"
        "import pyspark\nsc = pyspark.SparkContext()\nfrom pyspark.streaming import StreamingContext\n"
        "ssc = StreamingContext(sc, 1)\n"
        "ssc.socketTextStream('h', 1).map(lambda line: int(line)).pprint()\n"
        "ssc.start()\nssc.awaitTermination()\n"
    )
    new = file(source, Options(strict=True)).new
    found = new.index("findspark.init()")
    assert found < new.index("from pyspark.sql import") < new.index("def parse_int(") < new.index("spark = ")


def test_a_helper_stands_below_imports_that_settings_keep_apart() -> None:
    source = (
        "import os\nfrom pyspark import SparkContext\nos.environ['TZ'] = 'UTC'\nPREFIX = 'out'\n"
        "from pyspark.streaming import StreamingContext\nprint(PREFIX)\nimport json\n"
        "ssc = StreamingContext(SparkContext(), 1)\nimport re\n"
        "ssc.socketTextStream('h', 1).window(2).saveAsTextFiles(PREFIX)\n"
        "ssc.start()\nssc.awaitTermination()\n"
    )
    new = file(source).new
    assert new.index("import json") < new.index("def every_interval") < new.index("import re\n")


IN_A_FUNCTION = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def main():
    {early}
    sc = SparkContext(appName="Test")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream("localhost", 9999)
    {late}
    spark = SparkSession(sc)
    lines.map(len).pprint()
    ssc.start()
    ssc.awaitTermination()

main()
"""
SESSION = "from pyspark.sql import SparkSession"


@pytest.mark.parametrize(
    ("early", "late"),
    [
        pytest.param("pass", SESSION, id="below"),
        pytest.param("pass", f"try: {SESSION}\n    finally: pass", id="below, in a block"),
        pytest.param(f"if lucky: {SESSION}", "pass", id="above, perhaps"),
        pytest.param("pass", "from pyspark.sql import Row, SparkSession\n    Row()", id="below, with others"),
    ],
)
def test_an_import_in_a_function_does_not_hide_that_of_new_code(early: str, late: str) -> None:
    """The function's own name has no value before its import runs."""
    new = file(IN_A_FUNCTION.format(early=early, late=late)).new
    assert new.startswith(f"{SESSION}\n")
    inside = new[new.index("def main()") :]
    assert "SparkSession.builder" in inside
    assert not [line for line in inside.splitlines() if "import" in line and "SparkSession" in line]


def test_an_import_in_a_function_above_new_code_stays() -> None:
    new = file(IN_A_FUNCTION.format(early=SESSION, late="pass")).new
    assert new.index(f"    {SESSION}\n") < new.index("SparkSession.builder")


@pytest.mark.parametrize(
    "other", ["from my import os", "os = 'linux'", "def f(os): pass", "import posix as os"]
)
def test_a_module_is_not_imported_over_the_program_s_own_name(other: str) -> None:
    result = file(RECEIVER.replace("import os\n", f"{other}\n"))
    assert result.status is Status.COMPAT


@pytest.mark.parametrize(
    ("stars", "is_added"),
    [
        ("from pyspark.sql import *\n", False),
        ("from pyspark.sql import *\nfrom pyspark.sql.types import *\n", False),
        ("from pyspark.sql.types import *\n", True),
        ("from pyspark.sql import *\nfrom mine import *\n", True),
    ],
)
def test_a_star_import_gives_the_session_too(stars: str, is_added: bool) -> None:
    new = file(stars + socket_program("lines.pprint()")).new
    assert ("import SparkSession" in new or ", SparkSession" in new) is is_added
    assert "spark = SparkSession.builder" in new


@pytest.mark.parametrize(
    ("imported", "goes"),
    [
        ("from pyspark.mllib.clustering import StreamingKMeans", True),
        ("from pyspark.mllib.regression import StreamingLinearRegressionWithSGD as Model", True),
        ("from pyspark.mllib.clustering import KMeans", False),
        ("from models import StreamingKMeans", False),
    ],
)
def test_a_streaming_model_that_nothing_uses_is_not_imported(imported: str, goes: bool) -> None:
    assert (imported not in native(f"{imported}\n{socket_program('lines.pprint()')}")) is goes


def test_one_that_something_uses_is() -> None:
    imported = "from pyspark.mllib.clustering import StreamingKMeans\n"
    assert imported in native(f"{imported}{socket_program('lines.pprint()')}print(StreamingKMeans)\n")


def test_they_stand_where_pyspark_was_imported_in_a_block() -> None:
    """What stands above it may be what makes its import possible."""
    source = (
        "import sys\n\n\nif __name__ == '__main__':\n    sys.path.append(sys.argv[1])\n\n"
        "    from pyspark import SparkContext\n    from pyspark.streaming import StreamingContext\n\n"
        "    ssc = StreamingContext(SparkContext(), 1)\n    ssc.textFileStream('in').pprint()\n"
        "    ssc.start()\n    ssc.awaitTermination()\n"
    )
    lines = file(source).new.splitlines()
    path = lines.index("    sys.path.append(sys.argv[1])")
    assert lines.index("    from pyspark.sql import SparkSession") > path
    assert "from pyspark.sql import functions as F" not in lines[:path]


def test_they_stand_in_the_block_whose_handler_says_that_pyspark_is_missing() -> None:
    source = (
        "import os\nimport sys\n\nos.environ['SPARK_HOME'] = '/opt/spark'\ntry:\n"
        "    from pyspark.sql import SparkSession\n    from pyspark.streaming import StreamingContext\n"
        "except ImportError as e:\n    print('no PySpark', e)\n    sys.exit(1)\n\n"
        "spark = SparkSession.builder.getOrCreate()\nssc = StreamingContext(spark.sparkContext, 1)\n"
        "ssc.socketTextStream('h', 1).map(lambda line: line.split(' ')[0]).pprint()\n"
        "ssc.start()\nssc.awaitTermination()\n"
    )
    assert (
        "try:\n    from pyspark.sql import SparkSession\n    from pyspark.sql import functions as F\n"
        "except ImportError as e:\n"
    ) in native(source)


def test_a_handler_is_no_place_for_them() -> None:
    source = (
        "try:\n    import findspark\nexcept ImportError:\n"
        "    from pyspark.streaming import StreamingContext\n"
        "else:\n    findspark.init()\n    from pyspark.streaming import StreamingContext\n"
        "ssc = StreamingContext(None, 1)\nssc.socketTextStream('h', 1).pprint()\nssc.start()\n"
    )
    assert native(source).startswith("from pyspark.sql import SparkSession\n")


def test_an_import_of_the_program_that_new_code_needs_earlier_moves_to_the_top() -> None:
    head = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    source = (
        f"{head}ssc = StreamingContext(SparkContext(), 1)\nlines = ssc.textFileStream('in')\n"
        "from datetime import datetime\n\n\ndef stamp(line):\n    return (str(datetime.now()), line)\n\n\n"
        "lines.map(stamp).pprint()\nssc.start()\n"
    )
    new = native(source)
    assert "from datetime import datetime\n\nfrom pyspark.sql import SparkSession\n" in new
    assert new.count("import datetime") == 1


CONSTANTS = """\
import os
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

{constants}

sc = SparkContext(appName="a")
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).map(lambda line: line.strip()).pprint()
ssc.start()
"""


def test_a_constant_that_goes_is_no_end_of_them() -> None:
    source = CONSTANTS.format(constants='PORT = 9999\nKEPT = "/tmp"\nNAME = "a"')
    new = native(source.replace("ssc.socket", "ssc.checkpoint(KEPT)\nssc.socket"))
    assert "KEPT" not in new
    assert new.index("PORT = ") < new.index("NAME = ") < new.index("def strip(text):")


@pytest.mark.parametrize(
    ("constants", "above"),
    [
        ('PORT = 9999  # the default\nos.environ["SPARK_HOME"] = "/opt"', 2),
        ("# where it is\nPORT = 9999\nport = PORT", 2),
        ("PORT = find_port()", 0),
        ("def find_port():\n    return 1\n\nPORT = 9999", 0),
    ],
)
def test_helpers_stand_below_the_constants_of_the_program(constants: str, above: int) -> None:
    new = native(CONSTANTS.format(constants=constants))
    lines = constants.splitlines()
    found = ["def strip(text):", *lines[:above]]
    places = [new.index(line) for line in found]
    assert all(place < places[0] for place in places[1:])
    assert all(new.index(line) > places[0] for line in lines[above:] if line)
