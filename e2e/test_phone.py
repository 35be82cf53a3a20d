"""The demo app's card list in a real browser: the real SDK at a real server."""

import re

from playwright.sync_api import expect

TEXT = {"type": "text", "text": "Plain words."}


def toast(phone, words):
    return phone.locator("[data-toast]").filter(has_text=words)


def test_a_card_that_is_sent_appears_without_a_reload(give):
    expect(give(TEXT)).to_be_visible()


def test_a_submitted_card_goes_with_a_toast(give, phone):
    card = give({"type": "submitButton", "text": "Send it"})
    card.get_by_role("button", name="Send it").click()
    expect(toast(phone, "Card completed")).to_be_visible()
    expect(card).to_have_count(0)


def test_a_dismissed_card_goes_with_a_toast(give, phone):
    card = give({"type": "dismissButton", "text": "Away"})
    card.get_by_role("button", name="Away").click()
    expect(toast(phone, "Card dismissed")).to_be_visible()
    expect(card).to_have_count(0)


def test_a_snoozed_card_goes_with_a_toast_that_names_the_time(give, phone):
    card = give({"type": "snoozeButton", "text": "Later", "seconds": "600"})
    card.get_by_role("button", name="Later").click()
    expect(toast(phone, re.compile(r"Snoozed until .*\d"))).to_be_visible()
    expect(card).to_have_count(0)


def test_a_snoozed_card_comes_back_at_its_moment(give):
    card = give({"type": "snoozeButton", "text": "Soon", "seconds": "3"})
    card.get_by_role("button", name="Soon").click()
    expect(card).to_have_count(0)
    expect(card).to_be_visible()


def test_a_snooze_button_without_a_time_asks_for_one(give, phone):
    card = give({"type": "snoozeButton", "text": "Remind me later"})
    card.get_by_role("button", name="Remind me later").click()
    sheet = phone.get_by_role("dialog", name="Remind me")
    expect(sheet.get_by_label("Date and time")).to_be_visible()


def paper(phone, colour):
    phone.wait_for_function(
        "wanted => getComputedStyle(document.body).getPropertyValue('--paper').trim().toUpperCase() === wanted", arg=colour
    )


def test_a_light_device_has_the_light_theme(phone):
    phone.emulate_media(color_scheme="light")
    paper(phone, "#F6F3EC")


def test_a_dark_device_has_the_dark_theme(phone):
    phone.emulate_media(color_scheme="dark")
    paper(phone, "#101618")
    expect(phone.locator("html")).to_have_attribute("data-scheme", "dark")
