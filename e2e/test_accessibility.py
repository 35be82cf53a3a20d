"""Accessibility of every page of the Workbench and of the app, in each look: axe finds no fault, and in the app's
right-to-left layout nothing covers text."""

from axe import assert_none, faults, faults_of_app
from conftest import surface_addresses
from looks import is_wide
from pages import address, kind
from playwright.sync_api import expect

# ---------------------------------------------------------------- the Workbench

# A page's structure without its text: each element's classes, attribute names, role and type, and whether it is empty.
# The findings of axe depend on these, not on the text.
SHAPE = """() => [...document.querySelectorAll('main, main *')].map(element => [
  element.localName, element.className.baseVal ?? element.className, element.getAttributeNames().join(' '),
  element.getAttribute('role'), element.getAttribute('type'), element.textContent.trim() === '',
].join('|')).join('\\n')"""


def walk(page, demo):
    """Follows the Workbench's links and shows one page of each kind; yields the kind of the page that is shown."""
    seen, ahead = set(), ["/workbench"]
    while ahead:
        path = ahead.pop(0)
        if kind(path) in seen or ".csv" in path:
            continue
        seen.add(kind(path))
        if "text/html" not in page.goto(demo.server + path).headers.get("content-type", ""):
            continue
        yield kind(path)
        links = page.eval_on_selector_all("a[href^='/workbench']", "links => links.map(link => link.getAttribute('href'))")
        ahead += [link for link in links if kind(link) not in seen]


def test_axe_finds_nothing_on_any_page_of_the_workbench(workbench, demo, admin):
    wrong, walked, shapes = {}, [], set()
    for name in walk(workbench, demo):
        walked.append(name)
        # Many pages have the same structure, such as a list in another order or the question before a removal.
        shape = workbench.evaluate(SHAPE)
        if shape not in shapes:
            shapes.add(shape)
            wrong[name] = faults(workbench)
    assert len(wrong) >= 60
    assert_none(wrong)
    # Every entry of the menu was visited, and so were pages that only another page links to.
    entries = workbench.eval_on_selector_all("#rail nav a", "links => links.map(link => link.getAttribute('href'))")
    assert len(entries) >= 8 and {kind(entry) for entry in entries} <= set(walked)
    assert {kind(f"/workbench/e/harbor/{path}") for path in ("cards/templates/tpl_1", "hub/main/articles/one", "users/maya")} <= set(walked)


def test_with_reduced_motion_a_change_of_scheme_starts_no_animation(workbench):
    workbench.emulate_media(color_scheme="light", reduced_motion="reduce")
    for scheme in ("dark", "light"):
        workbench.emulate_media(color_scheme=scheme)
        assert workbench.evaluate("() => document.getAnimations().length") == 0
    durations = "() => [...document.querySelectorAll('*')].map(element => getComputedStyle(element).transitionDuration)"
    assert set(workbench.evaluate(durations)) == {"0s"}


def test_axe_finds_nothing_on_the_sign_in_pages(context, demo):
    page = context.new_page()
    wrong = {}
    page.goto(demo.server + "/workbench/sign-in")
    wrong["sign-in"] = faults(page)
    page.get_by_label("Login").fill("nobody")
    page.get_by_label("Password").fill("a wrong password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    wrong["refused"] = faults(page)
    assert_none(wrong)


def test_axe_finds_nothing_on_the_api_reference(context, demo):
    page = context.new_page()
    page.goto(demo.server + "/docs")
    assert_none({"docs": faults(page)})
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert not is_wide(page, width)


def test_axe_finds_nothing_on_an_unknown_page_a_refused_form_and_the_open_menu(workbench, demo, admin):
    wrong = {}
    assert workbench.goto(address(demo, "cards/templates/tpl_0")).status == 404
    wrong["not found"] = faults(workbench)
    workbench.goto(address(demo, "behaviors/funnels/new"))
    workbench.get_by_role("main").get_by_role("button", name="Create funnel").last.click()
    expect(workbench.locator("[aria-invalid=true], [role=alert]").first).to_be_visible()
    wrong["refused"] = faults(workbench)
    workbench.set_viewport_size({"width": 360, "height": 800})
    workbench.goto(address(demo, "overview"))
    rail = workbench.locator("#rail")

    def open_menu():
        if not rail.is_visible():
            workbench.get_by_role("button", name="Menu").click()
        expect(rail).to_be_visible()

    wrong["menu"] = faults(workbench, restore=open_menu)
    assert_none(wrong)


# ---------------------------------------------------------------- the app

EVERYTHING = [
    {"type": "text", "text": "Plain words with **strong** ones."},
    {"type": "textInput", "name": "why", "label": "Why"},
    {"type": "numberInput", "name": "many", "label": "How many"},
    {"type": "linkButton", "text": "More about it", "action.kind": "subview", "action.value": "more"},
    {"type": "submitButton", "text": "Send it", "buttonName": "sent"},
    {"type": "dismissButton", "text": "Away"},
    {"type": "snoozeButton", "text": "Later"},
]
SUBVIEWS = [{"id": "more", "title": "More about it", "elements": [{"type": "text", "text": "All of it."}]}]


def test_axe_finds_nothing_in_the_list_of_cards_and_on_its_screens(send_card, phone):
    card = send_card(*EVERYTHING, subviews=SUBVIEWS)
    expect(card).to_be_visible()
    wrong = {"list": faults_of_app(phone)}
    item = card.get_by_role("menuitem", name="This isn’t useful")

    def open_menu():
        if not item.is_visible():
            card.get_by_role("button", name="More actions").click()
        expect(item).to_be_visible()

    wrong["menu"] = faults_of_app(phone, open_menu)
    open_menu()
    item.click()
    expect(phone.get_by_role("dialog")).to_be_visible()
    wrong["vote"] = faults_of_app(phone)
    phone.keyboard.press("Escape")
    expect(phone.get_by_role("dialog")).to_have_count(0)
    card.get_by_role("button", name="Later").click()
    expect(phone.get_by_role("dialog")).to_be_visible()
    wrong["later"] = faults_of_app(phone)
    phone.keyboard.press("Escape")
    expect(phone.get_by_role("dialog")).to_have_count(0)
    card.get_by_role("button", name="More about it").click()
    expect(phone.get_by_text("All of it.")).to_be_visible()
    wrong["subview"] = faults_of_app(phone)
    assert_none(wrong)


def test_axe_finds_nothing_in_the_demo_app(context, demo):
    page = context.new_page()
    wrong = {}
    names = [place for key, place in surface_addresses(demo.app).items() if key != "workbench"]
    assert len(names) >= 3
    for name in ["", *names]:
        page.goto(demo.app + name)
        expect(page.locator("main, [data-slot=list], nav").first).to_be_attached()
        wrong[name] = faults_of_app(page)
    assert_none(wrong)
