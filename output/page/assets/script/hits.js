// @ts-check
// What a search found: why each was found, and all of it as a list in the panel.

import { phrase } from "./strings.js";
import { element } from "./dom.js";
import { kindOf } from "./data.js";
import { fold, stem } from "./search.js";
import { growingList, nodeLink, surroundings } from "./panel.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./search.js").Found} Found */

const ROUND = 36; // characters of the notes on either side of what was found
const ADDRESSES = new Set(["id", "url"]);

/**
 * Why a node was found: the field that holds what was asked for, and the words there.
 * @param {Graph} graph
 * @param {Found} found
 * @param {string} query
 * @returns {string}
 */
export function whyFound(graph, { node, where, missing, instead, via }, query) {
  const { kind, item, aliases = [], names = [], summary = "" } = graph.nodes[node];
  const stems = (fold(instead || query).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => stem(graph.ranking, word));
  const holds = (/** @type {string} */ text) => stems.some((root) => fold(text).includes(root));
  /** @type {Record<string, () => string>} */
  const reasons = {
    reference: () => phrase("foundByReference"),
    number: () => phrase("foundByNumber"),
    topic: () => phrase("foundByTopic", { topic: via === undefined ? "" : graph.nodes[via].name }),
    aliases: () => phrase("foundByAlias", { name: [...names, ...aliases].find(holds) ?? names[0] ?? aliases[0] ?? "" }),
    notes: () => phrase("foundInNotes", { quote: quoteOf(summary, stems) }),
  };
  const reason = reasons[where]?.() ?? phrase(ADDRESSES.has(where) ? "foundInAddress" : item || kind === "episode" ? "foundInTitle" : "foundInName");
  return missing.length ? `${reason} · ${phrase("foundWithout", { words: missing.join(", ") })}` : reason;
}

/** The words of a text round the first of some stems. @param {string} text @param {string[]} stems */
function quoteOf(text, stems) {
  const folded = fold(text).length === text.length ? fold(text) : text.toLowerCase();
  const places = stems.map((root) => folded.search(new RegExp(`(?<![\\p{L}\\p{N}])${root}`, "u"))).filter((at) => at >= 0);
  const start = places.length ? Math.min(...places) : 0;
  const end = start + (/^[\p{L}\p{N}]+/u.exec(text.slice(start))?.[0].length ?? 0);
  const [before, after] = surroundings(text, start, end, ROUND);
  return `${before}${text.slice(start, end)}${after}`.replace(/\s+/g, " ").trim();
}

/**
 * Fill the panel with all that was found.
 * @param {HTMLElement} box
 * @param {Graph} graph
 * @param {string} query
 * @param {Found[]} found
 * @param {() => void} close
 */
export function showHits(box, graph, query, found, close) {
  box.replaceChildren(
    element("header", {},
      element("button", { type: "button", class: "close", "aria-label": phrase("clearSearch"), onclick: close }, "×"),
      element("h2", { tabindex: "-1", dir: "auto" }, phrase("foundFor", { query })),
      element("p", { class: "facts" }, found.length ? phrase("found", { count: found.length }) : phrase("nothingMatches", { query })),
      found[0]?.instead ? element("p", { class: "facts", dir: "auto" }, phrase("searchedInstead", { instead: found[0].instead })) : null),
    element("section", {}, growingList(found.map((one) => () => {
      const { kind, date } = graph.nodes[one.node];
      return element("li", {},
        element("div", { class: "row" }, nodeLink(graph, one.node), element("span", { class: "facts" }, date?.slice(0, 10) ?? kindOf(graph, kind).one)),
        element("p", { class: "reason", dir: "auto" }, whyFound(graph, one, query)));
    }))));
}
