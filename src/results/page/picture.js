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

/** The way of a curve; points that fall on the one before, or within its column of pixels between its ends, are left out. */
const wayOf = (x, y, atX, atY) => {
  let way = "", open = false, last = null, skipped = null;
  const put = ([a, b]) => { way += `${open ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`; open = true; };
  for (let i = 0; i < x.length; i += 1) {
    const point = [atX(x[i]), atY(y[i])];
    if (!Number.isFinite(x[i]) || !Number.isFinite(y[i]) || !point.every(Number.isFinite)) {
      if (y[i] !== undefined) { if (skipped) put(skipped); [open, last, skipped] = [false, null, null]; }
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
 * The text of an SVG image. `x` and `y` have `label`, `range`, `log`; curves `label`, `colour`, `dash`, `x`, `y`;
 * colours are those of `ink`, `grid` and `paper`.
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
    text(x.label, [(left + right) / 2, bottom + 36], "text-anchor=\"middle\" font-size=\"14\""),
    text(y.label, [0, 0], `text-anchor="middle" font-size="14" transform="translate(16 ${(top + bottom) / 2}) rotate(-90)"`),
    title ? text(title, [left, 20], "font-size=\"15\" font-weight=\"600\"") : "",
    `<g clip-path="url(#area)" fill="none" stroke-width="1.6" stroke-linejoin="round">`,
    ...curves.map((c) => `<path d="${wayOf(c.x, c.y, atX, atY)}" stroke="${c.colour}"${c.dash ? ` stroke-dasharray="${c.dash.join(" ")}"` : ""}/>`),
    "</g>",
    ...curves.map((c, k) => {
      const [a, b] = [left + (k % columns) * 230, height - legend + 20 * Math.floor(k / columns) + 6];
      return `<path d="M${a} ${b - 4}h22" stroke="${c.colour}" stroke-width="2.5"${c.dash ? ` stroke-dasharray="${c.dash.join(" ")}"` : ""}/>${text(c.label, [a + 28, b])}`;
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
