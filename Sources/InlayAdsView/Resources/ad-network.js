// Removes peer connections and turns http requests into https requests. This script runs first in a creative's frame,
// and in every `srcdoc` frame that the creative adds.
'use strict';

(() => {
  // Functions used later are saved before the creative can change them.
  const { apply, getOwnPropertyDescriptor } = Reflect;

  // ---------------------------------------------------------------- peer connections

  const globals = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window));
  for (const name of Object.getOwnPropertyNames(window)) {
    if (/^(webkit|moz)?RTC/.test(name)) delete globals[name];
  }

  // ---------------------------------------------------------------- frames of the creative

  // A `srcdoc` frame has globals of its own that this script cannot change. So this script and ad-limits.js are added
  // at the beginning of each such frame.
  const { src: own } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const opening = [own, new URL('ad-limits.js', own).href].map(address => (
    `<script src="${address.replace(/[&"]/g, letter => `&#${letter.charCodeAt(0)};`)}"></script>`
  )).join('');
  const { getAttribute, setAttribute, attachShadow } = Element.prototype;
  const { querySelectorAll: allInElement } = Element.prototype;
  const { querySelectorAll: allInFragment } = DocumentFragment.prototype;
  const shadowOf = getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')?.get ?? (() => null);
  const { startsWith } = String.prototype;
  const { observe } = MutationObserver.prototype;

  /** @param {Element} frame */
  function openWithLimits(frame) {
    const markup = apply(getAttribute, frame, ['srcdoc']);
    if (markup === null || apply(startsWith, markup, [opening])) return;
    apply(setAttribute, frame, ['srcdoc', opening + markup]);
  }

  /** @param {Element} element */
  function visit(element) {
    if (element.localName === 'iframe') openWithLimits(element);
    const shadow = apply(shadowOf, element, []);
    if (shadow) watch(shadow);
  }

  /** @param {NodeList} nodes */
  function visitAll(nodes) {
    for (let index = 0; index < nodes.length; index += 1) {
      const node = nodes[index];
      if (!(node instanceof Element)) continue;
      visit(node);
      const inside = apply(allInElement, node, ['*']);
      for (let place = 0; place < inside.length; place += 1) visit(inside[place]);
    }
  }

  // The observer runs before the parser's next script, and before a new frame can load anything.
  const watcher = new MutationObserver(changes => {
    for (let index = 0; index < changes.length; index += 1) {
      const { type, target, addedNodes } = /** @type {MutationRecord} */ (changes[index]);
      if (type === 'attributes') visit(/** @type {Element} */ (target));
      else visitAll(addedNodes);
    }
  });
  /** @param {Document | ShadowRoot} root */
  function watch(root) {
    apply(observe, watcher, [root, { childList: true, subtree: true, attributes: true, attributeFilter: ['srcdoc'] }]);
    if (root !== document) visitAll(apply(allInFragment, root, ['*']));
  }
  watch(document);
  Object.defineProperty(Element.prototype, 'attachShadow', {
    configurable: true, writable: true,
    /**
     * @this {Element}
     * @param {ShadowRootInit} options
     */
    value(options) {
      const root = apply(attachShadow, this, [options]);
      watch(root);
      return root;
    },
  });

  // ---------------------------------------------------------------- http

  // The policy upgrades the requests of markup to https. Browsers check these two functions before the upgrade and
  // refuse http, so the addresses are changed here.
  const { fetch: send, Request, URL: Address } = window;
  const { sendBeacon } = Navigator.prototype;

  /**
   * Returns the address with https in place of http; an invalid address is returned unchanged.
   * @param {string | URL} address
   */
  function secured(address) {
    try {
      const url = new Address(address, document.baseURI);
      if (url.protocol !== 'http:') return address;
      url.protocol = 'https:';
      return url.href;
    } catch {
      return address;
    }
  }

  Object.defineProperty(window, 'fetch', {
    configurable: true, writable: true,
    /**
     * @param {Request | string | URL} resource
     * @param {RequestInit} options
     */
    value(resource, options) {
      if (!(resource instanceof Request)) return apply(send, window, [secured(resource), options]);
      const target = secured(resource.url);
      return apply(send, window, [target === resource.url ? resource : new Request(target, resource), options]);
    },
  });
  Object.defineProperty(Navigator.prototype, 'sendBeacon', {
    configurable: true, writable: true,
    /**
     * @this {Navigator}
     * @param {string | URL} address
     * @param {unknown[]} data
     */
    value(address, ...data) { return apply(sendBeacon, this, [secured(address), ...data]); },
  });
})();
