"""Python's builtins: one row for each that the proofs have to do with."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from migrate.knowledge.table import names, read_table


class Gives(enum.Enum):
    """The type of the result."""

    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    STR = "str"
    COLLECTION = "collection"
    """A new collection of what the arguments hold, or a range."""
    ITERATOR = "iterator"
    """An iterator, which remembers how far it was read."""
    ARGUMENT = "argument"
    """An argument or a part of one; a sum or a number that is made of them."""
    NOTHING = "nothing"


class Floats(enum.Enum):
    """Whether the result may be or hold a float."""

    NEVER = "never"
    """No, whatever it is given."""
    GIVEN = "given"
    """Only if an argument is or holds one."""
    MAY = "may"


@dataclass(frozen=True)
class Builtin:
    """One row of the table."""

    gives: Gives
    pure: bool
    """Whether the result depends on the arguments alone; it calls no function among them."""
    floats: Floats
    collects: bool
    """Whether the result is a collection of the objects that one argument holds, for the tracer."""
    hands: bool
    """Whether the result is or holds an argument, so that a change of one changes the other."""
    changes: bool
    """Whether it changes the object that is its first argument."""
    shows: bool
    """Whether the result shows only the class and the address of a plain object: ``repr``."""


BUILTINS = read_table(
    """
name       gives      pure floats collects hands changes shows
# numbers and texts
int        int        yes  never  -        -     -       -
len        int        yes  never  -        -     -       -
ord        int        yes  never  -        -     -       -
id         int        -    never  -        -     -       yes
float      float      yes  may    -        -     -       -
# in Python 2 a float
round      argument   yes  may    -        -     -       -
abs        argument   yes  given  -        -     -       -
sum        argument   yes  given  -        -     -       -
bool       bool       yes  never  -        -     -       -
isinstance bool       yes  never  -        -     -       -
any        bool       yes  never  -        -     -       -
all        bool       yes  never  -        -     -       -
str        str        yes  never  -        -     -       yes
repr       str        yes  never  -        -     -       yes
chr        str        yes  never  -        -     -       -
input      str        -    never  -        -     -       -
# collections
list       collection yes  given  yes      -     -       -
tuple      collection yes  given  yes      -     -       -
set        collection yes  given  yes      -     -       -
frozenset  collection yes  given  -        -     -       -
dict       collection yes  given  -        -     -       -
sorted     collection yes  given  yes      -     -       -
range      collection yes  given  -        -     -       -
reversed   iterator   yes  given  yes      yes   -       -
enumerate  iterator   yes  given  -        yes   -       -
zip        iterator   yes  given  -        yes   -       -
iter       iterator   -    given  -        yes   -       -
map        iterator   -    given  -        -     -       -
filter     iterator   -    given  -        -     -       -
# objects
min        argument   yes  given  -        -     -       -
max        argument   yes  given  -        -     -       -
next       argument   -    given  -        -     yes     -
getattr    argument   -    may    -        yes   -       -
vars       argument   -    may    -        yes   -       -
setattr    nothing    -    never  -        -     yes     -
delattr    nothing    -    never  -        -     yes     -
type       argument   -    may    -        -     -       yes
print      nothing    -    never  -        -     -       yes
""",
    Builtin,
)
"""The table: a builtin without a row may do anything."""
READ_BY_NAME = frozenset({"eval", "exec", "globals", "locals", "vars"})
"""Builtins through which variables are read without their names in the code."""
CONSTANTS = frozenset({"None", "True", "False"})
"""Constants that some trees hold as names."""

INTS = names(BUILTINS, lambda row: row.gives is Gives.INT)
FLOATS = names(BUILTINS, lambda row: row.gives is Gives.FLOAT)
TEXTS = names(BUILTINS, lambda row: row.gives is Gives.STR)
MAKES_NEW = names(
    BUILTINS, lambda row: row.gives in (Gives.INT, Gives.FLOAT, Gives.BOOL, Gives.STR, Gives.COLLECTION)
)
"""Builtins whose result is a new object of Python's own types."""
PURE = names(BUILTINS, lambda row: row.pure)
"""Builtins whose result depends on their arguments alone."""
NEVER_FLOATS = names(BUILTINS, lambda row: row.floats is Floats.NEVER)
"""Builtins whose result neither is nor holds a float, whatever they are given."""
NO_NEW_FLOATS = NEVER_FLOATS | names(BUILTINS, lambda row: row.floats is Floats.GIVEN)
"""Builtins whose result is or holds a float only if an argument is or holds one."""
COLLECTS = names(BUILTINS, lambda row: row.collects)
"""Builtins that return a collection of the objects in another one."""
HANDS = names(BUILTINS, lambda row: row.hands)
"""Builtins whose result is or holds an argument or a part of one."""
CHANGES = names(BUILTINS, lambda row: row.changes)
"""Builtins that change their first argument."""
SETS_ATTRIBUTES = names(BUILTINS, lambda row: row.changes and row.gives is Gives.NOTHING)
"""Builtins that give an attribute another value, or none, by its name."""
SHOWS = names(BUILTINS, lambda row: row.shows)
"""Builtins whose result shows only the class and the address of a plain object."""
OF_PYTHON_2 = "python2_"
"""How the functions begin that do what Python 2 did, in a program that was written in it."""
TEXT_OF_PYTHON_2 = f"{OF_PYTHON_2}str"
"""The function that stands for ``str`` in a program that was written in Python 2."""
OF_DATA = frozenset(
    {
        *("all", "any", "dict", "enumerate", "float", "int", "iter", "len", "list", "max", "min", "next"),
        *("reversed", "round", "set", "sorted", "sum", "tuple", "zip"),
        *("json.load", "json.loads"),
    }
)
"""Functions that take a collection, a number or a text as the first argument, as no stream and no RDD is."""
