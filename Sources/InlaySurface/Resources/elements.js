// The elements of the page, and queries that return them with their types.

/**
 * @param {ParentNode} within
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function find(within, selector) { return within.querySelector(selector); }

/**
 * @param {ParentNode} within
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export function findAll(within, selector) { return [...within.querySelectorAll(selector)].filter(isHTML); }

/**
 * @param {Element} element
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest(element, selector) { return element.closest(selector); }

/**
 * @param {unknown} node
 * @returns {node is HTMLElement}
 */
export function isHTML(node) { return node instanceof HTMLElement; }

/**
 * @param {ParentNode} parent
 * @returns {HTMLElement[]}
 */
export function childrenOf(parent) { return [...parent.children].filter(isHTML); }

/**
 * The element on which an event was dispatched, which may be a part of an icon; null when the target is no element.
 * @param {Event} event
 */
export function targetOf(event) { return event.target instanceof Element ? event.target : null; }

/** The element with the focus; null when no HTML element has it. */
export function focusedElement() { return isHTML(document.activeElement) ? document.activeElement : null; }

/**
 * Returns an element that every page has; throws when it is missing.
 * @param {ParentNode} within
 * @param {string} selector
 */
function required(within, selector) {
  const element = find(within, selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
}

export const root = document.documentElement;
export const surface = required(document, '[data-surface]');
export const page = required(surface, '.surface-page');
/** The surface's name in messages. */
export const surfaceName = surface.dataset.surface ?? '';

/** The parents of regions, by name. */
export const slots = {
  top: required(surface, '[data-slot="top"]'),
  list: required(surface, '[data-slot="list"]'),
  bottom: required(surface, '[data-slot="bottom"]'),
  overlay: required(surface, '[data-slot="overlay"]'),
  toasts: required(surface, '[data-slot="toasts"]'),
};

export const allSlots = Object.values(slots);

/**
 * @param {string | undefined} name
 * @returns {HTMLElement | undefined}
 */
export function slotNamed(name) { return Object.entries(slots).find(([slot]) => slot === name)?.[1]; }

/** The page's scroll position from its top. */
export function scrollTop() { return document.scrollingElement?.scrollTop ?? 0; }

/** @param {number} top */
export function scrollToTop(top) { if (document.scrollingElement) document.scrollingElement.scrollTop = top; }
