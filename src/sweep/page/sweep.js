// The page of a sweep: a scatter plot and parallel coordinates of its members, drawn as SVG.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
// `angle [rad]` as name and unit; parameters have none.
const columns = data.columns.map((heading, k) => {
  const [, name, unit] = /^(.*?)(?: \[([^\]]*)\])?$/.exec(heading);
  const failed = k < data.parameters ? data.failed_rows.map((row) => row[k]) : data.failed_rows.map(() => null);
  return { heading, name, unit: unit ?? "", k, values: data.rows.map((row) => row[k]), failed };
});
const SVG = "http://www.w3.org/2000/svg";

const element = (tag, text, attributes = {}) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};
const shape = (tag, attributes, text) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const short = (value) => (value === null ? "none" : String(Number(value.toPrecision(4))));

/** Least and largest of a column, failed members among them, apart also where all are equal. */
const range = ({ values, failed }) => {
  let [least, largest] = [Infinity, -Infinity];
  for (const list of [values, failed]) for (const value of list) if (value !== null) { least = Math.min(least, value); largest = Math.max(largest, value); }
  if (least > largest) return [0, 1];
  const margin = least === largest ? Math.abs(least) * 0.05 || 1 : 0;
  return [least - margin, largest + margin];
};

// Viridis, which stays in order for colour-blind readers and in print; its darkest part is left out on dark ground.
const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const systemTheme = matchMedia("(prefers-color-scheme: dark)");
// As of the last event: a browser (Chromium) leaves the event out if `matches` is read between the change and the event.
let isDark = systemTheme.matches;
const colour = (part) => {
  const within = isDark ? 0.25 + 0.75 * part : 0.85 * part;
  const at = Math.min(within, 0.999) * (RAMP.length - 1);
  const [a, b, f] = [RAMP[Math.floor(at)], RAMP[Math.floor(at) + 1], at % 1];
  return `rgb(${a.map((v, k) => Math.round(v + f * (b[k] - v))).join(",")})`;
};
const partOf = (value, [least, largest]) => (value - least) / (largest - least);
/** With room for whole points at both ends. */
const wider = ([least, largest]) => [least - 0.03 * (largest - least), largest + 0.03 * (largest - least)];

/** Steps of 1, 2 or 5 times a power of ten. */
const ticks = ([least, largest], most) => {
  const rough = (largest - least) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough);
  const found = [];
  for (let k = Math.ceil(least / step); k * step <= largest * (1 + 1e-12) + 1e-300; k += 1) found.push(k * step);
  return found;
};

const brushes = new Map(); // axis of the parallel coordinates -> [least, largest] that is kept
/** Whether a member passes all marked ranges; one that failed has no outputs. */
const isOn = (row) => [...brushes].every(([k, [least, largest]]) => (row[k] ?? null) !== null && row[k] >= least && row[k] <= largest);
const state = { x: 0, y: Math.min(data.parameters, columns.length - 1), colour: columns.length - 1 };

const telling = (k) => [`member ${data.members[k]}`, ...columns.map((column) => `${column.heading}: ${short(column.values[k])}`)].join("\n");
const tellingFailed = (k) => [`member ${data.failed_members[k]} failed`,
  ...columns.slice(0, data.parameters).map((column) => `${column.heading}: ${short(column.failed[k])}`)].join("\n");

/** The colours of the plots, with the ends of what they show, and the mark of members that failed. */
const legend = (svg) => {
  const column = columns[state.colour];
  const [least, largest] = range(column);
  const width = Math.min(svg.parentNode.clientWidth || 600, 460);
  svg.setAttribute("viewBox", `0 0 ${width} 48`);
  svg.style.width = `${width}px`;
  const gradient = shape("linearGradient", { id: "colours" });
  for (let k = 0; k <= 10; k += 1) gradient.append(shape("stop", { offset: k / 10, "stop-color": colour(k / 10) }));
  const name = shape("text", { class: "name", x: 0, y: 12 }, fitting(column.heading, width));
  svg.replaceChildren(gradient, name, shape("rect", { x: 0, y: 18, width: 200, height: 10, fill: "url(#colours)" }));
  svg.append(shape("text", { x: 0, y: 42 }, short(least)), shape("text", { x: 200, y: 42, "text-anchor": "end" }, short(largest)));
  let x = 222;
  const entry = (mark, text) => {
    svg.append(mark, shape("text", { x: x + 12, y: 28 }, text));
    x += 30 + 7 * text.length;
  };
  if (column.values.some((value) => value === null)) entry(shape("circle", { cx: x, cy: 24, r: 4, fill: "var(--soft)" }), "no value");
  if (data.failed_rows.length) entry(cross(x, 24, 4, ""), "failed");
};
const cross = (x, y, r, title) => {
  const mark = shape("path", { class: "failed", d: `M${x - r},${y - r}L${x + r},${y + r}M${x - r},${y + r}L${x + r},${y - r}` });
  if (title) mark.append(shape("title", {}, title));
  return mark;
};
/** A text within so many pixels, at about 7 px a letter. */
const fitting = (text, room) => {
  const letters = Math.max(Math.floor(room / 7), 2);
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
};

