"""The hub in a real browser: pages, history, links, the question before the app is left, video, appearance."""

import base64
import json
import re
import select
from contextlib import ExitStack

import pytest
from axe import assert_none, faults_of_app
from conftest import start, stop
from content_version import ContentVersion, document
from pages import wait_for_animations
from playwright.sync_api import TimeoutError as Unanswered
from playwright.sync_api import expect
from waiting import SECONDS_TO_WAIT, until

RECORD = """async () => {
  const canvas = document.createElement('canvas');
  canvas.width = 320; canvas.height = 180;
  const context = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
  const parts = [];
  recorder.ondataavailable = event => parts.push(event.data);
  const stopped = new Promise(done => { recorder.onstop = done; });
  recorder.start();
  for (let frame = 0; frame < 12; frame += 1) {
    context.fillStyle = `hsl(${frame * 30} 60% 50%)`;
    context.fillRect(0, 0, 320, 180);
    await new Promise(requestAnimationFrame);
  }
  recorder.stop();
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}"""


@pytest.fixture(scope="module")
def clip(browser):
    page = browser.new_page()
    data = base64.b64decode(page.evaluate(RECORD))
    page.close()
    assert len(data) > 500
    return data


ARTICLE = f"""<h1>First</h1>
<p><a id=in href="hub:article/second">on</a> <a id=beside href="../second/index.html">beside</a>
<a id=channel href="hub:channel/islands">channel</a>
<a id=out href="https://www.example.com/tickets?x=1#y">out</a>
<a id=app href="zbim_sample_app://checkout?id=1">app</a> <a id=foreign href="other://x">foreign</a>
<a id=long href="https://www.example.com/{'x' * 5000}">long</a>
<a id=script href="javascript:document.body.remove()">script</a> <a id=anchor href="#end">end</a></p>
<video src="../../assets/clip.webm" title="Crossing in fog"></video>
<div style="height:3000px"></div><p id=end>The end</p>"""


def publish(folder, clip):
    version = ContentVersion(folder, "Harbor", "News from the islands")
    version.channel("routes", "On the water")
    version.channel("islands", "Island life")
    version.article("first", document(ARTICLE), "routes", "The first ferry", "morning")
    version.article("second", document("<h1>Second</h1>"), "routes", "The second ferry", "bicycle")
    for index in range(12):
        version.article(f"more-{index}", document("<p>x"), "islands", f"Island {index}", "island", summary="Words")
    version.file("assets/clip.webm", clip)
    return version.write()


class Hub:
    """A running `inlay preview` and its page."""

    def __init__(self, page, process, address):
        self.page, self.process = page, process
        self.page.goto(address)
        expect(page.locator("[data-place]")).to_be_attached()

    @property
    def frame(self):
        return self.page.frame_locator("iframe[data-frame]")

    def button(self, name):
        return self.page.locator(f"[data-event={name}]")

    def open(self, title):
        self.page.get_by_role("link", name=title).click()
        expect(self.page.locator("iframe[data-frame]")).to_be_attached()

    def follow(self, link):
        """Clicks a link of the article. The click removes the article's frame, and then the browser sometimes never reports
        the end of the click."""
        link = self.frame.locator(link)
        try:
            link.click()
        except Unanswered:
            if link.is_visible():
                raise

    def title(self, text):
        expect(self.page.get_by_role("heading", level=1, name=text)).to_be_visible()

    def heard(self):
        """Returns the next line that the app printed for an event of the hub."""
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS_TO_WAIT)
        assert ready, "the app heard nothing"
        return self.process.stdout.readline().decode().strip()


def settled_box(locator):
    """The position of an element after its animation."""
    wait_for_animations(locator)
    box = locator.bounding_box()
    return box["x"], box["y"], box["width"], box["height"]


@pytest.fixture
def show(tmp_path, clip, context):
    with ExitStack() as running:

        def run(*options, viewport=(390, 844), scheme="light"):
            process, found = start(
                ["preview", str(publish(tmp_path / "hub", clip)), "--port", "0", *options], {"hub": r"The hub\s+(http\S+)"}
            )
            running.callback(stop, process)
            page = context.new_page()
            page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
            page.emulate_media(color_scheme=scheme)
            return Hub(page, process, found["hub"])

        yield run


