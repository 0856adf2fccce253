"""Stages in a Python worker, run here on Arrow batches made by hand."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from operator import add
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark import cloudpickle
from pyspark.rdd import portable_hash

from compat._structured.batches import frame
from compat._structured.batches.salt import salts
from compat._structured.worker import kept, merge, stages

# Where psutil is missing, PySpark's mergers ask /proc for their memory and leave the file open.
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
Pairs = list[tuple[Any, int]]
KEYS = st.one_of(st.none(), st.integers(-5, 5), st.text(max_size=2), st.tuples(st.integers(0, 2), st.none()))
MEMORY = 2**20
"""Megabytes that no test uses: what is spilled is sorted by keys, which may be of several types."""
PAIRS = st.lists(st.tuples(KEYS, st.integers(-9, 9)), max_size=30)


@pytest.fixture(autouse=True, scope="module")
def hash_seed() -> Iterator[None]:
    """`portable_hash` refuses to work without it; Spark sets it for its workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONHASHSEED", "0")
        yield


def chunks(*elements: list[Any]) -> Iterator[pa.RecordBatch]:
    for block in elements:
        yield pa.RecordBatch.from_arrays([pa.array([pickle.dumps(block)], pa.binary())], names=["chunk"])


def test_partitions_of_one_task_are_worked_on_one_by_one() -> None:
    """Their rows come in batches of Arrow that know nothing of partitions."""
    numbers, texts = [0, 0, 2, 2, 2, 3], list("abcdef")
    columns = [pa.array(numbers, pa.int32()), pa.array(texts)]
    rows = pa.RecordBatch.from_arrays(columns, names=["partition", "value"])
    stage = stages.one_by_one(stages.stage(("lines", None), (("glom", None),), ("chunks", None)))
    for cut in range(len(texts) + 1):
        made = list(stage(iter([rows.slice(0, cut), rows.slice(cut)])))
        parts = [element for batch in made for element in pickle.loads(batch.column(0)[0].as_py())]
        assert parts == [["a", "b"], ["c", "d", "e"], ["f"]]
    (nothing,) = stage(iter([]))
    assert pickle.loads(nothing.column(0)[0].as_py()) == [[]]


def shuffle(outputs: list[pa.RecordBatch], partitions: int) -> list[list[pa.RecordBatch]]:
    """What `repartition(partitions, "salt")` does."""
    placed = {salt: partition for partition, salt in enumerate(salts(partitions))}
    buckets: list[list[pa.RecordBatch]] = [[] for _ in range(partitions)]
    for batch in outputs:
        buckets[placed[batch.column(1)[0].as_py()]].append(batch)
    return buckets


def elements(batches: Iterator[pa.RecordBatch]) -> list[Any]:
    return list(stages.read_chunks(None, batches))


def scattered(
    partitions: int, pairs: Pairs, combine: str, settings: Any = None, tag: int = 0
) -> list[pa.RecordBatch]:
    scatter = merge.Scatter(salts(partitions), portable_hash, combine, settings)
    return list(stages.stage(("chunks", None), (), ("scattered", (tag, scatter)))(chunks(pairs)))


def merged(rows: list[pa.RecordBatch], partitions: int, into: tuple[str, Any]) -> list[list[Any]]:
    stage = stages.stage(("merged", into), (), ("chunks", None))
    return [elements(stage(iter(bucket))) for bucket in shuffle(rows, partitions)]


def test_a_chain_is_one_pass_and_lazy() -> None:
    seen = []
    steps = (
        ("map", lambda x: seen.append(x) or x + 1),
        ("filter", lambda x: x % 2),
        ("flat_map", lambda x: [x] * 2),
    )
    stage = stages.stage(("chunks", None), steps, ("single", None))
    first = next(stage(chunks([0, 1, 2, 3])))
    assert pickle.loads(first.column(0)[0].as_py()) == [1]
    assert seen == [0]


