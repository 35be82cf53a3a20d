"""The isolation of articles in a real browser: a hostile article tries every way out, and none succeeds."""

import contextlib
import functools
import http.server
import threading
import urllib.parse

import pytest
import ways_out
from conftest import start, stop
from content_version import ContentVersion, document
from pages import has_left_site, load_another_frame, wait_until_loaded
from playwright.sync_api import Error, expect
from waiting import SECONDS_TO_WAIT, until
from witness import Witness, browser_arguments, looked_up, ways_taken

TRIED = "html[data-tried=yes]"


def hostile(folder, datagrams):
    """Writes articles that try every way out, which a hub's publisher could sign by mistake or under duress."""
    version = ContentVersion(folder, "Hostile")
    version.channel("c", "Channel")
    # The links come first and on top, so that no image that failed to load covers them.
    body = f"<div style=\"position: relative; z-index: 9\">{ways_out.links()}</div>{ways_out.markup()}"
    version.article("markup", document(body), title="Without script")
    version.file("assets/ways.js", ways_out.script(ways_out.SCRIPT, datagrams))
    # The script comes before any `base`, which would change its address. Its last line marks that it ran.
    head = '<link rel="stylesheet" href="../../assets/own.css"><script defer src="../../assets/ways.js"></script>'
    version.file("assets/own.css", "html { --own: yes }")
    version.article("silenced", document(body, head), title="Script that is not allowed")
    version.article("script", document(body, head), title="Script that is allowed", scripts=True)
    for name, way in ways_out.LEAVING.items():
        if way.startswith("<"):
            version.article(name, document(way.format(u=ways_out.host(name))), title=name, scripts=True)
        else:
            source = version.file(f"assets/{name}.js", ways_out.script({name: way}, datagrams))
            version.article(name, document(f'<script src="../../{source}"></script>'), title=name, scripts=True)
    version.picture("morning")
    version.article("own", document('<img id=own src="../../assets/morning.svg">'), title="Own picture")
    return version.write()


@pytest.fixture
def witness():
    witness = Witness()
    yield witness
    witness.close()


@contextlib.contextmanager
def witnessed_page(playwright, witness, log, way):
    arguments = browser_arguments(witness, log, way)
    # The full browser without a window, with a profile and with all features that a user's browser has: a private
    # window, for example, never opens connections ahead.
    context = playwright.chromium.launch_persistent_context(
        log.parent / "profile",
        executable_path="/usr/bin/chromium",
        headless=False,
        args=["--headless=new", *arguments],
        ignore_default_args=["--disable-background-networking", "--disable-features"],
        viewport={"width": 1000, "height": 900},
    )
    with contextlib.closing(context):
        page = context.pages[0]
        page.set_default_timeout(SECONDS_TO_WAIT * 1000)
        yield page


@pytest.fixture
def hub(tmp_path, witness):
    folder = hostile(tmp_path / "hub", witness.datagrams)
    process, found = start(["preview", str(folder), "--port", "0"], {"hub": r"The hub\s+(http\S+)"})
    yield found["hub"]
    stop(process)


def open_article(page, hub, title):
    """Opens the hub's start page, then its channel, and then the article with this title; returns the article's frame."""
    page.goto("about:blank")
    page.goto(hub)
    back = page.locator("[data-event=back]")
    expect(back).to_be_attached()
    while back.is_enabled():
        place = page.locator("[data-place]").get_attribute("data-place")
        back.click()
        expect(page.locator(f"[data-place='{place}']")).to_have_count(0)
    page.locator(".hub-more").click()
    page.get_by_role("link", name=title).click()
    expect(page.locator("iframe[data-frame]")).to_be_attached()
    return page.frame_locator("iframe[data-frame]")


def load_another_file(page):
    """Loads another file of the hub. By then, the browser's log contains all earlier requests of the article."""
    article = page.locator("iframe[data-frame]").evaluate("frame => frame.src")
    load_another_frame(page, urllib.parse.urljoin(article, "../../assets/morning.svg"))


def press_links(page, frame):
    """Clicks every link with the mouse, and declines the hub's question before it leaves the app."""
    for index in range(1, len(ways_out.LINKS) + 1):
        link = frame.locator(f"#k{index}")
        link.hover()
        link.click()
        question = page.get_by_role("alertdialog")
        # The last two open no question: one sends a form, and one has a script as its address.
        if index <= 5:
            expect(question).to_be_visible()
            page.locator("[data-event=stay]").click()
        expect(question).to_have_count(0)


@pytest.mark.parametrize("way", ["resolver", "proxy"])
@pytest.mark.parametrize("title", ["Without script", "Script that is not allowed", "Script that is allowed"])
def test_a_hostile_article_makes_no_request(hub, playwright, witness, tmp_path, title, way):
    log = tmp_path / "net.json"
    with witnessed_page(playwright, witness, log, way) as page:
        frame = open_article(page, hub, title)
        expect(frame.locator("html[data-scheme]")).to_be_attached()
        ran = frame.locator(TRIED)
        if title == "Script that is allowed":
            expect(ran).to_be_attached()
        wait_until_loaded(frame)
        press_links(page, frame)
        load_another_file(page)
        if title != "Script that is allowed":
            assert ran.count() == 0, "a script ran that nobody allowed"
    assert ways_taken(witness, log, way) == set()


