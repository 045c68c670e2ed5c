// @ts-check
// The lands of the atlas: the ground of each area, one piece round its episodes, with its name inside.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @typedef {{area: number, members: number[], rings: Point[][], name: (Box & {lines: string[]}) | null, middle: Point}} Land
 *   rings: its outlines, the longest first; name: where its name stands; all in the units of the places */
/** @typedef {Point & {area: number, reach: number}} Spot a disc of land */

const REACH = [9, 44]; // how far the land goes round an episode, at least and at most
const SHARE = 0.8; // of the distance to the nearest episode: the same
const CELL = 5; // of the raster that the outlines are found on
const FINE = 160; // cells along a side at least
const APART = 2.5; // half of the water between two lands
const NECK = 0.62; // how wide the land between two members is, of what is round them
const SEARCHED = 170; // pixels from the middle of an area, within which its name has a place
const ROOM = 9; // round a name
const BROAD = 40; // members of an area whose name needs no fine search
const DENSE = 600; // members that need no necks
const SMOOTH = 3; // cells over which an outline is smoothed

/** The lands of the areas that have members, each with the place of its name.
 * @param {number[][]} members by area @param {Point[]} places @param {Box} frame which holds all names
 * @param {(area: number) => {lines: string[], width: number, height: number}[]} names forms of the name of an area, the best first
 * @param {Box[]} taken where no name may stand @param {(node: number) => number} radius @param {number} gap from an episode to the nearest other
 * @returns {Land[]} */
export function landsOf(members, places, frame, names, taken, radius, gap) {
  const all = members.flat();
  const reach = Math.min(REACH[1], Math.max(REACH[0], SHARE * gap));
  /** @type {Spot[]} */
  const spots = members.flatMap((own, area) => joined(own.map((node) => places[node]), reach).map((spot) => ({ ...spot, area })));
  const raster = createRaster(spots, frame, reach);
  for (const spot of spots) raster.add(spot);
  const discs = all.map((node) => disc(places[node], radius(node) + 2));
  const boxes = [...taken];
  const placed = new Map();
  const order = members.map((_, area) => area).filter((area) => members[area].length);
  for (const area of order) {
    const name = placeName(area, members[area].map((node) => places[node]), names(area), raster, [...discs, ...boxes], frame);
    if (!name) continue;
    placed.set(area, name);
    boxes.push(name);
    const half = (name.bottom - name.top) / 2;
    for (let x = name.left + half / 2; x < name.right; x += half) raster.add({ x, y: name.top + half, area, reach: half + ROOM + APART });
    raster.add({ x: name.right - half / 2, y: name.top + half, area, reach: half + ROOM + APART });
  }
  return order.map((area) => ({ area, members: members[area], rings: raster.outlines(area), name: placed.get(area) ?? null, middle: middleOf(members[area].map((node) => places[node])) }));
}

/** @param {Point} point @param {number} radius @returns {Box} */
const disc = ({ x, y }, radius) => ({ left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });

/** The median of some gaps, as far as they are known. @param {number[]} gaps */
export function usualGap(gaps) {
  const known = gaps.filter(Number.isFinite).sort((a, b) => a - b);
  return known[known.length >> 1] ?? REACH[1];
}

/** @param {Point[]} points @returns {Point} */
const middleOf = (points) => ({ x: points.reduce((sum, { x }) => sum + x, 0) / points.length, y: points.reduce((sum, { y }) => sum + y, 0) / points.length });

/** The discs of one piece of land: one round each point, and smaller ones along the shortest lines that join all. @param {Point[]} points @param {number} reach @returns {(Point & {reach: number})[]} */
function joined(points, reach) {
  const spots = points.map((point) => ({ ...point, reach }));
  const left = (points.length > DENSE ? [] : points.slice(1)).map((point) => ({ point, from: points[0], gap: Math.hypot(point.x - points[0].x, point.y - points[0].y) }));
  while (left.length) { // Prim
    let next = 0;
    for (let at = 1; at < left.length; at++) if (left[at].gap < left[next].gap) next = at;
    const [{ point, from, gap }] = left.splice(next, 1);
    for (let at = reach / 2; at < gap; at += reach / 2) {
      spots.push({ x: from.x + ((point.x - from.x) * at) / gap, y: from.y + ((point.y - from.y) * at) / gap, reach: NECK * reach });
    }
    for (const other of left) {
      const distance = Math.hypot(other.point.x - point.x, other.point.y - point.y);
      if (distance < other.gap) Object.assign(other, { from: point, gap: distance });
    }
  }
  return spots;
}

