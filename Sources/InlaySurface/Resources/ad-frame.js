// The host's own part of every creative. It runs before anything of the creative does: tells the page around it
// what was pressed and where that leads, and speaks MRAID where the answer allows it. What it closes here is
// convenience; the walls are the frame's sandbox and its policy, which no script can undo.
'use strict';

(() => {
  // The first thing said is a line to the page around. Nobody else has its end, so a script of the creative
  // cannot speak in the user's name. Everything used later is taken now, before the creative can change it.
  const { port1: line, port2: end } = new MessageChannel();
  parent.postMessage({ inlayAd: 'line' }, '*', [end]);
  const say = line.postMessage.bind(line);
  const now = performance.now.bind(performance);
  const nextFrame = requestAnimationFrame.bind(window);
  const later = setTimeout.bind(window);
  const listenTo = addEventListener.bind(window);
  const { max, min } = Math;
  const styleOf = getComputedStyle.bind(window);
  const { entries } = Object;
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  // An event that reaches the creative's code has the line in it; so not even its data is asked for by name.
  const dataOf = getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get;
  const { getEntries } = PerformanceObserverEntryList.prototype;
  const resolve = address => {
    try { return new URL(String(address), document.baseURI).href; } catch { return null; }
  };

  /** Whether there is more of what comes back at a steady rate. */
  function budget(most, perSecond) {
    let [left, at] = [most, now()];
    return count => {
      const moment = now();
      left = max(-1, min(most, left + (moment - at) / 1000 * perSecond) - count);
      at = moment;
      return left >= 0;
    };
  }

  // ---------------------------------------------------------------- files

  // An ad is made of a few dozen files. One that keeps asking eats the user's data and battery.
  const mayAsk = budget(200, 1);
  new PerformanceObserver(list => {
    if (!mayAsk(apply(getEntries, list, []).length)) say({ heavy: 'requests' });
  }).observe({ type: 'resource', buffered: true });

  // ---------------------------------------------------------------- taps

  const TAP_MILLISECONDS = 1000;
  let touched = -Infinity;
  let tapped = -Infinity;

  // `isTrusted` cannot be forged or redefined: only a hand makes such an event. The click that follows a finger
  // or a key is the same tap; a screen reader's comes alone.
  function touch(event) {
    if (!event.isTrusted || (event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ')) return;
    if (event.type === 'click' && now() - touched <= TAP_MILLISECONDS) return;
    touched = tapped = now();
    say({ tap: true });
  }

  /** Asks the page to open an address; one tap opens one address. */
  function open(address) {
    const target = resolve(address);
    const isFresh = now() - tapped <= TAP_MILLISECONDS;
    tapped = -Infinity;
    if (!isFresh || target === null) return false;
    say({ open: target });
    return true;
  }

  function linkOf(event) {
    return event.composedPath().find(node => /^(a|area)$/i.test(node.localName ?? '') && node.hasAttribute('href'));
  }

  function follow(event) {
    if (event.button > 1) return;
    const link = linkOf(event);
    if (!link) return;
    const address = link.getAttribute('href');
    // Within the creative the browser scrolls by itself.
    if (address.startsWith('#')) return;
    event.preventDefault();
    let isRefused = false;
    defineProperty(event, 'preventDefault', { value: () => { isRefused = true; } });
    // The creative's own handlers come first: they may open the address themselves, write it, or refuse.
    later(() => isRefused || open(link.getAttribute('href') ?? address));
  }

  function keys(event) {
    if (event.isTrusted && event.key === 'Escape') say({ key: 'Escape' });
  }

  // A document that is opened again loses its listeners; the same function is never added twice.
  function listen() {
    for (const kind of ['pointerup', 'click', 'keydown']) listenTo(kind, touch, { capture: true });
    for (const kind of ['click', 'auxclick']) listenTo(kind, follow, { capture: true });
    listenTo('keydown', keys, { capture: true });
    listenTo('submit', event => event.preventDefault(), { capture: true });
  }
  listen();
  for (const name of ['open', 'write', 'writeln']) {
    const original = Document.prototype[name];
    defineProperty(Document.prototype, name, {
      configurable: true, writable: true,
      value(...values) {
        const result = apply(original, this, values);
        if (this === document) listen();
        return result;
      },
    });
  }

  // The sandbox opens no window; what asks for one means its click.
  defineProperty(window, 'open', { configurable: true, writable: true, value: address => (open(address ?? ''), null) });
  // Reading them would throw here, and end many a creative that only wants to look.
  defineProperty(Document.prototype, 'cookie', { configurable: true, get: () => '', set() {} });

  // ---------------------------------------------------------------- what the page says

  const heard = { ping: number => say({ pong: number }) };
  line.onmessage = event => {
    for (const [name, value] of entries(apply(dataOf, event, []))) heard[name]?.(value);
  };

  // The next frame but one is on screen. Out of sight a browser draws no frames, so this waits for the screen.
  function tellPainted() {
    nextFrame(() => nextFrame(() => {
      const { direction } = styleOf(document.body ?? document.documentElement);
      say({ painted: true, direction });
    }));
  }
  if (document.readyState === 'loading') listenTo('DOMContentLoaded', tellPainted, { once: true });
  else tellPainted();

  // ---------------------------------------------------------------- MRAID

  const [kind, placement, sdkVersion] = window.name.split(' ');
  if (kind !== 'mraid') return;

  const VERSION = '3.0';
  const CLOSE_AREA = 50;
  const FEATURES = new Set(['inlineVideo']);
  const listeners = new Map();
  let state = 'loading';
  let isViewable = false;
  let exposure = [0, null, null];
  let sizes = {
    screen: { width: 0, height: 0 }, max: { width: 0, height: 0 },
    current: { x: 0, y: 0, width: 0, height: 0 }, default: { x: 0, y: 0, width: 0, height: 0 },
  };
  let expandProperties = { width: 0, height: 0, useCustomClose: false, isModal: true };
  let resizeProperties = null;
  let orientationProperties = { allowOrientationChange: true, forceOrientation: 'none' };

  function fire(event, ...values) {
    for (const listener of [...listeners.get(event) ?? []]) {
      // One listener's mistake is not the next one's.
      try { apply(listener, mraid, values); } catch (problem) { later(() => { throw problem; }); }
    }
  }

  // An error follows the call that caused it, in a task of its own: a listener that calls again must not run inside
  // itself. And there are only so many, so that a creative that answers each one with the same call comes to an end.
  const mayFail = budget(60, 10);
  const failures = [];
  function fail(message, action) {
    if (mayFail(1) && failures.push([message, action]) === 1) later(fireFailures);
  }
  function fireFailures() { for (const failure of failures.splice(0)) fire('error', ...failure); }

  // What a creative wants of the page, it may want a few times a second.
  const mayWant = budget(30, 10);
  function want(action, how) {
    if (mayWant(1)) say({ mraid: action, ...how });
    else fail('This was asked for too often.', action);
  }
  // The close button is in the top right corner. What must stay on the screen is moved onto it, with its corner.
  function isReachable(x, y, width) {
    const end = x + width;
    return end >= CLOSE_AREA && end <= sizes.max.width && y >= 0 && y + CLOSE_AREA <= sizes.max.height;
  }
  const isNumber = value => typeof value === 'number' && Number.isFinite(value);

  const mraid = {
    getVersion: () => VERSION,
    addEventListener(event, listener) {
      if (typeof event !== 'string' || typeof listener !== 'function') {
        fail('An event name and a function are needed.', 'addEventListener');
        return;
      }
      if (!listeners.has(event)) listeners.set(event, new Set());
      listeners.get(event).add(listener);
      // Who listens late still learns where the creative stands.
      if (event === 'exposureChange' && state !== 'loading') later(() => apply(listener, mraid, exposure));
    },
    removeEventListener(event, listener) {
      if (listener === undefined) listeners.delete(event);
      else if (!listeners.get(event)?.delete(listener)) fail('This listener was never added.', 'removeEventListener');
    },
    getState: () => state,
    getPlacementType: () => placement,
    isViewable: () => state !== 'loading' && isViewable,
    supports: feature => FEATURES.has(feature),
    getScreenSize: () => ({ ...sizes.screen }),
    getMaxSize: () => ({ ...sizes.max }),
    getCurrentPosition: () => ({ ...sizes.current }),
    getDefaultPosition: () => ({ ...sizes.default }),
    getCurrentAppOrientation: () => ({
      orientation: sizes.screen.width > sizes.screen.height ? 'landscape' : 'portrait', locked: false,
    }),
    // No place is told to an advertiser.
    getLocation: () => -1,
    open(address) {
      if (typeof address !== 'string') fail('An address is needed.', 'open');
      else if (!/^https?:/i.test(resolve(address) ?? '')) fail('Only http and https open.', 'open');
      else if (!open(address)) fail('Nothing opens without a tap.', 'open');
    },
    close() { want('close'); },
    unload() { want('unload'); },
    // The close button is the app's, always; see MRAID 3.
    useCustomClose() {},
    expand(address) {
      if (address !== undefined && address !== null) fail('A second part is not loaded here.', 'expand');
      else if (placement === 'interstitial') fail('An interstitial is as large as it gets.', 'expand');
      else if (state !== 'default' && state !== 'resized') fail(`Cannot expand when ${state}.`, 'expand');
      else want('expand', expandProperties);
    },
    getExpandProperties: () => ({ ...expandProperties, width: expandProperties.width || sizes.max.width,
      height: expandProperties.height || sizes.max.height }),
    setExpandProperties(properties) {
      const { width = 0, height = 0 } = properties ?? {};
      if (!isNumber(width) || !isNumber(height) || width < 0 || height < 0) {
        fail('Width and height are numbers.', 'setExpandProperties');
        return;
      }
      expandProperties = { width, height, useCustomClose: false, isModal: true };
    },
    getResizeProperties: () => resizeProperties === null ? null : { ...resizeProperties },
    setResizeProperties(properties) {
      const { width, height, offsetX, offsetY, allowOffscreen = true } = properties ?? {};
      if (![width, height, offsetX, offsetY].every(isNumber)) {
        fail('Width, height, offsetX and offsetY are needed, as numbers.', 'setResizeProperties');
      } else if (width < CLOSE_AREA || height < CLOSE_AREA) {
        fail(`Nothing is smaller than ${CLOSE_AREA} × ${CLOSE_AREA}: the close button must fit.`, 'setResizeProperties');
      } else if (!allowOffscreen && (width > sizes.max.width || height > sizes.max.height)) {
        fail('This is larger than the screen, and must not leave it.', 'setResizeProperties');
      } else if (allowOffscreen && !isReachable(sizes.default.x + offsetX, sizes.default.y + offsetY, width)) {
        fail('The close button would not be on the screen.', 'setResizeProperties');
      } else {
        resizeProperties = { width, height, offsetX, offsetY, allowOffscreen: Boolean(allowOffscreen),
          customClosePosition: 'top-right' };
      }
    },
    resize() {
      if (placement === 'interstitial') fail('An interstitial cannot be resized.', 'resize');
      else if (resizeProperties === null) fail('Call setResizeProperties first.', 'resize');
      else if (state !== 'default' && state !== 'resized') fail(`Cannot resize when ${state}.`, 'resize');
      else want('resize', resizeProperties);
    },
    getOrientationProperties: () => ({ ...orientationProperties }),
    setOrientationProperties(properties) {
      const { allowOrientationChange = true, forceOrientation = 'none' } = properties ?? {};
      if (typeof allowOrientationChange !== 'boolean' || !['portrait', 'landscape', 'none'].includes(forceOrientation)) {
        fail('allowOrientationChange is a boolean, forceOrientation portrait, landscape or none.',
          'setOrientationProperties');
        return;
      }
      orientationProperties = { allowOrientationChange, forceOrientation };
    },
    playVideo() { fail('Play videos within the creative.', 'playVideo'); },
    storePicture() { fail('Pictures are not stored.', 'storePicture'); },
    createCalendarEvent() { fail('The calendar is not touched.', 'createCalendarEvent'); },
    initVpaid() { fail('VPAID is not supported.', 'initVpaid'); },
  };

  heard.error = ([message, action]) => {
    fireFailures();
    fire('error', message, action);
  };
  // State and sizes come together and are both in force before either is told.
  let first = null;
  heard.change = ({ geometry, state: next }) => {
    const { width, height } = sizes.current;
    const isSized = geometry.current.width !== width || geometry.current.height !== height;
    sizes = geometry;
    if (state === 'loading') {
      start(next);
      return;
    }
    const isOther = next !== state;
    state = next;
    fireFailures();
    if (isOther) fire('stateChange', state);
    if (isSized) fire('sizeChange', sizes.current.width, sizes.current.height);
  };
  function start(next) {
    const isKnown = first !== null;
    first = next;
    if (isKnown) return;
    // The creative's listeners are there once its document is: only then is anything told.
    const begin = () => {
      state = first;
      fire('stateChange', state);
      fire('ready');
      tellExposure();
    };
    if (document.readyState === 'loading') listenTo('DOMContentLoaded', begin, { once: true });
    else begin();
  }
  function tellExposure() {
    fire('exposureChange', ...exposure);
    fire('viewableChange', isViewable);
  }
  heard.exposure = ([ratio, visible, covered]) => {
    const wasViewable = isViewable;
    exposure = [ratio, visible, covered];
    isViewable = ratio > 0;
    if (state === 'loading') return;
    fire('exposureChange', ...exposure);
    if (isViewable !== wasViewable) fire('viewableChange', isViewable);
  };

  Object.freeze(mraid);
  defineProperty(window, 'mraid', { value: mraid });
  defineProperty(window, 'MRAID_ENV', {
    value: Object.freeze({ version: VERSION, sdk: 'Inlay', sdkVersion, limitAdTracking: true }),
  });
  say({ mraid: 'hello' });
})();
