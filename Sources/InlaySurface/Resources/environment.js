// The settings of the device, as the browser knows them or as the host overrides them.

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

/** @type {[name: string, pixels: number][]} The steps of the text size, and the pixels that each adds. */
const SIZES = [['XS', -3], ['S', -2], ['M', -1], ['L', 0], ['XL', 2], ['XXL', 4], ['XXXL', 6], ['AX1', 10],
  ['AX2', 15], ['AX3', 20], ['AX4', 25], ['AX5', 30]];
const dark = matchMedia('(prefers-color-scheme: dark)');
const still = matchMedia('(prefers-reduced-motion: reduce)');
/** @type {Partial<Record<keyof Environment, string | boolean>>} */
let overrides = Object.fromEntries(new URLSearchParams(location.search));

/** @returns {Environment} */
export function environment() {
  // A browser's own text size is the size of the root's text; the nearest step of the table stands for it.
  const delta = parseFloat(getComputedStyle(root).fontSize) - 16;
  const nearest = SIZES.reduce((best, size) => Math.abs(size[1] - delta) < Math.abs(best[1] - delta) ? size : best);
  const { colorScheme, contentSize, layoutDirection, timeZone, reducedMotion } = overrides;
  const locale = String(overrides.locale ?? (navigator.language || 'en'));
  return {
    colorScheme: String(colorScheme ?? (dark.matches ? 'dark' : 'light')),
    contentSize: String(contentSize ?? nearest[0]),
    locale,
    layoutDirection: String(layoutDirection ?? (/^(ar|fa|he|iw|ur|ps|dv|yi)\b/i.test(locale) ? 'rtl' : 'ltr')),
    timeZone: String(timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'),
    reducedMotion: reducedMotion === undefined ? still.matches : String(reducedMotion) === 'true',
  };
}

/** Whether the user, or the host in their name, asked for less motion. */
export function isStill() { return still.matches || environment().reducedMotion; }

function sendEnvironment() { send('environment', environment()); }
dark.addEventListener('change', sendEnvironment);
still.addEventListener('change', sendEnvironment);

// A frame around the page, of the same origin, or the app's web view may set what a browser cannot know.
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
