// @ts-check
// The card beside what the pointer is on: a node, with why it is lit, or the line between two episodes with its reasons.

import { element } from "./dom.js";
import { kindOf, otherEnd } from "./data.js";
import { because, factsLine } from "./panel.js";

/** @typedef {import("./data.js").Graph} Graph */

const SENTENCE = 160; // characters of the notes

/**
 * Make the card of a stage; what it says stands in the panel too, so screen readers pass over it.
 * @param {HTMLElement} stage
 * @param {Graph} graph
 */
export function createCard(stage, graph) {
  const box = element("div", { class: "card", "aria-hidden": "true", hidden: true });
  stage.append(box);
  return {
    /**
     * Show the card for a node or a tie, or hide it; `centre` is the chosen node.
     * @param {number} node
     * @param {import("./frame.js").Tie | null} tie
     * @param {{x: number, y: number}} at in pixels of the window
     * @param {number} centre
     * @param {string} [why] it is lit, where nothing is chosen
     */
    show(node, tie, at, centre, why = "") {
      box.hidden = node < 0 && !tie;
      if (box.hidden) return;
      box.replaceChildren(...(tie ? tieLines(graph, tie) : nodeLines(graph, node, centre, why)));
      const { left, top, width, height } = stage.getBoundingClientRect();
      const [x, y] = [at.x - left, at.y - top];
      box.style.left = `${Math.max(6, x + 18 + box.offsetWidth > width ? x - 18 - box.offsetWidth : x + 18)}px`;
      box.style.top = `${Math.max(6, Math.min(y + 12, height - box.offsetHeight - 6))}px`;
    },
  };
}

/** @param {Graph} graph @param {number} index @param {number} centre @param {string} why */
function nodeLines(graph, index, centre, why) {
  const node = graph.nodes[index];
  const text = (node.summary ?? "").replace(/\s+/g, " ");
  const [sentence = ""] = /^.{20,}?[.!?](?=\s|$)/u.exec(text) ?? [text];
  const edge = centre >= 0 && centre !== index && graph.links[centre].map((number) => graph.edges[number]).find((one) => otherEnd(one, centre) === index);
  const relation = edge && (graph.legend.relations[edge.relation] ?? { out: edge.relation, in: edge.relation });
  const word = edge && relation ? (edge.from === centre ? relation.out : relation.in) : "";
  return [
    element("p", { class: "facts" }, [kindOf(graph, node.kind).one, factsLine(node)].filter(Boolean).join(" · ")),
    element("p", { class: "title", dir: "auto" }, node.name),
    sentence && element("p", { dir: "auto" }, sentence.length > SENTENCE ? `${sentence.slice(0, SENTENCE).replace(/\s\S*$/, "")}…` : sentence),
    edge && element("p", { class: "reason", dir: "auto" }, [`${word} “${graph.nodes[edge.from === centre ? centre : index].name}”`, because(edge)].filter(Boolean).join(": ")),
    why && element("p", { class: "reason", dir: "auto" }, why),
  ].filter((line) => line instanceof Node);
}

/** @param {Graph} graph @param {import("./frame.js").Tie} tie */
function tieLines(graph, { from, to, edges }) {
  return [
    element("p", { class: "title", dir: "auto" }, `${graph.nodes[from].name} — ${graph.nodes[to].name}`),
    ...edges.map((number) => graph.edges[number]).map((edge) => element("p", { class: "reason", dir: "auto" },
      [(graph.legend.relations[edge.relation]?.out ?? edge.relation), because(edge)].filter(Boolean).join(": "))),
  ];
}
