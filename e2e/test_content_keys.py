"""Recovery of signed content: an operator replaces a lost root key or restores a backup, and devices still accept the
content."""

import os
import re
import subprocess

import pytest
from conftest import start, stop
from harbor import WorkbenchClient
from programs import program
from waiting import until


class Site:
    """A server with its own folder, the operator's commands, and a device that updates its content."""

    def __init__(self, folder):
        self.folder = folder
        self.database = f"sqlite:{folder}/inlay.sqlite"
        self.metadata = folder / "device"
        self.metadata.mkdir()
        self.process, self.address, self.password = None, None, "four ferries before noon"
        self.password_file = folder / "password"
        self.password_file.write_text(self.password + "\n")

    def start(self) -> None:
        self.process, found = start(
            ["serve", "--database", self.database, "--port", "0", "--first-password-file", str(self.password_file)],
            {"address": r"Inlay listens on (http\S+)"},
        )
        self.address = found["address"]

    def stop(self) -> None:
        if self.process:
            stop(self.process)
        self.process = None

    def command(self, *arguments: str, fails=False) -> str:
        done = subprocess.run(
            [str(program("inlay")), *arguments], capture_output=True, text=True, timeout=120, check=False
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def content(self, verb: str, *arguments: str, fails=False) -> str:
        place = ["harbor", "main", "--database", self.database]
        return self.command("key", "content", verb, *place, *arguments, fails=fails)

    def write(self, article: str) -> None:
        """Publishes an article."""
        admin = WorkbenchClient(self.address, "admin", self.password)
        fields = {"id": article, "title": article, "body": "Words.", "channel.news": "on", "op": "publish"}
        assert admin.post(admin.path("hub/main/articles/new"), fields).status == 200

    def device(self, *arguments: str) -> bool:
        return (
            subprocess.run(
                [str(program("inlay")), "tuf-client", "--metadata-dir", str(self.metadata), *arguments],
                capture_output=True, timeout=120, check=False,
            ).returncode
            == 0
        )

    def accepts_content(self) -> bool:
        """Whether the device accepts the server's current content."""
        return self.device("--metadata-url", f"{self.address}/v1/hub/harbor/main/metadata", "refresh")


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setenv("INLAY_CONTENT_SECRET_FILE", str(tmp_path / "content.secret"))
    site = Site(tmp_path)
    try:
        site.start()
        admin = WorkbenchClient(site.address, "admin", site.password)
        assert admin.post("/workbench/start", {"id": "harbor", "name": "Harbor"}).status == 200
        site.files = {name: str(tmp_path / f"{name}.key") for name in "abcd"}
        roots = [part for name in "abc" for part in ("--root-file", site.files[name])]
        site.content("make", *roots, "--root-threshold", "2")
        for kind, identity, fields in [("channels", "news", {}), ("hubs", "home", {"channelOrder": "news"})]:
            new = {"id": identity, "title": identity, "op": "release"} | fields
            assert admin.post(admin.path(f"hub/main/{kind}/new"), new).status == 200
        site.write("first")
        site.content("export", "--to", str(tmp_path / "anchor"))
        assert site.device("init", str(tmp_path / "anchor" / "root.json")) and site.accepts_content()
        yield site
    finally:
        site.stop()


def root_keys(listed: str) -> dict[str, tuple[str, str]]:
    """Returns the id and state of each root key that the command lists, by the key's name."""
    line = r"^(\w{16})  root\s+\S+  (held by the server|in a file|taken out)  (.+)$"
    return {name: (identity, state) for identity, state, name in re.findall(line, listed, re.M)}


def test_one_lost_root_key_is_replaced_and_the_others_and_their_threshold_stay(site):
    before = root_keys(site.content("list"))
    assert len(before) == 3 and {state for _, state in before.values()} == {"in a file"}
    key = {name: f"--root-key={path}" for name, path in site.files.items()}
    fresh = ["--file", site.files["d"]]
    os.remove(site.files["b"])
    lost = before["First root key 2"][0]
    # The command needs the id of the lost key, and as many of the remaining keys as the threshold says.
    site.content("rotate", "root", *fresh, key["a"], key["c"], fails=True)
    site.content("rotate", "root", lost, *fresh, key["a"], fails=True)
    assert root_keys(site.content("list")) == before
    after = root_keys(site.content("rotate", "root", lost, *fresh, key["a"], key["c"]))
    assert after.pop("First root key 2") == (lost, "taken out")
    assert {state for _, state in after.values()} == {"in a file"} and len(after) == 3
    assert site.accepts_content()
    # The threshold is still two: one key cannot sign a root, two can.
    site.content("renew", key["d"], fails=True)
    site.content("renew", key["d"], key["a"])
    site.write("second")
    assert site.accepts_content()


def test_a_device_accepts_the_content_after_a_restore_of_an_older_backup(site):
    backup = str(site.folder / "copy.sqlite")
    site.command("backup", backup, "--database", site.database)
    for article in ("lost-1", "lost-2", "lost-3"):
        site.write(article)
        assert site.accepts_content()
    site.stop()
    site.command("restore", backup, "--database", site.database)
    site.start()
    # The server signs newer metadata by itself after its start.
    until(site.accepts_content, "the device refuses the restored server")
    site.write("later")
    assert site.accepts_content()


def test_a_restore_of_a_backup_from_before_a_key_rotation_locks_no_device_out(site):
    key = {name: f"--root-key={path}" for name, path in site.files.items()}
    backup = str(site.folder / "copy.sqlite")
    site.command("backup", backup, "--database", site.database)
    site.content("rotate", "timestamp", key["a"], key["b"])
    lost = root_keys(site.content("list"))["First root key 1"][0]
    site.content("rotate", "root", lost, "--file", site.files["d"], key["b"], key["c"])
    site.write("lost")
    assert site.accepts_content()
    site.stop()
    said = site.command("restore", backup, "--database", site.database)
    assert "Copied newer roots and keys of content source harbor/main." in said
    site.start()
    until(site.accepts_content, "the device refuses the restored server")
    site.write("later")
    assert site.accepts_content()
    # A key that was removed after the backup stays removed.
    assert root_keys(site.content("list"))["First root key 1"][1] == "taken out"


def test_a_restore_that_would_lock_devices_out_names_their_source_and_changes_nothing(site):
    backup = str(site.folder / "copy.sqlite")
    site.command("backup", backup, "--database", site.database)
    site.command("key", "content", "make", "harbor", "second", "--database", site.database)
    site.stop()
    said = site.command("restore", backup, "--database", site.database, fails=True)
    assert "harbor/second: it was made after the backup" in said and "Nothing was changed" in said
    site.start()
    assert "timestamp" in site.command("key", "content", "list", "harbor", "second", "--database", site.database)
    site.stop()
    site.command("restore", backup, "--database", site.database, "--allow-lockout")
    site.start()
    assert site.accepts_content()


def test_a_restore_needs_the_old_database_or_the_permission_to_lock_devices_out(site):
    backup = str(site.folder / "copy.sqlite")
    site.command("backup", backup, "--database", site.database)
    key = {name: f"--root-key={path}" for name, path in site.files.items()}
    site.content("rotate", "timestamp", key["a"], key["b"])
    assert site.accepts_content()
    site.stop()
    database = site.folder / "inlay.sqlite"
    hidden = site.folder / "old.sqlite"
    database.rename(hidden)
    said = site.command("restore", backup, "--database", site.database, fails=True)
    assert "harbor/main" in said and "--allow-lockout" in said and "Nothing was changed" in said
    assert not database.exists()
    # When the old database is there, the restore copies its newer keys.
    hidden.rename(database)
    assert "Copied newer roots" in site.command("restore", backup, "--database", site.database)
    site.start()
    until(site.accepts_content, "the device refuses the restored server")
    site.stop()
    # On a new machine there is no old database, so the operator allows the lockout.
    database.unlink()
    site.command("restore", backup, "--database", site.database, "--allow-lockout")
    site.start()
    assert not site.accepts_content()
