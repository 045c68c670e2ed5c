// @ts-check
// Runs first: unpacks our script, which the page holds compressed, and runs it. The content security policy names its
// hashes, so only it runs. The search comes first, in a part of its own; the map when the rest of the page is there.

(async () => {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%:()*+-;,=.?@^_`{|}~";
  const worth = new Uint8Array(128);
  for (let i = 0; i < 85; i++) worth[digits.charCodeAt(i)] = i;
  const parsed = () => document.readyState !== "loading" || new Promise((done) => addEventListener("DOMContentLoaded", done));
  const field = document.querySelector("#search input");
  field?.addEventListener("keydown", (event) => Object.assign(field, { pressed: /** @type {KeyboardEvent} */ (event).key }));
  try {
    for (const part of ["packed-search", "packed-map"]) {
      if (part === "packed-map") await parsed();
      const packed = (document.getElementById(part)?.textContent ?? "").trim();
      const bytes = new DataView(new ArrayBuffer(((packed.length - 1) / 5) * 4));
      for (let from = 1, to = 0; from < packed.length; to += 4) {
        let value = 0;
        for (let i = 0; i < 5; i++) value = value * 85 + worth[packed.charCodeAt(from++)];
        bytes.setUint32(to, value);
      }
      const unpacked = new Blob([bytes.buffer.slice(0, bytes.byteLength - Number(packed[0]))]).stream().pipeThrough(new DecompressionStream("deflate"));
      const script = document.createElement("script");
      script.textContent = await new Response(unpacked).text();
      document.head.append(script);
      await new Promise((done) => setTimeout(done)); // keys first
    }
  } catch (error) {
    const status = document.getElementById("status");
    if (status) status.textContent = status.dataset.broken ?? "";
    await parsed();
    document.getElementById("text")?.setAttribute("open", "");
    throw error;
  }
})();
