// @ts-check
// The views that are laid out for the frame: the atlas of episodes and the timeline. Places are in
// pixels of the screen at scale 1; dots keep their size at every scale, and lines are as wide as a tie is strong.

import { kindOf, otherEnd } from "./data.js";
import { timelineOf } from "./timeline.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{from: number, to: number, strength: number, edges: number[]}} Tie what ties two episodes, 0 to 1 */

/** The views that fill the frame. */
export const FRAMED = new Set(["episodes", "timeline"]);

const TIES = new Set(["related", "listen_first", "see_also"]);
const FRAMES = /** @type {const} */ ({ wide: ["wx", "wy", 1000, 900], tall: ["lx", "ly", 390, 640] });
const MOST_BESIDE = 40; // topics and sources beside what is chosen
const BEND = 0.09; // of a tie's length: how far the control point of its curve is beside its middle
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** The ties between episodes, each with its edges, the weakest first. @param {Graph} graph @returns {Tie[]} */
export function tiesOf(graph) {
  /** @type {Map<string, Tie>} */
  const ties = new Map();
  for (const { index, from, to, relation, weight } of graph.edges) {
    if (!TIES.has(relation) || from === to) continue;
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    const tie = ties.get(key) ?? { from, to, strength: 0, edges: [] };
    tie.strength = Math.max(tie.strength, relation === "related" ? weight : 0.3);
    tie.edges.push(index);
    ties.set(key, tie);
  }
  const most = [...ties.values()].reduce((best, { strength }) => Math.max(best, strength), 0) || 1;
  return [...ties.values()].map((tie) => ({ ...tie, strength: tie.strength / most })).sort((a, b) => a.strength - b.strength);
}

/** Where the nodes of a view stand; those it has no place for stay where the whole map has them.
 * @param {Graph} graph @param {string} view one of `FRAMED`
 * @param {{width: number, height: number, free: number}} box free: how much of its height no sheet covers
 * @param {number} centre the chosen node, -1 for none
 * @param {{items: number[], days: Map<number, number>}} dated what the timeline holds @param {number[]} found by a search
 * @returns {{places: Point[], beside: Set<number>, timeline: import("./timeline.js").Timeline | null}} beside: what stands there only because of the chosen node */
export function framedPlaces(graph, view, box, centre, { items, days }, found) {
  const places = graph.nodes.map(({ x, y }) => ({ x, y }));
  const [side, head, foot] = box.width > 600 ? [Math.min(72, 0.07 * box.width), 42, 42] : [16, 30, box.free < box.height ? 30 : 52]; // for lands, names and the buttons
  const [x, y, width, height] = box.width >= 0.9 * box.height ? FRAMES.wide : FRAMES.tall;
  const spread = /** @type {[number, number]} */ ([(box.width - 2 * side) / width, ((view === "timeline" ? box.height : box.free) - head - foot) / height]);
  const inFrame = (/** @type {number} */ ax, /** @type {number} */ ay) =>
    ({ x: (ax - width / 2) * spread[0], y: (ay - height / 2) * spread[1] + (head - foot) / 2 - 4 });
  const standing = new Set();
  const arranged = view === "timeline" ? timelineOf(graph, items, days, box) : null;
  for (const [node, place] of arranged?.places ?? []) {
    places[node] = place;
    standing.add(node);
  }
  if (!arranged) for (const node of graph.nodes) {
    const [ax, ay] = [node[x], node[y]];
    if (ax === undefined || ay === undefined) continue;
    places[node.index] = inFrame(ax, ay);
    standing.add(node.index);
  }
  const beside = new Set();
  const half = { x: box.width / 2 - 10, y: box.free / 2 - 10 };
  if (centre >= 0 && !standing.has(centre)) {
    beside.add(between(graph, centre, places, standing, half));
    standing.add(centre);
  }
  if (centre >= 0) for (const node of around(graph, centre, places, standing, half)) beside.add(node);
  for (const node of found.filter((node) => !standing.has(node)).slice(0, box.width > 600 ? MOST_BESIDE : MOST_BESIDE / 5)) {
    beside.add(between(graph, node, places, standing, half));
    standing.add(node);
  }
  return { places, beside, timeline: arranged?.timeline ?? null };
}

