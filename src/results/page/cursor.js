// One time for all that a page shows: curves, table, bodies.

const timeCursor = {
  /** Time that is shown [s]; null before anything is. */
  at: null,
  heard: new Set(),
  /** Shows another time; `by` is whoever asks for it. */
  set(at, by) {
    if (at === this.at) return;
    this.at = at;
    this.heard.forEach((tell) => tell(at, by));
  },
};

/** Whether a source is over time. */
const isOverTime = ({ name, unit }) => unit === "s" && name === "time";

/** While a plot's cursor is put somewhere, it tells nobody. */
let placing = false;

/** Ties the cursor of a plot over time to that of the page: whoever moves one moves the other. `factor` takes seconds to the unit of the axis. */
const tieCursor = (chart, factor) => {
  /** Where the cursor was put last. */
  let placed = null;
  const place = () => {
    if (timeCursor.at === null || chart.over.matches(":hover")) return;
    placing = true;
    const { min, max } = chart.scales.x;
    // Times of plots are rounded to single precision: the end of a run may lie behind the last of them.
    const slack = 1e-6 * (max - min), wanted = timeCursor.at * factor;
    const at = wanted > max && wanted <= max + slack ? max : wanted < min && wanted >= min - slack ? min : wanted;
    placed = at >= min && at <= max ? chart.valToPos(at, "x") : -10;
    chart.setCursor({ left: placed, top: 0 }, false, false);
    tellUnseen();
    placing = false;
  };
  /** Values are told of a time outside of what is zoomed into, too. */
  const tellUnseen = () => {
    if (placed === null || placed >= 0 || chart.data[0].length === 0) return;
    const nearby = chart.valToIdx(timeCursor.at * factor);
    chart.setLegend({ idxs: chart.series.map((_, k) => nearest(chart, k, nearby)) }, false);
  };
  chart.hooks.setCursor = [...(chart.hooks.setCursor ?? []), (u) => {
    if (placing) return;
    if (u.cursor.left < 0) { tellUnseen(); return; }
    // Where it was put is told already.
    if (u.cursor.left === placed) return;
    timeCursor.set(u.posToVal(u.cursor.left, "x") / factor, chart);
  }];
  // In a plot that has grown the same time is at another place.
  chart.hooks.draw = [...(chart.hooks.draw ?? []), place];
  const tell = (at, by) => { if (by !== chart) place(); };
  timeCursor.heard.add(tell);
  chart.hooks.destroy = [...(chart.hooks.destroy ?? []), () => timeCursor.heard.delete(tell)];
  // uPlot hides its cursor when the mouse goes.
  chart.over.addEventListener("mouseleave", () => setTimeout(place));
  // Its first drawing comes a little later.
  setTimeout(place);
};
