"""The demo app's list of cards in a real browser, with the real SDK and a real server."""

import contextlib
import re

import pytest
from conftest import surface_addresses
from harbor import call
from looks import is_wide, low_contrast_texts
from playwright.sync_api import expect
from waiting import until

TEXT = {"type": "text", "text": "Plain words."}


def toast(phone, words):
    return phone.locator("[data-toast]").filter(has_text=words)


def choose(card, item):
    """Chooses an item of a card's menu."""
    card.get_by_role("button", name="More actions").click()
    card.get_by_role("menuitem", name=item).click()


def test_a_card_that_is_sent_appears_without_a_reload(send_card):
    expect(send_card(TEXT)).to_be_visible()


def test_a_submitted_card_goes_with_a_toast(send_card, phone):
    card = send_card({"type": "submitButton", "text": "Send it"})
    card.get_by_role("button", name="Send it").click()
    expect(toast(phone, "Card completed")).to_be_visible()
    expect(card).to_have_count(0)


def test_a_dismissed_card_goes_with_a_toast(send_card, phone):
    card = send_card({"type": "dismissButton", "text": "Away"})
    card.get_by_role("button", name="Away").click()
    expect(toast(phone, "Card dismissed")).to_be_visible()
    expect(card).to_have_count(0)


def test_a_snoozed_card_goes_with_a_toast_that_names_the_time(send_card, phone):
    card = send_card({"type": "snoozeButton", "text": "Later", "seconds": "600"})
    card.get_by_role("button", name="Later").click()
    expect(toast(phone, re.compile(r"Snoozed until .*\d"))).to_be_visible()
    expect(card).to_have_count(0)


def test_a_snoozed_card_comes_back_when_its_snooze_ends(send_card, phone):
    card = send_card({"type": "snoozeButton", "text": "Soon", "seconds": "3"})
    expect(card).to_be_visible()
    # The page records that the card disappeared, because a slow test may look only when the card is back.
    phone.evaluate(
        """mark => new MutationObserver(() => { window.wasGone ||= !document.body.textContent.includes(mark); })
          .observe(document.body, { childList: true, subtree: true })""",
        card.get_by_role("heading").inner_text(),
    )
    card.get_by_role("button", name="Soon").click()
    phone.wait_for_function("() => window.wasGone")
    expect(card).to_be_visible()


def test_a_snooze_button_without_a_time_asks_for_one(send_card, phone):
    card = send_card({"type": "snoozeButton", "text": "Remind me later"})
    card.get_by_role("button", name="Remind me later").click()
    sheet = phone.get_by_role("dialog", name="Remind me")
    expect(sheet.get_by_label("Date and time")).to_be_visible()


def test_the_menu_offers_to_snooze_and_asks_for_date_and_time(send_card, phone):
    choose(send_card(TEXT), "Remind me")
    sheet = phone.get_by_role("dialog", name="Remind me")
    expect(sheet.get_by_label("Date and time")).to_have_attribute("type", "datetime-local")


def test_a_time_in_the_past_cannot_be_chosen(send_card, phone):
    card = send_card(TEXT)
    choose(card, "Remind me")
    sheet = phone.get_by_role("dialog")
    sheet.get_by_label("Date and time").fill("2001-01-01T10:00")
    sheet.get_by_role("button", name="Set reminder").click()
    expect(sheet.get_by_text("Choose a time in the future.")).to_be_visible()
    phone.keyboard.press("Escape")
    expect(card).to_be_visible()


def test_a_chosen_time_snoozes_the_card(send_card, phone):
    card = send_card(TEXT)
    choose(card, "Remind me")
    phone.get_by_role("dialog").get_by_role("button", name="In an hour").click()
    expect(toast(phone, "Snoozed until")).to_be_visible()
    expect(card).to_have_count(0)


def test_voting_a_card_up_thanks_and_keeps_it(send_card, phone):
    card = send_card(TEXT)
    choose(card, "This is useful")
    expect(toast(phone, "Feedback received")).to_be_visible()
    expect(card).to_be_visible()


