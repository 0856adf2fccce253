"""Elements of a stream as rows under a schema.

The rules are those of ``SparkSession.createDataFrame(rdd, schema)``, without its guesses: what is no value of
the column's type raises, where Spark would make it null or text.

Executors do not have `compat`: engines pickle this module by value, so it imports nothing but the standard
library and pyspark, and holds no state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from pyspark.sql import types as T
from pyspark.sql.types import DataType, StructType, UserDefinedType

Check = Callable[[Any], None]

_SCALARS: dict[type[DataType], tuple[type, ...]] = {
    T.BooleanType: (bool,),
    T.ByteType: (int,),
    T.ShortType: (int,),
    T.IntegerType: (int,),
    T.LongType: (int,),
    T.FloatType: (float,),
    T.DoubleType: (float,),
    T.DecimalType: (Decimal,),
    T.StringType: (str,),
    T.BinaryType: (bytes, bytearray),
    T.DateType: (date, datetime),
    T.TimestampType: (datetime,),
    T.TimestampNTZType: (datetime,),
    T.DayTimeIntervalType: (timedelta,),
    T.NullType: (),
}
"""What a value must be, exactly: the JVM reads no subclasses."""
_BITS: dict[type[DataType], int] = {T.ByteType: 7, T.ShortType: 15, T.IntegerType: 31, T.LongType: 63}


def rows(schema: StructType) -> Callable[[Iterable[Any]], Iterator[Sequence[Any]]]:
    """The function that makes elements rows: a value for each column, checked.

    A tuple, list or Row gives the values by position, a dict by name. Anything else is the value of the only
    column. The function raises TypeError for a value of another type, ValueError for one out of range.

    Raises:
        TypeError: the schema has a type that no Python value stands for.
    """
    checks = [checker(field.dataType, field.nullable, field.name) for field in schema]
    names = schema.names

    def made(elements: Iterable[Any]) -> Iterator[Sequence[Any]]:
        for element in elements:
            single = len(names) == 1 and not isinstance(element, (tuple, list, dict))
            values = (element,) if single else values_of(element, names, "the element")
            for check, value in zip(checks, values, strict=True):
                check(value)
            yield values

    return made


def checker(data_type: DataType, nullable: bool, name: str) -> Check:
    """The function that raises for what is no value of that type; `name` says where it was found."""
    of_value = _value_checker(data_type, name)

    def check(value: Any) -> None:
        if value is not None:
            of_value(value)
        elif not nullable:
            raise ValueError(f"{name}: None, where the schema says that it is not null")

    return check


def _value_checker(data_type: DataType, name: str) -> Check:
    if isinstance(data_type, UserDefinedType):
        return _user_defined(data_type, name)
    if isinstance(data_type, StructType):
        return _struct(data_type, name)
    if isinstance(data_type, T.ArrayType):
        of_element = checker(data_type.elementType, data_type.containsNull, f"{name}[]")
        return lambda value: _each(_instance(value, (list, tuple), data_type, name), of_element)
    if isinstance(data_type, T.MapType):
        of_key = checker(data_type.keyType, False, f"{name}, a key")
        of_item = checker(data_type.valueType, data_type.valueContainsNull, f"{name}[]")

        def of_map(value: Any) -> None:
            _each(_instance(value, (dict,), data_type, name), of_key)
            _each(value.values(), of_item)

        return of_map
    if type(data_type) not in _SCALARS:
        raise TypeError(f"{name}: a column of {data_type.simpleString()} is not supported")
    return _scalar(data_type, name)


def _scalar(data_type: DataType, name: str) -> Check:
    accepted, bits = _SCALARS[type(data_type)], _BITS.get(type(data_type))

    def check(value: Any) -> None:
        if type(value) not in accepted:
            raise TypeError(_no_value(value, data_type, name))
        if bits is not None and not -(1 << bits) <= value < 1 << bits:
            raise ValueError(f"{name}: {value} is out of the range of {data_type.simpleString()}")
        if isinstance(data_type, T.DecimalType) and not _fits(value, data_type):
            raise ValueError(f"{name}: {value} does not fit into {data_type.simpleString()}")

    return check


def _fits(value: Decimal, data_type: T.DecimalType) -> bool:
    if not value.is_finite():
        return False
    digits = value.normalize().as_tuple()
    exponent = int(digits.exponent)
    whole = len(digits.digits) + exponent
    return value == 0 or (-exponent <= data_type.scale and whole <= data_type.precision - data_type.scale)


def _struct(data_type: StructType, name: str) -> Check:
    checks = [checker(field.dataType, field.nullable, f"{name}.{field.name}") for field in data_type]

    def check(value: Any) -> None:
        for of_field, item in zip(checks, values_of(value, data_type.names, name), strict=True):
            of_field(item)

    return check


def _user_defined(data_type: UserDefinedType, name: str) -> Check:
    def check(value: Any) -> None:
        if getattr(value, "__UDT__", None) != data_type:
            raise TypeError(_no_value(value, data_type, name))

    return check


def values_of(value: Any, names: list[str], where: str) -> Sequence[Any]:
    """The values of a row for columns of these names; `where` stands before an error's text."""
    if isinstance(value, dict):
        return [value.get(name) for name in names]
    if not isinstance(value, (tuple, list)):
        raise TypeError(
            f"{where}: {value!r} is no tuple, list, Row or dict, and there are {len(names)} columns"
        )
    if len(value) != len(names):
        raise ValueError(f"{where}: {value!r} has {len(value)} values, the schema {len(names)}: {names}")
    return value


def _instance(value: Any, kinds: tuple[type, ...], data_type: DataType, name: str) -> Any:
    if not isinstance(value, kinds):
        raise TypeError(_no_value(value, data_type, name))
    return value


def _each(values: Iterable[Any], check: Check) -> None:
    for value in values:
        check(value)


def _no_value(value: Any, data_type: DataType, name: str) -> str:
    kind = type(value)
    return f"{name}: {value!r} of {kind.__module__}.{kind.__name__} is no {data_type.simpleString()}"
