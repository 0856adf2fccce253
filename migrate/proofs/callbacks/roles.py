"""Callbacks: functions that get the RDD of each batch. Their parameters, and their names for RDDs."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import field
from itertools import chain, pairwise
from typing import TypeGuard

from migrate.cached import cached_property
from migrate.frozen import dataclass, replace
from migrate.knowledge import rdd
from migrate.proofs.analysis.aliases import arguments_of, parameter_of
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import LEAVES, around, children, code_of, end_of, of_kinds, position, walk
from migrate.syntax.tree import declared_among, parameter_names
from migrate.trace.taken import EVERYTHING

FunctionNode = ast.Lambda | ast.FunctionDef
_FUNCTIONS = frozenset({ast.Lambda, ast.FunctionDef})
_COMPREHENSIONS = frozenset({ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp})
OWN_PARAMETER = "the callback assigns to its own parameter"


class NotTheSame(Exception):  # noqa: N818  (it is an answer, not a failure)
    """A callback may do something else with the batches of Structured Streaming; the text says why."""


@dataclass
class Callback:
    """A function that is called with the RDD of each batch."""

    node: FunctionNode
    rdd: str
    """The parameter that is the RDD."""
    time: str | None
    """The parameter that is the batch time."""
    rdds: set[str] = field(default_factory=set)
    """Local names that are RDDs."""
    bound: bool = False
    """Whether its first parameter is the object that it is a method of."""

    given: dict[str, ast.expr] = field(default_factory=dict)
    """What the one call that hands the RDD on gives to its parameters."""
    shared: set[str] = field(default_factory=set)
    """Parameters beside the RDD that hold objects of outside."""
    repeated: bool = False
    """Whether its RDD may have elements without input, as a running state has."""
    rebound: bool = False
    """Whether it gives the parameter that is the RDD other RDDs made of it."""
    of_models: set[ast.AST] = field(default_factory=set)
    """Calls of MLlib's models that make an RDD of another one."""
    elements: set[str] = field(default_factory=set)
    """Parameters that hold elements of the RDD, and nothing without input."""
    with_rows: bool = False
    """Whether it is called for batches with rows only."""
    idle: set[ast.AST] = field(default_factory=set)
    """Calls that give None without input: ``make_frame(rdd)``."""
    unordered: str = ""
    """Why its effect depends on the order of elements, and on nothing else."""
    reducing: list[ast.Call] = field(default_factory=list)
    """The calls whose results depend on that order."""
    shuffled: bool = False
    """Whether one of them is given elements in another order than the callback."""
    per_partition: frozenset[str] = frozenset()
    """Notes on what functions of ``foreachPartition`` do once per partition."""
    acts_without_rows: bool = False
    """Whether it does something that counts for a batch without rows, too."""
    frames: list[ast.Attribute] = field(default_factory=list)
    """The references to `toDF` of RDDs, also in functions that the RDD is passed to."""

    @property
    def body(self) -> list[ast.AST]:
        """The statements, or the one expression."""
        return [self.node.body] if isinstance(self.node, ast.Lambda) else list(self.node.body)

    def reads(self, name: str) -> Iterator[ast.Name]:
        """The reads of a parameter in the body, without one of that name in a function inside."""
        for node in self._loads.get(name, ()):
            if not self._has_ended(name, node):
                yield node

    @cached_property
    def _loads(self) -> dict[str, list[ast.Name]]:
        """The reads in the body, by their names, without those of a name that is one of a function inside."""
        found: dict[str, list[ast.Name]] = {}
        pending: list[tuple[ast.AST, Set[str]]] = [(node, frozenset()) for node in self.body]
        while pending:
            node, hidden = pending.pop()
            if node in self._inner:
                hidden = hidden | self._inner[node]
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load) and node.id not in hidden:
                    found.setdefault(node.id, []).append(node)
            elif type(node) not in LEAVES:
                pending += [(child, hidden) for child in children(node)]
        return found

    def rdds_at(self, node: ast.AST) -> set[str]:
        """The local names that are RDDs where a node stands."""
        return self.rdds - self.hidden_at(node)

    def binds(self, name: str) -> bool:
        """Whether a statement of the body binds or deletes a name, in functions inside too."""
        return any(
            isinstance(node, ast.Name)
            and node.id == name
            and not isinstance(node.ctx, ast.Load)
            and name not in self._inner_names(node)
            for node in self.walk()
        )

    def hidden_at(self, node: ast.AST) -> set[str]:
        """The names that are no RDDs where a node stands: of a function inside, or `ended` by then."""
        hidden = {name for name, last in self.ended.items() if node in last.targets}
        hidden |= {name for name in self.ended if self._has_ended(name, node)}
        return hidden | self._inner_names(node)

    def _has_ended(self, name: str, node: ast.AST) -> bool:
        """Whether a name has the result of an action where a node stands."""
        last = self.ended.get(name)
        return last is not None and end_of(last) <= position(node) <= end_of(self._block_of(last)[-1])

    def _block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements that a statement stands among."""
        return next(block for block in self._straight if statement in block)

    @cached_property
    def _straight(self) -> list[list[ast.stmt]]:
        """The body, and the branches in it that run at most once."""
        found = [list(self.node.body)] if isinstance(self.node, ast.FunctionDef) else []
        for block in found:
            for one in block:
                found += [part for part in (one.body, one.orelse) if part] if isinstance(one, ast.If) else []
        return found

    def _inner_names(self, node: ast.AST) -> set[str]:
        """The names of functions and comprehensions inside that a node stands in."""
        names: set[str] = set()
        above: ast.AST | None = node if self._inner else None
        while above is not None:
            names |= self._inner.get(above, set())
            above = self.parents.get(above)
        return names

    @cached_property
    def ended(self) -> dict[str, ast.Assign]:
        """The statements that give names for RDDs what an action of one gives, for the rest of their block.

        total = rdd.map(float)
        total = total.reduce(add)
        """
        found: dict[str, ast.Assign] = {}
        if not any(_takes_result(one) for block in self._straight for one in block):  # as in most callbacks
            return found
        others = (_parameters(self.node) - {self.rdd}) | declared_among(self.walk())
        names = sorted((one for one in self.walk() if isinstance(one, ast.Name)), key=position)
        stores = [node for node in names if not isinstance(node.ctx, ast.Load)]
        stored, number = {node.id: node for node in stores}, Counter(node.id for node in stores)
        for block in self._straight:
            for statement in block:
                match statement:
                    case ast.Assign([ast.Name(name) as target], ast.Call(ast.Attribute(_, method))):
                        had_rdd = name == self.rdd or number[name] > 1
                        later = method in rdd.ON_DRIVER and name not in others and stored[name] is target
                        above = (one for one in self._read_inside if position(one) < position(target))
                        below = (one for one in names if one.id == name and self._may_follow(one, block))
                        if had_rdd and later and all(one.id != name for one in above) and not any(below):
                            found[name] = statement
        return found

    def _may_follow(self, node: ast.AST, block: Sequence[ast.stmt]) -> bool:
        """Whether a node stands behind some statements, and not in a branch that runs instead of them."""
        if position(node) <= end_of(block[-1]):
            return False
        way = [block[0], *around(block[0], self.parents)]
        ifs = ((inside, one) for inside, one in pairwise(way) if isinstance(one, ast.If))
        instead = (one.orelse for inside, one in ifs if one.orelse and inside in one.body)
        return not any(position(part[0]) <= position(node) <= end_of(part[-1]) for part in instead)

    @cached_property
    def _read_inside(self) -> list[ast.Name]:
        """The reads in functions inside, which may be called when a name has another value."""
        inner = (part for node in self.walk() if type(node) in _FUNCTIONS for part in walk(node))
        names = (node for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        return [node for node in names if node.id not in self._inner_names(node)]

    @cached_property
    def _inner(self) -> dict[ast.AST, set[str]]:
        """The bodies of functions and comprehensions inside, and the names that each has of its own."""
        inside = (node for node in self.walk() if type(node) in _FUNCTIONS or type(node) in _COMPREHENSIONS)
        return {part: names for node in inside for part, names in _own_names(node)}

    def only_binding(self, name: str, *, but: ast.AST | None = None) -> ast.Name | None:
        """The only name in the body that binds a local variable, which is no parameter, but for `but`."""
        nodes = self.walk()
        named = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
        stores = [node for node in named if not isinstance(node.ctx, ast.Load) and node is not but]
        outer = declared_among(nodes)
        return stores[0] if len(stores) == 1 and name not in outer | _parameters(self.node) else None

    def made_as(self, read: ast.AST) -> ast.Call | None:
        """The call that a local variable is assigned above where it is read, if nothing else binds it."""
        if not isinstance(read, ast.Name):
            return None
        last = self.ended.get(read.id)
        later = last.targets[0] if last is not None and position(read) < end_of(last) else None
        store = self.only_binding(read.id, but=later)
        made = self.parents.get(store) if store is not None else None
        if not isinstance(made, ast.Assign):
            return None
        above = made.targets == [store] and position(made.value) < position(read)
        return made.value if above and isinstance(made.value, ast.Call) else None

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of every node below those that the body consists of."""
        return {child: node for node in self.walk() for child in children(node)}

    def walk(self) -> list[ast.AST]:
        """All nodes of the body."""
        return self._nodes

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(chain.from_iterable(map(walk, self.body)))


