"""An MQTT broker in a process of its own, and a client that publishes."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from pwdlib.hashers.argon2 import Argon2Hasher

from tests.statements import wait_until

_MAIN = "from amqtt.scripts.broker_script import main; main()"
_PLUGINS = "amqtt.plugins"
_DELIVERED = "delivered"
TABOO = "prohibited"
"""A topic that the broker lets nobody subscribe to."""


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port: int = server.getsockname()[1]
        return port


@dataclass
class Broker:
    """A broker that keeps nothing: when it starts anew it has no messages and no sessions.

    Args:
        directory: for its configuration and log.
        anonymous: whether it lets in who has no name.
        listener: a second listener, at `listener_port`, beside that for TCP.
        passwords: those of the users that it lets in; None: nobody is asked for one.
    """

    directory: Path
    anonymous: bool = True
    listener: dict[str, Any] | None = None
    passwords: dict[str, str] | None = None
    port: int = field(default_factory=free_port)
    listener_port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None
    _publisher: Client | None = None
    _own: ExitStack = field(default_factory=ExitStack)
    _delivered: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    @property
    def _log(self) -> Path:
        return self.directory / "broker.log"

    @property
    def log(self) -> str:
        """What the broker said."""
        return self._log.read_text()

    def start(self) -> None:
        listeners: dict[str, Any] = {"default": {"type": "tcp", "bind": f"127.0.0.1:{self.port}"}}
        if self.listener is not None:
            listeners["other"] = {"bind": f"127.0.0.1:{self.listener_port}", **self.listener}
        plugins: dict[str, Any] = {f"{_PLUGINS}.topic_checking.TopicTabooPlugin": {}}
        if self.passwords is None:
            plugins[f"{_PLUGINS}.authentication.AnonymousAuthPlugin"] = {"allow_anonymous": self.anonymous}
        else:
            hashes = {user: Argon2Hasher().hash(password) for user, password in self.passwords.items()}
            file = self.directory / "passwords"
            file.write_text("".join(f"{user}:{found}\n" for user, found in hashes.items()))
            plugins[f"{_PLUGINS}.authentication.FileAuthPlugin"] = {"password_file": str(file)}
        settings = {"listeners": listeners, "plugins": plugins}
        configuration = self.directory / "broker.yaml"
        configuration.write_text(json.dumps(settings))  # which is YAML, too
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _MAIN, "-c", str(configuration)], stdout=output, stderr=output
            )

        def answers() -> bool:
            assert self._process and self._process.poll() is None, self.log
            with closing(socket.socket()) as client:
                return client.connect_ex(("127.0.0.1", self.port)) == 0

        wait_until(answers, "the broker")

    def kill(self) -> None:
        """Without a word to its clients."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._own.close()

    def publish(self, topic: str, messages: Iterable[str | bytes]) -> None:
        """In this order, with QoS 1; returns when the broker has sent all to who has subscribed."""
        client = self._client()
        for message in messages:
            client.publish(topic, message, qos=1).wait_for_publish(30)
        self._wait_for_delivery(client)

    def retain(self, topic: str, message: str | bytes) -> None:
        """Publish, with QoS 1, the message that a subscription begins with.

        Returns when nobody can get it twice: who subscribes before amqtt has looked for subscribers is one of
        them.
        """
        client = self._client()
        client.publish(topic, message, qos=1, retain=True).wait_for_publish(30)
        self._wait_for_delivery(client)

    def _client(self) -> Client:
        """One client publishes all, and stays until the broker ends.

        amqtt answers a message before it passes it on. When a client leaves, those of its messages are lost
        that were not passed on, and so is one that is being passed on while the client's subscriptions go.
        """
        if self._publisher is None:
            subscribed = threading.Event()
            client = self._own.enter_context(self.publisher())
            client.on_subscribe = lambda *_: subscribed.set()
            client.on_message = lambda *_: self._delivered.set()
            client.subscribe(_DELIVERED, qos=1)
            assert subscribed.wait(60), "no subscription"
            self._own.callback(setattr, self, "_publisher", None)
            self._publisher = client
        return self._publisher

    def _wait_for_delivery(self, client: Client) -> None:
        """Of all that the client published: amqtt passes one message on after another."""
        self._delivered.clear()
        client.publish(_DELIVERED, qos=1)
        assert self._delivered.wait(60), "no delivery"

    @contextmanager
    def publisher(self, user: str | None = None, password: str | None = None) -> Iterator[Client]:
        """A client that is connected."""
        client = Client(CallbackAPIVersion.VERSION2)
        if user is not None:
            client.username_pw_set(user, password)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        try:
            yield client
        finally:
            client.disconnect()
            client.loop_stop()
