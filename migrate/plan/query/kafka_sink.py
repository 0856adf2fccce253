"""Outputs that send each element to Kafka by a client of their own, as Spark's sink for Kafka."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from migrate.columns import Refusal, Scalar, leaves
from migrate.columns.shapes import Str, text_or_none
from migrate.frozen import replace
from migrate.knowledge import producers
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import map_columns
from migrate.plan.elements.element_texts import text_of
from migrate.plan.frames.frame import Frame
from migrate.plan.new_code.code import Call
from migrate.plan.query.producer import Producer
from migrate.proofs.callbacks.each_record import EachRecord
from migrate.syntax.nodes import walk
from migrate.syntax.tree import is_none

MORE = "it does more with an element than to send it by a producer"
OTHER_CODE = "its messages have no form on columns"


@dataclass(frozen=True)
class KafkaSink:
    """Messages, and where they go."""

    messages: Frame
    """A frame of the columns ``value``, and ``key`` if there are keys."""
    calls: tuple[Call, ...]
    """The calls of the writer that name the sink."""
    gone: tuple[ast.stmt, ...]
    """Statements that nothing needs any more: the one that made the producer."""
    in_python: bool
    """Whether a Python function makes messages of the elements."""


def kafka_sink(step: Step, each: EachRecord, frame: Frame) -> KafkaSink:
    """The sink of an output that sends each element to Kafka.

    Raises:
        Refusal: it does something else, or its producer, topic or messages are not known.
    """
    found = _Sending(step, each)
    columns = [
        replace(found.column(part, frame), name=name)
        for name, part in (("key", found.key), ("value", found.value))
        if part is not None
    ]
    told = ", ".join(
        f'"{name}"' if column.column == name else f'{column.code}.alias("{name}")'
        for column in columns
        if (name := column.name)
    )
    same = told == '"value"' and [leaf.name for leaf in leaves(frame.element)] == ["value"]
    messages = frame if same else frame.call(Call("select", told), pending=False)
    calls = (
        Call("format", '"kafka"'),
        *found.producer.options(),
        Call("option", f'"topic", {found.producer.expression(found.topic)}'),
    )
    return KafkaSink(messages, calls, found.gone, found.in_python)


class _Sending:
    """The one call that sends an element, and the producer."""

    def __init__(self, step: Step, each: EachRecord) -> None:
        self._step = step
        self._each = each
        self._facts = step.facts
        self.in_python = False
        """Whether a column of a message is made by a Python function."""
        calls = [call for one in each.body if (call := _call(one)) is not None]
        sends = [call for call in calls if call.func.attr in producers.SENDS]  # type: ignore[attr-defined]
        if len(sends) != 1:
            raise Refusal(MORE, step.operation.call)
        self._send = sends[0]
        assert isinstance(self._send.func, ast.Attribute)
        self._method = self._send.func.attr
        self._producer = self._send.func.value
        made, self.gone = self._made()
        self.producer = Producer(step, made, self._method)
        self._check(made)
        given: dict[str, ast.expr] = dict(zip(producers.PARAMETERS, self._send.args, strict=False))
        given |= {keyword.arg or "**": keyword.value for keyword in self._send.keywords}
        if "topic" not in given or "value" not in given or set(given) - set(producers.PARAMETERS):
            raise Refusal("its call of the producer has more than a topic, a value and a key", self._send)
        self.topic, self.value = given["topic"], given["value"]
        self.key = None if is_none(given.get("key")) else given.get("key")

    def _made(self) -> tuple[ast.Call, tuple[ast.stmt, ...]]:
        """The call that makes the producer, and its statement."""
        name = self._producer.id if isinstance(self._producer, ast.Name) else ""
        inside = [one for one in self._each.around if _assigned(one) == name]
        binding = self._facts.only_binding(name)
        outside = self._facts.statement_of(binding) if binding is not None and not inside else None
        statement = inside[0] if len(inside) == 1 else outside
        value = statement.value if isinstance(statement, ast.Assign) else None
        if not isinstance(value, ast.Call) or _assigned(statement) != name:
            raise Refusal("it is not known what its producer is", self._producer)
        if self._facts.qualified(value.func) not in producers.SENDS[self._method]:
            raise Refusal("its producer is none of kafka-python or confluent_kafka", value)
        within = {node for one in (*self._each.body, *self._each.around) for node in walk(one)}
        alone = all(load in within for load in self._facts.loads.get(name, ()))
        gone = (statement,) if statement is not None and not inside and alone else ()
        return value, gone

    def _check(self, producer: ast.Call) -> None:
        """Check that all other statements only make a message, or see to it that it is sent."""
        name = ast.unparse(self._producer)
        for one in (*self._each.body, *self._each.around):
            call = _call(one)
            waits = call is not None and isinstance(call.func, ast.Attribute)
            waits = waits and call.func.attr in producers.WAITS  # type: ignore[union-attr]
            own = call is not None and ast.unparse(call.func.value) == name  # type: ignore[attr-defined]
            makes = one in self._each.body and isinstance(one, ast.Assign)
            made = isinstance(one, ast.Assign) and one.value is producer
            if not (call is self._send or (waits and own) or makes or made or isinstance(one, ast.Pass)):
                raise Refusal(MORE, one)

    def column(self, part: ast.expr, frame: Frame) -> Scalar:
        """The value or the key of a message as a column of text.

        Raises:
            Refusal: it has none.
        """
        name = "value" if part is self.value else "key"
        serializer = self.producer.settings().get(f"{name}_serializer")
        if serializer is not None:
            part = ast.copy_location(ast.Call(serializer, [part], []), part)
        part = _text(part)
        element = self._each.element
        match part:
            case ast.Call(ast.Name("str"), [ast.Name(given)], []) if (
                isinstance(element, ast.Name) and given == element.id and "str" not in self._facts.shadowed
            ):
                text = text_of(self._step, frame)
                if text is not None:
                    self.in_python |= text.in_python
                    return Scalar(text.code, Str())
        made = map_columns(self._step, self._message(part), frame.element)
        if not isinstance(made, Scalar) or not text_or_none(made.shape):
            raise Refusal(OTHER_CODE, part)
        return made

    def _message(self, part: ast.expr) -> ast.FunctionDef:
        """A function of an element that returns a part of its message."""
        element, place = self._each.element, self._send
        name = element.id if isinstance(element, ast.Name) else "record"
        body: list[ast.stmt] = [one for one in self._each.body if isinstance(one, ast.Assign)]
        if not isinstance(element, ast.Name):
            body.insert(0, ast.Assign([element], ast.Name(name, ast.Load())))
        body.append(ast.Return(part))
        arguments = ast.arguments([], [ast.arg(name)], None, [], [], None, [])
        function = ast.FunctionDef("message", arguments, body, [])
        for node in (function, *body):
            for inner in ast.walk(node):
                if isinstance(inner, ast.stmt | ast.expr | ast.arg) and not hasattr(inner, "lineno"):
                    ast.copy_location(inner, place)
        return function


def _call(statement: ast.stmt) -> ast.Call | None:
    """``producer.send(...)`` as a statement, also with what it returns waited for: ``.get(timeout=1)``."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(ast.Call(ast.Attribute()) as inner, "get"))):
            return inner
        case ast.Expr(ast.Call(ast.Attribute()) as call):
            return call
    return None


def _assigned(statement: ast.stmt | None) -> str | None:
    """The only name that a statement binds."""
    match statement:
        case ast.Assign([ast.Name(name)]):
            return name
    return None


def _text(node: ast.expr) -> ast.expr:
    """The text of which an expression makes bytes in UTF-8, which Kafka's sink does by itself."""
    match node:
        case ast.Call(ast.Attribute(text, "encode"), [] | [ast.Constant("utf-8" | "utf8" | "UTF-8")], []):
            return text
        case ast.Call(ast.Name("bytes"), [text, ast.Constant("utf-8" | "utf8" | "UTF-8")], []):
            return _text(text)
        case ast.Call(ast.Name("bytes"), [ast.Call(ast.Attribute(attr="encode")) as encoded], []):
            return _text(encoded)
        case ast.Call(ast.Lambda() as function, [given], []):
            body = _text(function.body)
            named = [argument.arg for argument in function.args.args]
            if isinstance(body, ast.Name) and [body.id] == named:
                return given
            inner = ast.copy_location(ast.Lambda(function.args, body), function)
            return ast.copy_location(ast.Call(inner, [given], []), node)
        case ast.Call(ast.Attribute(ast.Name("str"), "encode"), [text], []):
            return text
    return node
