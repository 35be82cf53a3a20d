"""The Workbench's Behaviors pages in a real browser, over events told at the documented intake."""

import re

import pytest
from harbor import Teller, unique
from pages import address, choose, number, table
from playwright.sync_api import expect

MAYA = "maya"


@pytest.fixture(scope="module")
def teller(demo, desk):
    """A program with an OAuth client that the Workbench made."""
    return Teller(desk)


def behaviors(demo, *parts):
    return address(demo, "behaviors", *parts)


def lines(page):
    """What the chart of the explorer has drawn: each line's name with its counts."""
    page.wait_for_function("() => window.Chart && Chart.getChart(document.querySelector('canvas[data-series]'))")
    return page.evaluate(
        """() => Object.fromEntries(Chart.getChart(document.querySelector('canvas[data-series]')).data.datasets
          .map(line => [line.label, line.data]))"""
    )


# ---------------------------------------------------------------- live events


def test_an_event_appears_in_the_live_stream_without_a_reload_and_not_while_it_is_paused(workbench, demo, teller):
    first, second = unique("seen"), unique("seen")
    # The page's clock stands still, so that the test says when the stream looks.
    workbench.clock.install()
    workbench.goto(behaviors(demo, "events"))
    workbench.evaluate("window.stays = 1")
    asked: list[str] = []
    workbench.on("request", lambda request: asked.append(request.url))
    rows = workbench.get_by_role("table", name="Events, the newest first").locator("tbody tr")
    teller.tell(first, attributes={"Pier": "<b>North</b>"})
    workbench.clock.run_for(2_100)
    row = rows.filter(has_text=first)
    expect(row).to_have_count(1)
    row.locator("summary").click()
    expect(row.locator("dd", has_text="<b>North</b>")).to_be_visible()
    workbench.get_by_role("button", name="Pause").click()
    asked.clear()
    teller.tell(second)
    workbench.clock.run_for(20_000)
    assert asked == [] and rows.filter(has_text=second).count() == 0
    workbench.get_by_role("button", name="Pause").click()
    workbench.clock.run_for(2_100)
    expect(rows.filter(has_text=second)).to_have_count(1)
    assert workbench.evaluate("window.stays") == 1


# ---------------------------------------------------------------- the explorer


def test_the_explorer_filters_groups_and_draws_what_its_table_says(workbench, demo, teller):
    name = unique("boarded")
    for pier, count in {"North": 3, "East": 2, "Old quay": 1}.items():
        for _ in range(count):
            teller.tell(name, attributes={"Pier": pier})
    workbench.goto(behaviors(demo, "explorer"))
    workbench.get_by_label("Name", exact=True).fill(name)
    workbench.get_by_role("button", name="Ask").click()
    expect(workbench.get_by_text("6 events in the last 7 days.")).to_be_visible()
    workbench.get_by_label("Group by").select_option("Pier")
    expect(workbench.get_by_role("columnheader", name="Pier")).to_be_visible()
    assert table(workbench, "Events by group") == [
        ["North", "3", "50 %"], ["East", "2", "33 %"], ["Old quay", "1", "17 %"],
    ]
    drawn = lines(workbench)
    assert {label: sum(counts) for label, counts in drawn.items()} == {"North": 3, "East": 2, "Old quay": 1}
    assert all(len(counts) in (7, 8) for counts in drawn.values())
    # The question stands in the address, so it can be sent to somebody.
    assert f"name={name}" in workbench.url and "by=Pier" in workbench.url
    workbench.get_by_label("Has the attribute").fill("Pier")
    workbench.get_by_label("With the value").fill("East")
    workbench.get_by_role("button", name="Ask").click()
    expect(workbench.get_by_text("2 events in the last 7 days.")).to_be_visible()


# ---------------------------------------------------------------- goals, funnels, campaigns


