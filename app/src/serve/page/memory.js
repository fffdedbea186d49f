// What the page looked like, for when it is loaded again: of this tab, and of this server alone, whose address no other has.

const KEY = `fourbar ${location.pathname}`;
let scrolled = null;

const all = () => {
  try { return JSON.parse(sessionStorage.getItem(KEY)) ?? {}; } catch { return {}; }
};

/** Keeps a part of it. A browser that stores nothing begins anew. */
export const keep = (part, value) => {
  try { sessionStorage.setItem(KEY, JSON.stringify({ ...all(), [part]: value })); } catch { /* as said */ }
};

/** That part; undefined if there is none. */
export const recall = (part) => all()[part];

/** Goes to where the page was scrolled to, once what stands there has come. */
export const scrollBack = () => {
  if (scrolled !== null) requestAnimationFrame(() => { window.scrollTo(0, scrolled ?? window.scrollY); scrolled = null; });
};

history.scrollRestoration = "manual";
scrolled = recall("scroll") ?? null;
addEventListener("pagehide", () => keep("scroll", window.scrollY));
