"""Variables of functions of streams, whose code moves into the batch function."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import file, run

MADE = "    shortest = least + 1  # letters\n"
PROGRAM = (
    "import re\nimport sys\nfrom pyspark import SparkContext\n"
    "from pyspark.streaming import StreamingContext\n\n\n"
    "def counts_of(lines, least, pattern):\n"
    '    """The frequent words."""\n'
    "    global seen\n"
    "    # what a word is\n"
    "    found = re.compile(pattern)\n"
    f"{MADE}"
    "    words = lines.flatMap(str.split).filter(lambda w: len(w) >= shortest and found.match(w))\n"
    "    counts = words.map(lambda w: (w, 1)).reduceByKeyAndWindow(lambda a, b: a + b, None, 4, 2)\n"
    "    return counts\n\n\n"
    "def main():\n"
    "    sc = SparkContext()\n"
    "    ssc = StreamingContext(sc, 1)\n"
    '    lines = ssc.socketTextStream("localhost", 9999)\n'
    '    print("counts")\n'
    "    counts = counts_of(lines, 3, sys.argv[1])\n"
    "    counts.pprint()\n"
    "    ssc.start()\n"
    "    ssc.awaitTermination()\n\n\n"
    "main()\n"
)


def test_they_are_bound_where_the_function_was_called() -> None:
    new = file(PROGRAM).new
    assert (
        '    print("counts")\n'
        "    pattern = sys.argv[1]\n"
        "    # what a word is\n"
        "    found = re.compile(pattern)\n"
        "    shortest = 3 + 1  # letters\n"
    ) in new
    assert 'lambda w: bool(len(w) >= shortest and found.match(w)), "boolean"' in new
    assert "def counts_of" not in new


def test_those_that_others_are_made_of_come_first() -> None:
    new = file(PROGRAM.replace(MADE, "    one = 1\n    shortest = least + one\n")).new
    assert "    found = re.compile(pattern)\n    one = 1\n    shortest = 3 + one\n" in new


METHODS = (
    "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n\n"
    "class Words:\n"
    "    length = 4\n\n"
    "    def change(self, length):\n"
    "        self.length = length\n\n"
    "    def counts_of(self, lines):\n"
    "        pairs = lines.flatMap(str.split).map(lambda word: (word, 1))\n"
    "        return pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, self.length)\n\n"
    "    def run(self):\n"
    "        ssc = StreamingContext(SparkContext(), 1)\n"
    '        lines = ssc.socketTextStream("localhost", 9999)\n'
    "        print(1)\n"
    "        counts = self.counts_of(lines)\n"
    "        counts.pprint()\n"
    "        ssc.start()\n"
    "        ssc.awaitTermination()\n\n\n"
    "words = Words()\n"
    "words.change(6)\n"
    "words.run()\n"
)


def test_what_an_operator_is_given_is_evaluated_where_the_function_was_called() -> None:
    new = file(METHODS).new
    assert "        print(1)\n        window_length = self.length\n" in new
    assert "while window[0][0] <= now - window_length:" in new
    assert "def counts_of" not in new


REFUSED = {
    "bound twice": (MADE, f"{MADE}    shortest += 1\n"),
    "bound in a branch": (MADE, f"    if least:\n    {MADE}"),
    "bound again by a loop": (MADE, f"{MADE}    for shortest in []:\n        pass\n"),
    "made of what is bound in a branch": (MADE, "    if least:\n        a = 1\n    shortest = a\n"),
    "read by what stays": (MADE, f"{MADE}    print(shortest)\n"),
    "read by another function": (MADE, f"{MADE}    def show():\n        print(shortest)\n    show()\n"),
    "another variable of the module": ("def main():\n", "shortest = 1\n\n\ndef main():\n"),
    "another variable of the batch function's place": ("    sc = Spark", "    shortest = 1\n    sc = Spark"),
    "an assignment inside of another": (MADE, "    shortest = (n := least) + 1\n    print(n)\n"),
    "two at once": (MADE, "    shortest, longest = least, 9\n"),
}


@pytest.mark.parametrize(("old", "new"), REFUSED.values(), ids=REFUSED)
def test_others_stay(old: str, new: str) -> None:
    source = PROGRAM.replace(old, new, 1)
    assert source != PROGRAM
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    why = ("reads `shortest` of another function", "does more than make streams")
    assert any(reason in graph.reasons[0] for reason in why)
