// Limits of text fields: a field accepts whole characters up to its limits, and shows a notice when it is full.

import { find, findAll, surface } from './elements.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** Splits a text into extended grapheme clusters (UAX 29), which are the characters that Swift counts. */
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : null;

/**
 * The grapheme clusters of a text; its code points in an engine without `Intl.Segmenter`.
 * @param {string} text
 */
function charactersOf(text) {
  return segmenter ? Array.from(segmenter.segment(text), part => part.segment) : [...text];
}

/**
 * Whether a text is within the limits of a field.
 * @param {string} text
 * @param {Field} field
 */
function fits(text, { dataset: { maximumCharacters, maximumBytes } }) {
  return charactersOf(text).length <= Number(maximumCharacters ?? Infinity)
    && new TextEncoder().encode(text).length <= Number(maximumBytes ?? Infinity);
}

/**
 * Returns the longest beginning of the text before the caret that fits together with the text behind the caret.
 * @param {string} written The text before the caret.
 * @param {string} behind The text behind the caret.
 * @param {Field} field
 */
function fitting(written, behind, field) {
  const characters = charactersOf(written);
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(characters.slice(0, middle).join('') + behind, field)) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join('');
}

/** @param {Field} field */
function showLength(field) {
  const count = find(surface, `[data-count-of="${CSS.escape(field.id)}"]`);
  if (count) count.textContent = String(charactersOf(field.value).length);
}

/**
 * Removes the characters before the caret that exceed the field's limits, and shows the field's length.
 * @param {Field} field
 */
export function keepWithinLimits(field) {
  const isFull = !fits(field.value, field);
  if (isFull) {
    const end = field.selectionEnd ?? field.value.length;
    // The text behind the caret alone exceeds the limits only if a program set it, such as one that fills forms.
    const caret = fits(field.value.slice(end), field) ? end : field.value.length;
    const behind = field.value.slice(caret);
    const kept = fitting(field.value.slice(0, caret), behind, field);
    field.value = kept + behind;
    field.setSelectionRange(kept.length, kept.length);
  }
  const notice = find(surface, `[data-full-notice-of="${CSS.escape(field.id)}"]`);
  if (notice) notice.hidden = !isFull;
  showLength(field);
}

/**
 * @param {unknown} element
 * @returns {element is Field}
 */
function hasLimits(element) {
  return (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    && element.dataset.maximumCharacters !== undefined;
}

/** Shows the lengths again after a patch, because the host does not know the texts that were typed. */
export function showLengths() {
  for (const field of findAll(surface, '[data-maximum-characters]')) if (hasLimits(field)) showLength(field);
}

document.addEventListener('input', event => {
  if (!hasLimits(event.target)) return;
  // A text that an input method still composes may become shorter, and must not be changed meanwhile.
  if (event instanceof InputEvent && event.isComposing) showLength(event.target);
  else keepWithinLimits(event.target);
});
document.addEventListener('compositionend', event => {
  if (hasLimits(event.target)) keepWithinLimits(event.target);
});
