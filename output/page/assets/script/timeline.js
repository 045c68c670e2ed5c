// @ts-check
// The timeline: what was published, from left to right by date, in a lane for each area; laid out for the frame.

import { before } from "./data.js";
import { phrase } from "./strings.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{name: string, colour: number, top: number, bottom: number}} Lane colour: the number of its area, -1 for none */
/** @typedef {{rows: Lane[], ticks: {label: string, x: number}[]}} Timeline */

const EVEN = 0.55; // of the width goes by rank, the rest by date: so neither a busy year nor a silent one takes it all
export const DOT = 6; // pixels: the radius of every dot
const APART = 2 * DOT + 3; // pixels between the middles of dots side by side, and of rows
const UNDATED = 0.15; // of the width for what has no date, and no more pixels than these
const WIDEST = 90;
const HEAD = 26; // pixels at the top, for the years
const LANE = 52; // pixels that a lane needs: what belongs to small areas shares the last one
const NAME = 18; // pixels in a lane, for its name
const DAY = 86_400_000;
const STEPS = [[30, 12], [10, 3], [0, 1]]; // from so many months on, so many from tick to tick

/** When each was published, in days. @param {Graph} graph @returns {Map<number, number>} */
export function daysOf(graph) {
  const days = new Map();
  for (const { index, item, date } of graph.nodes) {
    const day = item && date ? Date.parse(date.slice(0, 10)) / DAY : NaN;
    if (!Number.isNaN(day)) days.set(index, day);
  }
  return days;
}

/** Lay out what is kept; what has no date stands in a column of its own, left of the first year.
 * @param {Graph} graph @param {number[]} items @param {Map<number, number>} days of daysOf @param {{width: number, height: number}} box
 * @returns {{places: Map<number, Point>, timeline: Timeline}} from the middle of the box */
export function timelineOf(graph, items, days, { width, height }) {
  const dated = items.filter((node) => days.has(node)).sort((a, b) => day(a) - day(b) || a - b);
  const undated = items.filter((node) => !days.has(node));
  const sorted = dated.map(day);
  const aside = Math.min(WIDEST, UNDATED * width);
  const [left, right] = [(undated.length ? aside + 2 * APART : 30) - width / 2, width / 2 - Math.min(56, 0.08 * width)];
  const [first, last] = [day(dated[0]), day(dated[dated.length - 1])];
  const toX = (/** @type {number} */ at) => {
    const rank = (before(sorted, at) + before(sorted, at + 0.5) - 1) / 2; // a day is a whole number
    const even = Math.min(1, Math.max(0, rank / Math.max(1, dated.length - 1)));
    return left + (right - left) * (EVEN * even + (1 - EVEN) * (last > first ? (at - first) / (last - first) : 0.5));
  };
  const room = height - HEAD - 36; // above what says how much is shown
  const lanes = lanesOf(graph, [...dated, ...undated], Math.max(2, Math.floor(room / LANE)));
  const shares = lanes.map(({ nodes }) => 1.6 + Math.sqrt(nodes.length));
  const unit = room / shares.reduce((sum, share) => sum + share, 0);
  /** @type {Map<number, Point>} */
  const places = new Map();
  let top = HEAD - height / 2;
  const rows = lanes.map(({ name, colour, nodes }, at) => {
    const tall = unit * shares[at];
    const name_room = tall > 2 * NAME ? NAME : 4;
    const count = Math.max(1, Math.floor((tall - name_room) / APART));
    const ends = Array.from({ length: count }, () => -Infinity);
    const low = nodes.filter((node) => !days.has(node));
    for (const [turn, node] of nodes.entries()) {
      const place = low.indexOf(node);
      const x = place < 0 ? toX(day(node)) : (aside * (Math.floor(place / count) + 0.5)) / Math.ceil(low.length / count) - width / 2;
      const own = place < 0 ? ends.map((end, i) => [Math.min(x - end, 4 * APART), -((i + turn) % count), i]).sort((a, b) => b[0] - a[0] || b[1] - a[1])[0][2] : place % count;
      ends[own] = x;
      places.set(node, { x, y: top + name_room + ((own + 0.5) * (tall - name_room)) / count });
    }
    top += tall;
    return { name, colour, top: top - tall, bottom: top };
  });
  const ticks = dated.length ? ticksOf(first, last).map(([label, at]) => ({ label, x: toX(at) })) : [];
  if (undated.length) ticks.unshift({ label: phrase("undated"), x: aside - width / 2 });
  return { places, timeline: { rows, ticks } };

  /** @param {number} node @returns {number} */
  function day(node) {
    return days.get(node) ?? 0;
  }
}

/** Who stands in which lane: the areas in order of their first date, then what belongs to none. @param {Graph} graph @param {number[]} nodes in order of date @param {number} most lanes */
function lanesOf(graph, nodes, most) {
  const sizes = new Map();
  for (const node of nodes) sizes.set(graph.nodes[node].community, (sizes.get(graph.nodes[node].community) ?? 0) + 1);
  const kept = new Set([...graph.areas].sort((a, b) => (sizes.get(b.name) ?? 0) - (sizes.get(a.name) ?? 0)).slice(0, most - 1).map(({ name }) => name));
  const names = graph.areas.map(({ name }) => (kept.has(name) ? name : null));
  return [...Map.groupBy(nodes, (node) => names.indexOf(graph.nodes[node].community ?? ""))]
    .map(([colour, own]) => ({ name: names[colour] ?? (kept.size ? phrase("otherAreas") : ""), colour, nodes: own })).sort((a, b) => Number(a.colour < 0) - Number(b.colour < 0));
}

/** The number of the month of a day since 1970. @param {number} day */
export function monthOf(day) {
  const date = new Date(day * DAY);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

/** A month as 2021-07. @param {number} month */
export const monthText = (month) => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;

/** The beginnings of years, or of quarters or months where there are few of these: labels and days. @param {number} first day @param {number} last day @returns {[string, number][]} */
function ticksOf(first, last) {
  const [from, to] = [monthOf(first), monthOf(last)];
  const step = STEPS.find(([least]) => to - from >= least)?.[1] ?? 1;
  const ticks = /** @type {[string, number][]} */ ([]);
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    ticks.push([step === 12 ? String(at / 12) : monthText(at), Date.UTC(Math.floor(at / 12), at % 12) / DAY]);
  }
  return ticks;
}
