"""The clock of native programs: a batch begins in an interval of its own."""

from __future__ import annotations

import datetime
import importlib
import pickle
import time

import pytest
from pyspark import cloudpickle

from migrate.plan.draft.batch_time import Seconds, batch_time
from migrate.verify.child.clock import Clock, seconds_of

REAL = datetime.datetime


class Real:
    """A real clock that stands still."""

    time = 1_700_000_003.5

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def real() -> Real:
    return Real()


@pytest.fixture
def clock(real: Real, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that has taken over."""
    monkeypatch.setattr(datetime, "datetime", REAL)
    monkeypatch.setattr(time, "time", time.time)
    pickling = importlib.import_module(cloudpickle.CloudPickler.__module__)
    monkeypatch.setattr(pickling, "_class_reduce", pickling._class_reduce)
    found = Clock(real)
    found.take_over()
    return found


@pytest.mark.parametrize(
    ("interval", "seconds"),
    [
        ("1 second", 1.0),
        ("10 seconds", 10.0),
        ("500 milliseconds", 0.5),
        ("0.5 seconds", 0.5),
        ("2 minutes", 120.0),
        ("soon", None),
        (None, None),
    ],
)
def test_an_interval_is_read_as_spark_does(interval: object, seconds: float | None) -> None:
    assert seconds_of(interval) == seconds


def _batch_time(interval: int) -> datetime.datetime:
    found: datetime.datetime = eval(
        batch_time("datetime.now()", "datetime.now().timestamp()", Seconds(f"{interval}", interval)),
        {"datetime": datetime.datetime},
    )
    return found


def test_no_two_batches_have_the_same_time(clock: Clock) -> None:
    clock.interval = 10.0
    times = []
    for _ in range(3):
        clock.begin_batch()
        times.append(_batch_time(10).timestamp())
    assert times == [1_700_000_010, 1_700_000_020, 1_700_000_030]


def test_a_batch_that_takes_long_leaves_out_no_interval(clock: Clock, real: Real) -> None:
    clock.interval = 2.0
    times = []
    for seconds in (0, 7, 20):
        real.time = Real.time + seconds
        clock.begin_batch()
        times.append(_batch_time(2).timestamp())
    assert times == [1_700_000_004, 1_700_000_006, 1_700_000_008]


def test_a_batch_function_that_asks_for_the_seconds_is_told_those_of_the_batch(
    clock: Clock, real: Real
) -> None:
    def process_batch(batch: None, batch_id: int) -> tuple[float, float]:
        return time.time(), elsewhere()

    def elsewhere() -> float:
        return time.time()

    clock.interval = 2.0
    clock.tell(process_batch)
    clock.begin_batch()
    clock.begin_batch()
    in_batch, in_what_it_calls = process_batch(None, 1)
    assert in_batch // 2 * 2 == 1_700_000_006
    assert in_what_it_calls == elsewhere() == real.time


def test_without_an_interval_it_is_the_real_time(clock: Clock) -> None:
    assert clock.begin_batch() == 1_700_000_003.5
    assert datetime.datetime.now() == REAL.fromtimestamp(1_700_000_003.5)


def test_what_the_class_makes_are_objects_of_the_real_one(clock: Clock) -> None:
    asking = datetime.datetime
    utc = datetime.timezone.utc
    made = [
        asking(2024, 5, 1, hour=12),
        asking.now(),
        asking.now(utc),
        asking.today(),
        asking.utcnow(),
        asking.fromtimestamp(0),
        asking.strptime("2024", "%Y"),
    ]
    assert all(type(each) is REAL and isinstance(each, asking) for each in made)
    assert made[0] == REAL(2024, 5, 1, 12)
    assert issubclass(REAL, asking)
    assert pickle.loads(pickle.dumps(asking)) is datetime.datetime


def test_the_real_class_is_sent_by_its_name(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = cloudpickle.dumps([REAL, REAL(2024, 5, 1), datetime.datetime, float])
    monkeypatch.setattr(datetime, "datetime", REAL)  # as it is in a worker
    assert pickle.loads(sent) == [REAL, REAL(2024, 5, 1), REAL, float]