def test_a_goal_and_a_funnel_count_the_users_who_got_there(workbench, demo, teller):
    viewed, bought, funnel = unique("viewed"), unique("bought"), unique("funnel")
    users = [unique("user") for _ in range(4)]
    for index, user in enumerate(users):
        teller.tell(viewed, user=user, age=120)
        if index < 1:
            teller.tell(bought, code=16, user=user)
        elif index < 2:
            teller.tell(bought, code=15, user=user)
    workbench.goto(behaviors(demo, "goals"))
    workbench.get_by_role("link", name="New funnel").click()
    workbench.get_by_label("Name").fill(funnel)
    workbench.get_by_label("Steps").fill(f"17 {viewed}\nten {bought}")
    workbench.get_by_role("button", name="Keep the funnel").click()
    expect(workbench.locator("#steps-fault")).to_contain_text(f"“ten {bought}”")
    workbench.get_by_label("Steps").fill(f"17 {viewed}\n16 {bought}")
    workbench.get_by_role("button", name="Keep the funnel").click()
    expect(workbench.get_by_role("heading", name=funnel)).to_be_visible()
    assert table(workbench, funnel) == [[viewed, "4", "100 %"], [bought, "1", "25 %"]]
    goal = next(row for row in table(workbench, "Goals") if row[0] == bought)
    assert goal[1:] == ["1", "1", "1", "50 %"]
    workbench.get_by_role("button", name=f"Delete the funnel {funnel}").click()
    expect(workbench.get_by_role("heading", name=funnel)).to_have_count(0)


def test_a_campaign_shows_what_came_of_it_and_leads_to_its_events(workbench, demo, teller):
    campaign, goal = unique("spring"), unique("booked")
    for name, code in [("", 13), (goal, 16), (goal, 16), (goal, 15), (unique("looked"), 17)]:
        teller.tell(name, code=code, attributes={"Campaign Name": campaign})
    workbench.goto(behaviors(demo, "campaigns"))
    row = next(row for row in table(workbench, "Campaigns") if row[0] == campaign)
    assert row[1:] == ["1", "2", "1", "5", f"{goal} (2)"]
    workbench.get_by_role("link", name=campaign).click()
    expect(workbench.get_by_text(re.compile("^5 events in the last"))).to_be_visible()


# ---------------------------------------------------------------- contacts


def test_a_file_of_contacts_is_brought_in_and_its_broken_row_is_named(workbench, demo):
    name, mail = unique("guests"), unique("mail")
    workbench.goto(behaviors(demo, "lists/new"))
    workbench.get_by_label("Name").fill(name)
    workbench.get_by_role("button", name="Make the list").click()
    expect(workbench.get_by_role("heading", level=1, name=name)).to_be_visible()
    file = f"Email,Mobile User Id\n{mail}-1@harbor.example,one\nbroken\n{mail}-2@harbor.example,\"two, too\"\n"
    file = {"name": "guests.csv", "mimeType": "text/csv", "buffer": file.encode()}
    choose(workbench, "Bring contacts in", file)
    expect(workbench.get_by_text("2 contacts added, 0 changed, 1 line not taken.")).to_be_visible()
    expect(workbench.get_by_text(re.compile("^Line 3: "))).to_be_visible()
    workbench.get_by_role("link", name="Show the list").click()
    contacts = workbench.get_by_role("table", name="Contacts").locator("tbody tr")
    expect(contacts).to_have_count(2)
    expect(contacts.filter(has_text="two, too")).to_have_count(1)
    workbench.get_by_label("Find a contact").fill(f"{mail}-1")
    workbench.get_by_role("button", name="Find").click()
    expect(contacts).to_have_count(1)
    contacts.get_by_role("button", name=re.compile("Opt out contact")).click()
    workbench.goto(behaviors(demo, "lists"))
    assert next(row for row in table(workbench, "Contact lists") if name in row[0])[2:4] == ["2", "1"]


# ---------------------------------------------------------------- segments


