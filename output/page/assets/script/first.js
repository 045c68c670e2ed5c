// @ts-check
// The first drawing: the lands and dots of the atlas, while the rest of the page is still on its way.

import { phrase } from "./strings.js";
import { byId, element } from "./dom.js";
import { readGraph } from "./data.js";
import { isState, START } from "./address.js";
import { framedPlaces } from "./frame.js";
import { createMap } from "./map.js";

/** The graph; before the rest of the page is there, only places, areas and ties of its episodes. */
export const graph = readGraph(JSON.parse(byId("first-data").textContent ?? ""));

/** What the reader's browser keeps of these pages under a name, "" where it keeps nothing. @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(`podgraph ${name}`) ?? "";
  } catch {
    return "";
  }
}

const theme = remembered("theme");
if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
if (new URLSearchParams(location.search).has("embed")) document.documentElement.dataset.embed = ""; // in a frame of another page

export const map = createMap(byId("map"), graph);
const button = (/** @type {string} */ label, /** @type {string} */ text, /** @type {() => void} */ onclick) =>
  element("button", { type: "button", "aria-label": label, onclick }, text);
byId("stage").append(element("div", { class: "zoom" },
  button(phrase("zoomIn"), "+", () => map.zoom(1.4)), button(phrase("zoomOut"), "−", () => map.zoom(1 / 1.4)), button(phrase("showAll"), phrase("all"), () => map.fit())));
const placed = graph.nodes.map(({ wx }) => wx !== undefined);
if (placed.includes(true) && (location.hash.length < 2 || !isState(location.hash))) map.together(() => { // what an address shows waits for the graph
  byId("status").textContent = phrase("shown", { some: placed.filter(Boolean).length, all: placed.length }); // no name stands on it
  const { clientWidth: width, clientHeight: height } = byId("map");
  map.arrange(framedPlaces(graph, START.view, { width, height, free: height }, -1, { items: [], days: new Map() }, []).places, null, true);
  map.show(placed, true);
  map.fit(false);
});
