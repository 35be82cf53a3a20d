// Live events: fetches the new events every two seconds and adds them at the top of the table.
const maximumRows = 200;
const stream = /** @type {HTMLTableElement} */ (document.querySelector("[data-stream]"));
const body = /** @type {HTMLTableSectionElement} */ (stream.querySelector("tbody"));
const words = /** @type {HTMLElement} */ (document.querySelector("[data-stream-words]"));
const pause = /** @type {HTMLButtonElement} */ (document.querySelector("[data-pause]"));
let isPaused = false;

async function fetchEvents() {
  if (isPaused || document.hidden) return;
  const answer = await fetch(`${stream.dataset.stream}?since=${stream.dataset.cursor}`, { headers: { "Inlay-Fragment": "stream" } });
  if (!answer.ok) throw new Error(answer.status === 401 ? "You are signed out." : "The server did not answer.");
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const table = page.querySelector("table");
  if (!table) return;
  stream.dataset.cursor = table.dataset.cursor;
  const rows = [...table.querySelectorAll("tr")];
  if (rows.length === 0) return;
  document.querySelector("[data-stream-empty]")?.remove();
  stream.hidden = false;
  body.prepend(...rows.map((row) => document.importNode(row, true)));
  while (body.rows.length > maximumRows) body.lastElementChild?.remove();
}

async function poll() {
  try {
    await fetchEvents();
    words.textContent = "";
  } catch (error) {
    words.textContent = error instanceof TypeError ? "The server cannot be reached. It is asked again." : error instanceof Error ? error.message : "";
  }
  setTimeout(poll, 2000);
}

pause.hidden = false;
pause.addEventListener("click", () => {
  isPaused = !isPaused;
  pause.setAttribute("aria-pressed", String(isPaused));
});
setTimeout(poll, 2000);