def test_a_modal_hub_has_back_forward_and_close_buttons(show):
    hub = show()
    hub.title("Harbor")
    expect(hub.button("back")).to_be_disabled()
    expect(hub.button("forward")).to_be_disabled()
    hub.open("The first ferry")
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()
    hub.button("back").click()
    hub.title("Harbor")
    expect(hub.button("back")).to_be_disabled()
    hub.button("forward").click()
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()
    expect(hub.button("forward")).to_be_disabled()
    hub.button("close").click()
    expect(hub.page.locator(".hub-bar")).to_have_count(0)
    expect(hub.page.locator("iframe")).to_have_count(0)


def test_opening_a_page_clears_the_forward_history(show):
    hub = show()
    hub.open("The first ferry")
    hub.button("back").click()
    expect(hub.button("forward")).to_be_enabled()
    hub.page.get_by_role("link", name="See all of Island life").click()
    hub.title("Island life")
    expect(hub.button("forward")).to_be_disabled()


def test_links_between_pages_stay_in_the_hub(show):
    hub = show()
    hub.page.get_by_role("link", name="See all of Island life").click()
    hub.title("Island life")
    hub.button("back").click()
    hub.open("The first ferry")
    hub.follow("#in")
    expect(hub.frame.get_by_role("heading", name="Second")).to_be_visible()
    hub.button("back").click()
    hub.follow("#beside")
    expect(hub.frame.get_by_role("heading", name="Second")).to_be_visible()
    hub.button("back").click()
    hub.follow("#channel")
    hub.title("Island life")
    assert len(hub.page.context.pages) == 1


def test_a_link_within_a_page_leads_to_its_place_in_the_page(show):
    hub = show()
    hub.open("The first ferry")
    end = hub.frame.locator("#end")
    expect(end).not_to_be_in_viewport()
    hub.frame.locator("#anchor").click()
    expect(end).to_be_in_viewport()
    expect(hub.page.get_by_role("dialog")).to_have_count(0)
    expect(hub.frame.get_by_role("heading", name="First")).to_be_attached()
    hub.button("back").click()
    hub.title("Harbor")
    assert len(hub.page.context.pages) == 1


def test_back_restores_scroll_position_and_focus(show):
    hub = show()
    hub.page.get_by_role("link", name="See all of Island life").click()
    hub.title("Island life")
    link = hub.page.get_by_role("link", name=re.compile("Island 9"))
    link.scroll_into_view_if_needed()
    top = hub.page.evaluate("document.scrollingElement.scrollTop")
    assert top > 200
    link.click()
    expect(hub.page.locator("iframe[data-frame]")).to_be_attached()
    hub.button("back").click()
    hub.title("Island life")
    expect(link).to_be_focused()
    assert abs(hub.page.evaluate("document.scrollingElement.scrollTop") - top) < 4


def test_an_external_link_asks_first_and_nothing_opens_on_no(show):
    hub = show("--app-scheme", "zbim_sample_app")
    hub.page.context.route("https://www.example.com/**", lambda route: route.fulfill(body="out"))
    hub.open("The first ferry")
    hub.page.context.on("request", lambda request: requests.append(request.url))
    requests = []
    hub.frame.locator("#out").click()
    question = hub.page.get_by_role("alertdialog", name="Leave the app?")
    expect(question).to_contain_text("https://www.example.com/tickets?x=1#y")
    expect(question.locator("[data-event=stay]")).to_be_focused()
    question.locator("[data-event=stay]").click()
    expect(question).to_have_count(0)
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()
    hub.frame.locator("#out").click()
    expect(question).to_be_visible()
    hub.page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    assert not [url for url in requests if "example.com" in url]
    assert len(hub.page.context.pages) == 1
    # The app receives addresses to open in the order of the taps: the two refusals were not reported to it.
    hub.frame.locator("#app").click()
    assert hub.heard() == "app zbim_sample_app://checkout?id=1"
    hub.frame.locator("#out").click()
    with hub.page.context.expect_page():
        question.locator("[data-event=leave]").click()
    assert hub.heard() == "open https://www.example.com/tickets?x=1#y"


