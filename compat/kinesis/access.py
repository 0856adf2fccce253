"""Where Kinesis is, and who asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from compat.credentials import resolved
from compat.kinesis import clients
from compat.kinesis.clients import Settings


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

    def settings(self) -> Settings:
        """What executors make clients from: values in place of names.

        Raises ValueError as `compat.credentials.resolved` does.
        """
        key, role = self.key, self.role
        return (
            self.endpoint,
            self.region,
            None if key is None else (resolved(key.identity), resolved(key.secret)),
            None
            if role is None
            else (resolved(role.arn), resolved(role.session_name), resolved(role.external_id)),
        )

    def clients(self) -> tuple[Any, Any]:
        """Clients of Kinesis and of DynamoDB for the driver, which must be closed."""
        settings = self.settings()
        session = clients.session(settings)
        dynamodb = session.client("dynamodb", config=clients.config(attempts=3))
        return clients.kinesis(session, settings), dynamodb
