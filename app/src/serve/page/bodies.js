// The bodies of the run, moved by poses that come with its curves: the view of reports, which follows the run while nobody looks at another time.
import * as charts from "./charts.js";
import { at, element } from "./words.js";
import * as memory from "./memory.js";

let view = null;
/** Whether the present is shown. */
let follows = true;
/** The scene that is shown belongs to this run. */
let shown = null;

let three = null;
const loadThree = () => {
  three ??= new Promise((done, fail) => {
    const script = element("script");
    [script.src, script.onload, script.onerror] = ["three.js", done, fail];
    document.body.append(script);
  });
  return three;
};

const live = () => {
  const button = element("button", "Live");
  [button.type, button.id, button.title] = ["button", "view-live", "Show the present"];
  const show = () => button.setAttribute("aria-pressed", String(follows));
  button.addEventListener("click", () => { follows = true; view.player.pause(); take(); show(); });
  timeCursor.heard.add((time, by) => {
    // The mouse over a plot looks back for a moment.
    if (by && by !== "live" && !by.over) follows = time >= view.stage.span()[1];
    show();
  });
  show();
  return button;
};

/** Room for the picture and its controls before they were there [px, CSS]. */
const ROOM = "calc(min(56vh, 520px) + 130px)";

/** Gives a place the height of the view before, so that what stands below stays. */
const reserve = (place, before) => {
  const height = before.offsetHeight || memory.recall("view");
  place.className = "card view3d";
  place.hidden = false;
  place.style.minHeight = height ? `${height}px` : ROOM;
};

/** Shows the bodies of run `run`, whose columns are `widths`; of a run with other parameters they may look otherwise. */
export const open = async (widths, run) => {
  if (widths.length === 0 || shown === run || !canDraw()) return;
  shown = run;
  if (at("view").hidden) reserve(at("view"), at("view"));
  const answer = await fetch("scene.glb");
  if (!answer.ok) at("view").hidden = true;
  if (!answer.ok || shown !== run) return;
  const bytes = await answer.arrayBuffer(), place = element("section"), before = at("view");
  view?.close();
  view = null;
  place.id = "view";
  place.setAttribute("aria-label", "The machine in motion");
  reserve(place, before);
  before.replaceWith(place);
  const drive = { widths, times: charts.timesSoFar, columns: charts.poses };
  const made = await makeView(place, { bytes, still: "", drive, load: loadThree });
  // Another run may have begun.
  if (shown !== run) { made.close(); return; }
  view = made;
  // As in reports, for scripts of who looks on.
  window.shownView = view;
  view.controls.bar.append(live());
  place.style.minHeight = "";
  memory.keep("view", place.offsetHeight);
  take();
};

/** Takes what has come. Without bodies too the present is what is told, until somebody points at another time. */
export const take = () => {
  const times = charts.timesSoFar();
  if (times.length === 0) return;
  if (follows && !document.querySelector(".u-over:hover")) timeCursor.set(times[times.length - 1], "live");
  view?.renew();
};
