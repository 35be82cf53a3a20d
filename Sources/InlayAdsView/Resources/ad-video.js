// A video ad: plays while it is in view, reports its position, and shows the end card.

import { FrameConnection } from './ad-connection.js';
import { Ad, part, set } from './ad-viewability.js';
import { closest, find, targetOf } from './elements.js';

/** @type {[from: number, phase: string][]} */
const QUARTILES = [[0.25, 'firstQuartile'], [0.5, 'midpoint'], [0.75, 'thirdQuartile']];
const STALL_MILLISECONDS = 10_000;

/** A video with the app's own controls. */
export class Video extends Ad {
  /**
   * @param {HTMLElement} element
   * @param {() => void} leave The app's action for Escape.
   */
  constructor(element, leave) {
    super(element);
    this.player = /** @type {HTMLVideoElement} */ (part(element, 'video'));
    this.responseMilliseconds = Number(this.player.dataset.milliseconds);
    this.skipAt = this.player.dataset.skip === undefined ? null : Number(this.player.dataset.skip);
    // The `muted` attribute has no effect on a player that was created by `innerHTML`.
    this.player.muted = true;
    // A page that was loaded again can already have the end card.
    this.isOver = this.part('.ad-end') !== null;
    this.isEarned = false;
    /** @type {number | undefined} */
    this.stall = undefined;
    /** @type {FrameConnection | undefined} */
    this.card = undefined;
    /** @type {HTMLImageElement | null} */
    this.picture = null;
    this.isCardPainted = false;
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
  /** The length in milliseconds: that of the ad response, if the file does not state it. */
  get length() {
    const { duration } = this.player;
    return Number.isFinite(duration) ? duration * 1000 : this.responseMilliseconds;
  }

  /** @param {string} selector */
  part(selector) { return find(this.element, selector); }
  /** @param {string} phase */
  report(phase) { this.send('ad-video', { phase, position: this.milliseconds }); }
  /** @param {string} phase */
  reportOnce(phase) { this.sendOnce('ad-video', { phase, position: this.milliseconds }); }

  listen() {
    const { player } = this;
    /** @type {(kind: string, act: () => void) => void} */
    const on = (kind, act) => player.addEventListener(kind, act);
    // Without `requestVideoFrameCallback`, the first `timeupdate` stands for the first picture.
    if ('requestVideoFrameCallback' in player) player.requestVideoFrameCallback(() => this.painted());
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
    this.sendStart();
    this.drawIcon();
    if (this.isOver) {
      this.keepReward();
      this.connectCard();
    }
    if (this.isOver) return;
    if (this.visible >= 0.5) this.play();
    else if (!this.player.paused) this.player.pause();
  }

  play() {
    // A video at its end is paused a moment before the `ended` event; `play()` in between would start it again.
    if (!this.player.paused || this.player.ended) return;
    this.watch();
    this.player.play().then(() => this.showPlay(false), problem => {
      if (problem.name === 'NotAllowedError') {
        clearTimeout(this.stall);
        this.showPlay(true);
      }
    });
  }

  /** @param {boolean} isShown */
  showPlay(isShown) { part(this.element, '[data-ad-play]').hidden = !isShown; }

  started() {
    if (this.wasPaused && this.hasSent('ad-video', 'start')) this.report('resume');
    this.wasPaused = false;
    this.hasStarted = true;
    this.watch();
    this.update();
  }

  /** Reports the start once the ad was seen, because a player reports `playing` before a picture is on screen. */
  sendStart() { if (this.hasStarted && this.isSeen) this.reportOnce('start'); }

  paused() {
    clearTimeout(this.stall);
    if (this.isOver || this.player.ended) return;
    this.wasPaused = true;
    this.report('pause');
    super.update();
  }

  /** Restarts the timer that ends the ad when its player makes no progress for ten seconds in view. */
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

  /** @param {number} share */
  advanceTo(share) {
    for (const [from, phase] of QUARTILES) if (share >= from) this.reportOnce(phase);
  }

  /**
   * @param {number} milliseconds
   * @param {number} length
   */
  draw(milliseconds, length) {
    const share = length > 0 ? Math.min(milliseconds / length, 1) : 0;
    set(part(this.element, '[data-ad-progress]'), { 'inline-size': `${share * 100}%` });
    const left = this.part('[data-ad-left]');
    if (left && length > 0) {
      left.hidden = false;
      left.textContent = fill(left.dataset.template ?? '', length - milliseconds);
    }
    const skip = this.part('[data-ad-skip]');
    if (!(skip instanceof HTMLButtonElement) || this.skipAt === null) return;
    skip.disabled = milliseconds < this.skipAt;
    part(skip, 'span').textContent = skip.disabled
      ? fill(skip.dataset.template ?? '', this.skipAt - milliseconds) : skip.dataset.ready ?? '';
  }

  /** Shows the AdChoices icon during its time in the video, and reports it once it was seen. */
  drawIcon() {
    const icon = this.part('[data-ad-icon]');
    if (!icon) return;
    const { from, until } = icon.dataset;
    const isLater = until !== undefined && this.milliseconds >= Number(until);
    const isHidden = isLater || this.milliseconds < Number(from);
    if (icon.hidden !== isHidden) icon.hidden = isHidden;
    const picture = icon.querySelector('img');
    const isThere = !isHidden && picture?.complete && picture.naturalWidth > 0;
    if (isThere && this.isSeen && this.visible > 0) this.sendOnce('ad-icon');
  }

  /** @param {'complete' | 'skip'} phase */
  finish(phase) {
    if (this.isOver) return;
    if (phase === 'complete') this.advanceTo(1);
    this.isEarned = phase === 'complete';
    this.isOver = true;
    clearTimeout(this.stall);
    this.reportOnce(phase);
    this.element.dataset.moment = 'over';
    this.showPlay(false);
    this.keepReward();
    this.player.pause();
  }

  /** Shows that the reward is earned. A patch of the host can undo this, so it is called again after every patch. */
  keepReward() {
    this.part('.ad-tools')?.toggleAttribute('data-over', true);
    const left = this.part('[data-ad-left]');
    if (!left || !this.isEarned || left.textContent === left.dataset.done) return;
    left.hidden = false;
    left.textContent = left.dataset.done ?? '';
  }

  /** @param {number | string} code */
  fail(code) {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.stall);
    this.sendOnce('ad-failed', { value: 'media', code: String(code) });
  }

