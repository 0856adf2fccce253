"""Avro's messages on a TCP connection, framed as by Avro's Netty transport for Java.

A message is a serial number, the number of its buffers, and each buffer behind its length; numbers have 4
bytes, the highest first. An answer bears the serial number of its request."""

from __future__ import annotations

import socket
import struct
import zlib

LARGEST = 256 * 1024 * 1024
"""Bytes in a message. Whoever announces more is no agent of Flume, and is not believed."""
_CHUNK = 64 * 1024
_LEVEL = 6
"""Of compression: Spark's own."""


class Frames:
    """Messages on a connection.

    Memory is taken for what has come, not for what was announced.

    Args:
        connection: a socket, which the caller closes.
        compressed: both directions are one zlib stream each, as by Netty's ``ZlibEncoder``.
    """

    def __init__(self, connection: socket.socket, *, compressed: bool = False) -> None:
        connection.settimeout(None)
        connection.setsockopt(
            socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
        )  # else a host that is gone is waited for
        self._connection = connection
        self._inflater = zlib.decompressobj() if compressed else None
        self._deflater = zlib.compressobj(_LEVEL) if compressed else None
        self._more_inside = False
        self._received = bytearray()

    def read(self) -> tuple[int, bytes] | None:
        """The next message behind its serial number; None where the connection has ended before it.

        Raises:
            ConnectionError: the connection has ended within the message.
            ValueError: the message is too large.
            zlib.error: this is no zlib stream.
            OSError: the connection is broken.
        """
        if not self._received and not self._receive():
            return None
        serial, count = struct.unpack("!II", self._take(8))
        size = 4 * count
        message = bytearray()
        for _ in range(_within(size) // 4):
            (length,) = struct.unpack("!I", self._take(4))
            size = _within(size + length)
            message += self._take(length)
        return serial, bytes(message)

    def write(self, serial: int, message: bytes) -> None:
        """Send a message of one buffer.

        Raises:
            OSError: the connection is broken.
        """
        frame = struct.pack("!III", serial, 1, len(message)) + message
        if self._deflater is not None:
            frame = self._deflater.compress(frame) + self._deflater.flush(zlib.Z_SYNC_FLUSH)
        self._connection.sendall(frame)

    def _take(self, count: int) -> bytes:
        while len(self._received) < count:
            if not self._receive():
                raise ConnectionError("the connection has ended within a message")
        taken = bytes(self._received[:count])
        del self._received[:count]
        return taken

    def _receive(self) -> bool:
        """Wait for bytes; whether there are any."""
        more = self._connection.recv(_CHUNK) if self._inflater is None else self._inflate(self._inflater)
        self._received += more
        return bool(more)

    def _inflate(self, inflater: zlib._Decompress) -> bytes:
        more = b""
        while not more and not inflater.eof:
            raw = inflater.unconsumed_tail if self._more_inside else self._connection.recv(_CHUNK)
            if not raw and not self._more_inside:
                break
            more = inflater.decompress(raw, _CHUNK)
            # zlib may hold back output without any input left over.
            self._more_inside = len(more) == _CHUNK
        return more


def _within(size: int) -> int:
    if size > LARGEST:
        raise ValueError(f"a message of more than {LARGEST} bytes was announced")
    return size