def test_voting_a_card_down_asks_why_and_thanks(send_card, phone):
    choose(send_card(TEXT), "This isn’t useful")
    screen = phone.get_by_role("dialog")
    expect(screen.locator(".reason")).to_have_text(["It’s not relevant", "I see this too often", "Something else"])
    screen.get_by_label("It’s not relevant").check()
    screen.get_by_role("button", name="Submit").click()
    expect(toast(phone, "Feedback received")).to_be_visible()


def test_the_menu_of_a_card_is_at_its_top_right_with_both_votes(send_card):
    card = send_card(TEXT)
    more = card.get_by_role("button", name="More actions")
    # Both boxes are measured at once, because cards above may arrive or leave.
    box, inside = more.evaluate(
        "more => [more.closest('article'), more].map(element => element.getBoundingClientRect().toJSON())"
    )
    assert inside["x"] > box["x"] + box["width"] * 0.75 and inside["y"] < box["y"] + 40
    more.click()
    expect(card.get_by_role("menuitem", name="This is useful")).to_be_visible()
    expect(card.get_by_role("menuitem", name="This isn’t useful")).to_be_visible()


def test_a_card_is_dismissed_with_the_keyboard_alone(send_card, phone):
    # The card is the last of a long list, so the page is scrolled, and the keys must not scroll it further.
    card = send_card(TEXT, priority=10)
    card.get_by_role("button", name="More actions").press("Enter")
    expect(card.get_by_role("menuitem").first).to_be_focused()
    scroll_before = phone.evaluate("scrollY")
    assert scroll_before > 200
    for _ in range(card.get_by_role("menuitem").count() - 1):
        phone.keyboard.press("ArrowDown")
    expect(card.get_by_role("menuitem", name="Dismiss")).to_be_focused()
    assert phone.evaluate("scrollY") == scroll_before
    phone.keyboard.press("Enter")
    expect(toast(phone, "Card dismissed")).to_be_visible()
    expect(card).to_have_count(0)
    expect(phone.locator("article.card").last).to_be_focused()


def test_only_the_reason_something_else_asks_for_a_comment(send_card, phone):
    choose(send_card(TEXT), "This isn’t useful")
    words = phone.get_by_label("Tell us more")
    phone.get_by_label("Something else").check()
    expect(words).to_be_visible()
    phone.get_by_label("I see this too often").check()
    expect(words).to_have_count(0)


def test_a_comment_is_limited_to_280_characters(send_card, phone):
    choose(send_card(TEXT), "This isn’t useful")
    phone.get_by_label("Something else").check()
    words = phone.get_by_label("Tell us more")
    words.fill("x" * 279)
    words.focus()
    phone.keyboard.press("End")
    phone.keyboard.type("yz")
    expect(words).to_have_value("x" * 279 + "y")
    expect(phone.locator("#feedback-count")).to_have_text("280 / 280")


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


def test_a_comment_is_counted_and_cut_by_grapheme_clusters(send_card, phone):
    choose(send_card(TEXT), "This isn’t useful")
    screen = phone.get_by_role("dialog")
    screen.get_by_label("Something else").check()
    words, count = screen.get_by_label("Tell us more"), phone.locator("#feedback-count")
    full = screen.get_by_text("It can’t be longer than this.")
    words.fill(FAMILY * 30)
    expect(count).to_have_text("30 / 280")
    expect(full).to_be_hidden()
    words.fill("x" * 279 + FAMILY * 2)
    expect(words).to_have_value("x" * 279 + FAMILY)
    expect(count).to_have_text("280 / 280")
    expect(full).to_be_visible()
    # When the field is full, typed text is refused, and the text after the caret stays.
    words.press("Home")
    phone.keyboard.insert_text(FAMILY)
    expect(words).to_have_value("x" * 279 + FAMILY)
    words.press("End")
    words.press("Backspace")
    expect(full).to_be_hidden()
    words.fill(FAMILY * 240)
    expect(count).to_have_text("240 / 280")
    screen.get_by_role("button", name="Submit").click()
    expect(toast(phone, "Feedback received")).to_be_visible()


def test_a_number_is_shown_with_the_digits_in_which_it_was_sent(send_card):
    numbers = {"one": 1234567890123456, "two": 9007199254740993, "three": 10.5}
    declared = {}
    for index, name in enumerate(numbers):
        part = f"variables[{index}]"
        declared |= {f"{part}.name": name, f"{part}.kind": "number", f"{part}.defaultValue": "0"}
    text = {"type": "text", "text": " · ".join("{{%s}}" % name for name in numbers)}
    card = send_card(text, variables=numbers, **declared)
    expect(card).to_contain_text("1234567890123456 · 9007199254740993 · 10.5")


