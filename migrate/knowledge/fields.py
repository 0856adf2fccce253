"""Names of fields of JSON that hold texts: what a person takes for one who reads the program."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_TEXTS = frozenset(
    {
        *("address", "author", "city", "country", "currency", "description", "email", "hashtag", "host"),
        *("hostname", "keyword", "lang", "language", "name", "nickname", "street", "symbol", "text"),
        *("ticker", "title", "url", "username", "word"),
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
