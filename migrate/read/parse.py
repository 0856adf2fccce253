"""Bytes to a `Module` and back, without importing the code and without losing a byte."""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
import warnings
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

from migrate.form import Form
from migrate.frozen import replace
from migrate.model import FileResult, Module, Remark, Status
from migrate.read.notebook import PYTHON_2, Cells, NotebookError, databricks, is_databricks, jupyter
from migrate.read.python2 import (
    NotPython2Error,
    is_for_3,
    modernise,
    signs_of_2,
    with_given_elsewhere,
    with_imported,
    with_mended_tabs,
    with_relative_imports,
)
from migrate.read.scan import SourceFile
from migrate.syntax.nodes import deeper_than

MAX_DEPTH = 500
"""Levels of the syntax tree; each takes a few Python frames of whoever walks it."""


_ON_LINE = re.compile(r"\bon line (\d+)")


class UnparsedError(Exception):
    """The file cannot be migrated; the text tells its owner why."""


class OtherLanguageError(Exception):
    """The file is a notebook in another language."""


class NotPythonError(UnparsedError):
    """Python 3 cannot parse the text."""

    def __init__(self, error: SyntaxError) -> None:
        super().__init__(error.msg)
        self.line = error.lineno

    def located(self, form: Form) -> str:
        """The error with its place in the file."""
        said = _ON_LINE.sub(lambda match: f"on line {form.place(int(match[1]), 1).line}", str(self))
        return f"{form.place(self.line, 1)}: {said}" if self.line else said


def parse(source: SourceFile) -> Module | FileResult:
    """The module in `source`, or the result that says why there is none."""
    try:
        return parse_bytes(source.data, source.path, source.relative)
    except OtherLanguageError:
        return FileResult(source.relative, Status.UNTOUCHED)
    except UnparsedError as error:
        return FileResult(source.relative, Status.UNPARSED, error=str(error))


def parse_bytes(data: bytes, path: Path, relative: str) -> Module:
    """The module whose file holds `data`: Python, or a notebook by its name or its first line.

    Raises:
        UnparsedError: the encoding is unknown or the bytes do not keep to it, the text is not Python, or it
            is nested deeper than `MAX_DEPTH`.
        OtherLanguageError: the notebook has no code in Python.
    """
    bom = data.startswith(codecs.BOM_UTF8)
    body = data.removeprefix(codecs.BOM_UTF8) if bom else data
    is_jupyter = relative.endswith(".ipynb") or (relative == "-" and _is_json(body))
    text, encoding = _reversible(body, "utf-8") if is_jupyter else _decode(body, bom)
    cells = _cells(text, is_jupyter=is_jupyter)
    remarks: tuple[Remark, ...] = ()
    try:
        parsed = _parsed(text, cells)
    except (NotPythonError, NotebookError) as error:
        others = None if cells is None else _without_broken(text, cells, is_jupyter=is_jupyter)
        if others is None:
            said = error.located(cells or Form()) if isinstance(error, NotPythonError) else str(error)
            raise UnparsedError(said) from None
        cells, parsed, remarks = others
    _check_depth(parsed.tree)
    if parsed.python == 3:
        parsed = _mended(parsed, cells, path)
        _check_depth(parsed.tree)
    return Module(
        path,
        relative,
        parsed.code,
        parsed.tree,
        encoding,
        bom,
        parsed.form,
        parsed.python,
        parsed.limits,
        remarks,
        signs=parsed.signs,
    )


def _check_depth(tree: ast.Module) -> None:
    if deeper_than(MAX_DEPTH, tree):
        raise UnparsedError(f"nested too deeply: more than {MAX_DEPTH} levels")


@dataclass(frozen=True)
class _Parsed:
    """A text as Python 3."""

    code: str
    tree: ast.Module
    form: Form
    python: int = 3
    limits: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()


def _parsed(text: str, cells: Cells | None) -> _Parsed:
    """The text, or the code of its cells, in Python 3.

    Raises:
        NotPythonError: it is neither Python 3 nor Python 2.
        NotebookError: a bracket or a text begins in one cell and ends in another.
    """
    code = text if cells is None else cells.code
    form: Form = cells or Form()
    try:
        parsed = _Parsed(code, _tree(code), form)
    except NotPythonError as error:
        try:
            modern = modernise(code, form)
        except NotPython2Error:
            raise error from None
        parsed = _Parsed(modern.code, _tree(modern.code), modern, 2, modern.limits)
    if cells is not None:
        cells.check(parsed.tree)
    return parsed


