"""Programs in Python 2: recognised, and brought to Python 3 before they are migrated.

No PySpark that runs here takes Python 2, so nothing can prove this step. Where Python 3 is known to give
another value without an error (`migrate.read.python2.limits`), the graph is left as it is.
"""

from migrate.read.python2.by_import import with_imported
from migrate.read.python2.encoded_values import encoded_values
from migrate.read.python2.form import Modernised, NotPython2Error, modernise
from migrate.read.python2.given_elsewhere import with_given_elsewhere
from migrate.read.python2.helpers import python2_helpers
from migrate.read.python2.neighbours import with_neighbours
from migrate.read.python2.notes import notes_on_2
from migrate.read.python2.recognition import is_for_3, python2_names, signs_of_2
from migrate.read.python2.relative_imports import with_relative_imports
from migrate.read.python2.tabs import with_mended_tabs
from migrate.read.python2.unknown_producers import notes_on_producers

__all__ = [
    "Modernised",
    "NotPython2Error",
    "encoded_values",
    "is_for_3",
    "modernise",
    "notes_on_2",
    "notes_on_producers",
    "python2_helpers",
    "python2_names",
    "signs_of_2",
    "with_given_elsewhere",
    "with_imported",
    "with_mended_tabs",
    "with_neighbours",
    "with_relative_imports",
]
