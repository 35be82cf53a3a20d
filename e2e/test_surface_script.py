"""The surface's script alone, in a real browser with its real content security policy: patches, focus, input, menus, events.

A bridge in the page replaces the host: each test sends the host's messages and reads the page's messages.
"""

import json
import pathlib
import re

import pytest
from playwright.sync_api import expect
from waiting import until

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"
FOLDERS = [SOURCES / "InlaySurface/Resources", SOURCES / "InlayCardsView/Resources"]
STYLES = ["tokens.css", "surface.css", "cards.css"]
SCRIPTS = ["cards.js", "surface.js"]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
BRIDGE = """
window.sent = [];
window.inlayBridge = {
  send: text => window.sent.push(JSON.parse(text)),
  open(receive, opened) { window.host = { receive, opened }; opened(); },
};
"""
ROOT = {"title": "Cards", "colorScheme": "light", "layoutDirection": "ltr", "locale": "en", "style": {}}


def page_html():
    """The page's template, rendered for a surface called `cards` with the files of a list of cards."""
    source = (FOLDERS[0] / "templates/page.mustache").read_text()
    for name, values in {"styles": STYLES, "scripts": SCRIPTS}.items():
        before, line, after = re.split("{{[#/]%s}}\\n" % name, source)
        source = before + "".join(line.replace("{{.}}", value) for value in values) + after
    return source.replace("{{surface}}", "cards").replace("{{title}}", "Cards")


def serve(route):
    name = route.request.url.rsplit("/", 1)[-1].split("?")[0]
    headers = {"Content-Security-Policy": POLICY}
    files = {file.name: file for folder in FOLDERS for file in folder.glob("*.*")}
    if name == "":
        route.fulfill(body=page_html(), content_type="text/html", headers=headers)
    elif name in files:
        kind = "text/javascript" if name.endswith(".js") else "text/css"
        route.fulfill(body=files[name].read_text(), content_type=kind)
    else:
        route.fulfill(status=404)


class Host:
    """A fake host: it sends messages to the page and reads the page's messages."""

    def __init__(self, page):
        self.page = page

    def patch(self, *ops, root=None):
        message = {"surface": "cards", "kind": "patch", "id": "1", "payload": {"ops": list(ops)}}
        if root:
            message["payload"]["root"] = root
        self.page.evaluate("text => host.receive(text)", json.dumps(message))

    def events(self):
        """The payloads of the events that the page has sent since the last call."""
        sent = self.page.evaluate("sent.splice(0)")
        return [message["payload"] for message in sent if message["kind"] == "event"]

    def keys(self):
        return self.page.evaluate(
            "[...document.querySelectorAll('[data-slot=list] > :not([data-leaving])')].map(e => e.dataset.key)"
        )


@pytest.fixture
def host(browser):
    page = browser.new_page(viewport={"width": 390, "height": 780})
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.route("**/*", serve)
    page.add_init_script(BRIDGE)
    page.goto("https://app.test/secret/")
    page.wait_for_function("() => window.host")
    yield Host(page)
    page.close()
    assert complaints == [], "the page broke its own policy or threw"


def insert(key, inside, slot="list", before=None):
    op = {"op": "insert", "key": key, "slot": slot, "html": lane(key, inside)}
    return op | ({"before": before} if before else {})


def replace(key, inside):
    return {"op": "replace", "key": key, "html": lane(key, inside)}


def lane(key, inside):
    return (
        f'<div class="card-lane" data-card="{key}"><article class="card" tabindex="-1">'
        f'<div data-view>{inside}</div></article></div>'
    )


FIELD = '<div class="field"><input id="f" data-input="name" value=""></div>'
PROBLEM = '<div class="field invalid"><input id="f" data-input="name" value="" aria-invalid="true"><p id="p">no</p></div>'
SUBMIT = '<button type="submit" data-event="submit" data-node="1">Go</button>'
MENU = (
    '<button data-menu aria-controls="m" aria-expanded="false" data-local="aria-expanded">More</button>'
    '<div class="menu" role="menu" id="m" hidden data-local="hidden style">'
    '<button role="menuitem" tabindex="-1" data-event="vote-useful">Useful</button>'
    '<button role="menuitem" tabindex="-1" data-event="dismiss">Dismiss</button></div>'
)


