"""The Workbench in a real browser: a card from the editor to its analytics, numbers, roles, small screens, the inspector."""

import re

import pytest
from harbor import WorkbenchClient, call, unique
from looks import is_wide, low_contrast_texts
from pages import QUESTION, address, chart_data, headlines, number, press_until, sum_of, table
from playwright.sync_api import expect

# ---------------------------------------------------------------- a card from the editor to its analytics


def sign_in(page, demo):
    page.goto(demo.workbench)
    page.get_by_label("Login").fill("admin")
    page.get_by_label("Password").fill(demo.password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Harbor", level=1)).to_be_visible()


def test_a_card_is_edited_previewed_published_sent_submitted_and_counted(demo, admin, phone, context):
    template = admin.template(QUESTION)
    page = context.new_page()
    sign_in(page, demo)
    page.get_by_role("link", name="Cards").click()
    page.get_by_role("link", name=template.name).click()

    mark = unique("mark")
    expect(headlines(page)).to_have_text("Before")
    page.get_by_role("textbox", name="Headline", exact=True).fill(mark)
    expect(headlines(page)).to_have_text(mark)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("status").filter(has_text="Version 2")).to_be_visible()

    page.get_by_role("main").get_by_role("link", name="Send a test card").click()
    page.get_by_label("User id").fill("maya")
    page.get_by_role("button", name="Send").click()
    card = phone.locator("article.card").filter(has_text=mark)
    expect(card).to_be_visible()

    page.get_by_role("navigation", name="This template").get_by_role("link", name="Analytics").click()
    expect(sum_of(page, "Sent")).to_have_text("1")
    expect(sum_of(page, "Completed")).to_have_text("0")
    assert chart_data(page)["completed"][-1] == 0
    card.get_by_role("button", name="Send it").click()
    expect(card).to_have_count(0)
    admin.wait_for(admin.path("cards/templates", template.id, "analytics"), "data-label=\"Button\" class=\"mono\">sent<")
    page.reload()
    expect(sum_of(page, "Completed")).to_have_text("1")
    assert chart_data(page)["completed"][-1] == 1
    assert table(page, "Latest responses")[0][:2] == ["maya", "sent"]


# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(("path", "status"), [
    ("/workbench/nowhere", 404), ("/workbench/e/harbor", 404), ("/workbench/e/harbor/cards/nowhere/else", 404),
    ("/workbench/e/nowhere/at/all", 404), ("/workbench/sign-out", 405),
])
def test_an_unknown_address_is_a_page_of_the_workbench_with_a_link_to_the_overview(workbench, demo, path, status):
    answer = workbench.goto(demo.server + path)
    assert answer.status == status
    assert answer.headers["content-type"].startswith("text/html")
    expect(workbench.get_by_role("button", name="Sign out")).to_be_visible()
    rail = workbench.get_by_role("navigation", name="Workbench")
    expect(rail).to_have_count(1 if path.startswith("/workbench/e/harbor") else 0)
    workbench.get_by_role("main").get_by_role("link", name="Go to Overview").click()
    expect(workbench.get_by_role("heading", name="Harbor", level=1)).to_be_visible()


def test_an_unknown_address_shows_the_sign_in_page_without_a_session(demo):
    answer = call(f"{demo.server}/workbench/nowhere?x=1")
    assert answer.status == 200 and 'action="/workbench/sign-in"' in answer.text
    # A program's request gets a problem document.
    answer = call(f"{demo.server}/workbench/nowhere", "POST", b"")
    assert answer.status == 404 and answer.body["code"] == "not-found"


# ---------------------------------------------------------------- numbers


def test_the_chart_of_analytics_has_the_numbers_of_the_table_beside_it(workbench, demo):
    workbench.goto(address(demo, "cards/analytics?days=7"))
    chart = chart_data(workbench)
    rows = table(workbench, "Numbers by day")
    # The first row is today, which is not over.
    assert rows[0][0].endswith(" so far")
    assert [row[0].removesuffix(" so far") for row in rows] == chart["labels"][::-1] and len(rows) == 7
    for column, name in [(1, "sent"), (2, "displayed"), (3, "completed")]:
        assert [number(row[column]) for row in rows] == chart[name][::-1]
        assert sum(chart[name]) > 0
        assert number(sum_of(workbench, name.title()).inner_text()) == sum(chart[name])


def test_without_script_the_numbers_are_in_the_table(browser, demo, admin):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(admin.state())
    page = context.new_page()
    page.goto(address(demo, "cards/analytics?days=7"))
    assert sum(number(row[1]) for row in table(page, "Numbers by day")) > 0
    context.close()


# ---------------------------------------------------------------- small screens and the keyboard


