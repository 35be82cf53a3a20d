// Limits of fields for text: a field takes whole characters up to its limits, and says so when it takes no more.

import { find, findAll, surface } from './elements.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** Splits a text into extended grapheme clusters (UAX 29), which are the characters that Swift counts. */
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : null;

/**
 * The characters of a text, as people count them; code points in an engine that does not know them.
 * @param {string} text
 */
function charactersOf(text) {
  return segmenter ? Array.from(segmenter.segment(text), part => part.segment) : [...text];
}

/**
 * @param {string} text
 * @param {Field} field
 */
function fits(text, { dataset: { maximumCharacters, maximumBytes } }) {
  return charactersOf(text).length <= Number(maximumCharacters ?? Infinity)
    && new TextEncoder().encode(text).length <= Number(maximumBytes ?? Infinity);
}

/**
 * As much of what was written in front of the caret as fits beside what stands behind it.
 * @param {string} written
 * @param {string} behind
 * @param {Field} field
 */
function fitting(written, behind, field) {
  const characters = charactersOf(written);
  let [least, most] = [0, characters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(characters.slice(0, middle).join('') + behind, field)) least = middle;
    else most = middle - 1;
  }
  return characters.slice(0, least).join('');
}

/** @param {Field} field */
function showLength(field) {
  const count = find(surface, `[data-count-of="${CSS.escape(field.id)}"]`);
  if (count) count.textContent = String(charactersOf(field.value).length);
}

/**
 * Takes back what was written last and is too much, and shows the length.
 * @param {Field} field
 */
export function keepWithinLimits(field) {
  const isFull = !fits(field.value, field);
  if (isFull) {
    const end = field.selectionEnd ?? field.value.length;
    // The text behind the caret is too long by itself only where a program wrote it, such as one that fills forms.
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

/** Shows the lengths again after a patch, which knows nothing of what was written. */
export function showLengths() {
  for (const field of findAll(surface, '[data-maximum-characters]')) if (hasLimits(field)) showLength(field);
}

document.addEventListener('input', event => {
  if (!hasLimits(event.target)) return;
  // The text that an input method still composes may become shorter, and must not be changed meanwhile.
  if (event instanceof InputEvent && event.isComposing) showLength(event.target);
  else keepWithinLimits(event.target);
});
document.addEventListener('compositionend', event => {
  if (hasLimits(event.target)) keepWithinLimits(event.target);
});
