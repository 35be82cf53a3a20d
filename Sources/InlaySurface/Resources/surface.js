// The page's side of a surface: applies patches, sends back what the user does, and keeps focus, input and
// scroll position while the content changes. It draws nothing of its own and holds no state of a feature.

import { holdBack, isWaiting, keepWaiting, placeArrivals, readsOf, showArrivals } from './card-arrivals.js';

const root = document.documentElement;
const surface = document.querySelector('[data-surface]');
const page = surface.querySelector('.surface-page');
const slots = Object.fromEntries([...surface.querySelectorAll('[data-slot]')].map(e => [e.dataset.slot, e]));
const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

// ---------------------------------------------------------------- bridge to the host

/** A bridge is `{ send(text), open(onMessage, onOpen) }`; an app's web view brings its own. */
const bridge = window.inlayBridge ?? (window.webkit?.messageHandlers?.inlay ? webViewBridge() : socketBridge());
let sequence = 0;

function send(kind, payload) {
  sequence += 1;
  bridge.send(JSON.stringify({ surface: surface.dataset.surface, kind, id: String(sequence), payload }));
}

/** A feature's own script beside this one says what it saw through here. */
export function sendEvent(name, values) { send('event', { name, ...values }); }

// Another script of the page's own, such as the one that flashes, has something to say.
document.addEventListener('inlay-surface-event', ({ detail }) => sendEvent(detail.name, detail.values ?? {}));

function webViewBridge() {
  return {
    send: text => window.webkit.messageHandlers.inlay.postMessage(text),
    open(onMessage, onOpen) {
      window.inlay = { receive: onMessage };
      onOpen();
    },
  };
}

function socketBridge() {
  let socket;
  let attempt = 0;
  const waiting = [];
  return {
    send(text) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
      else if (waiting.length < 100) waiting.push(text);
    },
    open(onMessage, onOpen) {
      const address = new URL('socket', document.baseURI);
      address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
      address.searchParams.set('surface', surface.dataset.surface);
      const connect = () => {
        socket = new WebSocket(address);
        socket.addEventListener('open', () => {
          attempt = 0;
          onOpen();
          waiting.splice(0).forEach(text => socket.send(text));
        });
        socket.addEventListener('message', event => onMessage(event.data));
        socket.addEventListener('close', () => {
          attempt += 1;
          // Full jitter, so that many pages do not come back in step.
          setTimeout(connect, Math.random() * Math.min(10_000, 250 * 2 ** Math.min(attempt, 6)));
        });
      };
      connect();
    },
  };
}

// ---------------------------------------------------------------- what the device is like

const SIZES = [['XS', -3], ['S', -2], ['M', -1], ['L', 0], ['XL', 2], ['XXL', 4], ['XXXL', 6], ['AX1', 10],
  ['AX2', 15], ['AX3', 20], ['AX4', 25], ['AX5', 30]];
const dark = matchMedia('(prefers-color-scheme: dark)');
const still = matchMedia('(prefers-reduced-motion: reduce)');
let overrides = Object.fromEntries(new URLSearchParams(location.search));

function environment() {
  const locale = navigator.language || 'en';
  // A browser's own text size is the size of the root's text; the nearest step of the table stands for it.
  const delta = parseFloat(getComputedStyle(root).fontSize) - 16;
  const nearest = SIZES.reduce((best, size) => Math.abs(size[1] - delta) < Math.abs(best[1] - delta) ? size : best);
  const { colorScheme, contentSize, layoutDirection, timeZone, reducedMotion } = overrides;
  const language = overrides.locale ?? locale;
  return {
    colorScheme: colorScheme ?? (dark.matches ? 'dark' : 'light'),
    contentSize: contentSize ?? nearest[0],
    locale: language,
    layoutDirection: layoutDirection ?? (/^(ar|fa|he|iw|ur|ps|dv|yi)\b/i.test(language) ? 'rtl' : 'ltr'),
    timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC',
    reducedMotion: reducedMotion === undefined ? still.matches : String(reducedMotion) === 'true',
  };
}

