"""The device's TUF client, run from the command line with repositories of the reference implementation (python-tuf)."""

import json
import os
import subprocess
import threading
import uuid
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import pytest
from programs import ROOT, program
from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import Metadata, Root, Snapshot, Targets, Timestamp
from tuf.ngclient import Updater
from tuf_repository import Repository, soon
from waiting import SECONDS_TO_WAIT, until

ALL = (Root.type, Targets.type, Snapshot.type, Timestamp.type)
REST = (Targets.type, Snapshot.type, Timestamp.type)


class Client:
    """`inlay tuf-client` with its own folders for metadata and targets."""

    def __init__(self, repository: Repository, folder: Path):
        self.repository, self.folder = repository, folder
        self.metadata, self.downloads = folder / "metadata", folder / "targets"
        self.metadata.mkdir()
        self.downloads.mkdir()

    def run(self, *arguments: str, at: datetime | None = None) -> int:
        command = [str(program("inlay")), "tuf-client", "--metadata-dir", str(self.metadata), *arguments]
        if at:
            command = ["faketime", f"{at:%Y-%m-%d %H:%M:%S}", *command]
        return subprocess.run(command, timeout=SECONDS_TO_WAIT, check=False, env=os.environ | {"TZ": "UTC"}).returncode

    def begin(self, root: bytes | None = None) -> int:
        file = self.folder / "first-root.json"
        file.write_bytes(root or self.repository.root)
        return self.run("init", str(file))

    def refresh(self, at: datetime | None = None) -> int:
        return self.run("--metadata-url", self.repository.url + "/metadata", "refresh", at=at)

    def download(self, *paths: str, at: datetime | None = None) -> int:
        return self.run(*self.downloading(*paths), at=at)

    def downloading(self, *paths: str) -> list[str]:
        urls = ["--metadata-url", self.repository.url + "/metadata"]
        urls += ["--target-base-url", self.repository.url + "/targets/"]
        names = [part for path in paths for part in ("--target-name", path)]
        return [*urls, *names, "--target-dir", str(self.downloads), "download"]

    @property
    def partial_files(self) -> list[Path]:
        return [*self.folder.rglob(".*.part")]

    def bytes(self, role: str) -> bytes | None:
        file = self.metadata / f"{role}.json"
        return file.read_bytes() if file.exists() else None

    @property
    def versions(self) -> dict[str, int]:
        files = sorted(self.metadata.glob("*.json"))
        return {file.stem: json.loads(file.read_bytes())["signed"]["version"] for file in files}

    @property
    def contents(self) -> list[bytes]:
        return sorted(file.read_bytes() for file in self.downloads.rglob("*") if file.is_file())


@pytest.fixture
def repository() -> Iterator[Repository]:
    with Repository() as made:
        yield made


@pytest.fixture
def client(repository: Repository, tmp_path: Path) -> Client:
    made = Client(repository, tmp_path)
    assert made.begin() == 0
    return made


def test_every_failure_has_the_one_code_of_a_failure(repository: Repository, client: Client) -> None:
    assert client.run("refresh") == 1  # without an address
    assert client.run("--metadata-url", "nowhere", "refresh") == 1
    assert client.run("--no-such-option", "refresh") == 1
    assert client.run("sail") == 1
    assert client.run() == 1
    assert client.run("init") == 1  # without a root
    assert client.refresh() == 0


def test_a_repository_of_another_implementation_is_followed(repository: Repository, client: Client) -> None:
    assert client.refresh() == 0
    assert repository.requests == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"]
    for role in ALL:
        assert client.bytes(role) == repository.metadata[role]
    repository.forget_requests()
    assert client.refresh() == 0
    assert repository.requests == ["2.root.json", "timestamp.json"]


def test_metadata_is_stored_byte_for_byte(repository: Repository, client: Client) -> None:
    repository.serve(Timestamp.type, repository.metadata[Timestamp.type] + b" \n")
    assert client.refresh() == 0
    assert client.bytes(Timestamp.type) == repository.metadata["timestamp.json"]


def test_unknown_members_are_part_of_the_signed_data(repository: Repository, client: Client) -> None:
    repository.signed(Root.type).unrecognized_fields["season"] = {"é": "\u0001", "e\u0301": [1, None, True]}
    repository.signed(Root.type).roles[Root.type].unrecognized_fields["note"] = "x"
    repository.publish(Root.type)
    assert client.refresh() == 0
    assert client.versions["root"] == 2


