// The Hub's pages: updates the preview as the user types, and sends chosen files to the server.
import { fieldsOf } from "./preview.js";
import { SignedOutError, sendRequest } from "./requests.js";
import { refusalReason, sendChosenFiles } from "./upload.js";

/** @type {HTMLFormElement | null} */
const form = document.querySelector("[data-hub-form]");
if (form) followPreview(form);
/** @type {HTMLElement | null} */
const upload = document.querySelector("[data-upload]");
if (upload) sendFiles(upload);

/** @param {HTMLFormElement} form */
function followPreview(form) {
  const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("[data-frame]"));
  const fault = /** @type {HTMLElement} */ (document.querySelector("[data-preview-fault]"));
  /** @type {number | undefined} */
  let timer;
  let running = false, again = false;
  /** @returns {Promise<string>} */
  async function fetchPreview() {
    const answer = await sendRequest(form.dataset.preview ?? "", () => ({
      method: "POST", body: fieldsOf(form), headers: { "Inlay-Fragment": "preview" },
    }));
    if (!answer.ok) throw new Error("The preview could not be drawn. What you typed is kept.");
    return answer.text();
  }
  async function preview() {
    if (running) { again = true; return; }
    running = true;
    try {
      const html = await fetchPreview();
      const top = frame.contentWindow?.scrollY ?? 0;
      frame.addEventListener("load", () => frame.contentWindow?.scrollTo(0, top), { once: true });
      frame.srcdoc = html;
      fault.hidden = true;
    } catch (error) {
      fault.textContent = error instanceof TypeError ? "The server cannot be reached. What you typed is kept." : error instanceof Error ? error.message : "";
      fault.hidden = false;
    } finally {
      running = false;
      if (again) { again = false; preview(); }
    }
  }
  if (form.querySelector("[readonly]")) return;
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(preview, 250); });
  addEventListener("focus", () => { if (!fault.hidden) preview(); });
}

/** @param {HTMLElement} form */
function sendFiles(form) {
  const words = /** @type {HTMLElement} */ (form.querySelector("[data-upload-words]"));
  const field = /** @type {HTMLInputElement} */ (form.querySelector("[type=file]"));
  sendChosenFiles(field, async (files) => {
    const faults = [];
    for (const [index, file] of files.entries()) {
      words.textContent = `Sending ${file.name} (${index + 1} of ${files.length}) …`;
      const fault = await send(file);
      if (fault) faults.push(`${file.name} ${fault}`);
    }
    if (faults.length === 0) location.reload();
    else words.textContent = faults.join(" ");
  });

  /** @param {File} file */
  async function send(file) {
    if (!globalThis.crypto?.subtle) return "was not sent: the browser hashes files only over https or on localhost.";
    const name = file.name.toLowerCase().replace(/[^a-z0-9._-]+/g, "-").replace(/^[-.]+/, "");
    try {
      const bytes = await file.arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      const answer = await sendRequest(`${form.dataset.upload}?${new URLSearchParams({ name, hash })}`, () => ({
        method: "PUT", body: bytes, headers: { "Inlay-Form": form.dataset.formToken ?? "", "Inlay-Fragment": "upload", "Content-Type": "application/octet-stream" },
      }));
      if (answer.ok) return null;
      return `was not stored: ${await refusalReason(answer)}`;
    } catch (error) {
      if (error instanceof SignedOutError) return "was not stored: you are signed out. Sign in in another tab and choose it again.";
      return "may have been stored: the server cannot be reached. Load the page again to see.";
    }
  }
}