function tellEnvironment() { send('environment', environment()); }
dark.addEventListener('change', tellEnvironment);
still.addEventListener('change', tellEnvironment);

// A frame around the page, of the same origin, or the app's web view may set what a browser cannot know.
function override(values) {
  overrides = { ...overrides, ...values };
  tellEnvironment();
}
addEventListener('message', event => {
  if (event.origin === location.origin && typeof event.data?.inlayEnvironment === 'object') {
    override(event.data.inlayEnvironment);
  }
});
addEventListener('inlay-environment', event => override(event.detail ?? {}));

// ---------------------------------------------------------------- patches

/** After (re)connecting the first patch describes everything; what it does not name is gone. */
let isFresh = true;
let isFirst = true;

function receive(text) {
  const message = JSON.parse(text);
  if (message.surface !== surface.dataset.surface) return;
  if (message.kind === 'patch') apply(message.payload);
  if (message.kind === 'navigate') navigate(message.payload.url);
}

function apply({ ops = [], root: look }) {
  const focused = document.activeElement;
  const place = placeOf(focused);
  leavePlace(focused);
  if (look) applyRoot(look);
  if (isFresh) dropStrangers(ops);
  for (const op of ops) steps[op.op]?.(op);
  isFresh = false;
  afterPatch(focused, place, enterPlace());
  dressFrames();
  isFirst = false;
}

function regionOf(key) {
  return Object.values(slots).flatMap(slot => [...slot.children])
    .find(element => element.dataset.key === key && !element.dataset.leaving);
}

const steps = {
  insert({ key, slot, before, html }) {
    const existing = regionOf(key);
    if (existing) {
      steps.move({ key, slot, before });
      steps.replace({ key, html });
      return;
    }
    const element = parse(html);
    if (!element || !slots[slot]) return;
    element.dataset.key = key;
    const next = before ? regionOf(before) ?? null : null;
    if (slot === 'list' && !isFirst && holdBack(element, next)) {
      slots.list.insertBefore(element, next);
      return;
    }
    slots[slot].insertBefore(element, next);
    appear(element, slot);
  },
  replace({ key, html }) {
    const region = regionOf(key);
    const next = parse(html);
    if (!region || !next) return;
    next.dataset.key = key;
    if (isWaiting(region)) keepWaiting(next);
    morph(region, next);
  },
  remove({ key }) {
    const region = regionOf(key);
    if (region) leave(region);
  },
  move({ key, slot, before }) {
    const region = regionOf(key);
    if (!region || !slots[slot]) return;
    const next = before ? regionOf(before) ?? null : null;
    if (region.parentElement !== slots[slot] || region.nextElementSibling !== next) {
      slots[slot].insertBefore(region, next);
    }
  },
};

function dropStrangers(ops) {
  const known = new Set(ops.map(op => op.key));
  for (const slot of Object.values(slots)) {
    for (const element of [...slot.children]) if (!known.has(element.dataset.key)) element.remove();
  }
}

function parse(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  return template.content.firstElementChild;
}

function applyRoot({ title, colorScheme, layoutDirection, locale, style }) {
  document.title = title;
  root.dataset.scheme = colorScheme;
  root.dir = layoutDirection;
  root.lang = locale;
  for (const name of [...root.style]) if (name.startsWith('--') && !(name in style)) root.style.removeProperty(name);
  for (const [name, value] of Object.entries(style)) root.style.setProperty(name, value);
}

/** Makes `from` like `to` while every element that is still there stays the same element. */
function morph(from, to) {
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName) {
    from.replaceWith(to);
    return;
  }
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  morphAttributes(from, to);
  morphChildren(from, to);
}

