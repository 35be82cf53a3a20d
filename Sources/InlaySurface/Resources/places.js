// Places: the pages within a surface. A reader who comes back finds scroll position and focus as they were.

import { find, root, scrollToTop, scrollTop, slots } from './elements.js';

/**
 * The state of a page within the surface: scroll position, the id of the element with the focus, the frame's scroll.
 * @typedef {{ top?: number, focus?: string, frameTop?: number }} Place
 */

/** @type {Map<string, Place>} */
const places = new Map();
/** @type {string | null} */
let currentPlace = null;

/** @returns {Place} The state of the page that is shown. */
export function placeState() { return (currentPlace !== null && places.get(currentPlace)) || {}; }

/** @param {Place} changes */
export function changePlace(changes) {
  if (currentPlace !== null) places.set(currentPlace, { ...placeState(), ...changes });
}

/** @param {HTMLElement | null} focused */
export function leavePlace(focused) {
  changePlace({ top: scrollTop(), focus: focused?.id || placeState().focus });
}

/** Goes to where the reader was on the page that is shown now; returns whether that is another page. */
export function enterPlace() {
  const next = find(slots.list, '[data-place]')?.dataset.place ?? null;
  if (next === currentPlace) return false;
  const isLater = currentPlace !== null;
  currentPlace = next;
  if (next === null || !isLater) return next !== null;
  const { top = 0, focus } = placeState();
  scrollToTop(top);
  // A screen reader starts at the new page's title; a reader who comes back, where they left.
  const element = (focus && document.getElementById(focus)) || find(slots.list, '[data-page-title]');
  element?.focus({ preventScroll: true });
  return true;
}

addEventListener('scroll', () => root.toggleAttribute('data-scrolled', scrollTop() > 4), { passive: true });
