// Impressions: a card counts as displayed after one second with half of it, or half of the window, in view; once a page.

import { sendEvent } from './bridge.js';
import { closest, findAll, page, slots } from './elements.js';

const DWELL_MILLISECONDS = 1000;
/** @type {Map<string, number>} */
const dwelling = new Map();
/** @type {Set<string>} */
const reported = new Set();
/** @type {WeakSet<HTMLElement>} */
const watched = new WeakSet();
const observer = new IntersectionObserver(entries => entries.forEach(look), { threshold: [0, 0.25, 0.5, 0.75, 1] });

/** @param {IntersectionObserverEntry} entry */
function look({ target, intersectionRatio, intersectionRect, rootBounds }) {
  const card = closest(target, '[data-card]')?.dataset.card;
  const isSeen = intersectionRatio >= 0.5 || (rootBounds && intersectionRect.height >= rootBounds.height / 2);
  if (!card || reported.has(card)) return;
  if (!isSeen || document.hidden) {
    clearTimeout(dwelling.get(card));
    dwelling.delete(card);
  } else if (!dwelling.has(card)) {
    dwelling.set(card, setTimeout(() => {
      dwelling.delete(card);
      if (document.hidden || page.inert || !target.isConnected || reported.has(card)) return;
      reported.add(card);
      sendEvent('displayed', { card });
    }, DWELL_MILLISECONDS));
  }
}

export function watchCards() {
  for (const card of findAll(slots.list, '[data-impression]')) {
    if (watched.has(card)) continue;
    watched.add(card);
    observer.observe(card);
  }
}

/** Looks at every card again, after the page was covered or out of sight. */
export function lookAgain() {
  for (const card of findAll(slots.list, '[data-impression]')) {
    observer.unobserve(card);
    observer.observe(card);
  }
}
document.addEventListener('visibilitychange', lookAgain);
