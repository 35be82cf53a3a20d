// The connection of a creative to the parent page. This script runs before every script of the creative, reports taps
// and their addresses, and starts MRAID where the ad response allows it. Its restrictions are no security boundary: the
// frame's sandbox and its content security policy are, and no script can change them.
'use strict';

(() => {
  // The first message hands a port of a channel to the parent page. No other script has the port, so a script of the
  // creative cannot send messages in the user's name. Functions used later are saved before the creative can change
  // them.
  const { port1: port, port2: parentPort } = new MessageChannel();
  parent.postMessage({ inlayAd: 'line' }, '*', [parentPort]);
  const postMessage = port.postMessage.bind(port);
  const now = performance.now.bind(performance);
  const nextFrame = requestAnimationFrame.bind(window);
  const later = setTimeout.bind(window);
  const listenTo = addEventListener.bind(window);
  const { max, min } = Math;
  const styleOf = getComputedStyle.bind(window);
  const { entries } = Object;
  const { URL: Address } = window;
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const scope = /** @type {{ inlayMraid?: import('./ad-mraid.js').StartMraid }} */ (/** @type {unknown} */ (window));
  const { inlayMraid: startMraid } = scope;
  delete scope.inlayMraid;
  // The data are read with the saved getter: one that the creative installed would receive the event, and with it the
  // port.
  const dataOf = getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get ?? (() => null);
  const { getEntries } = PerformanceObserverEntryList.prototype;
  // The frame's address is the host's, so relative addresses are resolved only against a `<base>` of the creative.
  // Without a `<base>` they are invalid, except that an address that begins with `//` is https.
  const { protocol, host } = new Address(document.baseURI);
  const nowhere = 'https://base.invalid';
  /**
   * Returns the absolute address; `null` for an invalid one.
   * @param {unknown} address
   */
  const resolve = address => {
    try {
      const base = new Address(document.baseURI);
      const isHosts = base.protocol === protocol && base.host === host;
      const { origin, href } = new Address(String(address), isHosts ? nowhere : base);
      return origin === nowhere ? null : href;
    } catch { return null; }
  };

  /**
   * Returns a function that takes a count from a budget and returns whether the budget sufficed. The budget refills at
   * a steady rate.
   * @param {number} maximum
   * @param {number} perSecond
   */
  function budget(maximum, perSecond) {
    let [left, at] = [maximum, now()];
    /** @param {number} count */
    return count => {
      const moment = now();
      left = max(-1, min(maximum, left + (moment - at) / 1000 * perSecond) - count);
      at = moment;
      return left >= 0;
    };
  }

  // ---------------------------------------------------------------- files

  // An ad has a few dozen files. An ad that requests files without end uses up the user's data volume and battery.
  const mayRequest = budget(200, 1);
  new PerformanceObserver(list => {
    if (!mayRequest(apply(getEntries, list, []).length)) postMessage({ heavy: 'requests' });
  }).observe({ type: 'resource', buffered: true });

  // ---------------------------------------------------------------- taps

  const TAP_MILLISECONDS = 1000;
  let touched = -Infinity;
  let tapped = -Infinity;

  // Scripts cannot set or redefine `isTrusted`: only input of the user makes such an event. The click after a pointer
  // or key event belongs to the same tap; a screen reader sends only the click.
  /** @param {Event} event */
  function reportTap(event) {
    if (!event.isTrusted || (event.type === 'keydown' && isOtherKey(event))) return;
    if (event.type === 'click' && now() - touched <= TAP_MILLISECONDS) return;
    touched = tapped = now();
    postMessage({ tap: true });
  }

  /** @param {Event} event */
  function isOtherKey(event) {
    const { key } = /** @type {KeyboardEvent} */ (event);
    return key !== 'Enter' && key !== ' ';
  }

  /**
   * Asks the page to open an address; one tap opens one address.
   * @param {unknown} address
   */
  function open(address) {
    const target = resolve(address);
    const isFresh = now() - tapped <= TAP_MILLISECONDS;
    tapped = -Infinity;
    if (!isFresh || target === null) return false;
    postMessage({ open: target });
    return true;
  }

  /**
   * @param {Event} event
   * @returns {Element | undefined}
   */
  function linkOf(event) {
    const path = /** @type {Element[]} */ (event.composedPath());
    return path.find(node => /^(a|area)$/i.test(node.localName ?? '') && node.hasAttribute('href'));
  }

  /** @param {Event} event */
  function follow(event) {
    if (/** @type {MouseEvent} */ (event).button > 1) return;
    const link = linkOf(event);
    if (!link) return;
    const address = link.getAttribute('href') ?? '';
    // The browser scrolls to fragments of the creative by itself.
    if (address.startsWith('#')) return;
    event.preventDefault();
    let isRefused = false;
    defineProperty(event, 'preventDefault', { value: () => { isRefused = true; } });
    // The creative's own handlers run first: they may open the address, change it, or cancel the event.
    later(() => isRefused || open(link.getAttribute('href') ?? address));
  }

  /** @param {Event} event */
  function reportEscape(event) {
    if (event.isTrusted && /** @type {KeyboardEvent} */ (event).key === 'Escape') postMessage({ key: 'Escape' });
  }

  // `document.open` removes all listeners. Adding a listener that is still there has no effect.
  function listen() {
    for (const kind of ['pointerup', 'click', 'keydown']) listenTo(kind, reportTap, { capture: true });
    for (const kind of ['click', 'auxclick']) listenTo(kind, follow, { capture: true });
    listenTo('keydown', reportEscape, { capture: true });
    listenTo('submit', event => event.preventDefault(), { capture: true });
  }
  listen();
  for (const name of /** @type {('open' | 'write' | 'writeln')[]} */ (['open', 'write', 'writeln'])) {
    const original = Document.prototype[name];
    defineProperty(Document.prototype, name, {
      configurable: true, writable: true,
      /**
       * @this {Document}
       * @param {unknown[]} values
       */
      value(...values) {
        const result = apply(original, this, values);
        if (this === document) listen();
        return result;
      },
    });
  }

  // The sandbox opens no windows. `window.open` counts as the creative's click.
  /** @param {unknown} [address] */
  const openNothing = address => (open(address ?? ''), null);
  defineProperty(window, 'open', { configurable: true, writable: true, value: openNothing });
  // Reading cookies throws in a sandbox, which would stop creatives that only read them.
  defineProperty(Document.prototype, 'cookie', { configurable: true, get: () => '', set() {} });

  // ---------------------------------------------------------------- messages of the page

  /** @type {Record<string, (value: any) => void>} The handlers of the page's messages, by name. */
  const handlers = { ping: number => postMessage({ pong: number }) };
  port.onmessage = event => {
    for (const [name, value] of entries(apply(dataOf, event, []))) handlers[name]?.(value);
  };

  // In the second animation frame, the first one is on screen. An invisible page has no animation frames, so the report
  // waits until it is visible.
  function reportPainted() {
    nextFrame(() => nextFrame(() => {
      const { direction } = styleOf(document.body ?? document.documentElement);
      postMessage({ painted: true, direction });
    }));
  }
  if (document.readyState === 'loading') listenTo('DOMContentLoaded', reportPainted, { once: true });
  else reportPainted();

  // ---------------------------------------------------------------- MRAID

  const [kind, placement, sdkVersion] = window.name.split(' ');
  if (kind === 'mraid') startMraid?.({ postMessage, handlers, open, resolve, budget }, placement, sdkVersion);
})();
