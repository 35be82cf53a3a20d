// The page's side of a list of cards: the hooks that its scripts add to those of the surface.

import { holdBack, isWaiting, keepWaiting, placeArrivals, showArrivals } from './card-arrivals.js';
import { submitForm } from './card-forms.js';
import { lookAgain, watchCards } from './card-impressions.js';
import { showLengths } from './card-limits.js';
import { closeMenu, followMenu, menuKey, toggleMenu } from './card-menu.js';
import { watchToasts } from './card-toasts.js';
import { closest, find } from './elements.js';
import { extend } from './extensions.js';
import './card-images.js';
import './card-pull.js';

/** The selector of links within formatted text, whose event contains their address. */
const TEXT_LINK = '.prose a, .list a, .list-line a';

extend({
  holdsBack: holdBack,
  beforeReplace(region, next) { if (isWaiting(region)) keepWaiting(next); },
  afterPatch() {
    followMenu();
    placeArrivals();
    showLengths();
    watchToasts();
    watchCards();
  },
  afterMotion: followMenu,
  beforeScreen: () => closeMenu(),
  afterScreen: lookAgain,
  fadesOut: element => element.matches('.card-lane, .toast'),
  focusIn: (region, isReturn) => find(region, isReturn ? '[data-menu], .card' : '.card'),
  click(target) {
    const button = closest(target, '[data-menu], [data-show-arrivals]');
    if (button?.dataset.showArrivals !== undefined) showArrivals();
    else if (button) toggleMenu(button);
    else if (!target.closest('[data-event], .shade')) closeMenu();
    return button !== null;
  },
  beforeEvent(element) {
    closeMenu(element.closest('.menu') !== null);
    if (element.matches('.quick')) element.closest('.card-lane')?.scrollTo({ left: 0 });
  },
  valuesOf,
  submit: submitForm,
  key: menuKey,
});

/**
 * The ids of an element's card, view, node and subview, and the address of a link in a text.
 * @param {HTMLElement} element
 */
function valuesOf(element) {
  /** @type {Record<string, string>} */
  const values = {};
  const card = closest(element, '[data-card]')?.dataset.card;
  const view = closest(element, '[data-view]')?.dataset.view;
  if (card !== undefined) values.card = card;
  if (view) values.view = view;
  for (const name of ['node', 'subview']) {
    const value = element.dataset[name];
    if (value !== undefined) values[name] = value;
  }
  if (element.matches(TEXT_LINK)) values.href = element.getAttribute('href') ?? '';
  return values;
}
