// The template editor: the preview follows what is typed, and elements move without a new page.
import { previewIn, press, renewToken } from "./preview.js";
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

async function ask(isAgain = false) {
  const light = { "preview.scheme": view.scheme, "preview.part": part.value };
  const canWrite = Boolean(state);
  const body = new URLSearchParams([...new FormData(form), ...Object.entries(light)]);
  const answer = canWrite
    ? await fetch(form.dataset.preview, { method: "POST", body, headers: { "Inlay-Fragment": "preview" } })
    : await fetch(`${form.dataset.preview}?${new URLSearchParams(light)}`);
  if (answer.status === 403 && canWrite && !isAgain && await renewToken("[data-editor]")) return ask(true);
  if (!answer.ok) throw new Error(answer.status === 401 || answer.redirected ? "You are signed out. Sign in in another tab; what you typed stays here." : "The preview could not be drawn. What you typed is kept.");
  return answer.text();
}

addEventListener("focus", () => { if (!fault.hidden) preview.now(); });

const preview = previewIn(frame, () => ask(), {
  drew() { fault.hidden = true; },
  failed(error) {
    const isOffline = error instanceof TypeError;
    fault.textContent = isOffline ? "The server cannot be reached. What you typed is kept; the preview comes back by itself." : error.message;
    fault.hidden = false;
    if (isOffline) preview.soon(3000);
  },
});

form.addEventListener("input", () => { touched(); preview.soon(160); });
frame.addEventListener("load", preview.now);
part.addEventListener("change", preview.now);

document.querySelector("[data-preview-tools]").hidden = false;
press("scheme", (value) => { view.scheme = value; preview.now(); })(view.scheme);
press("width", (value) => document.querySelector("[data-phone]").classList.toggle("wide", value === "wide"));
preview.now();

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
    preview.now();
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
