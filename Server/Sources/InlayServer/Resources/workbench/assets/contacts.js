// A file of contacts: the server says what would happen, its author says where unknown columns belong, and only then it
// is brought in. The file travels each time; the server keeps nothing in between.
import { onFiles } from "./upload.js";

const form = document.querySelector("[data-import]");
if (form) bringIn(form, form.querySelector("[data-import-words]"), form.querySelector("[data-import-panel]"));

function bringIn(form, words, panel) {
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
    if (event.target.closest("[data-import-cancel]")) {
      panel.replaceChildren();
      words.textContent = "Nothing was brought in.";
      input.focus();
    } else if (event.target.closest("[data-import-go]")) {
      if (!await send("", `Bringing in ${file.name} …`)) return;
      words.textContent = "";
      const link = Object.assign(document.createElement("a"), { href: location.pathname, className: "button small", textContent: "Show the list" });
      panel.append(link);
      link.focus();
    }
  });

  /** Sends the file with the mapping, and shows the answer in the panel; a fault is one note there. */
  async function send(step, busy) {
    const query = new URLSearchParams(step ? { [step]: "on" } : {});
    for (const field of panel.querySelectorAll("select")) query.set(field.name, field.value);
    words.textContent = busy;
    for (const control of panel.querySelectorAll("button, select")) control.disabled = true;
    try {
      const answer = await fetch(`${form.dataset.import}?${query}`, {
        method: "PUT", body: file, headers: { "Inlay-Form": form.dataset.formToken, "Inlay-Fragment": "import", "Content-Type": "text/csv" },
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok) return refuse([page.querySelector("h1"), page.querySelector("p")].map((part) => part?.textContent ?? "").join(" "));
      panel.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
      return true;
    } catch {
      return refuse("The server cannot be reached.");
    }
  }

  function refuse(text) {
    words.textContent = "";
    for (const control of panel.querySelectorAll("button, select")) control.disabled = false;
    const note = Object.assign(document.createElement("div"), { className: "note danger", textContent: `${text.trim()} Nothing was brought in.` });
    note.setAttribute("role", "alert");
    panel.querySelector("[role=alert]")?.remove();
    panel.prepend(note);
    return false;
  }
}
