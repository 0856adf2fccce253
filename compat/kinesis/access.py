"""Where Kinesis is, and who asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from compat.credentials import resolved

_CONNECT_SECONDS = 3
_READ_SECONDS = 5
"""Shorter than the time after which others take leases that are not renewed, and soon over at a stop."""


@dataclass(frozen=True)
class Key:
    """An access key, and its secret."""

    identity: str
    secret: str = field(repr=False)


@dataclass(frozen=True)
class Role:
    """A role to assume: its ARN, and what the session is called; the external id is for its trust policy."""

    arn: str
    session_name: str
    external_id: str


@dataclass(frozen=True)
class Access:
    """Makes clients. Without a key, boto3 looks for credentials where it always does."""

    endpoint: str
    region: str
    key: Key | None = None
    role: Role | None = None

    @property
    def credentials(self) -> Mapping[str, str]:
        """The secret, and the role's external id, or names in their place."""
        found = {} if self.key is None else {"awsSecretKey": self.key.secret}
        return found if self.role is None else {**found, "stsExternalId": self.role.external_id}

    def clients(self) -> tuple[Any, Any]:
        """Clients of Kinesis and of DynamoDB, which must be closed."""
        from boto3.session import Session
        from botocore.config import Config

        session = Session(
            aws_access_key_id=self.key and resolved(self.key.identity),
            aws_secret_access_key=self.key and resolved(self.key.secret),
            region_name=self.region,
        )
        if self.role is not None:
            session = _assuming(session, self.role)
        waits: dict[str, Any] = {"connect_timeout": _CONNECT_SECONDS, "read_timeout": _READ_SECONDS}
        # Whoever reads comes again by itself, and looks in between whether the program ends.
        once = Config(**waits, retries={"mode": "standard", "total_max_attempts": 1})
        thrice = Config(**waits, retries={"mode": "standard", "total_max_attempts": 3})
        return (
            session.client("kinesis", endpoint_url=self.endpoint, config=once),
            session.client("dynamodb", config=thrice),
        )


def _assuming(session: Any, role: Role) -> Any:
    """A session with credentials of the role, which are asked for again before they expire."""
    from boto3.session import Session
    from botocore.credentials import AssumeRoleCredentialFetcher, DeferredRefreshableCredentials
    from botocore.session import get_session

    def client(service: str, **settings: Any) -> Any:
        return session.client(service, **settings)

    fetcher = AssumeRoleCredentialFetcher(
        client,
        session.get_credentials(),
        resolved(role.arn),
        extra_args={
            "RoleSessionName": resolved(role.session_name),
            "ExternalId": resolved(role.external_id),
        },
    )
    assumed = get_session()
    # There is no public way to give a session credentials that refresh themselves.
    assumed._credentials = DeferredRefreshableCredentials(fetcher.fetch_credentials, "assume-role")
    return Session(botocore_session=assumed, region_name=session.region_name)
