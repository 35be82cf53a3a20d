"""What is lost in the Workbench asks first with its name and what goes with it, or can be undone."""

import re

import pytest
from harbor import call, unique
from pages import address
from playwright.sync_api import expect


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def page(request, browser, desk):
    """The Workbench with and without script."""
    context = browser.new_context(java_script_enabled=request.param, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(40_000)
    context.add_cookies(desk.state())
    yield context.new_page()
    context.close()


def asks(page, name, goes):
    """The page asks with the object's name, and says what goes with it."""
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"“{name}”")
    expect(page.locator("main p")).to_contain_text(re.compile(goes))


def list_with_a_contact(desk):
    """A list of contacts with one contact: its address and the contact's."""
    location = desk.post(desk.path("behaviors/lists/new"), {"name": unique("list")})
    own = re.search(r'data-import="([^"]+)/import"', location.text)[1]
    email = f"{unique('c')}@harbor.example"
    token = desk.hidden(location.text, "csrf") or re.search(r'data-form-token="([^"]+)"', location.text)[1]
    body = f"Email\n{email}\n".encode()
    answer = call(desk.server + own + "/import", "PUT", body, {"Inlay-Form": token, "Content-Type": "text/csv"}, desk.opener)
    assert answer.status == 200, answer.text
    return own, email


def test_a_contact_is_removed_only_after_a_question_with_its_name(page, demo, desk):
    own, email = list_with_a_contact(desk)
    page.goto(demo.server + own)
    page.get_by_role("link", name=re.compile("^Remove contact")).click()
    asks(page, email, "1 value .*go with it")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_text(email)).to_be_visible()
    page.get_by_role("link", name=re.compile("^Remove contact")).click()
    page.get_by_role("button", name=f"Remove “{email}”").click()
    expect(page.get_by_role("status").filter(has_text=f"Removed “{email}”")).to_be_visible()
    expect(page.get_by_role("table", name="Contacts")).to_have_count(0)


def test_every_object_is_removed_only_after_a_question_with_its_name(page, demo, desk):
    """Each removal is reached as a person reaches it; after Cancel the object is still there."""
    name = unique("thing")
    made = {
        "behaviors/funnels/new": ({"name": name, "steps[0].event": "x"}, "behaviors/goals", "events stay"),
        "behaviors/segments/new": ({"name": name, "match": "all", "conditions[0].kind": "event", "conditions[0].code": "17", "conditions[0].atLeast": "1", "conditions[0].days": "1"}, "behaviors/segments", "reach nobody"),
        "ads/publishers/new": ({"name": name, "id": name}, "ads/publishers", "goes with it"),
    }
    for path, (fields, where, goes) in made.items():
        desk.post(desk.path(path), fields)
        page.goto(address(demo, where))
        page.get_by_role("main").get_by_role("link", name=re.compile(name)).first.click()
        page.get_by_role("link", name="Delete…").click()
        asks(page, name, goes)
        page.get_by_role("button", name=f"Delete “{name}”").click()
        expect(page.get_by_role("status").filter(has_text="Deleted")).to_be_visible()
        assert name not in desk.get(desk.path(where)).text, path


def test_no_removal_answers_to_a_get(desk):
    """The page that asks changes nothing by being opened, for example by a browser that fetches links ahead."""
    own, email = list_with_a_contact(desk)
    removal = re.search(rf'href="({own}/contacts/\d+/remove)"', desk.get(own).text)[1]
    assert desk.get(removal).status == 200
    assert email in desk.get(own).text


def test_a_removed_block_is_put_back_where_it_was(page, demo, desk):
    template = desk.template([{"type": "headline", "text": word} for word in ("one", "two", "three")])
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
    expect(fields).to_have_count(3)
    assert [field.input_value() for field in fields.all()] == ["three", "two", "first"]
    expect(note).to_have_count(0)


def test_a_removed_form_comes_back_with_what_is_inside(page, demo, desk):
    inside = [{"type": "textInput", "name": "port", "label": "Which port?"}, {"type": "submitButton", "text": "Go", "buttonName": "go"}]
    template = desk.template([{"type": "form", "children": inside}, {"type": "text", "text": "After."}])
    page.goto(address(demo, "cards/templates", template.id))
    page.get_by_role("button", name="Remove Form").click()
    expect(page.locator("[data-block] h3")).to_have_text(["Text"])
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-block] h3")).to_have_text(["Form", "Text field", "Submit button", "Text"])
    expect(page.get_by_label("Name of the value")).to_have_value("port")


def test_a_send_to_several_users_asks_with_their_number(page, demo, desk, backend):
    user, city = unique("user"), unique("city")
    assert backend.call(f"/v1/users/{user}", {"city": city}, "PUT").status == 204
    template = desk.template([{"type": "headline", "text": "To a city"}])
    send = address(demo, "cards/templates", template.id, "send")
    page.goto(send)
    page.get_by_label("Users by profile").check()
    page.get_by_label("Is exactly").fill(city)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Send “{template.name}” to 1 user?")
    # Nothing went out; Back brings what was typed.
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_label("Is exactly")).to_have_value(city)
    expect(page.get_by_label("Users by profile")).to_be_checked()
    page.get_by_role("button", name="Send", exact=True).click()
    page.get_by_role("button", name="Send to 1 user").click()
    expect(page.get_by_role("status").filter(has_text="Sent 1 card").first).to_be_visible()
