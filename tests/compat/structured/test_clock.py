"""Clocks."""

from __future__ import annotations

import threading
import time

from compat._structured.life.clock import ManualClock, SystemClock


def test_the_manual_clock_starts_at_zero_and_stands_still() -> None:
    clock = ManualClock()
    assert clock.now() == 0
    clock.advance(1500)
    clock.advance(500)
    assert clock.now() == 2000
    assert clock.wait_until(2000, lambda: False)


def test_a_waiter_goes_on_when_the_time_has_come() -> None:
    clock, come = ManualClock(), threading.Event()
    threading.Thread(target=lambda: clock.wait_until(1000, lambda: False) and come.set()).start()
    clock.advance(999)
    assert not come.is_set()
    clock.advance(1)
    assert come.wait(10)


def test_a_waiter_gives_up_when_it_is_cancelled() -> None:
    for clock in (ManualClock(), SystemClock()):
        cancelled, answers = threading.Event(), []
        due = clock.now() + 3_600_000
        waiter = threading.Thread(target=lambda: answers.append(clock.wait_until(due, cancelled.is_set)))  # noqa: B023
        waiter.start()
        cancelled.set()
        clock.wake()
        waiter.join(10)
        assert answers == [False]


def test_the_system_clock_is_the_time() -> None:
    clock = SystemClock()
    assert abs(clock.now() - time.time() * 1000) < 1000
    assert clock.wait_until(clock.now() + 5, lambda: False)
