// @ts-check
// Runs first: unpacks our script and the graph, which the page holds compressed, and runs the script. The content
// security policy names its hash, so only it runs.

(async () => {
  const unpack = (/** @type {string} */ id) => {
    const packed = atob((document.getElementById(id)?.textContent ?? "").trim());
    const bytes = new Uint8Array(packed.length);
    for (let at = 0; at < packed.length; at++) bytes[at] = packed.charCodeAt(at);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  };
  try {
    const data = document.getElementById("graph-data");
    if (data) data.textContent = await unpack("graph-data");
    const script = document.createElement("script");
    script.textContent = await unpack("packed-script");
    document.head.append(script);
  } catch (error) {
    const status = document.getElementById("status");
    if (status) status.textContent = status.dataset.broken ?? "";
    document.getElementById("text")?.setAttribute("open", "");
    throw error;
  }
})();
