"""Accessibility faults of a page in every appearance, found by axe and, for right-to-left pages, by a check for covered
text."""

from axe_playwright_python.base import AXE_FILE_PATH
from looks import WAIT_FOR_ANIMATIONS

# Each look changes only the width or only the scheme of the look before it, because each change takes time.
LOOKS = [(360, "light"), (360, "dark"), (1440, "dark"), (1440, "light")]

# The rules whose result depends on the scheme; only these run for dark looks.
COLORS = ["color-contrast", "link-in-text-block"]

# A surface is a part of an app's screen, and the app itself may have the heading. Frames are left out: axe is loaded only in
# the main frame, and would wait half a second for an answer of each other frame.
RUN = """async (only) => (await axe.run({
  ...(only && { runOnly: only }), resultTypes: ['violations'], iframes: false,
  rules: document.querySelector('html[data-inlay]') ? { 'page-has-heading-one': { enabled: false } } : {},
})).violations.flatMap(({ id, nodes }) =>
  nodes.map(node => `${id}: ${node.target.join(' ')}: ${node.html.slice(0, 120)}: ${node.failureSummary.slice(0, 300)}`))"""

# Returns the texts that another element covers at their first, middle or last point. An open menu may cover text, and so
# may a sticky element of a scrolled page.
COVERED = """() => {
  const covered = [];
  const sticks = element => Boolean(element)
    && (getComputedStyle(element).position === 'sticky' || sticks(element.parentElement));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, words = walker.currentNode.textContent.trim();
    if (!words || element.closest('script, style, [inert], [aria-hidden=true], .visually-hidden, option')) continue;
    // `elementFromPoint` does not return such an element.
    if (getComputedStyle(element).pointerEvents === 'none') continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (getComputedStyle(element).clipPath !== 'none') continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      const y = box.top + box.height / 2;
      for (const x of [box.left + 1, box.left + box.width / 2, box.right - 1]) {
        const top = document.elementFromPoint(x, y);
        if (!top || top.contains(element) || element.contains(top) || top.closest('[role=menu]')) continue;
        if (scrollY > 0 && sticks(top)) continue;
        if (element.closest('label, button, a, li') && top.closest('label, button, a, li') === element.closest('label, button, a, li')) continue;
        covered.push(`covered by ${top.localName}.${top.className}: ${words.slice(0, 40)}`);
      }
    }
  }
  return covered;
}"""


# A page handles a new size before it draws its next frame; an open menu closes then.
AFTER_RESIZE = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def faults(page, directions=("ltr",), restore=None) -> dict[str, list[str]]:
    """The faults of a page in its present state, by look (width and scheme) and direction. `restore` opens again what a
    change of the width closes, such as a menu."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE_FILE_PATH.read_text())
    height, own = page.viewport_size["height"], page.evaluate("document.documentElement.dir")
    found = {}
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if restore:
            page.evaluate(AFTER_RESIZE)
            restore()
        for direction in directions:
            if len(directions) > 1:
                page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
            page.evaluate(WAIT_FOR_ANIMATIONS)
            wrong = page.evaluate(RUN, None if scheme == "light" else COLORS)
            if direction == "rtl":
                wrong += page.evaluate(COVERED)
            if wrong:
                found[f"{width} {scheme} {direction}"] = wrong
    page.evaluate("direction => { document.documentElement.dir = direction; }", own)
    return found


def faults_of_app(page, restore=None) -> dict[str, list[str]]:
    """The faults of an app's page in both text directions."""
    return faults(page, ("ltr", "rtl"), restore)


def assert_none(wrong: dict[str, dict[str, list[str]]]) -> None:
    """Fails when a page has a fault, and lists each fault once, with the number of pages and looks and the first of them."""
    places = {}
    for page, looks in wrong.items():
        for look, words in looks.items():
            for fault in words:
                places.setdefault(fault, []).append(f"{page} ({look})")
    assert not places, "\n".join(f"{fault}\n    in {len(where)}: {where[0]}" for fault, where in places.items())
