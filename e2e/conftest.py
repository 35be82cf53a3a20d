"""One demo for all browser tests: the real server, the real SDK, a real browser."""

import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
START_LIMIT = 120


@dataclass
class Demo:
    """A running demo and how to reach it."""

    process: subprocess.Popen
    workbench: str
    password: str
    app: str

    @property
    def server(self) -> str:
        return self.workbench.rsplit("/workbench", 1)[0]


def executable() -> Path:
    folder = subprocess.check_output(
        ["swift", "build", "--package-path", str(ROOT / "Server"), "--show-bin-path"], text=True
    ).strip()
    return Path(folder) / "inlay"


def start(arguments: list[str], wanted: dict[str, str]) -> tuple[subprocess.Popen, dict[str, str]]:
    """Starts `inlay` and reads its output until every wanted pattern was seen once."""
    process = subprocess.Popen(
        [str(executable()), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
    )
    found: dict[str, str] = {}
    seen: list[str] = []
    deadline = time.monotonic() + START_LIMIT
    while len(found) < len(wanted):
        ready, _, _ = select.select([process.stdout], [], [], max(0, deadline - time.monotonic()))
        line = process.stdout.readline() if ready else ""
        if not line:
            process.kill()
            raise RuntimeError(f"inlay {' '.join(arguments)} did not start:\n{''.join(seen)}")
        seen.append(line)
        for name, pattern in wanted.items():
            if match := re.search(pattern, line):
                found[name] = match[1]
    return process, found


def stop(process: subprocess.Popen) -> None:
    """Stops as Ctrl-C does; a process that does not stop cleanly is a failure."""
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0


@pytest.fixture(scope="session")
def demo() -> Iterator[Demo]:
    process, found = start(
        ["demo", "--port", "0", "--app-port", "0"],
        {"workbench": r"Workbench\s+(http\S+)", "password": r"password\s+(\S+)", "app": r"The app\s+(http\S+)"},
    )
    yield Demo(process, **found)
    stop(process)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture
def workbench(context: BrowserContext, demo: Demo) -> Page:
    """The Workbench, signed in as admin."""
    page = context.new_page()
    page.goto(demo.workbench)
    page.get_by_label("Login").fill("admin")
    page.get_by_label("Password").fill(demo.password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile(r"/workbench(?!/sign-in)"))
    return page


@pytest.fixture
def phone(context: BrowserContext, demo: Demo) -> Page:
    """The demo app's surface on a page of its own, as wide as a phone."""
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    frame = context.new_page()
    frame.goto(demo.app)
    frame.wait_for_function("document.getElementById('surface').src")
    page.goto(frame.evaluate("document.getElementById('surface').src"))
    frame.close()
    return page
