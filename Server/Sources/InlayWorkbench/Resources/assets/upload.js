// A field for files that are sent as soon as they are chosen. The page has it disabled: a file chosen before
// its script is loaded would not be sent.

/**
 * Switches the field on and calls `take` with the chosen files; it is off meanwhile, and empty afterwards.
 * @param {HTMLInputElement} field
 * @param {(files: File[]) => Promise<unknown>} take
 */
export function onFiles(field, take) {
  field.addEventListener("change", async () => {
    const files = [...field.files ?? []];
    if (files.length === 0) return;
    field.disabled = true;
    try {
      await take(files);
    } finally {
      field.disabled = false;
      field.value = "";
    }
  });
  field.disabled = false;
}

/**
 * Why the server refused a file: the title and the text of its page, without the buttons below them.
 * @param {Response} answer
 */
export async function refusal(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const parts = [...page.querySelectorAll("h1, h1 + p")];
  const words = (parts.length > 0 ? parts : [page.body]).map((part) => (part.textContent ?? "").trim()).join(" ");
  return words.replace(/\s+/g, " ").slice(0, 200) || `The server answered ${answer.status}.`;
}