def test_a_card_sent_to_a_segment_reaches_who_is_in_it(workbench, demo, desk, teller, phone):
    goal, name = unique("crossed"), unique("segment")
    template = desk.template([{"type": "text", "text": "For those who crossed."}])
    workbench.goto(behaviors(demo, "segments/new"))
    workbench.get_by_label("Name", exact=True).fill(name)
    workbench.get_by_label("Named").fill(goal)
    workbench.get_by_role("button", name="How many are they?").click()
    expect(workbench.get_by_text(re.compile(r"^0 users of"))).to_be_visible()
    teller.tell(goal, code=16, user=MAYA)
    # The other kind of condition shows its own fields only.
    workbench.get_by_role("button", name="Add a condition").click()
    second = workbench.get_by_role("group", name="Condition 2")
    second.get_by_label("The user").select_option("contact")
    expect(second.get_by_label("Named")).to_be_hidden()
    second.get_by_label("Column").select_option(label="Passengers: Mobile User Id")
    second.get_by_label("With", exact=True).fill(MAYA)
    workbench.get_by_role("button", name="How many are they?").click()
    expect(workbench.get_by_text(re.compile(r"^1 user of"))).to_be_visible()
    workbench.get_by_role("button", name="Keep the segment").click()
    expect(workbench.get_by_role("heading", level=1, name=name)).to_be_visible()
    assert table(workbench, "Users of the segment") == [[MAYA]]

    workbench.goto(address(demo, "cards/templates", template.id, "send"))
    workbench.get_by_label("Segment", exact=True).select_option(label=name)
    workbench.get_by_role("button", name="Send", exact=True).click()
    expect(workbench.get_by_role("status").filter(has_text="Sent 1 card").first).to_be_visible()
    card = phone.locator("article.card").filter(has_text="For those who crossed.")
    expect(card.first).to_be_visible()


# ---------------------------------------------------------------- OAuth clients


def test_an_oauth_clients_secrets_are_shown_once_work_and_end_with_it(workbench, demo):
    name = unique("program")
    workbench.goto(address(demo, "settings/oauth"))
    workbench.get_by_label("Name").fill(name)
    workbench.get_by_role("button", name="Make an OAuth client").click()
    expect(workbench.get_by_role("heading", name=f"OAuth client “{name}”")).to_be_visible()
    identity = workbench.locator("main code").first.inner_text()
    secret, refresh = workbench.locator("#secret").inner_text(), workbench.locator("#second-secret").inner_text()
    assert Teller.grant(demo.server, identity, secret, refresh).status == 200
    workbench.get_by_role("link", name="I have stored it").click()
    assert secret not in workbench.content() and refresh not in workbench.content()
    workbench.get_by_role("link", name=f"Revoke {name}").click()
    workbench.get_by_role("button", name=f"Revoke “{name}”").click()
    expect(workbench.get_by_role("table", name="OAuth clients").get_by_text(name)).to_be_visible()
    row = next(row for row in table(workbench, "OAuth clients") if row[0] == name)
    assert row[-1] == "Revoked"
    assert Teller.grant(demo.server, identity, secret, refresh).status in (400, 401)


# ---------------------------------------------------------------- the demo's own week


def test_the_demos_week_fills_every_page(workbench, demo):
    workbench.goto(behaviors(demo, "goals"))
    assert [row[0] for row in table(workbench, "Goals")].count("Ticket bought") == 1
    steps = [number(row[1]) for row in table(workbench, "From the timetable to a ticket")]
    assert len(steps) == 3 and steps == sorted(steps, reverse=True) and steps[-1] > 0
    workbench.goto(behaviors(demo, "campaigns"))
    assert "Autumn islands" in [row[0] for row in table(workbench, "Campaigns")]
    workbench.goto(behaviors(demo, "explorer?days=30&by=name"))
    counts = {row[0]: number(row[1]) for row in table(workbench, "Events by group")}
    assert {label: sum(line) for label, line in lines(workbench).items()}.items() <= counts.items()
