// @ts-check
// Which labels are drawn and where: in order of rank, each only where it covers nothing that matters.

/** @typedef {{node: number, text: string, x: number, y: number, radius: number, reach: number, away?: number,
 *   width: number, height: number, forms?: {text: string, width: number, height: number}[], within?: number[]}} Wish within: the top and the bottom that it keeps to; node: negative for a name that no line leads to; forms: what may stand where the first has no room, the best first; reach: the radius of the leaves round it, or as radius; away: how far from
 *   the node it may stand where there is no room beside it */
/** @typedef {{node: number, text: string, x: number, y: number, left: number, top: number, width: number, height: number, led: boolean}} Label x, y: of its node; led: a line leads to it */
/** @typedef {{left: number, top: number, right: number, bottom: number, node: number, dot?: boolean}} Obstacle dot: a label that stands nearer to it than to its own is taken for its name */
/** @typedef {import("./lands.js").Box} Box */

/** Kinds that are named on the map at any scale, and that no label covers. */
export const NAMED = new Set(["episode", "topic", "podcast", "person"]);

/** Whether a node is so named: by its kind, or as a post that cites as episodes do. @param {{kind: string, item?: boolean}} node */
export const isNamed = ({ kind, item }) => Boolean(item) || NAMED.has(kind);

/** Whether a text begins with a letter that is read from right to left. @param {string} text */
export const isRightToLeft = (text) => /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u.test(text);

const CELL = 48;
const CLOSER = 3; // pixels by which a label is nearer to its own dot than to any other
const ASIDE = 2; // pixels that a label to which a line leads keeps from other dots

/** Short text for the map.
 * @param {{kind: string, name: string, label: string, item?: boolean, opening?: number, caption?: string}} node opening: how much of its name most of its show begin with
 * @param {number} [most] @returns {string} */
export function shortName(node, most = 28) {
  let text = !isNamed(node) ? node.label : node.caption && node.caption !== node.name ? node.caption : node.name.slice(node.opening);
  const issue = /^[\w.-]+\/([\w.-]+)#(\d+)$/.exec(text);
  if (issue) text = `${issue[1]}#${issue[2]}`;
  else if (!isNamed(node) && node.kind !== "symbol" && /^\S+$/.test(text)) text = text.replace(/[/]$/, "").split(/[/]|:(?=\w)/).slice(-1)[0] || text;
  text = text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/g, " ").trim();
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** The room a node takes, which only its own label may touch. @param {number} x @param {number} y @param {number} radius @param {number} node @returns {Obstacle} */
export const disc = (x, y, radius, node) => ({ left: x - radius, top: y - radius, right: x + radius, bottom: y + radius, node, dot: true });

/** Place labels, best first, so that none overlaps another or one of the obstacles, or stands as near to another dot as
 * to its own; where there is a choice, not over what is merely better seen either.
 * @param {Wish[]} wishes in order of rank, in pixels of the screen @param {Obstacle[]} obstacles boxes to keep free
 * @param {Obstacle[]} soft boxes better not covered @param {number} width of the screen @param {number} height of the screen
 * @param {(box: Box, node: number) => boolean} [isForbidden] whether a label of a node may not stand in a box @returns {Label[]} */
