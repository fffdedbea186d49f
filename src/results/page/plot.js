// A plot with its tools: over time, as a spectrum, or over another curve; units, logarithmic axes, two cursors, export.
//
// A source has `label`, `across` (name, unit and log of its variable), `columns` (name and unit of each), `x()` and `column(name)`. A plot has
// one source of its own, and lays those of other runs over it.

const FONT = "12px system-ui, sans-serif";

/** Room beside an axis for its longest tick, of 8 pixels a character. */
const room = (chart, ticks) => Math.max(64, 20 + 8 * Math.max(0, ...(ticks ?? []).map((text) => text.length)));

/** A title for curves of these names. */
const titleOf = (names, unit) => {
  if (names.length === 1) return names[0];
  const stems = new Set(names.map((name) => name.replace(/\.[xyz]$/, "")));
  if (stems.size === 1) return [...stems][0];
  const joined = names.join(", ");
  return joined.length <= 40 ? joined : `${quantityOf(unit)?.name ?? "Measures"}, ${names.length} curves`;
};

/** Scaled values; on a logarithmic axis only those above zero. */
const scaled = (values, factor, log) => values.map((value) => {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  return log && value * factor <= 0 ? null : value * factor;
});

/** The range of an axis: a line that stays where it is lies in the middle, whatever its last digits do. */
const linearRange = (_, low, high) => {
  if (low === null || high === null) return [-1, 1];
  const most = Math.max(Math.abs(low), Math.abs(high));
  return high - low > SAME * most ? uPlot.rangeNum(low, high, 0.1, true) : [low - (0.1 * most || 1), high + (0.1 * most || 1)];
};

/** Colour and dashes of a curve: a run that is laid over has those of the curve of the same name, paler and dashed. */
const penOf = ({ k, nth }, of = theme()) => [colourOf(k, of, nth), dashOf(k, nth)];

/** The place of a curve's own value that is nearest to a place of all: runs that are laid over have times of their own. Beyond its ends it has none. */
const nearest = (u, series, at) => {
  const [x, y] = [u.data[0], u.data[series]];
  if (at === null || at === undefined || y[at] !== undefined) return at;
  let [before, after] = [at, at];
  while (before >= 0 && y[before] === undefined) before -= 1;
  while (after < y.length && y[after] === undefined) after += 1;
  if (before < 0 || after >= y.length) return at;
  return x[at] - x[before] < x[after] - x[at] ? before : after;
};

/** The plots over their variable that are shown. */
const overVariables = new Set();

/** Time between two drawings of a view that is made anew as values come [ms]. */
const UNHURRIED = 500;

/**
 * Draws the curves `names` of `source`, which are measured in `unit`, with those of `runs()` over them, into `place`. Where values come while it
 * is shown, `refresh` takes them; `zoom` is then told which part of the variable is asked for. `colour` gives the number of a curve's colour, `noise` the
 * size of its values that are round-off; `told` is called when the plot has another unit.
 */
