// Cards that arrive while the user reads stay hidden, so that the visible cards do not move. They are shown when the
// list is at rest at its top, or when the user presses the button that announces them.

import { openMenu } from './card-menu.js';
import { childrenOf, find, page, scrollToTop, scrollTop, slots } from './elements.js';
import { animateInsertion } from './motion.js';

const REST_MILLISECONDS = 250;
/** @type {number | null} */
let timer = null;
let isTouching = false;

/**
 * Whether a region was inserted and is not shown yet.
 * @param {HTMLElement} element
 */
export function isWaiting(element) { return element.dataset.waits !== undefined && element.hidden; }

function waiting() { return childrenOf(slots.list).filter(isWaiting); }

/**
 * Hides a new card that would move the visible ones; returns whether it did.
 * @param {HTMLElement} element
 * @param {Element | null} next
 */
export function holdBack(element, next) {
  if (!element.matches('.card-lane') || !isReading()) return false;
  // The user has submitted this card and waits for it: it returns with the problems of its fields.
  if (element.querySelector('[aria-invalid="true"]')) return false;
  let after = next;
  while (after?.matches('[hidden], [data-leaving]')) after = after.nextElementSibling;
  if (!after || after.getBoundingClientRect().top >= innerHeight) return false;
  keepWaiting(element);
  return true;
}

/**
 * Hides a region until `placeArrivals` or `showArrivals` shows it.
 * @param {HTMLElement} element
 */
export function keepWaiting(element) {
  element.dataset.waits = '';
  element.hidden = true;
}

/** Whether the user reads or works in the list, so that a card inserted above would disturb them. */
function isReading() {
  if (scrollTop() > 4 || isTouching || timer !== null || page.inert || openMenu()) return true;
  return Boolean(document.activeElement?.matches('input, textarea') && slots.list.contains(document.activeElement));
}

/** Shows the waiting cards if the user does not read, otherwise the button that announces them. */
export function placeArrivals() {
  if (waiting().length > 0 && !isReading()) reveal();
  const button = find(slots.top, '[data-show-arrivals]');
  if (!button) return;
  const bar = find(slots.top, '.bar');
  button.parentElement?.style.setProperty('--bar', `${bar?.offsetHeight ?? 0}px`);
  button.hidden = waiting().length === 0;
}

function reveal() {
  const cards = waiting();
  for (const card of cards) {
    delete card.dataset.waits;
    card.hidden = false;
    animateInsertion(card, 'list');
  }
  return cards;
}

/** Shows the waiting cards, scrolls to the top and focuses the first of them. */
export function showArrivals() {
  const [first] = reveal();
  scrollToTop(0);
  if (first) find(first, '.card')?.focus({ preventScroll: true });
  placeArrivals();
}

function placeArrivalsAtRest() {
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(() => {
    timer = null;
    if (waiting().length > 0) placeArrivals();
  }, REST_MILLISECONDS);
}
for (const kind of ['scroll', 'resize']) addEventListener(kind, placeArrivalsAtRest, { passive: true });
for (const kind of ['focusout', 'click', 'keyup']) document.addEventListener(kind, placeArrivalsAtRest);
addEventListener('touchstart', () => { isTouching = true; }, { passive: true });
/** @param {TouchEvent} event */
function touchEnded(event) {
  isTouching = event.touches.length > 0;
  placeArrivalsAtRest();
}
addEventListener('touchend', touchEnded, { passive: true });
addEventListener('touchcancel', touchEnded, { passive: true });
