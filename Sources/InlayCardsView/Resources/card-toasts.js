// Toasts: each is shown for five seconds; the time starts again when the pointer leaves the toast.

import { sendEvent } from './bridge.js';
import { findAll, slots } from './elements.js';

const TOAST_MILLISECONDS = 5000;
/** @type {WeakMap<HTMLElement, number>} */
const timers = new WeakMap();

/** Starts the timers of new toasts; a timer's end sends `toast-done`. */
export function watchToasts() {
  for (const toast of findAll(slots.toasts, '[data-toast]')) {
    if (timers.has(toast)) continue;
    const start = () => timers.set(toast, setTimeout(() => {
      if (toast.isConnected) sendEvent('toast-done', { value: toast.dataset.toast });
    }, TOAST_MILLISECONDS));
    start();
    toast.addEventListener('pointerenter', () => clearTimeout(timers.get(toast)));
    toast.addEventListener('pointerleave', start);
  }
}
