// Draws counts over time, a line for each group. The same numbers stand in a table.
const charts = [];
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3], [1, 2]];

function draw(canvas) {
  const { labels, lines } = JSON.parse(canvas.dataset.series);
  const accent = color("--accent"), muted = color("--muted");
  return new Chart(canvas, {
    type: "line",
    data: {
      labels,
      datasets: lines.map(({ label, counts }, index) => ({
        label, data: counts, borderWidth: index === 0 ? 2 : 1.5, tension: 0, pointRadius: labels.length > 40 ? 0 : 2,
        borderColor: index === 0 ? accent : muted, backgroundColor: index === 0 ? accent : muted, borderDash: dashes[index] ?? [],
      })),
    },
    options: {
      animation: matchMedia("(prefers-reduced-motion: reduce)").matches ? false : { duration: 200 },
      responsive: true, maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      plugins: {
        legend: { display: lines.length > 1, labels: { color: muted, boxWidth: 24, boxHeight: 1 } },
        tooltip: { backgroundColor: color("--ink"), titleColor: color("--paper"), bodyColor: color("--paper"), displayColors: false, padding: 10, cornerRadius: 6 },
      },
      scales: {
        x: { grid: { display: false }, border: { color: color("--line") }, ticks: { color: muted, maxRotation: 0, autoSkipPadding: 24 } },
        y: { beginAtZero: true, grid: { color: color("--line-soft") }, ticks: { color: muted, precision: 0, maxTicksLimit: 7 } },
      },
    },
  });
}

function drawAll() {
  while (charts.length) charts.pop().destroy();
  if (!globalThis.Chart) return;
  for (const canvas of document.querySelectorAll("canvas[data-series]")) charts.push(draw(canvas));
}
drawAll();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
