// @ts-check
// What is painted over the map: the veil, what is lit, the labels, and the lines of the timeline.

import { phrase } from "./strings.js";
import { kindOf } from "./data.js";
import { drawNode, trace } from "./shapes.js";
import { disc, isNamed, isRightToLeft, placeLabels, shortName } from "./labels.js";
import { traceCurve } from "./frame.js";
import { boxOf, isTouching, overlaps } from "./lands.js";
import { DOT } from "./timeline.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {{ground: string, ink: string, faint: string, edge: string, accent: string, dark: boolean, families: Record<string, string>}} Palette */
/** @typedef {{x: number, y: number, scale: number, width: number, height: number}} View centre, scale, size in pixels */
/** @typedef {{nodes: Set<number>, edges: Set<number>, centre: number, firm: boolean, route?: number[]}} Lit firm: chosen, not hovered; route: drawn as a numbered line */
/** @typedef {import("./timeline.js").Timeline} Timeline */
/** @typedef {{graph: Graph, places: {x: number, y: number}[], shown: boolean[], order: number[], palette: Palette,
 *   lit: Lit | null, hover: number, cursor: number, widths: Map<string, number>, names: string[], forms: {text: string, width: number, height: number}[][], related: boolean,
 *   lands: (import("./lands.js").Land & {path: Path2D})[], framed: boolean, inset: number, ties: import("./frame.js").Tie[], tieOf: Map<number, import("./frame.js").Tie>, dots: number[], gaps: number[], deepest: number, hues: string[], beside: Set<number>,
 *   crowd: {near: number, landmarks: Set<number>} | null, areaBoxes: (import("./labels.js").Obstacle & {text: string, lines?: string[], colour?: string, area?: number})[], controls: import("./labels.js").Obstacle[], timeline: Timeline | null}} Scene */

const FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const FONT = `12px ${FAMILY}`;
const SHORTER = [15, 11]; // characters of a line of a name that has no room
const ARTIFACT_SCALE = 1.6; // from this scale on artifacts are named too
const PALE = 0.4; // how strongly what hangs on one alone is drawn from afar
const GROUND = [0.11, 0.4]; // how strongly a land is filled, and its outline drawn
const BESIDES = 0.35; // of that, where none of its episodes is shown
const BATCH = 40; // lines that are drawn at once
const NEAR = 1.9; // from this scale on the lines between areas are drawn, of up to so many ties in all; of more from nearer on
const FEW_TIES = 330;
const WIDE = 104; // pixels of a name, beyond which it rather stands on two lines
const SHORT = 24; // pixels between the widths of names of which one goes before on a phone
const MOST_NAMES = 40; // of episodes without lands, the best known
const LONGEST = 60; // characters of a name
export const NARROW = 600; // pixels of the map, below which a view laid out for the frame has no room for what is not lit

/** Paint the overlay. @param {CanvasRenderingContext2D} context scaled to CSS pixels @param {Scene} scene @param {View} view
 * @param {import("./labels.js").Label[] | null} [before] labels that move with their nodes; null: all are placed anew @returns {import("./labels.js").Label[]} the labels as painted */
export function paint(context, scene, view, before = null) {
  const { graph, palette, lit, shown } = scene;
  context.clearRect(0, 0, view.width, view.height);
  context.lineJoin = "round";
  scene.areaBoxes = [];
  if (scene.timeline) paintLanes(context, scene.timeline, scene, view);
  if (lit) {
    context.globalAlpha = scene.framed ? 0.78 : lit.firm ? 0.86 : 0.7;
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, view.width, view.height);
    context.globalAlpha = 1;
  }
  // What the veil dims bears no name: a pale one cannot be read.
  const names = scene.timeline ? paintTimeline(context, scene.timeline, scene, view) : lit ? [] : paintNames(context, scene, view);
  if (lit) {
    for (const edge of lit.edges) paintEdge(context, scene, view, edge);
    for (const node of [...lit.nodes].sort((a, b) => graph.nodes[a].size - graph.nodes[b].size)) {
      if (shown[node]) paintNode(context, scene, view, node);
    }
    if (lit.route) paintRoute(context, scene, view, lit.route);
  }
  for (const node of new Set([lit?.centre ?? -1, scene.hover, scene.cursor])) {
    if (node >= 0 && shown[node]) paintRing(context, scene, view, node, node === scene.hover ? 2 : 3);
  }
  context.font = FONT;
  context.textBaseline = "top";
  const labels = before?.map((label) => {
    const [x, y] = onScreen(scene, view, label.node);
    return { ...label, x, y, left: label.left + x - label.x, top: label.top + y - label.y };
  }) ?? nameNodes(context, scene, view, names);
  paintLabels(context, scene, view, labels);
  return labels;
}

