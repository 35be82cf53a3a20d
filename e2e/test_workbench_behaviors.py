"""The Workbench's Behaviors pages in a real browser, with events that are sent to Engage's documented REST endpoint."""

import re

import pytest
from harbor import EventSender, unique
from looks import is_wide
from pages import address, choose, number, table
from playwright.sync_api import expect

MAYA = "maya"


@pytest.fixture(scope="module")
def sender(demo, admin):
    """A program that sends events with an OAuth client made in the Workbench."""
    return EventSender(admin)


def behaviors(demo, *parts):
    return address(demo, "behaviors", *parts)


def lines(page):
    """The data of the explorer's chart: the counts of each data set by its name."""
    page.wait_for_function("() => window.Chart && Chart.getChart(document.querySelector('canvas[data-chart]'))")
    return page.evaluate(
        """() => Object.fromEntries(Chart.getChart(document.querySelector('canvas[data-chart]')).data.datasets
          .map(line => [line.label, line.data]))"""
    )


# ---------------------------------------------------------------- live events


def test_an_event_appears_in_the_live_stream_without_a_reload_and_not_while_it_is_paused(workbench, demo, sender):
    first, second = unique("seen"), unique("seen")
    # The test controls the page's clock, and so the times at which the stream asks for events.
    workbench.clock.install()
    workbench.goto(behaviors(demo, "events"))
    workbench.evaluate("window.stays = 1")
    asked: list[str] = []
    workbench.on("request", lambda request: asked.append(request.url))
    rows = workbench.get_by_role("table", name="Events, the newest first").locator("tbody tr")
    sender.send(first, attributes={"Pier": "<b>North</b>"})
    workbench.clock.run_for(2_100)
    row = rows.filter(has_text=first)
    expect(row).to_have_count(1)
    row.locator("summary").click()
    expect(row.locator("dd", has_text="<b>North</b>")).to_be_visible()
    workbench.get_by_role("button", name="Pause").click()
    asked.clear()
    sender.send(second)
    workbench.clock.run_for(20_000)
    assert asked == [] and rows.filter(has_text=second).count() == 0
    workbench.get_by_role("button", name="Pause").click()
    workbench.clock.run_for(2_100)
    expect(rows.filter(has_text=second)).to_have_count(1)
    assert workbench.evaluate("window.stays") == 1


# ---------------------------------------------------------------- the explorer


def test_the_explorer_filters_groups_and_draws_what_its_table_says(workbench, demo, sender):
    name = unique("boarded")
    for pier, count in {"North": 3, "East": 2, "Old quay": 1}.items():
        for _ in range(count):
            sender.send(name, attributes={"Pier": pier})
    workbench.goto(behaviors(demo, "explorer"))
    workbench.get_by_label("Name", exact=True).fill(name)
    workbench.get_by_role("button", name="Run").click()
    expect(workbench.get_by_text("6 events in the last 7 days.")).to_be_visible()
    workbench.get_by_label("Group by").select_option("Pier")
    expect(workbench.get_by_role("columnheader", name="Pier")).to_be_visible()
    assert table(workbench, "Events by group") == [
        ["North", "3", "50 %"], ["East", "2", "33 %"], ["Old quay", "1", "17 %"],
    ]
    drawn = lines(workbench)
    assert {label: sum(counts) for label, counts in drawn.items()} == {"North": 3, "East": 2, "Old quay": 1}
    assert all(len(counts) == 7 for counts in drawn.values())
    # The query is part of the address, so the address can be shared.
    assert f"name={name}" in workbench.url and "by=Pier" in workbench.url
    workbench.get_by_label("Has the attribute").fill("Pier")
    workbench.get_by_label("With the value").fill("East")
    workbench.get_by_role("button", name="Run").click()
    expect(workbench.get_by_text("2 events in the last 7 days.")).to_be_visible()


def test_charts_use_the_font_inter_and_direct_labels(workbench, demo):
    workbench.goto(behaviors(demo, "explorer?days=30&by=name"))
    drawn = lines(workbench)
    chart = workbench.evaluate(
        """async () => {
          const chart = Chart.getChart(document.querySelector("canvas[data-chart]"));
          await document.fonts.ready;
          return {
            type: chart.config.type, family: Chart.defaults.font.family, legend: chart.options.plugins.legend.display,
            stacks: new Set(chart.data.datasets.map(set => set.stack)).size, last: chart.data.labels.at(-1),
            named: chart.config.plugins.some(plugin => plugin.id === "directLabels"),
            loaded: [...document.fonts].filter(face => face.status === "loaded").map(face => face.family),
          };
        }"""
    )
    # Parts of a whole are stacked bars of different colors, at most six.
    assert chart["type"] == "bar" and chart["stacks"] == 1 and 1 < len(drawn) <= 6
    assert chart["family"].startswith("Inter") or chart["family"].startswith('"Inter"')
    assert len(chart["loaded"]) >= 2 and chart["named"] and chart["legend"] is False
    assert re.fullmatch(r"\d{1,2} [A-Z][a-z]{2}", chart["last"])


