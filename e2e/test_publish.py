"""`inlay publish` and the content keys: a folder becomes a version that a device accepts, or nothing changes."""

import json
import os
import re
import shutil
import subprocess

import pytest
from harbor import WorkbenchClient
from programs import ROOT, program
from test_content_keys import Site

FOLDER = ROOT / "Server/Sources/inlay/Resources/harbor/hub"


class Publishing(Site):
    """A server with an empty environment, a folder of articles, and a device."""

    def begin(self) -> None:
        self.start()
        admin = WorkbenchClient(self.address, "admin", self.password)
        assert admin.post("/workbench/start", {"id": "harbor", "name": "Harbor"}).status == 200
        self.secret = admin.secret_key()
        self.source = self.folder / "articles-of-harbor"
        shutil.copytree(FOLDER, self.source)

    def publish(self, *arguments: str, secret: str | None = None) -> tuple[int, str]:
        environment = {name: value for name, value in os.environ.items() if name != "INLAY_SECRET_KEY"}
        if secret:
            environment["INLAY_SECRET_KEY"] = secret
        place = ["--environment", "harbor", "--server", self.address]
        done = subprocess.run(
            [str(program("inlay")), "publish", str(self.source), *place, *arguments],
            capture_output=True, text=True, timeout=120, check=False, env=environment,
        )
        return done.returncode, done.stdout + done.stderr

    def trust(self) -> None:
        """Gives the device the first root, as an app contains it."""
        self.content("export", "--to", str(self.folder / "anchor"))
        assert self.device("init", str(self.folder / "anchor" / "root.json"))

    def fetch(self, path: str) -> bytes:
        """Downloads a file as a device does: found in the signed metadata and verified."""
        folder = self.folder / "fetched"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        base = f"{self.address}/v1/hub/harbor/main"
        urls = ["--metadata-url", f"{base}/metadata", "--target-base-url", f"{base}/targets/"]
        assert self.device(*urls, "--target-name", path, "--target-dir", str(folder), "download"), path
        [file] = [file for file in folder.rglob("*") if file.is_file()]
        return file.read_bytes()


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setenv("INLAY_CONTENT_SECRET_FILE", str(tmp_path / "content.secret"))
    site = Publishing(tmp_path)
    try:
        site.begin()
        yield site
    finally:
        site.stop()


def test_a_folder_is_published_and_a_device_has_its_articles_pictures_and_templates(site):
    (site.source / "templates").mkdir()
    template = "<!doctype html><title>{{title}}</title><main data-own>{{{body}}}</main>"
    (site.source / "templates" / "article.html").write_text(template)
    assert "Put the environment's secret key" in site.publish()[1]
    code, said = site.publish("--check")
    assert code == 0 and "Published" not in said
    code, said = site.publish(secret=site.secret)
    assert code == 0 and "Published as version 1:" in said
    site.trust()
    index = json.loads(site.fetch("index.json"))
    assert len(index["channels"]) == 3
    articles = {article["id"]: article for article in index["articles"]}
    assert len(articles) >= 12
    seals = articles["seal-rocks"]
    assert seals["tags"] == ["visitor", "family", "walking"] and seals["image"] == "assets/seal.svg"
    page = site.fetch(seals["page"]).decode()
    assert "<main data-own>" in page and "<strong>stay 200 metres away</strong>" in page
    assert site.fetch("assets/seal.svg") == (FOLDER / "assets/seal.svg").read_bytes()
    # The same content makes no new version. One changed article makes one, with that page as its only new content.
    assert "Nothing changed; version 1 is still current." in site.publish(secret=site.secret)[1]
    article = site.source / "articles" / "seal-rocks.md"
    article.write_text(article.read_text().replace("200 metres", "300 metres"))
    assert re.search(r"Published as version 2: [12] new files", site.publish(secret=site.secret)[1])
    assert "stay 300 metres away" in site.fetch(seals["page"]).decode()


