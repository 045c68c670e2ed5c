// @ts-check
// The data and the picture in other forms: pure functions from the graph to text.

import { kindOf } from "./data.js";
import { bend } from "./frame.js";
import { colourOf, laneName, radiusOf, tieStrength } from "./drawing.js";
import { isRightToLeft } from "./labels.js";
import { pathData } from "./shapes.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./data.js").GraphNode} GraphNode */
/** @typedef {import("./data.js").GraphEdge} GraphEdge */

const OWN = new Set(["index", "key", "degree", "size", "reach", "item", "named", "name", "tx", "ty"]);

/**
 * The edges between the chosen nodes.
 * @param {Graph} graph
 * @param {boolean[]} chosen
 * @returns {GraphEdge[]}
 */
function edgesBetween(graph, chosen) {
  return graph.edges.filter(({ from, to }) => chosen[from] && chosen[to]);
}

/**
 * Node-link JSON in the shape of `podgraph.json`: networkx and D3 read it.
 * @param {Graph} graph
 * @param {boolean[]} chosen
 * @returns {string}
 */
export function toJson(graph, chosen) {
  const nodes = graph.nodes.filter(({ index }) => chosen[index]).map((node) => {
    const own = Object.entries(node).filter(([name]) => !OWN.has(name));
    return { id: node.key, ...Object.fromEntries(own) };
  });
  const edges = edgesBetween(graph, chosen).map(({ from, to, relation, weight, evidence, reasons }) => ({
    source: graph.nodes[from].key, target: graph.nodes[to].key, key: relation, weight,
    ...(evidence.length ? { evidence } : {}), ...(reasons.length ? { reasons } : {}),
  }));
  return `${JSON.stringify({ directed: true, multigraph: true, graph: graph.facts, nodes, edges }, null, 1)}\n`;
}

/**
 * A field of a CSV file. What a spreadsheet would take for a formula gets an apostrophe before it.
 * @param {unknown} value
 * @returns {string}
 */
