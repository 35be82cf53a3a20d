"""Measurements of a page's layout and contrast."""

# Returns every visible text with less contrast to its background than WCAG requires (level AA).
LOW_CONTRAST_TEXTS = """() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const light = ({ r, g, b }) => [r, g, b].map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor);
      if (color.a === 1) return color;
    }
    return { r: 255, g: 255, b: 255 };
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, words = walker.currentNode.textContent.trim();
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (!words || box.width < 2 || box.height < 2 || style.visibility !== "visible") continue;
    if (element.closest("option, script, .visually-hidden, .toast-card, :disabled")) continue;
    const [one, other] = [light(parse(style.color)), light(behind(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05), size = parseFloat(style.fontSize);
    if (ratio < (size >= 24 ? 3 : 4.5)) faint.push(`${words.slice(0, 40)}: ${ratio.toFixed(1)}`);
  }
  return faint;
}"""

# Waits until no animation runs: colors in a transition are not final, and a transition may begin as another ends. Endless
# animations are left out; none of them changes a text's color. A timer repeats the check, because a browser may draw no
# frame while nothing changes.
WAIT_FOR_ANIMATIONS = """async () => {
  while (document.getAnimations().some(one =>
    one.playState === 'running' && one.effect.getComputedTiming().endTime < Infinity)) {
    await new Promise(done => setTimeout(done, 10));
  }
}"""


def low_contrast_texts(page) -> list[str]:
    page.evaluate(WAIT_FOR_ANIMATIONS)
    return page.evaluate(LOW_CONTRAST_TEXTS)


def is_wide(page, width: int) -> bool:
    """Whether the page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth") > width
