"""ZBiM's documented API on screen: an app that calls it, with a real server and a real browser."""

import json
import os
import plistlib
import select
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID
from harbor import WorkbenchClient
from playwright.sync_api import FrameLocator, Page, expect
from programs import expect_end, program
from test_hub_outside import ThirdPartyServer
from test_publish import Publishing
from waiting import SECONDS_TO_WAIT, until

HUBS = {"hubs/a.md": ("Harbor A", "a"), "hubs/b.md": ("Harbor B", "b")}


class App:
    """The running app, in a new folder with its resources."""

    def __init__(self, folder: Path, service: str, key: bytes):
        folder.mkdir()
        # The app looks for its resources in the program's folder.
        app = folder / "app"
        try:
            os.link(program("hub-test-app"), app)
        except OSError:
            shutil.copy(program("hub-test-app"), app)
        config = {"dbServiceUrl": service, "applID": "77", "metricsReportingQueueId": "q1"}
        (folder / "zbimconfig.plist").write_bytes(plistlib.dumps(config))
        (folder / "pubkey.der").write_bytes(key)
        environment = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
        self.process = subprocess.Popen(
            [str(app)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
        )

    def do(self, name: str, **parts) -> dict:
        """Sends a command and returns its answer."""
        self.process.stdin.write(json.dumps({"do": name} | parts).encode() + b"\n")
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS_TO_WAIT)
        assert ready, f"the app did not answer {name}"
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer
        return answer

    def start(self) -> None:
        self.do("start")
        until(lambda: self.do("state")["isReady"])

    def present(self, page: Page, **parts) -> str:
        """Presents the hub and opens the app's screen; returns the address of the page that is shown."""
        answer = self.do("present", **parts)
        assert answer["success"], answer
        page.goto(answer["address"])
        return answer["page"]

    def stop(self) -> None:
        self.process.stdin.close()
        expect_end(self.process)
        self.process.stdout.close()


@pytest.fixture
def site(tmp_path, monkeypatch) -> Iterator[Publishing]:
    monkeypatch.setenv("INLAY_CONTENT_SECRET_FILE", str(tmp_path / "content.secret"))
    site = Publishing(tmp_path)
    try:
        site.begin()
        shutil.rmtree(site.source)
        for path, (title, tag) in HUBS.items():
            write(site, path, f"---\ntitle: {title}\ntags: [{tag}]\nchannels: [fish]\n---\n")
        write(site, "channels/fish.md", "---\ntitle: Fish\n---\n")
        write(site, "articles/herring.md", "---\ntitle: Herring\nchannels: fish\n---\nA herring.")
        yield site
    finally:
        site.stop()


def write(site: Publishing, path: str, text: str) -> None:
    file = site.source / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.fixture
def app(site, tmp_path) -> Iterator[App]:
    """Publishes the content and runs the app. A test starts the SDK in the app."""
    code, said = site.publish(secret=site.secret)
    assert code == 0, said
    site.content("export", "--to", str(tmp_path / "anchor"))
    key = (tmp_path / "anchor" / "pubkey.der").read_bytes()
    app = App(tmp_path / "app", f"{site.address}/v1/hub/harbor/main", key)
    yield app
    app.stop()


def hub_box(page: Page) -> dict:
    """The position of the hub on the app's screen."""
    return page.locator("iframe[title=Hub]").bounding_box()


CONTAINER = {"x": 40, "y": 60, "width": 300, "height": 400}


@pytest.mark.parametrize(
    ("way", "shown", "title"),
    [
        ({}, "hub:hub/a", "Harbor A"),
        ({"by": "tags", "tags": "b"}, "hub:hub/b", "Harbor B"),
        ({"by": "uri", "uri": "hub:channel/fish"}, "hub:channel/fish", "Fish"),
    ],
)
@pytest.mark.parametrize("nested", [False, True])
def test_each_way_to_present_shows_its_page_over_the_screen_or_in_the_parent_view(
    app, context, way, shown, title, nested
):
    app.start()
    app.do("user", id="u", tags="a")
    page = context.new_page()
    assert app.present(page, nested=nested, **way) == shown
    frame = page.frame_locator("iframe[title=Hub]")
    expect(frame.get_by_role("heading", name=title).first).to_be_visible()
    screen = page.viewport_size
    whole = {"x": 0, "y": 0, "width": screen["width"], "height": screen["height"]}
    assert hub_box(page) == (CONTAINER if nested else whole)
    # A modal hub has a close button; the app closes a nested one.
    expect(frame.locator("[data-event=close]")).to_have_count(0 if nested else 1)
    assert app.do("state")["isDisplaying"]
    app.do("dismiss")
    assert not app.do("state")["isDisplaying"]


def nested(app: App, page: Page) -> FrameLocator:
    """Starts the app, presents a nested hub and returns its frame on the app's screen."""
    app.start()
    app.present(page, nested=True)
    return page.frame_locator("iframe[title=Hub]")


