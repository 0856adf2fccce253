"""Libraries whose functions and objects compute from what they are given, and do nothing else that shows."""

from __future__ import annotations

COMPUTING = frozenset(
    {"Levenshtein", "afinn", "emoji", "jieba", "joblib", "nltk", "numpy", "sklearn", "textblob"}
    | {"unidecode", "vaderSentiment"}
)
_ACTING = frozenset({"download", "dump", "random", "save", "savetxt"})
"""Parts of the names of what does more, or gives something else each time."""
TRAINING = frozenset({"fit", "fit_transform", "learn", "partial_fit", "set_params", "train", "update"})
"""Methods that change what an object of them gives later."""


def computes(qualified: str) -> bool:
    """Whether a function or class of a library only computes: ``textblob.TextBlob``."""
    parts = qualified.split(".")
    return parts[0] in COMPUTING and not _ACTING.intersection(parts)
