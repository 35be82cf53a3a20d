// A card's menu: opens beside its button, moves with the button, and supports the keyboard.

import { find, findAll, focusedElement, root, surface } from './elements.js';

/** @returns {HTMLElement | null} The button of the menu that is open. */
export function openMenu() { return find(surface, '[data-menu][aria-expanded="true"]'); }

/**
 * Returns the menu that a button opens.
 * @param {HTMLElement} button
 */
function menuOf(button) { return document.getElementById(button.getAttribute('aria-controls') ?? ''); }

/**
 * Opens a button's menu and focuses its first item, or closes it if it is open. Any other menu is closed.
 * @param {HTMLElement} button
 */
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

/** @param {boolean} returnsFocus Whether the button gets the focus even if the menu did not have it. */
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
  // Scroll events also arrive late, for scrolling before the menu was opened, and when the browser adjusts the position
  // because cards are inserted, removed or resized. So the menu closes only when its button is out of sight.
  const anchor = openMenu()?.getBoundingClientRect();
  if (anchor && (anchor.bottom <= 0 || anchor.top >= innerHeight)) closeMenu();
  else followMenu();
}, { passive: true });

/**
 * Handles a key while a menu is open; returns whether one is open.
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
    // Without `preventScroll` the page would scroll even for a visible item.
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
 * Scrolls a menu that is higher than the window to an item.
 * @param {HTMLElement} item
 * @param {HTMLElement} menu
 */
function reveal(item, menu) {
  const end = item.offsetTop + item.offsetHeight - menu.clientHeight;
  menu.scrollTop = Math.min(item.offsetTop, Math.max(menu.scrollTop, end));
}
