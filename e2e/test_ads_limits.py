"""Limits of creatives: whatever a hostile creative floods or blocks, the app's page and the close button still work."""

import pytest
from ads_app import VIEW, ad_response, creative_frame, task_milliseconds, until_removed_for
from playwright.sync_api import expect

MRAID = "<script src='mraid.js'></script>"


FLOODS = {
    "page": "<script>setInterval(() => { for (let i = 0; i < 2000; i += 1) parent.postMessage({ inlayAd: i }, '*') }, 10)</script>",
    "top": "<script>setInterval(() => { for (let i = 0; i < 2000; i += 1) top.postMessage('x'.repeat(1000), '*') }, 10)</script>",
    "inner": "<iframe srcdoc=\"<script>setInterval(() => { for (let i = 0; i < 2000; i += 1) top.postMessage(i, '*') }, 10)</script>\"></iframe>",
    "lines": "<script>setInterval(() => { for (let i = 0; i < 500; i += 1) { const { port2 } = new MessageChannel(); parent.postMessage({ inlayAd: 'line' }, '*', [port2]) } }, 10)</script>",
}


@pytest.mark.parametrize("way", FLOODS)
def test_a_flood_of_messages_ends_the_ad_and_does_not_block_the_page(ad, way):
    page = ad()
    page.app.show(ad_response(f"<p>Creative</p>{FLOODS[way]}", width=320, height=250, close=60_000))
    until_removed_for(page, "messages")
    assert task_milliseconds(page) < 10_000
    # The ad unit can show another ad.
    page.show(ad_response("<p id=next>Next</p>"))
    expect(page.frame.locator("#next")).to_be_visible()


def test_a_flood_of_mraid_calls_is_refused_in_the_creative_s_frame(ad):
    page = ad()
    page.show(ad_response(f"""{MRAID}<p>Creative</p><script>
      window.errors = window.calls = 0;
      mraid.addEventListener('error', () => {{ errors += 1 }});
      mraid.addEventListener('ready', () => setInterval(() => {{
        mraid.setResizeProperties({{ width: 300, height: 250, offsetX: 0, offsetY: 0 }});
        for (let i = 0; i < 500; i += 1) {{ calls += 1; mraid.resize(); mraid.open('https://evil.test/' + i); window.open('https://evil.test/') }}
      }}, 10));
    </script>""", mraid=True))
    page.app.event("shown")
    frame = creative_frame(page)
    frame.wait_for_function("() => calls > 5000")
    # The number of error events is limited as well, because a creative could be kept busy by handling them.
    assert 0 < frame.evaluate("() => errors") < 1000
    assert task_milliseconds(page) < 10_000
    page.app.until_called(VIEW)
    assert page.app.opened() == [] and page.app.called(VIEW) == [VIEW]
    page.page.keyboard.press("Escape")
    page.close.click(force=True)
    expect(page.ad).to_have_count(0)


def test_a_creative_with_too_many_requests_is_removed(ad, context):
    asked = []
    context.route("https://*.test/**", lambda route: (asked.append(route.request.url), route.fulfill(status=204)))
    page = ad()
    page.app.show(ad_response(
        "<p>Creative</p><script>let i = 0; setInterval(() => { for (let k = 0; k < 20; k += 1) fetch('https://cdn.test/' + (i += 1)).catch(() => {}) }, 50)</script>",
        width=320, height=250, close=60_000))
    until_removed_for(page, "requests")
    # All requests of the removed ad have been recorded before the first one of the next ad.
    page.show(ad_response("<img src='https://last.test/1'>"))
    page.app.event("shown")
    with page.page.expect_request("https://last.test/2"):
        page.page.locator("iframe[data-ad-frame]").element_handle().content_frame().evaluate(
            "() => { new Image().src = 'https://last.test/2' }")
    assert "https://cdn.test/" not in "".join(asked[asked.index("https://last.test/1"):])


def test_a_creative_that_loads_fifty_files_is_not_removed(ad, context):
    context.route("https://*.test/**", lambda route: route.fulfill(status=204))
    page = ad().show(ad_response("""<p id=mark>Creative</p><script>window.over = 0;
      for (let i = 0; i < 50; i += 1) { const image = new Image(); image.onerror = () => { over += 1 }; image.src = 'https://cdn.test/' + i }</script>"""))
    page.app.event("shown")
    creative_frame(page).wait_for_function("() => over === 50")
    # The browser reports requests in order: all fifty are reported once this one is.
    creative_frame(page).evaluate("""() => new Promise(done => {
      new PerformanceObserver(list => list.getEntriesByName('https://cdn.test/last').length && done()).observe({ type: 'resource' });
      new Image().src = 'https://cdn.test/last';
    })""")
    page.app.catch_up()
    expect(page.frame.locator("#mark")).to_be_visible()


