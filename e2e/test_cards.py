"""Cards as a user sees them: arriving cards, votes, and nested subviews."""

import csv
import io

import pytest
from harbor import unique
from looks import is_wide
from pages import address, table, wait_for_animations
from playwright.sync_api import expect

TEXT = {"type": "text", "text": "Plain words."}


def choose(card, item):
    """Chooses an item of a card's menu."""
    card.get_by_role("button", name="More actions").click()
    card.get_by_role("menuitem", name=item).click()


# ---------------------------------------------------------------- arriving cards

SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shifted += entry.value; }))
    .observe({ type: 'layout-shift' });
}"""


def test_twenty_arriving_cards_do_not_move_the_card_in_view_in_the_demo_app(context, surface, admin, backend):
    mark = unique("mark")
    read = admin.template([{"type": "headline", "text": f"Read {mark}"}, {"type": "text", "text": "To read.\n\n" * 40}])
    come = admin.template([{"type": "headline", "text": f"Come {mark}"}], priority=1)
    lifecycles = [unique("life") for _ in range(21)]
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    try:
        backend.send(read.event, lifecycleId=lifecycles[0])
        page.goto(surface)
        card = page.locator("article.card").filter(has_text=f"Read {mark}")
        # The card's position is measured only after its animation.
        wait_for_animations(card)
        card.evaluate("card => { document.scrollingElement.scrollTop += card.getBoundingClientRect().top + 200; }")
        page.wait_for_function("() => document.scrollingElement.scrollTop > 100")
        page.evaluate(SHIFTS)
        before = card.bounding_box()
        for lifecycle in lifecycles[1:]:
            backend.send(come.event, lifecycleId=lifecycle)
        arrived = page.locator("article.card").filter(has_text=f"Come {mark}")
        expect(arrived).to_have_count(20)
        arrivals = page.get_by_role("button", name="New cards")
        expect(arrivals).to_be_in_viewport(ratio=1)
        # A browser keeps a scroll position in whole pixels, so the card may move by a fraction of one.
        assert card.bounding_box() == pytest.approx(before, abs=1)
        # Two frames later the browser has reported every layout shift.
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("window.shifted") < 0.1
        assert not any(one.is_visible() for one in arrived.all())
        arrivals.click()
        expect(arrived.first).to_be_in_viewport()
        expect(arrivals).to_be_hidden()
        expect(arrived.filter(visible=True)).to_have_count(20)
    finally:
        for lifecycle in lifecycles:
            backend.cancel(lifecycle)


# ---------------------------------------------------------------- votes


def test_votes_and_their_reasons_are_counted_on_the_template_s_analytics_page_and_in_its_csv_file(send_card, phone, workbench, demo, admin):
    card = send_card(TEXT)
    path = f"cards/templates/{send_card.template.id}/analytics"
    workbench.goto(address(demo, path))
    expect(workbench.get_by_text("No votes on these cards in this period.")).to_be_visible()
    choose(card, "This is useful")
    for reason in ["I see this too often", "Something else", "Something else"]:
        choose(card, "This isn’t useful")
        screen = phone.get_by_role("dialog")
        screen.get_by_label(reason).check()
        screen.get_by_role("button", name="Submit").click()
        expect(screen).to_have_count(0)
    # The app sends its counts with a delay of a few seconds.
    admin.wait_for(admin.path(path), r"4 votes, 25 % useful")
    workbench.reload()
    assert table(workbench, "Votes") == [
        ["This is useful", "1", "25 %"], ["It’s not relevant", "0", "0 %"],
        ["I see this too often", "1", "25 %"], ["Something else", "2", "50 %"],
    ]
    assert not is_wide(workbench, workbench.viewport_size["width"])
    rows = list(csv.DictReader(io.StringIO(admin.get(admin.path(f"{path}.csv")).text)))
    assert [int(rows[-1][name]) for name in ["voted_useful", "voted_not_useful", "not_relevant", "too_often",
                                            "something_else"]] == [1, 3, 0, 1, 2]


# ---------------------------------------------------------------- subviews


def subview(identity, title, *elements):
    return {"id": identity, "title": title, "elements": [{"type": "text", "text": f"Inside {title}."}, *elements]}


def opener(text, target):
    return {"type": "linkButton", "text": text, "action.kind": "subview", "action.value": target}


def test_back_returns_to_the_previous_subview_with_its_typed_values(send_card, phone):
    field = {"type": "textInput", "name": "why", "label": "Why"}
    card = send_card(opener("To A", "a"), subviews=[
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
