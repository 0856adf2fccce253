"""Outputs: what is read from the program when the batch is made, and what is done when its turn comes."""

from __future__ import annotations

from pickle import loads

from py4j.protocol import Py4JJavaError

from compat import graph
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame
from compat._structured.batches.registry import Work, puts_out
from compat._structured.batches.transforms import batch_time
from compat._structured.inputs.kafka import rdd_of


@puts_out(graph.ForeachRDD)
def foreach_rdd(node: graph.ForeachRDD, run: Evaluation, time: int, frame: Frame) -> Work:
    rdd = rdd_of(node.parent, run, time, frame)

    def act() -> None:
        node.function(batch_time(time), rdd) if node.with_time else node.function(rdd)

    return act


@puts_out(graph.ForeachBatch)
def foreach_batch(node: graph.ForeachBatch, run: Evaluation, time: int, frame: Frame) -> Work:
    table = frame.table(node.schema) if frame.parts else None

    def act() -> None:
        node.function(run.session.of_program(table, node.schema), time)

    return act


@puts_out(graph.PPrint)
def pprint(node: graph.PPrint, run: Evaluation, time: int, frame: Frame) -> Work:
    wanted = node.num + 1
    rows = frame.then("first", wanted).rows(("single", None)) if frame.parts and wanted > 0 else None

    def act() -> None:
        taken = [loads(row[0])[0] for row in rows.take(wanted)] if rows is not None else []
        print("-------------------------------------------")
        print(f"Time: {batch_time(time)}")
        print("-------------------------------------------")
        for record in taken[: node.num]:
            print(record)
        if len(taken) > node.num:
            print("...")
        print("")

    return act


@puts_out(graph.SaveAsTextFiles)
def save_as_text_files(node: graph.SaveAsTextFiles, run: Evaluation, time: int, frame: Frame) -> Work:
    lines = run.session.text(frame)
    path = f"{node.prefix}-{time}" + ("" if node.suffix is None else f".{node.suffix}")

    def act() -> None:
        try:
            lines.saveAsTextFile(path)
        except Py4JJavaError as error:
            # After a recovery a batch may be put out a second time.
            if "FileAlreadyExistsException" not in str(error):
                raise

    return act
