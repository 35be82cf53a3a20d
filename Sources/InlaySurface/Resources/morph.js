// Edits elements in place: changes an element into another one, and keeps the descendants that both have.

import { isHTML } from './elements.js';

/**
 * Returns the first element of a piece of HTML; null when it has none.
 * @param {string | undefined} html
 */
export function parse(html) {
  const template = document.createElement('template');
  template.innerHTML = html ?? '';
  const element = template.content.firstElementChild;
  return isHTML(element) ? element : null;
}

/**
 * Changes `from` so that it equals `to`; moves nodes out of `to`.
 * @param {Node} from
 * @param {Node} to
 */
export function morph(from, to) {
  if (from instanceof Element && to instanceof Element && from.nodeName === to.nodeName) {
    morphAttributes(from, to);
    morphChildren(from, to);
  } else if (from instanceof CharacterData && to instanceof CharacterData && from.nodeType === to.nodeType) {
    if (from.data !== to.data) from.data = to.data;
  } else {
    /** @type {ChildNode} */ (from).replaceWith(to);
  }
}

/**
 * @param {Element} from
 * @param {Element} to
 */
function morphAttributes(from, to) {
  // The attributes that only the page changes, such as whether a menu is open.
  const own = new Set((to.getAttribute('data-local') ?? '').split(' '));
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !own.has(name)) from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (!own.has(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  if (from instanceof HTMLInputElement && from.type === 'radio') from.checked = to.hasAttribute('checked');
}

/**
 * @param {Element} from
 * @param {Element} to
 */
function morphChildren(from, to) {
  const nextIDs = new Set([...to.children].map(child => child.id).filter(Boolean));
  /** @param {Node} node */
  const isGone = node => !(node instanceof Element) || Boolean(node.id && !nextIDs.has(node.id));
  let current = from.firstChild;
  for (const next of [...to.childNodes]) {
    let match = current;
    if (next instanceof Element) {
      while (match && !isSame(match, next) && isGone(match)) match = match.nextSibling;
    }
    if (match && isSame(match, next)) {
      while (current && current !== match) current = removed(current);
      current = match.nextSibling;
      morph(match, next);
    } else {
      from.insertBefore(next, current);
    }
  }
  while (current) current = removed(current);
}

/**
 * @param {Node} left
 * @param {Node} right
 */
function isSame(left, right) { return left.nodeName === right.nodeName && idOf(left) === idOf(right); }

/** @param {Node} node */
function idOf(node) { return node instanceof Element ? node.id : ''; }

/** @param {ChildNode} node */
function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}
