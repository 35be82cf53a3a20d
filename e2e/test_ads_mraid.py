"""MRAID 3 in the frame of a creative: its events, expanding and resizing, and the calls that are refused."""

import pytest
from ads_app import CLICK, ad_response
from playwright.sync_api import expect

BANNER = """<script src="mraid.js"></script><script>
  window.log = [];
  window.early = typeof mraid === 'undefined' ? null
    : [mraid.getState(), mraid.getVersion(), MRAID_ENV.version, MRAID_ENV.sdk, mraid.isViewable()];
  if (early) for (const name of ['error', 'ready', 'stateChange', 'sizeChange', 'exposureChange', 'viewableChange']) {
    mraid.addEventListener(name, (...values) => log.push([name, ...values]));
  }
</script><div style="background:#0E5F66;color:#fff;height:50px"><button id=go>Go</button></div>"""


class Creative:
    """A shown creative that uses MRAID."""

    def __init__(self, page):
        self.page = page
        self.app = page.app

    @property
    def frame(self):
        return self.page.page.locator("iframe[data-ad-frame]").element_handle().content_frame()

    def run(self, script):
        return self.frame.evaluate(script)

    def log(self, name):
        return [entry[1:] for entry in self.run("() => log") if entry[0] == name]

    def until(self, condition):
        self.frame.wait_for_function(f"() => {condition}")

    def state(self, wanted):
        self.until(f"mraid.getState() === '{wanted}'")

    def refused(self, script, action):
        """Runs calls and fails unless the creative receives an error of `action` and its state is unchanged."""
        before = self.run("() => [mraid.getState(), log.filter(entry => entry[0] === 'error').length]")
        self.run(f"() => {{ {script} }}")
        self.until(f"log.filter(entry => entry[0] === 'error').length > {before[1]}")
        error = self.log("error")[-1]
        assert error[1] == action and error[0], error
        assert self.run("() => mraid.getState()") == before[0]

    def frame_box(self):
        box = self.page.page.locator("iframe[data-ad-frame]").bounding_box()
        return [round(box[side]) for side in ("x", "y", "width", "height")]


@pytest.fixture
def mraid(ad):
    def run(*arguments, markup=BANNER, viewport=(400, 700), width=320, height=50, close=0, **ext):
        page = ad(*arguments, viewport=viewport)
        page.show(ad_response(markup, width=width, height=height, close=close, mraid=True, **ext))
        page.app.event("shown")
        creative = Creative(page)
        creative.until("log.some(entry => entry[0] === 'ready')")
        return creative

    return run


def test_without_permission_of_the_unit_there_is_no_mraid(ad):
    page = ad().show(ad_response(BANNER))
    page.app.event("shown")
    assert Creative(page).run("() => [early, typeof mraid, typeof MRAID_ENV]") == [None, "undefined", "undefined"]


def test_a_creative_starts_loading_and_gets_an_event_when_it_is_ready(mraid):
    banner = mraid()
    assert banner.run("() => early") == ["loading", "3.0", "3.0", "Inlay", False]
    names = [entry[0] for entry in banner.run("() => log")]
    assert names.index("stateChange") < names.index("ready")
    assert banner.log("stateChange") == [["default"]] and banner.log("ready") == [[]]
    assert banner.run("() => [mraid.getState(), mraid.getPlacementType(), mraid.getVersion()]") == ["default", "inline", "3.0"]
    # Each event is sent in a separate task, so it may come later than `ready`.
    for event, value in [("exposureChange", 100), ("viewableChange", "true")]:
        banner.until(f"mraid.isViewable() && log.some(entry => entry[0] === '{event}' && entry[1] === {value})")
    features = ["sms", "tel", "calendar", "storePicture", "inlineVideo", "vpaid", "location"]
    assert [name for name in features if banner.run(f"() => mraid.supports('{name}')")] == ["inlineVideo"]
    assert banner.run("() => mraid.getMaxSize()") == {"width": 400, "height": 700}
    assert banner.run("() => mraid.getCurrentPosition()") == {"x": 40, "y": 0, "width": 320, "height": 50}
    assert banner.run("() => mraid.getDefaultPosition()") == {"x": 40, "y": 0, "width": 320, "height": 50}
    assert set(banner.run("() => mraid.getScreenSize()")) == {"width", "height"}
    assert banner.run("() => mraid.getLocation()") == -1


