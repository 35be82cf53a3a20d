"""The Workbench's Ads pages in a real browser: from a new publisher to a report that agrees with the ledger, the isolation
of creatives, bidders, and invalid traffic."""

import json
import re
import threading
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from apps import AppUser
from conftest import start, stop
from exchange import BANNER, Exchange, Ledger, Unit, dollars
from harbor import EventSender, WorkbenchClient, call, unique
from looks import is_wide, low_contrast_texts
from pages import address, has_left_site, number, press_until, sum_of, table
from playwright.sync_api import expect
from waiting import until

VAST = """<VAST version="4.2"><Ad id="boat"><InLine><AdSystem>Ferries</AdSystem><AdTitle>A crossing</AdTitle>
<Impression>https://t.test/seen</Impression><Error>https://t.test/e?c=[ERRORCODE]</Error><Creatives><Creative>
<Linear skipoffset="00:00:05"><Duration>00:00:30</Duration>
<TrackingEvents><Tracking event="start">https://t.test/start</Tracking></TrackingEvents>
<VideoClicks><ClickThrough>https://shop.test/</ClickThrough></VideoClicks><MediaFiles>
<MediaFile type="video/mp4" width="640" height="360" bitrate="600">https://m.test/small.mp4</MediaFile>
<MediaFile type="video/mp4" width="1280" height="720" bitrate="2400">https://m.test/large.mp4</MediaFile>
<MediaFile type="application/javascript" apiFramework="VPAID">https://m.test/unit.js</MediaFile>
</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"""


@pytest.fixture(scope="module")
def exchange(admin):
    return Exchange(admin)


@pytest.fixture(scope="module")
def ledger(demo):
    return Ledger(demo.process.pid)


@pytest.fixture(scope="module")
def app(demo, admin):
    """An app with a user, whose token can be sent with ad requests."""
    return AppUser(demo.server, admin)


@pytest.fixture(scope="module")
def analyst(demo, admin):
    login = unique("ana")
    page = admin.post(admin.path("settings/operators/new"), {"login": login, "role": "analyst"}, admin.path("settings/operators"))
    return WorkbenchClient(demo.server, login, admin.shown_once(page))


def ads(demo, *parts):
    return address(demo, "ads", *parts)


def expect_saved(page, name):
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=f"Saved “{name}”.")).to_be_visible()


def identity(page, label):
    """An id of the record, which the page shows so that the app can use it."""
    return page.locator(".ids > div").filter(has_text=label).locator("code").inner_text()


def frame(page):
    return page.frame_locator("iframe[title='Preview of the creative']")


def line(page, caption, name):
    """The cells of the row `name` in a report's table, without the name."""
    return next(row[1:] for row in table(page, caption) if row[0] == name)


# ---------------------------------------------------------------- from a publisher to a report


def make_unit(page, demo, name):
    """Makes a publisher, its app and an ad unit through the Workbench's pages, and returns the ad unit."""
    page.goto(ads(demo, "publishers"))
    page.get_by_role("link", name="New publisher").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Create publisher").click()
    expect_saved(page, name)
    page.get_by_role("link", name="New ad app").click()
    page.get_by_label("Name", exact=True).fill(f"{name} app")
    page.get_by_label("Bundle", exact=True).fill("com.example.ferries")
    page.get_by_role("button", name="Create ad app").click()
    expect_saved(page, f"{name} app")
    page.get_by_role("link", name="New ad unit").click()
    page.get_by_label("Name", exact=True).fill(f"{name} front")
    page.get_by_label("Format").select_option("Banner")
    page.get_by_label("Floor price").fill("1.25")
    page.get_by_label("Blocked advertisers").fill("casino.test\nbets.test")
    page.get_by_role("button", name="Create ad unit").click()
    expect_saved(page, f"{name} front")
    return Unit(identity(page, "Ad unit id"), identity(page, "Publisher id"), f"{name} front")


