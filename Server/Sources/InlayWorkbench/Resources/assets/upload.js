// A file field whose files are sent as soon as they are chosen. The field is disabled in the page, because a file
// that is chosen before the script is loaded would not be sent.

/**
 * Enables the field and calls `send` with the chosen files. The field is disabled meanwhile, and empty afterwards.
 * @param {HTMLInputElement} field
 * @param {(files: File[]) => Promise<unknown>} send
 */
export function sendChosenFiles(field, send) {
  field.addEventListener("change", async () => {
    const files = [...field.files ?? []];
    if (files.length === 0) return;
    field.disabled = true;
    try {
      await send(files);
    } finally {
      field.disabled = false;
      field.value = "";
    }
  });
  field.disabled = false;
}

/**
 * Returns the reason why the server refused a file: the title and the text of its response, at most 200 characters.
 * @param {Response} answer
 */
export async function refusalReason(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const parts = [...page.querySelectorAll("h1, h1 + p")];
  const words = (parts.length > 0 ? parts : [page.body]).map((part) => (part.textContent ?? "").trim()).join(" ");
  return words.replace(/\s+/g, " ").slice(0, 200) || `The server answered ${answer.status}.`;
}