/** Put a node in the middle of its neighbours that stand, clear of all that does. @param {Graph} graph @param {number} node @param {Point[]} places @param {Set<number>} standing @param {Point} half of the frame @returns {number} the node */
function between(graph, node, places, standing, half) {
  const near = graph.links[node].map((number) => otherEnd(graph.edges[number], node)).filter((other) => standing.has(other));
  const middle = (/** @type {"x" | "y"} */ axis) => near.reduce((sum, other) => sum + places[other][axis], 0) / (near.length || 1);
  const wish = { x: middle("x"), y: middle("y") };
  places[node] = freeSpot(wish, [...standing].map((other) => places[other]), 17, half);
  return node;
}

/** Put what the chosen node is tied to, and has no place of its own, round it. @param {Graph} graph @param {number} centre @param {Point[]} places @param {Set<number>} standing @param {Point} half of the frame @returns {number[]} what was put there */
function around(graph, centre, places, standing, half) {
  const rank = { topic: 0, episode: 1 };
  const order = (/** @type {number} */ node) => rank[/** @type {"topic"} */ (graph.nodes[node].kind)] ?? 2;
  const near = [...new Set(graph.links[centre].filter((number) => graph.edges[number].drawn).map((number) => otherEnd(graph.edges[number], centre)))]
    .filter((node) => !standing.has(node) && graph.nodes[node].named).sort((a, b) => order(a) - order(b) || a - b).slice(0, MOST_BESIDE);
  const taken = [...standing].map((node) => places[node]);
  for (const [i, node] of near.entries()) {
    const [turn, reach] = [i * GOLDEN, 34 + 11 * Math.sqrt(i)];
    places[node] = freeSpot({ x: places[centre].x + reach * Math.cos(turn), y: places[centre].y + reach * Math.sin(turn) }, taken, 15, half);
    taken.push(places[node]);
  }
  return near;
}

/** The place in the frame nearest to a wish that is so far from all that is taken. @param {Point} wish @param {Point[]} taken @param {number} apart @param {Point} half of the frame @returns {Point} */
function freeSpot({ x, y }, taken, apart, half) {
  for (let i = 0; i < 400; i++) {
    const [turn, reach] = [i * GOLDEN, 4.5 * Math.sqrt(i)];
    const spot = { x: x + reach * Math.cos(turn), y: y + reach * Math.sin(turn) };
    if (Math.abs(spot.x) < half.x && Math.abs(spot.y) < half.y && taken.every((other) => Math.abs(other.x - spot.x) > apart || Math.abs(other.y - spot.y) > apart || Math.hypot(other.x - spot.x, other.y - spot.y) > apart)) return spot;
  }
  return { x, y };
}

/** The radius of a node's dot on the screen: 5 to 12 pixels, an episode's by its ties. @param {Graph} graph @param {Tie[]} ties @param {number} growth pixels for the root of each tie @returns {number[]} */
export function dotSizes(graph, ties, growth) {
  const degree = graph.nodes.map(() => 0);
  for (const { from, to } of ties) {
    degree[from]++;
    degree[to]++;
  }
  return graph.nodes.map(({ index, kind }) => (kindOf(graph, kind).family === "episode" || degree[index] ? Math.min(12, 5 + growth * Math.sqrt(degree[index])) : 5));
}

/** Make the curve of a tie the context's current path. @param {CanvasRenderingContext2D} context @param {[number, number]} start its ends on the screen @param {[number, number]} end */
export function traceCurve(context, [x1, y1], [x2, y2]) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.quadraticCurveTo((x1 + x2) / 2 - BEND * (y2 - y1), (y1 + y2) / 2 + BEND * (x2 - x1), x2, y2);
}
