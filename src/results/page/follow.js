// A report that follows its file: once a second, while somebody looks, it is loaded once more out of sight, up to here, and tells its stamp. A page
// from a folder may not read files, but a frame may tell the page around it.
const follow = (stamp) => {
  if (location.hash === "#stamp") {
    parent.postMessage({ stamp }, "*");
    window.stop();
    return;
  }
  let frame = null;
  addEventListener("message", (event) => {
    if (event.source === frame?.contentWindow && event.data.stamp !== stamp) location.reload();
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
