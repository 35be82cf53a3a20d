// A creative in its frame, which expands, resizes and hides on MRAID's requests.

import { FrameConnection } from './ad-connection.js';
import { Ad, part, place, set } from './ad-viewability.js';

/** @typedef {import('./ad-connection.js').FrameMessage} FrameMessage */
/** @typedef {import('./ad-viewability.js').Rectangle} Rectangle */
/** @typedef {{ width: number, height: number, offsetX: number, offsetY: number, allowOffscreen: boolean }} ResizeRequest */
/** @typedef {'default' | 'expanded' | 'resized' | 'hidden'} State */

const CLOSE_AREA = 50;

/** An ad that is a document in a frame. */
export class Creative extends Ad {
  /**
   * @param {HTMLElement} element
   * @param {() => void} leave The app's action for Escape.
   */
  constructor(element, leave) {
    super(element);
    this.isMRAID = element.hasAttribute('data-mraid');
    /** @type {State} */
    this.state = 'default';
    /** @type {Rectangle | undefined} The frame's default position, while it is expanded or resized. */
    this.defaultPosition = undefined;
    /** @type {object | undefined} */
    this.geometry = undefined;
    /** @type {string | undefined} The last exposure that was sent, as JSON. */
    this.exposure = undefined;
    this.isMRAIDReady = false;
    this.isCollapsedByUser = false;
    this.leave = leave;
    part(element, '[data-ad-collapse]').addEventListener('click', () => this.collapseForUser());
    const frame = /** @type {HTMLIFrameElement} */ (part(element, '[data-ad-frame]'));
    this.connection = new FrameConnection(frame, this);
    this.onResize = () => this.windowResized();
    addEventListener('resize', this.onResize);
  }

  end() {
    super.end();
    removeEventListener('resize', this.onResize);
    this.connection.end();
  }

  get frame() { return this.connection.frame; }

  /** @param {object} message */
  post(message) { this.connection.send(message); }

  // ---------------------------------------------------------------- messages of the frame

  /** @param {FrameMessage} message */
  handleMessage(message) {
    if (message.painted === true) {
      this.element.dataset.direction = message.direction === 'rtl' ? 'rtl' : 'ltr';
      this.painted();
    }
    if (message.key === 'Escape') this.leave();
    if (typeof message.mraid === 'string' && this.isMRAID) this.receiveMRAID(message);
  }

  /** @param {string} address */
  openAddress(address) { this.send('ad-tap', { part: 'creative', value: address }); }

  /**
   * @param {string} value
   * @param {string} code
   */
  didEnd(value, code) { this.sendOnce('ad-failed', { value, code }); }

  willReload() {
    this.collapse();
    this.isMRAIDReady = false;
    this.exposure = undefined;
  }

  // ---------------------------------------------------------------- MRAID

  /** @param {FrameMessage} message */
  receiveMRAID(message) {
    if (message.mraid === 'hello') this.startMRAID();
    else if (!this.isMRAIDReady) return;
    else if (message.mraid === 'expand') this.expand(/** @type {ResizeRequest} */ (message));
    else if (message.mraid === 'resize') this.resize(/** @type {ResizeRequest} */ (message));
    else if (message.mraid === 'close') this.close();
    else if (message.mraid === 'unload') this.sendOnce('ad-unload');
  }

  startMRAID() {
    this.isMRAIDReady = true;
    this.sendExposure();
    this.sendChange();
  }

  update() {
    super.update();
    if (this.isMRAIDReady) this.sendExposure();
  }

  sendExposure() {
    const { frame, rect } = this;
    const own = frame.getBoundingClientRect();
    const seen = this.visible > 0 && rect
      ? { x: rect.x - own.x, y: rect.y - own.y, width: rect.width, height: rect.height } : null;
    const exposure = [Math.round(this.visible * 1000) / 10, seen, null];
    const text = JSON.stringify(exposure);
    if (text === this.exposure) return;
    this.exposure = text;
    this.post({ exposure });
  }

