"""Sessions and clients of Amazon's services, on the driver and in Spark's Python workers.

Executors do not have `compat`: this module is pickled by value (see `reading`), so it imports nothing but the
standard library and boto3, and holds no state: a worker's client is remembered by boto3's module."""

from __future__ import annotations

from typing import Any

Settings = tuple[str, str, "tuple[str, str] | None", "tuple[str, str, str] | None"]
"""Kinesis' endpoint, the region, a key with its secret, and a role: its ARN, what the session is called, and
the external id for its trust policy."""

_CONNECT_SECONDS = 3
_READ_SECONDS = 5
"""Shorter than the time after which others take leases that are not renewed, and soon over at a stop."""
_KEPT = "compat_kinesis_clients"
"""The name under which a worker's clients are remembered."""


def session(settings: Settings) -> Any:
    """A session of boto3. Without a key, boto3 looks for credentials where it always does."""
    from boto3.session import Session

    _, region, key, role = settings
    identity, secret = key or (None, None)
    own = Session(aws_access_key_id=identity, aws_secret_access_key=secret, region_name=region)
    return own if role is None else _assuming(own, role)


def kinesis(session: Any, settings: Settings) -> Any:
    """A client of Kinesis, which asks once: whoever reads comes again by itself."""
    return session.client("kinesis", endpoint_url=settings[0], config=config(attempts=1))


def config(attempts: int) -> Any:
    """How long a client waits, and how often it asks."""
    from botocore.config import Config

    retries = {"mode": "standard", "total_max_attempts": attempts}
    return Config(connect_timeout=_CONNECT_SECONDS, read_timeout=_READ_SECONDS, retries=retries)


def of_worker(settings: Settings) -> Any:
    """The client of Kinesis of this worker, which is kept with its connection.

    Raises RuntimeError if there is no boto3.
    """
    try:
        import boto3
    except ImportError as error:
        raise RuntimeError(
            "Kinesis is read by the executors, whose Python has no boto3: have it installed there, or ship it"
            " with the program as PySpark's page on Python package management tells"
        ) from error
    kept = vars(boto3).setdefault(_KEPT, {})
    if settings not in kept:
        kept[settings] = kinesis(session(settings), settings)
    return kept[settings]


def _assuming(own: Any, role: tuple[str, str, str]) -> Any:
    """A session with credentials of the role, which are asked for again before they expire."""
    from boto3.session import Session
    from botocore.credentials import AssumeRoleCredentialFetcher, DeferredRefreshableCredentials
    from botocore.session import get_session

    def client(service: str, **more: Any) -> Any:
        return own.client(service, **more)

    arn, name, external_id = role
    fetcher = AssumeRoleCredentialFetcher(
        client,
        own.get_credentials(),
        arn,
        extra_args={"RoleSessionName": name, "ExternalId": external_id},
    )
    assumed = get_session()
    # There is no public way to give a session credentials that refresh themselves.
    assumed._credentials = DeferredRefreshableCredentials(fetcher.fetch_credentials, "assume-role")
    return Session(botocore_session=assumed, region_name=own.region_name)
