// MRAID 3 of a creative. This script only adds a function to the window. It runs before ad-frame.js, which removes the
// function, and calls it where the ad response allows MRAID. So the functions that reach the parent page are never in
// the window.
'use strict';

/**
 * The functions of ad-frame.js that MRAID uses, and its handlers of the page's messages, to which MRAID adds its own.
 * @typedef {object} AdFrame
 * @property {(message: object) => void} postMessage
 * @property {Record<string, (value: any) => void>} handlers
 * @property {(address: unknown) => boolean} open
 * @property {(address: unknown) => string | null} resolve
 * @property {(maximum: number, perSecond: number) => (count: number) => boolean} budget
 */
/** @typedef {(frame: AdFrame, placement: string, sdkVersion: string) => void} StartMraid */

/** @type {any} */ (window).inlayMraid = /** @type {StartMraid} */ (frame, placement, sdkVersion) => {
  const { postMessage, handlers, open, resolve, budget } = frame;
  // Functions used later are saved before the creative can change them.
  const later = setTimeout.bind(window);
  const listenTo = addEventListener.bind(window);
  const { apply, defineProperty } = Reflect;

  const VERSION = '3.0';
  const CLOSE_AREA = 50;
  const FEATURES = new Set(['inlineVideo']);
  /** @type {Map<string, Set<Function>>} */
  const listeners = new Map();
  let state = 'loading';
  let isViewable = false;
  /** @type {[number, object | null, object[] | null]} The percentage in view, the rectangle in view, and its covers. */
  let exposure = [0, null, null];
  let sizes = {
    screen: { width: 0, height: 0 }, max: { width: 0, height: 0 },
    current: { x: 0, y: 0, width: 0, height: 0 }, default: { x: 0, y: 0, width: 0, height: 0 },
  };
  let expandProperties = { width: 0, height: 0, useCustomClose: false, isModal: true };
  /** @typedef {{ width: number, height: number, offsetX: number, offsetY: number, allowOffscreen: boolean }} Resize */
  /** @type {Resize & { customClosePosition: string } | null} */
  let resizeProperties = null;
  let orientationProperties = { allowOrientationChange: true, forceOrientation: 'none' };

  /**
   * @param {string} event
   * @param {unknown[]} values
   */
  function fire(event, ...values) {
    for (const listener of [...listeners.get(event) ?? []]) {
      // An error in one listener must not stop the others.
      try { apply(listener, mraid, values); } catch (problem) { later(() => { throw problem; }); }
    }
  }

  // Errors are reported in a later task, so that a listener that repeats the failed call does not recurse. Their number
  // is limited, so that a creative that answers each error with the same call does not run for ever.
  const mayFail = budget(60, 10);
  /** @type {[message: string, action: string][]} */
  const failures = [];
  /**
   * @param {string} message
   * @param {string} action
   */
  function fail(message, action) {
    if (mayFail(1) && failures.push([message, action]) === 1) later(fireFailures);
  }
  function fireFailures() { for (const failure of failures.splice(0)) fire('error', ...failure); }

  // A creative may send the page 30 requests at once, and 10 per second.
  const mayRequest = budget(30, 10);
  /**
   * @param {string} action
   * @param {object} [properties]
   */
  function request(action, properties) {
    if (mayRequest(1)) postMessage({ mraid: action, ...properties });
    else fail('This was asked for too often.', action);
  }
  /**
   * Whether the close button's area, the top right corner, of a creative at this position is on the screen.
   * @param {number} x
   * @param {number} y
   * @param {number} width
   */
  function isReachable(x, y, width) {
    const end = x + width;
    return end >= CLOSE_AREA && end <= sizes.max.width && y >= 0 && y + CLOSE_AREA <= sizes.max.height;
  }
  /** @param {unknown} value */
  const isNumber = value => typeof value === 'number' && Number.isFinite(value);

  const mraid = {
    getVersion: () => VERSION,
    /**
     * @param {string} event
     * @param {Function} listener
     */
    addEventListener(event, listener) {
      if (typeof event !== 'string' || typeof listener !== 'function') {
        fail('An event name and a function are needed.', 'addEventListener');
        return;
      }
      if (!listeners.has(event)) listeners.set(event, new Set());
      listeners.get(event)?.add(listener);
      // A late listener gets the current exposure at once.
      if (event === 'exposureChange' && state !== 'loading') later(() => apply(listener, mraid, exposure));
    },
    /**
     * @param {string} event
     * @param {Function} [listener]
     */
    removeEventListener(event, listener) {
      if (listener === undefined) listeners.delete(event);
      else if (!listeners.get(event)?.delete(listener)) fail('This listener was never added.', 'removeEventListener');
    },
    getState: () => state,
    getPlacementType: () => placement,
    isViewable: () => state !== 'loading' && isViewable,
    /** @param {string} feature */
    supports: feature => FEATURES.has(feature),
    getScreenSize: () => ({ ...sizes.screen }),
    getMaxSize: () => ({ ...sizes.max }),
    getCurrentPosition: () => ({ ...sizes.current }),
    getDefaultPosition: () => ({ ...sizes.default }),
    getCurrentAppOrientation: () => ({
      orientation: sizes.screen.width > sizes.screen.height ? 'landscape' : 'portrait', locked: false,
    }),
    // Creatives get no location.
    getLocation: () => -1,
    /** @param {unknown} address */
    open(address) {
      const target = typeof address === 'string' ? resolve(address) : null;
      if (typeof address !== 'string') fail('An address is needed.', 'open');
      else if (target === null) fail('A whole address is needed, or a base in the creative.', 'open');
      else if (!/^https?:/i.test(target)) fail('Only http and https open.', 'open');
      else if (!open(address)) fail('Nothing opens without a tap.', 'open');
    },
    close() { request('close'); },
    unload() { request('unload'); },
    // The app always draws the close button (MRAID 3).
    useCustomClose() {},
    /** @param {unknown} [address] */
    expand(address) {
      if (address !== undefined && address !== null) fail('A second part is not loaded here.', 'expand');
      else if (placement === 'interstitial') fail('An interstitial is as large as it gets.', 'expand');
      else if (state !== 'default' && state !== 'resized') fail(`Cannot expand when ${state}.`, 'expand');
      else request('expand', expandProperties);
    },
    getExpandProperties: () => ({ ...expandProperties, width: expandProperties.width || sizes.max.width,
      height: expandProperties.height || sizes.max.height }),
    /** @param {{ width?: number, height?: number } | null} [properties] */
    setExpandProperties(properties) {
      const { width = 0, height = 0 } = properties ?? {};
      if (!isNumber(width) || !isNumber(height) || width < 0 || height < 0) {
        fail('Width and height are numbers.', 'setExpandProperties');
        return;
      }
      expandProperties = { width, height, useCustomClose: false, isModal: true };
    },
    getResizeProperties: () => resizeProperties === null ? null : { ...resizeProperties },
    /** @param {Resize | null} [properties] */
    setResizeProperties(properties) {
      const { width, height, offsetX, offsetY, allowOffscreen = true } = /** @type {Resize} */ (properties ?? {});
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
      else request('resize', resizeProperties);
    },
    getOrientationProperties: () => ({ ...orientationProperties }),
    /** @param {{ allowOrientationChange?: boolean, forceOrientation?: string } | null} [properties] */
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

  handlers.error = ([message, action]) => {
    fireFailures();
    fire('error', message, action);
  };
  // State and sizes arrive in one message, and both are set before any event is fired.
  /** @type {string | null} */
  let first = null;
  handlers.change = ({ geometry, state: next }) => {
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
  /** @param {string} next */
  function start(next) {
    const isKnown = first !== null;
    first = next;
    if (isKnown) return;
    // Events are fired once the document was parsed, because only then has the creative added its listeners.
    const begin = () => {
      state = first ?? next;
      fire('stateChange', state);
      fire('ready');
      reportExposure();
    };
    if (document.readyState === 'loading') listenTo('DOMContentLoaded', begin, { once: true });
    else begin();
  }
  function reportExposure() {
    fire('exposureChange', ...exposure);
    fire('viewableChange', isViewable);
  }
  handlers.exposure = ([ratio, visible, covered]) => {
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
  postMessage({ mraid: 'hello' });
};
