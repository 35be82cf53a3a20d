// The connection to an advertiser's document in a frame: receives its messages, and ends an ad that breaks the rules.

/** The maximum time between a tap and the request to open an address. */
const TAP_MILLISECONDS = 1000;
/** The additional time for the message of an open that was within the limit in the frame to arrive in the page. */
const DELIVERY_MILLISECONDS = 250;
/** The maximum time for a document to answer a ping after its frame loaded something. */
const MAXIMUM_PONG_MILLISECONDS = 1500;
/** The maximum time for which a visible document may draw nothing. */
const MAXIMUM_UNPAINTED_MILLISECONDS = 10_000;
/** The maximum time for which a document's script may block the thread, so that it answers no ping. */
const MAXIMUM_SILENCE_MILLISECONDS = 5_000;
const CHECK_INTERVAL_MILLISECONDS = 1000;
/** The messages that a frame may send at once, and per second. The host's scripts in the frame send fewer. */
const MAXIMUM_MESSAGES = 240;
const MESSAGES_PER_SECOND = 60;
const MAXIMUM_ADDRESS_LENGTH = 4096;

/** The burdens that any frame of the creative may report; a false report only ends the creative itself. */
const REPORTED = new Set(['processor', 'memory']);

/** @type {Set<FrameConnection>} */
const connections = new Set();

/**
 * A message of `ad-frame.js`, the host's script in a frame.
 * @typedef {object} FrameMessage
 * @property {unknown} [painted]
 * @property {unknown} [direction]
 * @property {unknown} [tap]
 * @property {unknown} [open]
 * @property {unknown} [key]
 * @property {unknown} [pong]
 * @property {unknown} [heavy]
 * @property {unknown} [mraid]
 */

/**
 * The ad that a connection belongs to.
 * @typedef {object} Owner
 * @property {number} visible The share of the ad that is in view, from 0 to 1.
 * @property {(address: string) => void} openAddress Opens the address of a link that the user pressed.
 * @property {(message: FrameMessage) => void} handleMessage Handles all other messages.
 * @property {() => void} willReload Runs before the document is loaded again.
 * @property {(why: string, code: string) => void} didEnd Ends the ad. The connection has ended before.
 */

/** A frame and the connection to the host's script in it. */
export class FrameConnection {
  /**
   * @param {HTMLIFrameElement} frame
   * @param {Owner} owner
   */
  constructor(frame, owner) {
    this.owner = owner;
    this.frame = frame;
    /** @type {MessagePort | null} */
    this.port = null;
    this.isPainted = false;
    this.awaitsPong = false;
    this.silence = this.unpainted = 0;
    this.pingNumber = 0;
    /** @type {number | undefined} */
    this.pongTimer = undefined;
    this.lastTap = -Infinity;
    this.restored = 0;
    this.budget = MAXIMUM_MESSAGES;
    this.messageAt = this.checkedAt = performance.now();
    this.bind(frame);
    this.livenessTimer = setInterval(() => this.checkLiveness(), CHECK_INTERVAL_MILLISECONDS);
    connections.add(this);
  }

  end() {
    clearTimeout(this.pongTimer);
    clearInterval(this.livenessTimer);
    connections.delete(this);
    this.port?.close();
    this.port = null;
  }

  /**
   * Starts to watch a frame, before its document has connected.
   * @param {HTMLIFrameElement} frame
   */
  bind(frame) {
    this.frame = frame;
    this.port = null;
    this.isPainted = false;
    this.awaitsPong = false;
    this.silence = this.unpainted = 0;
    frame.addEventListener('load', () => {
      if (this.frame === frame) this.pingAfterLoad();
    });
  }

  /**
   * Receives messages through the port that the document's first message carries, sent before the creative runs.
   * @param {MessagePort} port
   */
  connect(port) {
    this.port = port;
    port.onmessage = ({ data }) => {
      if (this.port === port && data !== null && typeof data === 'object' && this.isWithinBudget()) this.receive(data);
    };
    port.addEventListener('close', () => {
      if (this.port === port && this.frame.isConnected) this.documentLeft();
    });
  }

  /** @param {object} message */
  send(message) { this.port?.postMessage(message); }

  /** @param {FrameMessage} message */
  receive(message) {
    if (message.painted === true) this.isPainted = true;
    if (message.tap === true) this.lastTap = performance.now();
    if (message.pong === this.pingNumber) clearTimeout(this.pongTimer);
    if (message.pong !== undefined) this.awaitsPong = false;
    if (message.heavy === 'requests') this.endAd('heavy', 'requests');
    else if (typeof message.open === 'string') this.open(message.open);
    else this.owner.handleMessage(message);
  }