def test_at_360_pixels_the_folded_rail_works_with_the_keyboard(workbench, demo):
    workbench.set_viewport_size({"width": 360, "height": 740})
    workbench.goto(address(demo, "overview"))
    rail = workbench.locator("#rail")
    expect(rail).to_be_hidden()
    press_until(workbench, "Tab", "document.activeElement.getAttribute('aria-label') === 'Menu'", 4)
    opener = workbench.get_by_role("button", name="Menu")
    is_in_rail = "document.querySelector('#rail').contains(document.activeElement)"

    def unfold():
        workbench.keyboard.press("Enter")
        expect(rail).to_have_attribute("aria-modal", "true")
        # The rail takes the focus at the end of its animation.
        workbench.wait_for_function(f"() => {is_in_rail}")

    unfold()
    # Tab keeps the focus in the rail.
    for _ in range(25):
        workbench.keyboard.press("Tab")
        assert workbench.evaluate(is_in_rail)
    workbench.keyboard.press("Escape")
    expect(rail).to_be_hidden()
    expect(opener).to_be_focused()
    unfold()
    press_until(workbench, "Tab", "document.activeElement.textContent.trim() === 'Users'")
    workbench.keyboard.press("Enter")
    expect(workbench.get_by_role("heading", name="Users", level=1)).to_be_visible()
    expect(rail).to_be_hidden()


