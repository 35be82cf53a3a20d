// Cards that come while somebody reads wait out of sight until the list is at rest at its top, or until the button
// that tells of them is pressed. Nothing that is being read moves.

const REST_MILLISECONDS = 250;
let reading;
let timer = null;
let isTouched = false;

/** The page's parts that say whether somebody reads. */
export function readsOf(parts) { reading = parts; }

/** Whether a region came and is not shown yet. */
export function isWaiting(element) { return element.dataset.waits !== undefined && element.hidden; }

function waiting() { return [...reading.slots.list.children].filter(isWaiting); }

/** Hides a card that would move what is on screen; returns whether it did. */
export function holdBack(element, next) {
  if (!element.matches('.card-lane') || !isRead()) return false;
  // The user's own card, back with what is wrong about it, is what they wait for.
  if (element.querySelector('[aria-invalid="true"]')) return false;
  let after = next;
  while (after?.hidden || after?.dataset.leaving) after = after.nextElementSibling;
  if (!after || after.getBoundingClientRect().top >= innerHeight) return false;
  keepWaiting(element);
  return true;
}

/** Marks what is to be shown later. */
export function keepWaiting(element) {
  element.dataset.waits = '';
  element.hidden = true;
}

/** Whether a card above would take away what somebody looks at or works on. */
function isRead() {
  const { slots, page, openMenu } = reading;
  if (document.scrollingElement.scrollTop > 4 || isTouched || timer !== null || page.inert || openMenu()) return true;
  return Boolean(document.activeElement?.closest?.('input, textarea') && slots.list.contains(document.activeElement));
}

/** Shows the button while cards wait, and the cards themselves as soon as nobody reads. */
export function placeArrivals() {
  if (waiting().length > 0 && !isRead()) reveal();
  const button = reading.slots.top.querySelector('[data-show-arrivals]');
  if (!button) return;
  const bar = reading.slots.top.querySelector('.bar');
  button.parentElement.style.setProperty('--bar', `${bar?.offsetHeight ?? 0}px`);
  button.hidden = waiting().length === 0;
}

function reveal() {
  const cards = waiting();
  for (const card of cards) {
    delete card.dataset.waits;
    card.hidden = false;
    reading.appear(card, 'list');
  }
  return cards;
}

/** Goes to the top, where the new cards are. */
export function showArrivals() {
  const [first] = reveal();
  document.scrollingElement.scrollTop = 0;
  first?.querySelector('.card')?.focus({ preventScroll: true });
  placeArrivals();
}

function lookSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = null;
    if (reading && waiting().length > 0) placeArrivals();
  }, REST_MILLISECONDS);
}
for (const kind of ['scroll', 'resize']) addEventListener(kind, lookSoon, { passive: true });
for (const kind of ['focusout', 'click', 'keyup']) document.addEventListener(kind, lookSoon);
addEventListener('touchstart', () => { isTouched = true; }, { passive: true });
for (const kind of ['touchend', 'touchcancel']) {
  addEventListener(kind, event => {
    isTouched = event.touches.length > 0;
    lookSoon();
  }, { passive: true });
}