  /** Sends state and sizes together, because a creative that receives one of them asks for the other. */
  sendChange() {
    if (!this.isMRAIDReady) return;
    // A hidden creative has no position.
    if (this.state !== 'hidden') {
      const current = place(this.frame);
      this.geometry = {
        screen: { width: screen.width, height: screen.height }, max: { width: innerWidth, height: innerHeight },
        current, default: this.state === 'default' ? current : this.defaultPosition,
      };
    }
    this.post({ change: { geometry: this.geometry, state: this.state } });
  }

  /**
   * @param {string} message
   * @param {string} action
   */
  refuse(message, action) { this.post({ error: [message, action] }); }

  /** @param {State} state */
  setState(state) {
    this.state = state;
    this.element.dataset.state = state;
    part(this.element, '[data-ad-collapse]').hidden = state !== 'expanded' && state !== 'resized';
    this.sendChange();
  }

  /** Fixes the element's size before the creative leaves its position, so that nothing around it moves. */
  reserveSpace() {
    if (this.state !== 'default') return;
    this.defaultPosition = place(this.frame);
    const { width, height } = this.element.getBoundingClientRect();
    set(this.element, { 'inline-size': `${width}px`, 'block-size': `${height}px` });
  }

  /**
   * Whether the creative may expand or resize now; otherwise sends it an MRAID error.
   * @param {'expand' | 'resize'} action
   */
  mayGrow(action) {
    if (this.element.dataset.placement !== 'inline' || !['default', 'resized'].includes(this.state)) {
      this.refuse(`Cannot ${action} now.`, action);
      return false;
    }
    if (this.isCollapsedByUser && !this.connection.isTouched) {
      this.refuse('The user made it small; only a tap makes it grow again.', action);
      return false;
    }
    this.isCollapsedByUser = false;
    return true;
  }

  /** @param {ResizeRequest} request */
  expand({ width, height }) {
    if (!this.mayGrow('expand')) return;
    this.reserveSpace();
    /** @param {number} side */
    const isWhole = side => !(side > 0);
    set(this.box, { left: '', top: '' });
    set(this.frame, {
      'inline-size': isWhole(width) ? '100%' : `${Math.min(width, innerWidth)}px`,
      'block-size': isWhole(height) ? '100%' : `${Math.min(height, innerHeight)}px`,
    });
    this.setState('expanded');
  }

  /** @param {ResizeRequest} request */
  resize({ width, height, offsetX, offsetY, allowOffscreen }) {
    if (!this.mayGrow('resize')) return;
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
    if (!isReachable({ x, y, width })) {
      this.refuse('The close button would not be on the screen.', 'resize');
      return;
    }
    this.reserveSpace();
    const origin = this.element.getBoundingClientRect();
    set(this.box, { left: `${x - origin.x}px`, top: `${y - origin.y}px` });
    set(this.frame, { 'inline-size': `${width}px`, 'block-size': `${height}px` });
    this.setState('resized');
  }

  /** Collapses the creative because the user asked for it. Until the next tap it may not grow again. */
  collapseForUser() {
    this.isCollapsedByUser = true;
    this.collapse();
  }

  /** Collapses a resized creative whose close button is off the screen after the window's size changed. */
  windowResized() {
    if (this.state === 'resized' && !isReachable(place(this.frame))) this.collapse();
    this.sendChange();
  }

  collapse() {
    if (this.state !== 'expanded' && this.state !== 'resized') return;
    set(this.box, { left: '', top: '' });
    set(this.frame, { 'inline-size': '', 'block-size': '' });
    set(this.element, { 'inline-size': '', 'block-size': '' });
    this.setState('default');
  }

  close() {
    if (this.state === 'expanded' || this.state === 'resized') {
      this.collapse();
    } else if (this.state === 'default') {
      this.setState('hidden');
      this.sendOnce('ad-hide');
    }
  }

  escape() {
    if (this.state !== 'expanded' && this.state !== 'resized') return false;
    this.collapseForUser();
    return true;
  }
}

/**
 * Whether the button that collapses a creative at this position is on the screen.
 * @param {{ x: number, y: number, width: number }} place
 */
function isReachable({ x, y, width }) {
  const end = x + width;
  return end - CLOSE_AREA >= 0 && end <= innerWidth && y >= 0 && y + CLOSE_AREA <= innerHeight;
}
