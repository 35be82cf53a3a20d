"""Importing a file of contacts in the Workbench: unknown columns are mapped, and a preview shows the changes."""

import re

from harbor import unique
from pages import choose, table
from playwright.sync_api import expect
from waiting import until


def open_list(page, demo, admin):
    """Makes a list with the columns Email, Mobile User Id and City, opens its page, and returns the page's path."""
    made = admin.post(admin.path("behaviors/lists/new"), {"name": unique("list")})
    own = re.search(r'data-import="([^"]+)/import"', made.text)[1]
    admin.post(f"{own}/column", {"name": "City", "type": "0"})
    page.goto(demo.server + own)
    return own


def test_an_unknown_column_is_mapped_and_a_broken_line_is_named_before_anything_is_imported(
    workbench, demo, admin, tmp_path
):
    own = open_list(workbench, demo, admin)
    admin.post(f"{own}/column", {"name": "Country", "type": "0"})
    workbench.reload()
    path = tmp_path / "people.csv"
    path.write_text(
        "Email,Town,Shoe\nmaya@harbor.example,Oslo,38\nbroken@harbor.example,Oslo,38,more\njo@harbor.example,Bergen\n"
    )
    choose(workbench, "Import contacts", path)
    panel = workbench.locator("[data-import-panel]")
    expect(panel.get_by_role("status")).to_contain_text("2 new contacts, 0 changed, 1 line with a fault. Nothing has been imported yet.")
    expect(panel.get_by_role("listitem")).to_have_text(["Line 3: 4 values, but the first line names 3 columns."])
    expect(workbench.get_by_text("No contacts found")).to_be_visible()
    assert "maya@" not in admin.get(own).text
    town = panel.get_by_label("Column “Town” of the file")
    expect(town).to_be_focused()
    town.select_option("City")
    expect(panel.get_by_label("Column “Town” of the file")).to_be_focused()
    assert "maya@" not in admin.get(own).text
    panel.get_by_role("button", name="Import").click()
    expect(panel.get_by_role("status")).to_contain_text("2 contacts added, 0 changed, 1 line not imported.")
    panel.get_by_role("link", name="Show the list").click()
    rows = table(workbench, "Contacts")
    assert [row[1:5] for row in rows] == [
        ["maya@harbor.example", "", "Oslo", ""], ["jo@harbor.example", "", "Bergen", ""],
    ]

    # The preview of the same file says that both contacts would be changed.
    choose(workbench, "Import contacts", path)
    expect(panel.get_by_role("status")).to_contain_text("0 new contacts, 2 changed")
    panel.get_by_role("button", name="Cancel").click()
    expect(panel).to_be_empty()


def test_a_search_is_named_only_when_there_was_one(workbench, demo, admin):
    own = open_list(workbench, demo, admin)
    search = workbench.get_by_role("searchbox", name="Find a contact")
    for typed, said in [("", "Contacts come from a file"), ("Bergen", "No value holds “Bergen”.")]:
        search.fill(typed)
        workbench.get_by_role("button", name="Find", exact=True).click()
        workbench.wait_for_url(f"**{own}?q={typed}")
        expect(workbench.locator(".empty p")).to_contain_text(said)


def test_a_file_with_an_invalid_header_is_refused_in_the_panel_and_another_can_be_chosen(workbench, demo, admin, tmp_path):
    open_list(workbench, demo, admin)
    path = tmp_path / "twice.csv"
    path.write_text("Email,email\na@harbor.example,b\n")
    choose(workbench, "Import contacts", path)
    panel = workbench.locator("[data-import-panel]")
    expect(panel.get_by_role("alert")).to_contain_text("The column Email is listed twice.")
    expect(panel.locator("h1, a, svg, button")).to_have_count(0)
    # The panel can be used again after a fault.
    path.write_text("Email\na@harbor.example\n")
    choose(workbench, "Import contacts", path)
    expect(panel.get_by_role("status")).to_contain_text("1 new contact, 0 changed")
    expect(panel.get_by_role("alert")).to_have_count(0)


def test_a_spreadsheet_is_imported_as_it_was_saved(workbench, demo, admin, tmp_path):
    own = open_list(workbench, demo, admin)
    path = tmp_path / "sheet.csv"
    text = "sep=;\r\nEmail;City\r\nmaya@harbor.example;Ålesund, nord\r\njo@harbor.example\r\n;\r\n"
    path.write_bytes("\ufeff".encode("utf-16-le") + text.encode("utf-16-le"))
    choose(workbench, "Import contacts", path)
    panel = workbench.locator("[data-import-panel]")
    expect(panel.get_by_role("status")).to_contain_text("2 new contacts, 0 changed, 0 lines with a fault.")
    panel.get_by_role("button", name="Import").click()
    expect(panel.get_by_role("status")).to_contain_text("2 contacts added")
    assert "Ålesund, nord" in admin.get(own).text