# ---------------------------------------------------------------- goals, funnels, campaigns


def fill_step(page, number: int, event: str, attribute="", value="") -> None:
    step = page.get_by_role("group", name=f"Step {number}")
    step.get_by_label("Event").fill(event)
    step.get_by_label("With the attribute").fill(attribute)
    step.get_by_label("And the value").fill(value)


def funnel_rows(page, name: str) -> list[list[str]]:
    """The rows of a funnel's steps: number and name, users, share, drop-off."""
    rows = [row for row in table(page, name) if len(row) == 4]
    return [[row[0].replace("\n", " "), *row[1:]] for row in rows]


def test_a_funnel_of_three_named_events_is_made_edited_and_removed_without_a_code(workbench, demo, sender):
    seen, chosen, bought = unique("seen"), unique("chosen"), unique("bought")
    funnel, users = unique("funnel"), [unique("user") for _ in range(4)]
    for index, user in enumerate(users):
        sender.send(seen, user=user, age=180, attributes={"Pier": "North" if index < 3 else "East"})
        if index < 2:
            sender.send(chosen, user=user, age=120)
        if index < 1:
            sender.send(bought, code=16, user=user, age=60)
    workbench.goto(behaviors(demo, "goals"))
    workbench.get_by_role("link", name="New funnel").first.click()
    workbench.get_by_label("Name", exact=True).fill(funnel)
    # The field suggests names of stored events in a `datalist`, which needs no script.
    workbench.wait_for_load_state()
    field = workbench.get_by_role("group", name="Step 1").get_by_label("Event")
    offered = field.evaluate("field => [...field.list.options].map(option => option.value)")
    assert {seen, chosen, f"Goal completed: {bought}"} <= set(offered)
    attribute = workbench.get_by_role("group", name="Step 1").get_by_label("With the attribute")
    assert "Pier" in attribute.evaluate("field => [...field.list.options].map(option => option.value)")
    fill_step(workbench, 1, seen)
    fill_step(workbench, 2, chosen.upper())
    workbench.get_by_role("button", name="Add step").click()
    fill_step(workbench, 3, bought)
    workbench.get_by_role("button", name="Create funnel").click()
    expect(workbench.get_by_role("heading", name=funnel)).to_be_visible()
    assert funnel_rows(workbench, funnel) == [
        [f"1{seen}", "4", "100 %", "–"], [f"2{chosen}", "2", "50 %", "−50 % (2 users)"],
        [f"3Goal completed: {bought}", "1", "25 %", "−50 % (1 user)"],
    ]
    workbench.get_by_role("link", name=f"Edit the funnel {funnel}").click()
    third = workbench.get_by_role("group", name="Step 3").get_by_label("Event")
    expect(third).to_have_value(f"Goal completed: {bought}")
    fill_step(workbench, 1, seen, "Pier", "North")
    workbench.get_by_role("button", name="Remove step 3").click()
    workbench.get_by_role("button", name="Save", exact=True).click()
    expect(workbench.get_by_text("Pier is “North”").first).to_be_visible()
    assert [row[1] for row in funnel_rows(workbench, funnel)] == ["3", "2"]
    # A phone shows the same page without scrolling sideways.
    workbench.set_viewport_size({"width": 360, "height": 780})
    assert not is_wide(workbench, 360)
    workbench.set_viewport_size({"width": 1440, "height": 900})
    workbench.get_by_role("link", name=f"Edit the funnel {funnel}").click()
    workbench.get_by_role("link", name="Delete…").click()
    workbench.get_by_role("button", name=f"Delete “{funnel}”").click()
    expect(workbench.get_by_role("heading", name="Goals and funnels", level=1)).to_be_visible()
    expect(workbench.get_by_role("heading", name=funnel)).to_have_count(0)


