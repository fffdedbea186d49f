// A plot as SVG: for export, and for curves over each other.

/** Round places of ticks between `low` and `high`; of a logarithmic axis the powers of ten, thinned. */
const ticksBetween = (low, high, log, most) => {
  if (log) {
    const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const stride = Math.max(1, Math.ceil((to - from) / most));
    const powers = [];
    const multiples = to - from < 3 ? [1, 2, 5] : [1];
    for (let k = from - 1; k <= to; k += k < from ? 1 : stride) powers.push(...multiples.map((size) => size * 10 ** k));
    const within = powers.filter((at) => at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9));
    if (within.length > 1) return within;
  }
  const raw = (high - low) / most;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * unit).find((size) => size >= raw * 0.999);
  const places = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) places.push(k * step);
  return places;
};

/** Smallest and largest finite value, with some room; of a logarithmic axis of the positive ones. */
const rangeOf = (lists, log) => {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (const value of list) {
      if (!Number.isFinite(value) || (log && value <= 0)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return log ? [0.1, 1] : [0, 1];
  if (log) return [low / 1.2, high * 1.2];
  const room = 0.05 * (high - low) || 0.05 * Math.abs(high) || 1;
  return [low - room, high + room];
};

const escaped = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\"", "&quot;");

/** Lines that are nearer than this [pixels] cannot be told from each other; and how much of its way a curve is beside itself as it goes on. */
const BESIDE = 3, GOING_ON = 24;

/**
 * A curve that goes the same way again and again, once: where it has been before there is no point. Else its dashes fall into the gaps of those before,
 * and the line is whole. Points are pixels of a picture of this size; what is outside of it stays.
 */
const onceOver = (points, width, height) => {
  const columns = Math.ceil(width / BESIDE) + 3, places = new Float64Array(columns * (Math.ceil(height / BESIDE) + 3)).fill(-1);
  const around = [-columns - 1, -columns, -columns + 1, -1, 0, 1, columns - 1, columns, columns + 1];
  const isInside = ([a, b]) => a >= 0 && b >= 0 && a <= width && b <= height;
  let length = 0;
  const isKnown = ([a, b]) => {
    const place = Math.round(a / BESIDE) + 1 + columns * (Math.round(b / BESIDE) + 1);
    if (around.some((by) => places[place + by] >= 0 && length - places[place + by] > GOING_ON)) return true;
    if (places[place] < 0) places[place] = length;
    return false;
  };
  return points.flatMap((point, i) => {
    const last = points[i - 1];
    if (!point || !last || !isInside(point) || !isInside(last)) return [point];
    const way = Math.hypot(point[0] - last[0], point[1] - last[1]), parts = Math.max(1, Math.ceil(2 * way / BESIDE));
    return Array.from({ length: parts }, (_, k) => {
      const at = [0, 1].map((axis) => last[axis] + (point[axis] - last[axis]) * (k + 1) / parts);
      length += way / parts;
      return isKnown(at) ? null : at;
    });
  });
};

/** Points of a curve in pixels; null where it has no value. Values of undefined are those of times of other curves. */
const pointsOf = (x, y, atX, atY) => [...y.keys()].filter((i) => y[i] !== undefined).map((i) => {
  const point = [atX(x[i]), atY(y[i])];
  return Number.isFinite(x[i]) && Number.isFinite(y[i]) && point.every(Number.isFinite) ? point : null;
});

/** The way over points; those that fall on the one before, or within its column of pixels between its ends, are left out. */
const wayOf = (points) => {
  let way = "", open = false, last = null, skipped = null;
  const put = ([a, b]) => { way += `${open ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`; open = true; };
  for (const point of points) {
    if (point === null) {
      if (skipped) put(skipped);
      [open, last, skipped] = [false, null, null];
      continue;
    }
    if (last && Math.hypot(point[0] - last[0], point[1] - last[1]) < 0.4) { skipped = point; continue; }
    put(point);
    [last, skipped] = [point, null];
  }
  if (skipped) put(skipped);
  return way;
};

/**
 * The text of an SVG image. `x` and `y` have `label`, `range`, `log`; curves `label`, `colour`, `dash`, `x`, `y`, and `returns` where they may go the
 * same way again; colours are those of `ink`, `grid` and `paper`. Letters are as large as beside the plots over time.
 */
const picture = ({ title, x, y, curves, width, height, ink, grid, paper }) => {
  const columns = Math.max(1, Math.floor((width - 80) / 230));
  const legend = 20 * Math.ceil(curves.length / columns);
  const [left, top, right, bottom] = [84, title ? 34 : 14, width - 16, height - 52 - legend];
  const scale = ({ range: [low, high], log }, from, to) => {
    const of = log ? Math.log10 : (value) => value;
    return (value) => from + (of(value) - of(low)) / (of(high) - of(low)) * (to - from);
  };
  const [atX, atY] = [scale(x, left, right), scale(y, bottom, top)];
  const text = (content, place, more = "") => `<text x="${place[0].toFixed(1)}" y="${place[1].toFixed(1)}" ${more}>${escaped(content)}</text>`;
  const lineOf = (c) => {
    const points = pointsOf(c.x, c.y, atX, atY);
    return wayOf(c.dash && c.returns ? onceOver(points, width, height) : points);
  };
  const line = (a, b) => `<path d="M${a[0].toFixed(1)} ${a[1].toFixed(1)}L${b[0].toFixed(1)} ${b[1].toFixed(1)}"/>`;
  const xTicks = ticksBetween(...x.range, x.log, Math.max(2, Math.floor((right - left) / 90)));
  const yTicks = ticksBetween(...y.range, y.log, Math.max(2, Math.floor((bottom - top) / 45)));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="${ink}">`,
    `<rect width="100%" height="100%" fill="${paper}"/>`,
    `<clipPath id="area"><rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/></clipPath>`,
    `<g stroke="${grid}">${xTicks.map((v) => line([atX(v), top], [atX(v), bottom])).join("")}${yTicks.map((v) => line([left, atY(v)], [right, atY(v)])).join("")}</g>`,
    ...xTicks.map((v) => text(tick(v), [atX(v), bottom + 16], "text-anchor=\"middle\"")),
    ...yTicks.map((v) => text(tick(v), [left - 6, atY(v) + 4], "text-anchor=\"end\"")),
    text(x.label, [(left + right) / 2, bottom + 36], "text-anchor=\"middle\" font-size=\"13\""),
    text(y.label, [0, 0], `text-anchor="middle" font-size="13" transform="translate(16 ${(top + bottom) / 2}) rotate(-90)"`),
    title ? text(title, [left, 20], "font-size=\"15\" font-weight=\"600\"") : "",
    `<g clip-path="url(#area)" fill="none" stroke-width="1.6" stroke-linejoin="round">`,
    ...curves.map((c) => `<path d="${lineOf(c)}" stroke="${c.colour}"${c.dash ? ` stroke-dasharray="${c.dash.join(" ")}"` : ""}/>`),
    "</g>",
    ...curves.map((c, k) => {
      const [a, b] = [left + (k % columns) * 230, height - legend + 20 * Math.floor(k / columns) + 6];
      return `<path d="M${a} ${b - 4}h22" stroke="${c.colour}" stroke-width="2.5"${c.dash ? ` stroke-dasharray="${c.dash.join(" ")}"` : ""}/>${text(c.label, [a + 28, b], "font-size=\"13\"")}`;
    }),
    "</svg>",
  ];
  return parts.join("");
};

/** Gives the browser a file to keep. */
const keep = (blob, name) => {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

/** An SVG text as a PNG of twice its size. */
const toPng = async (svg, width, height) => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element("canvas");
  [canvas.width, canvas.height] = [2 * width, 2 * height];
  canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
};
