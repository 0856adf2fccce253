"""Expressions of a module that are certainly numbers or texts, in Python 2 and 3."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence
from enum import Enum, auto

from migrate.cached import cached_property
from migrate.knowledge import builtins, functions
from migrate.read.python2.collected import Collected
from migrate.read.python2.columns import is_column
from migrate.read.python2.handed import Handed
from migrate.read.python2.of_spark import given_to_callbacks, results_of_sql
from migrate.read.python2.parts import Variable, is_sum, parts_of_elements
from migrate.read.python2.reaching import given, value_before
from migrate.read.python2.unchanged import only_read
from migrate.syntax.nodes import around, of_kinds, once, parents_of, position, walk


class Kind(Enum):
    """The kind of an expression."""

    INT = auto()
    FLOAT = auto()
    STR = auto()
    TIME = auto()
    """A ``datetime`` or a ``date``."""
    ID = auto()
    """A ``UUID``."""
    ERROR = auto()
    """An exception that a handler caught."""
    FRAME = auto()
    """A DataFrame or an RDD."""
    OPEN = auto()
    """Whatever the other values of a variable are that is about to be looked at."""


_CALLS = {
    **dict.fromkeys(builtins.INTS, Kind.INT),
    **dict.fromkeys(builtins.FLOATS, Kind.FLOAT),
    **dict.fromkeys(builtins.TEXTS, Kind.STR),
    **dict.fromkeys(("hash", "python2_hash"), Kind.INT),
    "round": Kind.FLOAT,
    "python2_str": Kind.STR,
}
FLOORS = frozenset({"math.ceil", "math.floor"})
"""Functions that give a float in Python 2, and an int in Python 3."""
_CLOCKS = frozenset({"time.clock", "time.time", "timeit.default_timer"})
_FRACTIONS = frozenset(
    {"numpy.linalg.norm", "numpy.mean", "numpy.sqrt", "numpy.std", "numpy.var", "scipy.linalg.norm"}
)
"""Functions of numpy that give a fraction, or an array of some, whatever they are given."""
_OF_FRACTIONS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
"""Operators that make no int of a float and whatever else: ``0.0 + x``."""
_ONE_OF = frozenset({"abs", "max", "min"})
"""Builtins that give one of several numbers, or its amount."""
_METHODS = {
    **dict.fromkeys((*functions.FLOATS, "math.ceil", "math.floor"), Kind.FLOAT),
    **dict.fromkeys(functions.TEXTS, Kind.STR),
    **dict.fromkeys(
        (
            f"{owner}.{name}"
            for owner in ("datetime", "datetime.datetime")
            for name in ("fromtimestamp", "now", "strptime", "today", "utcnow", "utcfromtimestamp")
        ),
        Kind.TIME,
    ),
    **dict.fromkeys(
        (f"{owner}.{name}" for owner in ("date", "datetime.date") for name in ("fromtimestamp", "today")),
        Kind.TIME,
    ),
    **dict.fromkeys(("datetime.date", "datetime.datetime"), Kind.TIME),
    **dict.fromkeys(("uuid.UUID", "uuid.uuid1", "uuid.uuid3", "uuid.uuid4", "uuid.uuid5"), Kind.ID),
    "json.dumps": Kind.STR,
    "re.sub": Kind.STR,
}
_RANDOM = frozenset({"random.randint", "random.randrange"})
_OF_ANY = {
    **dict.fromkeys(
        (
            *("capitalize", "isoformat", "lower", "lstrip", "rstrip", "strftime", "strip", "swapcase"),
            *("title", "upper"),
        ),
        Kind.STR,
    ),
    "total_seconds": Kind.FLOAT,
}
"""Methods that give the same kind for whatever has them."""
_OF_TEXTS = frozenset({"format", "join", "replace", "zfill"})
"""Methods of texts that give texts, and that others have, too."""
_KEEPING_TIME = frozenset({"date", "replace", "time"})
_PARTS_OF_TIME = frozenset({"day", "hour", "microsecond", "minute", "month", "second", "year"})
_GROUPS = frozenset({"cube", "groupBy", "groupby", "rollup"})
_SPLITS = frozenset({"rsplit", "split", "splitlines"})
_CONTAINERS = frozenset({"dict", "frozenset", "list", "set", "sorted", "tuple"})
_GIVING_CONTAINERS = frozenset({"asDict", "collectAsMap"})
_DISPLAYS = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Tuple)
_ERROR = ast.Constant(ValueError)  # type: ignore[arg-type]
"""Stands for what a handler catches."""
_BATCH_TIME = ast.parse("datetime.now()", mode="eval").body
"""A value like the time that a callback of a batch gets."""
_RDD = ast.Constant(range)  # type: ignore[arg-type]
"""Stands for the RDD that such a callback gets."""
_STANDING = {_ERROR: Kind.ERROR, _RDD: Kind.FRAME}
_OF_MODULES = frozenset({"__file__", "__name__"})
_TYPES = {bool: Kind.INT, int: Kind.INT, float: Kind.FLOAT, str: Kind.STR}
_NUMBERS = (Kind.INT, Kind.FLOAT)
_IN_FLOATS = frozenset("0123456789.+-einfa")
"""The characters of the texts of floats: ``1e-05``, ``inf``, ``nan``."""
_SHOWN_ALIKE = (Kind.INT, Kind.STR, Kind.TIME, Kind.ID, Kind.ERROR, Kind.FRAME)


_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_OWN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Return, ast.Yield, ast.YieldFrom)


def kinds_of(tree: ast.Module, *, true_division: bool) -> Kinds:
    """The kinds of a module's expressions, read once for each division that ``/`` may be."""
    return once(tree, _of_true_division if true_division else _of_old_division)


