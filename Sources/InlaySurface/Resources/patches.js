// Patches: the host's description of the page, applied to its elements.

import { allSlots, childrenOf, focusedElement, root, slotNamed, slots } from './elements.js';
import { extensions } from './extensions.js';
import { placeInList, restoreFocus } from './focus.js';
import { morph, parse } from './morph.js';
import { animateInsertion, animateRemoval, firstPatchIsDone, isFirstPatch } from './motion.js';
import { enterPlace, leavePlace } from './places.js';

/** @typedef {import('./bridge.js').Operation} Operation */

/** Whether the next patch is the first of a connection, which describes the whole page: other regions are removed. */
let isFirstOfConnection = true;

export function beginConnection() { isFirstOfConnection = true; }

/** @param {import('./bridge.js').Patch} patch */
export function applyPatch({ ops = [], root: changes }) {
  const focused = focusedElement();
  const place = placeInList(focused);
  leavePlace(focused);
  if (changes) applyRoot(changes);
  if (isFirstOfConnection) dropUnnamed(ops);
  for (const op of ops) steps[op.op]?.(op);
  isFirstOfConnection = false;
  restoreFocus(focused, place, enterPlace());
  for (const extension of extensions) extension.afterPatch?.();
  firstPatchIsDone();
}

/** @param {string | undefined} key */
function regionOf(key) {
  return allSlots.flatMap(childrenOf).find(element => element.dataset.key === key && !element.dataset.leaving);
}

/** @type {Record<Operation['op'], (operation: Operation) => void>} */
const steps = {
  insert({ op, key, slot, before, html }) {
    if (regionOf(key)) {
      steps.move({ op, key, slot, before });
      steps.replace({ op, key, html });
      return;
    }
    const element = parse(html);
    const parent = slotNamed(slot);
    if (!element || !parent) return;
    element.dataset.key = key;
    const next = (before && regionOf(before)) || null;
    const isHeldBack = parent === slots.list && !isFirstPatch()
      && extensions.some(extension => extension.holdsBack?.(element, next));
    parent.insertBefore(element, next);
    if (!isHeldBack) animateInsertion(element, slot ?? '');
  },
  replace({ key, html }) {
    const region = regionOf(key);
    const next = parse(html);
    if (!region || !next) return;
    next.dataset.key = key;
    for (const extension of extensions) extension.beforeReplace?.(region, next);
    morph(region, next);
  },
  remove({ key }) {
    const region = regionOf(key);
    if (region) animateRemoval(region);
  },
  move({ key, slot, before }) {
    const region = regionOf(key);
    const parent = slotNamed(slot);
    if (!region || !parent) return;
    const next = (before && regionOf(before)) || null;
    if (region.parentElement !== parent || region.nextElementSibling !== next) parent.insertBefore(region, next);
  },
};

/** @param {Operation[]} ops */
function dropUnnamed(ops) {
  const known = new Set(ops.map(op => op.key));
  for (const element of allSlots.flatMap(childrenOf)) if (!known.has(element.dataset.key ?? '')) element.remove();
}

/** @param {import('./bridge.js').Root} changes */
function applyRoot({ title, colorScheme, layoutDirection, locale, style }) {
  document.title = title;
  root.dataset.scheme = colorScheme;
  root.dir = layoutDirection;
  root.lang = locale;
  for (const name of [...root.style]) if (name.startsWith('--') && !(name in style)) root.style.removeProperty(name);
  for (const [name, value] of Object.entries(style)) root.style.setProperty(name, value);
}
