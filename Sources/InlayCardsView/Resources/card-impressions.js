// Impressions: a card counts as displayed, once per page, when for one second half of the card is in view, or the card
// fills half of the window.

import { sendEvent } from './bridge.js';
import { closest, findAll, page, slots } from './elements.js';

const DWELL_MILLISECONDS = 1000;
/** @type {Map<string, number>} The timers of the cards in view, by card id. */
const dwellTimers = new Map();
/** @type {Set<string>} The ids of the cards whose impression was sent. */
const reported = new Set();
/** @type {WeakSet<HTMLElement>} */
const watched = new WeakSet();
/** @type {WeakMap<Element, { isHalfInView: boolean, isOnMiddleLine: boolean }>} */
const views = new WeakMap();
const halfObserver = new IntersectionObserver(entries => {
  for (const { target, intersectionRatio, boundingClientRect, rootBounds } of entries) {
    const isHalfInView = intersectionRatio >= 0.5;
    updateTimer(target, { isHalfInView }, rootBounds !== null && boundingClientRect.height >= rootBounds.height);
  }
}, { threshold: 0.5 });
// A card that is at least as high as the window fills half of it exactly while it is on the line in the middle of the
// window. Shares of a card's own height would be too coarse for a card that is higher than many windows.
const middleObserver = new IntersectionObserver(entries => {
  for (const { target, isIntersecting, boundingClientRect, rootBounds } of entries) {
    // In a frame of another site the browser tells no bounds, and ignores the margin.
    const isOnMiddleLine = isIntersecting && rootBounds !== null;
    updateTimer(target, { isOnMiddleLine }, rootBounds !== null && boundingClientRect.height >= 2 * rootBounds.top);
  }
}, { rootMargin: '-50% 0px' });

/**
 * Starts or stops the timer of a card.
 * @param {Element} target
 * @param {{ isHalfInView?: boolean, isOnMiddleLine?: boolean }} change
 * @param {boolean} isHigh Whether the card is at least as high as the window.
 */
function updateTimer(target, change, isHigh) {
  const card = closest(target, '[data-card]')?.dataset.card;
  const view = { isHalfInView: false, isOnMiddleLine: false, ...views.get(target), ...change };
  views.set(target, view);
  const isSeen = view.isHalfInView || (isHigh && view.isOnMiddleLine);
  if (!card || reported.has(card)) return;
  if (!isSeen || document.hidden) {
    clearTimeout(dwellTimers.get(card));
    dwellTimers.delete(card);
  } else if (!dwellTimers.has(card)) {
    dwellTimers.set(card, setTimeout(() => {
      dwellTimers.delete(card);
      if (document.hidden || page.inert || !target.isConnected || reported.has(card)) return;
      reported.add(card);
      sendEvent('displayed', { card });
    }, DWELL_MILLISECONDS));
  }
}

/** Observes the cards that are not observed yet. */
export function watchCards() {
  for (const card of findAll(slots.list, '[data-impression]')) {
    if (watched.has(card)) continue;
    watched.add(card);
    observe(card);
  }
}

/** Observes every card anew, after the page was covered, shown or hidden, so that the observers report each of them. */
export function lookAgain() {
  for (const card of findAll(slots.list, '[data-impression]')) {
    halfObserver.unobserve(card);
    middleObserver.unobserve(card);
    observe(card);
  }
}

/** @param {HTMLElement} card */
function observe(card) {
  halfObserver.observe(card);
  middleObserver.observe(card);
}
document.addEventListener('visibilitychange', lookAgain);
