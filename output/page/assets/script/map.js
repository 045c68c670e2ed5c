// @ts-check
// The map: nodes and edges where the layout put them on one canvas; another above it lights and names them.

import { createCamera } from "./camera.js";
import { isInView, isSeen, lineStrength, NARROW, nameFont, nameLine, onScreen, onTwoLines, paint, paintBelow, paintPicture, radiusOf, strengthOf, tiesShown, tieStrength } from "./drawing.js";
import { dotSizes, tiesOf, traceCurve } from "./frame.js";
import { boxOf, landsOf, usualGap } from "./lands.js";
import { phrase } from "./strings.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./drawing.js").Lit} Lit */
/** @typedef {import("./drawing.js").Palette} Palette */
/** @typedef {{x: number, y: number}} Point */

const FEW = 8; // episodes, of fewer there are no lands
const CROWD = 400; // episodes, of more the lands stand for them until the map is near
const DOTS = 15; // pixels between two episodes, from which on each is a dot
const DEEPEST = 110; // pixels between two episodes, up to which the map comes near
const FORM_COSTS = [0, 20, 40, 250, 1000]; // of a name on one line, on two, on more, its first part, its first letters, in pixels from the middle of its land
const LANDMARKS = 3; // of a land, from afar
const LANDMARK = 16; // pixels round one
const REACH = 26; // more than any node's radius in the units of the map
const SCALES = /** @type {[number, number]} */ ([0.01, 8]);
const FRAME = 0.65; // the scale at which a chosen node is shown whose neighbours are too far apart
const NEARER = 1.5; // the scale up to which the map comes nearer to what is lit, and from which on a crowd is dots
const LEGIBLE = 0.3; // the scale down to which all that is lit with a chosen node is brought into view
const FAR = 90; // pixels between two dots of any size that are far apart
const STILL = 1500; // nodes, of more the lines are left out while the map moves
const REST = 150; // ms after which lines come back to a map that was moved, and its names are placed anew
const HOVER_DELAY = 70; // ms; a pointer that only crosses the map lights nothing

/** @typedef {{onPick: (node: number) => void, onHover: (node: number, tie: import("./frame.js").Tie | null, at: Point) => void, onMove: (at: (Point & {scale: number}) | null) => void}} Listeners */

