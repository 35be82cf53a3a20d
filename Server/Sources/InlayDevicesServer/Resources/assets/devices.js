// The page of an application: sends a chosen picture to the server as the application's logo.
import { SignedOutError, sendRequest } from "./requests.js";
import { refusalReason, sendChosenFiles } from "./upload.js";

/** @type {HTMLElement | null} */
const place = document.querySelector("[data-logo]");
if (place) uploadLogo(place);

/** @param {HTMLElement} place */
function uploadLogo(place) {
  const words = /** @type {HTMLElement} */ (place.querySelector("[data-logo-words]"));
  const field = /** @type {HTMLInputElement} */ (place.querySelector("[type=file]"));
  sendChosenFiles(field, async ([file]) => {
    if (!file) return;
    words.textContent = `Sending ${file.name} …`;
    try {
      const answer = await sendRequest(place.dataset.logo ?? "", () => ({
        method: "PUT", body: file,
        headers: { "Inlay-Form": place.dataset.formToken ?? "", "Inlay-Fragment": "upload", "Content-Type": "application/octet-stream" },
      }));
      if (answer.ok) location.reload();
      else words.textContent = `${file.name} was not stored: ${await refusalReason(answer)}`;
    } catch (error) {
      words.textContent = error instanceof SignedOutError ? error.message : "The server cannot be reached.";
    }
  });
}
