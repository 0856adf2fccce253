"""Rows as Arrow record batches, and record batches as Rows.

Executors do not have `compat`: this module is pickled by value with each stage (see `frame`), so it imports
nothing but pyarrow, pyspark and `compat.schema`, and holds no state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timezone
from itertools import islice
from typing import Any

import pyarrow as pa
from pyspark.sql import types as T
from pyspark.sql.types import DataType, Row, StructType, UserDefinedType

from compat.schema import rows, values_of

Convert = Callable[[Any], Any]

_ROWS = 4096
"""How many rows a record batch has at most."""

_ARROW: dict[type[DataType], Callable[[], pa.DataType]] = {
    T.BooleanType: pa.bool_,
    T.ByteType: pa.int8,
    T.ShortType: pa.int16,
    T.IntegerType: pa.int32,
    T.LongType: pa.int64,
    T.FloatType: pa.float32,
    T.DoubleType: pa.float64,
    T.StringType: pa.string,
    T.BinaryType: pa.binary,
    T.DateType: pa.date32,
    T.TimestampType: lambda: pa.timestamp("us", tz="UTC"),
    T.TimestampNTZType: lambda: pa.timestamp("us"),
    T.DayTimeIntervalType: lambda: pa.duration("us"),
    T.NullType: pa.null,
}


def arrow_type(data_type: DataType) -> pa.DataType:
    """The Arrow type that Spark takes for a column."""
    if isinstance(data_type, UserDefinedType):
        return arrow_type(data_type.sqlType())
    if isinstance(data_type, T.DecimalType):
        return pa.decimal128(data_type.precision, data_type.scale)
    if isinstance(data_type, T.ArrayType):
        return pa.list_(pa.field("element", arrow_type(data_type.elementType), data_type.containsNull))
    if isinstance(data_type, T.MapType):
        value = pa.field("value", arrow_type(data_type.valueType), data_type.valueContainsNull)
        return pa.map_(pa.field("key", arrow_type(data_type.keyType), False), value)
    if isinstance(data_type, StructType):
        fields = [pa.field(field.name, arrow_type(field.dataType), field.nullable) for field in data_type]
        return pa.struct(fields)
    return _ARROW[type(data_type)]()


def from_elements(schema: StructType) -> Callable[[Iterable[Any]], Iterator[pa.RecordBatch]]:
    """The function that makes elements record batches; it raises what `compat.schema.rows` raises."""
    checked, batch = rows(schema), _batch(schema)

    def batches(elements: Iterable[Any]) -> Iterator[pa.RecordBatch]:
        made = checked(elements)
        while block := list(islice(made, _ROWS)):
            yield batch(block)

    return batches


def _batch(schema: StructType) -> Callable[[Sequence[Sequence[Any]]], pa.RecordBatch]:
    types = [arrow_type(field.dataType) for field in schema]
    converts = [_arrow_value(field.dataType) for field in schema]
    fields = pa.schema([pa.field(f.name, t, f.nullable) for f, t in zip(schema, types, strict=True)])

    def batch(rows: Sequence[Sequence[Any]]) -> pa.RecordBatch:
        columns = zip(converts, types, zip(*rows, strict=True), strict=True)
        arrays = [pa.array(list(map(convert, values)), kind) for convert, kind, values in columns]
        return pa.RecordBatch.from_arrays(arrays, schema=fields)

    return batch


def _arrow_value(data_type: DataType) -> Convert:
    if isinstance(data_type, UserDefinedType):
        stored = _arrow_value(data_type.sqlType())
        return _or_none(lambda value: stored(data_type.serialize(value)))
    if isinstance(data_type, T.TimestampType):
        return _or_none(lambda value: value.astimezone(timezone.utc))  # a naive one is local
    if isinstance(data_type, T.ArrayType):
        of_element = _arrow_value(data_type.elementType)
        return _or_none(lambda value: list(map(of_element, value)))
    if isinstance(data_type, T.MapType):
        of_key, of_item = _arrow_value(data_type.keyType), _arrow_value(data_type.valueType)
        return _or_none(lambda value: [(of_key(key), of_item(item)) for key, item in value.items()])
    if isinstance(data_type, StructType):
        names, of_fields = data_type.names, [_arrow_value(field.dataType) for field in data_type]
        return _or_none(lambda value: _converted(of_fields, values_of(value, names, "")))
    return lambda value: value


def to_rows(schema: StructType) -> Callable[[pa.RecordBatch], Iterator[Row]]:
    """The function that makes a record batch Rows, with the values that `DataFrame.collect` gives."""
    converts = [_python_value(field.dataType) for field in schema]
    make = Row(*schema.names)

    def made(batch: pa.RecordBatch) -> Iterator[Row]:
        columns = [
            map(convert, column.to_pylist()) for convert, column in zip(converts, batch.columns, strict=True)
        ]
        return (make(*values) for values in zip(*columns, strict=True))

    return made


def _python_value(data_type: DataType) -> Convert:
    if isinstance(data_type, UserDefinedType):
        stored = _python_value(data_type.sqlType())
        return _or_none(lambda value: data_type.deserialize(stored(value)))
    if isinstance(data_type, T.TimestampType):
        return _or_none(lambda value: value.astimezone().replace(tzinfo=None))
    if isinstance(data_type, T.BinaryType):
        return _or_none(bytearray)
    if isinstance(data_type, T.ArrayType):
        of_element = _python_value(data_type.elementType)
        return _or_none(lambda value: list(map(of_element, value)))
    if isinstance(data_type, T.MapType):
        of_key, of_item = _python_value(data_type.keyType), _python_value(data_type.valueType)
        return _or_none(lambda value: {of_key(key): of_item(item) for key, item in value})
    if isinstance(data_type, StructType):
        make, of_fields = Row(*data_type.names), [_python_value(field.dataType) for field in data_type]
        return _or_none(lambda value: make(*_converted(of_fields, value.values())))
    return lambda value: value


def _or_none(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def _converted(converts: list[Convert], values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(convert(value) for convert, value in zip(converts, values, strict=True))