def test_an_article_cannot_take_the_focus_from_the_question(show):
    hub = show()
    hub.open("The first ferry")
    hub.frame.locator("#out").click()
    stay = hub.page.locator("[data-event=stay]")
    expect(stay).to_be_focused()
    hub.page.evaluate("document.querySelector('[data-event=stay]').onblur = () => { document.body.dataset.lost = '' }")
    hub.frame.locator("#out").evaluate("link => { window.focus(); link.focus(); }")
    expect(hub.page.locator("body[data-lost]")).to_be_attached()
    expect(stay).to_be_focused()
    # The focus returns to the control that had it, not to the first one.
    leave = hub.page.locator("[data-event=leave]")
    leave.focus()
    hub.page.evaluate("document.querySelector('[data-event=leave]').onblur = () => { document.body.dataset.again = '' }")
    hub.frame.locator("#out").evaluate("link => { window.focus(); link.focus(); }")
    expect(hub.page.locator("body[data-again]")).to_be_attached()
    expect(leave).to_be_focused()
    hub.page.keyboard.press("Escape")
    expect(stay).to_have_count(0)
    expect(hub.page.locator("iframe[data-frame]")).to_be_focused()


def test_the_focus_stays_on_the_page_when_another_window_takes_over(show):
    hub = show()
    hub.open("The first ferry")
    hub.frame.locator("#out").click()
    stay = hub.page.locator("[data-event=stay]")
    expect(stay).to_be_focused()
    # The page has handled the event when this timer ends.
    hub.page.evaluate(
        """() => new Promise(done => {
          document.activeElement.blur();
          dispatchEvent(new Event('blur'));
          setTimeout(done);
        })"""
    )
    assert hub.page.evaluate("document.activeElement === document.body")


def test_an_external_link_opens_outside_once_on_yes_and_the_page_stays(show):
    hub = show()
    hub.page.context.route("https://www.example.com/**", lambda route: route.fulfill(body="out"))
    hub.open("The first ferry")
    hub.frame.locator("#out").click()
    with hub.page.context.expect_page() as opened:
        hub.page.locator("[data-event=leave]").click()
    expect(opened.value).to_have_url("https://www.example.com/tickets?x=1#y")
    assert hub.heard() == "open https://www.example.com/tickets?x=1#y"
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()
    assert len(hub.page.context.pages) == 2


def test_a_link_with_the_app_s_scheme_is_given_to_the_app_unchanged_and_the_page_stays(show):
    hub = show("--app-scheme", "zbim_sample_app")
    hub.open("The first ferry")
    hub.frame.locator("#app").click()
    assert hub.heard() == "app zbim_sample_app://checkout?id=1"
    expect(hub.page.get_by_role("alertdialog")).to_have_count(0)
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()


def test_a_link_with_an_unregistered_scheme_opens_nothing(show):
    hub = show("--app-scheme", "zbim_sample_app")
    hub.open("The first ferry")
    hub.frame.locator("#foreign").click()
    hub.frame.locator("#script").click()
    # The app's events come in order: the next line is of the app's own link.
    hub.frame.locator("#app").click()
    assert hub.heard() == "app zbim_sample_app://checkout?id=1"
    expect(hub.page.get_by_role("alertdialog")).to_have_count(0)
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()


def test_a_link_that_is_too_long_opens_nothing(show):
    hub = show("--app-scheme", "zbim_sample_app")
    hub.open("The first ferry")
    hub.frame.locator("#long").click()
    # The app's events come in order: the next line is of the app's own link.
    hub.frame.locator("#app").click()
    assert hub.heard() == "app zbim_sample_app://checkout?id=1"
    expect(hub.page.get_by_role("alertdialog")).to_have_count(0)
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()


def test_a_video_fills_the_screen_and_has_a_close_button(show):
    hub = show()
    hub.open("The first ferry")
    hub.frame.locator(".inlay-stage").click()
    player = hub.page.get_by_role("dialog", name="Crossing in fog")
    expect(player).to_be_visible()
    assert settled_box(player) == (0, 0, 390, 844)
    video = player.locator("video")
    expect(video).to_have_js_property("videoWidth", 320)
    close = player.get_by_role("button", name="Close video")
    expect(close).to_be_in_viewport(ratio=1)
    close.click()
    expect(player).to_have_count(0)
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()


