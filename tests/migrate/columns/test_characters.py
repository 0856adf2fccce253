"""The characters that texts can hold, and the code that is short where these are few."""

from __future__ import annotations

import ast
import random
import re

import pytest
from pyspark.sql import SparkSession

from migrate.columns import Refusal, Scalar, compile_filter, leaves
from migrate.columns.characters import ANY, ASCII, LAST, NONE, SPACE, Characters, of, of_ranges
from migrate.columns.element import Element
from migrate.columns.regex_characters import matched, removed
from migrate.columns.regexes import NotCommon, parsed
from migrate.columns.shapes import Int, List, Maybe, Shape, Str, join
from migrate.columns.tells import narrowed, under
from tests.migrate.columns.both_ways import SCOPE, check, edge_rows, elements, program
from tests.migrate.columns.test_regexes import pattern

ALPHABET = "".join(map(chr, range(0x250))) + "\u1680\u2028\u2029\u212a\u3000\uff21😀"


def some(rng: random.Random) -> Characters:
    return of_ranges((first, first + rng.randint(0, 40)) for first in rng.sample(range(0x240), 4))


def members(characters: Characters) -> set[str]:
    return {character for character in ALPHABET if character in characters}


def test_sets_of_characters_are_sets() -> None:
    rng = random.Random(1)
    for _ in range(200):
        one, other = some(rng), some(rng)
        assert members(one | other) == members(one) | members(other)
        assert members(one & other) == members(one) & members(other)
        assert members(one - other) == members(one) - members(other)
        assert ~~one == one and one | ~one == ANY and one & ~one == NONE
        assert (one & ASCII).is_ascii and not (one | of("é")).is_ascii


def test_white_space_is_python_s() -> None:
    assert of_ranges((point, point) for point in range(LAST + 1) if chr(point).isspace()) == SPACE


def test_a_pattern_matches_no_other_characters_and_leaves_none_that_it_takes_out() -> None:
    rng = random.Random(2)
    found = 0
    for _ in range(400):
        text = pattern(rng)
        flags = rng.choice([0, 0, re.MULTILINE, re.DOTALL, re.IGNORECASE])
        try:
            read = parsed(text, flags)
        except NotCommon:
            continue
        whole, gone = (known(read.data, read.state.flags) for known in (matched, removed))
        for _ in range(40):
            searched = "".join(rng.choices(ALPHABET + "abkS1 .,\n\t" * 20, k=rng.randint(0, 6)))
            for match in re.finditer(text, searched, flags):
                found += 1
                assert all(character in whole for character in match[0]), (text, flags, match[0])
            assert not any(character in gone for character in re.sub(text, "", searched, flags=flags))
    assert found > 1000


@pytest.mark.parametrize(
    ("text", "takes_out"),
    [
        ("[^a-z]", ~of_ranges([(97, 122)])),
        ("[^a-z ]+", ~of_ranges([(97, 122), (32, 32)])),
        (r"[^a\s]+|b", ~(of("a") | SPACE) | of("b")),
        ("(?:a)", of("a")),
        ("a{2,}", NONE),
        ("ab", NONE),
        ("(?i)a", NONE),
        (r"\w", NONE),
        ("[^a]*$", NONE),
    ],
)
def test_what_a_pattern_takes_out(text: str, takes_out: Characters) -> None:
    read = parsed(text, 0)
    assert removed(read.data, read.state.flags) == takes_out


def test_what_holds_for_one_of_two_values_holds_for_either() -> None:
    assert join(Str(of("ab"), 2), Str(of("c"), 1)) == Str(of("abc"), 1)
    assert join(Maybe(Str(of("a"))), Str(of("b"))) == Maybe(Str(of("ab")))
    assert join(List(Str(), 2, 3), List(Str(), 1, 4)) == List(Str(), 1, 3)
    assert narrowed(Str(ASCII, 1), Str(of("aé"), 2)) == Str(of("a"), 2)
    assert narrowed(Maybe(Str()), Str(ASCII)) == Maybe(Str(ASCII))
    assert narrowed(Int(), Str(ASCII)) == Int()


