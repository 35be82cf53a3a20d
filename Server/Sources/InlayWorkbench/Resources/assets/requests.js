// The requests of a page's own scripts. They continue after a sign-in in another tab, so nothing typed is lost.

/** The error of a request that the server refused because no operator is signed in. */
export class SignedOutError extends Error {
  constructor() { super("You are signed out. Sign in in another tab; what you typed stays here."); }
}

/**
 * Sends a request. If its form token belongs to a sign-in that has ended, it is sent again with the current token.
 * @param {string} address
 * @param {() => RequestInit} request Makes the request, with the page's token at that time.
 * @returns {Promise<Response>} Rejects with a `SignedOutError` while no operator is signed in.
 */
export async function sendRequest(address, request) {
  const token = tokenOf(document);
  let answer = await fetch(address, request());
  if (answer.status === 403 && await renewToken(token)) answer = await fetch(address, request());
  if (answer.status === 401 || answer.redirected) throw new SignedOutError();
  return answer;
}

/**
 * Puts the form token of the current sign-in into the page's forms.
 * @param {string | undefined} used The token of the request that was refused.
 * @returns {Promise<boolean>} Whether the forms now have another token.
 */
async function renewToken(used) {
  // Another request of the page, refused at the same time, has renewed the token already.
  if (tokenOf(document) !== used) return true;
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const token = tokenOf(page);
  if (!token || token === used) return false;
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll("[name=csrf]");
  for (const field of fields) field.value = token;
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll("[data-form-token]");
  for (const place of places) place.dataset.formToken = token;
  return true;
}

/**
 * Returns the form token of a page: that of the sign-out form, which every page has while an operator is signed in.
 * @param {Document} page
 */
function tokenOf(page) {
  /** @type {HTMLInputElement | null} */
  const field = page.querySelector('form[action="/workbench/sign-out"] [name=csrf]');
  return field?.value;
}
