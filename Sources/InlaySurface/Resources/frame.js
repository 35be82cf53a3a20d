// The host's script in a framed document. It runs before every script of the document, reports pressed links and videos
// to the parent page, sends requests for listed addresses to the host, and applies the page's appearance.
'use strict';

(() => {
  // The first message hands a port of a channel to the parent page. No other script has the port, so a script of the
  // document cannot send messages in the reader's name.
  const { port1: line, port2: end } = new MessageChannel();
  parent.postMessage({ inlayFrame: 'line' }, '*', [end]);
  const say = line.postMessage.bind(line);
  // Functions that are used later are saved now: the document's own script can change the prototypes.
  const { apply } = Reflect;
  const { URL: Address } = window;
  // A getter that the document replaced would receive the event, and with it the port. So the data are read with the
  // saved getter.
  const dataOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get ?? (() => null);

  // ---------------------------------------------------------------- listed addresses

  // A content security policy ignores queries, so it allows no listed address. The host fetches these addresses and
  // compares the whole address of every request; this script redirects the requests of the document's scripts to it.
  /** @type {Record<string, any>} */
  const CARRIED = { __proto__: null };
  const listed = document.currentScript?.dataset.addresses ?? '{}';
  for (const [address, carried] of Object.entries(JSON.parse(listed))) {
    CARRIED[address] = carried;
    try { CARRIED[new Address(address).href] = carried; } catch { /* Compared as it is written only. */ }
  }

  /** @param {unknown} address */
  function carry(address) {
    let text = `${address}`;
    if (text in CARRIED) return CARRIED[text];
    try { text = new Address(text, document.baseURI).href; } catch { return address; }
    return CARRIED[text] ?? address;
  }

  function carryRequests() {
    const { fetch, Request } = window;
    /**
     * @param {RequestInfo | URL} input
     * @param {RequestInit} [init]
     */
    window.fetch = function (input, init) {
      const isRequest = input instanceof Request;
      const carried = carry(isRequest ? input.url : input);
      return apply(fetch, window, [isRequest && carried !== input.url ? new Request(carried, input) : carried, init]);
    };
    const { open } = XMLHttpRequest.prototype;
    /**
     * @this {XMLHttpRequest}
     * @param {unknown[]} values
     */
    XMLHttpRequest.prototype.open = function (...values) {
      const [method, address, ...more] = values;
      return apply(open, this, [method, carry(address), ...more]);
    };
    /** @type {[owner: Function, name: string][]} */
    const loading = [[HTMLImageElement, 'src'], [HTMLMediaElement, 'src'], [HTMLVideoElement, 'poster'],
      [HTMLSourceElement, 'src'], [HTMLTrackElement, 'src'], [HTMLInputElement, 'src'], [HTMLScriptElement, 'src']];
    for (const [owner, name] of loading) {
      const property = Object.getOwnPropertyDescriptor(owner.prototype, name);
      Object.defineProperty(owner.prototype, name,
        { ...property, set(value) { if (property?.set) apply(property.set, this, [carry(value)]); } });
    }
    const { setAttribute } = Element.prototype;
    /**
     * @this {Element}
     * @param {string} name
     * @param {string} value
     */
    Element.prototype.setAttribute = function (name, value) {
      const loads = /^(src|poster)$/i.test(`${name}`);
      return apply(setAttribute, this, [name, loads ? carry(value) : value]);
    };
    // Elements from markup: the policy refuses their first address, then the host is asked for it.
    /** @param {Partial<Element>} node */
    const turn = node => {
      for (const name of ['src', 'poster']) {
        const value = node.getAttribute?.(name);
        if (value && carry(value) !== value) apply(setAttribute, node, [name, carry(value)]);
      }
    };
    new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(node => {
      turn(/** @type {Partial<Element>} */ (node));
      /** @type {Partial<Element>} */ (node).querySelectorAll?.('[src], [poster]').forEach(turn);
    }))).observe(document, { childList: true, subtree: true });
  }
  if (Object.keys(CARRIED).length > 0) carryRequests();

  // ---------------------------------------------------------------- appearance

  const root = document.documentElement;

  /** @param {string} look */
  function wear(look) {
    const [scheme, size = '', motion, direction] = String(look).split(' ');
    if (scheme !== 'light' && scheme !== 'dark') return;
    root.dataset.scheme = scheme;
    root.dataset.motion = motion === 'still' ? 'still' : 'any';
    root.style.setProperty('--frame-size', `${Math.min(Math.max(parseFloat(size) || 16, 8), 60)}px`);
    // A document with a `dir` attribute keeps its own direction.
    if (direction === 'rtl' && !root.hasAttribute('dir')) root.dataset.direction = 'rtl';
  }
  wear(window.name);
  line.onmessage = event => {
    const data = apply(dataOf, event, []);
    if (typeof data.look === 'string') wear(data.look);
    if (typeof data.top === 'number') scrollTo(0, data.top);
  };

  // ---------------------------------------------------------------- links

  const XLINK = 'http://www.w3.org/1999/xlink';
  const HIDDEN = 'link:';
  /** @type {WeakMap<Element, string>} */
  const addresses = new WeakMap();

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
    if (address === null || address.startsWith('#') || address === HIDDEN) return;
    addresses.set(link, address);
    link.removeAttributeNS(XLINK, 'href');
    link.setAttribute('href', HIDDEN);
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
    return address === HIDDEN ? addresses.get(link) ?? null : address;
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
    // Events that a script made open no links.
    if (!event.isTrusted) return;
    let target = address;
    // An address without a scheme is relative to the document; schemes of apps may contain underscores.
    if (!/^[a-z][a-z0-9+._-]*:/i.test(address.trim())) {
      try { target = new Address(address, document.baseURI).href; } catch { return; }
    }
    say({ link: target });
  }
  for (const kind of ['click', 'auxclick']) addEventListener(kind, follow, true);
  addEventListener('submit', event => event.preventDefault(), true);
  addEventListener('keydown', event => {
    if (!event.isTrusted) return;
    if (event.key === 'Escape') say({ key: 'Escape' });
    if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      event.preventDefault();
      say({ key: event.key });
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
      if (event.isTrusted) say({ video: video.currentSrc || video.src, title: button.getAttribute('aria-label') });
    };
    stage.addEventListener('click', play, true);
  }

  addEventListener('DOMContentLoaded', () => {
    document.querySelectorAll('video').forEach(offer);
    new MutationObserver(() => document.querySelectorAll('video').forEach(offer))
      .observe(document.body ?? root, { childList: true, subtree: true });
    say({ ready: true });
  });
  addEventListener('scroll', () => say({ top: Math.round(scrollY) }), { passive: true });
})();
