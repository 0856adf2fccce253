"""Which times are masked: those of the runs, in the forms that programs print."""

from __future__ import annotations

import datetime
import time

import pytest

from migrate.verify.times import MASK, Masks

NOON = datetime.datetime(2026, 5, 1, 12)
MOMENT = NOON + datetime.timedelta(minutes=3, seconds=7, microseconds=250000)
FORMS = {
    "str": str,
    "without fraction": lambda t: t.strftime("%Y-%m-%d %H:%M:%S"),
    "isoformat": lambda t: t.isoformat(),
    "repr": repr,
    "ctime": lambda t: time.ctime(t.timestamp()),
    "slashes": lambda t: t.strftime("%Y/%m/%d %H:%M:%S"),
    "minutes": lambda t: t.strftime("%Y-%m-%d %H:%M"),
    "compact": lambda t: t.strftime("%Y%m%d%H%M%S"),
    "compact with a dash": lambda t: t.strftime("%Y%m%d-%H%M%S"),
    "epoch milliseconds": lambda t: str(int(t.timestamp() * 1000)),
    "epoch seconds": lambda t: str(int(t.timestamp())),
    "epoch with fraction": lambda t: str(t.timestamp()),
    "time of day": lambda t: t.strftime("%H:%M:%S"),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_time_of_the_run_is_masked(masks, form):
    assert masks.apply(f"<{form(MOMENT)}>") == f"<{MASK}>"


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("shift", [-400, 400])
def test_a_time_of_the_data_is_kept(masks, form, shift):
    text = form(MOMENT + datetime.timedelta(days=shift, hours=5))
    assert masks.apply(text) == text


@pytest.mark.parametrize("text", ["2026-13-45 99:99:99", "1234567890123456", "12:00", "3.14", "99:99:99", ""])
def test_what_is_no_time_is_kept(masks, text):
    assert masks.apply(text) == text


def test_a_manual_clock_may_start_in_1970():
    masks = Masks([(NOON.timestamp(), NOON.timestamp()), (0.0, 10.0)])
    assert masks.apply("out-5000 " + str(datetime.datetime.fromtimestamp(5))) == f"out-5000 {MASK}"


def test_directories_of_the_run_get_their_names(masks):
    assert masks.apply("in /tmp/run/old/work/out") == masks.apply("in /tmp/run/new/work/out")


def test_an_address_of_an_object_is_masked(masks):
    printed = "(<class 'ValueError'>, <traceback object at {}>) at 0x10, 0x20"
    assert masks.apply(printed.format(hex(id(masks)))) == printed.format("0x")