def make_campaign(page, demo, name, unit, segment):
    page.goto(ads(demo, "campaigns"))
    page.get_by_role("link", name="New ad campaign").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Priority").fill("2")
    page.get_by_label("Price").fill("2.5")
    page.get_by_label("Budget").fill("100")
    page.get_by_label("Daily goal").fill("50")
    page.get_by_label("Pace").select_option("as fast as requests come")
    page.get_by_label("Frequency cap").fill("3")
    page.get_by_label("Within").fill("24")
    page.get_by_label("Shown to").select_option(segment)
    page.get_by_label(unit.name).check()
    page.get_by_role("button", name="Create ad campaign").click()
    expect_saved(page, name)


def make_creative(page, name, kind, markup, domain):
    page.get_by_role("link", name="New creative").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Kind").select_option(kind)
    page.get_by_label("Markup").fill(markup)
    page.get_by_label("Click-through address").fill("https://shop.test/?a=1&b=2")
    page.get_by_label("Advertiser's domain").fill(domain)
    page.get_by_label("Width").fill("320")
    page.get_by_label("Height").fill("50")
    page.get_by_role("button", name="Create creative").click()
    expect_saved(page, name)


def segment_of(admin, app, event):
    """Sends an event for the app's user, makes a segment of the users who sent it, and returns the segment's name."""
    EventSender(admin).send(event, user=app.user)
    name, path = unique("segment"), admin.path("behaviors/segments/new")
    fields = {"name": name, "match": "all", "conditions[0].kind": "event", "conditions[0].event.code": "17",
              "conditions[0].event.eventName": event, "conditions[0].event.atLeast": "1", "conditions[0].event.days": "30",
              "op": "save"}
    assert admin.post(path, fields).status == 200
    return name


def test_an_ad_is_set_up_previewed_shown_clicked_and_reported_as_the_ledger_has_it(
    workbench, demo, admin, app, exchange, ledger
):
    name = unique("Ferries")
    unit = make_unit(workbench, demo, name)
    make_campaign(workbench, demo, f"{name} summer", unit, segment_of(admin, app, unique("boarded")))
    make_creative(workbench, "Boat", "HTML", '<a href="${CLICK_URL}">Sail with us</a>', "bets.test")
    link = frame(workbench).get_by_role("link", name="Sail with us")
    expect(link).to_have_attribute("href", "https://shop.test/?a=1&b=2")
    box = workbench.locator("iframe[title='Preview of the creative']").bounding_box()
    assert (round(box["width"]), round(box["height"])) in [(320, 50), (322, 52)]
    # The unit blocks this advertiser. With another advertiser, the campaign is served, but only to its segment.
    assert exchange.request_ad(unit, app.headers).status == 204
    workbench.get_by_label("Advertiser's domain").fill("ferries.test")
    workbench.get_by_role("button", name="Save").click()
    expect_saved(workbench, "Boat")
    assert exchange.request_ad(unit).status == 204
    answers = [until(lambda: ad if (ad := exchange.request_ad(unit, app.headers)).status == 200 else None).body for _ in range(3)]
    assert "Sail with us" in answers[0]["adm"] and (answers[0]["width"], answers[0]["height"]) == (320, 50)
    # The frequency cap is three ads in 24 hours.
    assert exchange.request_ad(unit, app.headers).status == 204
    for answer in answers[:2]:
        for _ in range(2):
            assert call(answer["tracker"]["view"]).status == 204
    until(lambda: call(answers[0]["tracker"]["click"]).status == 204 and ledger.count(unit, "click"))
    assert ledger.sums(unit) == {"view": (2, 5_000_000), "click": (1, 0)}
    assert_reported_as_in_ledger(workbench, demo, ledger, unit, f"{name} summer")