function morphAttributes(from, to) {
  // Attributes that the page itself keeps, such as whether a menu is open.
  const own = new Set((to.dataset.local ?? '').split(' '));
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !own.has(name)) from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (!own.has(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  if (from.type === 'radio') from.checked = to.hasAttribute('checked');
}

function morphChildren(from, to) {
  const coming = new Set([...to.children].map(child => child.id).filter(Boolean));
  const isGone = node => node.nodeType !== Node.ELEMENT_NODE || (node.id && !coming.has(node.id));
  let current = from.firstChild;
  for (const next of [...to.childNodes]) {
    let match = current;
    if (next.nodeType === Node.ELEMENT_NODE) {
      while (match && !isSame(match, next) && isGone(match)) match = match.nextSibling;
    }
    if (match && isSame(match, next)) {
      while (current !== match) current = removed(current);
      current = match.nextSibling;
      morph(match, next);
    } else {
      from.insertBefore(next, current);
    }
  }
  while (current) current = removed(current);
}

function isSame(left, right) { return left.nodeName === right.nodeName && (left.id ?? '') === (right.id ?? ''); }

function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

// ---------------------------------------------------------------- motion

function mayMove() { return !isFirst && !still.matches && !document.hidden && !environment().reducedMotion; }

function appear(element, slot) {
  // An ad is told where it stands as soon as it is there.
  if (!mayMove() || !element.animate || element.matches('[data-ad]')) return;
  const rise = slot === 'overlay' || slot === 'toasts' ? '12px' : '6px';
  const motion = element.animate([{ opacity: 0, translate: `0 ${rise}` }, { opacity: 1, translate: '0 0' }],
    { duration: 160, easing: 'ease-out' });
  // Only now its buttons stand where they stay.
  motion.finished.then(followMenu, () => {});
}

function leave(element) {
  if (!mayMove() || !element.animate || element.hidden || !element.matches('.card-lane, .toast')) {
    element.remove();
    return;
  }
  element.dataset.leaving = 'true';
  element.inert = true;
  const gap = getComputedStyle(element.parentElement).rowGap;
  const motion = element.animate(
    [{ opacity: 1, blockSize: `${element.offsetHeight}px`, overflow: 'clip', marginBlockEnd: '0px' },
      { opacity: 0, blockSize: '0px', overflow: 'clip', marginBlockEnd: `-${parseFloat(gap) || 0}px` }],
    { duration: 180, easing: 'ease-out' });
  motion.finished.catch(() => {}).then(() => {
    element.remove();
    followMenu();
  });
}

// ---------------------------------------------------------------- focus

/** What had the focus when each of the screens above the list came, the lowest first. */
const openers = [];

/** The regions of the list that can be seen. */
function shownRegions() { return [...slots.list.children].filter(element => !element.hidden); }

function placeOf(element) {
  const region = element?.closest?.('[data-key]');
  if (!region || region.parentElement !== slots.list) return null;
  return shownRegions().indexOf(region);
}

function afterPatch(focused, place, isElsewhere) {
  const screens = [...slots.overlay.children];
  const overlay = screens.at(-1);
  if (overlay && !page.inert) closeMenu();
  const wasCovered = page.inert;
  page.inert = Boolean(overlay);
  for (const screen of screens) screen.inert = screen !== overlay;
  while (openers.length < screens.length) openers.push(focused);
  const [opener] = openers.splice(screens.length);
  focusScreen(opener);
  if (!overlay && wasCovered) {
    focusAgain(opener);
    lookAgain();
  } else if (!overlay && !isElsewhere && focused && focused !== document.body) {
    if (focused.isConnected && !focused.closest('[data-leaving]')) {
      if (document.activeElement !== focused) focused.focus({ preventScroll: true });
    } else if (place !== null) {
      focusNeighbour(place);
    }
  }
  focusProblem();
  followMenu();
  placeArrivals();
  watchToasts();
  watchCards();
}

/** Gives the focus to the uppermost screen, where it is elsewhere: to an element of the screen, or to its first control. */
function focusScreen(element) {
  const overlay = slots.overlay.lastElementChild;
  if (!overlay || overlay.contains(document.activeElement)) return;
  (overlay.contains(element) ? element : firstFocus(overlay))?.focus({ preventScroll: true });
}

/** What had the focus last in a screen. */
let focusedInScreen = null;
slots.overlay.addEventListener('focusin', (event) => { focusedInScreen = event.target; });
// A frame below a screen can still take the focus, by a script or a late click; it has it after its parent's window has
// lost it. Nothing is moved when another window takes it.
addEventListener('blur', () => setTimeout(() => {
  if (document.activeElement?.localName === 'iframe') focusScreen(focusedInScreen);
}));

function firstFocus(overlay) {
  return overlay.querySelector('[data-first-focus]') ?? overlay.querySelector('button, input, textarea, a[href]');
}

function focusAgain(element) {
  if (element?.isConnected && !element.closest('[hidden], [data-leaving]')) {
    element.focus({ preventScroll: true });
    return;
  }
  const region = element?.closest?.('[data-key]');
  // A menu item is hidden again by now; the button that opened its menu is the place the user came from.
  const again = region?.isConnected && !region.dataset.leaving ? region.querySelector('[data-menu], .card') : null;
  if (again) again.focus({ preventScroll: true });
  else focusNeighbour(0);
}

/** When what had the focus is gone, its neighbour gets it, so that a keyboard user does not start at the top. */
function focusNeighbour(place) {
  const lanes = shownRegions().filter(element => !element.dataset.leaving);
  const next = lanes[Math.min(place, lanes.length - 1)];
  (next?.querySelector('.card') ?? slots.top.querySelector('button'))?.focus({ preventScroll: true });
}

let submitted = null;

function focusProblem() {
  if (!submitted?.isConnected) return;
  const field = submitted.querySelector('[aria-invalid="true"]');
  if (!field) return;
  submitted = null;
  field.focus();
}

// ---------------------------------------------------------------- places: pages within a surface

/** Where the reader was on each page, by the place's number: scroll position, focus, and the frame's scroll. */
const places = new Map();
let currentPlace = null;

function leavePlace(focused) {
  if (currentPlace === null) return;
  const place = places.get(currentPlace) ?? {};
  places.set(currentPlace, { ...place, top: document.scrollingElement.scrollTop, focus: focused?.id || place.focus });
}

/** Goes to where the reader was on the page that is shown now; returns whether that is another page. */
function enterPlace() {
  const next = slots.list.querySelector('[data-place]')?.dataset.place ?? null;
  if (next === currentPlace) return false;
  const isLater = currentPlace !== null;
  currentPlace = next;
  if (next === null || !isLater) return next !== null;
  const { top = 0, focus } = places.get(next) ?? {};
  document.scrollingElement.scrollTop = top;
  // A screen reader starts at the new page's title; who comes back, where they left.
  const element = (focus && document.getElementById(focus)) || slots.list.querySelector('[data-page-title]');
  element?.focus({ preventScroll: true });
  return true;
}

// ---------------------------------------------------------------- scrolling, told to who has bars of its own

/** Often enough for bars that come and go, and not one message per pixel. */
const SCROLL_MILLISECONDS = 50;
let scrolledTo = 0;
let toldTop = 0;
let telling = null;

function tellTop(top) {
  if (!slots.list.querySelector('[data-tells-scroll]')) return;
  scrolledTo = top;
  telling ??= setTimeout(() => {
    telling = null;
    if (scrolledTo === toldTop) return;
    toldTop = scrolledTo;
    sendEvent('scrolled', { top: toldTop });
  }, SCROLL_MILLISECONDS);
}
addEventListener('scroll', () => tellTop(Math.round(document.scrollingElement.scrollTop)), { passive: true });

// ---------------------------------------------------------------- frames: documents within a page

function frames() { return [...slots.list.querySelectorAll('iframe[data-frame]')]; }

const lines = new WeakMap();
const dressed = new WeakMap();
function dressFrames() {
  for (const frame of frames()) {
    const { look } = frame.dataset;
    if (dressed.get(frame) !== look) lines.get(frame)?.postMessage({ look });
    dressed.set(frame, look);
  }
}

// A document's first word is a line to the host's own script in it. Only the first counts: a script of the
// document comes later, so it cannot speak in the reader's name.
addEventListener('message', event => {
  const frame = frames().find(element => element.contentWindow === event.source);
  if (!frame || event.data?.inlayFrame !== 'line' || lines.has(frame) || !event.ports[0]) return;
  const [line] = event.ports;
  lines.set(frame, line);
  line.onmessage = ({ data }) => heard(data, frame);
});

function heard(said, frame) {
  if (!frame.isConnected) return;
  const place = places.get(currentPlace) ?? {};
  if (typeof said.top === 'number') {
    places.set(currentPlace, { ...place, frameTop: said.top });
    tellTop(said.top);
  } else if (said.ready === true) {
    lines.get(frame).postMessage({ look: frame.dataset.look, top: place.frameTop ?? 0 });
  } else if (page.inert) {
    // Something covers the page: it is answered first.
  } else if (typeof said.link === 'string') {
    sendEvent('frame-link', { value: said.link.slice(0, 4096) });
  } else if (typeof said.video === 'string') {
    sendEvent('video', { value: said.video.slice(0, 4096), title: String(said.title ?? '').slice(0, 200) });
  } else if (typeof said.key === 'string') {
    turnPage(said.key);
  }
}

function turnPage(key) {
  const name = { ArrowLeft: 'back', ArrowRight: 'forward' }[key];
  const button = name && slots.top.querySelector(`[data-event="${name}"]:not(:disabled)`);
  if (button) sendEvent(name, {});
  return Boolean(button);
}

// ---------------------------------------------------------------- what the user does

function context(element) {
  const values = {};
  const card = element.closest('[data-card]')?.dataset.card;
  const view = element.closest('[data-view]')?.dataset.view;
  if (card !== undefined) values.card = card;
  if (view) values.view = view;
  for (const name of ['node', 'subview', 'value']) {
    if (element.dataset[name] !== undefined) values[name] = element.dataset[name];
  }
  return values;
}

document.addEventListener('click', event => {
  const element = event.target.closest('[data-event], [data-menu], [data-show-arrivals], .shade');
  if (!element) {
    closeMenu();
  } else if (element.dataset.showArrivals !== undefined) {
    showArrivals();
  } else if (element.dataset.menu !== undefined) {
    toggleMenu(element);
  } else if (element.matches('.shade')) {
    if (event.target === element) escapeFrom(element.querySelector('[data-escape]'));
  } else if (element.type === 'submit' && element.form) {
    // The form's own event follows, also when Enter is pressed in a field.
  } else if (element.dataset.event === 'submit') {
    submit(element, element.closest('[data-view]'));
  } else {
    // A link within the surface: its address means something to the feature only.
    if (element.matches('a[data-value]')) event.preventDefault();
    act(element);
  }
});
document.addEventListener('auxclick', event => {
  if (event.target.closest('a[data-value]')) event.preventDefault();
});

function act(element) {
  const values = context(element);
  if (element.matches('.prose a, .list a, .list-line a')) values.href = element.getAttribute('href');
  closeMenu(element.closest('.menu') !== null);
  if (element.matches('.quick')) element.closest('.card-lane').scrollTo({ left: 0 });
  sendEvent(element.dataset.event, values);
}

document.addEventListener('submit', event => {
  event.preventDefault();
  const form = event.target;
  if (form.matches('[data-snooze-form]')) snooze(form);
  else if (form.matches('[data-feedback-form]')) sendFeedback(form);
  else submit(event.submitter ?? form.querySelector('[type="submit"]'), form);
});

function submit(button, scope) {
  if (!button || button.disabled || !scope) return;
  const values = {};
  for (const field of scope.querySelectorAll('[data-input]')) values[field.dataset.input] = field.value;
  submitted = scope;
  sendEvent('submit', { ...context(button), values });
}

function snooze(form) {
  const field = form.querySelector('input');
  const time = new Date(field.value).getTime();
  if (!(time > Date.now())) {
    const problem = form.querySelector('.problem');
    problem.querySelector('span').textContent = field.dataset.past;
    problem.hidden = false;
    field.setAttribute('aria-invalid', 'true');
    field.closest('.field').classList.add('invalid');
    field.focus();
    return;
  }
  sendEvent('snooze-until', { ...context(form), value: String(time * 1000) });
}

function sendFeedback(form) {
  const value = form.querySelector('input[name="reason"]:checked')?.value;
  if (!value) return;
  sendEvent('send-feedback', { ...context(form), value, text: form.querySelector('[data-own-words]')?.value });
}

document.addEventListener('change', event => {
  const { choice } = event.target.dataset;
  if (choice) sendEvent(choice, { ...context(event.target), value: event.target.value });
});

document.addEventListener('input', event => {
  const field = event.target;
  const count = field.id && surface.querySelector(`[data-count-of="${CSS.escape(field.id)}"]`);
  if (count) count.textContent = String([...field.value].length);
});

// An image that cannot be had leaves its words in its place.
document.addEventListener('error', event => {
  const image = event.target;
  if (!(image instanceof HTMLImageElement) || !image.closest('.media')) return;
  const words = document.createElement('span');
  words.className = 'media-missing';
  words.textContent = image.alt;
  image.replaceWith(words);
}, true);

function escapeFrom(screen) {
  if (screen) sendEvent(screen.dataset.escape, context(screen));
}

function navigate(address) {
  let url;
  try { url = new URL(address); } catch { return; }
  if (SCHEMES.has(url.protocol)) window.open(url.href, '_blank', 'noopener,noreferrer');
}

// ---------------------------------------------------------------- menu

function openMenu() { return surface.querySelector('[data-menu][aria-expanded="true"]'); }
function menuOf(button) { return document.getElementById(button.getAttribute('aria-controls')); }

function toggleMenu(button) {
  const isOpen = button.getAttribute('aria-expanded') === 'true';
  closeMenu();
  if (isOpen) return;
  const menu = menuOf(button);
  menu.hidden = false;
  button.setAttribute('aria-expanded', 'true');
  placeMenu(menu, button.getBoundingClientRect());
  menu.querySelector('[role="menuitem"]')?.focus({ preventScroll: true });
}

/** Below the button where there is room, else above it; always inside the window. */
function placeMenu(menu, anchor) {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const start = root.dir === 'rtl' ? anchor.left : anchor.right - width;
  const below = anchor.bottom + 4;
  const top = below + height > innerHeight - 8 ? Math.max(8, anchor.top - height - 4) : below;
  menu.style.setProperty('left', `${Math.max(12, Math.min(start, innerWidth - width - 12))}px`);
  menu.style.setProperty('top', `${top}px`);
}

function closeMenu(returnsFocus = false) {
  const button = openMenu();
  if (!button) return;
  const menu = menuOf(button);
  const hadFocus = menu.contains(document.activeElement);
  button.setAttribute('aria-expanded', 'false');
  menu.hidden = true;
  if (returnsFocus || hadFocus) button.focus({ preventScroll: true });
}

/** News above an open menu may move its card; the menu belongs beside its button, so it goes along. */
function followMenu() {
  const button = openMenu();
  if (button) placeMenu(menuOf(button), button.getBoundingClientRect());
}
addEventListener('resize', () => closeMenu());
addEventListener('scroll', () => {
  // Also told late of scrolling before the menu was opened, and of what the browser does when cards come, go and
  // grow. None of that may take the menu from under somebody's keys: it goes only when its button is out of sight.
  const { top, bottom } = openMenu()?.getBoundingClientRect() ?? {};
  if (bottom <= 0 || top >= innerHeight) closeMenu();
  else followMenu();
  root.toggleAttribute('data-scrolled', document.scrollingElement.scrollTop > 4);
}, { passive: true });

document.addEventListener('keydown', event => {
  const button = openMenu();
  if (button) menuKey(event, button);
  else if (event.altKey && !page.inert && turnPage(event.key)) event.preventDefault();
  else if (event.key === 'Escape') escapeFrom(slots.overlay.lastElementChild?.closest('[data-escape]')
    ?? slots.overlay.lastElementChild?.querySelector('[data-escape]'));
});

function menuKey(event, button) {
  const items = [...menuOf(button).querySelectorAll('[role="menuitem"]')];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    // Without `preventScroll` the page scrolls for an item that is in sight.
    const item = items.at(to % items.length);
    item?.focus({ preventScroll: true });
    if (item) reveal(item, menuOf(button));
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    if (event.key === 'Escape') event.preventDefault();
    closeMenu(true);
  }
}

