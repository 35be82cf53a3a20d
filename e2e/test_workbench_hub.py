"""The Workbench's Hub pages in a real browser: articles are written, previewed, published, and shown by the demo app."""

import re

import pytest
from conftest import phone_page
from harbor import unique
from pages import address, choose, sign_in_beside, sign_out_behind, table, wait_until_loaded
from playwright.sync_api import expect

SOURCE = "main"
# Returns the number of lines of an element's first text.
LINES_OF_THE_FIRST_TEXT = """element => {
  const words = document.createRange();
  words.selectNodeContents(document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode());
  return words.getClientRects().length;
}"""


def hub(demo, *parts):
    return address(demo, "hub", SOURCE, *parts)


def expect_toast(page, words):
    """Waits for the toast after an action."""
    expect(page.get_by_role("status").filter(has_text=words).first).to_be_visible()


def write(page, demo, title, text, channel="The islands"):
    """Fills in a new article; nothing is saved yet."""
    page.goto(hub(demo, "articles/new"))
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Id", exact=True).fill(title)
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_label(channel).check()


def go_home(reader):
    """Goes back to the hub's first page and returns the back button. All tests share the demo's hub, so another test may
    have left it on another page."""
    back = reader.locator("[data-event=back]")
    expect(back).to_be_attached()
    while back.is_enabled():
        place = reader.locator("[data-place]").get_attribute("data-place")
        back.click()
        expect(reader.locator(f"[data-place='{place}']")).to_have_count(0)
    return back


@pytest.fixture
def reader(context, demo):
    """The demo app's hub on a page as wide as a phone."""
    yield from phone_page(context, demo, "hub")


def test_what_is_published_in_the_workbench_shows_in_the_app_without_a_reload(workbench, demo, reader):
    expect(reader.get_by_role("heading", level=1)).to_be_visible()
    reader.evaluate("window.stays = 'the same page'")
    title = unique("news")
    write(workbench, demo, title, "The *night ferry* leaves at **ten**.", channel="The crossing")
    workbench.get_by_role("button", name="Publish now").click()
    expect_toast(workbench, re.compile(f"Published “{title}” in version"))
    link = reader.get_by_role("link", name=title)
    expect(link).to_be_visible()
    link.click()
    frame = reader.frame_locator("iframe[data-frame]")
    expect(frame.locator("em")).to_have_text("night ferry")
    assert reader.evaluate("window.stays") == "the same page"
    # A second version is published while the article is open: the page stays, and its text changes.
    workbench.get_by_label("Text", exact=True).fill("The night ferry leaves at *eleven*.")
    workbench.get_by_role("button", name="Publish now").click()
    expect(frame.locator("em")).to_have_text("eleven")
    assert reader.evaluate("window.stays") == "the same page"


def test_an_article_is_centered_in_a_wide_window(reader):
    reader.set_viewport_size({"width": 1300, "height": 900})
    back = go_home(reader)
    reader.locator(".hub-lead a").first.click()
    text = reader.frame_locator("iframe[data-frame]").locator(".page")
    expect(text).to_be_visible()
    # Before its styles are loaded, the article is as wide as the window.
    wait_until_loaded(reader.frame_locator("iframe[data-frame]"))
    box = text.bounding_box()
    assert 500 < box["width"] < 900 and abs(box["x"] + box["width"] / 2 - 650) < 10
    back.click()


def test_links_to_ids_and_footnotes_of_an_article_lead_there_in_the_app(workbench, demo, reader):
    title = unique("notes")
    words = "Words.\n\n" * 200
    text = f'[To the prices](#prices) and a note[^1].\n\n{words}<h2 id="prices">Prices</h2>\n\n[^1]: Only in summer.\n'
    write(workbench, demo, title, text, channel="The crossing")
    workbench.get_by_role("button", name="Publish now").click()
    expect_toast(workbench, re.compile(f"Published “{title}” in version"))
    go_home(reader)
    reader.get_by_role("link", name="See all of The crossing").click()
    reader.get_by_role("link", name=title).click()
    frame = reader.frame_locator("iframe[data-frame]")
    prices = frame.get_by_role("heading", name="Prices")
    expect(prices).not_to_be_in_viewport()
    frame.get_by_role("link", name="To the prices").click()
    expect(prices).to_be_in_viewport()
    note, reference = frame.get_by_text("Only in summer."), frame.get_by_role("link", name="1", exact=True)
    reference.click()
    expect(note).to_be_in_viewport()
    expect(reference).not_to_be_in_viewport()
    note.get_by_role("link").click()
    expect(reference).to_be_in_viewport()