/** Make the map in an element, without names of nodes until the graph is complete. @param {HTMLElement} box @param {Graph} graph */
export function createMap(box, graph) {
  /** @type {Listeners} */
  const listeners = { onPick() {}, onHover() {}, onMove() {} };
  /** @type {import("./drawing.js").Scene} */
  const scene = {
    graph, places: [], shown: [], order: [], palette: readPalette(graph), lit: null, hover: -1, cursor: -1, widths: new Map(), names: [], forms: [], lands: [],
    framed: false, inset: 0, ties: tiesOf(graph), tieOf: new Map(), dots: [], gaps: [], deepest: SCALES[1], hues: [], beside: new Set(),
    related: true, areaBoxes: [], controls: [], timeline: null, crowd: null,
  };
  scene.hues = huesOf(graph, scene.palette.dark);
  let size = [box.clientWidth, box.clientHeight];
  let labels = /** @type {import("./labels.js").Label[]} */ ([]);

  let drawn = /** @type {import("./data.js").GraphEdge[]} */ ([]);
  let lineColour = "";
  const linesShown = () => (scene.framed || scene.lands.length ? [] : drawn.filter((edge) => scene.shown[edge.from] && scene.shown[edge.to] && (scene.related || edge.relation !== "related")));
  const findControls = () => {
    const { left, top } = box.getBoundingClientRect();
    scene.controls = [...(box.parentElement?.querySelectorAll("#status, .zoom") ?? [])].map((control) => {
      const own = control.getBoundingClientRect();
      return { left: own.left - left - 4, top: own.top - top - 4, right: own.right - left + 4, bottom: own.bottom - top + 4, node: -3 };
    });
  };
  const [lower, context] = ["ground", "overlay"].map((name) => {
    const canvas = document.createElement("canvas");
    canvas.className = name;
    canvas.setAttribute("aria-hidden", "true");
    box.append(canvas);
    return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  });
  let waiting = false;
  let stale = true; // the lower canvas too has to be painted
  let moving = 0; // until when lines are left out, and names stay beside their dots
  let renamed = true; // the names have to be placed anew
  let quiet = 0; // how many changes are under way that are painted together
  const repaint = () => {
    waiting = false;
    if (quiet) return;
    const ratio = devicePixelRatio || 1;
    const now = view();
    const [width, height] = [Math.round(now.width * ratio), Math.round(now.height * ratio)];
    for (const { canvas } of [lower, context]) if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
      stale = true;
    }
    for (const one of [lower, context]) one.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (stale) paintBelow(lower, scene, now, moving && graph.nodes.length > STILL ? [] : linesShown(), lineColour);
    labels = paint(context, scene, now, renamed ? null : labels);
    stale = renamed = false;
  };
  const request = (isMove = false) => {
    renamed ||= !isMove;
    if (!waiting) requestAnimationFrame(() => waiting && repaint());
    waiting = true;
  };
  const redraw = () => {
    stale = renamed = true;
    repaint();
  };
  const rest = () => {
    clearTimeout(moving);
    moving = setTimeout(() => {
      if (pressed) return; // until the reader lets go
      moving = 0;
      redraw();
    }, REST);
  };
  const camera = createCamera(box, {
    limits: () => (scene.framed ? [0.5, scene.deepest] : SCALES),
    moved: () => {
      stale = true;
      request(moving > 0);
      listeners.onMove(home ? null : { ...camera.getViewPosition(), scale: camera.getScale() });
    },
    seized: () => {
      own();
      rest();
    },
    clicked: ({ x, y }, touch) => {
      const node = nodeAt(x, y, touch ? (scene.framed ? 22 : 14) : 4);
      const tie = node < 0 ? lineAt(x, y, touch ? 12 : 4) : null;
      if (tie) listeners.onHover(-1, tie, { x, y });
      else listeners.onPick(node);
    },
  });
  const view = () => ({ ...camera.getViewPosition(), scale: camera.getScale(), width: box.clientWidth, height: box.clientHeight });

  /** The shown node at a place of the window, or so many pixels from it; -1 for none. @param {number} clientX @param {number} clientY @param {number} slack */
  const nodeAt = (clientX, clientY, slack) => {
    const bounds = box.getBoundingClientRect();
    const now = view();
    const x = (clientX - bounds.left - now.width / 2) / now.scale + now.x;
    const y = (clientY - bounds.top - now.height / 2) / now.scale + now.y;
    let best = -1;
    let nearest = slack / now.scale;
    for (const [node, place] of scene.places.entries()) {
      if (!scene.shown[node] || Math.abs(place.x - x) > REACH + nearest || Math.abs(place.y - y) > REACH + nearest || !isSeen(scene, now, node)) continue;
      const distance = Math.hypot(place.x - x, place.y - y) - radiusOf(scene, now, node) / now.scale;
      if (distance <= nearest) [nearest, best] = [distance, node];
    }
    return best;
  };

  let landsFor = ""; // the box, the view and what else the lands were made for
  /** Make the lands of the view, in what no sheet covers, where they are not the same as before. */
  const makeLands = () => {
    const moved = [...scene.beside].filter((node) => graph.nodes[node].wx !== undefined);
    const wanted = JSON.stringify([box.clientWidth, box.clientHeight, scene.inset, scene.framed, Boolean(scene.timeline), moved, scene.controls.map(({ top }) => top)]); // not how wide they are: the status changes with each key
    if (wanted !== landsFor) scene.lands = landsOfScene();
    landsFor = wanted;
  };

  /** Return new lands. */
  const landsOfScene = () => {
    const members = graph.areas.map(() => /** @type {number[]} */ ([]));
    const standing = graph.nodes.filter(({ index, wx }) => wx !== undefined && !scene.beside.has(index)).length;
    scene.crowd = null;
    if (scene.timeline || standing < FEW || graph.areas.length < 2) return [];
    const start = scene.framed ? { x: 0, y: 0, scale: 1 } : wholeOf();
    const near = standing > (box.clientWidth < NARROW ? CROWD / 3 : CROWD) ? Math.max(NEARER * start.scale, DOTS / usualGap(scene.gaps)) : 0;
    const zoom = near || start.scale; // at which the names stand among the dots
    for (const { index, hue, wx } of graph.nodes) if (hue >= 0 && wx !== undefined && !scene.beside.has(index)) members[hue].push(index);
    const [width, height] = [box.clientWidth, box.clientHeight];
    const toMap = (/** @type {import("./lands.js").Box} */ { left, top, right, bottom }) => ({
      left: start.x + (left - width / 2) / start.scale, top: start.y + (top - height / 2) / start.scale, right: start.x + (right - width / 2) / start.scale, bottom: start.y + (bottom - height / 2) / start.scale,
    });
    const frame = toMap({ left: 0, top: 0, right: width, bottom: height - scene.inset });
    const taken = scene.controls.map(toMap);
    context.font = nameFont(width);
    const measure = (/** @type {string} */ text) => context.measureText(text).width;
    const names = (/** @type {number} */ area, /** @type {boolean} */ far) => (!far ? [false] : width < NARROW ? [true, false] : [true]).flatMap((count) => {
      const text = graph.areas[area].short;
      const longest = Math.max(...text.split(" ").map(({ length }) => length));
      const unit = far ? start.scale : zoom;
      return [text, onTwoLines(text, measure), text.replace(new RegExp(`(.{1,${longest}}) `, "g"), "$1\n"), text.split(", ")[0], `${text.slice(0, 5).trimEnd()}…`].flatMap((form, rank, all) => {
        if (all.indexOf(form) < rank) return [];
        const lines = [...form.toUpperCase().split("\n"), ...(count ? [phrase("episodes", { count: members[area].length })] : [])];
        return [{ lines, count, cost: FORM_COSTS[rank] + (far && !count ? FORM_COSTS[2] : 0), width: Math.max(...lines.map(measure)) / unit, height: (lines.length * nameLine(width)) / unit }];
      });
    });
    const lands = landsOf(members, scene.places, frame, names, taken, (node) => radiusOf(scene, { ...view(), scale: zoom }, node) / zoom, usualGap(scene.gaps), near > 0);
    if (near) scene.crowd = { near, landmarks: new Set(lands.flatMap((land) => landmarksOf(land, lands.flatMap(({ far }) => far ?? [])))) };
    return lands.map((land) => ({ ...land, path: new Path2D(`M${land.outline.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}z`) }));
  };

  /** The best known episodes of a land, apart from each other and from the names of all. @param {import("./lands.js").Land} land @param {import("./lands.js").Box[]} names */
  const landmarksOf = ({ members }, names) => {
    const found = /** @type {number[]} */ ([]);
    for (const node of [...members].sort((a, b) => scene.dots[b] - scene.dots[a] || (graph.nodes[a].standing ?? 0) - (graph.nodes[b].standing ?? 0))) {
      const { x, y } = scene.places[node];
      const clear = names.every(({ left, top, right, bottom }) => x < left - LANDMARK || x > right + LANDMARK || y < top - LANDMARK || y > bottom + LANDMARK);
      if (clear && found.every((other) => Math.hypot(scene.places[other].x - x, scene.places[other].y - y) > 2 * LANDMARK)) found.push(node);
      if (found.length === LANDMARKS) break;
    }
    return found;
  };

  const whole = () => scene.places.filter((_, node) => graph.nodes[node].named);
  /** The place and scale at which all of some points are in view. @param {Point[]} points @param {number} [most] */
  const wholeOf = (points = whole(), most = 1.8) => {
    const { left, right, top, bottom } = boxOf(points);
    const scale = Math.min((box.clientWidth - 48) / (right - left + 40), (box.clientHeight - 70) / (bottom - top + 40), most);
    return { x: (left + right) / 2, y: (top + bottom) / 2 + 10 / scale, scale };
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
    timer = setTimeout(() => listeners.onHover(node, tie, at), node >= 0 || tie ? HOVER_DELAY : 0);
    request();
  };
  /** What ties two episodes at a place of the window; of lit ones only where some are. */
  const lineAt = (/** @type {number} */ clientX, /** @type {number} */ clientY, /** @type {number} */ slack) => {
    if (!scene.framed) return null;
    const bounds = box.getBoundingClientRect();
    const now = view();
    const ties = scene.lit ? scene.ties.filter(({ edges }) => edges.some((edge) => scene.lit?.edges.has(edge))) : tiesShown(scene, now);
    const { a: ratio } = context.getTransform();
    context.lineWidth = 2 * slack;
    return ties.findLast(({ from, to }) => {
      const [a, b] = [onScreen(scene, now, from), onScreen(scene, now, to)];
      const [x, y] = [clientX - bounds.left, clientY - bounds.top];
      const isNear = Math.hypot(x - a[0], y - a[1]) + Math.hypot(x - b[0], y - b[1]) < 1.1 * Math.hypot(b[0] - a[0], b[1] - a[1]) + 2 * slack; // within an ellipse round the curve
      if (!isNear || !scene.shown[from] || !scene.shown[to]) return false;
      traceCurve(context, a, b);
      return context.isPointInStroke(x * ratio, y * ratio);
    }) ?? null;
  };
  box.addEventListener("pointermove", ({ clientX, clientY, pointerType }) => {
    if (pressed || pointerType === "touch") return;
    const node = nodeAt(clientX, clientY, 4);
    hover(node, node < 0 ? lineAt(clientX, clientY, 4) : null, { x: clientX, y: clientY });
  });
  box.addEventListener("pointerdown", () => (pressed = true));
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => {
    pressed = false;
    if (moving) rest();
  });
  box.addEventListener("pointerleave", () => hover(-1));
  let home = false; // the whole of a frame is shown, as it is at the start
  let held = -1; // the node that the map was brought to, and has not left
  const own = () => {
    home = false;
    held = -1;
  };
  const move = (/** @type {{position?: Point, scale?: number}} */ to, /** @type {boolean} */ glide) => {
    own();
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    camera.moveTo({ ...to, animation: glide && !calm });
  };
  /** Bring a chosen node and what is lit with it into what no sheet covers; nearer where there is room. @param {number} node @param {boolean} glide */
  const frameLit = (node, glide) => {
    const near = [node, ...(scene.lit?.nodes ?? [])];
    const { left, right, top, bottom } = boxOf(near.filter((other) => scene.shown[other]).map((other) => scene.places[other]));
    const [width, height] = [box.clientWidth - 2 * Math.min(110, 0.14 * box.clientWidth), (box.clientHeight - scene.inset) * 0.85 - 20];
    const whole = Math.min(width / (right - left || 1), height / (bottom - top || 1), scene.timeline ? 1 : NEARER);
    const scale = whole < LEGIBLE ? FRAME : whole; // too far apart: the node in the middle, with what is near
    const now = view();
    const inside = (/** @type {number} */ x, /** @type {number} */ y) => Math.abs(x - now.x) * now.scale < now.width / 2 && (y - now.y) * now.scale > 16 - now.height / 2 && (y - now.y) * now.scale < now.height / 2 - scene.inset - 16;
    if (!scene.inset && scale >= 1 && now.scale >= 1 && scale <= 1.2 && inside(left, top) && inside(right, bottom)) return; // all is well as it is
    // without a sheet the map is never moved so far that its edge comes in
    const within = (/** @type {number} */ at, /** @type {number} */ side) => {
      const most = scene.inset || !scene.framed ? Infinity : Math.max(0, (side / 2) * (1 - 1 / scale));
      return Math.min(most, Math.max(-most, at));
    };
    const { x, y } = whole < LEGIBLE ? scene.places[node] : { x: (left + right) / 2, y: (top + bottom) / 2 };
    const middle = { x: within(x, box.clientWidth), y: within(y, box.clientHeight) };
    move({ position: { x: middle.x, y: middle.y + scene.inset / 2 / scale }, scale }, glide);
  };

  return {
    scene,
    view,
    network: { ...camera, redraw },
    labels: () => labels,
    /** Take in the graph, now that all of it is there. @param {Listeners} told */
    complete(told) {
      Object.assign(listeners, told);
      const ties = tiesOf(graph);
      Object.assign(scene, { ties, tieOf: new Map(ties.flatMap((tie) => tie.edges.map((edge) => [edge, tie]))), order: labelOrder(graph), hues: huesOf(graph, scene.palette.dark) });
      drawn = graph.edges.filter((edge) => edge.drawn && edge.from !== edge.to);
      const shade = Math.min(0.42, Math.max(0.1, 0.42 * Math.sqrt(1500 / Math.max(drawn.length, 1)))); // the more lines, the paler
      lineColour = `rgba(128,134,145,${shade.toFixed(2)})`;
    },
    /** Change several things and paint once after them: each of them alone would. */
    together(/** @type {() => void} */ change) {
      quiet += 1;
      try {
        change();
      } finally {
        quiet -= 1;
      }
      if (!quiet) redraw();
    },
    /** Go back to a place and scale. @param {Point & {scale: number}} at */
    go: ({ x, y, scale }) => move({ position: { x, y }, scale }, false),
    /** Where what is lit is on the map. */
    litSpots() {
      const now = view();
      return [...(scene.lit?.nodes ?? [])].filter((node) => scene.shown[node]).map((node) => onScreen(scene, now, node));
    },
    /** What is on the screen: nodes and lines, in pixels of the window. */
    inventory() {
      const now = view();
      const { left, top } = box.getBoundingClientRect();
      const boxes = new Map(labels.map((one) => [one.node, { l: left + one.left, t: top + one.top, r: left + one.left + one.width, b: top + one.top + one.height }]));
      const inside = graph.nodes.filter(({ index }) => isSeen(scene, now, index)).map(({ index, key: id, kind, community: area }) => {
        const [x, y] = onScreen(scene, now, index);
        return { id, kind, area, x: left + x, y: top + y, r: radiusOf(scene, now, index), named: boxes.has(index), box: boxes.get(index), opacity: strengthOf(scene, now, index), seen: isInView(now, [x, y]) };
      }).filter(({ seen }) => seen).map(({ seen: _, ...node }) => node);
      const faint = new Set(scene.lit?.edges ?? (scene.framed ? tiesShown(scene, now).flatMap(({ edges }) => edges) : linesShown().map(({ index }) => index)));
      const lines = graph.edges.filter(({ index, from, to, relation }) => faint.has(index) && scene.shown[from] && scene.shown[to] && (scene.related || relation !== "related"));
      return {
        nodes: inside,
        lines: lines.map(({ index, from, to, relation }) => {
          const tie = scene.framed ? scene.tieOf.get(index) : null;
          return { source: graph.nodes[from].key, target: graph.nodes[to].key, relation, width: tie ? 0.5 + 5 * tie.strength : scene.lit ? 1.4 : now.scale, opacity: scene.lit ? 1 : tie ? tieStrength(tie.strength) : lineStrength(now) };
        }),
      };
    },
    /** The lands on the screen, in pixels of the window: `box` is round the name that is drawn. */
    lands() {
      const now = view();
      const { left, top } = box.getBoundingClientRect();
      const at = (/** @type {Point} */ { x, y }) => [left + (x - now.x) * now.scale + now.width / 2, top + (y - now.y) * now.scale + now.height / 2];
      return scene.lands.map(({ area, members, outline }) => {
        const { name, short, light, dark } = graph.areas[area];
        const drawn = scene.areaBoxes.find((one) => one.area === area);
        return {
          area: name, label: short, hue: scene.palette.dark ? dark : light, members: members.map((node) => graph.nodes[node].key), polygon: outline.map(at),
          ...(drawn ? { box: { l: left + drawn.left, t: top + drawn.top, r: left + drawn.right, b: top + drawn.bottom } } : {}),
        };
      });
    },
    /** The picture as it is now, on a canvas of its own. */
    picture: (/** @type {number} */ ratio) => paintPicture(scene, view(), ratio, linesShown(), lineColour),
    /** Show these nodes only, and the lines between related episodes or not. */
    show(/** @type {boolean[]} */ shown, /** @type {boolean} */ related) {
      Object.assign(scene, { shown, related });
      stale = true;
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
    arrange(/** @type {Point[]} */ places, /** @type {import("./timeline.js").Timeline | null} */ timeline, framed = false, beside = new Set()) {
      Object.assign(scene, { places, timeline, framed, beside, dots: dotSizes(graph, scene.ties, box.clientWidth < NARROW ? 0.9 : 1.5) });
      scene.gaps = !timeline ? gapsOf(places, graph.nodes.filter(({ index, wx }) => wx !== undefined || beside.has(index)).map(({ index }) => index)) : [];
      findControls();
      makeLands();
      scene.deepest = Math.max(SCALES[1], DEEPEST / usualGap(scene.gaps));
      stale = true;
      request();
    },
    repalette() {
      scene.palette = readPalette(graph);
      scene.hues = huesOf(graph, scene.palette.dark);
      redraw();
    },
    /** Fill the box again when its size has changed. */
    resize() {
      if (matchMedia("print").matches) return; // what is printed is a picture of its own
      findControls();
      request();
      const [width, height] = [box.clientWidth, box.clientHeight];
      if (width === size[0] && height === size[1]) return;
      size = [width, height];
      redraw();
      if (home) this.fit(false);
      else if (scene.lit?.nodes.has(held)) this.frame(held, false);
    },
    /** Come nearer to the middle of what no sheet covers, or go away from it. */
    zoom(/** @type {number} */ factor) {
      const { x, y, scale } = view();
      const next = scale * factor;
      move({ position: { x, y: y + (scene.inset / 2) * (1 / next - 1 / scale) }, scale: next }, true);
    },
    /** Bring all shown nodes into view, or some of them. */
    fit(glide = true, /** @type {Set<number> | null} */ some = null) {
      if (scene.framed && !some) {
        move({ position: { x: 0, y: 0 }, scale: 1 }, glide);
        home = true;
        listeners.onMove(null);
        return;
      }
      const points = some ? scene.places.filter((_, node) => scene.shown[node] && some.has(node)) : whole();
      if (!points.length) return;
      const { scale, ...position } = wholeOf(points, some && scene.framed ? 2 : 1.8);
      move({ position, scale }, glide);
    },
    /** Bring a chosen node into view with all that is lit with it, and again when the box changes, until the map is moved. */
    frame(/** @type {number} */ node, glide = true) {
      frameLit(node, glide);
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

/** The distance from each of some nodes to the nearest other of them, as far as it is not far. @param {Point[]} places @param {number[]} nodes @returns {number[]} */
function gapsOf(places, nodes) {
  const gaps = places.map(() => Infinity);
  const inOrder = [...nodes].sort((a, b) => places[a].x - places[b].x);
  const { left, right, top, bottom } = boxOf(inOrder.map((node) => places[node]));
  const far = Math.min(FAR, 3 * Math.sqrt(((right - left) * (bottom - top)) / nodes.length)) || FAR;
  for (const [at, one] of inOrder.entries()) for (let next = at + 1; next < inOrder.length; next++) {
    const other = inOrder[next];
    if (places[other].x - places[one].x >= far) break;
    const gap = Math.hypot(places[other].x - places[one].x, places[other].y - places[one].y);
    [gaps[one], gaps[other]] = [Math.min(gaps[one], gap), Math.min(gaps[other], gap)];
  }
  return gaps;
}

/** Nodes in the order their labels are placed: topics that join episodes, episodes, other topics, the rest, each by degree. @param {Graph} graph @returns {number[]} */
function labelOrder(graph) {
  const bonus = new Map([["topic", 1e6], ["podcast", 1e6]]);
  const rank = graph.nodes.map(({ kind, degree, item }) =>
    degree + (kind === "topic" && degree < 2 ? 1e4 : item ? 1e5 : bonus.get(kind) ?? 0));
  return graph.nodes.map(({ index }) => index).sort((a, b) => rank[b] - rank[a] || a - b);
}

/** The colour of each node that belongs to an area, "" for the others. @param {Graph} graph @param {boolean} dark @returns {string[]} */
const huesOf = ({ nodes, areas }, dark) => nodes.map(({ hue }) => areas[hue]?.[dark ? "dark" : "light"] ?? "");

/** The colours of the theme in force. @param {Graph} graph @returns {Palette} */
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
