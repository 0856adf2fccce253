"""Which messages a batch gets, by a Kafka that is made up."""

from __future__ import annotations

from typing import Any, cast

import pytest

from compat import graph
from compat.kafka.brokers import Brokers
from compat.kafka.groups import Commits, sharing
from compat.kafka.places import Place
from compat.kafka.planning import MessagesLostError, Planner, limit
from tests.compat.kafka.cluster import Cluster


def direct(*start: tuple[str, int, int], **changes: Any) -> graph.KafkaDirectStream:
    values: dict[str, Any] = {
        "interval_ms": 1000,
        "topics": tuple(dict.fromkeys(topic for topic, *_ in start)),
        "settings": {},
        "start": start,
        "follows": True,
        "key_decoder": None,
        "value_decoder": None,
        "limit": None,
        "fail_on_data_loss": True,
        "group": None,
        "identity": "one",
        "message_handler": None,
    }
    return graph.KafkaDirectStream(**(values | changes))


def receiver(identity: str, *topics: str, group: str = "g") -> graph.KafkaReceiverStream:
    values = vars(direct(*((topic, n, 0) for topic in topics for n in range(4)))).copy()
    del values["message_handler"]
    values |= {"identity": identity, "group_key": ("b", group)}
    return graph.KafkaReceiverStream(**values)


def planner(node: graph.KafkaStream, cluster: Cluster, *nodes: graph.Node) -> Planner:
    return Planner(node, sharing(node, nodes or [node]), cast("Brokers", cluster))


def test_a_batch_goes_on_where_the_last_one_ended() -> None:
    cluster = Cluster(t=[(0, 3), (0, 0)])
    plan = planner(direct(("t", 0, 1), ("t", 1, 0)), cluster)
    assert plan.next() == [("t", 0, 1, 3), ("t", 1, 0, 0)]
    cluster.topics["t"] = [(0, 5), (0, 1)]
    assert plan.next() == [("t", 0, 3, 5), ("t", 1, 0, 1)]
    assert plan.next() == [("t", 0, 5, 5), ("t", 1, 1, 1)]


def test_partitions_are_in_the_order_of_topics_and_numbers() -> None:
    cluster = Cluster(b=[(0, 1)] * 11, a=[(0, 1)])
    start = [("b", n, 0) for n in reversed(range(11))]
    spans = planner(direct(*start, ("a", 0, 0)), cluster).next()
    assert [span.place for span in spans] == [*(("b", n) for n in range(11)), ("a", 0)]


def test_a_limit_holds_for_each_partition() -> None:
    plan = planner(direct(("t", 0, 0), ("t", 1, 0), limit=2), Cluster(t=[(0, 3), (0, 1)]))
    assert plan.next() == [("t", 0, 0, 2), ("t", 1, 0, 1)]
    assert plan.next() == [("t", 0, 2, 3), ("t", 1, 1, 1)]


@pytest.mark.parametrize(
    ("rate", "interval_ms", "expected"),
    [(0, 1000, None), (10, 1000, 10), (10, 500, 5), (3, 500, 1), (0.5, 1000, 1), (7, 2000, 14)],
)
def test_a_rate_is_per_second(rate: float, interval_ms: int, expected: int | None) -> None:
    assert limit(rate, interval_ms) == expected


def test_partitions_that_are_added_are_read_from_their_first_message() -> None:
    cluster = Cluster(t=[(0, 3)])
    plan = planner(direct(("t", 0, 3)), cluster)
    plan.next()
    cluster.topics["t"].append((2, 4))
    assert plan.next() == [("t", 0, 3, 3), ("t", 1, 2, 4)]


def test_only_the_named_partitions_are_read_where_some_were_left_out() -> None:
    plan = planner(direct(("t", 1, 0), follows=False), Cluster(t=[(0, 3), (0, 1)]))
    assert plan.next() == [("t", 1, 0, 1)]


def test_expired_messages_fail_one_batch_and_the_next_goes_on() -> None:
    cluster = Cluster(t=[(5, 9), (0, 2)])
    plan = planner(direct(("t", 0, 1), ("t", 1, 0)), cluster)
    with pytest.raises(MessagesLostError, match="offsets 1 to 4 of topic t, partition 0 have expired"):
        plan.next()
    assert plan.next() == [("t", 0, 5, 9), ("t", 1, 0, 2)]