def told(source: str) -> dict[str, Shape]:
    """What a filter leaves of the elements that its parameters stand for."""
    node = ast.parse(source, mode="eval").body
    assert isinstance(node, ast.Lambda)
    given: list[Element] = [elements()[parameter.arg] for parameter in node.args.args]
    condition = compile_filter(node, given, SCOPE).element
    assert isinstance(condition, Scalar)
    left = [under(element, dict(condition.tells.holds)) for element in given]
    return {str(leaf.name): leaf.shape for element in left for leaf in leaves(element)}


LOWER = of_ranges([(97, 122)])
PLACES = (("", ""), ("Ab", ""), ("", "b"))
"""What stands around a character."""


@pytest.mark.parametrize(
    ("source", "shape"),
    [
        ("lambda s: re.match('^[a-z]*$', s)", Str(LOWER | of("\n"))),
        (r"lambda s: re.match('[a-z]+\\Z', s)", Str(LOWER, 1)),
        ("lambda s: re.fullmatch('[a-z]{2}', s)", Str(LOWER, 2)),
        ("lambda s: re.search('^[a-z]+', s)", Str(ANY, 1)),
        ("lambda s: re.search('[a-z]$', s)", Str(ANY, 1)),
        ("lambda s: re.search('(?m)^[a-z]$', s)", Str(ANY, 1)),
        ("lambda s: not re.search('[^a-z]', s)", Str(LOWER)),
        ("lambda s: not re.match('[^a-z]', s)", Str()),
        ("lambda s: s == 'a' or s == 'bc'", Str(of("abc"), 1)),
        ("lambda s: s in ('a', 'bc')", Str(of("abc"), 1)),
        ("lambda s: s == 'a' or len(s) > 2", Str(ANY, 1)),
        ("lambda s: s != 'a'", Str()),
        ("lambda s: not s != 'a'", Str(of("a"), 1)),
        ("lambda s: s and not len(s) < 3", Str(ANY, 3)),
        ("lambda s: s.startswith(('ab', 'c'))", Str(ANY, 1)),
        ("lambda s: 'ab' in s and len(s) != 7", Str(ANY, 2)),
        ("lambda s: s.isalpha()", Str(LOWER | of_ranges([(65, 90)]), 1)),
        ("lambda s: not s.isalpha()", Str()),
    ],
)
def test_a_condition_says_what_is_left(source: str, shape: Shape) -> None:
    assert told(source) == {"s": shape}


@pytest.mark.parametrize(
    ("source", "tested"),
    [("len(words) > 2", 3), ("len(words) == 2 and words[0]", 2), ("words", 1), ("len(words) < 3", 0)],
)
def test_a_condition_says_how_long_a_list_is(source: str, tested: int) -> None:
    assert told(f"lambda words: {source}") == {"words": List(Str(), 0, tested)}


