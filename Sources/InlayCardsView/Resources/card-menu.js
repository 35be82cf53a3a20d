// A card's menu: opens beside its button, follows it, and is used with the keyboard.

import { find, findAll, focusedElement, root, surface } from './elements.js';

/** @returns {HTMLElement | null} The button of the menu that is open. */
export function openMenu() { return find(surface, '[data-menu][aria-expanded="true"]'); }

/** @param {HTMLElement} button */
function menuOf(button) { return document.getElementById(button.getAttribute('aria-controls') ?? ''); }

/** @param {HTMLElement} button */
export function toggleMenu(button) {
  const isOpen = button.getAttribute('aria-expanded') === 'true';
  closeMenu();
  const menu = menuOf(button);
  if (isOpen || !menu) return;
  menu.hidden = false;
  button.setAttribute('aria-expanded', 'true');
  placeMenu(menu, button.getBoundingClientRect());
  find(menu, '[role="menuitem"]')?.focus({ preventScroll: true });
}

/**
 * Places a menu below its button where there is space, else above it; always inside the window.
 * @param {HTMLElement} menu
 * @param {DOMRect} anchor
 */
function placeMenu(menu, anchor) {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const start = root.dir === 'rtl' ? anchor.left : anchor.right - width;
  const below = anchor.bottom + 4;
  const top = below + height > innerHeight - 8 ? Math.max(8, anchor.top - height - 4) : below;
  menu.style.setProperty('left', `${Math.max(12, Math.min(start, innerWidth - width - 12))}px`);
  menu.style.setProperty('top', `${top}px`);
}

/** @param {boolean} returnsFocus Whether the button gets the focus in any case. */
export function closeMenu(returnsFocus = false) {
  const button = openMenu();
  const menu = button && menuOf(button);
  if (!button || !menu) return;
  const hadFocus = menu.contains(document.activeElement);
  button.setAttribute('aria-expanded', 'false');
  menu.hidden = true;
  if (returnsFocus || hadFocus) button.focus({ preventScroll: true });
}

/** Moves an open menu along with its button, whose card may have moved. */
export function followMenu() {
  const button = openMenu();
  const menu = button && menuOf(button);
  if (menu) placeMenu(menu, button.getBoundingClientRect());
}
addEventListener('resize', () => closeMenu());
addEventListener('scroll', () => {
  // The event also comes late for scrolling before the menu was opened, and for what the browser does when cards come,
  // go and grow. None of that may close the menu during keyboard use: it closes only when its button is out of sight.
  const anchor = openMenu()?.getBoundingClientRect();
  if (anchor && (anchor.bottom <= 0 || anchor.top >= innerHeight)) closeMenu();
  else followMenu();
}, { passive: true });

/**
 * Handles every key while a menu is open.
 * @param {KeyboardEvent} event
 */
export function menuKey(event) {
  const button = openMenu();
  const menu = button && menuOf(button);
  if (!menu) return false;
  const items = findAll(menu, '[role="menuitem"]');
  const focused = focusedElement();
  const at = focused ? items.indexOf(focused) : -1;
  /** @type {Record<string, number>} */
  const targets = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
  const to = targets[event.key];
  if (to !== undefined) {
    event.preventDefault();
    // Without `preventScroll` the page scrolls for an item that is in sight.
    const item = items.at(to % items.length);
    item?.focus({ preventScroll: true });
    if (item) reveal(item, menu);
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    if (event.key === 'Escape') event.preventDefault();
    closeMenu(true);
  }
  return true;
}

/**
 * Scrolls inside a menu that is higher than the window.
 * @param {HTMLElement} item
 * @param {HTMLElement} menu
 */
function reveal(item, menu) {
  const end = item.offsetTop + item.offsetHeight - menu.clientHeight;
  menu.scrollTop = Math.min(item.offsetTop, Math.max(menu.scrollTop, end));
}
