// @ts-check
// The data and the picture in other forms: pure functions from the graph to text.

import { pathData } from "./shapes.js";

/** @typedef {import("./data.js").Graph} Graph */

const OWN = new Set(["index", "key", "degree", "size", "reach", "item", "named", "name", "tx", "ty"]);

/** Node-link JSON in the shape of `podgraph.json`: networkx and D3 read it. @param {Graph} graph @param {boolean[]} chosen @returns {string} */
export function toJson(graph, chosen) {
  const nodes = graph.nodes.filter(({ index }) => chosen[index]).map((node) => {
    const own = Object.entries(node).filter(([name]) => !OWN.has(name));
    return { id: node.key, ...Object.fromEntries(own) };
  });
  const edges = graph.edges.filter(({ from, to }) => chosen[from] && chosen[to]).map(({ from, to, relation, weight, evidence, reasons }) => ({
    source: graph.nodes[from].key, target: graph.nodes[to].key, key: relation, weight,
    ...(evidence.length ? { evidence } : {}), ...(reasons.length ? { reasons } : {}),
  }));
  return `${JSON.stringify({ directed: true, multigraph: true, graph: graph.facts, nodes, edges }, null, 1)}\n`;
}

/** @param {unknown} value */
const xml = (value) =>
  String(value)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A drawing context that writes SVG: as much of a canvas's as the map is painted with. */
class Recorder {
  globalAlpha = 1;
  fillStyle = "";
  strokeStyle = "";
  lineWidth = 1;
  font = "";
  direction = "ltr";
  lines = /** @type {string[]} */ ([]);
  path = "";
  dash = "";
  matrix = "";
  title = "";

  /** @param {CanvasRenderingContext2D} canvas which measures texts */
  constructor(canvas) {
    this.canvas = canvas.canvas;
    this.measureText = (/** @type {string} */ text) => {
      canvas.font = this.font;
      return canvas.measureText(text);
    };
  }
  /** @param {string} tag @param {string} look @param {string} [text] */
  put(tag, look, text = "") {
    const [fade, inner] = [this.globalAlpha < 1 ? ` opacity="${number(this.globalAlpha, 100)}"` : "", text ? xml(text) : this.title && `<title>${xml(this.title)}</title>`];
    this.lines.push(`<${tag} ${look}${fade}${this.matrix}>${inner}</${tag}>`);
    this.title = "";
  }
  save() {}
  getTransform() {
    return { a: 1 };
  }
  restore() {
    this.matrix = "";
  }
  /** @param {...number} values */
  setTransform(...values) {
    this.matrix = ` transform="matrix(${values.map((value) => number(value, 1000)).join(" ")})"`;
  }
  beginPath() {
    this.path = "";
  }
  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.path += `M${number(x)} ${number(y)}`;
  }
  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.path += `L${number(x)} ${number(y)}`;
  }
  /** @param {...number} values */
  quadraticCurveTo(...values) {
    this.path += `Q${values.map((value) => number(value)).join(" ")}`;
  }
  /** @param {number} x @param {number} y @param {number} radius */
  arc(x, y, radius) {
    this.path += pathData("circle", x, y, radius);
  }
  closePath() {
    this.path += "z";
  }
  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
  }
  /** @param {any} [path] */
  fill(path) {
    this.put("path", `d="${path?.data ?? this.path}" fill="${this.fillStyle}"`);
  }
  /** @param {any} [path] */
  stroke(path) {
    if (path || this.path) this.put("path", `d="${path?.data ?? this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${number(this.lineWidth, 100)}"${this.dash}`);
  }
  clearRect() {}
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.put("rect", `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" fill="${this.fillStyle}"`);
  }
  /** @param {string} text @param {number} x @param {number} y @param {string} [look] */
  fillText(text, x, y, look = `fill="${this.fillStyle}"`) {
    const size = Number(/(\d+)px/.exec(this.font)?.[1]);
    const right = this.direction === "rtl" ? ' direction="rtl" text-anchor="end"' : "";
    this.put("text", `x="${number(x)}" y="${number(y + 0.93 * size)}" font-family="system-ui, sans-serif" font-size="${size}"${this.font.startsWith("650") ? ' font-weight="650"' : ""}${right} ${look}`, text);
  }
  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.fillText(text, x, y, `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-linejoin="round"`);
  }
}

/** @param {number} value @param {number} [parts] of one, that are kept */
const number = (value, parts = 10) => String(Math.round(value * parts) / parts);

/** The picture as SVG, as the map shows it. @param {(context: CanvasRenderingContext2D) => void} paint @param {{width: number, height: number}} view @returns {string} */
export function toSvg(paint, { width, height }) {
  const recorder = new Recorder(/** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d")));
  paint(/** @type {any} */ (recorder));
  return [`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`, ...recorder.lines, "</svg>", ""].join("\n");
}
