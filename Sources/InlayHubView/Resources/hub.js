// The page's side of a hub: framed documents, keys, and scroll positions for hosts with bars of their own.

import { sendEvent } from './bridge.js';
import { find, scrollTop, slots } from './elements.js';
import { navigateHistory } from './events.js';
import { extend } from './extensions.js';
import { connectFrames } from './frames.js';

/** The minimum time between two scroll events: short enough for bars that hide during scrolling. */
const SCROLL_MILLISECONDS = 50;
let top = 0;
let sentTop = 0;
let isWaiting = false;

/** @param {number} position */
function scrolled(position) {
  if (!find(slots.list, '[data-reports-scroll]')) return;
  top = position;
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    if (top === sentTop) return;
    sentTop = top;
    sendEvent('scrolled', { top });
  }, SCROLL_MILLISECONDS);
}
addEventListener('scroll', () => scrolled(Math.round(scrollTop())), { passive: true });

/**
 * Goes back or forward for an arrow key; returns whether it did.
 * @param {string} key
 */
function pressed(key) {
  if (key === 'ArrowLeft') return navigateHistory('back');
  return key === 'ArrowRight' && navigateHistory('forward');
}

extend({
  key(event) {
    if (!event.altKey || !pressed(event.key)) return false;
    event.preventDefault();
    return true;
  },
});
connectFrames({ scrolled, key: pressed });
