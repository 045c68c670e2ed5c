// @ts-check
// The state of the page as the part of its address behind "#", so that links, back and forward work.

/**
 * What the page shows. `node` and `path` are ids of nodes, "" for none; the lists hold what is chosen, `off`
 * the kinds left out; `detail` is "" for what suits the size of the graph, else a name of `DETAILS`.
 * @typedef {{node: string, path: string, only: boolean, off: string[], years: string[],
 *   topics: string[], podcasts: string[], related: boolean, detail: string, view: string,
 *   query: string, list: string[], span: string[], areas: string[], route: boolean, unheard: boolean}} State route: that of the topic `node` is lit; span: the first month shown and the last, "2021-07"; none for all
 */

/** The views: the atlas, the map of everything, and the timeline. */
export const VIEWS = ["episodes", "everything", "timeline"];
export const DETAILS = ["all", "shared"];

/** @type {Readonly<State>} */
export const START = Object.freeze({
  node: "", path: "", only: false, off: [], years: [], topics: [], podcasts: [],
  related: true, detail: "", view: "episodes", query: "", list: [], span: [], areas: [], route: false, unheard: false,
});

/** The filters as at the start. */
export const NO_FILTERS = Object.freeze({
  only: false, off: [], years: [], topics: [], podcasts: [], related: true, detail: "", span: [], areas: [], unheard: false,
});

/** @param {string} text @returns {string} */
function escape(text) {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd")).replace(/%(?:2F|3A|40|23|24|3B)/g, decodeURIComponent);
}

/** @param {string} text @returns {string} */
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Write a state as `n=...&off=...`; what is as at the start is left out. @param {State} state @returns {string} */
export function toAddress(state) {
  /** @type {string[]} */
  const parts = [];
  const text = (/** @type {string} */ name, /** @type {string} */ value) => value && parts.push(`${name}=${escape(value)}`);
  const list = (/** @type {string} */ name, /** @type {string[]} */ values) =>
    values.length && parts.push(`${name}=${values.map(escape).join(",")}`);
  text(state.route ? "route" : "n", state.route ? state.node.replace(/^topic:/, "") : state.node);
  text("to", state.path);
  text("only", state.only ? "1" : "");
  list("off", state.off);
  list("years", state.years);
  list("topics", state.topics);
  list("podcasts", state.podcasts);
  text("related", state.related ? "" : "0");
  text("unheard", state.unheard ? "1" : "");
  text("detail", state.detail);
  text("view", state.view === START.view ? "" : state.view);
  list("areas", state.areas);
  list("span", state.span);
  list("list", state.list);
  text("q", state.query);
  return parts.join("&");
}

/** Read a state; what is missing or odd is as at the start. @param {string} address with or without the leading "#" @returns {State} */
export function fromAddress(address) {
  /** @type {Map<string, string>} */
  const values = new Map();
  for (const part of address.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at > 0) values.set(part.slice(0, at), part.slice(at + 1));
  }
  const text = (/** @type {string} */ name) => unescape(values.get(name) ?? "");
  const list = (/** @type {string} */ name) => (values.get(name) ?? "").split(",").filter(Boolean).map(unescape);
  return {
    node: values.has("route") ? `topic:${text("route").replace(/^topic:/, "")}` : text("n"), path: text("to"),
    only: text("only") === "1", off: list("off"), years: list("years"), topics: list("topics"),
    podcasts: list("podcasts"), related: text("related") !== "0",
    detail: DETAILS.includes(text("detail")) ? text("detail") : "",
    view: VIEWS.includes(text("view")) ? text("view") : START.view, query: text("q"), list: list("list"),
    span: list("span").length === 2 && list("span").every((month) => /^\d{4}-\d\d$/.test(month)) ? list("span") : [], areas: list("areas"), route: values.has("route"), unheard: text("unheard") === "1",
  };
}

/** Say whether an address holds a state of the page, and not the name of a place in it. @param {string} address @returns {boolean} */
export function isState(address) {
  return address.length < 2 || /^#[a-z]+=/.test(address);
}