def test_a_page_reports_the_device_s_settings_when_it_connects(host):
    ready = host.page.evaluate("sent[0]")
    assert ready["kind"] == "ready"
    assert ready["payload"]["colorScheme"] == "light"
    assert ready["payload"]["contentSize"] == "L"


def test_an_edit_in_place_keeps_what_was_typed_and_the_focus(host):
    host.patch(insert("a", "<p>one</p>"), insert("b", FIELD))
    host.page.fill("#f", "Ada")
    host.page.focus("#f")
    host.patch({"op": "move", "key": "b", "slot": "list", "before": "a"}, replace("b", PROBLEM))
    assert host.keys() == ["b", "a"]
    assert host.page.input_value("#f") == "Ada"
    assert host.page.evaluate("document.activeElement.id") == "f"
    assert host.page.inner_text("#p") == "no"


def test_texts_are_cut_so_that_their_message_stays_below_its_size_limit(host):
    form = FIELD + FIELD.replace('"f"', '"g"').replace('"name"', '"more"') + SUBMIT
    host.patch(insert("a", f"<form data-form>{form}</form>"))
    # The limit falls in the middle of an emoji, which takes two UTF-16 code units.
    host.page.fill("#f", "漢" * 65_539 + "🚢" * 1_000)
    host.page.fill("#g", "x")
    host.page.press("#g", "Enter")
    (event,) = host.events()
    assert event["values"] == {"name": "漢" * 65_539, "more": "x"}
    assert len(json.dumps(event, ensure_ascii=False).encode()) < 256 * 1024


def test_a_submission_carries_the_fields_and_its_problems_get_the_focus(host):
    host.patch(insert("a", f"<form data-form>{FIELD}{SUBMIT}</form>"))
    host.page.fill("#f", "Ada")
    host.page.press("#f", "Enter")
    assert host.events() == [{"name": "submit", "card": "a", "node": "1", "values": {"name": "Ada"}}]
    host.page.evaluate("document.activeElement.blur()")
    host.patch(replace("a", f"<form data-form>{PROBLEM}{SUBMIT}</form>"))
    assert host.page.evaluate("document.activeElement.id") == "f"


def test_a_menu_works_with_the_keyboard_and_gives_the_focus_back(host):
    host.patch(insert("a", MENU))
    host.page.click("[data-menu]")
    assert host.page.evaluate("document.activeElement.textContent") == "Useful"
    host.page.keyboard.press("ArrowUp")
    assert host.page.evaluate("document.activeElement.textContent") == "Dismiss"
    host.patch(replace("a", MENU + "<p>news</p>"))
    assert host.page.is_visible("#m"), "news must not close a menu under the user's finger"
    host.page.keyboard.press("Escape")
    assert not host.page.is_visible("#m")
    assert host.page.evaluate("document.activeElement.textContent") == "More"
    host.page.keyboard.press("Enter")
    host.page.keyboard.press("Enter")
    assert host.events() == [{"name": "vote-useful", "card": "a"}]


BESIDE = """() => {
  const [menu, button] = ['#m', '[data-menu]'].map(e => document.querySelector(e).getBoundingClientRect());
  return Math.min(Math.abs(menu.top - button.bottom), Math.abs(menu.bottom - button.top)) < 8;
}"""


def test_an_open_menu_moves_with_its_card_when_a_card_above_it_grows(host):
    host.patch(insert("b", "<p>one</p>"), insert("a", MENU))
    host.page.click("[data-menu]")
    assert host.page.evaluate(BESIDE)
    before = host.page.locator("#m").bounding_box()["y"]
    host.patch(replace("b", "<p>one</p><p>two</p><p>three</p>"))
    assert host.page.locator("#m").bounding_box()["y"] > before + 20
    assert host.page.evaluate(BESIDE)
    assert host.page.evaluate("document.activeElement.textContent") == "Useful"


