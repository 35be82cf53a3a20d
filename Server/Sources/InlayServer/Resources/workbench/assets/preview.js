// A preview in a frame: what the form says is drawn by the server, and put in place without a flash.

/**
 * Keeps a frame up to date. `ask` fetches the document; `failed` hears of an error, `drew` that none came.
 * One request at a time: while one is under way, the newest wish waits.
 */
export function previewIn(frame, ask, { drew = () => {}, failed = () => {} } = {}) {
  let timer, running = false, again = false;
  async function now() {
    clearTimeout(timer);
    if (running) { again = true; return; }
    running = true;
    try {
      show(frame, await ask());
      drew();
    } catch (error) {
      failed(error);
    } finally {
      running = false;
      if (again) { again = false; now(); }
    }
  }
  return { now, soon(delay) { clearTimeout(timer); timer = setTimeout(now, delay); } };
}

// The document in the frame is changed in place: no flash, and it stays scrolled where it was.
function show(frame, html) {
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

/**
 * Gives this page's forms the token of the sign-in that is valid now; `form` selects one that stands on this page only
 * for whoever is signed in. Who signed in again in another tab has another token: with the old one, saving would lose
 * what was typed.
 */
export async function renewToken(form) {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const token = page.querySelector(`${form} [name=csrf]`)?.value;
  if (token) for (const field of document.querySelectorAll("[name=csrf]")) field.value = token;
  return Boolean(token);
}

/** Makes buttons of which one is pressed; `apply` gets the value of the pressed one's `data-NAME`. */
export function press(name, apply) {
  const buttons = [...document.querySelectorAll(`button[data-${name}]`)];
  const mark = (chosen) => buttons.forEach((one) => one.setAttribute("aria-pressed", String(one === chosen)));
  for (const button of buttons) {
    button.addEventListener("click", () => { mark(button); apply(button.dataset[name]); });
  }
  return (value) => mark(buttons.find((button) => button.dataset[name] === value));
}