NUMBER = {
    "type": "numberInput", "name": "people", "label": "People", "rules.required": "on",
    "rules.required.message": "How many come?", "rules.max": "9", "rules.max.message": "Nine at most.",
}
FORM = {"type": "form", "children": [NUMBER, {"type": "submitButton", "text": "Book"}]}


def test_an_empty_required_field_says_so_and_nothing_is_sent(send_card):
    card = send_card(FORM)
    card.get_by_role("button", name="Book").click()
    field = card.get_by_label("People")
    expect(card.locator(".problem")).to_have_text("How many come?")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-describedby", card.locator(".problem").get_attribute("id"))
    expect(card).to_be_visible()


def test_a_corrected_field_can_be_sent(send_card, phone):
    card = send_card(FORM)
    card.get_by_label("People").fill("12")
    card.get_by_role("button", name="Book").click()
    expect(card.locator(".problem")).to_have_text("Nine at most.")
    card.get_by_label("People").fill("3")
    card.get_by_role("button", name="Book").click()
    expect(toast(phone, "Card completed")).to_be_visible()


@pytest.mark.parametrize("typed", ["٣", "۳", "３"])
def test_a_number_is_typed_in_the_digits_of_any_script(send_card, phone, typed):
    card = send_card(FORM)
    card.get_by_label("People").fill("١2")
    card.get_by_role("button", name="Book").click()
    expect(card.locator(".problem")).to_have_text("Write the number with the digits of one script.")
    card.get_by_label("People").fill(typed)
    card.get_by_role("button", name="Book").click()
    expect(toast(phone, "Card completed")).to_be_visible()


SUBVIEW = {"id": "more", "title": "All about it", "elements": [{"type": "text", "text": "The small print."}]}
OPEN = {"type": "linkButton", "text": "More about it", "action.kind": "subview", "action.value": "more"}


def test_a_subview_opens_over_the_list_and_closes_again(send_card, phone):
    card = send_card(OPEN, subviews=[SUBVIEW])
    card.get_by_role("button", name="More about it").click()
    screen = phone.get_by_role("dialog", name="All about it")
    expect(screen.get_by_text("The small print.")).to_be_visible()
    screen.get_by_role("button", name="Back").click()
    expect(screen).to_have_count(0)
    expect(card.get_by_role("button", name="More about it")).to_be_focused()


def test_a_link_opens_one_page_without_an_opener(send_card, phone, context):
    context.route("https://example.com/**", lambda route: route.fulfill(body="there", content_type="text/html"))
    link = {"type": "linkButton", "text": "Read", "action.kind": "url", "action.value": "https://example.com/a"}
    card = send_card(link)
    before = len(context.pages)
    with context.expect_page() as opened:
        card.get_by_role("link", name="Read").click()
    expect(opened.value.locator("body")).to_have_text("there")
    assert opened.value.evaluate("window.opener") is None
    # The toast comes after everything that the host did for the click.
    choose(card, "This is useful")
    expect(toast(phone, "Feedback received")).to_be_visible()
    assert len(context.pages) == before + 1


def test_cards_are_ordered_by_priority(send_card, phone):
    five, one, ten = send_card(TEXT, priority=5), send_card(TEXT, priority=1), send_card(TEXT, priority=10)
    for card in (five, one, ten):
        expect(card).to_be_attached()
    # All positions are measured at once, because other cards may arrive or leave.
    order = phone.evaluate(
        "cards => cards.map(card => card.getBoundingClientRect().top)",
        [card.element_handle() for card in (one, five, ten)],
    )
    assert order == sorted(order)


def expect_background(phone, color):
    """Waits until the page's background variable has this color."""
    phone.wait_for_function(
        "wanted => getComputedStyle(document.body).getPropertyValue('--paper').trim().toUpperCase() === wanted", arg=color
    )


def test_a_light_device_has_the_light_theme(phone):
    phone.emulate_media(color_scheme="light")
    expect_background(phone, "#F6F3EC")


