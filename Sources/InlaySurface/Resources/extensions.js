// The hooks through which a feature's script extends the surface's scripts.

/**
 * The hooks of one feature's script; each is optional.
 * @typedef {object} Extension
 * @property {(element: HTMLElement, next: Element | null) => boolean} [holdsBack] Hides a new region of the list that
 *   would move the visible content; returns whether it did.
 * @property {(region: HTMLElement, next: HTMLElement) => void} [beforeReplace] Copies the state that only the page has
 *   from a region to its replacement.
 * @property {() => void} [afterPatch] Runs after each patch, when the focus is restored.
 * @property {() => void} [afterMotion] Runs after an animation that moved elements.
 * @property {() => void} [beforeScreen] Runs before a screen covers the page.
 * @property {() => void} [afterScreen] Runs after the last screen above the page was closed.
 * @property {(element: HTMLElement) => boolean} [fadesOut] Whether the removal of a region is animated.
 * @property {(region: Element, isReturn: boolean) => HTMLElement | null} [focusIn] The element of a region that gets the
 *   focus, when the user returns to it or when its neighbour is gone.
 * @property {(target: Element) => boolean} [click] Handles a click; returns whether it did.
 * @property {(element: HTMLElement) => void} [beforeEvent] Runs before an element's event is sent.
 * @property {(element: HTMLElement) => Record<string, string>} [valuesOf] Values of an element's event.
 * @property {(form: HTMLFormElement) => boolean} [submit] Handles a form; returns whether it did.
 * @property {(event: KeyboardEvent) => boolean} [key] Handles a key; returns whether it did.
 */

/** @type {Extension[]} */
export const extensions = [];

/**
 * Adds a feature's hooks. They take part from the first patch on only if they are added before the page is connected.
 * @param {Extension} extension
 */
export function extend(extension) { extensions.push(extension); }
