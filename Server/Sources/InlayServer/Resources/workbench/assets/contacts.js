// A file of contacts travels to the server as it is; what became of each line comes back.
import { onFiles } from "./upload.js";

const form = document.querySelector("[data-import]");
if (form) bringIn(form, form.querySelector("[data-import-words]"));

function bringIn(form, words) {
  onFiles(form.querySelector("[type=file]"), async ([file]) => {
    words.textContent = `Bringing in ${file.name} …`;
    try {
      const answer = await fetch(form.dataset.import, {
        method: "PUT", body: file, headers: { "Inlay-Form": form.dataset.formToken, "Inlay-Fragment": "import", "Content-Type": "text/csv" },
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      words.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
      if (answer.ok) words.append(Object.assign(document.createElement("a"), { href: location.pathname, className: "button small", textContent: "Show the list" }));
    } catch {
      words.textContent = "The server cannot be reached. Nothing was brought in.";
    }
  });
}
