// Reports the height of the content to the host of a web view, so that an app can give a surface exactly that space.

import { isInWebView, send } from './bridge.js';
import { childrenOf, slots } from './elements.js';
import { extend } from './extensions.js';

const REPORT_INTERVAL_MILLISECONDS = 100;
const parts = [slots.top, slots.list, slots.bottom];
let sentHeight = -1;
/** @type {number | undefined} */
let timer;

/**
 * The height that a part's content needs. The part itself may be higher, since the list fills the rest of the page, or
 * have no box.
 * @param {HTMLElement} part
 */
function naturalHeight(part) {
  const { paddingTop, paddingBottom } = getComputedStyle(part);
  const padding = parseFloat(paddingTop) + parseFloat(paddingBottom);
  const children = childrenOf(part).map(child => {
    const { marginTop, marginBottom } = getComputedStyle(child);
    const { top, bottom } = child.getBoundingClientRect();
    return { top: top - parseFloat(marginTop), bottom: bottom + parseFloat(marginBottom) };
  });
  if (children.length === 0) return padding;
  return padding + Math.max(...children.map(({ bottom }) => bottom)) - Math.min(...children.map(({ top }) => top));
}

function report() {
  timer = undefined;
  const height = Math.ceil(parts.reduce((sum, part) => sum + naturalHeight(part), 0));
  if (height === sentHeight) return;
  sentHeight = height;
  send('size', { height });
  // The next report waits, because an element may grow in each frame of an animation.
  timer = setTimeout(report, REPORT_INTERVAL_MILLISECONDS);
}

/** Starts the reports, which continue until the page is closed. Does nothing in a browser. */
export function reportSize() {
  if (!isInWebView) return;
  const observer = new ResizeObserver(() => { timer ??= setTimeout(report); });
  const observe = () => parts.flatMap(part => [part, ...childrenOf(part)]).forEach(element => observer.observe(element));
  extend({ afterPatch: observe });
  observe();
}
