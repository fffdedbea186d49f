// A report that follows its file: once a second, while somebody looks, it is loaded once more out of sight, up to here, and tells its stamp. A page
// from a folder may not read files, but a frame may tell the page around it. A `problem` is why there is no newer run.
const follow = (stamp, problem = "") => {
  if (location.hash === "#stamp") {
    parent.postMessage({ stamp, problem }, "*");
    window.stop();
    return;
  }
  let frame = null, banner = null;
  const warn = (text) => {
    if (text === (banner?.lastChild.textContent ?? "")) return;
    banner?.remove();
    banner = null;
    if (text === "") return;
    banner = document.createElement("div");
    banner.className = "error stale";
    banner.setAttribute("role", "alert");
    for (const part of ["The model file is not valid; this is the last run.", text]) {
      banner.append(document.createElement("p"));
      banner.lastChild.textContent = part;
    }
    document.body.prepend(banner);
  };
  document.addEventListener("DOMContentLoaded", () => warn(problem));
  addEventListener("message", ({ source, data: told }) => {
    if (source !== frame?.contentWindow) return;
    if (told.stamp !== stamp) location.reload(); else warn(told.problem);
  });
  setInterval(() => {
    if (document.hidden) return;
    frame?.remove();
    frame = document.createElement("iframe");
    frame.hidden = true;
    // The query keeps the browser from its memory.
    frame.src = `${location.pathname}?${Date.now()}#stamp`;
    document.documentElement.append(frame);
  }, 1000);
};
