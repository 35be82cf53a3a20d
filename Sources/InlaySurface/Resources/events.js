// The user's actions, sent to the feature as named events.

import { sendEvent } from './bridge.js';
import { closest, find, page, slots, targetOf } from './elements.js';
import { extensions } from './extensions.js';
import { awaitProblems } from './focus.js';

/** The schemes of addresses that the page opens in a new window. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * The maximum length of all texts of a form together, in UTF-16 units. It exceeds the features' own limits, so that they
 * report which text is too long. It is below the maximum size of a message, beyond which the connection is closed.
 */
const MAXIMUM_TEXT_LENGTH = 65_540;

/**
 * The values that are sent with an element's event.
 * @param {HTMLElement} element
 */
export function valuesOf(element) {
  const { value } = element.dataset;
  return Object.assign(value === undefined ? {} : { value },
    ...extensions.map(extension => extension.valuesOf?.(element)));
}

document.addEventListener('click', event => {
  const target = targetOf(event);
  if (!target || extensions.some(extension => extension.click?.(target))) return;
  const element = closest(target, '[data-event], .shade');
  if (!element) return;
  if (element.matches('.shade')) {
    if (event.target === element) escapeFrom(find(element, '[data-escape]'));
  } else if (element instanceof HTMLButtonElement && element.type === 'submit' && element.form) {
    // The form's own event follows, also when Enter is pressed in a field.
  } else if (element.dataset.event === 'submit') {
    submit(element, closest(element, '[data-view]'));
  } else {
    // A link within the surface: only the feature can resolve its address.
    if (element.matches('a[data-value]')) event.preventDefault();
    for (const extension of extensions) extension.beforeEvent?.(element);
    sendEvent(element.dataset.event ?? '', valuesOf(element));
  }
});
document.addEventListener('auxclick', event => {
  if (targetOf(event)?.closest('a[data-value]')) event.preventDefault();
});

document.addEventListener('submit', event => {
  event.preventDefault();
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || extensions.some(extension => extension.submit?.(form))) return;
  submit(event.submitter ?? find(form, '[type="submit"]'), form);
});

/**
 * Sends the texts of all fields in a form, or in a view without a form element.
 * @param {HTMLElement | null} button
 * @param {HTMLElement | null} scope
 */
function submit(button, scope) {
  if (!button || !scope || (button instanceof HTMLButtonElement && button.disabled)) return;
  /** @type {Record<string, string>} */
  const values = {};
  /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */
  const fields = scope.querySelectorAll('[data-input]');
  let left = MAXIMUM_TEXT_LENGTH;
  for (const field of fields) {
    // A cut within a surrogate pair leaves half of it, which the host could not decode.
    const text = field.value.slice(0, left).replace(/[\uD800-\uDBFF]$/, '');
    values[field.dataset.input ?? ''] = text;
    left -= text.length;
  }
  awaitProblems(scope);
  sendEvent('submit', { ...valuesOf(button), values });
}

document.addEventListener('change', event => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.dataset.choice) return;
  sendEvent(field.dataset.choice, { ...valuesOf(field), value: field.value });
});

document.addEventListener('keydown', event => {
  if (extensions.some(extension => extension.key?.(event)) || event.key !== 'Escape') return;
  const screen = slots.overlay.lastElementChild;
  if (screen) escapeFrom(closest(screen, '[data-escape]') ?? find(screen, '[data-escape]'));
});

/** @param {HTMLElement | null} screen */
function escapeFrom(screen) {
  if (screen?.dataset.escape) sendEvent(screen.dataset.escape, valuesOf(screen));
}

/**
 * Sends the event of the back or forward button at the top, unless the button is disabled or a screen covers the page.
 * @param {'back' | 'forward' | undefined} name
 * @returns {boolean} Whether the event was sent.
 */
export function navigateHistory(name) {
  const button = name && !page.inert && find(slots.top, `[data-event="${name}"]:not(:disabled)`);
  if (button) sendEvent(name);
  return Boolean(button);
}

/**
 * Opens an address in a new window, if its scheme is allowed.
 * @param {string} address
 */
export function navigate(address) {
  let url;
  try { url = new URL(address); } catch { return; }
  if (SCHEMES.has(url.protocol)) window.open(url.href, '_blank', 'noopener,noreferrer');
}