/** A route as a line through its episodes, each with its number. @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {number[]} route */
function paintRoute(context, scene, view, route) {
  const spots = route.map((node) => onScreen(scene, view, node));
  context.beginPath();
  for (const [x, y] of spots) context.lineTo(x, y);
  context.strokeStyle = context.fillStyle = scene.palette.ink;
  context.lineWidth = 2;
  context.setLineDash([1, 5]);
  context.lineCap = "round";
  context.stroke();
  context.setLineDash([]);
  context.font = "bold 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const [place, [x, y]] of spots.entries()) {
    context.beginPath();
    context.arc(x, y, 9, 0, 2 * Math.PI);
    context.fillStyle = scene.palette.ink;
    context.fill();
    context.fillStyle = scene.palette.ground;
    context.fillText(String(place + 1), x, y + 0.5);
  }
  context.textAlign = "start";
  context.textBaseline = "alphabetic";
}

/** Whether so many episodes are so far away that the lands stand for them. @param {Scene} scene @param {View} view */
export const isFar = ({ crowd }, { scale }) => Boolean(crowd && scale < crowd.near);

/** Whether a node is drawn: from afar, of a crowd of episodes only the landmarks and what is lit. @param {Scene} scene @param {View} view @param {number} node */
export const isSeen = (scene, view, node) => scene.shown[node] && (!isFar(scene, view) || Boolean(scene.crowd?.landmarks.has(node)
  || scene.lit?.nodes.has(node) || scene.beside.has(node) || node === scene.hover || node === scene.cursor));

/** Where a node is on the screen. @param {Scene} scene @param {View} view @param {number} node @returns {[number, number]} */
export const onScreen = ({ places }, view, node) => toScreen(view, places[node].x, places[node].y);

/** @param {View} view @param {number} x @param {number} y @returns {[number, number]} */
const toScreen = (view, x, y) => [(x - view.x) * view.scale + view.width / 2, (y - view.y) * view.scale + view.height / 2];

/** Say whether a point is on the screen, or so many pixels beside it. @param {View} view @param {[number, number]} point in pixels of the screen @param {number} [slack] */
export const isInView = ({ width, height }, [x, y], slack = 0) => x >= -slack && y >= -slack && x <= width + slack && y <= height + slack;

/** The radius of a node on the screen: in a view laid out for the frame the same at every scale, but where the next is near. @param {Scene} scene @param {View} view @param {number} node */
export const radiusOf = ({ graph, framed, timeline, dots, gaps }, { scale }, node) =>
  (timeline ? DOT : framed ? Math.min(dots[node], Math.max(1, (gaps[node] * scale - 1) / 2)) : graph.nodes[node].size * scale);

/** The colour of a node: that of the area it belongs to, or, in a graph without areas, of its family. @param {Scene} scene @param {number} node */
export const colourOf = ({ graph, hues, palette }, node) =>
  hues[node] || (graph.areas.length ? palette.faint : palette.families[kindOf(graph, graph.nodes[node].kind).family]);

/** How strongly a node is drawn while nothing is lit: what hangs on one other alone is pale until the map comes near. @param {Scene} scene @param {View} view @param {number} node */
export const strengthOf = ({ graph, framed }, { scale }, node) =>
  (framed || graph.nodes[node].item || graph.nodes[node].degree > 1 || scale >= ARTIFACT_SCALE ? 1 : PALE + (1 - PALE) * Math.max(0, scale - 0.6));

/** How strongly a tie is drawn while nothing is lit. @param {number} strength */
export const tieStrength = (strength) => 0.14 + 0.4 * strength;

