// A preview in a frame: the server renders the form's values, and the frame's document is updated in place.

/**
 * Returns functions that update a frame at once or after a delay. There is one request at a time: updates that are
 * requested meanwhile are combined into one that follows.
 * @param {HTMLIFrameElement} frame
 * @param {() => Promise<string>} fetchDocument
 * @param {{ updated?: () => void, failed?: (error: Error) => void }} outcome
 */
export function startPreview(frame, fetchDocument, { updated = () => {}, failed = () => {} } = {}) {
  /** @type {number | undefined} */
  let timer;
  let running = false, again = false;
  async function update() {
    clearTimeout(timer);
    if (running) { again = true; return; }
    running = true;
    try {
      show(frame, await fetchDocument());
      updated();
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)));
    } finally {
      running = false;
      if (again) { again = false; update(); }
    }
  }
  /** @param {number} delay In milliseconds. */
  function updateSoon(delay) { clearTimeout(timer); timer = setTimeout(update, delay); }
  return { update, updateSoon };
}

/**
 * Changes the frame's document in place, without a flash, and keeps its scroll position.
 * @param {HTMLIFrameElement} frame
 * @param {string} html
 */
function show(frame, html) {
  // The style is taken from the text: this page's content security policy blocks style elements of the parsed document.
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
 * Returns the fields of a form as the body of a request. The form must have no files.
 * @param {HTMLFormElement} form
 */
export function fieldsOf(form) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  return body;
}

/**
 * Makes a group of all buttons with `data-NAME`, of which one is pressed. A press calls `apply` with the button's
 * value. Returns a function that marks the button with a value as pressed.
 * @param {string} name
 * @param {(value: string) => void} apply
 */
export function bindToggleGroup(name, apply) {
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
