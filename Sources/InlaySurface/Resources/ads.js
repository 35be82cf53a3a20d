// The page's side of an ad: tells the host what was really seen, played and pressed, keeps a creative's frame in
// its place, and moves it as MRAID asks. Whether an ad may be closed, opened or paid for, the host decides.

import { sendEvent } from './surface.js';

const surface = document.querySelector('[data-surface]');
const page = surface.querySelector('.surface-page');

const TAP_MILLISECONDS = 1000;
/** A message takes its time from frame to page; what was a tap within the limit there may arrive a little later. */
const SLACK_MILLISECONDS = 250;
/** How long a creative may take to say that it is still there. */
const ANSWER_MILLISECONDS = 1500;
const CLOSE_AREA = 50;
const STEPS = Array.from({ length: 51 }, (_, step) => step / 50);

/** What was told of an ad is told once, however often its element comes anew. */
const told = new Set();
const ads = new Map();

// ---------------------------------------------------------------- what is seen of an ad

class Ad {
  constructor(element) {
    this.element = element;
    this.id = element.dataset.ad;
    this.box = element.querySelector('.ad-box');
    this.ratio = 0;
    this.rect = null;
    this.isPainted = false;
    this.sight = new IntersectionObserver(entries => this.look(entries.at(-1)), { threshold: STEPS });
    this.sight.observe(this.box);
  }

  end() {
    this.sight.disconnect();
    clearTimeout(this.dwell);
  }

  get isSeen() { return told.has(`${this.id} ad-rendered `); }
  get isCovered() { return document.hidden || page.inert; }
  get visible() { return this.isCovered ? 0 : this.ratio; }
  /** How long half of it must be in sight to count as viewable, and whether now counts. */
  get dwellMilliseconds() { return 1000; }
  get isRunning() { return true; }

  say(name, values) { sendEvent(name, { ad: this.id, ...values }); }

  once(name, values) {
    const key = `${this.id} ${name} ${values?.phase ?? ''}`;
    if (told.has(key)) return;
    told.add(key);
    this.say(name, values);
  }

  look({ intersectionRatio, intersectionRect: rect }) {
    this.ratio = rect.width > 0 && rect.height > 0 ? intersectionRatio : 0;
    this.rect = this.ratio > 0 ? rect : null;
    this.update();
  }

  painted() {
    this.isPainted = true;
    this.update();
  }

  update() {
    const { visible } = this;
    if (this.isPainted && visible > 0) this.once('ad-rendered');
    if (this.isPainted && visible >= 0.5 && this.isRunning) {
      this.dwell ??= setTimeout(() => this.once('ad-viewable'), this.dwellMilliseconds);
    } else {
      clearTimeout(this.dwell);
      this.dwell = undefined;
    }
  }

  escape() { return false; }
}

// ---------------------------------------------------------------- creatives in frames

class Creative extends Ad {
  constructor(element) {
    super(element);
    this.isMRAID = element.hasAttribute('data-mraid');
    this.state = 'default';
    this.restored = 0;
    this.lastTap = -Infinity;
    element.querySelector('[data-ad-collapse]').addEventListener('click', () => this.collapse());
    this.bind(element.querySelector('[data-ad-frame]'));
    this.resized = () => this.tellGeometry();
    addEventListener('resize', this.resized);
  }

  end() {
    super.end();
    removeEventListener('resize', this.resized);
    clearTimeout(this.check);
  }

  // The frame and its line. Only a document's first word counts: its own script speaks before the creative does.
  bind(frame) {
    this.frame = frame;
    this.line = null;
    this.isGreeted = false;
    frame.addEventListener('load', () => {
      if (this.frame === frame) this.askWhetherThere();
    });
  }

  connect(line) {
    if (this.line) return;
    this.line = line;
    line.onmessage = ({ data }) => {
      if (this.line === line && data !== null && typeof data === 'object') this.hear(data);
    };
    line.addEventListener('close', () => {
      if (this.line === line && this.element.isConnected) this.wentAway();
    });
  }

  tell(message) { this.line?.postMessage(message); }

  hear(said) {
    if (said.painted === true) this.painted();
    if (said.tap === true) this.lastTap = performance.now();
    if (said.pong === this.question) clearTimeout(this.check);
    if (said.key === 'Escape') escape();
    if (typeof said.open === 'string') this.open(said.open);
    if (typeof said.mraid === 'string' && this.isMRAID) this.act(said);
  }

