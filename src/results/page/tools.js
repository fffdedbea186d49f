// The tools of a plot, and the table of its two cursors.

/** A choice among `[value, text]`. */
const choiceOf = (label, options) => {
  const select = element("select");
  select.setAttribute("aria-label", label);
  select.title = label;
  for (const [value, text] of options) {
    const option = element("option", text);
    option.value = value;
    select.append(option);
  }
  return select;
};

/** The row of tools: `rebuild` draws anew, `save` writes a file. */
const plotTools = (state, { unit, names, source }, rebuild, save) => {
  const node = element("div", undefined, "tools");
  const others = source.columns.filter(({ name }) => !(names.length === 1 && names[0] === name));
  const view = choiceOf("What is drawn", [
    ["over", `over ${source.across.name}`],
    // Of what goes over time.
    ...(source.across.unit === "s" ? [["spectrum", "spectrum (Hann window)"]] : []),
    ...others.map(({ name }) => [`over:${name}`, `over ${name}`]),
  ]);
  view.className = "view";
  view.addEventListener("change", () => {
    state.view = view.value;
    state.logX = view.value === "over" && source.across.log;
    state.logY = view.value === "spectrum" || state.log;
    rebuild();
  });
  const units = unitsFor(unit);
  const unitChoice = choiceOf("Unit of the curves", units.map(([name]) => [name, printedUnit(name) || "1"]));
  unitChoice.className = "unit-choice";
  unitChoice.hidden = units.length < 2;
  unitChoice.addEventListener("change", () => { state.unit = unitChoice.value; rebuild(); });
  const toggle = (text, className, help, flip) => {
    const button = element("button", text, className);
    button.type = "button";
    button.title = help;
    button.addEventListener("click", flip);
    return button;
  };
  const logX = toggle("log x", "log-x", "Logarithmic axis below", () => { state.logX = !state.logX; rebuild(); });
  const logY = toggle("log y", "log-y", "Logarithmic axis beside", () => { state.logY = !state.logY; rebuild(); });
  const cursors = toggle("A|B", "cursors", "Two cursors: click twice into the plot", () => {
    state.marks = state.marks ? null : [null, null];
    rebuild();
  });
  const png = toggle("PNG", "png", "Save the plot as an image", () => save("png"));
  const svg = toggle("SVG", "svg", "Save the plot as a drawing", () => save("svg"));
  node.append(view, unitChoice, logX, logY, cursors, png, svg);
  const show = (axes) => {
    view.value = state.view;
    unitChoice.value = axes.y.unit === "1" ? "" : axes.y.unit;
    logX.setAttribute("aria-pressed", String(state.logX));
    logY.setAttribute("aria-pressed", String(state.logY));
    cursors.setAttribute("aria-pressed", String(state.marks !== null));
    cursors.disabled = state.view.startsWith("over:");
  };
  return { node, show };
};

/** The value of a curve at `at`, on a straight line between its points. */
const valueAt = ({ x, y }, at) => {
  let [low, high] = [0, x.length - 1];
  if (at === null || !(at >= x[low] && at <= x[high])) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x[middle] <= at) low = middle; else high = middle;
  }
  const part = x[high] > x[low] ? (at - x[low]) / (x[high] - x[low]) : 0;
  return y[low] === null || y[high] === null ? null : y[low] + part * (y[high] - y[low]);
};

/** Values at both cursors and their differences; the places can be typed too. */
const marksTable = (marks, { curves, axes }, set) => {
  const body = element("table", undefined, "marks");
  const top = body.insertRow();
  top.append(element("th", axes.x.label));
  marks.forEach((at, k) => {
    const cell = element("th", "AB"[k] + " ");
    const field = element("input");
    field.inputMode = "decimal";
    field.setAttribute("aria-label", `Cursor ${"AB"[k]}, ${axes.x.label}`);
    field.value = at === null ? "" : String(Number((at * axes.x.factor).toPrecision(7)));
    field.addEventListener("change", () => {
      const value = Number(field.value.replace("\u2212", "-"));
      const next = [...marks];
      next[k] = field.value.trim() === "" || !Number.isFinite(value) ? null : value / axes.x.factor;
      set(next);
    });
    cell.append(field);
    top.append(cell);
  });
  const [a, b] = marks.map((at) => (at === null ? null : at * axes.x.factor));
  const shown = (value, noise = 0) => (value === null ? "\u2013" : number(withoutNoise(value, noise), 6));
  const difference = (one, other) => (one === null || other === null ? null : other - one);
  top.append(element("th", `B \u2212 A: ${shown(difference(a, b))}`));
  for (const curve of curves) {
    const [one, other] = [valueAt(curve, a), valueAt(curve, b)];
    const row = body.insertRow();
    const cells = [one, other, difference(one, other)].map((value) => element("td", shown(value, curve.noise)));
    row.append(element("td", withUnit(curve.label, axes.y.unit)), ...cells);
  }
  const scroll = element("div", undefined, "scroll");
  scroll.append(body);
  return scroll;
};
