// @ts-check
// Walking the graph: what is near a node, how two nodes hang together, and what lies in a direction.

/** @typedef {import("./data.js").Graph} Graph */

/**
 * The nodes within so many steps, and the edges between them that the walk used.
 *
 * From the second step on, a walk does not go through podcasts and repositories: they join everything.
 * @param {Graph} graph
 * @param {number} start
 * @param {number} depth
 * @param {(node: number) => boolean} shown
 * @param {(edge: import("./data.js").GraphEdge) => boolean} [follows]
 * @returns {{nodes: Set<number>, edges: Set<number>}}
 */
export function neighbourhood(graph, start, depth, shown, follows = () => true) {
  const nodes = new Set([start]);
  const edges = new Set();
  let rim = [start];
  for (let step = 0; step < depth; step++) {
    const next = [];
    for (const node of rim) {
      if (step && ["podcast", "repo"].includes(graph.nodes[node].kind)) continue;
      for (const edge of graph.links[node]) {
        const { from, to } = graph.edges[edge];
        const other = from === node ? to : from;
        if (!shown(other) || !follows(graph.edges[edge])) continue;
        edges.add(edge);
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
 * A shortest way between two nodes as edges in order, or null. What joins everything (podcast, repository) is
 * passed only when there is no other way.
 * @param {Graph} graph
 * @param {number} start
 * @param {number} goal
 * @returns {number[] | null}
 */
export function shortestPath(graph, start, goal) {
  return walk(graph, start, goal, true) ?? walk(graph, start, goal, false);
}

/**
 * @param {Graph} graph
 * @param {number} start
 * @param {number} goal
 * @param {boolean} strict
 * @returns {number[] | null}
 */
function walk(graph, start, goal, strict) {
  const cameBy = new Map([[start, -1]]);
  let rim = [start];
  while (rim.length && !cameBy.has(goal)) {
    const next = [];
    for (const node of rim) {
      if (strict && node !== start && ["podcast", "repo"].includes(graph.nodes[node].kind)) continue;
      for (const edge of graph.links[node]) {
        const { from, to } = graph.edges[edge];
        const other = from === node ? to : from;
        if (cameBy.has(other)) continue;
        cameBy.set(other, edge);
        next.push(other);
      }
    }
    rim = next;
  }
  if (!cameBy.has(goal)) return null;
  const path = [];
  for (let node = goal; node !== start; ) {
    const edge = /** @type {number} */ (cameBy.get(node));
    path.unshift(edge);
    node = graph.edges[edge].from === node ? graph.edges[edge].to : graph.edges[edge].from;
  }
  return path;
}

/**
 * The node to go to from another in a direction: near, and little off the line; -1 when there is none.
 * @param {{x: number, y: number}[]} places
 * @param {number} start
 * @param {number} dx -1, 0 or 1
 * @param {number} dy -1, 0 or 1
 * @param {Iterable<number>} candidates
 * @returns {number}
 */
export function towards(places, start, dx, dy, candidates) {
  let best = -1;
  let least = Infinity;
  for (const other of candidates) {
    if (other === start) continue;
    const x = places[other].x - places[start].x;
    const y = places[other].y - places[start].y;
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