function field(value) {
  let text = value === undefined || value === null ? "" : String(value);
  if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {unknown[][]} rows */
const table = (rows) => rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");

/**
 * The nodes as CSV (RFC 4180).
 * @param {Graph} graph
 * @param {boolean[]} chosen
 * @returns {string}
 */
export function toNodesCsv(graph, chosen) {
  const rows = graph.nodes.filter(({ index }) => chosen[index]).map((node) => [
    node.key, node.kind, node.name, node.url, node.date, node.duration, node.number, node.degree,
  ]);
  return table([["id", "kind", "label", "url", "date", "duration", "number", "degree"], ...rows]);
}

/**
 * The edges as CSV, one line each, with their first quote or reason.
 * @param {Graph} graph
 * @param {boolean[]} chosen
 * @returns {string}
 */
export function toEdgesCsv(graph, chosen) {
  const rows = edgesBetween(graph, chosen).map(({ from, to, relation, weight, evidence, reasons }) => [
    graph.nodes[from].key, graph.nodes[to].key, relation, weight, evidence[0]?.quote ?? reasons[0],
  ]);
  return table([["source", "target", "relation", "weight", "because"], ...rows]);
}

/** @param {unknown} value */
const xml = (value) =>
  String(value)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const COLUMNS = /** @type {const} */ ([
  ["kind", "string"], ["label", "string"], ["url", "string"], ["date", "string"], ["duration", "double"],
  ["number", "int"], ["x", "double"], ["y", "double"],
]);

/**
 * GraphML with plain ids; the node's own id is the column "podgraph_id".
 * @param {Graph} graph
 * @param {boolean[]} chosen
 * @returns {string}
 */
export function toGraphml(graph, chosen) {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'];
  const key = (/** @type {string} */ of, /** @type {string} */ name, /** @type {string} */ type) =>
    lines.push(`<key id="${of[0]}_${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`);
  key("node", "podgraph_id", "string");
  for (const [name, type] of COLUMNS) key("node", name, type);
  key("edge", "relation", "string");
  key("edge", "weight", "double");
  key("edge", "because", "string");
  lines.push('<graph edgedefault="directed">');
  for (const node of graph.nodes) {
    if (!chosen[node.index]) continue;
    const data = [`<data key="n_podgraph_id">${xml(node.key)}</data>`];
    for (const [name] of COLUMNS) {
      const value = name === "label" ? node.name : node[name];
      if (value !== undefined) data.push(`<data key="n_${name}">${xml(value)}</data>`);
    }
    lines.push(`<node id="n${node.index}">${data.join("")}</node>`);
  }
  for (const { index, from, to, relation, weight, evidence, reasons } of edgesBetween(graph, chosen)) {
    const because = evidence[0]?.quote ?? reasons[0];
    lines.push(
      `<edge id="e${index}" source="n${from}" target="n${to}"><data key="e_relation">${xml(relation)}</data>` +
        `<data key="e_weight">${weight}</data>${because === undefined ? "" : `<data key="e_because">${xml(because)}</data>`}</edge>`,
    );
  }
  lines.push("</graph>", "</graphml>", "");
  return lines.join("\n");
}

/**
 * The picture as SVG, as the map shows it.
 * @param {import("./drawing.js").Scene} scene
 * @param {import("./drawing.js").View} view
 * @param {import("./labels.js").Label[]} labels
 * @returns {string}
 */
export function toSvg(scene, view, labels) {
  const { graph, places, shown, palette, lit } = scene;
  const at = (/** @type {number} */ node) => [
    (places[node].x - view.x) * view.scale + view.width / 2,
    (places[node].y - view.y) * view.scale + view.height / 2,
  ];
  const number = (/** @type {number} */ value) => String(Math.round(value * 10) / 10);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${view.width} ${view.height}" width="${view.width}" height="${view.height}">`,
    `<rect width="100%" height="100%" fill="${palette.ground}"/>`,
  ];
  const words = (/** @type {string} */ text, /** @type {number} */ left, /** @type {number} */ top, /** @type {string} */ look) =>
    lines.push(`<text x="${number(left)}" y="${number(top)}" font-family="system-ui, sans-serif" stroke="${palette.ground}"` +
      ` stroke-width="3.5" stroke-linejoin="round" paint-order="stroke" ${isRightToLeft(text) ? 'direction="rtl" text-anchor="end" ' : ""}${look}>${xml(text)}</text>`);
  const rule = (/** @type {string} */ path) => lines.push(`<path d="${path}" stroke="${palette.faint}" stroke-opacity="0.25"/>`);
  if (!lit && !scene.timeline) {
    for (const { text, left, top, bottom, colour } of scene.areaBoxes) {
      words(text, left, bottom - 4, `font-size="${number(bottom - top - 3)}" font-weight="650" fill="${colour ?? palette.faint}"`);
    }
  }
  for (const { label, x } of scene.timeline?.ticks ?? []) {
    const left = number((x - view.x) * view.scale + view.width / 2);
    rule(`M${left} 0V${view.height}`);
    words(label, Number(left) + 4, 17, `font-size="12" fill="${palette.faint}"`);
  }
  for (const { name, colour, top, bottom } of scene.timeline?.rows ?? []) {
    const [upper, low] = [top, bottom].map((y) => (y - view.y) * view.scale + view.height / 2);
    rule(`M0 ${number(low)}H${view.width}`);
    words(laneName(scene, name, colour), 8, upper + 15, `font-size="12" font-weight="650" fill="${graph.areas[colour]?.[palette.dark ? "dark" : "light"] ?? palette.faint}"`);
  }
  const dim = (/** @type {boolean} */ bright) => (bright ? "" : ' opacity="0.16"');
  const ties = scene.framed ? scene.ties.filter(({ from, to, edges }) => shown[from] && shown[to] && (lit ? edges.some((edge) => lit.edges.has(edge)) : !scene.timeline)) : [];
  for (const { from, to, strength } of ties) {
    const [[x1, y1], [x2, y2]] = [at(from), at(to)];
    const { x, y } = bend({ x: x1, y: y1 }, { x: x2, y: y2 });
    const colour = (graph.nodes[from].community === graph.nodes[to].community && scene.hues[from]) || palette.edge;
    lines.push(`<path d="M${number(x1)} ${number(y1)}Q${number(x)} ${number(y)} ${number(x2)} ${number(y2)}" fill="none" stroke="${colour}"` +
      ` stroke-width="${number(0.5 + 5 * strength)}" stroke-opacity="${lit ? 1 : number(tieStrength(scene, strength))}"/>`);
  }
  const told = new Set(ties.flatMap(({ edges }) => edges));
  for (const edge of graph.edges) {
    if (scene.framed && (told.has(edge.index) || !lit?.edges.has(edge.index))) continue;
    const bright = !lit || lit.edges.has(edge.index);
    if (!shown[edge.from] || !shown[edge.to] || !(edge.drawn ? scene.related || edge.relation !== "related" : lit && bright)) continue;
    const [x1, y1] = at(edge.from);
    const [x2, y2] = at(edge.to);
    const dash = lit && bright ? graph.legend.relations[edge.relation]?.dash.join(" ") : "";
    lines.push(
      `<path d="M${number(x1)} ${number(y1)}L${number(x2)} ${number(y2)}" stroke="${palette.edge}" stroke-width="${lit && bright ? 1.4 : 0.7}"` +
        ` stroke-opacity="${lit && bright ? 1 : 0.45}"${dash ? ` stroke-dasharray="${dash}"` : ""}${dim(bright)}/>`,
    );
  }
  for (const node of graph.nodes) {
    if (!shown[node.index]) continue;
    const { shape, hollow, family } = kindOf(graph, node.kind);
    const [x, y] = at(node.index);
    const radius = radiusOf(scene, view, node.index);
    const hole = hollow ? pathData(shape, x, y, radius * 0.58) : graph.legend.families[family].mark ? pathData("circle", x, y, radius * 0.34) : "";
    lines.push(
      `<path d="${pathData(shape, x, y, radius)}${hole}" fill-rule="evenodd" fill="${colourOf(scene, node.index)}"${dim(!lit || lit.nodes.has(node.index))}>` +
        `<title>${xml(node.name)}</title></path>`,
    );
  }
  for (const { text, left, top } of labels) words(text, left, top + 12, `font-size="12" fill="${palette.ink}"`);
  lines.push("</svg>", "");
  return lines.join("\n");
}
