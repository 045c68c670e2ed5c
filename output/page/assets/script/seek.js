// @ts-check
// The search field.

import { byId, surroundings } from "./dom.js";
import { kindOf, readGraph } from "./data.js";
import { graph } from "./first.js";
import { icon } from "./shapes.js";
import { fold, searchIndex, stem } from "./search.js";
import { answer } from "./ask.js";
import { createCombobox } from "./combobox.js";
import { phrase } from "./strings.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./ask.js").Hit} Hit */

const HITS = 8; // beneath the search field
const ROUND = 36; // characters of the notes on either side of what was found
const ADDRESSES = new Set(["id", "url"]);
const CODE = new Set(["pull", "issue", "file", "symbol"]);

Object.assign(graph, readGraph(JSON.parse(byId("graph-data").textContent ?? "")));
/** @type {import("./search.js").Index | null} */
let index = null;
setTimeout(() => find("a"), 500); // so that the first key waits neither for the index nor for the compiler
let asked = { query: "", found: /** @type {Hit[]} */ ([]) };

/** All that a search finds, kept until the next one. @param {string} query @returns {Hit[]} */
export function foundFor(query) {
  if (asked.query === query) return asked.found;
  index ??= searchIndex(graph);
  asked = { query, found: query ? answer(graph, index, query) : [] };
  return asked.found;
}

/** What the list beneath a field shows. @param {string} query */
export function find(query) {
  const found = foundFor(query);
  return {
    total: found.length,
    hits: found.slice(0, HITS).map((one) => {
      const { kind, date, hue } = graph.nodes[one.node];
      const hint = [one.other === undefined && kindOf(graph, kind).one, date?.slice(0, 10), whyFound(graph, one, query)].filter(Boolean).join(" · ");
      return { ...one, icon: icon(graph, kind, hue), name: nameOf(one), hint };
    }),
  };
}

/** The name of a hit; of a comparison, both names. @param {Hit} hit */
export const nameOf = ({ node, other }) => [node, other ?? -1].flatMap((one) => graph.nodes[one]?.name ?? []).join(" — ");

/** Why a node was found: the field that holds what was asked for, and the words there. @param {Graph} graph @param {Hit} found @param {string} query @returns {string} */
export function whyFound(graph, { node, where, missing, instead, via }, query) {
  const { kind, item, aliases = [], names = [], summary = "" } = graph.nodes[node];
  const stems = (fold(instead || query).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => stem(graph.ranking, word));
  const holds = (/** @type {string} */ text) => stems.some((root) => fold(text).includes(root));
  /** @type {Record<string, () => string>} */
  const reasons = {
    reference: () => phrase("foundByReference"),
    number: () => phrase("foundByNumber"),
    topic: () => phrase("foundByTopic", { topic: graph.nodes[via ?? -1]?.name ?? "" }),
    naming: () => phrase("foundNaming", { name: graph.nodes[via ?? -1]?.name ?? "" }),
    date: () => "",
    pasted: () => phrase("foundInText"),
    comparison: () => phrase("comparison"),
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

/** Make the search field. @param {(hit: {node: number, other?: number, route?: boolean}) => void} choose @param {(query: string) => void} typed */
export const createSearch = (choose, typed) => createCombobox(byId("search"), {
  label: phrase(graph.nodes.some(({ kind }) => CODE.has(kind)) ? "searchFor" : "searchForPlain"),
  find, choose, typed, say: (text) => (byId("live").textContent = text),
});
