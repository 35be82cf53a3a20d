"""The Workbench's pages of Devices: applications and their secrets, accounts, devices, the funnel, mails."""

import re

import pytest
from harbor import WorkbenchClient, unique
from looks import is_wide, low_contrast_texts
from owners import PASSWORD, Application, send_as_device
from pages import address, choose, table
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def application(admin):
    return Application(admin)


def test_an_application_is_created_and_its_secret_is_rotated(workbench, demo, admin):
    workbench.goto(address(demo, "devices/applications"))
    if not workbench.get_by_label("Name").is_visible():
        workbench.get_by_text("New application").click()
    name = unique("App")
    workbench.get_by_label("Name").fill(name)
    workbench.get_by_role("button", name="Create application").click()
    first = workbench.locator("#secret").inner_text()
    assert first.startswith("ias_")
    workbench.get_by_role("link", name="I have stored it").click()
    expect(workbench.get_by_role("heading", name=name, level=1)).to_be_visible()
    workbench.wait_for_load_state()
    assert first not in workbench.content()
    workbench.get_by_role("button", name="Create second secret").click()
    second = workbench.locator("#secret").inner_text()
    assert second != first
    workbench.get_by_role("link", name="I have stored it").click()
    # With two active secrets, the page offers no third.
    expect(workbench.get_by_role("button", name="Create second secret")).to_have_count(0)
    workbench.get_by_role("link", name=f"Revoke {first.rsplit('_', 1)[0][:12]}").click()
    workbench.get_by_role("main").get_by_role("button", name=re.compile("^Revoke")).click()
    expect(workbench.get_by_role("status").filter(has_text="Revoked the secret")).to_be_visible()
    expect(workbench.get_by_role("button", name="Create second secret")).to_be_visible()
    workbench.get_by_label("Shortest password").fill("3")
    workbench.get_by_role("button", name="Save the settings").click()
    expect(workbench.locator("#minimumPasswordLength-fault")).to_be_visible()
    workbench.get_by_label("Shortest password").fill("12")
    workbench.get_by_role("button", name="Save the settings").click()
    expect(workbench.get_by_label("Shortest password")).to_have_value("12")


def test_a_logo_is_sent_and_shown_on_the_recovery_page(workbench, demo, application, context, tmp_path):
    workbench.goto(f"{application.server}{application.path()}")
    picture = tmp_path / "logo.png"
    picture.write_bytes(workbench.screenshot(clip={"x": 0, "y": 0, "width": 120, "height": 40}))
    choose(workbench, "A picture", picture)
    logo = workbench.get_by_role("img", name=f"Logo of {application.name}")
    expect(logo).to_be_visible()
    expect(logo).to_have_js_property("naturalWidth", 120)
    (tmp_path / "bad.png").write_bytes(b"<svg onload=alert(1)>")
    choose(workbench, "Another picture", tmp_path / "bad.png")
    expect(workbench.locator("[data-logo-words]")).to_have_text(
        "bad.png was not stored: The logo cannot be used. A PNG, JPEG or WebP picture of at most 128 KiB."
    )
    # A refusal for another reason shows that reason, not the one about the picture.
    workbench.evaluate("() => document.querySelector('[data-logo]').dataset.formToken = 'old'")
    choose(workbench, "Another picture", picture)
    expect(workbench.locator("[data-logo-words]")).not_to_contain_text("128 KiB")
    expect(workbench.locator("[data-logo-words]")).to_contain_text("logo.png was not stored: ")
    page = context.new_page()
    page.goto(f"{application.server}/recover/{application.id}/password")
    shown = page.get_by_role("img", name=application.name)
    expect(shown).to_have_js_property("naturalWidth", 120)


def test_an_account_is_found_logged_out_and_deleted_and_never_shows_a_password(workbench, demo, application):
    owner = application.owner()
    device = owner.device(name="Gate <7>")
    workbench.goto(address(demo, "devices/accounts"))
    workbench.get_by_label("Find an account").fill(owner.email[:12])
    workbench.get_by_label("Find an account").press("Enter")
    workbench.get_by_role("link", name=owner.email).click()
    expect(workbench.get_by_role("heading", name=owner.email, level=1)).to_be_visible()
    expect(workbench.get_by_role("table", name="Devices")).to_contain_text("Gate <7>")
    workbench.wait_for_load_state()
    words = workbench.content()
    assert PASSWORD not in words and "argon2" not in words and owner.token not in words
    workbench.get_by_role("button", name="Log out everywhere").click()
    expect(workbench.get_by_role("status").filter(has_text="logged out everywhere")).to_be_visible()
    assert owner.send("GET", "pairings/pr_x").status == 401
    workbench.get_by_role("link", name="Delete…").click()
    workbench.get_by_role("main").get_by_role("button", name=re.compile("^Delete")).click()
    expect(workbench.get_by_role("status").filter(has_text="Deleted")).to_be_visible()
    assert application.send("POST", "sessions", {"email": owner.email, "password": PASSWORD}).status == 401
    workbench.goto(address(demo, "devices/list?q=" + device["serial"]))
    expect(workbench.get_by_role("heading", name=re.compile("No device"))).to_be_visible()


