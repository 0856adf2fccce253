"""The body of a typed function that calls several functions of elements, one after the other."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Set
from dataclasses import dataclass, field

from migrate.columns import Record, Refusal, Scalar
from migrate.columns.names import is_telling, name_of_one
from migrate.columns.shapes import text_or_none
from migrate.knowledge.streaming import OF_VALUES
from migrate.plan.draft.step import Step
from migrate.plan.elements.element_functions import (
    body_of,
    next_name,
    only_read,
    other_names,
    parameter_of,
    place_of,
    reads_of,
    written_pair,
)
from migrate.plan.elements.row_functions import NewLambda, of_row
from migrate.plan.frames.frame import Frame, Within
from migrate.plan.frames.held_columns import element_code, place_read, places_of
from migrate.plan.frames.json_parts import is_tuple
from migrate.plan.frames.row_elements import is_flat
from migrate.plan.new_code.code import Origin, Value
from migrate.plan.new_code.inner import Inner
from migrate.plan.new_code.row_loop import RowLoop
from migrate.plan.typed.flat_returns import flat_returns
from migrate.plan.typed.result_checks import returned, wrapped, wraps_of
from migrate.plan.typed.typed_calls import (
    TypedCall,
    declared,
    declared_lines,
    names_of,
    of_one_column,
    placed,
    quoted_name,
    read_columns,
)
from migrate.plan.typed.typed_names import function_name
from migrate.syntax.decoders import decoded_reads
from migrate.syntax.quoting import quoted
from migrate.typed import Result, pair_of

ONE_EACH = frozenset({"map", "mapValues"})
"""Operators that make one element of each."""
_OURS = frozenset({"list", "bool", "tuple", "checked", "of_type", "of_learnt_type"})
"""Names that the code around the functions may read."""
_NAMES = frozenset({*vars(builtins), "json"})
"""Names that code around the functions, or added to them, may read as well."""
_SHORT = 60
"""How many characters a result and its condition may have for one line."""


@dataclass
class Body:
    """The body of a function that calls functions one after the other."""

    step: Step
    frame: Frame
    code: Value = field(default_factory=lambda: Value(""))
    """What the next function is given."""
    lines: list[str] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    """For each line the operators whose functions it calls."""
    waiting: list[ast.Call] = field(default_factory=list)
    """Those whose functions the next line calls."""
    last: ast.Call | None = None
    """The one that makes the result, if it is none of those within."""
    held: list[tuple[str, str]] = field(default_factory=list)
    """The variables that lines give values, with these."""
    depth: int = 0
    """In how many conditions the next line stands."""
    pair: tuple[str, Value] | None = None
    """The key and the value, where the code makes a pair of them."""
    places: dict[tuple[int, ...], str] = field(default_factory=dict)
    """Code of the parts of what columns stand for, by the way there: ``(1, 0)`` for ``pair[1][0]``."""
    loops: list[str] = field(default_factory=list)
    """The clauses of the comprehension that the result is."""
    parameters: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    """Those that it is given."""
    struct: str = ""
    """Code of a row of columns that it is given in their place."""
    replaced: dict[ast.AST, str] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)
    """The variables of lines and loops."""
    result: str = ""
    """What it returns, where nothing stands above that."""
    asked: str = ""
    """The condition that the last line begins a block with, if it does."""
    in_loop: bool = False
    """Whether it is no function of its own, but what a loop does in the batch function."""
    maker: Within | None = None
    """The function that made what the next one is given, filters aside."""

    def add(self, part: Within) -> None:
        """Call one more function.

        Raises:
            Refusal: it is given a tuple of columns, or another number of arguments than one.
        """
        if part.decodes:
            made = self._decoded(part)
        elif part.is_decoder:
            made = self._of_message(part.function)
        elif part is self.frame.within[0]:
            made = self._of_columns(part.function)
            others = [*(one.function for one in self.frame.within[1:]), *self.step.operation.call.args[:1]]
            if {*self.parameters} & _OURS.union(*map(other_names, others)):
                raise Refusal("its parameter would hide a name that another function reads", part.function)
        else:
            if part.operator == "filter" and not (self.code.is_variable or self.pair):
                self._hold(part.function)
            if part.operator == "filter" and self.pair and self._is_message and not self.pair[1].is_variable:
                self._hold_value()
            pair, code = self.pair, self.code
            made = self._made(part.operator, part.function)
            if part.operator == "filter":
                self.pair = pair if self.code == code else None  # the pair may be held in a variable since
        self.waiting.append(part.call)
        if part.operator != "filter":
            self.maker = part
        if part.operator in ONE_EACH:
            self.code = Value(made)
        elif part.operator == "flatMapValues":
            self.code = Value(self._beside())
        elif part.operator == "flatMap":
            self.code = self._loop(next_name(self.frame.within, part, self.step), made)
        elif self.loops:
            self.loops.append(f"if {made}")
        else:
            self._line(f"if {made}:")
            self.depth += 1
            self.asked = made

    def call(self, function: ast.expr, type_: str, found: Result) -> TypedCall:
        """The call of the whole function, whose result is that of one more; it gets a name."""
        operator = method_of(self.step)
        flat = operator not in ONE_EACH
        made = self._made(operator, function)
        if operator == "flatMapValues":
            made = self._beside()
        elif flat and self.loops:
            made = self._loop("item", made).code
        wraps = wraps_of(self.step, found, "list" if flat and not self.loops else "")
        if self.loops or (self.depth and not flat):
            made = f"[{' '.join([made, *self.loops])}]"
        if isinstance(function, ast.Lambda) and made == quoted(function.body):
            made = returned(function.body, wraps, *self.parameters)
        else:
            made = wrapped(made, wraps, *self.parameters)
        return self._named(function, self._returning(made), type_, found)

    def keyed(
        self,
        function: ast.expr,
        of_key: str,
        type_: str,
        found: Result,
        *,
        is_pair: bool,
        is_spread: bool = False,
    ) -> TypedCall:
        """The call of the whole function, whose keys go through another one; it gets a name.

        Args:
            function: the last of the functions, which makes keys or pairs and is not added yet.
            of_key: the name of the other one.
            type_: the type of the result.
            found: what is known of it.
            is_pair: whether it makes pairs.
            is_spread: whether the parts of a pair's value stand beside its key.
        """
        operator = method_of(self.step)
        made = self._made(operator, function) if self.frame.within else self._of_columns(function)
        if is_spread and operator == "map" and made == f"{quoted(function)}({', '.join(self.parameters)})":
            flat = flat_returns(self.step, function, of_key)
            if flat and not (found.learnt or self.struct):
                self.replaced.update(flat)
                self._need()
                name = declared(self.step, function, quoted(function), type_, found)
                return TypedCall(name, tuple(map(quoted_name, self.columns)))
        self.code = Value(made)
        pair, loop = written_pair(function, operator) if is_pair else (None, None)
        if loop is not None and isinstance(loop.target, ast.Name):
            self.loops.append(f"for {loop.target.id} in {quoted(loop.iter)}")
            self.bound.add(loop.target.id)
            self.loops += [f"if {quoted(condition)}" for condition in loop.ifs]
        elif operator == "flatMap":
            pair, self.code = None, self._loop("item", made)
        if not is_pair:
            made = f"{of_key}({self.code.code})"
        elif pair is not None:
            key, value = pair.elts
            values = value.elts if is_spread and isinstance(value, ast.Tuple) else [value]
            star = "*" if is_spread and values == [value] else ""
            parts = [f"{of_key}({quoted(key)})", *(star + _bound(quoted(one), star) for one in values)]
            made = f"({', '.join(parts)})"
        else:
            key_of, value_of = self._taken_apart(is_spread=is_spread)
            star = "*" if is_spread else ""
            made = f"({of_key}({key_of}), {star}{_bound(value_of, star)})"
        if self.loops or self.depth:
            made = f"[{' '.join([made, *self.loops])}]"
        return self._named(function, self._returning(made), type_, found)

    def _taken_apart(self, *, is_spread: bool) -> tuple[str, str]:
        """The key and the value of the pair that the code is, which a line takes apart where none has yet."""
        if not (self.pair or self.code.is_variable):
            if self.loops:
                self._hold(None)
            else:
                key, value = self._free("key"), self._free("values" if is_spread else "value")
                self._line(f"{key}, {value} = {self.code.code}")
                return key, value
        key, made = self.pair or self._items
        return key, made.code

    def text(self, type_: str, found: Result) -> TypedCall:
        """The call of the whole function, whose result is the text of what it makes, or a list of these."""
        made = f"str({self.code.code})"
        if self.loops or self.depth:
            made = f"[{' '.join([made, *self.loops])}]"
        lines = self._returning(wrapped(made, wraps_of(self.step, found), *self.parameters))
        return self._named(self.frame.within[-1].function, lines, type_, found, "text_udf")

    def left(self, type_: str, found: Result) -> TypedCall:
        """The call of the whole function, whose result are the elements that its filter leaves, as a list."""
        made = f"[{' '.join([self.code.code, *self.loops])}]"
        lines = self._returning(wrapped(made, wraps_of(self.step, found), *self.parameters))
        *_, maker, kept = self.frame.within
        wanted = function_name(self.step.inner(maker.call), maker.function)
        return self._named(kept.function, lines, type_, found, wanted)

    def items(self, function: ast.expr, of_item: str, type_: str, found: Result) -> TypedCall:
        """The call of the whole function, whose items go through another one; it gets a name."""
        made = f"[{' '.join([f'{of_item}({self.code.code})', *self.loops])}]"
        return self._named(function, self._returning(made), type_, found)

    def condition(self, function: ast.expr, found: Result) -> TypedCall:
        """The call of the whole function, whose result is that of a condition; it gets a name."""
        if not (self.code.is_variable or self.pair):
            self._hold(function)
        made = wrapped(self._of_code(function), wraps_of(self.step, found, "bool"), *self.parameters)
        self.last = self.frame.within[-1].call
        self._return(made, otherwise="False")
        return self._named(function, self.lines, "boolean", found, "keep_udf")

    def loop(self, *, holds: bool) -> RowLoop:
        """What a loop has in the place of the function.

        Raises:
            Refusal: rows have other columns than the functions read.
        """
        self.in_loop = True
        for part in self.frame.within:
            if part.operator == "map":
                self.add(part)
            elif holds and self.pair and self._is_message:
                self._hold_value()
            elif holds and not self.code.is_variable:
                self._hold(part.function)
        if self.columns != list(names_of(self.frame.element)):
            raise Refusal("rows have more columns than it reads", self.frame.within[0].call)
        self._need()
        last = Origin(tuple(self.waiting), self.step.operation.call)
        origins, variables = (*self.origins, last), tuple(self.parameters)
        return RowLoop(variables, self.code.code, tuple(self.held), takes_apart=True, origins=origins)

    @property
    def _is_message(self) -> bool:
        """Whether the columns are those of a message, whose value the program's decoder makes."""
        return self.frame.within[0].is_decoder if self.frame.within else False

    def _need(self) -> None:
        """Need the changes in the functions, which must be the same wherever else these are called.

        Raises:
            Refusal: they are not.
        """
        known = dict(self.step.known.inner.replaced)
        for node, code in self.replaced.items():
            if known.get(node, code) != code:
                raise Refusal("it is called in two ways", self.step.operation.call)
        self.step.need(inner=Inner(tuple(self.replaced.items())))

    def _named(
        self, function: ast.expr, lines: list[str], type_: str, found: Result, wanted: str = ""
    ) -> TypedCall:
        """The call of a function with these lines."""
        self._need()
        signature = ", ".join(self.parameters)
        arguments = [self.struct] if self.struct else list(map(quoted_name, self.columns))
        if len(lines) == 1:
            made = NewLambda(tuple(self.parameters), self.result)
            checked, arguments = placed(self.step, self.frame, found, made, arguments)
            name = declared(self.step, function, checked, type_, found, wanted)
        elif found.learnt:
            raise Refusal("its result is of a type that was learnt", function)
        else:
            origins = tuple(self.origins)
            name = declared_lines(self.step, function, signature, lines, type_, found, wanted, origins)
        return TypedCall(name, tuple(arguments))

    def _returning(self, made: str) -> list[str]:
        """The lines with one more, which returns the result."""
        call = self.step.operation.call
        if all(part.call is not call for part in self.frame.within):
            self.last = call
        if self.depth == 1 and self.asked and self._is_short:
            made = f"{made} if {self.asked} else []"
            self.lines.pop()
            self.waiting[:0] = self.origins.pop().calls
            self.depth = 0
        self._return(made, otherwise="[]")
        return self.lines

    @property
    def _is_short(self) -> bool:
        """Whether the result and its condition fit on a line."""
        condition = next(one.function for one in reversed(self.frame.within) if one.operator == "filter")
        after = self.frame.within[[one.function for one in self.frame.within].index(condition) :]
        functions = [*(one.function for one in after), *self.step.operation.call.args[:1]]
        return sum(len(ast.unparse(body_of(one))) for one in functions) <= _SHORT

    # --- one function ---------------------------------------------------------------------------------------

    def _decoded(self, part: Within) -> str:
        """What columns stand for: a value of JSON, or a pair whose key is JSON, where a tuple is a list."""
        element = self.frame.element
        self.columns = list(names_of(element))
        taken = set(filter(self._is_bound, self.columns))
        self.parameters = [self._free(name, taken) for name in self.columns]
        if isinstance(element, Scalar):
            return f"json.loads({self.parameters[0]})"
        key, *values = self.parameters
        value = element_code(element.items[1], iter(values))
        loaded, (of_key, _) = f"json.loads({key})", pair_of(part.given, part.function)
        loaded = f"tuple({loaded})" if is_tuple(of_key) else loaded
        self.pair = (loaded, Value(value, is_variable=isinstance(element.items[1], Scalar)))
        self.places = {(0,): loaded, **dict(places_of(element.items[1], iter(values), (1,)))}
        return f"({loaded}, {value})"

    def _of_message(self, decoder: ast.expr) -> str:
        """The pair that a decoder makes of the columns of a message, of which the key is a text already."""
        element = self.frame.element
        assert isinstance(element, Record)
        key, value = element.items
        assert isinstance(key, Scalar) and isinstance(value, Scalar)
        self.columns = list(names_of(element))
        self.parameters = [self._free(name) for name in self.columns]
        of_key = "None" if key.unread else self.parameters[0]
        given = self.parameters[-1]
        made = f"{quoted(decoder)}({given})"
        if isinstance(decoder, ast.Lambda):
            is_text = text_or_none(value.shape)
            reads = decoded_reads(decoder) if is_text else reads_of(decoder, parameter_of(decoder) or "")
            self.replaced.update((read, given) for read in reads)
            made = quoted(decoder.body)
        self.pair = (of_key, Value(made))
        return f"({of_key}, {made})"

    def _of_columns(self, function: ast.expr) -> str:
        """What the first function returns; the whole one gets the parameters that this one has."""
        element = self.frame.element
        if isinstance(element, Scalar):
            own, name = parameter_of(function), element.name or "value"
            self.parameters, self.columns = [own or self._free(name)], [name]
            return f"{quoted(function)}({self.parameters[0]})" if own is None else quoted(body_of(function))
        own = parameter_of(function)
        if own is None:
            return self._of_row(function)
        read = None
        if isinstance(function, ast.Lambda):
            read = read_columns(own, function.body, element)
        if read is None:
            raise Refusal("it is given a tuple of columns", function)
        self.replaced.update(read[0])
        self.parameters = self.columns = read[1]
        return quoted(body_of(function))

    def _of_row(self, function: ast.expr) -> str:
        """What a function of a tuple returns, given the only column that it reads, or a row of its columns.

        Raises:
            Refusal: it does otherwise with a row.
        """
        element = self.frame.element
        one = of_one_column(self.step, function, element)
        if one is not None:
            named, column = one
            self.parameters = self.columns = list(names_of(column))
            return f"{quoted(named)}({self.parameters[0]})"
        code, inner = of_row(self.step, function, element)
        if code != quoted(function) or inner.renamed or not is_flat(element):
            raise Refusal("it is given a tuple of columns", function)
        self.replaced.update(inner.replaced)
        self.parameters, self.columns = [self._free("row")], []
        self.struct = f"F.struct({', '.join(map(quoted_name, names_of(element)))})"
        return f"{code}({self.parameters[0]})"

    def _made(self, operator: str, function: ast.expr) -> str:
        """What an operator makes of the result of the function before it."""
        if operator not in OF_VALUES:
            return self._of_code(function)
        if not self.code.is_variable and not self.pair:
            self._hold(None)
        key, self.code = self.pair or self._items
        self.pair = None
        made = self._of_code(function, simple=True)
        self.pair = (key, Value(made))
        return f"({key}, {made})"

    def _beside(self) -> str:
        """A pair with one of the items that were made of its value."""
        assert self.pair is not None
        key, items = self.pair
        item = self._loop("item", items.code)
        self.pair = (key, item)
        return f"({key}, {item.code})"

    @property
    def _items(self) -> tuple[str, Value]:
        """The key and the value of a pair that a variable holds."""
        pair = self.code.code
        return f"{pair}[0]", Value(f"{pair}[1]", is_variable=True)

    def _loop(self, name: str, items: str) -> Value:
        """The variable of one more loop of the comprehension, in which each name is one variable."""
        name = self._free(name, {*self.parameters, *self.bound})
        self.bound.add(name)
        self.loops.append(f"for {name} in {items}")
        return Value(name, is_variable=True)

    def _of_code(self, function: ast.expr, *, simple: bool = False) -> str:
        """What a function returns for the result of the one before it, which may be code to write often."""
        pair, self.pair = self.pair, None
        places, self.places = self.places, {}
        own = parameter_of(function)
        if own is None or not isinstance(function, ast.Lambda):
            return f"{quoted(function)}({self.code.code})"
        reads, only = reads_of(function, own), only_read(function, self.step.facts)
        facts = self.step.facts.of(function)
        read_of = {read: place_read(read, facts, places) for read in reads} if places else {}
        if read_of and all(read_of.values()):
            self.replaced.update(found for found in read_of.values() if found is not None)
            return quoted(function.body)
        parts = [facts.above[read] for read in reads]
        if pair and self._is_message and all(map(place_of, parts)):
            if only is not None and place_of(parts[0]) == "1":
                self.replaced[parts[0]] = pair[1].code
                return quoted(function.body)
            if not pair[1].is_variable:
                self.pair = pair
                self._hold_value()
                pair, self.pair = self.pair, None
        # a value that is more than a name would be computed for each read, or for none
        if pair and pair[1].is_variable and all(map(place_of, parts)):
            of_pair = (pair[0], pair[1].code)
            self.replaced.update((part, of_pair[int(place_of(part))]) for part in parts)
            return quoted(function.body)
        if only is not None and (item := self._only_item(place_of(parts[0]))) is not None:
            self.replaced[parts[0]] = quoted(item)
            return quoted(function.body)
        if not (self.code.is_variable or simple or only is not None):
            self._hold(function)
        self.replaced.update((read, self.code.code) for read in reads)
        return quoted(function.body)

    def _only_item(self, place: str) -> ast.expr | None:
        """The item of the tuple that the function before makes, beside which that computes nothing."""
        maker = self.maker.function if self.maker is not None else None
        made = maker.body if isinstance(maker, ast.Lambda) else None
        if not place or not isinstance(made, ast.Tuple) or self.code.code != quoted(made):
            return None
        others = [item for at, item in enumerate(made.elts) if at != int(place)]
        plain = all(isinstance(item, ast.Name | ast.Constant) for item in others)
        return made.elts[int(place)] if plain and len(made.elts) > int(place) else None

    def _hold_value(self) -> None:
        """Keep the value of the pair in a variable, which functions of the pair may read more than once."""
        assert self.pair is not None
        key, self.code = self.pair
        self._hold(None, "decoded")
        self.pair = (key, self.code)
        self.code = Value(f"({key}, {self.code.code})")

    def _hold(self, function: ast.expr | None, other: str = "pair") -> None:
        """Keep what the next function is given in a variable, which is called as its parameter.

        A parameter that says nothing, `x`, gives way to the name that the program has for what was made.
        """
        name = (parameter_of(function) if function is not None else other) or "element"
        if self.maker is not None and (name in ("pair", "element") or not is_telling(name)):
            name = self._of_variable(self.maker.call) or name
        if self.loops:
            self.code = self._loop(name, f"[{self.code.code}]")
        else:
            name = self._free(name)
            self.held.append((name, self.code.code))
            self._line(f"{name} = {self.code.code}")
            self.bound.add(name)
            self.code = Value(name, is_variable=True)

    def _of_variable(self, call: ast.Call) -> str | None:
        """The name of an element of the stream that the program binds a variable to.

        It hides nothing in a function of its own but that stream, which workers do not read.
        """
        facts = self.step.facts.of(call)
        match facts.above.get(call):
            case ast.Assign([ast.Name(stream) as target]) if not self.in_loop:
                name = name_of_one(stream)
                is_own = name == stream and facts.only_binding(stream) is target
                if name is not None and (is_own or not self._is_bound(name)) and name not in _NAMES:
                    return name
        return None

    def _return(self, made: str, *, otherwise: str) -> None:
        """Return a result, or something else where a condition does not hold."""
        self.result = made
        self._line(f"return {made}")
        if self.depth:
            self.depth = 0
            self._line(f"return {otherwise}")

    def _line(self, code: str) -> None:
        self.lines.append("    " * self.depth + code)
        self.origins.append(Origin(tuple(self.waiting), self.last))
        self.waiting.clear()
        self.last = None
        self.asked = ""

    def _is_bound(self, name: str) -> bool:
        """Whether the module, or the function of streams, has another variable or function of that name."""
        facts, around = self.step.facts, (None, self.step.program.scope, self.step.line.scope)
        bound = facts.bindings.get(name, ())
        return any(not isinstance(one, ast.Name) or facts.home(one) in around for one in bound)

    def _free(self, name: str, bound: Set[str] = frozenset()) -> str:
        """The name, or a longer one where a function reads or binds it as something else, or it is bound."""
        functions = [part.function for part in self.frame.within]
        functions += self.step.operation.call.args[:1]
        taken = _OURS.union(bound, *map(other_names, functions))
        while name in taken:
            name += "_"
        return name


def _bound(code: str, star: str) -> str:
    """Code as it stands behind a star, which takes no condition as it is."""
    return f"({code})" if star and not code.isidentifier() else code


def method_of(step: Step) -> str:
    """The method that is called: of a stream, or of an RDD in a callback."""
    function = step.operation.call.func
    return function.attr if isinstance(function, ast.Attribute) else step.operation.operator
