// Places: the pages within a surface. When the user returns to one, its scroll position and focus are restored.

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

/** Restores the scroll position and focus of the shown page; returns whether it is another page than before. */
export function enterPlace() {
  const next = find(slots.list, '[data-place]')?.dataset.place ?? null;
  if (next === currentPlace) return false;
  const isFirst = currentPlace === null;
  currentPlace = next;
  if (next === null || isFirst) return next !== null;
  const { top = 0, focus } = placeState();
  scrollToTop(top);
  // On a new page the focus goes to its title, where a screen reader starts; on a return, to the element that had it.
  const element = (focus && document.getElementById(focus)) || find(slots.list, '[data-page-title]');
  element?.focus({ preventScroll: true });
  return true;
}

addEventListener('scroll', () => root.toggleAttribute('data-scrolled', scrollTop() > 4), { passive: true });