def _takes_result(statement: ast.AST) -> bool:
    """Whether a statement gives a variable the result of an action: ``total = rdd.count()``."""
    match statement:
        case ast.Assign([ast.Name()], ast.Call(ast.Attribute(_, method))):
            return method in rdd.ON_DRIVER
    return False


def _parameters(function: FunctionNode) -> set[str]:
    """The names of all parameters."""
    return {node.arg for node in walk(function.args) if isinstance(node, ast.arg)}


def _own_names(node: ast.AST) -> Iterator[tuple[ast.AST, set[str]]]:
    """The parts of a function or comprehension in which its own names hide those of outside."""
    if isinstance(node, FunctionNode):
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        names = _parameters(node)
        yield from ((part, names) for part in body)
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        first = node.generators[0]
        targets = [name for made in node.generators for name in walk(made.target)]
        names = {name.id for name in targets if isinstance(name, ast.Name)}
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        yield from ((part, names) for part in (*made, first.target, *first.ifs, *node.generators[1:]))


@dataclass(frozen=True)
class Given:
    """A callback as the program gives it to an operator."""

    node: FunctionNode
    name: str | None
    """Its name; None for a lambda that is written in place."""
    bound: bool = False
    editable: bool = False
    """Whether its code may be changed: it is a function of this file, and nothing else uses it."""
    variable: ast.stmt | None = None
    """The assignment of a lambda that nothing but the operator reads: the lambda may stand in its place."""

    def callback(self) -> Callback:
        """The roles of its parameters.

        Raises:
            NotTheSame: PySpark would not call it with an RDD, or not only.
        """
        return callback_of(self.node, bound=self.bound)


