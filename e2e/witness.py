"""Detectors of a browser's traffic: a listener for every connection, a datagram socket, and the browser's own log.

Hosts below `out.test` resolve to the listener, by the browser's resolver rules or through a proxy. Hosts below
`name.test` do not resolve, but the browser's log shows each lookup.
"""

import re
import socket
import threading
from pathlib import Path

from waiting import SECONDS_TO_WAIT

NAME = re.compile(rb"([a-z0-9-]+)\.(?:out|name)\.test", re.I)
# Matches such a name only as the host of an address, not inside the query of an address on this machine.
HOST = re.compile(rb'(?://|")' + NAME.pattern, re.I)
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


class Witness:
    """A listener that accepts HTTP, TLS and proxy requests on one port, and records the requested hosts."""

    def __init__(self):
        self.heard: list[str] = []
        self.servers: list[threading.Thread] = []
        self.lock = threading.Lock()
        # The events of `drain`, by the kind and the address of its sockets.
        self.last: dict[tuple, threading.Event] = {}
        self.tcp = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        # The threads end when `close` closes their sockets.
        for work in (self.accept, self.receive):
            threading.Thread(target=work, daemon=True).start()

    @property
    def port(self) -> int:
        return self.tcp.getsockname()[1]

    @property
    def datagrams(self) -> int:
        return self.udp.getsockname()[1]

    def note(self, text: str) -> None:
        with self.lock:
            self.heard.append(text)

    def accept(self) -> None:
        while True:
            try:
                connection, sender = self.tcp.accept()
            except OSError:
                return
            if last := self.last.get((socket.SOCK_STREAM, sender)):
                connection.close()
                last.set()
                continue
            server = threading.Thread(target=self.serve, args=(connection,), daemon=True)
            self.servers.append(server)
            server.start()

    def serve(self, connection: socket.socket) -> None:
        # A connection without data is recorded too: `preconnect` only opens one.
        has_received_data, received = False, b""
        connection.settimeout(SECONDS_TO_WAIT)
        try:
            while data := connection.recv(65536):
                has_received_data = True
                # A browser sends requests to its vendor too; only those with a host of the tests count.
                # A host may be split between two pieces, so all pieces are searched together.
                received += data
                for name in NAME.findall(received):
                    self.note(name.decode().lower())
                answer = b"HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\nAccess-Control-Allow-Origin: *\r\n"
                connection.sendall(answer + b"Content-Length: %d\r\n\r\n" % len(PICTURE) + PICTURE)
        except OSError:
            pass
        finally:
            if not has_received_data:
                self.note("connection")
            connection.close()

    def receive(self) -> None:
        while True:
            try:
                _, sender = self.udp.recvfrom(2048)
            except OSError:
                return
            if last := self.last.get((socket.SOCK_DGRAM, sender)):
                last.set()
            else:
                self.note("datagram")

    def drain(self) -> None:
        """Waits until all connections and datagrams that have arrived are taken: both come in order, and these are the last."""
        for kind, end in ((socket.SOCK_STREAM, self.tcp), (socket.SOCK_DGRAM, self.udp)):
            with socket.socket(socket.AF_INET, kind) as client:
                client.bind(("127.0.0.1", 0))
                taken = self.last[kind, client.getsockname()] = threading.Event()
                client.connect(end.getsockname())
                if kind == socket.SOCK_DGRAM:
                    client.send(b"last")
                assert taken.wait(SECONDS_TO_WAIT), "the witness does not listen"
                del self.last[kind, client.getsockname()]

    def names(self) -> set[str]:
        """Returns everything recorded. Call it after the browser is closed: it waits for the end of all connections."""
        self.drain()
        for server in self.servers:
            server.join()
        with self.lock:
            return set(self.heard)

    def close(self) -> None:
        for end in (self.tcp, self.udp):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()


def looked_up(log: Path) -> set[str]:
    """The names below `name.test` or `out.test` that a browser's net log mentions outside of its settings."""
    found: set[str] = set()
    for line in log.read_text(errors="replace").splitlines():
        # The first line holds constants, among them the command line with its rules.
        if line.startswith('{"constants"'):
            continue
        found |= {name.decode().lower() for name in HOST.findall(line.encode())}
    return found


def ways_taken(witness: Witness, log: Path, way: str) -> set[str]:
    """The ways out that were taken, from the witness and from the log of its browser, which must be closed.

    With a proxy, connections without data are not counted: the browser itself opens some, and nothing tells them from a
    page's. The host of a connection that a page opened ahead is in the log.
    """
    heard = witness.names() - ({"connection"} if way == "proxy" else set())
    return heard | looked_up(log)


def browser_arguments(witness: Witness, log: Path, way: str) -> list[str]:
    """Options of a browser whose connections to `out.test` lead to the witness; `way` is `resolver` or `proxy`."""
    arguments = [
        "--no-sandbox",
        f"--log-net-log={log}",
        "--net-log-capture-mode=Everything",
        "--disable-component-update",
        "--autoplay-policy=no-user-gesture-required",
    ]
    if way == "proxy":
        # Requests to this machine go directly; all others go to the proxy, which is the witness.
        return [*arguments, f"--proxy-server=127.0.0.1:{witness.port}"]
    return [*arguments, f"--host-resolver-rules=MAP *.out.test 127.0.0.1:{witness.port}"]
