// The page of a sweep: a scatter plot and parallel coordinates of its members, drawn as SVG.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const columns = data.columns.map((name, k) => ({ name, k, values: data.rows.map((row) => row[k]) }));
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

/** Least and largest of a column, apart also where all are equal. */
const range = ({ values }) => {
  let [least, largest] = [Infinity, -Infinity];
  for (const value of values) if (value !== null) { least = Math.min(least, value); largest = Math.max(largest, value); }
  if (least > largest) return [0, 1];
  const margin = least === largest ? Math.abs(least) * 0.05 || 1 : 0;
  return [least - margin, largest + margin];
};

// Viridis, which stays in order for colour-blind readers and in print; its darkest part is left out on dark ground.
const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const dark = matchMedia("(prefers-color-scheme: dark)");
const colour = (part) => {
  const within = dark.matches ? 0.25 + 0.75 * part : 0.85 * part;
  const at = Math.min(within, 0.999) * (RAMP.length - 1);
  const [a, b, f] = [RAMP[Math.floor(at)], RAMP[Math.floor(at) + 1], at % 1];
  return `rgb(${a.map((v, k) => Math.round(v + f * (b[k] - v))).join(",")})`;
};
const partOf = (value, [least, largest]) => (value - least) / (largest - least);

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
const isOn = (row) => [...brushes].every(([k, [least, largest]]) => row[k] !== null && row[k] >= least && row[k] <= largest);
const state = { x: 0, y: Math.min(data.parameters, columns.length - 1), colour: columns.length - 1 };

const telling = (k) => columns.map((column) => `${column.name}: ${short(column.values[k])}`).join("\n");

const scatter = (svg) => {
  const width = svg.parentNode.clientWidth || 600;
  const height = Math.round(Math.min(Math.max(width * 0.5, 280), 900));
  const [left, right, top, bottom] = [76, 16, 10, 48];
  const [x, y, c] = [columns[state.x], columns[state.y], columns[state.colour]];
  const [rx, ry, rc] = [range(x), range(y), range(c)];
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
  svg.append(shape("text", { class: "name", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, x.name));
  const middle = (top + height - bottom) / 2;
  svg.append(shape("text", { class: "name", "text-anchor": "middle", transform: `translate(14 ${middle}) rotate(-90)` }, y.name));
  const radius = data.rows.length > 800 ? 2 : 3.5;
  data.rows.forEach((row, k) => {
    if (x.values[k] === null || y.values[k] === null) return;
    const fill = c.values[k] === null ? "var(--soft)" : colour(partOf(c.values[k], rc));
    const dot = shape("circle", { cx: px(x.values[k]), cy: py(y.values[k]), r: radius, fill, class: isOn(row) ? "" : "off" });
    dot.append(shape("title", {}, telling(k)));
    svg.append(dot);
  });
};

const parallel = (svg) => {
  const width = Math.max(svg.parentNode.clientWidth || 600, columns.length * 96);
  const height = Math.round(Math.min(Math.max(innerHeight * 0.5, 300), 900));
  const [top, bottom, side] = [44, 24, 60];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.width = `${width}px`;
  svg.replaceChildren();
  const ranges = columns.map(range);
  const room = (width - 2 * side) / Math.max(columns.length - 1, 1);
  const at = (k) => side + k * room;
  const py = (value, k) => height - bottom - partOf(value, ranges[k]) * (height - top - bottom);
  const c = columns[state.colour];
  const order = data.rows.map((row, k) => [isOn(row), row, k]).sort((a, b) => a[0] - b[0]);
  for (const [on, row, k] of order) {
    const points = row.flatMap((value, j) => (value === null ? [] : [`${at(j)},${py(value, j)}`]));
    const stroke = c.values[k] === null ? "var(--soft)" : colour(partOf(c.values[k], ranges[c.k]));
    const line = shape("polyline", { class: on ? "run" : "run off", points: points.join(" "), ...(on ? { stroke } : {}) });
    line.append(shape("title", {}, telling(k)));
    svg.append(line);
  }
  columns.forEach((column, k) => axis(svg, column, k, { at, py, room, top, bottom, height, range: ranges[k] }));
};

/** An axis of the parallel coordinates; dragging along it keeps the members that pass there, a click keeps all. */
const axis = (svg, column, k, { at, py, room, top, bottom, height, range: [least, largest] }) => {
  const x = at(k);
  svg.append(shape("line", { class: "axis", x1: x, x2: x, y1: top, y2: height - bottom, "stroke-width": 2 }));
  // Headings of neighbours stand at two heights: each has the room of two axes, at about 7 px a letter.
  const letters = Math.floor((2 * room - 8) / 7);
  const name = column.name.length > letters ? `${column.name.slice(0, letters - 1)}…` : column.name;
  const heading = shape("text", { class: "name", x, y: k % 2 ? 30 : 14, "text-anchor": "middle" }, name);
  heading.append(shape("title", {}, column.name));
  svg.append(heading, shape("text", { x: x + 5, y: top + 10 }, short(largest)));
  svg.append(shape("text", { x: x + 5, y: height - bottom - 2 }, short(least)));
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
  for (const column of columns) select.append(new Option(column.name, column.k, false, column.k === state[key]));
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
  const on = data.rows.filter(isOn).length;
  document.getElementById("kept").textContent = brushes.size ? `${on} of ${data.rows.length} members pass the marked ranges.` : "";
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
  const pictures = [["Scatter plot of members", scatter], ["Parallel coordinates of members", parallel]].map(([label, paint]) => {
    const svg = shape("svg", { role: "img", "aria-label": label });
    plots.push([svg, paint]);
    const outer = element("div", undefined, { class: "scroll" });
    outer.append(svg);
    return outer;
  });
  main.append(card("Members", choices, pictures[0]));
  const hint = element("p", "Drag along an axis to keep the members that pass there; a click on it keeps all. ", { class: "hint" });
  hint.append(element("span", "", { id: "kept", "aria-live": "polite" }));
  main.append(card("Parallel coordinates", hint, pictures[1]));
  if (data.failures.length) main.append(card("Failed members", table(data.failure_heads, data.failures)));
  main.append(card("Plan", table([], data.settings)));
  document.getElementById("foot").textContent = `fourbar ${data.version}`;
  draw();
  let width = 0;
  new ResizeObserver(() => { if (innerWidth !== width) { width = innerWidth; draw(); } }).observe(main);
  dark.addEventListener("change", draw);
  addEventListener("beforeprint", draw);
};
build();