def test_two_columns_are_not_mapped_to_the_same(workbench, demo, admin, tmp_path):
    own = open_list(workbench, demo, admin)
    path = tmp_path / "towns.csv"
    path.write_text("Email,Town,Home\nmaya@harbor.example,Oslo,Bergen\n")
    choose(workbench, "Import contacts", path)
    panel = workbench.locator("[data-import-panel]")
    panel.get_by_label("Column “Town” of the file").select_option("City")
    expect(panel.get_by_role("button", name="Import")).to_be_enabled()
    panel.get_by_label("Column “Home” of the file").select_option("City")
    expect(panel.get_by_role("alert")).to_contain_text("The column City is listed twice.")
    panel.get_by_label("Column “Home” of the file").select_option("")
    expect(panel.get_by_role("alert")).to_have_count(0)
    panel.get_by_role("button", name="Import").click()
    expect(panel.get_by_role("status")).to_contain_text("1 contact added")
    assert "Oslo" in admin.get(own).text and "Bergen" not in admin.get(own).text


def test_an_import_without_a_response_is_reported_as_possibly_done(workbench, demo, admin, tmp_path):
    own = open_list(workbench, demo, admin)
    path = tmp_path / "people.csv"
    path.write_text("Email\nmaya@harbor.example\n")
    panel = workbench.locator("[data-import-panel]")

    def lose(route):
        route.fetch()
        route.abort()

    workbench.route(re.compile(r"/import\?check=on$"), lose, times=1)
    choose(workbench, "Import contacts", path)
    expect(panel.get_by_role("alert")).to_have_text("The server cannot be reached. Nothing was imported.")
    assert "maya@" not in admin.get(own).text

    choose(workbench, "Import contacts", path)
    workbench.route(re.compile(r"/import\??$"), lose, times=1)
    panel.get_by_role("button", name="Import").click()
    expect(panel.get_by_role("alert")).to_have_text(
        "The server cannot be reached. Some contacts may have been imported. When the file is imported again, contacts "
        "with the same key are changed."
    )
    assert "maya@" in admin.get(own).text
    expect(panel.get_by_role("button", name="Import")).to_be_focused()
    panel.get_by_role("button", name="Import").click()
    expect(panel.get_by_role("status")).to_contain_text("0 contacts added, 1 changed")


def test_a_mapping_whose_check_failed_is_checked_again_before_it_is_imported(workbench, demo, admin, tmp_path):
    own = open_list(workbench, demo, admin)
    path = tmp_path / "people.csv"
    path.write_text("Email,Town\nmaya@harbor.example,Oslo\n")
    choose(workbench, "Import contacts", path)
    panel = workbench.locator("[data-import-panel]")
    workbench.route(re.compile(r"/import\?check=on&"), lambda route: route.abort(), times=1)
    panel.get_by_label("Column “Town” of the file").select_option("City")
    expect(panel.get_by_role("alert")).to_have_text("The server cannot be reached. Nothing was imported.")
    panel.get_by_role("button", name="Import").click()
    expect(panel.get_by_role("alert")).to_have_count(0)
    expect(panel.get_by_role("status")).to_contain_text("Nothing has been imported yet.")
    assert "maya@" not in admin.get(own).text
    panel.get_by_role("button", name="Import").click()
    expect(panel.get_by_role("status")).to_contain_text("1 contact added")
    assert "Oslo" in admin.get(own).text


def test_no_other_file_is_chosen_while_one_is_checked(workbench, demo, admin, tmp_path):
    own = open_list(workbench, demo, admin)
    path = tmp_path / "people.csv"
    path.write_text("Email,Town\nmaya@harbor.example,Oslo\n")
    choose(workbench, "Import contacts", path)
    panel, field = workbench.locator("[data-import-panel]"), workbench.get_by_label("Import contacts")
    town = panel.get_by_label("Column “Town” of the file")
    expect(town).to_be_focused()
    expect(field).to_be_enabled()
    held = []
    workbench.route(re.compile(r"/import\?check=on&"), lambda route: held.append(route), times=1)
    town.select_option("City")
    expect(field).to_be_disabled()
    expect(panel.get_by_role("button", name="Import")).to_be_disabled()
    # Each call of the browser also handles its pending messages, and so calls the route's handler.
    until(lambda: workbench.evaluate("true") and held)
    held[0].continue_()
    expect(field).to_be_enabled()
    panel.get_by_role("button", name="Import").click()
    expect(panel.get_by_role("status")).to_contain_text("1 contact added")
    assert "Oslo" in admin.get(own).text