  // ---------------------------------------------------------------- end card

  /** Connects the end card, a picture or a frame, which the host adds after the video has ended. */
  connectCard() {
    /** @type {HTMLImageElement | null} */
    const picture = this.element.querySelector('img.ad-end-image');
    /** @type {HTMLIFrameElement | null} */
    const frame = this.element.querySelector('iframe[data-ad-frame]');
    if (picture && picture !== this.picture) {
      this.picture = picture;
      // If the picture cannot be loaded, the last picture of the video stays.
      picture.addEventListener('error', () => { part(this.element, '.ad-end').hidden = true; });
      picture.addEventListener('load', () => this.updateCard(true));
      if (picture.complete && picture.naturalWidth > 0) this.isCardPainted = true;
    }
    if (frame && !this.card) this.card = new FrameConnection(frame, this);
    if (this.isCardPainted && this.visible > 0) this.sendOnce('ad-card');
  }

  /** @param {boolean} isPainted */
  updateCard(isPainted) {
    this.isCardPainted = isPainted;
    this.update();
  }

  /** @param {import('./ad-connection.js').FrameMessage} message */
  handleMessage(message) {
    if (message.painted === true) this.updateCard(true);
    if (message.key === 'Escape') this.leave();
  }

  /** @param {string} address */
  openAddress(address) { this.send('ad-tap', { part: 'companion', value: address }); }
  /**
   * @param {string} value
   * @param {string} code
   */
  didEnd(value, code) { this.sendOnce('ad-failed', { value, code }); }
  willReload() {}

  // ---------------------------------------------------------------- buttons

  /** @param {MouseEvent} event */
  press(event) {
    // Only input of the user counts. No advertiser's script runs on this page, but the rule is the same everywhere.
    if (!event.isTrusted) return;
    const target = targetOf(event);
    const hit = target && closest(target, 'button, video, [data-ad-companion]');
    if (!hit || hit.matches('[data-ad-close]')) return;
    if (hit.matches('[data-ad-sound]')) this.toggleSound();
    else if (hit.matches('[data-ad-skip]')) this.skip();
    else if (hit.matches('[data-ad-play]')) this.play();
    else if (hit.matches('[data-ad-icon]')) this.tap('icon');
    else if (hit.matches('[data-ad-companion]')) this.tap('companion');
    else if (hit.matches('[data-ad-link]') && this.card) this.tap('companion');
    else if (hit.matches('[data-ad-link]') || this.part('[data-ad-link]')) this.tap('video');
  }

  /** @param {'video' | 'companion' | 'icon'} of */
  tap(of) { this.send('ad-tap', { part: of, value: '' }); }

  toggleSound() {
    this.player.muted = !this.player.muted;
    this.report(this.player.muted ? 'mute' : 'unmute');
  }

  skip() {
    if (this.skipAt === null || this.milliseconds < this.skipAt) return;
    this.finish('skip');
  }
}

/**
 * @param {string} template
 * @param {number} milliseconds
 */
function fill(template, milliseconds) {
  return template.replace('{{seconds}}', String(Math.max(0, Math.ceil(milliseconds / 1000))));
}
