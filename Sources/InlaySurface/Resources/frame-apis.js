// Disables APIs of a framed document that no content security policy can block. It is the host's first script in the
// document, so it runs before every script of the document.
'use strict';

(() => {
  // Functions that are used later are saved now: the document's own script can change the prototypes.
  const { apply } = Reflect;
  const { toLowerCase, includes } = String.prototype;

  // The document's content security policy requires that text becomes markup only through the default Trusted Types
  // policy. A document that may load everything has no such restriction; for it nothing is disabled.
  /** @type {Record<string, unknown>} */
  const FORBIDDEN_ELEMENTS = { __proto__: null, link: 1, iframe: 1, frame: 1, frameset: 1, object: 1, embed: 1,
    applet: 1, portal: 1, fencedframe: 1, base: 1, meta: 1, template: 1 };
  const REFUSED_SINKS = ['write', 'parsefromstring', 'srcdoc', 'sethtmlunsafe', 'parsehtmlunsafe'];
  /**
   * @param {string} text
   * @returns {string}
   */
  const lower = text => apply(toLowerCase, text, []);
  /** @param {string | undefined} letter */
  const isNamePart = letter => letter !== undefined && ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
    || (letter >= '0' && letter <= '9') || letter === '_' || letter === '-');

  /**
   * Returns the name, or `inlay-closed` for a forbidden element. The name is converted to text only once, so that an
   * object cannot return another text the second time.
   * @param {unknown} name
   */
  function allowed(name) {
    const text = `${name}`;
    let local = '';
    for (let at = 0; at < text.length; at += 1) local = text[at] === ':' ? '' : local + text[at];
    return lower(local) in FORBIDDEN_ELEMENTS ? 'inlay-closed' : text;
  }

  /**
   * Renames the forbidden elements in markup.
   * @param {string} text
   */
  function withoutForbidden(text) {
    let out = '';
    for (let at = 0; at < text.length; at += 1) {
      out += text[at];
      if (text[at] !== '<' && text[at] !== ':') continue;
      let name = '';
      for (let end = at + 1; end < text.length && isNamePart(text[end]); end += 1) name += text[end];
      if (lower(name) in FORBIDDEN_ELEMENTS) out += 'inlay-';
    }
    return out;
  }

  /** @param {unknown} sink */
  function isRefused(sink) {
    const name = lower(`${sink}`);
    for (let at = 0; at < REFUSED_SINKS.length; at += 1) if (apply(includes, name, [REFUSED_SINKS[at]])) return true;
    return false;
  }

  /**
   * The part of the Trusted Types API that is used here.
   * @typedef {object} TrustedTypes
   * @property {(name: string, rules: {
   *   createHTML: (text: string, type: string, sink: string) => string, createScriptURL: (address: string) => string
   * }) => unknown} createPolicy
   */

  /** @param {TrustedTypes} trustedTypes */
  function restrict(trustedTypes) {
    trustedTypes.createPolicy('default', {
      // Markup written in parts could split a tag between two of them, and XML could form an element from an entity.
      createHTML: (text, type, sink) => isRefused(sink) ? '' : withoutForbidden(text),
      // `script-src` checks the addresses of scripts.
      createScriptURL: address => address,
    });
    const { createElement, createElementNS } = Document.prototype;
    /**
     * @this {Document}
     * @param {unknown} name
     * @param {any} [options]
     * @returns {any}
     */
    Document.prototype.createElement = function (name, options) {
      return apply(createElement, this, [allowed(name), options]);
    };
    /**
     * @this {Document}
     * @param {unknown} space
     * @param {unknown} name
     * @param {any} [options]
     * @returns {any}
     */
    Document.prototype.createElementNS = function (space, name, options) {
      return apply(createElementNS, this, [space, allowed(name), options]);
    };
    // The root element of a new document is created without a call to either function.
    const { createDocument } = DOMImplementation.prototype;
    /**
     * @this {DOMImplementation}
     * @param {string | null} space
     * @param {string | null} name
     * @param {DocumentType | null} [type]
     */
    DOMImplementation.prototype.createDocument = function (space, name, type = null) {
      return apply(createDocument, this, [space, name === null ? '' : allowed(name), type]);
    };
    // These functions take the sanitizer's rules from the caller, so they could let `link` elements through.
    for (const owner of [Element.prototype, ShadowRoot.prototype]) remove(owner, 'setHTML');
    remove(Document, 'parseHTML');
    // Links in a closed shadow tree could not be found.
    const { attachShadow } = Element.prototype;
    /**
     * @this {Element}
     * @param {ShadowRootInit} options
     */
    Element.prototype.attachShadow = function (options) {
      return apply(attachShadow, this, [{ ...options, mode: 'open' }]);
    };
    const { define } = CustomElementRegistry.prototype;
    /**
     * @this {CustomElementRegistry}
     * @param {string} name
     * @param {CustomElementConstructor} constructor
     * @param {ElementDefinitionOptions} [options]
     */
    CustomElementRegistry.prototype.define = function (name, constructor, options) {
      if (options?.extends !== undefined) throw new TypeError('Built-in elements are not extended here.');
      return apply(define, this, [name, constructor]);
    };
    for (const name of ['XSLTProcessor', 'RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCIceTransport',
      'RTCDataChannel', 'WebTransport', 'PaymentRequest', 'PresentationRequest', 'MediaMetadata', 'Notification',
      'FederatedCredential', 'SharedWorker', 'BackgroundFetchManager']) remove(window, name);
    for (const name of ['mediaSession', 'credentials', 'serviceWorker', 'runAdAuction', 'joinAdInterestGroup',
      'setAppBadge', 'presentation', 'registerProtocolHandler']) remove(Navigator.prototype, name);
  }
  /**
   * @param {object} owner
   * @param {string} name
   */
  function remove(owner, name) { delete (/** @type {Record<string, unknown>} */ (owner))[name]; }

  const { trustedTypes } = /** @type {{ trustedTypes?: TrustedTypes }} */ (/** @type {object} */ (window));
  if (trustedTypes && !isOpen()) restrict(trustedTypes);

  /** Whether the document's policy allows text as markup without a Trusted Types policy. */
  function isOpen() {
    try {
      document.createElement('i').innerHTML = '';
      return true;
    } catch {
      return false;
    }
  }
})();
