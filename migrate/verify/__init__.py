"""Runs an old and a new program on the same batches and compares what leaves them."""

from __future__ import annotations

from migrate.verify.result import BatchResult, Difference, VerifyResult
from migrate.verify.run import verify

__all__ = ["BatchResult", "Difference", "VerifyResult", "verify"]
