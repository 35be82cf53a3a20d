"""The demo app Harbor on its phone page: its tabs, the banner, the rewarded video, and the ticket reader's set-up."""

import json
import re
import shlex
import subprocess
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from conftest import DEMO, Demo, start, stop
from harbor import WorkbenchClient
from pages import address, table
from playwright.sync_api import expect
from programs import ROOT, program
from waiting import SECONDS_TO_WAIT, SECONDS_TO_WAIT_FOR_LIGHT
from waiting import until as until_it_holds

WANTED = {"workbench": r"Workbench\s+(http\S+)", "password": r"password\s+(\S+)", "app": r"The app\s+(http\S+)"}


def test_two_demos_started_at_once_use_different_ports():
    with ExitStack() as running, ThreadPoolExecutor() as pool:
        starts = [pool.submit(start, ["demo"], WANTED) for _ in range(2)]
        for begun in starts:
            if not begun.exception():
                # A demo that could not listen everywhere has ended with an error, which `stop` reports.
                running.callback(stop, begun.result()[0])
        addresses = [begun.result()[1][name] for begun in starts for name in ("workbench", "app")]
        assert len({re.search(r"//([^/]+)", address)[1] for address in addresses}) == 4
        for address in addresses:
            with urllib.request.urlopen(address, timeout=SECONDS_TO_WAIT) as answer:
                assert answer.status == 200


@pytest.fixture(scope="module")
def harbor():
    """A demo that only this module uses, so that its ledger contains no ads of other tests."""
    process, found = start(DEMO, WANTED)
    yield Demo(process, **found)
    stop(process)


@pytest.fixture(scope="module")
def workbench_client(harbor):
    """The Workbench's forms of this demo."""
    return WorkbenchClient(harbor.server, "admin", harbor.password)


@pytest.fixture
def reports(context, harbor, workbench_client):
    """The Workbench's page of ad reports."""
    context.add_cookies(workbench_client.state())
    page = context.new_page()
    page.goto(address(harbor, "ads/reports"))
    return page


class Phone:
    """Harbor's phone on its page."""

    def __init__(self, page, harbor):
        self.page = page
        page.goto(harbor.app)
        self.tabs = page.get_by_role("navigation", name="Harbor")
        self.banner = page.frame_locator("#banner")
        self.ad = page.frame_locator("#film")
        self.reader = page.frame_locator("#reader")

    def open(self, tab):
        self.tabs.get_by_role("button", name=tab).click()


@pytest.fixture
def phone(context, harbor):
    page = context.new_page()
    thrown = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    yield Phone(page, harbor)
    assert thrown == []


def line(page, name, first):
    """The cells of the row that begins with `first` in a report's table, by column header; empty without such a row."""
    heads = page.get_by_role("table", name=name).locator("thead th").all_inner_texts()
    rows = [row for row in table(page, name) if row[0] == first]
    return dict(zip(heads, rows[0])) if rows else {}


def until(page, name, first, wanted):
    """Reloads the reports until `wanted` is true for a row, and returns the row."""
    found = []

    def is_wanted():
        page.reload()
        found.append(line(page, name, first))
        return wanted(found[-1])

    until_it_holds(is_wanted, found)
    return found[-1]


# ---------------------------------------------------------------- tabs


def test_every_tab_shows_its_screen_and_is_marked_as_current(phone):
    shown = {"Today": "#surface", "Magazine": "#hub", "Extras": "#extras", "Reader": "#reader"}
    expect(phone.tabs.get_by_role("button")).to_have_text(list(shown))
    for tab, screen in shown.items():
        phone.open(tab)
        expect(phone.tabs.locator("[aria-current=page]")).to_have_text(tab)
        for other in shown.values():
            expect(phone.page.locator(other)).to_be_visible(visible=other == screen)
    expect(phone.reader.locator("[data-setup=mail]")).to_be_attached()


# ---------------------------------------------------------------- the banner


