// @ts-check
// Puts the parts together. All state is in the address; a change goes there first, and the page follows it.

import { byId, element } from "./dom.js";
import { kindOf, readGraph } from "./data.js";
import { search, searchIndex } from "./search.js";
import { fromAddress, toAddress, START } from "./address.js";
import { citations, shownNodes, topicsOfEpisodes } from "./filters.js";
import { neighbourhood } from "./walk.js";
import { createMap } from "./map.js";
import { createCombobox } from "./combobox.js";
import { createLegend, icon } from "./legend.js";
import { showNode, showOverview } from "./panel.js";

const json = (/** @type {string} */ id) => JSON.parse(byId(id).textContent ?? "");
const graph = readGraph(json("graph-data"));
const facts = { topics: topicsOfEpisodes(graph), citations: citations(graph) };
const status = byId("status");
const details = byId("details");
let state = START;

const map = createMap(byId("map"), graph, json("map-options"), {
  onPick: (node) => change({ node: node < 0 ? "" : graph.nodes[node].key, path: "" }),
  onHover: () => relight(),
});
const legend = createLegend(byId("filters"), graph, (patch) => change(patch));
/** @type {[string, string, string][] | null} */
let texts = null;
const combobox = createCombobox(byId("search"), {
  label: "Search episodes, PRs, files, topics, notes",
  find: (query) => {
    texts ??= searchIndex(graph);
    const { hits, total } = search(graph, texts, query);
    return {
      total,
      hits: hits.map((node) => {
        const { kind, name, key, label } = graph.nodes[node];
        return { node, icon: icon(graph, kind), name, hint: `${kindOf(graph, kind).one}${name === label ? "" : ` · ${label || key}`}` };
      }),
    };
  },
  choose: (node) => change({ node: graph.nodes[node].key, path: "" }),
  say: (text) => (status.textContent = text),
});

/** @param {Partial<import("./address.js").State>} patch */
function change(patch) {
  const next = { ...state, ...patch };
  const address = toAddress(next);
  if (address === toAddress(state)) return;
  history.pushState(null, "", `#${address}`);
  follow(next);
}

/** @param {import("./address.js").State} next */
function follow(next) {
  const before = state;
  state = next;
  const node = graph.byKey.get(state.node) ?? -1;
  const shown = shownNodes(graph, state, facts);
  if (node >= 0) shown[node] = true;
  map.show(shown, state.related);
  legend.follow(state);
  relight();
  if (state.node !== before.node || before === START) {
    if (node >= 0) {
      showNode(details, graph, node, { close: () => change({ node: "" }) });
      details.scrollTop = 0;
      map.reveal(node);
    } else showOverview(details, graph);
  }
  const count = shown.filter(Boolean).length;
  status.textContent = `${count.toLocaleString("en")} of ${graph.nodes.length.toLocaleString("en")} nodes shown`;
}

function relight() {
  const chosen = graph.byKey.get(state.node) ?? -1;
  const node = chosen >= 0 ? chosen : map.scene.hover;
  map.light(node < 0 ? null : { ...neighbourhood(graph, node, chosen >= 0 ? state.depth : 1, (other) => map.scene.shown[other]), centre: node });
}

addEventListener("popstate", () => {
  if (location.hash === "" || location.hash.includes("=")) follow(fromAddress(location.hash));
});
document.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest?.("[data-node]"));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  change({ node: graph.nodes[Number(link.dataset.node)].key, path: "" });
});
document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea")) return;
  if (event.key === "/") {
    event.preventDefault();
    combobox.input.focus();
    combobox.input.select();
  } else if (event.key === "Escape" && state.node) change({ node: "", path: "" });
});
const tools = byId("tools");
const button = (/** @type {string} */ label, /** @type {string} */ text, /** @type {() => void} */ onclick) =>
  element("button", { type: "button", "aria-label": label, title: label, onclick }, text);
byId("stage").append(element("div", { class: "zoom" },
  button("Zoom in", "+", () => map.zoom(1.4)), button("Zoom out", "−", () => map.zoom(1 / 1.4)), button("Show all", "⤢", () => map.fit())));
tools.append(button("Switch between light and dark", "◐", () => {
  const dark = getComputedStyle(document.documentElement).getPropertyValue("--theme").trim() === "dark";
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  map.repalette();
}));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.repalette());
new ResizeObserver(() => map.resize()).observe(byId("map"));

map.fit(null, false);
follow(fromAddress(location.hash.includes("=") ? location.hash : ""));