def given(node: ast.expr, facts: Facts) -> Given | None:
    """The function that an operator is given; None where that is not certain."""
    if isinstance(node, ast.Lambda):
        return Given(node, None, editable=True)
    name = code_of(node)
    called = called_function(node, facts)
    if called is not None:
        return Given(called.node, name, called.bound, is_used_only_by([node], called.node, facts))
    binding = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
    value = facts.value_of(binding)
    if isinstance(node, ast.Name) and isinstance(value, ast.Lambda | ast.Name | ast.Attribute):
        named = given(value, facts)
        alone = facts.loads[node.id] == [node] and not _is_taken(node.id, facts)
        if isinstance(value, ast.Lambda) and alone and _is_beside(value, node, facts):
            return Given(value, name, editable=True, variable=facts.statement_of(value))
        is_named = named is not None and not isinstance(value, ast.Lambda)
        return replace(named, name=name, editable=is_named and named.editable and alone) if named else None
    made = made_by(value, facts) if isinstance(value, ast.Call) else None
    return Given(made, name) if made is not None else None


def _is_beside(value: ast.expr, node: ast.expr, facts: Facts) -> bool:
    """Whether the assignment of a value stands in the code of the same function as its only reader."""
    tree = facts.program.tree
    return tree.holds(value) and tree.scope_of(value) is tree.scope_of(node)


