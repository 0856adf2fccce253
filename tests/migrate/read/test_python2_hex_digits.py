"""Texts that are made of digits of 16, and the other way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from migrate.model import Module
from migrate.read.parse import parse_bytes


def module(text: str) -> Module:
    return parse_bytes(text.encode(), Path("/nowhere/job.py"), "job.py")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[2:].decode('hex').replace('a', '')", "python2_unhex(x[2:]).replace('a', '')"),
        ('print(x.decode("HEX"))', "print(python2_unhex(x))"),
        ("x = (x + y).encode('hex') + 'a'", "x = python2_hex((x + y)) + 'a'"),
        ("x = digest(x).encode('hex_codec')", "x = python2_hex(digest(x))"),
    ],
)
def test_they_are_made_by_functions(old: str, new: str) -> None:
    found = module(f"def f(x, y):\n    {old}\n")
    assert found.source.endswith(f"def f(x, y):\n    {new}\n")
    assert found.python == 2
    assert found.limits == ()
    (sign,) = found.signs
    assert "is told 'hex" in sign.lower()


@pytest.mark.parametrize(
    "code",
    [
        "return inet_ntoa(x.decode('hex'))",
        "try: return x.decode('hex')\n    except Exception: return ''",
        "return x.decode('hex').split()",
        "return x.decode('hex', errors)",
    ],
    ids=["may want bytes", "handled", "white space", "more"],
)
def test_else_a_person_is_asked(code: str) -> None:
    found = module(f"def f(x):\n    {code}\nprint 1\n")
    assert "python2_unhex" not in found.source
    assert any("`decode` is about bytes" in limit for limit in found.limits)


def test_they_are_those_of_python_2_or_fail() -> None:
    code = module("def f(x): return x.decode('hex')\ndef g(x): return x.encode('hex')\n").source
    made: dict[str, Any] = {}
    exec(code, made)
    assert made["f"]("61006A") == "a\0j"
    assert made["g"]("a\0j") == made["g"](b"a\0j") == "61006a"
    for digits in ("616", "61 62", "xy"):
        with pytest.raises(ValueError, match=r"."):
            made["f"](digits)
    for function, value in ((made["f"], "c3a9"), (made["g"], "é")):
        with pytest.raises(UnicodeError):
            function(value)