/** How strongly the lines of the whole map are drawn: the nearer, the more. @param {View} view */
export const lineStrength = ({ scale }) => Math.min(0.65, 0.3 + 0.25 * scale);

/** Make a text that is drawn from its left edge on be read in its own direction. @param {CanvasRenderingContext2D} context @param {string} text */
function read(context, text) {
  context.textAlign = "left";
  context.direction = isRightToLeft(text) ? "rtl" : "ltr";
  return context;
}

/** Return a function that measures texts in the context's font. @param {CanvasRenderingContext2D} context @param {Scene} scene @returns {(text: string) => number} */
const ruler = (context, { widths }) => (text) => {
  const width = widths.get(text) ?? context.measureText(text).width;
  widths.set(text, width);
  return width;
};

/** Place the names of nodes, and what is lit first. @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {import("./labels.js").Obstacle[]} taken */
function nameNodes(context, scene, view, taken) {
  const { graph, lit, shown, hover, cursor } = scene;
  const measure = ruler(context, scene);
  const form = (/** @type {string} */ text) => {
    const lines = text.split("\n");
    return { text, width: Math.max(...lines.map(measure)), height: 1 + 14 * lines.length };
  };
  /** A name as it may stand beside a dot: whole, on two lines, cut. @param {number} node */
  const formsOf = (node) => {
    const text = shortName(graph.nodes[node], LONGEST);
    const [one, two] = [form(text), form(onTwoLines(text, measure))];
    const whole = two.width > 0.8 * one.width ? [one] : one.width > WIDE ? [two, one] : [one, two];
    return [...whole, ...SHORTER.flatMap((most) => [form(onTwoLines(shortName(graph.nodes[node], 2 * most), measure)), form(shortName(graph.nodes[node], most))])];
  };
  const lands = scene.lands.map(({ area, outline }) => {
    const corners = outline.map(({ x, y }) => toScreen(view, x, y)).map(([x, y]) => ({ x, y }));
    return { area, corners, box: boxOf(corners) };
  });
  const isForeign = (/** @type {import("./lands.js").Box} */ box, /** @type {number} */ node) =>
    node !== hover && node !== cursor && lands.some((land) => land.area !== graph.nodes[node].hue && isTouching(land.box, box) && overlaps(land.corners, box));
  const first = [...new Set([hover, cursor, lit?.centre ?? -1])].filter((node) => node >= 0);
  const rank = (/** @type {number} */ node) => graph.nodes[node].degree + (isNamed(graph.nodes[node]) ? 1e3 : 0);
  const rest = lit ? [...lit.nodes].sort((a, b) => rank(b) - rank(a) || a - b) : scene.order;
  const wishes = /** @type {import("./labels.js").Wish[]} */ ([]);
  const obstacles = [...taken, ...scene.controls];
  const soft = /** @type {import("./labels.js").Obstacle[]} */ ([]);
  const met = new Set();
  for (const node of [...first, ...rest]) {
    if (!shown[node] || met.has(node) || !isSeen(scene, view, node)) continue;
    met.add(node);
    const [x, y] = onScreen(scene, view, node);
    if (!isInView(view, [x, y], 20)) continue;
    const ringed = first.includes(node);
    const radius = Math.max(radiusOf(scene, view, node), 2) * (ringed ? 1.3 : 1) + (ringed ? 5 : 0);
    const named = isNamed(graph.nodes[node]);
    (named ? obstacles : soft).push({ ...disc(x, y, radius, node), dot: named || scene.framed });
    if ((!named || strengthOf(scene, view, node) < 1) && !lit && !scene.framed && view.scale < ARTIFACT_SCALE && !ringed) continue;
    if (scene.framed && !scene.timeline && !scene.lands.length && wishes.length >= MOST_NAMES) continue;
    const own = ringed ? shortName(graph.nodes[node], LONGEST) : (scene.names[node] ??= shortName(graph.nodes[node], 26));
    const [whole, ...forms] = scene.framed ? (scene.forms[node] ??= formsOf(node)) : [form(own)];
    const reach = scene.framed ? radius : graph.nodes[node].reach * view.scale;
    const lane = named && !ringed && !scene.beside.has(node) && scene.timeline?.rows.find(({ top, bottom }) => scene.places[node].y >= top && scene.places[node].y <= bottom);
    const within = lane && [lane.top, lane.bottom].map((at) => (at - view.y) * view.scale + view.height / 2);
    wishes.push({ node, ...whole, forms, x, y, ...(within ? { within } : {}), radius, reach, away: awayOf(scene, view, node, ringed) });
  }
  if (lit) for (const node of scene.order) { // beneath the veil, yet better not covered
    if (lit.nodes.has(node) || !isSeen(scene, view, node) || !(scene.framed || isNamed(graph.nodes[node]))) continue;
    const [x, y] = onScreen(scene, view, node);
    soft.push(disc(x, y, Math.max(radiusOf(scene, view, node), 2), node));
  }
  if (scene.framed && !lit && view.width < NARROW) wishes.sort((a, b) => Math.round((a.width - b.width) / SHORT)); // the more names find room
  return placeLabels(wishes, obstacles, soft, view.width, view.height - scene.inset, lit || view.width < NARROW ? undefined : isForeign);
}

