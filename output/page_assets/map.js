// @ts-check
// The map: vis-network draws nodes and edges where the layout put them; an overlay lights and names them.

import { kindOf } from "./data.js";
import { drawNode } from "./shapes.js";
import { paint } from "./drawing.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./drawing.js").Lit} Lit */
/** @typedef {import("./drawing.js").Palette} Palette */

const EDGE = "rgba(128,134,145,0.34)";
const CELL = 60;

/**
 * Make the map in an element.
 * @param {HTMLElement} box
 * @param {Graph} graph
 * @param {any} options vis-network's
 * @param {{onPick: (node: number) => void, onHover: (node: number) => void}} told
 */
export function createMap(box, graph, options, { onPick, onHover }) {
  const vis = /** @type {any} */ (globalThis).vis;
  const places = graph.nodes.map(({ x, y }) => ({ x, y }));
  const kinds = graph.nodes.map(({ kind }) => kindOf(graph, kind));
  const marks = kinds.map(({ family }) => Boolean(graph.legend.families[family].mark));
  const order = graph.nodes.map(({ index }) => index);
  const rank = (/** @type {number} */ node) =>
    graph.nodes[node].degree + (graph.nodes[node].kind === "topic" ? 2000 : graph.nodes[node].kind === "episode" ? 1000 : 0);
  order.sort((a, b) => rank(b) - rank(a) || a - b);
  /** @type {import("./drawing.js").Scene} */
  const scene = {
    graph, places, shown: graph.nodes.map(() => true), order, palette: readPalette(graph), lit: null,
    hover: -1, cursor: -1, widths: new Map(), areas: [],
  };
  let drawnLabels = /** @type {import("./labels.js").Label[]} */ ([]);

  const nodes = new vis.DataSet(graph.nodes.map(({ index, x, y, size }) => ({ id: index, x, y, size })));
  const edges = new vis.DataSet(
    graph.edges.filter(({ drawn }) => drawn).map(({ index, from, to }) => ({ id: index, from, to })),
  );
  const ctxRenderer = (/** @type {any} */ { ctx, id, x, y }) => {
    const { size } = graph.nodes[id];
    return {
      drawNode: () =>
        drawNode(ctx, kinds[id], marks[id], x, y, size, scene.palette.families[kinds[id].family], scene.palette.ground),
      nodeDimensions: { width: 2 * size, height: 2 * size },
    };
  };
  const network = new vis.Network(box, { nodes, edges }, {
    ...options,
    nodes: { ...options.nodes, ctxRenderer },
    edges: { ...options.edges, color: { color: EDGE, inherit: false }, width: 1 },
  });
  const frame = /** @type {HTMLElement} */ (box.firstElementChild);
  frame.tabIndex = -1;
  const overlay = document.createElement("canvas");
  overlay.className = "overlay";
  overlay.setAttribute("aria-hidden", "true");
  box.append(overlay);
  const context = /** @type {CanvasRenderingContext2D} */ (overlay.getContext("2d"));

  const view = () => {
    const { x, y } = network.getViewPosition();
    return { x, y, scale: network.getScale(), width: box.clientWidth, height: box.clientHeight };
  };
  let waiting = false;
  const repaint = () => {
    waiting = false;
    const ratio = devicePixelRatio || 1;
    const now = view();
    if (overlay.width !== Math.round(now.width * ratio) || overlay.height !== Math.round(now.height * ratio)) {
      overlay.width = Math.round(now.width * ratio);
      overlay.height = Math.round(now.height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawnLabels = paint(context, scene, now);
  };
  const request = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => waiting && repaint());
  };
  network.on("afterDrawing", repaint);

  /** @type {Map<number, number[]>} */
  let grid = new Map();
  const index = () => {
    grid = new Map();
    places.forEach(({ x, y }, node) => {
      const cell = Math.floor(x / CELL) * 65536 + Math.floor(y / CELL);
      const list = grid.get(cell);
      if (list) list.push(node);
      else grid.set(cell, [node]);
    });
  };
  index();
  const nodeAt = (/** @type {number} */ clientX, /** @type {number} */ clientY, slack = 5) => {
    const bounds = box.getBoundingClientRect();
    const now = view();
    const x = (clientX - bounds.left - now.width / 2) / now.scale + now.x;
    const y = (clientY - bounds.top - now.height / 2) / now.scale + now.y;
    const reach = 26 + slack / now.scale;
    let best = -1;
    let least = Infinity;
    for (let column = Math.floor((x - reach) / CELL); column <= Math.floor((x + reach) / CELL); column++) {
      for (let row = Math.floor((y - reach) / CELL); row <= Math.floor((y + reach) / CELL); row++) {
        for (const node of grid.get(column * 65536 + row) ?? []) {
          if (!scene.shown[node]) continue;
          const distance = Math.hypot(places[node].x - x, places[node].y - y) - graph.nodes[node].size;
          if (distance < least && distance <= slack / now.scale) {
            least = distance;
            best = node;
          }
        }
      }
    }
    return best;
  };
  let pressed = false;
  box.addEventListener("pointermove", (event) => {
    if (pressed || event.pointerType === "touch") return;
    hover(nodeAt(event.clientX, event.clientY));
  });
  box.addEventListener("pointerdown", () => (pressed = true));
  addEventListener("pointerup", () => (pressed = false));
  box.addEventListener("pointerleave", () => hover(-1));
  network.on("click", (/** @type {any} */ { event }) => {
    const touch = event.pointerType === "touch";
    onPick(nodeAt(event.center.x, event.center.y, touch ? 14 : 5));
  });
  const hover = (/** @type {number} */ node) => {
    if (node === scene.hover) return;
    scene.hover = node;
    box.style.cursor = node >= 0 ? "pointer" : "";
    onHover(node);
    request();
  };

  const gentle = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const move = (/** @type {any} */ to, animate = true) =>
    network.moveTo({ ...to, animation: animate && gentle() ? { duration: 300, easingFunction: "easeInOutQuad" } : false });

  return {
    scene,
    nodeAt,
    labels: () => drawnLabels,
    view,
    network,
    canvas: () => [/** @type {HTMLCanvasElement} */ (box.querySelector(".vis-network canvas")), overlay],
    /** Show these nodes only, and the related edges or not. */
    show(/** @type {boolean[]} */ shown, /** @type {boolean} */ related) {
      const changed = [];
      shown.forEach((yes, id) => yes !== scene.shown[id] && changed.push({ id, hidden: !yes }));
      scene.shown = shown;
      if (changed.length) nodes.update(changed);
      const lines = graph.edges.filter(({ relation }) => relation === "related").map(({ index: id }) => ({ id, hidden: !related }));
      if (lines.length && Boolean(edges.get(lines[0].id)?.hidden) !== !related) edges.update(lines);
      request();
    },
    /** Light these nodes and edges; null for none. */
    light(/** @type {Lit | null} */ lit) {
      scene.lit = lit;
      request();
    },
    /** Ring a node as the keyboard's place. */
    point(/** @type {number} */ node) {
      scene.cursor = node;
      request();
    },
    repalette() {
      scene.palette = readPalette(graph);
      network.redraw();
    },
    resize() {
      network.setSize("100%", "100%");
      network.redraw();
    },
    zoom: (/** @type {number} */ factor) => move({ scale: Math.min(6, Math.max(0.02, network.getScale() * factor)) }),
    /** Bring all shown nodes, or the given ones, into view. */
    fit(/** @type {Iterable<number> | null} */ chosen = null, animate = true) {
      const points = [...(chosen ?? places.keys())].filter((node) => scene.shown[node]).map((node) => places[node]);
      if (!points.length) return;
      const xs = points.map(({ x }) => x);
      const ys = points.map(({ y }) => y);
      const [left, right] = [least(xs), most(xs)];
      const [top, bottom] = [least(ys), most(ys)];
      const scale = Math.min((box.clientWidth - 70) / (right - left + 40), (box.clientHeight - 60) / (bottom - top + 40), chosen ? 1.5 : 2.5);
      move({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale: Math.max(scale, 0.02) }, animate);
    },
    /** Bring a node into view if it is not, or is too small to see. */
    reveal(/** @type {number} */ node, animate = true) {
      const now = view();
      const x = (places[node].x - now.x) * now.scale;
      const y = (places[node].y - now.y) * now.scale;
      const inside = Math.abs(x) < now.width / 2 - 40 && Math.abs(y) < now.height / 2 - 40;
      if (!inside) move({ position: { ...places[node] }, scale: Math.max(now.scale, 0.6) }, animate);
    },
  };
}

const least = (/** @type {number[]} */ values) => values.reduce((a, b) => Math.min(a, b));
const most = (/** @type {number[]} */ values) => values.reduce((a, b) => Math.max(a, b));

/**
 * The colours of the theme in force.
 * @param {Graph} graph
 * @returns {Palette}
 */
function readPalette(graph) {
  const styles = getComputedStyle(document.documentElement);
  const value = (/** @type {string} */ name) => styles.getPropertyValue(name).trim();
  const dark = value("--theme") === "dark";
  const families = Object.fromEntries(
    Object.entries(graph.legend.families).map(([name, family]) => [name, dark ? family.dark : family.light]),
  );
  return {
    ground: value("--ground"), ink: value("--ink"), faint: value("--faint"), edge: value("--lit-edge"),
    accent: value("--accent"), families,
  };
}