def test_a_menu_that_closes_because_the_page_is_scrolled_gives_the_focus_back(host):
    host.patch(insert("a", MENU), *[insert(f"b{n}", "<p>tall</p>" * 20) for n in range(3)])
    host.page.click("[data-menu]")
    host.page.evaluate("scrollBy(0, 300)")
    expect(host.page.locator("#m")).to_be_hidden()
    assert host.page.evaluate("document.activeElement.textContent") == "More"


def test_a_menu_opened_on_a_card_that_still_moves_stays_open_and_ends_beside_it(host):
    host.patch(insert("a", "<p>first</p>"))
    host.patch(insert("b", MENU))
    # As on a slow machine: the menu is placed at the first frame of the card's animation, the next frame is the last one,
    # and then the event of an earlier scrolling arrives.
    host.page.evaluate("document.getAnimations().forEach(motion => { motion.pause(); motion.currentTime = 0; })")
    host.page.locator("[data-menu]").press("Enter")
    host.page.evaluate("document.getAnimations().forEach(motion => motion.finish())")
    host.page.evaluate("dispatchEvent(new Event('scroll'))")
    assert host.page.evaluate("document.activeElement.textContent") == "Useful"
    host.page.wait_for_function(BESIDE)


def test_a_menu_that_is_higher_than_the_window_scrolls_inside(host):
    host.page.set_viewport_size({"width": 390, "height": 120})
    item = '<button role="menuitem" tabindex="-1" data-event="e{0}">Item {0}</button>'
    items = "".join(item.format(number) for number in range(6))
    opener = '<button data-menu aria-controls="m" aria-expanded="false" data-local="aria-expanded">More</button>'
    host.patch(insert("a", f'{opener}<div class="menu" role="menu" id="m" hidden data-local="hidden style">{items}</div>'))
    host.page.click("[data-menu]")
    for key in ["End", "Home"]:
        host.page.keyboard.press(key)
        box = host.page.evaluate("(e => [e.top, e.bottom])(document.activeElement.getBoundingClientRect())")
        assert 0 <= box[0] and box[1] <= 120, key


def test_when_the_focused_card_goes_its_neighbour_gets_the_focus(host):
    host.patch(*[insert(key, '<button data-event="dismiss">x</button>') for key in "abc"])
    host.page.focus('[data-key="b"] button')
    host.patch({"op": "remove", "key": "b"})
    assert host.page.evaluate("document.activeElement.closest('[data-key]').dataset.key") == "c"
    expect(host.page.locator("[data-key]")).to_have_count(2)


CHARACTERS = json.loads((SOURCES.parent / "Tests/InlayCardsViewTests/Fixtures/characters.json").read_text())
WORDS = (
    '<form data-feedback-form><div class="field"><textarea id="words" data-comment data-maximum-characters="280" '
    'data-maximum-bytes="6000"></textarea><p><span data-count-of="words">0</span> / 280</p>'
    '<p id="full" data-full-notice-of="words" data-local="hidden" hidden>full</p></div></form>'
)


@pytest.mark.parametrize("vector", CHARACTERS, ids=lambda vector: vector["name"])
def test_the_page_counts_the_characters_that_swift_counts(host, vector):
    host.patch(insert("a", WORDS), root=ROOT)
    text = vector["text"] * vector["times"]
    host.page.locator("#words").fill(text)
    # A text area turns all line breaks into one kind, and Swift counts each kind as one character.
    expect(host.page.locator("[data-count-of]")).to_have_text(str(vector["characters"]))
    # The next patch does not contain the typed text.
    host.patch(replace("a", WORDS))
    expect(host.page.locator("[data-count-of]")).to_have_text(str(vector["characters"]))
    expect(host.page.locator("#full")).to_be_hidden()


