// The connection to an advertiser's document in a frame: receives its messages, and ends the ad that does what it must not.

const TAP_MILLISECONDS = 1000;
/** A message takes its time from frame to page; what was a tap within the limit there may arrive a little later. */
const SLACK_MILLISECONDS = 250;
/** The maximum time for a document to answer a ping after its frame loaded something. */
const ANSWER_MILLISECONDS = 1500;
/** The maximum time for which a visible document may draw nothing, and its script may block the thread. */
const DRAW_MILLISECONDS = 10_000;
const SILENCE_MILLISECONDS = 5_000;
const BEAT_MILLISECONDS = 1000;
/** The messages that it may send at once, and in a second. The host's script in the frame is held to less. */
const MAXIMUM_MESSAGES = 240;
const MESSAGES_PER_SECOND = 60;
const MAXIMUM_ADDRESS_LENGTH = 4096;

/** The burdens that a frame of the creative may report; a lie only ends the creative itself. */
const REPORTED = new Set(['processor', 'memory']);

/** @type {Set<FrameConnection>} */
const connections = new Set();

/**
 * A message of the host's script in a frame.
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
 * @property {number} visible The share of it that is in view.
 * @property {(address: string) => void} opens Opens the address of a link that a person pressed.
 * @property {(message: FrameMessage) => void} received Handles every other message.
 * @property {() => void} comesBack Comes before the document is loaded anew.
 * @property {(why: string, code: string) => void} broke Ends the ad; nothing more comes.
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
    this.isAsked = false;
    this.silence = this.unpainted = 0;
    this.question = 0;
    /** @type {number | undefined} */
    this.check = undefined;
    this.lastTap = -Infinity;
    this.restored = 0;
    this.budget = MAXIMUM_MESSAGES;
    this.heardAt = this.beatAt = performance.now();
    this.bind(frame);
    this.beat = setInterval(() => this.look(), BEAT_MILLISECONDS);
    connections.add(this);
  }

  end() {
    clearTimeout(this.check);
    clearInterval(this.beat);
    connections.delete(this);
    this.port?.close();
    this.port = null;
  }

  /**
   * Only a document's first message counts: its own script runs before the creative does.
   * @param {HTMLIFrameElement} frame
   */
  bind(frame) {
    this.frame = frame;
    this.port = null;
    this.isPainted = false;
    this.isAsked = false;
    this.silence = this.unpainted = 0;
    frame.addEventListener('load', () => {
      if (this.frame === frame) this.askWhetherThere();
    });
  }

  /** @param {MessagePort} port */
  connect(port) {
    this.port = port;
    port.onmessage = ({ data }) => {
      if (this.port === port && data !== null && typeof data === 'object' && this.isWithinBudget()) this.receive(data);
    };
    port.addEventListener('close', () => {
      if (this.port === port && this.frame.isConnected) this.wentAway();
    });
  }

  /** @param {object} message */
  send(message) { this.port?.postMessage(message); }

  /** @param {FrameMessage} message */
  receive(message) {
    if (message.painted === true) this.isPainted = true;
    if (message.tap === true) this.lastTap = performance.now();
    if (message.pong === this.question) clearTimeout(this.check);
    if (message.pong !== undefined) this.isAsked = false;
    if (message.heavy === 'requests') this.lose('heavy', 'requests');
    else if (typeof message.open === 'string') this.open(message.open);
    else this.owner.received(message);
  }

  /** Whether a person touched the document a moment ago. */
  get isTouched() {
    const isFresh = performance.now() - this.lastTap <= TAP_MILLISECONDS + SLACK_MILLISECONDS;
    // The browser's own report that a user touched the page, where it gives one.
    const { userActivation } = /** @type {{ userActivation?: { isActive: boolean } }} */ (/** @type {object} */ (navigator));
    return isFresh && (userActivation?.isActive ?? true);
  }

  /** @param {string} address */
  open(address) {
    const { isTouched } = this;
    this.lastTap = -Infinity;
    if (!isTouched || this.owner.visible === 0 || !/^https?:\/\//i.test(address)) return;
    // Cut off, it would lead elsewhere.
    if (address.length <= MAXIMUM_ADDRESS_LENGTH) this.owner.opens(address);
  }

  // ---------------------------------------------------------------- limits

  /** Whether one more message is within the budget; a flood is cut off at its source. */
  isWithinBudget() {
    const now = performance.now();
    this.budget = Math.min(MAXIMUM_MESSAGES, this.budget + (now - this.heardAt) / 1000 * MESSAGES_PER_SECOND) - 1;
    this.heardAt = now;
    if (this.budget < 0) this.lose('heavy', 'messages');
    return this.budget >= 0;
  }

  look() {
    const now = performance.now();
    // Time that the page itself lost is nobody's fault, and out of sight nobody has to draw.
    const isOwn = now - this.beatAt < 2 * BEAT_MILLISECONDS && this.owner.visible > 0;
    this.beatAt = now;
    if (!isOwn || !this.frame.isConnected) {
      this.silence = 0;
      return;
    }
    this.unpainted = this.isPainted ? 0 : this.unpainted + BEAT_MILLISECONDS;
    this.silence = this.isAsked ? this.silence + BEAT_MILLISECONDS : 0;
    if (this.silence >= SILENCE_MILLISECONDS) this.lose('heavy', 'time');
    else if (this.unpainted >= DRAW_MILLISECONDS) this.lose('late');
    if (!this.isAsked) this.send({ ping: 0 });
    this.isAsked = this.port !== null;
  }

  // A policy keeps the frame from going elsewhere, but what it then shows is not the creative.
  askWhetherThere() {
    this.question += 1;
    clearTimeout(this.check);
    this.check = setTimeout(() => this.wentAway(), ANSWER_MILLISECONDS);
    this.send({ ping: this.question });
  }

  wentAway() {
    clearTimeout(this.check);
    this.restored += 1;
    const wasTap = performance.now() - this.lastTap <= TAP_MILLISECONDS + ANSWER_MILLISECONDS;
    this.lastTap = -Infinity;
    if (!wasTap || this.restored > 3) {
      this.lose('redirect');
      return;
    }
    this.owner.comesBack();
    const next = /** @type {HTMLIFrameElement} */ (this.frame.cloneNode());
    this.frame.replaceWith(next);
    this.bind(next);
  }

  /**
   * Removes the document at once, whatever the host is busy with, to end the excessive use.
   * @param {string} why
   */
  lose(why, code = '') {
    this.end();
    this.frame.remove();
    this.owner.broke(why, code);
  }
}

/**
 * Whether a window is in this frame, or in a frame within.
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
    // A second port is one message too many, as any other.
    if (isHello && event.ports[0] && !port) connection.connect(event.ports[0]);
    else if (event.data?.inlayAd === 'heavy' && REPORTED.has(event.data.burden)) connection.lose('heavy', event.data.burden);
    else connection.isWithinBudget();
  }
});
