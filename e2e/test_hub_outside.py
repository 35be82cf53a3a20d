"""External content that the app allows: a server's data, and a video in a frame of another site."""

import http.server
import threading
from contextlib import ExitStack

import pytest
from conftest import start, stop
from content_version import ContentVersion, document
from pages import wait_until_loaded
from playwright.sync_api import expect
from test_hub_isolation import open_article, witnessed_page
from witness import Witness


class ThirdPartyServer:
    """A third party's server that records the paths of its requests."""

    def __init__(self):
        self.asked: list[str] = []
        outside = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outside.asked.append(self.path)
                kind = "text/html" if self.path.startswith("/embed") else "application/json"
                body = b"<h1>Player</h1>" if kind == "text/html" else b'{"wind": "north-east"}'
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # Ends with `shutdown`.
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def outside():
    server = ThirdPartyServer()
    yield server
    server.server.shutdown()


@pytest.fixture
def show(tmp_path, outside, context):
    running = ExitStack()

    def run(*options):
        version = ContentVersion(tmp_path / "hub", "Harbor")
        version.channel("c", "Channel")
        script = version.file(
            "assets/wind.js",
            f"fetch('{outside.address}/wind.json').then(answer => answer.json())"
            ".then(data => { document.getElementById('wind').textContent = data.wind; })"
            ".catch(error => { document.getElementById('wind').textContent = String(error); });",
        )
        body = f'<p id=wind>unknown</p><iframe id=video src="{outside.address}/embed/42"></iframe>'
        head = f'<script defer src="../../{script}"></script>'
        version.article("out", document(body, head), title="Outside", scripts=True)
        process, found = start(
            ["preview", str(version.write()), "--port", "0", *options], {"hub": r"The hub\s+(http\S+)"}
        )
        running.callback(stop, process)
        page = context.new_page()
        page.goto(found["hub"])
        page.get_by_role("link", name="Outside").click()
        return page.frame_locator("iframe[data-frame]")

    with running:
        yield run


def test_where_everything_is_allowed_a_page_fetches_remote_data(show, outside):
    frame = show("--external")
    expect(frame.locator("#wind")).to_have_text("north-east")
    assert "/wind.json" in outside.asked


def test_where_everything_is_allowed_a_page_shows_an_external_video(show, outside):
    frame = show("--external")
    expect(frame.frame_locator("#video").get_by_role("heading", name="Player")).to_be_visible()
    assert "/embed/42" in outside.asked


def test_without_permission_neither_data_nor_video_is_requested(show, outside):
    frame = show()
    expect(frame.locator("#wind")).not_to_have_text("unknown")
    # A document has loaded only when its frames have: by then, the video's frame was loaded or refused.
    wait_until_loaded(frame)
    assert outside.asked == []


# ---------------------------------------------------------------- hosts by name, recorded by a witness


ASKS = """const done = ['listed', 'other'].map(host => fetch(`SCHEME://${host}.out.test/wind.json`, { mode: 'no-cors' })
  .catch(() => {}));
Promise.all(done).then(() => { document.documentElement.dataset.asked = 'yes'; });"""


@pytest.fixture
def witness():
    witness = Witness()
    yield witness
    witness.close()


@pytest.mark.parametrize(
    ("options", "scheme", "reached"),
    [
        (["--allow-domain", "listed.out.test"], "https", {"listed"}),
        (["--allow-domain", "listed.out.test"], "http", set()),
        (["--external"], "http", {"listed", "other"}),
        (["--external"], "https", {"listed", "other"}),
    ],
)
def test_a_page_reaches_the_hosts_that_the_app_lists_and_no_other(
    playwright, witness, tmp_path, options, scheme, reached
):
    version = ContentVersion(tmp_path / "hub", "Harbor")
    version.channel("c", "Channel")
    script = version.file("assets/asks.js", ASKS.replace("SCHEME", scheme))
    head = f'<script defer src="../../{script}"></script>'
    version.article("out", document("<p>Words</p>", head), title="Outside", scripts=True)
    for number in range(12):
        version.article(f"more-{number}", document("<p>x"), title=f"More {number}")
    process, found = start(
        ["preview", str(version.write()), "--port", "0", *options], {"hub": r"The hub\s+(http\S+)"}
    )
    with ExitStack() as running:
        running.callback(stop, process)
        page = running.enter_context(witnessed_page(playwright, witness, tmp_path / "net.json", "resolver"))
        frame = open_article(page, found["hub"], "Outside")
        expect(frame.locator("html[data-asked=yes]")).to_be_attached()
    assert witness.names() - {"connection"} == reached