def _of_true_division(tree: ast.Module) -> Kinds:
    return Kinds(tree, true_division=True)


def _of_old_division(tree: ast.Module) -> Kinds:
    return Kinds(tree, true_division=False)


class Kinds:
    """The kinds of a module's expressions.

    A name counts for the whole function or lambda that binds it, and for the whole module where none does, or
    where one declares it to be of an outer scope.
    """

    def __init__(self, tree: ast.Module, *, true_division: bool) -> None:
        self.true_division = true_division
        self.bound: dict[str, list[ast.expr | None]] = {}
        """The values that each name is bound to; None for one that is not written out."""
        self._defined = {node.name for node in of_kinds(tree, ast.FunctionDef)}
        self._defined |= {node.name for node in of_kinds(tree, ast.ClassDef)}
        self.called = {node.func for node in of_kinds(tree, ast.Call)}
        self._known: dict[Variable, Kind | None] = {}
        self._pending: set[Variable] = set()
        self._open: set[str] = set()
        """The names that are about to be looked at for a container."""
        self._summed: set[Variable] = set()
        """The variables that are about to be looked at for a fraction."""
        self._above = parents_of(tree)
        self._shared = {name for node in of_kinds(tree, ast.Global) for name in node.names}
        self._shared |= {name for node in of_kinds(tree, ast.Nonlocal) for name in node.names}
        self._values: dict[Variable, list[ast.expr | None]] = {}
        for place, name, value in _bindings(tree):
            self.bound.setdefault(name, []).append(value)
            self._values.setdefault(self._home(place, name), []).append(value)
        self._is_script = _is_script(tree)
        if self._is_script:
            self._values.update(self._handed(tree))
        self._parts = parts_of_elements(tree, self._values, self._variable)
        self._tree = tree
        self._results = frozenset(results_of_sql(tree))
        aliases = of_kinds(tree, ast.alias)
        members = [alias.name for node in of_kinds(tree, ast.ImportFrom) for alias in node.names]
        modules = {alias.name for alias in aliases if alias.asname is None}
        self._adding = {name for name in _names_of_add(tree) if len(self.bound[name]) == 1} | {"operator.add"}
        self._has_random = "random" in modules and "random" not in members
        self._random = {name for name in _names_of_random(tree) if len(self.bound[name]) == 1}
        self._from = dict(_members(tree))
        """The functions that are imported by their names, with their modules': ``math.radians``."""
        self.imported = {(alias.asname or alias.name).split(".")[0] for alias in aliases}
        self.mapping = {function for call in of_kinds(tree, ast.Call) for function in self._mapping(call)}
        """The `str` of ``map(str, [1, 2])``, whose texts are known to be the same."""

    def _handed(self, tree: ast.Module) -> Iterator[tuple[Variable, list[ast.expr | None]]]:
        """The parameters of a script's functions that nothing but calls of the script gives a value."""
        for (function, name), values in Handed(tree).parameters.items():
            own = self._above[function] is tree and len(self.bound[function.name]) == 1
            if own and self._values[function, name] == [None]:
                yield (function, name), [*values]

    def _is_uncalled(self, node: ast.AST) -> bool:
        """Whether code is in a function of a script that nothing names."""
        outer = [one for one in around(node, self._above) if isinstance(one, ast.FunctionDef)]
        if not (self._is_script and outer) or self._above[outer[-1]] is not self._tree:
            return False
        name = outer[-1].name
        named = any(one.id == name for one in of_kinds(self._tree, ast.Name))
        return not (named or outer[-1].decorator_list)

    @cached_property
    def _collected(self) -> Collected:
        """What is collected from the RDDs of streams."""
        return Collected(self._tree, self.values)

    def of(self, node: ast.expr) -> Kind | None:
        """The kind of `node`, or None where it is not certain."""
        if isinstance(node, ast.Constant):
            return _STANDING.get(node) or _TYPES.get(type(node.value))
        if node in self._parts:
            return self._of_part(node)
        if isinstance(node, ast.Name):
            return Kind.STR if node.id in _OF_MODULES else self._of_name(node)
        if isinstance(node, ast.BinOp):
            return self._of_operation(node.op, self.of(node.left), self.of(node.right), node.right)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            return self.of(node.operand)
        if isinstance(node, ast.IfExp):
            return _joined([self.of(node.body), self.of(node.orelse)])
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, ast.Attribute):
            return Kind.INT if node.attr in _PARTS_OF_TIME and self.of(node.value) is Kind.TIME else None
        return self._of_item(node) if isinstance(node, ast.Subscript) else None

    def shows_the_same(self, node: ast.expr) -> bool:
        """Whether `str` gives the same for a value in Python 2 and 3."""
        if isinstance(node, ast.Name) and (collected := self._collected.values(node)):
            return all(map(self.shows_the_same, collected))
        is_empty = isinstance(node, ast.List | ast.Tuple) and not node.elts
        return is_empty or _replaces(node) or self.of(node) in _SHOWN_ALIKE

    def has_no_digits(self, call: ast.Call) -> bool:
        """Whether the digits of a float make no difference to the text that ``str(x)`` gives.

        A container shows its floats with the same ones in Python 2 and 3. What a clock shows has other ones
        in each run, and what nothing calls shows nothing.
        """
        value = call.args[0]
        told = self.shows_the_same(value) or self.is_container(value) or self.is_of_clock(value)
        return told or self.is_searched(call) or self._is_found(value) or self._is_uncalled(call)

    def _is_found(self, node: ast.expr) -> bool:
        """Whether a value was found among texts before: ``if word in ["a", "b"]: return str(word)``."""
        match node:
            case ast.Name(name):
                names = {name}
            case ast.Subscript(ast.Name(name), ast.Name(place)) if only_read(name, self._tree, self._above):
                names = {name, place}
            case _:
                return False
        below: ast.AST = node
        for above in around(node, self._above):
            if isinstance(above, _Function):
                return False
            if isinstance(above, ast.If | ast.IfExp) and below in _positive(above):
                inside = [one for part in _positive(above) for one in walk(part)]
                bound = {one.id for one in inside if isinstance(one, ast.Name) and _stores(one)}
                if not names & bound and any(self._finds(one, node) for one in _conditions(above.test)):
                    return True
            below = above
        return False

    def _finds(self, test: ast.expr, node: ast.expr) -> bool:
        """Whether a test finds a value to be a text that is written out."""
        match test:
            case ast.Compare(found, [ast.Eq()], [text]):
                texts: Sequence[ast.expr | None] = [text]
            case ast.Compare(found, [ast.In()], [ast.List(texts) | ast.Tuple(texts) | ast.Set(texts)]):
                pass
            case ast.Compare(found, [ast.In()], [ast.Name() as several]):
                if (
                    not only_read(several.id, self._tree, self._above)
                    or len(seen := self._seen(several)) != 1
                ):
                    return False
                texts = seen[0].elts if isinstance(seen[0], ast.List | ast.Tuple | ast.Set) else [None]
            case _:
                return False
        same = ast.unparse(found) == ast.unparse(node)
        return same and all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in texts)

    def is_searched(self, call: ast.Call) -> bool:
        """Whether a text is only searched for what that of no float has: ``"," in str(x)``."""
        match self._above.get(call):
            case ast.Compare(ast.Constant(str(part)), [ast.In() | ast.NotIn()], [text]) if text is call:
                return not set(part) <= _IN_FLOATS and not self._is_type(call.args[0])
        return False

    def _is_type(self, node: ast.expr) -> bool:
        """Whether a value is known to be a type, which Python 3 calls a class: ``str(type(x))``."""
        match node:
            case ast.Call(ast.Name("type")) | ast.Attribute(attr="__class__"):
                return True
            case ast.Name():
                held = [value for value in self.values(node) if not isinstance(value, ast.Name | None)]
                return any(map(self._is_type, held))
        return False

    def is_no_int(self, node: ast.expr) -> bool:
        """Whether a value is a fraction, a column, or a text, of which no Python can divide anything."""
        match self._parts.get(node, node):
            case ast.IfExp(_, one, other):
                return self.is_no_int(one) and self.is_no_int(other)
        known = self.of(node) is Kind.STR or self._is_fraction(node)
        return known or is_column(node, self._seen, self.qualified)

    def _is_fraction(self, node: ast.expr) -> bool:
        """Whether a value is made of a float, so that it is one, or an array of some, and never an int.

        A variable that begins as 0.0 and is only added to stays one, whatever is added.
        """
        match node:
            case ast.BinOp(left, operator, right) if isinstance(operator, _OF_FRACTIONS):
                return self._is_fraction(left) or self._is_fraction(right)
            case ast.Name():
                return self._holds_fractions(node)
            case ast.Call(ast.Name() | ast.Attribute() as function) if self.qualified(function) in _FRACTIONS:
                return True
        return self.of(node) is Kind.FLOAT

    def _holds_fractions(self, name: ast.Name) -> bool:
        """Whether all values that a variable is bound to are such, if it holds one before each of them."""
        variable = self._variable(name)
        if variable in self._summed:
            return True
        self._summed.add(variable)
        held = [value is not None and self._is_fraction(value) for value in self._seen(name)]
        self._summed.discard(variable)
        return bool(held) and all(held)

    def is_of_clock(self, node: ast.expr) -> bool:
        """Whether a number is computed from what a clock shows: ``time.time() * 1000``."""
        match node:
            case ast.BinOp(left, _, right):
                return self.is_of_clock(left) or self.is_of_clock(right)
            case ast.Name() if node.id not in self._open:
                self._open.add(node.id)
                held = [value is not None and self.is_of_clock(value) for value in self._seen(node)]
                self._open.discard(node.id)
                return bool(held) and all(held)
            case ast.Call(ast.Name() | ast.Attribute() as function, [], []):
                return self.qualified(function) in _CLOCKS
        return False

    def qualified(self, function: ast.Name | ast.Attribute) -> str:
        """The qualified name of a function of an imported module: ``math.floor``; empty for any other."""
        match function:
            case ast.Name(name) if name not in self.bound and self._from.get("*"):
                return self._from["*"].replace("*", name)
            case ast.Name(name) if len(self.bound.get(name, ())) == 1:
                return self._from.get(name, "")
            case ast.Attribute(ast.Name(module), name) if module in self.imported:
                return f"{self._from.get(module, module)}.{name}"
            case ast.Attribute(ast.Attribute() as module, name) if whole := self.qualified(module):
                return f"{whole}.{name}"
        return ""

    def is_ascii(self, node: ast.expr) -> bool:
        """Whether a text is plain ASCII for certain: ``str(count) + "\\n"``."""
        match node:
            case ast.Constant(str(text)):
                return text.isascii()
            case ast.Call(ast.Name("str"), [value], []) if "str" not in self.bound:
                return self.of(value) in _NUMBERS or self.is_ascii(value)
            case ast.Call(ast.Attribute(ast.Name("json"), "dumps"), [_], []):
                return True
            case ast.BinOp(left, ast.Add(), right):
                return self.is_ascii(left) and self.is_ascii(right)
            case ast.BinOp(left, ast.Mod(), ast.Tuple(items)):
                return self.is_ascii(left) and all(self._is_ascii_in(one) for one in items)
            case ast.BinOp(left, ast.Mod(), right):
                return self.is_ascii(left) and self._is_ascii_in(right)
            case ast.Name() if node.id not in self._open:
                self._open.add(node.id)
                held = [value is not None and self.is_ascii(value) for value in self._seen(node)]
                self._open.discard(node.id)
                return bool(held) and all(held)
        return False

    def _is_ascii_in(self, node: ast.expr) -> bool:
        """Whether a value is written in ASCII alone in a text."""
        return self.of(node) in _NUMBERS or self.is_ascii(node)

    def is_container(self, node: ast.expr) -> bool:
        """Whether a value is a dict, list, set or tuple, or a number beside these: ``row.asDict()``."""
        if isinstance(node, ast.Name) and (collected := self._collected.values(node)):
            return all(self.is_container(one) or self.shows_the_same(one) for one in collected)
        match node:
            case ast.Call(ast.Name(name)) if name not in self.bound:
                return name in _CONTAINERS
            case ast.Call(ast.Attribute(_, name)) if name not in self.bound:
                return name in _GIVING_CONTAINERS
            case ast.Name() if node.id not in self._open:
                self._open.add(node.id)
                held = [value is not None and self.is_container(value) for value in self._seen(node)]
                self._open.discard(node.id)
                return bool(held) and all(held)
        return isinstance(node, _DISPLAYS)

    def _mapping(self, call: ast.Call) -> Iterator[ast.Name]:
        match call:
            case ast.Call(ast.Name("map"), [ast.Name("str") as function, ast.List(items)], []):
                if items and all(map(self.shows_the_same, items)):
                    yield function

    def _of_part(self, node: ast.expr) -> Kind | None:
        """An element that the function before made, or a part of one."""
        part = self._parts.pop(node)  # it may be made of itself
        kind = self.of(part)
        self._parts[node] = part
        return kind

    def _of_item(self, node: ast.Subscript) -> Kind | None:
        """An item of a list of texts, or a part of a text."""
        whole = node.value
        if self.of(whole) is Kind.STR:
            return Kind.STR
        if isinstance(node.slice, ast.Slice):
            return None
        if isinstance(whole, ast.Name) and only_read(whole.id, self._tree, self._above):
            seen = self._seen(whole)
            return Kind.STR if seen and all(map(self._splits, seen)) else None
        given = self._splits(whole) or ast.unparse(whole) in ("sys.argv", "os.environ")
        return Kind.STR if given else None

    def _splits(self, node: ast.expr | None) -> bool:
        """Whether a call gives a list of texts: ``line.split(",")``, ``re.split(r"\\W+", line)``."""
        if not isinstance(node, ast.Call):
            return False
        if (pattern := self._pattern_of_split(node)) is not None:
            # what groups match would be in it as well, and None for those that match nothing
            return isinstance(pattern, ast.Constant) and "(" not in str(pattern.value)
        if not isinstance(node.func, ast.Attribute):
            return False
        plain = all(self.of(value) in (Kind.STR, Kind.INT) for value in node.args)
        return node.func.attr in _SPLITS and plain and not node.keywords and self._is_of_value(node.func)

    def _pattern_of_split(self, call: ast.Call) -> ast.expr | None:
        """The pattern of ``re.split(pattern, text)`` and ``re.compile(pattern).split(text)``."""
        compiled = call.func.value if isinstance(call.func, ast.Attribute) else None
        if isinstance(compiled, ast.Name) and len(seen := self._seen(compiled)) == 1:
            compiled = seen[0]
        match call:
            case ast.Call(ast.Attribute(_, "split"), [_], []) if isinstance(compiled, ast.Call):
                match compiled:
                    case ast.Call(function, [pattern, *_], []):
                        name = "re.compile"
                    case _:
                        return None
            case ast.Call(function, [pattern, _], keywords) if {one.arg for one in keywords} <= {"flags"}:
                name = "re.split"
            case _:
                return None
        known = isinstance(function, ast.Name | ast.Attribute) and self.qualified(function) == name
        return pattern if known else None

    def _is_of_value(self, method: ast.Attribute) -> bool:
        """Whether a method is of a single value: not a function of a module, nor one of pandas' ``.str``."""
        owner = method.value
        if isinstance(owner, ast.Name) and owner.id in self.imported:
            return False
        of_pandas = isinstance(owner, ast.Attribute) and owner.attr == "str"
        return not of_pandas and method.attr not in self.bound

    def values(self, name: ast.Name) -> list[ast.expr | None]:
        """The values that a variable is bound to; None for one that is not written out."""
        return self._values.get(self._variable(name), [])

    def _seen(self, name: ast.Name) -> list[ast.expr | None]:
        """Those of them that a read of it can see."""
        reaching = self._reaching(name)
        return self.values(name) if reaching is None else [reaching]

    def _home(self, place: ast.AST, name: str) -> Variable:
        """The variable that a name is which some code binds."""
        below, step = place, self._above.get(place)
        while step is not None and not isinstance(step, _Function):
            if isinstance(step, ast.arguments) and not isinstance(below, ast.arg):
                step = self._above[step]  # a default is evaluated outside of the function
            below, step = step, self._above.get(step)
        return (None if name in self._shared else step), name

    def _variable(self, name: ast.Name) -> Variable:
        """The variable that a name is: that of the innermost function around which binds it."""
        variable = self._home(name, name.id)
        while variable[0] is not None and variable not in self._values:
            variable = self._home(variable[0], name.id)
        return variable

    def _of_name(self, name: ast.Name) -> Kind | None:
        variable = self._variable(name)
        if variable in self._pending:
            return Kind.OPEN
        if variable in self._known:
            kind = self._known[variable]
        else:
            self._pending.add(variable)
            values = self._values.get(variable, [None])
            # a text stays one, whatever is added to it
            first = [value for value in values if not self._goes_on(value, variable)]
            whole = _joined([self.of(value) if value is not None else None for value in first])
            rest = [value for value in values if value not in first] if whole is not Kind.STR else []
            kind = _joined([whole, *(self.of(value) for value in rest if value is not None)])
            self._pending.discard(variable)
            if not self._pending:  # else another name is half known
                kind = self._known[variable] = None if kind is Kind.OPEN else kind
        if kind is None and (value := self._bound_before(name, variable) or self._reaching(name)) is not None:
            self._pending.add(variable)
            kind = self.of(value)
            self._pending.discard(variable)
            return None if kind is Kind.OPEN and not self._pending else kind
        return kind

    def _goes_on(self, value: ast.expr | None, variable: Variable) -> bool:
        """Whether a value of a variable begins with the one before: ``text = text + line + "\\n"``."""
        while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            value = value.left
            if isinstance(value, ast.Name) and self._variable(value) == variable:
                return True
        return False

    def _reaching(self, name: ast.Name) -> ast.expr | None:
        """The only value that a read of a variable with several can see."""
        several = len(self.values(name)) > 1 and name.id not in self._shared
        return value_before(name, self._above) if several else None

    def _bound_before(self, name: ast.Name, variable: Variable) -> ast.expr | None:
        """The value that a function's own statements bind a parameter to, before some code of it reads it.

        ``a, b = map(radians, [a, b])``.
        """
        function, values = variable[0], self._values.get(variable, [])
        known = [value for value in values if value is not None]
        if not isinstance(function, ast.FunctionDef) or len(values) != 2 or len(known) != 1:
            return None
        if variable[1] not in {one.arg for one in function.args.args}:
            return None
        places = {position(one.value): one for one in function.body if isinstance(one, ast.Assign)}
        bound = places.get(position(known[0]))
        return known[0] if bound is not None and (bound.end_lineno or 0) < name.lineno else None

    def _of_operation(
        self, operator: ast.operator, left: Kind | None, right: Kind | None, node: ast.expr
    ) -> Kind | None:
        if isinstance(operator, ast.Mod) and left is Kind.STR:
            return Kind.STR
        if isinstance(operator, ast.Div) and self.true_division:
            return Kind.FLOAT if left in _NUMBERS and right in _NUMBERS else None
        if isinstance(operator, ast.Pow) and not isinstance(node, ast.Constant):
            return None
        if isinstance(operator, ast.Mult) and {left, right} == {Kind.STR, Kind.INT}:
            return Kind.STR
        kinds = {kind for kind in (left, right) if kind is not Kind.OPEN}
        if kinds <= {Kind.INT}:
            return Kind.INT if kinds else Kind.OPEN
        if Kind.FLOAT in kinds and kinds <= set(_NUMBERS):
            return Kind.FLOAT
        # what can be added to a text is one
        return Kind.STR if Kind.STR in kinds <= {Kind.STR, None} and isinstance(operator, ast.Add) else None

    def _of_call(self, node: ast.Call) -> Kind | None:
        if node in self._results:
            return Kind.FRAME
        if isinstance(node.func, ast.Name) and node.func.id in self._random:
            return Kind.INT
        if isinstance(node.func, ast.Name) and node.func.id not in self.bound:
            return self._of_builtin(node.func.id, node)
        if (
            isinstance(node.func, ast.Name)
            and node.func.id in self._from
            and len(self.bound[node.func.id]) == 1
        ):
            return _METHODS.get(self._from[node.func.id])
        if (function := self._function(node.func)) is not None:
            return self._of_result(function)
        if isinstance(node.func, ast.Attribute):
            name, owner = node.func.attr, node.func.value
            if name == "count" and "count" not in self._defined:
                return Kind.INT
            if name in _OF_TEXTS and self.of(owner) is Kind.STR:
                return Kind.STR
            if name in _KEEPING_TIME and self.of(owner) is Kind.TIME:
                return Kind.TIME
            if name in _OF_ANY and self._is_of_value(node.func):
                return _OF_ANY[name]
            if name == "reduce":
                return self._of_reduction(owner, node.args)
            whole = ast.unparse(node.func)
            return Kind.INT if whole in _RANDOM and self._has_random else _METHODS.get(whole)
        return None

    def _function(self, called: ast.expr) -> ast.FunctionDef | None:
        """The function of the module, or the method of `self`, that is called, if only one has its name."""
        match called:
            case ast.Name(name) | ast.Attribute(ast.Name("self"), name):
                found = [one for one in of_kinds(self._tree, ast.FunctionDef) if one.name == name]
                attributes = (node for node in of_kinds(self._tree, ast.Attribute) if node.attr == name)
                only = len(found) == len(self.bound.get(name, ())) == 1
                only = only and all(isinstance(node.ctx, ast.Load) for node in attributes)
                return found[0] if only and not found[0].decorator_list else None
        return None

    def _of_result(self, function: ast.FunctionDef) -> Kind | None:
        """The kind of what a function returns, if all its returns have it and it comes to no other end."""
        variable = (function, "return")
        if variable in self._pending:
            return Kind.OPEN
        own = [node for node in walk(function) if isinstance(node, _OWN)]
        inner = any(node is not function and not isinstance(node, ast.Return) for node in own)
        if inner or not _returns(function.body):
            return None
        self._pending.add(variable)
        returned = [node.value for node in own if isinstance(node, ast.Return)]
        kind = _joined([self.of(value) if value is not None else None for value in returned])
        self._pending.discard(variable)
        return None if kind is Kind.OPEN and not self._pending else kind

    def _of_reduction(self, owner: ast.expr, functions: Sequence[ast.expr]) -> Kind | None:
        """The sum of what a function makes of elements: ``rdd.map(lambda x: x.strip()).reduce(add)``."""
        if isinstance(owner, ast.Name) and len(seen := self._seen(owner)) == 1:
            owner = seen[0] or owner
        match owner, functions:
            case ast.Call(ast.Attribute(_, "map"), [ast.Lambda(_, made)], []), [function]:
                sums = ast.unparse(function) in self._adding or is_sum(function)
                kind = self.of(made)
                return kind if sums and kind in (Kind.STR, *_NUMBERS) else None
        return None

    def _of_builtin(self, name: str, node: ast.Call) -> Kind | None:
        given = [self.of(value) for value in node.args]
        if name in _ONE_OF and not node.keywords and set(given) in ({Kind.INT}, {Kind.FLOAT}):
            return given[0]
        match node.args:
            case [ast.GeneratorExp(element) | ast.ListComp(element)] if name == "sum":
                return Kind.INT if self.of(element) is Kind.INT else None
        return _CALLS.get(name)


