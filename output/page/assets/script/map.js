// @ts-check
// The map: vis-network draws nodes and edges where the layout put them; an overlay lights and names them.

import { kindOf } from "./data.js";
import { drawNode } from "./shapes.js";
import { colourOf, lineStrength, onScreen, paint, paintFields, paintPicture, radiusOf, strengthOf, tiesShown, tieStrength } from "./drawing.js";
import { dotSizes, tieAt, tiesOf } from "./frame.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./drawing.js").Lit} Lit */
/** @typedef {import("./drawing.js").Palette} Palette */
/** @typedef {{x: number, y: number}} Point */

const MANY = 12; // communities, of which pairs go without a name on the map
const CELL = 60;
const SCALES = [0.01, 8];
const FRAME = [0.65, 1.4]; // the scales at which the labels round a chosen node find room
const NEARER = 1.5; // the scale up to which the map comes nearer to what is lit
const LEGIBLE = 0.4; // the scale down to which all that is lit with a chosen node is brought into view
const HOVER_DELAY = 70; // ms; a pointer that only crosses the map lights nothing

/**
 * Make the map in an element.
 * @param {HTMLElement} box
 * @param {any} vis the drawing library
 * @param {Graph} graph
 * @param {any} options of vis-network
 * @param {{onPick: (node: number) => void, onHover: (node: number, tie: import("./frame.js").Tie | null, at: Point) => void}} told
 */
