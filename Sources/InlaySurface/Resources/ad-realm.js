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
  /** A creative is under suspicion while it uses more than this share of a window, or lets timers be late for more than
   * the smaller one; looks at the thread then follow one another. */
  const SUSPECT_SHARE = 0.5;
  const SUSPECT_DELAY = 0.08;
  /** For how long one look keeps the thread under watch, and from when on a gap in it is another script's work. */
  const LOOK_MILLISECONDS = 12;
  const SHORTEST_WORK = 0.25;
  /** How long a task of ours tries out what the system takes from the thread, and by how much the clock then jumps. */
  const TRIAL_MILLISECONDS = 30;
  const JUMP_MILLISECONDS = 2;
  /** What must be left of the share without what the system took. */
  const CREATIVES_SHARE = 0.65;
  const MEMORY_BYTES = 128 * 1024 * 1024;
  const MEMORY_WINDOWS = 2;

  // Everything used later is taken now, before the creative can change it.
  const { apply, getOwnPropertyDescriptor } = Reflect;
  const later = setTimeout.bind(window);
  const now = performance.now.bind(performance);
  const never = clearTimeout.bind(window);
  const { min, random } = Math;
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
  /** For how long it has been busy, and how much of that time was work. */
  let busy = 0;
  let used = 0;
  let isSuspect = false;
  /** How long the looks of this window were, and how much of it other scripts took; longer tasks count as delays. */
  let watched = 0;
  let taken = 0;
  let lookBegan = 0;
  let lastTurn = 0;
  let timer = 0;
  let memoryAtStart;
  let overWindows = 0;

  /** How much later than asked a timer fires is how long other scripts held the thread. The time asked for is random:
   * otherwise it could fall between two tasks of a creative that has the same rhythm, again and again. */
  function probe() {
    const time = (isSuspect ? 4 : 32) * (1 + random());
    const due = now() + time;
    timer = later(() => {
      const at = now();
      if (at > due) delayed += min(at - due, LONGEST_DELAY);
      if (at - start >= WINDOW_MILLISECONDS) measure(at);
      if (isClockFine && (isSuspect || watched === 0)) look(at);
      else probe();
    }, time);
  }

  // A number that is not the timer's may become it when it is converted a second time.
  for (const name of ['clearTimeout', 'clearInterval']) {
    Object.defineProperty(window, name, {
      configurable: true, writable: true,
      value(handle) {
        const id = handle | 0;
        if (id !== timer) never(id);
      },
    });
  }

  // A look takes every turn of the thread that it can get for some milliseconds; what lies between two turns is the
  // time that others took. Many short tasks delay no timer for long.
  const { port1: turns, port2: line } = new MessageChannel();
  const takeTurn = line.postMessage.bind(line, 0);

  function look(at) {
    lookBegan = lastTurn = at;
    takeTurn();
  }

  turns.onmessage = () => {
    const at = now();
    const gap = at - lastTurn;
    lastTurn = at;
    if (gap > LOOK_MILLISECONDS) {
      delayed += min(gap, LONGEST_DELAY);
    } else {
      watched += gap;
      if (gap >= SHORTEST_WORK) taken += gap;
    }
    if (at - lookBegan < LOOK_MILLISECONDS) takeTurn();
    else probe();
  };

  /** Whether the clock tells short gaps apart: in some browsers it has steps of a millisecond. */
  function hasFineClock() {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const before = now();
      let first = before;
      while (first === before) first = now();
      let second = first;
      while (second === first) second = now();
      if (second - first < SHORTEST_WORK) return true;
    }
    return false;
  }

  function measure(at) {
    const span = at - start;
    const late = min(delayed / span, 1);
    // What the looks saw holds for all the time in which nothing was delayed.
    const share = late + (1 - late) * (watched > 0 ? taken / watched : 0);
    isSuspect = share > SUSPECT_SHARE || (!isSuspect && late > SUSPECT_DELAY);
    [start, delayed, watched, taken] = [at, 0, 0, 0];
    // A hidden page's timers are slowed down by the browser.
    if (apply(isHidden, document, [])) {
      [busy, used] = [0, 0];
      return;
    }
    const counted = share >= BUSY_SHARE ? min(span, LONGEST_DELAY) : 0;
    [busy, used] = counted > 0 ? [busy + counted, used + counted * share] : [0, 0];
    if (busy >= BUSY_MILLISECONDS) {
      const mean = used / busy;
      [busy, used] = [0, 0];
      if (withoutSystem(mean) >= CREATIVES_SHARE) report('processor');
    }
    if (usedOf) measureMemory(apply(usedOf, apply(memoryOf, performance, []), []));
  }

  /** The share that is left for scripts. No script interrupts this one, so what it loses the system takes, and it takes
   * as much from the time that seemed to be the others' as from ours. */
  function withoutSystem(share) {
    const began = now();
    let last = began;
    let lost = 0;
    while (last - began < TRIAL_MILLISECONDS) {
      const at = now();
      if (at - last > JUMP_MILLISECONDS) lost += at - last;
      last = at;
    }
    const part = min(lost / (last - began), 0.95);
    return share - (1 - share) * part / (1 - part);
  }

  function measureMemory(used) {
    memoryAtStart ??= used;
    overWindows = used - memoryAtStart > MEMORY_BYTES ? overWindows + 1 : 0;
    if (overWindows < MEMORY_WINDOWS) return;
    overWindows = 0;
    report('memory');
  }

  const isClockFine = hasFineClock();
  if (usedOf) memoryAtStart = apply(usedOf, apply(memoryOf, performance, []), []);
  probe();
})();
