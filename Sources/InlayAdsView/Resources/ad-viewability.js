// The viewability of an ad: whether it is painted, which share of it is in view, and for how long.

import { sendEvent } from './bridge.js';
import { page } from './elements.js';

const THRESHOLDS = Array.from({ length: 51 }, (_, step) => step / 50);

/** @type {Set<string>} The events that are sent once per ad, also when the ad's element is created again. */
const sent = new Set();

/** An ad on the page, which reports once that it was rendered, and once that it was viewable. */
export class Ad {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.id = element.dataset.ad ?? '';
    this.box = part(element, '.ad-box');
    this.ratio = 0;
    /** @type {DOMRectReadOnly | null} */
    this.rect = null;
    this.isPainted = false;
    /** @type {number | undefined} */
    this.dwell = undefined;
    this.observer = new IntersectionObserver(entries => {
      const last = entries.at(-1);
      if (last) this.updateVisibility(last);
    }, { threshold: THRESHOLDS });
    this.observer.observe(this.box);
  }

  end() {
    this.observer.disconnect();
    clearTimeout(this.dwell);
  }

  get isSeen() { return this.hasSent('ad-rendered'); }
  get isCovered() { return document.hidden || page.inert; }
  get visible() { return this.isCovered ? 0 : this.ratio; }
  /** The time for which half of the ad must be in view to count as viewable. */
  get dwellMilliseconds() { return 1000; }
  /** Whether the current time counts. */
  get isRunning() { return true; }

  /** @param {string} name */
  hasSent(name, phase = '') { return sent.has(`${this.id} ${name} ${phase}`); }

  /**
   * @param {string} name
   * @param {object} [values]
   */
  send(name, values) { sendEvent(name, { ad: this.id, ...values }); }

  /**
   * @param {string} name
   * @param {{ phase?: string } & Record<string, unknown>} [values]
   */
  sendOnce(name, values) {
    const key = `${this.id} ${name} ${values?.phase ?? ''}`;
    if (sent.has(key)) return;
    sent.add(key);
    this.send(name, values);
  }

  /** @param {IntersectionObserverEntry} entry */
  updateVisibility({ intersectionRatio, intersectionRect: rect }) {
    this.ratio = rect.width > 0 && rect.height > 0 ? intersectionRatio : 0;
    this.rect = this.ratio > 0 ? rect : null;
    this.update();
  }

  painted() {
    this.isPainted = true;
    this.update();
  }

  update() {
    const { visible } = this;
    if (this.isPainted && visible > 0) this.sendOnce('ad-rendered');
    if (this.isPainted && visible >= 0.5 && this.isRunning) {
      this.dwell ??= setTimeout(() => this.sendOnce('ad-viewable'), this.dwellMilliseconds);
    } else {
      clearTimeout(this.dwell);
      this.dwell = undefined;
    }
  }

  escape() { return false; }
}

/**
 * Returns a part that the template of every such ad has; throws when it is missing.
 * @param {HTMLElement} element
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function part(element, selector) {
  /** @type {HTMLElement | null} */
  const found = element.querySelector(selector);
  if (!found) throw new Error(`An ad without ${selector}.`);
  return found;
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Rectangle */

/**
 * @param {Element} element
 * @returns {Rectangle} The element's rectangle in the window, in whole pixels.
 */
export function place(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}

/**
 * Sets styles of an element; an empty value removes a style.
 * @param {HTMLElement} element
 * @param {Record<string, string>} values
 */
export function set(element, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === '') element.style.removeProperty(name);
    else element.style.setProperty(name, value);
  }
}
