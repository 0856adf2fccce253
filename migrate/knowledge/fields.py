"""Names of fields of JSON that hold texts: what a person takes for one who reads the program."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_TEXTS = frozenset(
    {
        *("address", "airline", "airport", "author", "body", "brand", "browser", "carrier", "category"),
        *("city", "color", "comment", "company", "country", "county", "currency", "description", "district"),
        *("domain", "email", "gender", "hashtag", "host", "hostname", "keyword", "label", "lang", "language"),
        *("location", "message", "name", "nickname", "path", "place", "region", "sender", "sentiment"),
        *("source", "street", "subject", "symbol", "tag", "text", "ticker", "title", "topic", "url"),
        *("username", "word"),
    }
)
"""The last words of such names."""


def is_text_field(name: str) -> bool:
    """Whether a field holds a text by its name.

    >>> [is_text_field(name) for name in ("screen_name", "StockSymbol", "lang", "user_id", "name2")]
    [True, True, True, False, False]
    """
    words = _WORDS.findall(name)
    return bool(words) and words[-1].lower() in _TEXTS
