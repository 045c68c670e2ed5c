// @ts-check
// The card beside what the pointer is on: a node, with why it is lit, or the line between two episodes with its reasons.

import { element, firstSentence } from "./dom.js";
import { kindOf, otherEnd } from "./data.js";
import { because, factsLine } from "./panel.js";

/** @typedef {import("./data.js").Graph} Graph */

const SENTENCE = 160; // characters of the notes

/** Make the card of a stage; what it says stands in the panel too, so screen readers pass over it. @param {HTMLElement} stage @param {Graph} graph */
export function createCard(stage, graph) {
  const box = element("div", { class: "card", "aria-hidden": "true", hidden: true });
  stage.append(box);
  return {
    /** Show the card for a node or a tie, or hide it; `centre` is the chosen node.
     * @param {number} node @param {import("./frame.js").Tie | null} tie @param {{x: number, y: number}} at in pixels of the window @param {number} centre
     * @param {[number, number][]} lit what it should not cover, on the stage @param {string} [why] it is lit, where nothing is chosen */
    show(node, tie, at, centre, lit, why = "") {
      box.hidden = node < 0 && !tie;
      if (box.hidden) return;
      box.replaceChildren(...(tie ? tieLines(graph, tie) : nodeLines(graph, node, centre, why)));
      const { left, top, width, height } = stage.getBoundingClientRect();
      const [x, y] = [at.x - left, at.y - top];
      const [wide, tall] = [box.offsetWidth, box.offsetHeight];
      const within = (/** @type {number} */ place, /** @type {number} */ most) => Math.max(6, Math.min(place, most - 6));
      const spots = [x + 18, x - 18 - wide, x - wide / 2].flatMap((a) => [y + 16, y - 16 - tall].map((b) => [within(a, width - wide), within(b, height - tall)]));
      const covered = (/** @type {number[]} */ [a, b]) => [...lit, ...Array(50).fill([x, y])].filter(([px, py]) => px > a - 8 && px < a + wide + 8 && py > b - 8 && py < b + tall + 8).length;
      const [least] = spots.sort((one, other) => covered(one) - covered(other)); // under the pointer last of all
      [box.style.left, box.style.top] = least.map((place) => `${place}px`);
    },
  };
}

/** @param {Graph} graph @param {number} index @param {number} centre @param {string} why */
function nodeLines(graph, index, centre, why) {
  const node = graph.nodes[index];
  const sentence = firstSentence(node.summary, SENTENCE);
  const edge = centre >= 0 && centre !== index && graph.links[centre].map((number) => graph.edges[number]).find((one) => otherEnd(one, centre) === index);
  const relation = edge && (graph.legend.relations[edge.relation] ?? { out: edge.relation, in: edge.relation });
  const word = edge && relation ? (edge.from === centre ? relation.out : relation.in) : "";
  return [
    element("p", { class: "facts" }, [kindOf(graph, node.kind).one, factsLine(node)].filter(Boolean).join(" · ")),
    element("p", { class: "title", dir: "auto" }, node.name),
    sentence && element("p", { dir: "auto" }, sentence),
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
