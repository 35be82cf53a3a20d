// What is seen of an ad: the part of it that is in sight, whether it is painted, and for how long.

import { sendEvent } from './surface.js';

const page = document.querySelector('[data-surface] .surface-page');
const STEPS = Array.from({ length: 51 }, (_, step) => step / 50);

/** What was told of an ad is told once, however often its element comes anew. */
const told = new Set();

/** One ad on the page: what was really seen of it is told, and told once. */
export class Ad {
  constructor(element) {
    this.element = element;
    this.id = element.dataset.ad;
    this.box = element.querySelector('.ad-box');
    this.ratio = 0;
    this.rect = null;
    this.isPainted = false;
    this.sight = new IntersectionObserver(entries => this.look(entries.at(-1)), { threshold: STEPS });
    this.sight.observe(this.box);
  }

  end() {
    this.sight.disconnect();
    clearTimeout(this.dwell);
  }

  get isSeen() { return this.hasTold('ad-rendered'); }
  get isCovered() { return document.hidden || page.inert; }
  get visible() { return this.isCovered ? 0 : this.ratio; }
  /** How long half of it must be in sight to count as viewable, and whether now counts. */
  get dwellMilliseconds() { return 1000; }
  get isRunning() { return true; }

  hasTold(name, phase = '') { return told.has(`${this.id} ${name} ${phase}`); }
  say(name, values) { sendEvent(name, { ad: this.id, ...values }); }

  once(name, values) {
    const key = `${this.id} ${name} ${values?.phase ?? ''}`;
    if (told.has(key)) return;
    told.add(key);
    this.say(name, values);
  }

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
    if (this.isPainted && visible > 0) this.once('ad-rendered');
    if (this.isPainted && visible >= 0.5 && this.isRunning) {
      this.dwell ??= setTimeout(() => this.once('ad-viewable'), this.dwellMilliseconds);
    } else {
      clearTimeout(this.dwell);
      this.dwell = undefined;
    }
  }

  escape() { return false; }
}

export function place(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}

export function set(element, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === '') element.style.removeProperty(name);
    else element.style.setProperty(name, value);
  }
}
