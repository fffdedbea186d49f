"use strict";
// Data and scripts of the page are deflated: the browser unpacks them.

/** What stands in the element `packed-` and this name, unpacked. */
const unpacked = async (name) => {
  const letters = atob(document.getElementById(`packed-${name}`).textContent);
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
};

/** Runs a packed script, whose names all others see. */
const runPacked = async (name) => {
  const node = document.createElement("script");
  node.textContent = await (await unpacked(name)).text();
  document.body.append(node);
};

let data;
(async () => {
  if (!("DecompressionStream" in window)) {
    document.getElementById("head").textContent = "This page needs a browser of 2023 or later: it unpacks its data by DecompressionStream.";
    return;
  }
  data = await (await unpacked("data")).json();
  await runPacked("script");
})();