export function createMap(box, vis, graph, options, { onPick, onHover }) {
  const kinds = graph.nodes.map(({ kind }) => kindOf(graph, kind));
  const marks = kinds.map(({ family }) => Boolean(graph.legend.families[family].mark));
  const ties = tiesOf(graph);
  /** @type {import("./drawing.js").Scene} */
  const scene = {
    graph, places: graph.nodes.map(({ x, y }) => ({ x, y })), shown: graph.nodes.map(() => false),
    order: labelOrder(graph), palette: readPalette(graph), lit: null, hover: -1, cursor: -1, widths: new Map(), names: [], twins: twinsOf(graph),
    framed: false, thin: false, round: false, inset: 0, ties, tieOf: new Map(ties.flatMap((tie) => tie.edges.map((edge) => [edge, tie]))), dots: dotSizes(graph, ties), hues: [], beside: new Set(),
    related: true, farScale: 0, areas: [], areaBoxes: [], controls: [], timeline: null, badges: new Map(),
  };
  scene.hues = huesOf(graph, scene.palette.dark);
  let size = [box.clientWidth, box.clientHeight];
  let labels = /** @type {import("./labels.js").Label[]} */ ([]);

  // vis-network gets a node or an edge when it is first shown: a big graph starts with its core only.
  const known = graph.nodes.map(() => false);
  const drawn = graph.edges.filter((edge) => edge.drawn && edge.from !== edge.to);
  const edgeKnown = graph.edges.map(() => false);
  const nodes = new vis.DataSet();
  const edges = new vis.DataSet();
  const network = new vis.Network(box, { nodes, edges }, {
    ...options,
    nodes: { ...options.nodes, ctxRenderer: (/** @type {any} */ { ctx, id, x, y }) => draw(ctx, id, x, y) },
  });
  const findControls = () => {
    const { left, top } = box.getBoundingClientRect();
    scene.controls = [...(box.parentElement?.querySelectorAll("#status, .zoom, .crumbs") ?? [])].map((control) => {
      const own = control.getBoundingClientRect();
      return { left: own.left - left - 4, top: own.top - top - 4, right: own.right - left + 4, bottom: own.bottom - top + 4, node: -3 };
    });
  };
  const draw = (/** @type {CanvasRenderingContext2D} */ context, /** @type {number} */ id, /** @type {number} */ x, /** @type {number} */ y) => {
    const scale = scene.framed ? network.getScale() : 1;
    const size = radiusOf(scene, /** @type {any} */ ({ scale: 1 }), id) / scale;
    return {
      drawNode: () => {
        context.globalAlpha = strengthOf(scene, /** @type {any} */ ({ scale: network.getScale() }), id);
        drawNode(context, kinds[id], marks[id], x, y, size, colourOf(scene, id), scene.palette.ground);
        context.globalAlpha = 1;
      },
      nodeDimensions: { width: 2 * size, height: 2 * size },
    };
  };
  box.firstElementChild?.removeAttribute("tabindex");
  const overlay = document.createElement("canvas");
  overlay.className = "overlay";
  overlay.setAttribute("aria-hidden", "true");
  box.append(overlay);
  const context = /** @type {CanvasRenderingContext2D} */ (overlay.getContext("2d"));

  const view = () => ({
    ...network.getViewPosition(), scale: network.getScale(), width: box.clientWidth, height: box.clientHeight,
  });
  let waiting = false;
  const repaint = () => {
    waiting = false;
    const ratio = devicePixelRatio || 1;
    const now = view();
    const [width, height] = [Math.round(now.width * ratio), Math.round(now.height * ratio)];
    if (overlay.width !== width || overlay.height !== height) [overlay.width, overlay.height] = [width, height];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    labels = paint(context, scene, now);
  };
  const request = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => waiting && repaint());
  };
  let quiet = 0; // how many changes are under way that are painted together
  network.on("beforeDrawing", (/** @type {CanvasRenderingContext2D} */ lower) => quiet || paintFields(lower, scene, view()));
  network.on("afterDrawing", () => quiet || repaint());

  /** @type {Map<number, number[]>} */
  let grid = new Map();
  const buildGrid = () => {
    grid = new Map();
    scene.places.forEach(({ x, y }, node) => {
      const cell = Math.floor(x / CELL) * 65536 + Math.floor(y / CELL);
      const list = grid.get(cell);
      if (list) list.push(node);
      else grid.set(cell, [node]);
    });
  };
  buildGrid();

  /**
   * The shown node at a place of the window, or so many pixels from it; -1 for none.
   * @param {number} clientX
   * @param {number} clientY
   * @param {number} slack
   */
  const nodeAt = (clientX, clientY, slack) => {
    const bounds = box.getBoundingClientRect();
    const now = view();
    const x = (clientX - bounds.left - now.width / 2) / now.scale + now.x;
    const y = (clientY - bounds.top - now.height / 2) / now.scale + now.y;
    const reach = 26 + slack / now.scale;
    let best = -1;
    let nearest = slack / now.scale;
    for (let column = Math.floor((x - reach) / CELL); column <= Math.floor((x + reach) / CELL); column++) {
      for (let row = Math.floor((y - reach) / CELL); row <= Math.floor((y + reach) / CELL); row++) {
        for (const node of grid.get(column * 65536 + row) ?? []) {
          if (!scene.shown[node]) continue;
          const distance = Math.hypot(scene.places[node].x - x, scene.places[node].y - y) - (scene.framed ? scene.dots[node] / now.scale : graph.nodes[node].size);
          if (distance > nearest) continue;
          nearest = distance;
          best = node;
        }
      }
    }
    return best;
  };

  let pressed = false;
  let timer = 0;
  /** @type {import("./frame.js").Tie | null} */
  let tied = null;
  const hover = (/** @type {number} */ node, /** @type {import("./frame.js").Tie | null} */ tie = null, at = { x: 0, y: 0 }) => {
    if (node === scene.hover && tie === tied) return;
    scene.hover = node;
    tied = tie;
    box.classList.toggle("on-node", node >= 0);
    clearTimeout(timer);
    timer = setTimeout(() => onHover(node, tie, at), node >= 0 || tie ? HOVER_DELAY : 0);
    request();
  };
  /** What ties two episodes at a place of the window; of lit ones only where some are. */
  const lineAt = (/** @type {number} */ clientX, /** @type {number} */ clientY, /** @type {number} */ slack) => {
    if (!scene.framed) return null;
    const bounds = box.getBoundingClientRect();
    const now = view();
    const ties = scene.lit ? scene.ties.filter(({ edges }) => edges.some((edge) => scene.lit?.edges.has(edge))) : tiesShown(scene);
    return tieAt(ties, (node) => {
      if (!scene.shown[node]) return null;
      const [x, y] = onScreen(scene, now, node);
      return { x, y };
    }, { x: clientX - bounds.left, y: clientY - bounds.top }, slack);
  };
  box.addEventListener("pointermove", ({ clientX, clientY, pointerType }) => {
    if (pressed || pointerType === "touch") return;
    const node = nodeAt(clientX, clientY, 4);
    hover(node, node < 0 ? lineAt(clientX, clientY, 4) : null, { x: clientX, y: clientY });
  });
  box.addEventListener("pointerdown", () => (pressed = true));
  addEventListener("pointerup", () => (pressed = false));
  addEventListener("pointercancel", () => (pressed = false));
  box.addEventListener("pointerleave", () => hover(-1));
  network.on("click", (/** @type {any} */ { event }) => {
    const { x, y } = event.center;
    const touch = event.pointerType === "touch";
    const node = nodeAt(x, y, touch ? (scene.framed ? 22 : 14) : 4);
    const tie = node < 0 ? lineAt(x, y, touch ? 12 : 4) : null;
    if (tie) onHover(-1, tie, { x, y });
    else onPick(node);
  });
  network.on("zoom", () => {
    own();
    const scale = network.getScale();
    const allowed = Math.min(SCALES[1], Math.max(SCALES[0], scale));
    if (allowed !== scale) network.moveTo({ scale: allowed });
  });

  let home = false; // the whole of a frame is shown, as it is at the start
  let held = -1; // the node that the map was brought to, and has not left
  const own = () => {
    home = false;
    held = -1;
  };
  network.on("dragStart", own);
  const move = (/** @type {{position?: Point, scale?: number}} */ to, /** @type {boolean} */ glide) => {
    own();
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    network.moveTo({ ...to, animation: glide && !calm ? { duration: 300, easingFunction: "easeInOutQuad" } : false });
    // What was just shown or hidden is measured by a first drawing only, and so drawn where the map now is by a second.
    if (glide && calm) requestAnimationFrame(() => network.redraw());
  };
  const scaled = (/** @type {number} */ scale) => Math.min(SCALES[1], Math.max(SCALES[0], scale));

  const isHidden = (/** @type {import("./data.js").GraphEdge} */ { relation }, /** @type {boolean} */ related) =>
    scene.framed || (relation === "related" && !related);

  /**
   * Bring a chosen node and what is lit with it into what no sheet covers; nearer where there is room.
   * @param {number} node
   * @param {boolean} glide
   */
  const frameLit = (node, glide) => {
    const near = scene.round ? graph.nodes.map(({ index }) => index) : [node, ...(scene.lit?.nodes ?? [])];
    const { left, right, top, bottom } = bounds(near.filter((other) => scene.shown[other]).map((other) => scene.places[other]));
    const [width, height] = [box.clientWidth - 2 * Math.min(110, 0.14 * box.clientWidth), (box.clientHeight - scene.inset) * 0.85 - 20];
    const scale = Math.min(Math.max(Math.min(width / (right - left || 1), height / (bottom - top || 1)), 0.3), scene.round || scene.timeline ? 1 : NEARER);
    const now = view();
    const inside = (/** @type {number} */ x, /** @type {number} */ y) => Math.abs(x - now.x) * now.scale < now.width / 2 && (y - now.y) * now.scale > 16 - now.height / 2 && (y - now.y) * now.scale < now.height / 2 - scene.inset - 16;
    if (!scene.inset && scale >= 1 && now.scale >= 1 && scale <= 1.2 && inside(left, top) && inside(right, bottom)) return; // all is well as it is
    // without a sheet the map is never moved so far that its edge comes in
    const within = (/** @type {number} */ at, /** @type {number} */ side) => {
      const most = scene.inset ? Infinity : Math.max(0, (side / 2) * (1 - 1 / scale));
      return Math.min(most, Math.max(-most, at));
    };
    const middle = { x: within((left + right) / 2, box.clientWidth), y: within((top + bottom) / 2, box.clientHeight) };
    move({ position: { x: middle.x, y: middle.y + scene.inset / 2 / scale }, scale }, glide);
  };

  /**
   * Bring a chosen node into view with all that is lit with it; where that is too far apart, to the middle with most.
   * @param {number} node
   * @param {boolean} glide
   */
  const frameNear = (node, glide) => {
    const { x, y } = scene.places[node];
    const [width, height] = [box.clientWidth / 2 - Math.min(70, 0.08 * box.clientWidth), (box.clientHeight - scene.inset) / 2 - Math.min(60, 0.08 * box.clientHeight)];
    const { left, right, top, bottom } = bounds([node, ...(scene.lit?.nodes ?? [])].filter((other) => scene.shown[other]).map((other) => scene.places[other]));
    const whole = Math.min((2 * width) / (right - left), (2 * height) / (bottom - top), FRAME[1]);
    if (whole >= (scene.inset ? LEGIBLE / 3 : LEGIBLE) && right > left) {
      move({ position: { x: (left + right) / 2, y: (top + bottom) / 2 + scene.inset / 2 / whole }, scale: whole }, glide);
      return;
    }
    const fitting = [...(scene.lit?.nodes ?? [])].filter((other) => other !== node && scene.shown[other])
      .map((other) => Math.min(width / Math.abs(scene.places[other].x - x), height / Math.abs(scene.places[other].y - y)))
      .sort((a, b) => b - a);
    const scale = fitting.length ? fitting[Math.floor(0.85 * (fitting.length - 1))] : 1;
    const near = Math.min(Math.max(scale, FRAME[0]), FRAME[1]);
    move({ position: { x, y: y + scene.inset / 2 / near }, scale: near }, glide);
  };

  return {
    scene,
    view,
    network,
    labels: () => labels,
    /** Change several things and paint once after them: each of them alone would. */
    together(/** @type {() => void} */ change) {
      quiet += 1;
      try {
        change();
      } finally {
        quiet -= 1;
      }
      if (!quiet) network.redraw();
    },
    /** What is on the screen: nodes and lines, in pixels of the window. */
    inventory() {
      const now = view();
      const { left, top } = box.getBoundingClientRect();
      const named = new Set(labels.map(({ node }) => node));
      const inside = graph.nodes.filter(({ index }) => scene.shown[index]).map(({ index, key: id, kind }) => {
        const [x, y] = onScreen(scene, now, index);
        return { id, kind, x: left + x, y: top + y, r: radiusOf(scene, now, index), named: named.has(index), opacity: strengthOf(scene, now, index), seen: x >= 0 && y >= 0 && x <= now.width && y <= now.height };
      }).filter(({ seen }) => seen).map(({ seen: _, ...node }) => node);
      const faint = new Set(scene.framed ? tiesShown(scene).flatMap(({ edges }) => edges) : []);
      const lines = graph.edges.filter(({ index, from, to, relation, drawn: line }) => scene.shown[from] && scene.shown[to] && (scene.related || relation !== "related")
        && (scene.lit ? scene.lit.edges.has(index) : scene.framed ? faint.has(index) : line && from !== to && !isHidden(graph.edges[index], scene.related)));
      return {
        nodes: inside,
        lines: lines.map(({ index, from, to, relation }) => {
          const tie = scene.framed ? scene.tieOf.get(index) : null;
          return { source: graph.nodes[from].key, target: graph.nodes[to].key, relation, width: tie ? 0.5 + 5 * tie.strength : scene.lit ? 1.4 : now.scale, opacity: scene.lit ? 1 : tie ? tieStrength(scene, tie.strength) : lineStrength(now) };
        }),
      };
    },
    /** The picture as it is now, on a canvas of its own. */
    picture: (/** @type {number} */ ratio) => paintPicture(scene, view(), ratio,
      drawn.filter((edge) => scene.shown[edge.from] && scene.shown[edge.to] && !isHidden(edge, scene.related)), options.edges.color.color),
    /** Show these nodes only, and the lines between related episodes or not. */
    show(/** @type {boolean[]} */ shown, /** @type {boolean} */ related, /** @type {Map<number, number>} */ badges) {
      const changed = [];
      for (const { index: id, size } of graph.nodes) {
        if (shown[id] && !known[id]) changed.push({ id, size, ...whole(scene.places[id]) });
        else if (known[id] && shown[id] !== scene.shown[id]) changed.push({ id, hidden: !shown[id] });
        known[id] ||= shown[id];
      }
      const lines = [];
      for (const edge of drawn) {
        const { index: id, from, to } = edge;
        const hidden = isHidden(edge, related);
        if (!edgeKnown[id]) {
          if (!known[from] || !known[to]) continue;
          edgeKnown[id] = true;
          lines.push({ id, from, to, hidden });
        } else if (hidden !== isHidden(edge, scene.related)) lines.push({ id, hidden });
      }
      Object.assign(scene, { shown, related, badges, areas: areasOf(scene, shown) });
      if (changed.length) nodes.update(changed);
      if (lines.length) edges.update(lines);
      if (scene.framed) network.redraw(); // its lines are drawn by us
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
    /** Put every node elsewhere; `timeline` brings the lines to draw behind. */
    arrange(/** @type {Point[]} */ places, /** @type {import("./timeline.js").Timeline | null} */ timeline, framed = false, beside = new Set(), round = false) {
      Object.assign(scene, { places, timeline, framed, beside, round });
      scene.areas = areasOf(scene, scene.shown);
      edges.update(drawn.filter(({ index }) => edgeKnown[index]).map((edge) => ({ id: edge.index, hidden: isHidden(edge, scene.related) })));
      nodes.update(graph.nodes.filter(({ index }) => known[index]).map(({ index: id }) => ({ id, ...whole(places[id]) })));
      buildGrid();
    },
    repalette() {
      scene.palette = readPalette(graph);
      scene.hues = huesOf(graph, scene.palette.dark);
      scene.areas = areasOf(scene, scene.shown);
      network.redraw();
    },
    /** Fill the box again when its size has changed. */
    resize() {
      if (matchMedia("print").matches) return; // what is printed is a picture of its own
      findControls();
      request();
      const [width, height] = [box.clientWidth, box.clientHeight];
      if (width === size[0] && height === size[1]) return;
      size = [width, height];
      network.setSize("100%", "100%");
      network.redraw();
      if (home) this.fit(false);
      else if (scene.lit?.nodes.has(held)) this.frame(held, false);
    },
    /** Come nearer to the middle of what no sheet covers, or go away from it. */
    zoom(/** @type {number} */ factor) {
      const { x, y, scale } = view();
      const next = scaled(scale * factor);
      move({ position: { x, y: y + (scene.inset / 2) * (1 / next - 1 / scale) }, scale: next }, true);
    },
    /** Bring all shown nodes into view, or some of them. */
    fit(glide = true, /** @type {Set<number> | null} */ some = null) {
      if (scene.framed && !some) {
        move({ position: { x: 0, y: 0 }, scale: 1 }, glide);
        home = true;
        return;
      }
      const points = scene.places.filter((_, node) => scene.shown[node] && (!some || some.has(node)));
      if (!points.length) return;
      const { left, right, top, bottom } = bounds(points);
      const scale = scaled(Math.min((box.clientWidth - 48) / (right - left + 40), (box.clientHeight - 70) / (bottom - top + 40), some ? 1.3 : 1.8));
      if (!some) scene.farScale = Math.min(scale * 1.15, 1.2);
      move({ position: { x: (left + right) / 2, y: (top + bottom) / 2 + 10 / scale }, scale }, glide);
    },
    /** Bring a chosen node into view with all that is lit with it, and again when the box changes, until the map is moved. */
    frame(/** @type {number} */ node, glide = true) {
      (scene.framed ? frameLit : frameNear)(node, glide);
      held = node;
    },
    /** Bring a node into view, and near enough to read, if it is not. */
    reveal(/** @type {number} */ node, least = 0.3, glide = true) {
      const now = view();
      const x = (scene.places[node].x - now.x) * now.scale;
      const y = (scene.places[node].y - now.y) * now.scale;
      const inside = Math.abs(x) < now.width / 2 - 40 && y > 40 - now.height / 2 && y < now.height / 2 - 40 - scene.inset;
      const scale = Math.max(now.scale, least);
      if (!inside || now.scale < least) move({ position: { x: scene.places[node].x, y: scene.places[node].y + scene.inset / 2 / scale }, scale }, glide);
    },
  };
}

