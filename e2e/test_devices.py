"""The set-up of a device as an app shows it, with the real server, and devices that the tests or a program simulate."""

import re
import subprocess

import pytest
from axe import assert_none, faults_of_app
from harbor import unique
from owners import PASSWORD, send_as_device
from playwright.sync_api import expect
from programs import program
from waiting import SECONDS_TO_WAIT_FOR_LIGHT

LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"><rect width="240" height="80" fill="#0E5F66"/></svg>'


def claim(demo, token, **more):
    return send_as_device(demo.server, "claim", {"pairingToken": token, "serial": unique("SN"), "model": "reader"} | more)


# ---------------------------------------------------------------- from mail to paired


def test_the_first_screen_asks_for_the_mail_address(app):
    shown = app()
    shown.on("mail")
    expect(shown.page.get_by_label("Email address")).to_be_editable()
    expect(shown.page.get_by_role("button", name="Continue")).to_be_enabled()
    expect(shown.page.locator("[data-partner-logo]")).to_have_count(0)
    shown.fill(email="abc")
    field = shown.page.get_by_label("Email address")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    expect(field).to_have_value("abc")


def test_a_new_address_leads_to_the_network_and_a_known_network_is_chosen(app):
    shown = app("--network", "Harbor guests", "--network", "Staff")
    shown.to_network()
    for name in ["Harbor guests", "Staff"]:
        shown.page.get_by_role("button", name=name, exact=True).click()
        expect(shown.page.get_by_label("Network name")).to_have_value(name)
        expect(shown.page.get_by_label("Wi-Fi password")).to_be_focused()
    shown.page.keyboard.type("short")
    shown.page.keyboard.press("Enter")
    expect(shown.page.get_by_label("Wi-Fi password")).to_have_attribute("aria-invalid", "true")
    expect(shown.page.get_by_label("Network name")).to_have_value("Staff")
    shown.page.get_by_label("Wi-Fi password").fill("long enough")
    shown.page.keyboard.press("Enter")
    shown.on("safety")


def test_a_device_with_the_token_is_paired_at_once_and_tips_follow(app, demo):
    shown = app()
    token = shown.token()
    assert send_as_device(demo.server, "seen", {"pairingToken": token}).status == 204
    shown.on("waiting")
    answer = claim(demo, token)
    assert answer.status == 200, answer.text
    shown.on("tip")
    expect(shown.page.get_by_role("heading", level=1)).to_have_text("It remembers your Wi-Fi")
    assert shown.heard().startswith("paired SN")
    for _ in range(3):
        shown.press("next")
    shown.on("closed")
    expect(shown.page.locator(".setup-bar")).to_have_count(0)
    expect(shown.page.locator("[data-event]")).to_have_count(0)
    assert shown.heard() == "tips"
    assert shown.heard().startswith("ended SN")


def test_leaving_the_tips_early_ends_the_set_up_without_completing_them(app, demo):
    shown = app()
    assert claim(demo, shown.token()).status == 200
    shown.on("tip")
    shown.press("next")
    expect(shown.page.locator(".setup-number")).to_contain_text("Step 2 of 3")
    shown.press("close")
    shown.on("closed")
    assert shown.heard().startswith("paired")
    assert shown.heard().startswith("ended SN")


def test_without_tips_the_paired_device_is_the_last_screen(app, demo):
    shown = app("--tips", "0")
    assert claim(demo, shown.token()).status == 200
    shown.on("paired")
    shown.press("next")
    shown.on("closed")


# ---------------------------------------------------------------- accounts


def test_an_address_with_an_account_asks_for_its_password(app, open_application):
    owner = open_application.owner()
    shown = app("--password-first")
    shown.on("mail")
    shown.fill(email=owner.email)
    shown.on("log-in")
    expect(shown.page.locator(".setup-lead")).to_contain_text(owner.email)
    field = shown.page.get_by_label("Password")
    expect(field).to_have_attribute("type", "password")
    expect(shown.page.locator("[data-setup=network]")).to_have_count(0)
    shown.fill(password="wrong")
    expect(shown.page.locator("#problem-password")).to_be_visible()
    shown.on("log-in")
    assert shown.heard() == "authenticated false"
    shown.fill(password=PASSWORD)
    shown.on("network")
    assert [shown.heard(), shown.heard()] == ["authenticated true", "authorized true"]


def test_a_forgotten_password_is_reset_in_the_app_or_on_the_web(app, open_application):
    owner = open_application.owner()
    shown = app("--password-first")
    shown.on("mail")
    shown.fill(email=owner.email)
    shown.on("log-in")
    shown.press("forgot-password")
    shown.on("reset")
    with shown.page.expect_popup() as opened:
        shown.press("recover-password")
    expect(opened.value).to_have_url(f"{open_application.server}/recover/{open_application.id}/password")
    expect(opened.value.get_by_role("heading", name="Forgot your password?")).to_be_visible()
    opened.value.close()
    shown.fill(code=open_application.code(owner.email), password="another good long sentence")
    shown.on("log-in")
    shown.fill(password="another good long sentence")
    shown.on("network")


