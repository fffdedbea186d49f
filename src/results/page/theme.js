// Light and dark: that of the system, until the switch says another.

// Colours that stay apart for colour-blind readers (Okabe and Ito), then two more; lighter ones on dark ground.
const COLOURS = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d00", "#56b4e9", "#1c2430", "#7f3fbf"],
  dark: ["#4da3e0", "#f0803c", "#2fc79a", "#e59ac6", "#d6b83c", "#9bd6f7", "#e3e8ee", "#b792f0"],
};
const INKS = { light: { ink: "#1c2430", grid: "#e8ecf0", paper: "#ffffff" }, dark: { ink: "#d9dfe7", grid: "#333d49", paper: "#1d242d" } };

const systemTheme = matchMedia("(prefers-color-scheme: dark)");
/** As of the last event: a browser (Chromium) leaves the event out if `matches` is read between the change and the event. */
let isSystemDark = systemTheme.matches;
const theme = () => document.documentElement.dataset.theme ?? (isSystemDark ? "dark" : "light");

/** Dashes of the runs that are laid over, one after the other; and what a curve keeps of its colour in them, once more so much after the last of these. */
const RUN_DASHES = [[6, 4], [2, 3], [10, 3, 2, 3]], PALE = 0.66;

/** `part` of a colour on the ground of `theme`. */
const paler = (colour, part, of) => {
  const [own, ground] = [colour, INKS[of].paper].map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  return `#${own.map((value, at) => Math.round(part * value + (1 - part) * ground[at]).toString(16).padStart(2, "0")).join("")}`;
};

/** Colour of curve `k`; in the `nth` run that is laid over it is paler. */
const colourOf = (k, of = theme(), nth = 0) => {
  const own = COLOURS[of][k % COLOURS[of].length];
  return nth === 0 ? own : paler(own, PALE ** Math.ceil(nth / RUN_DASHES.length), of);
};

/** Its dashes, which tell it from the one with the same colour: of another run, or eight curves before. */
const dashOf = (k, nth = 0) => {
  const again = Math.floor(k / COLOURS.light.length);
  if (nth === 0) return again === 0 ? undefined : [14 * again, 4];
  return RUN_DASHES[(nth - 1) % RUN_DASHES.length].map((part) => part * (1 + again));
};

/** A line as CSS has it, in this colour with these dashes. */
const swatchOf = (colour, dash) => {
  if (!dash) return colour;
  let at = 0;
  const parts = dash.map((part, k) => `${k % 2 === 0 ? colour : "transparent"} ${at}px ${at += part}px`);
  return `repeating-linear-gradient(90deg, ${parts.join(", ")})`;
};

/** Called when the colours have changed. */
const repaints = new Set();
systemTheme.addEventListener("change", ({ matches }) => {
  isSystemDark = matches;
  repaints.forEach((repaint) => repaint());
});

/** The switch. */
const themeSwitch = () => {
  const button = element("button", "Dark");
  button.type = "button";
  button.id = "theme";
  const show = () => button.setAttribute("aria-pressed", String(theme() === "dark"));
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = theme() === "dark" ? "light" : "dark";
    repaints.forEach((repaint) => repaint());
  });
  repaints.add(show);
  show();
  return button;
};