def test_expand_fills_the_app_and_close_restores_the_default_state(mraid):
    banner = mraid()
    banner.run("() => mraid.expand()")
    banner.state("expanded")
    assert banner.frame_box() == [0, 0, 400, 700]
    banner.until("log.some(entry => entry[0] === 'sizeChange' && entry[1] === 400 && entry[2] === 700)")
    assert banner.run("() => mraid.getDefaultPosition()") == {"x": 40, "y": 0, "width": 320, "height": 50}
    assert banner.run("() => mraid.getCurrentPosition()") == {"x": 0, "y": 0, "width": 400, "height": 700}
    banner.refused("mraid.expand()", "expand")
    banner.run("() => mraid.close()")
    banner.state("default")
    assert banner.frame_box() == [40, 0, 320, 50]
    assert banner.log("stateChange") == [["default"], ["expanded"], ["default"]]
    expect(banner.page.ad).to_be_visible()


def test_the_app_s_button_closes_an_expanded_creative(mraid):
    banner = mraid(close=60_000)
    banner.run("() => { mraid.useCustomClose(true); mraid.setExpandProperties({ useCustomClose: true }); mraid.expand(); }")
    banner.state("expanded")
    banner.page.page.get_by_role("button", name="Make the ad small again").click()
    banner.state("default")
    # After the user has closed it, only a tap expands it again.
    banner.run("() => { go.onclick = () => mraid.expand(); }")
    banner.page.frame.locator("#go").click()
    banner.state("expanded")
    banner.page.page.keyboard.press("Escape")
    banner.state("default")


GROWING = BANNER.replace("if (early)", "mraid.addEventListener('stateChange', state => state === 'default' && mraid.expand()); if (early)")


@pytest.mark.parametrize("way", ["button", "key"])
def test_an_ad_that_the_user_closed_is_expanded_only_by_a_tap(mraid, way):
    # The creative expands itself at its start and again whenever it is back in its default state.
    banner = mraid(markup=GROWING)
    banner.state("expanded")
    if way == "button":
        banner.page.page.get_by_role("button", name="Make the ad small again").click()
    else:
        banner.page.page.keyboard.press("Escape")
    banner.state("default")
    banner.until("log.some(entry => entry[0] === 'error' && entry[2] === 'expand')")
    assert banner.frame_box() == [40, 0, 320, 50]
    banner.run("() => mraid.setResizeProperties({ width: 300, height: 250, offsetX: 0, offsetY: 0 })")
    banner.refused("mraid.resize()", "resize")
    banner.refused("mraid.expand()", "expand")
    # A tap on the ad allows it.
    banner.run("() => { go.onclick = () => mraid.expand(); }")
    banner.page.frame.locator("#go").click()
    banner.state("expanded")


def test_a_resized_ad_returns_to_default_when_its_close_button_would_leave_the_screen(mraid):
    banner = mraid(viewport=(700, 400))
    banner.run("() => { mraid.setResizeProperties({ width: 200, height: 100, offsetX: 0, offsetY: 250 }); mraid.resize(); }")
    banner.state("resized")
    banner.page.page.set_viewport_size({"width": 700, "height": 380})
    banner.until("mraid.getMaxSize().height === 380")
    assert banner.run("() => mraid.getState()") == "resized"
    banner.page.page.set_viewport_size({"width": 700, "height": 280})
    banner.state("default")
    expect(banner.page.page.get_by_role("button", name="Make the ad small again")).to_be_hidden()


def test_expand_with_an_address_is_refused(mraid):
    banner = mraid()
    banner.refused("mraid.expand('https://cdn.test/part2.html')", "expand")
    banner.refused("mraid.expand('http://cdn.test/part2.html')", "expand")


