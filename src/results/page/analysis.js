(() => {
  const head = document.getElementById("head");
  const title = data.title || "Results";
  head.append(element("h1", title), element("p", data.lead, "lead"));
  document.title = title + " \u2013 fourbar";
  if (data.error) head.append(element("p", data.error, "error"));
  for (const warning of data.warnings) head.append(element("p", warning, "warning"));
  const plots = document.getElementById("plots");

  const svg = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };

  /** Views as two rows that take x, y, z to the right and up. */
  const VIEWS = {
    "x and z": [[1, 0, 0], [0, 0, 1]], "y and z": [[0, 1, 0], [0, 0, 1]], "x and y": [[1, 0, 0], [0, 1, 0]],
    "from above": [[0.71, -0.71, 0], [0.35, 0.35, 0.87]],
  };
  /** Part of the size of the drawing by which the largest way is drawn. */
  const LARGEST = 0.12;

  /** The plane in which all lies and moves, if there is one. */
  const planar = (points) => {
    const extents = [0, 1, 2].map((k) => {
      const places = points.map((p) => p[k]);
      const ways = points.map((p) => Math.hypot(p[3 + k], p[6 + k]));
      return [Math.max(...places) - Math.min(...places), Math.max(...ways)];
    });
    const size = Math.max(...extents.map(([place]) => place), 1e-12);
    const way = Math.max(...extents.map(([, way]) => way), 1e-300);
    // Ways count, and places: a guide in line with its body has no width.
    const flat = extents.map(([place, moved]) => place < 1e-3 * size && moved < 1e-3 * way);
    if (flat[1]) return "x and z";
    if (flat[2]) return "x and y";
    return flat[0] ? "y and z" : "from above";
  };

  const SIZE = [360, 260];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const moving = [];

  const drawMode = (mode) => {
    const card = element("div", undefined, "card mode");
    card.append(element("h2", mode.title));
    const choice = element("select");
    choice.setAttribute("aria-label", "view of " + mode.title);
    for (const name of Object.keys(VIEWS)) choice.append(element("option", name));
    const points = mode.lines.flatMap(([, line]) => line);
    choice.value = planar(points);
    const picture = svg("svg", { viewBox: `0 0 ${SIZE[0]} ${SIZE[1]}`, role: "img", "aria-label": mode.title });
    card.append(picture, choice);
    const redraw = () => {
      picture.replaceChildren();
      const [right, up] = VIEWS[choice.value];
      const dot = (row, p, from = 0) => row[0] * p[from] + row[1] * p[from + 1] + row[2] * p[from + 2];
      const range = (row) => {
        const all = points.map((p) => dot(row, p));
        return [Math.min(...all), Math.max(...all)];
      };
      const [[l, r], [b, t]] = [range(right), range(up)];
      const extent = Math.max(r - l, t - b, 1e-12);
      const way = Math.max(...points.map((p) => Math.hypot(...p.slice(3))), 1e-300);
      const factor = LARGEST * extent / way;
      const scale = Math.min(SIZE[0] / (r - l + 0.5 * extent), SIZE[1] / (t - b + 0.5 * extent));
      const at = (p, phase) => {
        const [c, s] = [Math.cos(phase), Math.sin(phase)];
        const moved = [0, 1, 2].map((k) => p[k] + (phase === undefined ? 0 : factor * (p[3 + k] * c - p[6 + k] * s)));
        return [SIZE[0] / 2 + scale * (dot(right, moved) - (l + r) / 2), SIZE[1] / 2 - scale * (dot(up, moved) - (b + t) / 2)];
      };
      const path = (line, phase) => line.map((p) => at(p, phase).map((v) => v.toFixed(1)).join(",")).join(" ");
      /** A line of one point is drawn as a dot. */
      const outline = (style, phase) => mode.lines.map(([name, line], k) => {
        const node = svg("polyline", { points: path(line.length > 1 ? line : [line[0], line[0]], phase), class: style });
        node.append(svg("title", {}));
        node.firstChild.textContent = name;
        if (style !== "rest") node.style.stroke = colourOf(colour(name));
        return node;
      });
      picture.append(...outline("rest"));
      if (still) picture.append(...outline("phase", 0), ...outline("phase back", Math.PI));
      const lines = still ? [] : outline("phase", 0);
      picture.append(...lines);
      picture.move = (phase) => lines.forEach((node, k) => {
        const line = mode.lines[k][1];
        node.setAttribute("points", path(line.length > 1 ? line : [line[0], line[0]], phase));
      });
    };
    choice.onchange = redraw;
    redraw();
    moving.push(picture);
    return card;
  };
  const names = [...new Set(data.drawings.flatMap((mode) => mode.lines.map(([name]) => name)))];
  const colour = (name) => names.indexOf(name);

  const drawLocus = ({ parameter, points }) => {
    const card = element("div", undefined, "card scroll");
    card.append(element("h2", parameter ? `Root locus over ${parameter}` : "Poles"));
    const values = points.map(([value]) => value);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const [w, h, left, below] = [760, 380, 80, 44];
    const range = (k) => {
      const all = points.map((p) => p[k]).concat(0);
      const [a, b] = [Math.min(...all), Math.max(...all)];
      const room = 0.06 * (b - a || 1);
      return [a - room, b + room];
    };
    const [[x0, x1], [y0, y1]] = [range(1), range(2)];
    const x = (value) => left + (value - x0) / (x1 - x0) * (w - left - 16);
    const y = (value) => h - below - (value - y0) / (y1 - y0) * (h - below - 12);
    const picture = svg("svg", { viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": "root locus", class: "locus" });
    const ticks = (a, b) => {
      const raw = (b - a) / 6;
      const unit = 10 ** Math.floor(Math.log10(raw));
      const step = [1, 2, 5, 10].map((k) => k * unit).find((s) => s >= raw);
      const all = [];
      for (let v = Math.ceil(a / step) * step; v <= b; v += step) all.push(Math.abs(v) < 1e-9 * step ? 0 : v);
      return all;
    };
    const label = (text, attributes) => {
      const node = svg("text", attributes);
      node.textContent = text;
      picture.append(node);
    };
    for (const v of ticks(x0, x1)) {
      picture.append(svg("line", { x1: x(v), x2: x(v), y1: y(y0), y2: y(y1), class: v === 0 ? "zero" : "grid" }));
      label(tick(v), { x: x(v), y: h - below + 16, "text-anchor": "middle" });
    }
    for (const v of ticks(y0, y1)) {
      picture.append(svg("line", { x1: x(x0), x2: x(x1), y1: y(v), y2: y(v), class: v === 0 ? "zero" : "grid" }));
      label(tick(v), { x: left - 6, y: y(v) + 4, "text-anchor": "end" });
    }
    label("real part [1/s]", { x: (left + w) / 2, y: h - 8, "text-anchor": "middle" });
    label("imaginary part [1/s]", { x: 14, y: h / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${h / 2})` });
    for (const [value, re, im] of points) {
      const part = (value - low) / (high - low || 1);
      const dot = svg("circle", { cx: x(re), cy: y(im), r: value === low || value === high ? 5 : 3, fill: `hsl(${220 - 200 * part} 80% 42%)` });
      dot.append(svg("title", {}));
      dot.firstChild.textContent = `${parameter ? `${parameter} = ${number(value, 4)}: ` : ""}${number(re, 5)} ${im < 0 ? "\u2212" : "+"} ${number(Math.abs(im), 5)} i`;
      picture.append(dot);
    }
    const ends = parameter ? `Blue: ${parameter} = ${number(low, 5)}; red: ${number(high, 5)}. ` : "";
    card.append(picture, element("p", `${ends}Point at a pole to read it.`, "hint"));
    return card;
  };

  if (data.drawings.length > 0) {
    plots.append(element("h2", "Modes"));
    plots.append(element("p", `Grey: where it rests. The largest way is drawn as ${LARGEST * 100} % of the drawing. Point at a line to read its body.`, "hint"));
    const grid = element("div", undefined, "modes");
    grid.append(...data.drawings.map(drawMode));
    plots.append(grid);
    if (!still) {
      const begin = performance.now();
      const frame = (now) => {
        // Once in two seconds, whatever the frequency.
        moving.forEach((picture) => picture.move(Math.PI * (now - begin) / 1000));
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    }
  }
  if (data.table) {
    const [caption, columns, rows] = data.table;
    const card = element("div", undefined, "card scroll");
    card.append(element("h2", caption));
    const body = element("table");
    const top = body.insertRow();
    for (const { name, unit } of columns.map(splitUnit)) top.append(element("td", withUnit(name, unit), "unit"));
    for (const row of rows) {
      const line = body.insertRow();
      for (const value of row) line.append(element("td", typeof value === "number" ? number(value, 6) : "\u2013"));
    }
    card.append(body);
    plots.append(card);
  }
  if (data.locus) plots.append(drawLocus(data.locus));
  const charts = data.charts.filter((chart) => chart.places.length > 1);
  if (charts.length > 0) {
    head.append(pageTools());
    plots.append(element("p", "Drag over a plot to zoom, double-click to see all of it, click a name under it to hide or show a curve.", "hint"));
  }
  // Charts over the same places belong together, unless names repeat: curves of one can be drawn over those of another.
  const belong = (one, other) => one.across[0] === other.across[0] && one.places.length === other.places.length && one.places.every((place, k) => place === other.places[k]);
  const sources = [];
  for (const chart of charts) {
    const isNew = (other) => other.curves.every(([name]) => chart.curves.every(([own]) => own !== name));
    let known = sources.find(({ first, charts: own }) => belong(first, chart) && own.every(isNew));
    if (!known) sources.push(known = { first: chart, charts: [] });
    known.charts.push(chart);
  }
  for (const { first, charts: own } of sources) {
    const columns = own.flatMap(({ unit, curves }) => curves.map(([name]) => ({ name, unit })));
    const lists = [first.places, ...own.flatMap(({ curves }) => curves.map(([, values]) => values))];
    const source = tableSource({ across: { ...splitUnit(first.across[0]), log: first.across[1] }, columns, lists });
    for (const { title, unit, log, curves, noise } of own) {
      const names = curves.map(([name]) => name);
      draw({ title, unit, log, names, source, noise: (name) => noise[names.indexOf(name)] ?? 0 });
    }
  }
  // Curves over time are told at their end, as in reports.
  const overTime = sources.find(({ first }) => isOverTime(splitUnit(first.across[0])));
  if (overTime) timeCursor.set(overTime.first.places[overTime.first.places.length - 1]);
  if (data.settings.length > 0) document.getElementById("tables").append(table("Settings", data.settings));
  showAnimation();
  document.getElementById("foot").append(`fourbar ${data.version}`);
})();
