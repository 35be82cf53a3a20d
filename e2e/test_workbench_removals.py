"""Removals in the Workbench: each needs a confirmation that shows the record's name and what is lost with it, or can be
undone."""

import html
import re

import pytest
from harbor import WorkbenchClient, call, unique
from owners import Application
from pages import address, expect_values, kind
from playwright.sync_api import expect


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def page(request, browser, admin):
    """A page signed in to the Workbench, with and without scripts."""
    context = browser.new_context(java_script_enabled=request.param, viewport={"width": 1440, "height": 900})
    context.add_cookies(admin.state())
    yield context.new_page()
    context.close()


def expect_question(page, name, goes):
    """Waits for the question with the object's name, and with a text that matches `goes` about what is removed with it."""
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"“{name}”")
    expect(page.locator("main p")).to_contain_text(re.compile(goes))


def list_with_a_contact(admin):
    """Makes a list of contacts with one contact; returns the list's path and the contact's email address."""
    location = admin.post(admin.path("behaviors/lists/new"), {"name": unique("list")})
    own = re.search(r'data-import="([^"]+)/import"', location.text)[1]
    email = f"{unique('c')}@harbor.example"
    token = admin.hidden(location.text, "csrf") or re.search(r'data-form-token="([^"]+)"', location.text)[1]
    body = f"Email\n{email}\n".encode()
    answer = call(admin.server + own + "/import", "PUT", body, {"Inlay-Form": token, "Content-Type": "text/csv"}, admin.opener)
    assert answer.status == 200, answer.text
    return own, email


def test_a_contact_is_removed_only_after_a_question_with_its_name(page, demo, admin):
    own, email = list_with_a_contact(admin)
    page.goto(demo.server + own)
    page.get_by_role("link", name=re.compile("^Remove contact")).click()
    expect_question(page, email, "1 value .*go with it")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_text(email)).to_be_visible()
    page.get_by_role("link", name=re.compile("^Remove contact")).click()
    page.get_by_role("button", name=f"Remove “{email}”").click()
    expect(page.get_by_role("status").filter(has_text=f"Removed “{email}”")).to_be_visible()
    expect(page.get_by_role("table", name="Contacts")).to_have_count(0)


def made(name):
    """Objects to be removed: for each, the form that makes it, the form's fields, the page that lists it, the name of its
    link there, and a pattern of the question's text."""
    condition = {"kind": "event", "event.code": "17", "event.atLeast": "1", "event.days": "1"}
    segment = {f"conditions[0].{field}": value for field, value in condition.items()}
    return [
        ("behaviors/funnels/new", {"name": name, "steps[0].event": "x"}, "behaviors/goals", f"Edit the funnel {name}", "events stay"),
        ("behaviors/goals/new", {"name": name, "step.event": "x"}, "behaviors/goals", f"Edit the goal {name}", "events stay"),
        ("behaviors/segments/new", {"name": name, "match": "all"} | segment, "behaviors/segments", name, "reach no users"),
        ("behaviors/lists/new", {"name": name}, "behaviors/lists", name, r"contacts \(0\) and parts \(0\) go with it"),
        ("ads/publishers/new", {"name": name, "id": name}, "ads/publishers", name, "belongs to it is deleted too"),
    ]


def test_every_object_is_removed_only_after_a_question_with_its_name(page, demo, admin):
    """Each removal is reached through the pages' links, and after Cancel the object still exists."""
    name = unique("thing")
    for path, fields, where, link, goes in made(name):
        admin.post(admin.path(path), fields)
        for answer in ("Cancel", "Delete"):
            page.goto(address(demo, where))
            page.get_by_role("main").get_by_role("link", name=link).first.click()
            page.get_by_role("link", name="Delete…").click()
            expect_question(page, name, goes)
            if answer == "Cancel":
                page.get_by_role("link", name="Cancel").click()
                expect(page.get_by_role("heading", level=1)).not_to_contain_text("Delete")
                assert name in admin.get(admin.path(where)).text, path
        page.get_by_role("button", name=f"Delete “{name}”").click()
        expect(page.get_by_role("status").filter(has_text="Deleted")).to_be_visible()
        assert name not in admin.get(admin.path(where)).text, path


def test_an_operators_new_password_ends_the_old_one_only_after_a_question(page, demo, admin):
    login, operators = unique("operator"), admin.path("settings/operators")
    made = admin.post(f"{operators}/new", {"login": login, "role": "analyst"}, operators)
    theirs = WorkbenchClient(demo.server, login, admin.shown_once(made))
    page.goto(demo.server + operators)
    page.get_by_role("link", name=f"New password for {login}").click()
    expect_question(page, login, "session")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("table", name="Operators")).to_be_visible()
    assert "sign-out" in theirs.get("/workbench").text
    page.get_by_role("link", name=f"New password for {login}").click()
    page.get_by_role("button", name=f"New password for “{login}”").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Password of {login}")
    password = page.locator("#secret").inner_text()
    assert "sign-out" not in theirs.get("/workbench").text
    # The operator can sign in with the new password, and must change it first.
    WorkbenchClient(demo.server, login, password)
    page.goto(demo.server + operators)
    assert password not in page.content()


