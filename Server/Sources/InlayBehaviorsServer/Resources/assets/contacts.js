// The import of a contact file: the server previews the changes, the user maps unknown columns, and then the file is
// imported. The file is sent with each request, because the server stores nothing in between.
import { SignedOutError, sendRequest } from "./requests.js";
import { sendChosenFiles } from "./upload.js";

/** @type {HTMLElement | null} */
const form = document.querySelector("[data-import]");
if (form) importContacts(form);

/** @param {HTMLElement} form */
function importContacts(form) {
  const words = /** @type {HTMLElement} */ (form.querySelector("[data-import-words]"));
  const panel = /** @type {HTMLElement} */ (form.querySelector("[data-import-panel]"));
  const input = /** @type {HTMLInputElement} */ (form.querySelector("[type=file]"));
  /** @type {File | null} */
  let file = null;
  // Whether the panel shows the result of the mapping that its fields hold.
  let isChecked = false;

  sendChosenFiles(input, async ([chosen]) => {
    if (!chosen) return;
    file = chosen;
    panel.replaceChildren();
    if (!await send("check", `Reading ${file.name} …`)) return;
    words.textContent = file.name;
    (panel.querySelector("select") ?? panel.querySelector("button"))?.focus();
  });

  // The result of the check changes with the mapping; the focus stays in the field that was changed.
  panel.addEventListener("change", async (event) => {
    const name = event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement ? event.target.name : "";
    if (!name || !file) return;
    await send("check", `Reading ${file.name} …`);
    words.textContent = file.name;
    /** @type {HTMLElement | null} */
    const field = panel.querySelector(`[name="${CSS.escape(name)}"]`);
    field?.focus();
  });

  panel.addEventListener("click", async (event) => {
    const target = event.target instanceof Element ? event.target : null;
    /** @type {HTMLElement | null | undefined} */
    const go = target?.closest("[data-import-go]");
    if (target?.closest("[data-import-cancel]")) {
      panel.replaceChildren();
      words.textContent = "Nothing was imported.";
      input.focus();
    } else if (go && file && !isChecked) {
      if (await send("check", `Reading ${file.name} …`)) words.textContent = file.name;
      /** @type {HTMLElement | null} */
      const button = panel.querySelector("[data-import-go]");
      button?.focus();
    } else if (go && file) {
      if (!await send("import", `Importing ${file.name} …`)) return go.focus();
      words.textContent = "";
      const link = Object.assign(document.createElement("a"), { href: location.pathname, className: "button small", textContent: "Show the list" });
      panel.append(link);
      link.focus();
    }
  });

  /**
   * Sends the file with the mapping, and shows the response in the panel, or a note about the failure. The controls are
   * disabled meanwhile, and nothing is imported before its check has succeeded, so that the panel always shows what is
   * imported. Returns whether the request succeeded.
   * @param {"check" | "import"} step
   * @param {string} busy
   */
  async function send(step, busy) {
    const query = new URLSearchParams(step === "check" ? "check=on" : "");
    for (const field of panel.querySelectorAll("select")) query.set(field.name, field.value);
    words.textContent = busy;
    if (step === "check") isChecked = false;
    /** @type {NodeListOf<HTMLButtonElement | HTMLSelectElement>} */
    const own = panel.querySelectorAll("button, select");
    const controls = [input, ...own];
    for (const control of controls) control.disabled = true;
    try {
      const answer = await sendRequest(`${form.dataset.import}?${query}`, () => ({
        method: "PUT", body: file, headers: { "Inlay-Form": form.dataset.formToken ?? "", "Inlay-Fragment": "import", "Content-Type": "text/csv" },
      }));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok) return refuse(step, [page.querySelector("h1"), page.querySelector("p")].map((part) => part?.textContent ?? "").join(" "));
      panel.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
      isChecked = true;
      return true;
    } catch (error) {
      // Without a sign-in nothing is imported, also by the second step.
      if (error instanceof SignedOutError) return refuse("check", error.message);
      return refuse(step, "The server cannot be reached.");
    } finally {
      for (const control of controls) control.disabled = false;
    }
  }

  /**
   * Shows a failure and what it means for the contacts.
   * @param {"check" | "import"} step
   * @param {string} text
   */
  function refuse(step, text) {
    // The server commits an import in batches, so a failed import may have changed the list.
    const outcome = step === "check" ? "Nothing was imported." : "Some contacts may have been imported. When the file is imported again, contacts with the same key are changed.";
    words.textContent = "";
    const note = Object.assign(document.createElement("div"), { className: "note danger", textContent: `${text.trim()} ${outcome}` });
    note.setAttribute("role", "alert");
    panel.querySelector("[role=alert]")?.remove();
    panel.prepend(note);
    return false;
  }
}
