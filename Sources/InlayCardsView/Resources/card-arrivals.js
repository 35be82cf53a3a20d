// Cards that arrive while the user reads stay hidden until the list is at rest at its top, or until the user presses
// the button that announces them. Nothing that is being read moves.

import { openMenu } from './card-menu.js';
import { childrenOf, find, page, scrollToTop, scrollTop, slots } from './elements.js';
import { appear } from './motion.js';

const REST_MILLISECONDS = 250;
/** @type {number | null} */
let timer = null;
let isTouched = false;

/**
 * Whether a region came and is not shown yet.
 * @param {HTMLElement} element
 */
export function isWaiting(element) { return element.dataset.waits !== undefined && element.hidden; }

function waiting() { return childrenOf(slots.list).filter(isWaiting); }

/**
 * Hides a card that would move what is on screen; returns whether it did.
 * @param {HTMLElement} element
 * @param {Element | null} next
 */
export function holdBack(element, next) {
  if (!element.matches('.card-lane') || !isRead()) return false;
  // The user's own card, back with what is wrong about it, is what they wait for.
  if (element.querySelector('[aria-invalid="true"]')) return false;
  let after = next;
  while (after?.matches('[hidden], [data-leaving]')) after = after.nextElementSibling;
  if (!after || after.getBoundingClientRect().top >= innerHeight) return false;
  keepWaiting(element);
  return true;
}

/**
 * Marks what is to be shown later.
 * @param {HTMLElement} element
 */
export function keepWaiting(element) {
  element.dataset.waits = '';
  element.hidden = true;
}

/** Whether a card above would move what the user looks at or works on. */
function isRead() {
  if (scrollTop() > 4 || isTouched || timer !== null || page.inert || openMenu()) return true;
  return Boolean(document.activeElement?.matches('input, textarea') && slots.list.contains(document.activeElement));
}

/** Shows the button while cards wait, and the cards themselves as soon as the user has stopped reading. */
export function placeArrivals() {
  if (waiting().length > 0 && !isRead()) reveal();
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
    appear(card, 'list');
  }
  return cards;
}

/** Goes to the top, where the new cards are. */
export function showArrivals() {
  const [first] = reveal();
  scrollToTop(0);
  if (first) find(first, '.card')?.focus({ preventScroll: true });
  placeArrivals();
}

function lookSoon() {
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(() => {
    timer = null;
    if (waiting().length > 0) placeArrivals();
  }, REST_MILLISECONDS);
}
for (const kind of ['scroll', 'resize']) addEventListener(kind, lookSoon, { passive: true });
for (const kind of ['focusout', 'click', 'keyup']) document.addEventListener(kind, lookSoon);
addEventListener('touchstart', () => { isTouched = true; }, { passive: true });
/** @param {TouchEvent} event */
function touchEnded(event) {
  isTouched = event.touches.length > 0;
  lookSoon();
}
addEventListener('touchend', touchEnded, { passive: true });
addEventListener('touchcancel', touchEnded, { passive: true });
