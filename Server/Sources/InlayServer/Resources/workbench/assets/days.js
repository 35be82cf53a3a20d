// Draws the days of a page. The same numbers stand in a table, so nothing is lost without this.
const charts = [];
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function draw(canvas) {
  const { labels, sent, displayed, completed } = JSON.parse(canvas.dataset.days);
  const line = (label, data, more) => ({ label, data, borderWidth: 2, tension: 0, pointRadius: 0, pointHoverRadius: 4, ...more });
  const accent = color("--accent"), muted = color("--muted");
  return new Chart(canvas, {
    type: "line",
    data: {
      labels,
      datasets: [
        line("Completed", completed, { borderColor: accent, backgroundColor: accent }),
        line("Sent", sent, { borderColor: muted, backgroundColor: muted, borderDash: [4, 4], borderWidth: 1.5 }),
        line("Displayed", displayed, { borderColor: "transparent", backgroundColor: color("--line"), hidden: false }),
      ],
    },
    options: {
      animation: matchMedia("(prefers-reduced-motion: reduce)").matches ? false : { duration: 200 },
      responsive: true, maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      font: { family: getComputedStyle(document.body).fontFamily },
      plugins: {
        legend: { display: false },
        tooltip: { backgroundColor: color("--ink"), titleColor: color("--paper"), bodyColor: color("--paper"), displayColors: false, padding: 10, cornerRadius: 6 },
      },
      scales: {
        x: { grid: { display: false }, border: { color: color("--line") }, ticks: { color: muted, maxRotation: 0, autoSkipPadding: 24, callback(value) { return short(this.getLabelForValue(value)); } } },
        y: { beginAtZero: true, grid: { color: color("--line-soft"), drawBorder: false }, ticks: { color: muted, precision: 0, maxTicksLimit: 7 } },
      },
    },
  });
}

function short(day) {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

function drawAll() {
  while (charts.length) charts.pop().destroy();
  if (!globalThis.Chart) return;
  for (const canvas of document.querySelectorAll("canvas[data-days]")) charts.push(draw(canvas));
}
drawAll();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