def test_expired_messages_are_only_logged_where_that_is_asked(caplog: pytest.LogCaptureFixture) -> None:
    plan = planner(direct(("t", 0, 1), fail_on_data_loss=False), Cluster(t=[(5, 9)]))
    assert plan.next() == [("t", 0, 5, 9)]
    assert "offsets 1 to 4 of topic t, partition 0 have expired" in caplog.text


def test_a_topic_that_was_made_anew() -> None:
    cluster = Cluster(t=[(0, 9), (0, 9)])
    plan = planner(direct(("t", 0, 9), ("t", 1, 9)), cluster)
    plan.next()
    cluster.topics["t"] = [(0, 2)]
    with pytest.raises(MessagesLostError, match="ends at offset 2, before 9") as error:
        plan.next()
    assert "topic t, partition 1 is not there any more" in str(error.value)
    assert plan.next() == [("t", 0, 0, 2)]


def test_a_topic_that_is_gone() -> None:
    cluster = Cluster(t=[(0, 9)])
    plan = planner(direct(("t", 0, 9)), cluster)
    del cluster.topics["t"]
    with pytest.raises(MessagesLostError, match="there is no topic t at kafka:9092 any more"):
        plan.next()


def test_what_nobody_has_read_goes_to_the_next_batch() -> None:
    cluster = Cluster(t=[(0, 3)])
    plan = planner(direct(("t", 0, 0)), cluster)
    first = plan.next()
    cluster.topics["t"] = [(0, 5)]
    second = plan.next()
    plan.take_back(second)
    plan.take_back(first)
    assert plan.next() == [("t", 0, 0, 5)]


def test_a_recovered_stream_goes_on_after_what_was_logged() -> None:
    cluster = Cluster(t=[(0, 5)])
    logged = planner(direct(("t", 0, 0)), cluster).next()
    cluster.topics["t"] = [(0, 8)]
    plan = planner(direct(("t", 0, 0)), cluster)
    plan.restore(logged)
    assert plan.next() == [("t", 0, 5, 8)]


def test_receivers_of_one_group_share_partitions() -> None:
    cluster = Cluster(t=[(0, 1)] * 4, u=[(0, 1)] * 4)
    nodes = [receiver("a", "t"), receiver("b", "t", "u"), receiver("other", "t", group="h")]
    read = [{span.place for span in planner(node, cluster, *nodes).next()} for node in nodes]
    assert read == [
        {("t", 0), ("t", 2)},
        {("t", 1), ("t", 3), ("u", 0), ("u", 1), ("u", 2), ("u", 3)},
        {("t", 0), ("t", 1), ("t", 2), ("t", 3)},
    ]


def test_direct_streams_share_nothing() -> None:
    nodes = [direct(("t", 0, 0), identity="a"), direct(("t", 0, 0), identity="b")]
    assert [planner(node, Cluster(t=[(0, 1)]), *nodes).next() for node in nodes] == [[("t", 0, 0, 1)]] * 2


def test_commits_are_what_the_group_is_told() -> None:
    cluster = Cluster()
    commits = Commits("g", cast("Brokers", cluster))
    commits.commit({Place("t", 0): 3})
    commits.commit({Place("t", 0): 5, Place("t", 1): 1})
    assert cluster.groups == {"g": {("t", 0): 5, ("t", 1): 1}}


def test_no_group_is_told_nothing() -> None:
    cluster = Cluster()
    Commits(None, cast("Brokers", cluster)).commit({Place("t", 0): 3})
    assert cluster.groups == {}


def test_another_program_that_commits_to_the_group_is_noticed_once(caplog: pytest.LogCaptureFixture) -> None:
    cluster = Cluster()
    commits = Commits("g", cast("Brokers", cluster))
    for offset in range(1, 4):
        commits.commit({Place("t", 0): offset})
        cluster.groups["g"][Place("t", 0)] = 100
    assert caplog.text.count("another program commits offsets to group g") == 1
