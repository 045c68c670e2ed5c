// @ts-check
// Which nodes the filters leave.

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./data.js").GraphNode} GraphNode */
/** @typedef {import("./address.js").State} State */

/**
 * The year of an episode, or "undated".
 * @param {GraphNode} node
 * @returns {string}
 */
export function yearOf(node) {
  return node.date ? node.date.slice(0, 4) : "undated";
}

/**
 * For each episode, the topics it is about.
 * @param {Graph} graph
 * @returns {Map<number, Set<number>>}
 */
export function topicsOfEpisodes(graph) {
  const topics = new Map();
  for (const edge of graph.edges) {
    if (edge.relation !== "about") continue;
    if (!topics.has(edge.from)) topics.set(edge.from, new Set());
    topics.get(edge.from).add(edge.to);
  }
  return topics;
}

/**
 * For each node, how many episodes cite or mention it.
 * @param {Graph} graph
 * @returns {number[]}
 */
export function citations(graph) {
  const counts = graph.nodes.map(() => new Set());
  for (const edge of graph.edges) {
    if (edge.relation === "cites" || edge.relation === "mentions") counts[edge.to].add(edge.from);
  }
  return counts.map((episodes) => episodes.size);
}

/**
 * Say for each node whether it is shown.
 *
 * An episode is shown when its year, podcast and topics are; anything else when its kind is and, once episodes
 * are filtered, when it hangs on a shown episode (directly, or through something that does).
 * @param {Graph} graph
 * @param {State} state
 * @param {{topics: Map<number, Set<number>>, citations: number[]}} facts
 * @returns {boolean[]}
 */
export function shownNodes(graph, state, facts) {
  const off = new Set(state.off);
  const years = new Set(state.years);
  const podcasts = new Set(state.podcasts);
  const topics = new Set(state.topics.map((key) => graph.byKey.get(key)));
  const narrowed = years.size > 0 || podcasts.size > 0 || topics.size > 0;
  const shown = graph.nodes.map((node) => {
    if (off.has(node.kind)) return false;
    if (node.kind === "episode") {
      if (years.size && !years.has(yearOf(node))) return false;
      if (podcasts.size && !podcasts.has(node.podcast ?? "")) return false;
      if (topics.size && ![...(facts.topics.get(node.index) ?? [])].some((topic) => topics.has(topic))) return false;
      return true;
    }
    if (state.twice && !["topic", "podcast", "person"].includes(node.kind)) return facts.citations[node.index] > 1;
    return true;
  });
  if (!narrowed) return shown;
  const held = graph.nodes.map((node) => node.kind === "episode" && passes(graph, node, years, podcasts, topics, facts));
  let rim = graph.nodes.filter((node) => held[node.index]).map((node) => node.index);
  for (let step = 0; step < 2; step++) {
    const next = [];
    for (const node of rim) {
      for (const edge of graph.links[node]) {
        const { from, to, relation } = graph.edges[edge];
        const other = from === node ? to : from;
        if (held[other] || graph.nodes[other].kind === "episode") continue;
        if (step && ["part_of", "in_repo", "in_folder", "subtopic_of"].includes(relation) && from !== node) continue;
        held[other] = true;
        next.push(other);
      }
    }
    rim = next;
  }
  return shown.map((yes, node) => yes && held[node]);
}

/**
 * @param {Graph} graph
 * @param {GraphNode} node
 * @param {Set<string>} years
 * @param {Set<string>} podcasts
 * @param {Set<number | undefined>} topics
 * @param {{topics: Map<number, Set<number>>}} facts
 * @returns {boolean}
 */
function passes(graph, node, years, podcasts, topics, facts) {
  return (
    (!years.size || years.has(yearOf(node))) &&
    (!podcasts.size || podcasts.has(node.podcast ?? "")) &&
    (!topics.size || [...(facts.topics.get(node.index) ?? [])].some((topic) => topics.has(topic)))
  );
}