def assert_reported_as_in_ledger(page, demo, ledger, unit, campaign):
    """Fails unless the reports show the ledger's numbers for the unit, the campaign and the whole exchange."""
    page.goto(ads(demo, "reports?days=7"))
    # Requests are counted with a delay after their responses.
    own = until(lambda: page.reload() and (found := line(page, "By unit", unit.name)) and int(found[0]) >= 6 and found)
    assert own[1] == "3" and own[3:] == ["2", "1", "50 %", "$0.0050"]
    # A request is for a unit, not for a campaign, so the rows of campaigns have no requests.
    assert line(page, "By campaign", campaign) == ["3", "2", "1", "50 %", "$0.0050"]

    def is_equal():
        page.reload()
        all_of = ledger.sums()
        views, nanos = all_of["view"]
        shown = [sum_of(page, label).inner_text() for label in ("Impressions", "Clicks", "Revenue")]
        return shown == [f"{views:,}".replace(",", "\u202f"), str(all_of["click"][0]), dollars(nanos)]

    until(is_equal)
    page.wait_for_function("() => window.Chart && Chart.getChart(document.querySelector('canvas[data-chart]'))")
    drawn = page.evaluate(
        """() => Object.fromEntries(Chart.getChart(document.querySelector('canvas[data-chart]')).data.datasets
          .map(line => [line.label, line.data]))""")
    days = table(page, "By day")
    for label, column in [("Requests", 1), ("Filled", 2), ("Impressions", 4)]:
        assert drawn[label][::-1] == [number(row[column]) for row in days]
        assert sum(drawn[label]) == number(sum_of(page, label).inner_text())


def test_invalid_traffic_is_listed_by_its_reason(workbench, demo, admin, exchange):
    unit = exchange.unit()
    exchange.campaign(unit)
    trackers = exchange.request_ad(unit).body["tracker"]
    for tracker in [trackers["click"], trackers["click"], trackers["view"], trackers["view"], f"{demo.server}/ads/t/forged"]:
        assert call(tracker).status == 204
    admin.wait_for(admin.path("ads/refused"), "<code class=\"muted\">malformed</code>")
    workbench.goto(ads(demo, "refused"))
    rows = [[cell.split("\n")[0] for cell in row] for row in table(workbench, "Invalid traffic by reason")]
    own = {row[0]: row[1:4] for row in rows if row[2] == unit.name}
    assert own == {"Before the view before-view": ["click", unit.name, "2"], "Copy copy": ["view", unit.name, "1"]}
    assert ["No tracker malformed", "–", "–"] in [row[:3] for row in rows]


REFUSED_BIDS = [
    {"id": "low", "price": 0.5, "adomain": ["shop.test"], "w": 320, "h": 50},
    {"id": "blocked", "price": 3, "adomain": ["www.casino.test"], "w": 320, "h": 50},
    {"id": "size", "price": 3, "adomain": ["shop.test"], "w": 300, "h": 250},
]


class RefusedBidder(BaseHTTPRequestHandler):
    """A bidder that answers every request with three bids, each of which the exchange refuses."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        bids = [bid | {"impid": request["imp"][0]["id"], "crid": "c", "adm": "<p>Sail</p>"} for bid in REFUSED_BIDS]
        body = json.dumps({"id": request["id"], "cur": "USD", "seatbid": [{"bid": bids}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class QuietBidder(BaseHTTPRequestHandler):
    """A bidder that records every request and makes no bid."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def serving(bidder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), bidder)
    server.requests = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def bid_address(server) -> str:
    return f"http://127.0.0.1:{server.server_port}/bid"


@pytest.fixture
def refused_bidder():
    with serving(RefusedBidder) as server:
        yield bid_address(server)


def test_a_bid_request_contains_the_app_of_the_ad_request_and_no_site(exchange):
    unit = exchange.unit()
    with serving(QuietBidder) as bidder:
        exchange.make("bidders", endpoint=bid_address(bidder), timeout="20000", qps="0", unitIDs=unit.id)
        assert exchange.request_ad(unit).status == 204
        [request] = bidder.requests
    assert "site" not in request
    assert (request["app"]["name"], request["app"]["bundle"]) == ("Ferries", "com.example.ferries")


