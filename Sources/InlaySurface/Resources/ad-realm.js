// Runs first in a creative's frame, and in every frame that the creative makes of markup of its own. It takes peer
// connections away, fetches over https what is asked for over http, and reports a creative that uses too much of the
// processor or of memory.
'use strict';

(() => {
  const BUSY_SHARE = 0.8;
  const BUSY_MILLISECONDS = 5000;
  const WINDOW_MILLISECONDS = 1000;
  /** A single delay counts no longer than this: a process that was suspended is not a busy one. */
  const LONGEST_DELAY = 4500;
  const MEMORY_BYTES = 128 * 1024 * 1024;
  const MEMORY_WINDOWS = 2;

  // Everything used later is taken now, before the creative can change it.
  const { apply, getOwnPropertyDescriptor } = Reflect;
  const later = setTimeout.bind(window);
  const now = performance.now.bind(performance);
  const nextFrame = requestAnimationFrame.bind(window);
  const requestIdle = window.requestIdleCallback?.bind(window);
  const { min } = Math;
  const getter = (owner, name) => getOwnPropertyDescriptor(owner, name)?.get;
  const isHidden = getter(Document.prototype, 'hidden');
  const memoryOf = getter(Performance.prototype, 'memory');
  const usedOf = memoryOf && getter(Object.getPrototypeOf(performance.memory), 'usedJSHeapSize');
  const ancestors = [];
  for (let each = window; each !== each.parent;) {
    each = each.parent;
    ancestors.push(each.postMessage.bind(each));
  }

  /** Tells the app's page, however deep this frame is; the frames in between learn nothing they do not know. */
  function report(burden) {
    for (let index = 0; index < ancestors.length; index += 1) ancestors[index]({ inlayAd: 'heavy', burden }, '*');
  }

  // ---------------------------------------------------------------- peer connections

  for (const name of Object.getOwnPropertyNames(window)) {
    if (/^(webkit|moz)?RTC/.test(name)) delete window[name];
  }

  // A frame of `srcdoc` has a realm of its own that no script here reaches. So this file comes first there too.
  const opening = `<script src="${document.currentScript.src.replace(/[&"]/g, letter => `&#${letter.charCodeAt()};`)}"></script>`;
  const { getAttribute, setAttribute, attachShadow } = Element.prototype;
  const { querySelectorAll: allInElement } = Element.prototype;
  const { querySelectorAll: allInFragment } = DocumentFragment.prototype;
  const shadowOf = getter(Element.prototype, 'shadowRoot');
  const { startsWith } = String.prototype;
  const { observe } = MutationObserver.prototype;

  function openWithThis(frame) {
    const markup = apply(getAttribute, frame, ['srcdoc']);
    if (markup === null || apply(startsWith, markup, [opening])) return;
    apply(setAttribute, frame, ['srcdoc', opening + markup]);
  }

  function visit(element) {
    if (element.localName === 'iframe') openWithThis(element);
    const shadow = apply(shadowOf, element, []);
    if (shadow) watch(shadow);
  }

  function visitAll(nodes) {
    for (let index = 0; index < nodes.length; index += 1) {
      const node = nodes[index];
      if (!(node instanceof Element)) continue;
      visit(node);
      const inside = apply(allInElement, node, ['*']);
      for (let place = 0; place < inside.length; place += 1) visit(inside[place]);
    }
  }

  // Runs before the next script of a parser, and before a frame that was just added can load anything.
  const watcher = new MutationObserver(changes => {
    for (let index = 0; index < changes.length; index += 1) {
      const { type, target, addedNodes } = changes[index];
      if (type === 'attributes') visit(target);
      else visitAll(addedNodes);
    }
  });
  function watch(root) {
    apply(observe, watcher, [root, { childList: true, subtree: true, attributes: true, attributeFilter: ['srcdoc'] }]);
    if (root !== document) visitAll(apply(allInFragment, root, ['*']));
  }
  watch(document);
  Object.defineProperty(Element.prototype, 'attachShadow', {
    configurable: true, writable: true,
    value(options) {
      const root = apply(attachShadow, this, [options]);
      watch(root);
      return root;
    },
  });

  // ---------------------------------------------------------------- http

  // The policy upgrades what the markup loads. These two a browser checks before it upgrades them, and refuses them.
  const { fetch: send, Request, URL: Address } = window;
  const { sendBeacon } = Navigator.prototype;

  /** The address with https in place of http; what is no address is left to the function that it is for. */
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
    value(resource, options) {
      if (!(resource instanceof Request)) return apply(send, window, [secured(resource), options]);
      const target = secured(resource.url);
      return apply(send, window, [target === resource.url ? resource : new Request(target, resource), options]);
    },
  });
  Object.defineProperty(Navigator.prototype, 'sendBeacon', {
    configurable: true, writable: true,
    value(address, ...data) { return apply(sendBeacon, this, [secured(address), ...data]); },
  });

  // ---------------------------------------------------------------- processor and memory

  let start = now();
  let delayed = 0;
  let busy = 0;
  let lastIdle = start;
  let isIdleAsked = false;
  let isDrawn = false;
  let isClose = false;
  let memoryAtStart;
  let overWindows = 0;

  /** How much later than asked a timer fires is how long other scripts held the thread. */
  function probe() {
    const due = now() + (isClose ? 5 : 50);
    later(() => {
      const at = now();
      if (at > due) delayed += min(at - due, LONGEST_DELAY);
      if (at - start >= WINDOW_MILLISECONDS) measure(at);
      if (requestIdle && !isIdleAsked) {
        isIdleAsked = true;
        requestIdle(() => {
          lastIdle = now();
          isIdleAsked = false;
        });
      }
      probe();
    }, isClose ? 5 : 50);
  }

  function measure(at) {
    const span = at - start;
    // Many short tasks delay no timer for long, but they leave no idle moment in the whole window.
    const isStarved = isDrawn && isIdleAsked && at - lastIdle >= span;
    const share = isStarved ? 1 : delayed / span;
    [start, delayed, isClose] = [at, 0, share > 0.25];
    // A hidden page's timers are slowed down by the browser.
    if (apply(isHidden, document, [])) {
      [busy, lastIdle] = [0, at];
      return;
    }
    busy = share >= BUSY_SHARE ? busy + min(span, LONGEST_DELAY) : 0;
    if (busy >= BUSY_MILLISECONDS) {
      busy = 0;
      report('processor');
    }
    if (usedOf) measureMemory(apply(usedOf, apply(memoryOf, performance, []), []));
  }

  function measureMemory(used) {
    memoryAtStart ??= used;
    overWindows = used - memoryAtStart > MEMORY_BYTES ? overWindows + 1 : 0;
    if (overWindows < MEMORY_WINDOWS) return;
    overWindows = 0;
    report('memory');
  }

  // A document that waits for its first script or style has no idle moments either.
  addEventListener('DOMContentLoaded', () => nextFrame(() => nextFrame(() => {
    [isDrawn, lastIdle] = [true, now()];
  })), { once: true });
  if (usedOf) memoryAtStart = apply(usedOf, apply(memoryOf, performance, []), []);
  probe();
})();