def read_herring(frame: FrameLocator) -> None:
    """Opens the article "Herring" through its channel."""
    frame.get_by_role("link", name="See all of Fish").click()
    expect(frame.get_by_role("heading", name="Fish").first).to_be_visible()
    frame.get_by_role("link", name="Herring").first.click()
    expect_herring(frame)


def expect_herring(frame: FrameLocator) -> None:
    expect(frame.frame_locator("iframe[data-frame]").get_by_text("A herring.")).to_be_visible()


def press(app: App, page: Page, name: str, shown: str, once: bool = False) -> None:
    """Presses a button of the app until the hub shows the page `shown`: the SDK ignores a press within 0.3 s of a
    navigation. With `once`, the first press must succeed."""

    def is_shown() -> bool:
        presses = app.do("state")["presses"]
        page.get_by_role("button", name=name, exact=True).click()
        until(lambda: app.do("state")["presses"] > presses)
        is_at_page = app.do("state")["page"] == shown
        assert is_at_page or not once
        return is_at_page

    until(is_shown)


def test_without_a_network_the_hub_its_channel_and_its_article_are_shown_from_the_downloaded_version(
    site, app, context
):
    app.start()
    site.stop()
    page = context.new_page()
    for uri, title in [("hub:hub/a", "Harbor A"), ("hub:channel/fish", "Fish")]:
        assert app.present(page, by="uri", uri=uri) == uri
        frame = page.frame_locator("iframe[title=Hub]")
        expect(frame.get_by_role("heading", name=title).first).to_be_visible()
        app.do("dismiss")
    app.present(page, by="uri", uri="hub:article/herring")
    expect_herring(page.frame_locator("iframe[title=Hub]"))


def test_a_hub_presented_again_restores_its_article_and_history(app, context):
    page = context.new_page()
    read_herring(nested(app, page))
    app.do("dismiss")
    answer = app.do("presentExisting")
    assert answer["success"] and answer["page"] == "hub:article/herring"
    assert app.do("state")["canGoBack"]
    page.goto(answer["address"])
    frame = page.frame_locator("iframe[title=Hub]")
    expect_herring(frame)
    press(app, page, "Back", "hub:channel/fish", once=True)
    expect(frame.get_by_role("heading", name="Fish").first).to_be_visible()


def test_going_back_and_forward_on_the_only_page_changes_nothing(app, context):
    page = context.new_page()
    frame = nested(app, page)
    before = app.do("state")
    assert not before["canGoBack"] and not before["canGoForward"] and before["page"] == "hub:hub/a"
    for way in ("goBack", "goForward"):
        app.do(way)
        assert app.do("state") == before
        expect(frame.get_by_role("heading", name="Harbor A").first).to_be_visible()


def test_the_app_s_own_buttons_go_back_and_forward_in_a_nested_hub_and_close_it(app, context):
    page = context.new_page()
    frame = nested(app, page)
    read_herring(frame)
    press(app, page, "Back", "hub:channel/fish", once=True)
    expect(frame.get_by_role("heading", name="Fish").first).to_be_visible()
    press(app, page, "Back", "hub:hub/a")
    expect(frame.get_by_role("heading", name="Harbor A").first).to_be_visible()
    assert not app.do("state")["canGoBack"]
    press(app, page, "Forward", "hub:channel/fish")
    expect(frame.get_by_role("heading", name="Harbor A")).to_have_count(0)
    expect(frame.get_by_role("heading", name="Fish").first).to_be_visible()
    press(app, page, "Close", "")
    expect(frame.get_by_role("heading")).to_have_count(0)
    assert not app.do("state")["isDisplaying"]


ASKS = """
const ways = {
  image: address => new Promise(done => { const i = new Image(); i.onload = i.onerror = done; i.src = address; }),
  fetch: address => fetch(address).then(() => {}, () => {}),
  request: address => new Promise(done => {
    const x = new XMLHttpRequest(); x.onloadend = done; x.open('GET', address); x.send(); }),
  attribute: address => new Promise(done => {
    const i = document.createElement('img'); i.onload = i.onerror = done; i.setAttribute('src', address); }),
  script: address => new Promise(done => {
    const s = document.createElement('script'); s.onload = s.onerror = done; s.src = address; document.body.append(s); }),
  straight: address => fetch(new URL('../../~/outside?u=' + encodeURIComponent(address), document.baseURI))
    .then(() => {}, () => {}),
};
addEventListener('load', async () => {
  for (const [way, ask] of Object.entries(ways)) {
    for (const end of ENDS) await ask('OUTSIDE/' + way + end);
  }
  document.documentElement.dataset.asked = 'yes';
});
"""


@pytest.fixture
def outside() -> Iterator[ThirdPartyServer]:
    server = ThirdPartyServer()
    yield server
    server.server.shutdown()


def asking(site: Publishing, outside: ThirdPartyServer, ends: list[str]) -> None:
    """Writes an article whose script requests an outside address with each ending, in every way."""
    write(site, "source.md", "---\nscripts: true\n---\n")
    script = ASKS.replace("OUTSIDE", outside.address).replace("ENDS", json.dumps(ends))
    write(site, "assets/asks.js", script)
    article = "---\ntitle: Asks\nchannels: fish\nscripts: true\n---\n<p>Words</p><script defer src='../../assets/asks.js'></script>"
    write(site, "articles/asks.html", article)


