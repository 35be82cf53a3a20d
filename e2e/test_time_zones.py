"""The Workbench's days and times are in the environment's time zone: tests with a server whose clock they set."""

import calendar
import os
import signal
import time
from pathlib import Path

import pytest
from conftest import start
from harbor import EventSender, WorkbenchClient
from pages import address, chart_data, table
from playwright.sync_api import expect
from waiting import SECONDS_TO_WAIT

ZONE = "Asia/Kathmandu"  # UTC+5:45, so that neither its days nor its hours begin with those of UTC


class Site:
    """A server whose clock stands still at a time that the test sets."""

    def __init__(self, folder):
        self.folder, self.process, self.admin, self.sender = folder, None, None, None

    def begin(self, moment: str) -> None:
        """Starts the server and makes the environment."""
        password = self.start(moment, {"password": r"^\s*password\s+(\S+)"})["password"]
        self.admin = WorkbenchClient(self.server, "admin", password)
        assert self.admin.post("/workbench/start", {"id": "harbor", "name": "Harbor"}).status == 200
        self.sender = EventSender(self.admin)

    def start(self, moment: str, wanted: dict[str, str]) -> dict[str, str]:
        """Starts the server with its clock at a time in UTC."""
        self.moment = calendar.timegm(time.strptime(moment, "%Y-%m-%d %H:%M"))
        # The wall clock stands still. The monotonic clock, which deadlines use, runs.
        clock = ["env", "TZ=UTC", "faketime", "--exclude-monotonic", "-f", f"{moment}:00"]
        self.process, found = start(
            ["serve", "--database", f"sqlite:{self.folder}/inlay.sqlite", "--port", "0"],
            wanted | {"server": r"Inlay listens on (http\S+)"}, clock,
        )
        self.server = found["server"].rstrip("/")
        self.workbench = self.server + "/workbench"
        return found

    def stop(self) -> None:
        """Stops the server, which is the only child of `faketime`; kills it when it does not end in time."""
        if self.process is None:
            return
        child = int(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()[0])
        os.kill(child, signal.SIGINT)
        try:
            assert self.process.wait(timeout=SECONDS_TO_WAIT) == 0
        finally:
            if self.process.poll() is None:
                os.kill(child, signal.SIGKILL)
            self.process = None

    def move(self, moment: str) -> None:
        """Restarts the server with its clock at another time."""
        self.stop()
        self.start(moment, {})
        self.admin.server = self.sender.server = self.server

    def send(self, name: str, count: int) -> None:
        """Sends events that happen now, by the server's clock."""
        for _ in range(count):
            self.sender.send(name, age=time.time() - self.moment)


@pytest.fixture
def site(tmp_path):
    # 23:50 in Kathmandu.
    site = Site(tmp_path)
    try:
        site.begin("2026-11-22 18:05")
        yield site
    finally:
        site.stop()


def overview(page, site, label: str) -> tuple[str, str]:
    """A number of the Overview, as shown for today and for yesterday."""
    page.goto(address(site, "overview"))
    part = page.locator("dl.numbers > div").filter(has_text=f"{label} today")
    return part.locator(".big").inner_text(), part.locator(".sub").inner_text()


def days(page, site) -> list[list[str]]:
    page.goto(address(site, "behaviors/explorer?days=7"))
    return table(page, "Events by day")


def test_the_explorers_days_are_the_zones_and_agree_with_the_overview_at_both_sides_of_midnight(context, site):
    context.add_cookies(site.admin.state())
    page = context.new_page()
    page.goto(address(site, "settings/environments"))
    zone = page.get_by_label("Time zone", exact=True)
    assert ZONE in zone.evaluate("field => [...field.list.options].map(option => option.value)")
    zone.fill("Kathmandu")
    form = page.locator("form").filter(has=zone)
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#timeZone-fault")).to_contain_text("Europe/Berlin")
    page.get_by_label("Time zone", exact=True).fill(ZONE)
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"The time there is 22 Nov 2026, 23:50 {ZONE}.")).to_be_visible()

    site.send("Boarded", 3)
    assert overview(page, site, "Events") == ("3", "0 yesterday")
    assert days(page, site)[:2] == [["22 Nov so far", "3"], ["21 Nov", "0"]]
    chart = chart_data(page)
    assert chart["labels"][-1] == "22 Nov" and chart["events"][-1] == 3 and len(chart["labels"]) == 7

    site.move("2026-11-22 18:25")  # 00:10 of the next day
    site.send("Boarded", 2)
    assert overview(page, site, "Events") == ("2", "3 yesterday")
    found = days(page, site)
    assert found[:3] == [["23 Nov so far", "2"], ["22 Nov", "3"], ["21 Nov", "0"]] and len(found) == 7
    chart = chart_data(page)
    assert chart["labels"][-2:] == ["22 Nov", "23 Nov"] and chart["events"][-2:] == [3, 2]
    # The chart's line to the current day is dashed.
    dashes = page.evaluate(
        """() => {
          const { borderDash } = Chart.getChart(document.querySelector("canvas[data-chart]")).data.datasets[0].segment;
          return [5, 6].map(place => borderDash({ p1DataIndex: place }) ?? []);
        }"""
    )
    assert dashes == [[], [4, 4]]
    page.goto(address(site, "cards/analytics?days=7"))
    assert table(page, "Numbers by day")[0][0] == "23 Nov so far"
    # The title of an event's time has the exact time in the zone.
    page.goto(address(site, "behaviors/events"))
    assert page.locator("tbody time").first.get_attribute("title") == f"23 Nov 2026, 00:10 {ZONE}"


def test_a_time_is_chosen_with_a_date_picker_in_the_environment_s_time_zone(context, site):
    context.add_cookies(site.admin.state())
    page = context.new_page()
    settings = site.admin.path("settings/environments")
    site.admin.post(f"{settings}/time-zone", {"timeZone": "Europe/Berlin"}, settings)
    page.goto(address(site, "ads/campaigns/new"))
    start_field = page.get_by_label("Start", exact=True)
    assert start_field.get_attribute("type") == "datetime-local"
    page.get_by_label("Name", exact=True).fill("Spring")
    start_field.fill("2027-03-28T02:30")  # skipped: clocks go from 02:00 to 03:00
    page.get_by_label("End", exact=True).fill("2027-04-01T00:00")
    page.locator("main").get_by_role("button").last.click()
    expect(page.get_by_role("heading", level=1, name="Spring")).to_be_visible()
    expect(page.get_by_label("Start", exact=True)).to_have_value("2027-03-28T03:30")
    expect(page.get_by_label("End", exact=True)).to_have_value("2027-04-01T00:00")
    expect(page.get_by_text("Time zone: Europe/Berlin.").first).to_be_visible()