def bidder_log(workbench_client):
    """The entries of the simulated bidder's log, with the notices that it received."""
    page = workbench_client.get(workbench_client.path("ads/bidders")).text
    path = re.search(r'href="([^"]+)">A simulated buyer<', page)[1]
    bid = re.search(r"http://127\.0\.0\.1:\d+/bid", workbench_client.get(path).text)[0]
    with urllib.request.urlopen(bid.removesuffix("bid") + "log.json", timeout=SECONDS_TO_WAIT) as log:
        return json.loads(log.read())


def bidder_link(phone):
    """Waits until the banner shows the simulated bidder's ad, and returns its link."""
    link = phone.banner.frame_locator("iframe[data-ad-frame]").get_by_role("link", name="Pier Café: buns from 6:30")
    expect(link).to_be_visible()
    return link


def test_each_impression_of_the_bidder_s_banner_is_billed_and_counted_once(
    phone, workbench_client, reports, harbor, context
):
    bidder_link(phone)
    second = Phone(context.new_page(), harbor)
    expect(second.banner.locator("[data-ad]")).to_be_visible()
    until(reports, "By bidder", "A simulated buyer", lambda line: line.get("Impressions", "0") != "0")
    # A hidden banner makes no further impressions.
    phone.open("Extras")
    second.page.close()
    bills = []

    def settled(line):
        bills[:] = [entry["auction"] for entry in bidder_log(workbench_client) if entry["kind"] == "bill"]
        return line.get("Impressions") == str(len(bills))

    booked = until(reports, "By bidder", "A simulated buyer", settled)
    # The banner loads a new ad every half minute; each impression was billed once.
    assert len(bills) == len(set(bills)) >= 1
    assert booked["Clicks"] == "0"
    # The ad unit's other impressions are of Harbor's own banner.
    assert int(line(reports, "By unit", "Today, at the bottom")["Impressions"]) >= len(bills)


def test_a_tap_on_the_banner_opens_the_advertiser_in_a_new_tab(phone, harbor):
    link = bidder_link(phone)
    banner, cards = (phone.page.locator(place).bounding_box() for place in ("#banner", "#surface"))
    assert banner["height"] >= 50 and cards["y"] + cards["height"] <= banner["y"] + 1, "the banner covers the cards"
    with phone.page.expect_popup() as opened:
        link.click()
    expect(opened.value).to_have_url(f"{harbor.server}/harbor/cafe.svg")
    expect(phone.page.locator("#surface")).to_be_visible()


# ---------------------------------------------------------------- the rewarded video


# Records the state of the video's page at each change. The video takes six seconds, which a busy machine may need for the
# steps before its end, so it plays slowly until a key is pressed.
WITNESS = """addEventListener('loadedmetadata', event => { event.target.playbackRate = 0.1; }, true);
addEventListener('keyup', () => { for (const video of document.querySelectorAll('video')) video.playbackRate = 1; });
new MutationObserver(() => {
  const video = document.querySelector('video');
  if (video) (window.witnessed ??= []).push({
    ended: video.ended,
    closes: document.querySelectorAll('[data-ad-close]').length,
    says: document.querySelector('.ad-mark')?.textContent.trim() ?? '',
  });
}).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });"""


def test_a_rewarded_video_gives_one_reward_at_its_end_and_cannot_be_closed_before(context, harbor, reports):
    context.add_init_script(WITNESS)
    phone = Phone(context.new_page(), harbor)
    phone.open("Extras")
    coffees = phone.page.locator(".coffees")
    expect(coffees).to_have_text("0 coffees waiting")
    phone.page.get_by_role("button", name="Watch the film").click()
    video = phone.ad.locator("video")
    expect(video).to_be_visible()
    expect(phone.tabs).to_be_hidden()
    video.press("Escape")
    # Escape did not close the video: the close button and the reward come at its end.
    close = phone.ad.locator("[data-ad-close]")
    expect(close).to_be_visible()
    expect(phone.ad.locator(".ad-mark")).to_contain_text("Reward earned")
    seen = video.evaluate("() => window.witnessed")
    end = next(place for place, moment in enumerate(seen) if moment["ended"])
    assert any("Reward in" in moment["says"] for moment in seen[:end])
    assert not any(moment["closes"] or "earned" in moment["says"] for moment in seen[:end])
    close.click()
    expect(phone.tabs).to_be_visible()
    expect(coffees).to_have_text("1 coffee waiting")
    expect(phone.page.get_by_text("Enjoy it on deck.")).to_be_visible()
    until(reports, "By unit", "A film for a coffee", lambda line: line.get("Impressions") == "1")
    # After a reload of the app the user still has this coffee, and no second one for the same video.
    again = Phone(phone.page, harbor)
    again.open("Extras")
    expect(coffees).to_have_text("1 coffee waiting")


