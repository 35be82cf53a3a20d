// The connection between the page and its host: messages in both directions.

import { surfaceName } from './elements.js';

/**
 * A message between the page and its host.
 * @typedef {object} Message
 * @property {string} surface The name of the surface that the message belongs to.
 * @property {'patch' | 'navigate' | 'ready' | 'environment' | 'size' | 'event'} kind
 * @property {string} id Chosen by the sender, unique in one connection.
 * @property {any} payload A `Patch`, `{ url }`, an `Environment`, `{ height }`, or an event's `{ name, … }`.
 */

/**
 * One step of a patch.
 * @typedef {object} Operation
 * @property {'insert' | 'replace' | 'remove' | 'move'} op
 * @property {string} key The key of the region.
 * @property {string} [slot] The target slot of an insertion or move.
 * @property {string} [before] The key of the region that follows the inserted or moved one; absent at the slot's end.
 * @property {string} [html] The markup of an inserted or replaced region.
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
 * The carrier of messages: the app's web view sets `window.inlayBridge`, and a browser uses a web socket.
 * @typedef {object} Bridge
 * @property {(text: string) => void} send
 * @property {(onMessage: (text: string) => void, onOpen: () => void) => void} open Connects; `onOpen` runs after each
 *   connection, also after a reconnection.
 */

/**
 * The names that a host may add to the window.
 * @typedef {object} HostWindow
 * @property {Bridge} [inlayBridge]
 */

const MAXIMUM_WAITING_MESSAGES = 100;
const MAXIMUM_RECONNECT_MILLISECONDS = 10_000;
const host = /** @type {HostWindow} */ (/** @type {unknown} */ (window));
/** Whether the page is in an app's web view, and not in a browser. */
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
 * Sends a user's event to the feature.
 * @param {string} name
 * @param {object} [values]
 */
export function sendEvent(name, values = {}) { send('event', { name, ...values }); }

/**
 * Connects to the host. After each connection the host sends the whole page again.
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

// Scripts that do not import this file send an event by dispatching this one.
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
          // Full jitter, so that many pages do not reconnect at the same time.
          setTimeout(open, Math.random() * Math.min(MAXIMUM_RECONNECT_MILLISECONDS, 250 * 2 ** Math.min(attempt, 6)));
        });
      };
      open();
    },
  };
}