/** Paint the names of nodes. @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {import("./labels.js").Label[]} labels */
function paintLabels(context, scene, view, labels) {
  const { graph, palette, lit } = scene;
  for (const label of labels) if (label.led) paintLeader(context, scene, view, label);
  context.strokeStyle = palette.ground;
  context.lineWidth = 3.5;
  const lines = labels.flatMap((label) => linesOf(label, ruler(context, scene)).map((line) => ({ ...line, node: label.node })));
  for (const { text, left, top } of lines) read(context, text).strokeText(text, left, top + 1);
  for (const { node, text, left, top } of lines) {
    context.fillStyle = scene.hues[node] || (isNamed(graph.nodes[node]) || lit ? palette.ink : palette.faint);
    read(context, text).fillText(text, left, top + 1);
  }
}

/** The lines of a label, each towards the dot that it names. @param {import("./labels.js").Label} label @param {(text: string) => number} measure */
export function linesOf({ text, x, left, top, width }, measure) {
  const lines = text.split("\n");
  const side = left > x ? 0 : left + width < x ? 1 : 0.5;
  return lines.map((line, at) => ({ text: line, left: lines.length > 1 ? left + side * (width - measure(line)) : left, top: top + 14 * at }));
}

/** A text on two lines of about the same width, if it has words for two. @param {string} text @param {(text: string) => number} measure */
export function onTwoLines(text, measure) {
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index);
  const widest = (/** @type {number} */ at) => Math.max(measure(text.slice(0, at)), measure(text.slice(at + 1)));
  if (!spaces.length) return text;
  const cut = spaces.reduce((best, at) => (widest(at) < widest(best) ? at : best));
  return `${text.slice(0, cut)}\n${text.slice(cut + 1)}`;
}

/** How far from a node its label may stand, with a line to it, where there is no room beside. @param {Scene} scene @param {View} view @param {number} node @param {boolean} ringed */
function awayOf({ graph, lit, framed, timeline }, { width }, node, ringed) {
  if (ringed) return 200;
  if (lit?.firm && lit.nodes.size < 40 && (width > 600 || isNamed(graph.nodes[node]))) return 80;
  return framed && !timeline ? 56 : 0;
}

/** Lead the eye from a node to its label where that found no room beside it. @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {import("./labels.js").Label} label */
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

/** The font of the names of lands. @param {number} width of the map */
export const nameFont = (width) => `650 ${width < NARROW ? 11 : 13}px ${FAMILY}`;

/** The height of a line of it. @param {number} width */
export const nameLine = (width) => (width < NARROW ? 13 : 15);

