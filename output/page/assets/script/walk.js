// @ts-check
// Walking the graph: what is near a node, how two nodes hang together, and what lies in a direction.

import { otherEnd } from "./data.js";

/** @typedef {import("./data.js").Graph} Graph */

/** The relations by which an episode or a post names something (graph/questions/cites.py). */
const NAMING = new Set(["cites", "mentions", "about", "listen_first", "see_also"]);
/** @type {Record<string, string>} the relations to such a whole */
const WHOLES = { part_of: "podcast", in_repo: "repo" };

/** A node with its neighbours, and the edges between it and them. That an episode is part of its podcast, and a file of
 * its repository, goes without saying.
 * @param {Graph} graph @param {number} start @param {(node: number) => boolean} shown @returns {{nodes: Set<number>, edges: Set<number>}} */
export function neighbourhood(graph, start, shown) {
  const nodes = new Set([start]);
  /** @type {Set<number>} */
  const edges = new Set();
  for (const number of graph.links[start]) {
    const { relation } = graph.edges[number];
    const other = otherEnd(graph.edges[number], start);
    if (!shown(other) || (WHOLES[relation] && graph.nodes[start].kind !== WHOLES[relation])) continue;
    edges.add(number);
    nodes.add(other);
  }
  return { nodes, edges };
}

/** The way between two nodes that means most, as edges in order, or null: the rule of `podgraph path`
 * (graph/questions/path.py). A step costs what its relation costs and what its ends weigh as hubs.
 * @param {Graph} graph @param {number} start @param {number} goal @returns {number[] | null} */
export function findPath(graph, start, goal) {
  const { costs, other: usual, hubs } = graph.steps;
  const weights = degrees(graph).map((degree) => hubs[degree] ?? 0);
  const isBefore = (/** @type {[number, number]} */ a, /** @type {[number, number]} */ b) =>
    a[0] < b[0] || (a[0] === b[0] && graph.nodes[a[1]].key < graph.nodes[b[1]].key);
  const least = new Map([[start, 0]]);
  /** @type {Map<number, number>} */
  const cameBy = new Map();
  const settled = new Set();
  const queue = [/** @type {[number, number]} cost and node */ ([0, start])]; // the last is the next
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [cost, node] = next;
    if (node === goal) break;
    if (settled.has(node)) continue;
    settled.add(node);
    for (const number of graph.links[node]) {
      const edge = graph.edges[number];
      const other = otherEnd(edge, node);
      const share = edge.relation === "related" ? Math.max(edge.weight, 0.001) : 1;
      const total = cost + Math.floor((costs[edge.relation] ?? usual) / share) + weights[node] + weights[other];
      const [known, known_edge] = [least.get(other) ?? Infinity, cameBy.get(other)];
      if (total < known || (total === known && known_edge !== undefined && same(graph, known_edge, number) && earlier(graph, number, known_edge))) {
        cameBy.set(other, number);
        if (total < known) {
          least.set(other, total);
          const at = queue.findIndex((item) => !isBefore([total, other], item)); // most go far back, near the beginning
          queue.splice(at < 0 ? queue.length : at, 0, [total, other]);
        }
      }
    }
  }
  if (start === goal || !cameBy.has(goal)) return null;
  const path = [];
  for (let node = goal; node !== start; ) {
    const number = /** @type {number} */ (cameBy.get(node));
    path.unshift(number);
    node = otherEnd(graph.edges[number], node);
  }
  return path;
}

/** How many ends of edges each node holds. @param {Graph} graph @returns {number[]} */
function degrees(graph) {
  return graph.links.map((edges) => edges.reduce((sum, number) => sum + (graph.edges[number].from === graph.edges[number].to ? 2 : 1), 0));
}

/** Whether two edges join the same nodes. @param {Graph} graph @param {number} a @param {number} b @returns {boolean} */
function same(graph, a, b) {
  const [one, two] = [graph.edges[a], graph.edges[b]];
  return (one.from === two.from && one.to === two.to) || (one.from === two.to && one.to === two.from);
}

/** Whether an edge stands before another, by its ends and its relation. @param {Graph} graph @param {number} a @param {number} b @returns {boolean} */
function earlier(graph, a, b) {
  const name = (/** @type {number} */ number) => {
    const { from, to, relation } = graph.edges[number];
    return [graph.nodes[from].key, graph.nodes[to].key, relation];
  };
  const [one, two] = [name(a), name(b)];
  const at = one.findIndex((part, place) => part !== two[place]);
  return at >= 0 && one[at] < two[at];
}

/** What is related to a node, as edges, strongest first: those that it proposes, and up to so many those that propose
 * it; each other end once.
 * @param {Graph} graph @param {number} node @param {number} [most] @returns {import("./data.js").GraphEdge[]} */
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

/** Who names a node, and by which edges: of a folder also who names what lies in it, or what is defined there. The rule
 * of `podgraph cites` (graph/questions/resolve.py).
 * @param {Graph} graph @param {number} index @returns {Map<number, import("./data.js").GraphEdge[]>} the edges of each that names it */
export function naming(graph, index) {
  const { key, kind } = graph.nodes[index];
  const places = new Set([index]);
  if (kind === "folder") {
    for (const other of graph.nodes) if (other.key.startsWith(`${key}/`)) places.add(other.index);
    for (const { relation, from, to } of graph.edges) if (relation === "defined_in" && places.has(to)) places.add(from);
  }
  return Map.groupBy(graph.edges.filter(({ relation, to }) => NAMING.has(relation) && places.has(to)), ({ from }) => from);
}

/** The nodes tied to both of two nodes, to the first alone and to the second alone, by naming or being named.
 * @param {Graph} graph @param {number} one @param {number} other @returns {number[][]} */
export function compared(graph, one, other) {
  const [left, right] = [one, other].map((node) => new Set(graph.links[node].map((number) => graph.edges[number])
    .filter(({ relation, boilerplate }) => NAMING.has(relation) && !boilerplate).map((edge) => otherEnd(edge, node)).filter((end) => end !== one && end !== other)));
  return [[...left].filter((node) => right.has(node)), [...left].filter((node) => !right.has(node)), [...right].filter((node) => !left.has(node))];
}

/** The node to go to from a place in a direction: near, and little off the line; -1 when there is none.
 * @param {{x: number, y: number}[]} places @param {{x: number, y: number}} start @param {number} dx -1, 0 or 1 @param {number} dy -1, 0 or 1
 * @param {Iterable<number>} candidates @returns {number} */
export function towards(places, start, dx, dy, candidates) {
  let best = -1;
  let least = Infinity;
  for (const other of candidates) {
    const [x, y] = [places[other].x - start.x, places[other].y - start.y];
    const [along, across] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
    if (along <= 0 || across > 1.75 * along) continue;
    const cost = along + 2 * across;
    if (cost < least) [least, best] = [cost, other];
  }
  return best;
}
