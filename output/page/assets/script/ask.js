// @ts-check
// The questions of the search field beside plain words, such as “who cites X”, and pasted texts.

import { meant, search } from "./search.js";
import { naming } from "./walk.js";
import { phrase } from "./strings.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./search.js").Found} Found */
/** @typedef {Found & {other?: number, route?: boolean}} Hit other: the node to compare with; route: show its route */

const PASTED = 80; // characters: a longer text was pasted
const TOKENS = 300; // of a pasted text: each is looked for in the whole graph
const TOKEN = /[\p{L}\p{N}_.:/#@-]*[\p{L}\p{N}_]/gu; // a path, number or name in it

/** Whether a text was pasted, and is neither a question nor an address. @param {string} query */
export const isPasted = (query) => query.length > PASTED && /\s/.test(query.trim());

/** Answer a question or a pasted text; search for the words of all others. @param {Graph} graph @param {import("./search.js").Index} index @param {string} query @returns {Hit[]} */
export function answer(graph, index, query) {
  const text = query.trim();
  if (isPasted(text)) return pasted(graph, text);
  const words = (/** @type {string} */ of) => search(graph, index, of, Infinity).found;
  const asked = (/** @type {Parameters<typeof phrase>[0]} */ name) => new RegExp(phrase(name), "iu").exec(text)?.slice(1) ?? null;
  /** @type {(where: string, nodes: number[], via?: number) => Hit[]} */
  const made = (where, nodes, via) => nodes.map((node) => ({ node, score: 0, where, missing: [], instead: "", via }));
  const day = (/** @type {number} */ node) => graph.nodes[node].date ?? "";
  const place = (/** @type {number} */ node) => `${graph.nodes[node].kind === "episode" ? "1" : "0"}${day(node)}`;
  const newest = (/** @type {number[]} */ nodes) => nodes.sort((a, b) => (place(a) < place(b) ? 1 : place(a) > place(b) ? -1 : a - b)); // episodes before posts
  const items = () => newest(graph.nodes.filter(({ item, date }) => item && date).map(({ index: node }) => node));

  if (asked("askNew")) return made("date", items());
  const [topic] = asked("askRoute") ?? [];
  const routes = topic ? words(topic).filter(({ node }) => graph.nodes[node].route) : [];
  if (routes.length) return routes.map((one) => ({ ...one, route: true }));
  const [cited] = asked("askCites") ?? [];
  for (const target of cited ? [...meant(graph, cited), ...words(cited).map(({ node }) => node)].slice(0, 3) : []) {
    const sources = newest([...naming(graph, target).keys()]);
    if (sources.length) return made("naming", sources, target);
  }
  const [both, year, since] = asked("askYear") ?? [];
  if (year ?? since) {
    const found = (both ? words(both) : made("date", items()))
      .filter(({ node }) => graph.nodes[node].item && (year ? day(node).startsWith(year) : day(node) >= since));
    if (found.length) return found;
  }
  const pair = asked("askBoth")?.map((one) => meant(graph, one)[0] ?? words(one).find(({ score }) => score >= graph.ranking.extra.whole)?.node ?? -1);
  const compared = pair && pair[0] !== pair[1] && !pair.includes(-1) ? [{ ...made("comparison", pair.slice(0, 1))[0], other: pair[1] }] : [];
  return [...compared, ...words(text)];
}

/** The paths, numbers, symbols and topics of the page in a pasted text, then the episodes that name most of them. @param {Graph} graph @param {string} text @returns {Hit[]} */
function pasted(graph, text) {
  const named = new Map(graph.nodes.filter(({ kind, name }) => ["symbol", "topic"].includes(kind) && name.length > 3).flatMap(({ index, name, key }) => [[name, index], [key.split(/::|[.:/]/).at(-1) ?? "", index]]));
  /** @type {Set<number>} */
  const found = new Set();
  for (const token of [...new Set(text.match(TOKEN))].slice(0, TOKENS)) {
    const parts = token.split("/");
    // A path in a traceback begins with folders of the machine: the longest end that the page holds counts.
    const paths = parts.slice(0, -1).map((_, at) => parts.slice(at).join("/"));
    const first = [...(/#/.test(token) ? [token] : []), ...paths].map((one) => meant(graph, one)).find((nodes) => nodes.length === 1);
    const symbol = named.get(token) ?? named.get(token.split(/::|\./).at(-1) ?? "");
    for (const node of first ?? (symbol === undefined ? [] : [symbol])) found.add(node);
  }
  /** @type {Map<number, number[]>} */
  const sources = new Map();
  for (const node of found) for (const source of naming(graph, node).keys()) sources.set(source, [...sources.get(source) ?? [], node]);
  const episodes = [...sources].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]);
  const hit = { score: 0, missing: [], instead: "" };
  return [...episodes.map(([node, [via]]) => ({ ...hit, node, where: "naming", via })), ...[...found].map((node) => ({ ...hit, node, where: "pasted" }))];
}
