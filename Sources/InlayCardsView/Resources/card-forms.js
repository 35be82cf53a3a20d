// The forms of the screens above the list: snooze until a date, and feedback.

import { sendEvent } from './bridge.js';
import { keepWithinLimits } from './card-limits.js';
import { closest, find } from './elements.js';
import { valuesOf } from './events.js';

/**
 * Sends the event of a snooze or feedback form.
 * @param {HTMLFormElement} form
 * @returns {boolean} Whether it is one of these forms.
 */
export function submitForm(form) {
  if (form.matches('[data-snooze-form]')) snooze(form);
  else if (form.matches('[data-feedback-form]')) sendFeedback(form);
  else return false;
  return true;
}

/** @param {HTMLFormElement} form */
function snooze(form) {
  const field = form.querySelector('input');
  if (!field) return;
  const time = new Date(field.value).getTime();
  if (time > Date.now()) sendEvent('snooze-until', { ...valuesOf(form), value: String(time * 1000) });
  else showPastProblem(form, field);
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} field
 */
function showPastProblem(form, field) {
  const problem = find(form, '.problem');
  const text = problem && find(problem, 'span');
  if (text) {
    text.textContent = field.dataset.past ?? '';
    problem.hidden = false;
  }
  field.setAttribute('aria-invalid', 'true');
  closest(field, '.field')?.classList.add('invalid');
  field.focus();
}

/** @param {HTMLFormElement} form */
function sendFeedback(form) {
  /** @type {HTMLInputElement | null} */
  const reason = form.querySelector('input[name="reason"]:checked');
  /** @type {HTMLTextAreaElement | null} */
  const comment = form.querySelector('[data-comment]');
  if (comment) keepWithinLimits(comment);
  if (reason?.value) sendEvent('send-feedback', { ...valuesOf(form), value: reason.value, text: comment?.value });
}
