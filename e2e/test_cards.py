"""Cards as their reader meets them: votes that count, subviews that lie above each other, cards that come meanwhile."""

import csv
import io

import pytest
from harbor import unique
from looks import is_wide
from pages import address, table
from playwright.sync_api import expect

TEXT = {"type": "text", "text": "Plain words."}
LONG = {"type": "text", "text": "\n\n".join(f"Paragraph {number} of something to read." for number in range(12))}


def choose(card, item):
    """Chooses an item of a card's menu."""
    card.get_by_role("button", name="More actions").click()
    card.get_by_role("menuitem", name=item).click()


# ---------------------------------------------------------------- votes


def test_votes_and_their_reasons_are_counted_on_the_templates_page_and_in_its_file(give, phone, workbench, demo, desk):
    card = give(TEXT)
    path = f"cards/templates/{give.template.id}/analytics"
    workbench.goto(address(demo, path))
    expect(workbench.get_by_text("Nobody has voted on these cards in this time.")).to_be_visible()
    choose(card, "This is useful")
    for reason in ["I see this too often", "Something else", "Something else"]:
        choose(card, "This isn’t useful")
        screen = phone.get_by_role("dialog")
        screen.get_by_label(reason).check()
        screen.get_by_role("button", name="Submit").click()
        expect(screen).to_have_count(0)
    # The app reports what it counts a few seconds later.
    desk.wait_for(desk.path(path), r"4 votes, 25 % useful")
    workbench.reload()
    assert table(workbench, "Votes") == [
        ["This is useful", "1", "25 %"], ["It’s not relevant", "0", "0 %"],
        ["I see this too often", "1", "25 %"], ["Something else", "2", "50 %"],
    ]
    assert not is_wide(workbench, workbench.viewport_size["width"])
    rows = list(csv.DictReader(io.StringIO(desk.get(desk.path(f"{path}.csv")).text)))
    assert [int(rows[-1][name]) for name in ["voted_useful", "voted_not_useful", "not_relevant", "too_often",
                                            "something_else"]] == [1, 3, 0, 1, 2]


# ---------------------------------------------------------------- subviews


def subview(identity, title, *elements):
    return {"id": identity, "title": title, "elements": [{"type": "text", "text": f"Inside {title}."}, *elements]}


def opener(text, target):
    return {"type": "linkButton", "text": text, "action.kind": "subview", "action.value": target}


def test_back_leads_from_a_subview_to_the_one_before_as_its_reader_left_it(give, phone):
    field = {"type": "textInput", "name": "why", "label": "Why"}
    card = give(opener("To A", "a"), subviews=[
        subview("a", "Page A", field, opener("To B", "b")), subview("b", "Page B", opener("To A again", "a"))])
    card.get_by_role("button", name="To A").click()
    first = phone.get_by_role("dialog", name="Page A")
    first.get_by_label("Why").fill("because")
    first.get_by_role("button", name="To B").click()
    second = phone.get_by_role("dialog", name="Page B")
    expect(second.get_by_text("Inside Page B.")).to_be_visible()
    expect(second.get_by_role("button", name="Back")).to_be_focused()
    phone.keyboard.press("Escape")
    expect(second).to_have_count(0)
    expect(first.get_by_text("Inside Page A.")).to_be_visible()
    expect(first.get_by_label("Why")).to_have_value("because")
    expect(first.get_by_role("button", name="To B")).to_be_focused()
    first.get_by_role("button", name="Back").click()
    expect(first).to_have_count(0)
    expect(card.get_by_role("button", name="To A")).to_be_focused()


# ---------------------------------------------------------------- cards that come meanwhile

WITNESS = """() => {
  window.shifted = 0;
  new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shifted += entry.value; }))
    .observe({ type: 'layout-shift' });
}"""
WAITING = "document.querySelectorAll('[data-slot=list] > [data-waits]').length"


def arrive(give, count, event=None):
    """Sends cards of one template; each is a card of its own."""
    event = event or give.desk.template([{"type": "headline", "text": unique("arrival")}, TEXT]).event
    for _ in range(count):
        give.lifecycles.append(unique("life"))
        give.backend.send(event, lifecycleId=give.lifecycles[-1])
    return event


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_twenty_arrivals_move_nothing_of_what_is_being_read(give, phone, scheme):
    phone.emulate_media(color_scheme=scheme)
    for _ in range(2):
        give(LONG)
    read = give(LONG)
    expect(read).to_be_visible()
    phone.evaluate("document.scrollingElement.scrollTop = 400")
    phone.wait_for_function("document.scrollingElement.scrollTop === 400")
    phone.evaluate(WITNESS)
    before = read.bounding_box()
    event = arrive(give, 20)
    phone.wait_for_function(f"{WAITING} === 20")
    pill = phone.get_by_role("button", name="New cards")
    expect(pill).to_be_visible()
    assert phone.evaluate("window.shifted") < 0.1
    assert read.bounding_box() == before
    for width in (360, 1440):
        phone.set_viewport_size({"width": width, "height": 844})
        expect(pill).to_be_in_viewport(ratio=1)
        assert not is_wide(phone, width)
    pill.click()
    expect(pill).to_be_hidden()
    phone.wait_for_function(f"{WAITING} === 0 && document.scrollingElement.scrollTop === 0")
    # At rest at the top the next one takes its place without a word.
    cards = phone.locator("article.card:visible")
    shown = cards.count()
    arrive(give, 1, event)
    expect(cards).to_have_count(shown + 1)
    expect(pill).to_be_hidden()


def test_new_cards_take_their_place_when_their_reader_comes_back_to_the_top(give, phone):
    give(LONG)
    read = give(LONG)
    expect(read).to_be_visible()
    phone.evaluate("document.scrollingElement.scrollTop = 400")
    phone.wait_for_function("document.scrollingElement.scrollTop === 400")
    arrive(give, 1)
    pill = phone.get_by_role("button", name="New cards")
    expect(pill).to_be_visible()
    phone.evaluate("document.scrollingElement.scrollTop = 0")
    expect(pill).to_be_hidden()
    phone.wait_for_function(f"{WAITING} === 0")