def test_content_that_was_left_out_is_listed_after_the_publish(workbench, demo):
    title = unique("lost")
    write(workbench, demo, title, "See [this](#nowhere).", channel="The crossing")
    workbench.get_by_role("button", name="Publish now").click()
    expect_toast(workbench, "of the texts left out: see Versions.")
    workbench.get_by_role("link", name="Show", exact=True).click()
    current = workbench.get_by_role("row").filter(has_text="Current")
    current.get_by_text("of the texts left out").click()
    lost = current.get_by_role("listitem").filter(has_text=title)
    expect(lost).to_have_text(f"article {title}: The link to #nowhere leads to no id of this text.")
    # On a phone, the note has a line of its own above the warnings.
    workbench.set_viewport_size({"width": 360, "height": 800})
    assert current.locator("[data-label=Note]").evaluate(LINES_OF_THE_FIRST_TEXT) == 1
    # The article is withdrawn, so that the later versions of other tests have no warnings.
    workbench.goto(hub(demo, "articles", title))
    workbench.get_by_role("button", name="Withdraw release").click()
    expect_toast(workbench, "is a draft again")


def test_an_article_typed_while_signed_out_is_saved_after_a_sign_in_in_another_tab(workbench, demo):
    title = unique("night")
    write(workbench, demo, title, "Before.")
    workbench.get_by_role("button", name="Save draft").click()
    expect_toast(workbench, "Saved")
    workbench.goto(hub(demo, "articles", title))
    fault = workbench.locator("[data-preview-fault]")
    sign_out_behind(workbench)
    workbench.get_by_label("Text", exact=True).fill("Typed in the night.")
    expect(fault).to_contain_text("You are signed out.")
    sign_in_beside(workbench, demo)
    expect(fault).to_be_hidden()
    workbench.get_by_role("button", name="Save draft").click()
    expect_toast(workbench, "Saved")
    workbench.goto(hub(demo, "articles", title))
    expect(workbench.get_by_label("Text", exact=True)).to_have_value("Typed in the night.")


def test_the_preview_follows_what_is_typed_and_runs_nothing(workbench, demo):
    write(workbench, demo, unique("draft"), "First words")
    frame = workbench.frame_locator("iframe[data-frame]")
    expect(frame.get_by_text("First words")).to_be_visible()
    workbench.get_by_label("Written in").select_option("html")
    workbench.get_by_label("Text", exact=True).fill(
        "<p>Second <b>words</b></p><script>top.ran = 1</script><img src=x onerror='top.ran = 1'>"
    )
    expect(frame.locator("b")).to_have_text("words")
    expect(frame.locator("script")).to_have_count(0)
    assert workbench.evaluate("window.ran") is None


def test_a_released_article_is_published_with_the_next_version(workbench, demo):
    title, draft = unique("released"), unique("unfinished")
    write(workbench, demo, draft, "Not yet.")
    workbench.get_by_role("button", name="Save draft").click()
    expect_toast(workbench, f"Saved “{draft}”")
    write(workbench, demo, title, "Words.")
    workbench.get_by_role("button", name="Release for the next publish").click()
    expect_toast(workbench, f"Released “{title}”")
    workbench.goto(hub(demo, "publish"))
    assert [title, "article", "New"] in table(workbench, "Changes")
    assert draft in [row[0] for row in table(workbench, "Drafts that are not released")]
    note = unique("note")
    workbench.get_by_label("Note").fill(note)
    workbench.get_by_role("button", name="Sign and publish").click()
    expect_toast(workbench, "Published version")
    assert note in str(table(workbench, "Published versions")[0])


def test_a_publish_with_faults_is_refused_with_their_list_and_nothing_is_lost(workbench, demo):
    title = unique("broken")
    write(workbench, demo, title, "See [this](hub:article/nowhere-at-all).")
    workbench.get_by_role("button", name="Publish now").click()
    expect_toast(workbench, "cannot be published yet")
    expect(workbench.locator("#faults")).to_contain_text("hub:article/nowhere-at-all leads nowhere")
    expect(workbench.get_by_role("button", name="Sign and publish")).to_be_disabled()
    workbench.get_by_role("link", name=title).first.click()
    expect(workbench.get_by_label("Text", exact=True)).to_have_value(re.compile("nowhere-at-all"))
    workbench.get_by_role("link", name="Delete…").click()
    workbench.get_by_role("button", name=f"Delete “{title}”").click()
    expect_toast(workbench, f"Deleted “{title}”")