def test_a_bidders_refused_bids_are_listed_by_their_reason(workbench, demo, admin, exchange, refused_bidder):
    unit = exchange.unit(floorMicros="1", badv="casino.test")
    made = exchange.make("bidders", endpoint=refused_bidder, timeout="20000", qps="0", unitIDs=unit.id, vendorID="755")
    workbench.goto(ads(demo, "bidders", made))
    expect(workbench.get_by_role("heading", name="Refused bids")).to_be_visible()
    expect(workbench.get_by_label("TCF vendor id")).to_have_value("755")
    for _ in range(2):
        assert exchange.request_ad(unit).status == 204
    for reason in ["205 adomain", "100 price", "203 w"]:
        admin.wait_for(admin.path("ads/bidders", made), f"{reason}</code></th><td[^>]*>2<")
    workbench.reload()
    rows = [[cell.split("\n")[0] for cell in row[:2]] for row in table(workbench, "Refused bids by reason")]
    assert sorted(rows) == [["Advertiser blocked 205 adomain", "2"], ["Below the floor price 100 price", "2"],
                            ["Wrong size 203 w", "2"]]


# ---------------------------------------------------------------- typed input


def test_the_times_of_a_unit_are_typed_in_seconds(workbench, demo, exchange):
    unit = exchange.unit(closeTimeout="0.5")
    exchange.campaign(unit)
    assert exchange.request_ad(unit).body["closeTimeout"] == 500
    workbench.goto(ads(demo, "units", unit.id))
    field = workbench.get_by_label("Close delay", exact=True)
    expect(field).to_have_value("0.5")
    expect(field).to_have_accessible_description(re.compile("^seconds"))
    expect(workbench.get_by_label("Longest close delay")).to_have_value("30")
    for wrong in ("61", "500 ms", "0.0005"):
        field.fill(wrong)
        workbench.get_by_role("button", name="Save").click()
        expect(workbench.locator("#closeTimeout-fault")).to_contain_text("From 0 to 60 seconds, such as 5 or 0.5.")
        expect(field).to_have_value(wrong)
    field.fill("2")
    workbench.get_by_role("button", name="Save").click()
    expect_saved(workbench, unit.name)
    expect(field).to_have_value("2")


def test_a_form_with_faults_keeps_what_was_typed_and_leads_to_the_fault(workbench, demo, exchange):
    unit = exchange.unit()
    workbench.goto(ads(demo, "campaigns/new"))
    typed = {"Name": "Summer “sale”", "Priority": "2", "Price": "2,50", "Budget": "9000000000", "Within": "0"}
    for label, value in typed.items():
        workbench.get_by_label(label).fill(value)
    workbench.get_by_label(unit.name).check()
    workbench.get_by_label("Pace").select_option("evenly over its time and each day")
    workbench.get_by_role("button", name="Create ad campaign").click()
    expect(workbench.get_by_role("alert")).to_contain_text("3 fields need a correction")
    expect(workbench.get_by_role("alert")).to_be_focused()
    for label, value in typed.items():
        expect(workbench.get_by_label(label)).to_have_value(value)
    expect(workbench.get_by_label(unit.name)).to_be_checked()
    expect(workbench.get_by_label("Pace")).to_have_value("even")
    expect(workbench.locator("#cpmMicros-fault")).to_contain_text("Write a point before decimals")
    expect(workbench.locator("#budgetMicros-fault")).to_contain_text("At most 1\u202f000\u202f000\u202f000.")
    workbench.get_by_role("link", name=re.compile("^Within:")).click()
    expect(workbench.get_by_label("Within")).to_be_focused()
    workbench.get_by_label("Price").fill("2.50")
    workbench.get_by_label("Budget").fill("")
    workbench.get_by_label("Within").fill("")
    workbench.get_by_role("button", name="Create ad campaign").click()
    expect_saved(workbench, "Summer “sale”")
    expect(workbench.get_by_label(unit.name)).to_be_checked()


