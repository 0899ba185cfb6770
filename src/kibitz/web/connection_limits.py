"""Connection limits: how many may be open, in total and per address, and for how long without joining a table."""

import asyncio
from collections import Counter
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from kibitz.web.messages import RequestRefused

if TYPE_CHECKING:
    from kibitz.web.connection import Connection

MOST_CONNECTIONS, MOST_FROM_ONE = 4000, 1500
MOST_NOT_JOINED = 200  # connections; if there are more, the oldest is closed
JOIN_WITHIN = 10.0  # seconds
NETWORK = 64  # bits of an IPv6 address; its owner has all addresses that begin with them


class ConnectionLimits:
    """The counts of a server's connections."""

    def __init__(self) -> None:
        self._here: Counter[str] = Counter()
        self._not_joined: dict[Connection, None] = {}  # the oldest first

    @property
    def count(self) -> int:
        """How many connections are open."""
        return self._here.total()

    def enter(self, connection: "Connection") -> None:
        """Count a connection, or refuse it if there are too many; it has some seconds to join a table."""
        if self.count >= MOST_CONNECTIONS:
            raise RequestRefused("too many people are here; try again later")
        if self._here[connection.address] >= MOST_FROM_ONE:
            raise RequestRefused("too many connections come from your address; close some of them")
        self._here[connection.address] += 1
        self._not_joined[connection] = None
        if len(self._not_joined) > MOST_NOT_JOINED:
            self._send_away(next(iter(self._not_joined)))
        self._wait_for(connection)

    def leave(self, connection: "Connection") -> None:
        """Forget a connection."""
        self._here[connection.address] -= 1
        if not self._here[connection.address]:
            del self._here[connection.address]
        self._not_joined.pop(connection, None)

    def joins(self, connection: "Connection") -> None:
        """Let a connection stay: it has named a table."""
        self._not_joined.pop(connection, None)

    def stays_outside(self, connection: "Connection") -> None:
        """Wait again for a connection whose table was refused."""
        self._not_joined[connection] = None
        self._wait_for(connection)

    def _wait_for(self, connection: "Connection") -> None:
        asyncio.get_running_loop().call_later(JOIN_WITHIN, self._look, connection)

    def _look(self, connection: "Connection") -> None:
        if connection in self._not_joined:
            self._send_away(connection)

    def _send_away(self, connection: "Connection") -> None:
        self._not_joined.pop(connection, None)
        connection.let_go("this connection joined no table; load the page again")


def address_of(host: str | None) -> str:
    """Return the address by which a client is counted; for IPv6 that is the network."""
    try:
        found = ip_address(host or "")
    except ValueError:
        return host or ""
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or IPv6Address(int(found) >> (128 - NETWORK) << (128 - NETWORK)))
    return str(found)
