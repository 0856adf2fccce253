"""Functions and classes of Python's library by their qualified names, and whole modules."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from migrate.knowledge.table import names, read_table


class Gives(enum.Enum):
    """The result of a call."""

    FLOAT = "float"
    STR = "str"
    FUNCTION = "function"
    """A function that depends on the arguments alone: ``operator.itemgetter(1)``."""
    OWN = "own"
    """A new object of Python's own types that a function can keep something in."""
    OTHER = "other"


@dataclass(frozen=True)
class Function:
    """One row of the table."""

    gives: Gives
    joins: bool
    """Whether it makes one value of two by an associative operator, and leaves both as they are."""
    changes: bool
    """Whether it changes an object that it is given."""
    tuples: bool
    """Whether it takes an object of a class derived from `tuple` for the tuple that it is."""


FUNCTIONS = read_table(
    """
name                        gives    joins changes tuples
# `operator.iadd` changes its first value, which may be a constant that other elements hold too
operator.add                other    yes   -       -
operator.concat             other    yes   -       -
operator.or_                other    yes   -       -
operator.and_               other    yes   -       -
operator.itemgetter         function -     -       -
operator.attrgetter         function -     -       -
operator.methodcaller       function -     -       -
functools.partial           function -     -       -
collections.deque           own      -     -       -
collections.Counter         own      -     -       -
collections.defaultdict     own      -     -       -
collections.OrderedDict     own      -     -       -
io.StringIO                 own      -     -       -
io.BytesIO                  own      -     -       -
itertools.count             own      -     -       -
types.SimpleNamespace       own      -     -       -
heapq.heapify               other    -     yes     -
heapq.heappush              other    -     yes     -
heapq.heappop               other    -     yes     -
heapq.heappushpop           other    -     yes     -
heapq.heapreplace           other    -     yes     -
heapq._heapify_max          other    -     yes     -
heapq._heappop_max          other    -     yes     -
heapq._heapreplace_max      other    -     yes     -
heapq.heapify_max           other    -     yes     -
heapq.heappush_max          other    -     yes     -
heapq.heappop_max           other    -     yes     -
heapq.heappushpop_max       other    -     yes     -
heapq.heapreplace_max       other    -     yes     -
bisect.insort               other    -     yes     -
bisect.insort_left          other    -     yes     -
bisect.insort_right         other    -     yes     -
random.shuffle              other    -     yes     -
time.time                   float    -     -       -
time.asctime                str      -     -       -
time.ctime                  str      -     -       -
time.strftime               str      -     -       -
math.acos                   float    -     -       -
math.asin                   float    -     -       -
math.atan                   float    -     -       -
math.atan2                  float    -     -       -
math.cos                    float    -     -       -
math.degrees                float    -     -       -
math.exp                    float    -     -       -
math.fabs                   float    -     -       -
math.fmod                   float    -     -       -
math.hypot                  float    -     -       -
math.log                    float    -     -       -
math.log10                  float    -     -       -
math.log1p                  float    -     -       -
math.pow                    float    -     -       -
math.radians                float    -     -       -
math.sin                    float    -     -       -
math.sqrt                   float    -     -       -
math.tan                    float    -     -       -
math.tanh                   float    -     -       -
os.getenv                   str      -     -       -
os.getcwd                   str      -     -       -
os.path.join                str      -     -       -
json.dumps                  other    -     -       yes
""",
    Function,
)
"""The table: a function without a row may do anything."""

JOINS = names(FUNCTIONS, lambda row: row.joins)
"""Functions that join two values into one."""
MAKES_FUNCTIONS = names(FUNCTIONS, lambda row: row.gives is Gives.FUNCTION)
CHANGES = names(FUNCTIONS, lambda row: row.changes)
"""Functions that change an argument."""
TUPLES = names(FUNCTIONS, lambda row: row.tuples)
"""Functions that take an object of a class derived from `tuple` for a tuple."""
FLOATS = names(FUNCTIONS, lambda row: row.gives is Gives.FLOAT)
TEXTS = names(FUNCTIONS, lambda row: row.gives is Gives.STR)
MAKES_NEW = frozenset(
    name.rpartition(".")[2] for name in names(FUNCTIONS, lambda row: row.gives is Gives.OWN)
)
"""The last parts of the names of classes whose objects can keep something."""


@dataclass(frozen=True)
class Module:
    """One row of the table of modules."""

    floats: bool
    """Whether its functions and constants may be, give or hold floats where they are given none."""
    changing: bool
    """Whether methods of the objects that it makes change something that a program computes with."""


MODULES = read_table(
    """
name     floats changing
re       -      -
string   -      -
operator -      yes
logging  yes    -
""",
    Module,
)
"""The table: a module without a row has both."""

NO_NEW_FLOATS = names(MODULES, lambda row: not row.floats)
"""Modules whose functions make no floats of other values."""
UNCHANGING = tuple(f"{name}." for name in sorted(names(MODULES, lambda row: not row.changing)))
"""Prefixes of the qualified names of functions whose results have no methods that change something."""
RE_FLAGS = frozenset({"UNICODE", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE", "ASCII", "U", "I", "M", "S"})
"""Constants of `re`."""
