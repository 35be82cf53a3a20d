// Draws charts of counts per day or hour. The page has the same numbers in a table, also without this script.
/** @type {any} The library Chart.js, which the page loads before this script. */
const Chart = /** @type {{ Chart?: unknown }} */ (globalThis).Chart;
/** @type {any[]} */
const charts = [];
/**
 * The chart of a canvas, as the server describes it in `data-chart`.
 * @typedef {object} Drawing
 * @property {"bar" | "line"} kind
 * @property {string[]} labels
 * @property {{ label: string, counts: number[] }[]} lines
 * @property {number} [unfinished] The index of the day or hour that is not over.
 * @property {number[]} [before] The counts of the previous period.
 * @property {{ place: number, label: string }[]} [marks] Labels of days or hours, by their index.
 */

/** @param {string} name */
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
/** @param {number} index */
const series = (index) => color(`--series-${index + 1}`);
/**
 * Returns a color of six hexadecimal digits with an opacity from 0 to 1.
 * @param {string} hex
 * @param {number} alpha
 */
const withOpacity = (hex, alpha) => hex + Math.round(alpha * 255).toString(16).padStart(2, "0");

/** @param {Drawing} drawing */
function lineSets({ lines, unfinished, before }) {
  /** @type {object[]} */
  const sets = lines.map(({ label, counts }, index) => ({
    label, data: counts, borderWidth: 2, tension: 0, pointRadius: 0, pointHoverRadius: 4, borderColor: series(index), backgroundColor: withOpacity(series(index), 0.1),
    fill: "origin", order: index, segment: { borderDash: (/** @type {{ p1DataIndex: number }} */ { p1DataIndex }) => (p1DataIndex === unfinished ? [4, 4] : undefined) },
  }));
  if (before) {
    const line = color("--line");
    sets.push({ label: "Before", data: before, borderWidth: 2, tension: 0, pointRadius: 0, pointHoverRadius: 3, borderColor: line, backgroundColor: line, order: lines.length });
  }
  return sets;
}

/** @param {Drawing} drawing */
function barSets({ lines, unfinished }) {
  return lines.map(({ label, counts }, index) => ({
    label, data: counts, stack: "all", maxBarThickness: 48, borderWidth: counts.map((_, place) => (place === unfinished ? { top: 1, left: 1, right: 1, bottom: 0 } : 0)),
    borderColor: series(index), backgroundColor: counts.map((_, place) => (place === unfinished ? withOpacity(series(index), 0.35) : series(index))),
  }));
}

// Draws the name of each series beside its last point, or its part of a bar; labels that overlap are moved apart.
const directLabels = {
  id: "directLabels",
  /** @param {any} chart */
  afterDatasetsDraw(chart) {
    const { ctx, chartArea, data } = chart, height = 15;
    /** @type {{ text: string, y: number, color: string }[]} */
    const labels = data.datasets.map((/** @type {any} */ set, /** @type {number} */ index) => {
      // The labels of bars are at the last span that is over, because the unfinished span can be empty.
      const points = chart.getDatasetMeta(index).data, last = set.stack && points.length > 1 ? points.at(-2) : points.at(-1);
      const y = last ? (set.stack ? (last.y + last.base) / 2 : last.y) : chartArea.bottom;
      return { text: set.label, y, color: set.label === "Before" ? color("--muted") : set.borderColor };
    });
    labels.sort((a, b) => a.y - b.y);
    for (const [index, label] of labels.entries()) label.y = Math.max(label.y, index ? (labels[index - 1]?.y ?? 0) + height : chartArea.top + 4);
    let floor = chartArea.bottom - 4;
    for (const label of [...labels].reverse()) {
      label.y = Math.min(label.y, floor);
      floor = label.y - height;
    }
    ctx.save();
    ctx.font = `500 12px ${Chart.defaults.font.family}`;
    ctx.textBaseline = "middle";
    for (const { text, y, color: ink } of labels) {
      ctx.fillStyle = ink;
      ctx.fillText(text, chartArea.right + 8, y);
    }
    ctx.restore();
  },
};

// Draws a vertical line with a label at each mark, such as the publication of a version.
const marks = {
  id: "marks",
  /**
   * @param {any} chart
   * @param {unknown} _
   * @param {{ list: { place: number, label: string }[] }} options
   */
  beforeDatasetsDraw(chart, _, { list }) {
    const { ctx, chartArea, scales } = chart;
    ctx.save();
    ctx.strokeStyle = color("--muted");
    ctx.fillStyle = color("--muted");
    ctx.setLineDash([2, 3]);
    ctx.font = `400 11px ${Chart.defaults.font.family}`;
    for (const { place, label } of list) {
      const x = scales.x.getPixelForValue(place);
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
      ctx.textAlign = x > chartArea.right - 80 ? "right" : "left";
      ctx.fillText(label, x + (x > chartArea.right - 80 ? -4 : 4), chartArea.top + 8);
    }
    ctx.restore();
  },
};

/**
 * Returns the width in pixels of the widest label.
 * @param {any[]} sets
 */
function widestLabel(sets) {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return 0;
  context.font = `500 12px ${Chart.defaults.font.family}`;
  return Math.max(...sets.map((set) => context.measureText(set.label).width));
}

/** @param {HTMLCanvasElement} canvas */
function draw(canvas) {
  /** @type {Drawing} */
  const drawing = JSON.parse(canvas.dataset.chart ?? "{}");
  const { kind, labels, unfinished } = drawing;
  const muted = color("--muted"), sets = kind === "bar" ? barSets(drawing) : lineSets(drawing);
  const many = sets.length > 1;
  return new Chart(canvas, {
    type: kind === "bar" ? "bar" : "line",
    data: { labels, datasets: sets },
    plugins: many ? [directLabels, marks] : [marks],
    options: {
      animation: matchMedia("(prefers-reduced-motion: reduce)").matches ? false : { duration: 200 },
      responsive: true, maintainAspectRatio: false, clip: false,
      layout: { padding: { top: 8, right: many ? widestLabel(sets) + 16 : 8 } },
      interaction: { mode: "index", intersect: false },
      plugins: {
        legend: { display: false }, marks: { list: drawing.marks ?? [] },
        tooltip: {
          backgroundColor: color("--ink"), titleColor: color("--paper"), bodyColor: color("--paper"), displayColors: false, padding: 10, cornerRadius: 6,
          callbacks: { title: (/** @type {[{ dataIndex: number, label: string }]} */ [{ dataIndex, label }]) => (dataIndex === unfinished ? `${label}, so far` : label) },
        },
      },
      scales: {
        x: { stacked: kind === "bar", grid: { display: false, drawBorder: false }, ticks: { color: muted, maxRotation: 0, autoSkipPadding: 24 } },
        y: { stacked: kind === "bar", beginAtZero: true, grid: { color: color("--line-soft"), drawBorder: false }, ticks: { color: muted, precision: 0, maxTicksLimit: 6 } },
      },
    },
  });
}

async function drawAll() {
  if (!Chart) return;
  // A canvas draws text without waiting for a typeface, so the typefaces are loaded before.
  await Promise.all(["400 12px Inter", "500 12px Inter"].map((face) => document.fonts.load(face))).catch(() => undefined);
  while (charts.length) charts.pop().destroy();
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  /** @type {NodeListOf<HTMLCanvasElement>} */
  const canvases = document.querySelectorAll("canvas[data-chart]");
  for (const canvas of canvases) charts.push(draw(canvas));
}
drawAll();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
