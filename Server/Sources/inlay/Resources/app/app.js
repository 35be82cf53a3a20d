// Points the phone at its surface and passes the controls on as the environment a real device would report.
const frame = document.getElementById("surface");
const controls = document.querySelector(".controls");

async function start() {
  const config = await (await fetch("config.json")).json();
  document.getElementById("workbench").href = config.workbench;
  controls.addEventListener("change", () => show(config.surface));
  show(config.surface);
}

function show(surface) {
  const chosen = new URLSearchParams();
  for (const [name, value] of new FormData(controls)) if (value) chosen.set(name, value);
  document.documentElement.style.colorScheme = chosen.get("scheme") ?? "light dark";
  if (chosen.get("scheme")) document.documentElement.dataset.scheme = chosen.get("scheme");
  else delete document.documentElement.dataset.scheme;
  frame.src = `${surface}?${chosen}`;
}

start();
