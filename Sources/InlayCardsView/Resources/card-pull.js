// Pull to refresh: a long pull at the top of the list requests new cards.

import { sendEvent } from './bridge.js';
import { openMenu } from './card-menu.js';
import { find, page, scrollTop, slots } from './elements.js';

/** The distance in pixels that the list must move. */
const PULL_DISTANCE = 72;
/** @type {Touch | null} */
let start = null;
/** The distance in pixels that the list has moved. */
let pulled = 0;

addEventListener('touchstart', event => {
  const isAtTop = scrollTop() <= 0 && !page.inert && !openMenu();
  start = isAtTop && find(slots.top, '.pull') ? event.touches[0] ?? null : null;
  pulled = 0;
}, { passive: true });

addEventListener('touchmove', event => {
  const [touch] = event.touches;
  if (!start || !touch) return;
  const down = touch.clientY - start.clientY;
  const sideways = Math.abs(touch.clientX - start.clientX);
  if (pulled === 0 && (down <= 0 || sideways > down)) {
    start = null;
    return;
  }
  // The list moves by half the distance of the finger, up to a maximum.
  setPull(Math.min(PULL_DISTANCE * 1.3, Math.max(0, down) * 0.5));
}, { passive: true });

function endPull() {
  if (pulled >= PULL_DISTANCE) sendEvent('refresh');
  start = null;
  setPull(0);
}
addEventListener('touchend', endPull, { passive: true });
addEventListener('touchcancel', () => { pulled = 0; endPull(); }, { passive: true });

/** @param {number} distance */
function setPull(distance) {
  pulled = distance;
  if (distance > 0) page.dataset.pull = 'true';
  else delete page.dataset.pull;
  page.style.setProperty('--pull', String(distance));
}
