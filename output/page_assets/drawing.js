// @ts-check
// What is painted over the map: the veil, what is lit, and the labels.

import { shortName, placeLabels } from "./labels.js";
import { kindOf } from "./data.js";
import { drawNode, trace } from "./shapes.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {{ground: string, ink: string, faint: string, edge: string, accent: string, families: Record<string, string>}} Palette */
/** @typedef {{x: number, y: number, scale: number, width: number, height: number}} View centre, scale, size in pixels */
/** @typedef {{nodes: Set<number>, edges: Set<number>, centre: number}} Lit */
/** @typedef {{graph: Graph, places: {x: number, y: number}[], shown: boolean[], order: number[], palette: Palette,
 *   lit: Lit | null, hover: number, cursor: number, widths: Map<string, number>, areas: Area[]}} Scene */
/** @typedef {{name: string, x: number, y: number}} Area */

const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const LINE = 15;
const ARTIFACT_SCALE = 1.35; // from this scale on artifacts are named too

/**
 * Paint the overlay.
 * @param {CanvasRenderingContext2D} context already scaled to CSS pixels
 * @param {Scene} scene
 * @param {View} view
 */
export function paint(context, scene, view) {
  const { graph, palette, lit, places, shown } = scene;
  context.clearRect(0, 0, view.width, view.height);
  if (lit) {
    context.globalAlpha = 0.84;
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, view.width, view.height);
    context.globalAlpha = 1;
    for (const edge of lit.edges) paintEdge(context, scene, view, edge);
    const ranked = [...lit.nodes].sort((a, b) => graph.nodes[a].size - graph.nodes[b].size);
    for (const node of ranked) if (shown[node]) paintNode(context, scene, view, node);
  }
  for (const node of [scene.hover, scene.cursor, lit?.centre ?? -1]) {
    if (node >= 0 && shown[node]) paintRing(context, scene, view, node, node === scene.hover ? 2 : 3);
  }
  context.font = FONT;
  context.textBaseline = "top";
  context.lineJoin = "round";
  const wishes = [];
  const obstacles = [];
  const ranked = lit ? rankLit(scene, lit) : scene.order;
  if (scene.hover >= 0 && !lit?.nodes.has(scene.hover)) ranked === scene.order || ranked.unshift(scene.hover);
  for (const node of ranked) {
    if (!shown[node]) continue;
    const { kind } = graph.nodes[node];
    const x = (places[node].x - view.x) * view.scale + view.width / 2;
    const y = (places[node].y - view.y) * view.scale + view.height / 2;
    if (x < -20 || y < -20 || x > view.width + 20 || y > view.height + 20) continue;
    const radius = Math.max(graph.nodes[node].size * view.scale, 1.5);
    if (kind === "episode" || kind === "topic" || lit) obstacles.push({ x, y, radius, node });
    if (!lit && kind !== "episode" && kind !== "topic" && view.scale < ARTIFACT_SCALE && node !== scene.hover) continue;
    const text = shortName(graph.nodes[node], node === lit?.centre || node === scene.hover ? 60 : 28);
    let width = scene.widths.get(text);
    if (width === undefined) scene.widths.set(text, (width = context.measureText(text).width));
    wishes.push({ node, text, x, y, radius, width, height: LINE });
  }
  if (scene.hover >= 0) wishes.sort((a, b) => Number(b.node === scene.hover) - Number(a.node === scene.hover));
  const labels = placeLabels(wishes, obstacles, view.width, view.height);
  context.strokeStyle = palette.ground;
  context.lineWidth = 3.5;
  for (const { text, left, top } of labels) context.strokeText(text, left, top + 1);
  for (const { node, text, left, top } of labels) {
    const { kind } = graph.nodes[node];
    context.fillStyle = kind === "topic" ? palette.families.topic : kind === "episode" || lit ? palette.ink : palette.faint;
    context.fillText(text, left, top + 1);
  }
  return labels;
}

/** @param {Scene} scene @param {Lit} lit */
function rankLit(scene, lit) {
  const { graph } = scene;
  const rank = (/** @type {number} */ node) =>
    node === lit.centre ? 1e6 : graph.nodes[node].degree + (["episode", "topic"].includes(graph.nodes[node].kind) ? 1e3 : 0);
  return [...lit.nodes].sort((a, b) => rank(b) - rank(a) || a - b);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {number} node */
function paintNode(context, scene, view, node) {
  const { graph, palette, places } = scene;
  const { kind, size } = graph.nodes[node];
  const how = kindOf(graph, kind);
  const x = (places[node].x - view.x) * view.scale + view.width / 2;
  const y = (places[node].y - view.y) * view.scale + view.height / 2;
  const mark = Boolean(graph.legend.families[how.family].mark);
  drawNode(context, how, mark, x, y, Math.max(size * view.scale, 3), palette.families[how.family], palette.ground);
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {number} node @param {number} width */
function paintRing(context, scene, view, node, width) {
  const { graph, palette, places } = scene;
  const x = (places[node].x - view.x) * view.scale + view.width / 2;
  const y = (places[node].y - view.y) * view.scale + view.height / 2;
  trace(context, "circle", x, y, Math.max(graph.nodes[node].size * view.scale * 1.3, 4) + 3);
  context.strokeStyle = palette.ground;
  context.lineWidth = width + 3;
  context.stroke();
  context.strokeStyle = palette.accent;
  context.lineWidth = width;
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {number} index */
function paintEdge(context, scene, view, index) {
  const { graph, palette, places, shown } = scene;
  const edge = graph.edges[index];
  if (!shown[edge.from] || !shown[edge.to]) return;
  const at = (/** @type {number} */ node) => [
    (places[node].x - view.x) * view.scale + view.width / 2,
    (places[node].y - view.y) * view.scale + view.height / 2,
  ];
  const [x1, y1] = at(edge.from);
  const [x2, y2] = at(edge.to);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const stop = Math.max(graph.nodes[edge.to].size * view.scale, 3) + 2;
  context.strokeStyle = context.fillStyle = palette.edge;
  context.lineWidth = 1.4;
  context.setLineDash(graph.legend.relations[edge.relation]?.dash ?? []);
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
  context.setLineDash([]);
  if (edge.relation === "related" || length < stop + 14) return;
  const [tx, ty] = [x2 - ux * stop, y2 - uy * stop];
  context.beginPath();
  context.moveTo(tx, ty);
  context.lineTo(tx - ux * 7 + uy * 3.2, ty - uy * 7 - ux * 3.2);
  context.lineTo(tx - ux * 7 - uy * 3.2, ty - uy * 7 + ux * 3.2);
  context.fill();
}
