"""The classes of sliding windows that have slides, or whose interval may be no whole number of seconds.

window = SlidingWindow(length=30, interval=5)
...
window.add(now, added)
if window.is_due(every=10):
    window.rows().show()
"""

from __future__ import annotations

from collections.abc import Sequence

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
    first = windows[0]
    held = first.holds
    batches = {"rows": "rows", "rdd": "RDDs", "value": "values"}[held]
    is_due, subtracts = any(one.every for one in windows), bool(first.negative)
    begins = any(one.value is not None and one.value.keeps for one in windows)
    may_be_none = any(one.value is not None and one.value.may_be_none for one in windows)
    release = _RELEASE.format(unpersist="" if held == "value" else "[1].unpersist()")
    lines = [
        f"class {name}:",
        f'    """The {batches} of the batches of the last `length` seconds."""',
        "",
        "    def __init__(self, length, interval):",
        "        self.length = round(length / interval)  # in intervals",
        "        self.interval = interval",
        f"        self.batches = deque()  # pairs of an interval and its {_WORDS[held]}",
        *(["        self.start = self.before = self.now = None"] if is_due else []),
        *(["        self.has_begun = False  # whether any batch had elements"] if begins else []),
        "",
        f"    def add(self, now, {held}):",
        f'        """{_does(held, subtracts=subtracts)}"""',
    ]
    if is_due:
        lines += [
            "        self.before, self.now = self.now, int(now // self.interval)",
            "        if self.start is None:",
            "            self.start = self.before = self.now - 1",
        ]
    else:
        lines.append("        self.now = int(now // self.interval)")
    persisted = held if held == "value" else f"{held}.persist()"
    lines.append(f"        self.batches.append((self.now, {persisted}))")
    if begins:
        lines.append("        self.has_begun = self.has_begun or value is not None")
    lines += [] if subtracts else [release]
    parts = [_DUE] if is_due else []
    if subtracts:
        parts.append(_FALLEN_OUT.format(batches=batches, held=held, release=release))
    known = " if value is not None" if may_be_none else ""
    every, last = f"[{held} for _, {held} in self.batches{known}]", f"for interval, {held} in self.batches"
    unions = {one.reads: one.union for one in windows if one.reads}
    for method in sorted(unions, key=lambda one: one == "last"):
        if method == "last":
            union = unions[method].format(f"[{held} {last} if interval > begin]")
            parts.append(_LAST.format(batches=batches, union=union))
        else:
            parts.append(_ALL.format(method=method, union=unions[method].format(every)))
    parts += [_CLEAR.format(batches=batches)] if is_cleared and held != "value" else []
    return "\n".join([*lines, *parts])


def _does(held: str, *, subtracts: bool) -> str:
    """What adding a batch does, as a sentence."""
    if subtracts:
        return f"Add the {_WORDS[held]} of a batch."
    goes = "drop" if held == "value" else "release"
    return f"Add the {_WORDS[held]} of a batch, and {goes} those that fall out."