def test_a_device_is_found_and_removed(workbench, demo, application):
    owner = application.owner()
    device = owner.device()
    workbench.goto(address(demo, "devices/list?q=" + device["serial"].lower()))
    assert [row[1] for row in table(workbench, "Devices")] == [device["serial"]]
    workbench.get_by_role("link", name="Remove reader").click()
    workbench.get_by_role("main").get_by_role("button", name=re.compile("^Remove")).click()
    expect(workbench.get_by_role("status").filter(has_text="Removed")).to_be_visible()
    assert owner.send("DELETE", device["deviceID"]).status == 404


def test_the_funnel_names_the_steps_and_the_reasons_why_set_ups_failed(workbench, demo, admin):
    application = Application(admin)
    owner = application.owner()
    for reason in ["wrongPassword", "wrongPassword", "noInternet"]:
        send_as_device(application.server, "failure", {"pairingToken": owner.pairing()["token"], "reason": reason})
    owner.device()
    workbench.goto(address(demo, f"devices/setup?application={application.id}"))
    steps = {row[0].split("\n")[0]: row[1] for row in table(workbench, "Steps of set-up")}
    assert steps == {"Begun": "4", "Light read": "4", "Claimed": "1", "Paired": "1"}
    reasons = {row[0].split("\n")[0]: row[1] for row in table(workbench, "Reasons")}
    assert reasons == {"Wrong Wi-Fi password": "2", "No internet": "1"}
    widths = [float(bar.get_attribute("width")) for bar in workbench.locator(".step-chart rect").all()]
    assert widths == [300, 300, 75, 75]


def test_mails_are_read_by_an_admin_while_there_is_no_mail_server(workbench, context, demo, admin, application):
    email = f"{unique('mail')}@example.com"
    application.send("POST", "accounts", {"email": email})
    workbench.goto(address(demo, "devices/mails"))
    expect(workbench.get_by_text("No mail server is configured.")).to_be_visible()
    workbench.get_by_role("row").filter(has_text=email).get_by_role("link").click()
    assert re.fullmatch(r"[A-Z2-9]{4}-[A-Z2-9]{4}", workbench.locator("#code").inner_text())
    login = unique("ana")
    page = admin.post(admin.path("settings/operators/new"), {"login": login, "role": "analyst"}, admin.path("settings/operators"))
    analyst = WorkbenchClient(demo.server, login, admin.shown_once(page))
    seen = analyst.get(admin.path("devices/mails")).text
    assert email in seen and "/devices/mails/" not in seen
    assert analyst.get(workbench.url.removeprefix(demo.server)).status == 403


PAGES = ["applications", "applications/{id}", "accounts", "accounts/{account}", "list", "setup", "mails"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_of_devices_scrolls_sideways_and_all_words_can_be_read(workbench, demo, application, width, scheme):
    owner = application.owner()
    owner.device(name="A device with rather a long name, as people do")
    send_as_device(application.server, "failure", {"pairingToken": owner.pairing()["token"], "reason": "noInternet"})
    workbench.set_viewport_size({"width": width, "height": 800})
    workbench.emulate_media(color_scheme=scheme)
    wrong = {}
    for path in PAGES:
        workbench.goto(address(demo, "devices/" + path.format(id=application.id, account=owner.id)))
        found = low_contrast_texts(workbench) + (["wide"] if is_wide(workbench, width) else [])
        if found:
            wrong[path] = found
    assert wrong == {}


def test_devices_are_found_and_removed_with_the_keyboard_alone(workbench, demo, application):
    device = application.owner().device(name="Keys")
    workbench.goto(address(demo, "devices/list"))
    workbench.get_by_label("Find a device").focus()
    workbench.keyboard.type(device["serial"])
    workbench.keyboard.press("Enter")
    # The list shows the device before the search as well, so the test waits for the address of the result.
    workbench.wait_for_url(f"**/devices/list?q={device['serial']}")
    expect(workbench.get_by_role("row").filter(has_text=device["serial"])).to_have_count(1)
    expect(workbench.get_by_label("Find a device")).to_have_value(device["serial"])
    workbench.get_by_role("link", name="Remove Keys").focus()
    workbench.keyboard.press("Enter")
    expect(workbench.get_by_role("heading", name="Remove “Keys”?")).to_be_visible()
    workbench.get_by_role("link", name="Cancel").focus()
    workbench.keyboard.press("Shift+Tab")
    workbench.keyboard.press("Enter")
    expect(workbench.get_by_role("status").filter(has_text="Removed “Keys”.")).to_be_visible()
