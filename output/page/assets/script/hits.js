// @ts-check
// All that a search found, as a list in the panel.

import { phrase } from "./strings.js";
import { element } from "./dom.js";
import { kindOf } from "./data.js";
import { whyFound } from "./seek.js";
import { growingList, nodeLink } from "./panel.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./search.js").Found} Found */

/** Fill the panel with all that was found. @param {HTMLElement} box @param {Graph} graph @param {string} query @param {Found[]} found @param {() => void} close */
export function showHits(box, graph, query, found, close) {
  box.replaceChildren(
    element("header", {},
      element("button", { type: "button", class: "close", "aria-label": phrase("clearSearch"), onclick: close }, "×"),
      element("h2", { tabindex: "-1", dir: "auto" }, phrase("foundFor", { query })),
      element("p", { class: "facts" }, found.length ? phrase("found", { count: found.length }) : phrase("nothingMatches", { query })),
      found[0]?.instead ? element("p", { class: "facts", dir: "auto" }, phrase("searchedInstead", { instead: found[0].instead })) : null),
    element("section", {}, growingList(found.map((one) => () => {
      const { kind, date } = graph.nodes[one.node];
      return element("li", {},
        element("div", { class: "row" }, nodeLink(graph, one.node), element("span", { class: "facts" }, date?.slice(0, 10) ?? kindOf(graph, kind).one)),
        element("p", { class: "reason", dir: "auto" }, whyFound(graph, one, query)));
    }))));
}
