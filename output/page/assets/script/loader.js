// @ts-check
// Unpacks the data and the two parts of our script, which the page holds compressed. The first part draws the map while
// the browser reads the rest of the page. The content security policy names their hashes, so only they run.

(async () => {
  const unpack = async (/** @type {string} */ id) => {
    const packed = atob((document.getElementById(id)?.textContent ?? "").trim());
    const bytes = new Uint8Array(packed.length);
    for (let at = 0; at < packed.length; at++) bytes[at] = packed.charCodeAt(at);
    return new Response(new Response(bytes).body?.pipeThrough(new DecompressionStream("deflate"))).text(); // a blob would wait for another process
  };
  const run = async (/** @type {string} */ dataId, /** @type {string} */ scriptId) => {
    const data = document.getElementById(dataId);
    const [text, code] = await Promise.all([dataId, scriptId].map(unpack));
    if (data) data.textContent = text;
    const script = document.createElement("script");
    script.textContent = code;
    document.head.append(script);
  };
  const whole = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
  try {
    await run("first-data", "first-script");
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
      setTimeout(resolve, 300); // where no frames come, as in a tab behind others
    });
    await whole;
    await run("graph-data", "packed-script");
  } catch (error) {
    await whole;
    const status = document.getElementById("status");
    if (status) status.textContent = status.dataset.broken ?? "";
    document.getElementById("text")?.setAttribute("open", "");
    throw error;
  }
})();