@pytest.mark.parametrize("broken", ["unsigned", "without version", "no JSON"])
def test_with_a_broken_first_root_no_request_is_made(repository: Repository, tmp_path: Path, broken: str) -> None:
    client = Client(repository, tmp_path)
    root = json.loads(repository.root)
    if broken == "unsigned":
        root["signatures"][0]["sig"] = "3045" + "00" * 69
    else:
        del root["signed"]["version"]
    client.begin(b"{" if broken == "no JSON" else json.dumps(root).encode())
    assert client.refresh() == 1
    assert repository.requests == []


@pytest.mark.parametrize("role", ALL)
def test_a_role_without_its_signature_is_refused_and_those_before_it_stay(
    repository: Repository, client: Client, role: str
) -> None:
    repository.signers[role] = []
    repository.publish(Root.type, *REST)
    assert client.refresh() == 1
    order = [Root.type, Timestamp.type, Snapshot.type, Targets.type]
    taken = order[: order.index(role)]
    assert client.versions == ({"root": 1} if role == Root.type else {name: 2 for name in sorted(taken)})


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_each_kind_of_key_counts_and_its_wrong_signature_does_not(
    repository: Repository, client: Client, kind: str
) -> None:
    signer = getattr(CryptoSigner, f"generate_{kind}")()
    repository.add_key(Root.type, signer)
    repository.signed(Root.type).roles[Root.type].threshold = 2
    repository.publish(Root.type)
    assert client.refresh() == 0
    before = Metadata.from_bytes(repository.metadata[Root.type])
    repository.publish(Root.type)
    wrong = Metadata.from_bytes(repository.metadata[Root.type])
    wrong.signatures[signer.public_key.keyid] = before.signatures[signer.public_key.keyid]
    repository.serve(Root.type, wrong.to_bytes())
    assert client.refresh() == 1
    assert client.versions["root"] == 2


def test_one_key_with_two_ids_counts_once_for_the_threshold(repository: Repository, client: Client) -> None:
    repository.signed(Root.type).roles[Snapshot.type].threshold = 2
    keys = repository.signed(Root.type).keys
    [name] = repository.signed(Root.type).roles[Snapshot.type].keyids
    copy = type(keys[name]).from_dict("another name", keys[name].to_dict())
    keys["another name"] = copy
    repository.signed(Root.type).roles[Snapshot.type].keyids.append("another name")
    repository.publish(Root.type, Snapshot.type, Timestamp.type)
    snapshot = json.loads(repository.metadata[Snapshot.type])
    snapshot["signatures"].append({"keyid": "another name", "sig": snapshot["signatures"][0]["sig"]})
    repository.serve(Snapshot.type, json.dumps(snapshot).encode())
    assert client.refresh() == 1
    assert "snapshot" not in client.versions


def test_a_signature_given_twice_is_refused(repository: Repository, client: Client) -> None:
    snapshot = json.loads(repository.metadata[Snapshot.type])
    snapshot["signatures"] *= 2
    repository.serve(Snapshot.type, json.dumps(snapshot).encode())
    assert client.refresh() == 1


@pytest.mark.parametrize("signature", ["", "00" * 64, "not hex"])
def test_a_wrong_signature_beside_enough_right_ones_does_no_harm(
    repository: Repository, client: Client, signature: str
) -> None:
    other = repository.add_key(Timestamp.type)
    repository.publish(Root.type, Timestamp.type)
    timestamp = json.loads(repository.metadata[Timestamp.type])
    for entry in timestamp["signatures"]:
        if entry["keyid"] == other.public_key.keyid:
            entry["sig"] = signature
    repository.serve(Timestamp.type, json.dumps(timestamp).encode())
    assert client.refresh() == 0


@pytest.mark.parametrize(
    ("new", "threshold", "signed_by", "result"),
    [
        ([2], 1, [1, 2], 0),
        ([2], 1, [2], 1),
        ([2], 1, [1], 1),
        ([1, 2, 3], 2, [1, 2], 0),
        ([1, 2, 3], 2, [2, 3], 1),
        ([1, 2, 3], 2, [1], 1),
    ],
)
def test_a_new_root_needs_the_old_keys_and_the_new(
    repository: Repository, client: Client, new: list[int], threshold: int, signed_by: list[int], result: int
) -> None:
    keys = {1: repository.signers[Root.type][0]} | {n: CryptoSigner.generate_ed25519() for n in (2, 3)}
    role = repository.signed(Root.type).roles[Root.type]
    role.keyids, role.threshold = [], threshold
    for number in new:
        repository.signed(Root.type).add_key(keys[number].public_key, Root.type)
    repository.signers[Root.type] = [keys[number] for number in signed_by]
    repository.publish(Root.type)
    assert client.refresh() == result
    assert client.bytes(Root.type) == (repository.metadata[Root.type] if result == 0 else repository.root)