def test_markup_that_is_no_vast_is_refused_and_stays_in_the_form(workbench, demo, exchange):
    campaign = exchange.make("campaigns", priority="1", pacing="asap", isEnabled="")
    workbench.goto(ads(demo, f"creatives/new?parent={campaign}"))
    workbench.get_by_label("Name", exact=True).fill("Film")
    workbench.get_by_label("Kind").select_option("VAST")
    workbench.get_by_label("Markup").fill("<p>No film & no 'quotes'</p>\n</textarea><script>alert(1)</script>")
    workbench.get_by_role("button", name="Create creative").click()
    expect(workbench.locator("#markup-fault")).to_contain_text("VAST begins with")
    expect(workbench.get_by_label("Markup")).to_have_value("<p>No film & no 'quotes'</p>\n</textarea><script>alert(1)</script>")
    expect(workbench.get_by_label("Kind")).to_have_value("vast")


def test_a_record_that_another_operator_changed_meanwhile_is_not_overwritten(workbench, demo, admin, exchange):
    publisher = exchange.make("publishers", name="Before")
    workbench.goto(ads(demo, "publishers", publisher))
    admin.post(exchange.path("publishers", publisher), {"name": "Theirs", "isEnabled": "on"})
    workbench.get_by_label("Name", exact=True).fill("Mine")
    workbench.get_by_role("button", name="Save").click()
    expect(workbench.locator("#name-fault")).to_contain_text("changed by somebody else")
    expect(workbench.get_by_label("Name", exact=True)).to_have_value("Mine")
    workbench.goto(ads(demo, "publishers", publisher))
    expect(workbench.get_by_role("heading", name="Theirs", level=1)).to_be_visible()


# ---------------------------------------------------------------- creatives

ESCAPES = """<p id="said"></p><script>
const said = [], note = (name, words) => { said.push(name + ": " + words); document.querySelector("#said").textContent = said.join("; "); };
const tries = {
  origin: () => origin,
  parent: () => parent.document.body.innerHTML.length,
  top: () => { top.location = "https://evil.test/top"; return "left"; },
  cookie: () => document.cookie.length,
  storage: () => localStorage.length,
  window: () => open("https://evil.test/window") ? "opened" : "refused",
  dialog: () => { alert("dialog"); return "no answer"; },
  form: () => { const form = document.createElement("form"); form.action = "https://evil.test/form"; document.body.append(form); form.submit(); return "no answer"; },
};
for (const [name, work] of Object.entries(tries)) {
  try { note(name, work()); } catch (error) { note(name, error.name); }
}
fetch("/workbench").then(() => note("fetch", "answered"), (error) => note("fetch", error.name));
</script>"""
AWAY = """<p id="said">Still here</p><script>location = "https://evil.test/away";</script>"""


@pytest.fixture
def evil(context):
    """Records the requests to another site, and answers them."""
    asked = []

    def take(route):
        asked.append(route.request.url)
        route.fulfill(body="evil", content_type="text/html")

    context.route(re.compile(r"https://evil\.test/"), take)
    return asked


def creative(exchange, markup, **fields):
    # The campaign is inactive: without units it would be served everywhere, in other tests too.
    campaign = exchange.make("campaigns", priority="1", pacing="asap", isEnabled="")
    return exchange.make("creatives", campaign, **{"kind": "html", "markup": markup} | fields)


def test_a_creatives_preview_cannot_run_outside_its_frame(workbench, context, demo, exchange, evil):
    dialogs = []
    workbench.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    path = ads(demo, "creatives", creative(exchange, ESCAPES))
    workbench.goto(path)
    said = frame(workbench).locator("#said")
    expect(said).to_contain_text("fetch: ")
    kept = dict(part.split(": ", 1) for part in said.inner_text().split("; "))
    assert kept["origin"] == "null" and kept["window"] == "refused" and kept["fetch"] == "TypeError"
    assert {kept[name] for name in ("parent", "top", "cookie", "storage")} == {"SecurityError"}
    assert workbench.url == path and len(context.pages) == 1 and dialogs == [] and evil == []
    # Opened without a frame, the creative may leave its page, so `top` is left out. It is still isolated from the Workbench.
    path = ads(demo, "creatives", creative(exchange, re.sub(r"  top: .*\n", "", ESCAPES)))
    workbench.goto(f"{path}/preview")
    expect(workbench.locator("#said")).to_contain_text("fetch: ")
    alone = dict(part.split(": ", 1) for part in workbench.locator("#said").inner_text().split("; "))
    assert alone["origin"] == "null" and alone["cookie"] == alone["storage"] == "SecurityError"
    assert alone["fetch"] == "TypeError" and alone["window"] == "refused" and dialogs == []


