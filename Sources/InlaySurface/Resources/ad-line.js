// The line to a document of the ad's maker in a frame: what it says is heard, and what it must not do ends the ad.

const TAP_MILLISECONDS = 1000;
/** A message takes its time from frame to page; what was a tap within the limit there may arrive a little later. */
const SLACK_MILLISECONDS = 250;
/** How long a document may take to say that it is still there, after its frame loaded something. */
const ANSWER_MILLISECONDS = 1500;
/** How long it may be in sight and draw nothing, and how long its script may let nothing else run. */
const DRAW_MILLISECONDS = 10_000;
const SILENCE_MILLISECONDS = 5_000;
const BEAT_MILLISECONDS = 1000;
/** What it may say: so many words at once, so many in a second. Its own end of the line is held to less. */
const WORDS = 240;
const WORDS_PER_SECOND = 60;

/** What a frame of the creative may report that it takes too much of; a lie only ends the creative itself. */
const REPORTED = new Set(['processor', 'memory']);
/** For how long a creative must have been in sight before its use of the processor counts. */
const SIGHT_MILLISECONDS = 5_000;

const lines = new Set();

/**
 * A frame and the line to the host's script in it.
 *
 * Its owner has `visible`, `opens(address)` for a link that a person pressed, `heard(said)` for the rest,
 * `comesBack()` for a document that is loaded anew, and `broke(why, code)`, after which nothing more comes.
 */
export class Line {
  constructor(frame, owner) {
    this.owner = owner;
    this.lastTap = -Infinity;
    this.restored = 0;
    this.words = WORDS;
    this.heardAt = this.beatAt = performance.now();
    this.bind(frame);
    this.beat = setInterval(() => this.look(), BEAT_MILLISECONDS);
    lines.add(this);
  }

  end() {
    clearTimeout(this.check);
    clearInterval(this.beat);
    lines.delete(this);
    this.port?.close();
    this.port = null;
  }

  // Only a document's first word counts: its own script speaks before the creative does.
  bind(frame) {
    this.frame = frame;
    this.port = null;
    this.isPainted = false;
    this.isAsked = false;
    this.silence = this.unpainted = this.inSight = 0;
    frame.addEventListener('load', () => {
      if (this.frame === frame) this.askWhetherThere();
    });
  }

  connect(port) {
    this.port = port;
    port.onmessage = ({ data }) => {
      if (this.port === port && data !== null && typeof data === 'object' && this.listens()) this.hear(data);
    };
    port.addEventListener('close', () => {
      if (this.port === port && this.frame.isConnected) this.wentAway();
    });
  }

  tell(message) { this.port?.postMessage(message); }

  hear(said) {
    if (said.painted === true) this.isPainted = true;
    if (said.tap === true) this.lastTap = performance.now();
    if (said.pong === this.question) clearTimeout(this.check);
    if (said.pong !== undefined) this.isAsked = false;
    if (said.heavy === 'requests') this.lose('heavy', 'requests');
    else if (typeof said.open === 'string') this.open(said.open);
    else this.owner.heard(said);
  }

  /** Whether a person touched the document a moment ago. */
  get isTouched() {
    const isFresh = performance.now() - this.lastTap <= TAP_MILLISECONDS + SLACK_MILLISECONDS;
    // The browser's own word that somebody touched the page, where it gives one.
    return isFresh && (navigator.userActivation?.isActive ?? true);
  }

  open(address) {
    const { isTouched } = this;
    this.lastTap = -Infinity;
    if (!isTouched || this.owner.visible === 0 || !/^https?:\/\//i.test(address)) return;
    this.owner.opens(address.slice(0, 4096));
  }

  // ---------------------------------------------------------------- limits

  /** Whether there is room for one more word; a flood is cut off at its source. */
  listens() {
    const now = performance.now();
    this.words = Math.min(WORDS, this.words + (now - this.heardAt) / 1000 * WORDS_PER_SECOND) - 1;
    this.heardAt = now;
    if (this.words < 0) this.lose('heavy', 'messages');
    return this.words >= 0;
  }

  look() {
    const now = performance.now();
    // Time that the page itself lost is nobody's fault, and out of sight nobody has to draw.
    const isOwn = now - this.beatAt < 2 * BEAT_MILLISECONDS && this.owner.visible > 0;
    this.beatAt = now;
    if (!isOwn || !this.frame.isConnected) {
      this.silence = this.inSight = 0;
      return;
    }
    this.inSight += BEAT_MILLISECONDS;
    this.unpainted = this.isPainted ? 0 : this.unpainted + BEAT_MILLISECONDS;
    this.silence = this.isAsked ? this.silence + BEAT_MILLISECONDS : 0;
    if (this.silence >= SILENCE_MILLISECONDS) this.lose('heavy', 'time');
    else if (this.unpainted >= DRAW_MILLISECONDS) this.lose('late');
    if (!this.isAsked) this.tell({ ping: 0 });
    this.isAsked = this.port !== null;
  }

  /** A browser may slow down what is out of sight, and that would look like a busy processor. */
  reported(burden) {
    if (burden !== 'processor' || this.inSight >= SIGHT_MILLISECONDS) this.lose('heavy', burden);
  }

  // A policy keeps the frame from going elsewhere, but what it then shows is not the creative.
  askWhetherThere() {
    this.question = (this.question ?? 0) + 1;
    clearTimeout(this.check);
    this.check = setTimeout(() => this.wentAway(), ANSWER_MILLISECONDS);
    this.tell({ ping: this.question });
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
    const next = this.frame.cloneNode();
    this.frame.replaceWith(next);
    this.bind(next);
  }

  /** The document is gone at once, whatever the host is busy with: what it did too much of has an end. */
  lose(why, code = '') {
    this.end();
    this.frame.remove();
    this.owner.broke(why, code);
  }
}

/** Whether a window is in this frame, or in a frame within. */
function isWithin(source, frame) {
  for (let depth = 0; source && source !== window && depth < 16; depth += 1) {
    if (source === frame.contentWindow) return true;
    source = source.parent;
  }
  return false;
}

addEventListener('message', event => {
  for (const line of lines) {
    if (!isWithin(event.source, line.frame)) continue;
    const isHello = event.data?.inlayAd === 'line' && event.source === line.frame.contentWindow;
    // A second line is one word too many, as any other.
    if (isHello && event.ports[0] && !line.port) line.connect(event.ports[0]);
    else if (event.data?.inlayAd === 'heavy' && REPORTED.has(event.data.burden)) line.reported(event.data.burden);
    else line.listens();
  }
});