def test_a_client_follows_a_chain_of_forty_new_roots(repository: Repository, client: Client) -> None:
    for _ in range(40):
        repository.publish(Root.type)
    assert client.refresh() == 0
    assert client.versions["root"] == 41


def test_an_older_timestamp_is_refused(repository: Repository, client: Client) -> None:
    repository.publish(Timestamp.type)
    assert client.refresh() == 0
    repository.signed(Timestamp.type).version = 1
    repository.publish(Timestamp.type, bump=False)
    assert client.refresh() == 1
    assert client.versions["timestamp"] == 2


def test_another_timestamp_of_the_same_version_changes_nothing(repository: Repository, client: Client) -> None:
    assert client.refresh() == 0
    kept = client.bytes(Timestamp.type)
    repository.signed(Timestamp.type).snapshot_meta.version = 100
    repository.publish(Timestamp.type, bump=False)
    assert client.refresh() == 0
    assert client.bytes(Timestamp.type) == kept


@pytest.mark.parametrize("hashes", [False, True])
def test_an_older_snapshot_or_older_targets_are_refused(
    repository: Repository, client: Client, hashes: bool
) -> None:
    repository.hashes = hashes
    repository.publish(*REST)
    assert client.refresh() == 0
    repository.signed(Targets.type).version = 1
    repository.publish(Targets.type, bump=False)
    repository.publish(Snapshot.type, Timestamp.type)
    assert client.refresh() == 1
    assert client.versions["targets"] == 2
    repository.signed(Snapshot.type).version = 1
    repository.publish(Snapshot.type, bump=False)
    repository.publish(Timestamp.type)
    assert client.refresh() == 1
    assert client.versions["snapshot"] == 2


def test_a_role_may_not_vanish_from_the_snapshot(repository: Repository, client: Client) -> None:
    repository.delegate("a")
    repository.publish("a", *REST)
    assert client.refresh() == 0
    del repository.signed(Snapshot.type).meta["a.json"]
    repository.publish(Snapshot.type, Timestamp.type)
    assert client.refresh() == 1
    assert client.versions["snapshot"] == 2


def test_new_keys_undo_a_fast_forward(repository: Repository, client: Client) -> None:
    for role in REST:
        repository.signed(role).version = 90_000
    repository.publish(*REST)
    assert client.refresh() == 0
    repository.rotate(Snapshot.type)
    repository.rotate(Timestamp.type)
    repository.publish(Root.type)
    for role in REST:
        repository.signed(role).version = 1
    repository.publish(*REST)
    assert client.refresh() == 0
    assert client.versions == {"root": 2, "snapshot": 2, "targets": 2, "timestamp": 2}


@pytest.mark.parametrize("role", [Snapshot.type, Targets.type])
def test_a_hash_that_does_not_fit_is_refused(repository: Repository, client: Client, role: str) -> None:
    repository.hashes = True
    repository.publish(*REST)
    assert client.refresh() == 0
    repository.publish(*REST)
    repository.metadata[f"{repository.signed(role).version}.{role}.json"] += b" "
    assert client.refresh() == 1
    assert client.versions[role] == 2


@pytest.mark.parametrize("role", [Snapshot.type, Targets.type])
def test_a_missing_file_is_an_error_and_what_came_before_it_is_kept(
    repository: Repository, client: Client, role: str
) -> None:
    assert client.refresh() == 0
    repository.publish(*REST)
    del repository.metadata[f"2.{role}.json"]
    assert client.refresh() == 1
    assert client.versions["timestamp"] == 2
    assert client.versions[role] == 1


@pytest.mark.parametrize("role", ALL)
def test_expired_metadata_is_refused(repository: Repository, client: Client, role: str) -> None:
    assert client.refresh() == 0
    repository.signed(role).expires = soon(-1)
    repository.publish(Root.type, *REST)
    assert client.refresh() == 1
    # An expired root is stored, because a newer one is verified with it. Other expired roles are not stored.
    assert client.versions[role] == (2 if role == Root.type else 1)


def test_expired_metadata_on_the_device_is_no_hindrance_to_newer(repository: Repository, client: Client) -> None:
    repository.signed(Timestamp.type).expires = soon(7)
    repository.publish(Timestamp.type)
    assert client.refresh() == 0
    assert client.refresh(at=soon(8)) == 1
    repository.signed(Timestamp.type).expires = soon(21)
    repository.publish(*REST)
    assert client.refresh(at=soon(18)) == 0
    assert client.versions["targets"] == 2