def test_a_creatives_preview_cannot_lead_its_frame_to_another_site(workbench, demo, exchange, evil):
    with workbench.expect_event("framenavigated", has_left_site):
        workbench.goto(ads(demo, "creatives", creative(exchange, AWAY)))
    expect(workbench.get_by_role("heading", name="Preview")).to_be_visible()
    assert evil == [] and "/creatives/" in workbench.url


@pytest.mark.parametrize("kind", ["vast", "html"])
def test_a_creatives_addresses_with_http_are_named_and_counted_in_its_preview(workbench, context, demo, exchange, kind):
    asked = []
    context.route(re.compile(r"https?://t\.test/"), lambda route: (asked.append(route.request.url), route.fulfill(status=204)))
    markup = {
        "vast": VAST.replace("https://t.test/", "http://t.test/"),
        "html": "<p>Sail</p><img src='http://t.test/seen'><img src='http://t.test/start'><img src='https://t.test/x'>",
    }[kind]
    workbench.goto(ads(demo, "creatives", creative(exchange, markup, kind=kind)))
    section = workbench.locator("section.sheet", has=workbench.get_by_role("heading", name="Addresses with http"))
    expect(section.locator(".pill")).to_have_text("3 addresses" if kind == "vast" else "2 addresses")
    listed = section.locator("tbody .address").all_inner_texts()
    assert listed == {"vast": ["http://t.test/e?c=[ERRORCODE]", "http://t.test/seen", "http://t.test/start"],
                      "html": ["http://t.test/seen", "http://t.test/start"]}[kind]
    if kind == "html":
        # The preview requests these addresses over https, as apps do.
        until(lambda: workbench.evaluate("() => 0") or len(asked) == 3)
        assert sorted(asked) == ["https://t.test/seen", "https://t.test/start", "https://t.test/x"]
    workbench.goto(ads(demo, "creatives", creative(exchange, markup.replace("http:", "https:"), kind=kind)))
    expect(workbench.get_by_role("heading", level=1)).to_be_visible()
    expect(workbench.get_by_role("heading", name="Addresses with http")).to_have_count(0)


def test_a_vast_creative_shows_what_apps_would_play_call_and_refuse(workbench, demo, exchange):
    made = creative(exchange, VAST, kind="vast")
    workbench.goto(ads(demo, "creatives", made))
    expect(workbench.get_by_role("heading", name="A crossing")).to_be_visible()
    files = [[cell.split("\n")[0] for cell in row] for row in table(workbench, "Files of A crossing")]
    assert [row[1:4] for row in files] == [
        ["Chosen", "1280 × 720", "2\u202f400 kbit/s"], ["Number 2", "640 × 360", "600 kbit/s"],
        ["Program (VPAID)", "not specified", "not specified"],
    ]
    calls = {row[0]: row[1] for row in table(workbench, "Events of A crossing")}
    assert calls == {"Impression": "1", "start": "1", "Error": "1"}
    facts = workbench.locator(".vast-ad .facts")
    expect(facts).to_contain_text("30 s")
    expect(facts).to_contain_text("after 5 s")
    expect(frame(workbench).locator("video")).to_have_attribute("src", "https://m.test/large.mp4")
    workbench.get_by_label("Markup").fill(VAST.replace("https://m.test", "ftp://m.test").replace("A crossing", "<b>x</b>"))
    workbench.get_by_role("button", name="Save").click()
    expect(workbench.get_by_text("Refused with VAST error 403")).to_be_visible()
    workbench.wait_for_load_state()
    assert workbench.locator("iframe").count() == 0 and workbench.locator(".vast-ad b").count() == 0
    workbench.get_by_label("Markup").fill("<VAST version='4.2'><Ad>")
    workbench.get_by_role("button", name="Save").click()
    expect(workbench.get_by_text("Refused with VAST error 100")).to_be_visible()