# ---------------------------------------------------------------- the ticket reader


USUAL = "http://127.0.0.1:8081/"


def commands():
    """The commands of the guide's section, and the text around them."""
    guide = (ROOT / "Docs" / "GettingStarted.md").read_text()
    section = guide.split("## Set up the ticket reader of the demo\n")[1].split("\n## ")[0]
    return section.split("```")[1].strip(), section


def guided():
    """The words of the guide's command that simulates the device, and the network and password that the device accepts."""
    block, section = commands()
    lines = block.replace("\\\n", " ").splitlines()
    words = shlex.split(next(line for line in lines if "device simulate" in line))
    network, password = words[words.index("--wifi") + 1].split("=")
    assert f"`{network}`" in section
    return words, network, password


def test_the_page_beside_the_phone_shows_the_guide_s_commands_with_the_demo_s_address(phone, harbor):
    expect(phone.page.locator("#commands")).to_be_hidden()
    phone.open("Reader")
    said = phone.page.locator("#commands")
    expect(said).to_be_visible()
    # The page's script inserts the page's address when it has loaded the addresses of the surfaces.
    expect(said).to_contain_text(harbor.app)
    assert said.inner_text().strip() == commands()[0].replace(USUAL, harbor.app)


def walk_to_light(screen, network, password):
    """Fills in the network's screen and continues until the light flashes."""
    screen.get_by_role("button", name=network, exact=True).click()
    screen.get_by_label("Wi-Fi password").fill(password)
    screen.get_by_role("button", name="Continue").click()
    # The countdown runs before the button can be pressed.
    screen.locator("[data-event=light-start]:not(:disabled)").click()
    expect(screen.locator("[data-light-patch]")).to_be_visible()


def test_the_guides_ticket_reader_refuses_a_wrong_password_and_is_paired_with_the_right_one(
    harbor, workbench_client, debugging
):
    browser, devtools = debugging
    words, network, password = guided()
    # The guide's commands are typed in the folder of the checkout.
    assert ROOT / words[0] == program("inlay")
    words[0] = str(program("inlay"))
    words[words.index("--devtools") + 1] = devtools
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    device = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        phone = Phone(context.new_page(), harbor)
        phone.open("Reader")
        screen = phone.reader
        screen.get_by_label("Email address").fill("maya@harbor.example")
        screen.get_by_role("button", name="Continue").click()
        walk_to_light(screen, network, "close the gangway")
        expect(screen.get_by_role("heading", name="The Wi-Fi refused the password")).to_be_visible(timeout=SECONDS_TO_WAIT_FOR_LIGHT * 1000)
        expect(screen.locator(".setup-lead")).to_contain_text("Type the password again")
        screen.locator("[data-event=change-network]").click()
        expect(screen.get_by_label("Network name")).to_have_value(network)
        walk_to_light(screen, network, password)
        said, _ = device.communicate(timeout=SECONDS_TO_WAIT_FOR_LIGHT)
        assert device.returncode == 0, said
        expect(screen.locator("[data-setup=tip]")).to_be_attached()
        assert said.count("wifi: wrongPassword") == 1 and "paired: device" in said
    finally:
        device.kill()
        # pytest shows the simulated reader's output when the test fails.
        print(device.communicate()[0])
        context.close()
    rows = workbench_client.get(workbench_client.path("devices/list")).text
    assert "SIM-0001" in rows and "maya@harbor.example" in rows
