"""One demo for all browser tests of a process: the real server, the real SDK, a real browser."""

import functools
import json
import os
import re
import select
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest
from ads_app import FILE, SLOW, AdPage, AdsApp, ad_response, record, vast
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from harbor import ENVIRONMENT, Backend, WorkbenchClient, Template, unique
from owners import Application
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Playwright,
    expect,
    sync_playwright,
)
from programs import ROOT, expect_end, program
from setup_app import SetupApp
from waiting import SECONDS_TO_WAIT

# The demo first makes a week of history.
SECONDS_TO_START = 120
# The deadline of auctions is long, so that no bidder misses it because the machine is busy.
DEMO = ["demo", "--port", "0", "--app-port", "0", "--ads-milliseconds", "30000"]
expect.set_options(timeout=SECONDS_TO_WAIT * 1000)


# The slowest test files, the slowest first: with several processes, none of them starts when the others are done.
LONGEST = [
    "test_accessibility", "test_devices", "test_hub_isolation", "test_workbench", "test_ads_processor", "test_ads_limits",
    "test_ads_isolation", "test_ads_endcards", "test_phone", "test_ads_looks", "test_editor", "test_ads_mraid", "test_demo",
    "test_hub", "test_light",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the slowest files first, and keeps the order within a file."""
    rank = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.stem, len(rank)))


@dataclass
class Demo:
    """A running demo with its addresses and the admin's password."""

    process: subprocess.Popen
    workbench: str
    password: str
    app: str

    @property
    def server(self) -> str:
        return self.workbench.rsplit("/workbench", 1)[0]


def start(
    arguments: list[str], wanted: dict[str, str], through=(), environment: dict[str, str] | None = None, command="inlay"
) -> tuple[subprocess.Popen, dict[str, str]]:
    """Starts `inlay` or another command, with variables added to the environment, and reads its output until every wanted
    pattern was seen. `through` is the command line of a program that runs the command."""
    process = subprocess.Popen(
        [*through, str(program(command)), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0,
        env=os.environ | (environment or {}),
    )
    found: dict[str, str] = {}
    seen: list[str] = []
    deadline = time.monotonic() + SECONDS_TO_START
    while len(found) < len(wanted):
        ready, _, _ = select.select([process.stdout], [], [], max(0, deadline - time.monotonic()))
        # The pipe is unbuffered (`bufsize=0`): `select` does not see lines in a buffer of this process.
        line = process.stdout.readline().decode() if ready else ""
        if not line:
            process.kill()
            process.wait(timeout=SECONDS_TO_WAIT)
            process.stdout.close()
            raise RuntimeError(f"{' '.join([command, *arguments])} did not start:\n{''.join(seen)}")
        seen.append(line)
        for name, pattern in wanted.items():
            if match := re.search(pattern, line):
                found[name] = match[1]
    return process, found


def stop(process: subprocess.Popen) -> None:
    """Stops as Ctrl-C does; a process that does not stop cleanly is a failure."""
    process.send_signal(signal.SIGINT)
    expect_end(process)


def keep(stream: IO[bytes], path: Path) -> None:
    """Copies a process's output to a file until it ends, because a full pipe would block it."""

    def read() -> None:
        with path.open("wb", buffering=0) as file:
            for line in stream:
                file.write(line)

    threading.Thread(target=read, daemon=True).start()


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> Iterator[Demo]:
    process, found = start(
        DEMO,
        {"workbench": r"Workbench\s+(http\S+)", "password": r"password\s+(\S+)", "app": r"The app\s+(http\S+)"},
    )
    output = tmp_path_factory.mktemp("demo") / "output.txt"
    keep(process.stdout, output)
    yield Demo(process, **found)
    assert process.poll() is None, f"The demo ended by itself:\n{output.read_text(encoding='utf-8')[-4_000:]}"
    stop(process)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """The one driver of all browsers: a second one in the same thread would not start."""
    with sync_playwright() as playwright:
        yield playwright


def launch(playwright: Playwright, *arguments: str) -> Browser:
    """A browser with the tests' common time limit for all its pages.

    Chromium's headless shell takes two thirds of the full browser's processor time. As in the full browser, a frame of
    another site, or without an origin, has a process of its own."""
    chromium = playwright.chromium.launch(
        executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox", "--site-per-process", *arguments]
    )
    chromium.on("context", lambda context: context.set_default_timeout(SECONDS_TO_WAIT * 1000))
    return chromium


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    chromium = launch(playwright)
    yield chromium
    chromium.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield context
    context.close()


@pytest.fixture(scope="session")
def admin(demo: Demo) -> WorkbenchClient:
    """The Workbench's forms, signed in as admin once for all tests, because the server limits sign-ins."""
    return WorkbenchClient(demo.server, "admin", demo.password)


@pytest.fixture(scope="session")
def backend(demo: Demo, admin: WorkbenchClient) -> Backend:
    return Backend(demo.server, admin.secret_key())


@pytest.fixture
def workbench(context: BrowserContext, demo: Demo, admin: WorkbenchClient) -> Page:
    """The Workbench, signed in as admin."""
    context.add_cookies(admin.state())
    page = context.new_page()
    page.goto(demo.workbench)
    return page


@functools.cache
def surface_addresses(app: str) -> dict[str, str]:
    """The addresses of the demo app's surfaces, by name."""
    return json.loads(urllib.request.urlopen(app + "places.json", timeout=SECONDS_TO_WAIT).read())


@pytest.fixture(scope="session")
def surface(demo: Demo) -> str:
    """The address of the demo app's list of cards."""
    return demo.app + surface_addresses(demo.app)["surface"]


@pytest.fixture
def phone(context: BrowserContext, demo: Demo) -> Iterator[Page]:
    """The demo app's list of cards on a page of its own."""
    for page in phone_page(context, demo, "surface"):
        expect(page.locator("[data-slot=list]")).to_be_attached()
        yield page


def phone_page(context: BrowserContext, demo: Demo, place: str) -> Iterator[Page]:
    """A surface of the demo app on a page of its own, as wide as a phone; no script may throw on it."""
    page = context.new_page()
    thrown: list[str] = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    page.on("dialog", lambda dialog: (thrown.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(demo.app + surface_addresses(demo.app)[place])
    # Cards that arrive while the list is scrolled are shown only after a press of this button.
    arrivals = page.get_by_role("button", name="New cards")
    page.add_locator_handler(arrivals, lambda: arrivals.click())
    yield page
    assert thrown == []


class CardSender:
    """A sender of cards to the demo's user Maya, each of a new template."""

    def __init__(self, admin: WorkbenchClient, backend: Backend, phone: Page):
        self.admin, self.backend, self.phone = admin, backend, phone
        self.lifecycles: list[str] = []
        self.given: list[Locator] = []
        self.template: Template | None = None

    def __call__(self, *elements: dict, above=(), subviews=(), priority=5, variables=None, **more) -> Locator:
        """Publishes a template with a unique headline, sends a card of it, and returns the card's locator on the phone."""
        mark = unique("mark")
        headline = {"type": "headline", "text": mark}
        self.template = self.admin.template([*above, headline, *elements], subviews, priority, **more)
        self.lifecycles.append(unique("life"))
        extra = {"variables": variables} if variables else {}
        self.backend.send(self.template.event, lifecycleId=self.lifecycles[-1], **extra)
        self.given.append(self.phone.locator("article.card").filter(has_text=mark))
        return self.given[-1]

    def take_back(self) -> None:
        """Cancels the cards and waits until the app has removed them, so that none disappears during the next test."""
        for lifecycle in self.lifecycles:
            self.backend.cancel(lifecycle)
        for card in self.given:
            expect(card).to_have_count(0)


@pytest.fixture
def send_card(admin: WorkbenchClient, backend: Backend, phone: Page) -> Iterator[CardSender]:
    sender = CardSender(admin, backend, phone)
    yield sender
    sender.take_back()


# ---------------------------------------------------------------- ads

# The SDK's own scripts. A creative's script may throw; these may not.
OUR_SCRIPTS = {
    file.name for module in ("InlaySurface", "InlayAdsView") for file in (ROOT / "Sources" / module / "Resources").glob("*.js")
}
OUR_SCRIPT = re.compile(rf"/(?:{'|'.join(re.escape(name) for name in sorted(OUR_SCRIPTS))})\b")


def thrown_by_sdk(error) -> bool:
    """Whether the innermost frame of the error's stack is in a script of the SDK. The message before the frames may have
    several lines."""
    frames = [line for line in (error.stack or "").splitlines() if line.startswith("    at ")]
    return any(OUR_SCRIPT.search(line) for line in frames[:1])


@pytest.fixture(scope="session")
def media_file(browser, tmp_path_factory):
    """The file of a video of three seconds."""
    path = tmp_path_factory.mktemp("media") / "clip.webm"
    path.write_bytes(record(browser, 3))
    return path


@pytest.fixture
def ads_apps():
    # Stops every app, also after one that does not end cleanly.
    with ExitStack() as running:

        def start(*arguments):
            ads_app = AdsApp(*arguments)
            running.callback(ads_app.stop)
            return ads_app

        yield start


@pytest.fixture
def ad(ads_apps, context):
    """Starts an app with one ad unit and returns its page, by default of a phone's size."""
    thrown = []

    def run(*arguments, viewport=(390, 844), scheme="light", locale=None, slow=False):
        ads_app = ads_apps(*arguments)
        page = context.new_page()
        if slow:
            page.add_init_script(SLOW)
        page.on("pageerror", lambda error: thrown.append(error.stack) if thrown_by_sdk(error) else None)
        page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{ads_app.surface}?locale={locale}" if locale else ads_app.surface)
        expect(page.locator("[data-slot=list]")).to_be_attached()
        return AdPage(page, ads_app)

    yield run
    assert thrown == []


@pytest.fixture
def video(ad, media_file):
    """Starts an app with one ad unit that shows the video, and returns its page."""

    def run(type=2, viewport=(390, 844), close=0, width=0, height=0, scheme="light", ext=None, slow=False, **parts):
        page = ad(viewport=viewport, scheme=scheme, slow=slow)
        page.app.do("file", address=FILE, path=str(media_file), type="video/webm")
        page.show(ad_response(vast(FILE, **parts), type=type, width=width, height=height, close=close, **(ext or {})))
        return page

    return run


# ---------------------------------------------------------------- devices


@pytest.fixture(scope="module")
def key(admin):
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    return admin.api_key(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode())


@pytest.fixture(scope="module")
def open_application(admin):
    """An application that opens accounts at once, and pairs devices before the account's address is proven."""
    return Application(admin, pairsUnproven="on")


@pytest.fixture(scope="module")
def proving_application(admin):
    """An application that opens an account only after its address is proven."""
    return Application(admin, at_once=False, pairsUnproven="on")


@pytest.fixture
def app(context, demo, open_application, key, tmp_path):
    usual = context
    with ExitStack() as running:

        def run(
            *options, application=open_application, viewport=(390, 844), scheme="light", motion="no-preference", context=usual
        ):
            account = ["--application", application.id, "--secret", application.secret] if application else []
            process, found = start(
                ["device", "app", "--server", demo.server, "--environment", ENVIRONMENT, "--key", key, *account, *options],
                {"app": r"The app\s+(http\S+)"},
                environment={"TMPDIR": str(tmp_path)},
            )
            running.callback(stop, process)
            page = context.new_page()
            page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
            page.emulate_media(color_scheme=scheme, reduced_motion=motion)
            return SetupApp(page, process, found["app"])

        yield run
    assert not [*tmp_path.glob("inlay-device-*")], "an app left its folder"


@pytest.fixture(scope="module")
def debugging(playwright):
    """A browser that a simulated device can inspect, and its debugging address."""
    with socket.socket() as held:
        # This socket holds the port until the browser listens on it too, so that no other process gets it.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        chromium = launch(playwright, f"--remote-debugging-port={port}")
    yield chromium, f"http://127.0.0.1:{port}"
    chromium.close()
