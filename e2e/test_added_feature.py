"""A feature that is not part of the server, in a real browser: `probe-server` runs `inlay serve` with this feature added."""

import json
import re

import pytest
from apps import AppUser
from conftest import start, stop
from harbor import WorkbenchClient, call
from pages import address, table
from playwright.sync_api import expect
from waiting import until

PASSWORD = "four ferries before noon"


class Site:
    """A running server with the added feature and an empty database."""

    def __init__(self, folder):
        password = folder / "password"
        password.write_text(PASSWORD)
        settings = {
            "INLAY_PORT": "0", "INLAY_DATABASE": f"sqlite:{folder}/inlay.sqlite",
            "INLAY_FIRST_PASSWORD_FILE": str(password),
        }
        wanted = {"server": r"Inlay listens on (http\S+)"}
        self.process, found = start([], wanted, environment=settings, command="probe-server")
        self.server = found["server"]
        self.workbench = self.server + "/workbench"

    def send(self, app: AppUser, text: str) -> None:
        """Sends a note as an app does."""
        body = json.dumps({"text": text}).encode()
        answer = call(f"{self.server}/v1/probe/notes", "POST", body, app.headers)
        assert answer.status == 204, answer.text


@pytest.fixture
def site(tmp_path):
    site = Site(tmp_path)
    yield site
    stop(site.process)


@pytest.fixture
def page(context):
    """A page on which no script may throw and the content security policy may block nothing."""
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if "Content Security" in line.text else None)
    yield page
    assert complaints == []


def open_entry(page, name):
    """Opens a page through the navigation."""
    page.get_by_role("navigation", name="Workbench").get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def notes(page):
    """The visible notes of the feature's page."""
    return page.get_by_role("list", name="Notes").get_by_role("listitem")


def expect_counted(page, *texts):
    """Reloads the page until it has exactly these notes and marks each as counted."""
    seen = []

    def are_counted():
        page.reload()
        seen.append(sorted(notes(page).all_inner_texts()))
        return seen[-1] == sorted(f"{text} (counted)" for text in texts)

    until(are_counted, seen)


def test_an_added_feature_has_its_navigation_entry_script_condition_and_erasure_of_a_user(page, site):
    page.goto(site.workbench)
    page.get_by_label("Login").fill("admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome to Inlay")
    page.get_by_label("Name", exact=True).fill("Harbor")
    page.get_by_label("Id", exact=True).fill("harbor")
    page.get_by_role("button", name="Create environment").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Harbor")
    open_entry(page, "Probe")
    # The feature added this note when the environment was created.
    expect(notes(page)).to_have_text([re.compile(r"^Welcome \((new|counted)\)$")])

    admin = WorkbenchClient(site.server, "admin", PASSWORD)
    maya, jo = AppUser(site.server, admin), AppUser(site.server, admin)
    site.send(maya, "Two <seals>")
    site.send(jo, "A gull")
    expect_counted(page, "Welcome", "Two <seals>", "A gull")

    # The feature's script filters the notes.
    page.get_by_label("Notes with").fill("SEALS")
    expect(notes(page)).to_have_text(["Two <seals> (counted)"])
    expect(page.get_by_text("1 of 3 notes", exact=True)).to_be_visible()
    page.get_by_label("Notes with").fill("")
    expect(notes(page)).to_have_count(3)
    expect(page.get_by_text("3 of 3 notes", exact=True)).to_be_visible()

    # The feature's condition can be used in a segment.
    page.goto(address(site, "behaviors/segments/new"))
    page.get_by_label("Name", exact=True).fill("Seals")
    page.get_by_label("The user", exact=True).select_option(label="left a note")
    expect(page.get_by_label("Named")).to_be_hidden()
    page.get_by_label("With the word").fill("seals")
    page.get_by_role("button", name="Count users").click()
    expect(page.get_by_text("1 user of 2 now", exact=True)).to_be_visible()
    page.get_by_role("button", name="Save segment").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Seals")
    assert table(page, "Users of the segment") == [[maya.user]]
    segment = page.url

    open_entry(page, "Users")
    page.get_by_role("table", name="Users").get_by_role("link", name=maya.user).click()
    page.get_by_role("link", name="Erase…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Erase “{maya.user}”?")
    page.get_by_role("button", name=f"Erase “{maya.user}”").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Users")
    open_entry(page, "Probe")
    expect_counted(page, "Welcome", "A gull")
    page.goto(segment)
    expect(page.get_by_text("No users at this moment.")).to_be_visible()
