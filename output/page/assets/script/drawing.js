// @ts-check
// What is painted over the map: the veil, what is lit, the labels, and the lines of the timeline.

import { phrase } from "./strings.js";
import { HUES, kindOf } from "./data.js";
import { drawNode, trace } from "./shapes.js";
import { disc, isNamed, isRightToLeft, placeLabels, placeNames, shortName } from "./labels.js";
import { bend } from "./frame.js";
import { DOT } from "./timeline.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {{ground: string, ink: string, faint: string, edge: string, accent: string, dark: boolean, families: Record<string, string>}} Palette */
/** @typedef {{x: number, y: number, scale: number, width: number, height: number}} View centre, scale, size in pixels */
/** @typedef {{nodes: Set<number>, edges: Set<number>, centre: number, firm: boolean}} Lit firm: chosen, not hovered */
/** @typedef {import("./timeline.js").Timeline} Timeline */
/** @typedef {{graph: Graph, places: {x: number, y: number}[], shown: boolean[], order: number[], palette: Palette,
 *   lit: Lit | null, hover: number, cursor: number, widths: Map<string, number>, names: string[], twins: number[], related: boolean, farScale: number,
 *   areas: {name: string, x: number, y: number, colour?: string}[], framed: boolean, thin: boolean, round: boolean, inset: number, ties: import("./frame.js").Tie[], tieOf: Map<number, import("./frame.js").Tie>, dots: number[], hues: string[], beside: Set<number>,
 *   areaBoxes: (import("./labels.js").Obstacle & {text: string, colour?: string})[], controls: import("./labels.js").Obstacle[], timeline: Timeline | null, badges: Map<number, number>}} Scene */

const FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const FONT = `12px ${FAMILY}`;
const LINE = 15;
const ALONG = [0.62, 0.5, 0.72, 0.42, 0.8]; // where on a tie its reason may stand: rather near to the outer end
const SHORTEST = 15; // characters of a name that has no room
const ARTIFACT_SCALE = 1.6; // from this scale on artifacts are named too
const PALE = 0.4; // how strongly what hangs on one alone is drawn from afar
const CROWD = 1000; // episodes of the whole map, beyond which no field of colour lies behind each
export const NARROW = 600; // pixels of the map, below which a view laid out for the frame has no room for what is not lit
const TWIN = 60; // pixels from an episode, within which a topic of its name needs no second label

/**
 * Paint the overlay.
 * @param {CanvasRenderingContext2D} context scaled to CSS pixels
 * @param {Scene} scene
 * @param {View} view
 * @returns {import("./labels.js").Label[]} the labels as painted
 */
export function paint(context, scene, view) {
  const { graph, palette, lit, shown } = scene;
  context.clearRect(0, 0, view.width, view.height);
  context.lineJoin = "round";
  scene.areaBoxes = [];
  if (scene.timeline) paintLanes(context, scene.timeline, scene, view);
  paintTicks(context, scene, view, (node) => !lit?.nodes.has(node));
  if (lit) {
    context.globalAlpha = scene.round ? 0.5 : scene.framed ? 0.78 : lit.firm ? 0.86 : 0.7;
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, view.width, view.height);
    context.globalAlpha = 1;
  }
  // What the veil dims bears no name: a pale one cannot be read.
  const names = scene.timeline ? paintTimeline(context, scene.timeline, scene, view) : paintAreas(context, scene, view);
  if (lit) {
    for (const edge of lit.edges) paintEdge(context, scene, view, edge);
    if (scene.round && view.width > 600) {
      const discs = graph.nodes.filter(({ index }) => shown[index]).map(({ index }) => disc(...onScreen(scene, view, index), radiusOf(scene, view, index) + 8, index));
      for (const tie of [...scene.ties].reverse()) names.push(...paintReason(context, scene, view, tie, [...names, ...discs])); // the strongest first
    }
    for (const node of [...lit.nodes].sort((a, b) => graph.nodes[a].size - graph.nodes[b].size)) {
      if (shown[node]) paintNode(context, scene, view, node);
    }
    paintTicks(context, scene, view, (node) => lit.nodes.has(node));
  }
  for (const node of new Set([lit?.centre ?? -1, scene.hover, scene.cursor])) {
    if (node >= 0 && shown[node]) paintRing(context, scene, view, node, node === scene.hover ? 2 : 3);
  }
  return paintLabels(context, scene, view, lit && !scene.timeline && !scene.round ? [] : names);
}

