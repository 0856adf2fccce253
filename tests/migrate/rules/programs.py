"""Random programs: streams made of streams by operators and functions that the codemod may not know."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

HEAD = """\
import re
import sys

vowels = []
for letter in sys.copyright.lower():
    if letter in "aeiou":
        vowels.append(letter)
vowel = vowels[-1]
longest = len(set(vowels)) - 2

def shout(text):
    return text.upper() + "!"

def sides(text):
    return (text[:1], text)

def firsts(rdd):
    return rdd.map(lambda x: str(x)[:2])

def shown(rdd):
    print("rows", sorted(map(repr, rdd.collect())))

def counted(time, rdd):
    print("at", time, rdd.count())

def saved(x):
    print("saved", x)

def saved_part(x):
    print("saved", x[:1], len(x))

def saved_all(xs):
    for x in xs:
        print("saved", x)

def saved_parts(xs):
    for x in xs:
        print("saved", x[:1], len(x))

def collected(rdd):
    print("collected", sorted(repr(x[:1]) for x in rdd.collect()))

"""
TEXT_TO_TEXT = (
    "map(lambda t: t.strip())",
    "map(lambda t: t[:3])",
    "map(shout)",
    "map(lambda t: re.sub('a', 'o', t))",
    "map(lambda t: t.title())",
    "map(lambda t: '%6s|%.2f' % (t, len(t) / 3))",
    "filter(lambda t: t.swapcase() > 'B')",
    "flatMap(lambda t: sorted(t.title().split()))",
    "filter(lambda t: 'a' in t)",
    "filter(lambda t: vowel in t)",
    "filter(lambda t: len(t) <= longest)",
    "filter(lambda t: len(t) > 2)",
    "filter(lambda t: re.search('[a-f]', t))",
    "flatMap(lambda t: t.split(' '))",
    "flatMap(lambda t: t.split())",
    "flatMap(lambda t: [t, t])",
    "transform(firsts)",
    "transform(lambda rdd: rdd.distinct())",
    "cache()",
)
TEXT_TO_PAIR = (
    "map(lambda t: (t, 1))",
    "map(lambda t: (t[:1] in vowels, vowel + t))",
    "map(lambda t: (t[:1], len(t)))",
    "map(sides)",
    "map(lambda t: (t.casefold(), ord(t[-1:] or 'x')))",
    "map(lambda t: (len(t), t))",
    "countByValue()",
)
PAIR_TO_PAIR = (
    "mapValues(lambda v: v)",
    "mapValues(lambda v: repr(v).zfill(4))",
    "flatMapValues(lambda v: [v, v])",
    "filter(lambda kv: str(kv[1]).isalnum())",
    "filter(lambda kv: kv[0] != kv[1])",
    "map(lambda kv: (kv[1], kv[0]))",
    "map(lambda kv: (str(kv[0]), 2))",
)
NUMBERED_TO_PAIR = ("reduceByKey(lambda a, b: a + b)", "reduceByKey(max)")
PAIR_TO_TEXT = ("map(lambda kv: str(kv[0]))", "map(lambda kv: repr(kv))", "map(lambda kv: '%s' % (kv[1],))")
OUTPUTS = (
    "{}.pprint()",
    "{}.pprint(50)",
    "{}.count().pprint()",
    "{}.foreachRDD(shown)",
    "{}.foreachRDD(lambda rdd: shown(rdd))",
    "{}.foreachRDD(counted)",
    "{}.foreachRDD(lambda rdd: None if rdd.isEmpty() else print(rdd.count()))",
    "{}.foreachRDD(lambda rdd: rdd.foreach(saved))",
    "{}.foreachRDD(lambda rdd: rdd.foreach(saved_part))",
    "{}.foreachRDD(lambda rdd: rdd.foreach(lambda x: saved(x)))",
    "{}.foreachRDD(lambda rdd: rdd.foreachPartition(saved_all))",
    "{}.foreachRDD(lambda rdd: rdd.repartition(2).foreachPartition(lambda xs: saved_parts(xs)))",
    "{}.foreachRDD(collected)",
    "{}.foreachRDD(lambda rdd: collected(rdd))",
)
OF_NUMBERS = (
    *("pprint()", "pprint()", "map(str).pprint()", "map(lambda n: 'of %d' % n).pprint()", "cache().pprint()"),
    *("map(lambda n: (n, n + 1)).pprint()", "filter(lambda n: n > 3).pprint()", "foreachRDD(shown)"),
)


ADD, SUBTRACT = "lambda a, b: a + b", "lambda a, b: a - b"


def random_program(seed: int, *, windows: bool = False) -> str:
    """Lines between a source of texts, `lines`, and the start of the context.

    Args:
        seed: the same program for the same seed.
        windows: whether there are sliding windows in it, of a batch interval of one second.
    """
    return HEAD + "\n".join(_Program(random.Random(seed), windows).lines())


class _Program:
    def __init__(self, rng: random.Random, windows: bool) -> None:
        self._rng = rng
        self._windows = windows
        self._texts = ["lines"]
        self._pairs: list[str] = []
        self._numbered: list[str] = []
        self._of_windows: set[str] = set()
        """The streams that are made of a window: DStream refuses most windows of those."""
        self._slides: dict[str, int] = {}
        """How often those have a batch, in intervals; DStream unites no streams with different slides."""
        self._slide = 1
        """The slide of the last window."""
        self._made = 0
        self._outputs = 0

    def lines(self) -> list[str]:
        made = [self._stream() for _ in range(self._rng.randint(2, 5))]
        names = [*self._texts[1:], *self._pairs, *self._numbered] or ["lines"]
        outputs = self._rng.sample(names, min(len(names), self._rng.randint(1, 3)))
        if self._windows and not any("indow(" in line for line in made):
            made.append(self._window())
        return [*made, *(self._rng.choice(OUTPUTS).format(name) for name in outputs)]

    def _stream(self) -> str:
        ways: list[Callable[[], str]] = [self._text, self._text, self._pair]
        if self._numbered or self._pairs:
            ways += [self._of_pair, self._back]
        if len(self._texts) > 1:
            ways.append(self._union)
        if len(self._pairs) > 1:
            ways.append(self._join)
        if self._windows:
            ways += [self._window, self._window_of_pairs, self._number_of_window] * 2
        return self._rng.choice(ways)()

    def _named(self, kind: list[str], code: str) -> str:
        again = kind and kind[-1] != "lines" and self._rng.random() < 0.2
        self._made += 1
        name = kind[-1] if again else f"s{self._made}"
        if not again:
            kind.append(name)
        read = set(re.findall(r"\w+", code))
        made_of_window = "indow(" in code or not self._of_windows.isdisjoint(read)
        (self._of_windows.add if made_of_window else self._of_windows.discard)(name)
        self._slides[name] = (
            self._slide if "indow(" in code else max(self._slides.get(one, 1) for one in read)
        )
        return f"{name} = {code}"

    def _of(self, kind: list[str], calls: tuple[str, ...]) -> str:
        return f"{self._rng.choice(kind)}.{self._rng.choice(calls)}"

    def _text(self) -> str:
        return self._named(self._texts, self._of(self._texts, TEXT_TO_TEXT))

    def _pair(self) -> str:
        code = self._of(self._texts, TEXT_TO_PAIR)
        numbered = code.endswith(("1))", "len(t)))", "countByValue()"))
        return self._named(self._numbered if numbered else self._pairs, code)

    def _of_pair(self) -> str:
        if self._numbered and self._rng.random() < 0.6:
            return self._named(self._numbered, self._of(self._numbered, NUMBERED_TO_PAIR))
        return self._named(self._pairs, self._of(self._pairs or self._numbered, PAIR_TO_PAIR))

    def _back(self) -> str:
        return self._named(self._texts, self._of(self._pairs or self._numbered, PAIR_TO_TEXT))

    def _union(self) -> str:
        left, right = self._rng.choices(self._texts, k=2)
        if self._slides.get(left, 1) != self._slides.get(right, 1):
            right = left
        return self._named(self._texts, f"{left}.union({right})")

    def _join(self) -> str:
        left, right = self._rng.sample(self._pairs, 2)
        how = self._rng.choice(("join", "leftOuterJoin", "fullOuterJoin"))
        return self._named(self._pairs, f"{left}.{how}({right})")

    def _durations(self, *, slides: bool = False, longest: int = 6) -> str:
        """The arguments for length and slide, the latter always if `slides`, the former up to `longest`.

        No window is shorter than its slide: the queue that stands for the socket before the rewrite would
        keep what came between two windows, where a receiver drops it.
        """
        slide = self._slide = self._rng.choice((1, 1, 2, 3))
        length = self._rng.choice((slide, 2 * slide, 3 * slide, self._rng.randint(slide, longest)))
        if slides or self._rng.random() < 0.6:
            return f"{length}, {slide}"
        self._slide = 1
        return f"{length}"

    def _batches(self, kind: list[str], *more: str) -> str:
        """A stream of which each batch is that of an interval, or one of some more."""
        return self._rng.choice([*(name for name in kind if name not in self._of_windows), *more])

    def _window(self) -> str:
        text = self._batches(self._texts)
        if self._rng.random() < 0.3:
            return self._named(
                self._numbered, f"{text}.countByValueAndWindow({self._durations(slides=True)})"
            )
        return self._named(self._texts, f"{text}.window({self._durations()})")

    def _window_of_pairs(self) -> str:
        counted = f"{self._batches(self._texts)}.map(lambda t: (t[:1], len(t)))"
        if self._rng.random() < 0.7:
            reduce = self._rng.choice((f"{ADD}, None", f"{ADD}, {SUBTRACT}", "max, None"))
            kept = self._rng.choice(("", "", "lambda p: p[1] > 0", "lambda p: p[1] > 3"))
            filtered = f", filterFunc={kept}" if kept else ""
            call = f"reduceByKeyAndWindow({reduce}, {self._durations()}{filtered})"
            return self._named(self._numbered, f"{self._batches(self._numbered, counted)}.{call}")
        if self._rng.random() < 0.5:
            call = f"window({self._durations()})"
        else:
            call = f"groupByKeyAndWindow({self._durations(slides=True)}).mapValues(sorted)"
        return self._named(self._pairs, f"{self._batches(self._pairs, counted)}.{call}")

    def _number_of_window(self) -> str:
        """A number for each window, which is put out as it is or as what maps make of it."""
        text, durations = self._batches(self._texts), self._durations(slides=True, longest=11)
        reduce = self._rng.choice(("max, None", f"{ADD}, None", f"{ADD}, {SUBTRACT}"))
        sizes = self._rng.choice(("map(len)", "map(lambda t: len(t) - 2)", "map(lambda t: 1)"))
        calls = (
            f"{text}.countByWindow({durations})",
            f"{text}.map(lambda t: {{t: 1}}).countByWindow({durations})",
            f"{text}.{sizes}.reduceByWindow({reduce}, {durations})",
            f"lines.map(len).window({durations}).count()",
        )
        return f"{self._rng.choice(calls)}.{self._rng.choice(OF_NUMBERS)}"


def spread(program: str, shape: str) -> str:
    """A whole program that reads a socket, with the lines of `random_program` in functions or in a class.

    Args:
        program: the lines.
        shape: ``function``, ``builder``, ``returned``, ``class`` or ``derived``.
    """
    head, lines = program[: len(HEAD)], program[len(HEAD) :].splitlines()
    outputs = [line for line in lines if " = " not in line.split("(")[0]]
    made = [line for line in lines if line not in outputs]
    return START + head + _SHAPES[shape](made, outputs)


START = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
_CONTEXT = 'ssc = StreamingContext(SparkContext(appName="Spread"), 1)'
_SOURCE = 'ssc.socketTextStream("h", 1)'
_RUN = ["ssc.start()", "ssc.awaitTermination()"]


def _body(*rows: str) -> str:
    return "".join(f"    {row}\n" for row in rows)


def _function(made: list[str], outputs: list[str]) -> str:
    main = _body(_CONTEXT, f"wire({_SOURCE})", *_RUN)
    return f"def wire(lines):\n{_body(*made, *outputs)}\ndef main():\n{main}\nmain()\n"


def _builder(made: list[str], outputs: list[str]) -> str:
    build = _body(_CONTEXT, f"lines = {_SOURCE}", *made, *outputs, "return ssc")
    return f"def build():\n{build}\nssc = build()\n" + "\n".join(_RUN) + "\n"


def _returned(made: list[str], outputs: list[str]) -> str:
    names = sorted({line.split(" = ")[0] for line in made})
    listed = ", ".join(names) + ("," if len(names) == 1 else "")
    main = _body(_CONTEXT, f"lines = {_SOURCE}", f"{listed} = made(lines)", *outputs, *_RUN)
    return f"def made(lines):\n{_body(*made, f'return {listed}')}\ndef main():\n{main}\nmain()\n"


def _owned(rows: list[str]) -> str:
    """Statements of a method, whose streams are attributes."""
    return _body(*(_body(re.sub(r"\b(s\d+|lines)\b", r"self.\1", row)).rstrip() for row in rows))


def _methods(name: str, methods: dict[str, str]) -> str:
    return f"class {name}:\n" + "".join(f"    def {one}(self):\n{code}\n" for one, code in methods.items())


_START = _body(*(f"    {row}" for row in (_CONTEXT, "self.ssc = ssc", f"self.lines = self.{_SOURCE}")))
_RUNNING = _body(*(f"    self.{row}" for row in ("made()", "put()", *_RUN)))


def _class(made: list[str], outputs: list[str]) -> str:
    methods = {"__init__": _START, "made": _owned(made), "put": _owned(outputs), "run": _RUNNING}
    return f"{_methods('Job', methods)}Job().run()\n"


def _derived(made: list[str], outputs: list[str]) -> str:
    """A class below another one, which binds the attributes of that again."""
    names = dict.fromkeys(["lines", *(line.split(" = ")[0] for line in made)])
    again = [f"{name} = {name}.filter(lambda x: True)" for name in names]
    base = _methods("Base", {"__init__": _START, "made": _owned(made), "run": _RUNNING})
    own = {"made": _body("    Base.made(self)") + _owned(again), "put": _owned(outputs)}
    return f"{base}{_methods('Job(Base)', own)}Job().run()\n"


_SHAPES = {
    "function": _function,
    "builder": _builder,
    "returned": _returned,
    "class": _class,
    "derived": _derived,
}
SHAPES = tuple(_SHAPES)
