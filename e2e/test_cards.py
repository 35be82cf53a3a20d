"""Cards as their reader meets them: votes that count, subviews that lie above each other."""

import csv
import io

from looks import is_wide
from pages import address, table
from playwright.sync_api import expect

TEXT = {"type": "text", "text": "Plain words."}


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
