// The template editor: updates the preview as the user types, and moves elements without loading the page again.
import { bindToggleGroup, fieldsOf, startPreview } from "./preview.js";
import { SignedOutError, sendRequest } from "./requests.js";
import { showToast } from "./workbench.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-editor]"));
const parts = /** @type {HTMLElement} */ (form.querySelector("[data-editor-parts]"));
const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("[data-frame]"));
const state = form.querySelector("[data-save-state]");
const fault = /** @type {HTMLElement} */ (document.querySelector("[data-preview-fault]"));
const part = /** @type {HTMLSelectElement} */ (document.querySelector("[data-part]"));
const view = { scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light" };
let isChanged = false;

// Preview ------------------------------------------------------------------------------------------

/** @returns {Promise<string>} */
async function fetchPreview() {
  const light = { "preview.scheme": view.scheme, "preview.part": part.value };
  const answer = state
    ? await sendRequest(form.dataset.preview ?? "", () => fragment("preview", light))
    : await sendRequest(`${form.dataset.preview}?${new URLSearchParams(light)}`, () => ({}));
  if (!answer.ok) throw new Error("The preview could not be drawn. What you typed is kept.");
  return answer.text();
}

/**
 * Returns a request for a part of the page, with the form's fields and additional ones.
 * @param {string} name
 * @param {Record<string, string>} more
 * @returns {RequestInit}
 */
function fragment(name, more) {
  const body = fieldsOf(form);
  for (const [field, value] of Object.entries(more)) body.set(field, value);
  return { method: "POST", body, headers: { "Inlay-Fragment": name } };
}

addEventListener("focus", () => { if (!fault.hidden) preview.update(); });

const preview = startPreview(frame, fetchPreview, {
  updated() { fault.hidden = true; },
  failed(error) {
    const isOffline = error instanceof TypeError;
    fault.textContent = isOffline ? "The server cannot be reached. What you typed is kept; the preview comes back by itself." : error.message;
    fault.hidden = false;
    if (isOffline) preview.updateSoon(3000);
  },
});

form.addEventListener("input", () => { markChanged(); preview.updateSoon(160); });
frame.addEventListener("load", preview.update);
part.addEventListener("change", preview.update);

document.querySelector("[data-preview-tools]")?.removeAttribute("hidden");
bindToggleGroup("scheme", (value) => { view.scheme = value; preview.update(); })(view.scheme);
bindToggleGroup("width", (value) => document.querySelector("[data-phone]")?.classList.toggle("wide", value === "wide"));
preview.update();

// Elements -----------------------------------------------------------------------------------------

function markChanged() {
  isChanged = true;
  if (state) state.textContent = "Not saved yet";
}

// The server changes the list of elements, as it does without scripts. Its response replaces the form's parts.
form.addEventListener("submit", async (event) => {
  const button = event.submitter;
  const step = button instanceof HTMLButtonElement ? button.value : "save";
  if (step === "save" || step === "publish") { isChanged = false; return; }
  event.preventDefault();
  event.stopImmediatePropagation();
  await applyStep(step);
});

let isApplying = false;

/**
 * Sends the form with a step, such as `up:PATH`, and replaces the form's parts by the response. Does nothing while
 * another step is applied, which may change the place that this one names.
 * @param {string} step
 */
async function applyStep(step) {
  if (isApplying) return;
  isApplying = true;
  try {
    const html = await changedParts(step);
    const open = new Set([...parts.querySelectorAll("details[open]")].map(ownerOf));
    /** @type {HTMLInputElement | null} */
    const field = parts.querySelector("[name='removed.path']");
    const removed = field?.value ?? "";
    const known = new Set(blocks().map((block) => block.dataset.block));
    parts.innerHTML = html;
    for (const details of parts.querySelectorAll("details")) if (open.has(ownerOf(details))) details.open = true;
    focusAfter(step, known, removed);
    fillParts();
    makeDraggable();
    markChanged();
    preview.update();
  } catch (error) {
    showToast(error instanceof SignedOutError ? error.message : "That did not reach the server. What you typed is kept; try again.", true);
  } finally {
    isApplying = false;
  }
}

/**
 * Returns the form's parts after a step. A response without what was typed meanwhile is dropped, and the step is sent
 * again.
 * @param {string} step
 * @returns {Promise<string>}
 */
async function changedParts(step) {
  let sent = "";
  const answer = await sendRequest(form.action, () => {
    sent = String(fieldsOf(form));
    return fragment("parts", { op: step });
  });
  if (!answer.ok) throw new Error();
  const html = await answer.text();
  return String(fieldsOf(form)) === sent ? html : changedParts(step);
}

/**
 * @param {EventTarget | null} target
 * @returns {HTMLElement | null} The block that contains the target.
 */
const blockOf = (target) => (target instanceof Element ? target.closest("[data-block]") : null);
/** @param {Element} details */
const ownerOf = (details) => blockOf(details)?.dataset.block;

/** @returns {HTMLElement[]} */
function blocks() {
  /** @type {NodeListOf<HTMLElement>} */
  const found = parts.querySelectorAll("[data-block]");
  return [...found];
}

/**
 * @param {string} path
 * @returns {HTMLElement | null}
 */
const blockAt = (path) => parts.querySelector(`[data-block="${CSS.escape(path)}"]`);

/**
 * @param {ParentNode | null} within
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
const find = (within, selector) => within?.querySelector(selector) ?? null;

/**
 * Moves the focus to the element that the step changed, so that the same key can move it further.
 * @param {string} step
 * @param {Set<string | undefined>} known The paths of the blocks before the step.
 * @param {string} removed The path of the element that was removed.
 */
function focusAfter(step, known, removed) {
  const [verb, path] = step.split(":");
  const [, list = "", number = ""] = path?.match(/^(.*)\[(\d+)\]$/) ?? [];
  if (verb === "up" || verb === "down") {
    const block = blockAt(`${list}[${Number(number) + (verb === "up" ? -1 : 1)}]`);
    block?.classList.add("moved");
    const again = find(block, `button[value^="${verb}:"]:not(:disabled)`) ?? find(block, "button:not(:disabled)");
    again?.focus();
    block?.scrollIntoView({ block: "nearest" });
  } else if (verb === "move") {
    const block = blockAt(`${list}[${step.split(":")[2]}]`);
    block?.classList.add("moved");
    find(block, "button:not(:disabled)")?.focus();
    block?.scrollIntoView({ block: "nearest" });
  } else if (verb === "remove") {
    (find(parts, "[data-removed] button") ?? find(parts, ".adder button"))?.focus();
  } else if (verb === "duplicate") {
    focusIn(blockAt(`${list}[${Number(number) + 1}]`));
  } else if (verb === "restore") {
    focusIn(blockAt(removed));
  } else {
    focusIn(blocks().find((block) => !known.has(block.dataset.block)) ?? null);
  }
}

/** @param {HTMLElement | null} block */
function focusIn(block) {
  const field = find(block, "input:not([type=hidden]), textarea, select");
  field?.focus();
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
  block?.scrollIntoView({ block: "nearest" });
}

// Alt with an arrow key moves the element that has the focus.
form.addEventListener("keydown", (event) => {
  if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  const block = blockOf(event.target);
  const verb = event.key === "ArrowUp" ? "up" : "down";
  const button = find(block, `:scope > .block-head button[value^="${verb}:"]:not(:disabled)`);
  if (!button) return;
  event.preventDefault();
  button.click();
});

// A block is dragged by its head, within its own list.
/** @type {HTMLElement | null} */
let dragged = null;

function makeDraggable() {
  for (const head of parts.querySelectorAll("[data-drag]")) head.setAttribute("draggable", "true");
}
makeDraggable();

form.addEventListener("dragstart", (event) => {
  const head = event.target instanceof Element ? event.target.closest("[data-drag]") : null;
  const block = blockOf(head);
  if (!block || !event.dataTransfer) return;
  dragged = block;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", block.dataset.block ?? "");
  event.dataTransfer.setDragImage(block, 16, 16);
  block.classList.add("dragged");
});

/**
 * Returns the block of the dragged block's list under the pointer, and whether the pointer is in its lower half.
 * @param {DragEvent} event
 */
function dropPlace(event) {
  const target = event.target instanceof Node ? event.target : null;
  const over = blocks().find((one) => one.parentElement === dragged?.parentElement && one.contains(target));
  if (!dragged || !over || over === dragged) return null;
  const box = over.getBoundingClientRect();
  return { over, isAfter: event.clientY > box.top + box.height / 2 };
}

function clearDropMarks() {
  for (const one of parts.querySelectorAll(".drop-before, .drop-after")) one.classList.remove("drop-before", "drop-after");
}

form.addEventListener("dragover", (event) => {
  clearDropMarks();
  const place = dropPlace(event);
  if (!place) return;
  event.preventDefault();
  place.over.classList.add(place.isAfter ? "drop-after" : "drop-before");
});

form.addEventListener("drop", (event) => {
  const place = dropPlace(event);
  if (!place || !dragged) return;
  event.preventDefault();
  /** @param {HTMLElement} block */
  const indexOf = (block) => Number(block.dataset.block?.match(/\[(\d+)\]$/)?.[1]);
  const from = indexOf(dragged), target = indexOf(place.over) + (place.isAfter ? 1 : 0);
  const to = target > from ? target - 1 : target;
  if (to !== from) applyStep(`move:${dragged.dataset.block}:${to}`);
});

form.addEventListener("dragend", () => {
  clearDropMarks();
  dragged?.classList.remove("dragged");
  dragged = null;
});

// Lists the card and the form's subviews as the parts that can be previewed.
function fillParts() {
  const chosen = part.value;
  /** @type {NodeListOf<HTMLInputElement>} */
  const subviews = parts.querySelectorAll("input[name^='subviews['][name$='].id']");
  part.replaceChildren(new Option("Card", ""), ...[...subviews].map((field) => {
    const title = form.elements.namedItem(field.name.replace(/\.id$/, ".title"));
    return new Option(`Subview: ${title instanceof HTMLInputElement ? title.value : field.value}`, field.value);
  }));
  part.value = chosen;
  if (part.selectedIndex < 0) part.value = "";
  part.hidden = part.length < 2;
}
fillParts();

// The browser asks before the user leaves with unsaved changes.
addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });
