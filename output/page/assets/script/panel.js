// @ts-check
// The right panel: all there is to say of one node, with the proof of every link.

import { breakable, element, firstSentence, linkOut, surroundings, webUrl } from "./dom.js";
import { isLeftOut, kindOf, otherEnd } from "./data.js";
import { icon } from "./shapes.js";
import { naming, relatives } from "./walk.js";
import { inSentence, phrase } from "./strings.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./data.js").GraphNode} GraphNode */
/** @typedef {import("./data.js").GraphEdge} GraphEdge */

const PROOFS = 3; // quotes shown at once for one link
const MOMENTS = 6; // of a transcript, beside the first
const RELATIVES = 8; // shown at first

/** A duration for the eye: 1 h 02 min, 13 min. @param {number} seconds @returns {string} */
export function durationText(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return phrase("minutes", { minutes });
  return phrase("hours", { hours: Math.floor(minutes / 60), minutes: String(minutes % 60).padStart(2, "0") });
}

/** A moment of a recording: 1:02:03, 2:03. @param {number} seconds @returns {string} */
export function clock(seconds) {
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A link within the page to a node. @param {Graph} graph @param {number} index @returns {HTMLElement} */
export function nodeLink(graph, index) {
  const node = graph.nodes[index];
  const mark = graph.heard.has(node.key) ? { class: "node heard", title: phrase("heard") } : { class: "node" };
  return element("a", { href: `#n=${encodeURIComponent(node.key)}`, "data-node": index, ...mark },
    icon(graph, node.kind, node.hue), element("span", { dir: "auto" }, node.caption));
}

/** Notes with their links live and every cited thing marked. @param {Graph} graph @param {GraphNode} node @returns {HTMLElement} */
function notesBox(graph, node) {
  const text = node.summary ?? "";
  const spans = graph.links[node.index]
    .map((number) => graph.edges[number])
    .filter(({ from }) => from === node.index)
    .flatMap((edge) => edge.evidence.filter(({ field }) => field === "notes").map((item) => ({ ...item, to: edge.to })))
    .filter(({ start, end }) => start < end && end <= text.length)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const box = element("div", { class: "notes", dir: "auto" });
  let at = 0;
  for (const { start, end, to, url, quote } of spans) {
    if (start < at) continue;
    box.append(...breakable(text.slice(at, start)));
    const target = graph.nodes[to];
    const out = webUrl(url) || webUrl(quote) || (["episode", "topic"].includes(target.kind) ? "" : webUrl(target.url));
    box.append(out ? linkOut(out, text.slice(start, end), { class: "cited" })
      : element("a", { href: `#n=${encodeURIComponent(target.key)}`, "data-node": to, class: "cited" }, text.slice(start, end)));
    at = end;
  }
  box.append(...breakable(text.slice(at)));
  return box;
}

/** What the feed says of a node in a line. @param {GraphNode} node @param {string} [podcast] its name, where there are several @returns {string} */
export function factsLine(node, podcast = "") {
  const sure = (/** @type {string} */ field, /** @type {string} */ text) =>
    node.uncertain?.includes(field) ? phrase("notCertain", { fact: text }) : text;
  return [
    podcast, node.number !== undefined && node.kind === "episode" ? sure("number", phrase("number", { number: String(node.number) })) : "",
    node.date ? sure("date", node.date.slice(0, 10)) : node.kind === "episode" ? phrase("noDate") : "",
    node.duration ? (node.uncertain?.includes("duration") ? phrase("roughly", { fact: durationText(node.duration) }) : durationText(node.duration)) : "",
    node.author ?? "", node.state ?? "", node.area ?? "", node.language ?? "", node.status === "ok" ? "" : node.status ?? "",
    node.uncertain?.includes("title") ? phrase("titleNotCertain") : "",
  ].filter(Boolean).join(" · ");
}

/** Fill the panel for a node. Its head stays while the rest is scrolled.
 * @param {HTMLElement} box @param {Graph} graph @param {number} index
 * @param {{controls: Node[], finder: Node, close: () => void, back: Node, own: Node[], onRoute: HTMLElement[]}} parts `controls` are what can be done with the map, folded; `finder` goes beneath them; `own` are the reader's marks; `onRoute` are the buttons of the node's route */
export function showNode(box, graph, index, { controls, finder, close, back, own, onRoute }) {
  const node = graph.nodes[index];
  const podcasts = graph.nodes.filter(({ kind }) => kind === "podcast");
  const facts = factsLine(node, podcasts.length > 1 ? podcasts.find(({ key }) => key === node.podcast)?.name : "");
  const moved = webUrl(node.current_url);
  const area = node.wx === undefined ? undefined : graph.areas.find(({ name }) => name === node.community);
  box.replaceChildren(
    element("header", {},
      element("p", { class: "kind" }, icon(graph, node.kind, node.hue), kindOf(graph, node.kind).one,
        area && element("span", { class: "area", "data-area": area.light, dir: "auto" }, area.name)),
      element("button", { type: "button", class: "close", "aria-label": phrase("closeDetails"), onclick: close }, "×"),
      element("h2", { dir: "auto", tabindex: "-1" }, node.name),
      node.name !== node.label ? element("p", { class: "facts", dir: "auto" }, node.label) : null,
      facts ? element("p", { class: "facts", dir: "auto" }, facts) : null,
      element("p", { class: "actions" },
        webUrl(node.audio_url) ? linkOut(node.audio_url, phrase("listen"), { class: "button", "data-play": index }) : null,
        ...own, back,
        webUrl(node.url) ? linkOut(node.url, phrase("open"), { class: "button" }) : null,
        moved && moved !== node.url ? linkOut(moved, phrase("nowAt"), { class: "button" }) : null,
        element("details", { class: "more" }, element("summary", { class: "button" }, phrase("more")), element("p", { class: "actions" }, ...controls))),
      finder),
    ...(node.item && node.summary ? [element("p", { class: "lead", dir: "auto" }, firstSentence(node.summary))] : []),
    ...(node.route ? [routeBox(graph, node.name, node.route, onRoute)] : []),
    ...sections(graph, node),
    ...mistakes(graph, node),
  );
}

/** The commands that correct a topic, a person, a link, or the ties of an episode, folded. A name that others share gives way to the id. @param {Graph} graph @param {GraphNode} node @returns {HTMLElement[]} */
function mistakes(graph, node) {
  const alike = graph.nodes.filter(({ name }) => name.toLowerCase() === node.name.toLowerCase());
  const own = alike.filter(({ kind }) => kind === node.kind).length > 1 ? node.key : node.name;
  const rename = ["rename", node.kind === "topic" || alike.length === 1 ? own : node.key, phrase("anotherName")];
  const edges = graph.links[node.index].map((number) => graph.edges[number]);
  const cited = !node.item && edges.some(({ relation, to }) => relation === "cites" && to === node.index);
  const tied = node.item ? relatives(graph, node.index).filter(({ similar }) => !similar).slice(0, RELATIVES) : [];
  const isAside = edges.every(({ relation, boilerplate }) => boilerplate || relation !== "cites");
  const wrong = node.kind === "topic" ? [["drop", own], rename, ["merge", own, phrase("anotherTopic")]]
    : node.kind === "person" ? [["no_person", own], rename, ["same", phrase("anotherPerson"), own]]
    : cited ? [[isAside ? "not_boilerplate" : "boilerplate", webUrl(node.url) || node.key], rename]
    : tied.map((edge) => ["unrelate", node.key, graph.nodes[otherEnd(edge, node.index)].key]);
  const lines = wrong.map(([name, ...names]) => `podgraph correct ${name} ${names.map((one) => `'${one.replaceAll("'", "'\\''")}'`).join(" ")}`);
  return lines.length ? [folded(phrase("wrong"), null, element("div", { class: "wrong" }, element("p", {}, phrase("wrongHelp")),
    ...lines.map((line) => element("code", {}, line))))] : [];
}

/** What there is to say of a node: of an episode its relatives first, what it cites folded by kind. @param {Graph} graph @param {GraphNode} node @returns {HTMLElement[]} */
function sections(graph, node) {
  const isText = node.item;
  const all = graph.links[node.index].map((number) => graph.edges[number]).filter((edge) => edge.relation !== "related" && !isLeftOut(graph, otherEnd(edge, node.index)));
  const groups = [...Map.groupBy(all, (edge) => heading(graph, node, edge).name)].map(([name, edges]) => ({ name, edges, rank: heading(graph, node, edges[0]).rank }));
  const made = [];
  const hosted = (node.hosts ?? []).flatMap((key) => graph.byKey.get(key) ?? []);
  if (hosted.length) made.push(section(phrase("presents"), null, element("ul", { class: "links" }, ...hosted.map((podcast) => element("li", {}, nodeLink(graph, podcast))))));
  const near = relatives(graph, node.index);
  near.push(...relatives(graph, node.index, Infinity).filter((edge) => !near.includes(edge))); // the command's answer, then all else that is lit
  const left = near.filter((edge) => !isLeftOut(graph, otherEnd(edge, node.index)));
  const [strong, similar] = [left.filter((edge) => !edge.similar), left.filter((edge) => edge.similar)];
  if (strong.length) made.push(section(relativesName(strong.map((edge) => graph.nodes[otherEnd(edge, node.index)])), strong.length, linkList(graph, node, strong, RELATIVES)));
  if (similar.length) made.push(folded(phrase("similarWords"), similar.length, linkList(graph, node, similar, RELATIVES)));
  const date = (/** @type {GraphEdge} */ edge) => graph.nodes[otherEnd(edge, node.index)].date ?? "";
  const notes = notesSections(graph, node);
  const before = (node.before ?? []).filter(([other]) => !isLeftOut(graph, other));
  const order = before.length ? [section(phrase("listenFirst"), before.length,
    element("ol", { class: "links" }, ...before.map(([other, reason]) =>
      element("li", {}, nodeLink(graph, other), element("p", { class: "reason", dir: "auto" }, reason)))))] : [];
  for (const { name, rank, edges } of groups.sort((a, b) => a.rank - b.rank)) {
    if (rank > 1) made.push(...order.splice(0), ...notes.splice(0));
    edges.sort((a, b) => (isText ? b.weight - a.weight : 0) || date(b).localeCompare(date(a)) || a.index - b.index);
    if (edges[0].relation === "about" && isText) {
      made.push(section(name, edges.length, element("p", { class: "chips" }, ...edges.map(({ to }) => nodeLink(graph, to)))));
    } else {
      const list = linkList(graph, node, edges);
      made.push(isText && rank > 1 ? folded(name, edges.length, list) : section(name, edges.length, list));
    }
  }
  if (node.kind === "folder") {
    const direct = new Set(graph.links[node.index].map((number) => graph.edges[number].from));
    const further = [...naming(graph, node.index).values()].filter(([first]) => !direct.has(first.from));
    further.sort(([a], [b]) => (graph.nodes[b.from].date ?? "").localeCompare(graph.nodes[a.from].date ?? "") || a.from - b.from);
    if (further.length) made.push(section(phrase("throughFolder"), further.length, growingList(further.map((edges) => () => insideItem(graph, node, edges)))));
  }
  return [...made, ...order, ...onRoutes(graph, node), ...notes];
}

/** The routes through an episode, with the steps before and after it. @param {Graph} graph @param {GraphNode} node @returns {HTMLElement[]} */
function onRoutes(graph, node) {
  const found = graph.nodes.flatMap((topic) => {
    const at = topic.route?.findIndex(([step]) => step === node.index) ?? -1;
    return at < 0 ? [] : [{ topic, at, steps: (topic.route ?? []).map(([step]) => step) }];
  }).sort((a, b) => a.at - b.at || a.topic.index - b.topic.index);
  const beside = (/** @type {"previousStep" | "nextStep"} */ name, /** @type {number | undefined} */ step) => (step === undefined ? null
    : element("span", { class: "facts" }, `${phrase(name)} `, nodeLink(graph, step), " "));
  return found.length ? [folded(phrase("onRoutes"), found.length, element("ul", { class: "links" }, ...found.slice(0, RELATIVES).map(({ topic, at, steps }) => element("li", {},
    nodeLink(graph, topic.index), element("p", {}, beside("previousStep", steps[at - 1]), beside("nextStep", steps[at + 1]))))))] : [];
}

/** A route: episodes in listening order, each with its year, length and reason.
 * @param {Graph} graph @param {string} name "" for a route whose name is above it @param {[number, string][]} steps @param {HTMLElement[]} [actions] */
export function routeBox(graph, name, steps, actions = []) {
  const all = steps.length;
  steps = steps.filter(([node]) => !isLeftOut(graph, node));
  const seconds = steps.reduce((sum, [node]) => sum + (graph.nodes[node].duration ?? 0), 0);
  const length = [phrase("episodes", { count: steps.length }), seconds && durationText(seconds), steps.length < all && phrase("heardAlready", { count: all - steps.length })].filter(Boolean).join(" · ");
  return element("section", { class: "route" }, name && element("h3", { dir: "auto" }, phrase("wayInto", { name })), element("p", { class: "facts" }, length),
    element("ol", { class: "links" }, ...steps.map(([node, reason]) => {
      const { date, duration } = graph.nodes[node];
      const facts = [date?.slice(0, 4), duration && durationText(duration), reason].filter(Boolean).join(" · ");
      return element("li", {}, nodeLink(graph, node), element("p", { class: "reason", dir: "auto" }, facts));
    })), actions.length ? element("p", { class: "actions" }, ...actions) : null);
}

/** The notes, folded, and the links that were cut in them. @param {Graph} graph @param {GraphNode} node @returns {HTMLElement[]} */
function notesSections(graph, node) {
  const made = [];
  if (node.summary) made.push(folded(phrase("notes"), null, notesBox(graph, node)));
  if (node.truncated_links?.length) {
    made.push(section(phrase("cutLinks"), node.truncated_links.length,
      element("ul", { class: "links" }, ...node.truncated_links.map((link) => element("li", { class: "facts", dir: "auto" }, link)))));
  }
  return made;
}

/** @param {string} name @param {number | null} count @param {HTMLElement} content */
function folded(name, count, content) {
  return element("details", { class: "section" }, element("summary", {}, name, count === null ? null : " ",
    count === null ? null : element("span", { class: "count" }, String(count))), content);
}

/** One that names what is in a folder, with what it names there. @param {Graph} graph @param {GraphNode} node @param {GraphEdge[]} edges */
function insideItem(graph, node, edges) {
  const item = linkItem(graph, node, edges[0]);
  const links = edges.slice(0, PROOFS).flatMap(({ to }) => [" ", nodeLink(graph, to)]);
  item.append(element("p", { class: "reason" }, phrase("names"), ...links, edges.length > PROOFS ? ` ${phrase("andMore", { count: edges.length - PROOFS })}` : null));
  return item;
}

/** List the edges of a node. The map lights all of them, so the list names all of them: the first with their evidence, the
 * others in a line each until the reader asks for more.
 * @param {Graph} graph @param {GraphNode} node @param {GraphEdge[]} edges @param {number} [most] edges whose evidence is shown at first */
function linkList(graph, node, edges, most) {
  return growingList(edges.map((edge) => () => linkItem(graph, node, edge)), most, edges.map((edge) => () => briefItem(graph, node, edge)));
}

/** List items: a long list shows its first part, and the rest on demand.
 * @param {(() => HTMLElement)[]} items @param {number} [most] items shown at first
 * @param {(() => HTMLElement)[]} [brief] items that take the place of the rest until then; the same number */
export function growingList(items, most = 60, brief = []) {
  const list = element("ul", { class: "links" }, ...items.slice(0, most).map((make) => make()), ...brief.slice(most).map((make) => make()));
  if (items.length <= most) return list;
  const more = element("button", { type: "button", onclick: () => {
    list.replaceChildren(...[...list.children].slice(0, most), ...items.slice(most).map((make) => make()));
    more.remove();
  } }, phrase(brief.length ? "showOthersWhole" : "showOthers", { count: items.length - most }));
  return element("div", {}, list, more);
}

/** @param {string} name @param {number | null} count @param {HTMLElement} content */
function section(name, count, content) {
  return element("section", {}, element("h3", {}, name, count === null ? null : " ",
    count === null ? null : element("span", { class: "count" }, String(count))), content);
}

/** What related nodes are called together. @param {GraphNode[]} others */
function relativesName(others) {
  const posts = others.filter(({ kind }) => kind !== "episode").length;
  return phrase(posts ? (posts < others.length ? "relatedBoth" : "relatedPosts") : "related");
}

/** The heading under which an edge stands in the panel of one of its ends. @param {Graph} graph @param {GraphNode} node @param {GraphEdge} edge */
function heading(graph, node, edge) {
  const relation = graph.legend.relations[edge.relation] ?? { out: edge.relation, in: edge.relation };
  const other = graph.nodes[otherEnd(edge, node.index)];
  const outward = edge.from === node.index;
  const word = outward ? relation.out : relation.in;
  const many = kindOf(graph, other.kind).many;
  const name = `${word[0].toUpperCase()}${word.slice(1)}`;
  if (!outward && ["cites", "mentions", "about"].includes(edge.relation)) return { name: phrase("incoming", { relation: name, kinds: inSentence(many) }), rank: 0 };
  if (edge.relation === "about") return { name: many, rank: 1 };
  if (other.kind === "episode") return { name: outward ? phrase("outgoingEpisodes", { relation: name }) : name, rank: 3 };
  const told = word.endsWith(kindOf(graph, other.kind).one); // in repository
  return { name: told ? name : phrase("outgoing", { relation: name, kinds: inSentence(many) }), rank: edge.drawn ? 2 : 5 };
}

/** @param {Graph} graph @param {GraphNode} node @param {GraphEdge} edge */
export function linkItem(graph, node, edge) {
  const other = graph.nodes[otherEnd(edge, node.index)];
  const source = graph.nodes[edge.from];
  const item = element("li", {}, element("div", { class: "row" }, nodeLink(graph, other.index),
    other.item && other.date ? element("span", { class: "facts" }, other.date.slice(0, 10)) : null,
    webUrl(other.url) ? linkOut(other.url, "↗", { class: "out", "aria-label": phrase("openNode", { name: other.name }), title: phrase("openNode", { name: other.name }) }) : null));
  if (edge.boilerplate) item.append(asideLine());
  for (const reason of edge.reasons) item.append(element("p", { class: "reason", dir: "auto" }, reason));
  for (const { field, method, start, end, quote, time, moments } of edge.evidence.slice(0, PROOFS)) {
    if (!quote && time == null) continue;
    const [before, after] = field === "notes" ? surroundings(source.summary ?? "", start, end) : ["", ""];
    const proof = element("blockquote", { dir: "auto" }, before, element("mark", {}, quote), after);
    if (time != null && /^\d+(\.\d+)?$/.test(String(time))) {
      // A transcript's time is one of its own recording; that of a link, one of the recording it leads to.
      const own = method === "transcript" || typeof time === "number";
      const recording = webUrl(own ? source.audio_url : graph.nodes[edge.to].audio_url);
      const play = (/** @type {number} */ second) => linkOut(`${recording}#t=${second}`, clock(second), { class: "moment", "data-play": source.index, "data-from": second });
      proof.append(" ", recording ? linkOut(`${recording}#t=${time}`, phrase("listenFrom", { moment: clock(Number(time)) }), { "data-play": own ? source.index : edge.to, "data-from": time }) : phrase("from", { moment: clock(Number(time)) }));
      if (own && recording) for (const second of (moments ?? []).filter((second) => second > Number(time)).slice(0, MOMENTS)) proof.append(" ", play(second));
    }
    item.append(proof);
  }
  if (edge.evidence.length > PROOFS) item.append(element("p", { class: "reason" }, phrase("morePlaces", { count: edge.evidence.length - PROOFS })));
  return item;
}

/** Make the short form of an item: the other end and why there is an edge. @param {Graph} graph @param {GraphNode} node @param {GraphEdge} edge */
function briefItem(graph, node, edge) {
  return element("li", {}, nodeLink(graph, otherEnd(edge, node.index)), edge.boilerplate ? asideLine() : null, whyLine(edge));
}

const asideLine = () => element("p", { class: "reason" }, phrase("setAside"));

/** @param {GraphEdge} edge */
function whyLine(edge) {
  const why = because(edge);
  return why ? element("p", { class: "reason", dir: "auto" }, why) : null;
}

/** Return why there is an edge, in a line, as the command prints it: the first quote, then the reasons, three in all. @param {GraphEdge} edge @returns {string} */
export function because({ evidence, reasons }) {
  const quotes = evidence.slice(0, 1).filter(({ quote }) => quote).map(({ field, quote }) => phrase("itsField", { field, quote }));
  return [...quotes, ...reasons].slice(0, 3).join("; ");
}

/** Make the comparison of two nodes: what they share, what only one has, which episode goes first, and the path between.
 * @param {Graph} graph @param {number} one @param {number} other @param {number[] | null} path edges in order
 * @param {number[][]} parts as `compared` returns them @returns {HTMLElement} */
export function comparison(graph, one, other, path, parts) {
  const [left, right] = [graph.nodes[one], graph.nodes[other]];
  const names = [phrase("bothName"), phrase("onlyName", { name: left.name }), phrase("onlyName", { name: right.name })];
  const column = (/** @type {number[]} */ nodes, /** @type {number} */ at) => (nodes.length ? element("div", {},
    element("h4", { dir: "auto" }, names[at], " ", element("span", { class: "count" }, String(nodes.length))),
    at ? growingList(nodes.map((node) => () => element("li", {}, nodeLink(graph, node))), RELATIVES)
      : element("p", { class: "chips" }, ...nodes.map((node) => nodeLink(graph, node)))) : null);
  const [both, onlyLeft, onlyRight] = parts.map(column);
  const steps = [element("li", {}, nodeLink(graph, one))];
  let at = one;
  for (const number of path ?? []) {
    const edge = graph.edges[number];
    const relation = graph.legend.relations[edge.relation] ?? { out: edge.relation, in: edge.relation };
    const word = edge.from === at ? relation.out : relation.in;
    at = otherEnd(edge, at);
    steps.push(element("li", {}, element("span", { class: "facts" }, `${word} `), nodeLink(graph, at), whyLine(edge)));
  }
  return section(phrase("compared", { name: right.name }), null, element("div", {},
    firstLine(graph, left, right), both, element("div", { class: "sides" }, onlyLeft, onlyRight),
    ...(path ? [element("h4", { dir: "auto" }, phrase("pathTo", { goal: right.name }), " ", element("span", { class: "count" }, String(path.length))), element("ol", { class: "links" }, ...steps)] : []),
    path ? null : element("p", { class: "facts" }, `${phrase("noPath", { goal: right.name })}. ${phrase("noPathBecause")}`)));
}

/** Which of two episodes goes first, and why. @param {Graph} graph @param {GraphNode} left @param {GraphNode} right */
function firstLine(graph, left, right) {
  if (!left.item || !right.item) return null;
  const line = (/** @type {GraphNode} */ { index }, /** @type {string} */ why) => element("p", { class: "facts", dir: "auto" }, `${phrase("goesFirst")} `, nodeLink(graph, index), ` · ${why}`);
  for (const [first, second] of [[left, right], [right, left]]) {
    const step = second.before?.find(([node]) => node === first.index);
    if (step) return line(first, step[1]);
  }
  if (!left.date || !right.date) return null;
  const older = left.date <= right.date ? left : right;
  return line(older, phrase("isOlder", { date: (older.date ?? "").slice(0, 10) }));
}