  /** Whether the user tapped in the document within the last second. */
  get isTouched() {
    const isFresh = performance.now() - this.lastTap <= TAP_MILLISECONDS + DELIVERY_MILLISECONDS;
    // Also the browser itself must report a user's input, if it supports `userActivation`.
    const { userActivation } = /** @type {{ userActivation?: { isActive: boolean } }} */ (/** @type {object} */ (navigator));
    return isFresh && (userActivation?.isActive ?? true);
  }

  /** @param {string} address */
  open(address) {
    const { isTouched } = this;
    this.lastTap = -Infinity;
    if (!isTouched || this.owner.visible === 0 || !/^https?:\/\//i.test(address)) return;
    // A longer address is ignored, since a truncated one would lead elsewhere.
    if (address.length <= MAXIMUM_ADDRESS_LENGTH) this.owner.openAddress(address);
  }

  // ---------------------------------------------------------------- limits

  /** Takes a message from the budget; returns whether it was within the budget, otherwise ends the ad. */
  isWithinBudget() {
    const now = performance.now();
    this.budget = Math.min(MAXIMUM_MESSAGES, this.budget + (now - this.messageAt) / 1000 * MESSAGES_PER_SECOND) - 1;
    this.messageAt = now;
    if (this.budget < 0) this.endAd('heavy', 'messages');
    return this.budget >= 0;
  }

  /** Ends the ad if its document draws nothing or answers no pings for too long. */
  checkLiveness() {
    const now = performance.now();
    // Time for which the page itself was blocked does not count, nor does time out of view.
    const isCounted = now - this.checkedAt < 2 * CHECK_INTERVAL_MILLISECONDS && this.owner.visible > 0;
    this.checkedAt = now;
    if (!isCounted || !this.frame.isConnected) {
      this.silence = 0;
      return;
    }
    this.unpainted = this.isPainted ? 0 : this.unpainted + CHECK_INTERVAL_MILLISECONDS;
    this.silence = this.awaitsPong ? this.silence + CHECK_INTERVAL_MILLISECONDS : 0;
    if (this.silence >= MAXIMUM_SILENCE_MILLISECONDS) this.endAd('heavy', 'time');
    else if (this.unpainted >= MAXIMUM_UNPAINTED_MILLISECONDS) this.endAd('late');
    if (!this.awaitsPong) this.send({ ping: 0 });
    this.awaitsPong = this.port !== null;
  }

  /** Sends a ping after the frame loaded something. A policy blocks other documents, but then the creative is gone. */
  pingAfterLoad() {
    this.pingNumber += 1;
    clearTimeout(this.pongTimer);
    this.pongTimer = setTimeout(() => this.documentLeft(), MAXIMUM_PONG_MILLISECONDS);
    this.send({ ping: this.pingNumber });
  }

  /** Loads the creative again after it navigated on a tap, at most three times; otherwise ends the ad. */
  documentLeft() {
    clearTimeout(this.pongTimer);
    this.restored += 1;
    const wasTap = performance.now() - this.lastTap <= TAP_MILLISECONDS + MAXIMUM_PONG_MILLISECONDS;
    this.lastTap = -Infinity;
    if (!wasTap || this.restored > 3) {
      this.endAd('redirect');
      return;
    }
    this.owner.willReload();
    const next = /** @type {HTMLIFrameElement} */ (this.frame.cloneNode());
    this.frame.replaceWith(next);
    this.bind(next);
  }

  /**
   * Ends the ad and removes its frame at once, without waiting for the host, so that its use of resources ends.
   * @param {string} why
   */
  endAd(why, code = '') {
    this.end();
    this.frame.remove();
    this.owner.didEnd(why, code);
  }
}

/**
 * Whether a window is in this frame, or in a frame nested in it, up to a depth of 16.
 * @param {MessageEventSource | null} source
 * @param {HTMLIFrameElement} frame
 */
function isWithin(source, frame) {
  let inner = /** @type {Window | null} */ (source);
  for (let depth = 0; inner && inner !== window && depth < 16; depth += 1) {
    if (inner === frame.contentWindow) return true;
    inner = inner.parent;
  }
  return false;
}

addEventListener('message', event => {
  for (const connection of connections) {
    const { frame, port } = connection;
    if (!isWithin(event.source, frame)) continue;
    const isHello = event.data?.inlayAd === 'line' && event.source === frame.contentWindow;
    // A second port is ignored, and counts as a message.
    if (isHello && event.ports[0] && !port) connection.connect(event.ports[0]);
    else if (event.data?.inlayAd === 'heavy' && REPORTED.has(event.data.burden)) {
      connection.endAd('heavy', event.data.burden);
    } else {
      connection.isWithinBudget();
    }
  }
});