/** Paint the name of each land inside it. @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @returns {import("./labels.js").Obstacle[]} where they stand */
function paintNames(context, scene, view) {
  context.font = nameFont(view.width);
  context.textBaseline = "top";
  const line = nameLine(view.width);
  const far = isFar(scene, view);
  for (const { area, members, name: near, far: distant } of scene.lands) {
    const count = members.filter((node) => scene.shown[node]).length;
    const name = far ? distant : near;
    if (!name || !count) continue;
    const lines = name.count ? [...name.lines.slice(0, -1), phrase("episodes", { count })] : name.lines;
    const [x, y] = toScreen(view, (name.left + name.right) / 2, (name.top + name.bottom) / 2);
    const [wide, tall] = [Math.max(...lines.map((text) => context.measureText(text).width)) / 2, (lines.length * line) / 2];
    const box = { left: x - wide, top: y - tall, right: x + wide, bottom: y + tall };
    if (scene.areaBoxes.some((other) => isTouching(box, other))) continue;
    if (far && (box.left < 2 || box.right > view.width - 2)) continue;
    context.strokeStyle = scene.palette.ground;
    context.lineWidth = 3;
    lines.forEach((text, row) => {
      const last = name.count && row === lines.length - 1;
      if (last) context.font = FONT;
      context.fillStyle = last ? scene.palette.faint : areaColour(scene, area);
      const left = x - context.measureText(text).width / 2;
      read(context, text).strokeText(text, left, box.top + row * line);
      context.fillText(text, left, box.top + row * line);
    });
    context.font = nameFont(view.width);
    scene.areaBoxes.push({ ...box, text: lines.join(" "), lines, node: -2, colour: areaColour(scene, area), area });
  }
  return [...scene.areaBoxes];
}

/** The colour of an area. @param {Scene} scene @param {number} area */
export const areaColour = ({ palette, graph }, area) => graph.areas[area]?.[palette.dark ? "dark" : "light"] ?? palette.faint;

/** Paint the whole picture at any resolution, as the map and its overlay show it.
 * @param {Scene} scene @param {View} view @param {number} ratio pixels of the picture for one of the screen
 * @param {import("./data.js").GraphEdge[]} lines @param {string} colour of the lines @returns {HTMLCanvasElement} */
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
  paintBelow(lower, scene, view, lines, colour);
  paint(upper, scene, view);
  lower.setTransform(1, 0, 0, 1, 0, 0);
  lower.drawImage(upper.canvas, 0, 0);
  return lower.canvas;
}

/** Paint what is under the veil: the ground, the lines, and the nodes.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {import("./data.js").GraphEdge[]} lines
 * @param {string} colour of the lines */