WAYS = ["image", "fetch", "request", "attribute", "script", "straight"]


@pytest.fixture
def asking_for_queries(site, outside):
    asking(site, outside, ["?x=1", "?x=2", "", "?x=1&y=2", "?X=1"])


@pytest.fixture
def asking_for_anchors(site, outside):
    asking(site, outside, ["#s", "#t", ""])


def show_article(app, context, outside, listed: str) -> None:
    app.do("contentSource", external=False)
    for way in WAYS:
        app.do("whitelistURL", url=f"{outside.address}/{way}{listed}")
    app.start()
    page = context.new_page()
    app.present(page, by="uri", uri="hub:article/asks")
    article = page.frame_locator("iframe[title=Hub]").frame_locator("iframe[data-frame]")
    expect(article.locator("html[data-asked=yes]")).to_be_attached()


def test_a_whitelisted_url_lets_exactly_its_parameters_through(asking_for_queries, app, context, outside):
    show_article(app, context, outside, "?x=1")
    assert sorted(outside.asked) == sorted(f"/{way}?x=1" for way in WAYS)


def test_a_whitelisted_url_lets_exactly_its_anchor_through(asking_for_anchors, app, context, outside):
    # An anchor is not sent to the server. One request for each way shows that only the listed anchor was allowed.
    show_article(app, context, outside, "#s")
    assert sorted(outside.asked) == sorted(f"/{way}" for way in WAYS)


def test_a_whitelisted_url_without_parameters_lets_none_through(asking_for_queries, app, context, outside):
    show_article(app, context, outside, "")
    assert sorted(outside.asked) == sorted(f"/{way}" for way in WAYS)


@pytest.fixture
def asking_for_anything(site, outside):
    asking(site, outside, [""])


def test_external_resources_are_requested_once_they_are_allowed_again(
    asking_for_anything, app, context, outside
):
    page = context.new_page()

    def read() -> None:
        app.present(page, by="uri", uri="hub:article/asks")
        article = page.frame_locator("iframe[title=Hub]").frame_locator("iframe[data-frame]")
        expect(article.locator("html[data-asked=yes]")).to_be_attached()
        app.do("dismiss")

    app.do("contentSource", external=False)
    app.start()
    read()
    assert outside.asked == []
    app.do("contentSource", external=True)
    read()
    # The host makes no requests for pages that may make them themselves, so the way "straight" is refused.
    assert sorted(outside.asked) == sorted(f"/{way}" for way in WAYS if way != "straight")


def test_presenting_while_the_hub_is_shut_down_fails_in_every_way(site, app):
    app.start()
    app.do("user", id="u", tags="a")
    admin = WorkbenchClient(site.address, "admin", site.password)
    policy = {"isDisabled": "on", "disabledReason": "Closed for the winter", "staleness": "show", "afterHours": "24"}
    assert admin.post(admin.path("hub/main/policy"), policy).status == 200
    app.do("refresh")
    until(lambda: app.do("state")["isDisabled"])
    for nested in (False, True):
        for way in ({}, {"by": "tags", "tags": "b"}, {"by": "uri", "uri": "hub:article/herring"}):
            answer = app.do("present", nested=nested, **way)
            assert answer["success"] is False and answer["code"] != 0
            assert not app.do("state")["isDisplaying"]


def certificate(folder: Path) -> tuple[str, str]:
    """Writes a self-signed certificate and its key; returns the paths of both files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "server.crt").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "server.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return str(folder / "server.crt"), str(folder / "server.key")


def test_no_metadata_is_requested_from_a_server_with_a_self_signed_certificate(tmp_path, site):
    # A listener that completes the handshake with any client that accepts its certificate, and records the requests.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(tmp_path))
    listener = socket.create_server(("127.0.0.1", 0))
    handshakes, asked = [], []

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(connection, server_side=True) as secure:
                    asked.append(secure.recv(4096))
            except OSError:
                pass
            handshakes.append(1)

    # Ends when the listener is closed.
    threading.Thread(target=serve, daemon=True).start()
    code, said = site.publish(secret=site.secret)
    assert code == 0, said
    site.content("export", "--to", str(tmp_path / "anchor"))
    key = (tmp_path / "anchor" / "pubkey.der").read_bytes()
    with ExitStack() as running:
        running.callback(listener.close)
        running.callback(listener.shutdown, socket.SHUT_RDWR)
        app = App(tmp_path / "app", f"https://127.0.0.1:{listener.getsockname()[1]}/v1/hub/harbor/main", key)
        running.callback(app.stop)
        app.do("start")
        answer = app.do("present")
        assert answer["success"] is False and not app.do("state")["isReady"]
        # A handshake has ended. If the app accepted the certificate, its request has been recorded.
        until(lambda: handshakes)
        assert not app.do("state")["isReady"]
    assert not any(asked)
