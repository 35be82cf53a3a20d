// Reports to the host of a web view how high the content is, so that an app can give a surface exactly that space.

import { isInWebView, send } from './bridge.js';
import { childrenOf, slots } from './elements.js';
import { extend } from './extensions.js';

const MILLISECONDS_BETWEEN = 100;
const parts = [slots.top, slots.list, slots.bottom];
let sent = -1;
/** @type {number | undefined} */
let timer;

/**
 * The height that a part needs. The part itself may be higher, since the list fills what the page has left, or have none.
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
  if (height === sent) return;
  sent = height;
  send('size', { height });
  // Not again at once: an element may grow in each frame of a motion.
  timer = setTimeout(report, MILLISECONDS_BETWEEN);
}

/** Begins to report, for as long as the page lives. */
export function reportSize() {
  if (!isInWebView) return;
  const observer = new ResizeObserver(() => { timer ??= setTimeout(report); });
  const observe = () => parts.flatMap(part => [part, ...childrenOf(part)]).forEach(element => observer.observe(element));
  extend({ afterPatch: observe });
  observe();
}