/** A menu that is higher than the window scrolls inside. */
function reveal(item, menu) {
  const end = item.offsetTop + item.offsetHeight - menu.clientHeight;
  menu.scrollTop = Math.min(item.offsetTop, Math.max(menu.scrollTop, end));
}

// ---------------------------------------------------------------- pull to refresh

const PULL_FAR = 72;
let pullStart = null;
let pulled = 0;

addEventListener('touchstart', event => {
  const isAtTop = document.scrollingElement.scrollTop <= 0 && !page.inert && !openMenu();
  pullStart = isAtTop && slots.top.querySelector('.pull') ? event.touches[0] : null;
  pulled = 0;
}, { passive: true });

addEventListener('touchmove', event => {
  if (!pullStart) return;
  const down = event.touches[0].clientY - pullStart.clientY;
  const aside = Math.abs(event.touches[0].clientX - pullStart.clientX);
  if (pulled === 0 && (down <= 0 || aside > down)) {
    pullStart = null;
    return;
  }
  // The further, the harder: the list follows at half the way and less.
  setPull(Math.min(PULL_FAR * 1.3, Math.max(0, down) * 0.5));
}, { passive: true });

function endPull() {
  if (pulled >= PULL_FAR) sendEvent('refresh', {});
  pullStart = null;
  setPull(0);
}
addEventListener('touchend', endPull, { passive: true });
addEventListener('touchcancel', () => { pulled = 0; endPull(); }, { passive: true });