def _mended(parsed: _Parsed, cells: Cells | None, path: Path) -> _Parsed:
    """Code that Python 3 can parse and cannot run, as it was written for Python 2, in Python 3."""

    def is_own(name: str) -> bool:
        return path.with_name(f"{name}.py").exists() or path.with_name(name).is_dir()

    try:
        signs = signs_of_2(parsed.code, parsed.tree, is_own)
        of_2 = parsed.form.kernel_of_2 == PYTHON_2 and not is_for_3(parsed.code, parsed.tree)
    except RecursionError:  # a chain of hundreds of calls: nobody has written it
        return parsed
    if signs is None and not of_2:
        return parsed
    told = tuple(f"{parsed.form.place(line, 1)}: {why}" for line, why in signs or ())
    return _from_python_2(parsed, (f"its kernel, `{PYTHON_2}`", *told) if of_2 else told, cells)


def _from_python_2(parsed: _Parsed, signs: tuple[str, ...], cells: Cells | None) -> _Parsed:
    """Code that Python 3 can parse, and that is Python 2 for what `signs` say, in Python 3."""
    try:
        modern = modernise(parsed.code, parsed.form, is_parsed=True)
        mended = _Parsed(modern.code, _tree(modern.code), modern, 2, modern.limits, signs)
        if cells is not None:
            cells.check(mended.tree)
    except (NotPython2Error, NotPythonError, NotebookError):
        return parsed
    return mended


def of_one_python(modules: Sequence[Module]) -> list[Module]:
    """The modules of a project, in Python 3 also where only others say which Python they run on."""
    in_python_3 = with_imported(with_mended_tabs(modules), _run_on_python_2)
    return with_relative_imports(with_given_elsewhere(in_python_3))


def _run_on_python_2(module: Module, sign: str) -> Module:
    cells = module.form if isinstance(module.form, Cells) else None
    found = _from_python_2(_Parsed(module.source, module.tree, module.form), (sign,), cells)
    return replace(
        module,
        source=found.code,
        tree=found.tree,
        form=found.form,
        python=found.python,
        limits=found.limits,
        signs=found.signs,
    )


def _without_broken(
    text: str, cells: Cells, *, is_jupyter: bool
) -> tuple[Cells, _Parsed, tuple[Remark, ...]] | None:
    """The notebook without the cells that cannot be parsed, of which nothing ever runs, and a word on each.

    None where nothing would be left, or the others are no Python even so.
    """
    starts = cells.starts()
    errors = {cell.number: _error(cell.code) for cell in cells.cells}
    broken = [number for number, error in errors.items() if error is not None]
    if not broken or len(broken) == len(cells.cells):
        return None
    remarks = []
    for cell, start in zip(cells.cells, starts, strict=True):
        error = errors[cell.number]
        if error is not None:
            place = cells.place(start + (error.line or 1) - 1, 1)
            said = f"{error}; the cell fails before anything in it runs, and is left as it is"
            remarks.append(Remark(place.cell, place.line, 1, "", said))
    others = _cells(text, is_jupyter=is_jupyter, broken=broken)
    assert others is not None
    try:
        return others, _parsed(text, others), tuple(remarks)
    except (NotPythonError, NotebookError):
        return None


def _error(code: str) -> NotPythonError | None:
    """Why a cell is no Python of any version."""
    try:
        _parsed(code, None)
    except NotPythonError as error:
        return error
    return None


def _is_json(data: bytes) -> bool:
    """Whether bytes from standard input, which have no file name, are a notebook."""
    return data.lstrip().startswith(b"{") and b'"nbformat"' in data


def _cells(text: str, *, is_jupyter: bool, broken: Container[int] = ()) -> Cells | None:
    """The cells, if the file is a notebook."""
    try:
        if is_jupyter:
            found = jupyter(text, broken)
            if found is None:
                raise OtherLanguageError
            return found
        return databricks(text, broken) if is_databricks(text) else None
    except NotebookError as error:
        raise UnparsedError(str(error)) from None


def _decode(data: bytes, bom: bool) -> tuple[str, str]:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        raise UnparsedError(f"cannot be decoded: {error}") from None
    if bom and encoding != "utf-8":
        raise UnparsedError(f"a UTF-8 byte order mark, but the first lines say {encoding}")
    return _reversible(data, encoding)


def _reversible(data: bytes, encoding: str) -> tuple[str, str]:
    try:
        text = data.decode(encoding)
        same = text.encode(encoding) == data
    except (LookupError, UnicodeError) as error:
        raise UnparsedError(f"cannot be decoded: {error}") from None
    if not same:
        raise UnparsedError(f"cannot be written back unchanged in its encoding {encoding}")
    return text, encoding


def _tree(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in the user's code is not for us to report
            return ast.parse(text)
    except SyntaxError as error:
        raise NotPythonError(error) from None
    except ValueError as error:  # null bytes, before Python 3.12
        raise UnparsedError(str(error)) from None
    except (RecursionError, MemoryError):
        raise UnparsedError("nested too deeply for Python's own parser") from None
