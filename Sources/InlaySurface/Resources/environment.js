// The settings of the device: those of the browser, unless the host overrides them.

import { send } from './bridge.js';
import { root } from './elements.js';

/**
 * @typedef {object} Environment
 * @property {string} colorScheme
 * @property {string} contentSize
 * @property {string} locale
 * @property {string} layoutDirection
 * @property {string} timeZone
 * @property {boolean} reducedMotion
 */

/** @type {[name: string, pixels: number][]} The steps of the text size, with the pixels that each adds to 16. */
const SIZES = [['XS', -3], ['S', -2], ['M', -1], ['L', 0], ['XL', 2], ['XXL', 4], ['XXXL', 6], ['AX1', 10],
  ['AX2', 15], ['AX3', 20], ['AX4', 25], ['AX5', 30]];
const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const reducedMotionQuery = matchMedia('(prefers-reduced-motion: reduce)');
/** @type {Partial<Record<keyof Environment, string | boolean>>} */
let overrides = Object.fromEntries(new URLSearchParams(location.search));

/** @returns {Environment} */
export function environment() {
  // The browser's text size is the font size of the root element; it is reported as the nearest step.
  const delta = parseFloat(getComputedStyle(root).fontSize) - 16;
  const nearest = SIZES.reduce((best, size) => Math.abs(size[1] - delta) < Math.abs(best[1] - delta) ? size : best);
  const { colorScheme, contentSize, layoutDirection, timeZone, reducedMotion } = overrides;
  const locale = String(overrides.locale ?? (navigator.language || 'en'));
  return {
    colorScheme: String(colorScheme ?? (darkQuery.matches ? 'dark' : 'light')),
    contentSize: String(contentSize ?? nearest[0]),
    locale,
    layoutDirection: String(layoutDirection ?? (/^(ar|fa|he|iw|ur|ps|dv|yi)\b/i.test(locale) ? 'rtl' : 'ltr')),
    timeZone: String(timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'),
    reducedMotion: reducedMotion === undefined ? reducedMotionQuery.matches : String(reducedMotion) === 'true',
  };
}

/** Whether the user's settings or the host's overrides ask for reduced motion. */
export function prefersReducedMotion() { return reducedMotionQuery.matches || environment().reducedMotion; }

function sendEnvironment() { send('environment', environment()); }
darkQuery.addEventListener('change', sendEnvironment);
reducedMotionQuery.addEventListener('change', sendEnvironment);

// The parent page, if it has the same origin, and the app's web view may override settings that a browser cannot know.
/** @param {typeof overrides} values */
function override(values) {
  overrides = { ...overrides, ...values };
  sendEnvironment();
}
addEventListener('message', event => {
  if (event.origin === location.origin && typeof event.data?.inlayEnvironment === 'object') {
    override(event.data.inlayEnvironment);
  }
});
addEventListener('inlay-environment', event => override(event instanceof CustomEvent ? event.detail ?? {} : {}));