const scatter = (svg) => {
  const width = svg.parentNode.clientWidth || 600;
  const height = Math.round(Math.min(Math.max(width * 0.5, 280), 900));
  const [left, right, top, bottom] = [76, 16, 10, 48];
  const [x, y, c] = [columns[state.x], columns[state.y], columns[state.colour]];
  const [rx, ry, rc] = [wider(range(x)), wider(range(y)), range(c)];
  const px = (v) => left + partOf(v, rx) * (width - left - right);
  const py = (v) => height - bottom - partOf(v, ry) * (height - top - bottom);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  for (const t of ticks(rx, width / 80)) {
    svg.append(shape("line", { class: "axis", x1: px(t), x2: px(t), y1: top, y2: height - bottom }));
    svg.append(shape("text", { x: px(t), y: height - bottom + 18, "text-anchor": "middle" }, short(t)));
  }
  for (const t of ticks(ry, height / 60)) {
    svg.append(shape("line", { class: "axis", x1: left, x2: width - right, y1: py(t), y2: py(t) }));
    svg.append(shape("text", { x: left - 8, y: py(t) + 4, "text-anchor": "end" }, short(t)));
  }
  svg.append(shape("text", { class: "name", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, fitting(x.heading, width - left)));
  const middle = (top + height - bottom) / 2;
  svg.append(shape("text", { class: "name", "text-anchor": "middle", transform: `translate(14 ${middle}) rotate(-90)` }, fitting(y.heading, height)));
  const radius = data.rows.length > 800 ? 2 : 3.5;
  data.rows.forEach((row, k) => {
    if (x.values[k] === null || y.values[k] === null) return;
    const fill = c.values[k] === null ? "var(--soft)" : colour(partOf(c.values[k], rc));
    const dot = shape("circle", { cx: px(x.values[k]), cy: py(y.values[k]), r: radius, fill, class: isOn(row) ? "" : "off" });
    dot.append(shape("title", {}, telling(k)));
    svg.append(dot);
  });
  // A failed member has parameters alone: of two it stands at its place, of one at the edge.
  data.failed_rows.forEach((row, k) => {
    const [vx, vy] = [x.failed[k], y.failed[k]];
    if (!isOn(row) || (vx === null && vy === null)) return;
    svg.append(cross(vx === null ? left : px(vx), vy === null ? height - bottom : py(vy), 4, tellingFailed(k)));
  });
};

const parallel = (svg) => {
  const width = Math.max(svg.parentNode.clientWidth || 600, columns.length * 96);
  const height = Math.round(Math.min(Math.max(innerHeight * 0.5, 300), 900));
  const [top, bottom, side] = [58, 40, 60];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.width = `${width}px`;
  svg.replaceChildren();
  const ranges = columns.map(range);
  const room = (width - 2 * side) / Math.max(columns.length - 1, 1);
  const at = (k) => side + k * room;
  const py = (value, k) => height - bottom - partOf(value, ranges[k]) * (height - top - bottom);
  const c = columns[state.colour];
  /** A line over the axes at which the member has a value: none leads past one that it has not. */
  const line = (row, title, attributes) => {
    let [d, pen] = ["", "M"];
    columns.forEach((_, j) => {
      const value = row[j] ?? null;
      if (value !== null) d += `${pen}${at(j)},${py(value, j)}`;
      pen = value === null ? "M" : "L";
    });
    const made = shape("path", { ...attributes, d });
    made.append(shape("title", {}, title));
    svg.append(made);
  };
  const order = data.rows.map((row, k) => [isOn(row), row, k]).sort((a, b) => a[0] - b[0]);
  for (const [on, row, k] of order) {
    const stroke = c.values[k] === null ? "var(--soft)" : colour(partOf(c.values[k], ranges[c.k]));
    line(row, telling(k), { class: on ? "run" : "run off", ...(on ? { stroke } : {}) });
  }
  data.failed_rows.forEach((row, k) => {
    line(row, tellingFailed(k), { class: isOn(row) ? "run failed" : "run off" });
    if (isOn(row)) row.forEach((value, j) => svg.append(cross(at(j), py(value, j), 3, tellingFailed(k))));
  });
  columns.forEach((column, k) => axis(svg, column, k, { at, py, room, side, top, bottom, height, range: ranges[k] }));
};

/** An axis of the parallel coordinates; dragging along it keeps the members that pass there, a click keeps all. */
const axis = (svg, column, k, { at, py, room, side, top, bottom, height, range: [least, largest] }) => {
  const x = at(k);
  svg.append(shape("line", { class: "axis", x1: x, x2: x, y1: top, y2: height - bottom, "stroke-width": 2 }));
  // Long names of the outer ones begin and end at the edges; those between have the room of an axis.
  const isLong = 7 * Math.max(column.name.length, column.unit.length + 2) > 2 * side;
  const [isFirst, isLast] = [isLong && k === 0, isLong && k === columns.length - 1];
  const anchor = isFirst ? "start" : isLast ? "end" : "middle";
  const edge = isFirst ? x - side + 4 : isLast ? x + side - 4 : x;
  const own = room - 8 + (isFirst || isLast ? side - room / 2 : 0);
  const heading = shape("text", { class: "name", x: edge, y: 14, "text-anchor": anchor }, fitting(column.name, own));
  heading.append(shape("title", {}, column.heading));
  svg.append(heading, shape("text", { x: edge, y: 30, "text-anchor": anchor }, column.unit && `[${column.unit}]`));
  svg.append(shape("text", { x, y: top - 8, "text-anchor": "middle" }, short(largest)));
  svg.append(shape("text", { x, y: height - bottom + 16, "text-anchor": "middle" }, short(least)));
  const without = column.values.filter((value) => value === null).length;
  if (without) svg.append(shape("text", { class: "warn", x, y: height - bottom + 32, "text-anchor": "middle" }, `${without} without`));
  const kept = brushes.get(k);
  if (kept) {
    const [upper, lower] = [py(kept[1], k), py(kept[0], k)];
    svg.append(shape("rect", { class: "brush", x: x - 6, width: 12, y: upper, height: Math.max(lower - upper, 1) }));
  }
  const grip = shape("rect", { class: "grip", x: x - 14, width: 28, y: top, height: height - top - bottom });
  const value = (event) => {
    const box = svg.getBoundingClientRect();
    const y = ((event.clientY - box.top) * height) / box.height;
    return least + (1 - (Math.min(Math.max(y, top), height - bottom) - top) / (height - top - bottom)) * (largest - least);
  };
  grip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const from = value(event);
    const end = (last) => {
      removeEventListener("pointerup", end);
      const to = value(last);
      if (Math.abs(to - from) < (largest - least) * 0.01) brushes.delete(k);
      else brushes.set(k, [Math.min(from, to), Math.max(from, to)]);
      draw();
    };
    addEventListener("pointerup", end);
  });
  svg.append(grip);
};

