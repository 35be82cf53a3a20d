// The host's script in a framed document. It runs before every script of the document, reports pressed links and videos
// to the parent page, sends requests for listed addresses to the host, and applies the page's appearance.
'use strict';

(() => {
  // The first message hands a port of a channel to the parent page. No other script has the port, so a script of the
  // document cannot send messages in the reader's name.
  const { port1: port, port2: parentPort } = new MessageChannel();
  parent.postMessage({ inlayFrame: 'line' }, '*', [parentPort]);
  const send = port.postMessage.bind(port);
  // Functions that are used later are saved now: the document's own script can change the prototypes.
  const { apply } = Reflect;
  const { URL: Address } = window;
  // The data are read with the saved getter: one that the document installed would receive the event, and with it the
  // port.
  const dataOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get ?? (() => null);

  // ---------------------------------------------------------------- listed addresses

  // A content security policy ignores queries, so it allows no listed address. The host fetches these addresses and
  // compares the whole address of every request. In the requests of the document's scripts, this script replaces a
  // listed address by the one at which the host serves it.
  /** @type {Record<string, any>} */
  const HOST_ADDRESSES = { __proto__: null };
  const listed = document.currentScript?.dataset.addresses ?? '{}';
  for (const [address, hostAddress] of Object.entries(JSON.parse(listed))) {
    HOST_ADDRESSES[address] = hostAddress;
    try { HOST_ADDRESSES[new Address(address).href] = hostAddress; } catch { /* Relative: compared as written. */ }
  }

  /**
   * Returns the host's address for a listed address; other addresses are returned unchanged.
   * @param {unknown} address
   */
  function hostAddressFor(address) {
    let text = `${address}`;
    if (text in HOST_ADDRESSES) return HOST_ADDRESSES[text];
    try { text = new Address(text, document.baseURI).href; } catch { return address; }
    return HOST_ADDRESSES[text] ?? address;
  }

  function redirectRequests() {
    const { fetch, Request } = window;
    /**
     * @param {RequestInfo | URL} input
     * @param {RequestInit} [init]
     */
    window.fetch = function (input, init) {
      const isRequest = input instanceof Request;
      const target = hostAddressFor(isRequest ? input.url : input);
      return apply(fetch, window, [isRequest && target !== input.url ? new Request(target, input) : target, init]);
    };
    const { open } = XMLHttpRequest.prototype;
    /**
     * @this {XMLHttpRequest}
     * @param {unknown[]} values
     */
    XMLHttpRequest.prototype.open = function (...values) {
      const [method, address, ...more] = values;
      return apply(open, this, [method, hostAddressFor(address), ...more]);
    };
    /** @type {[owner: Function, name: string][]} */
    const loading = [[HTMLImageElement, 'src'], [HTMLMediaElement, 'src'], [HTMLVideoElement, 'poster'],
      [HTMLSourceElement, 'src'], [HTMLTrackElement, 'src'], [HTMLInputElement, 'src'], [HTMLScriptElement, 'src']];
    for (const [owner, name] of loading) {
      const property = Object.getOwnPropertyDescriptor(owner.prototype, name);
      Object.defineProperty(owner.prototype, name,
        { ...property, set(value) { if (property?.set) apply(property.set, this, [hostAddressFor(value)]); } });
    }
    const { setAttribute } = Element.prototype;
    /**
     * @this {Element}
     * @param {string} name
     * @param {string} value
     */
    Element.prototype.setAttribute = function (name, value) {
      const loads = /^(src|poster)$/i.test(`${name}`);
      return apply(setAttribute, this, [name, loads ? hostAddressFor(value) : value]);
    };
    // Elements from markup: the policy blocks their original address, then they load the host's address.
    /** @param {Partial<Element>} node */
    const redirect = node => {
      for (const name of ['src', 'poster']) {
        const value = node.getAttribute?.(name);
        if (value && hostAddressFor(value) !== value) apply(setAttribute, node, [name, hostAddressFor(value)]);
      }
    };
    new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(node => {
      redirect(/** @type {Partial<Element>} */ (node));
      /** @type {Partial<Element>} */ (node).querySelectorAll?.('[src], [poster]').forEach(redirect);
    }))).observe(document, { childList: true, subtree: true });
  }
  if (Object.keys(HOST_ADDRESSES).length > 0) redirectRequests();

  // ---------------------------------------------------------------- appearance

  const root = document.documentElement;

  /** @param {string} appearance The scheme, text size in pixels, motion and direction, separated by spaces. */
  function applyAppearance(appearance) {
    const [scheme, size = '', motion, direction] = String(appearance).split(' ');
    if (scheme !== 'light' && scheme !== 'dark') return;
    root.dataset.scheme = scheme;
    root.dataset.motion = motion === 'still' ? 'still' : 'any';
    root.style.setProperty('--frame-size', `${Math.min(Math.max(parseFloat(size) || 16, 8), 60)}px`);
    // A document with a `dir` attribute keeps its own direction.
    if (direction === 'rtl' && !root.hasAttribute('dir')) root.dataset.direction = 'rtl';
  }
  applyAppearance(window.name);
  port.onmessage = event => {
    const data = apply(dataOf, event, []);
    if (typeof data.appearance === 'string') applyAppearance(data.appearance);
    if (typeof data.top === 'number') scrollTo(0, data.top);
  };

  // ---------------------------------------------------------------- links

  const XLINK = 'http://www.w3.org/1999/xlink';
  const HIDDEN_HREF = 'link:';
  /** @type {WeakMap<Element, string>} */
  const hiddenAddresses = new WeakMap();

  /**
   * @param {EventTarget} node
   * @returns {node is Element}
   */
  function isLink(node) { return /^(a|area)$/i.test(/** @type {Element} */ (node).localName ?? ''); }

  /**
   * Removes a link's address, because browsers connect to it as soon as a finger touches the link.
   * @param {Element} link
   */
  function hide(link) {
    const address = link.getAttribute('href') ?? link.getAttributeNS(XLINK, 'href');
    if (address === null || address.startsWith('#') || address === HIDDEN_HREF) return;
    hiddenAddresses.set(link, address);
    link.removeAttributeNS(XLINK, 'href');
    link.setAttribute('href', HIDDEN_HREF);
    link.removeAttribute('ping');
  }

  /** @param {Node} node */
  function hideAll(node) {
    if (isLink(node)) hide(node);
    /** @type {Partial<Element>} */ (node).querySelectorAll?.('a, area').forEach(hide);
  }
  new MutationObserver(changes => changes.forEach(change => change.type === 'attributes'
    ? hideAll(change.target) : change.addedNodes.forEach(hideAll)))
    .observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['href', 'xlink:href'] });
  for (const kind of ['pointerover', 'pointerdown', 'mousedown', 'touchstart', 'focusin']) {
    addEventListener(kind, event => event.composedPath().filter(isLink).forEach(hide), { capture: true, passive: true });
  }

  /** @param {Event} event */
  function linkOf(event) {
    const link = event.composedPath().find(isLink);
    if (!link) return null;
    const address = link.getAttribute('href');
    return address === HIDDEN_HREF ? hiddenAddresses.get(link) ?? null : address;
  }

  /** @param {Event} event */
  function follow(event) {
    const address = linkOf(event);
    const { button } = /** @type {MouseEvent} */ (event);
    if (address === null || button > 1) return;
    // The browser scrolls to fragments of the document by itself.
    if (address.startsWith('#') && button === 0 && event.isTrusted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // Events that a script dispatched open no links.
    if (!event.isTrusted) return;
    let target = address;
    // An address without a scheme is relative to the document; schemes of apps may contain underscores.
    if (!/^[a-z][a-z0-9+._-]*:/i.test(address.trim())) {
      try { target = new Address(address, document.baseURI).href; } catch { return; }
    }
    send({ link: target });
  }
  for (const kind of ['click', 'auxclick']) addEventListener(kind, follow, true);
  addEventListener('submit', event => event.preventDefault(), true);
  addEventListener('keydown', event => {
    if (!event.isTrusted) return;
    if (event.key === 'Escape') send({ key: 'Escape' });
    if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      event.preventDefault();
      send({ key: event.key });
    }
  }, true);

  // ---------------------------------------------------------------- videos

  /**
   * Replaces a video by a play button. The page plays the video in an overlay, whose close button is always visible.
   * @param {HTMLVideoElement} video
   */
  function offer(video) {
    if (video.dataset.inlay) return;
    video.dataset.inlay = 'true';
    const stage = document.createElement('span');
    stage.className = 'inlay-stage';
    video.replaceWith(stage);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'inlay-play';
    button.setAttribute('aria-label', video.getAttribute('aria-label') ?? video.title ?? '');
    stage.append(video, button);
    video.removeAttribute('controls');
    video.removeAttribute('autoplay');
    video.preload = 'metadata';
    /** @param {Event} event */
    const play = event => {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.isTrusted) send({ video: video.currentSrc || video.src, title: button.getAttribute('aria-label') });
    };
    stage.addEventListener('click', play, true);
  }

  addEventListener('DOMContentLoaded', () => {
    document.querySelectorAll('video').forEach(offer);
    new MutationObserver(() => document.querySelectorAll('video').forEach(offer))
      .observe(document.body ?? root, { childList: true, subtree: true });
    send({ ready: true });
  });
  addEventListener('scroll', () => send({ top: Math.round(scrollY) }), { passive: true });
})();
