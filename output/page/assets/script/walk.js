// @ts-check
// Walking the graph: what is near a node, how two nodes hang together, and what lies in a direction.

/** @typedef {import("./data.js").Graph} Graph */

/** What joins everything: a walk does not go through it, or all would be two steps from all. */
const HUBS = new Set(["podcast", "repo"]);
/** @type {Record<string, string>} the relations to such a whole */
const WHOLES = { part_of: "podcast", in_repo: "repo" };

/**
 * The nodes within so many steps, and the edges the walk saw between them. That an episode is part of its
 * podcast, and a file of its repository, goes without saying.
 * @param {Graph} graph
 * @param {number} start
 * @param {number} depth
 * @param {(node: number) => boolean} shown
 * @returns {{nodes: Set<number>, edges: Set<number>}}
 */
export function neighbourhood(graph, start, depth, shown) {
  const nodes = new Set([start]);
  /** @type {Set<number>} */
  const edges = new Set();
  let rim = [start];
  for (let step = 0; step < depth; step++) {
    const next = [];
    for (const node of rim) {
      if (step && HUBS.has(graph.nodes[node].kind)) continue;
      for (const number of graph.links[node]) {
        const { from, to, relation } = graph.edges[number];
        const other = from === node ? to : from;
        if (!shown(other) || (WHOLES[relation] && graph.nodes[start].kind !== WHOLES[relation])) continue;
        edges.add(number);
        if (!nodes.has(other)) {
          nodes.add(other);
          next.push(other);
        }
      }
    }
    rim = next;
  }
  return { nodes, edges };
}

/**
 * A shortest way between two nodes, as edges in order, or null. It leads through a podcast or a repository
 * only when there is no other.
 * @param {Graph} graph
 * @param {number} start
 * @param {number} goal
 * @returns {number[] | null}
 */
export function shortestPath(graph, start, goal) {
  return findPath(graph, start, goal, false) ?? findPath(graph, start, goal, true);
}

/**
 * @param {Graph} graph
 * @param {number} start
 * @param {number} goal
 * @param {boolean} throughHubs
 * @returns {number[] | null}
 */
function findPath(graph, start, goal, throughHubs) {
  const cameBy = new Map([[start, -1]]);
  let rim = [start];
  while (rim.length && !cameBy.has(goal)) {
    const next = [];
    for (const node of rim) {
      if (!throughHubs && node !== start && HUBS.has(graph.nodes[node].kind)) continue;
      for (const number of graph.links[node]) {
        const { from, to } = graph.edges[number];
        const other = from === node ? to : from;
        if (cameBy.has(other)) continue;
        cameBy.set(other, number);
        next.push(other);
      }
    }
    rim = next;
  }
  if (!cameBy.has(goal)) return null;
  const path = [];
  for (let node = goal; node !== start; ) {
    const number = /** @type {number} */ (cameBy.get(node));
    path.unshift(number);
    const { from, to } = graph.edges[number];
    node = from === node ? to : from;
  }
  return path;
}

/**
 * What is related to a node, as edges, strongest first: those that it proposes, and up to so many those that propose
 * it; each other end once.
 * @param {Graph} graph
 * @param {number} node
 * @param {number} [most]
 * @returns {import("./data.js").GraphEdge[]}
 */
export function relatives(graph, node, most = 5) {
  const edges = graph.links[node].map((number) => graph.edges[number]).filter(({ relation }) => relation === "related");
  /** @type {Map<number, import("./data.js").GraphEdge>} */
  const found = new Map();
  for (const edge of edges) if (edge.from === node) found.set(edge.to, edge);
  if (found.size < most) for (const edge of edges) if (edge.to === node && !found.has(edge.from)) found.set(edge.from, edge);
  const key = (/** @type {number} */ other) => graph.nodes[other].key;
  return [...found].sort(([a, one], [b, two]) => two.weight - one.weight || (key(a) < key(b) ? -1 : 1))
    .slice(0, most).map(([, edge]) => edge);
}

/**
 * The episodes to hear before one, in order, as the notes say (listen_first): first things first.
 * @param {Graph} graph
 * @param {number} episode
 * @returns {number[]}
 */
export function listeningOrder(graph, episode) {
  /** @type {number[]} */
  const order = [];
  const seen = new Set([episode]);
  const visit = (/** @type {number} */ node) => {
    for (const number of graph.links[node]) {
      const { relation, from, to } = graph.edges[number];
      if (relation !== "listen_first" || from !== node || seen.has(to)) continue;
      seen.add(to);
      visit(to);
      order.push(to);
    }
  };
  visit(episode);
  return order;
}

/**
 * The node to go to from a place in a direction: near, and little off the line; -1 when there is none.
 * @param {{x: number, y: number}[]} places
 * @param {{x: number, y: number}} start
 * @param {number} dx -1, 0 or 1
 * @param {number} dy -1, 0 or 1
 * @param {Iterable<number>} candidates
 * @returns {number}
 */
export function towards(places, start, dx, dy, candidates) {
  let best = -1;
  let least = Infinity;
  for (const other of candidates) {
    const x = places[other].x - start.x;
    const y = places[other].y - start.y;
    const along = x * dx + y * dy;
    const across = Math.abs(x * dy) + Math.abs(y * dx);
    if (along <= 0 || across > 1.75 * along) continue;
    const cost = along + 2 * across;
    if (cost < least) {
      least = cost;
      best = other;
    }
  }
  return best;
}