def test_metadata_of_another_kind_is_refused(repository: Repository, client: Client) -> None:
    [signer] = repository.signers[Timestamp.type]
    repository.add_key(Snapshot.type, signer)
    repository.publish(Root.type, Snapshot.type)
    repository.metadata["timestamp.json"] = repository.metadata[Snapshot.type]
    assert client.refresh() == 1
    assert client.versions == {"root": 2}


@pytest.mark.parametrize("path", ["a.txt", "deep/er/a.txt", "with space & é?#%20.txt"])
def test_a_file_is_downloaded_once(repository: Repository, client: Client, path: str) -> None:
    repository.add(path, b"content")
    for key in list(repository.targets):
        repository.targets[quote(key)] = repository.targets.pop(key)
    repository.publish(*REST)
    assert client.download(path) == 0
    assert client.contents == [b"content"]
    repository.forget_requests()
    assert client.download(path) == 0
    assert repository.requests == ["2.root.json", "timestamp.json"]


def test_other_bytes_than_the_signed_ones_leave_nothing(repository: Repository, client: Client) -> None:
    repository.add("a", b"good")
    repository.publish(*REST)
    for path in repository.targets:
        repository.targets[path] = b"evil"
    assert client.download("a") == 1
    assert client.contents == []
    for path in repository.targets:
        repository.targets[path] = b"good" + b"!" * 10_000_000
    assert client.download("a") == 1
    assert client.contents == []


def test_a_changed_file_takes_the_place_of_the_old(repository: Repository, client: Client) -> None:
    for contents in (b"one", b"two"):
        repository.add("a", contents)
        repository.publish(*REST)
        assert client.download("a") == 0
        assert client.contents == [contents]


GRAPHS = {
    "one": ([("targets", "a", False, "*")], ["a"]),
    "in order": ([("targets", "a", False, "*"), ("targets", "b", False, "*")], ["a", "b"]),
    "depth first": (
        [("targets", "a", False, "*"), ("targets", "b", False, "*"), ("a", "c", False, "*")],
        ["a", "c", "b"],
    ),
    "terminating": (
        [("targets", "a", False, "*"), ("targets", "b", False, "*"), ("a", "c", True, "*"), ("a", "d", False, "*")],
        ["a", "c"],
    ),
    "circle": ([("targets", "a", False, "*"), ("a", "b", False, "*"), ("b", "a", False, "*")], ["a", "b"]),
    "paths": ([("targets", "a", False, "*.py"), ("targets", "b", False, "miss*")], ["b"]),
    "patterns stay in a folder": ([("targets", "a", False, "*/*"), ("targets", "b", False, "?issing")], ["b"]),
    "two delegators": (
        [("targets", "a", False, "*"), ("targets", "b", False, "*"), ("b", "c", False, "*"), ("a", "c", False, "*")],
        ["a", "c", "b"],
    ),
}


@pytest.mark.parametrize("graph", GRAPHS)
def test_delegations_are_searched_in_their_order(repository: Repository, client: Client, graph: str) -> None:
    edges, order = GRAPHS[graph]
    for delegator, role, ends, path in edges:
        repository.delegate(role, by=delegator, paths=[path], ends=ends)
    repository.publish(*dict.fromkeys(edge[1] for edge in edges), *REST)
    assert client.download("missing") == 1
    assert repository.requests[4:] == [f"1.{role}.json" for role in order]


@pytest.mark.parametrize("role", ["?", "#", "/delegated", "../delegated", "a b", "ü", "."])
def test_role_names_are_any_text(repository: Repository, client: Client, role: str) -> None:
    repository.delegate(role)
    repository.publish(role, *REST)
    repository.metadata[f"1.{quote(role, '')}.json"] = repository.metadata[role]
    assert client.download("missing") == 1
    assert f"1.{quote(role, '')}.json" in repository.requests
    assert len(client.versions) == 5
    assert sorted(path.name for path in client.folder.iterdir()) == ["first-root.json", "metadata", "targets"]


def test_a_stored_role_is_verified_against_each_delegator(repository: Repository, client: Client) -> None:
    repository.delegate("a", paths=["a/*"])
    repository.delegate("b", paths=["b/*"])
    shared = repository.delegate("shared", by="a", paths=["a/*"])
    genuine = repository.signers["shared"].pop()
    # `b` delegates to a role of the same name, but with another key.
    repository.delegate("shared", by="b", paths=["b/*"])
    repository.signers["shared"] = [genuine]
    repository.add("a/file", b"from a", "shared")
    repository.add("b/file", b"not from b", "shared")
    assert shared is repository.signed("shared")
    repository.publish("shared", "a", "b", *REST)
    assert client.download("a/file") == 0
    assert client.download("b/file") == 1
    assert client.contents == [b"from a"]