export function placeLabels(wishes, obstacles, soft, width, height, isForbidden = () => false) {
  /** @type {Map<number, number[][]>} boxes [left, top, right, bottom, node, soft, dot] by cell */
  const grid = new Map();
  const cellsOf = (/** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ right, /** @type {number} */ bottom) => {
    const cells = [];
    for (let column = Math.floor(left / CELL); column <= right / CELL; column++) {
      for (let row = Math.floor(top / CELL); row <= bottom / CELL; row++) cells.push(column * 65536 + row);
    }
    return cells;
  };
  const add = (/** @type {number[]} */ box) => {
    for (const cell of cellsOf(box[0], box[1], box[2], box[3])) {
      const list = grid.get(cell);
      if (list) list.push(box);
      else grid.set(cell, [box]);
    }
  };
  /** 2: covers nothing, 1: covers something soft, 0: must not be. @param {number[]} box @param {number} node @param {number} apart from other dots */
  const rate = (box, node, apart) => {
    const [left, top, right, bottom] = box;
    let best = 2;
    for (const cell of cellsOf(left - apart, top - apart, right + apart, bottom + apart)) for (const other of grid.get(cell) ?? []) {
      if (other[4] === node) continue;
      if (other[6] && rim(other, left, top, right, bottom) < apart) return 0;
      if (left < other[2] && other[0] < right && top < other[3] && other[1] < bottom) best = Math.min(best, other[5]);
      if (!best) return 0;
    }
    return best;
  };
  for (const [list, worth] of /** @type {[Obstacle[], number][]} */ ([[obstacles, 0], [soft, 1]])) {
    for (const { left, top, right, bottom, node, dot } of list) add([left, top, right, bottom, node, worth, Number(dot ?? 0)]);
  }
  const placed = /** @type {Label[]} */ ([]);
  for (const wish of wishes) {
    let best = { worth: 0, label: /** @type {Label | null} */ (null), boxes: /** @type {number[][]} */ ([]) };
    for (const form of [wish, ...wish.forms ?? []]) if (best.worth < 2) {
      const next = place({ ...wish, ...form });
      if (next.worth > best.worth) best = next;
    }
    if (best.label) placed.push(best.label);
    for (const box of best.boxes) add(box);
  }
  return placed;

  /** The best place of a form: how it is rated, 0 for none, and the boxes that the name and its line take. @param {Wish} wish @returns {{worth: number, label: Label | null, boxes: number[][]}} */
  function place({ node, text, x, y, radius, reach, away: most = 0, width: w, height: h, within: [upper, lower] = [2, height - 2] }) {
    const gap = radius + 3;
    const spots = [[x - w / 2, y + gap], [x + gap + 1, y - h / 2], [x - gap - 1 - w, y - h / 2], [x - w / 2, y - gap - h]];
    if (reach > radius) spots.push([x - w / 2, y + reach], [x - w / 2, y - reach - h], [x + reach, y - h / 2], [x - reach - w, y - h / 2]);
    spots.push([x + gap * 0.6, y + gap * 0.6], [x - gap * 0.6 - w, y + gap * 0.6], [x + gap * 0.6, y - gap * 0.6 - h], [x - gap * 0.6 - w, y - gap * 0.6 - h]);
    for (const part of [0.25, 0.4]) spots.push(...[gap, -gap - h].flatMap((dy) => [[x - w / 2 + part * w, y + dy], [x - w / 2 - part * w, y + dy]]));
    for (const dy of [-5, 5]) spots.push([x + gap + 1, y - h / 2 + dy], [x - gap - 1 - w, y - h / 2 + dy]);
    const beside = spots.length;
    for (let away = gap + 14; away < most; away += 14) {
      spots.push([x - w / 2, y + away], [x - w / 2, y - away - h], [x + away, y - h / 2], [x - away - w, y - h / 2]);
      spots.push([x + away / 2, y + away], [x - away / 2 - w, y + away], [x + away / 2, y - away - h], [x - away / 2 - w, y - away - h]);
    }
    const own = [x - radius, y - radius, x + radius, y + radius];
    let best = 0;
    let chosen = /** @type {number[]} */ ([]);
    let line = /** @type {number[][]} */ ([]);
    for (const [number, [left, top]] of spots.entries()) {
      if (left < 2 || top < Math.max(2, upper) || left + w > width - 2 || top + h > Math.min(height - 2, lower)) continue;
      const led = number >= beside;
      const box = [left - 3, top - 1, left + w + 3, top + h + 1, -1, 0, 0];
      const worth = rate(box, node, led ? ASIDE : Math.max(0, rim(own, left, top, left + w, top + h)) + CLOSER);
      if (worth <= best || isForbidden({ left, top, right: left + w, bottom: top + h }, node)) continue;
      const steps = led && node >= 0 ? lineTo({ x, y, radius }, { left, top, width: w, height: h }, 5) : [];
      if (steps.some((step) => !rate(step, node, 0))) continue;
      [best, chosen, line] = [worth, box, steps];
      if (best === 2) break;
    }
    const label = best ? { node, text, x, y, left: chosen[0] + 3, top: chosen[1] + 1, width: w, height: h, led: line.length > 0 } : null;
    return { worth: best, label, boxes: best ? [chosen, ...line] : [] };
  }
}

/** How far a box is from the rim of a round dot, given as its own box. @param {number[]} dot @param {number} left @param {number} top @param {number} right @param {number} bottom */
function rim(dot, left, top, right, bottom) {
  const [x, y] = [(dot[0] + dot[2]) / 2, (dot[1] + dot[3]) / 2];
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) - (dot[2] - dot[0]) / 2;
}

/** The line from a dot's rim to its label, as small boxes so many pixels from each other.
 * @param {{x: number, y: number, radius: number}} dot @param {{left: number, top: number, width: number, height: number}} label @param {number} apart
 * @returns {number[][]} */
function lineTo({ x, y, radius }, { left, top, width, height }, apart) {
  const [dx, dy] = [Math.min(Math.max(x, left), left + width) - x, Math.min(Math.max(y, top), top + height) - y];
  const distance = Math.hypot(dx, dy);
  const steps = [];
  for (let at = radius + 1; at < distance - 2; at += apart) {
    const [sx, sy] = [x + (dx * at) / distance, y + (dy * at) / distance];
    steps.push([sx - 1, sy - 1, sx + 1, sy + 1, -1, 0, 0]);
  }
  return steps;
}