function setPull(distance) {
  pulled = distance;
  if (distance > 0) page.dataset.pull = 'true';
  else delete page.dataset.pull;
  page.style.setProperty('--pull', String(distance));
}

// ---------------------------------------------------------------- toasts

const TOAST_MILLISECONDS = 5000;
const toastTimers = new WeakMap();

function watchToasts() {
  for (const toast of slots.toasts.querySelectorAll('[data-toast]')) {
    if (toastTimers.has(toast)) continue;
    const start = () => toastTimers.set(toast, setTimeout(
      () => toast.isConnected && sendEvent('toast-done', { value: toast.dataset.toast }), TOAST_MILLISECONDS));
    start();
    // Who reads slowly may rest the pointer on it.
    toast.addEventListener('pointerenter', () => clearTimeout(toastTimers.get(toast)));
    toast.addEventListener('pointerleave', start);
  }
}

// ---------------------------------------------------------------- cards that were looked at

// A card counts as looked at after one second with half of it, or half of the window, in view; once a page.
const DWELL_MILLISECONDS = 1000;
const dwelling = new Map();
const reported = new Set();
const watched = new WeakSet();
const observer = new IntersectionObserver(entries => entries.forEach(look), { threshold: [0, 0.25, 0.5, 0.75, 1] });

function look(entry) {
  const { target, intersectionRatio, intersectionRect, rootBounds } = entry;
  const card = target.closest('[data-card]')?.dataset.card;
  const isSeen = intersectionRatio >= 0.5 || (rootBounds && intersectionRect.height >= rootBounds.height / 2);
  if (!card || reported.has(card)) return;
  if (!isSeen || document.hidden) {
    clearTimeout(dwelling.get(card));
    dwelling.delete(card);
  } else if (!dwelling.has(card)) {
    dwelling.set(card, setTimeout(() => {
      dwelling.delete(card);
      if (document.hidden || page.inert || !target.isConnected || reported.has(card)) return;
      reported.add(card);
      sendEvent('displayed', { card });
    }, DWELL_MILLISECONDS));
  }
}

function watchCards() {
  for (const card of slots.list.querySelectorAll('[data-impression]')) {
    if (watched.has(card)) continue;
    watched.add(card);
    observer.observe(card);
  }
}

function lookAgain() {
  for (const card of slots.list.querySelectorAll('[data-impression]')) {
    observer.unobserve(card);
    observer.observe(card);
  }
}
document.addEventListener('visibilitychange', lookAgain);

// ---------------------------------------------------------------- cards that came meanwhile

readsOf({ slots, page, openMenu, appear });

// ---------------------------------------------------------------- start

bridge.open(receive, () => {
  isFresh = true;
  send('ready', environment());
});
