"""Video ads in a real browser: playback, trackers, skipping, rewards, links and errors."""

import pytest
from ads_app import CLICK, FILE, VIEW, ad_response, settle, vast
from playwright.sync_api import expect

LINK = "https://www.example.com/ferries"
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}"><rect width="100%" height="100%" fill="#0E5F66"/></svg>'


def reached(page, seconds):
    page.page.wait_for_function(f"() => document.querySelector('video').currentTime >= {seconds}")


def counted(page):
    """The events for which the creative's own trackers were called, in order."""
    return [call.rsplit("/", 1)[1] for call in page.app.called() if "/vast/" in call]


def test_a_video_plays_the_file_that_its_vast_names(video):
    page = video(slow=True)
    assert page.video.get_attribute("data-address") == FILE
    page.app.wait(lambda report: report.get("fetched") == FILE)
    reached(page, 0.5)
    assert page.video.evaluate("v => [v.muted, v.playsInline, v.paused, v.controls]") == [True, True, False, False]
    page.app.until_called(VIEW)
    assert page.app.called(VIEW) == [VIEW]


# An icon and an end card, for a video with every kind of request.
EXTRAS = {
    "extra": """<Icons><Icon program="AdChoices" width="20" height="20"><StaticResource creativeType="image/svg+xml"><![CDATA[https://media.test/icon.svg]]></StaticResource>
<IconViewTracking><![CDATA[https://ads.test/vast/icon]]></IconViewTracking></Icon></Icons>""",
    "tail": """<Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/svg+xml"><![CDATA[https://media.test/card.svg]]></StaticResource>
<TrackingEvents><Tracking event="creativeView"><![CDATA[https://ads.test/vast/card]]></Tracking></TrackingEvents></Companion></CompanionAds></Creative>""",
}


def test_a_vast_document_with_http_makes_the_same_calls_as_one_with_https(ad, media_file, tmp_path):
    made = {}
    for scheme in ("https", "http"):
        page = ad()
        for name in ("card", "icon"):
            file = tmp_path / f"{name}.svg"
            file.write_text(DOT.format(w=20, h=20))
            page.app.do("file", address=f"https://media.test/{name}.svg", path=str(file), type="image/svg+xml")
        page.app.do("file", address=FILE, path=str(media_file), type="video/webm")
        page.show(ad_response(vast(FILE, link=LINK, **EXTRAS).replace("https://", f"{scheme}://"), type=2))
        page.app.event("shown")
        page.page.get_by_role("button", name="Learn more").click()
        page.app.wait(lambda report: "opened" in report)
        for name in ("complete", "icon", "card"):
            page.app.until_called(f"https://ads.test/vast/{name}")
        page.close.click()
        page.app.until_called("https://ads.test/vast/close")
        page.settle()
        fetched = {report["fetched"] for report in page.app.reports if "fetched" in report}
        made[scheme] = (sorted(page.app.called()), fetched, page.app.opened())
    assert made["http"] == made["https"]
    assert {"https://ads.test/vast/impression", "https://ads.test/vast/start", VIEW, CLICK} <= set(made["http"][0])
    assert made["http"][1] == {FILE, "https://media.test/card.svg", "https://media.test/icon.svg"}


def test_a_video_is_counted_from_its_start_to_its_end(video):
    page = video()
    phases = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
    tracker_names = {"shown": "impression"} | {f'video(InlayWire.AdEventName(rawValue: "{phase}"))': phase for phase in phases}
    page.app.event('video(InlayWire.AdEventName(rawValue: "complete"')
    assert [tracker_names[event] for event in page.app.events() if event in tracker_names] == ["impression", *phases]
    # Trackers are called in parallel, so their order is not tested.
    for name in ("impression", *phases):
        page.app.until_called(f"https://ads.test/vast/{name}")
    assert sorted(name for name in counted(page) if name in tracker_names.values()) == sorted(["impression", *phases])
    # The last frame stays until the user closes the ad.
    expect(page.ad).to_be_visible()
    page.close.click()
    expect(page.ad).to_have_count(0)
    page.app.until_called("https://ads.test/vast/close")