HOARDS = {
    "buffers": "hold.push(new Uint8Array(2e7).fill(1))",
    "objects": "for (let i = 0; i < 3e5; i += 1) hold.push({ i })",
    # `repeat` allocates no memory until the text is searched, which copies it. All copies are made in one task, which counts
    # for at most 5 of the 10 seconds of the processor limit, so only the memory limit applies.
    "texts": "for (; left > 0; left -= 2) { const text = 'x'.repeat(2e7); text.indexOf('y'); hold.push(text) }",
}


def hoards(what, before=""):
    # The script stops well above the limit, so that a failing test does not use up the machine's memory.
    script = f"const hold = []; let left = 25; setInterval(() => {{ if (left-- > 0) {HOARDS[what]} }}, 100)"
    return ad_response(f"<p>Creative</p><script>{before} {script}</script>", width=320, height=250, close=60_000)


@pytest.mark.parametrize("what", HOARDS)
def test_a_creative_that_uses_too_much_memory_is_removed_with_the_reason(ad, what):
    page = ad()
    page.app.show(hoards(what))
    until_removed_for(page, "memory")
    page.show(ad_response("<p id=next>Next</p>"))
    expect(page.frame.locator("#next")).to_be_visible()


EVASIONS = {
    "timers": "for (let i = 0; i < 1e5; i += 1) { clearTimeout(i); clearInterval(i) }",
    "globals": """Object.defineProperty(window, 'performance', { value: {} }); delete Performance.prototype.memory;
      AbortSignal.timeout = EventTarget.prototype.addEventListener = Reflect.apply = () => 0;""",
}


@pytest.mark.parametrize("way", EVASIONS)
def test_a_creative_cannot_stop_the_measurement_of_its_memory(ad, way):
    page = ad()
    page.app.show(hoards("buffers", EVASIONS[way]))
    until_removed_for(page, "memory")


def test_memory_that_is_released_does_not_count(ad):
    page = ad()
    page.show(ad_response("""<p id=mark>Creative</p><script>window.rounds = 0;
      setInterval(() => { new Uint8Array(3e6).fill(1); rounds += 1 }, 20)</script>""", width=320, height=250))
    page.app.event("shown")
    # 600 MB were allocated in all.
    creative_frame(page).wait_for_function("() => rounds >= 200")
    page.app.catch_up()
    expect(page.frame.locator("#mark")).to_be_visible()


@pytest.mark.parametrize("close", [0, 60_000])
def test_a_creative_that_draws_nothing_in_time_fails(ad, context, close):
    # A script that never loads blocks the parser, so the document draws nothing.
    context.route("https://*.test/**", lambda route: None)
    page = ad()
    page.app.show(ad_response("<script src='https://slow.test/a.js'></script><p>Creative</p>", width=320, height=250, close=close))
    page.app.wait(lambda report: "drew nothing in time" in report.get("event", ""))
    expect(page.ad).to_have_count(0)
    assert page.app.called(VIEW) == []


# The script blocks after 30 frames, so that the first frame is drawn before, however slow the machine is.
ENDLESS = "<script>let left = 30; const next = () => { if (left-- > 0) requestAnimationFrame(next); else for (;;); }; next()</script>"


def test_a_creative_whose_script_never_ends_is_removed(ad):
    page = ad()
    page.app.show(ad_response(
        f"<p>Creative</p>{ENDLESS}", width=320, height=250, close=60_000))
    page.app.event("shown")
    until_removed_for(page, "time")
    assert task_milliseconds(page) < 10_000
    page.show(ad_response("<p id=next>Next</p>"))
    expect(page.frame.locator("#next")).to_be_visible()


def test_markup_of_more_than_262144_bytes_is_refused(ad):
    page = ad()
    big = "<img src='data:image/png;base64," + "A" * 262_144 + "'>"
    assert "invalidCreative" in page.app.load(ad_response(big))["error"]