def test_a_picture_is_uploaded_and_stands_in_the_preview(workbench, demo):
    name = unique("quay")
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80"/></svg>'
    workbench.goto(hub(demo, "files"))
    picture = {"name": f"{name.upper()}.svg", "mimeType": "image/svg+xml", "buffer": picture}
    choose(workbench, "Add pictures", picture)
    expect(workbench.get_by_role("link", name=f"{name}.svg", exact=True)).to_be_visible()
    write(workbench, demo, unique("picture"), f"![A quay](assets/{name}.svg)")
    image = workbench.frame_locator("iframe[data-frame]").get_by_role("img", name="A quay")
    expect(image).to_be_visible()
    # The preview is rendered again after each pause in typing, so the image may still be loading.
    expect(image).to_have_js_property("naturalWidth", 120)


def test_an_upload_without_a_response_is_reported_as_possibly_stored(workbench, demo):
    name = unique("mole") + ".svg"
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80"/></svg>'

    def lose(route):
        route.fetch()
        route.abort()

    workbench.goto(hub(demo, "files"))
    workbench.route(lambda url: f"name={name}" in url, lose, times=1)
    choose(workbench, "Add pictures", {"name": name, "mimeType": "image/svg+xml", "buffer": picture})
    words = workbench.locator("[data-upload-words]")
    expect(words).to_have_text(f"{name} may have been stored: the server cannot be reached. Load the page again to see.")
    workbench.reload()
    expect(workbench.get_by_role("link", name=name, exact=True)).to_be_visible()
    choose(workbench, "Add pictures", {"name": "empty.svg", "mimeType": "image/svg+xml", "buffer": b"no picture"})
    expect(words).to_contain_text("empty.svg was not stored: ")


def test_a_file_is_deleted_only_after_a_question_with_its_name(workbench, demo):
    name = unique("pier") + ".svg"
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80"/></svg>'
    workbench.goto(hub(demo, "files"))
    choose(workbench, "Add pictures", {"name": name, "mimeType": "image/svg+xml", "buffer": picture})
    file = workbench.get_by_role("link", name=name, exact=True)
    expect(file).to_be_visible()
    workbench.get_by_role("link", name=f"Delete {name}…").click()
    expect(workbench.get_by_role("heading", name=f"Delete “{name}”?")).to_be_visible()
    expect(workbench.get_by_text("Pages that show it have a gap")).to_be_visible()
    workbench.get_by_role("link", name="Cancel").click()
    expect(file).to_be_visible()
    workbench.get_by_role("link", name=f"Delete {name}…").click()
    workbench.get_by_role("button", name=f"Delete “{name}”").click()
    expect(workbench.get_by_role("status").filter(has_text="Deleted")).to_be_visible()
    expect(file).to_have_count(0)


def test_an_announcement_is_created_corrected_and_deleted(workbench, demo):
    name = unique("strike")
    workbench.goto(hub(demo, "announcements"))
    workbench.get_by_role("link", name="New announcement").click()
    workbench.get_by_label("Id", exact=True).fill(name)
    workbench.get_by_label("Text").fill("No ferries on Sunday.")
    workbench.get_by_label("Opens").fill("https://elsewhere.example")
    workbench.get_by_label("Shows at").fill("2031-05-04T06:30")
    workbench.get_by_role("button", name="Save announcement").click()
    expect(workbench.locator("#action-fault")).to_be_visible()
    expect(workbench.get_by_label("Text")).to_have_value("No ferries on Sunday.")
    workbench.get_by_label("Opens").fill("hub:article/quiet-deck")
    workbench.get_by_role("button", name="Save announcement").click()
    expect_toast(workbench, f"Saved “{name}”")
    row = next(row for row in table(workbench, "Announcements") if name in row[0])
    assert row[1] == "Scheduled" and "4 May 2031" in row[2] and row[3] == "Everybody"
    workbench.get_by_role("link", name="No ferries on Sunday.").click()
    workbench.get_by_role("link", name="Delete…").click()
    workbench.get_by_role("button", name=f"Delete “{name}”").click()
    expect_toast(workbench, f"Deleted “{name}”")
    assert not any(name in str(row) for row in table(workbench, "Announcements"))