const choice = (label, key) => {
  const outer = element("label", `${label} `);
  const select = element("select");
  for (const column of columns) select.append(new Option(column.heading, column.k, false, column.k === state[key]));
  select.addEventListener("change", () => { state[key] = Number(select.value); draw(); });
  outer.append(select);
  return outer;
};

const card = (title, ...parts) => {
  const made = element("section", undefined, { class: "card" });
  made.append(element("h2", title), ...parts);
  return made;
};
const table = (heads, rows) => {
  const made = element("table");
  const line = (cells, tag) => {
    const row = element("tr");
    row.append(...cells.map((cell) => element(tag, cell)));
    return row;
  };
  if (heads.length) made.append(line(heads, "th"));
  made.append(...rows.map((row) => line(row, "td")));
  const outer = element("div", undefined, { class: "scroll" });
  outer.append(made);
  return outer;
};

const plots = [];
const draw = () => {
  plots.forEach(([svg, paint]) => paint(svg));
  const [on, all] = [[...data.rows, ...data.failed_rows].filter(isOn).length, data.rows.length + data.failed_rows.length];
  document.getElementById("kept").textContent = brushes.size ? `${on} of ${all} members pass the marked ranges.` : "";
};
const build = () => {
  const head = document.getElementById("head");
  head.append(element("h1", data.title), element("p", data.description, { class: "lead" }));
  head.append(element("p", data.counts, { class: "lead" }));
  const main = document.getElementById("main");
  data.warnings.forEach((warning) => main.append(element("p", warning, { class: "warning" })));
  if (data.search.length) main.append(card("Search", table([], data.search)));
  const choices = element("div", undefined, { class: "choices" });
  choices.append(choice("across", "x"), choice("up", "y"), choice("colour", "colour"));
  const paints = [["Colours", legend], ["Scatter plot of members", scatter], ["Parallel coordinates of members", parallel]];
  const pictures = paints.map(([label, paint]) => {
    const svg = shape("svg", { role: "img", "aria-label": label });
    plots.push([svg, paint]);
    const outer = element("div", undefined, { class: "scroll" });
    outer.append(svg);
    return outer;
  });
  main.append(card("Members", choices, pictures[0], pictures[1]));
  const hint = element("p", "Drag along an axis to keep the members that pass there; a click on it keeps all. ", { class: "hint" });
  hint.append(element("span", "", { id: "kept", "aria-live": "polite" }));
  main.append(card("Parallel coordinates", hint, pictures[2]));
  if (data.failures.length) main.append(card("Failed members", table(data.failure_heads, data.failures)));
  main.append(card("Plan", table([], data.settings)));
  document.getElementById("foot").textContent = `fourbar ${data.version}`;
  draw();
  let width = 0;
  new ResizeObserver(() => { if (innerWidth !== width) { width = innerWidth; draw(); } }).observe(main);
  systemTheme.addEventListener("change", ({ matches }) => {
    isDark = matches;
    draw();
  });
  addEventListener("beforeprint", draw);
};
build();
