// Small conveniences on every page. Without this script every form and link still works.

// Toasts can be closed. All but faults also close after a time, which is longer if they have an action.
for (const toast of document.querySelectorAll("[data-toast]")) {
  /** @type {HTMLElement | null} */
  const close = toast.querySelector("[data-close-toast]");
  if (close) close.hidden = false;
  close?.addEventListener("click", () => toast.remove());
  if (!toast.classList.contains("danger")) removeLater(toast, toast.querySelector("form, a") ? 12000 : 6000);
}

/**
 * Removes a toast after a delay. The pointer or the focus on the toast stops the time; half of it follows afterwards.
 * @param {Element} toast
 * @param {number} delay In milliseconds.
 */
function removeLater(toast, delay) {
  let timer = setTimeout(() => toast.remove(), delay);
  const stop = () => clearTimeout(timer);
  const restart = () => { timer = setTimeout(() => toast.remove(), delay / 2); };
  toast.addEventListener("pointerenter", stop);
  toast.addEventListener("pointerleave", restart);
  toast.addEventListener("focusin", stop);
  toast.addEventListener("focusout", restart);
}

/**
 * Shows a toast made by a script; `text` is plain text.
 * @param {string} text
 */
export function showToast(text, isFault = false) {
  const toast = document.createElement("div");
  toast.className = isFault ? "toast-card danger" : "toast-card";
  toast.textContent = text;
  document.getElementById("toasts")?.append(toast);
  removeLater(toast, 6000);
}

// Filters are submitted when they change; their button is for pages without scripts. A form whose button stays is not
// submitted when a text field changes, because the user may still fill the next field.
/** @type {NodeListOf<HTMLFormElement>} */
const filters = document.querySelectorAll("form[data-autosubmit]");
for (const form of filters) {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = form.querySelectorAll("[data-hide-with-script]");
  buttons.forEach((button) => { button.hidden = true; });
  const unsubmitted = form.querySelector("button:not([hidden])") ? "input[type=search], input[type=text]" : "input[type=search]";
  form.addEventListener("change", ({ target }) => { if (target instanceof Element && !target.matches(unsubmitted)) form.requestSubmit(); });
  form.addEventListener("search", () => form.requestSubmit());
}

// A submitted form marks its button as busy after 300 ms, and cannot be submitted twice.
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

// Buttons that copy the text of an element, such as a secret that is shown once.
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
      showToast("Copied.");
    } catch {
      getSelection()?.selectAllChildren(source);
      showToast("Selected; press Ctrl+C to copy.");
    }
  });
}

// Typing into a field of a choice selects the choice's radio button.
for (const choice of document.querySelectorAll(".choice")) {
  choice.addEventListener("input", (event) => {
    /** @type {HTMLInputElement | null} */
    const radio = choice.querySelector(":scope > input[type=radio]");
    if (radio && event.target !== radio) radio.checked = true;
  });
}

// The list of faults gets the focus, so that screen readers read it first.
document.getElementById("faults")?.focus();

// Bootstrap gives the rail the role of a dialog while it is open in a small window, and then removes the role.
const rail = document.getElementById("rail");
rail?.addEventListener("hidden.bs.offcanvas", () => rail.setAttribute("role", "complementary"));