def test_a_text_is_also_limited_in_bytes_and_ends_with_a_whole_character(host):
    host.patch(insert("a", WORDS), root=ROOT)
    kiss = next(vector["text"] for vector in CHARACTERS if len(vector["text"].encode()) == 35)
    host.page.locator("#words").fill(kiss * 280)
    expect(host.page.locator("#words")).to_have_value(kiss * 171)
    expect(host.page.locator("#full")).to_be_visible()
    host.patch(replace("a", WORDS))
    expect(host.page.locator("#full")).to_be_visible()


def test_a_text_that_a_program_put_behind_the_caret_is_cut_at_its_end(host):
    host.patch(insert("a", WORDS), root=ROOT)
    host.page.locator("#words").evaluate(
        """(field, text) => {
          field.value = text;
          field.setSelectionRange(0, 0);
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }""",
        "x" * 280 + "y",
    )
    expect(host.page.locator("#words")).to_have_value("x" * 280)
    expect(host.page.locator("#full")).to_be_visible()


def test_without_intl_segmenter_the_page_counts_code_points(browser):
    page = browser.new_page()
    page.route("**/*", serve)
    page.add_init_script(BRIDGE + "delete Intl.Segmenter;")
    page.goto("https://app.test/secret/")
    page.wait_for_function("() => window.host")
    Host(page).patch(insert("a", WORDS), root=ROOT)
    page.locator("#words").fill("\U0001f1e9\U0001f1ea" * 141)
    expect(page.locator("#words")).to_have_value("\U0001f1e9\U0001f1ea" * 140)
    expect(page.locator("[data-count-of]")).to_have_text("280")
    page.close()


def test_a_card_higher_than_ten_windows_is_displayed_when_it_fills_half_of_the_window(host):
    high = (
        '<div class="card-lane" data-card="b"><article class="card" tabindex="-1" data-impression>'
        f'<div data-view>{"<p>line</p>" * 600}</div></article></div>'
    )
    host.patch(insert("a", "<p>line</p>" * 60), {"op": "insert", "key": "b", "slot": "list", "html": high})
    # The browser reports the first lines of the card, which are far less than half of the window.
    host.page.evaluate("""() => new Promise(done => {
      const { top } = document.querySelector('[data-card=b] article').getBoundingClientRect();
      scrollBy(0, top - innerHeight + 50);
      requestAnimationFrame(() => requestAnimationFrame(done));
    })""")
    assert host.page.evaluate("document.querySelector('[data-card=b]').offsetHeight > 10 * innerHeight")
    host.page.evaluate("scrollBy(0, innerHeight)")
    until(lambda: {"name": "displayed", "card": "b"} in host.events())


def test_an_overlay_holds_the_focus_and_returns_it(host):
    host.patch(insert("a", '<button id="o" data-event="open-snooze">Later</button>'))
    host.page.focus("#o")
    sheet = '<section data-card="a" data-escape="cancel-snooze"><button id="x">Cancel</button></section>'
    host.patch({"op": "insert", "key": "snooze", "slot": "overlay", "html": sheet})
    assert host.page.evaluate("[document.activeElement.id, document.querySelector('.surface-page').inert]") == ["x", True]
    host.page.keyboard.press("Escape")
    assert host.events() == [{"name": "cancel-snooze", "card": "a"}]
    host.patch({"op": "remove", "key": "snooze"})
    assert host.page.evaluate("[document.activeElement.id, document.querySelector('.surface-page').inert]") == ["o", False]


def test_after_a_reconnect_the_page_shows_only_the_host_s_patches(host):
    host.patch(insert("a", FIELD), insert("b", "<p>old</p>"))
    host.page.fill("#f", "Ada")
    host.page.evaluate("host.opened()")
    host.patch(insert("c", "<p>new</p>"), insert("a", FIELD, before="c"))
    assert host.keys() == ["a", "c"]
    assert host.page.input_value("#f") == "Ada"