def test_a_video_is_served_by_byte_range(show):
    hub = show()
    hub.open("The first ferry")
    hub.frame.locator(".inlay-stage").click()
    video = hub.page.locator(".hub-player video")
    expect(video).to_have_js_property("videoWidth", 320)
    address = hub.page.evaluate(
        "async address => { const frame = document.querySelector('.hub-player video'); return frame.currentSrc }", ""
    )
    answer = hub.page.request.get(address, headers={"Range": "bytes=0-99"})
    assert (answer.status, len(answer.body())) == (206, 100)
    assert answer.headers["content-type"] == "video/webm"


def test_a_nested_hub_fills_its_parent_and_has_no_buttons(show):
    hub = show("--nested", viewport=(320, 200))
    expect(hub.page.get_by_role("button")).to_have_count(0)
    expect(hub.page.locator(".mark")).to_have_count(0)
    hub.page.get_by_role("link", name="The first ferry").click()
    frame = hub.page.locator("iframe[data-frame]")
    expect(frame).to_be_attached()
    for width, height in ((320, 200), (500, 300)):
        hub.page.set_viewport_size({"width": width, "height": height})
        # A page applies a new size of its window with a delay.
        until(lambda: settled_box(frame) == (0, 0, width, height))


def test_a_nested_hub_reports_how_far_its_page_is_scrolled(show):
    hub = show("--nested")
    positions: list[float] = []

    def hear(text):
        message = json.loads(text)
        if message.get("payload", {}).get("name") == "scrolled":
            positions.append(message["payload"]["top"])

    hub.page.on("websocket", lambda socket: socket.on("framesent", hear))
    hub.page.reload()
    link = hub.page.get_by_role("link", name="See all of Island life")
    link.click()
    hub.title("Island life")

    def scroll(page, top):
        """Scrolls a list's page or an article's to a position, and waits until the position was reported."""

        def is_reported():
            # A page that was just opened may still restore an earlier position, so it is scrolled again. A page that is
            # at this position already reports nothing.
            page.evaluate("top => document.scrollingElement.scrollTo(0, top)", top)
            return positions and abs(positions[-1] - top) <= 1

        until(is_reported, positions)

    for top in (120, 400, 60):
        scroll(hub.page.main_frame, top)
    hub.page.get_by_role("link", name="Island 9").click()
    expect(hub.frame.locator("html[data-scheme]")).to_be_attached()
    frame = hub.page.query_selector("iframe[data-frame]").content_frame()
    frame.evaluate("document.body.style.height = '3000px'")
    for top in (130, 410, 70):
        scroll(frame, top)
    modal = show()
    heard: list[str] = []
    modal.page.on("websocket", lambda socket: socket.on("framesent", lambda text: heard.append(str(text))))
    modal.page.reload()
    modal.title("Harbor")
    modal.page.evaluate("document.scrollingElement.scrollTo(0, 300)")
    modal.page.get_by_role("link", name="See all of Island life").click()
    modal.title("Island life")
    # A modal hub, which shows its own bar, does not report its scroll position.
    assert not [text for text in heard if "scrolled" in text]


def test_a_modal_hub_shows_the_mark_and_takes_the_whole_screen(show):
    hub = show()
    expect(hub.page.locator(".hub-bar .mark")).to_be_visible()
    box = hub.page.locator(".surface").bounding_box()
    assert (box["x"], box["y"], box["width"]) == (0, 0, 390)
    assert box["height"] >= 844


def colors(hub):
    return hub.page.evaluate(
        "() => ['.hub-bar', '.hub-bar .icon-button'].map(s => getComputedStyle(document.querySelector(s)))"
        ".map(style => [style.backgroundColor, style.color])"
    )


def test_bar_and_page_have_a_dark_and_a_light_look(show):
    light, dark = show("--look", "light"), show("--look", "dark")
    for hub in (light, dark):
        expect(hub.page.locator(".hub-bar .icon-button").first).to_be_visible()
    assert all(a != b for a, b in zip(colors(light), colors(dark)))
    for hub, paper in ((light, "rgb(251, 250, 247)"), (dark, "rgb(18, 20, 21)")):
        hub.open("The first ferry")
        expect(hub.frame.locator("html")).to_have_css("background-color", paper)


