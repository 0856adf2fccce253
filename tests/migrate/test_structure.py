"""Data flows one way through the packages of `migrate`, and no file imports itself by way of others."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import migrate

ROOT = Path(migrate.__file__).parent
LAYERS = (
    *(
        "errors",
        "garbage",
        "cached",
        "frozen",
        "facts",
        "knowledge",
        "syntax",
        "columns",
        "typed",
        "form",
        "model",
        "read",
        "pins",
        "kafka_clients",
        "trace",
        "graph",
        "proofs",
        "plan",
    ),
    *("rules", "codemod", "decisions", "codemod.commands", "migration", "work", "write"),
    *("report", "callers", "whole_project", "run", "java", "kafka", "verify", "learn"),
    *("config", "handover", "demo", "commands", "cli", "__main__"),
)
"""The packages and modules of `migrate`: none imports one that comes later."""
ENTRY_POINTS = {
    "codemod.commands": "LibCST's tool looks for it in a package; like the cli, it decides on whole files"
}
"""Modules with a place of their own in the flow, apart from their package, and why."""
CYCLES = {
    "columns": "kinds of expressions hold each other: a comparison of texts, a text of a comparison",
    "verify": "the stand-ins for the parts of one session make each other",
}
"""Packages with files that import each other, and why."""


def modules() -> dict[str, Path]:
    """The modules of `migrate`, by their names without it."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name:
            found[name] = path
    return found


def imports(path: Path, names: Mapping[str, Path]) -> Iterator[str]:
    """The modules of `migrate` that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            asked = [f"{node.module}.{alias.name}" for alias in node.names]
            asked = [name if name.removeprefix("migrate.") in names else node.module for name in asked]
        elif isinstance(node, ast.Import):
            asked = [alias.name for alias in node.names]
        else:
            continue
        for name in asked:
            if name.startswith("migrate.") and name.removeprefix("migrate.") in names:
                yield name.removeprefix("migrate.")


MODULES = modules()


@cache
def imported(name: str) -> set[str]:
    """The other modules of `migrate` that a module imports; not found while tests are collected."""
    return set(imports(MODULES[name], MODULES)) - {name}


def package(name: str) -> str:
    """The package that a module is in; the module itself if it stands for itself in the flow."""
    return name if name in ENTRY_POINTS else name.split(".")[0]


def test_every_package_has_its_place_in_the_flow() -> None:
    assert sorted({package(name) for name in MODULES}) == sorted(LAYERS)


def test_no_package_imports_one_that_comes_later() -> None:
    wrong = [
        f"{name} imports {other}"
        for name in MODULES
        for other in imported(name)
        if LAYERS.index(package(name)) < LAYERS.index(package(other))
    ]
    assert wrong == []


def reached(name: str, links: Mapping[str, set[str]]) -> set[str]:
    """What a module or a folder imports, directly or by way of others of its package."""
    found: set[str] = set()
    pending = [name]
    while pending:
        new = links[pending.pop()] - found
        found |= new
        pending += new
    return found


def of_package(name: str) -> dict[str, set[str]]:
    """The modules of a package, each with those of it that it imports."""
    own = [module for module in MODULES if package(module) == name]
    return {module: {other for other in imported(module) if package(other) == name} for module in own}


@pytest.mark.parametrize("name", sorted({package(name) for name in MODULES}))
def test_no_file_imports_itself_by_way_of_others(name: str) -> None:
    links = of_package(name)
    cyclic = sorted(module for module in links if module in reached(module, links))
    assert bool(cyclic) == (name in CYCLES), cyclic


def room(name: str) -> str:
    """The folder inside of its package that a module is in: ``plan.frames``; the module itself if in none."""
    return ".".join(name.split(".")[:2])


@pytest.mark.parametrize("name", sorted({package(name) for name in MODULES} - CYCLES.keys()))
def test_no_folder_of_a_package_imports_itself_by_way_of_others(name: str) -> None:
    rooms: dict[str, set[str]] = {}
    for module, others in of_package(name).items():
        rooms.setdefault(room(module), set()).update({*map(room, others)} - {room(module)})
    assert [one for one in rooms if one in reached(one, rooms)] == []


def test_no_package_imports_private_files_of_another() -> None:
    wrong = [
        f"{name} imports {other}"
        for name in MODULES
        for other in imported(name)
        if other.split(".")[-1].startswith("_") and package(name) != package(other)
    ]
    assert wrong == []
