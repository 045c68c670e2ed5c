// @ts-check
// The lands of the atlas: a rounded hull round the episodes of each area and round its name.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @typedef {{lines: string[], count: boolean, cost: number, width: number, height: number}} NameForm count: the last line is the number of episodes; cost: of the form, in units of distance */
/** @typedef {Box & {lines: string[], count: boolean}} Name */
/** @typedef {{area: number, members: number[], outline: Point[], name: Name | null, far: Name | null}} Land far: its name from afar, over dots that are not drawn then; in the units of the places */

const REACH = [9, 44]; // from an episode to the border of its land, at least and at most
const LEAST = 4; // from a name to the border of a land
const APART = 29; // between two lands whose corners reach out
const STEP = 5; // between two places for a name
const EDGE = 4; // from a name to the frame
const SHARE = 0.7; // of the distance to the nearest episode: the same
const WATER = 5; // between two lands
const STRAIT = 3; // the same, where a name has no other place
const SEARCH_RADIUS = 170; // round the middle of an area, within which its name has a place
const NARROWS = 7; // the cost of less water between two lands
const GROWTH = 1; // the cost of a wider or higher land
const ARC = Math.PI / 10; // between two points of a rounded corner

/** Return the lands of the areas with members, each with the place of its name.
 * @param {number[][]} members by area @param {Point[]} places @param {Box} frame which holds all names
 * @param {(area: number, far: boolean) => NameForm[]} names forms of the name of an area, the best first
 * @param {Box[]} taken where no name may stand @param {(node: number) => number} radius @param {number} gap from an episode to the nearest other
 * @param {boolean} crowded whether the names from afar are the ones that make lands larger
 * @returns {Land[]} */
export function landsOf(members, places, frame, names, taken, radius, gap, crowded) {
  const areas = members.map((_, area) => area).filter((area) => members[area].length > 1);
  const points = members.map((own) => own.map((node) => places[node]));
  const hulls = points.map(hullOf);
  const dots = members.flat().map((node) => boxRound(places[node], radius(node) + 2));
  const nameAll = (/** @type {boolean} */ far, /** @type {Box[]} */ boxes) => {
    const chosen = new Map();
    for (const area of [...areas].sort((a, b) => members[a].length - members[b].length)) {
      const others = hulls.filter((hull, other) => other !== area && hull.length);
      const place = (/** @type {number} */ least) => placeName(hulls[area], names(area, far), others, [...boxes, ...chosen.values()], frame, least);
      const name = place(2 * LEAST + WATER) ?? place(STRAIT);
      if (!name) continue;
      chosen.set(area, name);
      hulls[area] = hullOf([...hulls[area], ...cornersOf(name)]);
    }
    return chosen;
  };
  const distant = crowded ? nameAll(true, taken) : null;
  const near = nameAll(false, [...taken, ...dots]);
  for (const area of areas) hulls[area] = squareOff(hulls[area], hulls.filter((hull, other) => other !== area && hull.length));
  const widest = Math.min(REACH[1], Math.max(REACH[0], SHARE * gap));
  return areas.map((area) => {
    const nearest = Math.min(...hulls.filter((hull, other) => other !== area && hull.length).map((hull) => distanceOf(hulls[area], hull)));
    const { left, top, right, bottom } = boxOf(hulls[area]);
    const toFrame = Math.min(left - frame.left, top - frame.top, frame.right - right, frame.bottom - bottom) - 1;
    const reach = Math.max(1, Math.min(widest, toFrame, (nearest - WATER) / 2));
    return { area, members: members[area], outline: roundOff(hulls[area], reach), name: near.get(area) ?? null, far: distant?.get(area) ?? null };
  });
}

/** @param {Point} point @param {number} radius @returns {Box} */
const boxRound = ({ x, y }, radius) => ({ left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });

/** @param {Point} one @param {Point} other */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/** @param {Box} box @returns {Point[]} */
const cornersOf = ({ left, top, right, bottom }) => [{ x: left, y: top }, { x: right, y: top }, { x: right, y: bottom }, { x: left, y: bottom }];

