// @ts-check
// The left panel: the legend, which is the filter.

import { element, svg } from "./dom.js";
import { kindOf } from "./data.js";
import { pathData } from "./shapes.js";
import { yearOf } from "./filters.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./address.js").State} State */

/**
 * The sign of a kind, as on the map.
 * @param {Graph} graph
 * @param {string} kind
 * @returns {SVGElement}
 */
export function icon(graph, kind) {
  const { family, shape, hollow } = kindOf(graph, kind);
  const { mark } = graph.legend.families[family];
  const parts = [svg("path", { d: pathData(shape, 8, 8, 5.4), class: "fill" })];
  if (hollow) parts.push(svg("path", { d: pathData(shape, 8, 8, 3.1), class: "hole" }));
  if (mark) parts.push(svg("path", { d: pathData("circle", 8, 8, hollow ? 1.4 : 1.8), class: hollow ? "fill" : "hole" }));
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, class: `icon ${family}`, "aria-hidden": "true" }, ...parts);
}

/**
 * Fill the left panel.
 * @param {HTMLElement} box
 * @param {Graph} graph
 * @param {(patch: Partial<State>) => void} change
 */
export function createLegend(box, graph, change) {
  /** @type {((state: State) => void)[]} */
  const followers = [];
  let now = /** @type {State} */ ({});

  const check = (/** @type {(Node | string)[]} */ content, /** @type {number | null} */ count,
    /** @type {(state: State) => boolean} */ isOn, /** @type {(on: boolean) => Partial<State>} */ patch) => {
    const input = /** @type {HTMLInputElement} */ (
      element("input", { type: "checkbox", onchange: () => change(patch(input.checked)) })
    );
    followers.push((state) => (input.checked = isOn(state)));
    return element("label", { class: "check" }, input, ...content,
      count === null ? null : element("span", { class: "count" }, count.toLocaleString("en")));
  };
  const group = (/** @type {string} */ name, /** @type {Node[]} */ ...items) =>
    element("fieldset", {}, element("legend", {}, name), ...items);
  const toggled = (/** @type {string[]} */ list, /** @type {string} */ value, /** @type {boolean} */ on) =>
    on ? [...new Set([...list, value])] : list.filter((other) => other !== value);

  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { kind } of graph.nodes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const order = Object.keys(graph.legend.kinds);
  const kinds = [...counts.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  for (const [family, { name }] of Object.entries(graph.legend.families)) {
    const members = kinds.filter((kind) => kindOf(graph, kind).family === family);
    if (!members.length) continue;
    box.append(group(name, ...members.map((kind) =>
      check([icon(graph, kind), element("span", { class: "name" }, kindOf(graph, kind).many)], counts.get(kind) ?? 0,
        (state) => !state.off.includes(kind), (on) => ({ off: toggled(now.off, kind, !on) })))));
  }

  const years = new Map();
  for (const node of graph.nodes) if (node.kind === "episode") years.set(yearOf(node), (years.get(yearOf(node)) ?? 0) + 1);
  if (years.size > 1) {
    box.append(group("Years", element("div", { class: "years" }, ...[...years.keys()].sort().map((year) =>
      check([element("span", { class: "name" }, year)], years.get(year),
        (state) => state.years.includes(year), (on) => ({ years: toggled(now.years, year, on) }))))));
  }
  const podcasts = graph.nodes.filter(({ kind }) => kind === "podcast");
  if (podcasts.length > 1) {
    box.append(group("Podcasts", ...podcasts.map(({ key, name }) =>
      check([element("span", { class: "name", dir: "auto" }, name)], null,
        (state) => state.podcasts.includes(key), (on) => ({ podcasts: toggled(now.podcasts, key, on) })))));
  }
  const topics = graph.nodes.filter(({ kind }) => kind === "topic").sort((a, b) => b.degree - a.degree || a.index - b.index);
  if (topics.length) {
    box.append(element("details", {}, element("summary", {}, "Topics"),
      element("div", { class: "topics" }, ...topics.map(({ key, name, degree }) =>
        check([element("span", { class: "name", dir: "auto" }, name)], degree,
          (state) => state.topics.includes(key), (on) => ({ topics: toggled(now.topics, key, on) }))))));
  }
  box.append(group("Show",
    check([element("span", { class: "name" }, "Only sources cited twice or more")], null,
      (state) => state.twice, (twice) => ({ twice })),
    graph.edges.some(({ relation }) => relation === "related")
      ? check([element("span", { class: "name" }, "Lines between related episodes")], null,
          (state) => state.related, (related) => ({ related }))
      : element("span")));
  box.append(element("button", {
    type: "button", class: "reset",
    onclick: () => change({ off: [], years: [], topics: [], podcasts: [], twice: false, related: true, only: false }),
  }, "Reset filters"));

  return {
    /** Follow the state. */
    follow(/** @type {State} */ state) {
      now = state;
      for (const follower of followers) follower(state);
    },
  };
}
