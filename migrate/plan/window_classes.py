"""The classes of sliding windows that have slides, or whose interval may be no whole number of seconds.

window = SlidingWindow(length=30, interval=5)
...
window.add(now, added)
if window.is_due(every=10):
    window.rows().show()
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from migrate.plan.needs import Sliding

CLASS = "SlidingWindow"
NAMES = {"rows": "SlidingRows", "rdd": "SlidingRdds", "value": "SlidingValues"}
"""The names of classes beside one of that name, by what their windows hold."""
_WORDS = {"rows": "rows", "rdd": "RDD", "value": "value"}
CONTEXT = "self.batches[0][1].context"
"""The SparkContext of RDDs that a window holds."""
_DUE = '''
    def is_due(self, every):
        """Whether a slide of `every` seconds, counted from the start, ended after the batch before."""
        slide = round(every / self.interval)
        return (self.now - self.start) // slide > (self.before - self.start) // slide'''
_CLEAR = '''
    def clear(self):
        """Release all {batches}."""
        while self.batches:
            self.batches.popleft()[1].unpersist()'''
_FALLEN_OUT = '''
    def fallen_out(self):
        """The {batches} that fell out, and are to be released."""
        return [{held} for interval, {held} in self.batches if interval <= self.now - self.length]

    def release(self):
        """Release the {batches} that fell out."""
{release}'''
_RELEASE = """\
        while self.batches[0][0] <= self.now - self.length:
            self.batches.popleft(){unpersist}"""
_LAST = '''
    def last(self, seconds):
        """The {batches} of the last `seconds` alone."""
        begin = self.now - round(seconds / self.interval)
        return {union}'''
_ALL = """
    def {method}(self):
        return {union}"""


def class_of(name: str, windows: Sequence[Sliding], *, is_cleared: bool) -> str:
    """The source of a class.

    Args:
        name: its name.
        windows: its windows, those that share the object of another one as well.
        is_cleared: whether they are cleared when a batch fails.
    """
    held = windows[0].holds
    plural = {"rows": "rows", "rdd": "RDDs", "value": "values"}[held]
    subtracts = bool(windows[0].negative)
    release = _RELEASE.format(unpersist="" if held == "value" else "[1].unpersist()")
    parts = [f'class {name}:\n    """The {plural} of the batches of the last `length` seconds."""\n']
    parts += [*_made(windows), "", *_adding(windows), *([] if subtracts else [release])]
    parts += [_DUE] if _have_slides(windows) else []
    if subtracts:
        parts.append(_FALLEN_OUT.format(batches=plural, held=held, release=release))
    parts += _reading(windows, plural)
    parts += [_CLEAR.format(batches=plural)] if is_cleared and held != "value" else []
    return "\n".join(parts)


def _have_slides(windows: Sequence[Sliding]) -> bool:
    return any(one.every for one in windows)


def _goes_on(windows: Sequence[Sliding]) -> bool:
    """Whether some window gives 0 once all elements have gone, but nothing before the first one."""
    return any(one.value is not None and one.value.keeps for one in windows)


def _made(windows: Sequence[Sliding]) -> Iterator[str]:
    """The lines that make an object."""
    yield "    def __init__(self, length, interval):"
    yield "        self.length = round(length / interval)  # in intervals"
    yield "        self.interval = interval"
    yield f"        self.batches = deque()  # pairs of an interval and its {_WORDS[windows[0].holds]}"
    if _have_slides(windows):
        yield "        self.start = self.before = self.now = None"
    if _goes_on(windows):
        yield "        self.has_begun = False  # whether any batch had elements"


def _adding(windows: Sequence[Sliding]) -> Iterator[str]:
    """The lines of ``add``, without those that release what falls out of the window."""
    held = windows[0].holds
    yield f"    def add(self, now, {held}):"
    yield f'        """{_does(held, subtracts=bool(windows[0].negative))}"""'
    if _have_slides(windows):
        yield "        self.before, self.now = self.now, int(now // self.interval)"
        yield "        if self.start is None:"
        yield "            self.start = self.before = self.now - 1"
    else:
        yield "        self.now = int(now // self.interval)"
    yield f"        self.batches.append((self.now, {held if held == 'value' else f'{held}.persist()'}))"
    if _goes_on(windows):
        yield "        self.has_begun = self.has_begun or value is not None"


def _reading(windows: Sequence[Sliding], plural: str) -> Iterator[str]:
    """The methods that give what is held."""
    held = windows[0].holds
    may_be_none = any(one.value is not None and one.value.may_be_none for one in windows)
    known = " if value is not None" if may_be_none else ""
    unions = {one.reads: one.union for one in windows if one.reads}
    last = unions.pop("last", "")
    for method, union in unions.items():
        yield _ALL.format(method=method, union=union.format(f"[{held} for _, {held} in self.batches{known}]"))
    if last:
        batches = f"[{held} for interval, {held} in self.batches if interval > begin]"
        yield _LAST.format(batches=plural, union=last.format(batches))


def _does(held: str, *, subtracts: bool) -> str:
    """What adding a batch does, as a sentence."""
    if subtracts:
        return f"Add the {_WORDS[held]} of a batch."
    goes = "drop" if held == "value" else "release"
    return f"Add the {_WORDS[held]} of a batch, and {goes} those that fall out."