@pytest.mark.parametrize("name", ways_out.LEAVING)
def test_a_hostile_article_cannot_navigate_its_frame_to_another_site(hub, playwright, witness, tmp_path, name):
    log = tmp_path / "net.json"
    with witnessed_page(playwright, witness, log, "resolver") as page:
        if name in ways_out.NAVIGATING:
            with page.expect_event("framenavigated", has_left_site):
                open_article(page, hub, name)
        else:
            frame = open_article(page, hub, name)
            wait_until_loaded(frame)
            if not ways_out.LEAVING[name].startswith("<"):
                expect(frame.locator(TRIED)).to_be_attached()
        load_another_file(page)
        assert page.url.startswith("http://127.0.0.1:")
        expect(page.locator("[data-event=close]")).to_be_visible()
    assert ways_taken(witness, log, "resolver") == set()


TRICKS = """() => {
  const changed = (owner, name, value, body) => {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { configurable: true, writable: true, value });
    try { return body(); } finally { Object.defineProperty(owner, name, own); }
  };
  const parsed = text => { const box = document.createElement('div'); box.innerHTML = text; return box.firstElementChild; };
  const made = [
    document.createElement({ asked: 0, toString() { return this.asked++ ? 'link' : 'div'; } }),
    document.implementation.createDocument('http://www.w3.org/1999/xhtml', 'link').documentElement,
    changed(RegExp.prototype, 'exec', () => null, () => document.createElement('link')),
    changed(String.prototype, 'replace', function () { return String(this); }, () => parsed('<link rel=x>')),
  ];
  let own;
  const { apply } = Reflect;
  changed(Function.prototype, 'call', function (self, ...more) { own ??= this; return apply(this, self, more); },
    () => document.createElement('i'));
  if (own) made.push(apply(own, document, ['link']));
  if (Element.prototype.setHTML) {
    const box = document.createElement('div');
    try { box.setHTML('<link rel=x>', { sanitizer: { elements: ['link'], attributes: ['rel'] } }); } catch {}
    made.push(box.firstElementChild);
  }
  return made.map(element => element instanceof HTMLLinkElement);
}"""


def test_an_allowed_script_cannot_create_a_link_element(hub, playwright, witness, tmp_path):
    with witnessed_page(playwright, witness, tmp_path / "net.json", "resolver") as page:
        frame = open_article(page, hub, "Script that is allowed")
        expect(frame.locator(TRIED)).to_be_attached()
        assert not any(frame.locator(TRIED).evaluate(TRICKS))


def test_files_of_the_article_s_version_still_load(hub, playwright, witness, tmp_path):
    with witnessed_page(playwright, witness, tmp_path / "net.json", "resolver") as page:
        frame = open_article(page, hub, "Own picture")
        width = frame.locator("#own").evaluate("async image => { await image.decode(); return image.naturalWidth }")
        assert width > 0
        frame = open_article(page, hub, "Script that is allowed")
        wait_until_loaded(frame)
        own = frame.locator(TRIED).evaluate("root => getComputedStyle(root).getPropertyValue('--own')")
        assert own.strip() == "yes"
    assert witness.names() == set()


def serve_plain(folder):
    """Serves the same files from a server without any content security policy."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    # Ends with `shutdown`.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.mark.parametrize("way", ["resolver", "proxy"])
def test_the_same_ways_are_taken_without_isolation(playwright, witness, tmp_path, way):
    """Proves that the witness sees these ways, so that its silence in the other tests means something."""
    folder = hostile(tmp_path / "hub", witness.datagrams)
    # The ways in `ENDING` would leave the page before the others are tried.
    staying = {name: body for name, body in ways_out.SCRIPT.items() if name not in ways_out.ENDING}
    (folder / "assets/ways.js").write_text(ways_out.script(staying, witness.datagrams))
    log = tmp_path / "net.json"
    server = serve_plain(folder)
    with witnessed_page(playwright, witness, log, way) as page:
        for name in ("markup", "script"):
            page.goto(f"http://127.0.0.1:{server.server_port}/articles/{name}/index.html", wait_until="commit")
            # A page without the hub's isolation may navigate away at any time, which ends these waits with an error.
            with contextlib.suppress(Error):
                page.wait_for_load_state()
                load_another_frame(page, f"http://127.0.0.1:{server.server_port}/index.json")
            if name == "script" and way == "resolver":
                # A datagram is sent late, because the browser first finds out its own addresses.
                until(lambda: "datagram" in witness.heard)
    server.shutdown()
    seen = ways_taken(witness, log, way)
    ways = seen & {*ways_out.MARKUP, *ways_out.SCRIPT, "datagram"}
    print(sorted((set(ways_out.MARKUP) | set(ways_out.SCRIPT)) - ways))
    # A connection opened ahead sends nothing to a proxy, so only the log shows it. A proxy also looks up names itself, and
    # carries no datagrams.
    assert "preconnect" in looked_up(log)
    assert way == "proxy" or {"datagram", "dns-prefetch"} <= seen
    assert len(ways) >= 50, sorted(ways)


def test_at_least_fifty_ways_with_and_without_script_are_tried():
    assert len(ways_out.MARKUP) + len(ways_out.LEAVING) + len(ways_out.LINKS) >= 50
    assert len(ways_out.SCRIPT) >= 50