def test_lines_are_read_as_they_are() -> None:
    batch = pa.RecordBatch.from_arrays([pa.array(["a", "", "é\t雪"])], names=["value"])
    stage = stages.stage(("lines", None), (("map", len),), ("chunks", None))
    assert elements(stage([batch])) == [1, 0, 3]


def test_a_partition_without_elements_still_has_a_row() -> None:
    [row] = stages.stage(("chunks", None), (), ("chunks", None))(iter(()))
    assert pickle.loads(row.column(0)[0].as_py()) == []


def test_chunks_grow_with_small_elements_and_shrink_with_large_ones() -> None:
    small = list(stages.write_chunks(None, iter(range(200_000))))
    assert len(small) < 30
    large = [
        len(row.column(0)[0].as_py()) for row in stages.write_chunks(None, iter([b"x" * 2_000_000] * 40))
    ]
    assert max(large[4:]) < 2 * 2_000_100


def test_the_index_comes_with_the_rows() -> None:
    columns = [pa.array([7, 7]), pa.array([pickle.dumps([1]), pickle.dumps([2, 3])], pa.binary())]
    batch = pa.RecordBatch.from_arrays(columns, names=["index", "chunk"])
    stage = stages.stage(("indexed", lambda index, it: [(index, list(it))]), (), ("chunks", None))
    assert elements(stage([batch])) == [(7, [1, 2, 3])]


def test_zipped_partitions_keep_the_order_of_the_streams() -> None:
    rows = [stages.shuffled(tag, 0, pickle.dumps([tag])) for tag in (2, 0, 1, 0)]
    stage = stages.stage(("zipped", None), (), ("chunks", None))
    assert elements(stage(iter(rows))) == [0, 0, 1, 2]


@given(PAIRS, PAIRS, st.integers(1, 4))
def test_reduce_puts_every_key_into_its_partition(one: Pairs, other: Pairs, partitions: int) -> None:
    rows = [*scattered(partitions, one, "reduce", add), *scattered(partitions, other, "reduce", add)]
    got = merged(rows, partitions, ("combine", (add, MEMORY)))
    sums: dict[Any, int] = {}
    for key, value in one + other:
        sums[key] = sums.get(key, 0) + value
    assert {key: value for partition in got for key, value in partition} == sums
    for number, partition in enumerate(got):
        assert all(portable_hash(key) % partitions == number for key, _ in partition)


@given(PAIRS, PAIRS)
def test_groups_keep_the_order_of_the_map_side(one: Pairs, other: Pairs) -> None:
    [got] = merged([*scattered(1, one, "group"), *scattered(1, other, "group")], 1, ("group", MEMORY))
    groups: dict[Any, list[int]] = {}
    for key, value in one + other:
        groups.setdefault(key, []).append(value)
    assert {key: list(values) for key, values in got} == groups


@given(st.lists(st.integers(), max_size=100), st.integers(1, 5))
def test_dealing_spreads_and_loses_nothing(numbers: list[int], partitions: int) -> None:
    rows = scattered(partitions, numbers, "deal")  # type: ignore[arg-type]
    got = merged(rows, partitions, ("deal", None))
    assert sorted(value for partition in got for value in partition) == sorted(numbers)
    assert max(map(len, got)) - min(map(len, got)) <= 10