def test_resize_moves_and_enlarges_the_ad_over_the_app(mraid):
    banner = mraid()
    banner.run("() => { mraid.setResizeProperties({ width: 300, height: 250, offsetX: 10, offsetY: 20 }); mraid.resize(); }")
    banner.state("resized")
    assert banner.frame_box() == [50, 20, 300, 250]
    assert banner.run("() => mraid.getCurrentPosition()") == {"x": 50, "y": 20, "width": 300, "height": 250}
    assert banner.run("() => mraid.getDefaultPosition()") == {"x": 40, "y": 0, "width": 320, "height": 50}
    # The ad unit in the app keeps its size.
    assert round(banner.page.ad.bounding_box()["height"]) == 50
    cross = banner.page.page.get_by_role("button", name="Make the ad small again").bounding_box()
    assert [round(cross[side]) for side in ("x", "y", "width", "height")] == [300, 20, 50, 50]
    # A resized ad can be resized again, and expanded.
    banner.run("() => { mraid.setResizeProperties({ width: 200, height: 100, offsetX: 0, offsetY: 0 }); mraid.resize(); }")
    banner.until("log.filter(entry => entry[0] === 'sizeChange').some(entry => entry[1] === 200 && entry[2] === 100)")
    assert banner.frame_box() == [40, 0, 200, 100]
    banner.run("() => mraid.expand()")
    banner.state("expanded")
    banner.refused("mraid.resize()", "resize")
    banner.run("() => mraid.close()")
    banner.state("default")
    assert banner.frame_box() == [40, 0, 320, 50]


def test_resize_without_properties_is_refused(mraid):
    mraid().refused("mraid.resize()", "resize")


@pytest.mark.parametrize(
    "properties",
    ["undefined", "{}", "{ width: 300, height: 250 }", "{ width: '300', height: 250, offsetX: 0, offsetY: 0 }",
     "{ width: NaN, height: 250, offsetX: 0, offsetY: 0 }", "{ width: 49, height: 250, offsetX: 0, offsetY: 0 }",
     "{ width: 300, height: 49, offsetX: 0, offsetY: 0 }",
     "{ width: 401, height: 100, offsetX: 0, offsetY: 0, allowOffscreen: false }",
     "{ width: 100, height: 701, offsetX: 0, offsetY: 0, allowOffscreen: false }"],
)
def test_invalid_resize_properties_are_refused(mraid, properties):
    banner = mraid()
    banner.refused(f"mraid.setResizeProperties({properties})", "setResizeProperties")
    assert banner.run("() => mraid.getResizeProperties()") is None
    banner.refused("mraid.resize()", "resize")


# The banner is at 40, 0 in an app of 400 × 700. The offsets move the close button one point past each edge of the app.
@pytest.mark.parametrize("x, y", [(61, 0), (-291, 0), (0, -1), (0, 651)])
def test_resize_properties_that_take_the_close_button_off_the_screen_are_refused(mraid, x, y):
    banner = mraid()
    properties = f"width: 300, height: 250, offsetX: {x}, offsetY: {y}"
    banner.refused(f"mraid.setResizeProperties({{ {properties} }})", "setResizeProperties")
    assert banner.run("() => mraid.getResizeProperties()") is None
    banner.refused("mraid.resize()", "resize")
    assert banner.frame_box() == [40, 0, 320, 50]
    # With `allowOffscreen: false` the ad is moved onto the screen, and its close button with it.
    banner.run(f"() => mraid.setResizeProperties({{ {properties}, allowOffscreen: false }})")
    assert banner.run("() => mraid.getResizeProperties().offsetX") == x


@pytest.mark.parametrize("x, y", [(60, 0), (-290, 0), (0, 650)])
def test_resize_properties_with_the_close_button_at_the_edge_of_the_screen_are_accepted(mraid, x, y):
    banner = mraid()
    banner.run(f"() => {{ mraid.setResizeProperties({{ width: 300, height: 250, offsetX: {x}, offsetY: {y} }}); mraid.resize(); }}")
    banner.state("resized")
    assert banner.frame_box() == [40 + x, y, 300, 250]
    cross = banner.page.page.get_by_role("button", name="Make the ad small again").bounding_box()
    assert cross["x"] >= 0 and cross["x"] + cross["width"] <= 400 and cross["y"] + cross["height"] <= 700


# One refused call of each kind.
REFUSED_CALLS = ["mraid.resize()", "mraid.setResizeProperties({})", "mraid.expand('https://cdn.test/2.html')", "mraid.open('tel:1')",
                 "mraid.setExpandProperties({ width: 'x' })", "mraid.addEventListener('ready')", "mraid.playVideo('x')"]