def _is_taken(name: str, facts: Facts) -> bool:
    """Whether another module may read a variable of this one."""
    trace = facts.trace
    own = [module for module in trace.modules if module.tree is facts.tree]
    return any(trace.taken.of_module(module) & {name, EVERYTHING} for module in own)


def made_by(call: ast.Call, facts: Facts) -> ast.FunctionDef | None:
    """The function that a call makes, of a function that does nothing else: ``save = saver("out")``."""
    outer = called_function(call.func, facts)
    if outer is None or outer.bound or outer.node.decorator_list:
        return None
    match [one for one in outer.node.body if not is_documentation(one)]:
        case [ast.FunctionDef(name=name, decorator_list=[]) as inner, ast.Return(ast.Name(returned))]:
            return inner if name == returned else None
    return None


def is_documentation(statement: ast.stmt) -> bool:
    """Whether a statement is a text alone."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


@dataclass(frozen=True)
class Forwarded:
    """A function that code hands the RDD on to: ``lambda rdd: save(rdd, "counts")``."""

    callback: Callback
    read: ast.Name
    """The RDD where it is handed on."""
    asked: tuple[ast.Name, ...] = ()
    """The RDD where a condition of that asks whether it has elements."""


def given_callback(function: ast.expr, facts: Facts) -> Callback | None:
    """The callback that an output is given; None if it is not known, or has no place on other batches."""
    called = given(function, facts)
    try:
        return called.callback() if called is not None else None
    except NotTheSame:
        return None


def forwarded(callback: Callback, facts: Facts, shared: FunctionNode | None = None) -> Forwarded | None:
    """The function that a lambda only hands its RDD on to; None if its code may not be changed.

    Args:
        callback: the lambda.
        facts: the names of its module.
        shared: a function whose code may be changed although more than the lambda uses it.
    """
    call = callback.node.body
    reads = list(callback.reads(callback.rdd))
    if not isinstance(call, ast.Call) or len(reads) != 1:
        return None
    return handed_on(call, reads[0], facts, shared)


def forwarded_on_condition(
    callback: Callback, facts: Facts, shared: FunctionNode | None = None
) -> Forwarded | None:
    """The function that a lambda hands its RDD on to if that has elements, or if it has none.

    ``lambda rdd: show_nothing() if rdd.isEmpty() else show(rdd)``

    Args:
        callback: the lambda.
        facts: the names of its module.
        shared: a function whose code may be changed although more than the lambda uses it.
    """
    body = callback.node.body
    if not isinstance(body, ast.IfExp):
        return None
    reads = list(callback.reads(callback.rdd))
    for branch in (body.body, body.orelse):
        inside = {*walk(branch)}
        own = [read for read in reads if read in inside]
        asked = [read for read in reads if read in {*walk(body.test)}]
        if not isinstance(branch, ast.Call) or len(own) != 1 or len(asked) != len(reads) - 1:
            continue
        handed = handed_on(branch, own[0], facts, shared)
        if handed is not None and all(_asks_for_rows(read, callback) for read in asked):
            return replace(handed, asked=tuple(asked))
    return None


def _asks_for_rows(read: ast.Name, callback: Callback) -> bool:
    """Whether an RDD is read for ``rdd.isEmpty()`` or ``rdd.count()``, which DataFrames have too."""
    method = callback.parents.get(read)
    call = callback.parents.get(method) if method is not None else None
    asks = isinstance(method, ast.Attribute) and method.attr in ("isEmpty", "count")
    return asks and isinstance(call, ast.Call) and call.func is method and not (call.args or call.keywords)


def handed_on(
    call: ast.Call, read: ast.Name, facts: Facts, shared: FunctionNode | None = None
) -> Forwarded | None:
    """The function that a call hands an RDD on to; None if its code may not be changed.

    Args:
        call: the call.
        read: the RDD, as an argument of it.
        facts: the names of its module.
        shared: a function whose code may be changed although other code uses it.
    """
    called = given(call.func, facts)
    if called is None or isinstance(called.node, ast.Lambda):
        return None
    if not called.editable and called.node is not shared:
        return None
    names = parameter_names(called.node)[called.bound :]
    name = parameter_of(read, call, names)
    if name is None:
        return None
    callback = taker_of(called.node, name, bound=called.bound)
    callback.given = dict(arguments_of(call, names))
    return Forwarded(callback, read)


def is_used_only_by(uses: Sequence[ast.expr], function: ast.FunctionDef, facts: Facts) -> bool:
    """Whether a function is named by these expressions of this module alone, and by no other module.

    One of another module is the graph's if that is.
    """
    node = uses[0]
    home = facts.of(function)
    if home is not facts:
        return _is_imported_only_for(uses, function, facts, home)
    taken = facts.trace.taken
    for module in facts.trace.modules:
        if module.tree is facts.tree:
            names = taken.of_module(module)
            if names & {function.name, EVERYTHING}:
                return False
            if isinstance(node, ast.Attribute) and taken.attribute_elsewhere(
                function.name, [module.relative]
            ):
                return False
    if isinstance(node, ast.Name):
        return facts.only_binding(node.id) is function and set(facts.loads[node.id]) <= set(uses)
    named = [other for other in of_kinds(facts.tree, ast.Attribute) if other.attr == function.name]
    return function in facts.above and set(named) <= set(uses)


def _is_imported_only_for(
    uses: Sequence[ast.expr], function: ast.FunctionDef, facts: Facts, home: Facts
) -> bool:
    """The same, of a function that this module imports."""
    modules = {module.tree: module for module in facts.program.modules}
    there, here, name = modules.get(home.tree), modules.get(facts.tree), function.name
    if there is None or here is None or home.only_binding(name) is not function or name in home.loads:
        return False
    taken = facts.trace.taken
    takers = taken.takers_of(there, name) | taken.takers_of(there, EVERYTHING)
    if takers != {here.relative}:
        return False
    node = uses[0]
    if isinstance(node, ast.Name):
        attributes = taken.attributes.get(name, set())
        imported = isinstance(facts.only_binding(node.id), ast.alias)
        return imported and not attributes and set(facts.loads[node.id]) <= set(uses)
    named = [other for other in of_kinds(facts.tree, ast.Attribute) if other.attr == name]
    imports = [alias for alias in of_kinds(facts.tree, ast.alias) if alias.name == name]
    return not imports and set(named) <= set(uses)


def used_elsewhere(called: Given, facts: Facts) -> str:
    """The paths of the other modules that use a function, as its own tests do; empty if there are none.

    That of a function of another module which this one alone uses is empty, too.
    """
    if called.name is None or isinstance(called.node, ast.Lambda):
        return ""
    home, name = facts.of(called.node).tree, called.node.name
    modules = [module for module in facts.trace.modules if module.tree is home]
    takers = {taker for module in modules for taker in facts.trace.taken.takers_of(module, name)}
    own = {module.relative for module in facts.trace.modules if module.tree is facts.tree}
    return ", ".join(sorted(takers - own))


def file_of(called: Given, facts: Facts) -> str:
    """The path of the other module that a function is defined in; empty if it is this one."""
    home = facts.of(called.node).tree
    paths = (module.relative for module in facts.trace.modules if module.tree is home is not facts.tree)
    return next(paths, "")


def callback_of(node: FunctionNode, *, bound: bool = False) -> Callback:
    """The roles of a callback's parameters, by PySpark's rule: one is the RDD, two are the time and the RDD.

    PySpark counts the parameters of a method with its object, so one of an RDD alone fails there.

    Raises:
        NotTheSame: it has another number of parameters, or takes any number.
    """
    every = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    names = every[1:] if bound else every
    given = len(names) - len(node.args.defaults)
    constants = all(isinstance(default, ast.Constant) for default in node.args.defaults)
    if isinstance(node, ast.FunctionDef) and given <= 2 < len(names) and constants:
        names = names[:2]  # PySpark passes no more arguments: the other parameters have their defaults
    if node.args.vararg or node.args.kwarg or len(names) not in (1, 2):
        raise NotTheSame("the callback does not have one or two parameters")
    if bound and len(names) == 1:
        raise NotTheSame("PySpark calls a method with the batch time too, and this one takes the RDD alone")
    callback = Callback(node, names[-1], names[0] if len(names) == 2 else None, {names[-1]}, bound)
    stores = [
        inner
        for inner in callback.walk()
        if isinstance(inner, ast.Name) and inner.id in names and isinstance(inner.ctx, ast.Store)
        if inner.id not in callback.hidden_at(inner)
    ]
    if stores:
        kept = [one.targets[0] for one in callback.walk() if _stays_an_rdd(one, callback.rdd)]
        timed = [store for store in stores if _is_variable(store, callback) and store.id == callback.time]
        if any(store not in kept and store not in timed for store in stores):
            raise NotTheSame(OWN_PARAMETER)
        callback.rebound = len(timed) < len(stores)
    return callback


def taker_of(node: FunctionNode, name: str, *, bound: bool = False) -> Callback:
    """A function that takes an RDD in one of its parameters, of code that has it."""
    return Callback(node, name, None, {name}, bound)


def check_returns_rdd(callback: Callback) -> None:
    """Refuse a callback of ``transform`` whose parameter does not stay an RDD.

    Raises:
        NotTheSame: it does not.
    """
    if callback.rdd in callback.ended:
        raise NotTheSame(OWN_PARAMETER)


def _is_variable(store: ast.Name, callback: Callback) -> bool:
    """Whether a statement assigns to a name alone: ``time = str(time)``."""
    match callback.parents.get(store):
        case ast.Assign([target]):
            return target is store
    return False


def _stays_an_rdd(statement: ast.AST, name: str) -> TypeGuard[ast.Assign]:
    """``rdd = rdd.filter(f)``, ``rdd = sc.emptyRDD()``."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    (target,) = statement.targets
    own = isinstance(target, ast.Name) and target.id == name
    match statement.value:
        case ast.Call(ast.Attribute(attr="emptyRDD" | "parallelize")):
            return own
        case ast.Call():
            return own and is_rdd(statement.value, {name}, rdd.GIVES_RDD)
    return False


def is_rdd(node: ast.AST, names: set[str], methods: frozenset[str] = rdd.RDDS) -> bool:
    """Whether an expression is an RDD made of one of `names`, by `methods` only."""
    node = made_of(node, methods)
    return isinstance(node, ast.Name) and node.id in names


def made_of(node: ast.AST, methods: frozenset[str]) -> ast.AST:
    """What the first of a chain of `methods` is called on: the ``rdd`` of ``rdd.filter(f).map(g)``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods:
        node = node.func.value
    return node


def is_there(node: ast.AST | None) -> bool:
    """``rdd is not None``: whether an expression asks if something is None, as no DataFrame is."""
    match node:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
    return False
