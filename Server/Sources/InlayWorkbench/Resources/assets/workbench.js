// Small conveniences on every page. Without this file every form and link still works.

// Toasts can be closed, and close themselves unless they offer something or the pointer rests on them.
for (const toast of document.querySelectorAll("[data-toast]")) {
  /** @type {HTMLElement | null} */
  const close = toast.querySelector("[data-close-toast]");
  if (close) close.hidden = false;
  close?.addEventListener("click", () => toast.remove());
  if (!toast.classList.contains("danger")) leaveLater(toast, toast.querySelector("form, a") ? 12000 : 6000);
}

/**
 * @param {Element} toast
 * @param {number} delay
 */
function leaveLater(toast, delay) {
  let timer = setTimeout(() => toast.remove(), delay);
  const stay = () => clearTimeout(timer);
  const go = () => { timer = setTimeout(() => toast.remove(), delay / 2); };
  toast.addEventListener("pointerenter", stay);
  toast.addEventListener("pointerleave", go);
  toast.addEventListener("focusin", stay);
  toast.addEventListener("focusout", go);
}

/**
 * Shows a toast made by a script; `text` is plain text.
 * @param {string} text
 */
export function say(text, isFault = false) {
  const toast = document.createElement("div");
  toast.className = isFault ? "toast-card danger" : "toast-card";
  toast.textContent = text;
  document.getElementById("toasts")?.append(toast);
  leaveLater(toast, 6000);
}

// Filters apply as they are changed; the button is for pages without script. Where a button stays, only a choice
// applies at once: who types into one line after the other is not done after the first.
/** @type {NodeListOf<HTMLFormElement>} */
const filters = document.querySelectorAll("form[data-autosubmit]");
for (const form of filters) {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = form.querySelectorAll("[data-hide-with-script]");
  buttons.forEach((button) => { button.hidden = true; });
  const waits = form.querySelector("button:not([hidden])") ? "input[type=search], input[type=text]" : "input[type=search]";
  form.addEventListener("change", ({ target }) => { if (target instanceof Element && !target.matches(waits)) form.requestSubmit(); });
  form.addEventListener("search", () => form.requestSubmit());
}

// A form that was sent shows that it is on its way, and is not sent twice.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) { event.preventDefault(); return; }
  form.dataset.sent = "true";
  const button = event.submitter;
  if (!button) return;
  setTimeout(() => { button.classList.add("busy"); button.setAttribute("aria-busy", "true"); }, 300);
});
addEventListener("pageshow", () => {
  document.querySelectorAll("form[data-sent]").forEach((form) => form.removeAttribute("data-sent"));
  document.querySelectorAll(".busy").forEach((button) => { button.classList.remove("busy"); button.removeAttribute("aria-busy"); });
});

// A secret that is shown once can be copied with one press.
/** @type {NodeListOf<HTMLElement>} */
const copyButtons = document.querySelectorAll("[data-copy]");
for (const button of copyButtons) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy ?? "");
    if (!source) return;
    const text = source.textContent ?? "";
    try {
      await navigator.clipboard.writeText(text);
      say("Copied.");
    } catch {
      getSelection()?.selectAllChildren(source);
      say("Selected; press Ctrl+C to copy.");
    }
  });
}

// Typing into a choice's field chooses it.
for (const choice of document.querySelectorAll(".choice")) {
  choice.addEventListener("input", (event) => {
    /** @type {HTMLInputElement | null} */
    const radio = choice.querySelector(":scope > input[type=radio]");
    if (radio && event.target !== radio) radio.checked = true;
  });
}

// Faults are read first.
document.getElementById("faults")?.focus();

// Bootstrap makes the rail a dialog while it is open on a small window and takes the role away again.
const rail = document.getElementById("rail");
rail?.addEventListener("hidden.bs.offcanvas", () => rail.setAttribute("role", "complementary"));
