// The demo's page: shows the surfaces in a phone, and applies the controls to them as a device applies its settings.
/**
 * @param {string} name
 * @returns {HTMLElement}
 */
function place(name) {
  const element = document.getElementById(name);
  if (!element) throw new Error(`The page has no ${name}.`);
  return element;
}
/** @param {string} name */
const frameNamed = name => /** @type {HTMLIFrameElement} */ (place(name));
const frames = ['surface', 'hub', 'reader', 'film', 'banner'].map(frameNamed);
const screens = ['surface', 'hub', 'extras', 'reader'].map(place);
/** @type {NodeListOf<HTMLElement>} */
const notes = document.querySelectorAll('[data-with]');
const tabs = /** @type {HTMLElement} */ (document.querySelector('.tabs'));
const controls = /** @type {HTMLFormElement} */ (document.querySelector('.controls'));
const dark = matchMedia('(prefers-color-scheme: dark)');
let shown = 'surface';
let ads = { banner: false, film: false };
/** @type {WebSocket | undefined} The connection to the demo app's own screen. */
let connection;

async function start() {
  const places = await (await fetch('places.json')).json();
  place('workbench').setAttribute('href', places.workbench);
  const commands = place('commands');
  commands.textContent = (commands.textContent ?? '').replace('http://127.0.0.1:8081/', location.href);
  /** @type {Record<string, string | undefined>} */
  const addresses = { surface: places.surface, hub: places.hub, film: places.film, banner: 'banner/' };
  for (const frame of frames) {
    if (addresses[frame.id]) frame.src = `${addresses[frame.id]}?${new URLSearchParams(settings())}`;
  }
  tab('hub').hidden = !places.hub;
  tab('extras').hidden = !places.film;
  controls.addEventListener('change', apply);
  dark.addEventListener('change', apply);
  apply();
  openCoffees();
}

/** @returns {Record<string, string>} */
function settings() {
  const fields = [...new FormData(controls)];
  const values = Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
  return { ...values, colorScheme: values.colorScheme || (dark.matches ? 'dark' : 'light') };
}

function apply() {
  const values = settings();
  document.documentElement.dataset.scheme = values.colorScheme;
  for (const { contentWindow } of frames) contentWindow?.postMessage({ inlayEnvironment: values }, location.origin);
}

// ---------------------------------------------------------------- tabs

/** @param {string} name */
const tab = name => /** @type {HTMLElement} */ (tabs.querySelector(`[data-shows=${name}]`));

tabs.addEventListener('click', event => {
  const { shows } = event.target instanceof HTMLElement ? event.target.dataset : { shows: undefined };
  if (!shows) return;
  shown = shows;
  // A set-up starts when its tab is opened and ends when the tab is left.
  frameNamed('reader').src = shown === 'reader' ? `reader/?${new URLSearchParams(settings())}` : 'about:blank';
  for (const button of tabs.children) {
    if (button.getAttribute('data-shows') === shown) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
  arrange();
});

function arrange() {
  for (const screen of screens) screen.hidden = ads.film || screen.id !== shown;
  for (const list of notes) list.hidden = list.dataset.with !== shown;
  place('banner').hidden = ads.film || !ads.banner || shown !== 'surface';
  place('film').hidden = !ads.film;
  tabs.hidden = ads.film;
}

// ---------------------------------------------------------------- the app's own screen

function openCoffees() {
  const address = new URL('coffees/socket?surface=coffees', document.baseURI);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const opened = new WebSocket(address);
  connection = opened;
  opened.addEventListener('open', () => send('ready', {
    colorScheme: 'light', contentSize: 'L', locale: 'en', layoutDirection: 'ltr', timeZone: 'UTC', reducedMotion: false,
  }));
  opened.addEventListener('message', ({ data }) => {
    const { kind, payload } = JSON.parse(data);
    if (kind === 'state') update(payload);
    // Every page that shows the phone gets this message; only the one that was tapped opens the link.
    const { userActivation } = /** @type {{ userActivation?: { isActive: boolean } }} */ (/** @type {object} */ (navigator));
    if (kind === 'open' && userActivation?.isActive) window.open(payload.address, '_blank', 'noopener');
  });
  opened.addEventListener('close', () => setTimeout(openCoffees, 1000));
}

/**
 * @param {'ready' | 'event'} kind
 * @param {object} payload
 */
function send(kind, payload) { connection?.send(JSON.stringify({ surface: 'coffees', kind, id: kind, payload })); }

/** @param {{ coffees: number, note: string, banner: boolean, film: boolean }} state */
function update({ coffees, note, banner, film }) {
  ads = { banner, film };
  place('coffees').textContent = String(coffees);
  place('unit').textContent = coffees === 1 ? 'coffee waiting' : 'coffees waiting';
  place('note').textContent = note;
  arrange();
}

place('watch').addEventListener('click', () => send('event', { name: 'watch' }));

start();
