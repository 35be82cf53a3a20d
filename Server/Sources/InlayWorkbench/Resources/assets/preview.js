// A preview in a frame: what the form says is drawn by the server, and put in place without a flash.

/**
 * Keeps a frame up to date. One request at a time: while one is under way, the newest wish waits.
 * @param {HTMLIFrameElement} frame
 * @param {() => Promise<string>} ask Fetches the document.
 * @param {{ drew?: () => void, failed?: (error: Error) => void }} outcome
 */
export function previewIn(frame, ask, { drew = () => {}, failed = () => {} } = {}) {
  /** @type {number | undefined} */
  let timer;
  let running = false, again = false;
  async function now() {
    clearTimeout(timer);
    if (running) { again = true; return; }
    running = true;
    try {
      show(frame, await ask());
      drew();
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)));
    } finally {
      running = false;
      if (again) { again = false; now(); }
    }
  }
  /** @param {number} delay */
  function soon(delay) { clearTimeout(timer); timer = setTimeout(now, delay); }
  return { now, soon };
}

/**
 * Changes the document in the frame in place: no flash, and it stays scrolled where it was.
 * @param {HTMLIFrameElement} frame
 * @param {string} html
 */
function show(frame, html) {
  // Taken out as text: this page's own policy would not let a style element of another document be read.
  const style = html.match(/<style[^>]*>([^]*?)<\/style>/)?.[1] ?? "";
  const next = new DOMParser().parseFromString(html.replace(/<style[^]*?<\/style>/, ""), "text/html");
  const page = frame.contentDocument;
  const sheet = page?.querySelector("style");
  if (!page?.body || !sheet) return;
  for (const { name } of [...page.documentElement.attributes]) page.documentElement.removeAttribute(name);
  for (const { name, value } of next.documentElement.attributes) page.documentElement.setAttribute(name, value);
  if (sheet.textContent !== style) sheet.textContent = style;
  const scroller = page.scrollingElement ?? page.documentElement;
  const top = scroller.scrollTop;
  page.body.replaceChildren(...[...next.body.childNodes].map((node) => page.importNode(node, true)));
  scroller.scrollTop = top;
}

/**
 * The fields of a form as a body; a form of ours has no files.
 * @param {HTMLFormElement} form
 */
export function fieldsOf(form) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  return body;
}

/**
 * Makes buttons of which one is pressed; `apply` gets the value of the pressed one's `data-NAME`.
 * @param {string} name
 * @param {(value: string) => void} apply
 */
export function press(name, apply) {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const found = document.querySelectorAll(`button[data-${name}]`);
  const buttons = [...found];
  /** @param {HTMLButtonElement | undefined} chosen */
  const mark = (chosen) => buttons.forEach((one) => one.setAttribute("aria-pressed", String(one === chosen)));
  for (const button of buttons) {
    button.addEventListener("click", () => { mark(button); apply(button.dataset[name] ?? ""); });
  }
  return (/** @type {string} */ value) => mark(buttons.find((button) => button.dataset[name] === value));
}