def test_a_theme_is_applied_and_removed(host):
    host.patch(root=ROOT | {"colorScheme": "dark", "layoutDirection": "rtl", "style": {"--accent": "#ff0000"}})
    read = "[document.dir, document.documentElement.dataset.scheme, getComputedStyle(document.body).getPropertyValue('--accent')]"
    assert host.page.evaluate(read) == ["rtl", "dark", "#ff0000"]
    host.patch(root=ROOT)
    assert host.page.evaluate(read) == ["ltr", "light", "#0E5F66"]


def test_the_page_opens_only_addresses_that_are_harmless(host):
    host.page.evaluate("() => { window.opened = []; window.open = url => { opened.push(url); }; }")
    for url in ["https://example.com/", "javascript:alert(1)", "data:text/html,x", "not an address"]:
        message = {"surface": "cards", "kind": "navigate", "id": "1", "payload": {"url": url}}
        host.page.evaluate("text => host.receive(text)", json.dumps(message))
    assert host.page.evaluate("opened") == ["https://example.com/"]


HEADER = '<header data-key="header" class="list-header"><h1>Cards</h1><div class="pull">Pull</div></header>'
PULL = """distance => {
  const at = y => [new Touch({ identifier: 1, target: document.body, clientX: 100, clientY: y })];
  const dispatch = (kind, touches) => document.body.dispatchEvent(new TouchEvent(kind, { touches, bubbles: true }));
  dispatch('touchstart', at(50));
  for (let step = 1; step <= 10; step += 1) dispatch('touchmove', at(50 + distance * step / 10));
  dispatch('touchend', []);
}"""


def test_one_long_pull_at_the_top_is_one_refresh_and_a_short_one_is_none(host):
    host.patch(insert("card/a", "<p>a</p>"))
    host.page.evaluate(PULL, 300)
    assert host.events() == [], "without the header there is nothing to pull"
    host.patch({"op": "insert", "key": "header", "slot": "top", "html": HEADER})
    for distance, events in [(300, 1), (60, 0), (-300, 0)]:
        host.page.evaluate(PULL, distance)
        assert [event["name"] for event in host.events()] == ["refresh"] * events, distance
    host.patch(insert("card/b", "<p>b</p>"))
    host.page.evaluate("document.querySelector('[data-slot=list]').style.minHeight = '3000px'; scrollTo(0, 200)")
    host.page.wait_for_function("() => scrollY > 0")
    host.page.evaluate(PULL, 300)
    assert host.events() == [], "a pull in the middle of the list is scrolling"


# ---------------------------------------------------------------- cards that arrive while the list is scrolled

