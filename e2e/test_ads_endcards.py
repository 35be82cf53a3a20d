"""End cards after a video: VAST companions of every kind, shown in a creative's sandbox."""

import pytest
from ads_app import CLICK, FILE, ad_response, vast
from playwright.sync_api import expect

EVIL = "https://evil.test"
PAGE = "https://media.test/card.html"
BUTTON = "Learn more"


def companion(resource, width=300, height=250, link=None):
    click = f"<CompanionClickThrough><![CDATA[{link}]]></CompanionClickThrough>" if link else ""
    return f"""<Creative><CompanionAds><Companion width="{width}" height="{height}">{resource}{click}
<CompanionClickTracking><![CDATA[https://ads.test/card/click]]></CompanionClickTracking>
<TrackingEvents><Tracking event="creativeView"><![CDATA[https://ads.test/card/view]]></Tracking></TrackingEvents>
</Companion></CompanionAds></Creative>"""


def html(markup, **parts):
    return companion(f"<HTMLResource><![CDATA[{markup}]]></HTMLResource>", **parts)


def framed(address=PAGE, **parts):
    return companion(f"<IFrameResource><![CDATA[{address}]]></IFrameResource>", **parts)


@pytest.fixture
def ended(ad, media_file, context):
    """Shows a video and its companion, and waits for the end of the video."""
    asked, dialogs = [], []

    def run(tail, page_body="<p id=mark>Card</p>", link=None, **parts):
        def answer_for(route):
            asked.append(route.request.url)
            route.fulfill(status=200, content_type="text/html", body=page_body)

        context.route("https://*.test/**", answer_for)
        page = ad()
        page.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.asked, page.dialogs = asked, dialogs
        page.app.do("file", address=FILE, path=str(media_file), type="video/webm")
        page.show(ad_response(vast(FILE, tail=tail, link=link), type=2, **parts))
        page.app.event('video(InlayWire.AdEventName(rawValue: "complete"')
        page.card = page.page.frame_locator("iframe.ad-card")
        return page

    return run


def card_frame(page):
    return page.page.locator("iframe.ad-card").element_handle().content_frame()


def test_an_html_companion_is_shown_after_the_end_in_a_creative_s_sandbox(ended):
    page = ended(html('<p id="mark">Ferries</p>'))
    expect(page.card.locator("#mark")).to_be_visible()
    frame = page.page.locator("iframe.ad-card")
    assert frame.get_attribute("sandbox") == "allow-scripts"
    box = frame.bounding_box()
    assert (round(box["width"]), round(box["height"])) == (300, 250)
    assert card_frame(page).evaluate("() => [self.origin, typeof mraid]") == ["null", "undefined"]
    page.app.until_called("https://ads.test/card/view")
    assert page.app.called("https://ads.test/card/view") == ["https://ads.test/card/view"]
    # The close button is above the card, whatever the card draws.
    page.close.click()
    expect(page.ad).to_have_count(0)


def test_a_tapped_link_of_an_html_companion_counts_as_the_ad_s_click(ended):
    page = ended(html('<a id="go" href="https://www.example.com/in-the-card">Go</a>'))
    page.card.locator("#go").click()
    page.app.wait(lambda report: report.get("opened") == "https://www.example.com/in-the-card")
    page.app.until_called(CLICK)
    page.app.until_called("https://ads.test/card/click")
    expect(page.card.locator("#go")).to_be_visible()
    assert len(page.page.context.pages) == 1


def test_an_iframe_companion_is_shown_in_a_nested_frame_and_its_button_opens_its_link(ended):
    page = ended(framed(link="https://www.example.com/card"), frames=True)
    expect(page.card.frame_locator("iframe").locator("#mark")).to_be_visible()
    page.app.until_called("https://ads.test/card/view")
    inner = card_frame(page).child_frames[0]
    assert inner.evaluate("() => self.origin") == "null"
    page.page.get_by_role("button", name=BUTTON).click()
    page.app.wait(lambda report: report.get("opened") == "https://www.example.com/card")
    page.app.until_called("https://ads.test/card/click")


