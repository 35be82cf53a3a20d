// Framed documents: sends them their appearance, and receives the links, videos and keys that were pressed in them.

import { sendEvent } from './bridge.js';
import { page, slots } from './elements.js';
import { extend } from './extensions.js';
import { changePlace, placeState } from './places.js';

const MAXIMUM_ADDRESS_LENGTH = 4096;
const MAXIMUM_TITLE_LENGTH = 200;

/**
 * A message of `frame.js`, the host's script in a framed document.
 * @typedef {{ ready?: unknown, top?: unknown, link?: unknown, video?: unknown, title?: unknown, key?: unknown }} FrameMessage
 */

/** @type {WeakMap<HTMLIFrameElement, MessagePort>} The ports of frames whose document has connected. */
const ports = new WeakMap();
/** @type {WeakMap<HTMLIFrameElement, string | undefined>} The appearance that was last sent to each frame. */
const appearances = new WeakMap();

/** @returns {HTMLIFrameElement[]} */
function frames() { return [...slots.list.querySelectorAll('iframe')].filter(frame => frame.matches('[data-frame]')); }

/**
 * Whether a value can be an address. A longer address is refused, since a truncated one would lead elsewhere.
 * @param {unknown} value
 * @returns {value is string}
 */
function isAddress(value) { return typeof value === 'string' && value.length <= MAXIMUM_ADDRESS_LENGTH; }

/**
 * Connects the page with the documents in its frames.
 * @param {{ scrolled: (top: number) => void, key: (key: string) => void }} owner Receives scroll positions and keys.
 */
export function connectFrames(owner) {
  extend({
    afterPatch() {
      for (const frame of frames()) {
        const { appearance } = frame.dataset;
        if (appearances.get(frame) !== appearance) ports.get(frame)?.postMessage({ appearance });
        appearances.set(frame, appearance);
      }
    },
  });
  // The first message of a document carries the port of `frame.js`. Later ones are ignored: scripts of the document run
  // after `frame.js`, so they cannot send messages in the reader's name.
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
      port.postMessage({ appearance: frame.dataset.appearance, top: placeState().frameTop ?? 0 });
    } else if (page.inert) {
      // A screen covers the page: links, videos and keys below it are ignored.
    } else if (isAddress(message.link)) {
      sendEvent('frame-link', { value: message.link });
    } else if (isAddress(message.video)) {
      const title = String(message.title ?? '').slice(0, MAXIMUM_TITLE_LENGTH);
      sendEvent('video', { value: message.video, title });
    } else if (typeof message.key === 'string') {
      owner.key(message.key);
    }
  }
}
