// The focus: it stays where it is while the content changes, and moves to screens above the page and back.

import { childrenOf, closest, find, focusedElement, page, slots } from './elements.js';
import { extensions } from './extensions.js';

/** @type {(HTMLElement | null)[]} The elements that had the focus when each of the screens above the list came, the lowest first. */
const openers = [];

/** The regions of the list that can be seen. */
function shownRegions() { return childrenOf(slots.list).filter(element => !element.hidden); }

/**
 * The place of an element's region in the list; null where it stands in none.
 * @param {HTMLElement | null} element
 */
export function placeInList(element) {
  const region = element && closest(element, '[data-key]');
  return region?.parentElement === slots.list ? shownRegions().indexOf(region) : null;
}

/**
 * Puts the focus where it belongs after a patch.
 * @param {HTMLElement | null} focused The element that had it before.
 * @param {number | null} place The place of its region in the list.
 * @param {boolean} isElsewhere Whether the page moved it to another place of its own.
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
 * Gives the focus to the uppermost screen, where it is elsewhere: to an element of the screen, or to its first control.
 * @param {HTMLElement | null} element
 */
function focusScreen(element) {
  const overlay = slots.overlay.lastElementChild;
  if (!overlay || overlay.contains(document.activeElement)) return;
  (overlay.contains(element) ? element : firstFocus(overlay))?.focus({ preventScroll: true });
}

/** @type {HTMLElement | null} The element that had the focus last in a screen. */
let focusedInScreen = null;
slots.overlay.addEventListener('focusin', () => { focusedInScreen = focusedElement(); });
// A frame below a screen can still take the focus, by a script or a late click; it has it after its parent's window has
// lost it. Nothing is moved when another window takes it.
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
  // A menu item is hidden again by now; the user came from its region.
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

/** @type {HTMLElement | null} The form whose answer is awaited. */
let submitted = null;

/** @param {HTMLElement} form */
export function awaitProblems(form) { submitted = form; }

function focusProblem() {
  const field = submitted?.isConnected ? find(submitted, '[aria-invalid="true"]') : null;
  if (!field) return;
  submitted = null;
  field.focus();
}
