"""The Workbench's template editor in a real browser: adding, moving and removing elements; hostile text stays text."""

import pytest
from harbor import unique
from pages import (
    QUESTION,
    address,
    expect_kinds,
    expect_values,
    headlines,
    open_editor,
    sign_in_beside,
    sign_out_behind,
)
from playwright.sync_api import expect
from waiting import until

SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def test_an_added_element_has_a_sample_text_and_the_focus(workbench, demo, admin):
    open_editor(workbench, demo, admin, [{"type": "text", "text": "Words."}])
    workbench.locator(".adder").get_by_role("button", name="Headline").click()
    field = workbench.get_by_role("textbox", name="Headline", exact=True)
    expect(field).to_be_focused()
    expect(headlines(workbench)).to_have_text("New headline")
    workbench.keyboard.type("Mine")
    expect(headlines(workbench)).to_have_text("Mine")
    expect_kinds(workbench, ["Text", "Headline"])


def test_elements_are_moved_by_button_and_by_key_and_the_preview_follows(workbench, demo, admin):
    three = [{"type": "headline", "text": word} for word in ("one", "two", "three")]
    template = open_editor(workbench, demo, admin, three)
    expect(headlines(workbench)).to_have_text(["one", "two", "three"])
    workbench.get_by_role("button", name="Move Headline up").nth(2).click()
    expect(headlines(workbench)).to_have_text(["one", "three", "two"])
    expect(workbench.get_by_role("button", name="Move Headline up").nth(1)).to_be_focused()
    workbench.get_by_role("textbox", name="Headline", exact=True).nth(0).focus()
    workbench.keyboard.press("Alt+ArrowDown")
    expect(headlines(workbench)).to_have_text(["three", "one", "two"])
    expect(workbench.get_by_role("button", name="Move Headline up").first).to_be_disabled()
    expect(workbench.get_by_role("button", name="Move Headline down").last).to_be_disabled()
    workbench.get_by_role("button", name="Save draft").click()
    expect(workbench.get_by_role("status").filter(has_text="Saved “")).to_be_visible()
    workbench.goto(address(demo, "cards/templates", template.id))
    expect(headlines(workbench)).to_have_text(["three", "one", "two"])


def test_removing_an_element_keeps_the_others(workbench, demo, admin):
    open_editor(workbench, demo, admin, [*QUESTION, {"type": "headline", "text": "Last"}])
    workbench.get_by_role("button", name="Remove Headline").first.click()
    expect(headlines(workbench)).to_have_text(["Last"])
    expect_kinds(workbench, ["Text", "Submit button", "Headline"])
    expect(workbench.get_by_label("Button text")).to_have_value("Send it")


def test_an_element_of_an_unknown_type_is_named_and_nothing_that_was_typed_is_lost(workbench, demo, admin):
    template = open_editor(workbench, demo, admin, [*QUESTION, {"type": "text", "text": "Last"}])
    # A page of another version of the server may send such a type.
    workbench.locator("[name='elements[1].type']").evaluate("field => { field.value = 'banner'; }")
    workbench.get_by_role("textbox", name="Headline", exact=True).fill("Typed")
    workbench.get_by_role("button", name="Save draft").click()
    fault = workbench.get_by_role("alert").get_by_role("link", name="Type of element 2: No element has the type “banner”. Choose another, or remove the element.")
    expect(fault).to_be_visible()
    expect_kinds(workbench, ["Headline", "Unknown element", "Submit button", "Text"])
    expect(workbench.get_by_role("textbox", name="Headline", exact=True)).to_have_value("Typed")
    expect(workbench.get_by_role("textbox", name="text", exact=True)).to_have_value("Plain words.")
    fault.click()
    kind = workbench.get_by_label("Type of element 2")
    expect(kind).to_be_focused()
    # Moving the element does not lose its type either.
    workbench.get_by_role("button", name="Move Unknown element down").click()
    expect(workbench.get_by_label("Type of element 3")).to_have_value("banner")
    workbench.get_by_label("Type of element 3").select_option("Text")
    workbench.get_by_role("button", name="Save draft").click()
    expect(workbench.get_by_role("status").filter(has_text="Saved “")).to_be_visible()
    workbench.goto(address(demo, "cards/templates", template.id))
    expect_kinds(workbench, ["Headline", "Submit button", "Text", "Text"])
    expect_values(workbench.get_by_role("textbox", name="Text", exact=True), ["Plain words.", "Last"])


def test_what_was_typed_survives_adding_and_is_not_saved_yet(workbench, demo, admin):
    template = open_editor(workbench, demo, admin, QUESTION)
    workbench.get_by_role("textbox", name="Headline", exact=True).fill("Typed")
    workbench.locator(".adder").get_by_role("button", name="Category").click()
    expect(workbench.get_by_role("textbox", name="Category", exact=True)).to_be_focused()
    expect(workbench.get_by_role("textbox", name="Headline", exact=True)).to_have_value("Typed")
    expect(workbench.locator("[data-save-state]")).to_have_text("Not saved yet")
    assert "Typed" not in admin.get(admin.path("cards/templates", template.id)).text


