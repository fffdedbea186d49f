// The columns beside the plots stay in the window while it is scrolled: from their tops, or to their ends where they are longer than it.

/** Free room around cards [px, CSS]. */
const GAP = 12;

export const keepInView = () => {
  const columns = [...document.querySelectorAll(".side, .list")], header = document.querySelector("header");
  const put = () => columns.forEach((column) => {
    const below = header.offsetHeight + GAP, ending = window.innerHeight - column.offsetHeight - GAP;
    column.style.setProperty("--top", `${Math.min(below, ending)}px`);
  });
  const watch = new ResizeObserver(put);
  [header, ...columns].forEach((node) => watch.observe(node));
  window.addEventListener("resize", put);
};