# The button's text and state together with the video's position.
WATCH_SKIP = """() => {
  window.skips = [];
  new MutationObserver(() => {
    const skip = document.querySelector('[data-ad-skip]'), player = document.querySelector('video');
    if (skip) skips.push([skip.textContent.trim(), skip.disabled, player.currentTime]);
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_a_video_can_be_skipped_from_its_skip_offset_on(ad, media_file):
    page = ad(slow=True)
    page.app.do("file", address=FILE, path=str(media_file), type="video/webm")
    page.page.evaluate(WATCH_SKIP)
    page.show(ad_response(vast(FILE, skip=1), type=2, close=60_000))
    skip = page.page.locator("[data-ad-skip]")
    expect(skip).to_be_enabled()
    seen = page.page.evaluate("() => skips")
    assert ["Skip in 1 s", True] in [entry[:2] for entry in seen]
    assert [at for _, is_disabled, at in seen if not is_disabled][0] >= 1
    expect(page.close).to_have_count(0)
    skip.click()
    expect(page.close).to_be_visible()
    page.app.until_called("https://ads.test/vast/skip")
    # The rest of the video does not play.
    assert page.video.evaluate("v => v.paused")
    page.settle()
    assert "complete" not in counted(page)
    page.close.click()
    expect(page.ad).to_have_count(0)


def test_a_video_is_muted_until_the_user_turns_sound_on(video):
    page = video(slow=True)
    reached(page, 0.2)
    sound = page.page.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    assert page.video.evaluate("v => v.muted") is False
    page.app.until_called("https://ads.test/vast/unmute")
    sound.click()
    page.app.until_called("https://ads.test/vast/mute")


def test_a_rewarded_video_closes_after_its_end_and_not_before(video):
    page = video(type=3, ext={"reward": {"amount": 5, "currency": "coins"}}, skip=1, slow=True)
    expect(page.page.locator(".ad-mark")).to_contain_text("Reward in")
    reached(page, 1.5)
    expect(page.page.locator("[data-ad-skip]")).to_have_count(0)
    expect(page.close).to_have_count(0)
    page.page.keyboard.press("Escape")
    expect(page.ad).to_be_visible()
    assert not [event for event in page.app.events() if event.startswith("rewarded")]
    page.play_at_normal_speed()
    page.app.event("rewarded")
    expect(page.close).to_be_visible()
    expect(page.page.locator(".ad-mark")).to_contain_text("Reward earned")
    page.close.click()
    expect(page.ad).to_have_count(0)
    assert len([event for event in page.app.events() if event.startswith("rewarded")]) == 1


def test_a_rewarded_video_that_does_not_play_can_be_closed_after_the_longest_close_delay(video):
    page = video(type=3, ext={"lockLimit": 1200}, slow=True)
    page.video.evaluate("v => v.pause()")
    expect(page.close).to_be_visible()
    page.close.click()
    expect(page.ad).to_have_count(0)
    assert not [event for event in page.app.events() if event.startswith("rewarded")]


def test_a_tap_on_the_video_or_its_button_opens_the_advertiser(video):
    page = video(link=LINK)
    page.app.event("shown")
    page.page.get_by_role("button", name="Learn more").click()
    page.app.wait(lambda report: report.get("opened") == LINK)
    page.app.until_called(CLICK)
    page.page.mouse.click(195, 300)
    page.app.wait(lambda report: len(page.app.opened()) == 2)
    assert page.app.called(CLICK) == [CLICK]
    expect(page.ad).to_be_visible()


def test_a_video_without_a_link_opens_nothing(video):
    page = video()
    page.app.event("shown")
    expect(page.page.get_by_role("button", name="Learn more")).to_have_count(0)
    page.page.mouse.click(195, 300)
    page.settle()
    assert page.app.opened() == []


def test_a_loaded_video_plays_without_a_network(ad, media_file):
    page = ad()
    page.app.do("file", address=FILE, path=str(media_file), type="video/webm")
    assert "error" not in page.app.load(ad_response(vast(FILE), type=3))
    page.app.catch_up()
    fetched = [report for report in page.app.reports if report.get("fetched") == FILE]
    assert len(fetched) == 1 and page.ad.count() == 0
    page.app.do("cut", **{"is": True})
    page.app.show()
    page.app.event("rewarded")
    # The video has stopped at its end and did not start again.
    assert page.video.evaluate("v => v.error === null && v.paused && v.ended")
    assert len([report for report in page.app.reports if report.get("fetched") == FILE]) == 1
    # Without a network no tracker is called; the calls wait until there is one.
    assert page.app.called() == []
    page.close.click()
    expect(page.ad).to_have_count(0)


UNUSABLE_FILES = {"missing": (404, b"", 401), "page": (200, b"<html>Log in to this network</html>", 405)}
BROKEN_FILE = bytes([0x1A, 0x45, 0xDF, 0xA3]) + b"This is no video." * 100


@pytest.mark.parametrize("type", [2, 3])
@pytest.mark.parametrize("kind", UNUSABLE_FILES)
def test_an_unusable_media_file_fails_the_load_with_its_code(ad, tmp_path, type, kind):
    status, data, code = UNUSABLE_FILES[kind]
    page = ad()
    file = tmp_path / "clip.webm"
    file.write_bytes(data)
    page.app.do("file", address=FILE, path=str(file), type="video/webm", status=status)
    error = page.app.load(ad_response(vast(FILE), type=type, close=60_000))["error"]
    assert error.startswith("video: ") and error.endswith(f": {code}")
    page.app.until_called(f"https://ads.test/vast/error?code={code}")
    assert "notLoaded" in page.app.do("show")["error"]
    assert page.ad.count() == 0 and page.app.called(VIEW) == []


@pytest.mark.parametrize("type", [2, 3])
def test_a_video_that_does_not_play_ends_the_ad_at_once_with_its_code(ad, tmp_path, type):
    page = ad()
    broken = tmp_path / "broken.webm"
    broken.write_bytes(BROKEN_FILE)
    page.app.do("file", address=FILE, path=str(broken), type="video/webm")
    page.app.show(ad_response(vast(FILE), type=type, close=60_000))
    page.app.until_called("https://ads.test/vast/error?code=405")
    expect(page.ad).to_have_count(0)
    assert page.app.called(VIEW) == []
    assert not [event for event in page.app.events() if event.startswith("rewarded")]


def test_a_video_out_of_view_does_not_start(ads_apps, context, media_file):
    ads_app = ads_apps()
    ads_app.do("file", address=FILE, path=str(media_file), type="video/webm")
    page = context.new_page()
    page.set_viewport_size({"width": 900, "height": 600})
    page.goto(ads_app.app)
    place = page.frame_locator("iframe")
    ads_app.show(ad_response(vast(FILE), type=2))
    expect(place.locator("video")).to_be_attached()
    settle(page, ads_app)
    assert place.locator("video").evaluate("v => v.currentTime") == 0
    assert ads_app.called(VIEW) == []
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    ads_app.until_called(VIEW)
    ads_app.until_called("https://ads.test/vast/start")


COMPANION = """<Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/svg+xml"><![CDATA[https://media.test/card.svg]]></StaticResource>
<CompanionClickThrough><![CDATA[https://www.example.com/card]]></CompanionClickThrough></Companion></CompanionAds></Creative>"""
ICON = """<Icons><Icon program="AdChoices" width="20" height="20" xPosition="left" yPosition="bottom"><StaticResource creativeType="image/svg+xml"><![CDATA[https://media.test/icon.svg]]></StaticResource>
<IconClicks><IconClickThrough><![CDATA[https://www.example.com/why]]></IconClickThrough></IconClicks></Icon></Icons>"""


def test_icon_and_end_card_are_shown_and_open_their_links(ad, media_file, tmp_path):
    page = ad(slow=True)
    for name, size in (("card", (300, 250)), ("icon", (20, 20))):
        file = tmp_path / f"{name}.svg"
        file.write_text(DOT.format(w=size[0], h=size[1]))
        page.app.do("file", address=f"https://media.test/{name}.svg", path=str(file), type="image/svg+xml")
    page.app.do("file", address=FILE, path=str(media_file), type="video/webm")
    page.show(ad_response(vast(FILE, extra=ICON, tail=COMPANION), type=2))
    page.app.event("shown")
    page.page.get_by_role("button", name="AdChoices").click()
    page.app.wait(lambda report: report.get("opened") == "https://www.example.com/why")
    page.play_at_normal_speed()
    card = page.page.locator(".ad-end-image")
    expect(card).to_be_visible()
    assert card.evaluate("async image => { await image.decode(); return image.naturalWidth; }") == 300
    assert page.app.called(CLICK) == []
    card.click()
    page.app.wait(lambda report: report.get("opened") == "https://www.example.com/card")
    page.app.until_called(CLICK)


# Records the video's position whenever the icon appears or disappears.
WATCH = """() => {
  window.marks = [];
  new MutationObserver(changes => {
    for (const { target } of changes) {
      if (target.matches('[data-ad-icon]')) marks.push([document.querySelector('video').currentTime, target.hidden]);
    }
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['hidden'] });
}"""


def test_the_icon_over_a_video_appears_at_its_time_and_its_view_is_counted_once(ad, media_file, tmp_path):
    page = ad()
    file = tmp_path / "icon.svg"
    file.write_text(DOT.format(w=20, h=20))
    page.app.do("file", address="https://media.test/icon.svg", path=str(file), type="image/svg+xml")
    page.app.do("file", address=FILE, path=str(media_file), type="video/webm")
    page.page.evaluate(WATCH)
    icon = ICON.replace("<Icon ", '<Icon offset="00:00:01" ').replace(
        "</Icon>", "<IconViewTracking><![CDATA[https://ads.test/vast/icon]]></IconViewTracking></Icon>")
    page.show(ad_response(vast(FILE, extra=icon), type=3))
    page.app.event("rewarded")
    page.app.until_called("https://ads.test/vast/icon")
    assert page.app.called("https://ads.test/vast/icon") == ["https://ads.test/vast/icon"]
    (first, is_hidden), *_ = page.page.evaluate("() => marks")
    assert first >= 1 and not is_hidden
    # The icon is removed at the end of the video.
    expect(page.page.locator("[data-ad-icon]")).to_have_count(0)
