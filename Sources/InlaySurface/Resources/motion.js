// The animations of regions that are inserted and removed.

import { prefersReducedMotion } from './environment.js';
import { extensions } from './extensions.js';

const APPEAR_MILLISECONDS = 160;
const LEAVE_MILLISECONDS = 180;
/** Whether no patch was applied yet: the regions of the first patch are not animated. */
let isFirst = true;

export function firstPatchIsDone() { isFirst = false; }
export function isFirstPatch() { return isFirst; }

function mayMove() { return !isFirst && !document.hidden && !prefersReducedMotion(); }

function afterMotion() { for (const extension of extensions) extension.afterMotion?.(); }

/**
 * @param {HTMLElement} element
 * @param {string} slot
 */
export function animateInsertion(element, slot) {
  // Some regions measure their position at once, which an animation would change.
  if (!mayMove() || element.matches('[data-still]')) return;
  const rise = slot === 'overlay' || slot === 'toasts' ? '12px' : '6px';
  const motion = element.animate([{ opacity: 0, translate: `0 ${rise}` }, { opacity: 1, translate: '0 0' }],
    { duration: APPEAR_MILLISECONDS, easing: 'ease-out' });
  motion.finished.then(afterMotion, () => {});
}

/** @param {HTMLElement} element */
export function animateRemoval(element) {
  const fadesOut = extensions.some(extension => extension.fadesOut?.(element));
  if (!fadesOut || !mayMove() || element.hidden || !element.parentElement) {
    element.remove();
    return;
  }
  element.dataset.leaving = 'true';
  element.inert = true;
  const gap = getComputedStyle(element.parentElement).rowGap;
  const motion = element.animate(
    [{ opacity: 1, blockSize: `${element.offsetHeight}px`, overflow: 'clip', marginBlockEnd: '0px' },
      { opacity: 0, blockSize: '0px', overflow: 'clip', marginBlockEnd: `-${parseFloat(gap) || 0}px` }],
    { duration: LEAVE_MILLISECONDS, easing: 'ease-out' });
  motion.finished.catch(() => {}).then(() => {
    element.remove();
    afterMotion();
  });
}
