// Shows the surface in the phone and passes the controls on, as a device's own settings would be.
const frame = document.getElementById('surface');
const controls = document.querySelector('.controls');
const dark = matchMedia('(prefers-color-scheme: dark)');

async function start() {
  const places = await (await fetch('places.json')).json();
  document.getElementById('workbench').href = places.workbench;
  frame.src = `${places.surface}?${new URLSearchParams(settings())}`;
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
  frame.contentWindow.postMessage({ inlayEnvironment: values }, location.origin);
}

start();