def test_an_expired_delegated_role_is_not_used(repository: Repository, client: Client) -> None:
    repository.delegate("a").expires = soon(7)
    repository.add("one", b"1", "a")
    repository.add("two", b"2", "a")
    repository.publish("a", *REST)
    assert client.download("one") == 0
    assert client.download("two", at=soon(18)) == 1
    repository.signed("a").expires = soon(25)
    repository.publish("a", Snapshot.type, Timestamp.type)
    assert client.download("two", at=soon(18)) == 0


def test_damaged_metadata_on_the_device_is_fetched_again(repository: Repository, client: Client) -> None:
    repository.hashes = True
    repository.publish(*REST)
    assert client.refresh() == 0
    for role in REST:
        (client.metadata / f"{role}.json").write_bytes(b"{]")
    assert client.refresh() == 0
    assert client.versions == {"root": 1, "snapshot": 2, "targets": 2, "timestamp": 2}


def test_names_without_versions_are_used_without_consistent_snapshots(repository: Repository, client: Client) -> None:
    repository.signed(Root.type).consistent_snapshot = False
    repository.add("a", b"content")
    repository.publish(Root.type, *REST)
    repository.metadata["snapshot.json"] = repository.metadata[Snapshot.type]
    repository.metadata["targets.json"] = repository.metadata[Targets.type]
    repository.targets = {"a": b"content"}
    assert client.download("a") == 0
    assert repository.requests[1:] == ["3.root.json", "timestamp.json", "snapshot.json", "targets.json", "a"]


def test_the_reference_client_accepts_inlay_s_repositories(tmp_path: Path) -> None:
    """The reference client reads content that an earlier version of Inlay published, with a rotated root."""
    fixture = ROOT / "Tests" / "InlayTrustTests" / "Fixtures" / "repository"
    folder = tmp_path / "metadata"
    folder.mkdir()
    with Repository() as server:
        server.metadata = {file.name: file.read_bytes() for file in (fixture / "metadata").iterdir()}
        targets = fixture / "targets"
        server.targets = {
            str(file.relative_to(targets)): file.read_bytes() for file in targets.rglob("*") if file.is_file()
        }
        updater = Updater(
            str(folder),
            server.url + "/metadata/",
            str(tmp_path),
            server.url + "/targets/",
            bootstrap=server.metadata["1.root.json"],
        )
        for path in ("index.json", "articles/crossing/index.html", "channels/news/today.html"):
            info = updater.get_targetinfo(path)
            assert info is not None
            assert Path(updater.download_target(info, str(tmp_path / "file"))).read_bytes()
        assert updater.get_targetinfo("channels/news/tomorrow.html") is None


def test_several_targets_are_fetched_in_order_by_one_client(repository: Repository, client: Client) -> None:
    for name in ("a", "b"):
        repository.add(name, name.encode())
    repository.publish(Targets.type, Snapshot.type, Timestamp.type)
    assert client.download("b", "a") == 0
    assert client.contents == [b"a", b"b"]
    assert [path for path in repository.requests if path.endswith((".a", ".b"))][0].endswith(".b")
    assert repository.requests.count("timestamp.json") == 1


def test_the_first_target_that_fails_ends_a_download_of_several(repository: Repository, client: Client) -> None:
    for name in ("a", "b"):
        repository.add(name, name.encode())
    repository.publish(Targets.type, Snapshot.type, Timestamp.type)
    assert client.download("missing", "a", "b") == 1
    assert client.contents == []
    assert client.download("a", "missing", "b") == 1
    assert client.contents == [b"a"]
    assert not any(path.endswith(".b") for path in repository.requests)


def test_a_killed_download_leaves_no_partial_file_after_the_next_start(repository: Repository, client: Client) -> None:
    repository.add("a", bytes(1 << 20))
    repository.publish(Targets.type, Snapshot.type, Timestamp.type)
    path = next(iter(repository.targets))
    repository.stalled[path] = threading.Event()
    process = subprocess.Popen(
        [str(program("inlay")), "tuf-client", "--metadata-dir", str(client.metadata), *client.downloading("a")]
    )
    try:
        until(lambda: any(part.stat().st_size for part in client.partial_files))
    finally:
        process.kill()
        process.wait()
    # A metadata file is written at once, so no signal hits the moment between its write and its rename.
    (client.metadata / f".{uuid.uuid4()}.part").write_bytes(b"half")
    repository.stalled.pop(path).set()
    assert len(client.partial_files) == 2
    assert client.download("a") == 0
    assert client.partial_files == []
    assert client.contents == [bytes(1 << 20)]
