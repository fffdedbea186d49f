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
  /** The range of times in which the cursor was put last. */
  let range = null;
  const place = () => {
    if (timeCursor.at === null || chart.over.matches(":hover")) return;
    placing = true;
    const { min, max } = chart.scales.x;
    // Times of plots are rounded to single precision: the end of a run may lie behind the last of them.
    const slack = 1e-6 * (max - min), wanted = timeCursor.at * factor;
    const at = wanted > max && wanted <= max + slack ? max : wanted < min && wanted >= min - slack ? min : wanted;
    range = [min, max];
    chart.setCursor({ left: at >= min && at <= max ? chart.valToPos(at, "x") : -10, top: 0 }, false, false);
    placing = false;
  };
  chart.hooks.setCursor = [...(chart.hooks.setCursor ?? []), (u) => {
    if (placing || u.cursor.left < 0) return;
    // In a plot that grew the cursor stays at its place on the screen, which is another time: nobody asked for that one.
    const grew = range && (range[0] !== u.scales.x.min || range[1] !== u.scales.x.max);
    if (grew && !u.over.matches(":hover")) place();
    else timeCursor.set(u.posToVal(u.cursor.left, "x") / factor, chart);
  }];
  const tell = (at, by) => { if (by !== chart) place(); };
  timeCursor.heard.add(tell);
  chart.hooks.destroy = [...(chart.hooks.destroy ?? []), () => timeCursor.heard.delete(tell)];
  // uPlot hides its cursor when the mouse goes.
  chart.over.addEventListener("mouseleave", () => setTimeout(place));
  // Its first drawing comes a little later.
  setTimeout(place);
};
