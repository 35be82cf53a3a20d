"""Ads in a real browser: content, size, closing, views and clicks."""

import http.server
import threading

import pytest
from ads_app import CLICK, VIEW, ad_response, creative_frame, settle
from playwright.sync_api import expect

PLAIN = '<div id="plain" style="background:#0E5F66;color:#fff;height:50px">Island ferries<a id="go" href="https://www.example.com/tickets?x=1#y" target="_blank">Tickets</a></div>'

# ---------------------------------------------------------------- what is shown


def test_a_plain_creative_is_shown_in_a_frame_as_it_is(ad):
    shown = ad().show(ad_response(PLAIN))
    expect(shown.frame.locator("#plain")).to_be_visible()
    expect(shown.frame.locator("body")).to_have_js_property("innerHTML", PLAIN)
    assert shown.page.locator("iframe[data-ad-frame]").get_attribute("sandbox") == "allow-scripts"
    assert shown.frame.locator("html").evaluate("() => self.origin") == "null"
    # No part of the creative is in the document of the app's page.
    assert shown.page.locator("#plain").count() == 0


OWN = '<div id="plain" onclick="own += 1"><style>#plain { color: rgb(1, 2, 3) }</style>Ferries</div><script>own = 1</script>'


def test_a_creative_keeps_its_own_script_and_style(ad):
    shown = ad().show(ad_response(OWN, width=300, height=250))
    expect(shown.frame.locator("body")).to_have_js_property("innerHTML", OWN)
    plain = shown.frame.locator("#plain")
    expect(plain).to_have_css("color", "rgb(1, 2, 3)")
    plain.click()
    assert plain.evaluate("() => own") == 2


def test_a_load_shows_nothing_and_calls_no_tracker_and_show_shows_at_once(ad):
    page = ad()
    page.app.load(ad_response(PLAIN))
    page.app.event("loaded")
    page.settle()
    assert page.ad.count() == 0 and page.app.called() == []
    page.app.show()
    expect(page.frame.locator("#plain")).to_be_visible()
    page.app.until_called(VIEW)


def test_show_without_a_load_is_an_error_and_shows_nothing(ad):
    page = ad()
    assert "notLoaded" in page.app.do("show")["error"]
    page.settle()
    assert page.ad.count() == 0 and page.app.called() == []


# ---------------------------------------------------------------- sizes


@pytest.mark.parametrize("size", [(320, 50), (300, 250)])
def test_a_banner_has_the_size_of_its_answer(ad, size):
    page = ad("banner", f"{size[0]}x{size[1]}", viewport=(700, 700))
    page.show(ad_response(PLAIN, width=size[0], height=size[1]))
    page.expect_size(*size)
    request = page.app.wait(lambda report: "request" in report)["request"]
    assert request["ext"]["size"] == {"width": size[0], "height": size[1]}
    creative_frame(page).wait_for_function("([width, height]) => innerWidth === width && innerHeight === height", arg=list(size))


@pytest.mark.parametrize("size", [(0, 250), (300, 0), (0, 0)])
def test_a_side_of_zero_takes_the_available_space(ad, size):
    # The space is larger than the sizes in the response, so that neither of them can pass for it.
    page = ad(viewport=(390, 500))
    page.show(ad_response(PLAIN, width=size[0], height=size[1]))
    page.expect_size(390, 500)
    page.page.set_viewport_size({"width": 728, "height": 320})
    page.expect_size(728, 320)


@pytest.mark.parametrize("type", [2, 3])
def test_a_video_ignores_width_and_height_of_its_response(video, type):
    video(type=type, width=10, height=10).expect_size(390, 844)
    video(type=type, width=0, height=0).expect_size(390, 844)
    video(type=type, width=10, height=0, viewport=(800, 300)).expect_size(800, 300)


# ---------------------------------------------------------------- closing

WATCH = """() => {
  window.seen = {};
  const look = () => {
    const now = performance.now();
    for (const [name, where] of [['ad', '[data-ad]'], ['close', '[data-ad-close]']]) {
      if (!(name in seen) && document.querySelector(where)) seen[name] = now;
    }
  };
  new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
}"""


