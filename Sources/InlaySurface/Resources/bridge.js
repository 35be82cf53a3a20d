// The connection between the page and its host: messages in both directions.

import { surfaceName } from './elements.js';

/**
 * A message between the page and its host.
 * @typedef {object} Message
 * @property {string} surface The surface that it belongs to.
 * @property {'patch' | 'navigate' | 'ready' | 'environment' | 'size' | 'event'} kind
 * @property {string} id Chosen by the sender, unique in one connection.
 * @property {any} payload A `Patch`, `{ url }`, an `Environment`, `{ height }`, or `{ name, … }` of an event.
 */

/**
 * One step of a patch.
 * @typedef {object} Operation
 * @property {'insert' | 'replace' | 'remove' | 'move'} op
 * @property {string} key The region.
 * @property {string} [slot] The slot of a region that is inserted or moved.
 * @property {string} [before] The region that it stands in front of; absent for the slot's end.
 * @property {string} [html] The element of a region that is inserted or replaced.
 */

/**
 * The attributes of the page's root element.
 * @typedef {object} Root
 * @property {string} title
 * @property {string} colorScheme
 * @property {string} layoutDirection
 * @property {string} locale
 * @property {Record<string, string>} style
 */

/** @typedef {{ ops?: Operation[], root?: Root }} Patch */

/**
 * The carrier of messages; an app's web view brings its own as `window.inlayBridge`.
 * @typedef {object} Bridge
 * @property {(text: string) => void} send
 * @property {(onMessage: (text: string) => void, onOpen: () => void) => void} open Connects; `onOpen` runs each time.
 */

/**
 * The names that a host may add to the window.
 * @typedef {object} HostWindow
 * @property {Bridge} [inlayBridge]
 */

const MAXIMUM_WAITING_MESSAGES = 100;
const MAXIMUM_RECONNECT_MILLISECONDS = 10_000;
const host = /** @type {HostWindow} */ (/** @type {unknown} */ (window));
/** Whether a web view of an app shows the page, and not a browser. */
export const isInWebView = Boolean(host.inlayBridge);
const bridge = host.inlayBridge ?? socketBridge();
let sequence = 0;

/**
 * @param {Message['kind']} kind
 * @param {object} payload
 */
export function send(kind, payload) {
  sequence += 1;
  bridge.send(JSON.stringify({ surface: surfaceName, kind, id: String(sequence), payload }));
}

/**
 * Sends an event of the user to the feature.
 * @param {string} name
 * @param {object} [values]
 */
export function sendEvent(name, values = {}) { send('event', { name, ...values }); }

/**
 * Connects to the host. After each connection the host sends everything anew.
 * @param {(message: Message) => void} receive
 * @param {() => void} connected
 */
export function connect(receive, connected) {
  bridge.open(text => {
    /** @type {Message} */
    const message = JSON.parse(text);
    if (message.surface === surfaceName) receive(message);
  }, connected);
}

// A script that does not import this one can send an event too.
document.addEventListener('inlay-surface-event', event => {
  if (event instanceof CustomEvent) sendEvent(event.detail.name, event.detail.values ?? {});
});

/** @returns {Bridge} */
function socketBridge() {
  /** @type {WebSocket | undefined} */
  let socket;
  let attempt = 0;
  /** @type {string[]} */
  const waiting = [];
  return {
    send(text) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
      else if (waiting.length < MAXIMUM_WAITING_MESSAGES) waiting.push(text);
    },
    open(onMessage, onOpen) {
      const address = new URL('socket', document.baseURI);
      address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
      address.searchParams.set('surface', surfaceName);
      const open = () => {
        const opened = new WebSocket(address);
        socket = opened;
        opened.addEventListener('open', () => {
          attempt = 0;
          onOpen();
          waiting.splice(0).forEach(text => opened.send(text));
        });
        opened.addEventListener('message', event => onMessage(event.data));
        opened.addEventListener('close', () => {
          attempt += 1;
          // Full jitter, so that many pages do not come back in step.
          setTimeout(open, Math.random() * Math.min(MAXIMUM_RECONNECT_MILLISECONDS, 250 * 2 ** Math.min(attempt, 6)));
        });
      };
      open();
    },
  };
}
