// The page's side of a set-up: the flashing square, and networks that are chosen instead of typed.
//
// The square shows one gray level per symbol, each for a whole number of presented frames. It starts only after a tap
// on the start button in this page; never by itself, after a reload or in a second window. It stops when the page is
// hidden, and then sends `light-stopped`.

const GRAYS = ['rgb(0, 0, 0)', 'rgb(188, 188, 188)', 'rgb(255, 255, 255)'];
/** The number of frames for which the square first stays dark, while the screen's frame rate is measured. */
const LEAD_FRAMES = 20;
/** The maximum time between the tap and the start. */
const ARMED_MILLISECONDS = 10_000;

let armedUntil = 0;
/** @type {{ canvas: HTMLCanvasElement, stop: () => void } | null} */
let running = null;

document.addEventListener('click', event => {
  const button = event.target instanceof Element ? event.target.closest('[data-light-start]:not(:disabled)') : null;
  if (button && event.isTrusted) armedUntil = performance.now() + ARMED_MILLISECONDS;
}, true);

document.addEventListener('click', event => {
  /** @type {HTMLElement | null} */
  const choice = event.target instanceof Element ? event.target.closest('[data-fill]') : null;
  const field = choice && document.getElementById(choice.dataset.fill ?? '');
  if (!(field instanceof HTMLInputElement)) return;
  field.value = choice?.dataset.fillValue ?? '';
  // The next field to fill is the first empty one.
  const inputs = [...field.form?.querySelectorAll('input') ?? []];
  (inputs.find(input => input.value === '') ?? field).focus();
});

/** @param {'light-stopped'} name */
function sendEvent(name) {
  document.dispatchEvent(new CustomEvent('inlay-surface-event', { detail: { name, values: {} } }));
}

/**
 * @param {number[][]} rates Pairs of symbols per second and the seconds for which this rate holds.
 * @param {number} seconds The time since the start of the transfer.
 * @returns {number} The symbols per second at this time; the last rate holds on.
 */
function rateAt(rates, seconds) {
  let end = 0;
  for (const [rate = 0, length = 0] of rates) {
    end += length;
    if (seconds < end) return rate;
  }
  return rates.at(-1)?.[0] ?? 20;
}

/** @param {number[]} numbers */
function median(numbers) { return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]; }

/**
 * Sets the square's side, at most 299 CSS pixels, so that pinch zoom does not enlarge the square.
 * @param {HTMLCanvasElement} canvas
 */
function fit(canvas) {
  const side = Math.min(Number(canvas.dataset.size) || 71, 299) / (window.visualViewport?.scale ?? 1);
  canvas.style.setProperty('inline-size', `${side}px`);
  canvas.style.setProperty('block-size', `${side}px`);
}

/**
 * Starts the transfer, which repeats until it is stopped, and keeps the screen awake.
 * @param {HTMLCanvasElement} canvas
 */
function play(canvas) {
  const levels = canvas.dataset.levels ?? '';
  const rates = (canvas.dataset.rates ?? '').split(',').map(step => step.split(':').map(Number));
  const context = canvas.getContext('2d', { alpha: false });
  /** @type {number[]} */
  const gaps = [];
  let handle = 0;
  let frames = 0;
  let symbol = -1;
  let framesLeft = 0;
  let start = 0;
  let last = 0;

  /** @param {number} level */
  const paint = level => {
    if (!context) return;
    context.fillStyle = GRAYS[level] ?? '';
    context.fillRect(0, 0, canvas.width, canvas.height);
  };
  /** @param {number} now */
  const frame = now => {
    handle = requestAnimationFrame(frame);
    if (last) gaps.push(now - last);
    last = now;
    frames += 1;
    if (frames <= LEAD_FRAMES) return;
    if (symbol < 0) start = now;
    framesLeft -= 1;
    if (framesLeft > 0) return;
    symbol = (symbol + 1) % levels.length;
    // Symbols last for frames, not for a time: a late frame only prolongs its symbol, which the device tolerates.
    const perSecond = 1000 / median(gaps.slice(-LEAD_FRAMES));
    framesLeft = Math.max(1, Math.round(perSecond / rateAt(rates, (now - start) / 1000)));
    paint(levels.charCodeAt(symbol) - 48);
  };
  const fitAgain = () => fit(canvas);
  fit(canvas);
  paint(0);
  window.visualViewport?.addEventListener('resize', fitAgain);
  document.documentElement.dataset.lighting = 'true';
  /** @typedef {{ release: () => Promise<void> }} WakeLock */
  /** @type {WakeLock | null} */
  let lock = null;
  const { wakeLock } = /** @type {{ wakeLock?: { request: (type: 'screen') => Promise<WakeLock> } }} */ (
    /** @type {object} */ (navigator));
  wakeLock?.request('screen').then(granted => { lock = granted; }, () => {});
  handle = requestAnimationFrame(frame);
  return {
    canvas,
    stop() {
      cancelAnimationFrame(handle);
      paint(0);
      window.visualViewport?.removeEventListener('resize', fitAgain);
      delete document.documentElement.dataset.lighting;
      lock?.release().catch(() => {});
    },
  };
}

/** @param {boolean} sends Whether `light-stopped` is sent to the host. */
function stop(sends) {
  if (!running) return;
  running.stop();
  running = null;
  if (sends) sendEvent('light-stopped');
}

/** Starts a new canvas once if the start button was tapped before, and stops the transfer of a canvas that is gone. */
function updateCanvas() {
  /** @type {HTMLCanvasElement | null} */
  const canvas = document.querySelector('canvas[data-light-patch]');
  if (running && running.canvas !== canvas) stop(false);
  if (!canvas || running || canvas.dataset.seen) return;
  canvas.dataset.seen = 'true';
  fit(canvas);
  if (performance.now() > armedUntil || document.hidden) {
    sendEvent('light-stopped');
    return;
  }
  armedUntil = 0;
  running = play(canvas);
}

const list = document.querySelector('[data-slot="list"]');
if (list) new MutationObserver(updateCanvas).observe(list, { childList: true, subtree: true });
document.addEventListener('visibilitychange', () => { if (document.hidden) stop(true); });
addEventListener('pagehide', () => stop(true));
addEventListener('freeze', () => stop(true));
