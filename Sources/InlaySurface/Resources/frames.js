// Documents in frames within a page: gives them their look, and hears which links, videos and keys were pressed in them.

import { sendEvent } from './bridge.js';
import { page, slots } from './elements.js';
import { extend } from './extensions.js';
import { changePlace, placeState } from './places.js';

const MAXIMUM_ADDRESS = 4096;
const MAXIMUM_TITLE = 200;

/**
 * A message of the host's own script in a document.
 * @typedef {{ ready?: unknown, top?: unknown, link?: unknown, video?: unknown, title?: unknown, key?: unknown }} FrameMessage
 */

/** @type {WeakMap<HTMLIFrameElement, MessagePort>} The ports of frames whose document has connected. */
const ports = new WeakMap();
/** @type {WeakMap<HTMLIFrameElement, string | undefined>} The look that each frame has. */
const looks = new WeakMap();

/** @returns {HTMLIFrameElement[]} */
function frames() { return [...slots.list.querySelectorAll('iframe')].filter(frame => frame.matches('[data-frame]')); }

/**
 * Whether a value may be an address. One that is cut off would lead elsewhere.
 * @param {unknown} value
 * @returns {value is string}
 */
function isAddress(value) { return typeof value === 'string' && value.length <= MAXIMUM_ADDRESS; }

/**
 * Takes documents in frames into the page.
 * @param {{ scrolled: (top: number) => void, key: (key: string) => void }} owner
 */
export function connectFrames(owner) {
  extend({
    afterPatch() {
      for (const frame of frames()) {
        const { look } = frame.dataset;
        if (looks.get(frame) !== look) ports.get(frame)?.postMessage({ look });
        looks.set(frame, look);
      }
    },
  });
  // A document's first message carries a port to the host's own script in it. Only the first counts: a script of the
  // document comes later, so it cannot speak in the reader's name.
  addEventListener('message', event => {
    const frame = frames().find(element => element.contentWindow === event.source);
    const [port] = event.ports;
    if (!frame || event.data?.inlayFrame !== 'line' || ports.has(frame) || !port) return;
    ports.set(frame, port);
    port.onmessage = ({ data }) => { if (frame.isConnected) receive(data, frame, port); };
  });

  /**
   * @param {FrameMessage} message
   * @param {HTMLIFrameElement} frame
   * @param {MessagePort} port
   */
  function receive(message, frame, port) {
    if (typeof message.top === 'number') {
      changePlace({ frameTop: message.top });
      owner.scrolled(message.top);
    } else if (message.ready === true) {
      port.postMessage({ look: frame.dataset.look, top: placeState().frameTop ?? 0 });
    } else if (page.inert) {
      // Something covers the page: it is answered first.
    } else if (isAddress(message.link)) {
      sendEvent('frame-link', { value: message.link });
    } else if (isAddress(message.video)) {
      const title = String(message.title ?? '').slice(0, MAXIMUM_TITLE);
      sendEvent('video', { value: message.video, title });
    } else if (typeof message.key === 'string') {
      owner.key(message.key);
    }
  }
}