def test_what_is_typed_while_an_element_is_added_is_kept(workbench, demo, admin):
    open_editor(workbench, demo, admin, QUESTION)
    headline = workbench.get_by_role("textbox", name="Headline", exact=True)
    held = []

    def hold_first_step(route):
        if held or route.request.headers.get("inlay-fragment") != "parts":
            route.fallback()
        else:
            held.append(route)

    workbench.route("**/cards/templates/**", hold_first_step)
    workbench.locator(".adder").get_by_role("button", name="Category").click()
    # Each call of the browser also handles its pending messages, and so calls the route's handler.
    until(lambda: workbench.evaluate("true") and held)
    headline.fill("Typed meanwhile")
    held[0].continue_()
    expect(workbench.get_by_role("textbox", name="Category", exact=True)).to_be_focused()
    expect(headline).to_have_value("Typed meanwhile")


def test_what_was_typed_while_signed_out_is_saved_after_a_sign_in_in_another_tab(workbench, demo, admin):
    template = open_editor(workbench, demo, admin, QUESTION)
    fault = workbench.locator("[data-preview-fault]")
    sign_out_behind(workbench)
    workbench.get_by_role("textbox", name="Headline", exact=True).fill("Typed in the night")
    expect(fault).to_contain_text("You are signed out. Sign in in another tab")
    sign_in_beside(workbench, demo)
    expect(fault).to_be_hidden()
    expect(headlines(workbench)).to_have_text("Typed in the night")
    workbench.get_by_role("button", name="Save draft").click()
    expect(workbench.get_by_role("status").filter(has_text="Saved").first).to_be_visible()
    workbench.goto(address(demo, "cards/templates", template.id))
    expect(workbench.get_by_role("textbox", name="Headline", exact=True)).to_have_value("Typed in the night")


def test_a_field_that_is_refused_is_named_and_can_be_corrected(workbench, demo, admin):
    open_editor(workbench, demo, admin, QUESTION)
    workbench.get_by_role("textbox", name="Headline", exact=True).fill("")
    workbench.get_by_role("button", name="Publish").click()
    faults = workbench.locator("#faults")
    expect(faults).to_be_focused()
    faults.get_by_role("link").first.click()
    expect(workbench.get_by_role("textbox", name="Headline", exact=True)).to_be_focused()
    expect(workbench.get_by_role("textbox", name="Headline", exact=True)).to_have_attribute("aria-invalid", "true")
    workbench.get_by_role("textbox", name="Headline", exact=True).fill("Corrected")
    workbench.get_by_role("button", name="Publish").click()
    expect(workbench.get_by_role("status").filter(has_text="Version 2")).to_be_visible()


def test_a_script_typed_into_every_field_is_shown_as_text_and_never_runs(workbench, demo, admin, backend, phone, send_card):
    complaints = []
    workbench.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    workbench.on("pageerror", lambda error: complaints.append(str(error)))
    workbench.on("console", lambda line: complaints.append(line.text) if "Content Security" in line.text else None)
    mark = unique("mark")
    template = open_editor(workbench, demo, admin, [{"type": "headline", "text": mark}])
    added = ["Category", "Text", "List", "Text field", "Submit button", "Link button", "Dismiss button"]
    for count, kind in enumerate(added, start=2):
        workbench.locator("[data-level=elements] > .adder").get_by_role("button", name=kind, exact=True).click()
        expect(workbench.locator("[data-block]")).to_have_count(count)
    fields = [workbench.get_by_role("textbox", name="Category", exact=True), workbench.get_by_role("textbox", name="Text", exact=True), workbench.get_by_role("textbox", name="Items, one per line"),
              workbench.get_by_role("textbox", name="Label", exact=True), *workbench.get_by_label("Button text").all(),
              workbench.get_by_label("Name", exact=True).last]
    for field in fields:
        field.fill(SCRIPT)
    workbench.get_by_role("textbox", name="Headline", exact=True).fill(mark + SCRIPT)
    workbench.get_by_label("Where").last.fill("https://example.com/")
    expect(headlines(workbench)).to_have_text(mark + SCRIPT)
    workbench.get_by_role("button", name="Publish").click()
    expect(workbench.get_by_role("status").filter(has_text="Version 2")).to_be_visible()
    assert backend.call("/v1/users/script-" + mark, {"name": SCRIPT, "city": SCRIPT}, "PUT").status == 204
    # The fixture `send_card` takes Maya's card back.
    send_card.lifecycles.append(unique("life"))
    backend.send(template.event, lifecycleId=send_card.lifecycles[-1])
    backend.send(template.event, "script-" + mark)

    card = phone.locator("article.card").filter(has_text=mark)
    send_card.given.append(card)
    expect(card.locator(".headline")).to_have_text(mark + SCRIPT)
    expect(card.locator(".category")).to_have_text(SCRIPT)
    expect(card.locator("label").first).to_have_text(SCRIPT)
    expect(card.get_by_role("button", name=SCRIPT, exact=True)).to_have_count(2)
    expect(card.get_by_role("link", name=SCRIPT)).to_have_count(1)
    expect(card.locator("img, script")).to_have_count(0)

    one = f"cards/templates/{template.id}"
    for path in ["overview", "cards/templates?q=" + mark, one, f"{one}/versions", f"{one}/send", f"{one}/analytics", "cards/analytics",
                 f"cards/inspector?user=script-{mark}", "users?q=script", f"users/script-{mark}", "settings/audit"]:
        assert workbench.goto(address(demo, path)).status == 200, path
        expect(workbench.locator("main img, main script")).to_have_count(0)
    workbench.goto(address(demo, f"users/script-{mark}"))
    expect(workbench.get_by_role("heading", level=1)).to_have_text(SCRIPT)
    assert complaints == []