/** A point for vis-network, which would read 6e-15 as 6. @param {Point} point @returns {Point} */
const whole = ({ x, y }) => ({ x: Math.round(x), y: Math.round(y) });

/**
 * The box that holds all points.
 * @param {Point[]} points
 */
function bounds(points) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return { left, right, top, bottom };
}

/**
 * Nodes in the order their labels are placed: topics that join episodes, episodes, other topics, the rest, each by
 * degree.
 * @param {Graph} graph
 * @returns {number[]}
 */
function labelOrder(graph) {
  const bonus = new Map([["topic", 1e6], ["podcast", 1e6]]);
  const rank = graph.nodes.map(({ kind, degree, item }) =>
    degree + (kind === "topic" && degree < 2 ? 1e4 : item ? 1e5 : bonus.get(kind) ?? 0));
  return graph.nodes.map(({ index }) => index).sort((a, b) => rank[b] - rank[a] || a - b);
}

/**
 * For each topic the episode that bears its very name, -1 for none: where they stand side by side, one label does.
 * @param {Graph} graph
 * @returns {number[]}
 */
function twinsOf(graph) {
  const twins = graph.nodes.map(() => -1);
  for (const { relation, from, to } of graph.edges) {
    if (relation === "about" && graph.nodes[from].name.toLowerCase() === graph.nodes[to].name.toLowerCase()) twins[to] = from;
  }
  return twins;
}