def test_a_forgotten_address_is_found_on_a_page_for_phones(app, open_application):
    shown = app()
    shown.on("mail")
    with shown.page.expect_popup() as opened:
        shown.press("forgot-address")
    page = opened.value
    expect(page).to_have_url(f"{open_application.server}/recover/{open_application.id}/username")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.get_by_role("heading", name="Which address did you use?")).to_be_visible()
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_an_address_is_proven_with_the_code_from_the_mail(app, proving_application):
    email = f"{unique('ada')}@example.com"
    shown = app(application=proving_application)
    shown.on("mail")
    shown.fill(email=email)
    shown.on("code")
    shown.fill(code="WRONG-00")
    expect(shown.page.locator("#problem-code")).to_be_visible()
    shown.fill(code=f" {proving_application.code(email).lower()} ")
    shown.on("network")


def test_an_application_with_a_wrong_secret_is_refused_after_the_mail_address(app, open_application):
    class Wrong:
        id, secret = open_application.id, "wrong"

    shown = app(application=Wrong)
    shown.on("mail")
    shown.fill(email=f"{unique('ada')}@example.com")
    expect(shown.page.locator("[data-result=applicationRefused]")).to_be_visible()
    assert shown.heard() == "authorized false"


# ---------------------------------------------------------------- light


# Records at each change of the page whether the start button is enabled: the countdown takes three seconds.
STARTS = """() => {
  window.starts = [];
  new MutationObserver(() => {
    const button = document.querySelector('[data-event=light-start]');
    if (button) starts.push(!button.disabled);
  }).observe(document.body, { attributes: true, childList: true, subtree: true });
}"""


def test_light_waits_for_the_countdown_and_a_tap(app):
    shown = app()
    shown.to_network()
    shown.page.evaluate(STARTS)
    shown.fill(network="Harbor guests", password="correct horse")
    shown.on("safety")
    expect(shown.page.get_by_text("It flashes fast")).to_be_visible()
    expect(shown.page.locator("canvas")).to_have_count(0)
    expect(shown.button("light-start")).to_be_enabled()
    assert shown.page.evaluate("starts[0]") is False
    # A click of a script does not start the light.
    shown.page.evaluate("document.querySelector('[data-event=light-start]').click()")
    expect(shown.page.get_by_text("The light stopped")).to_be_visible()
    expect(shown.button("light-start")).to_be_enabled()
    shown.press("light-start")
    expect(shown.page.locator("canvas[data-light-patch]")).to_be_visible()


SAMPLE = """frames => new Promise(done => {
  const canvas = document.querySelector('[data-light-patch]');
  const context = canvas.getContext('2d');
  const seen = [];
  const look = () => {
    seen.push([...context.getImageData(8, 8, 1, 1).data.slice(0, 3)]);
    if (seen.length < frames) requestAnimationFrame(look); else done(seen);
  };
  requestAnimationFrame(look);
})"""


def test_the_square_flashes_in_three_greys_and_changes_with_each_level(app):
    shown = app()
    shown.to_safety()
    shown.press("light-start")
    shown.on("light")
    box = shown.page.locator("[data-light-patch]").bounding_box()
    # 19 mm at 96 CSS pixels an inch.
    assert box["width"] <= 71.9 and box["height"] <= 71.9
    # The square is black while the page measures the screen's refresh rate.
    shown.page.wait_for_function("() => document.querySelector('[data-light-patch]').getContext('2d').getImageData(8, 8, 1, 1).data[0] > 0")
    greys = shown.page.evaluate(SAMPLE, 200)
    assert all(red == green == blue for red, green, blue in greys)
    levels = [red for red, _, _ in greys]
    assert set(levels) == {0, 188, 255}
    sent = [int(level) for level in shown.page.locator("[data-light-patch]").get_attribute("data-levels")]
    changes = [{0: 0, 188: 1, 255: 2}[level] for place, level in enumerate(levels) if place == 0 or level != levels[place - 1]]
    assert all(a != b for a, b in zip(sent, sent[1:]))
    # The page paints and the test reads in the same frames, so that a late frame hides no level.
    text, part = "".join(map(str, sent)), "".join(map(str, changes[:12]))
    assert part in text
    assert "correct horse" not in shown.page.content()