# ---------------------------------------------------------------- bidders


@pytest.fixture
def bidder():
    with ExitStack() as running:

        def run(*arguments):
            process, found = start(["bidder", "--port", "0", *arguments], {"address": r"The bidder\s+(\S+)"})
            running.callback(stop, process)
            return found["address"]

        yield run


def test_a_bidder_made_in_the_workbench_wins_is_billed_and_is_in_the_report(workbench, demo, admin, exchange, ledger, bidder):
    endpoint, unit, name = bidder("--price-micros", "3000000"), exchange.unit(floorMicros="1"), unique("Buyer")
    workbench.goto(ads(demo, "bidders"))
    workbench.get_by_role("link", name="New bidder").click()
    workbench.get_by_label("Name", exact=True).fill(name)
    workbench.get_by_label("Endpoint").fill("bids.test/openrtb")
    workbench.get_by_label(unit.name).check()
    workbench.get_by_role("button", name="Create bidder").click()
    expect(workbench.locator("#endpoint-fault")).to_contain_text("https:// or http://")
    expect(workbench.get_by_label(unit.name)).to_be_checked()
    workbench.get_by_label("Endpoint").fill(endpoint)
    workbench.get_by_role("button", name="Create bidder").click()
    expect_saved(workbench, name)
    ad = until(lambda: found if (found := exchange.request_ad(unit)).status == 200 else None).body
    assert "Simulated ad of" in ad["adm"]
    assert call(ad["tracker"]["view"]).status == 204
    assert ledger.sums(unit) == {"view": (1, 3_000_000)}
    admin.wait_for(admin.path("ads/reports"), rf">{name}</th>.*?\$0\.0030")
    log = endpoint.replace("/bid", "/log.json")
    until(lambda: "bill" in call(log).text)

    def shown_numbers():
        workbench.reload()
        rows = workbench.locator("dl.numbers > div").all()
        return {row.locator("dt").inner_text(): row.locator(".big").inner_text() for row in rows}

    # Requests are counted in memory and written every second.
    numbers = until(lambda: found if (found := shown_numbers())["Bid requests in 7 days"] != "0" else None)
    assert int(numbers["Won"]) >= 1
    assert numbers["Seen"] == "1" and numbers["Revenue"] == "$0.0030"
    workbench.goto(ads(demo, "reports"))
    assert line(workbench, "By bidder", name)[3:] == ["1", "0", "0 %", "$0.0030"]


def test_a_bidder_that_fails_repeatedly_is_shown_as_paused(workbench, demo, exchange, bidder):
    unit = exchange.unit()
    made = exchange.make("bidders", endpoint=bidder("--behavior", "broken"), timeout="300", qps="0", unitIDs=unit.id)
    workbench.goto(ads(demo, "bidders", made))
    assert workbench.get_by_text("Paused on this server").count() == 0
    for _ in range(6):
        assert exchange.request_ad(unit).status == 204
    workbench.reload()
    expect(workbench.get_by_text("Paused on this server")).to_be_visible()


# ---------------------------------------------------------------- keyboard, looks, roles