# Records for each frame whether the rail is visible, as soon as the page has one.
WATCH = """
window.frames_seen = [];
const look = () => {
  const rail = document.querySelector("#rail");
  if (rail) window.frames_seen.push(rail.checkVisibility({ visibilityProperty: true }));
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def test_at_360_pixels_no_page_shows_the_folded_rail_while_it_loads(workbench, demo):
    workbench.set_viewport_size({"width": 360, "height": 800})
    workbench.add_init_script(WATCH)
    for path in ["overview", "users", "cards/templates", "devices/mails", "devices/setup", "users"]:
        workbench.goto(address(demo, path))
        workbench.wait_for_function("() => frames_seen.length >= 10")
        assert not any(workbench.evaluate("frames_seen")), path


PAGES = [
    "overview", "cards/templates", "cards/templates/new", "cards/containers", "cards/themes", "cards/analytics",
    "cards/inspector?user=maya", "users", "users/maya", "settings/environments", "settings/keys", "settings/operators",
    "settings/audit", "settings/jobs", "settings/account", "settings/oauth", "hub", "hub/new", "hub/main", "hub/main/articles/new",
    "hub/main/files", "hub/main/announcements", "hub/main/announcements/new", "hub/main/versions", "hub/main/policy",
    "hub/main/keys", "hub/main/settings", "hub/main/publish", "behaviors/events", "behaviors/explorer?by=name",
    "behaviors/goals", "behaviors/goals/new", "behaviors/funnels/new", "behaviors/campaigns", "behaviors/lists",
    "behaviors/lists/new", "behaviors/segments", "behaviors/segments/new",
]


# Whether a table scrolls sideways that must not. Tables with the class `scroll` may: they have a column for each number of a
# day.
SIDEWAYS = "[...document.querySelectorAll('.table-wrap:not(.scroll)')].some(e => e.scrollWidth > e.clientWidth + 1)"


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_the_window_and_can_be_read(workbench, demo, admin, width, scheme):
    # A name of the maximum length without a space, which the template list, the template's pages and the audit log show.
    template = admin.template(QUESTION, name=unique("n" * 117))
    one = f"cards/templates/{template.id}"
    theme = re.search(r"cards/themes/(thm_[0-9a-z]+)", admin.get(admin.path("cards/themes")).text)[1]
    workbench.set_viewport_size({"width": width, "height": 800})
    workbench.emulate_media(color_scheme=scheme)
    wrong = {}
    for path in [*PAGES, one, f"{one}/send", f"{one}/versions", f"{one}/analytics", "cards/containers/home",
                 "cards/containers/new", f"cards/themes/{theme}", "cards/themes/new"]:
        assert workbench.goto(address(demo, path)).status == 200, path
        found = low_contrast_texts(workbench)
        if is_wide(workbench, width):
            found.append("wider than the window")
        if workbench.evaluate(SIDEWAYS):
            found.append("a table that is wider than its place")
        if found:
            wrong[path] = found
    assert wrong == {}


# ---------------------------------------------------------------- roles


@pytest.fixture(scope="module")
def analyst(demo, admin):
    """An operator with the role analyst, made by the admin."""
    login = unique("ana")
    page = admin.post(admin.path("settings/operators/new"), {"login": login, "role": "analyst"}, admin.path("settings/operators"))
    return WorkbenchClient(demo.server, login, admin.shown_once(page))


def test_an_analyst_looks_at_everything_and_is_offered_nothing_that_changes_it(context, demo, admin, analyst):
    template = admin.template(QUESTION)
    context.add_cookies(analyst.state())
    page = context.new_page()
    own = ["cards/templates", f"cards/templates/{template.id}", f"cards/templates/{template.id}/versions", "cards/containers",
           "cards/containers/home", "cards/themes", "cards/analytics", "users/maya", "settings/keys", "overview",
           "hub", "hub/main", "hub/main/announcements", "hub/main/versions", "hub/main/policy", "behaviors/events",
           "behaviors/explorer", "behaviors/goals", "behaviors/lists", "behaviors/segments"]
    for path in own:
        assert page.goto(address(demo, path)).status == 200, path
        assert page.locator("main form[method=post] button").all_inner_texts() == [], path
        assert page.locator("main").get_by_role("link", name=re.compile("New|Archive|Delete|Send")).count() == 0, path
    page.goto(address(demo, "cards/templates", template.id))
    expect(page.get_by_role("textbox", name="Headline", exact=True)).to_have_attribute("readonly", "")
    expect(headlines(page)).to_have_text("Before")
    assert page.goto(address(demo, "cards/templates", template.id, "send")).status == 403
    expect(page.get_by_role("heading", name="Your role does not allow this.")).to_be_visible()


def test_an_analyst_who_sends_a_form_anyway_is_refused_and_nothing_changes(admin, analyst):
    template = admin.template(QUESTION)
    path = admin.path("cards/templates", template.id)
    own = analyst.hidden(analyst.get(admin.path("settings/account")).text, "csrf")
    for form, fields in [(path, {"name": "Mine", "op": "publish"}), (f"{path}/switch-off", {}), (f"{path}/archive", {}),
                         (f"{path}/send", {"target": "user", "user": "maya"}), (admin.path("settings/operators/new"), {"login": "x"})]:
        answer = analyst.post(form, fields | {"csrf": own}, admin.path("settings/account"))
        assert answer.status == 403 and "role" in answer.text, form
    page = admin.get(path)
    assert page.status == 200 and template.name in page.text and "Switch off" in page.text


# ---------------------------------------------------------------- the inspector


def reasons(page, demo, user):
    """The inspector's rows of a user in the container "home", with state and reason, by the template's name."""
    page.goto(address(demo, "cards/inspector"))
    page.get_by_label("User id").fill(user)
    page.get_by_label("Container").select_option("home")
    page.get_by_role("button", name="Inspect").click()
    expect(page.get_by_role("heading", name="In the feed", exact=True)).to_be_visible()
    # The tables below the heading may not have been parsed yet.
    page.wait_for_load_state()
    said = {}
    for caption in ("In the feed", "Not in the feed", "Templates without an open card"):
        if page.get_by_role("table", name=caption, exact=True).count():
            rows = page.get_by_role("table", name=caption, exact=True).locator("tbody tr").all()
            for row in rows:
                said.setdefault(row.locator(".cell-title").inner_text(), f"{caption}: {row.inner_text()}")
    return said


def test_the_inspector_says_why_a_card_is_not_shown(workbench, demo, admin, backend, phone, send_card):
    user = "maya"
    text = {"type": "text", "text": "Words."}
    dismissed = send_card({"type": "dismissButton", "text": "Away"})
    dismissed_name = send_card.template.name
    dismissed.get_by_role("button", name="Away").click()
    expect(dismissed).to_have_count(0)
    snoozed = send_card({"type": "snoozeButton", "text": "Later", "seconds": "3600"})
    snoozed_name = send_card.template.name
    snoozed.get_by_role("button", name="Later").click()
    expect(snoozed).to_have_count(0)
    expect(send_card(text)).to_be_visible()
    shown_name = send_card.template.name
    now = admin.server_time()
    embargoed, cancelled, unsent, off = (admin.template([text]) for _ in range(4))
    backend.send(embargoed.event, user, embargoUntil=now + 3_600_000_000)
    life = unique("life")
    backend.send(cancelled.event, user, lifecycleId=life)
    backend.cancel(life)
    admin.post(admin.path("cards/templates", off.id, "switch-off"), {}, admin.path("cards/templates", off.id))
    admin.wait_for(admin.path("cards/inspector") + f"?user={user}&container=home", f"{snoozed_name}</a>.*?Snoozed")
    said = reasons(workbench, demo, user)
    for name, words in [
        (shown_name, "It is in the feed."), (dismissed_name, "The user dismissed it."),
        (snoozed_name, "The user snoozed it; it will be shown again."), (embargoed.name, "It is hidden until its embargo ends."),
        (cancelled.name, "It was cancelled."), (unsent.name, f"No event “{unsent.event}” has reached this user"),
        (off.name, "It is switched off, so events create no cards."),
    ]:
        assert words in said[name], (name, said[name])


def test_the_inspector_says_that_a_user_is_not_known(workbench, demo):
    workbench.goto(address(demo, "cards/inspector?user=nobody-here"))
    expect(workbench.get_by_role("heading", name="“nobody-here” is not known")).to_be_visible()