def test_the_close_button_appears_after_the_close_delay_and_works(ad):
    page = ad()
    page.app.load(ad_response(PLAIN, width=300, height=250, close=2000))
    page.page.evaluate(WATCH)
    began = page.page.evaluate("() => performance.now()")
    page.app.show()
    expect(page.close).to_be_visible()
    # A busy machine may draw the button late, but none may draw it early. Tests with a test clock prove the upper limit.
    assert page.page.evaluate("() => seen.close") - began >= 2000
    page.close.click()
    expect(page.ad).to_have_count(0)
    assert "closed(InlayAds.AdEvent.CloseReason.user)" in page.app.events()


def test_no_tap_and_no_key_closes_an_ad_before_its_close_delay_ends(ad):
    # A close delay that a busy machine does not exceed during the test.
    page = ad().show(ad_response(PLAIN, width=300, height=250, close=50_000))
    page.app.event("shown")
    page.settle()
    box = page.ad.bounding_box()
    # Where the button will be: in the corner, inside and just outside of the ad.
    for x in (box["x"] + box["width"] - 16, box["x"] + box["width"] + 8):
        page.page.mouse.click(x, box["y"] + 16)
    page.page.keyboard.press("Escape")
    page.frame.locator("#plain").click()
    page.page.keyboard.press("Escape")
    # The app ignores an event that the page sends too early.
    page.page.evaluate("async () => (await import('./bridge.js')).sendEvent('ad-close', { value: 'ad-1' })")
    page.settle()
    expect(page.ad).to_be_visible()
    expect(page.frame.locator("#plain")).to_be_visible()
    assert not [event for event in page.app.events() if event.startswith("closed")]


def test_without_a_close_delay_the_close_button_is_shown_at_once(ad):
    page = ad()
    page.page.evaluate(WATCH)
    page.show(ad_response(PLAIN, close=0))
    expect(page.close).to_be_visible()
    assert page.page.evaluate("() => seen.close - seen.ad") == 0
    page.page.keyboard.press("Escape")
    expect(page.ad).to_have_count(0)


def test_the_close_button_is_above_everything_that_the_creative_draws(ad):
    cover = '<div style="position:fixed;inset:0;z-index:2147483647;background:#b00;width:200vw;height:200vh" onclick="hit=1"></div>'
    page = ad().show(ad_response(cover, width=300, height=250))
    page.app.event("shown")
    expect(page.frame.locator("div")).to_be_visible()
    box = page.close.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert round(box["width"]) >= 44 and round(box["height"]) >= 44
    hit = page.page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[data-ad-close]') !== null", middle)
    assert hit
    page.page.mouse.click(*middle)
    expect(page.ad).to_have_count(0)


def test_keyboard_and_screen_reader_find_the_ad_and_its_close_button(ad):
    page = ad().show(ad_response(PLAIN, width=300, height=250, close=300))
    expect(page.page.get_by_role("region", name="Advertisement")).to_be_visible()
    expect(page.page.get_by_role("button", name="Close ad")).to_be_visible()
    expect(page.page.get_by_role("status").filter(has_text="can be closed")).to_be_attached()
    for _ in range(4):
        page.page.keyboard.press("Tab")
        if page.page.evaluate("() => document.activeElement.matches('[data-ad-close]')"):
            break
    page.page.keyboard.press("Enter")
    expect(page.ad).to_have_count(0)


def test_the_longest_close_delay_limits_the_close_delay_of_the_response(ad):
    page = ad().show(ad_response(PLAIN, width=300, height=250, close=3_600_000, lockLimit=700))
    expect(page.close).to_be_visible()


# ---------------------------------------------------------------- what counts


def test_the_view_tracker_is_called_once_when_the_ad_is_scrolled_into_view(ads_apps, context):
    ads_app = ads_apps()
    page = context.new_page()
    page.set_viewport_size({"width": 900, "height": 600})
    page.goto(ads_app.app)
    place = page.frame_locator("iframe")
    ads_app.show(ad_response(PLAIN))
    expect(place.frame_locator("iframe[data-ad-frame]").locator("#plain")).to_be_attached()
    settle(page, ads_app)
    assert ads_app.called() == [] and not [event for event in ads_app.events() if event == "shown"]
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    ads_app.until_called(VIEW)
    # Scrolling the ad out of view and back makes no second impression.
    for top in (0, 5000, 0, 5000):
        page.evaluate("top => scrollTo(0, top)", top)
        settle(page, ads_app)
    ads_app.event("viewable")
    assert ads_app.called(VIEW) == [VIEW]
    ads_app.do("dismiss")
    ads_app.show(ad_response(PLAIN))
    ads_app.wait(lambda report: ads_app.called(VIEW) == [VIEW, VIEW])