export function paintBelow(context, scene, view, lines, colour) {
  context.fillStyle = scene.palette.ground;
  context.fillRect(0, 0, view.width, view.height);
  paintGround(context, scene, view);
  context.globalAlpha = lineStrength(view);
  context.strokeStyle = colour;
  context.lineWidth = view.scale;
  for (let at = 0; at < lines.length; at += BATCH) { // in one path, lines that cross are no darker where they do
    context.beginPath();
    for (const { from, to } of lines.slice(at, at + BATCH)) {
      const [[x1, y1], [x2, y2]] = [onScreen(scene, view, from), onScreen(scene, view, to)];
      if (Math.max(x1, x2) < 0 || Math.max(y1, y2) < 0 || Math.min(x1, x2) > view.width || Math.min(y1, y2) > view.height) continue;
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
    }
    context.stroke();
  }
  for (const { index } of scene.graph.nodes) {
    if (!isSeen(scene, view, index)) continue;
    if (!isInView(view, onScreen(scene, view, index), 1.4 * radiusOf(scene, view, index))) continue; // a star's reach
    context.globalAlpha = strengthOf(scene, view, index);
    paintNode(context, scene, view, index, 0);
  }
  context.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {number} node @param {number} [least] radius */
function paintNode(context, scene, view, node, least = 3) {
  const { graph, palette } = scene;
  const how = kindOf(graph, graph.nodes[node].kind);
  const [x, y] = onScreen(scene, view, node);
  const mark = Boolean(graph.legend.families[how.family].mark);
  drawNode(context, how, mark, x, y, Math.max(radiusOf(scene, view, node), least), colourOf(scene, node), palette.ground);
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

/** The ties that are drawn while nothing is lit: those inside an area, and from near those between areas too, of the dots on the screen; none on the timeline, where they would run across all lanes. @param {Scene} scene @param {View} view */
export const tiesShown = (scene, view) => {
  const { graph, ties, shown, related, timeline } = scene;
  if (timeline || isFar(scene, view)) return [];
  const across = view.scale >= NEAR * Math.max(1, Math.sqrt(ties.length / FEW_TIES)) || !graph.areas.length; // so that as many cross the screen
  return ties.filter(({ from, to, edges }) => shown[from] && shown[to] && (across || graph.nodes[from].hue === graph.nodes[to].hue)
    && [from, to].some((node) => isInView(view, onScreen(scene, view, node)))
    && (related || edges.some((number) => graph.edges[number].relation !== "related")));
};

/** Paint the lands, and what ties the episodes. @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view */
function paintGround(context, scene, view) {
  context.save();
  const { a: ratio } = context.getTransform();
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * (view.width / 2 - view.x * view.scale), ratio * (view.height / 2 - view.y * view.scale));
  context.lineWidth = 1.2 / view.scale;
  for (const { area, members, path } of scene.lands) {
    const part = members.some((node) => scene.shown[node]) ? 1 : BESIDES;
    context.fillStyle = context.strokeStyle = areaColour(scene, area);
    context.globalAlpha = part * GROUND[0];
    context.fill(path);
    context.globalAlpha = part * GROUND[1];
    context.stroke(path);
  }
  context.restore();
  if (scene.framed && !scene.timeline) for (const tie of tiesShown(scene, view)) paintTie(context, scene, view, tie, tieStrength(tie.strength));
}

/** Paint what ties two episodes: as wide as it is strong, in their colour where they have one.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {View} view @param {import("./frame.js").Tie} tie @param {number} alpha */
function paintTie(context, scene, view, { from, to, strength }, alpha) {
  const { hues, palette, graph } = scene;
  context.globalAlpha = alpha;
  context.strokeStyle = graph.nodes[from].community === graph.nodes[to].community && hues[from] ? hues[from] : palette.edge;
  context.lineWidth = 0.5 + 5 * strength;
  traceCurve(context, onScreen(scene, view, from), onScreen(scene, view, to));
  context.stroke();
  context.globalAlpha = 1;
}

/** Return where the lines of the years and their labels are; a label without room is empty.
 * @param {{label: string, x: number}[]} ticks @param {(x: number) => number} toX @param {(text: string) => number} measure
 * @returns {{label: string, left: number, right: number, at: number}[]} */
export function tickLabels(ticks, toX, measure) {
  let end = -Infinity; // of the last label
  return ticks.map(({ label, x }) => {
    const at = Math.round(toX(x)) + 0.5;
    const left = label === phrase("undated") ? at - 8 - measure(label) : at + 4;
    const right = left + measure(label);
    if (left < end + 8) return { label: "", left, right, at };
    end = right;
    return { label, left, right, at };
  });
}

/** Paint the lanes. @param {CanvasRenderingContext2D} context @param {Timeline} timeline @param {Scene} scene @param {View} view */
function paintLanes(context, { rows }, scene, view) {
  for (const [at, { colour, top, bottom }] of rows.entries()) {
    context.globalAlpha = at % 2 ? 0.045 : 0.1;
    context.fillStyle = areaColour(scene, colour);
    context.fillRect(0, (top - view.y) * view.scale + view.height / 2, view.width, (bottom - top) * view.scale);
  }
  context.globalAlpha = 1;
}

/** Write the years and the names of the lanes.
 * @param {CanvasRenderingContext2D} context @param {Timeline} timeline @param {Scene} scene @param {View} view
 * @returns {import("./labels.js").Obstacle[]} where its words stand */
function paintTimeline(context, { rows, ticks }, scene, view) {
  const { palette } = scene;
  const toX = (/** @type {number} */ x) => (x - view.x) * view.scale + view.width / 2;
  const toY = (/** @type {number} */ y) => (y - view.y) * view.scale + view.height / 2;
  const taken = [];
  context.textBaseline = "top";
  for (const { name, colour, top, bottom } of rows) {
    context.fillStyle = areaColour(scene, colour);
    if (!name || toY(bottom) - toY(top) < 26) continue;
    context.font = `650 12px ${FAMILY}`;
    const text = scene.graph.areas[colour]?.short ?? name;
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
