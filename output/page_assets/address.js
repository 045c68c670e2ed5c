// @ts-check
// The state of the page as the part of its address behind "#", so that links, back and forward work.

/**
 * What the page shows. `node` and `path` are ids of nodes, "" for none.
 * @typedef {{node: string, path: string, depth: number, only: boolean, off: string[], years: string[],
 *   topics: string[], podcasts: string[], twice: boolean, related: boolean, view: string, query: string}} State
 */

/** @type {Readonly<State>} */
export const START = {
  node: "", path: "", depth: 1, only: false, off: [], years: [], topics: [], podcasts: [],
  twice: false, related: true, view: "map", query: "",
};

/**
 * @param {string} text
 * @returns {string}
 */
function escape(text) {
  return text.replace(/[%&=,\s"<>`\u0000-\u001f\u007f-\uffff]+/gu, (found) => encodeURIComponent(found.toWellFormed?.() ?? found));
}

/**
 * @param {string} text
 * @returns {string}
 */
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Write a state as `n=...&off=...`; what is as at the start is left out.
 * @param {State} state
 * @returns {string}
 */
export function toAddress(state) {
  const parts = [];
  const list = (/** @type {string[]} */ values) => values.map(escape).join(",");
  if (state.node) parts.push(`n=${escape(state.node)}`);
  if (state.path) parts.push(`to=${escape(state.path)}`);
  if (state.depth !== 1) parts.push(`depth=${state.depth}`);
  if (state.only) parts.push("only=1");
  if (state.off.length) parts.push(`off=${list(state.off)}`);
  if (state.years.length) parts.push(`years=${list(state.years)}`);
  if (state.topics.length) parts.push(`topics=${list(state.topics)}`);
  if (state.podcasts.length) parts.push(`podcasts=${list(state.podcasts)}`);
  if (state.twice) parts.push("twice=1");
  if (!state.related) parts.push("related=0");
  if (state.view !== "map") parts.push(`view=${escape(state.view)}`);
  if (state.query) parts.push(`q=${escape(state.query)}`);
  return parts.join("&");
}

/**
 * Read a state; what is missing or odd is as at the start.
 * @param {string} address with or without the leading "#"
 * @returns {State}
 */
export function fromAddress(address) {
  const values = new Map();
  for (const part of address.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at > 0) values.set(part.slice(0, at), part.slice(at + 1));
  }
  const text = (/** @type {string} */ name) => unescape(values.get(name) ?? "");
  const list = (/** @type {string} */ name) => (values.get(name) ?? "").split(",").filter(Boolean).map(unescape);
  const depth = Number(values.get("depth") ?? 1);
  return {
    node: text("n"), path: text("to"), depth: depth >= 1 && depth <= 3 ? Math.floor(depth) : 1,
    only: values.get("only") === "1", off: list("off"), years: list("years"), topics: list("topics"),
    podcasts: list("podcasts"), twice: values.get("twice") === "1", related: values.get("related") !== "0",
    view: text("view") === "timeline" ? "timeline" : "map", query: text("q"),
  };
}