def test_a_logo_is_removed_only_after_a_question_with_its_applications_name(page, demo, admin, context):
    application = Application(admin)
    own = admin.get(application.path()).text
    upload, token = (re.search(rf'{name}="([^"]+)"', own)[1] for name in ("data-logo", "data-form-token"))
    picture = context.new_page().screenshot(clip={"x": 0, "y": 0, "width": 120, "height": 40})
    taken = call(admin.server + upload, "PUT", picture, {"Inlay-Form": token, "Content-Type": "image/png"}, admin.opener)
    assert taken.status < 300, taken.text
    page.goto(demo.server + application.path())
    logo = page.get_by_role("img", name=f"Logo of {application.name}")
    expect(logo).to_be_visible()
    page.get_by_role("link", name="Remove the logo…").click()
    expect_question(page, application.name, "recovery pages")
    page.get_by_role("link", name="Cancel").click()
    expect(logo).to_be_visible()
    page.get_by_role("link", name="Remove the logo…").click()
    page.get_by_role("button", name=f"Remove the logo of “{application.name}”").click()
    expect(page.get_by_role("status").filter(has_text="Removed the logo")).to_be_visible()
    expect(logo).to_have_count(0)
    page.goto(f"{demo.server}/recover/{application.id}/password")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("img", name=application.name)).to_have_count(0)


REMOVAL = re.compile(r"/(delete|remove|revoke|erase|withdraw|shut-out|opt-out|disable|password)(\?|$)")


def removals(admin):
    """Follows the links and forms of the Workbench's pages; returns one address of each kind that removes something."""
    seen, found, ahead = set(), {}, [admin.path("overview")]
    while ahead:
        path = html.unescape(ahead.pop(0))
        if kind(path) in seen or ".csv" in path:
            continue
        seen.add(kind(path))
        if REMOVAL.search(path):
            found[kind(path)] = path
            continue
        text = admin.get(path).text
        ahead += re.findall(r'<a [^>]*?href="(/workbench/[^"#]*)"', text)
        ahead += [path for path in re.findall(r'<form [^>]*?action="(/workbench/[^"#]*)"', text) if REMOVAL.search(path)]
    return found


def test_no_get_request_removes_anything(admin):
    """A GET of an address that removes something changes nothing, for example when a browser prefetches links: the response
    is a question, also the second time, or 405."""
    list_with_a_contact(admin)
    for path, fields, *_ in made(unique("thing")):
        admin.post(admin.path(path), fields)
    asked = set()
    for name, path in removals(admin).items():
        answers = [admin.get(path) for _ in range(2)]
        if answers[0].status == 405:
            continue
        asked.add(name)
        for answer in answers:
            assert answer.status == 200, path
            assert f'method="post" action="{path.partition("?")[0]}"' in answer.text, path
    assert asked >= {
        f"/workbench/e/harbor/{place}"
        for place in (
            "ads/publishers/*/delete", "behaviors/funnels/*/delete", "behaviors/goals/*/delete",
            "behaviors/lists/*/contacts/*/remove", "behaviors/lists/*/delete", "behaviors/segments/*/delete",
            "hub/main/articles/*/delete", "hub/main/files/delete?path", "settings/keys/*/revoke", "users/*/erase",
        )
    }


def test_a_removed_block_is_put_back_where_it_was(page, demo, admin):
    template = admin.template([{"type": "headline", "text": word} for word in ("one", "two", "three")])
    page.goto(address(demo, "cards/templates", template.id))
    page.get_by_role("textbox", name="Headline", exact=True).first.fill("first")
    page.get_by_role("button", name="Remove Headline").nth(1).click()
    note = page.locator("[data-removed]")
    expect(note).to_contain_text("Removed Headline “two”")
    fields = page.get_by_role("textbox", name="Headline", exact=True)
    expect(fields).to_have_count(2)
    page.get_by_role("button", name="Move Headline up").nth(1).click()
    expect(fields.first).to_have_value("three")
    note.get_by_role("button", name="Undo").click()
    expect_values(fields, ["three", "two", "first"])
    expect(note).to_have_count(0)


def test_undo_restores_a_removed_form_with_its_fields(page, demo, admin):
    inside = [{"type": "textInput", "name": "port", "label": "Which port?"}, {"type": "submitButton", "text": "Go", "buttonName": "go"}]
    template = admin.template([{"type": "form", "children": inside}, {"type": "text", "text": "After."}])
    page.goto(address(demo, "cards/templates", template.id))
    page.get_by_role("button", name="Remove Form").click()
    expect(page.locator("[data-block] h3")).to_have_text(["Text"])
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-block] h3")).to_have_text(["Form", "Text field", "Submit button", "Text"])
    expect(page.get_by_label("Name of the value")).to_have_value("port")


def test_a_send_to_several_users_asks_with_their_number(page, demo, admin, backend):
    user, city = unique("user"), unique("city")
    assert backend.call(f"/v1/users/{user}", {"city": city}, "PUT").status == 204
    template = admin.template([{"type": "headline", "text": "To a city"}])
    send = address(demo, "cards/templates", template.id, "send")
    page.goto(send)
    page.get_by_label("Users by profile").check()
    page.get_by_label("Is exactly").fill(city)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Send “{template.name}” to 1 user?")
    # No card was sent yet. Back shows the form as it was typed.
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_label("Is exactly")).to_have_value(city)
    expect(page.get_by_label("Users by profile")).to_be_checked()
    page.get_by_role("button", name="Send", exact=True).click()
    page.get_by_role("button", name="Send to 1 user").click()
    expect(page.get_by_role("status").filter(has_text="Sent 1 card").first).to_be_visible()
