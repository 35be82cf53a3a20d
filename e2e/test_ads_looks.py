"""The layout of ads: no controls overlap or leave the window, in light and dark and at both widths."""

import os
from pathlib import Path

import pytest
from ads_app import FILE, ad_response, vast
from axe import assert_none, faults_of_app
from playwright.sync_api import expect

BANNER = """<style>body { font: 600 15px/1.25 system-ui; } a { display: flex; align-items: center; gap: 12px; height: 100vh;
  padding: 0 16px; box-sizing: border-box; background: #0E5F66; color: #fff; text-decoration: none }
  b { padding: 6px 12px; border-radius: 6px; background: #fff; color: #0E5F66; margin-inline-end: 40px; margin-inline-start: auto }</style>
<a href="https://www.example.com/">Island ferries, every half hour <b>Times</b></a>"""

SHOTS = os.environ.get("INLAY_SHOTS")


def shot(page, name):
    if SHOTS:
        page.page.screenshot(path=str(Path(SHOTS) / f"ads-{name}.png"))


def boxes(page, *names):
    found = [page.page.locator(name).first.bounding_box() for name in names]
    return [{side: round(value, 2) for side, value in box.items()} for box in found]


def apart(one, other):
    return (one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_a_banner_and_its_button_fit(ad, width, scheme):
    page = ad(viewport=(width, 640), scheme=scheme)
    page.show(ad_response(BANNER, width=320, height=50))
    page.app.event("shown")
    expect(page.close).to_be_visible()
    frame, close = boxes(page, "iframe[data-ad-frame]", "[data-ad-close]")
    assert frame["x"] >= 0 and frame["x"] + frame["width"] <= width
    assert close["x"] + close["width"] <= frame["x"] + frame["width"] and round(close["height"]) <= round(frame["height"])
    assert page.page.evaluate("() => document.scrollingElement.scrollWidth <= innerWidth")
    shot(page, f"banner-{width}-{scheme}")


RIGHT = BANNER.replace("<style>", "<html dir=rtl lang=ar><style>").replace(
    "Island ferries, every half hour", "عبّارات الجزيرة كل نصف ساعة").replace("Times", "المواعيد")

# The positions of a creative's words on the screen.
WORDS = """() => {
  const places = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const match of node.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const { x, y, width, height } = range.getBoundingClientRect();
      if (node.parentElement.localName !== 'style') places.push({ x, y, width, height });
    }
  }
  return places;
}"""


def words(page):
    """The boxes of the creative's words, in the coordinates of the app's page."""
    frame = page.page.locator("iframe[data-ad-frame]").bounding_box()
    inside = page.page.locator("iframe[data-ad-frame]").element_handle().content_frame()
    return [word | {"x": word["x"] + frame["x"], "y": word["y"] + frame["y"]} for word in inside.evaluate(WORDS)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("size", [(320, 50), (300, 250), (0, 0)])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_the_close_button_covers_no_word_in_a_right_to_left_app(ad, direction, size, width, scheme):
    page = ad(viewport=(width, 640), scheme=scheme, locale="ar")
    page.show(ad_response(BANNER if direction == "ltr" else RIGHT, width=size[0], height=size[1]))
    page.app.event("shown")
    expect(page.close).to_be_visible()
    assert page.page.locator("html").get_attribute("dir") == "rtl"
    close, = boxes(page, "[data-ad-close]")
    found = words(page)
    assert len(found) >= 5
    assert all(apart(close, word) for word in found), (close, found)
    assert close["x"] >= 0 and close["x"] + close["width"] <= width
    shot(page, f"right-{direction}-{size[0]}-{width}-{scheme}")


@pytest.mark.parametrize("width", [360, 1440])
def test_a_video_s_controls_do_not_overlap_in_a_right_to_left_app(ad, media_file, width):
    page = ad(viewport=(width, 740), locale="ar", slow=True)
    page.app.do("file", address=FILE, path=str(media_file), type="video/webm")
    page.show(ad_response(vast(FILE, skip=1, link="https://www.example.com/"), type=2))
    page.app.event("shown")
    expect(page.page.locator("[data-ad-skip]")).to_be_enabled()
    assert page.page.locator("html").get_attribute("dir") == "rtl"
    places = boxes(page, "[data-ad-sound]", "[data-ad-link]", "[data-ad-skip]", "[data-ad-close]", ".ad-mark")
    for index, one in enumerate(places):
        assert one["x"] >= 0 and one["x"] + one["width"] <= width
        assert all(apart(one, other) for other in places[index + 1:])
    shot(page, f"right-video-{width}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_a_video_s_controls_do_not_overlap(video, width, scheme):
    page = video(viewport=(width, 740), scheme=scheme, skip=1, link="https://www.example.com/", slow=True)
    page.app.event("shown")
    expect(page.page.locator("[data-ad-skip]")).to_be_enabled()
    parts = ["[data-ad-sound]", "[data-ad-link]", "[data-ad-skip]", "[data-ad-close]", ".ad-mark"]
    places = boxes(page, *parts)
    for index, one in enumerate(places):
        assert one["x"] >= 0 and one["x"] + one["width"] <= width and one["y"] + one["height"] <= 740, parts[index]
        assert all(apart(one, other) for other in places[index + 1:]), parts[index]
    assert all(round(place["height"]) >= 44 for place in places[:4])
    shot(page, f"video-{width}-{scheme}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_the_page_opened_by_a_click_shows_its_host_and_a_close_button(ad, width, scheme):
    page = ad(viewport=(width, 640), scheme=scheme)
    page.app.do("browser", **{"is": False})
    page.page.context.route("https://www.example.com/**", lambda route: route.fulfill(
        status=200, content_type="text/html", body="<style>body{font:16px system-ui;padding:24px}</style><h1>Tickets</h1>"))
    page.show(ad_response(BANNER))
    page.app.event("shown")
    page.frame.get_by_text("Times").click()
    cross = page.page.get_by_role("button", name="Back to the app")
    expect(cross).to_be_visible()
    expect(page.page.locator(".ad-landing-host")).to_contain_text("www.example.com")
    box = cross.bounding_box()
    assert box["x"] + box["width"] <= width and round(box["width"]) >= 44 and round(box["height"]) >= 44
    shot(page, f"landing-{width}-{scheme}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_a_rewarded_video_announces_its_reward(video, width, scheme):
    page = video(type=3, viewport=(width, 740), scheme=scheme, ext={"reward": {"amount": 5, "currency": "coins"}}, slow=True)
    page.app.event("shown")
    expect(page.page.locator(".ad-mark")).to_contain_text("Reward in")
    shot(page, f"rewarded-{width}-{scheme}")
    page.play_at_normal_speed()
    page.app.event("rewarded")
    expect(page.close).to_be_visible()
    shot(page, f"rewarded-end-{width}-{scheme}")


def test_axe_finds_nothing_on_a_banner_and_on_a_video(ad, media_file):
    banner = ad()
    banner.show(ad_response(BANNER))
    banner.app.event("shown")
    expect(banner.close).to_be_visible()
    wrong = {"banner": faults_of_app(banner.page)}
    video = ad(slow=True)
    video.app.do("file", address=FILE, path=str(media_file), type="video/webm")
    video.show(ad_response(vast(FILE, skip=1, link="https://www.example.com/"), type=2))
    video.app.event("shown")
    expect(video.page.locator("[data-ad-skip]")).to_be_enabled()
    wrong["video"] = faults_of_app(video.page)
    assert_none(wrong)