@pytest.mark.parametrize("call", REFUSED_CALLS)
def test_an_error_event_is_sent_after_its_call_returned(mraid, call):
    banner = mraid()
    assert banner.run(f"() => {{ const before = log.length; {call}; return log.length - before; }}") == 0
    banner.until("log.some(entry => entry[0] === 'error')")


def test_error_events_of_a_creative_that_resizes_in_its_error_listener_are_limited(mraid):
    banner = mraid()
    deepest = banner.run("""async () => {
      let depth = 0, deepest = 0;
      window.answers = 0;
      mraid.addEventListener('error', () => {
        depth += 1;
        deepest = Math.max(deepest, depth);
        answers += 1;
        mraid.resize();
        depth -= 1;
      });
      mraid.resize();
      // Ends after fifty tasks without an error; an error comes two tasks after its call.
      for (let quiet = 0, before = answers; quiet < 50; quiet = before === answers ? quiet + 1 : 0) {
        before = answers;
        await new Promise(done => setTimeout(done, 5));
      }
      return deepest;
    }""")
    assert deepest == 1
    assert 0 < banner.run("() => answers") < 200
    # Only the flood was ended: the error of a later call is reported again.
    banner.run("() => mraid.removeEventListener('error')")
    banner.run("() => { window.later = 0; mraid.addEventListener('error', () => { later += 1 }); }")
    banner.frame.wait_for_function("() => { mraid.playVideo('x'); return later > 0; }")


TOGETHER = BANNER.replace("if (early)", """window.pairs = [];
  const note = name => (...values) => pairs.push([name, values, mraid.getState(), mraid.getCurrentPosition()]);
  for (const name of ['stateChange', 'sizeChange']) mraid.addEventListener(name, note(name)); if (early)""", 1)


def test_state_and_size_change_together(mraid):
    banner = mraid(markup=TOGETHER)
    banner.run("() => { pairs.length = 0; mraid.setResizeProperties({ width: 300, height: 250, offsetX: 0, offsetY: 0 }); mraid.resize(); }")
    banner.until("pairs.length >= 2")
    banner.run("() => mraid.expand()")
    banner.until("pairs.length >= 4")
    banner.run("() => mraid.close()")
    banner.until("pairs.length >= 6")
    sizes = {"resized": (300, 250), "expanded": (400, 700), "default": (320, 50)}
    pairs = banner.run("() => pairs")
    assert [(name, state) for name, _, state, _ in pairs] == [
        (name, state) for state in sizes for name in ("stateChange", "sizeChange")]
    for name, values, state, position in pairs:
        assert (position["width"], position["height"]) == sizes[state], pairs
        assert values == ([state] if name == "stateChange" else list(sizes[state]))


def test_a_resize_that_must_stay_on_the_screen_is_moved_onto_it(mraid):
    banner = mraid()
    banner.run("() => { mraid.setResizeProperties({ width: 300, height: 250, offsetX: 300, offsetY: -90, allowOffscreen: false }); mraid.resize(); }")
    banner.state("resized")
    assert banner.frame_box() == [100, 0, 300, 250]


def test_an_interstitial_neither_expands_nor_resizes(mraid):
    whole = mraid("interstitial", format="interstitial")
    assert whole.run("() => mraid.getPlacementType()") == "interstitial"
    assert whole.frame_box() == [0, 0, 400, 700]
    whole.refused("mraid.expand()", "expand")
    whole.run("() => mraid.setResizeProperties({ width: 100, height: 100, offsetX: 0, offsetY: 0 })")
    whole.refused("mraid.resize()", "resize")


def test_open_needs_a_tap_and_the_web(mraid):
    banner = mraid()
    banner.refused("mraid.open('https://www.example.com/')", "open")
    banner.refused("mraid.open('tel:112')", "open")
    banner.refused("mraid.open()", "open")
    banner.run("() => { go.onclick = () => mraid.open('https://www.example.com/mraid'); }")
    banner.page.frame.locator("#go").click()
    banner.app.wait(lambda report: report.get("opened") == "https://www.example.com/mraid")
    banner.app.until_called(CLICK)
    assert banner.app.opened() == ["https://www.example.com/mraid"]