/** A raster that knows of each cell which land is strongest there, and by how much. @param {Spot[]} spots @param {Box} frame @param {number} margin */
function createRaster(spots, frame, margin) {
  const edge = margin + 8 * CELL;
  const low = (/** @type {"x" | "y"} */ axis, /** @type {number} */ least) => spots.reduce((known, spot) => Math.min(known, spot[axis]), least) - edge;
  const high = (/** @type {"x" | "y"} */ axis, /** @type {number} */ most) => spots.reduce((known, spot) => Math.max(known, spot[axis]), most) + edge;
  const [left, top] = [low("x", frame.left), low("y", frame.top)];
  const [wide, tall] = [high("x", frame.right) - left, high("y", frame.bottom) - top];
  const cell = Math.min(CELL, Math.max(wide, tall) / FINE);
  const [columns, rows] = [Math.ceil(wide / cell) + 1, Math.ceil(tall / cell) + 1];
  const owner = new Int32Array(columns * rows).fill(-1);
  const best = new Float32Array(columns * rows).fill(-Infinity); // how deep in the land of its owner a cell is
  const next = new Float32Array(columns * rows).fill(-Infinity); // and in any other
  const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, at));
  /** @type {Map<number, number[]>} */
  const bounds = new Map();

  /** @param {Spot} spot */
  function add({ x, y, area, reach }) {
    const far = reach + SMOOTH * cell;
    const [from, to] = [within(Math.floor((x - far - left) / cell), columns), within(Math.ceil((x + far - left) / cell), columns)];
    const [above, below] = [within(Math.floor((y - far - top) / cell), rows), within(Math.ceil((y + far - top) / cell), rows)];
    for (let row = above; row <= below; row++) for (let column = from; column <= to; column++) {
      const at = row * columns + column;
      const depth = reach - Math.hypot(left + column * cell - x, top + row * cell - y);
      if (owner[at] === area) best[at] = Math.max(best[at], depth);
      else if (depth > best[at]) [owner[at], next[at], best[at]] = [area, best[at], depth];
      else if (depth > next[at]) next[at] = depth;
    }
    const [a, b, c, d] = bounds.get(area) ?? [columns, rows, 0, 0];
    bounds.set(area, [Math.min(a, from), Math.min(b, above), Math.max(c, to), Math.max(d, below)]);
  }

  /** How much of a box is on the land of an area: its share, or -1 if any of it is on another. @param {Box} box @param {number} area */
  function shareOf(box, area) {
    let [own, all] = [0, 0];
    for (let y = box.top; y <= box.bottom + 0.1; y += (box.bottom - box.top) / 2) for (let x = box.left; x <= box.right; x += cell) {
      const at = within(Math.round((y - top) / cell), rows) * columns + within(Math.round((x - left) / cell), columns);
      all++;
      if (owner[at] === area) own += Number(best[at] > 0);
      else if (best[at] > -APART) return -1;
    }
    return own / all;
  }

  /** @param {number} area @returns {Point[][]} */
  function outlines(area) {
    const [a, b, c, d] = bounds.get(area) ?? [0, 0, 0, 0];
    const [from, above] = [Math.max(0, a - SMOOTH), Math.max(0, b - SMOOTH)];
    const [width, height] = [Math.min(columns - 1, c + SMOOTH) - from + 1, Math.min(rows - 1, d + SMOOTH) - above + 1];
    const field = new Float32Array(width * height);
    for (let row = 0; row < height; row++) for (let column = 0; column < width; column++) {
      const at = (row + above) * columns + column + from;
      const outer = row === 0 || column === 0 || row === height - 1 || column === width - 1;
      const inside = owner[at] === area ? Math.min(best[at], (best[at] - next[at]) / 2 - APART) : -SMOOTH * cell;
      field[row * width + column] = outer ? -SMOOTH * cell : Math.max(-SMOOTH * cell, Math.min(inside, 2 * SMOOTH * cell));
    }
    for (let turn = 0; turn < 2; turn++) for (const [step, lines, length] of [[1, height, width], [width, width, height]]) blur(field, step, step === 1 ? width : 1, lines, length);
    return contours(field, width, height).map((ring) => ring.map(([x, y]) => ({ x: left + (from + x) * cell, y: top + (above + y) * cell })));
  }
  return { add, shareOf, outlines };
}

/** Make each value the mean of those round it along lines of a field.
 * @param {Float32Array} field @param {number} step from one value of a line to the next @param {number} stride from one line to the next
 * @param {number} lines @param {number} length */
function blur(field, step, stride, lines, length) {
  const line = new Float32Array(length);
  for (let row = 0; row < lines; row++) {
    for (let at = 0; at < length; at++) line[at] = field[row * stride + at * step];
    for (let at = 0; at < length; at++) {
      const [low, high] = [Math.max(0, at - 1), Math.min(length - 1, at + 1)];
      field[row * stride + at * step] = (line[low] + line[at] + line[high]) / 3;
    }
  }
}