SHORT = [
    # only ASCII goes through lower and upper
    "lambda s: s.lower() if re.match('^[A-Za-z0-9]+$', s) else ''",
    "lambda s: re.sub('[^a-zA-Z ]', '', s).upper()",
    "lambda s: re.sub('[^a-zA-Z ]+', '_', s).lower()",
    r"lambda s: re.sub('[^a-zA-Z\\s]', '', s.encode('ascii', 'ignore').decode()).lower()",
    "lambda s: s.upper() if s in ('a', 'ab', 'aa a') else s",
    "lambda s: '' if re.search('[^a-zA-Z ]', s) else (s.strip() + '!')[1:].lower().replace(' ', '_')",
    "lambda s: [w.lower() for w in s.split() if re.match('^#?[A-Za-z]*$', w)]",
    "lambda s: [w.lower() for w in re.findall('[A-Za-z]+', s)]",
    # or only what is ASCII is looked at in what they give
    "lambda s: re.sub('[^a-z ]', '_', s.lower())",
    "lambda s: re.findall('[A-Z][0-9A-Z]', s.upper())",
    "lambda s: re.split('[^a-z]+', s.lower().strip())",
    "lambda s: 'yes' if re.search('^[^a-z ]b|a.?$', s.lower()) else 'no'",
    "lambda s: [s.lower().count('a'), s.lower().find('b')]",
    "lambda s: 'a' in s.lower().split() or 'A' not in s.upper().replace('.', ' ').split(' ')",
    "lambda s: any(k in s.lower() for k in ('a', 'b'))",
    # and through tests of all characters
    "lambda s: re.sub('[^a-zA-Z0-9 ]', '', s).isalpha()",
    "lambda s: [w for w in s.encode('ascii', 'ignore').decode().split() if w.isdigit()]",
    # an end of a text without ends of lines
    "lambda s: [w for w in s.split() if re.match('^[a-z.]+$', w)]",
    r"lambda s: [w for w in s.split('\n') if re.match('^a.*b$|[a-z]+$', w)]",
    r"lambda s: [w for w in s.split('\n') if re.fullmatch('(?s)a.*', w)]",
    r"lambda s: [re.sub('^.|[a-z]+$', '_', w) for w in s.split('\n')]",
    r"lambda s: [re.sub('(?m)^.|[a-z]+$', '_', w) for w in s.split()]",
    "lambda s, t: s.encode('ascii', 'ignore').decode().split(',') + t.split()",
    "lambda s: ('a' if s == 'x' else s).split('a')[0]",
]
LONG = [
    # these hold letters beyond ASCII, or may do so
    "lambda s: s.lower() if re.match('^[A-Za-z0-9]+', s) else ''",
    "lambda s: s.lower() if re.match('(?i)^[a-z]+$', s) else ''",
    "lambda s: s.lower() if re.search('[^a-zA-Z]', s) else ''",
    "lambda s: re.sub('[a-z]', '', s).lower()",
    "lambda s: re.sub('[^a-z]{2,}', '', s).lower()",
    "lambda s: (re.sub('[^a-z]', '', s) + 'É').lower()",
    "lambda s, t: s.lower() if re.match('^[a-z]+$', t) else ''",
    "lambda s: re.sub('[a-z]', '', s.lower())",
    "lambda s: re.findall('[^a-z]', s.lower())",
    "lambda s: bool(re.search('[^a-zé]b', s.lower()))",
    "lambda s: bool(re.search('(?i)k', s.lower()))",
    "lambda s: any(k in s.lower() for k in ('a', 'é'))",
    "lambda s, t: t in s.lower().split()",
    "lambda s: s.lower().replace('é', '') == 'a'",
]
REFUSED = [
    # Spark calls no function of Python in a lambda; in the second one the two loops have a variable each
    "lambda s: [w.lower() for w in s.split() if re.match('^[A-Za-zé]*$', w)]",
    "lambda words: [w for w in words if re.match('^[a-z]+$', w) and [w.lower() for w in words]]",
    # what it is given may fail, and Spark computes that before it asks a condition
    "lambda s: int(s) if len(s) < 9 else s.split(',')[9].lower()",
]


@pytest.mark.parametrize("source", SHORT)
def test_few_characters_need_no_guard(source: str) -> None:
    demands = program(source).compiled.demands
    assert {helper.name for helper in demands.helpers} <= {"strip", "WHITESPACE"} and not demands.raises


@pytest.mark.parametrize("source", LONG)
def test_other_characters_do(source: str) -> None:
    assert [helper.name for helper in program(source).compiled.demands.helpers] != []


@pytest.mark.parametrize("source", REFUSED)
def test_functions_of_python_stand_where_spark_calls_them(source: str) -> None:
    with pytest.raises(Refusal, match=r"Spark (calls|asks)"):
        program(source)


def test_short_code_gives_the_same_at_every_edge(session: SparkSession) -> None:
    assert check(session, [program(source) for source in (*SHORT, *LONG)], edge_rows()) == []


def test_short_code_gives_the_same_for_every_character(spark: SparkSession) -> None:
    points = [*range(0x600), *range(0x1E80, 0x2140), 0x3000, 0xFF21, 0xFF41, 0x10400, 0x1F600]
    points += [0x1C89, 0x2C2F, *range(0xA7C0, 0xA800, 5), 0x10570, 0x10D50, 0x16EA0]
    others = edge_rows()[0][1:]
    data = [(f"{before}{chr(point)}{after}", *others) for point in points for before, after in PLACES]
    assert check(spark, [program(source) for source in SHORT], data) == []