def test_two_text_fields_get_different_names_and_are_published(workbench, demo, admin):
    open_editor(workbench, demo, admin, QUESTION)
    for count, kind in enumerate(["Text field", "Text field", "Number field", "Number field"], start=4):
        workbench.locator("[data-level=elements] > .adder").get_by_role("button", name=kind, exact=True).click()
        expect(workbench.locator("[data-block]")).to_have_count(count)
    expect_values(workbench.get_by_label("Name of the value"), ["answer", "answer-2", "number", "number-2"])
    workbench.get_by_role("button", name="Publish").click()
    expect(workbench.get_by_role("status").filter(has_text="Version 2")).to_be_visible()


def test_a_duplicated_block_gets_another_name_and_the_focus(workbench, demo, admin):
    field = {"type": "textInput", "name": "port", "label": "Which port?"}
    open_editor(workbench, demo, admin, [field, *QUESTION])
    workbench.get_by_role("button", name="Duplicate Text field").click()
    expect_kinds(workbench, ["Text field", "Text field", "Headline", "Text", "Submit button"])
    expect_values(workbench.get_by_label("Name of the value"), ["port", "port-2"])
    labels = workbench.get_by_role("textbox", name="Label", exact=True)
    expect(labels.nth(1)).to_be_focused()
    expect(labels.nth(1)).to_have_value("Which port?")
    workbench.get_by_role("button", name="Publish").click()
    expect(workbench.get_by_role("status").filter(has_text="Version 2")).to_be_visible()


def test_a_block_is_dragged_down_and_up_and_the_preview_follows(workbench, demo, admin):
    open_editor(workbench, demo, admin, [{"type": "headline", "text": word} for word in ("one", "two", "three")])
    expect(headlines(workbench)).to_have_text(["one", "two", "three"])
    heads = workbench.locator("[data-drag] h3")
    last = workbench.locator("[data-block]").nth(2)
    heads.nth(0).drag_to(last, target_position={"x": 100, "y": last.bounding_box()["height"] - 4})
    expect(headlines(workbench)).to_have_text(["two", "three", "one"])
    heads.nth(2).drag_to(workbench.locator("[data-block]").nth(0), target_position={"x": 100, "y": 4})
    expect(headlines(workbench)).to_have_text(["one", "two", "three"])
    expect(workbench.locator("[data-save-state]")).to_have_text("Not saved yet")


# Returns the focused element if it is covered or out of view at its upper or its lower edge, of which the lower one counts
# as at most 120 pixels below the upper one; "" if it is visible, and "end" if no element has the focus.
COVERED = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const one = document.activeElement;
  if (one === document.body) return "end";
  const box = one.getBoundingClientRect();
  if (box.width < 3 || one.closest(".visually-hidden")) return "";
  const seen = (x, y) => { const top = document.elementFromPoint(x, y); return top && (one === top || one.contains(top) || top.contains(one)); };
  const low = Math.min(box.bottom, box.top + 120) - 2, x = box.left + box.width / 2;
  if (seen(x, box.top + 2) && seen(x, low)) return "";
  return `${one.tagName} ${one.name || one.textContent.trim().slice(0, 20)} at ${Math.round(box.top)}..${Math.round(box.bottom)}`;
}"""


@pytest.mark.parametrize("width", [360, 1440])
def test_every_tab_stop_of_the_editor_is_visible(workbench, demo, admin, width):
    workbench.set_viewport_size({"width": width, "height": 740})
    # Without motion, the page has scrolled as soon as the focus has moved.
    workbench.emulate_media(reduced_motion="reduce")
    many = [{"type": "headline", "text": str(number)} for number in range(8)]
    open_editor(workbench, demo, admin, [*many, {"type": "textInput", "name": "a", "label": "A"}])
    workbench.locator("body").focus()
    for key in ("Tab", "Shift+Tab"):
        covered, stops = [], 0
        while stops < 400:
            workbench.keyboard.press(key)
            found = workbench.evaluate(COVERED)
            if found == "end":
                break
            stops += 1
            if found:
                covered.append(found)
        assert covered == [] and 60 < stops < 400, (key, stops)
