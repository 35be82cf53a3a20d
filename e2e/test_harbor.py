"""The start of `make demo`: its content, its texts and its shutdown."""

import re
import socket
import urllib.request
from urllib.parse import urlsplit

from conftest import start, stop
from harbor import call
from pages import address, number, table
from waiting import SECONDS_TO_WAIT

# The names of templates that other tests make in the same demo.
MADE = re.compile(r"[a-z]+-[0-9a-f]{10}\b")


def test_the_demo_has_a_dozen_templates_hundreds_of_users_and_a_week_of_events(workbench, demo):
    workbench.goto(address(demo, "cards/templates?sort=-changed"))
    names = []
    while True:
        names += [row[0] for row in table(workbench, "Card templates") if "Published" in row[1]]
        further = workbench.get_by_role("link", name="Next")
        if not further.count():
            break
        further.click()
    harbor = [name for name in names if not MADE.search(name)]
    assert len(harbor) >= 12, names
    workbench.goto(address(demo, "users"))
    words = workbench.locator(".page-head p").inner_text()
    assert 200 <= number(words.split("users")[0]) < 1000
    workbench.goto(address(demo, "cards/analytics?days=7"))
    days = table(workbench, "Numbers by day")
    assert len(days) == 7
    for day in days[1:]:
        assert number(day[1]) > 0 and number(day[2]) > 0, f"nothing happened on {day[0]}"


def test_the_pictures_of_the_demo_are_svg_files_without_scripts(demo):
    for name in ("morning", "wind", "winter"):
        picture = call(f"{demo.server}/harbor/{name}.svg")
        assert picture.status == 200 and picture.headers["Content-Type"].startswith("image/svg+xml")
        assert "<svg" in picture.text and "<script" not in picture.text


def listens(url):
    parts = urlsplit(url)
    with socket.socket() as probe:
        probe.settimeout(5)
        return probe.connect_ex((parts.hostname, parts.port)) == 0


def test_ctrl_c_stops_the_demo_and_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process, found = start(
        ["demo", "--port", "0", "--app-port", "0"],
        {"workbench": r"Workbench\s+(http://127\.0\.0\.1:\S+)", "login": r"sign in as\s+(\S+)",
         "password": r"password\s+(\S{12,})", "app": r"The app\s+(http://127\.0\.0\.1:\S+)"},
    )
    assert found["login"] == "admin"
    for page in (found["workbench"], found["app"]):
        assert urllib.request.urlopen(page, timeout=SECONDS_TO_WAIT).status == 200
    assert list(tmp_path.iterdir()) != []
    stop(process)
    said = process.stdout.read().decode()
    assert said.strip().splitlines()[-1] == "Stopped."
    assert not re.search(r"error|fatal|warning", said, re.IGNORECASE), said
    assert not listens(found["workbench"]) and not listens(found["app"])
    assert list(tmp_path.iterdir()) == []