  open(address) {
    const isFresh = performance.now() - this.lastTap <= TAP_MILLISECONDS + SLACK_MILLISECONDS;
    this.lastTap = -Infinity;
    // The browser's own word that somebody touched the page, where it gives one.
    const isTouched = navigator.userActivation?.isActive ?? true;
    if (!isFresh || !isTouched || this.visible === 0 || !/^https?:\/\//i.test(address)) return;
    this.say('ad-tap', { part: 'creative', value: address.slice(0, 4096) });
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
      this.line = null;
      this.frame.hidden = true;
      this.once('ad-failed', { value: 'redirect' });
      return;
    }
    this.collapse();
    const next = this.frame.cloneNode();
    this.frame.replaceWith(next);
    this.bind(next);
  }

  // MRAID

  act(said) {
    if (said.mraid === 'hello') this.greet();
    else if (!this.isGreeted) return;
    else if (said.mraid === 'expand') this.expand(said);
    else if (said.mraid === 'resize') this.resize(said);
    else if (said.mraid === 'close') this.close();
    else if (said.mraid === 'unload') this.once('ad-unload');
  }

  greet() {
    this.isGreeted = true;
    this.tellGeometry();
    this.tellExposure();
    this.tell({ state: this.state });
  }

  update() {
    super.update();
    if (this.isGreeted) this.tellExposure();
  }

  tellExposure() {
    const { frame, rect } = this;
    const own = frame.getBoundingClientRect();
    const seen = this.visible > 0 && rect
      ? { x: rect.x - own.x, y: rect.y - own.y, width: rect.width, height: rect.height } : null;
    const exposure = [Math.round(this.visible * 1000) / 10, seen, null];
    const text = JSON.stringify(exposure);
    if (text === this.exposure) return;
    this.exposure = text;
    this.tell({ exposure });
  }

  tellGeometry() {
    if (!this.isGreeted) return;
    this.tell({ geometry: {
      screen: { width: screen.width, height: screen.height }, max: { width: innerWidth, height: innerHeight },
      current: place(this.frame), default: this.state === 'default' ? place(this.frame) : this.home,
    } });
  }

  refuse(message, action) { this.tell({ error: [message, action] }); }

  become(state) {
    this.state = state;
    this.element.dataset.state = state;
    this.element.querySelector('[data-ad-collapse]').hidden = state !== 'expanded' && state !== 'resized';
    this.tellGeometry();
    this.tell({ state });
  }

  /** Leaves a hole of the creative's own size where it was, so that nothing around it moves. */
  leaveHome() {
    if (this.state !== 'default') return;
    this.home = place(this.frame);
    const { width, height } = this.element.getBoundingClientRect();
    set(this.element, { 'inline-size': `${width}px`, 'block-size': `${height}px` });
  }

  expand({ width, height }) {
    if (this.element.dataset.placement !== 'inline' || !['default', 'resized'].includes(this.state)) {
      this.refuse('Cannot expand now.', 'expand');
      return;
    }
    this.leaveHome();
    const isWhole = side => !(side > 0);
    set(this.box, { left: '', top: '' });
    set(this.frame, {
      'inline-size': isWhole(width) ? '100%' : `${Math.min(width, innerWidth)}px`,
      'block-size': isWhole(height) ? '100%' : `${Math.min(height, innerHeight)}px`,
    });
    this.become('expanded');
  }

  resize({ width, height, offsetX, offsetY, allowOffscreen }) {
    if (this.element.dataset.placement !== 'inline' || !['default', 'resized'].includes(this.state)) {
      this.refuse('Cannot resize now.', 'resize');
      return;
    }
    const home = this.state === 'default' ? place(this.frame) : place(this.element);
    let x = home.x + offsetX;
    let y = home.y + offsetY;
    if (!allowOffscreen) {
      if (width > innerWidth || height > innerHeight) {
        this.refuse('This is larger than the screen, and must not leave it.', 'resize');
        return;
      }
      x = Math.max(0, Math.min(x, innerWidth - width));
      y = Math.max(0, Math.min(y, innerHeight - height));
    }
    const end = x + width;
    if (end - CLOSE_AREA < 0 || end > innerWidth || y < 0 || y + CLOSE_AREA > innerHeight) {
      this.refuse('The close button would not be on the screen.', 'resize');
      return;
    }
    this.leaveHome();
    const origin = this.element.getBoundingClientRect();
    set(this.box, { left: `${x - origin.x}px`, top: `${y - origin.y}px` });
    set(this.frame, { 'inline-size': `${width}px`, 'block-size': `${height}px` });
    this.become('resized');
  }

