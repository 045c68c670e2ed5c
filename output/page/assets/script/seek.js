// @ts-check
// The search field. It answers before vis-network and the script of the map are there: this is the end of the page's
// first script. What is chosen or typed meanwhile is done once the map stands.

import { byId, surroundings } from "./dom.js";
import { kindOf, readGraph } from "./data.js";
import { icon } from "./shapes.js";
import { fold, search, searchIndex, stem } from "./search.js";
import { createCombobox } from "./combobox.js";
import { phrase } from "./strings.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./search.js").Found} Found */
/** @typedef {{choose: (node: number, route?: boolean) => void, typed: (query: string) => void}} Doing */

const HITS = 8; // beneath the search field
const ROUND = 36; // characters of the notes on either side of what was found
const ADDRESSES = new Set(["id", "url"]);
const CODE = new Set(["pull", "issue", "file", "symbol"]);

export const graph = readGraph(JSON.parse(byId("graph-data").textContent ?? ""));
/** @type {import("./search.js").Index | null} */
let index = null;
let asked = { query: "", found: /** @type {Found[]} */ ([]) };
/** @type {Doing | null} */
let doing = null;
let waiting = { node: -1, query: "" };

/** All that a search finds, kept until the next one. @param {string} query @returns {Found[]} */
export function foundFor(query) {
  if (asked.query === query) return asked.found;
  index ??= searchIndex(graph);
  asked = { query, found: query ? search(graph, index, query, Infinity).found : [] };
  return asked.found;
}

/** The topic that a question such as “a way into X” asks a route of, "" for other questions. @param {string} query */
const routeOf = (query) => new RegExp(phrase("askRoute"), "iu").exec(query.trim())?.[1] ?? "";

/** What the list beneath a field shows. @param {string} query */
export function find(query) {
  const topic = routeOf(query);
  const routes = topic ? foundFor(topic).filter(({ node }) => graph.nodes[node].route) : [];
  const found = routes.length ? routes : foundFor(query);
  return {
    total: found.length,
    hits: found.slice(0, HITS).map((one) => {
      const { kind, name, date } = graph.nodes[one.node];
      const hint = [kindOf(graph, kind).one, date?.slice(0, 10), whyFound(graph, one, query)].filter(Boolean).join(" · ");
      return { node: one.node, icon: icon(graph, kind, graph.nodes[one.node].hue), name, hint };
    }),
  };
}

/** Why a node was found: the field that holds what was asked for, and the words there. @param {Graph} graph @param {Found} found @param {string} query @returns {string} */
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

export const combobox = createCombobox(byId("search"), {
  label: phrase(graph.nodes.some(({ kind }) => CODE.has(kind)) ? "searchFor" : "searchForPlain"),
  find,
  choose: (node, query) => (doing ? doing.choose(node, Boolean(routeOf(query))) : (waiting = { node, query: "" })),
  typed: (query) => (doing ? doing.typed(query) : (waiting = { node: -1, query })),
  say: (text) => (byId("live").textContent = text),
});

/** The map stands: do what is chosen and typed from here on, and what was before. @param {Doing} then */
export function attend(then) {
  doing = then;
  if (waiting.query) doing.typed(waiting.query);
  if (waiting.node >= 0) doing.choose(waiting.node);
}
