"""The recovery pages on a phone, for people who forgot their password or the address of their account."""

import pytest
from owners import Application
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def application(admin):
    return Application(admin)


@pytest.fixture
def narrow(browser, application):
    """A page as wide as a phone, without scripts, which the recovery pages do not need."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    page = context.new_page()
    policies: list[str] = []
    page.on("console", lambda message: policies.append(message.text))
    yield page
    context.close()
    assert [words for words in policies if "Content Security Policy" in words] == []


def fits(page) -> bool:
    """Whether every control is within the window's width and at least 44 pixels high, for a finger."""
    # A page may show its heading before its styles are loaded.
    page.wait_for_load_state()
    boxes = [control.bounding_box() for control in page.locator("button, input:not([type=hidden]), a").all()]
    return all(box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["height"] >= 44 for box in boxes)


def test_a_forgotten_password_is_set_anew_on_a_phone(narrow, application):
    owner = application.owner()
    assert owner.send("GET", "sessions").status == 200
    narrow.goto(f"{application.server}/recover/{application.id}/password")
    expect(narrow.get_by_role("heading", name="Forgot your password?")).to_be_visible()
    assert fits(narrow)
    narrow.get_by_label("Mail address").fill("no address")
    narrow.get_by_role("button", name="Send the code").click()
    expect(narrow.get_by_role("alert")).to_contain_text("not a mail address")
    expect(narrow.get_by_label("Mail address")).to_have_value("no address")
    narrow.get_by_label("Mail address").fill(owner.email)
    narrow.get_by_role("button", name="Send the code").click()
    expect(narrow.get_by_role("heading", name="Choose a new password")).to_be_visible()
    assert fits(narrow)
    narrow.get_by_label("Code from the mail").fill(application.code(owner.email))
    narrow.get_by_label("New password").fill("short")
    narrow.get_by_role("button", name="Set the password").click()
    expect(narrow.get_by_role("alert")).to_contain_text("at least 15 characters")
    assert fits(narrow)
    narrow.get_by_label("New password").fill("another good long one")
    narrow.get_by_role("button", name="Set the password").click()
    expect(narrow.get_by_role("heading", name="Your password is set")).to_be_visible()
    logged_in = application.send("POST", "sessions", {"email": owner.email, "password": "another good long one"})
    assert logged_in.status == 200
    # The account's earlier sessions have ended.
    assert owner.send("GET", "sessions").status == 401


def test_a_forgotten_address_is_sent_by_mail(narrow, application):
    owner = application.owner()
    narrow.goto(f"{application.server}/recover/{application.id}/username")
    expect(narrow.get_by_role("heading", name="Which address did you use?")).to_be_visible()
    assert fits(narrow)
    narrow.get_by_label("Mail address").fill(owner.email)
    narrow.get_by_role("button", name="Send the mail").click()
    expect(narrow.get_by_role("heading", name="Check your mail")).to_be_visible()
    mails = application.admin.get(application.admin.path("devices/mails")).text
    assert mails.index(f"Your account at {application.name}") < mails.index("Your code for")
    narrow.get_by_role("link", name="Try another address").click()
    narrow.get_by_role("link", name="I know the address").click()
    expect(narrow.get_by_role("heading", name="Forgot your password?")).to_be_visible()
