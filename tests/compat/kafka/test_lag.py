"""What a query's progress says of the offsets that it has come to."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from compat.kafka.lag import CommitOffsets, ends
from compat.kafka.places import Place


def progress(*sources: tuple[str, str]) -> Any:
    return SimpleNamespace(
        sources=[SimpleNamespace(description=source, endOffset=offsets) for source, offsets in sources]
    )


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ([("KafkaV2[Subscribe[a, b]]", '{"a":{"0":3,"1":0},"b":{"10":7}}')], {"a0": 3, "a1": 0, "b10": 7}),
        ([("KafkaV1[Assign[a-0]]", '{"a":{"0":3}}')], {"a0": 3}),
        ([("KafkaV2[Subscribe[a]]", '{"a":{"0":3}}'), ("KafkaV2[Assign[a-0]]", '{"a":{"0":2}}')], {"a0": 2}),
        ([("FileStreamSource[file:/in]", '{"logOffset":4}')], {}),
        ([("KafkaV2[Subscribe[a]]", "null")], {}),
        ([], {}),
    ],
)
def test_ends(sources: list[tuple[str, str]], expected: dict[str, int]) -> None:
    places = {Place(name[0], int(name[1:])): offset for name, offset in expected.items()}
    assert ends(progress(*sources)) == places


def test_brokers_must_be_named() -> None:
    with pytest.raises(ValueError, match=r"bootstrap\.servers"):
        CommitOffsets(cast(Any, None), "group", {"security.protocol": "SSL"})