def test_a_folder_with_faults_is_refused_by_file_and_line_and_the_old_content_stays(site):
    assert site.publish(secret=site.secret)[0] == 0
    site.trust()
    index = site.fetch("index.json")
    (site.source / "articles" / "broken.md").write_text("---\ntitle: a\nchannels: gone\n---\n![x](../../etc/passwd)")
    os.symlink("/etc/passwd", site.source / "assets" / "passwd.svg")
    code, said = site.publish(secret=site.secret)
    assert code != 0
    assert "articles/broken.md:3: channels: There is no channel gone" in said
    assert "articles/broken.md:5: ../../etc/passwd is no file of this source" in said
    assert "assets/passwd.svg: A symbolic link" in said
    assert site.fetch("index.json") == index
    # A secret key that is not the environment's changes nothing either.
    os.remove(site.source / "articles" / "broken.md")
    os.remove(site.source / "assets" / "passwd.svg")
    article = site.source / "articles" / "seal-rocks.md"
    article.write_text(article.read_text().replace("200 metres", "300 metres"))
    assert site.publish(secret=f"{site.secret}x")[0] != 0
    assert site.fetch("index.json") == index


NOTES = """---
title: Notes
channels: islands
---
See [prices](#prices), `--dry-run` and AB--12[^1].

<h2 id="prices" style="color: red">Prices</h2>

[gone](#gone)

[^1]: A note.
"""


def test_content_that_is_left_out_is_named_by_file_and_line_and_ids_and_footnotes_are_kept(site):
    (site.source / "source.md").write_text("---\nlanguage: en\napp-schemes: [harbor]\n---\n")
    (site.source / "articles" / "notes.md").write_text(NOTES)
    for arguments, secret in ((("--check",), None), ((), site.secret)):
        code, said = site.publish(*arguments, secret=secret)
        assert code == 0
        assert "articles/notes.md:7: warning: The attribute style of <h2> was left out." in said
        assert "articles/notes.md:9: warning: The link to #gone leads to no id of this text." in said
    site.trust()
    page = site.fetch("articles/notes/index.html").decode()
    for anchor in ("prices", "fn-1", "fnref-1"):
        assert f'href="#user-content-{anchor}"' in page and f'id="user-content-{anchor}"' in page
    assert "<code>--dry-run</code> and AB--12" in page
    (site.source / "source.md").write_text("---\napp-schemes: [harbor]\ntypographic-punctuation: true\n---\n")
    assert site.publish(secret=site.secret)[0] == 0
    assert "<code>--dry-run</code> and AB–12" in site.fetch("articles/notes/index.html").decode()


def test_keys_of_every_role_are_made_rotated_and_removed_and_a_device_accepts_the_content(site):
    site.content("make", "--kind", "ecdsa-sha2-nistp256")
    assert site.publish(secret=site.secret)[0] == 0
    site.trust()
    assert site.accepts_content()

    def keys():
        line = r"^(\w{16})  (\w+)\s+(\S+)  (held by the server|in a file|taken out)  "
        return re.findall(line, site.content("list"), re.M)

    assert sorted(role for _, role, kind, _ in keys() if kind == "ecdsa-sha2-nistp256") == [
        "root", "snapshot", "targets", "timestamp",
    ]
    for role in ("timestamp", "snapshot", "targets", "root"):
        [(only, *_)] = [key for key in keys() if key[1] == role]
        site.content("take-out", role, only, fails=True)
        site.content("rotate", role)
        assert site.accepts_content()
        site.content("add", role)
        assert site.accepts_content()
        rest = [key[0] for key in keys() if key[1] == role and key[3] == "held by the server"]
        assert len(rest) == 2 and only not in rest
        site.content("take-out", role, rest[0])
        assert site.accepts_content()
        assert [key[3] for key in keys() if key[1] == role].count("held by the server") == 1
    # The last version is signed with the remaining keys, and still has the whole content.
    assert len(json.loads(site.fetch("index.json"))["channels"]) == 3
