// @ts-check
// The right panel: all there is to say of one node, with the proof of every link.

import { element, linkOut, webUrl } from "./dom.js";
import { kindOf, otherEnd } from "./data.js";
import { icon } from "./legend.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./data.js").GraphNode} GraphNode */
/** @typedef {import("./data.js").GraphEdge} GraphEdge */

/**
 * A duration in words for the eye: 1 h 02 min, 13 min.
 * @param {number} seconds
 * @returns {string}
 */
export function durationText(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/**
 * A link within the page to a node.
 * @param {Graph} graph
 * @param {number} index
 * @returns {HTMLElement}
 */
export function nodeLink(graph, index) {
  const node = graph.nodes[index];
  return element("a", { href: `#n=${encodeURIComponent(node.key)}`, "data-node": index, class: "node", dir: "auto" },
    icon(graph, node.kind), element("span", {}, node.name));
}

/**
 * The text round a quote, for the eye to see where it stands: [before, quote, after], within its line.
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {[string, string, string]}
 */
export function context(text, start, end) {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end) < 0 ? text.length : text.indexOf("\n", end);
  let before = text.slice(Math.max(lineStart, start - 90), start);
  let after = text.slice(end, Math.min(lineEnd, end + 90));
  if (start - 90 > lineStart) before = `…${before.replace(/^\S*\s/, "")}`;
  if (end + 90 < lineEnd) after = `${after.replace(/\s\S*$/, "")}…`;
  return [before, text.slice(start, end), after];
}

/**
 * Notes with their links live and every cited thing marked.
 * @param {Graph} graph
 * @param {GraphNode} node
 * @returns {HTMLElement}
 */
function notes(graph, node) {
  const text = node.summary ?? "";
  const spans = graph.links[node.index]
    .map((edge) => graph.edges[edge])
    .filter(({ from }) => from === node.index)
    .flatMap((edge) => edge.evidence.filter(({ field }) => field === "notes").map((item) => ({ ...item, to: edge.to })))
    .filter(({ start, end }) => start < end && end <= text.length)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const box = element("div", { class: "notes", dir: "auto" });
  let at = 0;
  for (const { start, end, to, url, quote } of spans) {
    if (start < at) continue;
    box.append(text.slice(at, start));
    const target = graph.nodes[to];
    const out = webUrl(url) || webUrl(quote) || (target.kind === "episode" ? "" : webUrl(target.url));
    const part = text.slice(start, end);
    box.append(out ? linkOut(out, part, { class: "cited" })
      : element("a", { href: `#n=${encodeURIComponent(target.key)}`, "data-node": to, class: "cited" }, part));
    at = end;
  }
  box.append(text.slice(at));
  return box;
}

/**
 * Fill the panel for a node.
 * @param {HTMLElement} box
 * @param {Graph} graph
 * @param {number} index
 * @param {{close: () => void}} told
 */
export function showNode(box, graph, index, told) {
  const node = graph.nodes[index];
  const kind = kindOf(graph, node.kind);
  const sure = (/** @type {string} */ field, /** @type {string} */ text) =>
    node.uncertain?.includes(field) ? `${text} (not certain)` : text;
  const facts = [
    node.number !== undefined && node.kind === "episode" ? sure("number", `No. ${node.number}`) : "",
    node.date ? sure("date", node.date.slice(0, 10)) : "",
    node.duration ? sure("duration", durationText(node.duration)) : "",
    node.author ?? "", node.state ?? "", node.area ?? "",
  ].filter(Boolean);
  const close = element("button", { type: "button", class: "close", "aria-label": "Close details", onclick: told.close }, "×");
  box.replaceChildren(
    element("header", {},
      element("p", { class: "kind" }, icon(graph, node.kind), kind.one),
      close,
      element("h2", { dir: "auto", tabindex: "-1" }, sure("title", node.name)),
      facts.length ? element("p", { class: "facts", dir: "auto" }, facts.join(" · ")) : null,
      element("p", { class: "actions" },
        webUrl(node.url) ? linkOut(node.url, "Open", { class: "button" }) : null,
        webUrl(node.audio_url) ? linkOut(node.audio_url, "Listen", { class: "button" }) : null)),
  );
  for (const section of sections(graph, node)) box.append(section);
  if (node.summary) box.append(element("section", {}, element("h3", {}, "Notes"), notes(graph, node)));
}