/** The lines round what is above zero (marching squares), as rings of points in cells, the longest first, without holes.
 * @param {Float32Array} field of which the rim is below zero @param {number} width @param {number} height @returns {number[][][]} */
export function contours(field, width, height) {
  /** @type {Map<number, number[]>} from the side of a square that a line leaves through to the next such sides */
  const next = new Map();
  const above = (/** @type {number} */ at) => Number(field[at] > 0);
  // A side is named by the lower of its two corners, twice for one along a row and twice and one for one along a column.
  for (let row = 0; row < height - 1; row++) for (let column = 0; column < width - 1; column++) {
    const at = row * width + column;
    const [a, b, c, d] = [above(at), above(at + 1), above(at + width + 1), above(at + width)];
    const sides = [2 * at, 2 * (at + 1) + 1, 2 * (at + width), 2 * at + 1]; // top, right, bottom, left
    const values = [a, b, c, d];
    if (a + b + c + d === 0 || a + b + c + d === 4) continue;
    for (let side = 0; side < 4; side++) { // a line enters where what is above begins, clockwise, and leaves where it ends
      if (values[side] || !values[(side + 1) % 4]) continue;
      let out = (side + 1) % 4;
      while (values[(out + 1) % 4]) out = (out + 1) % 4;
      next.set(sides[side], [...(next.get(sides[side]) ?? []), sides[out]]);
    }
  }
  const point = (/** @type {number} */ side) => {
    const at = side >> 1;
    const other = side & 1 ? at + width : at + 1;
    const part = field[at] / (field[at] - field[other]);
    return side & 1 ? [at % width, Math.floor(at / width) + part] : [(at % width) + part, Math.floor(at / width)];
  };
  const rings = /** @type {number[][][]} */ ([]);
  for (const first of next.keys()) {
    const ring = [];
    for (let side = first; next.get(side)?.length; ) {
      ring.push(point(side));
      side = /** @type {number} */ (next.get(side)?.pop());
    }
    if (ring.length > 8) rings.push(ring.filter((_, at) => at % 2 === 0));
  }
  rings.sort((one, other) => other.length - one.length);
  return rings.filter((ring) => turn(ring) === turn(rings[0])); // the others are holes
}

/** Which way round a ring goes. @param {number[][]} ring */
const turn = (ring) => Math.sign(ring.reduce((sum, [x, y], at) => sum + x * ring[(at + 1) % ring.length][1] - y * ring[(at + 1) % ring.length][0], 0));

/** The place of a name: on its own land as far as can be, near the middle; on no dot and no other land.
 * @param {number} area @param {Point[]} points @param {{lines: string[], width: number, height: number}[]} forms
 * @param {ReturnType<typeof createRaster>} raster @param {Box[]} taken @param {Box} frame @returns {(Box & {lines: string[]}) | null} */
function placeName(area, points, forms, raster, taken, frame) {
  const { x, y } = middleOf(points);
  const spread = (/** @type {"x" | "y"} */ axis, /** @type {number} */ at) => Math.max(...points.map((point) => Math.abs(point[axis] - at))) + 40;
  const [wide, tall] = [Math.min(SEARCHED, spread("x", x)), Math.min(SEARCHED, spread("y", y))];
  let least = Infinity;
  let found = null;
  const step = points.length > BROAD ? 10 : 5;
  for (const { lines, width, height } of forms) {
    const near = taken.filter((box) => Math.abs((box.left + box.right) / 2 - x) < wide + width && Math.abs((box.top + box.bottom) / 2 - y) < tall + 60);
    for (let dy = -tall; dy <= tall; dy += step) for (let dx = -wide; dx <= wide; dx += step) {
      const box = { left: x + dx - width / 2, top: y + dy - height / 2, right: x + dx + width / 2, bottom: y + dy + height / 2 };
      const cost = Math.hypot(dx, 1.3 * dy) + (dy > 0 ? 6 : 0) + 20 * (lines.length - 1);
      if (cost >= least || box.left < frame.left || box.top < frame.top || box.right > frame.right || box.bottom > frame.bottom) continue;
      if (near.some((other) => box.left - 3 < other.right && other.left < box.right + 3 && box.top - 1 < other.bottom && other.top < box.bottom + 1)) continue;
      const share = raster.shareOf(box, area);
      if (share < 0 || cost + 110 * (1 - share) >= least) continue;
      [least, found] = [cost + 110 * (1 - share), { ...box, lines }];
    }
  }
  return found;
}