/**
 * The areas of the topics that are shown, each in the middle of its own.
 * @param {Graph} graph
 * @param {boolean[]} shown
 * @returns {{name: string, x: number, y: number}[]}
 */
function areaNames(graph, shown) {
  /** @type {Map<string, {x: number, y: number}[]>} */
  const members = new Map();
  for (const { index, kind, area, x, y } of graph.nodes) {
    if (shown[index] && kind === "topic" && area) members.set(area, [...(members.get(area) ?? []), { x, y }]);
  }
  const middle = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  return [...members].filter(([, points]) => points.length > 2).sort((a, b) => b[1].length - a[1].length).map(([name, points]) => ({
    name, x: middle(points.map(({ x }) => x)), y: middle(points.map(({ y }) => y)),
  }));
}

/**
 * The colour of each node that belongs to an area, "" for the others.
 * @param {Graph} graph
 * @param {boolean} dark
 * @returns {string[]}
 */
const huesOf = ({ nodes, areas }, dark) => nodes.map(({ hue }) => areas[hue]?.[dark ? "dark" : "light"] ?? "");

/**
 * The names of the areas of a view, and where they belong.
 * @param {import("./drawing.js").Scene} scene
 * @param {boolean[]} shown
 * @returns {import("./drawing.js").Scene["areas"]}
 */