/** @param {Graph} graph @param {GraphNode} node */
function* sections(graph, node) {
  /** @type {Map<string, GraphEdge[]>} */
  const groups = new Map();
  for (const edge of graph.links[node.index].map((number) => graph.edges[number])) {
    const relation = graph.legend.relations[edge.relation] ?? { out: edge.relation, in: edge.relation };
    const other = graph.nodes[otherEnd(edge, node.index)];
    const word = edge.from === node.index ? relation.out : relation.in;
    const name = `${word[0].toUpperCase()}${word.slice(1)}`;
    const key = ["episode", "topic"].includes(other.kind) || edge.relation === "related" ? name : `${name} · ${kindOf(graph, other.kind).many}`;
    groups.set(key, [...(groups.get(key) ?? []), edge]);
  }
  const weight = (/** @type {string} */ name) => (/^(Cited|Mentioned|Subject)/.test(name) ? 0 : /^(Related|Listen|See)/.test(name) ? 1 : 2);
  for (const [name, edges] of [...groups].sort((a, b) => weight(a[0]) - weight(b[0]))) {
    const newest = (/** @type {GraphEdge} */ edge) => graph.nodes[otherEnd(edge, node.index)].date ?? "";
    edges.sort((a, b) => b.weight - a.weight || newest(b).localeCompare(newest(a)) || a.index - b.index);
    yield element("section", {},
      element("h3", {}, name, " ", element("span", { class: "count" }, String(edges.length))),
      element("ul", { class: "links" }, ...edges.map((edge) => linkItem(graph, node, edge))));
  }
}

/** @param {Graph} graph @param {GraphNode} node @param {GraphEdge} edge */
function linkItem(graph, node, edge) {
  const other = graph.nodes[otherEnd(edge, node.index)];
  const source = graph.nodes[edge.from];
  const item = element("li", {}, nodeLink(graph, other.index));
  if (other.kind === "episode" && other.date) item.append(" ", element("span", { class: "facts" }, other.date.slice(0, 10)));
  if (webUrl(other.url)) item.append(" ", linkOut(other.url, "↗", { class: "out", "aria-label": `Open ${other.name}` }));
  for (const reason of edge.reasons) item.append(element("p", { class: "reason", dir: "auto" }, reason));
  for (const { field, start, end, quote } of edge.evidence.slice(0, 3)) {
    const [before, , after] = field === "notes" ? context(source.summary ?? "", start, end) : ["", "", ""];
    item.append(element("blockquote", { dir: "auto" }, before, element("mark", {}, quote), after));
  }
  return item;
}

/**
 * Fill the panel when no node is chosen.
 * @param {HTMLElement} box
 * @param {Graph} graph
 */
export function showOverview(box, graph) {
  const most = (/** @type {(node: GraphNode) => boolean} */ wanted) =>
    graph.nodes.filter(wanted).sort((a, b) => b.degree - a.degree || a.index - b.index).slice(0, 8);
  const list = (/** @type {string} */ name, /** @type {GraphNode[]} */ nodes) =>
    nodes.length
      ? element("section", {}, element("h3", {}, name),
          element("ul", { class: "links" }, ...nodes.map((node) => element("li", {}, nodeLink(graph, node.index)))))
      : null;
  const episodes = graph.nodes.filter(({ kind }) => kind === "episode");
  const newest = [...episodes].sort((a, b) => (b.date ?? "").localeCompare(a.date ?? "")).slice(0, 8);
  box.replaceChildren(...[
    element("header", {}, element("h2", { tabindex: "-1" }, "Overview"),
      element("p", { class: "facts" }, "Choose a node, or search for a PR, a file, a topic, a word of the notes.")),
    list("Most cited", most((node) => !["episode", "topic", "podcast", "repo"].includes(node.kind) && node.degree > 1)),
    list("Most frequent topics", most(({ kind }) => kind === "topic")),
    list("Newest episodes", newest),
  ].filter((part) => part !== null));
}