def test_a_campaign_is_made_with_the_keyboard_alone(workbench, demo, exchange):
    unit, name = exchange.unit(), unique("keys")
    workbench.goto(ads(demo, "campaigns"))
    press_until(workbench, "Tab", "document.activeElement.textContent.trim() === 'New ad campaign'")
    ring = workbench.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert ring == "2px"
    workbench.keyboard.press("Enter")
    expect(workbench.get_by_label("Priority")).to_be_visible()
    press_until(workbench, "Tab", "document.activeElement.id === 'name'")
    workbench.keyboard.type(name)
    press_until(workbench, "Tab", f"document.activeElement.value === '{unit.id}'", 200)
    workbench.keyboard.press("Space")
    expect(workbench.get_by_label(unit.name)).to_be_checked()
    press_until(workbench, "Tab", "document.activeElement.textContent.trim() === 'Create ad campaign'", 200)
    workbench.keyboard.press("Enter")
    expect_saved(workbench, name)
    expect(workbench.get_by_label(unit.name)).to_be_checked()


@pytest.fixture(scope="module")
def ad_pages(exchange):
    """The paths of all Ads pages, with records that have long names and fill every part of the pages."""
    long = "A place with rather a long name, as people who sell places give them – "
    publisher = exchange.make("publishers", name=long + "publisher")
    app = exchange.make("apps", publisher, name=long + "app", bundle="com.example." + "ferries" * 12)
    unit = exchange.make("units", app, **BANNER | {"name": long + "unit"})
    campaign = exchange.make("campaigns", name=long + "campaign", priority="1", pacing="asap", unitIDs=unit)
    banner = exchange.make("creatives", campaign, kind="html", markup="<p>Sail</p>", width="970", height="250", name=long)
    video = exchange.make("creatives", campaign, kind="vast", markup=VAST.replace("small", "s" * 300), name=long + "film")
    broken = exchange.make("creatives", campaign, kind="vast", markup="<VAST>", name=long + "broken")
    bidder = exchange.make("bidders", name=long + "bidder", endpoint="https://b.example/" + "x" * 200, timeout="300", qps="0")
    exchange.campaign(Unit(unit, publisher, long))
    trackers = exchange.request_ad(Unit(unit, publisher, long)).body["tracker"]
    for tracker in (trackers["click"], trackers["view"]):
        assert call(tracker).status == 204
    return [
        "publishers", f"publishers/{publisher}", f"publishers/{publisher}/delete", f"apps/{app}", f"units/{unit}",
        f"units/new?parent={app}", "campaigns", "campaigns/new", f"campaigns/{campaign}", f"creatives/{banner}",
        f"creatives/{video}", f"creatives/{broken}", "bidders", f"bidders/{bidder}", "deals", "deals/new", "reports",
        "refused",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_of_ads_scrolls_sideways_and_all_words_can_be_read(workbench, demo, ad_pages, width, scheme):
    workbench.set_viewport_size({"width": width, "height": 800})
    workbench.emulate_media(color_scheme=scheme)
    wrong, grounds = {}, set()
    for path in ad_pages:
        workbench.goto(ads(demo, path))
        grounds.add(workbench.evaluate("getComputedStyle(document.body).backgroundColor"))
        found = low_contrast_texts(workbench) + (["wide"] if is_wide(workbench, width) else [])
        if found:
            wrong[path] = found
    assert wrong == {}
    assert grounds == {"rgb(251, 250, 247)" if scheme == "light" else "rgb(18, 20, 21)"}


def test_an_analyst_sees_every_page_of_ads_and_is_offered_nothing_that_changes_it(context, demo, analyst, ad_pages, admin):
    context.add_cookies(analyst.state())
    page = context.new_page()
    for path in ad_pages:
        answer = page.goto(ads(demo, path))
        if path.endswith(("/new", "/delete")) or "/new?" in path:
            assert answer.status == 403, path
            continue
        assert answer.status == 200, path
        assert page.locator("main form[method=post] button:visible").all_inner_texts() == [], path
        assert page.locator("main").get_by_role("link", name=re.compile("^(New|Delete)")).count() == 0, path
        enabled = page.locator("main form[method=post] :is(input:not([type=hidden]), select, textarea):not([readonly]):not(:disabled)")
        assert enabled.count() == 0, path
