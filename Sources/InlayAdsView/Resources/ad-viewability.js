// The viewability of an ad: which part of it is in view, whether it is painted, and for how long.

import { sendEvent } from './bridge.js';
import { page } from './elements.js';

const THRESHOLDS = Array.from({ length: 51 }, (_, step) => step / 50);

/** @type {Set<string>} The events that were sent and are not sent again, however often an ad's element comes anew. */
const sent = new Set();

/** One ad on the page: sends once what was really seen of it. */
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
      if (last) this.look(last);
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
  /** The time for which half of the ad must be in view to count as viewable, and whether the current time counts. */
  get dwellMilliseconds() { return 1000; }
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
  look({ intersectionRatio, intersectionRect: rect }) {
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
 * A part that the template of every such ad has.
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
 * @returns {Rectangle} In whole pixels.
 */
export function place(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}

/**
 * Sets styles of an element; an empty text removes one.
 * @param {HTMLElement} element
 * @param {Record<string, string>} values
 */
export function set(element, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === '') element.style.removeProperty(name);
    else element.style.setProperty(name, value);
  }
}