def test_a_page_that_is_loaded_again_counts_nothing_twice(ad):
    page = ad().show(ad_response(PLAIN))
    page.app.until_called(VIEW)
    page.app.event("viewable")
    page.page.reload()
    expect(page.frame.locator("#plain")).to_be_visible()
    page.settle()
    assert page.app.called(VIEW) == [VIEW]
    assert page.app.events().count("shown") == 1


def test_an_ad_of_which_half_is_in_view_for_a_second_is_viewable(ad):
    page = ad()
    page.page.clock.install()
    page.page.reload()
    page.page.set_viewport_size({"width": 390, "height": 100})
    # A quarter of the ad of 300 × 400 is in view.
    page.show(ad_response(PLAIN, width=300, height=400))
    page.app.event("shown")
    page.settle()
    page.page.clock.fast_forward(1500)
    page.settle()
    assert "viewable" not in page.app.events()
    page.page.set_viewport_size({"width": 390, "height": 500})
    page.settle()
    page.page.clock.fast_forward(1500)
    page.app.event("viewable")


# ---------------------------------------------------------------- where a tap leads


@pytest.fixture
def site():
    """A real web site, which the app shows itself when it has no browser to open."""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>Site</title><h1>Tickets of the site</h1><a href='/next'>Next</a>")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    # Ends with `shutdown`.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_a_link_opens_in_the_default_browser_and_the_ad_stays(ad):
    page = ad()
    asked = []
    page.page.on("request", lambda request: asked.append(request.url))
    page.show(ad_response(PLAIN))
    page.app.event("shown")
    assert page.app.called(CLICK) == []
    page.frame.locator("#go").click()
    assert page.app.wait(lambda report: "opened" in report)["opened"] == "https://www.example.com/tickets?x=1#y"
    page.app.until_called(CLICK)
    assert page.app.opened() == ["https://www.example.com/tickets?x=1#y"]
    expect(page.frame.locator("#plain")).to_be_visible()
    expect(page.frame.locator("body")).to_have_js_property("innerHTML", PLAIN)
    assert page.page.url == page.app.surface and len(page.page.context.pages) == 1
    # The SDK's transport calls the trackers; the page does not.
    assert page.app.called() == [VIEW, CLICK]
    assert asked and not [url for url in asked if url.startswith("https://ads.test/")]


@pytest.mark.parametrize("target", [' target="_blank"', ""])
def test_without_a_browser_the_link_opens_over_the_app_with_a_close_button(ad, site, target):
    page = ad()
    page.app.do("browser", **{"is": False})
    markup = PLAIN.replace("https://www.example.com/tickets?x=1#y", f"{site}/tickets").replace(' target="_blank"', target)
    page.show(ad_response(markup))
    page.app.event("shown")
    page.frame.locator("#go").click()
    landing = page.page.get_by_role("dialog")
    expect(landing).to_be_visible()
    site_page = page.page.frame_locator("iframe.ad-landing-frame").frame_locator("iframe")
    expect(site_page.get_by_role("heading", name="Tickets of the site")).to_be_visible()
    assert page.page.locator("iframe.ad-landing-frame").get_attribute("data-address") == f"{site}/tickets"
    site_page.get_by_role("link", name="Next").click()
    page.app.until_called(CLICK)
    cross = page.page.get_by_role("button", name="Back to the app")
    expect(cross).to_be_visible()
    cross.click()
    expect(landing).to_have_count(0)
    expect(page.frame.locator("#plain")).to_be_visible()
    expect(page.frame.locator("body")).to_have_js_property("innerHTML", markup)
    assert page.app.called(CLICK) == [CLICK]
    # The next tap opens it again, and Escape closes it too.
    page.frame.locator("#go").click()
    expect(landing).to_be_visible()
    page.page.keyboard.press("Escape")
    expect(landing).to_have_count(0)


def test_one_tap_opens_at_most_one_address(ad):
    greedy = """<button id=go onclick="for (const n of [1, 2, 3]) window.open('https://www.example.com/' + n)">Go</button>"""
    page = ad().show(ad_response(greedy, width=300, height=250))
    page.app.event("shown")
    page.frame.locator("#go").click()
    page.app.wait(lambda report: "opened" in report)
    page.settle()
    assert page.app.opened() == ["https://www.example.com/1"]