def test_a_dark_device_has_the_dark_theme(phone):
    phone.emulate_media(color_scheme="dark")
    expect_background(phone, "#101618")
    expect(phone.locator("html")).to_have_attribute("data-scheme", "dark")


def test_a_new_text_size_is_drawn_without_a_reload(send_card, phone):
    card = send_card(TEXT)
    headline = card.locator(".headline")
    expect(headline).to_have_css("font-size", "20px")
    phone.evaluate("dispatchEvent(new CustomEvent('inlay-environment', {detail: {contentSize: 'AX3'}}))")
    expect(headline).not_to_have_css("font-size", "20px")
    assert float(headline.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) > 30


def test_the_header_stands_above_the_cards_and_can_refresh(send_card, phone, demo):
    card = send_card(TEXT)
    title = phone.get_by_role("heading", name="Harbor", level=1)
    expect(card).to_be_visible()
    assert title.bounding_box()["y"] < card.bounding_box()["y"]
    before = feed_requests(demo)
    phone.get_by_role("button", name="Refresh").click()
    until(lambda: feed_requests(demo) > before)
    expect(card).to_be_visible()


def test_there_is_no_footer_unless_the_app_wants_one(send_card, phone):
    expect(send_card(TEXT)).to_be_visible()
    expect(phone.locator(".list-footer")).to_have_count(0)


def image(demo, height):
    return {"type": "image", "url": f"{demo.server}/harbor/morning.svg", "alternateText": "A ferry", "height": height}


def cover(card):
    """Measures an image as drawn: its box, its ratio and `object-fit`, and the width of its column and its card."""
    picture = card.get_by_role("img", name="A ferry")
    picture.scroll_into_view_if_needed()
    picture.evaluate("e => e.decode()")
    return picture.evaluate(
        """e => {
          const box = e.closest('.media').getBoundingClientRect(), body = e.closest('.card-body');
          const { paddingLeft, paddingRight } = getComputedStyle(body);
          return { width: box.width, height: box.height, picture: e.getBoundingClientRect().width,
            ratio: e.naturalHeight / e.naturalWidth, fit: getComputedStyle(e).objectFit,
            column: body.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight),
            card: e.closest('article').clientWidth };
        }"""
    )


def assert_cover(send_card, demo, name, height):
    """Fails unless an image is as wide as the column when it is among other elements, and as wide as the card at its top."""
    inside = cover(send_card(image(demo, name)))
    assert (inside["height"], inside["fit"]) == (height, "cover")
    assert inside["width"] == inside["picture"] == inside["column"] > 300
    banner = cover(send_card(above=[image(demo, name)]))
    assert (banner["height"], banner["fit"]) == (height, "cover")
    assert banner["width"] == banner["picture"] == banner["card"] > inside["width"]


def test_tall_pictures_are_200_points_high_of_full_width_and_cropped(send_card, demo):
    assert_cover(send_card, demo, "tall", 200)


def test_medium_pictures_are_120_points_high_of_full_width_and_cropped(send_card, demo):
    assert_cover(send_card, demo, "medium", 120)


def test_short_pictures_are_50_points_high_of_full_width_and_cropped(send_card, demo):
    assert_cover(send_card, demo, "short", 50)


def test_original_pictures_keep_their_ratio(send_card, demo):
    drawn = cover(send_card(image(demo, "original")))
    assert drawn["width"] == drawn["column"]
    assert abs(drawn["height"] - drawn["width"] * drawn["ratio"]) < 1


def test_every_control_of_a_card_has_a_name(send_card, phone, demo):
    card = send_card(image(demo, "short"), FORM, {"type": "dismissButton", "text": "No"}, OPEN, subviews=[SUBVIEW])
    expect(card).to_be_visible()
    nameless = card.evaluate(
        "card => [...card.querySelectorAll('button:not([aria-hidden]), a, input, img')].filter(e => !("
        "e.getAttribute('aria-label') || e.alt || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"
    )
    assert nameless == []
    assert card.get_attribute("aria-label").startswith("mark-")


SCRIPT = "<img src=x onerror=alert(1)>"


