// The focus: stays on its element while the content changes, and moves to screens above the page and back.

import { childrenOf, closest, find, focusedElement, page, slots } from './elements.js';
import { extensions } from './extensions.js';

/** @type {(HTMLElement | null)[]} For each screen, lowest first, the element that had the focus before it. */
const openers = [];

/** The regions of the list that are not hidden. */
function shownRegions() { return childrenOf(slots.list).filter(element => !element.hidden); }

/**
 * The index of an element's region among the shown regions of the list; null when the element is in no such region.
 * @param {HTMLElement | null} element
 */
export function placeInList(element) {
  const region = element && closest(element, '[data-key]');
  return region?.parentElement === slots.list ? shownRegions().indexOf(region) : null;
}

/**
 * Restores the focus after a patch.
 * @param {HTMLElement | null} focused The element that had the focus before the patch.
 * @param {number | null} place The index of that element's region in the list, see `placeInList`.
 * @param {boolean} isElsewhere Whether the patch showed another page of the surface, which has set the focus already.
 */
export function restoreFocus(focused, place, isElsewhere) {
  const screens = childrenOf(slots.overlay);
  const overlay = screens.at(-1);
  if (overlay && !page.inert) for (const extension of extensions) extension.beforeScreen?.();
  const wasCovered = page.inert;
  page.inert = Boolean(overlay);
  for (const screen of screens) screen.inert = screen !== overlay;
  while (openers.length < screens.length) openers.push(focused);
  const [opener = null] = openers.splice(screens.length);
  focusScreen(opener);
  if (!overlay && wasCovered) {
    focusAgain(opener);
    for (const extension of extensions) extension.afterScreen?.();
  } else if (!overlay && !isElsewhere && focused && focused !== document.body) {
    if (focused.isConnected && !focused.closest('[data-leaving]')) {
      if (focusedElement() !== focused) focused.focus({ preventScroll: true });
    } else if (place !== null) {
      focusNeighbour(place);
    }
  }
  focusProblem();
}

/**
 * Moves the focus into the uppermost screen if it is outside of it: to the given element, if that is in the screen, or
 * to the screen's first control.
 * @param {HTMLElement | null} element
 */
function focusScreen(element) {
  const overlay = slots.overlay.lastElementChild;
  if (!overlay || overlay.contains(document.activeElement)) return;
  (overlay.contains(element) ? element : firstFocus(overlay))?.focus({ preventScroll: true });
}

/** @type {HTMLElement | null} The last element of a screen that had the focus. */
let focusedInScreen = null;
slots.overlay.addEventListener('focusin', () => { focusedInScreen = focusedElement(); });
// A frame below a screen can still take the focus, by a script or a late click. It becomes the active element after the
// window's `blur`, hence the timeout. When another window takes the focus, no frame is active and nothing is moved.
addEventListener('blur', () => setTimeout(() => {
  if (document.activeElement?.localName === 'iframe') focusScreen(focusedInScreen);
}));

/** @param {Element} overlay */
function firstFocus(overlay) {
  return find(overlay, '[data-first-focus]') ?? find(overlay, 'button, input, textarea, a[href]');
}

/** @param {HTMLElement | null} element */
function focusAgain(element) {
  if (element?.isConnected && !element.closest('[hidden], [data-leaving]')) {
    element.focus({ preventScroll: true });
    return;
  }
  // The element may be an item of a menu that is hidden by now: the focus returns to its region.
  const region = element && closest(element, '[data-key]');
  const again = region?.isConnected && !region.dataset.leaving ? focusIn(region, true) : null;
  if (again) again.focus({ preventScroll: true });
  else focusNeighbour(0);
}

/**
 * Moves the focus of a removed element to its neighbour, so that a keyboard user does not start at the top.
 * @param {number} place
 */
function focusNeighbour(place) {
  const regions = shownRegions().filter(element => !element.dataset.leaving);
  const next = regions[Math.min(place, regions.length - 1)];
  ((next && focusIn(next, false)) ?? find(slots.top, 'button'))?.focus({ preventScroll: true });
}

/**
 * @param {Element} region
 * @param {boolean} isReturn
 */
function focusIn(region, isReturn) {
  for (const extension of extensions) {
    const element = extension.focusIn?.(region, isReturn);
    if (element) return element;
  }
  return null;
}

/** @type {HTMLElement | null} The submitted form, until a patch shows a problem in it. */
let submitted = null;

/** @param {HTMLElement} form */
export function awaitProblems(form) { submitted = form; }

function focusProblem() {
  const field = submitted?.isConnected ? find(submitted, '[aria-invalid="true"]') : null;
  if (!field) return;
  submitted = null;
  field.focus();
}