def test_the_state_function_is_called_for_every_key_and_none_removes() -> None:
    calls = []

    def update(new: list[int], last: int | None) -> int | None:
        calls.append((new, last))
        return None if -1 in new else sum(new) + (last or 0)

    state = scattered(1, [("a", 1), ("b", 2), ("gone", 3)], "none", tag=0)
    new = scattered(1, [("a", 10), ("gone", -1), ("c", 5), ("a", 20)], "group", tag=1)
    [got] = merged([*new, *state], 1, ("state", (update, True, MEMORY)))
    assert sorted(got) == [("a", 31), ("b", 2), ("c", 5)]
    assert sorted(calls, key=repr) == sorted([([10, 20], 1), ([], 2), ([-1], 3), ([5], None)], key=repr)


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        (None, {"stays": 0, "falls": 2, "both": 6, "enters": 9}),
        (lambda pair: pair[1] > 0, {"falls": 2, "both": 6, "enters": 9}),
    ],
)
def test_a_window_is_carried_on(keep: Any, expected: dict[str, int]) -> None:
    window = scattered(1, [("stays", 3), ("falls", 3), ("both", 4)], "none", tag=0)
    entered = scattered(1, [("both", 3), ("enters", 9)], "reduce", add, tag=1)
    left = scattered(1, [("stays", 3), ("falls", 1), ("both", 1), ("unknown", 8)], "reduce", add, tag=2)
    into = (add, lambda value, old: value - old, keep, MEMORY)
    [got] = merged([*left, *entered, *window], 1, ("window", into))
    assert dict(got) == expected


@pytest.fixture
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers find that they use more than they may after the first chunk that a batch brings."""
    used = iter(range(1000, 10**9, 1000))
    monkeypatch.setattr(kept, "get_used_memory", lambda: next(used))
    monkeypatch.setattr(kept, "_LOOKS", 1)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(state=st.dictionaries(KEYS, st.integers()), new=st.lists(PAIRS, max_size=3))
def test_a_state_is_the_same_if_what_a_batch_brings_does_not_fit(
    state: dict[Any, int], new: list[Pairs], no_memory: None
) -> None:
    def update(values: list[int], last: int | None) -> int | None:
        return None if values == [0] else sum(values) + (last or 0)

    rows = [row for pairs in new for row in scattered(1, pairs, "group", tag=1)]
    rows += scattered(1, [*state.items()], "none", tag=0)
    [got] = merged(rows, 1, ("state", (update, True, 1)))
    came: dict[Any, list[int]] = {}
    for key, value in (pair for pairs in new for pair in pairs):
        came.setdefault(key, []).append(value)
    every = {key: update(came.get(key, []), state.get(key)) for key in {*state, *came}}
    assert dict(got) == {key: value for key, value in every.items() if value is not None}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    window=st.dictionaries(KEYS, st.integers()),
    entered=st.lists(st.dictionaries(KEYS, st.integers()), max_size=3),
    left=st.dictionaries(KEYS, st.integers()),
)
def test_a_window_is_the_same_if_what_a_batch_brings_does_not_fit(
    window: dict[Any, int], entered: list[dict[Any, int]], left: dict[Any, int], no_memory: None
) -> None:
    rows = [row for came in entered for row in scattered(1, [*came.items()], "none", tag=1)]
    rows += scattered(1, [*left.items()], "none", tag=2) + scattered(1, [*window.items()], "none", tag=0)
    into = (add, lambda value, old: value - old, lambda pair: pair[1] != 0, 1)
    [got] = merged(rows, 1, ("window", into))
    expected = {key: value - left.get(key, 0) for key, value in window.items()}
    for key, value in (pair for came in entered for pair in came.items()):
        expected[key] = expected.get(key, 0) + value
    assert dict(got) == {key: value for key, value in expected.items() if value}


def test_what_the_program_began_with_counts_once(no_memory: None) -> None:
    """The first value of a key that an initial state has twice, as in DStreams."""
    state = scattered(1, [("a", 1), ("a", 2)], "none", tag=0)
    [got] = merged(state, 1, ("state", (lambda values, last: last, False, MEMORY)))
    assert got == [("a", 1)]


class Lookup(pickle.Unpickler):
    """Notes the modules that unpickling looks up by name."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))
        self.modules: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        self.modules.add(module)
        return super().find_class(module, name)


def test_what_goes_to_executors_needs_no_compat() -> None:
    scatter = merge.Scatter(salts(2), portable_hash, "reduce", add)
    lookup = Lookup(
        cloudpickle.dumps(stages.stage(frame.CHUNKS, (("glom", None),), ("scattered", (0, scatter))))
    )
    lookup.load()
    assert not [module for module in lookup.modules if module.split(".")[0] == "compat"]
