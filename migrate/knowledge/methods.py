"""Methods by their name alone, where nobody knows what they are called on: one row for each.

Most are those of texts, lists, sets and dicts. A row holds for every object that commonly has the method.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from migrate.knowledge.table import names, read_table


class Gives(enum.Enum):
    """The kind of the result."""

    TEXT = "text"
    """A text, whatever the method is called on."""
    VALUE = "value"
    """Anything else that is new, or that the object holds."""
    VIEW = "view"
    """A view of the object, which changes with it: ``d.keys()``."""
    COPY = "copy"
    SET = "set"
    NOTHING = "nothing"


class Reads(enum.Enum):
    """The values that the result of a method depends on, if it changes nothing."""

    OBJECT = "object"
    """The object and plain arguments: an iterator among them is not read."""
    GIVEN = "given"
    """The object and the elements of an argument, which is read to its end."""
    ABSENT = "-"
    """It changes something, or nothing is known of it."""


class Fills(enum.Enum):
    """The elements that a method adds to its list, set or dict."""

    ITEM = "item"
    """Its argument, behind all others where there is an order."""
    PLACED = "placed"
    """Its argument, at a place that is given."""
    ITEMS = "items"
    """The elements of its argument, behind all others where there is an order."""
    MERGED = "merged"
    """The entries of its argument, a dict or a set, which may replace others."""
    NOTHING = "none"
    """None: it takes some out, or moves them."""
    ABSENT = "-"


@dataclass(frozen=True)
class Method:
    """One row of the table."""

    gives: Gives
    changes: bool
    """Whether it changes the object that it is called on."""
    fills: Fills
    reads: Reads
    floats: bool
    """Whether it may give floats, or put some into an object, where neither has any."""
    logs: bool
    """Whether it writes a line to a log."""
    differs: bool
    """Whether each call gives another value: the time, or a random number of many digits."""


METHODS = read_table(
    """
