// A video ad: plays while it is in sight, tells where it is, and shows what comes after it.

import { Line } from './ad-line.js';
import { Ad, set } from './ad-sight.js';

const QUARTILES = [[0.25, 'firstQuartile'], [0.5, 'midpoint'], [0.75, 'thirdQuartile']];
const STALL_MILLISECONDS = 10_000;

/** A film with the app's own controls; `leave` is what Escape does in the app. */
export class Video extends Ad {
  constructor(element, leave) {
    super(element);
    this.player = element.querySelector('video');
    this.whole = Number(this.player.dataset.milliseconds);
    this.skipAt = this.player.dataset.skip === undefined ? null : Number(this.player.dataset.skip);
    // An attribute of a player that was parsed does not mute it.
    this.player.muted = true;
    // Also after the page was loaded again.
    this.isOver = this.part('.ad-end') !== null;
    this.isEarned = false;
    this.hasStarted = false;
    this.wasPaused = false;
    this.lastSecond = -1;
    this.leave = leave;
    this.listen();
    this.update();
  }

  end() {
    super.end();
    clearTimeout(this.stall);
    this.card?.end();
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
    this.drawIcon();
    if (this.isOver) {
      this.keepWord();
      this.meetCard();
    }
    if (!this.player || this.isOver) return;
    if (this.visible >= 0.5) this.play();
    else if (!this.player.paused) this.player.pause();
  }

  play() {
    // A film at its end is paused a moment before it says so, and asked to play it would start over.
    if (!this.player.paused || this.player.ended) return;
    this.watch();
    this.player.play().then(() => { this.part('[data-ad-play]').hidden = true; }, problem => {
      if (problem.name === 'NotAllowedError') {
        clearTimeout(this.stall);
        this.part('[data-ad-play]').hidden = false;
      }
    });
  }

  started() {
    if (this.wasPaused && this.hasTold('ad-video', 'start')) this.report('resume');
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
    this.drawIcon();
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

  /** The mark of a programme has a time of its own, and is told when it is seen. */
  drawIcon() {
    const icon = this.player && this.part('[data-ad-icon]');
    if (!icon) return;
    const { from, until } = icon.dataset;
    const isLater = until !== undefined && this.milliseconds >= Number(until);
    const isHidden = isLater || this.milliseconds < Number(from);
    if (icon.hidden !== isHidden) icon.hidden = isHidden;
    const picture = icon.firstElementChild;
    const isThere = !isHidden && picture.complete && picture.naturalWidth > 0;
    if (isThere && this.isSeen && this.visible > 0) this.once('ad-icon');
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

  // ---------------------------------------------------------------- what comes after the end

  /** The picture or the frame that the host puts there once it knows that the film is over. */
  meetCard() {
    const picture = this.part('.ad-end-image');
    const frame = this.part('[data-ad-frame]');
    if (picture && picture !== this.picture) {
      this.picture = picture;
      // Without it the last picture of the film stays.
      picture.addEventListener('error', () => { this.part('.ad-end').hidden = true; });
      picture.addEventListener('load', () => this.updateCard(true));
      if (picture.complete && picture.naturalWidth > 0) this.isCardPainted = true;
    }
    if (frame && !this.card) this.card = new Line(frame, this);
    if (this.isCardPainted && this.visible > 0) this.once('ad-card');
  }

  updateCard(isPainted) {
    this.isCardPainted = isPainted;
    this.update();
  }

  heard(said) {
    if (said.painted === true) this.updateCard(true);
    if (said.key === 'Escape') this.leave();
  }

  opens(address) { this.say('ad-tap', { part: 'companion', value: address }); }
  broke(value, code) { this.once('ad-failed', { value, code }); }
  comesBack() {}

  // ---------------------------------------------------------------- what is pressed

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
    else if (hit.matches('[data-ad-link]') && this.card) this.tap('companion');
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
