"""What a stream is inside the batch function, and RDDs of Python values made of DataFrames."""

from __future__ import annotations

import itertools

from migrate.columns import Record, Scalar, has_unread, shape_of
from migrate.graph.blocked import Blocked
from migrate.plan.choices import Choices, RatherError
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.row_elements import has_json, has_objects, is_flat, tuple_of, value_shape
from migrate.plan.new_code.code import Call, Makes, links

OBJECTS = "it gets the JSON objects of --json-schema, which have no form outside of columns"
Stage = Frame | Rdd


def makes(stage: Stage) -> Makes:
    """What a statement makes whose value the stage is."""
    return Makes.FRAME if isinstance(stage, Frame) else Makes.RDD


def to_rdd(frame: Frame) -> Rdd:
    """The elements of a frame as an RDD of Python values.

    Raises:
        Blocked: some are JSON objects, which a row of their fields is not.
        RatherError: some are JSON of unknown type, or typed Python functions made its columns, which is of
            no use for an RDD.
    """
    return to_elements(to_rows(frame))


def to_rows(frame: Frame) -> Rdd:
    """The rows of a frame as an RDD, for a function that is made one of rows.

    Raises:
        Blocked: some are JSON objects, which a row of their fields is not.
        RatherError: as for `to_rdd`.
    """
    check_not_within(frame)
    if frame.python:
        raise RatherError(Choices(dict.fromkeys(frame.python, "")))
    check_not_named(frame)
    check_not_read(frame)
    check_objects(frame)
    frame = frame.elements_only().materialised()
    made = (*frame.calls, *links((Call("rdd"),), frame.origin))
    return Rdd(frame.base, made, frame.sure, rows=frame.element)


def check_not_within(frame: Frame) -> None:
    """Have RDD code make elements that no columns hold, for what is no function of each of them.

    Raises:
        RatherError: they are such elements.
    """
    if frame.within:
        raise RatherError(Choices(dict.fromkeys((part.call for part in frame.within), "")))


def check_not_named(frame: Frame) -> None:
    """Have the program's functions make the elements of a frame, if they are Rows or namedtuples.

    Raises:
        RatherError: they are, and are columns.
    """
    if isinstance(frame.element, Record) and frame.element.only_framed:
        raise RatherError(Choices(named_in_python=True))


def check_not_read(frame: Frame) -> None:
    """Have the program make objects for what is no function of columns: it would be given rows of attributes.

    Raises:
        RatherError: only the attributes that functions read are columns.
    """
    if isinstance(frame.element, Record) and frame.element.only_read:
        raise RatherError(Choices(named_in_python=True))


def to_elements(rdd: Rdd) -> Rdd:
    """The RDD with the elements that its rows stand for.

    Raises:
        RatherError: no column holds a part of an element.
    """
    element = rdd.rows
    if element is None:
        return rdd
    if has_unread(element):
        raise RatherError(Choices(all_places=True))
    if isinstance(element, Scalar):
        convert = "lambda row: row[0]"
    elif is_flat(element):
        convert = "tuple"
    else:
        convert = f"lambda row: {tuple_of(element, itertools.count())}"
    return rdd.call(Call("map", convert), value=value_shape(element), element=shape_of(element))


def check_objects(frame: Frame) -> None:
    """Check that no element has a JSON object in it.

    Raises:
        Blocked: one has a struct by ``--json-schema``.
        RatherError: one is JSON of unknown type, which had better be Python's.
    """
    if has_json(frame.element):
        raise RatherError(Choices(json_in_python=True))
    if has_objects(frame.element):
        raise Blocked(OBJECTS)
