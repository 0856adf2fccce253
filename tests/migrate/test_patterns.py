"""No stage of the planner matches a pattern against new code: its parts tell what they are.

What regular expressions are matched against there is the program's own: its names, texts and files.
"""

from __future__ import annotations

import ast
from pathlib import Path

import migrate

ROOT = Path(migrate.__file__).parent
NAMES, TEXTS, FILES = "names of the program", "texts of the program", "sources and other files"
MATCHED = {
    "plan/callbacks/callback_calls.py": NAMES,
    "plan/callbacks/callback_sessions.py": NAMES,
    "plan/callbacks/cassandra.py": NAMES,
    "plan/callbacks/collected_order.py": TEXTS,
    "plan/callbacks/counted_values.py": TEXTS,
    "plan/callbacks/old_key_order.py": TEXTS,
    "plan/compat.py": FILES,
    "plan/elements/caught_errors.py": TEXTS,
    "plan/elements/written_schemas.py": TEXTS,
    "plan/modules/usage_lines.py": TEXTS,
    "plan/names/builder_names.py": NAMES,
    "plan/names/function_names.py": NAMES,
    "plan/names/variable_names.py": NAMES,
    "plan/query/typed_once.py": "the name of a typed function, of which the variable's is made",
    "plan/session/ansi.py": TEXTS,
    "plan/session/ansi_changes.py": TEXTS,
    "plan/settings/old_platform.py": TEXTS,
    "plan/settings/old_pythons.py": FILES,
    "plan/settings/older_spark.py": TEXTS,
    "plan/settings/pinned_spark.py": TEXTS,
    "plan/settings/session_statements.py": TEXTS,
    "plan/states/states.py": NAMES,
    "plan/stream_functions/function_parameters.py": "annotations of the program",
    "plan/typed/returned_names.py": NAMES,
    "plan/typed/typed_names.py": NAMES,
    "plan/windows/by_slide.py": TEXTS,
    "rules/_addresses.py": TEXTS,
    "rules/_command_line.py": TEXTS,
    "rules/_joined_texts.py": NAMES,
    "rules/_known_brokers.py": TEXTS,
    "rules/flat_map.py": NAMES,
    "rules/save_as_text_files.py": TEXTS,
    "rules/text_file_stream.py": TEXTS,
    "syntax/cells.py": TEXTS,
    "syntax/lexical.py": FILES,
    "syntax/quoting.py": "the holes in new code that expressions of the program stand in",
    "syntax/kafka_clients.py": TEXTS,
    "syntax/sql.py": TEXTS,
    "syntax/text.py": TEXTS,
    "syntax/wording.py": TEXTS,
}
"""The files of the planner with patterns, and what these are matched against."""


def test_what_patterns_are_matched_against() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in with_patterns("plan", "rules", "syntax")}
    assert found == MATCHED.keys(), "ask new code for what it knows; of the program's own say what is matched"


def test_no_pattern_is_matched_against_new_code() -> None:
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in with_patterns("plan", "rules", "codemod")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and is_match(node) and any(map(is_code, node.args))
    ] == []


def with_patterns(*folders: str) -> list[Path]:
    """The files of some folders that import `re`."""
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return [path for path in files if "\nimport re\n" in path.read_text()]


def is_match(call: ast.Call) -> bool:
    """Whether a call may match a pattern."""
    matching = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")
    return isinstance(call.func, ast.Attribute) and call.func.attr in matching


def is_code(node: ast.expr) -> bool:
    """Whether an argument is new code as its parts name it: ``call.arguments``, ``text_of(code)``."""
    match node:
        case ast.Attribute(attr="arguments" | "base" | "code" | "head" | "statement"):
            return True
        case ast.Call(ast.Name("text_of")):
            return True
    return False
