"""Helpers that read pages of the Workbench."""

import re

from harbor import ENVIRONMENT
from looks import WAIT_FOR_ANIMATIONS
from playwright.sync_api import expect
from waiting import until

QUESTION = [
    {"type": "headline", "text": "Before"},
    {"type": "text", "text": "Plain words."},
    {"type": "submitButton", "text": "Send it", "buttonName": "sent"},
]


# The path component after one of these is a record's id; pages of two records are the same kind of page.
COLLECTIONS = r"(articles|assets|channels|hubs|announcements|containers|users|funnels|goals|segments)/(?!new\b)[^/?]+"


def kind(path: str) -> str:
    """The kind of a page: its address without the ids of records and the values of the query."""
    place, _, query = path.partition("#")[0].partition("?")
    place = re.sub(COLLECTIONS, r"\1/*", place)
    place = re.sub(r"/[^/?]*\d[^/]*", "/*", place)
    keys = sorted(pair.split("=")[0] for pair in query.split("&") if pair)
    return f"{place}?{'&'.join(keys)}" if keys else place


def wait_for_animations(locator):
    """Waits for the end of all animations in the element's document, except endless ones."""
    locator.evaluate(WAIT_FOR_ANIMATIONS)


def press_until(page, key, found, limit=60):
    """Presses a key until the script `found` returns true, at most `limit` times."""
    for _ in range(limit):
        page.keyboard.press(key)
        if page.evaluate(found):
            return
    raise AssertionError(f"{limit} times {key} did not lead to {found}")


def wait_until_loaded(frame):
    """Waits until the frame's document has loaded: each request of its markup was answered or refused."""
    until(lambda: frame.locator(":root").evaluate("() => document.readyState") == "complete")


def has_left_site(frame):
    """Whether a frame shows another site, or the browser's error page because the navigation to one was refused."""
    return frame.url.startswith(("chrome-error:", "http:", "https:")) and "//127.0.0.1" not in frame.url


def load_another_frame(page, address):
    """Loads a frame of the page's own and removes it. By then, the actions that an advertiser's or an author's document
    had started before have begun, and their requests have been sent."""
    page.evaluate(
        """address => new Promise(done => {
          const frame = document.createElement('iframe');
          frame.onload = () => { frame.remove(); done(); };
          frame.src = address;
          document.body.append(frame);
        })""",
        address,
    )


def address(demo, *parts: str) -> str:
    return "/".join([demo.workbench, "e", ENVIRONMENT, *parts])


def preview(page):
    return page.frame_locator("iframe[data-frame]")


def headlines(page):
    """The headlines of the preview, in their order."""
    return preview(page).locator(".headline")


def table(page, name):
    """The texts of a table's cells, row by row."""
    found = page.get_by_role("table", name=name)
    expect(found).to_be_visible()
    # A page that is still being parsed may show the table without its last rows.
    page.wait_for_load_state()
    rows = found.locator("tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def sum_of(page, label):
    """A number above a template's chart."""
    return page.locator("dl.numbers > div").filter(has_text=re.compile(f"^{label}")).locator(".big")


def chart_data(page):
    """The labels and values of the page's chart, read from the Chart.js object."""
    page.wait_for_function("() => window.Chart && Chart.getChart(document.querySelector('canvas[data-chart]'))")
    return page.evaluate(
        """() => {
          const { labels, datasets } = Chart.getChart(document.querySelector('canvas[data-chart]')).data;
          return { labels, ...Object.fromEntries(datasets.map(set => [set.label.toLowerCase(), set.data])) };
        }"""
    )


def number(words):
    return int(re.sub(r"\D", "", words))


def open_editor(page, demo, admin, elements):
    template = admin.template(elements)
    page.goto(address(demo, "cards/templates", template.id))
    page.locator("[data-preview-tools]").wait_for(state="visible")
    return template


def expect_kinds(page, kinds):
    """Waits until the editor has blocks of these kinds, in this order."""
    expect(page.locator("[data-block] h3")).to_have_text(kinds)


def expect_values(fields, values):
    """Waits until there are as many fields as values, each with its value."""
    expect(fields).to_have_count(len(values))
    for place, value in enumerate(values):
        expect(fields.nth(place)).to_have_value(value)


def choose(page, label: str, file) -> None:
    """Chooses a file once the page's script has enabled the field, as a person would."""
    field = page.get_by_label(label)
    expect(field).to_be_enabled()
    field.set_input_files(file)


def sign_out_behind(page) -> None:
    """Ends the session without the page noticing, as when the session has expired."""
    page.context.clear_cookies(name="inlay_session")
    expect(page.locator("[data-preview-fault]")).to_be_hidden()


def sign_in_beside(page, demo) -> None:
    """Signs in on a second page of the same browser, and returns to the first."""
    second = page.context.new_page()
    second.goto(demo.workbench)
    second.get_by_label("Login").fill("admin")
    second.get_by_label("Password").fill(demo.password)
    second.get_by_role("button", name="Sign in").click()
    expect(second.get_by_role("button", name="Sign out")).to_be_attached()
    second.close()
    # In a headless browser every page counts as focused, so returning to the first fires no event.
    page.evaluate("dispatchEvent(new Event('focus'))")