def test_open_resolves_a_relative_address_against_the_creative_s_base(mraid):
    banner = mraid()
    banner.refused("mraid.open('/offer')", "open")
    banner.refused("mraid.open('')", "open")
    wanted = []
    for address, opened in [("//www.example.com/x?a=%20b", "https://www.example.com/x?a=%20b"),
                            ("offer?c={d}|%20", "https://www.example.com/shop/offer?c=%7Bd%7D%7C%20")]:
        banner.run(f"() => {{ go.onclick = () => mraid.open('{address}'); }}")
        banner.page.frame.locator("#go").click()
        banner.app.wait(lambda report, opened=opened: report.get("opened") == opened)
        wanted.append(opened)
        assert banner.app.opened() == wanted
        banner.run("() => { document.head.append(Object.assign(document.createElement('base'),"
                   " { href: 'https://www.example.com/shop/' })); }")


@pytest.mark.parametrize("word", ["close", "unload"])
def test_a_creative_may_close_itself(mraid, word):
    banner = mraid()
    # In a task of its own: the call removes the frame, which could then return nothing to the test.
    banner.run(f"() => {{ setTimeout(() => mraid.{word}()); }}")
    expect(banner.page.ad).to_have_count(0)
    banner.app.event("closed")


def test_exposure_follows_the_visible_part(mraid):
    banner = mraid(viewport=(400, 100), height=200)
    banner.until("log.some(entry => entry[0] === 'exposureChange' && entry[1] === 50 && entry[2].height === 100)")
    banner.page.page.set_viewport_size({"width": 400, "height": 300})
    banner.until("log.at(-1)[0] === 'exposureChange' && log.at(-1)[1] === 100")
    # A part of the app that covers the ad hides it, and then it is visible again.
    banner.page.page.evaluate("() => { document.querySelector('.surface-page').inert = true; }")
    banner.until("!mraid.isViewable() && log.some(entry => entry[0] === 'exposureChange' && entry[1] === 0 && entry[2] === null)")
    banner.page.page.evaluate("() => { document.querySelector('.surface-page').inert = false; }")
    banner.until("mraid.isViewable()")
    assert banner.log("viewableChange")[-2:] == [[False], [True]]


def test_listeners_are_added_and_removed(mraid):
    banner = mraid()
    banner.run("""() => {
      window.heard = 0;
      window.one = () => { heard += 1; };
      mraid.addEventListener('stateChange', one);
      mraid.addEventListener('stateChange', () => { throw new Error('mine alone'); });
      mraid.addEventListener('stateChange', () => { heard += 10; });
      mraid.expand();
    }""")
    banner.until("heard === 11")
    banner.run("() => { mraid.removeEventListener('stateChange', one); mraid.close(); }")
    banner.until("heard === 21")
    banner.run("() => { mraid.removeEventListener('stateChange'); mraid.expand(); }")
    banner.state("expanded")
    assert banner.run("() => heard") == 21
    banner.refused("mraid.addEventListener('ready')", "addEventListener")


def test_properties_are_validated_and_stored(mraid):
    banner = mraid()
    assert banner.run("() => mraid.getExpandProperties()") == {"width": 400, "height": 700, "useCustomClose": False, "isModal": True}
    banner.refused("mraid.setExpandProperties({ width: 'x' })", "setExpandProperties")
    assert banner.run("() => mraid.getOrientationProperties()") == {"allowOrientationChange": True, "forceOrientation": "none"}
    banner.run("() => mraid.setOrientationProperties({ allowOrientationChange: false, forceOrientation: 'portrait' })")
    assert banner.run("() => mraid.getOrientationProperties()") == {"allowOrientationChange": False, "forceOrientation": "portrait"}
    banner.refused("mraid.setOrientationProperties({ forceOrientation: 'sideways' })", "setOrientationProperties")
    assert banner.run("() => mraid.getCurrentAppOrientation().orientation") in ("portrait", "landscape")
    for word in ("playVideo('x')", "storePicture('x')", "createCalendarEvent({})", "initVpaid({})"):
        banner.refused(f"mraid.{word}", word.split("(")[0])
    # A script cannot replace `mraid` or its functions.
    assert banner.run("() => { try { window.mraid = null; mraid.open = null; } catch {} return typeof mraid.open; }") == "function"