PILL = (
    '<div class="arrivals" role="status" data-arrivals><button type="button" class="arrivals-button" '
    'data-show-arrivals hidden data-local="hidden"><span>New cards</span></button></div>'
)
BAR = '<header class="bar"><h1 class="bar-title">Cards</h1></header>'
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shifted += entry.value; }))
    .observe({ type: 'layout-shift' });
}"""
TALL = "<p>Something to read.</p>" * 20


def top(key, html):
    return {"op": "insert", "key": key, "slot": "top", "html": html}


def scrolled(host, to=300):
    """Shows a list of three tall cards, scrolls it down, and returns the locator of the button "New cards"."""
    host.patch(top("header", BAR), top("arrivals", PILL), *[insert(key, TALL) for key in "abc"], root=ROOT)
    host.page.evaluate(f"document.scrollingElement.scrollTop = {to}")
    host.page.wait_for_function(f"document.scrollingElement.scrollTop === {to}")
    host.page.evaluate(SHIFTS)
    return host.page.get_by_role("button", name="New cards")


def test_cards_that_arrive_while_the_list_is_scrolled_move_nothing_until_a_button_is_pressed(host):
    pill = scrolled(host)
    before = host.page.locator('[data-key="a"]').bounding_box()
    for number in range(20):
        host.patch(insert(f"new{number}", "<p>new</p>", before="a"))
    expect(pill).to_be_visible()
    expect(pill).to_be_in_viewport(ratio=1)
    assert host.page.locator('[data-key="a"]').bounding_box() == before
    # Two frames later the browser has reported every layout shift.
    host.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert host.page.evaluate("window.shifted") < 0.1
    # A waiting card stays hidden when it is changed.
    host.patch(replace("new3", "<p>newer</p>"))
    expect(host.page.locator('[data-key="new3"]')).to_be_hidden()
    pill.click()
    expect(pill).to_be_hidden()
    assert host.page.evaluate("document.scrollingElement.scrollTop") == 0
    expect(host.page.get_by_text("newer", exact=True)).to_be_visible()


def test_waiting_cards_are_shown_when_the_list_is_scrolled_to_its_top(host):
    pill = scrolled(host)
    host.patch(insert("new", "<p>new</p>", before="a"))
    expect(pill).to_be_visible()
    host.page.evaluate("document.scrollingElement.scrollTop = 0")
    expect(host.page.locator('[data-key="new"]')).to_be_visible()
    expect(pill).to_be_hidden()
    host.patch(insert("next", "<p>next</p>", before="new"))
    expect(host.page.locator('[data-key="next"]')).to_be_visible()


def test_a_card_that_arrives_below_the_visible_ones_or_with_an_error_is_shown_at_once(host):
    pill = scrolled(host)
    host.patch(insert("last", "<p>last</p>"), insert("wrong", PROBLEM, before="a"))
    for key in ("last", "wrong"):
        expect(host.page.locator(f'[data-key="{key}"]')).to_be_visible()
    expect(pill).to_be_hidden()


def test_a_card_waits_while_its_reader_types_or_has_a_menu_open_at_the_top(host):
    host.patch(top("arrivals", PILL), insert("a", FIELD), insert("m", MENU))
    host.page.focus("#f")
    host.patch(insert("one", "<p>one</p>", before="a"))
    expect(host.page.locator('[data-key="one"]')).to_be_hidden()
    host.page.evaluate("document.activeElement.blur()")
    expect(host.page.locator('[data-key="one"]')).to_be_visible()
    host.page.click("[data-menu]")
    host.patch(insert("two", "<p>two</p>", before="one"))
    expect(host.page.locator('[data-key="two"]')).to_be_hidden()
    host.page.keyboard.press("Escape")
    expect(host.page.locator('[data-key="two"]')).to_be_visible()


# ---------------------------------------------------------------- nested screens


def screen(level, inside):
    html = f'<section class="screen" role="dialog" aria-label="Level {level}" data-card="a" data-escape="close-subview">{inside}</section>'
    return {"op": "insert", "key": f"subview/{level}/x", "slot": "overlay", "html": html}


def test_a_nested_screen_holds_the_focus_and_returns_it_to_the_element_that_opened_it(host):
    host.patch(insert("a", '<button id="o" data-event="open-subview">Open</button>'))
    host.page.focus("#o")
    host.patch(screen(1, '<button id="back1">Back</button><input id="typed"><button id="deeper">Deeper</button>'))
    host.page.fill("#typed", "because")
    host.page.focus("#deeper")
    host.patch(screen(2, '<button id="back2">Back</button>'))
    assert host.page.evaluate("document.activeElement.id") == "back2"
    assert host.page.evaluate("document.querySelector('[aria-label=\"Level 1\"]').inert")
    host.events()
    host.page.keyboard.press("Escape")
    assert host.events() == [{"name": "close-subview", "card": "a"}]
    host.patch({"op": "remove", "key": "subview/2/x"})
    assert host.page.evaluate("document.activeElement.id") == "deeper"
    assert host.page.input_value("#typed") == "because"
    host.patch({"op": "remove", "key": "subview/1/x"})
    assert host.page.evaluate("document.activeElement.id") == "o"