def test_the_device_turns_dark_while_an_article_is_open(show):
    hub = show()
    hub.open("The first ferry")
    expect(hub.frame.locator("html[data-scheme=light]")).to_be_attached()
    hub.page.emulate_media(color_scheme="dark")
    expect(hub.frame.locator("html[data-scheme=dark]")).to_be_attached()


def test_articles_are_opened_and_left_with_the_keyboard_alone(show):
    hub = show()
    hub.page.get_by_role("link", name="The first ferry").focus()
    hub.page.keyboard.press("Enter")
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()
    hub.page.keyboard.press("Alt+ArrowLeft")
    hub.title("Harbor")
    expect(hub.page.get_by_role("link", name="The first ferry")).to_be_focused()
    hub.page.keyboard.press("Alt+ArrowRight")
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_is_wider_than_its_window(show, width):
    hub = show(viewport=(width, 800))
    hub.title("Harbor")
    assert hub.page.evaluate("document.scrollingElement.scrollWidth") <= width
    hub.page.get_by_role("link", name="See all of Island life").click()
    hub.title("Island life")
    assert hub.page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_large_text_and_right_to_left_are_followed(show):
    hub = show()
    hub.page.goto(hub.page.url + "?contentSize=AX3&layoutDirection=rtl")
    hub.title("Harbor")
    expect(hub.page.locator("html")).to_have_attribute("dir", "rtl")
    assert hub.page.evaluate("document.scrollingElement.scrollWidth") <= 390
    back, close = hub.button("back").bounding_box(), hub.button("close").bounding_box()
    assert back["x"] > close["x"]
    hub.open("The first ferry")
    expect(hub.frame.locator("html")).to_have_css("font-size", "36px")


STATUSES = {
    "checking": "Checking for new content",
    "downloading": "Waiting for new content to be downloaded",
    "offline": "You are offline",
    "failed": "This could not be loaded",
    "disabled": "Not available right now",
    "empty": "Nothing to read yet",
}


@pytest.mark.parametrize("status", STATUSES)
def test_each_status_is_shown_in_the_hub(show, status):
    hub = show("--status", status)
    expect(hub.page.locator(".surface-main [data-status]")).to_contain_text(STATUSES[status])
    expect(hub.button("retry")).to_have_count(1 if status in ("offline", "failed") else 0)
    progress = hub.page.get_by_role("progressbar")
    expect(progress).to_have_count(1 if status in ("checking", "downloading") else 0)
    if status == "checking":
        expect(progress).to_have_accessible_name(STATUSES[status])


@pytest.mark.parametrize("status", ["downloading", "failed"])
def test_a_status_has_a_dark_and_a_light_look(show, status):
    def look(scheme):
        hub = show("--status", status, "--look", scheme)
        expect(hub.page.locator("[data-status]")).to_be_visible()
        return hub.page.evaluate(
            "() => ['[data-status]', '[data-status] p', '.surface'].map(s => getComputedStyle(document.querySelector(s)))"
            ".map(style => style.color + style.backgroundColor)"
        )

    assert all(light != dark for light, dark in zip(look("light"), look("dark")))


def test_the_app_s_background_is_used_where_a_page_has_none(show):
    hub = show("--background", "255,0,0")
    expect(hub.page.locator(".surface")).to_have_css("background-color", "rgb(255, 0, 0)")


def test_axe_finds_nothing_in_a_hub(show):
    hub = show()
    hub.title("Harbor")
    wrong = {"front": faults_of_app(hub.page)}
    hub.page.get_by_role("link", name="See all of Island life").click()
    hub.title("Island life")
    wrong["channel"] = faults_of_app(hub.page)
    hub.button("back").click()
    hub.open("The first ferry")
    expect(hub.frame.get_by_role("heading", name="First")).to_be_visible()
    wrong["article"] = faults_of_app(hub.page)
    hub.frame.locator("#out").click()
    expect(hub.page.get_by_role("alertdialog")).to_be_visible()
    wrong["question"] = faults_of_app(hub.page)
    for status in ("downloading", "failed", "empty"):
        page = show("--status", status).page
        expect(page.locator(".surface-main [data-status]")).to_contain_text(STATUSES[status])
        wrong[status] = faults_of_app(page)
    assert_none(wrong)
