"""Forms of the Workbench that are sent after the operator's session has ended."""

from harbor import unique
from pages import address, choose, sign_in_beside, sign_out_behind
from playwright.sync_api import expect


def type_segment(workbench, demo) -> str:
    """Fills in a new segment, whose form has no script of its own, and returns the segment's name."""
    name = unique("night")
    workbench.goto(address(demo, "behaviors/segments/new"))
    workbench.get_by_label("Name", exact=True).fill(name)
    workbench.get_by_label("Named").fill("Crossed <at> \"night\"")
    return name


def expect_saved(workbench, name):
    expect(workbench.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(workbench.get_by_label("Named")).to_have_value("Crossed <at> \"night\"")


def expect_nothing_stored(page):
    assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]


def test_a_form_is_saved_after_a_sign_in_in_the_same_tab(workbench, demo):
    name = type_segment(workbench, demo)
    sign_out_behind(workbench)
    workbench.get_by_role("button", name="Save segment").click()
    expect(workbench.get_by_role("alert")).to_contain_text("What you typed is kept on this page.")
    expect(workbench.get_by_label("Login")).to_be_focused()
    workbench.get_by_label("Login").fill("admin")
    workbench.get_by_label("Password").fill("not the password")
    workbench.get_by_role("button", name="Sign in").click()
    expect(workbench.get_by_role("alert")).to_contain_text("wrong")
    expect(workbench.get_by_label("Password")).to_be_focused()
    workbench.get_by_label("Password").fill(demo.password)
    workbench.get_by_role("button", name="Sign in").click()
    expect(workbench.get_by_role("heading", level=1)).to_have_text("You are signed in again.")
    workbench.get_by_text("What you typed", exact=True).click()
    expect(workbench.get_by_text(name)).to_be_visible()
    expect_nothing_stored(workbench)
    workbench.get_by_role("button", name="Send again").click()
    expect_saved(workbench, name)


def test_a_form_is_saved_after_a_sign_in_in_another_tab(workbench, demo):
    name = type_segment(workbench, demo)
    sign_out_behind(workbench)
    sign_in_beside(workbench, demo)
    workbench.get_by_role("button", name="Save segment").click()
    expect(workbench.get_by_role("heading", level=1)).to_have_text("This form is out of date.")
    expect_nothing_stored(workbench)
    workbench.get_by_role("button", name="Send again").click()
    expect_saved(workbench, name)


def test_a_typed_password_is_not_kept_over_a_sign_in(workbench, demo):
    workbench.goto(address(demo, "settings/account"))
    fields = workbench.locator("[type=password]")
    expect(fields).not_to_have_count(0)
    for field in fields.all():
        field.fill("a secret of the night")
    sign_out_behind(workbench)
    workbench.get_by_role("button", name="Change password").click()
    expect(workbench.get_by_role("alert")).to_contain_text("You are signed out.")
    assert "a secret of the night" not in workbench.content()
    expect_nothing_stored(workbench)


def test_a_file_is_uploaded_after_a_sign_in_in_another_tab(workbench, demo):
    """The page's script sends the file with the CSRF token of the current session."""
    workbench.goto(address(demo, "hub/main/files"))
    name = unique("night") + ".svg"
    picture = {"name": name, "mimeType": "image/svg+xml", "buffer": b'<svg xmlns="http://www.w3.org/2000/svg"/>'}
    words = workbench.locator("[data-upload-words]")
    sign_out_behind(workbench)
    choose(workbench, "Add pictures", picture)
    expect(words).to_contain_text("you are signed out")
    sign_in_beside(workbench, demo)
    choose(workbench, "Add pictures", picture)
    expect(workbench.get_by_role("link", name=name, exact=True)).to_be_visible()


def test_an_element_is_added_after_a_sign_in_in_another_tab(workbench, demo, admin):
    template = admin.template([{"type": "headline", "text": "Before"}])
    workbench.goto(address(demo, "cards/templates", template.id))
    workbench.get_by_role("textbox", name="Headline", exact=True).fill("Typed in the night")
    sign_out_behind(workbench)
    sign_in_beside(workbench, demo)
    workbench.locator(".adder").get_by_role("button", name="Category").click()
    expect(workbench.get_by_role("textbox", name="Category", exact=True)).to_be_focused()
    expect(workbench.get_by_role("textbox", name="Headline", exact=True)).to_have_value("Typed in the night")