  collapse() {
    if (this.state !== 'expanded' && this.state !== 'resized') return;
    set(this.box, { left: '', top: '' });
    set(this.frame, { 'inline-size': '', 'block-size': '' });
    set(this.element, { 'inline-size': '', 'block-size': '' });
    this.become('default');
  }

  close() {
    if (this.state === 'expanded' || this.state === 'resized') {
      this.collapse();
    } else if (this.state === 'default') {
      this.become('hidden');
      this.once('ad-hide');
    }
  }

  escape() {
    if (this.state !== 'expanded' && this.state !== 'resized') return false;
    this.collapse();
    return true;
  }
}

function place(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}

function set(element, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === '') element.style.removeProperty(name);
    else element.style.setProperty(name, value);
  }
}

addEventListener('message', event => {
  if (event.data?.inlayAd !== 'line' || !event.ports[0]) return;
  for (const ad of ads.values()) {
    if (ad instanceof Creative && ad.frame.contentWindow === event.source) ad.connect(event.ports[0]);
  }
});

// ---------------------------------------------------------------- video

const QUARTILES = [[0.25, 'firstQuartile'], [0.5, 'midpoint'], [0.75, 'thirdQuartile']];
const STALL_MILLISECONDS = 10_000;

class Video extends Ad {
  constructor(element) {
    super(element);
    this.player = element.querySelector('video');
    this.whole = Number(this.player.dataset.milliseconds);
    this.skipAt = this.player.dataset.skip === undefined ? null : Number(this.player.dataset.skip);
    // An attribute of a player that was parsed does not mute it.
    this.player.muted = true;
    this.isOver = false;
    this.isEarned = false;
    this.hasStarted = false;
    this.wasPaused = false;
    this.lastSecond = -1;
    this.listen();
    this.update();
  }

  end() {
    super.end();
    clearTimeout(this.stall);
    this.player.pause();
  }

  get dwellMilliseconds() { return 2000; }
  get isRunning() { return !this.player.paused && !this.isOver; }
  get milliseconds() { return Math.floor(this.player.currentTime * 1000); }
  /** Some recordings do not know how long they are; the ad's own word stands in. */
  get length() { return Number.isFinite(this.player.duration) ? this.player.duration * 1000 : this.whole; }

  part(name) { return this.element.querySelector(name); }
  report(phase, more) { this.say('ad-video', { phase, position: this.milliseconds, ...more }); }
  reportOnce(phase) { this.once('ad-video', { phase, position: this.milliseconds }); }

  listen() {
    const { player } = this;
    const on = (kind, act) => player.addEventListener(kind, act);
    if (player.requestVideoFrameCallback) player.requestVideoFrameCallback(() => this.painted());
    else player.addEventListener('timeupdate', () => this.painted(), { once: true });
    on('timeupdate', () => this.advance());
    on('playing', () => this.started());
    on('pause', () => this.paused());
    on('ended', () => this.finish('complete'));
    on('error', () => this.fail(player.error?.code ?? 0));
    on('volumechange', () => this.part('[data-ad-sound]')?.setAttribute('aria-pressed', String(!player.muted)));
    this.element.addEventListener('click', event => this.press(event));
  }

  update() {
    super.update();
    this.tellStart();
    if (this.isOver) this.keepWord();
    if (!this.player || this.isOver) return;
    if (this.visible >= 0.5) this.play();
    else if (!this.player.paused) this.player.pause();
  }

  play() {
    if (!this.player.paused) return;
    this.watch();
    this.player.play().then(() => { this.part('[data-ad-play]').hidden = true; }, problem => {
      if (problem.name === 'NotAllowedError') {
        clearTimeout(this.stall);
        this.part('[data-ad-play]').hidden = false;
      }
    });
  }

  started() {
    if (this.wasPaused && told.has(`${this.id} ad-video start`)) this.report('resume');
    this.wasPaused = false;
    this.hasStarted = true;
    this.watch();
    this.update();
  }

  /** A player says that it plays before a picture is on screen; nothing counts before the ad was seen. */
  tellStart() { if (this.hasStarted && this.isSeen) this.reportOnce('start'); }

  paused() {
    clearTimeout(this.stall);
    if (this.isOver || this.player.ended) return;
    this.wasPaused = true;
    this.report('pause');
    super.update();
  }

  /** A player that stands still without a reason has lost its file. */
  watch() {
    clearTimeout(this.stall);
    this.stall = setTimeout(() => { if (!this.isOver && this.visible > 0) this.fail('stall'); }, STALL_MILLISECONDS);
  }

