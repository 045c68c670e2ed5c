// @ts-check
// The outlines of the kinds, as polygons round (0, 0) of about the area of the circle of radius 1.

import { svg } from "./dom.js";
import { kindOf } from "./data.js";

/** @typedef {import("./data.js").Graph} Graph */

/** @param {number} sides @param {number} turn @param {number} reach */
function polygon(sides, turn, reach) {
  return Array.from({ length: sides }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / sides;
    return [reach * Math.cos(angle), reach * Math.sin(angle)];
  });
}

/** @param {number[][]} points @param {number} dy */
const lower = (points, dy) => points.map(([x, y]) => [x, y + dy]);

/** @type {Record<string, number[][] | null>} null stands for the circle */
const OUTLINES = {
  circle: null,
  diamond: [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
  triangle: lower(polygon(3, -Math.PI / 2, 1.35), 0.2),
  "triangle-down": lower(polygon(3, Math.PI / 2, 1.35), -0.2),
  play: polygon(3, 0, 1.35),
  square: [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  pentagon: polygon(5, -Math.PI / 2, 1.15),
  hexagon: polygon(6, 0, 1.1),
  octagon: polygon(8, Math.PI / 8, 1.06),
  star: Array.from({ length: 10 }, (_, i) => {
    const angle = -Math.PI / 2 + (Math.PI * i) / 5;
    const reach = i % 2 ? 0.62 : 1.4;
    return [reach * Math.cos(angle), reach * Math.sin(angle)];
  }),
  cross: [
    [-0.42, -1.1], [0.42, -1.1], [0.42, -0.42], [1.1, -0.42], [1.1, 0.42], [0.42, 0.42],
    [0.42, 1.1], [-0.42, 1.1], [-0.42, 0.42], [-1.1, 0.42], [-1.1, -0.42], [-0.42, -0.42],
  ],
  person: [[-1, 1], [-0.75, 0.1], [-0.35, -0.1], [-0.5, -0.75], [0, -1.2], [0.5, -0.75], [0.35, -0.1], [0.75, 0.1], [1, 1]],
};

/** Trace a shape as the canvas's current path. @param {CanvasRenderingContext2D} context @param {string} shape @param {number} x @param {number} y @param {number} radius */
export function trace(context, shape, x, y, radius) {
  const outline = OUTLINES[shape];
  context.beginPath();
  if (!outline) {
    context.arc(x, y, radius, 0, 2 * Math.PI);
    return;
  }
  for (let i = 0; i < outline.length; i++) {
    context.lineTo(x + radius * outline[i][0], y + radius * outline[i][1]);
  }
  context.closePath();
}

/** A shape as SVG path data. @param {string} shape @param {number} x @param {number} y @param {number} radius @returns {string} */
export function pathData(shape, x, y, radius) {
  const outline = OUTLINES[shape];
  const number = (/** @type {number} */ value) => String(Math.round(value * 100) / 100);
  if (!outline) {
    const r = number(radius);
    const start = `M${number(x - radius)} ${number(y)}`;
    return `${start}a${r} ${r} 0 1 0 ${number(2 * radius)} 0a${r} ${r} 0 1 0 ${number(-2 * radius)} 0z`;
  }
  return `M${outline.map(([dx, dy]) => `${number(x + radius * dx)} ${number(y + radius * dy)}`).join("L")}z`;
}

/** Draw a node: filled, or hollow; the family of things to read bears a mark in the middle, so that colour is
 * never all that tells two kinds apart.
 * @param {CanvasRenderingContext2D} context @param {{shape: string, hollow?: boolean}} kind @param {boolean} mark @param {number} x @param {number} y
 * @param {number} radius @param {string} colour @param {string} ground */
export function drawNode(context, kind, mark, x, y, radius, colour, ground) {
  trace(context, kind.shape, x, y, radius);
  context.fillStyle = colour;
  context.fill();
  if (kind.hollow) {
    trace(context, kind.shape, x, y, radius * 0.58);
    context.fillStyle = ground;
    context.fill();
    if (mark) {
      trace(context, "circle", x, y, radius * 0.24);
      context.fillStyle = colour;
      context.fill();
    }
  } else if (mark) {
    trace(context, "circle", x, y, radius * 0.34);
    context.fillStyle = ground;
    context.fill();
  }
}

/** The sign of a kind, as on the map: its shape, in the colour of an area where there are such, else in that of its family.
 * @param {Graph} graph @param {string} kind @param {number} [hue] the place of the area, -1 for none @returns {SVGElement} */
export function icon(graph, kind, hue = -1) {
  const { family, shape, hollow } = kindOf(graph, kind);
  const { mark } = graph.legend.families[family];
  const parts = [svg("path", { d: pathData(shape, 8, 8, 5.4), class: "fill" })];
  if (hollow) parts.push(svg("path", { d: pathData(shape, 8, 8, 3.1), class: "hole" }));
  if (mark) parts.push(svg("path", { d: pathData("circle", 8, 8, hollow ? 1.4 : 1.8), class: hollow ? "fill" : "hole" }));
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, class: `icon ${family}`, ...(graph.areas.length ? { "data-area": graph.areas[hue]?.light ?? "" } : {}), "aria-hidden": "true" }, ...parts);
}