/** Return the median of the finite gaps. @param {number[]} gaps */
export function usualGap(gaps) {
  const finite = gaps.filter(Number.isFinite).sort((a, b) => a - b);
  return finite[finite.length >> 1] ?? REACH[1];
}

/** Return which side of the line from a to b a point is on: above 0 for inside a hull. @param {Point} a @param {Point} b @param {Point} point */
const sideOf = (a, b, point) => (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);

/** Return the corners of the convex hull of some points, in one direction (Andrew's monotone chain). @param {Point[]} points @returns {Point[]} */
export function hullOf(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const chain = (/** @type {Point[]} */ row) => {
    const corners = /** @type {Point[]} */ ([]);
    for (const point of row) {
      while (corners.length > 1 && sideOf(corners[corners.length - 2], corners[corners.length - 1], point) <= 0) corners.pop();
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/** Return a convex outline so far outside of a hull, with round corners. @param {Point[]} hull @param {number} reach @returns {Point[]} */
function roundOff(hull, reach) {
  const outline = [];
  for (const [at, corner] of hull.entries()) {
    const [before, after] = [hull[(at + hull.length - 1) % hull.length], hull[(at + 1) % hull.length]];
    const start = Math.atan2(corner.y - before.y, corner.x - before.x) - Math.PI / 2;
    const end = Math.atan2(after.y - corner.y, after.x - corner.x) - Math.PI / 2;
    const turn = hull.length < 2 ? 2 * Math.PI : (end - start + 4 * Math.PI) % (2 * Math.PI);
    const steps = Math.max(1, Math.ceil(turn / ARC));
    for (let step = 0; step <= steps; step++) {
      const angle = start + (turn * step) / steps;
      outline.push({ x: corner.x + reach * Math.cos(angle), y: corner.y + reach * Math.sin(angle) });
    }
  }
  return outline;
}

/** Return a hull that reaches towards the corners of its box where it keeps off the others: a wide name makes no diamond of a column.
 * @param {Point[]} hull @param {Point[][]} others @returns {Point[]} */
function squareOff(hull, others) {
  const corners = cornersOf(boxOf(hull));
  const limits = others.map((other) => Math.min(APART, distanceOf(hull, other)));
  for (const share of [1, 0.7, 0.4]) for (const corner of corners) {
    const nearest = hull.reduce((best, point) => (distance(point, corner) < distance(best, corner) ? point : best));
    const larger = hullOf([...hull, { x: nearest.x + share * (corner.x - nearest.x), y: nearest.y + share * (corner.y - nearest.y) }]);
    if (others.every((other, at) => distanceOf(larger, other) >= limits[at])) hull = larger;
  }
  return hull;
}

/** Return the distance between two hulls, 0 if they overlap. @param {Point[]} one @param {Point[]} other */
function distanceOf(one, other) {
  const separates = (/** @type {Point[]} */ hull, /** @type {Point[]} */ points) => hull.some((corner, at) => points.every((point) => sideOf(corner, hull[(at + 1) % hull.length], point) < 0));
  if ((one.length > 2 || other.length > 2) && !separates(one, other) && !separates(other, one)) return 0;
  let least = Infinity;
  for (const [hull, points] of [[one, other], [other, one]]) {
    for (const point of points) {
      for (const [at, a] of hull.entries()) {
        const b = hull[(at + 1) % hull.length];
        const length = (b.x - a.x) ** 2 + (b.y - a.y) ** 2 || 1;
        const part = Math.min(1, Math.max(0, ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / length));
        least = Math.min(least, Math.hypot(point.x - a.x - part * (b.x - a.x), point.y - a.y - part * (b.y - a.y)));
      }
    }
  }
  return least;
}

/** Say whether two boxes overlap. @param {Box} one @param {Box} other */
export const isTouching = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Say whether a box and a convex outline have a point in common. @param {Point[]} outline in the direction of a hull @param {Box} box */
export function overlaps(outline, box) {
  const corners = cornersOf(box);
  return isTouching(boxOf(outline), box) && !outline.some((a, at) => corners.every((corner) => sideOf(a, outline[(at + 1) % outline.length], corner) < 0));
}

/** Return the place of a name near the middle of a hull, where the hull grows little and keeps off the others.
 * @param {Point[]} hull @param {NameForm[]} forms @param {Point[][]} others @param {Box[]} taken @param {Box} frame @param {number} apart from the others @returns {Name | null} */
function placeName(hull, forms, others, taken, frame, apart) {
  const bounds = boxOf(hull);
  const middle = { x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2 };
  const wider = { left: bounds.left - 300, top: bounds.top - 120, right: bounds.right + 300, bottom: bounds.bottom + 120 }; // which holds all names
  const nearby = others.map((other) => ({ other, limit: Math.min(apart, distanceOf(hull, other)), bounds: boxOf(other) })).filter(({ other }) => overlaps(other, wider));
  let least = Infinity;
  let best = null;
  const near = taken.filter((box) => overlaps(cornersOf(box), wider));
  for (const { lines, count, cost: ofForm, width, height } of forms) {
    const [wide, tall] = [bounds.right - middle.x + width / 2 + 25, bounds.bottom - middle.y + height / 2 + 25].map((reach) => Math.min(SEARCH_RADIUS, reach));
    for (let row = 0; row <= (2 * tall) / STEP; row++) for (let column = 0; column <= (2 * wide) / STEP; column++) { // from the middle outwards
      const dx = (column % 2 ? STEP : -STEP) * Math.ceil(column / 2);
      const dy = (row % 2 ? STEP : -STEP) * Math.ceil(row / 2);
      const left = Math.max(frame.left + EDGE, Math.min(frame.right - EDGE - width, middle.x + dx - width / 2));
      const top = Math.max(frame.top + EDGE, Math.min(frame.bottom - EDGE - height, middle.y + dy - height / 2));
      const box = { left, top, right: left + width, bottom: top + height };
      const beyond = Math.max(0, bounds.left - box.left) + Math.max(0, box.right - bounds.right) + Math.max(0, bounds.top - box.top) + Math.max(0, box.bottom - bounds.bottom);
      const cost = 0.5 * Math.hypot(dx, 1.3 * dy) + ofForm + GROWTH * beyond;
      if (cost >= least || Math.abs(left + width / 2 - middle.x - dx) >= STEP || Math.abs(top + height / 2 - middle.y - dy) >= STEP || box.right > frame.right || box.bottom > frame.bottom) continue;
      if (near.some((other) => box.left - 3 < other.right && other.left < box.right + 3 && box.top - 1 < other.bottom && other.top < box.bottom + 1)) continue;
      if (nearby.some(({ other, limit, bounds: its }) => limit > 0 && isTouching(its, box) && overlaps(other, box))) continue;
      const larger = hullOf([...hull, ...cornersOf(box)]);
      const reach = { left: Math.min(bounds.left, box.left) - APART, top: Math.min(bounds.top, box.top) - APART, right: Math.max(bounds.right, box.right) + APART, bottom: Math.max(bounds.bottom, box.bottom) + APART };
      const gaps = nearby.map(({ other, bounds: its }) => (isTouching(reach, its) ? distanceOf(larger, other) : APART)); // farther is as good
      const tight = cost + NARROWS * Math.max(0, APART - Math.min(...gaps));
      if (tight < least && nearby.every(({ limit }, at) => gaps[at] >= limit)) [least, best] = [tight, { ...box, lines, count }];
    }
  }
  return best;
}

/** Return the box that holds all points. @param {Point[]} points @returns {Box} */
export function boxOf(points) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    [box.left, box.right] = [Math.min(box.left, x), Math.max(box.right, x)];
    [box.top, box.bottom] = [Math.min(box.top, y), Math.max(box.bottom, y)];
  }
  return box;
}
