"""A running app that sets up a device, and the page that it shows."""

import base64
import select

from harbor import unique
from playwright.sync_api import expect
from waiting import SECONDS_TO_WAIT

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class SetupApp:
    """A running app with its page."""

    def __init__(self, page, process, address):
        self.page, self.process = page, process
        self.page.goto(address)

    def on(self, screen):
        expect(self.page.locator(f"[data-setup='{screen}']")).to_be_attached()

    def press(self, event):
        self.page.locator(f"[data-event='{event}']:not(:disabled)").click()

    def button(self, event):
        return self.page.locator(f"[data-event='{event}']")

    def fill(self, **fields):
        for name, value in fields.items():
            self.page.locator(f"#setup-{name}").fill(value)
        self.page.locator("form [type=submit]").click()

    def heard(self):
        """Returns the next event that the app received."""
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS_TO_WAIT)
        assert ready, "the app heard nothing"
        return self.process.stdout.readline().decode().strip().removeprefix("heard ")

    def to_network(self, email=None):
        self.on("mail")
        self.fill(email=email or f"{unique('ada')}@example.com")
        self.on("network")
        assert [self.heard(), self.heard()] == ["authenticated true", "authorized true"]

    def to_safety(self, network="Harbor guests", password="correct horse"):
        self.to_network()
        self.fill(network=network, password=password)
        self.on("safety")

    def token(self, **network):
        """The pairing token, decoded from the code that a person reads on the screen and types on the device."""
        self.to_safety(**network)
        self.press("typed")
        self.on("typed")
        text = self.page.locator(".setup-typed-code").inner_text().replace(" ", "")
        assert len(text) == 26
        number = sum(ALPHABET.index(letter) << 5 * place for place, letter in enumerate(reversed(text)))
        return base64.urlsafe_b64encode((number >> 2).to_bytes(16, "big")).decode().rstrip("=")
