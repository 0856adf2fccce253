"""Random functions of a text: statements and expressions whose types may or may not be proven."""

from __future__ import annotations

from hypothesis import strategies as st

TEXTS = ("s", "s.title()", "s[:2]", "s.split(' ')[0]", "' '.join(words)", "str(n)", "f'{s}-{n}'", "best")
WHOLES = ("n", "len(s)", "n % 3", "len(words)", "s.count('a')", "n * n", "sum(len(w) for w in words)")
REALS = ("x", "n / 3", "float(n)", "x * 2.5", "round(x, 2)", "-x")
TRUTHS = ("n > 2", "s.istitle()", "'a' in s", "not words", "seen", "bool(best)", "x == 0")
LISTS = ("words", "sorted(words)", "[w.title() for w in words if w]", "found", "list(counts)")
OTHERS = (
    "None",
    "best or None",
    "counts.get(s)",
    "counts.get('a', 0)",
    "max(words, key=len)",
    "1 if seen else x",
)
VALUES = (*TEXTS, *WHOLES, *REALS, *TRUTHS, *LISTS, *OTHERS)
HEAD = (
    "words = s.split(' ')",
    "n = len(s)",
    "x = n / 2",
    "best = ''",
    "seen = False",
    "found = []",
    "counts = {}",
)
STATEMENTS = (
    "for w in words:\n    counts[w] = counts.get(w, 0) + 1",
    "for w in words:\n    if len(w) > len(best):\n        best = w",
    "for i, w in enumerate(words):\n    if not w:\n        continue\n    found.append(w.title())",
    "for w in words:\n    if 'a' in w:\n        seen = True\n        break",
    "while n > 3:\n    n -= 2",
    "try:\n    x = float(s)\nexcept ValueError:\n    x = 0.5",
    "try:\n    n = int(s)\nexcept ValueError:\n    pass",
    "if seen:\n    return {0}",
    "if n > 4:\n    return {0}",
    "if not best:\n    best = {1}",
    "best, seen = {1}, {2}",
    "words = {3}",
    "n = {4}",
    "x = {5}",
)


@st.composite
def functions(draw: st.DrawFn) -> str:
    """The source of ``def f(s)``."""
    result = draw(st.sampled_from((TEXTS, WHOLES, REALS, TRUTHS, LISTS, VALUES)))
    kinds = (result, TEXTS, TRUTHS, LISTS, WHOLES, REALS)
    body = list(HEAD)
    chosen = draw(st.lists(st.sampled_from(STATEMENTS), max_size=5))
    body += [statement.format(*(draw(st.sampled_from(kind)) for kind in kinds)) for statement in chosen]
    parts = draw(st.lists(st.sampled_from(result), min_size=1, max_size=1)) + draw(
        st.lists(st.sampled_from(VALUES), max_size=2)
    )
    body.append(f"return {', '.join(parts)}")
    return "def f(s):\n" + "\n".join("    " + line for part in body for line in part.split("\n"))