def test_a_goal_is_made_of_an_event_edited_and_removed(workbench, demo, sender):
    viewed, bought, goal = unique("viewed"), unique("bought"), unique("goal")
    for user in ("ada", "bob"):
        sender.send(viewed, user=unique(user), attributes={"Pier": "Old quay"})
    sender.send(bought, code=16, user=unique("ada"))
    sender.send(bought, code=15, user=unique("bob"))
    workbench.goto(behaviors(demo, "goals"))
    workbench.get_by_role("link", name="New goal").first.click()
    workbench.get_by_role("button", name="Create goal").click()
    expect(workbench.locator("#step-event-fault")).to_contain_text("Choose an event")
    workbench.get_by_label("Name", exact=True).fill(goal)
    workbench.get_by_label("Event", exact=True).fill(viewed)
    workbench.get_by_label("With the attribute").fill("Pier")
    workbench.get_by_label("And the value").fill("Old quay")
    workbench.get_by_role("button", name="Create goal").click()
    expect(workbench.get_by_role("table", name="Goals").get_by_text(goal)).to_be_visible()

    def row(name):
        return next(row for row in table(workbench, "Goals") if row[0].startswith(name))[1:5]

    assert row(goal) == ["2", "–", "2", "–"]
    # A goal that the app reports as completed or abandoned needs no definition.
    assert row(bought) == ["1", "1", "1", "50 %"]
    workbench.get_by_role("link", name=f"Edit the goal {goal}").click()
    workbench.get_by_label("And the value").fill("North")
    workbench.get_by_role("button", name="Save", exact=True).click()
    expect(workbench.get_by_role("table", name="Goals").get_by_text("Pier is “North”")).to_be_visible()
    assert row(goal) == ["0", "–", "0", "–"]
    workbench.get_by_role("link", name=f"Edit the goal {goal}").click()
    workbench.get_by_role("link", name="Delete…").click()
    workbench.get_by_role("button", name=f"Delete “{goal}”").click()
    expect(workbench.get_by_role("table", name="Goals").get_by_text(bought)).to_be_visible()
    expect(workbench.get_by_role("table", name="Goals").get_by_text(goal)).to_have_count(0)


def test_a_campaign_shows_its_counts_and_links_to_its_events(workbench, demo, sender):
    campaign, goal = unique("spring"), unique("booked")
    for name, code in [("", 13), (goal, 16), (goal, 16), (goal, 15), (unique("looked"), 17)]:
        sender.send(name, code=code, attributes={"Campaign Name": campaign})
    workbench.goto(behaviors(demo, "campaigns"))
    row = next(row for row in table(workbench, "Campaigns") if row[0] == campaign)
    assert row[1:] == ["1", "2", "1", "5", f"{goal} (2)"]
    workbench.get_by_role("link", name=campaign).click()
    expect(workbench.get_by_text(re.compile("^5 events in the last"))).to_be_visible()


# ---------------------------------------------------------------- contacts


def test_a_file_of_contacts_is_imported_and_its_broken_row_is_named(workbench, demo):
    name, mail = unique("guests"), unique("mail")
    workbench.goto(behaviors(demo, "lists/new"))
    workbench.get_by_label("Name").fill(name)
    workbench.get_by_role("button", name="Create list").click()
    expect(workbench.get_by_role("heading", level=1, name=name)).to_be_visible()
    file = f"Email,Mobile User Id\n{mail}-1@harbor.example,one\nbroken\n{mail}-2@harbor.example,\"two, too\"\n"
    file = {"name": "guests.csv", "mimeType": "text/csv", "buffer": file.encode()}
    choose(workbench, "Import contacts", file)
    workbench.get_by_role("button", name="Import", exact=True).click()
    expect(workbench.get_by_text("2 contacts added, 0 changed, 1 line not imported.")).to_be_visible()
    expect(workbench.get_by_text(re.compile("^Line 3: "))).to_be_visible()
    workbench.get_by_role("link", name="Show the list").click()
    contacts = workbench.get_by_role("table", name="Contacts").locator("tbody tr")
    expect(contacts).to_have_count(2)
    expect(contacts.filter(has_text="two, too")).to_have_count(1)
    workbench.get_by_label("Find a contact").fill(f"{mail}-1")
    workbench.get_by_role("button", name="Find").click()
    expect(contacts).to_have_count(1)
    contacts.get_by_role("button", name=re.compile("Opt out contact")).click()
    expect(contacts.filter(has_text="Opted out")).to_have_count(1)
    workbench.goto(behaviors(demo, "lists"))
    assert next(row for row in table(workbench, "Contact lists") if name in row[0])[2:4] == ["2", "1"]


# ---------------------------------------------------------------- segments