const makePlot = (place, { title, unit, names, source, log = false, runs = () => [], height = 300, zoom, colour = (name, k) => k, noise = () => 0, told = () => {} }) => {
  const state = { view: "over", unit: null, log, logX: source.across.log, logY: log, marks: null, range: null };
  const card = element("div", undefined, "card plot");
  const heading = element("h3", title || titleOf(names, unit));
  const area = element("div", undefined, "area");
  const readout = element("div", undefined, "readout");
  const tools = plotTools(state, { unit, names, source }, () => rebuild(), (kind) => save(kind));
  const head = element("div", undefined, "plot-head");
  head.append(heading, tools.node);
  card.append(head, area, readout);
  card.tabIndex = 0;
  place.append(card);
  let chart = null, drawn = null, across = null, shown = null;
  const width = () => Math.max(240, area.clientWidth);

  /** All there is to draw, in the units of the axes. */
  const gather = () => {
    const all = [source, ...runs()].flatMap((run, nth) => names.map((name, k) => {
      const values = run.column(name);
      const over = state.view.startsWith("over:") ? run.column(state.view.slice(5)) : run.x();
      return values && over && { name, nth, label: nth === 0 ? name : `${name} \u2013 ${run.label}`, k: colour(name, k), x: over, y: values };
    })).filter(Boolean);
    if (state.view === "spectrum") {
      for (const curve of all) {
        const kept = state.range ? [...curve.x.keys()].filter((i) => curve.x[i] >= state.range[0] && curve.x[i] <= state.range[1]) : null;
        [curve.x, curve.y] = kept ? spectrum(kept.map((i) => curve.x[i]), kept.map((i) => curve.y[i])) : spectrum(curve.x, curve.y);
      }
    }
    return all;
  };

  /** Names, units and factors of both axes. */
  const axesOf = (curves) => {
    let over = source.across;
    if (state.view === "spectrum") over = { name: "frequency", unit: over.unit === "s" ? "Hz" : "" };
    if (state.view.startsWith("over:")) over = source.columns.find(({ name }) => name === state.view.slice(5));
    const unitOf = (own, lists, chosen) => shownUnit(own, Math.max(0, ...lists.map(largestOf)), chosen, spanOf(lists));
    const x = unitOf(over.unit, curves.map((curve) => curve.x)), y = unitOf(unit, curves.map((curve) => curve.y), state.unit ?? undefined);
    // At about 9 pixels a character it has to fit beside the axis.
    const single = names.length === 1 && names[0].length <= (height - 80) / 9 ? names[0] : quantityOf(unit)?.name.toLowerCase() ?? "";
    return {
      x: { label: withUnit(over.name, x.unit), ...x },
      y: { label: withUnit(state.view === "spectrum" ? "amplitude" : single || "value", y.unit), ...y },
    };
  };

  /** Curves in the units of the axes. */
  const take = () => {
    const curves = gather();
    const axes = axesOf(curves);
    const lists = curves.map((curve) => {
      const shown = scaled(curve.x, axes.x.factor, state.logX);
      // An axis of its own variable has places throughout; a logarithmic one begins above zero.
      const first = state.logX ? Math.max(0, shown.findIndex((value) => value !== null)) : 0;
      // A spectrum and a logarithmic axis are there to show what is small.
      const silent = state.logY || state.view === "spectrum" ? 0 : noise(curve.name) * axes.y.factor;
      return { ...curve, x: shown.slice(first), y: scaled(curve.y, axes.y.factor, state.logY).slice(first), noise: silent };
    });
    drawn = { curves: lists, axes };
    across = axes.x;
    // The unit of values, not that of amplitudes.
    if (state.view !== "spectrum" && axes.y.unit !== shown?.unit) {
      shown = axes.y;
      told();
    }
    return drawn;
  };

  const rebuild = () => {
    const { curves: lists, axes } = take();
    forget();
    area.replaceChildren();
    card.dataset.view = state.view;
    heading.title = axes.y.label;
    tools.show(axes);
    if (state.view.startsWith("over:")) area.append(overEachOther());
    else chart = lists.length > 0 ? overVariable(lists, axes) : null;
    if (chart && state.view === "over") {
      overVariables.add(chart);
      if (isOverTime(source.across)) tieCursor(chart, axes.x.factor);
    }
    showMarks();
  };

  const forget = () => {
    overVariables.delete(chart);
    chart?.destroy();
    chart = null;
  };

  /** As uPlot takes it. */
  const tableOf = (lists) => {
    const byRun = [...new Set(lists.map((curve) => curve.nth))].map((nth) => lists.filter((curve) => curve.nth === nth));
    // Curves of a spectrum may have other places each.
    const tables = (state.view === "spectrum" ? lists.map((curve) => [curve]) : byRun).map((own) => [own[0].x, ...own.map((curve) => curve.y)]);
    return tables.length === 1 ? tables[0] : uPlot.join(tables);
  };

  const overVariable = (lists, axes) => {
    const colours = INKS[theme()];
    const value = (_, at, k) => (at === null || at === undefined ? "" : number(withoutNoise(at, drawn.curves[k - 1]?.noise), 7));
    /** Powers of ten, and between few of them twice and five times each: uPlot would draw a line for every multiple. */
    const powers = { splits: (_, __, low, high) => ticksBetween(low, high, true, 8), filter: (_, splits) => splits };
    const axis = (label, log, extra) => ({
      label, labelFont: "13px system-ui, sans-serif", labelSize: 22, font: FONT, stroke: colours.ink,
      grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid }, ...(log ? powers : {}), ...extra,
      values: (_, ticks) => ticks.map((at) => (at === null ? "" : tick(at))),
    });
    const made = new uPlot({
      width: width(), height,
      scales: { x: { time: false, ...(state.logX ? { distr: 3 } : {}) }, y: state.logY ? { distr: 3 } : { range: linearRange } },
      cursor: {
        drag: zoom && state.view === "over" ? { x: true, y: false, setScale: false } : { x: true, y: true, uni: 20 },
        dataIdx: nearest,
        sync: state.view === "over" ? { key: axes.x.label, scales: ["x", null] } : undefined,
      },
      axes: [axis(axes.x.label, state.logX, { size: 34 }), axis(axes.y.label, state.logY, { size: room })],
      legend: { markers: { width: 0, fill: (_, i) => swatchOf(...penOf(lists[i - 1])) } },
      series: [
        { label: axes.x.label, value },
        ...lists.map((curve) => ({
          label: withUnit(curve.label, axes.y.unit), value, stroke: penOf(curve)[0], width: 1.6, pxAlign: 0, dash: penOf(curve)[1],
        })),
      ],
      hooks: { draw: [drawMarks], setScale: [(u, key) => { if (key === "x") remember(u); }], setSelect: [ask] },
    }, tableOf(lists), area);
    if (zoom) made.over.addEventListener("dblclick", () => zoom(null));
    made.over.addEventListener("click", (event) => mark(made.posToVal(event.offsetX, "x")));
    return made;
  };

  /** Asks for the part of the variable that was dragged over. */
  const ask = (u) => {
    if (!zoom || state.view !== "over") return;
    const { left, width: wide } = u.select;
    if (wide > 4) zoom([left, left + wide].map((at) => u.posToVal(at, "x") / across.factor));
    u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  };

  /** Takes values that have come, and shows this part of the variable, or all of it. */
  let last = 0;
  const refresh = (range) => {
    if (!card.offsetParent) return;
    const usual = state.view === "over" && chart;
    if (!usual && performance.now() - last < UNHURRIED) return;
    last = performance.now();
    const before = drawn;
    if (usual) take();
    const same = usual && drawn.axes.x.label === before.axes.x.label && drawn.axes.y.label === before.axes.y.label && drawn.curves.length === before.curves.length;
    if (!same) rebuild();
    if (!chart || state.view !== "over") return;
    if (same) chart.setData(tableOf(drawn.curves), range === null);
    if (range) chart.setScale("x", { min: range[0] * across.factor, max: range[1] * across.factor });
    if (state.marks) showMarks();
  };

  /** What is zoomed into, for the spectrum. */
  const remember = (u) => {
    if (state.view !== "over") return;
    const { min, max } = u.scales.x, own = source.x();
    const whole = min <= own[0] * across.factor && max >= own[own.length - 1] * across.factor;
    state.range = whole ? null : [min / across.factor, max / across.factor];
  };

  /** The plot as it is shown, as SVG. */
  const svg = (wide, high, of, named = true) => {
    const { curves, axes } = drawn;
    const scale = (key) => chart?.scales[key];
    const range = (key, log, lists) => (scale(key)?.min !== undefined && scale(key)?.min !== null ? [scale(key).min, scale(key).max] : rangeOf(lists, log));
    const seen = curves.filter((_, k) => !chart || chart.series[k + 1].show !== false);
    return picture({
      title: named && heading.textContent, width: wide, height: high, ...INKS[of],
      x: { label: axes.x.label, log: state.logX, range: range("x", state.logX, seen.map((curve) => curve.x)) },
      y: { label: axes.y.label, log: state.logY, range: range("y", state.logY, seen.map((curve) => curve.y)) },
      curves: seen.map((curve) => ({
        label: withUnit(curve.label, axes.y.unit), colour: penOf(curve, of)[0], dash: penOf(curve, of)[1], x: curve.x, y: curve.y, returns: state.view.startsWith("over:"),
      })),
    });
  };

  const overEachOther = () => {
    const node = element("img");
    node.alt = `${names.join(", ")} over ${state.view.slice(5)}`;
    const [wide, high] = [width(), height + 60];
    node.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg(wide, high, theme(), false))}`;
    return node;
  };

  /** SVG and PNG are on light ground: they go into documents. */
  const save = async (kind) => {
    const [wide, high] = [960, 480];
    const text = svg(wide, high, "light");
    const blob = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await toPng(text, wide, high);
    keep(blob, `${heading.textContent.replace(/[^\w.-]+/g, "-")}.${kind}`);
  };

  // Two cursors, at places in the unit of the source.
  const mark = (at) => {
    if (!state.marks || !chart) return;
    const [first, second] = state.marks;
    state.marks = first === null || second !== null ? [at / across.factor, null] : [first, at / across.factor];
    showMarks();
  };
  const drawMarks = (u) => {
    for (const [k, at] of (state.marks ?? []).entries()) {
      if (at === null) continue;
      const x = u.valToPos(at * across.factor, "x", true), { ctx, bbox } = u;
      if (!(x >= bbox.left && x <= bbox.left + bbox.width)) continue;
      ctx.save();
      [ctx.strokeStyle, ctx.fillStyle, ctx.lineWidth] = [INKS[theme()].ink, INKS[theme()].ink, devicePixelRatio];
      ctx.setLineDash([5, 3]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillText("AB"[k], x + 4 * devicePixelRatio, bbox.top + 14 * devicePixelRatio);
      ctx.restore();
    }
  };
  const showMarks = () => {
    const usable = state.marks && chart;
    readout.replaceChildren(...(usable ? [marksTable(state.marks, drawn, (marks) => { state.marks = marks; showMarks(); })] : []));
    chart?.redraw(false);
  };

  const moveCursor = (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || !chart || event.target !== card) return;
    event.preventDefault();
    const { width: wide, height: high } = chart.over.getBoundingClientRect();
    const now = chart.cursor.left ?? -1;
    const left = now < 0 ? wide / 2 : now + way * (event.shiftKey ? 20 : 3);
    const at = { left: Math.min(Math.max(left, 0), wide - 1), top: high / 2 };
    if (state.view === "over") overVariables.forEach((other) => other.setCursor(at)); else chart.setCursor(at);
  };
  card.addEventListener("keydown", moveCursor);

  const resized = new ResizeObserver(() => {
    if (area.clientWidth === 0) return;
    if (chart) { if (chart.width !== width()) chart.setSize({ width: width(), height }); } else if (drawn && area.firstChild) area.replaceChildren(overEachOther());
  });
  rebuild();
  resized.observe(area);
  repaints.add(rebuild);
  const close = () => {
    resized.disconnect();
    repaints.delete(rebuild);
    forget();
    card.remove();
  };
  return { rebuild, refresh, close, card, state, chart: () => chart, unit: () => shown };
};
