"""A TUF repository made by the reference implementation (python-tuf), on a real HTTP server."""

import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (
    DelegatedRole,
    Delegations,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)
from tuf.api.serialization.json import JSONSerializer

TOP = (Root.type, Targets.type, Snapshot.type, Timestamp.type)


def soon(days: float = 30) -> datetime:
    """A time some days from now, in whole seconds as metadata requires."""
    return datetime.now(UTC).replace(microsecond=0) + timedelta(days=days)


class Repository(AbstractContextManager):
    """A repository whose metadata a test can change freely; `publish` signs roles and puts them on the server."""

    def __init__(self) -> None:
        self.roles: dict[str, Metadata] = {
            Root.type: Metadata(Root(expires=soon())),
            Targets.type: Metadata(Targets(expires=soon())),
            Snapshot.type: Metadata(Snapshot(expires=soon())),
            Timestamp.type: Metadata(Timestamp(expires=soon())),
        }
        self.signers: dict[str, list[CryptoSigner]] = {}
        self.metadata: dict[str, bytes] = {}
        self.targets: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.hashes = False
        # Paths of which only the first half is sent until the event is set, or for 60 seconds.
        self.stalled: dict[str, threading.Event] = {}
        for role in TOP:
            self.add_key(role)
        self.publish(Targets.type, Snapshot.type, Timestamp.type, Root.type)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def signed(self, role: str):
        """A role's metadata, which can be changed before it is published."""
        return self.roles[role].signed

    def add_key(self, role: str, signer: CryptoSigner | None = None, by: str = Root.type) -> CryptoSigner:
        """Adds a key to a role."""
        signer = signer or CryptoSigner.generate_ecdsa()
        self.signed(by).add_key(signer.public_key, role)
        self.signers.setdefault(role, []).append(signer)
        return signer

    def rotate(self, role: str) -> None:
        """Replaces the keys of a top-level role by one new key."""
        for signer in self.signers.pop(role):
            self.signed(Root.type).revoke_key(signer.public_key.keyid, role)
        self.add_key(role)

    def delegate(self, name: str, *, by: str = Targets.type, paths: Iterable[str] = ("*",), ends: bool = False) -> Targets:
        """Delegates paths to a role with a new key, and makes the role's metadata when it does not exist."""
        delegator = self.signed(by)
        if delegator.delegations is None:
            delegator.delegations = Delegations({}, roles={})
        delegator.delegations.roles[name] = DelegatedRole(name, [], 1, ends, paths=list(paths))
        if name not in self.roles:
            self.roles[name] = Metadata(Targets(expires=soon()))
        self.add_key(name, by=by)
        return self.signed(name)

    def add(self, path: str, contents: bytes, role: str = Targets.type) -> None:
        """Lists a file, and puts it on the server under its hash."""
        file = TargetFile.from_data(path, contents, ["sha256"])
        self.signed(role).targets[path] = file
        folder, slash, name = path.rpartition("/")
        self.targets[f"{folder}{slash}{file.hashes['sha256']}.{name}"] = contents

    def publish(self, *names: str, bump: bool = True) -> None:
        """Signs roles in this order, each as its next version unless `bump` is false. Snapshot and timestamp record the
        versions of the roles that were signed before them."""
        for name in names:
            role = self.roles[name]
            if bump and name in self.metadata:
                role.signed.version += 1
            role.signatures.clear()
            for signer in self.signers[name]:
                role.sign(signer, append=True)
            self.serve(name, role.to_bytes(JSONSerializer()))

    def serve(self, name: str, data: bytes) -> None:
        """Puts bytes on the server as the role's newest version."""
        version = self.signed(name).version
        self.metadata[name] = data
        file = "timestamp.json" if name == Timestamp.type else f"{version}.{name}.json"
        self.metadata[file] = data
        entry = MetaFile.from_data(version, data, ["sha256"]) if self.hashes else MetaFile(version)
        if name == Snapshot.type:
            self.signed(Timestamp.type).snapshot_meta = entry
        elif name not in TOP or name == Targets.type:
            self.signed(Snapshot.type).meta[f"{name}.json"] = entry

    @property
    def root(self) -> bytes:
        """The first root, which clients trust from the beginning."""
        return self.metadata["1.root.json"]

    def forget_requests(self) -> None:
        self.requests.clear()

    def _handler(repository):  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:  # noqa: N802
                tree, _, path = self.path.lstrip("/").partition("/")
                repository.requests.append(path)
                files = repository.metadata if tree == "metadata" else repository.targets
                data = files.get(path)
                self.send_response(404 if data is None else 200)
                self.send_header("Content-Length", str(len(data or b"")))
                self.end_headers()
                if data and (event := repository.stalled.get(path)):
                    self.wfile.write(data[: len(data) // 2])
                    event.wait(60)
                    data = data[len(data) // 2 :]
                try:
                    self.wfile.write(data or b"")
                except OSError:
                    pass  # The client was killed.

            def log_message(self, *_: object) -> None:
                pass

        return Handler