def test_script_in_a_variable_is_shown_as_words(send_card, phone):
    named = {"variables[0].name": "who", "variables[0].kind": "string", "variables[0].defaultValue": "you"}
    card = send_card(
        {"type": "category", "text": "{{who}}"}, {"type": "text", "text": "Hello **{{who}}**"},
        {"type": "list", "style": "unordered", "items": "{{who}}"}, {"type": "dismissButton", "text": "{{who}}"},
        variables={"who": SCRIPT}, **named,
    )
    expect(card.locator(".category")).to_have_text(SCRIPT)
    expect(card.locator(".prose")).to_have_text(f"Hello {SCRIPT}")
    expect(card.get_by_role("button", name=SCRIPT, exact=True)).to_be_visible()
    expect(card.locator("img")).to_have_count(0)


def test_script_in_a_markdown_link_is_refused_by_name(send_card, admin):
    assert "javascript:alert(1)" in admin.refused([{"type": "text", "text": "[press](javascript:alert(1))"}])
    card = send_card({"type": "text", "text": f"<javascript:alert(1)> {SCRIPT}"})
    expect(card).to_be_visible()
    expect(card.locator("a[href^='javascript'], .prose img")).to_have_count(0)
    card.get_by_text("javascript:alert(1)").click()
    expect(card).to_be_visible()


def test_a_link_with_joiners_keeps_its_target(send_card):
    """Persian words have U+200C, and emoji of several people U+200D."""
    address = "https://example.com/می\u200cشود/👩\u200d💻"
    card = send_card(
        {"type": "text", "text": f"[read]({address})"},
        {"type": "linkButton", "text": "Read", "action.kind": "url", "action.value": address},
    )
    links = card.locator("a[href]")
    expect(links).to_have_count(2)
    for link in links.all():
        assert link.get_attribute("href") == address


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_app_fits_the_window_and_can_be_read(send_card, phone, demo, width, scheme):
    card = send_card({"type": "category", "text": "Read me"}, TEXT, FORM, {"type": "dismissButton", "text": "No"})
    phone.set_viewport_size({"width": width, "height": 780})
    phone.emulate_media(color_scheme=scheme)
    expect(phone.locator("html")).to_have_attribute("data-scheme", scheme)
    card.get_by_role("button", name="Book").click()
    expect(card.locator(".problem")).to_be_visible()
    assert (low_contrast_texts(phone), is_wide(phone, width)) == ([], False)
    choose(card, "This isn’t useful")
    expect(phone.get_by_role("dialog")).to_be_visible()
    assert (low_contrast_texts(phone), is_wide(phone, width)) == ([], False)
    phone.goto(demo.app)
    expect(phone.get_by_role("navigation", name="Harbor")).to_be_visible()
    assert (low_contrast_texts(phone), is_wide(phone, width)) == ([], False)


def feed_requests(demo):
    """The number of feed requests, from the server's metrics."""
    page = call(f"{demo.server}/metrics").text
    counts = re.findall(r'inlay_http_requests_total\{[^}]*route="[^"]*/feed"[^}]*\} (\d+)', page)
    return sum(map(int, counts))


def pull(page, distance):
    """Pulls the page down by touch, from near its top, in ten steps."""
    finger = page.context.new_cdp_session(page)

    def touch(kind, *at):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": 190, "y": y} for y in at]})

    touch("touchStart", 100)
    for step in range(1, 11):
        touch("touchMove", 100 + distance * step // 10)
    touch("touchEnd")


def test_pulling_down_at_the_top_asks_for_new_cards(browser, demo, send_card):
    expect(send_card(TEXT)).to_be_visible()
    sent = []
    with contextlib.closing(browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)) as context:
        page = context.new_page()
        page.on("websocket", lambda socket: socket.on("framesent", lambda message: sent.append(message)))
        page.goto(demo.app + surface_addresses(demo.app)["surface"])
        expect(page.locator("article.card").first).to_be_visible()
        before = feed_requests(demo)
        assert before > 0
        pull(page, 300)
        # Other pages of the app request the feed too, so the page itself must have asked for it.
        until(lambda: page.evaluate("() => 0") or any('"name":"refresh"' in message for message in sent))
        until(lambda: feed_requests(demo) > before)
        page.wait_for_function("() => !document.querySelector('[data-pull]')")