const areasOf = (scene, shown) =>
  (scene.round || scene.timeline ? [] : scene.graph.areas.length ? communityNames(scene, shown) : scene.framed ? [] : areaNames(scene.graph, shown));

/**
 * The names of the communities of the episodes that are shown, each over its own.
 * @param {import("./drawing.js").Scene} scene
 * @param {boolean[]} shown
 * @returns {{name: string, x: number, y: number, colour: string}[]}
 */
function communityNames({ graph, places, hues, beside }, shown) {
  const least = graph.areas.length > MANY ? 3 : 2;
  return graph.areas.flatMap(({ name, short }) => {
    const own = graph.nodes.filter(({ index, community, wx }) => shown[index] && community === name && wx !== undefined && !beside.has(index));
    if (own.length < least) return [];
    const middle = (/** @type {"x" | "y"} */ axis) => { // the median: one far away does not draw the name off the others
      const values = own.map(({ index }) => places[index][axis]).sort((one, other) => one - other);
      return (values[(values.length - 1) >> 1] + values[values.length >> 1]) / 2;
    };
    return [{ name: short, x: middle("x"), y: middle("y"), colour: hues[own[0].index] }];
  });
}

/**
 * The colours of the theme in force.
 * @param {Graph} graph
 * @returns {Palette}
 */
function readPalette(graph) {
  const styles = getComputedStyle(document.documentElement);
  const value = (/** @type {string} */ name) => styles.getPropertyValue(name).trim();
  const dark = value("--theme") === "dark";
  const families = Object.entries(graph.legend.families).map(([name, { light, dark: night }]) => [name, dark ? night : light]);
  return {
    ground: value("--ground"), ink: value("--ink"), faint: value("--faint"), edge: value("--lit-edge"),
    accent: value("--accent"), dark, families: Object.fromEntries(families),
  };
}
