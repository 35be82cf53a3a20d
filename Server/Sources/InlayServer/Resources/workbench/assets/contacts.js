// A file of contacts: the server says what would happen, the user says where unknown columns belong, and only then it is
// imported. The file is sent each time; the server keeps nothing in between.
import { onFiles } from "./upload.js";

const form = document.querySelector("[data-import]");
if (form) importContacts(form, form.querySelector("[data-import-words]"), form.querySelector("[data-import-panel]"));

function importContacts(form, words, panel) {
  const input = form.querySelector("[type=file]");
  let file = null;

  onFiles(input, async ([chosen]) => {
    file = chosen;
    panel.replaceChildren();
    if (!await send("check", `Reading ${file.name} …`)) return;
    words.textContent = file.name;
    (panel.querySelector("select") ?? panel.querySelector("button"))?.focus();
  });

  // What would happen changes with the mapping; the focus stays in the field that was changed.
  panel.addEventListener("change", async (event) => {
    const name = event.target.name;
    if (!name) return;
    await send("check", `Reading ${file.name} …`);
    words.textContent = file.name;
    panel.querySelector(`[name="${CSS.escape(name)}"]`)?.focus();
  });

  panel.addEventListener("click", async (event) => {
    const go = event.target.closest("[data-import-go]");
    if (event.target.closest("[data-import-cancel]")) {
      panel.replaceChildren();
      words.textContent = "Nothing was imported.";
      input.focus();
    } else if (go) {
      if (!await send("import", `Importing ${file.name} …`)) return go.focus();
      words.textContent = "";
      const link = Object.assign(document.createElement("a"), { href: location.pathname, className: "button small", textContent: "Show the list" });
      panel.append(link);
      link.focus();
    }
  });

  /** Sends the file with the mapping, and shows the answer in the panel; a fault is one note there. No other file and no
   * other mapping can be chosen meanwhile, so that what is imported is what the panel shows. */
  async function send(step, busy) {
    const query = new URLSearchParams(step === "check" ? { check: "on" } : {});
    for (const field of panel.querySelectorAll("select")) query.set(field.name, field.value);
    words.textContent = busy;
    const controls = [input, ...panel.querySelectorAll("button, select")];
    for (const control of controls) control.disabled = true;
    try {
      const answer = await fetch(`${form.dataset.import}?${query}`, {
        method: "PUT", body: file, headers: { "Inlay-Form": form.dataset.formToken, "Inlay-Fragment": "import", "Content-Type": "text/csv" },
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok) return refuse(step, [page.querySelector("h1"), page.querySelector("p")].map((part) => part?.textContent ?? "").join(" "));
      panel.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
      return true;
    } catch {
      return refuse(step, "The server cannot be reached.");
    } finally {
      for (const control of controls) control.disabled = false;
    }
  }

  function refuse(step, text) {
    // The server commits an import in pieces, so one that broke off may have changed the list.
    const outcome = step === "check" ? "Nothing was imported." : "Some contacts may have been imported. When the file is imported again, contacts with the same key are changed.";
    words.textContent = "";
    const note = Object.assign(document.createElement("div"), { className: "note danger", textContent: `${text.trim()} ${outcome}` });
    note.setAttribute("role", "alert");
    panel.querySelector("[role=alert]")?.remove();
    panel.prepend(note);
    return false;
  }
}
