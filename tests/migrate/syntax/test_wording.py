"""The places in which two texts differ, as they are found in the source."""

from __future__ import annotations

import pytest

from migrate.syntax.wording import Words, changed_alone, changed_words


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("a zk b", "a brokers b", (("zk", "brokers"),)),
        ("--jars a.jar x", "--packages b x", (("--jars", "--packages"), ("a.jar", "b"))),
        ("run --jars a.jar x", "run --packages b --jars c x", (("--jars a.jar", "--packages b --jars c"),)),
        ("one host:1\n two host:1 it", "one host:1\n two host:2 it", (("two host:1 it", "two host:2 it"),)),
        ("run\na --zk z:1 --t x\n", "run\na --zk b:1 --t x\n", (("--zk z:1 --t", "--zk b:1 --t"),)),
        ("\na b c d e f g", "\na B c d e F g", (("a b c", "a B c"), ("e f g", "e F g"))),
        ("\nrun --jars a.jar x y", "\nrun --packages b x y", (("run --jars a.jar x", "run --packages b x"),)),
        ("\nrun --jars a.jar x y", "\nrun -p b -j c x y", (("run --jars a.jar x", "run -p b -j c x"),)),
        (
            "\nrun --p some.group:some-package:1 --v\nx",
            "\nrun --p other --v\nx",
            (("some.group:some-package:1", "other"),),
        ),
        ("go      host:1 test", "go      host:2 test", (("host:1 test", "host:2 test"),)),
        ("x\ny", "x\ny", ()),
    ],
    ids=[
        *("a word", "words", "more words", "a line", "words of a line", "two of them", "beside each other"),
        *("more of a line", "a package", "a continued line", "none"),
    ],
)
def test_the_words_that_differ(old: str, new: str, words: Words) -> None:
    assert changed_words(old, new) == words


def test_words_that_are_only_added_stand_beside_others() -> None:
    """No words at all would be found everywhere."""
    old, new = "submit --jars a.jar", "submit --packages b --jars a.jar"
    ((part, words),) = changed_alone(old, new)
    assert part and old.replace(part, words) == new
