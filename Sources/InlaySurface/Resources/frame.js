// The host's own part of a document in a frame. It runs before anything of the document does: closes what no
// policy closes, tells the page around it which links and videos were pressed, and takes on the page's look.
'use strict';

(() => {
  // The first thing said is a line to the page around. Nobody else has its end, so a script of the document
  // cannot speak in the reader's name.
  const { port1: line, port2: end } = new MessageChannel();
  parent.postMessage({ inlayFrame: 'line' }, '*', [end]);
  const say = line.postMessage.bind(line);
  // What is used later is taken now, and asks no prototype: the document's own script can change those.
  const { apply } = Reflect;
  const { toLowerCase, includes } = String.prototype;
  // An event that reaches the document's code has the line in it; so not even its data is asked for by name.
  const dataOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get;

  // ---------------------------------------------------------------- what a policy does not close

  // Under this policy no text becomes markup but through the default one; where everything outside is allowed,
  // there is no such policy and nothing to close.
  const CLOSED = { __proto__: null, link: 1, iframe: 1, frame: 1, frameset: 1, object: 1, embed: 1, applet: 1,
    portal: 1, fencedframe: 1, base: 1, meta: 1, template: 1 };
  const REFUSED = ['write', 'parsefromstring', 'srcdoc', 'sethtmlunsafe', 'parsehtmlunsafe'];
  const lower = text => apply(toLowerCase, text, []);
  const isNamePart = letter => (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
    || (letter >= '0' && letter <= '9') || letter === '_' || letter === '-';

  /** The name that an element may have in place of this one, which is asked for its text only once. */
  function allowed(name) {
    const text = `${name}`;
    let local = '';
    for (let at = 0; at < text.length; at += 1) local = text[at] === ':' ? '' : local + text[at];
    return lower(local) in CLOSED ? 'inlay-closed' : text;
  }

  function withoutClosed(text) {
    let out = '';
    for (let at = 0; at < text.length; at += 1) {
      out += text[at];
      if (text[at] !== '<' && text[at] !== ':') continue;
      let name = '';
      for (let end = at + 1; end < text.length && isNamePart(text[end]); end += 1) name += text[end];
      if (lower(name) in CLOSED) out += 'inlay-';
    }
    return out;
  }

  function isRefused(sink) {
    const name = lower(`${sink}`);
    for (let at = 0; at < REFUSED.length; at += 1) if (apply(includes, name, [REFUSED[at]])) return true;
    return false;
  }

  function closeRealm() {
    trustedTypes.createPolicy('default', {
      // Markup in pieces could hide a tag between two of them; XML could name one by an entity.
      createHTML: (text, type, sink) => isRefused(sink) ? '' : withoutClosed(text),
      // A script's address has the script policy to answer to.
      createScriptURL: address => address,
    });
    const { createElement, createElementNS } = Document.prototype;
    Document.prototype.createElement = function (name, options) {
      return apply(createElement, this, [allowed(name), options]);
    };
    Document.prototype.createElementNS = function (space, name, options) {
      return apply(createElementNS, this, [space, allowed(name), options]);
    };
    // A document's first element is made without asking either of them.
    const { createDocument } = DOMImplementation.prototype;
    DOMImplementation.prototype.createDocument = function (space, name, type = null) {
      return apply(createDocument, this, [space, name === null ? '' : allowed(name), type]);
    };
    // What cleans markup by rules that the document's script may choose lets links through.
    for (const owner of [Element.prototype, ShadowRoot.prototype]) delete owner.setHTML;
    delete Document.parseHTML;
    // In a closed tree nobody would find a link.
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (options) {
      return apply(attachShadow, this, [{ ...options, mode: 'open' }]);
    };
    const { define } = CustomElementRegistry.prototype;
    CustomElementRegistry.prototype.define = function (name, constructor, options) {
      if (options?.extends !== undefined) throw new TypeError('Built-in elements are not extended here.');
      return apply(define, this, [name, constructor]);
    };
    for (const name of ['XSLTProcessor', 'RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCIceTransport',
      'RTCDataChannel', 'WebTransport', 'PaymentRequest', 'PresentationRequest', 'MediaMetadata', 'Notification',
      'FederatedCredential', 'SharedWorker', 'BackgroundFetchManager']) delete window[name];
    for (const name of ['mediaSession', 'credentials', 'serviceWorker', 'runAdAuction', 'joinAdInterestGroup',
      'setAppBadge', 'presentation', 'registerProtocolHandler']) delete Navigator.prototype[name];
  }
  if (window.trustedTypes && !isOpen()) closeRealm();

  /** Whether the document's policy leaves text as markup alone. */
  function isOpen() {
    try {
      document.createElement('i').innerHTML = '';
      return true;
    } catch {
      return false;
    }
  }

  // ---------------------------------------------------------------- listed addresses

  // A policy compares addresses without their query, so it lets no listed address through. The host fetches them
  // and compares every request to the letter; here requests that a script makes are led to it.
  const CARRIED = { __proto__: null };
  for (const [address, carried] of Object.entries(JSON.parse(document.currentScript.dataset.addresses ?? '{}'))) {
    CARRIED[address] = carried;
    try { CARRIED[new URL(address).href] = carried; } catch { /* Compared as it is written only. */ }
  }

  function carry(address) {
    let text = `${address}`;
    if (text in CARRIED) return CARRIED[text];
    try { text = new URL(text, document.baseURI).href; } catch { return address; }
    return CARRIED[text] ?? address;
  }

  function carryRequests() {
    const { fetch, Request } = window;
    window.fetch = function (input, init) {
      const isRequest = input instanceof Request;
      const carried = carry(isRequest ? input.url : input);
      return apply(fetch, window, [isRequest && carried !== input.url ? new Request(carried, input) : carried, init]);
    };
    const { open } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (method, address, ...more) {
      return apply(open, this, [method, carry(address), ...more]);
    };
    for (const [owner, name] of [[HTMLImageElement, 'src'], [HTMLMediaElement, 'src'], [HTMLVideoElement, 'poster'],
      [HTMLSourceElement, 'src'], [HTMLTrackElement, 'src'], [HTMLInputElement, 'src'], [HTMLScriptElement, 'src']]) {
      const property = Object.getOwnPropertyDescriptor(owner.prototype, name);
      Object.defineProperty(owner.prototype, name,
        { ...property, set(value) { apply(property.set, this, [carry(value)]); } });
    }
    const { setAttribute } = Element.prototype;
    Element.prototype.setAttribute = function (name, value) {
      const loads = /^(src|poster)$/i.test(`${name}`);
      return apply(setAttribute, this, [name, loads ? carry(value) : value]);
    };
    // What comes as markup: refused at first, then asked of the host.
    const turn = node => {
      for (const name of ['src', 'poster']) {
        const value = node.getAttribute?.(name);
        if (value && carry(value) !== value) apply(setAttribute, node, [name, carry(value)]);
      }
    };
    new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(node => {
      turn(node);
      node.querySelectorAll?.('[src], [poster]').forEach(turn);
    }))).observe(document, { childList: true, subtree: true });
  }
  if (Object.keys(CARRIED).length > 0) carryRequests();

  // ---------------------------------------------------------------- look

  const root = document.documentElement;

  function wear(look) {
    const [scheme, size, motion, direction] = String(look).split(' ');
    if (scheme !== 'light' && scheme !== 'dark') return;
    root.dataset.scheme = scheme;
    root.dataset.motion = motion === 'still' ? 'still' : 'any';
    root.style.setProperty('--frame-size', `${Math.min(Math.max(parseFloat(size) || 16, 8), 60)}px`);
    // A document in a language of its own says so itself.
    if (direction === 'rtl' && !root.hasAttribute('dir')) root.dataset.direction = 'rtl';
  }
  wear(name);
  line.onmessage = event => {
    const data = apply(dataOf, event, []);
    if (typeof data.look === 'string') wear(data.look);
    if (typeof data.top === 'number') scrollTo(0, data.top);
  };

  // ---------------------------------------------------------------- links

  const XLINK = 'http://www.w3.org/1999/xlink';
  const HIDDEN = 'link:';
  const addresses = new WeakMap();

  function isLink(node) { return /^(a|area)$/i.test(node.localName ?? ''); }

  /** Takes a link's address out of the browser's sight, which else connects when a finger goes down on it. */
  function hide(link) {
    const address = link.getAttribute('href') ?? link.getAttributeNS(XLINK, 'href');
    if (address === null || address.startsWith('#') || address === HIDDEN) return;
    addresses.set(link, address);
    link.removeAttributeNS(XLINK, 'href');
    link.setAttribute('href', HIDDEN);
    link.removeAttribute('ping');
  }

  function hideAll(node) {
    if (isLink(node)) hide(node);
    node.querySelectorAll?.('a, area').forEach(hide);
  }
  new MutationObserver(changes => changes.forEach(change => change.type === 'attributes'
    ? hideAll(change.target) : change.addedNodes.forEach(hideAll)))
    .observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['href', 'xlink:href'] });
  for (const kind of ['pointerover', 'pointerdown', 'mousedown', 'touchstart', 'focusin']) {
    addEventListener(kind, event => event.composedPath().filter(isLink).forEach(hide), { capture: true, passive: true });
  }

  function linkOf(event) {
    const link = event.composedPath().find(isLink);
    if (!link) return null;
    const address = link.getAttribute('href');
    return address === HIDDEN ? addresses.get(link) ?? null : address;
  }

  function follow(event) {
    const address = linkOf(event);
    if (address === null || event.button > 1) return;
    // Within the page the browser scrolls by itself.
    if (address.startsWith('#') && event.button === 0 && event.isTrusted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // Only a hand presses links.
    if (!event.isTrusted) return;
    let target = address;
    // A name without a scheme is a file beside this one; apps have schemes with underscores.
    if (!/^[a-z][a-z0-9+._-]*:/i.test(address.trim())) {
      try { target = new URL(address, document.baseURI).href; } catch { return; }
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

  /** A video plays above the page, where its way out is always in sight; here is the way in. */
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