def test_an_iframe_companion_is_not_shown_when_the_unit_allows_no_frames(ended):
    page = ended(framed(link="https://www.example.com/card"))
    expect(page.close).to_be_visible()
    page.settle()
    expect(page.page.locator("iframe.ad-card")).to_have_count(0)
    expect(page.page.get_by_role("button", name=BUTTON)).to_have_count(0)
    assert PAGE not in page.asked and page.app.called("https://ads.test/card/view") == []


def test_a_card_without_a_link_has_no_button(ended):
    page = ended(html("<p id=mark>x</p>"))
    expect(page.card.locator("#mark")).to_be_visible()
    expect(page.page.get_by_role("button", name=BUTTON)).to_have_count(0)


def test_a_card_larger_than_the_page_is_limited_to_it(ended):
    page = ended(html("<p id=mark>x</p>", width=2000, height=3000))
    expect(page.card.locator("#mark")).to_be_visible()
    box = page.page.locator("iframe.ad-card").bounding_box()
    assert box["x"] >= 0 and box["width"] <= 390 and box["height"] <= 844


def test_a_picture_that_does_not_load_leaves_the_last_picture_of_the_video(ended):
    picture = '<StaticResource creativeType="image/png"><![CDATA[https://media.test/none.png]]></StaticResource>'
    page = ended(companion(picture))
    end = page.page.locator(".ad-end")
    expect(end).to_be_attached()
    expect(end).to_be_hidden()
    page.settle()
    assert page.app.called("https://ads.test/card/view") == []
    expect(page.close).to_be_visible()


LEAVING = {
    "location": f"<script>location = '{EVIL}/'</script>",
    "refresh": f"<meta http-equiv=refresh content='0;url={EVIL}/'>",
    "late": f"<script>setTimeout(() => {{ location.href = '{EVIL}/' }}, 600)</script>",
}
STAYING = {
    "top": f"<script>try {{ top.location = '{EVIL}/' }} catch {{}}</script>",
    "parent": f"<script>try {{ parent.location.replace('{EVIL}/') }} catch {{}}</script>",
    "open": f"<script>window.open('{EVIL}/')</script>",
    "dialog": "<script>alert(1); confirm(1); prompt(1); print()</script>",
    "form": f"<form id=x action='{EVIL}/' target=_top></form><script>x.submit()</script>",
    "fake-tap": f"<a id=x target=_top href='{EVIL}/'>x</a><script>x.click(); x.dispatchEvent(new PointerEvent('pointerup', {{ bubbles: true }}))</script>",
    "storage": "<script>try { localStorage.x = 1; sessionStorage.x = 1 } catch {} document.cookie = 'x=1'</script>",
    "cover": "<div style='position:fixed;inset:-9999px;z-index:2147483647;background:red'></div>",
    "forged": f"""<script>const c = new MessageChannel(); for (const to of [parent, top]) {{ to.postMessage({{ inlayAd: 'line' }}, '*', []); }}
      parent.postMessage({{ inlayAd: 'line' }}, '*', [c.port2]); c.port1.postMessage({{ tap: true }}); c.port1.postMessage({{ open: '{EVIL}/' }});</script>""",
}


@pytest.mark.parametrize("way", LEAVING)
def test_a_card_that_navigates_its_frame_ends_the_ad(ended, way):
    page = ended(html(LEAVING[way]), close=60_000)
    page.app.wait(lambda report: "left its frame" in report.get("event", ""))
    expect(page.ad).to_have_count(0)
    assert page.app.opened() == [] and page.page.url == page.app.surface
    assert not [url for url in page.asked if url.startswith(EVIL)]


@pytest.mark.parametrize("kind", ["markup", "page"])
@pytest.mark.parametrize("way", STAYING)
def test_a_card_opens_no_other_page_without_a_tap_and_stores_nothing(ended, context, kind, way):
    body = f"<p id=mark>Card</p>{STAYING[way]}"
    page = ended(html(body), close=1) if kind == "markup" else ended(framed(), body, frames=True)
    card = page.card if kind == "markup" else page.card.frame_locator("iframe")
    expect(card.locator("#mark")).to_be_attached()
    page.settle()
    assert page.app.opened() == [] and page.dialogs == [] and context.cookies() == []
    assert page.page.url == page.app.surface and len(context.pages) == 1
    assert not [url for url in page.asked if url.startswith(EVIL)]
    page.close.click()
    expect(page.ad).to_have_count(0)
