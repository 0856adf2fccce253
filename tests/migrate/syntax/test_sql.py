"""The names of views in queries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.syntax.sql import global_names
from migrate.syntax.wording import other_words


@pytest.mark.parametrize(
    ("query", "new"),
    [
        ("select tag from tweets", "select tag from global_temp.tweets"),
        ("SELECT tag\n  FROM\n  Tweets t", "SELECT tag\n  FROM\n  global_temp.Tweets t"),
        ("select tweets.tag from tweets", "select tweets.tag from global_temp.tweets"),
        ("select * from a join `tweets` on true", "select * from a join global_temp.`tweets` on true"),
        ("select * from (select 1 from tweets)", "select * from (select 1 from global_temp.tweets)"),
        ("select tweets from other order by tweets", "select tweets from other order by tweets"),
        ("select 1 from tweets_old", "select 1 from tweets_old"),
        ("select 1 from db.tweets", "select 1 from db.tweets"),
        ("select 'tweets' from other -- tweets", "select 'tweets' from other -- tweets"),
    ],
)
def test_a_view_behind_from_or_join_is_named_in_its_database(query: str, new: str) -> None:
    words = global_names(query, {"tweets"}, "global_temp")
    assert words is not None
    assert other_words(query, words) == new


@pytest.mark.parametrize(
    "query",
    [
        "select 1 from other, tweets",
        "with tweets as (select 1) select * from tweets",
        "select extract(day from tweets) from tweets",
        "select 1 from tweets where a is distinct from tweets",
        "insert into tweets select 1",
        "cache table tweets",
        "describe tweets",
        "select 'from tweets' from tweets",
        "select 1 from tweets union select 1 from tweets_old",
    ],
)
def test_where_it_is_not_certain_nothing_is_said(query: str) -> None:
    assert global_names(query, {"tweets"}, "global_temp") is None


@given(st.text(st.sampled_from("select from,tweets'\"`-*/.()\n"), max_size=60))
def test_what_is_not_about_a_view_stays(query: str) -> None:
    assert global_names(query, {"other_view"}, "global_temp") == ()
