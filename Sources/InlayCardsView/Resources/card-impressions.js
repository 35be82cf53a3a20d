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
const THRESHOLDS = [0, 0.25, 0.5, 0.75, 1];
const observer = new IntersectionObserver(entries => entries.forEach(updateTimer), { threshold: THRESHOLDS });

/**
 * Starts or stops the timer of a card.
 * @param {IntersectionObserverEntry} entry
 */
function updateTimer({ target, intersectionRatio, intersectionRect, rootBounds }) {
  const card = closest(target, '[data-card]')?.dataset.card;
  const isSeen = intersectionRatio >= 0.5 || (rootBounds && intersectionRect.height >= rootBounds.height / 2);
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
    observer.observe(card);
  }
}

/** Observes every card anew, after the page was covered, shown or hidden, so that the observer reports each of them. */
export function lookAgain() {
  for (const card of findAll(slots.list, '[data-impression]')) {
    observer.unobserve(card);
    observer.observe(card);
  }
}
document.addEventListener('visibilitychange', lookAgain);
