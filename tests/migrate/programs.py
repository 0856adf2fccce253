"""Short programs for the tests of the codemod, and what it makes of them."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path
from types import CodeType

from migrate.migration import migrate
from migrate.model import FileResult, Module, Options, Result

SOCKET = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
{body}
ssc.start()
ssc.awaitTermination()
"""

QUEUE = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
rdds = [sc.parallelize([1, 2, 3], 2), sc.parallelize([], 1), sc.parallelize([5, 8, 5, 1], 3)]
numbers = ssc.queueStream(rdds)
{body}
ssc.start()
ssc.awaitTermination()
"""

KAFKA = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
messages = KafkaUtils.createDirectStream(ssc, ["pages"], {{"bootstrap.servers": "localhost:9092"}})
{body}
ssc.start()
ssc.awaitTermination()
"""

LIMITED = 'limit = "spark.streaming.receiver.maxRate"\n'
"""A line of a program whose batches may be limited, so that the slide of its windows does not trigger it."""


def module(source: str, relative: str = "job.py", path: Path | None = None) -> Module:
    """A module that was read from nowhere."""
    return Module(path or Path("/nowhere") / relative, relative, source, ast.parse(source), "utf-8", False)


def run(source: str, options: Options | None = None) -> Result:
    """The migration of one file; its new text must compile, and must not change when it is migrated again."""
    result = migrate([module(source)], options or Options())
    new = result.files[0].new
    compiled(new)
    again = migrate([module(new)], options or Options())
    assert again.files[0].new == new, "rewriting twice changes something"
    return result


def compiled(text: str) -> CodeType:
    """The code of a text: more fails to compile than to parse, as `from __future__` below other imports."""
    return compile(text, "new", "exec", dont_inherit=True)


def file(source: str, options: Options | None = None) -> FileResult:
    """The file of a migration of one file."""
    return run(source, options).files[0]


def socket_program(body: str) -> str:
    """A program that reads lines from a socket, with `body` between the source and the start."""
    return SOCKET.format(body=textwrap.dedent(body).strip())


def queue_program(body: str) -> str:
    """A program that takes RDDs of numbers from a queue, with `body` between the source and the start."""
    return QUEUE.format(body=textwrap.dedent(body).strip())


def kafka_program(body: str) -> str:
    """A program that reads messages from Kafka, with `body` between the source and the start."""
    return KAFKA.format(body=textwrap.dedent(body).strip())


def whole_program(body: str) -> str:
    """`body` with the source that it speaks of: `numbers` of a queue, `messages` of Kafka, else a socket."""
    if "numbers" in body:
        return queue_program(body)
    return kafka_program(body) if "messages" in body else socket_program(body)


def native_body(body: str, options: Options | None = None) -> str:
    """The batch function's statements for `body`, which must become native, below its typed functions.

    It may be a callback of the program. The line that takes the RDD from a queue is left out. Where a query
    has no batch function it is the statement that starts it, and what is made of the source above it.
    """
    result = run(whole_program(body), options)
    assert result.graphs[0].outcome.value == "native", result.graphs[0].reasons
    new = result.files[0].new
    tree = ast.parse(new)
    if "foreachBatch" not in new:
        assigned = [
            ast.get_source_segment(new, node) or "" for node in tree.body if isinstance(node, ast.Assign)
        ]
        (start,) = [place for place, text in enumerate(assigned) if ".readStream" in text]
        return "\n".join(text for text in assigned[start + 1 :] if text not in body)
    (name,) = re.findall(r"\.foreachBatch\((\w+)\)", new)
    (function,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]
    lines = new.splitlines()[function.lineno : function.end_lineno]
    lines = [line for line in lines if not line.strip().startswith("numbers = rdds.pop(0)")]
    typed = [
        ast.get_source_segment(new, node) or ""
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("F.udf(")
    ]
    return "\n".join([*typed, textwrap.dedent("\n".join(lines)).strip()])


def blocked(body: str, options: Options | None = None) -> str:
    """Why a program with `body` goes to compat."""
    result = run(socket_program(body), options)
    (graph,) = result.graphs
    assert graph.outcome.value == "compat", result.files[0].new
    return "; ".join(graph.reasons)


def flat(text: str) -> str:
    """A text of code without its layout, and with one kind of quotes."""
    return "".join(text.split()).replace(",)", ")").replace("'", '"')


def persisted(code: str) -> list[str]:
    """The variables whose DataFrames or RDDs a text of code persists, in order."""
    found = []
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(_, "persist"))):
                found.append((node.lineno, name))
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "persist"))):
                found.append((node.lineno, name))
    return [name for _, name in sorted(found)]


STORING = """\
ranges = []


def read_offsets(topic):
    if not client.exists(topic):
        return None
    return {TopicAndPartition(topic, int(k)): int(v) for k, v in client.hgetall(topic).items()}


def hold(rdd):
    global ranges
    ranges = rdd.offsetRanges()
    return rdd


def save(rdd):
    for o in ranges:
        client.hset(o.topic, o.partition, o.untilOffset)
"""
"""Functions that store Kafka's offsets by a client, and read them."""
