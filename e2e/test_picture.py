"""The QR code that a set-up shows to a device's camera, read by an independent reader (ZXing) from golden codes and from the
screen."""

import base64
import io
import json
from pathlib import Path

import pytest
import zxingcpp
from light_link import payload
from PIL import Image
from playwright.sync_api import expect

GOLDEN = json.loads(
    (Path(__file__).resolve().parent.parent / "Tests/InlayDevicesViewTests/Fixtures/qr-codes.json").read_text()
)
BORDER = 4


def codes(image: Image.Image) -> list:
    return zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)


def photographed(page) -> str:
    """The text of the only code on the screen. Takes up to 20 screenshots, as a camera does: the first may show a page that
    is not drawn yet."""
    found = []
    for _ in range(20):
        found = codes(Image.open(io.BytesIO(page.screenshot())))
        if found:
            break
    assert len(found) == 1
    return found[0].text


def drawn(modules: str, side: int) -> Image.Image:
    """The picture of a golden code, with four pixels for each module."""
    bits = bin(int("1" + modules, 16))[3:]
    image = Image.new("L", (side + 2 * BORDER,) * 2, 255)
    for place in range(side * side):
        if bits[place] == "1":
            image.putpixel((place % side + BORDER, place // side + BORDER), 0)
    return image.resize((image.width * 4,) * 2, Image.Resampling.NEAREST)


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda one: f"{one['version']}-{one['mask']}-{len(one['text'].encode())}")
def test_every_golden_code_is_read_as_its_text(golden):
    (code,) = codes(drawn(golden["modules"], golden["version"] * 4 + 17))
    assert code.bytes == golden["text"].encode()
    assert (code.extra["Version"], code.extra["DataMask"]) == (str(golden["version"]), golden["mask"])
    assert code.ec_level == "M"


@pytest.mark.parametrize("scheme, width", [("light", 360), ("dark", 1440)])
@pytest.mark.parametrize(
    "network, password",
    [
        ("Harbor guests", "correct horse"),
        # 32 bytes, of several alphabets.
        ("Fährhaus Ærø 海港 ⚓🚢 2", "fünf Wörter für Gäste"),
        # The characters that other formats of Wi-Fi codes escape, and those that HTML escapes.
        ('";:,\\ \'<b>&amp;%20', 'a\\;b:c,"d" <i>&lt; ' + "x" * 44),
        ("Open quay", ""),
    ],
)
def test_a_camera_reads_network_token_and_server_from_the_screen(app, demo, network, password, scheme, width):
    shown = app(viewport=(width, 800), scheme=scheme)
    token = shown.token(network=network, password=password)
    shown.press("picture")
    picture = shown.page.get_by_role("img", name="A code for the device’s camera")
    expect(picture).to_be_visible()
    text = photographed(shown.page)
    assert text.startswith("INLAY1:")
    host = demo.server.removeprefix("http://")
    wanted = payload(network, password, base64.urlsafe_b64decode(token + "=="), host)
    assert base64.b64decode(text.removeprefix("INLAY1:"), validate=True) == wanted
