// Shows the surface in the phone and passes the controls on, as a device's own settings would be.
const frame = document.getElementById('surface');
const hub = document.getElementById('hub');
const tabs = document.querySelector('.tabs');
const controls = document.querySelector('.controls');
const dark = matchMedia('(prefers-color-scheme: dark)');

async function start() {
  const places = await (await fetch('places.json')).json();
  document.getElementById('workbench').href = places.workbench;
  frame.src = `${places.surface}?${new URLSearchParams(settings())}`;
  if (places.hub) {
    tabs.hidden = false;
    hub.src = `${places.hub}?${new URLSearchParams(settings())}`;
  }
  controls.addEventListener('change', apply);
  dark.addEventListener('change', apply);
  apply();
}

function settings() {
  const values = Object.fromEntries(new FormData(controls));
  return { ...values, colorScheme: values.colorScheme || (dark.matches ? 'dark' : 'light') };
}

function apply() {
  const values = settings();
  document.documentElement.dataset.scheme = values.colorScheme;
  for (const { contentWindow } of [frame, hub]) contentWindow.postMessage({ inlayEnvironment: values }, location.origin);
}

tabs.addEventListener('click', event => {
  const shown = event.target.dataset.shows;
  if (!shown) return;
  for (const element of [frame, hub]) element.hidden = element.id !== shown;
  for (const tab of tabs.children) {
    if (tab.dataset.shows === shown) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
});

start();
