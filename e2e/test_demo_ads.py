"""Ads in the demo app: a banner below Harbor's cards, and a film that earns a coffee."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def harbor(context, demo):
    """The demo app's page with the phone in it; no script may throw there."""
    page = context.new_page()
    thrown = []
    page.on("pageerror", lambda error: thrown.append(error.stack))
    page.goto(demo.app)
    yield page
    assert thrown == []


def test_harbor_shows_a_banner_below_its_cards_and_its_link_has_a_way_back(harbor):
    banner = harbor.frame_locator("#banner")
    creative = banner.frame_locator("iframe[data-ad-frame]")
    # The house's own banner, or the one of the simulated buyer that bids for the place.
    link = creative.locator("a").first
    expect(link).to_be_visible()
    box = harbor.locator("#banner").bounding_box()
    cards = harbor.locator("#surface").bounding_box()
    assert box["height"] >= 50 and cards["y"] + cards["height"] <= box["y"] + 1
    landing = banner.get_by_role("dialog")
    # The next banner may take the place at the very moment of a click, which then leads nowhere.
    for _ in range(3):
        link.click()
        try:
            expect(landing).to_be_visible(timeout=8_000)
            break
        except AssertionError:
            continue
    expect(landing).to_be_visible()
    landing.get_by_role("button").click()
    expect(landing).to_have_count(0)
    expect(link).to_be_visible()


def test_a_film_that_is_watched_to_its_end_earns_one_coffee(harbor):
    harbor.get_by_role("button", name="Extras").click()
    count = harbor.locator("#coffees")
    before = int(count.inner_text())
    harbor.get_by_role("button", name="Watch the film").click()
    film = harbor.frame_locator("#film")
    expect(film.locator("video.ad-player")).to_be_visible()
    # Nobody leaves it early, and nobody is kept after it.
    expect(film.locator(".ad-reward")).to_have_text("Reward earned", use_inner_text=True)
    film.locator("[data-ad-close]").click()
    expect(harbor.locator("#film")).to_be_hidden()
    expect(count).to_have_text(str(before + 1))
    expect(harbor.locator("#note")).to_have_text("Enjoy it on deck.")
