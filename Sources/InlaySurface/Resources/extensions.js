// The places where a feature's script takes part in the engine's work.

/**
 * The part of one feature's script; each member is optional.
 * @typedef {object} Extension
 * @property {(element: HTMLElement, next: Element | null) => boolean} [holdsBack] Hides a new region of the list that
 *   would move what is on screen; returns whether it did.
 * @property {(region: HTMLElement, next: HTMLElement) => void} [beforeReplace] Carries over what the page itself keeps.
 * @property {() => void} [afterPatch] Follows each patch, after the focus is in its place.
 * @property {() => void} [afterMotion] Follows an animation after which elements stand where they stay.
 * @property {() => void} [beforeScreen] Comes before a screen covers the page.
 * @property {() => void} [afterScreen] Follows the last screen over the page.
 * @property {(element: HTMLElement) => boolean} [fadesOut] Whether a region leaves with an animation.
 * @property {(region: Element, isReturn: boolean) => HTMLElement | null} [focusIn] The element of a region that gets the
 *   focus, when the user returns to it or when its neighbour is gone.
 * @property {(target: Element) => boolean} [click] Handles a click; returns whether it did.
 * @property {(element: HTMLElement) => void} [beforeEvent] Comes before the event of an element is sent.
 * @property {(element: HTMLElement) => Record<string, string>} [valuesOf] Values of an element's event.
 * @property {(form: HTMLFormElement) => boolean} [submit] Handles a form; returns whether it did.
 * @property {(event: KeyboardEvent) => boolean} [key] Handles a key; returns whether it did.
 */

/** @type {Extension[]} */
export const extensions = [];

/**
 * Adds a feature's part, before the page is connected.
 * @param {Extension} extension
 */
export function extend(extension) { extensions.push(extension); }
