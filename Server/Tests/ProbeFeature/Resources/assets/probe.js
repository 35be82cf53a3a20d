// Shows the notes with the word in the field, and how many they are. Without this script the page lists all notes.
const filter = /** @type {HTMLElement} */ (document.querySelector("[data-note-filter]"));
const field = /** @type {HTMLInputElement} */ (filter.querySelector("input"));
const count = /** @type {HTMLElement} */ (document.querySelector("[data-note-count]"));
/** @type {NodeListOf<HTMLElement>} */
const notes = document.querySelectorAll("[data-notes] > li");

function show() {
  const word = field.value.trim().toLowerCase();
  let shown = 0;
  for (const note of notes) {
    note.hidden = !(note.textContent ?? "").toLowerCase().includes(word);
    if (!note.hidden) shown += 1;
  }
  count.textContent = `${shown} of ${notes.length} notes`;
}

filter.hidden = false;
field.addEventListener("input", show);
show();