def test_a_card_sent_to_a_segment_reaches_its_users(workbench, demo, admin, sender, phone):
    goal, name = unique("crossed"), unique("segment")
    words = f"For those who {goal}."
    template = admin.template([{"type": "text", "text": words}])
    workbench.goto(behaviors(demo, "segments/new"))
    workbench.get_by_label("Name", exact=True).fill(name)
    workbench.get_by_label("Named").fill(goal)
    workbench.get_by_role("button", name="Count users").click()
    expect(workbench.get_by_text(re.compile(r"^0 users of"))).to_be_visible()
    sender.send(goal, code=16, user=MAYA)
    # A condition on contacts hides the fields of a condition on events.
    workbench.get_by_role("button", name="Add condition").click()
    second = workbench.get_by_role("group", name="Condition 2")
    second.get_by_label("The user").select_option("contact")
    expect(second.get_by_label("Named")).to_be_hidden()
    second.get_by_label("Column").select_option(label="Passengers: Mobile User Id")
    second.get_by_label("With", exact=True).fill(MAYA)
    workbench.get_by_role("button", name="Count users").click()
    expect(workbench.get_by_text(re.compile(r"^1 user of"))).to_be_visible()
    workbench.get_by_role("button", name="Save segment").click()
    expect(workbench.get_by_role("heading", level=1, name=name)).to_be_visible()
    assert table(workbench, "Users of the segment") == [[MAYA]]

    workbench.goto(address(demo, "cards/templates", template.id, "send"))
    workbench.get_by_label("Segment", exact=True).select_option(label=name)
    workbench.get_by_role("button", name="Send", exact=True).click()
    expect(workbench.get_by_role("heading", level=1)).to_have_text(f"Send “{template.name}” to 1 user?")
    workbench.get_by_role("button", name="Send to 1 user").click()
    expect(workbench.get_by_role("status").filter(has_text="Sending to").first).to_be_visible()
    card = phone.locator("article.card").filter(has_text=words)
    expect(card).to_be_visible()
    # Otherwise the card would stay in the list of all later tests.
    card.get_by_role("button", name="More actions").click()
    card.get_by_role("menuitem", name="Dismiss").click()
    expect(card).to_have_count(0)


# ---------------------------------------------------------------- OAuth clients


def test_an_oauth_clients_secrets_are_shown_once_work_and_end_with_it(workbench, demo):
    name = unique("program")
    workbench.goto(address(demo, "settings/oauth"))
    workbench.get_by_label("Name").fill(name)
    workbench.get_by_role("button", name="Create OAuth client").click()
    expect(workbench.get_by_role("heading", name=f"OAuth client “{name}”")).to_be_visible()
    identity = workbench.locator("main code").first.inner_text()
    secret, refresh = workbench.locator("#secret").inner_text(), workbench.locator("#second-secret").inner_text()
    assert EventSender.grant(demo.server, identity, secret, refresh).status == 200
    workbench.get_by_role("link", name="I have stored it").click()
    expect(workbench.get_by_role("link", name=f"Revoke {name}")).to_be_visible()
    workbench.wait_for_load_state()
    assert secret not in workbench.content() and refresh not in workbench.content()
    workbench.get_by_role("link", name=f"Revoke {name}").click()
    workbench.get_by_role("button", name=f"Revoke “{name}”").click()
    expect(workbench.get_by_role("table", name="OAuth clients").get_by_text(name)).to_be_visible()
    row = next(row for row in table(workbench, "OAuth clients") if row[0] == name)
    assert row[-1] == "Revoked"
    assert EventSender.grant(demo.server, identity, secret, refresh).status in (400, 401)


# ---------------------------------------------------------------- the week of the demo


def test_the_demos_week_fills_every_page(workbench, demo):
    workbench.goto(behaviors(demo, "goals"))
    assert [row[0] for row in table(workbench, "Goals")].count("Ticket bought") == 1
    steps = [number(row[1]) for row in funnel_rows(workbench, "From the timetable to a ticket")]
    assert len(steps) == 3 and steps == sorted(steps, reverse=True) and steps[-1] > 0
    workbench.goto(behaviors(demo, "campaigns"))
    assert "Autumn islands" in [row[0] for row in table(workbench, "Campaigns")]
    workbench.goto(behaviors(demo, "explorer?days=30&by=name"))
    counts = {row[0]: number(row[1]) for row in table(workbench, "Events by group")}
    drawn = {label: sum(line) for label, line in lines(workbench).items() if not re.fullmatch(r"\d+ others", label)}
    assert drawn and drawn.items() <= counts.items()