def _is_script(tree: ast.Module) -> bool:
    """Whether a module runs streams by itself, and is no library of others."""
    makes = any(node.id == "StreamingContext" for node in of_kinds(tree, ast.Name))
    waits = any(node.attr.startswith("awaitTermination") for node in of_kinds(tree, ast.Attribute))
    functions = {node.name for node in of_kinds(tree, ast.FunctionDef)}
    return makes and waits and any(_runs(one, functions) for one in tree.body)


def _runs(statement: ast.stmt, functions: Container[str]) -> bool:
    """``ssc.start()``, ``main()`` and ``if __name__ == "__main__": main()`` at the top of a module."""
    match statement:
        case ast.If(ast.Compare(ast.Name("__name__"))):
            return True
        case ast.Expr(ast.Call(ast.Name(name))):
            return name in functions
        case ast.Expr(ast.Call(ast.Attribute(_, name))):
            return name == "start"
    return False


def _names_of_add(tree: ast.Module) -> Iterator[str]:
    """The names that ``from operator import add`` binds."""
    for node in of_kinds(tree, ast.ImportFrom):
        if node.module == "operator":
            yield from (alias.asname or alias.name for alias in node.names if alias.name == "add")


def _members(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that ``from math import radians`` or ``import numpy as np`` binds, and the qualified ones."""
    for whole in of_kinds(tree, ast.Import):
        yield from ((alias.asname, alias.name) for alias in whole.names if alias.asname)
    for node in of_kinds(tree, ast.ImportFrom):
        if node.module and not node.level:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _names_of_random(tree: ast.Module) -> Iterator[str]:
    """The names that ``from random import randint`` binds."""
    for node in of_kinds(tree, ast.ImportFrom):
        if node.module == "random":
            whole = [alias for alias in node.names if f"random.{alias.name}" in _RANDOM]
            yield from (alias.asname or alias.name for alias in whole)


def _returns(block: Sequence[ast.stmt]) -> bool:
    """Whether no path through a block gets to its end."""
    match block[-1]:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(_, body, others):
            return bool(others) and _returns(body) and _returns(others)
        case ast.With(_, body):
            return _returns(body)
    return False


def _positive(test: ast.If | ast.IfExp) -> Sequence[ast.AST]:
    """What is done where a condition holds."""
    return test.body if isinstance(test, ast.If) else [test.body]


def _conditions(test: ast.expr) -> Sequence[ast.expr]:
    """The conditions that all hold where a test does."""
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _stores(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)


def _replaces(node: ast.expr) -> bool:
    """Whether a value is ``x.replace("a", "b")``, of a text or a DataFrame."""
    match node:
        case ast.Call(ast.Attribute(_, "replace"), [ast.Constant(str()), ast.Constant(str())], []):
            return True
    return False


def _joined(kinds: Sequence[Kind | None]) -> Kind | None:
    found = {kind for kind in kinds if kind is not Kind.OPEN}
    if not found:
        return Kind.OPEN
    return found.pop() if len(found) == 1 else None


def _bindings(tree: ast.Module) -> Iterator[tuple[ast.AST, str, ast.expr | None]]:
    """Where each name is bound, with its value where that is an expression for it alone."""
    plain: set[ast.AST] = set()
    known: dict[ast.arg, ast.expr] = dict.fromkeys(_counts(tree), ast.Constant(0))
    for time, rdd in given_to_callbacks(tree):
        known |= {rdd: _RDD} if time is None else {time: _BATCH_TIME, rdd: _RDD}
    for node in walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                known_items = dict(given(target, node.value))
                for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if isinstance(one, ast.Name) and one.id in known_items:
                        plain.add(one)
                        yield one, one.id, known_items[one.id]
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            plain.add(node.target)
            made = ast.BinOp(node.target, node.op, node.value)
            yield node.target, node.target.id, ast.copy_location(made, node)
        elif isinstance(node, ast.For | ast.comprehension):
            counter = _counter(node)
            if counter is not None:
                plain.add(counter)
                yield counter, counter.id, ast.Constant(0)
    for node in walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in plain:
            yield node, node.id, None
        elif isinstance(node, ast.arg):
            yield node, node.arg, known.get(node)
        elif isinstance(node, ast.alias):
            yield node, (node.asname or node.name).split(".")[0], None
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node, node.name, None
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node, node.name, _ERROR


def _counter(loop: ast.For | ast.comprehension) -> ast.Name | None:
    """The variable of a loop that is a whole number: ``for i in range(3)``, ``for i, x in enumerate(y)``."""
    match loop.target, loop.iter:
        case ast.Name() as name, ast.Call(ast.Name("range")):
            return name
        case ast.Tuple([ast.Name() as name, _]), ast.Call(ast.Name("enumerate"), [_], []):
            return name
    return None


def _counts(tree: ast.Module) -> Iterator[ast.arg]:
    """The parameters for a number of elements: that of ``lambda n`` in ``lines.count().map(lambda n: n)``."""
    counted = {
        target.id
        for node in of_kinds(tree, ast.Assign)
        if _is_count(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    stored = [node.id for node in of_kinds(tree, ast.Name) if isinstance(node.ctx, ast.Store)]
    if any(node.attr in _GROUPS for node in of_kinds(tree, ast.Attribute)):
        return  # a DataFrame of counts had `map` in Spark 1, and its rows are no numbers
    for call in of_kinds(tree, ast.Call):
        match call:
            case ast.Call(ast.Attribute(owner, "map" | "filter" | "flatMap"), [ast.Lambda() as function]):
                is_name = isinstance(owner, ast.Name) and owner.id in counted and stored.count(owner.id) == 1
                if (is_name or _is_count(owner)) and len(function.args.args) == 1:
                    yield function.args.args[0]


def _is_count(node: ast.expr) -> bool:
    """Whether an expression counts the elements of each batch, or of a window."""
    match node:
        case ast.Call(ast.Attribute(_, "count"), []) | ast.Call(ast.Attribute(_, "countByWindow")):
            return True
    return False
