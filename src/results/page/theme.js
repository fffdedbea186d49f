// Light and dark: that of the system, until the switch says another.

// Colours that stay apart for colour-blind readers (Okabe and Ito), then two more; lighter ones on dark ground.
const COLOURS = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d00", "#56b4e9", "#1c2430", "#7f3fbf"],
  dark: ["#4da3e0", "#f0803c", "#2fc79a", "#e59ac6", "#d6b83c", "#9bd6f7", "#e3e8ee", "#b792f0"],
};
const INKS = { light: { ink: "#1c2430", grid: "#e8ecf0", paper: "#ffffff" }, dark: { ink: "#d9dfe7", grid: "#333d49", paper: "#1d242d" } };

const systemTheme = matchMedia("(prefers-color-scheme: dark)");
const theme = () => document.documentElement.dataset.theme ?? (systemTheme.matches ? "dark" : "light");

/** Colour of curve `k`, and the dashes that tell it from the one with the same colour. */
const colourOf = (k, of = theme()) => COLOURS[of][k % COLOURS[of].length];
const dashOf = (k) => (k < COLOURS.light.length ? undefined : [6, 4]);

/** Called when the colours have changed. */
const repaints = new Set();
systemTheme.addEventListener("change", () => repaints.forEach((repaint) => repaint()));

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
