"""Functions of ours that several programs in one module share."""

from __future__ import annotations

from migrate.columns import Helper
from migrate.plan.modules.shared_helpers import with_helpers_of, with_shared_helpers
from migrate.plan.new_code.planned_module import PlannedModule

VALUE = Helper("value", "def value(x):\n    return x", of="def value(x):\n    return x")
FIELD = Helper(
    "field",
    "def field(x):\n    return value(x)",
    of="def field(x):\n    return value(x)",
    calls=("value",),
)
FIELD_2 = Helper("field_2", "def field_2(x):\n    return value_2(x)", of=FIELD.of, calls=("value_2",))


def test_programs_share_functions_that_do_the_same_by_other_names() -> None:
    value_2 = Helper("value_2", "def value_2(x):\n    return x", of=VALUE.of)
    there = with_helpers_of(PlannedModule(helpers=(VALUE, FIELD)), {})
    assert with_shared_helpers(PlannedModule(helpers=(value_2, FIELD_2)), there).helpers == ()


def test_a_function_that_calls_another_one_is_not_shared() -> None:
    value_2 = Helper("value_2", "def value_2(x):\n    return -x", of="def value(x):\n    return -x")
    there = with_helpers_of(PlannedModule(helpers=(VALUE, FIELD)), {})
    part = PlannedModule(helpers=(value_2, FIELD_2))
    assert with_shared_helpers(part, there) is part