name                        gives   changes fills  reads  floats logs differs
# of texts
split                       value   -       -      object -      -    -
rsplit                      value   -       -      object -      -    -
splitlines                  value   -       -      object -      -    -
partition                   value   -       -      object -      -    -
rpartition                  value   -       -      object -      -    -
strip                       value   -       -      object -      -    -
lstrip                      value   -       -      object -      -    -
rstrip                      value   -       -      object -      -    -
lower                       value   -       -      object -      -    -
upper                       value   -       -      object -      -    -
title                       value   -       -      object -      -    -
capitalize                  value   -       -      object -      -    -
casefold                    value   -       -      object -      -    -
swapcase                    value   -       -      object -      -    -
replace                     value   -       -      object -      -    -
zfill                       value   -       -      object -      -    -
ljust                       value   -       -      object -      -    -
rjust                       value   -       -      object -      -    -
translate                   value   -       -      object -      -    -
encode                      value   -       -      object -      -    -
decode                      value   -       -      object -      -    -
startswith                  value   -       -      object -      -    -
endswith                    value   -       -      object -      -    -
find                        value   -       -      object -      -    -
rfind                       value   -       -      object -      -    -
isdigit                     value   -       -      object -      -    -
isnumeric                   value   -       -      object -      -    -
isalpha                     value   -       -      object -      -    -
isalnum                     value   -       -      object -      -    -
isspace                     value   -       -      object -      -    -
format                      text    -       -      object -      -    -
join                        text    -       -      given  -      -    -
# of collections, without a change
index                       value   -       -      object -      -    -
count                       value   -       -      object -      -    -
get                         value   -       -      object -      -    -
keys                        view    -       -      object -      -    -
values                      view    -       -      object -      -    -
items                       view    -       -      object -      -    -
copy                        copy    -       -      object -      -    -
union                       set     -       -      given  -      -    -
intersection                set     -       -      given  -      -    -
difference                  set     -       -      given  -      -    -
# of collections, with a change
append                      nothing yes     item   -      -      -    -
add                         nothing yes     item   -      -      -    -
extend                      nothing yes     items  -      -      -    -
update                      nothing yes     merged -      -      -    -
insert                      nothing yes     placed -      -      -    -
appendleft                  nothing yes     -      -      -      -    -
extendleft                  nothing yes     -      -      -      -    -
put                         nothing yes     -      -      yes    -    -
put_nowait                  nothing yes     -      -      yes    -    -
setdefault                  value   yes     -      -      -      -    -
pop                         value   yes     none   -      -      -    -
popleft                     value   yes     none   -      yes    -    -
popitem                     value   yes     none   -      yes    -    -
remove                      nothing yes     none   -      yes    -    -
discard                     nothing yes     none   -      yes    -    -
clear                       nothing yes     none   -      yes    -    -
sort                        nothing yes     none   -      yes    -    -
reverse                     nothing yes     none   -      yes    -    -
rotate                      nothing yes     none   -      yes    -    -
subtract                    nothing yes     -      -      yes    -    -
difference_update           nothing yes     none   -      yes    -    -
intersection_update         nothing yes     none   -      yes    -    -
symmetric_difference_update nothing yes     -      -      yes    -    -
__setitem__                 nothing yes     -      -      yes    -    -
__delitem__                 nothing yes     none   -      yes    -    -
# of metrics
increment                   nothing yes     -      -      yes    -    -
inc                         nothing yes     -      -      yes    -    -
# of regular expressions and their matches
compile                     value   -       -      -      -      -    -
match                       value   -       -      object -      -    -
search                      value   -       -      object -      -    -
fullmatch                   value   -       -      object -      -    -
findall                     value   -       -      object -      -    -
sub                         value   -       -      object -      -    -
group                       value   -       -      object -      -    -
groups                      value   -       -      object -      -    -
# of modules and models
loads                       value   -       -      object yes    -    -
dumps                       value   -       -      object -      -    -
sqrt                        value   -       -      object yes    -    -
log                         value   -       -      object yes    -    -
exp                         value   -       -      object yes    -    -
floor                       value   -       -      object yes    -    -
ceil                        value   -       -      object yes    -    -
predict                     value   -       -      given  yes    -    -
predict_proba               value   -       -      given  yes    -    -
transform                   value   -       -      given  yes    -    -
# of times
strptime                    value   -       -      object yes    -    -
strftime                    text    -       -      -      yes    -    -
isoformat                   text    -       -      -      yes    -    -
ctime                       text    -       -      -      yes    -    -
time                        value   -       -      -      yes    -    yes
time_ns                     value   -       -      -      yes    -    yes
now                         value   -       -      -      yes    -    yes
utcnow                      value   -       -      -      yes    -    yes
uuid1                       value   -       -      -      yes    -    yes
uuid4                       value   -       -      -      yes    -    yes
token_hex                   value   -       -      -      yes    -    yes
getrandbits                 value   -       -      -      yes    -    yes
# of loggers
debug                       nothing -       -      -      yes    yes  -
info                        nothing -       -      -      yes    yes  -
warning                     nothing -       -      -      yes    yes  -
warn                        nothing -       -      -      yes    yes  -
error                       nothing -       -      -      yes    yes  -
critical                    nothing -       -      -      yes    yes  -
""",
    Method,
)
"""The table: a method without a row may do anything."""

CHANGES = names(METHODS, lambda row: row.changes)
"""Methods that change the object that they are called on."""
FILLS = names(METHODS, lambda row: row.fills in (Fills.ITEM, Fills.ITEMS, Fills.PLACED))
"""Methods that put their argument, or its elements, into a list or a set."""
FILLS_IN_ORDER = names(METHODS, lambda row: row.fills in (Fills.ITEM, Fills.ITEMS, Fills.MERGED))
"""Methods that add to a list, set or dict and keep the order of a list."""
ADDS_ITEMS = names(METHODS, lambda row: row.fills in (Fills.ITEMS, Fills.MERGED))
"""Methods that add the elements of a collection: nothing for an empty one."""
ADDS_NOTHING = names(METHODS, lambda row: row.fills is Fills.NOTHING)
"""Methods that change a collection, and leave an empty one empty."""
READS = names(METHODS, lambda row: row.reads is not Reads.ABSENT)
"""Methods, and functions of modules, that change nothing."""
READS_OBJECT = names(METHODS, lambda row: row.reads is Reads.OBJECT)
"""Methods of `READS` that do not read an iterator among the arguments, which would change it."""
VIEWS = names(METHODS, lambda row: row.gives is Gives.VIEW)
"""Methods that return a view of a dict."""
NOT_MORE = VIEWS | names(METHODS, lambda row: row.gives is Gives.COPY)
"""Methods of lists and dicts that give no more elements than those hold."""
SETS = names(METHODS, lambda row: row.gives is Gives.SET) | (VIEWS - {"values"})
"""Methods that give sets, or views that are compared like them."""
TEXTS = names(METHODS, lambda row: row.gives is Gives.TEXT)
"""Methods that give a text, whatever they are called on."""
NO_NEW_FLOATS = names(METHODS, lambda row: not row.floats)
"""Methods that never make a new float."""
LOGS = names(METHODS, lambda row: row.logs)
"""Methods of a logger that write a line."""
DIFFERS = names(METHODS, lambda row: row.differs)
"""Methods, and functions of modules, whose result is another one at each call."""