/**
 * Where a node is on the screen.
 * @param {Scene} scene
 * @param {View} view
 * @param {number} node
 * @returns {[number, number]}
 */
export function onScreen({ places }, view, node) {
  return [
    (places[node].x - view.x) * view.scale + view.width / 2,
    (places[node].y - view.y) * view.scale + view.height / 2,
  ];
}

/**
 * The radius of a node on the screen: in a view laid out for the frame the same at every scale.
 * @param {Scene} scene
 * @param {View} view
 * @param {number} node
 */
export const radiusOf = ({ graph, framed, timeline, dots }, { scale }, node) => (timeline ? DOT : framed ? dots[node] : graph.nodes[node].size * scale);

/**
 * The colour of a node: that of the area it belongs to, or, in a graph without areas, of its family.
 * @param {Scene} scene
 * @param {number} node
 */
export const colourOf = ({ graph, hues, palette }, node) =>
  hues[node] || (graph.areas.length ? palette.faint : palette.families[kindOf(graph, graph.nodes[node].kind).family]);

/**
 * How strongly a node is drawn while nothing is lit: what hangs on one other alone is pale until the map comes near.
 * @param {Scene} scene
 * @param {View} view
 * @param {number} node
 */
export const strengthOf = ({ graph, framed }, { scale }, node) =>
  (framed || graph.nodes[node].item || graph.nodes[node].degree > 1 || scale >= ARTIFACT_SCALE ? 1 : PALE + (1 - PALE) * Math.max(0, scale - 0.6));

/** How strongly a tie is drawn while nothing is lit: less where topics stand between the episodes. @param {Scene} scene @param {number} strength */
export const tieStrength = ({ thin }, strength) => (0.16 + 0.5 * strength) * (thin ? 0.5 : 1);

/** How strongly the lines of the whole map are drawn: the nearer, the more. @param {View} view */
export const lineStrength = ({ scale }) => Math.min(0.65, 0.3 + 0.25 * scale);

/**
 * Make a text that is drawn from its left edge on be read in its own direction.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 */
