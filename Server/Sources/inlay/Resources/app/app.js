// Shows the surfaces in the phone and passes the controls on, as a device's own settings would be.
const place = name => document.getElementById(name);
const frames = ['surface', 'hub', 'reader', 'film', 'banner'].map(place);
const screens = ['surface', 'hub', 'extras', 'reader'].map(place);
const notes = document.querySelectorAll('[data-with]');
const tabs = document.querySelector('.tabs');
const controls = document.querySelector('.controls');
const dark = matchMedia('(prefers-color-scheme: dark)');
let shown = 'surface';
let ads = { banner: false, film: false };
let desk;

async function start() {
  const places = await (await fetch('places.json')).json();
  place('workbench').href = places.workbench;
  place('commands').textContent = place('commands').textContent.replace('http://127.0.0.1:8081/', location.href);
  const addresses = { surface: places.surface, hub: places.hub, film: places.film, banner: 'banner/' };
  for (const frame of frames) {
    if (addresses[frame.id]) frame.src = `${addresses[frame.id]}?${new URLSearchParams(settings())}`;
  }
  tab('hub').hidden = !places.hub;
  tab('extras').hidden = !places.film;
  controls.addEventListener('change', apply);
  dark.addEventListener('change', apply);
  apply();
  openDesk();
}

function settings() {
  const values = Object.fromEntries(new FormData(controls));
  return { ...values, colorScheme: values.colorScheme || (dark.matches ? 'dark' : 'light') };
}

function apply() {
  const values = settings();
  document.documentElement.dataset.scheme = values.colorScheme;
  for (const { contentWindow } of frames) contentWindow.postMessage({ inlayEnvironment: values }, location.origin);
}

// ---------------------------------------------------------------- tabs

const tab = name => tabs.querySelector(`[data-shows=${name}]`);

tabs.addEventListener('click', event => {
  if (!event.target.dataset.shows) return;
  shown = event.target.dataset.shows;
  // A set-up begins when somebody wants one, and ends when they leave.
  place('reader').src = shown === 'reader' ? `reader/?${new URLSearchParams(settings())}` : 'about:blank';
  for (const button of tabs.children) {
    if (button.dataset.shows === shown) button.setAttribute('aria-current', 'page');
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

function openDesk() {
  const address = new URL('desk/socket?surface=desk', document.baseURI);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  desk = new WebSocket(address);
  desk.addEventListener('open', () => say('ready', {
    colorScheme: 'light', contentSize: 'L', locale: 'en', layoutDirection: 'ltr', timeZone: 'UTC', reducedMotion: false,
  }));
  desk.addEventListener('message', ({ data }) => {
    const { kind, payload } = JSON.parse(data);
    if (kind === 'desk') heard(payload);
    // Every page that shows the phone hears it; the one that was touched opens it.
    if (kind === 'open' && navigator.userActivation?.isActive) window.open(payload.address, '_blank', 'noopener');
  });
  desk.addEventListener('close', () => setTimeout(openDesk, 1000));
}

function say(kind, payload) { desk.send(JSON.stringify({ surface: 'desk', kind, id: kind, payload })); }

function heard({ coffees, note, banner, film }) {
  ads = { banner, film };
  place('coffees').textContent = coffees;
  place('unit').textContent = coffees === 1 ? 'coffee waiting' : 'coffees waiting';
  place('note').textContent = note;
  arrange();
}

place('watch').addEventListener('click', () => say('event', { name: 'watch' }));

start();
