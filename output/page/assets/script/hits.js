// @ts-check
// All that a search found, as a list in the panel.

import { phrase } from "./strings.js";
import { element } from "./dom.js";
import { kindOf } from "./data.js";
import { isPasted } from "./ask.js";
import { nameOf, whyFound } from "./seek.js";
import { growingList, linkItem, nodeLink } from "./panel.js";
import { naming } from "./walk.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./ask.js").Hit} Hit */

const FIRST = 20; // hits that are listed at first

/** Fill the panel with all that was found. @param {HTMLElement} box @param {Graph} graph @param {string} query @param {Hit[]} found @param {() => void} close */
export function showHits(box, graph, query, found, close) {
  box.replaceChildren(
    element("header", {},
      element("button", { type: "button", class: "close", "aria-label": phrase("clearSearch"), onclick: close }, "×"),
      element("h2", { tabindex: "-1", dir: "auto" }, phrase("foundFor", { query })),
      element("p", { class: "facts" }, found.length ? phrase("found", { count: found.length }) : phrase("nothingMatches", { query })),
      ...(found.length ? [] : [element("p", { class: "facts" }, `${phrase("questions")}: ${phrase("questionsAre")}`),
        element("p", { class: "actions" }, element("button", { type: "button", onclick: close }, phrase("clearSearch")))]),
      isPasted(query) && element("p", { class: "facts" }, phrase("explainRest"), " ", element("code", {}, "podgraph explain -")),
      found[0]?.instead ? element("p", { class: "facts", dir: "auto" }, phrase("searchedInstead", { instead: found[0].instead })) : null),
    element("section", {}, growingList(found.map((one) => () => {
      const { kind, date, key } = graph.nodes[one.node];
      const other = graph.nodes[one.other ?? -1];
      const reason = element("p", { class: "reason", dir: "auto" }, whyFound(graph, one, query));
      const [edge] = (one.where === "naming" && naming(graph, one.via ?? -1).get(one.node)) || [];
      if (edge) {
        const item = linkItem(graph, graph.nodes[edge.to], edge); // with the sentence that names it
        item.firstElementChild?.after(reason);
        return item;
      }
      return element("li", {},
        element("div", { class: "row" }, other ? element("a", { href: `#n=${encodeURIComponent(key)}&to=${encodeURIComponent(other.key)}`, class: "node", dir: "auto" }, nameOf(one)) : nodeLink(graph, one.node), element("span", { class: "facts" }, date?.slice(0, 10) ?? kindOf(graph, kind).one)),
        reason);
    }), FIRST)));
}
