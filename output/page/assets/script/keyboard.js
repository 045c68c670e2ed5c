// @ts-check
// The map by keyboard: arrows walk, Enter opens, Escape clears, + - 0 zoom. Tab leaves, as everywhere.

import { towards } from "./walk.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Let the map be used by keyboard.
 * @param {HTMLElement} box @param {ReturnType<import("./map.js").createMap>} map
 * @param {{open: (node: number) => void, clear: () => void, say: (node: number) => void, chosen: () => number}} told */
export function listenToKeys(box, map, { open, clear, say, chosen }) {
  const { scene } = map;
  const go = (/** @type {number} */ node) => {
    if (node < 0) return;
    map.point(node);
    map.reveal(node);
    say(node);
  };
  const candidates = (/** @type {number} */ but) => scene.shown.flatMap((yes, node) => (yes && node !== but ? [node] : []));
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    const from = scene.cursor >= 0 && scene.shown[scene.cursor] ? scene.cursor : chosen();
    if (arrow && from < 0) go(scene.order.find((node) => scene.shown[node]) ?? -1);
    else if (arrow) go(towards(scene.places, scene.places[from], arrow[0], arrow[1], candidates(from)));
    else if ((event.key === "Enter" || event.key === " ") && from >= 0) open(from);
    else if (event.key === "Escape") {
      map.point(-1);
      clear();
    } else if (event.key === "+" || event.key === "=") map.zoom(1.4);
    else if (event.key === "-") map.zoom(1 / 1.4);
    else if (event.key === "0") map.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  box.addEventListener("blur", () => map.point(-1));
}
