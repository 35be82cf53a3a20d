// What a set-up's page does by itself: the flashing square, and networks that are chosen instead of typed.
//
// The square shows one level for each symbol, each for a whole number of presented frames. It starts only after a tap on the button that says so, in this very page; never by itself, after a reload or
// in a second window. It stops when the page goes out of sight, and says so.

const GRAYS = ['rgb(0, 0, 0)', 'rgb(188, 188, 188)', 'rgb(255, 255, 255)'];
/** The square stays dark for this many frames, while the screen's rate is measured. */
const LEAD_FRAMES = 20;
const ARMED_MILLISECONDS = 10_000;

let armedUntil = 0;
let running = null;

document.addEventListener('click', event => {
  const button = event.target.closest?.('[data-light-start]');
  if (button && !button.disabled && event.isTrusted) armedUntil = performance.now() + ARMED_MILLISECONDS;
}, true);

document.addEventListener('click', event => {
  const choice = event.target.closest?.('[data-fill]');
  const field = choice && document.getElementById(choice.dataset.fill);
  if (!field) return;
  field.value = choice.dataset.fillValue;
  // The next empty field is what is left to do.
  const next = [...field.form.querySelectorAll('input')].find(input => input.value === '') ?? field;
  next.focus();
});

function tell(name) {
  document.dispatchEvent(new CustomEvent('inlay-surface-event', { detail: { name, values: {} } }));
}

/** Symbols a second at a moment of the transfer. */
function rateAt(ladder, seconds) {
  let end = 0;
  for (const [rate, length] of ladder) {
    end += length;
    if (seconds < end) return rate;
  }
  return ladder.at(-1)?.[0] ?? 20;
}

function median(numbers) { return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]; }

/** The square's side never grows with a page that is zoomed in with the fingers. */
function fit(canvas) {
  const side = Math.min(Number(canvas.dataset.size) || 71, 299) / (window.visualViewport?.scale ?? 1);
  canvas.style.setProperty('inline-size', `${side}px`);
  canvas.style.setProperty('block-size', `${side}px`);
}

function play(canvas) {
  const levels = canvas.dataset.levels;
  const ladder = canvas.dataset.ladder.split(',').map(step => step.split(':').map(Number));
  const context = canvas.getContext('2d', { alpha: false });
  const gaps = [];
  let handle = 0;
  let frames = 0;
  let symbol = -1;
  let left = 0;
  let start = 0;
  let last = 0;

  const paint = level => {
    context.fillStyle = GRAYS[level];
    context.fillRect(0, 0, canvas.width, canvas.height);
  };
  const frame = now => {
    handle = requestAnimationFrame(frame);
    if (last) gaps.push(now - last);
    last = now;
    frames += 1;
    if (frames <= LEAD_FRAMES) return;
    if (symbol < 0) start = now;
    left -= 1;
    if (left > 0) return;
    symbol = (symbol + 1) % levels.length;
    // By frames and never by the clock: a late frame only stays longer, and the device does not mind that.
    const perSecond = 1000 / median(gaps.slice(-LEAD_FRAMES));
    left = Math.max(1, Math.round(perSecond / rateAt(ladder, (now - start) / 1000)));
    paint(levels.charCodeAt(symbol) - 48);
  };
  const zoomed = () => fit(canvas);
  fit(canvas);
  paint(0);
  window.visualViewport?.addEventListener('resize', zoomed);
  document.documentElement.dataset.lighting = 'true';
  let lock = null;
  navigator.wakeLock?.request('screen').then(granted => { lock = granted; }, () => {});
  handle = requestAnimationFrame(frame);
  return {
    canvas,
    stop() {
      cancelAnimationFrame(handle);
      paint(0);
      window.visualViewport?.removeEventListener('resize', zoomed);
      delete document.documentElement.dataset.lighting;
      lock?.release().catch(() => {});
    },
  };
}

function stop(says) {
  if (!running) return;
  running.stop();
  running = null;
  if (says) tell('light-stopped');
}

function look() {
  const canvas = document.querySelector('canvas[data-light-patch]');
  if (running && running.canvas !== canvas) stop(false);
  if (!canvas || running || canvas.dataset.seen) return;
  canvas.dataset.seen = 'true';
  fit(canvas);
  if (performance.now() > armedUntil || document.hidden) {
    tell('light-stopped');
    return;
  }
  armedUntil = 0;
  running = play(canvas);
}

new MutationObserver(look).observe(document.querySelector('[data-slot="list"]'), { childList: true, subtree: true });
document.addEventListener('visibilitychange', () => { if (document.hidden) stop(true); });
addEventListener('pagehide', () => stop(true));
addEventListener('freeze', () => stop(true));