  advance() {
    if (this.isOver) return;
    this.watch();
    const { milliseconds, length } = this;
    if (this.isSeen) this.advanceTo(length > 0 ? milliseconds / length : 0);
    const second = Math.floor(milliseconds / 1000);
    if (second !== this.lastSecond) {
      this.lastSecond = second;
      this.report('progress');
    }
    this.draw(milliseconds, length);
  }

  advanceTo(share) {
    for (const [from, phase] of QUARTILES) if (share >= from) this.reportOnce(phase);
  }

  draw(milliseconds, length) {
    const share = length > 0 ? Math.min(milliseconds / length, 1) : 0;
    set(this.part('[data-ad-progress]'), { 'inline-size': `${share * 100}%` });
    const left = this.part('[data-ad-left]');
    if (left && length > 0) {
      left.hidden = false;
      left.textContent = fill(left.dataset.template, length - milliseconds);
    }
    const skip = this.part('[data-ad-skip]');
    if (!skip || this.skipAt === null) return;
    skip.disabled = milliseconds < this.skipAt;
    skip.firstElementChild.textContent = skip.disabled
      ? fill(skip.dataset.template, this.skipAt - milliseconds) : skip.dataset.ready;
  }

  finish(phase) {
    if (this.isOver) return;
    if (phase === 'complete') this.advanceTo(1);
    this.isEarned = phase === 'complete';
    this.isOver = true;
    clearTimeout(this.stall);
    this.reportOnce(phase);
    this.element.dataset.moment = 'over';
    this.part('[data-ad-play]').hidden = true;
    this.keepWord();
    this.player.pause();
  }

  /** What the end says, said again after every drawing of the host's. */
  keepWord() {
    this.part('.ad-tools')?.toggleAttribute('data-over', true);
    const left = this.part('[data-ad-left]');
    if (!left || !this.isEarned || left.textContent === left.dataset.done) return;
    left.hidden = false;
    left.textContent = left.dataset.done;
  }

  fail(code) {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.stall);
    this.once('ad-failed', { value: 'media', code: String(code) });
  }

  press(event) {
    // Only a hand presses; nothing of the ad's maker runs on this page, but the rule is the same everywhere.
    if (!event.isTrusted) return;
    const hit = event.target.closest('button, video, [data-ad-companion]');
    if (!hit || hit.matches('[data-ad-close]')) return;
    if (hit.matches('[data-ad-sound]')) this.turnSound();
    else if (hit.matches('[data-ad-skip]')) this.skip();
    else if (hit.matches('[data-ad-play]')) this.play();
    else if (hit.matches('[data-ad-icon]')) this.tap('icon');
    else if (hit.matches('[data-ad-companion]')) this.tap('companion');
    else if (hit.matches('[data-ad-link]') || this.part('[data-ad-link]')) this.tap('video');
  }

  tap(part) { this.say('ad-tap', { part, value: '' }); }

  turnSound() {
    this.player.muted = !this.player.muted;
    this.report(this.player.muted ? 'mute' : 'unmute');
  }

  skip() {
    if (this.skipAt === null || this.milliseconds < this.skipAt) return;
    this.finish('skip');
  }
}

function fill(template, milliseconds) {
  return template.replace('{{seconds}}', String(Math.max(0, Math.ceil(milliseconds / 1000))));
}

// ---------------------------------------------------------------- ads come and go

function attend() {
  for (const [element, ad] of ads) {
    if (element.isConnected && ad.id === element.dataset.ad) continue;
    ad.end();
    ads.delete(element);
  }
  for (const element of surface.querySelectorAll('[data-ad]')) {
    if (ads.has(element)) continue;
    ads.set(element, element.dataset.kind === 'video' ? new Video(element) : new Creative(element));
  }
  updateAll();
}

function updateAll() { for (const ad of ads.values()) ad.update(); }

function escape() {
  if (page.inert) return;
  for (const ad of ads.values()) if (ad.escape()) return;
  const close = surface.querySelector('[data-ad-close]');
  if (close) sendEvent('ad-close', { value: close.dataset.value });
}

document.addEventListener('visibilitychange', updateAll);
document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && !event.defaultPrevented) escape();
});
new MutationObserver(attend).observe(surface, { childList: true, subtree: true });
new MutationObserver(updateAll).observe(page, { attributes: true, attributeFilter: ['inert'] });
attend();