function read(context, text) {
  context.textAlign = "left";
  context.direction = isRightToLeft(text) ? "rtl" : "ltr";
  return context;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {View} view
 * @param {import("./labels.js").Obstacle[]} taken
 */
function paintLabels(context, scene, view, taken) {
  const { graph, palette, lit, shown, hover, cursor } = scene;
  context.font = FONT;
  context.textBaseline = "top";
  const measure = (/** @type {string} */ text) => {
    let width = scene.widths.get(text);
    if (width === undefined) scene.widths.set(text, (width = context.measureText(text).width));
    return width;
  };
  const cut = (/** @type {string} */ text) => ({ text, width: measure(text) });
  const first = [...new Set([hover, cursor, lit?.centre ?? -1])].filter((node) => node >= 0);
  const rank = (/** @type {number} */ node) => graph.nodes[node].degree + (isNamed(graph.nodes[node]) ? 1e3 : 0);
  const rest = lit && !scene.round ? [...lit.nodes].sort((a, b) => rank(b) - rank(a) || a - b) : scene.order;
  const wishes = [];
  const obstacles = [...taken, ...scene.controls];
  const soft = /** @type {import("./labels.js").Obstacle[]} */ ([]);
  const met = new Set();
  for (const node of [...first, ...rest]) {
    if (!shown[node] || met.has(node)) continue;
    met.add(node);
    const [x, y] = onScreen(scene, view, node);
    if (x < -20 || y < -20 || x > view.width + 20 || y > view.height + 20) continue;
    const ringed = first.includes(node);
    const radius = Math.max(radiusOf(scene, view, node), 2) * (ringed ? 1.3 : 1) + (ringed ? 5 : 0);
    const named = isNamed(graph.nodes[node]);
    (named ? obstacles : soft).push({ ...disc(x, y, radius, node), dot: named || scene.framed });
    const badge = scene.badges.get(node);
    if ((!named || strengthOf(scene, view, node) < 1) && !lit && !scene.framed && view.scale < ARTIFACT_SCALE && !ringed) continue;
    if (!lit && !ringed && isNamedBeside(scene, view, node)) continue;
    let name = ringed ? shortName(graph.nodes[node], 60) : scene.names[node];
    if (name === undefined) scene.names[node] = name = shortName(graph.nodes[node], 26);
    const text = badge && view.scale > 0.35 ? `${name} +${badge}` : name;
    const reach = scene.framed ? radius : graph.nodes[node].reach * view.scale;
    const lane = named && !ringed && !scene.beside.has(node) && scene.timeline?.rows.find(({ top, bottom }) => scene.places[node].y >= top && scene.places[node].y <= bottom);
    const within = lane && [lane.top, lane.bottom].map((at) => (at - view.y) * view.scale + view.height / 2);
    wishes.push({ node, text, x, y, ...(within ? { within } : {}), radius, reach, away: awayOf(scene, view, node, ringed), width: measure(text), height: LINE, ...(scene.framed && !ringed ? { short: cut(shortName(graph.nodes[node], SHORTEST)) } : {}) });
  }
  if (lit) for (const node of scene.order) { // beneath the veil, yet better not covered
    if (lit.nodes.has(node) || !shown[node] || !isNamed(graph.nodes[node])) continue;
    const [x, y] = onScreen(scene, view, node);
    soft.push(disc(x, y, Math.max(radiusOf(scene, view, node), 2), node));
  }
  const labels = placeLabels(wishes, obstacles, soft, view.width, view.height - scene.inset);
  context.font = FONT;
  for (const label of labels) if (label.led) paintLeader(context, scene, view, label);
  context.strokeStyle = palette.ground;
  context.lineWidth = 3.5;
  for (const { text, left, top } of labels) read(context, text).strokeText(text, left, top + 1);
  for (const { node, text, left, top } of labels) {
    context.fillStyle = graph.nodes[node].kind === "topic" ? colourOf(scene, node) : isNamed(graph.nodes[node]) || lit ? palette.ink : palette.faint;
    read(context, text).fillText(text, left, top + 1);
  }
  return labels;
}

/**
 * How far from a node its label may stand, with a line to it, where there is no room beside.
 * @param {Scene} scene
 * @param {View} view
 * @param {number} node
 * @param {boolean} ringed
 */
function awayOf({ graph, lit, framed, timeline }, { width }, node, ringed) {
  if (ringed) return 200;
  if (lit?.firm && lit.nodes.size < 40 && (width > 600 || isNamed(graph.nodes[node]))) return 80;
  return framed && !timeline ? 40 : 0;
}

/**
 * Whether a topic goes without a label of its own while the map is far away.
 * @param {Scene} scene
 * @param {View} view
 * @param {number} node
 */
function isNamedBeside({ graph, places, shown, twins }, { scale }, node) {
  if (graph.nodes[node].kind !== "topic" || scale >= ARTIFACT_SCALE) return false;
  const twin = twins[node];
  return twin >= 0 && shown[twin] && Math.hypot(places[twin].x - places[node].x, places[twin].y - places[node].y) * scale < TWIN;
}

/**
 * Lead the eye from a node to its label where that found no room beside it.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {View} view
 * @param {import("./labels.js").Label} label
 */
function paintLeader(context, scene, view, { node, left, top, width, height }) {
  const [x, y] = onScreen(scene, view, node);
  const toX = Math.min(Math.max(x, left), left + width);
  const toY = Math.min(Math.max(y, top), top + height);
  const chosen = node === scene.lit?.centre || node === scene.cursor;
  const rim = chosen || node === scene.hover ? Math.max(radiusOf(scene, view, node) * 1.3, 4) + 3 : radiusOf(scene, view, node) + 1;
  const distance = Math.hypot(toX - x, toY - y);
  context.beginPath();
  context.moveTo(x + ((toX - x) * rim) / distance, y + ((toY - y) * rim) / distance);
  context.lineTo(toX, toY);
  context.strokeStyle = chosen ? scene.palette.accent : scene.palette.faint;
  context.lineWidth = chosen ? 1.5 : 0.75;
  context.stroke();
}

/**
 * Paint the names of the areas in their colours where nothing else stands, when the map is far away; labels keep off them.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {View} view
 * @returns {import("./labels.js").Obstacle[]} where they stand
 */
function paintAreas(context, scene, view) {
  if (scene.lit || (!scene.framed && view.scale > scene.farScale)) return [];
  const size = scene.framed && view.width < 600 ? 11 : 13;
  context.font = `650 ${size}px ${FAMILY}`;
  context.textBaseline = "top";
  const discs = [];
  for (const node of scene.graph.nodes) {
    if (scene.shown[node.index] && (!scene.framed || isNamed(node))) discs.push(disc(...onScreen(scene, view, node.index), radiusOf(scene, view, node.index), node.index));
  }
  const wishes = scene.areas.slice(0, view.width < 600 ? 6 : 14).map(({ name, x, y, colour }) => ({
    text: shortName({ kind: "topic", name, label: name }, 30).toUpperCase(), colour, x: (x - view.x) * view.scale + view.width / 2, y: (y - view.y) * view.scale + view.height / 2,
    width: 0, height: size + 2,
  }));
  for (const wish of wishes) wish.width = context.measureText(wish.text).width;
  for (const { text, left, top, width, height, colour } of placeNames(wishes, [...scene.controls, ...discs], view.width, view.height)) {
    context.fillStyle = colour ?? scene.palette.faint;
    read(context, text).fillText(text, left, top);
    scene.areaBoxes.push({ text, left, top, right: left + width, bottom: top + height, node: -2, colour });
  }
  return [...scene.areaBoxes];
}

/**
 * Paint the whole picture at any resolution, as the map and its overlay show it.
 * @param {Scene} scene
 * @param {View} view
 * @param {number} ratio pixels of the picture for one of the screen
 * @param {Iterable<import("./data.js").GraphEdge>} lines
 * @param {string} colour of the lines
 * @returns {HTMLCanvasElement}
 */
export function paintPicture(scene, view, ratio, lines, colour) {
  const [lower, upper] = [0, 1].map(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.rect(0, 0, view.width, view.height);
    context.clip(); // a printed canvas is a drawing, which would run over its edges
    return context;
  });
  lower.fillStyle = scene.palette.ground;
  lower.fillRect(0, 0, view.width, view.height);
  paintFields(lower, scene, view);
  lower.strokeStyle = colour;
  lower.lineWidth = view.scale;
  for (const { from, to } of lines) {
    lower.beginPath();
    lower.moveTo(...onScreen(scene, view, from));
    lower.lineTo(...onScreen(scene, view, to));
    lower.stroke();
  }
  for (const { index } of scene.graph.nodes) if (scene.shown[index]) {
    lower.globalAlpha = strengthOf(scene, view, index);
    paintNode(lower, scene, view, index, 0);
  }
  lower.globalAlpha = 1;
  paint(upper, scene, view);
  lower.setTransform(1, 0, 0, 1, 0, 0);
  lower.drawImage(upper.canvas, 0, 0);
  return lower.canvas;
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {number} node @param {number} [least] radius */
function paintNode(context, scene, view, node, least = 3) {
  const { graph, palette } = scene;
  const how = kindOf(graph, graph.nodes[node].kind);
  const [x, y] = onScreen(scene, view, node);
  const mark = Boolean(graph.legend.families[how.family].mark);
  drawNode(context, how, mark, x, y, Math.max(radiusOf(scene, view, node), least), colourOf(scene, node), palette.ground);
}

/**
 * Tick what was already opened.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {View} view
 * @param {(node: number) => boolean} wanted
 */
function paintTicks(context, scene, view, wanted) {
  context.strokeStyle = scene.palette.ground;
  for (const node of scene.graph.visited) {
    const radius = radiusOf(scene, view, node);
    if (!scene.shown[node] || !wanted(node) || radius < 4) continue;
    const [x, y] = onScreen(scene, view, node);
    context.lineWidth = radius / 4;
    context.beginPath();
    context.moveTo(x - 0.5 * radius, y);
    context.lineTo(x - 0.1 * radius, y + 0.4 * radius);
    context.lineTo(x + 0.5 * radius, y - 0.4 * radius);
    context.stroke();
  }
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {number} node @param {number} width */
function paintRing(context, scene, view, node, width) {
  const { palette } = scene;
  const [x, y] = onScreen(scene, view, node);
  paintNode(context, scene, view, node);
  trace(context, "circle", x, y, Math.max(radiusOf(scene, view, node) * 1.3, 4) + 3);
  context.strokeStyle = palette.accent;
  context.lineWidth = width;
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {number} index */
function paintEdge(context, scene, view, index) {
  const { graph, palette, shown, related } = scene;
  const edge = graph.edges[index];
  if (!shown[edge.from] || !shown[edge.to] || (edge.relation === "related" && !related)) return;
  const [x1, y1] = onScreen(scene, view, edge.from);
  const [x2, y2] = onScreen(scene, view, edge.to);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return;
  const tie = scene.framed ? scene.tieOf.get(index) : null;
  if (tie) {
    paintTie(context, scene, view, tie, 1);
    return;
  }
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  context.strokeStyle = context.fillStyle = palette.edge;
  context.lineWidth = 1.4;
  context.setLineDash(graph.legend.relations[edge.relation]?.dash ?? []);
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
  context.setLineDash([]);
  const stop = Math.max(radiusOf(scene, view, edge.to), 3) + 2;
  if (edge.relation === "related" || length < stop + 14) return;
  const [tx, ty] = [x2 - ux * stop, y2 - uy * stop];
  context.beginPath();
  context.moveTo(tx, ty);
  context.lineTo(tx - ux * 7 + uy * 3.2, ty - uy * 7 - ux * 3.2);
  context.lineTo(tx - ux * 7 - uy * 3.2, ty - uy * 7 + ux * 3.2);
  context.fill();
}

/**
 * The ties that are drawn while nothing is lit: none on the timeline, where they would run across all lanes.
 * @param {Scene} scene
 */
export const tiesShown = ({ graph, ties, shown, related, timeline }) => (timeline ? [] : ties.filter(({ from, to, edges }) =>
  shown[from] && shown[to] && (related || edges.some((number) => graph.edges[number].relation !== "related"))));

/**
 * Paint the soft fields of colour behind the episodes, and what ties them, under the dots; the lines that the map draws
 * itself come next, and as strongly as it is near.
 * @param {CanvasRenderingContext2D} context of the lower canvas, in the map's own units
 * @param {Scene} scene
 * @param {View} view
 */
export function paintFields(context, scene, view) {
  const { graph, hues, shown, palette } = scene;
  context.save();
  const ratio = context.canvas.width / view.width;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = (palette.dark ? 0.1 : 0.075) * (scene.framed ? 1 : 0.6); // where episodes stand closer
  const ground = graph.nodes.filter(({ index, hue, wx }) => wx !== undefined && hue >= 0 && hue < HUES && shown[index] && !scene.beside.has(index));
  if (!scene.timeline && (scene.framed || ground.length < CROWD)) for (const { index: node } of ground) {
    const colour = hues[node];
    const [x, y] = onScreen(scene, view, node);
    const field = context.createRadialGradient(x, y, 0, x, y, 74);
    field.addColorStop(0, colour);
    field.addColorStop(1, `${colour}00`);
    context.fillStyle = field;
    context.fillRect(x - 74, y - 74, 148, 148);
  }
  if (scene.framed && !scene.timeline) for (const tie of tiesShown(scene)) paintTie(context, scene, view, tie, tieStrength(scene, tie.strength));
  context.restore();
  context.globalAlpha = lineStrength(view);
}

/**
 * Paint what ties two episodes: as wide as it is strong, in their colour where they have one.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {View} view
 * @param {import("./frame.js").Tie} tie
 * @param {number} alpha
 */
function paintTie(context, scene, view, { from, to, strength }, alpha) {
  const [[x1, y1], [x2, y2]] = [onScreen(scene, view, from), onScreen(scene, view, to)];
  const { x, y } = bend({ x: x1, y: y1 }, { x: x2, y: y2 });
  const { hues, palette, graph } = scene;
  context.globalAlpha = alpha;
  context.strokeStyle = graph.nodes[from].community === graph.nodes[to].community && hues[from] ? hues[from] : palette.edge;
  context.lineWidth = 0.5 + 5 * strength;
  context.beginPath();
  context.moveTo(x1, y1);
  context.quadraticCurveTo(x, y, x2, y2);
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * Write on a lit tie why it is there; returns where.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {View} view
 * @param {import("./frame.js").Tie} tie
 * @param {import("./labels.js").Obstacle[]} taken
 * @returns {import("./labels.js").Obstacle[]}
 */
function paintReason(context, scene, view, { from, to, edges }, taken) {
  const { graph, palette, lit, shown } = scene;
  const [reason] = edges.flatMap((number) => graph.edges[number].reasons);
  if (!reason || !lit || !shown[from] || !shown[to] || !edges.some((number) => lit.edges.has(number))) return [];
  const [[x1, y1], [x2, y2]] = [onScreen(scene, view, from), onScreen(scene, view, to)];
  const { x, y } = bend({ x: x1, y: y1 }, { x: x2, y: y2 });
  const text = shortName({ kind: "topic", name: reason, label: reason }, 34);
  context.font = `11px ${FAMILY}`;
  const width = context.measureText(text).width;
  const boxes = ALONG.map((part) => {
    const t = from === lit.centre ? part : 1 - part;
    const at = (/** @type {number} */ a, /** @type {number} */ m, /** @type {number} */ b) => (1 - t) ** 2 * a + 2 * t * (1 - t) * m + t ** 2 * b;
    const [left, top] = [Math.min(Math.max(at(x1, x, x2) - width / 2, 4), view.width - width - 4), at(y1, y, y2) - 7];
    return { left: left - 2, top: top - 1, right: left + width + 2, bottom: top + 14, node: -4 };
  });
  const hits = (/** @type {import("./labels.js").Obstacle} */ a, /** @type {import("./labels.js").Obstacle} */ b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const box = boxes.find((one) => !taken.some((other) => hits(one, other)));
  if (!box) return []; // the panel and the card say it
  const [left, top] = [box.left + 2, box.top + 1];
  context.textBaseline = "top";
  context.strokeStyle = palette.ground;
  context.lineWidth = 4;
  read(context, text).strokeText(text, left, top);
  context.fillStyle = palette.faint;
  read(context, text).fillText(text, left, top);
  return [box];
}

/**
 * Where the lines of the years stand and their labels, right of them ("undated" left of it, as the first year is near);
 * of labels that would overlap, those with room up to the next line come first, and the others lose theirs. What lies
 * before the first year with such room bears one label, left of its first line.
 * @param {{label: string, x: number}[]} ticks
 * @param {(x: number) => number} toX
 * @param {(text: string) => number} measure
 * @returns {{label: string, left: number, right: number, at: number}[]}
 */
export function tickLabels(ticks, toX, measure) {
  const marks = ticks.map(({ label, x }, i) => {
    const at = Math.round(toX(x)) + 0.5;
    const width = measure(label);
    const left = label === phrase("undated") ? at - 8 - width : at + 4;
    const roomy = label === phrase("undated") || !ticks[i + 1] || at + width + 12 < toX(ticks[i + 1].x);
    return { label, left, right: left + width, at, roomy };
  });
  const narrow = marks.findIndex(({ roomy }) => roomy);
  if (narrow > 0) {
    const [first] = marks;
    first.label = narrow > 1 ? `${first.label}–${marks[narrow - 1].label}` : first.label;
    first.right = first.at - 4;
    first.left = first.right - measure(first.label);
    for (const mark of marks.slice(1, narrow)) mark.label = "";
  }
  const kept = /** @type {typeof marks} */ ([]);
  for (const mark of [...marks.filter(({ roomy }) => roomy), ...marks.filter(({ roomy }) => !roomy)]) {
    if (!mark.label) continue;
    if (kept.some(({ left, right }) => mark.left < right + 8 && left < mark.right + 8)) mark.label = "";
    else kept.push(mark);
  }
  return marks;
}

/** What a lane is called. @param {Scene} scene @param {string} name @param {number} area */
export const laneName = ({ graph }, name, area) => graph.areas[area]?.short ?? name;

/** The colour of a lane. @param {Scene} scene @param {number} area */
const laneColour = ({ palette, graph }, area) => graph.areas[area]?.[palette.dark ? "dark" : "light"] ?? palette.faint;

/**
 * Paint the lanes.
 * @param {CanvasRenderingContext2D} context
 * @param {Timeline} timeline
 * @param {Scene} scene
 * @param {View} view
 */
function paintLanes(context, { rows }, scene, view) {
  for (const [at, { colour, top, bottom }] of rows.entries()) {
    context.globalAlpha = at % 2 ? 0.045 : 0.1;
    context.fillStyle = laneColour(scene, colour);
    context.fillRect(0, (top - view.y) * view.scale + view.height / 2, view.width, (bottom - top) * view.scale);
  }
  context.globalAlpha = 1;
}

/**
 * Write the years and the names of the lanes.
 * @param {CanvasRenderingContext2D} context
 * @param {Timeline} timeline
 * @param {Scene} scene
 * @param {View} view
 * @returns {import("./labels.js").Obstacle[]} where its words stand
 */
function paintTimeline(context, { rows, ticks }, scene, view) {
  const { palette } = scene;
  const toX = (/** @type {number} */ x) => (x - view.x) * view.scale + view.width / 2;
  const toY = (/** @type {number} */ y) => (y - view.y) * view.scale + view.height / 2;
  const taken = [];
  context.textBaseline = "top";
  for (const { name, colour, top, bottom } of rows) {
    context.fillStyle = laneColour(scene, colour);
    if (!name || toY(bottom) - toY(top) < 26) continue;
    context.font = `650 12px ${FAMILY}`;
    const text = laneName(scene, name, colour);
    read(context, text).fillText(text, 8, toY(top) + 3);
    taken.push({ left: 0, top: toY(top), right: 16 + context.measureText(text).width, bottom: toY(top) + 19, node: -2 });
  }
  context.font = FONT;
  context.strokeStyle = palette.faint;
  context.lineWidth = 1;
  for (const { label, left, right, at } of tickLabels(ticks, toX, (text) => context.measureText(text).width)) {
    context.globalAlpha = 0.25;
    context.beginPath();
    context.moveTo(at, 0);
    context.lineTo(at, view.height);
    context.stroke();
    context.globalAlpha = 1;
    if (!label || left < 0) continue; // nothing is cut by the frame
    context.fillStyle = palette.ground;
    context.fillRect(left - 2, 2, right - left + 4, 18);
    context.fillStyle = palette.faint;
    read(context, label).fillText(label, left, 6);
    taken.push({ left: left - 4, top: 0, right: right + 4, bottom: 22, node: -2 });
  }
  return taken;
}
