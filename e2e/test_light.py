"""The light link on a real screen: the safety of the flashing square, and what a device reads from its pixels."""

import io
import json
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from light_link import levels, payload
from light_link import page as light_page
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page
from programs import program
from waiting import SECONDS_TO_WAIT_FOR_LIGHT

TOKEN = bytes(range(16))
# The size of a CSS pixel in millimeters. No handheld screen has fewer than 96 CSS pixels per inch; phones have 150 and more.
PIXEL_MM = 25.4 / 96
# WCAG 2.3.1: a flash is a change of at least a tenth of the maximum luminance; an area of at most 0.006 sr, which is
# 3.75 cm² at 25 cm, is safe. The limits here are stricter.
FLASH = round(255 * 0.1)
SIDE_MM, AREA_CM2 = 19.0, 3.6


class Server(ThreadingHTTPServer):
    """A server of the page that also answers the devices' requests as Inlay's server does, and records them."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.posts: list[tuple[str, dict]] = []
        self.refuses = ""
        self.page = ""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.answer(200, "text/html", self.server.page.encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.posts.append((self.path, body))
        if not self.path.endswith("/claim"):
            self.answer(204, "application/json", b"")
        elif body["serial"] == "SIM-late":
            problem = {"code": "pairing-expired", "status": 410, "title": "Too late"}
            self.answer(410, "application/problem+json", json.dumps(problem).encode())
        else:
            self.answer(200, "application/json", b'{"deviceID": "dv_1", "credential": "secret"}')

    def answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    server.page = light_page(levels(payload("Harbor", "ferry-4711", TOKEN, server.host), 24))
    yield server
    server.shutdown()


def linear(image: Image.Image) -> Image.Image:
    """The relative luminance of each pixel; 255 is white."""
    curve = [value / 255 for value in range(256)]
    curve = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in curve]
    light = image.convert("RGB").point([round(255 * part) for part in curve] * 3)
    return light.convert("L", (0.2126, 0.7152, 0.0722, 0))


# Whether the square flashes: it stays black while the page measures the screen's refresh rate.
PLAYS = """() => {
  const canvas = document.querySelector('canvas[data-light-patch]');
  return canvas?.getContext('2d').getImageData(8, 8, 1, 1).data[0] > 0;
}"""
# Waits for 39 frames, which is more than the square stays black before it flashes.
FRAMES_PASS = "() => new Promise(done => { let left = 40; const frame = () => (left -= 1) ? requestAnimationFrame(frame) : done(); frame(); })"


MINIMUM_FRAMES, MAXIMUM_FRAMES = 12, 300


def frame(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def swing(page: Page) -> tuple[list[Image.Image], Image.Image]:
    """Takes screenshots until they have shown the square both black and white. Returns them, and a mask of the pixels that
    flash in them.

    How many screenshots that takes is a matter of chance.
    """
    shown = [frame(page)]
    darkest = brightest = linear(shown[0])
    while len(shown) < MAXIMUM_FRAMES:
        shown.append(frame(page))
        light = linear(shown[-1])
        darkest, brightest = ImageChops.darker(darkest, light), ImageChops.lighter(brightest, light)
        # A pixel flashes if its luminance differs by a tenth between any two frames, consecutive or not.
        flashing = ImageChops.subtract(brightest, darkest).point(lambda change: 255 if change >= FLASH else 0)
        box = flashing.getbbox()
        if len(shown) >= MINIMUM_FRAMES and box:
            # Black and white were both seen.
            if brightest.crop(box).getextrema()[1] == 255 and darkest.crop(box).getextrema()[0] == 0:
                return shown, flashing
    raise AssertionError(f"the square was never seen black and white in {MAXIMUM_FRAMES} frames")


@pytest.mark.parametrize(
    "width, height, scale, zoom",
    [(320, 480, 2, 1), (390, 844, 3, 1), (390, 844, 3, 2.5), (1366, 1024, 2, 1), (1920, 1080, 1, 1), (71, 400, 1, 1)],
)
def test_the_flashing_area_is_within_the_limit_of_wcag_at_every_page_size(
    browser: Browser, server: Server, width: int, height: int, scale: int, zoom: float
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, has_touch=True, is_mobile=zoom > 1
    )
    try:
        page = context.new_page()
        page.goto(f"http://{server.host}/")
        page.get_by_role("button").click()
        page.locator("[data-light-patch]").wait_for()
        if zoom > 1:
            context.new_cdp_session(page).send("Emulation.setPageScaleFactor", {"pageScaleFactor": zoom})
            page.wait_for_function("zoom => visualViewport.scale === zoom", arg=zoom)
            page.evaluate("document.querySelector('canvas').scrollIntoView({ block: 'center', inline: 'center' })")
        page.wait_for_function(PLAYS)
        shown, flashing = swing(page)
    finally:
        context.close()
    box = flashing.getbbox()
    pixel = PIXEL_MM / scale
    area = flashing.histogram()[255] * (pixel / 10) ** 2
    assert max(box[2] - box[0], box[3] - box[1]) * pixel <= SIDE_MM
    assert 0.5 <= area <= AREA_CM2
    # The square has no color, because WCAG has a stricter rule for red flashes.
    for one in shown:
        red, green, blue = one.crop(box).split()
        assert ImageChops.difference(red, green).getbbox() is None
        assert ImageChops.difference(green, blue).getbbox() is None


def test_the_square_does_not_flash_without_a_tap(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    try:
        page = context.new_page()
        page.add_init_script("document.addEventListener('inlay-surface-event', event => { window.lastEvent = event.detail.name; })")
        page.goto(f"http://{server.host}/")
        # After a click of a script, the square is shown but does not flash.
        page.evaluate("document.querySelector('button').click()")
        page.locator("[data-light-patch]").wait_for()
        page.wait_for_function("() => window.lastEvent === 'light-stopped'")
        page.evaluate(FRAMES_PASS)
        shown = [linear(frame(page)) for _ in range(5)]
        assert not page.evaluate(PLAYS)
    finally:
        context.close()
    for light in shown[1:]:
        assert ImageChops.difference(shown[0], light).getbbox() is None


def device(devtools: str, serial: str, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [str(program("inlay")), "device", "simulate", "--devtools", devtools, "--serial", serial, "--patience", "80",
         *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )


def test_simulated_devices_read_the_square_and_join_or_say_why_not(
    debugging: tuple[Browser, str], server: Server
) -> None:
    browser, devtools = debugging
    context = browser.new_context(viewport={"width": 390, "height": 844})
    # All devices read the same square. Each has its arguments and its expected exit code.
    wanted = {
        "SIM-good": (["--wifi", "Harbor=ferry-4711"], 0),
        "SIM-wrong": (["--wifi", "Harbor=another"], 12),
        "SIM-unknown": (["--wifi", "Elsewhere=ferry-4711"], 11),
        "SIM-offline": (["--wifi", "Harbor=ferry-4711", "--no-internet"], 13),
        "SIM-silent": (["--wifi", "Harbor=another", "--first-network"], 12),
        "SIM-late": (["--wifi", "Harbor=ferry-4711"], 14),
    }
    devices = {serial: device(devtools, serial, *arguments) for serial, (arguments, _) in wanted.items()}
    try:
        page = context.new_page()
        page.goto(f"http://{server.host}/")
        page.get_by_role("button").click()
        said = {}
        for serial, process in devices.items():
            said[serial], _ = process.communicate(timeout=SECONDS_TO_WAIT_FOR_LIGHT)
        for serial, (_, code) in wanted.items():
            assert devices[serial].returncode == code, said[serial]
    finally:
        for process in devices.values():
            process.kill()
        context.close()
    assert "light: network Harbor" in said["SIM-good"] and "paired: device dv_1" in said["SIM-good"]
    assert "claim refused 410 pairing-expired" in said["SIM-late"]
    token = "AAECAwQFBgcICQoLDA0ODw"
    claims = [body for path, body in server.posts if path == "/v1/devices/claim"]
    assert {claim["serial"] for claim in claims} == {"SIM-good", "SIM-late"}
    assert {claim["pairingToken"] for claim in claims} == {token}
    failures = [body for path, body in server.posts if path == "/v1/devices/failure"]
    assert sorted(failure["reason"] for failure in failures) == ["networkNotFound", "noInternet", "wrongPassword"]
    assert all(failure["pairingToken"] == token for failure in failures)
    # Five devices are online and report at once that they saw the light; SIM-silent has no network before it joins one.
    assert len([path for path, _ in server.posts if path == "/v1/devices/seen"]) == 5


def test_a_device_that_sees_no_light_says_so(debugging: tuple[Browser, str]) -> None:
    process = device(debugging[1], "SIM-dark", "--patience", "1")
    said, _ = process.communicate(timeout=SECONDS_TO_WAIT_FOR_LIGHT)
    assert process.returncode == 10, said
    assert "no light" in said
