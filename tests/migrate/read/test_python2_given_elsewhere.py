"""What the functions of a module in Python 2 are given by other modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model import Module
from migrate.read.parse import of_one_python, parse_bytes

SENDING = """\
import json

print 'sending'


def send(data, producer):
    if data:
        producer.write(str(data))
"""
MAIN = "import sending\nprint 1\ncount = len(found)\n{call}\n"


def sending_of(main: str, sending: str = SENDING) -> Module:
    """The module that sends, in Python 3."""
    found: list[Module] = []
    for name, text in {"sending.py": sending, "main.py": main}.items():
        found.append(parse_bytes(text.encode(), Path("/nowhere") / name, name))
    return of_one_python(found)[0]


@pytest.mark.parametrize(
    "call",
    [
        "sending.send('%d words' % count, producer)",
        "sending.send(count, producer)\nsending.send(producer=p, data='a' + word)",
        "from sending import send\nsend('a', p)",
        "from sending import *\nsend('a', p)",
    ],
)
def test_a_text_that_all_modules_give_stays_as_it_is(call: str) -> None:
    found = sending_of(MAIN.format(call=call))
    assert found.source == SENDING.replace("print 'sending'", "print('sending')")
    rows = enumerate(found.source.splitlines(), start=1)
    assert all(found.place(number).line == number for number, row in rows if row)


@pytest.mark.parametrize(
    "call",
    [
        "sending.send(word, producer)",
        "sending.send('a', producer)\nsending.send(0.5, producer)",
        "sending.send('a', producer)\nrdd.foreach(sending.send)",
        "from sending import send as given\ngiven(0.5, producer)\nsending.send('a', p)",
        "sending.send(*values)",
        "pass",
    ],
)
def test_others_may_be_floats(call: str) -> None:
    assert "producer.write(python2_str(data))" in sending_of(MAIN.format(call=call)).source


@pytest.mark.parametrize(
    "sending",
    [
        SENDING.replace("if data:", "data = json.loads(data)\n    if data:"),
        SENDING.replace("def send", "@wrapped\ndef send"),
        f"{SENDING}\nsend(0.5, p)\n",
    ],
)
def test_nor_is_a_parameter_known_that_something_else_binds(sending: str) -> None:
    main = MAIN.format(call="sending.send('a', p)")
    assert "producer.write(python2_str(data))" in sending_of(main, sending).source


def test_the_helper_stays_for_other_calls() -> None:
    sending = f"{SENDING}\n\ndef other(x):\n    return str(x)\n"
    source = sending_of(MAIN.format(call="sending.send('a', p)"), sending).source
    assert "producer.write(str(data))" in source
    assert "return python2_str(x)" in source
