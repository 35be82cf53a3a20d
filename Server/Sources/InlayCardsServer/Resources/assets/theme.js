// The theme editor: keeps swatches and fields in step, and updates the contrast and the preview as the user types.
import { bindToggleGroup, fieldsOf, startPreview } from "./preview.js";
import { sendRequest } from "./requests.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-theme-form]"));
const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("[data-frame]"));
const canEdit = !form.querySelector("[data-swatch]")?.hasAttribute("disabled");
let scheme = "light";

// A failure is not shown; the next change tries again, and the typed values stay.
const preview = startPreview(frame, async () => {
  const request = () => {
    const body = fieldsOf(form);
    body.set("preview.scheme", scheme);
    return { method: "POST", body, headers: { "Inlay-Fragment": "preview" } };
  };
  const answer = canEdit
    ? await sendRequest(form.dataset.preview ?? "", request)
    : await sendRequest(`${location.pathname}/preview?preview.scheme=${scheme}`, () => ({}));
  if (!answer.ok) throw new Error("The preview could not be drawn.");
  return answer.text();
});

/** @param {string} text */
const isColor = (text) => /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text);
/**
 * Returns a color of three, six or eight digits as one of six; an opacity is dropped.
 * @param {string} text
 */
const sixDigits = (text) => (text.length === 4 ? `#${[...text.slice(1)].map((digit) => digit + digit).join("")}` : text.slice(0, 7)).toLowerCase();
/** @param {HTMLInputElement} field */
const colorOf = (field) => (isColor(field.value) ? field.value : field.dataset.default ?? "");

/** @param {string} color */
function luminance(color) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => parseInt(sixDigits(color).slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function showContrast() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = form.querySelectorAll("[data-background]");
  for (const field of fields) {
    const background = form.elements.namedItem(field.dataset.background ?? "");
    const words = form.querySelector(`[data-ratio="${field.id}"]`);
    if (!(background instanceof HTMLInputElement) || !words) continue;
    const [one, other] = [luminance(colorOf(field)), luminance(colorOf(background))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const isLow = ratio < 4.5;
    words.classList.toggle("low", isLow);
    words.textContent = `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1${isLow ? " – hard to read" : ""}`;
  }
}

form.addEventListener("input", (event) => {
  const target = event.target;
  if (target instanceof HTMLInputElement) copyColor(target);
  showContrast();
  preview.updateSoon(120);
});

/** @param {HTMLInputElement} target */
function copyColor(target) {
  if (target.dataset.swatch) {
    const field = document.getElementById(target.dataset.swatch);
    if (field instanceof HTMLInputElement) field.value = target.value.toUpperCase();
  } else {
    /** @type {HTMLInputElement | null} */
    const swatch = form.querySelector(`[data-swatch="${target.id}"]`);
    if (swatch) swatch.value = sixDigits(colorOf(target));
  }
}

/** @type {HTMLInputElement | null} */
const dark = form.querySelector("[name=hasDark]");
const showDark = () => form.querySelector("[data-look=dark]")?.toggleAttribute("hidden", !dark?.checked);
dark?.addEventListener("change", showDark);
if (dark) showDark();

document.querySelector("[data-preview-tools]")?.removeAttribute("hidden");
bindToggleGroup("scheme", (value) => { scheme = value; preview.update(); });
frame.addEventListener("load", preview.update);
preview.update();
