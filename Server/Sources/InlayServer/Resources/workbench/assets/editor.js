// The template editor: the preview follows what is typed, and elements move without a new page.
import { say } from "./workbench.js";

const form = document.querySelector("[data-editor]");
const parts = form.querySelector("[data-editor-parts]");
const frame = document.querySelector("[data-frame]");
const state = form.querySelector("[data-save-state]");
const fault = document.querySelector("[data-preview-fault]");
const part = document.querySelector("[data-part]");
const view = { scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light" };
let isChanged = false;

// Preview ------------------------------------------------------------------------------------------

let timer, running, again = false;

function previewSoon(delay = 160) {
  clearTimeout(timer);
  timer = setTimeout(preview, delay);
}

// One request at a time: while one is under way, the newest wish waits.
async function preview() {
  if (running) { again = true; return; }
  running = true;
  try {
    const body = new URLSearchParams(new FormData(form));
    body.set("preview.scheme", view.scheme);
    body.set("preview.part", part.value);
    const canWrite = Boolean(state);
    const address = form.dataset.preview + (canWrite ? "" : `?${new URLSearchParams({ "preview.scheme": view.scheme, "preview.part": part.value })}`);
    const answer = await fetch(address, canWrite ? { method: "POST", body, headers: { "Inlay-Fragment": "preview" } } : {});
    if (!answer.ok) throw new Error(answer.status === 401 || answer.redirected ? "You are signed out. Sign in in another tab; what you typed stays here." : "The preview could not be drawn. What you typed is kept.");
    show(await answer.text());
    fault.hidden = true;
  } catch (error) {
    fault.textContent = error instanceof TypeError ? "The server cannot be reached. What you typed is kept; the preview comes back by itself." : error.message;
    fault.hidden = false;
    if (error instanceof TypeError) previewSoon(3000);
  } finally {
    running = false;
    if (again) { again = false; preview(); }
  }
}

// The document in the frame is changed in place: no flash, and it stays scrolled where it was.
function show(html) {
  // Taken out as text: this page's own policy would not let a style element of another document be read.
  const style = html.match(/<style[^>]*>([^]*?)<\/style>/)?.[1] ?? "";
  const next = new DOMParser().parseFromString(html.replace(/<style[^]*?<\/style>/, ""), "text/html");
  const page = frame.contentDocument;
  if (!page?.body || !page.querySelector("style")) return;
  for (const { name } of [...page.documentElement.attributes]) page.documentElement.removeAttribute(name);
  for (const { name, value } of next.documentElement.attributes) page.documentElement.setAttribute(name, value);
  if (page.querySelector("style").textContent !== style) page.querySelector("style").textContent = style;
  const top = page.scrollingElement.scrollTop;
  page.body.replaceChildren(...[...next.body.childNodes].map((node) => page.importNode(node, true)));
  page.scrollingElement.scrollTop = top;
}

form.addEventListener("input", () => { touched(); previewSoon(); });
frame.addEventListener("load", () => previewSoon(0));
part.addEventListener("change", preview);

function press(buttons, name, apply) {
  for (const button of buttons) {
    button.addEventListener("click", () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      apply(button.dataset[name]);
    });
  }
}
document.querySelector("[data-preview-tools]").hidden = false;
const schemes = [...document.querySelectorAll("[data-scheme]")];
schemes.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.scheme === view.scheme)));
press(schemes, "scheme", (value) => { view.scheme = value; preview(); });
press([...document.querySelectorAll("[data-width]")], "width", (value) => {
  document.querySelector("[data-phone]").classList.toggle("wide", value === "wide");
});
previewSoon(0);

// Elements -----------------------------------------------------------------------------------------

function touched() {
  isChanged = true;
  if (state) state.textContent = "Not saved yet";
}

// The server changes the list of elements, as it does without script; the answer replaces the form's parts.
form.addEventListener("submit", async (event) => {
  const button = event.submitter;
  const step = button?.value ?? "save";
  if (step === "save" || step === "publish") { isChanged = false; return; }
  event.preventDefault();
  event.stopImmediatePropagation();
  const body = new URLSearchParams(new FormData(form));
  body.set("op", step);
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "Inlay-Fragment": "parts" } });
    if (!answer.ok || answer.redirected) throw new Error();
    const open = new Set([...parts.querySelectorAll("details[open]")].map(ownerOf));
    const known = new Set([...parts.querySelectorAll("[data-block]")].map((block) => block.dataset.block));
    parts.innerHTML = await answer.text();
    for (const details of parts.querySelectorAll("details")) if (open.has(ownerOf(details))) details.open = true;
    focusAfter(step, known);
    fillParts();
    touched();
    preview();
  } catch {
    say("That did not reach the server. What you typed is kept; try again.", true);
  }
});

const ownerOf = (details) => details.closest("[data-block]")?.dataset.block;
const blockAt = (path) => parts.querySelector(`[data-block="${CSS.escape(path)}"]`);

// The focus goes where the element went, so that it can be moved on with the same key.
function focusAfter(step, known) {
  const [verb, path] = step.split(":");
  const numbered = path?.match(/^(.*)\[(\d+)\]$/);
  if (verb === "up" || verb === "down") {
    const block = blockAt(`${numbered[1]}[${Number(numbered[2]) + (verb === "up" ? -1 : 1)}]`);
    block?.classList.add("moved");
    const again = block?.querySelector(`button[value^="${verb}:"]:not(:disabled)`) ?? block?.querySelector("button:not(:disabled)");
    again?.focus();
    block?.scrollIntoView({ block: "nearest" });
  } else if (verb === "remove" && numbered) {
    const next = blockAt(path) ?? blockAt(`${numbered[1]}[${numbered[2] - 1}]`);
    (next?.querySelector("input:not([type=hidden]), textarea") ?? parts.querySelector(".adder button"))?.focus();
  } else {
    const added = [...parts.querySelectorAll("[data-block]")].find((block) => !known.has(block.dataset.block));
    const field = added?.querySelector("input:not([type=hidden]), textarea, select");
    field?.focus();
    field?.select?.();
    added?.scrollIntoView({ block: "nearest" });
  }
}

// Alt with an arrow moves the element that the focus is in.
form.addEventListener("keydown", (event) => {
  if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  const block = event.target.closest("[data-block]");
  const verb = event.key === "ArrowUp" ? "up" : "down";
  const button = block?.querySelector(`:scope > .block-head button[value^="${verb}:"]`);
  if (!button || button.disabled) return;
  event.preventDefault();
  button.click();
});

// The parts that can be previewed follow the subviews of the form.
function fillParts() {
  const chosen = part.value;
  const subviews = [...parts.querySelectorAll("input[name^='subviews['][name$='].id']")];
  part.replaceChildren(new Option("Card", ""), ...subviews.map((field) => {
    const title = form.elements.namedItem(field.name.replace(/\.id$/, ".title"))?.value ?? field.value;
    return new Option(`Subview: ${title}`, field.value);
  }));
  part.value = chosen;
  if (part.selectedIndex < 0) part.value = "";
  part.hidden = part.length < 2;
}
fillParts();

// Leaving with unsaved words asks first.
addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });
