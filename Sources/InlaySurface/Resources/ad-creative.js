// A creative in its frame: keeps it in its place, and moves it as MRAID asks.

import { Line } from './ad-line.js';
import { Ad, place, set } from './ad-sight.js';

const CLOSE_AREA = 50;

/** A document in a frame; `leave` is what Escape does in the app. */
export class Creative extends Ad {
  constructor(element, leave) {
    super(element);
    this.isMRAID = element.hasAttribute('data-mraid');
    this.state = 'default';
    this.isGreeted = false;
    this.isHeldSmall = false;
    this.leave = leave;
    element.querySelector('[data-ad-collapse]').addEventListener('click', () => this.putBack());
    this.line = new Line(element.querySelector('[data-ad-frame]'), this);
    this.resized = () => this.turned();
    addEventListener('resize', this.resized);
  }

  end() {
    super.end();
    removeEventListener('resize', this.resized);
    this.line.end();
  }

  get frame() { return this.line.frame; }

  tell(message) { this.line.tell(message); }

  // ---------------------------------------------------------------- what its line says

  heard(said) {
    if (said.painted === true) {
      this.element.dataset.direction = said.direction === 'rtl' ? 'rtl' : 'ltr';
      this.painted();
    }
    if (said.key === 'Escape') this.leave();
    if (typeof said.mraid === 'string' && this.isMRAID) this.act(said);
  }

  opens(address) { this.say('ad-tap', { part: 'creative', value: address }); }

  broke(value, code) { this.once('ad-failed', { value, code }); }

  comesBack() {
    this.collapse();
    this.isGreeted = false;
    this.exposure = undefined;
  }

  // ---------------------------------------------------------------- MRAID

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
    this.tellExposure();
    this.tellChange();
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

  /** State and sizes belong together: whoever hears of one of them asks for the other. */
  tellChange() {
    if (!this.isGreeted) return;
    // What is hidden has no place any more.
    if (this.state !== 'hidden') {
      const current = place(this.frame);
      this.geometry = {
        screen: { width: screen.width, height: screen.height }, max: { width: innerWidth, height: innerHeight },
        current, default: this.state === 'default' ? current : this.home,
      };
    }
    this.tell({ change: { geometry: this.geometry, state: this.state } });
  }

  refuse(message, action) { this.tell({ error: [message, action] }); }

  become(state) {
    this.state = state;
    this.element.dataset.state = state;
    this.element.querySelector('[data-ad-collapse]').hidden = state !== 'expanded' && state !== 'resized';
    this.tellChange();
  }

  /** Leaves a hole of the creative's own size where it was, so that nothing around it moves. */
  leaveHome() {
    if (this.state !== 'default') return;
    this.home = place(this.frame);
    const { width, height } = this.element.getBoundingClientRect();
    set(this.element, { 'inline-size': `${width}px`, 'block-size': `${height}px` });
  }

  /** Whether it may leave its place now. */
  mayGrow(action) {
    if (this.element.dataset.placement !== 'inline' || !['default', 'resized'].includes(this.state)) {
      this.refuse(`Cannot ${action} now.`, action);
      return false;
    }
    if (this.isHeldSmall && !this.line.isTouched) {
      this.refuse('The user made it small; only a tap makes it grow again.', action);
      return false;
    }
    this.isHeldSmall = false;
    return true;
  }

  expand({ width, height }) {
    if (!this.mayGrow('expand')) return;
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
    this.leaveHome();
    const origin = this.element.getBoundingClientRect();
    set(this.box, { left: `${x - origin.x}px`, top: `${y - origin.y}px` });
    set(this.frame, { 'inline-size': `${width}px`, 'block-size': `${height}px` });
    this.become('resized');
  }

  /** A person made it small. One that grows again by itself would never let anybody past. */
  putBack() {
    this.isHeldSmall = true;
    this.collapse();
  }

  /** On a screen that was turned, what was moved may be where nobody can close it. */
  turned() {
    if (this.state === 'resized' && !isReachable(place(this.frame))) this.collapse();
    this.tellChange();
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
    this.putBack();
    return true;
  }
}

/** Whether the button that makes it small again is on the screen. */
function isReachable({ x, y, width }) {
  const end = x + width;
  return end - CLOSE_AREA >= 0 && end <= innerWidth && y >= 0 && y + CLOSE_AREA <= innerHeight;
}
