// The requests of a page's own scripts: they go on after a sign-in in another tab, and what was typed stays in the page.

/** Nobody is signed in, so the server did not take the request. */
export class SignedOutError extends Error {
  constructor() { super("You are signed out. Sign in in another tab; what you typed stays here."); }
}

/**
 * Sends a request. One with the token of a sign-in that ended is sent again with the token of the sign-in that is in
 * force.
 * @param {string} address
 * @param {() => RequestInit} request Makes the request, with the token that the page has then.
 * @returns {Promise<Response>} Rejects with a `SignedOutError` while nobody is signed in.
 */
export async function sendRequest(address, request) {
  const token = tokenOf(document);
  let answer = await fetch(address, request());
  if (answer.status === 403 && await renewToken(token)) answer = await fetch(address, request());
  if (answer.status === 401 || answer.redirected) throw new SignedOutError();
  return answer;
}

/**
 * Gives the page's forms the token of the sign-in that is in force.
 * @param {string | undefined} used The token of the request that was refused.
 * @returns {Promise<boolean>} Whether the forms have another one.
 */
async function renewToken(used) {
  // Another request of the page, refused at the same time, was the first to renew it.
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
 * The token in the form that signs out, which every page has while an operator is signed in.
 * @param {Document} page
 */
function tokenOf(page) {
  /** @type {HTMLInputElement | null} */
  const field = page.querySelector('form[action="/workbench/sign-out"] [name=csrf]');
  return field?.value;
}
