"""Files in memory, ``StringIO.StringIO(x)``: in Python 2 of texts or bytes, in Python 3 of one of them.

What is given bytes, or is handed to a function that reads or writes them, is an ``io.BytesIO``: an image that
is saved, a compressed file. Where it cannot be told, or what such a file holds goes where a text may be
meant, the place is one of `migrate.read.python2.limits`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.read.python2.encoding import GIVING_BYTES
from migrate.read.python2.kinds import Kind, kinds_of
from migrate.read.python2.sending import MAKING_BYTES
from migrate.syntax.nodes import of_kinds, parents_of
from migrate.syntax.text import Edit, Text

LIMIT = (
    "`{}` holds texts or bytes in Python 2, and it is not known which: write `io.StringIO` or `io.BytesIO`"
)
READ = "`{}` is bytes in Python 3: decode it, if a text is meant"
WRITTEN = "`{}` is written to a file of bytes: encode it, if it is a text"
_OF_2 = re.compile(r"^\s*(?:from\s+c?StringIO\s+import\b|import\s[^\n]*\bc?StringIO\b)", re.MULTILINE)
_TEXT, _BYTES, _UNKNOWN = "StringIO", "BytesIO", ""
"""The classes of `io`, by what a file holds; nothing where that cannot be told."""
_EITHER = "StringIO or BytesIO"
"""What a function says that reads both: ``json.load(f)``."""
_MAKING = MAKING_BYTES - {"getvalue", "read"} | {"content", "decompress", "urlopen"}
"""Names of what gives bytes, in a module that has such."""
_OF_MODULES = frozenset({"marshal.dumps", "msgpack.dumps", "pickle.dumps", "struct.pack"})
_OPENING = frozenset(
    {
        *("BZ2File", "BinaryDecoder", "BinaryEncoder", "DataFileReader", "DataFileWriter", "GzipFile"),
        *("PdfFileReader", "Pickler", "Unpickler", "ZipFile", "imread", "imsave", "is_zipfile", "save"),
        *("savefig", "savez", "savez_compressed", "schemaless_reader", "schemaless_writer"),
        *("download_fileobj", "upload_fileobj"),
    }
)
"""Functions and methods that read bytes from a file or write them."""
_BY_OWNER = frozenset(
    {
        *("Image.open", "PIL.Image.open", "joblib.dump", "joblib.load", "np.load", "numpy.load"),
        *("pickle.dump", "pickle.load", "tarfile.open", "torch.load", "torch.save", "wave.open"),
    }
)
_PACKED = frozenset({"BZ2File", "GzipFile", "ZipFile"})
_TAKING_BYTES = frozenset(
    {
        *("Binary", "b64encode", "crc32", "decompress", "frombuffer", "imdecode", "len", "loads", "md5"),
        *("produce", "put_object", "send", "sendall", "sha1", "sha256", "standard_b64encode"),
        *("urlsafe_b64encode",),
    }
)
"""Functions that take bytes in both, and give the same."""
_READING = frozenset({"getvalue", "read", "readline", "readlines"})


_OF_TEXTS = frozenset({"print", "print_exc", "to_csv", "to_json", "redirect_stdout"})


def memory_files(tree: ast.Module, text: Text, old: str) -> Iterator[Edit]:
    """``StringIO(data)`` as ``BytesIO(data)`` where a file holds bytes, with its import.

    Args:
        tree: the module in Python 3.
        text: its text.
        old: the text in Python 2.
    """
    files = MemoryFiles(tree, old)
    changed = [call.func for call in files.calls if files.held(call) == _BYTES]
    for function in changed:
        if isinstance(function, ast.Attribute):
            yield Edit(text.end(function) - len(_TEXT), text.end(function), _BYTES)
        elif isinstance(function, ast.Name) and function.id == _TEXT:
            yield Edit(text.start(function), text.end(function), _BYTES)
    names = {function.id for function in changed if isinstance(function, ast.Name)}
    loads = [node for node in of_kinds(tree, ast.Name) if isinstance(node.ctx, ast.Load)]
    left = {node.id for node in loads if node not in changed}
    for alias in _aliases(tree):
        if (alias.asname or alias.name) in names:
            both = f"{_BYTES}, {_TEXT}" if _TEXT in left else _BYTES
            yield Edit(text.start(alias), text.start(alias) + len(_TEXT), both)


class MemoryFiles:
    """The files in memory that a module made with `StringIO` in Python 2."""

    def __init__(self, tree: ast.Module, old: str) -> None:
        self.calls = list(_calls(tree)) if _OF_2.search(old) else []
        """What is called in Python 3 is `io.StringIO`, or `io.BytesIO` by now."""
        if not self.calls:
            return
        self._tree = tree
        self._kinds = kinds_of(tree, true_division=True)
        self._parents = parents_of(tree)
        attributes = {node.attr for node in of_kinds(tree, ast.Attribute)}
        names = {node.id for node in of_kinds(tree, ast.Name)}
        self._makes_bytes = not _MAKING.isdisjoint(attributes | names)

    def limits(self) -> Iterator[tuple[ast.expr, str]]:
        """Files of which it cannot be told what they hold, and bytes that may be meant as texts."""
        for call in self.calls:
            held = self.held(call)
            if held == _UNKNOWN:
                yield call, LIMIT.format(ast.unparse(call))
            elif held == _BYTES:
                yield from ((one, why.format(ast.unparse(one))) for one, why in self._misused(call))

    def held(self, call: ast.Call) -> str:
        """What a file holds, by what it is given and where it goes."""
        found = {self._is(value) for value in call.args[:1]}
        for use in self._uses(call):
            found |= set(self._told(use))
        if found >= {_TEXT, _BYTES}:
            return _UNKNOWN
        if _BYTES in found:
            return _BYTES
        if _EITHER in found:
            return _TEXT  # it refuses bytes
        return _UNKNOWN if found == {_UNKNOWN} and self._makes_bytes else _TEXT

    def _is(self, value: ast.expr) -> str:
        if self._are_bytes(value):
            return _BYTES
        return _TEXT if self._kinds.of(value) is Kind.STR else _UNKNOWN

    def _are_bytes(self, node: ast.expr) -> bool:
        """Whether a value is bytes in Python 3 for certain."""
        if isinstance(node, ast.Name):
            values = self._kinds.values(node)
            return bool(values) and all(
                v is not None and not isinstance(v, ast.Name) and self._are_bytes(v) for v in values
            )
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(_, name) as function):
                whole = ast.unparse(function)
                return (
                    name in GIVING_BYTES or whole in _OF_MODULES or (name == "read" and _is_binary(function))
                )
            case ast.Attribute(_, "content"):
                return True
        return False

    def _uses(self, call: ast.Call) -> Iterator[ast.expr]:
        """Where a file is used: the call that makes it, or the reads of the variable that holds it."""
        match self._parents.get(call):
            case ast.Assign([ast.Name() as target]):
                own = (node for node in of_kinds(self._tree, ast.Name) if node.id == target.id)
                reads = (node for node in own if isinstance(node.ctx, ast.Load))
                yield from (node for node in reads if call in self._kinds.values(node))
            case ast.withitem(_, ast.Name() as target):
                own = (node for node in of_kinds(self._tree, ast.Name) if node.id == target.id)
                yield from (node for node in own if isinstance(node.ctx, ast.Load))
            case ast.Assign([ast.Attribute() as attribute]):
                others = (node for node in of_kinds(self._tree, ast.Attribute) if node is not attribute)
                yield from (node for node in others if ast.unparse(node) == ast.unparse(attribute))
            case _:
                yield call

    def _told(self, use: ast.expr) -> Iterator[str]:
        """What a use of a file says of what it holds."""
        function, arguments = self._called(use)
        if isinstance(function, ast.Attribute) and function.value is use:
            if function.attr == "write":
                yield from map(self._is, arguments)
        elif function is not None:
            name, whole = _name(function), ast.unparse(function)
            if name in _OPENING or whole in _BY_OWNER:
                yield _BYTES
            else:
                texts = name in _OF_TEXTS or whole.startswith("csv.")
                yield _TEXT if texts else _EITHER if whole == "json.load" else _UNKNOWN

    def _called(self, use: ast.expr) -> tuple[ast.expr | None, list[ast.expr]]:
        """The function that is called with a file or that is a method of it, with its arguments."""
        above = self._parents.get(use)
        call = self._parents.get(above) if isinstance(above, ast.Attribute | ast.keyword) else above
        if not isinstance(call, ast.Call) or use is call.func:
            return None, []
        if isinstance(above, ast.Attribute) and call.func is not above:
            return None, []
        return call.func, call.args

    def _misused(self, call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
        """The reads and writes of a file of bytes, or of one that it is unpacked by, that may be of texts."""
        pending = [*self._uses(call)]
        for use in pending:
            function, arguments = self._called(use)
            if function is None:
                if isinstance(self._parents.get(use), ast.For | ast.comprehension):
                    yield use, READ
            elif not isinstance(function, ast.Attribute) or function.value is not use:
                if _name(function) in _PACKED:
                    pending += self._uses(self._call_of(function))
            elif function.attr == "write":
                yield from ((one, WRITTEN) for one in arguments if not self._are_bytes(one))
            elif function.attr in _READING and not self._goes_as_bytes(self._call_of(function)):
                yield self._call_of(function), READ

    def _call_of(self, function: ast.expr) -> ast.Call:
        call = self._parents[function]
        assert isinstance(call, ast.Call)
        return call

    def _goes_as_bytes(self, read: ast.expr) -> bool:
        """Whether what is read goes to functions of bytes alone, also by way of a variable."""
        above = self._parents.get(read)
        match above:
            case ast.Assign([ast.Name(name)]):
                own = [node for node in of_kinds(self._tree, ast.Name) if node.id == name]
                loads = [node for node in own if isinstance(node.ctx, ast.Load)]
                return all(self._goes_as_bytes(node) for node in loads if read in self._kinds.values(node))
            case ast.Attribute(_, "decode") | ast.Expr():
                return True
            case ast.Call(ast.Name(name) | ast.Attribute(_, name), args) if read in args:
                return name in _TAKING_BYTES
        return False


def _name(function: ast.expr) -> str:
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _is_binary(read: ast.expr) -> bool:
    """``open(path, "rb").read``, ``urlopen(url).read``."""
    match read:
        case ast.Attribute(ast.Call(ast.Name("open"), [_, ast.Constant(str(mode))])):
            return "b" in mode
        case ast.Attribute(ast.Call(ast.Name(name) | ast.Attribute(_, name))):
            return name == "urlopen"
    return False


def _aliases(tree: ast.Module) -> Iterator[ast.alias]:
    """The `StringIO` of each ``from io import StringIO``."""
    for node in of_kinds(tree, ast.ImportFrom):
        if isinstance(node, ast.ImportFrom) and node.module == "io":
            yield from (alias for alias in node.names if alias.name == _TEXT)


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls ``io.StringIO()`` and ``StringIO()``."""
    imports = [alias for node in of_kinds(tree, ast.Import) for alias in node.names]
    modules = {alias.asname or alias.name for alias in imports if alias.name == "io"}
    own = {
        alias.asname or alias.name
        for node in of_kinds(tree, ast.ImportFrom)
        if node.module == "io"
        for alias in node.names
        if alias.name in (_TEXT, _BYTES)
    }
    for call in of_kinds(tree, ast.Call):
        match call.func:
            case ast.Attribute(ast.Name(module), "StringIO" | "BytesIO") if module in modules:
                yield call
            case ast.Name(name) if name in own:
                yield call
