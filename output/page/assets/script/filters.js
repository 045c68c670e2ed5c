// @ts-check
// Which nodes the filters leave.

import { otherEnd } from "./data.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./data.js").GraphNode} GraphNode */
/** @typedef {import("./address.js").State} State */

/** Up to so many nodes the map starts with all that is named; up to so many with what two episodes share. */
export const EVERYTHING = 1500;
export const SHARED = 10000;

const FIXED = new Set(["topic", "podcast"]);
const UPWARDS = new Set(["part_of", "in_repo", "in_folder", "subtopic_of"]);

/** How much detail the map shows: "all", "named" (without what only an index adds: a symbol's file, a file's folder),
 * "shared" (of these, without sources that one episode alone cites), or "core" (episodes and topics).
 * @param {Graph} graph @param {State} state @returns {string} */
export function detailOf(graph, state) {
  if (state.detail) return state.detail;
  const { length } = graph.nodes;
  if (length <= EVERYTHING) return graph.unnamed ? "named" : "all";
  return length <= SHARED ? "shared" : "core";
}

/** The year of an episode, or "undated". @param {GraphNode} node @returns {string} */
export function yearOf(node) {
  return node.date ? node.date.slice(0, 4) : "undated";
}

/** For each episode, the topics it is about. @param {Graph} graph @returns {Map<number, Set<number>>} */
export function topicsOfEpisodes(graph) {
  const about = Map.groupBy(graph.edges.filter(({ relation }) => relation === "about"), ({ from }) => from);
  return new Map([...about].map(([from, edges]) => [from, new Set(edges.map(({ to }) => to))]));
}

/** For each node, how many episodes (or posts) cite or mention it: of all, or of those that are shown. @param {Graph} graph @param {boolean[] | null} [shown] @returns {number[]} */
export function citations(graph, shown = null) {
  const counts = graph.nodes.map(() => new Set());
  for (const { relation, from, to, boilerplate } of graph.edges) {
    if (boilerplate || (shown && !shown[from])) continue;
    if (relation === "cites" || relation === "mentions") counts[to].add(from);
  }
  return counts.map((episodes) => episodes.size);
}

/**
 * Say for each node whether it is shown.
 *
 * An episode (or a post that cites as episodes do) is shown when its year, podcast and topics are. Anything else is
 * shown when its kind and the detail allow it and, once episodes are filtered, when it hangs on an episode that is
 * shown, directly or through something that does.
 * @param {Graph} graph
 * @param {State} state
 * @param {{topics: Map<number, Set<number>>}} facts
 * @returns {boolean[]}
 */
export function shownNodes(graph, state, facts) {
  const off = new Set(state.off);
  const detail = detailOf(graph, state);
  const allowed = graph.nodes.map((node) => {
    if (off.has(node.kind) || (detail !== "all" && !node.named)) return false;
    if (FIXED.has(node.kind) || node.item) return true;
    if (detail === "core") return false;
    return detail !== "shared" || node.degree > 1;
  });
  const held = heldNodes(graph, state, facts);
  return held ? allowed.map((yes, node) => yes && held[node]) : allowed;
}

/** The nodes that hang on the chosen episodes, or null when all episodes are chosen. @param {Graph} graph @param {State} state @param {{topics: Map<number, Set<number>>}} facts @returns {boolean[] | null} */
function heldNodes(graph, state, facts) {
  const [years, podcasts] = [new Set(state.years), new Set(state.podcasts)];
  const topics = new Set(state.topics.map((key) => graph.byKey.get(key)));
  const areas = new Set(state.areas);
  const [from, to] = state.span;
  if (!years.size && !podcasts.size && !topics.size && !areas.size && !from && !state.unheard) return null;
  const chosen = graph.nodes.filter((node) =>
    node.item && !(state.unheard && graph.heard.has(node.key)) &&
    (!years.size || years.has(yearOf(node))) &&
    (!areas.size || areas.has(node.community ?? "")) &&
    (!from || ((node.date ?? "") >= from && (node.date ?? "").slice(0, 7) <= to)) &&
    (!podcasts.size || podcasts.has(node.podcast ?? "")) &&
    (!topics.size || [...(facts.topics.get(node.index) ?? [])].some((topic) => topics.has(topic))));
  const held = graph.nodes.map(() => false);
  let rim = chosen.map(({ index }) => index);
  for (const node of rim) held[node] = true;
  for (let step = 0; step < 2; step++) {
    const next = [];
    for (const node of rim) {
      for (const number of graph.links[node]) {
        const { from, relation } = graph.edges[number];
        const other = otherEnd(graph.edges[number], node);
        if (held[other] || graph.nodes[other].item) continue;
        if (UPWARDS.has(relation) && from !== node) continue; // a repository does not hold all it contains
        if (step && relation !== "in_repo" && graph.nodes[node].kind === "topic") continue;
        held[other] = true;
        next.push(other);
      }
    }
    rim = next;
  }
  return held;
}