def test_the_light_stops_when_the_page_goes_out_of_sight(app):
    shown = app()
    shown.to_safety()
    shown.press("light-start")
    shown.on("light")
    assert shown.heard() == "light true"
    shown.page.evaluate(
        """() => {
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
          document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    shown.on("safety")
    expect(shown.page.get_by_text("The light stopped")).to_be_visible()
    assert shown.heard() == "light false"


def test_a_page_that_is_loaded_again_does_not_flash(app):
    shown = app()
    shown.to_safety()
    shown.press("light-start")
    shown.on("light")
    shown.page.reload()
    shown.on("safety")
    expect(shown.page.locator("canvas")).to_have_count(0)


def test_with_reduced_motion_picture_and_code_come_before_the_light(app):
    shown = app(motion="reduce")
    shown.to_safety()
    order = shown.page.locator(".setup-notice [data-event]").evaluate_all("all => all.map(e => e.dataset.event)")
    assert order == ["picture", "typed", "light-start"]
    shown.press("picture")
    expect(shown.page.get_by_role("img", name="A code for the device’s camera")).to_be_visible()


# ---------------------------------------------------------------- failures


@pytest.mark.parametrize(
    "reason, title, advice",
    [
        ("wrongPassword", "The Wi-Fi refused the password", "Type the password again"),
        ("networkNotFound", "The device cannot find this network", "Check the name"),
        ("noInternet", "The Wi-Fi has no way to the internet", "Check that the router is online"),
    ],
)
def test_a_failure_says_why_and_what_to_do(app, demo, reason, title, advice):
    shown = app()
    token = shown.token()
    assert send_as_device(demo.server, "failure", {"pairingToken": token, "reason": reason}).status == 204
    expect(shown.page.get_by_role("heading", level=1)).to_have_text(title)
    expect(shown.page.locator(".setup-lead")).to_contain_text(advice)
    assert shown.heard() == f"failed {reason}"
    if reason == "noInternet":
        shown.press("try-again")
        shown.on("safety")
    else:
        shown.press("change-network")
        shown.on("network")
        expect(shown.page.get_by_label("Network name")).to_have_value("Harbor guests")
        expect(shown.page.get_by_label("Wi-Fi password")).to_have_value("")


def test_a_signal_of_the_device_s_lamp_selects_the_reason(app):
    shown = app()
    shown.token()
    shown.press("next")
    shown.on("waiting")
    shown.page.get_by_role("button", name=re.compile("no such network")).click()
    expect(shown.page.locator("[data-result=networkNotFound]")).to_be_visible()


@pytest.mark.parametrize("screen", ["mail", "log-in", "network", "safety", "light"])
def test_closing_any_screen_cancels_once(app, open_application, screen):
    shown = app("--password-first")
    shown.on("mail")
    if screen == "log-in":
        shown.fill(email=open_application.owner().email)
    elif screen == "network":
        shown.to_network()
    elif screen in ("safety", "light"):
        shown.to_safety()
    if screen == "light":
        shown.press("light-start")
        assert shown.heard() == "light true"
    shown.on(screen)
    shown.press("close")
    shown.on("closed")
    if screen == "light":
        assert shown.heard() == "light false"
    assert shown.heard() == "ended cancelled"


# ---------------------------------------------------------------- by light


class Light:
    """A set-up in a browser whose screen a simulated device reads."""

    def __init__(self, app, debugging, *arguments):
        browser, devtools = debugging
        self.context = browser.new_context(viewport={"width": 390, "height": 844})
        self.serial = unique("SIM")
        self.device = subprocess.Popen(
            [str(program("inlay")), "device", "simulate", "--devtools", devtools, "--serial", self.serial, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        self.shown = app(context=self.context)

    def shine(self):
        self.shown.to_safety()
        self.shown.press("light-start")
        assert self.shown.heard() == "light true"

    def end(self):
        """Waits until the device's program ends; returns its exit code and output."""
        said, _ = self.device.communicate(timeout=SECONDS_TO_WAIT_FOR_LIGHT)
        return self.device.returncode, said

    def close(self):
        self.device.kill()
        self.context.close()


@pytest.fixture
def by_light(app, debugging):
    made = []

    def run(*arguments):
        made.append(Light(app, debugging, *arguments))
        return made[-1]

    yield run
    for light in made:
        light.close()


def test_from_mail_to_a_paired_device_by_light_alone(by_light):
    light = by_light("--wifi", "Harbor guests=correct horse")
    light.shine()
    code, said = light.end()
    assert code == 0, said
    assert "light: network Harbor guests" in said
    light.shown.on("tip")
    assert light.shown.heard() == "light false"
    assert light.shown.heard() == f"paired {light.serial}"
    for _ in range(3):
        light.shown.press("next")
    light.shown.on("closed")
    # The set-up opened no other page.
    assert len(light.context.pages) == 1


@pytest.mark.parametrize(
    "arguments, reason, exit_code",
    [
        (["--wifi", "Harbor guests=another horse"], "wrongPassword", 12),
        (["--wifi", "Somewhere else=correct horse"], "networkNotFound", 11),
        (["--wifi", "Harbor guests=correct horse", "--no-internet"], "noInternet", 13),
    ],
)
def test_a_device_by_light_that_cannot_join_says_why(by_light, arguments, reason, exit_code):
    light = by_light(*arguments)
    light.shine()
    code, said = light.end()
    assert code == exit_code, said
    expect(light.shown.page.locator(f"[data-result={reason}]")).to_be_visible()
    assert [light.shown.heard(), light.shown.heard()] == ["light false", f"failed {reason}"]


# ---------------------------------------------------------------- looks


def test_a_partners_logo_comes_first_and_is_exactly_the_picture(app, tmp_path):
    logo = tmp_path / "logo.svg"
    logo.write_bytes(LOGO)
    shown = app("--logo", str(logo))
    shown.on("logo")
    image = shown.page.locator("img[data-partner-logo]")
    expect(image).to_be_visible()
    assert image.evaluate("async e => { await e.decode(); return e.naturalWidth > 0; }")
    assert shown.page.evaluate("async () => (await fetch(document.querySelector('img').src)).text()") == LOGO.decode()
    shown.press("next")
    shown.on("mail")


def test_the_tips_can_be_shown_without_a_set_up(app):
    shown = app("--tips-only", application=None)
    titles = []
    for number in range(3):
        expect(shown.page.locator(".setup-number")).to_contain_text(f"Step {number + 1} of 3")
        titles.append(shown.page.get_by_role("heading", level=1).inner_text())
        shown.press("next")
    shown.on("closed")
    assert len(set(titles)) == 3
    assert [shown.heard(), shown.heard()] == ["tips", "ended tips"]


def test_pushed_screens_have_an_arrow_back_and_no_cross(app):
    shown = app("--pushed")
    shown.on("mail")
    bar = shown.page.locator(".setup-bar button")
    expect(bar).to_have_count(1)
    expect(bar).to_have_accessible_name("Back")
    bar.click()
    shown.on("closed")
    assert shown.heard() == "ended cancelled"


SCREENS = [
    "logo", "mail", "code", "log-in", "reset", "network", "safety", "picture", "typed", "waiting", "paired",
    "failed:wrongPassword", "failed:tooLong", "tip:0",
]


@pytest.mark.parametrize("width, scheme", [(360, "light"), (820, "dark"), (1440, "light")])
def test_every_screen_fits_and_has_one_heading_and_named_controls_of_44_pixels(app, width, scheme, tmp_path):
    logo = tmp_path / "logo.svg"
    logo.write_bytes(LOGO)
    for screen in SCREENS:
        shown = app("--screen", screen, "--logo", str(logo), "--network", "Harbor guests", viewport=(width, 800), scheme=scheme, application=None)
        shown.on(screen.split(":")[0])
        page = shown.page
        assert page.evaluate("document.documentElement.scrollWidth") <= width, screen
        heading = page.get_by_role("heading", level=1)
        assert heading.count() == 1 and (screen == "logo" or heading.bounding_box()["x"] >= 16), screen
        for control in page.locator("button:visible, input:visible").all():
            assert control.evaluate("e => e.ariaLabel || e.labels?.[0]?.innerText || e.innerText"), screen
            assert control.bounding_box()["height"] >= 44, screen
        page.close()


def test_axe_finds_nothing_on_the_screens_of_a_set_up(app, tmp_path):
    logo = tmp_path / "logo.svg"
    logo.write_bytes(LOGO)
    wrong = {}
    for screen in SCREENS:
        shown = app("--screen", screen, "--logo", str(logo), "--network", "Harbor guests", application=None)
        shown.on(screen.split(":")[0])
        wrong[screen] = faults_of_app(shown.page)
        shown.page.close()
    assert_none(wrong)


def test_a_tablet_has_the_steps_beside_the_screen(app):
    wide = app("--screen", "network", viewport=(1024, 768), application=None).page
    expect(wide.locator("[data-setup=network]")).to_be_attached()
    rail, form = wide.locator(".setup-rail").bounding_box(), wide.locator(".setup-form").bounding_box()
    assert rail["x"] + rail["width"] <= form["x"]
    expect(wide.locator("[aria-current=step]")).to_have_text("Your Wi-Fi")
    narrow = app("--screen", "network", viewport=(390, 844), application=None).page
    expect(narrow.locator("[data-setup=network]")).to_be_attached()
    rail, form = narrow.locator(".setup-rail").bounding_box(), narrow.locator(".setup-form").bounding_box()
    assert rail["y"] + rail["height"] <= form["y"]
